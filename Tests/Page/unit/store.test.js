// What the page knows, and how events change it. A state that changed is another value; one that did not is the same.

import assert from "node:assert/strict";
import * as store from "../../../Sources/CPage/assets/store.js";

/** @param {string} id @param {Record<string, any>} [more] */
function conversation(id, more = {}) {
  return { id, title: id, kind: "group", unread: 0, pinned: false, archived: false, tags: [], members: [], me: { is_member: true }, last_activity: "2026-03-02T10:00:00.000Z", ...more };
}

/** @param {any[]} conversations */
function stateOf(...conversations) {
  return store.withList({ ...store.emptyState(), loaded: true }, "conversations", conversations);
}

Deno.test("pinned conversations come first, then the latest activity", () => {
  const list = [
    conversation("old", { last_activity: "2026-03-01T10:00:00.000Z" }),
    conversation("new", { last_activity: "2026-03-03T10:00:00.000Z" }),
    conversation("pinned", { pinned: true, last_activity: "2026-01-01T10:00:00.000Z" }),
  ];
  assert.deepEqual(store.sorted(list).map((each) => each.id), ["pinned", "new", "old"]);
});

Deno.test("a message moves its conversation up and shows as its last one", () => {
  const before = stateOf(conversation("ship"));
  const message = { id: "m", sender: "bob", sent_at: "2026-03-04T10:00:00.000Z", text: "Hello" };
  const after = store.apply(before, { type: "message", conversation: "ship", message });
  assert.notEqual(after, before);
  assert.equal(after.conversations.get("ship").last_message, message);
  assert.equal(after.conversations.get("ship").last_activity, message.sent_at);
  assert.equal(before.conversations.get("ship").last_message, undefined, "the state before is as it was");
});

Deno.test("a message that was written earlier is not the last one", () => {
  const last = { id: "b", sent_at: "2026-03-04T10:00:00.000Z" };
  const before = stateOf(conversation("ship", { last_message: last }));
  const after = store.apply(before, { type: "message", conversation: "ship", message: { id: "a", sent_at: "2026-03-03T10:00:00.000Z" } });
  assert.equal(after.conversations.get("ship").last_message, last);
});

Deno.test("who sent a message no longer types", () => {
  const typing = store.apply(stateOf(conversation("ship")), { type: "typing", conversation: "ship", people: [{ user: "bob" }], text: "Bob is typing..." });
  assert.equal(typing.typing.get("ship")?.text, "Bob is typing...");
  const after = store.apply(typing, { type: "message", conversation: "ship", message: { id: "m", sender: "bob", sent_at: "2026-03-04T10:00:00.000Z" } });
  assert.equal(after.typing.has("ship"), false);
});

Deno.test("typing ends with an empty list", () => {
  const typing = store.apply(stateOf(conversation("ship")), { type: "typing", conversation: "ship", people: [{ user: "bob" }], text: "…" });
  assert.equal(store.apply(typing, { type: "typing", conversation: "ship", people: [] }).typing.size, 0);
});

Deno.test("an event that is about nothing known changes nothing", () => {
  const before = stateOf(conversation("ship"));
  for (const event of [{ type: "heartbeat" }, { type: "message", conversation: "boat", message: { id: "m", sent_at: "" } }, { type: "typing", conversation: "ship", people: [] }]) {
    assert.equal(store.apply(before, event), before);
  }
});

Deno.test("a conversation is in exactly one list", () => {
  let state = stateOf(conversation("ship"));
  state = store.withConversation(state, conversation("ship", { archived: true }));
  assert.deepEqual([state.conversations.size, state.archived.size, state.requests.size], [0, 1, 0]);
  state = store.withConversation(state, conversation("ship", { me: { awaits_answer: true } }));
  assert.deepEqual([state.conversations.size, state.archived.size, state.requests.size], [0, 0, 1]);
  assert.equal(store.conversationOf(state, "ship")?.id, "ship");
});

Deno.test("the badge counts what is unread and not muted", () => {
  const state = stateOf(conversation("a", { unread: 3 }), conversation("b", { unread: 4, muted_until: "forever" }), conversation("c", { unread: 1 }));
  assert.equal(store.unreadCount(state), 4);
});

Deno.test("conversations are found by title, tag or member, without case and accents", () => {
  const ship = conversation("ship", { title: "Zürich", tags: ["Work"], members: [{ name: "José" }] });
  for (const query of ["zurich", "ZÜR", "work", "jose", ""]) assert.ok(store.matches(ship, query), query);
  assert.equal(store.matches(ship, "bern"), false);
});

Deno.test("what an event does not carry is asked for", () => {
  assert.deepEqual(store.follow({ type: "resync" }), { everything: true });
  assert.deepEqual(store.follow({ type: "receipts", conversation: "ship" }), { conversation: "ship" });
  assert.deepEqual(store.follow({ type: "typing", conversation: "ship" }), {});
});

Deno.test("who was forgotten is in the list no more, and nothing is asked for", () => {
  const before = store.apply(stateOf(), { type: "person", person: { user: "bob", name: "Bob" } });
  assert.deepEqual([...before.people.keys()], ["bob"]);
  const event = { type: "person", forgotten: "bob" };
  assert.equal(store.apply(before, event).people.size, 0);
  assert.deepEqual(store.follow(event), {});
});

Deno.test("a message that says how many are unread asks for nothing", () => {
  const before = stateOf(conversation("ship", { unread: 2 }));
  const event = { type: "message", conversation: "ship", unread: 3, message: { id: "m", sender: "bob", sent_at: "2026-03-04T10:00:00.000Z" } };
  assert.equal(store.apply(before, event).conversations.get("ship").unread, 3);
  assert.deepEqual(store.follow(event, before), {});
  assert.deepEqual(store.follow({ ...event, conversation: "boat" }, before), { conversation: "boat" }, "it is not in the list yet");
});
