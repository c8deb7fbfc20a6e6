// Pieces that several screens share: a head with a way back, figures, drawings, saving what was made here.
//
// A screen is a function `screen(app, params)` that returns one element. The element has a heading (`h1` or `h2`), which gets
// the focus when the screen opens. `params` are:
//   path    the words of the address after the screen's own name: for `#/people/ID` that is [ID]
//   query   a URLSearchParams: of `#/search?q=tea`
//   signal  an AbortSignal that is aborted when the screen goes: pass it to addEventListener, `app.watch` and `api.get`
//   conversation  its id, for the screens beside a conversation
//
// `app` is:
//   state                    what the page knows: see `State`; never change it
//   update(change)           replaces the state by `change(state)`; everybody who watches hears of it in the next frame
//   watch(select, show, signal)  calls `show(select(state))` now, and again in a frame after which `select` gives another value
//   onEvent(listener, signal)    every event of the node, as docs/api.md describes them
//   api                      get, post, put, patch, delete, upload, blob: see `api.js`; they throw an APIError
//   navigate(address)        goes to an address such as `#/people`; Back returns
//   conversation(id)         asks for a conversation again and keeps what the node says
//   describe(id, request)    the same for what a request answers about it
//   toast(text, kind, action)    says something that happened; `action` is {label, press}
//   failed(error)            says a refusal as a toast, with its hint
//   load(make)               imports a module that the first screen does not need
//   dialogs                  see `dialogs.js`: dialogs return promises
//   words                    see `words.js`: plurals, dates, sizes
//
// A screen is listed in `sidebar.js`. What is not there is offered nowhere. What the first screen does not need is loaded after it, by
// `load` and `later`.

import { append, h, icon, iconButton } from "./dom.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {import("./main.js").Params} Params */

/**
 * What the page knows; `store.js` says how it changes.
 * @typedef {object} State
 * @property {any} me the `Identity` of the node's user; null before it is known
 * @property {any} status the `Status` of the start; null before it is known
 * @property {"starting" | "online" | "offline" | "replaced" | "refused"} connection
 * @property {boolean} loaded whether the list of conversations is here
 * @property {Map<string, any>} conversations those in the list
 * @property {Map<string, any>} archived those put away; filled when somebody looks
 * @property {Map<string, any>} requests those that wait for an answer
 * @property {Map<string, any>} people everybody the node knows
 * @property {Map<string, {text: string, people: any[]}>} typing by conversation
 * @property {string | null} open the conversation that is shown
 * @property {Array<{key: string, kind: "info" | "error" | "overruled", text: string, action?: any}>} toasts
 */

/**
 * A screen: a head that stays, and a column that scrolls.
 * @param {{title: string, back: string, backLabel?: string, actions?: any[], isWide?: boolean, level?: 1 | 2}} of
 * @param {...any} content
 */
export function screenOf(of, ...content) {
  const heading = h(of.level === 2 ? "h2" : "h1", null, of.title);
  return h(
    "div",
    { class: "screen" },
    h("header", null, h("a", { class: "icon-button", href: of.back, "aria-label": of.backLabel ?? "Back", title: of.backLabel ?? "Back" }, icon("back")), heading, ...(of.actions ?? [])),
    h("div", { class: "content" }, h("div", { class: of.isWide ? "column wide" : "column" }, ...content)),
  );
}

/** @param {import("./dom.js").IconName} name @param {string} title @param {string} text @param {...any} more */
export function emptyState(name, title, text, ...more) {
  return h("div", { class: "empty" }, icon(name), h("h2", null, title), h("p", null, text), ...more);
}

/** @param {string} title @param {...any} content */
export function section(title, ...content) {
  return h("section", { class: "section", "aria-label": title }, h("h2", null, title), ...content);
}

/** A fact with its name. @param {string} name @param {any} value @param {string} [note] */
export function fact(name, value, note) {
  return h("div", { class: "fact" }, h("dt", null, name), h("dd", null, value, note ? h("small", null, note) : null));
}

/** Saves what was made on this page as a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  // The browser reads it a moment after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * A text to hand on, with a button that copies it.
 * @param {App} app @param {string} label @param {string} text
 */
export function copyable(app, label, text) {
  const field = h("input", { readonly: true, value: text, "aria-label": label, class: "code-field", spellcheck: "false", on: { focus: () => field.select() } });
  const button = copyButton(app, `Copy the ${label.toLowerCase()}`, text, () => {
    field.focus();
    field.select();
  });
  return h("div", { class: "copyable" }, field, button);
}

/**
 * A button that copies a text. Without leave for the clipboard the text is chosen where it stands, so that Ctrl+C takes it.
 * @param {App} app @param {string} label what the button is called @param {string} text @param {() => void} choose
 */
export function copyButton(app, label, text, choose) {
  return iconButton("copy", label, async () => {
    try {
      await navigator.clipboard.writeText(text);
      app.toast("Copied");
    } catch {
      choose();
    }
  });
}

/**
 * Keeps controls from being used while something goes on. A control that is disabled loses the focus, so whoever had it has it back
 * afterwards, unless they went elsewhere meanwhile.
 * @param {Array<HTMLButtonElement | HTMLSelectElement>} controls @param {() => Promise<void>} work
 */
export async function disabling(controls, work) {
  const focused = controls.find((each) => each === document.activeElement);
  for (const each of controls) each.disabled = true;
  try {
    await work();
  } finally {
    for (const each of controls) each.disabled = false;
    const now = document.activeElement;
    if (!now || now === document.body || now === focused) focused?.focus({ preventScroll: true });
  }
}

/**
 * An SVG element, for plots.
 * @param {string} tag
 * @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

/**
 * A QR code as the node drew it: squares, of which a picture is made here. As a picture it runs no script and asks for nothing.
 * @param {string | undefined} drawing an SVG document @param {string} label
 */
export function qr(drawing, label) {
  if (!drawing) return null;
  const address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  const picture = h("img", { class: "qr", alt: label, src: address, width: "208", height: "208" });
  for (const end of ["load", "error"]) picture.addEventListener(end, () => URL.revokeObjectURL(address), { once: true });
  return picture;
}

/** A name for a file, of what people called something. @param {string} text */
export function fileName(text) {
  return text.replace(/[^\p{L}\p{N} _-]+/gu, "").trim().slice(0, 60) || "moot";
}

/**
 * Tabs: arrow keys move between them, the chosen one is in the order of the Tab key.
 * @template {string} K
 * @param {string} label
 * @param {Array<{key: K, text: string}>} tabs
 * @param {K} chosen
 * @param {(key: K) => void} choose
 */
export function tabList(label, tabs, chosen, choose) {
  const buttons = tabs.map(({ key, text }) =>
    h("button", {
      type: "button",
      role: "tab",
      id: `tab-${key}`,
      "aria-selected": String(key === chosen),
      tabindex: key === chosen ? "0" : "-1",
      on: { click: () => choose(key) },
    }, text)
  );
  return h("div", {
    class: "tabs",
    role: "tablist",
    "aria-label": label,
    on: {
      keydown: (/** @type {KeyboardEvent} */ event) => {
        const at = buttons.indexOf(/** @type {any} */ (document.activeElement));
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (at < 0 || step === 0) return;
        event.preventDefault();
        const next = (at + step + buttons.length) % buttons.length;
        buttons[next].focus();
        choose(tabs[next].key);
      },
    },
  }, ...buttons);
}
