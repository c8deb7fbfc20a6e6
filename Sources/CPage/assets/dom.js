// Elements without markup: everything that people wrote becomes a text node, and nothing ever parses it.

import { session } from "./api.js";

/** @typedef {Node | string | number | null | undefined | false} Piece */
/** @typedef {Piece | Piece[]} Child */

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Makes an element.
 *
 * Properties: `class`, `data` (an object for `dataset`), `on` (listeners by event), `text`, and anything else: booleans
 * and functions are set as properties, other values as attributes. What is null, undefined or false is left out.
 * An address is never set here: use `link` for those that people wrote.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  if (properties) set(element, properties);
  append(element, children);
  return element;
}

/**
 * Sets what `h` sets.
 * @param {Element} element
 * @param {Record<string, any>} properties
 */
export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") element.setAttribute("class", value || "");
    else if (name === "text") element.textContent = value ?? "";
    else if (name === "data") Object.assign(/** @type {HTMLElement} */ (element).dataset, value);
    else if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden" || name === "inert") {
      /** @type {any} */ (element)[name] = value;
    } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Node} parent
 * @param {Child[]} children
 */
export function append(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(typeof child === "object" ? child : document.createTextNode(String(child)));
  }
}

/**
 * Puts other children in the place of all. Whoever had the focus on one of them has it on the one that took its place.
 * @param {Element} parent
 * @param {...Child} children
 */
export function replace(parent, ...children) {
  const focused = document.activeElement;
  const kept = focused && focused !== parent && parent.contains(focused) ? placeOfFocus(parent, focused) : null;
  parent.textContent = "";
  append(parent, children);
  kept?.();
}

const focusable = "button, a[href], input, textarea, select, summary, [tabindex]";

/**
 * Remembers where the focus is below a parent. What it gives puts the focus back: on the same element if it is there again, else on
 * the one that is called the same, else on the one in the same place among as many.
 * @param {Element} parent @param {Element} focused
 */
function placeOfFocus(parent, focused) {
  const before = [...parent.querySelectorAll(focusable)];
  const index = before.indexOf(focused);
  const name = nameOf(focused);
  // Of several that are called the same it is the one in the same turn.
  const turn = before.filter((each) => nameOf(each) === name).indexOf(focused);
  return () => {
    const after = /** @type {HTMLElement[]} */ ([...parent.querySelectorAll(focusable)]);
    const same = after.filter((each) => nameOf(each) === name);
    const found = after.find((each) => each === focused) ?? same[turn] ?? same[same.length - 1] ??
      (after.length === before.length ? after[index] : undefined);
    found?.focus({ preventScroll: true });
  };
}

/** What an element is called, as far as it tells apart what stands in one place. @param {Element} element */
function nameOf(element) {
  return `${element.tagName} ${element.getAttribute("aria-label") ?? element.closest("label")?.textContent ?? element.textContent}`;
}

/**
 * Parts of an element, in their order. One whose `key` is as it was stays as it is, so that a film in it goes on and a selection
 * in it stays; any other is made anew. What else is in the element stays behind them.
 * @param {Element} parent
 * @param {Array<{name: string, key: string, make: () => Element} | null | undefined | false>} parts
 */
