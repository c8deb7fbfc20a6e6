// The part of a conversation that is here: one run of messages without a hole, in the node's order. Pure.

/** @typedef {any} Message */

/**
 * @typedef {object} History
 * @property {Message[]} messages
 * @property {string | undefined} earlier what to pass as `before` for the page before; absent at the beginning
 * @property {string | undefined} later what to pass as `after` for the page after; absent at the end
 * @property {any[]} gaps what is missing among these messages
 */

/** The most messages that are kept, and so the most rows in the document. */
export const most = 300;
/** How many are asked for at a time. */
export const pageSize = 60;

/** @returns {History} */
export function emptyHistory() {
  return { messages: [], earlier: undefined, later: undefined, gaps: [] };
}

/** The history that a page makes. @param {any} page @returns {History} */
export function fromPage(page) {
  return { messages: page.messages, earlier: page.earlier, later: page.later, gaps: page.gaps ?? [] };
}

/**
 * With the page before it. What is too much goes at the end.
 * @param {History} history @param {any} page
 * @returns {History}
 */
export function withEarlier(history, page) {
  return cutEnd({
    ...history,
    messages: unique([...page.messages, ...history.messages]),
    earlier: page.earlier,
    gaps: mergedGaps(history.gaps, page.gaps),
  });
}

/**
 * With the page after it. What is too much goes at the beginning.
 * @param {History} history @param {any} page
 * @returns {History}
 */
export function withLater(history, page) {
  return cutBeginning({
    ...history,
    messages: unique([...history.messages, ...page.messages]),
    later: page.later,
    gaps: mergedGaps(history.gaps, page.gaps),
  });
}

/**
 * With the newest page as the node tells it now: it replaces the end, wherever the two meet. Where they do not meet, the page is all
 * for somebody who reads at the end; for anybody else what they read stays, and the page is to be fetched later.
 * @param {History} history @param {any} page @param {boolean} isAtEnd
 * @returns {History}
 */
export function withNewest(history, page, isAtEnd = true) {
  if (page.messages.length === 0) return fromPage(page);
  const first = history.messages.findIndex((each) => each.id === page.messages[0].id);
  if (first < 0) {
    const last = history.messages[history.messages.length - 1];
    return isAtEnd || !page.earlier || !last ? fromPage(page) : { ...history, later: last.id };
  }
  return cutBeginning({
    messages: [...history.messages.slice(0, first), ...page.messages],
    earlier: first === 0 ? page.earlier : history.earlier,
    later: page.later,
    gaps: mergedGaps(history.gaps, page.gaps),
  });
}

/**
 * What a new message makes of it. "misplaced": it belongs among those that are here, and only the node knows where. "beyond": it comes
 * after what is here; also where the window is full and somebody reads its beginning, which must not be cut away under their eyes.
 * @param {History} history @param {Message} message @param {boolean} isAtEnd
 * @returns {{history: History, outcome: "appended" | "known" | "beyond" | "misplaced"}}
 */
export function withMessage(history, message, isAtEnd = true) {
  if (history.messages.some((each) => each.id === message.id)) {
    return { history: withChange(history, message), outcome: "known" };
  }
  if (history.later) return { history, outcome: "beyond" };
  const last = history.messages[history.messages.length - 1];
  if (last && last.sent_at > message.sent_at) return { history, outcome: "misplaced" };
  if (!isAtEnd && last && history.messages.length >= most) return { history: { ...history, later: last.id }, outcome: "beyond" };
  return { history: cutBeginning({ ...history, messages: [...history.messages, message] }), outcome: "appended" };
}

/**
 * With a message as it is now; the same history if the message is not here.
 * @param {History} history @param {Message} message
 * @returns {History}
 */
export function withChange(history, message) {
  const index = history.messages.findIndex((each) => each.id === message.id);
  if (index < 0) return history;
  const messages = [...history.messages];
  messages[index] = message;
  return { ...history, messages };
}

/**
 * Only the newest messages of it: for somebody at the end, when more come at once than are worth drawing.
 * @param {History} history @param {number} count
 * @returns {History}
 */
export function newest(history, count) {
  if (history.messages.length <= count) return history;
  const messages = history.messages.slice(-count);
  return { ...history, messages, earlier: messages[0].id };
}

/** @param {History} history @returns {History} */
function cutEnd(history) {
  if (history.messages.length <= most) return history;
  const messages = history.messages.slice(0, most);
  return { ...history, messages, later: messages[messages.length - 1].id };
}

/** @param {History} history @returns {History} */
function cutBeginning(history) {
  return newest(history, most);
}

/** @param {Message[]} messages @returns {Message[]} */
function unique(messages) {
  const seen = new Set();
  return messages.filter((each) => !seen.has(each.id) && seen.add(each.id));
}

/** @param {any[]} one @param {any[] | undefined} other */
function mergedGaps(one, other) {
  const texts = new Set(one.map((each) => each.text));
  return [...one, ...(other ?? []).filter((each) => !texts.has(each.text))];
}

/**
 * How a message stands to the one before and the one after it, as rows show it.
 * @param {Message[]} messages @param {number} index
 * @returns {{startsDay: boolean, isFirst: boolean, isLast: boolean}}
 */
export function placeAmong(messages, index) {
  const message = messages[index];
  const before = messages[index - 1];
  const after = messages[index + 1];
  return {
    startsDay: !before || !sameDay(before, message),
    isFirst: !before || !together(before, message),
    isLast: !after || !together(message, after),
  };
}

/** @param {Message} one @param {Message} other */
function sameDay(one, other) {
  const [before, after] = [new Date(one.sent_at), new Date(other.sent_at)];
  return before.getDate() === after.getDate() && Math.abs(after.getTime() - before.getTime()) < 86_400_000;
}

/** Whether two messages stand together as one person's. @param {Message} one @param {Message} other */
function together(one, other) {
  return one.kind !== "system" && other.kind !== "system" && one.sender === other.sender && sameDay(one, other) &&
    new Date(other.sent_at).getTime() - new Date(one.sent_at).getTime() < 5 * 60_000;
}
