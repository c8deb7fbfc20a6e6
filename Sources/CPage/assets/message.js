// One message as a row: its bubble, what it answers, its files, its reactions, its state.

import { avatar, h, hueOf, icon, link } from "./dom.js";
import * as words from "./words.js";
import { filePart } from "./files.js";

/** @typedef {any} Message */

/**
 * @typedef {object} Surroundings what a row depends on besides its message
 * @property {boolean} startsDay
 * @property {boolean} isFirst of those of one person
 * @property {boolean} isLast
 * @property {boolean} isOwn
 * @property {boolean} isDirect
 * @property {boolean} isUnreadStart
 * @property {(user: string) => any} person
 * @property {string | undefined} me
 */

/**
 * Fills the row of a message. What is in it is made anew, the element itself stays.
 * @param {HTMLElement} row
 * @param {Message} message
 * @param {Surroundings} around
 */
export function fill(row, message, around) {
  row.textContent = "";
  if (around.startsDay) row.append(h("div", { class: "day" }, h("span", null, words.dayOf(message.sent_at))));
  if (around.isUnreadStart) row.append(h("div", { class: "unread-line" }, h("span", null, "New messages")));
  if (message.kind === "system") {
    row.className = "message system";
    row.append(h("p", { class: "system-text", dir: "auto", title: words.moment(message.sent_at) }, words.system(message, (user) => user === around.me ? "You" : around.person(user)?.name ?? "Unknown")));
    row.setAttribute("aria-label", words.system(message, (user) => user === around.me ? "You" : around.person(user)?.name ?? "Unknown"));
    return;
  }
  row.className = ["message", around.isOwn ? "own" : "other", around.isFirst ? "first" : "", around.isLast ? "last" : "", around.isDirect ? "direct" : ""].filter(Boolean).join(" ");
  const name = message.sender_name ?? "Unknown";
  row.setAttribute("aria-label", label(message, around.isOwn ? "You" : name, around.isDirect));
  if (!around.isOwn && !around.isDirect && around.isLast) {
    const person = around.person(message.sender);
    row.append(avatar({ id: message.sender ?? "0", name, photo: person?.photo, deleted: person?.deleted }, "small"));
  }
  const bubble = h("div", { class: "bubble" });
  if (!around.isOwn && !around.isDirect && around.isFirst) {
    const sender = h("span", { class: "sender", dir: "auto" }, name);
    sender.style.setProperty("--hue", String(hueOf(message.sender ?? "0")));
    bubble.append(sender);
  }
  if (message.quote && !message.deleted) bubble.append(quote(message, around));
  const unreadable = message.deleted ? "This message was deleted" : words.readability(message.readability);
  if (unreadable) bubble.append(placeholder(message, unreadable));
  else {
    if (message.files?.length) bubble.append(filesOf(message));
    if (message.text && !isJustNames(message)) bubble.append(textOf(message, around));
  }
  bubble.append(meta(message, around));
  row.append(bubble);
  if (message.reactions?.length) row.append(reactions(message, around));
  if (message.state?.phase === "failed") row.append(failure(message));
  bubble.classList.toggle("bare", !unreadable && !message.quote && !message.files?.length && words.isJustEmoji(message.text ?? ""));
  bubble.classList.toggle("pictures", !unreadable && isPictures(message));
}

/** @param {Message} message */
function isPictures(message) {
  return message.files?.length > 0 && message.files.every((/** @type {any} */ each) => each.kind === "photo");
}

/** Without a text the node names the files in its place. @param {Message} message */
function isJustNames(message) {
  return message.files?.length && message.text === message.files.map((/** @type {any} */ each) => each.name).join(", ");
}

/** What a screen reader says of a row. @param {Message} message @param {string} name @param {boolean} isDirect */
function label(message, name, isDirect) {
  const parts = [`${name}, ${words.time(message.sent_at)}: ${words.cut(words.preview(message), 400)}`];
  if (message.edited_at) parts.push("edited");
  if (message.pinned) parts.push("pinned");
  if (message.reactions?.length) {
    const total = message.reactions.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.users.length, 0);
    parts.push(words.plural(total, "reaction"));
  }
  const state = words.delivery(message.state, isDirect);
  if (state) parts.push(state);
  return parts.join(", ");
}

/** @param {Message} message @param {string} text */
function placeholder(message, text) {
  const element = h("p", { class: "placeholder" }, message.readability === "blocked" ? icon("block") : message.deleted ? icon("trash") : icon("warning"), h("span", null, text));
  const why = message.gap?.text ?? message.unreadable_reason;
  if (why && !message.deleted) element.append(h("small", null, why));
  return element;
}