export function parts(parent, parts) {
  /** @type {Map<string, {key: string, element: Element}>} */
  const before = /** @type {any} */ (parent).moot_parts ?? new Map();
  /** @type {Map<string, {key: string, element: Element}>} */
  const after = new Map();
  const wanted = parts.filter((each) => Boolean(each)).map((each) => {
    const { name, key, make } = /** @type {{name: string, key: string, make: () => Element}} */ (each);
    const known = before.get(name);
    const part = known?.key === key ? known : { key, element: make() };
    after.set(name, part);
    return part.element;
  });
  for (const [name, { element }] of before) if (after.get(name)?.element !== element) element.remove();
  let next = parent.firstElementChild;
  for (const element of wanted) {
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
  /** @type {any} */ (parent).moot_parts = after;
}

/**
 * Makes the children of a parent those of a list, in its order, and touches only what changed. An element that stays keeps
 * its focus and its scroll position.
 *
 * @template T
 * @param {Element} parent
 * @param {Iterable<T>} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => HTMLElement} create
 * @param {(element: HTMLElement, item: T) => void} [update] called for those that stay and those that are new
 */
export function keyed(parent, items, keyOf, create, update) {
  /** @type {Map<string, HTMLElement>} */
  const before = /** @type {any} */ (parent).moot_keyed ?? new Map();
  const after = new Map();
  let next = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    if (after.has(key)) continue;
    const known = before.get(key);
    const element = known ?? create(item);
    after.set(key, element);
    if (update) update(element, item);
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
  for (const [key, element] of before) if (after.get(key) !== element) element.remove();
  /** @type {any} */ (parent).moot_keyed = after;
}

/**
 * A link to an address that somebody wrote. Anything but http, https and moot stays text.
 * @param {string} address
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function link(address, text = address) {
  const inside = insideAddress(address);
  if (inside) return h("a", { href: inside, dir: "auto" }, text);
  if (!/^https?:\/\//i.test(address)) return h("span", { dir: "auto" }, text);
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer", dir: "ltr" }, text);
}

/**
 * Where on this page a `moot://` address leads; null for any other.
 * @param {string} address
 */
export function insideAddress(address) {
  const match = /^moot:\/\/conversation\/([0-9a-f]{64})(?:\/([0-9a-f]{64}))?$/i.exec(address);
  return match ? `#/conversation/${match[1]}${match[2] ? "/" + match[2] : ""}` : null;
}

/** Icons: strokes on a field of 24 by 24. */
const strokes = {
  add: "M12 5v14M5 12h14",
  archive: "M4 8v11h16V8M3 4h18v4H3zM10 12h4",
  attach: "M20 11.5l-8.3 8.2a5.2 5.2 0 0 1-7.4-7.3l8.6-8.5a3.5 3.5 0 0 1 5 4.9l-8.6 8.5a1.7 1.7 0 0 1-2.5-2.4l7.8-7.7",
  back: "M19 12H5M12 19l-7-7 7-7",
  bell: "M18 9a6 6 0 0 0-12 0c0 7-3 8-3 8h18s-3-1-3-8M10 21h4",
  block: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.6 5.6l12.8 12.8",
  chart: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  check: "M5 12.5l4.5 4.5L19 7.5",
  checks: "M2 12.5L6.5 17 15 8M11 15.5l1.5 1.5L22 7.5",
  chevron: "M9 6l6 6-6 6",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  down: "M12 5v14M5 12l7 7 7-7",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  emoji: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 14.5a4.5 4.5 0 0 0 7 0M9 9.5v.1M15 9.5v.1",
  file: "M14 3H6v18h12V7zM14 3v4h4",
  flask: "M9 3h6M10 3v6l-6 10a1.5 1.5 0 0 0 1.3 2h13.4a1.5 1.5 0 0 0 1.3-2L14 9V3M7 15h10",
  gallery: "M4 4h16v16H4zM4 16l5-5 5 5 2-2 4 4M15.5 8.5v.1",
  graph: "M6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 8v8M8 6c5 0 8 1 8.5 4.200M8 18c5 0 8-1 8.5-4.2",
  group: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.500a3.5 3.5 0 0 1 0 6.500M18 14.500c2.2.8 3.5 2.7 3.5 5.5",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v6M12 7.500v.1",
  keyboard: "M3 6h18v12H3zM7 10v.1M11 10v.1M15 10v.1M17 10v.1M8 14h8",
  leave: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.500M14 10a4 4 0 0 0-6-.5l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5",
  menu: "M4 7h16M4 12h16M4 17h16",
  message: "M4 5h16v12H9l-5 4z",
  more: "M4.6 12h.8M11.6 12h.8M18.6 12h.8",
  mute: "M18 9a6 6 0 0 0-9-5.200M6.3 7C6 7.6 6 8.3 6 9c0 7-3 8-3 8h13M10 21h4M3 3l18 18",
  node: "M4 4h16v6H4zM4 14h16v6H4zM8 7v.1M8 17v.1",
  people: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4.5 3.5-7 8-7s8 2.5 8 7",
  pin: "M9 3h6l-1 6 4 4v2H6v-2l4-4zM12 15v6",
  reply: "M9 7L4 12l5 5M4 12h9c4 0 7 2 7 6",
  retry: "M20 12a8 8 0 1 1-2.5-5.800M20 4v4h-4",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5",
  send: "M4 12l16-8-5 16-3.5-6.500zM11.5 13.500L20 4",
  shield: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5",
  tag: "M4 4h8l8.5 8.5-8 8L4 12zM8 8v.1",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  user_add: "M10 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4.5 3.5-7 8-7 1.6 0 3 .3 4.3.9M18 14v7M14.5 17.500h7",
  warning: "M12 4l9.5 16h-19zM12 10v4.500M12 17.300v.1",
};

/** @typedef {keyof typeof strokes} IconName */

/**
 * A picture beside a text or in a button that has a label of its own.
 * @param {IconName} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const element = document.createElementNS(svgNamespace, "svg");
  element.setAttribute("viewBox", "0 0 24 24");
  element.setAttribute("class", `icon icon-${name}`);
  element.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svgNamespace, "path");
  path.setAttribute("d", strokes[name]);
  element.appendChild(path);
  return element;
}

/**
 * A button that shows an icon only, with the words for it as its name and its tooltip.
 * @param {IconName} name
 * @param {string} label
 * @param {((event: Event) => void) | null} [press]
 * @param {Record<string, any>} [properties]
 */
export function iconButton(name, label, press, properties = {}) {
  const { class: more, on, ...rest } = properties;
  return h("button", {
    type: "button",
    class: `icon-button ${more ?? ""}`,
    "aria-label": label,
    title: label,
    on: { ...(press ? { click: press } : {}), ...on },
    ...rest,
  }, icon(name));
}

/**
 * A picture of a person or a group: the photo, or the first letters of the name on a color that follows from the id.
 * Decorative, for the name always stands beside it.
 *
 * @param {{id: string, name: string, photo?: any, deleted?: boolean, presence?: string}} of
 * @param {"small" | "medium" | "large" | "huge"} [size]
 */
export function avatar(of, size = "medium") {
  const element = h("span", { class: `avatar ${size}`, "aria-hidden": "true" });
  const photo = of.photo && !of.deleted ? of.photo : null;
  element.style.setProperty("--hue", String(hueOf(of.id)));
  if (of.deleted) element.append(icon("people"));
  else element.append(h("span", null, initials(of.name)));
  if (photo) {
    const small = photo.thumbnail?.here && size !== "huge" ? photo.thumbnail.id : photo.state === "here" ? photo.id : photo.thumbnail?.here ? photo.thumbnail.id : null;
    if (small) {
      const picture = h("img", { alt: "", src: session.blob(small), loading: "lazy", decoding: "async", draggable: "false" });
      // The first time it may be that only its ticket ended: see `api.js`.
      picture.addEventListener("error", () => {
        picture.hidden = true;
      });
      picture.addEventListener("load", () => {
        picture.hidden = false;
      });
      element.append(picture);
    }
  }
  if (of.presence === "online") element.append(h("i", { class: "presence" }));
  return element;
}

/**
 * A number from 0 to 359 that is the same for the same id everywhere.
 * @param {string} id
 */
export function hueOf(id) {
  return parseInt(id.slice(0, 6), 16) % 360 || 0;
}

/**
 * The first letters of the first and the last word of a name.
 * @param {string} name
 */
export function initials(name) {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const first = [...(words[0] ?? "?")][0] ?? "?";
  const last = words.length > 1 ? [...words[words.length - 1]][0] : "";
  return (first + last).toLocaleUpperCase();
}
