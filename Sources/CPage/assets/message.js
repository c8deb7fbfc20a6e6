// One message as a row: its bubble, what it answers, its files, its reactions, its state.

import { api } from "./api.js";
import { avatar, h, hueOf, icon, link, parts } from "./dom.js";
import * as words from "./words.js";

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
 * Fills the row of a message. The row stays, and of what is in it everything that shows the same as before.
 * @param {HTMLElement} row
 * @param {Message} message
 * @param {Surroundings} around
 */
export function fill(row, message, around) {
  const day = around.startsDay && part("day", words.dayOf(message.sent_at), (text) => h("div", { class: "day" }, h("span", null, text)));
  const unread = around.isUnreadStart && part("unread", "", () => h("div", { class: "unread-line" }, h("span", null, "New messages")));
  const text = message.text ?? "";
  const told = message.kind === "system"
    ? part("system", text, () => h("p", { class: "system-text", dir: "auto", title: words.moment(message.sent_at) }, text))
    : message.kind === "fold" && part("fold", [text, message.isOpen], () => fold(message));
  if (told) {
    row.className = "message system";
    row.setAttribute("aria-label", text);
    return parts(row, [day, unread, told]);
  }
  row.className = ["message", around.isOwn ? "own" : "other", around.isFirst ? "first" : "", around.isLast ? "last" : "", around.isDirect ? "direct" : ""].filter(Boolean).join(" ");
  const name = message.sender_name ?? words.own.unknown;
  row.setAttribute("aria-label", label(message, around.isOwn ? words.own.you : name, around.isDirect));
  const person = around.person(message.sender);
  const of = { id: message.sender ?? "0", name, photo: person?.photo, deleted: person?.deleted };
  parts(row, [
    day,
    unread,
    !around.isOwn && !around.isDirect && around.isLast && part("avatar", of, () => avatar(of, "small")),
    // It is filled after the row has it: it is the same as long as there is one.
    part("bubble", "", () => h("div", { class: "bubble" })),
    message.reactions?.length && part("reactions", [message.reactions, around.me], () => reactions(message, around)),
    message.state?.phase === "failed" && part("failure", [message.state, Boolean(message.outgoing)], () => failure(message)),
  ]);
  const bubble = /** @type {HTMLElement} */ (row.querySelector(":scope > .bubble"));
  const unreadable = message.deleted ? "This message was deleted" : words.readability(message.readability);
  const files = unreadable ? [] : message.files ?? [];
  parts(bubble, [
    !around.isOwn && !around.isDirect && around.isFirst && part("sender", of.name, () => senderOf(message, name)),
    message.quote && !message.deleted && part("quote", [message.quote, around.me], () => quote(message, around)),
    unreadable && part("placeholder", [unreadable, message.gap, message.unreadable_reason], () => placeholder(message, unreadable)),
    files.length > 0 && part("files", arePhotos(files, 2), (grid) => h("div", { class: `files ${grid ? "grid" : ""}` })),
    !unreadable && message.text && !isJustNames(message) && part("text", [message.text, mentioned(message, around)], () => textOf(message, around)),
    part("meta", [message.pinned, message.uncounted, message.edited_at, message.deleted, message.sent_at, around.isOwn && message.state, around.isDirect, Boolean(message.outgoing)], () => meta(message, around)),
  ]);
  const place = bubble.querySelector(":scope > .files");
  if (place) parts(place, files.map((/** @type {any} */ each, /** @type {number} */ index) => part(`${index} ${each.id}`, each, () => filePart(each))));
  bubble.classList.toggle("bare", !unreadable && !message.quote && files.length === 0 && words.isJustEmoji(message.text ?? ""));
  bubble.classList.toggle("pictures", !unreadable && arePhotos(message.files ?? [], 1));
}

/**
 * A part of a row that is made anew only when what it shows changed.
 * @template T @param {string} name @param {T} shows @param {(shows: T) => Element} make
 */
function part(name, shows, make) {
  return { name, key: JSON.stringify(shows) ?? "", make: () => make(shows) };
}

/** @param {Message} message @param {string} name */
function senderOf(message, name) {
  const element = h("span", { class: "sender", dir: "auto" }, name);
  element.style.setProperty("--hue", String(hueOf(message.sender ?? "0")));
  return element;
}

/** Several messages of people one does not hear, in one row that unfolds. @param {Message} message */
function fold(message) {
  return h("p", { class: "system-text" }, h("button", { type: "button", class: "quiet small", "aria-expanded": String(message.isOpen), data: { act: "unfold" } }, icon("block"), message.text));
}

/** Without a text the node names the files in its place. @param {Message} message */
function isJustNames(message) {
  return message.files?.length && message.text === message.files.map((/** @type {any} */ each) => each.name).join(", ");
}

/** What a screen reader says of a row. @param {Message} message @param {string} name @param {boolean} isDirect */
function label(message, name, isDirect) {
  const parts = [`${name}, ${words.time(message.sent_at)}: ${words.cut(words.preview(message), 400)}`];
  if (message.uncounted) parts.push("does not count");
  if (message.edited_at) parts.push("edited");
  if (message.pinned) parts.push("pinned");
  if (message.reactions?.length) {
    const total = message.reactions.flatMap((/** @type {any} */ each) => each.users).length;
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
    h("span", { class: "quote-name", dir: "auto" }, of.sender === around.me ? words.own.you : of.sender_name),
    h("span", { class: "quote-text", dir: "auto" }, words.cut(words.preview(of) || "File", 200)),
  );
  element.style.setProperty("--hue", String(hueOf(of.sender ?? "0")));
  return element;
}

