// The words of the page, and what of a text is a link.

import assert from "node:assert/strict";
import process from "node:process";
import * as words from "../../../Sources/CPage/assets/words.js";

/** @param {string} text */
const links = (text) => words.tokens(text).filter((each) => each.kind === "link").map((each) => each.text);

Deno.test("only http, https and moot are links", () => {
  assert.deepEqual(links("see https://a.example/b and http://c.example, moot://conversation/12"), ["https://a.example/b", "http://c.example", "moot://conversation/12"]);
  for (const text of ["javascript:alert(1)", "JaVaScRiPt://x", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "mailto:a@b.example", "//a.example", "https://", "xhttps//a"]) {
    assert.deepEqual(links(text), [], text);
  }
});

Deno.test("tokens put together are the text again", () => {
  for (const text of ["", "plain", "https://a.example", "(https://a.example/x_(y)).", "a https://b.example! https://c.example?d=e&f, g"]) {
    assert.equal(words.tokens(text).map((each) => each.text).join(""), text);
  }
});

Deno.test("the punctuation of a sentence does not belong to a link", () => {
  assert.deepEqual(links("Is it https://a.example/b?"), ["https://a.example/b"]);
  assert.deepEqual(links("(https://a.example/x_(y))"), ["https://a.example/x_(y)"]);
  assert.deepEqual(links('"https://a.example/"onmouseover="x"'), ["https://a.example/"]);
});

Deno.test("a link ends where the direction of text is overridden", () => {
  assert.deepEqual(links("https://a.example/\u202egpj.exe"), ["https://a.example/"]);
});

Deno.test("many characters that are no link take no time that grows with their square", () => {
  /** @param {number} length @returns {number} processor time in microseconds: others may keep the processor for long */
  const cost = (length) => {
    const before = process.cpuUsage();
    for (let round = 0; round < 5; round++) {
      words.tokens("https://a" + ")".repeat(length));
      words.tokens("https://a" + "(".repeat(length / 2) + ")".repeat(length / 2));
      words.tokens("x".repeat(length));
    }
    return process.cpuUsage(before).user;
  };
  cost(32_000);
  assert.ok(cost(256_000) < 24 * cost(32_000) + 1_000, "eight times as many take eight times as long, not 64 times");
});

Deno.test("plurals and lists", () => {
  assert.equal(words.plural(1, "message"), "1 message");
  assert.equal(words.plural(0, "message"), "0 messages");
  assert.equal(words.list(["Alice"]), "Alice");
  assert.equal(words.list(["Alice", "Bob"]), "Alice and Bob");
  assert.equal(words.list(["Alice", "Bob", "Carol"]), "Alice, Bob, and Carol");
  assert.equal(words.list(["Alice", "Bob", "Carol", "Dave", "Eve"]), "Alice, Bob, and 3 others");
});

Deno.test("sizes", () => {
  assert.equal(words.size(1), "1 byte");
  assert.equal(words.size(999), "999 bytes");
  assert.equal(words.size(1200), "1.2 kB");
  assert.equal(words.size(42_000_000), "42 MB");
});

Deno.test("days are named from today's point of view", () => {
  const now = new Date(2026, 2, 4, 12);
  assert.equal(words.dayOf(new Date(2026, 2, 4, 0, 1).toISOString(), now), "Today");
  assert.equal(words.dayOf(new Date(2026, 2, 3, 23, 59).toISOString(), now), "Yesterday");
  assert.match(words.dayOf(new Date(2025, 2, 3).toISOString(), now), /2025/);
});

Deno.test("the preview of a message says what cannot be read, and names files", () => {
  assert.equal(words.preview({ text: "a\n\n b" }), "a b");
  assert.equal(words.preview({ text: "x", deleted: true }), "This message was deleted");
  assert.equal(words.preview({ text: "", readability: "wanted" }), "This message has not arrived yet");
  assert.equal(words.preview({ text: "a.jpg", files: [{ kind: "photo", name: "a.jpg" }] }), "Photo");
  assert.equal(words.preview({ text: "Look", files: [{ kind: "photo", name: "a.jpg" }] }), "Look");
});

Deno.test("the state of an own message is a sentence", () => {
  const at = "2026-03-02T10:00:00.000Z";
  assert.equal(words.delivery({ phase: "delivered", recipients: 3, delivered_to: [{ user: "b", at }], read_by: [] }), "Delivered to 1 of 3");
  assert.equal(words.delivery({ phase: "read", recipients: 1, delivered_to: [], read_by: [{ user: "b", at }] }, true), "Read");
  assert.equal(words.delivery({ phase: "failed", reason: "The disk is full" }), "Failed: The disk is full");
});

Deno.test("only a few emoji alone are shown large", () => {
  for (const text of ["👍", "👨‍👩‍👧‍👦", "❤️", "🎉🎉🎉", "🇮🇱"]) assert.ok(words.isJustEmoji(text), text);
  for (const text of ["1", "#", "a👍", "👍👍👍👍", "", "x"]) assert.ok(!words.isJustEmoji(text), text);
});

Deno.test("a text is cut between characters", () => {
  assert.equal(words.cut("👍👍👍", 2), "👍…");
  assert.equal(words.cut("ab", 2), "ab");
});
