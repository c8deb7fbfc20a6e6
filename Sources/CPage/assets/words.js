// Words for people: plurals, times, sizes, titles. Pure: who asks says what time it is, where that matters.

const day = 86_400_000;

/** What Moot itself says in the place of a name: as `OwnWord` of the node, which gives nobody such a name. */
export const own = Object.freeze({ notes: "Notes to yourself", onlyYou: "Only you", you: "You", unknown: "Unknown", deletedUser: "Deleted User", nobody: "Nobody" });

/** "1 message", "2 messages". @param {number} count @param {string} one @param {string} [many] */
export function plural(count, one, many = one + "s") {
  return `${number(count)} ${count === 1 ? one : many}`;
}

const numbers = new Intl.NumberFormat();

/** @param {number} value */
export function number(value) {
  return numbers.format(value);
}

/** "Alice", "Alice and Bob", "Alice, Bob, and 3 others". @param {string[]} names @param {number} [most] */
export function list(names, most = 3) {
  if (names.length <= 1) return names[0] ?? "";
  if (names.length === 2) return `${names[0]} and ${names[1]}`;
  if (names.length <= most) return `${names.slice(0, -1).join(", ")}, and ${names[names.length - 1]}`;
  const others = names.length - most + 1;
  return `${names.slice(0, most - 1).join(", ")}, and ${plural(others, "other")}`;
}

/** A format is made when it is used first: each takes milliseconds. @param {Intl.DateTimeFormatOptions} options @returns {(date: Date) => string} */
function format(options) {
  /** @type {Intl.DateTimeFormat | undefined} */
  let made;
  return (date) => (made ??= new Intl.DateTimeFormat(undefined, options)).format(date);
}

const clock = format({ hour: "numeric", minute: "2-digit" });
const weekday = format({ weekday: "long" });
const shortDate = format({ day: "numeric", month: "short" });
const longDate = format({ weekday: "long", day: "numeric", month: "long" });
const yearDate = format({ day: "numeric", month: "long", year: "numeric" });
const full = format({ dateStyle: "full", timeStyle: "short" });

/** "14:05". @param {string | number | Date} at */
export function time(at) {
  return clock(new Date(at));
}

/** The moment in full, for tooltips. @param {string | number | Date} at */
export function moment(at) {
  return full(new Date(at));
}

/** Which day of the calendar a moment is on, as a number that grows by one each day. @param {Date} date */
export function dayNumber(date) {
  return Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / day);
}

/** "Today", "Yesterday", "Tuesday", "Tuesday, 3 March", "3 March 2025". @param {string} at @param {Date} [now] */
export function dayOf(at, now = new Date()) {
  const date = new Date(at);
  const ago = dayNumber(now) - dayNumber(date);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  if (ago > 1 && ago < 7) return weekday(date);
  return date.getFullYear() === now.getFullYear() ? longDate(date) : yearDate(date);
}

/** For lists: "14:05", "Yesterday", "Tuesday", "3 Mar", "3 March 2025". @param {string | undefined} at @param {Date} [now] */
export function when(at, now = new Date()) {
  if (!at) return "";
  const date = new Date(at);
  const ago = dayNumber(now) - dayNumber(date);
  if (ago === 0) return clock(date);
  if (ago === 1) return "Yesterday";
  if (ago > 1 && ago < 7) return weekday(date);
  return date.getFullYear() === now.getFullYear() ? shortDate(date) : yearDate(date);
}

/** "online", "last seen 14:05". @param {{presence?: string, last_seen?: string, deleted?: boolean}} person @param {Date} [now] */
export function presence(person, now = new Date()) {
  if (person.deleted) return "deleted";
  if (person.presence === "online") return "online";
  if (!person.last_seen) return "not seen yet";
  return `last seen ${lowered(when(person.last_seen, now))}`;
}

/** @param {string} text */
function lowered(text) {
  return text === "Yesterday" ? "yesterday" : text;
}

/** "512 bytes", "1.2 MB". @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return plural(bytes, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${units[unit]}`;
}

/** Until when somebody is muted. @param {string | undefined} until @param {Date} [now] */
export function mutedUntil(until, now = new Date()) {
  if (!until) return "";
  if (until === "forever") return "Muted";
  return dayNumber(new Date(until)) === dayNumber(now) ? `Muted until ${time(until)}` : `Muted until ${when(until, now)}, ${time(until)}`;
}

/** The role as a word; nothing for a plain member. @param {string | undefined} role */
export function role(role) {
  return role === "founder" ? "Founder" : role === "admin" ? "Admin" : role === "moderator" ? "Moderator" : "";
}