/** @param {Message} message @param {Surroundings} around */
function quote(message, around) {
  const of = message.quote;
  const element = h(
    "button",
    { type: "button", class: "quote", data: { act: "goto", id: of.id }, "aria-label": `In reply to ${of.sender === around.me ? "you" : of.sender_name}: ${words.cut(words.preview(of), 100)}` },
    h("span", { class: "quote-name", dir: "auto" }, of.sender === around.me ? "You" : of.sender_name),
    h("span", { class: "quote-text", dir: "auto" }, words.cut(words.preview(of) || "File", 200)),
  );
  element.style.setProperty("--hue", String(hueOf(of.sender ?? "0")));
  return element;
}

/** @param {Message} message @param {Surroundings} around */
function textOf(message, around) {
  const element = h("p", { class: "text", dir: "auto" });
  const names = (message.mentions ?? []).map((/** @type {string} */ each) => around.person(each)?.name).filter(Boolean);
  for (const part of words.tokens(message.text)) {
    if (part.kind === "link") element.append(link(part.text));
    else appendMentions(element, part.text, names, around);
  }
  return element;
}

/** @param {HTMLElement} element @param {string} text @param {string[]} names @param {Surroundings} around */
function appendMentions(element, text, names, around) {
  let rest = text;
  for (;;) {
    let found = -1;
    let name = "";
    for (const each of names) {
      const index = rest.toLocaleLowerCase().indexOf("@" + each.toLocaleLowerCase());
      if (index >= 0 && (found < 0 || index < found)) [found, name] = [index, each];
    }
    if (found < 0) break;
    if (found > 0) element.append(rest.slice(0, found));
    const isMe = around.person(around.me ?? "")?.name === name;
    element.append(h("span", { class: isMe ? "mention me" : "mention", dir: "auto" }, rest.slice(found, found + name.length + 1)));
    rest = rest.slice(found + name.length + 1);
  }
  if (rest) element.append(rest);
}

/** @param {Message} message */
function filesOf(message) {
  const photos = message.files.filter((/** @type {any} */ each) => each.kind === "photo").length;
  return h("div", { class: `files ${photos > 1 && photos === message.files.length ? "grid" : ""}` }, ...message.files.map((/** @type {any} */ each) => filePart(each)));
}

/** @param {Message} message @param {Surroundings} around */
function meta(message, around) {
  const element = h("span", { class: "meta" });
  if (message.pinned) element.append(icon("pin"));
  if (message.edited_at && !message.deleted) element.append(h("span", { title: words.moment(message.edited_at) }, "edited"));
  element.append(h("time", { datetime: message.sent_at, title: words.moment(message.sent_at) }, words.time(message.sent_at)));
  if (around.isOwn && message.state && message.state.phase !== "failed" && !message.deleted) element.append(stateMark(message, around.isDirect));
  return element;
}

/** @param {Message} message @param {boolean} isDirect */
function stateMark(message, isDirect) {
  const { phase } = message.state;
  const text = words.delivery(message.state, isDirect);
  const mark = icon(phase === "read" || phase === "delivered" ? "checks" : phase === "sending" ? "clock" : "check");
  const canOpen = phase !== "sending" && !message.outgoing;
  const read = message.state.read_by?.length ?? 0;
  const inside = [mark, phase === "read" && !isDirect && read > 0 ? h("span", null, words.number(read)) : null];
  if (!canOpen) return h("span", { class: `state ${phase}`, title: text, role: "img", "aria-label": text }, ...inside);
  return h("button", { type: "button", class: `state ${phase}`, title: text, "aria-label": text, tabindex: "-1", data: { act: "receipts" } }, ...inside);
}

/** @param {Message} message @param {Surroundings} around */
function reactions(message, around) {
  const element = h("div", { class: "reactions", role: "group", "aria-label": "Reactions" });
  for (const each of message.reactions) {
    const isMine = each.users.includes(around.me);
    const names = each.users.map((/** @type {string} */ user, /** @type {number} */ index) => user === around.me ? "You" : each.names?.[index] ?? "Unknown");
    element.append(h(
      "button",
      { type: "button", class: "reaction", "aria-pressed": String(isMine), "aria-label": `${each.emoji} ${each.users.length}, ${words.list(names, 6)}`, title: words.list(names, 12), data: { act: "react", emoji: each.emoji } },
      h("span", { class: "emoji" }, each.emoji),
      h("span", null, words.number(each.users.length)),
    ));
  }
  return element;
}

/** @param {Message} message */
function failure(message) {
  return h(
    "div",
    { class: "failure" },
    icon("warning"),
    h("span", null, words.delivery(message.state)),
    message.outgoing && h("button", { type: "button", class: "small", data: { act: "retry" } }, "Retry"),
    message.outgoing
      ? h("button", { type: "button", class: "small quiet", data: { act: "discard" } }, "Discard")
      : h("button", { type: "button", class: "small quiet", data: { act: "put-away" } }, "Remove"),
  );
}
