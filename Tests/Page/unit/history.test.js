// The run of messages that a conversation shows: it has no hole, no double, and never loses what somebody reads.

import assert from "node:assert/strict";
import * as histories from "../../../Sources/CPage/assets/history.js";

const start = Date.parse("2026-03-02T10:00:00.000Z");

/** @param {number} index @param {string} [sender] */
function message(index, sender = "alice") {
  return { id: `m${index}`, kind: "text", sender, text: `${index}`, sent_at: new Date(start + index * 1000).toISOString() };
}

/** @param {number} first @param {number} last @param {{earlier?: string, later?: string}} [more] */
function page(first, last, more = {}) {
  const messages = [];
  for (let index = first; index <= last; index++) messages.push(message(index));
  return { messages, ...more };
}

/** @param {histories.History} history */
const numbers = (history) => history.messages.map((each) => Number(each.text));

Deno.test("an earlier page goes before what is here, and what is too much is cut at the end", () => {
  let history = histories.fromPage(page(900, 999, { earlier: "m900" }));
  for (let first = 840; history.messages.length < histories.most || history.later === undefined; first -= 60) {
    history = histories.withEarlier(history, page(first, first + 59, { earlier: `m${first}` }));
  }
  assert.equal(history.messages.length, histories.most);
  const all = numbers(history);
  assert.deepEqual(all, all.map((_, index) => all[0] + index), "no hole and no double");
  assert.equal(history.later, history.messages[histories.most - 1].id, "the page after it can be asked for");
});

Deno.test("a later page goes after what is here, and what is too much is cut at the beginning", () => {
  let history = histories.fromPage(page(0, 299, { later: "m299" }));
  history = histories.withLater(history, page(300, 359));
  assert.equal(history.messages.length, histories.most);
  assert.equal(numbers(history)[0], 60);
  assert.equal(history.earlier, "m60");
  assert.equal(history.later, undefined, "this is the end");
});

Deno.test("pages that overlap do not double a message", () => {
  const history = histories.withLater(histories.fromPage(page(0, 9, { later: "m9" })), page(5, 14));
  assert.deepEqual(numbers(history), [...Array(15).keys()]);
});

Deno.test("a new message is appended at the end", () => {
  const { history, outcome } = histories.withMessage(histories.fromPage(page(0, 4)), message(5));
  assert.equal(outcome, "appended");
  assert.deepEqual(numbers(history), [0, 1, 2, 3, 4, 5]);
});

Deno.test("a message that is here is replaced and not appended again", () => {
  const changed = { ...message(2), text: "22" };
  const { history, outcome } = histories.withMessage(histories.fromPage(page(0, 4)), changed);
  assert.equal(outcome, "known");
  assert.deepEqual(numbers(history), [0, 1, 22, 3, 4]);
});

Deno.test("a new message does not make a hole where the end is not here", () => {
  const before = histories.fromPage(page(0, 4, { later: "m4" }));
  const { history, outcome } = histories.withMessage(before, message(50));
  assert.equal(outcome, "beyond");
  assert.equal(history, before);
});

Deno.test("only the node knows where a message belongs that was written before the last one", () => {
  const { outcome } = histories.withMessage(histories.fromPage(page(0, 4)), { ...message(3), id: "late" });
  assert.equal(outcome, "misplaced");
});

Deno.test("a burst does not cut away what somebody reads at the beginning of a full window", () => {
  const full = histories.fromPage(page(0, histories.most - 1));
  const { history, outcome } = histories.withMessage(full, message(histories.most), false);
  assert.equal(outcome, "beyond");
  assert.deepEqual(numbers(history), numbers(full));
  assert.equal(history.later, `m${histories.most - 1}`);
});

Deno.test("the newest page replaces the end where the two meet", () => {
  const history = histories.withNewest(histories.fromPage(page(0, 20, { earlier: "m0" })), {
    messages: [message(15), { ...message(16), text: "160" }, message(30)],
    earlier: "m15",
  });
  assert.deepEqual(numbers(history), [...Array(16).keys(), 160, 30]);
  assert.equal(history.earlier, "m0");
});

Deno.test("a newest page that does not meet is all for who reads at the end, and waits for anybody else", () => {
  const before = histories.fromPage(page(0, 20, { earlier: "m0" }));
  const newest = page(500, 560, { earlier: "m500" });
  assert.deepEqual(numbers(histories.withNewest(before, newest, true)), numbers(histories.fromPage(newest)));
  const kept = histories.withNewest(before, newest, false);
  assert.deepEqual(numbers(kept), numbers(before));
  assert.equal(kept.later, "m20");
});