/** What stands for a message where there is room for one line. @param {any} message */
export function preview(message) {
  if (!message) return "";
  if (message.deleted || message.readability === "deleted") return "This message was deleted";
  const unreadable = readability(message.readability);
  if (unreadable) return unreadable;
  const text = (message.text ?? "").slice(0, 300).replace(/\s+/gu, " ").trim();
  if (text && !(message.files?.length && message.text === names(message.files))) return text;
  if (message.files?.length) return files(message.files);
  return text;
}

/** @param {any[]} list */
function names(list) {
  return list.map((each) => each.name).join(", ");
}

/** "Photo", "3 photos", "tides.pdf". @param {any[]} list */
export function files(list) {
  if (list.every((each) => each.kind === "photo")) return list.length === 1 ? "Photo" : plural(list.length, "photo");
  return list.length === 1 ? list[0].name : plural(list.length, "file");
}

/** Why a message shows no text; nothing for one that does. @param {string | undefined} value */
export function readability(value) {
  switch (value) {
    case undefined: case "open": return "";
    case "closed": return "Written for the members of another moment";
    case "wanted": return "This message has not arrived yet";
    case "declined": return "There was no room for this message";
    case "expired": return "This message is older than you keep messages";
    case "deleted": return "This message was deleted";
    case "blocked": return "Message from somebody you blocked";
    default: return "This message cannot be read";
  }
}

/**
 * The state of an own message, in words.
 * @param {any} state `DeliveryState`, or one of the page's own: sending, failed
 * @param {boolean} isDirect
 */
export function delivery(state, isDirect = false) {
  if (!state) return "";
  const { phase, recipients = 0 } = state;
  const delivered = state.delivered_to?.length ?? 0;
  const read = state.read_by?.length ?? 0;
  switch (phase) {
    case "sending": return "Sending";
    case "pending": return "Sent; nobody else has it yet";
    case "delivered": return isDirect || delivered === 0 ? "Delivered" : `Delivered to ${number(delivered)} of ${number(recipients)}`;
    case "read": return isDirect ? "Read" : `Read by ${number(read)} of ${number(recipients)}`;
    case "failed": return state.reason ? `Failed: ${state.reason}` : "Failed";
    default: return "";
  }
}

/** How many people a group has. @param {number} count */
export function participants(count) {
  return plural(count, "participant");
}

/** A text cut to a length in characters as people see them. @param {string} text @param {number} most */
export function cut(text, most) {
  if (text.length <= most) return text;
  const parts = [...text];
  return parts.length <= most ? text : parts.slice(0, most - 1).join("") + "…";
}

/** Bytes of a text. @param {string} text */
export function bytes(text) {
  return new TextEncoder().encode(text).length;
}

/**
 * Parts of a text: plain, and addresses that a link may be made of. Only http, https and moot are addresses.
 * @param {string} text
 * @returns {Array<{kind: "text" | "link", text: string}>}
 */
export function tokens(text) {
  /** @type {Array<{kind: "text" | "link", text: string}>} */
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(/\b(?:https?:\/\/|moot:\/\/)[^\s<>"“”«»\u202a-\u202e\u2066-\u2069\u200b-\u200f]+/giu)) {
    let found = match[0];
    // Punctuation at the end belongs to the sentence; a bracket only if it was not opened in the address. Each is counted once: an
    // address may be 16 KiB of brackets.
    const surplus = { ")": count(found, ")") - count(found, "("), "]": count(found, "]") - count(found, "[") };
    let end = found.length;
    for (; end > 0; end--) {
      const last = found[end - 1];
      if (/[.,;:!?'’*_~]/u.test(last)) continue;
      if ((last !== ")" && last !== "]") || surplus[last] <= 0) break;
      surplus[last]--;
    }
    found = found.slice(0, end);
    if (/^\w+:\/\/$/u.test(found)) continue;
    const start = match.index ?? 0;
    if (start > last) parts.push({ kind: "text", text: text.slice(last, start) });
    parts.push({ kind: "link", text: found });
    last = start + found.length;
  }
  if (last < text.length) parts.push({ kind: "text", text: text.slice(last) });
  return parts;
}

/** @param {string} text @param {string} letter */
function count(text, letter) {
  return text.split(letter).length - 1;
}

/** @type {Intl.Segmenter | undefined} */
let segments;

/** Whether a text is only emoji, and few of them: they are shown large. @param {string} text */
export function isJustEmoji(text) {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > 40) return false;
  // What begins with a letter needs no look at its parts.
  if (!/^[\p{Emoji_Presentation}\p{Emoji}]/u.test(trimmed)) return false;
  segments ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const parts = [...segments.segment(trimmed)].map((each) => each.segment).filter((each) => each.trim());
  return parts.length <= 3 && parts.every((each) => /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator})/u.test(each));
}
