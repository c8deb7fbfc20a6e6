// Messages on their way to the node: shown at once, sent one after the other in each conversation, tried again with the same
// `client_id` until the node has them or refuses them.

import { api, APIError, connection } from "./api.js";

/**
 * @typedef {object} Outgoing
 * @property {string} client_id
 * @property {string} conversation
 * @property {string} text
 * @property {string | undefined} reply_to
 * @property {any} quote
 * @property {any[]} files uploaded already
 * @property {string} sent_at
 * @property {"sending" | "failed"} phase
 * @property {string} [reason]
 */

/** @type {Map<string, Outgoing[]>} */
const queues = new Map();
/** @type {Set<string>} */
const busy = new Set();
/** @type {Set<(conversation: string, sent?: {client_id: string, message: any}) => void>} */
const observers = new Set();

export const outbox = {
  /** @param {string} conversation @returns {Outgoing[]} */
  of: (conversation) => queues.get(conversation) ?? [],

  /** Whether something waits anywhere. */
  get isEmpty() {
    return [...queues.values()].every((each) => each.length === 0);
  },

  /** @param {(conversation: string, sent?: {client_id: string, message: any}) => void} observer @param {AbortSignal} signal */
  observe(observer, signal) {
    observers.add(observer);
    signal.addEventListener("abort", () => observers.delete(observer));
  },

  /**
   * @param {string} conversation
   * @param {{text: string, reply_to?: string, quote?: any, files?: any[]}} content
   */
  send(conversation, content) {
    /** @type {Outgoing} */
    const outgoing = {
      client_id: identifier(),
      conversation,
      text: content.text,
      reply_to: content.reply_to,
      quote: content.quote,
      files: content.files ?? [],
      sent_at: new Date().toISOString(),
      phase: "sending",
    };
    queues.set(conversation, [...outbox.of(conversation), outgoing]);
    tell(conversation);
    void work(conversation);
    return outgoing;
  },

  /** @param {Outgoing} outgoing */
  retry(outgoing) {
    outgoing.phase = "sending";
    outgoing.reason = undefined;
    tell(outgoing.conversation);
    void work(outgoing.conversation);
  },

  /** @param {Outgoing} outgoing @param {any} [message] what the node made of it */
  remove(outgoing, message) {
    const queue = outbox.of(outgoing.conversation);
    if (!queue.includes(outgoing)) return;
    queues.set(outgoing.conversation, queue.filter((each) => each !== outgoing));
    tell(outgoing.conversation, message && { client_id: outgoing.client_id, message });
  },

  /**
   * The one that an own message of the node's is, if it is on its way: the event can come before the answer.
   * @param {any} message
   */
  matching(message) {
    // One without it was written elsewhere, whatever it says.
    return message.client_id ? outbox.of(message.conversation).find((each) => each.client_id === message.client_id) : undefined;
  },
};

/** @param {string} conversation */
async function work(conversation) {
  if (busy.has(conversation)) return;
  busy.add(conversation);
  try {
    for (;;) {
      const next = outbox.of(conversation).find((each) => each.phase === "sending");
      if (!next) return;
      try {
        /** @type {any} */
        const body = { client_id: next.client_id, clear_draft: true };
        if (next.text) body.text = next.text;
        if (next.reply_to) body.reply_to = next.reply_to;
        if (next.files.length) body.files = next.files.map((each) => each.id);
        const message = await api.post(`/conversations/${conversation}/messages`, body);
        outbox.remove(next, message);
      } catch (error) {
        if (error instanceof APIError && (error.status === 0 || error.status === 401 || error.status >= 502)) return;
        next.phase = "failed";
        next.reason = error instanceof Error ? error.message : "It could not be sent";
        tell(conversation);
      }
    }
  } finally {
    busy.delete(conversation);
  }
}

/** @param {string} conversation @param {{client_id: string, message: any}} [sent] */
function tell(conversation, sent) {
  for (const observer of [...observers]) observer(conversation, sent);
}

function identifier() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

connection.addEventListener("state", (event) => {
  if (/** @type {CustomEvent} */ (event).detail !== "online") return;
  for (const [conversation, queue] of queues) if (queue.length) void work(conversation);
});

addEventListener("beforeunload", (event) => {
  if (!outbox.isEmpty) event.preventDefault();
});