Deno.test("messages of one person within five minutes stand together", () => {
  const messages = [message(0), message(60), message(120, "bob"), { ...message(121, "bob"), kind: "system" }, message(1000, "bob")];
  const places = messages.map((_, index) => histories.placeAmong(messages, index));
  assert.deepEqual(places.map((each) => [each.isFirst, each.isLast]), [[true, false], [false, true], [true, true], [true, true], [true, true]]);
  assert.deepEqual(places.map((each) => each.startsDay), [true, false, false, false, false]);
});

Deno.test("of a burst the newest are kept, and those before can be asked for", () => {
  const history = histories.newest(histories.fromPage(page(0, 99)), 40);
  assert.deepEqual(numbers(history), [...Array(40).keys()].map((each) => each + 60));
  assert.equal(history.earlier, "m60");
  assert.equal(histories.newest(history, 50), history);
});

Deno.test("a message that is as it was stays the same value, so that its row is not drawn again", () => {
  const before = histories.fromPage(page(0, 4, { earlier: "m0" }));
  const again = { messages: structuredClone(before.messages), earlier: "m0" };
  again.messages[2].state = { phase: "read" };
  for (const after of [histories.withNewest(before, again), histories.fromPage(again, before)]) {
    assert.deepEqual(after.messages.map((each, index) => each === before.messages[index]), [true, true, false, true, true]);
    assert.deepEqual(after.messages[2].state, { phase: "read" });
  }
});

Deno.test("a gap goes away when the end no longer tells of it", () => {
  const gap = { kind: "operations", text: "3 operations of Bob missing" };
  let history = histories.fromPage(page(0, 4, { earlier: "m0", gaps: [gap] }));
  history = histories.withEarlier(history, page(-5, -1));
  assert.deepEqual(history.gaps, [gap], "a page before it says nothing of what is missing");
  history = histories.withNewest(history, page(0, 4, { gaps: [{ ...gap, text: "1 operation of Bob missing" }] }));
  assert.deepEqual(history.gaps.map((each) => each.text), ["1 operation of Bob missing"]);
  assert.deepEqual(histories.withNewest(history, page(0, 5, { gaps: [] })).gaps, []);
});

Deno.test("gaps are told at the end only", () => {
  const gap = { text: "something is missing" };
  let history = histories.fromPage(page(200, 499, { earlier: "m200", gaps: [gap] }));
  history = histories.withEarlier(history, page(140, 199, { earlier: "m140" }));
  assert.deepEqual(history.gaps, [], "the end was cut away");
  history = histories.withLater(history, page(440, 499, { gaps: [gap] }));
  assert.deepEqual(history.gaps, [gap]);
});

Deno.test("a page that was asked for before an event does not take it back", () => {
  const meanwhile = histories.meanwhile();
  const began = meanwhile.begin();
  meanwhile.note({ ...message(2), text: "edited" });
  meanwhile.note(message(5), true);
  const found = meanwhile.end(began, page(0, 4), true);
  assert.deepEqual(found.messages.map((each) => each.text), ["0", "1", "edited", "3", "4", "5"]);
});

Deno.test("a page that was asked for after an event says what holds", () => {
  const meanwhile = histories.meanwhile();
  const first = meanwhile.begin();
  meanwhile.note({ ...message(2), text: "edited" });
  const second = meanwhile.begin();
  const newer = page(0, 4);
  newer.messages[2].text = "edited again";
  assert.equal(meanwhile.end(second, newer, true).messages[2].text, "edited again");
  assert.equal(meanwhile.end(first, page(0, 4), true).messages[2].text, "edited");
  const third = meanwhile.begin();
  assert.equal(meanwhile.end(third, page(0, 4), true).messages[2].text, "2", "nothing is kept without a page under way");
});

Deno.test("a new message belongs to no page but the one with the end", () => {
  const meanwhile = histories.meanwhile();
  const pages = [page(0, 4, { later: "m4" }), page(0, 4)];
  for (const [index, each] of pages.entries()) {
    const began = meanwhile.begin();
    meanwhile.note(message(50), true);
    assert.equal(meanwhile.end(began, each, index === 0).messages.length, 5);
  }
  const began = meanwhile.begin();
  assert.equal(meanwhile.end(began, undefined), undefined, "a page that did not come");
});

Deno.test("messages in a row of people one does not hear are one row", () => {
  /** @param {number} index */
  const blocked = (index) => ({ ...message(index, "mallory"), readability: "blocked" });
  const messages = [message(0), blocked(1), blocked(2), blocked(3), message(4), blocked(5), message(6)];
  const shown = histories.folded(messages, new Set());
  assert.deepEqual(shown.map((each) => each.id), ["m0", "fold-m1", "m4", "m5", "m6"]);
  assert.equal(shown[1].text, "3 messages of someone you blocked");
  assert.equal(shown[1].isOpen, false);
  const open = histories.folded(messages, new Set(["m2"]));
  assert.deepEqual(open.map((each) => each.id), ["m0", "fold-m1", "m1", "m2", "m3", "m4", "m5", "m6"]);
  assert.equal(open[1].isOpen, true);
});