/** The names of the people a text mentions. @param {Message} message @param {Surroundings} around @returns {string[]} */
function mentioned(message, around) {
  return (message.mentions ?? []).map((/** @type {string} */ each) => around.person(each)?.name).filter(Boolean);
}

/** @param {Message} message @param {Surroundings} around */
function textOf(message, around) {
  const element = h("p", { class: "text", dir: "auto" });
  const names = mentioned(message, around);
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

/** Whether files are photos alone, and at least so many. @param {any[]} files @param {number} least */
function arePhotos(files, least) {
  return files.length >= least && files.every((each) => each.kind === "photo");
}

/** @param {Message} message @param {Surroundings} around */
function meta(message, around) {
  const element = h("span", { class: "meta" });
  if (message.pinned) element.append(icon("pin"));
  if (message.uncounted) element.append(h("span", { title: message.uncounted.reason }, "does not count"));
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
    const names = each.users.map((/** @type {string} */ user, /** @type {number} */ index) => user === around.me ? words.own.you : each.names?.[index] ?? words.own.unknown);
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

// A file: a photo in its box, a film or a sound with its controls, anything else as a download; and how it comes

/** Why a file waits or failed, by code. @type {Record<string, string>} */
const reasons = {
  no_peer: "Nobody who is connected has it",
  disk_full: "The disk is full",
  too_large: "It is too large",
  digest_mismatch: "What came is not what was sent",
  quota_exceeded: "There is no room for it",
};

/**
 * The part of a message that a file is. What happens on a press is said by `data-act`, and done by the list.
 * @param {any} file
 */
function filePart(file) {
  const isHere = file.state === "here";
  if (file.kind === "photo" && (isHere || file.thumbnail?.here)) return photo(file);
  if (isHere && (file.kind === "video" || /^video\//.test(file.media_type ?? ""))) {
    return h("video", { class: "film", controls: true, preload: "none", src: api.blob(file.id), "aria-label": file.name });
  }
  if (isHere && /^audio\//.test(file.media_type ?? "")) {
    return h("div", { class: "file sound" }, h("span", { class: "file-name", dir: "auto" }, file.name), h("audio", { controls: true, preload: "none", src: api.blob(file.id), "aria-label": file.name }));
  }
  return document_(file);
}

/** @param {any} file */
function photo(file) {
  const isHere = file.state === "here";
  const picture = h("img", { alt: "", loading: "lazy", decoding: "async", src: api.blob(isHere ? file.id : file.thumbnail.id) });
  const button = h("button", { type: "button", class: "photo", "aria-label": `Photo ${file.name}`, data: { act: "photo", id: file.id } }, picture);
  const size = file.width ? file : file.thumbnail;
  if (size?.width && size.height) {
    button.style.setProperty("--ratio", `${size.width} / ${size.height}`);
    button.classList.add("sized");
    if (size.width < size.height) button.classList.add("tall");
  }
  const bar = progress(file);
  if (bar) button.append(bar);
  return button;
}

/** @param {any} file */
function document_(file) {
  const isHere = file.state === "here";
  const kind = file.kind === "photo" ? icon("gallery") : icon("file");
  const detail = isHere ? words.size(file.size) : stateText(file);
  const text = h("span", { class: "body" }, h("span", { class: "file-name", dir: "auto" }, file.name), h("small", null, detail));
  if (isHere) {
    return h("a", { class: "file", href: api.blob(file.id), download: file.name, title: `Save ${file.name}` }, h("span", { class: "file-icon" }, kind), text, icon("download"));
  }
  return h(
    "div",
    { class: "file" },
    h("span", { class: "file-icon" }, kind),
    text,
    progress(file),
    file.state === "fetching" || file.state === "waiting"
      ? h("button", { type: "button", class: "small quiet", data: { act: "stop-file", id: file.id } }, "Cancel")
      : h("button", { type: "button", class: "small", data: { act: "fetch-file", id: file.id } }, file.state === "offered" ? "Fetch" : "Try again"),
  );
}

/** @param {any} file */
function progress(file) {
  if (file.state !== "fetching") return null;
  return h("progress", { max: file.size || 1, value: file.received ?? 0, "aria-label": `Fetching ${file.name}` });
}

/** @param {any} file */
function stateText(file) {
  const reason = file.error ? reasons[file.error] ?? file.error : "";
  switch (file.state) {
    case "fetching": return `${words.size(file.received ?? 0)} of ${words.size(file.size)}`;
    case "waiting": return `${words.size(file.size)} · ${reason || "waits for somebody who has it"}`;
    case "offered": return `${words.size(file.size)} · not fetched`;
    case "cancelled": return `${words.size(file.size)} · canceled`;
    default: return `${words.size(file.size)} · ${reason || "failed"}`;
  }
}
