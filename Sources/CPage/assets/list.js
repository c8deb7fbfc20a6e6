// The messages of a conversation: rows that scroll, ask for more at both ends, and never move under a reader.
//
// The list keeps its own anchor (`overflow-anchor: none`): the first row in sight keeps its place on the screen through everything
// that happens above it. At the end of the newest messages it stays at the end instead.

import { h, icon, iconButton, parts } from "./dom.js";
import { folded, placeAmong } from "./history.js";
import { fill } from "./message.js";

/** @typedef {any} Message */

/** How near an end must be for the next page to be asked for, in pixels. */
const near = 1600;
/** What counts as the end. */
const atEndWithin = 32;
/** How many rows are drawn before the others: more than a screen has. */
const firstRows = 24;
/** After how many milliseconds the others are: when the first are on the screen. */
const restAfter = 60;

/**
 * @param {object} options
 * @param {() => Omit<import("./message.js").Surroundings, "startsDay" | "isFirst" | "isLast" | "isOwn" | "isUnreadStart">} options.surroundings
 * @param {(act: string, message: Message, element: HTMLElement) => void} options.act
 * @param {(side: "earlier" | "later") => void} options.need
 * @param {(last: Message) => void} options.seen
 * @param {(isAtEnd: boolean) => void} options.moved
 * @param {(event: KeyboardEvent, message: Message, row: HTMLElement) => void} options.key
 * @param {AbortSignal} options.signal
 */
