// What the page knows, as one plain value, and how events change it. Nothing here asks, waits or touches the document.

/** @typedef {any} Conversation */
/** @typedef {any} Message */
/** @typedef {any} Person */
/** @typedef {any} Event_ */

/** @typedef {import("./parts.js").State} State */

/** @returns {State} */
export function emptyState() {
  return {
    me: null,
    status: null,
    connection: "starting",
    loaded: false,
    conversations: new Map(),
    archived: new Map(),
    requests: new Map(),
    people: new Map(),
    typing: new Map(),
    open: null,
    toasts: [],
  };
}

/**
 * Which list a conversation is in.
 * @param {Conversation} conversation
 * @returns {"conversations" | "archived" | "requests"}
 */
export function listOf(conversation) {
  if (conversation.me?.awaits_answer) return "requests";
  return conversation.archived ? "archived" : "conversations";
}

/**
 * The state with a conversation as the node just described it, in the list where it belongs now.
 * @param {State} state
 * @param {Conversation} conversation
 * @returns {State}
 */
export function withConversation(state, conversation) {
  const wanted = listOf(conversation);
  const next = { ...state };
  for (const list of /** @type {const} */ (["conversations", "archived", "requests"])) {
    if (list === wanted) next[list] = new Map(state[list]).set(conversation.id, conversation);
    else if (state[list].has(conversation.id)) next[list] = without(state[list], conversation.id);
  }
  return next;
}

/**
 * @param {State} state
 * @param {"conversations" | "archived" | "requests"} list
 * @param {Conversation[]} conversations
 * @returns {State}
 */
export function withList(state, list, conversations) {
  return { ...state, [list]: new Map(conversations.map((each) => [each.id, each])) };
}

/**
 * @param {State} state
 * @param {Person[]} people
 * @returns {State}
 */
export function withPeople(state, people) {
  return { ...state, people: new Map(people.map((each) => [each.user, each])) };
}

/**
 * A conversation, in whichever list it is.
 * @param {State} state
 * @param {string} id
 * @returns {Conversation | undefined}
 */
export function conversationOf(state, id) {
  return state.conversations.get(id) ?? state.requests.get(id) ?? state.archived.get(id);
}

/**
 * The state after an event of the node. What an event does not carry is asked for by `follow`.
 *
 * @param {State} state
 * @param {Event_} event
 * @returns {State}
 */
export function apply(state, event) {
  switch (event.type) {
    case "resync":
      // Who stopped typing meanwhile is not told of any more.
      return { ...state, typing: new Map() };
    case "message":
      return afterMessage(state, event);
    case "message_changed":
      return afterChange(state, event);
    case "typing":
      return afterTyping(state, event);
    case "person":
      if (event.forgotten) return { ...state, people: without(state.people, event.forgotten) };
      return event.person
        ? { ...state, people: new Map(state.people).set(event.person.user, event.person) }
        : state;
    default:
      return state;
  }
}

/**
 * What must be asked again after an event: a conversation, the lists, people, or everything.
 * @param {Event_} event
 * @param {State} [state]
 * @returns {{conversation?: string, people?: boolean, profile?: boolean, everything?: boolean}}
 */
export function follow(event, state) {
  switch (event.type) {
    case "resync":
      return { everything: true };
    case "message":
      // It carries all that the list shows of it, where the conversation is in the list.
      return event.unread !== undefined && state?.conversations.has(event.conversation) ? {} : { conversation: event.conversation };
    case "message_changed":
    case "conversation":
    case "receipts":
    case "overruled":
      return event.conversation ? { conversation: event.conversation } : {};
    case "person":
      if (event.forgotten) return {};
      return event.person ? { profile: event.person.is_me } : { people: true };
    case "peer":
      return { people: true };
    default:
      return {};
  }
}

/** @param {State} state @param {Event_} event @returns {State} */
function afterMessage(state, event) {
  const { message } = event;
  const known = message && state.conversations.get(event.conversation);
  if (!known) return state;
  const last = known.last_message;
  if (last && last.sent_at > message.sent_at) return state;
  const conversation = { ...known, last_message: message, last_activity: message.sent_at, unread: event.unread ?? known.unread };
  let next = { ...state, conversations: new Map(state.conversations).set(known.id, conversation) };
  // Who sent it is done typing; the node's own event of that may come later.
  const typing = state.typing.get(known.id);
  if (typing && typing.people.some((person) => person.user === message.sender)) {
    next = { ...next, typing: without(state.typing, known.id) };
  }
  return next;
}

/** @param {State} state @param {Event_} event @returns {State} */
function afterChange(state, event) {
  const known = event.message && state.conversations.get(event.conversation);
  if (!known || known.last_message?.id !== event.message.id) return state;
  const conversation = { ...known, last_message: event.message };
  return { ...state, conversations: new Map(state.conversations).set(known.id, conversation) };
}

/** @param {State} state @param {Event_} event @returns {State} */
function afterTyping(state, event) {
  if (!event.conversation) return state;
  const people = event.people ?? [];
  if (people.length === 0) {
    return state.typing.has(event.conversation) ? { ...state, typing: without(state.typing, event.conversation) } : state;
  }
  const typing = { people, text: event.text ?? "" };
  return { ...state, typing: new Map(state.typing).set(event.conversation, typing) };
}

/**
 * The conversations as the list shows them: pinned first, then the latest activity.
 * @param {Iterable<Conversation>} conversations
 * @returns {Conversation[]}
 */
export function sorted(conversations) {
  return [...conversations].sort((one, other) =>
    Number(other.pinned) - Number(one.pinned) ||
    compare(other.last_activity ?? "", one.last_activity ?? "") ||
    compare(one.id, other.id)
  );
}

/** Unread messages of all conversations that are not muted. @param {State} state */
export function unreadCount(state) {
  let count = 0;
  for (const each of state.conversations.values()) if (!each.muted_until) count += each.unread;
  return count;
}

/**
 * Whether a conversation is found by what somebody types.
 * @param {Conversation} conversation
 * @param {string} query
 */
export function matches(conversation, query) {
  const wanted = folded(query.trim());
  if (!wanted) return true;
  const words = [conversation.title, ...(conversation.tags ?? []), ...(conversation.members ?? []).map((/** @type {any} */ each) => each.name)];
  return words.some((each) => folded(each).includes(wanted));
}

/** Text without case and diacritics. @param {string} text */
export function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

/** @param {string} one @param {string} other */
function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** @template V @param {Map<string, V>} map @param {string} key @returns {Map<string, V>} */
export function without(map, key) {
  const next = new Map(map);
  next.delete(key);
  return next;
}
