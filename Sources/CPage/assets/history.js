// The part of a conversation that is here: one run of messages without a hole, in the node's order. Pure.

/** @typedef {any} Message */

/**
 * @typedef {object} History
 * @property {Message[]} messages
 * @property {string | undefined} earlier what to pass as `before` for the page before; absent at the beginning
 * @property {string | undefined} later what to pass as `after` for the page after; absent at the end
 * @property {any[]} gaps what is missing of the conversation, as far as its end tells; none where the end is not here
 */

/** The most messages that are kept, and so the most rows in the document. */
export const most = 300;
/** How many are asked for at a time. */
export const pageSize = 60;

/** @returns {History} */
export function emptyHistory() {
  return { messages: [], earlier: undefined, later: undefined, gaps: [] };
}

/**
 * The history that a page makes. A message that is as it was before is the same value, so that its row is not drawn again.
 * @param {any} page @param {History} [before] @returns {History}
 */
export function fromPage(page, before) {
  return { messages: shared(page.messages, before), earlier: page.earlier, later: page.later, gaps: gapsOf(page) };
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
    gaps: gapsOf(page),
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
  const messages = shared(page.messages, history);
  const first = history.messages.findIndex((each) => each.id === page.messages[0].id);
  if (first < 0) {
    const last = history.messages[history.messages.length - 1];
    return isAtEnd || !page.earlier || !last ? fromPage(page) : { ...history, later: last.id, gaps: [] };
  }
  return cutBeginning({
    messages: [...history.messages.slice(0, first), ...messages],
    earlier: first === 0 ? page.earlier : history.earlier,
    later: page.later,
    gaps: gapsOf(page),
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
  if (!isAtEnd && last && history.messages.length >= most) return { history: { ...history, later: last.id, gaps: [] }, outcome: "beyond" };
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
  return { ...history, messages, later: messages[messages.length - 1].id, gaps: [] };
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

/** What a page says is missing: the one with the end says it of the whole conversation, any other says nothing. @param {any} page @returns {any[]} */
function gapsOf(page) {
  return page.later ? [] : page.gaps ?? [];
}

/**
 * Messages of a page, and for each that is as it was before the value from before.
 * @param {Message[]} messages @param {History | undefined} before @returns {Message[]}
 */
function shared(messages, before) {
  if (!before || before.messages.length === 0) return messages;
  const known = new Map(before.messages.map((each) => [each.id, each]));
  return messages.map((each) => {
    const same = known.get(each.id);
    return same && JSON.stringify(same) === JSON.stringify(each) ? same : each;
  });
}

/**
 * What events told while pages were under way. A page shows the messages as they were when the node wrote it, and must not take back
 * what came after.
 *
 * Each page is announced by `begin` before it is asked for, and handed to `end` with what `begin` gave. What is noted is kept only
 * while a page is under way.
 */
export function meanwhile() {
  let now = 0;
  let underWay = 0;
  /** @type {Map<string, {at: number, isNew: boolean, message: Message}>} */
  const noted = new Map();
  return {
    begin() {
      underWay++;
      return now;
    },

    /** A message as it is now. @param {Message} message @param {boolean} [isNew] whether it was not there before */
    note(message, isNew = false) {
      if (underWay > 0) noted.set(message.id, { at: ++now, isNew: isNew || (noted.get(message.id)?.isNew ?? false), message });
    },

    /**
     * The page with what was noted since it began; nothing where there was no page. At the end of the conversation new messages belong to it, too.
     * @template {any} P @param {number} began @param {P} page @param {boolean} [hasEnd] whether it is the page with the newest messages
     * @returns {P}
     */
    end(began, page, hasEnd = false) {
      const of = /** @type {any} */ (page);
      const messages = of?.messages.map((/** @type {Message} */ each) => {
        const later = noted.get(each.id);
        return later && later.at > began ? later.message : each;
      });
      const last = messages?.[messages.length - 1];
      const added = messages && hasEnd && !of.later
        ? [...noted.values()].filter((each) => each.isNew && each.at > began && !messages.some((/** @type {Message} */ known) => known.id === each.message.id) && (!last || last.sent_at <= each.message.sent_at))
        : [];
      if (--underWay === 0) noted.clear();
      return messages ? { ...of, messages: [...messages, ...added.map((each) => each.message)] } : page;
    },
  };
}

/**
 * Messages as rows: two or more in a row of people one does not hear are one row that tells how many, and unfolds.
 * @param {Message[]} messages @param {Set<string>} unfolded the ids of those that are shown nevertheless
 * @returns {Message[]}
 */
export function folded(messages, unfolded) {
  /** @type {Message[]} */
  const rows = [];
  for (let start = 0; start < messages.length; start++) {
    let end = start;
    while (end < messages.length && messages[end].readability === "blocked" && !messages[end].deleted) end++;
    if (end - start < 2) {
      rows.push(messages[start]);
      continue;
    }
    const of = messages.slice(start, end);
    const isOpen = of.some((each) => unfolded.has(each.id));
    rows.push({ kind: "fold", id: `fold-${of[0].id}`, text: `${of.length} messages of someone you blocked`, isOpen, of, sent_at: of[0].sent_at });
    if (isOpen) rows.push(...of);
    start = end - 1;
  }
  return rows;
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
  return one.kind !== "system" && one.kind !== "fold" && other.kind !== "system" && other.kind !== "fold" && one.sender === other.sender && sameDay(one, other) &&
    new Date(other.sent_at).getTime() - new Date(one.sent_at).getTime() < 5 * 60_000;
}
