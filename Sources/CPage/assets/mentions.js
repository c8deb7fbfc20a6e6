// The people that an @ in the text may mean: they are offered above it, and arrow keys and Enter take one.

import { avatar, h, replace } from "./dom.js";
import { folded } from "./store.js";

/**
 * @param {import("./main.js").App} app
 * @param {HTMLTextAreaElement} field
 * @param {{members: () => any[], mentioned: () => void}} options
 */
export function mentions(app, field, options) {
  const element = h("div", { class: "mentions", id: "mentions", role: "listbox", "aria-label": "People to mention", hidden: true });
  field.setAttribute("aria-controls", element.id);
  let start = -1;
  let selected = 0;
  /** @type {any[]} */
  let found = [];

  function update() {
    const before = field.value.slice(0, field.selectionStart);
    const match = /(?:^|[\s(])@([^\s@][^@\n]{0,49})?$/u.exec(before);
    start = match ? before.lastIndexOf("@") : -1;
    if (!match) return hide();
    const query = folded(match[1] ?? "");
    found = options.members().filter((each) => each.user !== app.state.me?.user && !each.deleted && folded(each.name).split(/\s+/u).concat(folded(each.name)).some((part) => part.startsWith(query))).slice(0, 8);
    if (found.length === 0 || found.some((each) => folded(each.name) === query)) return hide();
    selected = Math.min(selected, found.length - 1);
    element.hidden = false;
    field.setAttribute("aria-expanded", "true");
    replace(
      element,
      ...found.map((each, index) =>
        h(
          "div",
          { class: "row", role: "option", id: `mention-${index}`, "aria-selected": String(index === selected), on: { pointerdown: (/** @type {Event} */ event) => { event.preventDefault(); mention(each); } } },
          avatar({ id: each.user, name: each.name, photo: each.photo }, "small"),
          h("span", { class: "one-line", dir: "auto" }, each.name),
        )
      ),
    );
    field.setAttribute("aria-activedescendant", `mention-${selected}`);
  }

  function hide() {
    element.hidden = true;
    selected = 0;
    field.removeAttribute("aria-activedescendant");
    field.removeAttribute("aria-expanded");
  }

  /** Whether a key was for the list. @param {KeyboardEvent} event */
  function key(event) {
    if (element.hidden) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      selected = (selected + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      update();
    } else if (event.key === "Enter" || event.key === "Tab") mention(found[selected]);
    else if (event.key === "Escape") {
      hide();
      event.stopPropagation();
    } else return false;
    event.preventDefault();
    return true;
  }

  /** @param {any} person */
  function mention(person) {
    field.setRangeText(`@${person.name} `, start, field.selectionStart, "end");
    hide();
    options.mentioned();
    field.focus();
  }

  field.addEventListener("blur", hide);
  return { element, update, key };
}