export function messageList(options) {
  const top = h("div", { class: "list-end" });
  const content = h("div", { class: "message-rows", role: "feed", "aria-label": "Messages" });
  const bottom = h("div", { class: "list-end" });
  const element = h("div", { class: "list" }, top, content, bottom);

  /** @type {Map<string, {row: HTMLElement, message: Message, signature: string}>} */
  const rows = new Map();
  /** @type {Map<string, string>} the key of a row by the id of its message, where they differ: it was shown before it had an id */
  const aliases = new Map();
  /** @type {Message[]} */
  let messages = [];
  /** The messages of people one does not hear that are shown nevertheless. @type {Set<string>} */
  const unfolded = new Set();
  /** What was drawn last, to draw it again when something unfolds. @type {Parameters<typeof render> | null} */
  let drawn = null;
  let hasEarlier = false;
  let hasLater = false;
  let isStuck = true;
  /** Whether only the last rows are drawn so far: the others follow when those are on the screen. */
  let isBegun = false;
  /** A row, how far below the upper edge it was, and how far the list was scrolled then. @type {{row: HTMLElement, top: number, at: number} | null} */
  let anchor = null;
  /** @type {HTMLElement | null} */
  let current = null;
  let firstUnread = "";

  /** @param {Message} message */
  const keyOf = (message) => aliases.get(message.id) ?? message.id;

  /** @param {Element | null} of @returns {Message | undefined} */
  function messageOf(of) {
    const row = of?.closest("article");
    return row ? rows.get(/** @type {HTMLElement} */ (row).dataset.key ?? "")?.message : undefined;
  }

  // The place

  /** The first row that is in sight, by bisection: rows stand below each other. */
  function firstInSight() {
    const all = content.children;
    const edge = element.scrollTop;
    let [low, high] = [0, all.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = /** @type {HTMLElement} */ (all[middle]);
      if (row.offsetTop + row.offsetHeight <= edge) low = middle + 1;
      else high = middle;
    }
    return /** @type {HTMLElement | undefined} */ (all[low]);
  }

  function noteAnchor() {
    const row = firstInSight();
    anchor = row ? { row, top: row.offsetTop - element.scrollTop, at: element.scrollTop } : null;
  }

  function keepPlace() {
    if (isStuck && !hasLater) element.scrollTop = element.scrollHeight;
    else if (anchor?.row.isConnected) {
      // Whoever scrolled on since then, without an event so far, goes on from where they are.
      const wanted = anchor.row.offsetTop - anchor.top + element.scrollTop - anchor.at;
      if (Math.abs(element.scrollTop - wanted) >= 1) element.scrollTop = wanted;
      anchor.at = element.scrollTop;
    }
  }

  function isAtEnd() {
    return element.scrollHeight - element.scrollTop - element.clientHeight <= atEndWithin;
  }

  let wasAtEnd = true;
  function moved() {
    isStuck = isAtEnd() && !hasLater;
    noteAnchor();
    if (hasEarlier && !isBegun && element.scrollTop < near) options.need("earlier");
    if (hasLater && element.scrollHeight - element.scrollTop - element.clientHeight < near) options.need("later");
    if (isStuck !== wasAtEnd) options.moved(wasAtEnd = isStuck);
    tellSeen();
  }

  /** Tells of the last message that is wholly in sight, where somebody looks at the page. */
  function tellSeen() {
    if (document.hidden || !document.hasFocus() || messages.length === 0) return;
    const edge = element.scrollTop + element.clientHeight + 4;
    const all = content.children;
    let [low, high] = [0, all.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const row = /** @type {HTMLElement} */ (all[middle]);
      if (row.offsetTop + row.offsetHeight <= edge) low = middle;
      else high = middle - 1;
    }
    const message = messageOf(all[low]);
    // What is folded was seen as a whole.
    const seen = message?.kind === "fold" && !message.isOpen ? message.of[message.of.length - 1] : message?.kind === "fold" ? undefined : message;
    if (seen && !seen.outgoing) options.seen(seen);
  }

  element.addEventListener("scroll", moved, { passive: true });
  const resized = new ResizeObserver(() => {
    keepPlace();
    moved();
  });
  resized.observe(content);
  resized.observe(element);
  options.signal.addEventListener("abort", () => resized.disconnect());
  addEventListener("focus", tellSeen, { signal: options.signal });
  document.addEventListener("visibilitychange", tellSeen, { signal: options.signal });

  // The rows

  /**
   * @param {import("./history.js").History} history
   * @param {Message[]} outgoing what is on its way and belongs after them
   * @param {string} unread the id of the first unread message, above which a line stands
   */
  function render(history, outgoing, unread) {
    hasEarlier = history.earlier !== undefined;
    hasLater = history.later !== undefined;
    firstUnread = unread;
    drawn = [history, outgoing, unread];
    messages = folded([...history.messages, ...outgoing], unfolded);
    parts(top, [hasEarlier
      ? { name: "loading", key: "", make: () => h("span", { class: "loading" }, "Loading…") }
      : { name: "beginning", key: String(messages.length > 0), make: () => h("span", { class: "note" }, messages.length ? "The beginning of what is here" : "") }]);
    parts(bottom, history.gaps.map((gap, index) => ({ name: String(index), key: gap.text, make: () => h("p", { class: "notice" }, icon("warning"), h("span", null, gap.text)) })));

    const wanted = new Set(messages.map(keyOf));
    if (!isStuck) noteAnchor();
    // An anchor that goes with what is cut away is replaced by the first in sight that stays.
    if (!anchor || !wanted.has(anchor.row.dataset.key ?? "")) {
      anchor = null;
      for (let row = firstInSight(); row; row = /** @type {HTMLElement | null} */ (row.nextElementSibling) ?? undefined) {
        if (!wanted.has(row.dataset.key ?? "")) continue;
        anchor = { row, top: row.offsetTop - element.scrollTop, at: element.scrollTop };
        break;
      }
    }
    for (const [key, { row }] of rows) {
      if (wanted.has(key)) continue;
      if (row === current) current = null;
      row.remove();
      rows.delete(key);
    }
    const shared = options.surroundings();
    // At first only what is in sight is drawn: the place of the rest is above it.
    isBegun = rows.size === 0 && isStuck && !hasLater && messages.length > firstRows;
    if (isBegun) setTimeout(complete, restAfter);
    const from = isBegun ? messages.length - firstRows : 0;
    let next = content.firstElementChild;
    messages.forEach((message, index) => {
      if (index < from) return;
      const key = keyOf(message);
      const around = {
        ...shared,
        ...placeAmong(messages, index),
        isOwn: message.sender === shared.me && message.kind !== "system" && message.kind !== "fold",
        isUnreadStart: message.id === firstUnread || (message.kind === "fold" && message.of.some((/** @type {Message} */ each) => each.id === firstUnread)),
      };
      // The row of what is folded is another value each time.
      const signature = `${around.startsDay}${around.isFirst}${around.isLast}${around.isUnreadStart}${around.isDirect}${message.kind === "fold" ? message.text + message.isOpen : ""}`;
      let known = rows.get(key);
      if (!known) {
        known = { row: h("article", { tabindex: "-1", data: { key } }), message, signature };
        rows.set(key, known);
        fillRow(known.row, message, around);
      } else if ((known.message !== message && message.kind !== "fold") || known.signature !== signature) {
        known.signature = signature;
        fillRow(known.row, message, around);
      }
      known.message = message;
      if (known.row === next) next = next.nextElementSibling;
      else content.insertBefore(known.row, next);
    });
    if (!current && content.lastElementChild) makeCurrent(/** @type {HTMLElement} */ (content.lastElementChild));
    keepPlace();
  }

  /** Draws the rows that are not drawn yet. */
  function complete() {
    if (isBegun && drawn && !options.signal.aborted) render(...drawn);
  }

  /** @param {HTMLElement} row @param {Message} message @param {import("./message.js").Surroundings} around */
  function fillRow(row, message, around) {
    const hadFocus = row.contains(document.activeElement);
    fill(row, message, around);
    setControls(row, row === current);
    if (toolbarRow === row && toolbar.parentElement?.parentElement !== row) row.querySelector(".bubble")?.append(toolbar);
    if (!hadFocus || row.contains(document.activeElement)) return;
    const control = /** @type {HTMLElement | null} */ (message.kind === "fold" ? row.querySelector("button") : row);
    control?.focus({ preventScroll: true });
  }

  /** Makes all rows anew, as after somebody changed their name. */
  function renew() {
    for (const each of rows.values()) each.signature = "";
  }

  // Focus: one row is in the order of Tab, and with it what it contains

  /** @param {HTMLElement} row @param {boolean} isOn */
  function setControls(row, isOn) {
    row.tabIndex = isOn ? 0 : -1;
    for (const each of row.querySelectorAll("button, a, audio, video")) /** @type {HTMLElement} */ (each).tabIndex = isOn ? 0 : -1;
  }

  /** @param {HTMLElement} row */
  function makeCurrent(row) {
    if (current === row) return;
    if (current) setControls(current, false);
    current = row;
    setControls(row, true);
  }

  /** @param {HTMLElement | null | undefined} row */
  function focusRow(row) {
    if (!row) return;
    makeCurrent(row);
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  content.addEventListener("focusin", (event) => {
    const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("article"));
    if (!row) return;
    makeCurrent(row);
    showToolbar(row);
  });

  content.addEventListener("keydown", (event) => {
    const row = /** @type {HTMLElement | null} */ (event.target);
    if (!row || row.tagName !== "ARTICLE" || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = content.children;
    const index = [...all].indexOf(row);
    const step = Math.max(1, Math.floor(element.clientHeight / 90));
    /** @type {Record<string, number>} */
    const targets = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: all.length - 1, PageUp: index - step, PageDown: index + step };
    if (event.key in targets) {
      event.preventDefault();
      focusRow(/** @type {HTMLElement} */ (all[Math.max(0, Math.min(all.length - 1, targets[event.key]))]));
      return;
    }
    const message = messageOf(row);
    if (message?.kind === "fold") {
      if (event.key !== "Enter") return;
      event.preventDefault();
      unfold(message);
    } else if (message) options.key(event, message, row);
  });

  content.addEventListener("click", (event) => {
    const control = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-act]"));
    const message = messageOf(control);
    if (control?.dataset.act === "unfold" && message) unfold(message);
    else if (control && message) options.act(control.dataset.act ?? "", message, control);
  });

  /** Shows what is folded, or folds it again. @param {Message} message */
  function unfold(message) {
    for (const each of message.of) {
      if (message.isOpen) unfolded.delete(each.id);
      else unfolded.add(each.id);
    }
    if (drawn) render(...drawn);
  }

  content.addEventListener("contextmenu", (event) => {
    const message = messageOf(/** @type {Element} */ (event.target));
    const selection = getSelection();
    if (!message || message.kind === "system" || message.kind === "fold" || (selection && !selection.isCollapsed) || /** @type {Element} */ (event.target).closest("a, video, audio")) return;
    event.preventDefault();
    options.act("menu", message, /** @type {HTMLElement} */ (event.target));
  });

  content.addEventListener("dblclick", (event) => {
    const message = messageOf(/** @type {Element} */ (event.target));
    if (!message || message.kind === "system" || message.kind === "fold" || /** @type {Element} */ (event.target).closest("button, a, .text, video, audio")) return;
    options.act("reply", message, /** @type {HTMLElement} */ (event.target));
  });

  // One toolbar for all rows: it goes where the pointer or the focus is

  const toolbar = h(
    "div",
    { class: "toolbar", role: "toolbar", "aria-label": "This message" },
    iconButton("emoji", "React", null, { data: { act: "pick-reaction" } }),
    iconButton("reply", "Reply", null, { data: { act: "reply" } }),
    iconButton("more", "More", null, { data: { act: "menu" }, "aria-haspopup": "menu" }),
  );
  /** @type {HTMLElement | null} */
  let toolbarRow = null;

  /** @param {HTMLElement} row */
  function showToolbar(row) {
    const message = messageOf(row);
    if (!message || message.kind === "system" || message.kind === "fold" || message.outgoing || message.deleted) {
      toolbar.remove();
      toolbarRow = null;
      return;
    }
    if (toolbarRow === row) return;
    toolbarRow = row;
    for (const each of toolbar.children) /** @type {HTMLElement} */ (each).tabIndex = row === current ? 0 : -1;
    row.querySelector(".bubble")?.append(toolbar);
  }

  content.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("article"));
    if (row && !toolbar.contains(document.activeElement)) showToolbar(row);
  });

  return {
    element,
    render,
    renew,

    /** @param {string} id @param {string} key */
    alias(id, key) {
      aliases.set(id, key);
    },

    get isAtEnd() {
      return isStuck;
    },

    toEnd() {
      isStuck = true;
      element.scrollTop = element.scrollHeight;
    },

    /**
     * Shows a message; false if it is not among the rows.
     * @param {string} id @param {"center" | "top"} align @param {boolean} isMarked
     */
    goTo(id, align, isMarked) {
      complete();
      const hidden = messages.find((each) => each.kind === "fold" && !each.isOpen && each.of.some((/** @type {Message} */ of) => of.id === id));
      if (hidden) unfold(hidden);
      const row = rows.get(aliases.get(id) ?? id)?.row;
      if (!row) return false;
      isStuck = false;
      const space = align === "top" ? 48 : Math.max(48, (element.clientHeight - row.offsetHeight) / 2);
      element.scrollTop = row.offsetTop - space;
      noteAnchor();
      makeCurrent(row);
      if (isMarked) {
        row.classList.remove("marked");
        void row.offsetWidth;
        row.classList.add("marked");
        row.focus({ preventScroll: true });
      }
      return true;
    },

    focusLast() {
      focusRow(/** @type {HTMLElement | null} */ (current ?? content.lastElementChild));
    },

    /** The first message in sight, and whatever is shown around it: what is read now. */
    get reading() {
      const message = messageOf(firstInSight() ?? null);
      return message?.kind === "fold" ? message.of[0].id : message?.outgoing ? undefined : message?.id;
    },

    /** @param {string} id */
    rowOf: (id) => rows.get(aliases.get(id) ?? id)?.row,
    tellSeen,
  };
}
