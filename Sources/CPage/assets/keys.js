// Keys that work everywhere on the page. Letters alone work only where the list of messages has the focus (WCAG 2.1.4).

import * as dialogs from "./dialogs.js";
import { sorted } from "./store.js";

/** @param {import("./main.js").App} app @param {() => any} view of the conversation that is shown, if there is one */
export function installKeys(app, view) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog:modal")) return;
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      dialogs.switcher(app);
    } else if (isControl && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "f" && view()?.search && location.hash.startsWith("#/conversation/") && app.state.open) {
      if (view().search() !== false) event.preventDefault();
    } else if (event.altKey && !isControl && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      move(app, event.key === "ArrowDown" ? 1 : -1, event.shiftKey);
    } else if (event.key === "?" && !isControl && !event.altKey && !isTyping(event.target)) {
      event.preventDefault();
      dialogs.keyboard();
    } else if (event.key === "Escape") {
      const { open } = app.state;
      if (open && location.hash.split("/").length > 3 && !/\/[0-9a-f]{64}$/.test(location.hash)) app.navigate(`#/conversation/${open}`);
      else view()?.escape?.();
    } else if (event.key === "F6") {
      event.preventDefault();
      if (document.activeElement?.closest("nav")) (view()?.focusList ?? view()?.focus)?.();
      else if (document.activeElement?.closest("article")) view()?.focus?.();
      else /** @type {HTMLElement | null} */ (document.querySelector("nav .conversations a[aria-current]") ?? document.querySelector("nav input"))?.focus();
    }
  });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** @param {import("./main.js").App} app @param {number} step @param {boolean} isUnread */
function move(app, step, isUnread) {
  const all = sorted(app.state.conversations.values());
  if (all.length === 0) return;
  let index = all.findIndex((each) => each.id === app.state.open);
  if (index < 0 && step < 0) index = all.length;
  for (let count = 0; count < all.length; count++) {
    index += step;
    if (index < 0 || index >= all.length) {
      if (!isUnread) return;
      index = (index + all.length) % all.length;
    }
    if (!isUnread || all[index].unread > 0) return app.navigate(`#/conversation/${all[index].id}`);
  }
}
