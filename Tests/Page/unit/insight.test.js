// What plots, the laboratory and the history of a group make of the node's answers.

import assert from "node:assert/strict";
import { csv, ticks } from "../../../Sources/CPage/assets/plots.js";
import { inWeeks } from "../../../Sources/CPage/assets/statistics.js";
import { isExpected, sentence } from "../../../Sources/CPage/assets/laboratory.js";
import { told } from "../../../Sources/CPage/assets/membership.js";
import { namesakes } from "../../../Sources/CPage/assets/people.js";
import { span } from "../../../Sources/CPage/assets/node.js";

Deno.test("the lines behind a plot are few whole numbers that reach its largest value", () => {
  for (let most = 1; most < 5_000; most += 7) {
    const lines = ticks(most);
    assert(lines.length <= 5 && lines.every(Number.isInteger), `${most}: ${lines}`);
    assert(lines[lines.length - 1] >= most && lines[0] === 0, `${most}: ${lines}`);
  }
});

Deno.test("a spreadsheet takes no name for a formula, and no comma for a border", () => {
  assert.deepEqual(csv([["Name", "Messages"], ["=cmd()", 3], ['a "b", c', -1]]), "Name,Messages\r\n'=cmd(),3\r\n\"a \"\"b\"\", c\",-1\r\n");
});

Deno.test("a year is told in weeks that end today, and no message is lost", () => {
  const days = Array.from({ length: 366 }, (_, at) => ({ day: `day ${at}`, messages: at, members: at }));
  const weeks = inWeeks(days);
  assert.deepEqual(weeks.length, 53);
  assert.deepEqual(weeks.reduce((sum, week) => sum + week.messages, 0), 365 * 366 / 2);
  assert.deepEqual(weeks[52], { day: "day 359", messages: 359 + 360 + 361 + 362 + 363 + 364 + 365, members: 365 });
  assert.deepEqual(inWeeks(days.slice(0, 92)).length, 92);
});

Deno.test("a case ends as its file says, or not", () => {
  const expect = { members: { A: "admin", F: "founder" }, acting: null, archived: false, waitlist: [], fields: {}, void: ["r2"] };
  const answer = { members: [{ person: "F", role: "founder" }, { person: "A", role: "admin" }], archived: false, waitlist: [], fields: [], void: [{ id: "r2" }] };
  assert(isExpected(expect, answer));
  assert(!isExpected(expect, { ...answer, void: [] }));
  assert(!isExpected(expect, { ...answer, acting_admin: "A" }));
  assert(!isExpected(expect, { ...answer, members: answer.members.slice(1) }));
  const content = [{ id: "m1", result: "moderator" }, { id: "m2", result: "addition_void" }];
  assert(!isExpected(expect, { ...answer, content }));
  assert(isExpected({ ...expect, content: { m1: "moderator", m2: "addition_void" } }, { ...answer, content }));
  assert(!isExpected({ ...expect, content: { m1: "member", m2: "addition_void" } }, { ...answer, content }));
});

Deno.test("every type of operation has a sentence", () => {
  assert.deepEqual(sentence({ type: "add", author: "A", targets: ["B", "C"] }), "A added B, C");
  assert.deepEqual(sentence({ type: "promote", author: "A", target: "B", role: "admin" }), "A made B admin");
});

Deno.test("the reason is told apart from what was done", () => {
  assert.deepEqual(told("Bob removed Carol.", true), { action: "Bob removed Carol" });
  assert.deepEqual(told('Carol set the name to "x". Void: the authority it acts under was revoked, by this: Bob removed Carol.', false), {
    action: 'Carol set the name to "x"',
    reason: "the authority it acts under was revoked",
  });
  assert.deepEqual(told("Dan left. Void: its author never was a member there.", false), { action: "Dan left", reason: "its author never was a member there" });
});

Deno.test("two whose names look the same to the node are namesakes, unless one is blocked", () => {
  const people = [{ user: "1", name: "Zoë", name_look: "zoe" }, { user: "2", name: "Zоe", name_look: "zoe" }, { user: "3", name: "Bob", name_look: "bob" }];
  assert.deepEqual(namesakes(people).map((each) => each.map(({ user }) => user)), [["1", "2"]]);
  assert.deepEqual(namesakes([people[0], { ...people[1], blocked: true }]), []);
});

Deno.test("a time is told in its largest unit", () => {
  assert.deepEqual([1, 60, 600, 7_200, 259_200].map(span), ["1 second", "60 seconds", "10 minutes", "2 hours", "3 days"]);
});
