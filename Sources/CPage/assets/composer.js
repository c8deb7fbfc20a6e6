// Where messages are written, and how they go to the node.

import { api, APIError, connection } from "./api.js";
import { h, icon, iconButton, replace } from "./dom.js";
import * as words from "./words.js";

/** Bytes of the longest text. */
export const maximumBytes = 16 * 1024;
/** From how many on the rest is told. */
const tellFrom = maximumBytes - 1024;

/**
 * What was typed in this tab, by conversation, until the node has it for good. It outlives a reload, and goes before the node's draft, which other
 * tabs and devices write, too.
 *
 * While the node does not answer it is in memory alone: others may have its port.
 */
const typed = {
  /** While the node does not answer, and for a browser that keeps nothing. @type {Map<string, string> | null} */
  here: null,

  /** @param {string} conversation */
  get(conversation) {
    try {
      return typed.here?.get(conversation) ?? sessionStorage.getItem(`moot-typed-${conversation}`) ?? "";
    } catch {
      return "";
    }
  },

  /** @param {string} conversation @param {string} text */
  set(conversation, text) {
    if (typed.here) return void typed.here.set(conversation, text);
    try {
      if (text) sessionStorage.setItem(`moot-typed-${conversation}`, text);
      else sessionStorage.removeItem(`moot-typed-${conversation}`);
    } catch {
      typed.here = new Map([[conversation, text]]);
    }
  },
};

connection.addEventListener("state", (event) => {
  const isBack = /** @type {CustomEvent} */ (event).detail === "online";
  if (isBack === (typed.here === null)) return;
  try {
    const { here } = typed;
    typed.here = isBack ? null : new Map();
    if (here) for (const [conversation, text] of here) typed.set(conversation, text);
    if (isBack) return;
    for (const name of Object.keys(sessionStorage).filter((each) => each.startsWith("moot-typed-"))) {
      typed.set(name.slice("moot-typed-".length), sessionStorage.getItem(name) ?? "");
      sessionStorage.removeItem(name);
    }
  } catch {
    // A browser that keeps nothing has nothing to hide.
  }
});

/**
 * @param {import("./main.js").App} app
 * @param {string} conversation
 * @param {object} options
 * @param {(content: {text: string, reply_to?: string, quote?: any, files: any[]}) => void} options.send
 * @param {(message: any, text: string) => Promise<void>} options.edit
 * @param {() => any} options.lastOwn the last own message that can be edited
 * @param {() => any[]} options.members
 * @param {(message: string) => void} options.show goes to a message
 * @param {(message: string) => void} options.reveal scrolls to it where it is out of sight, and leaves the focus
 * @param {AbortSignal} options.signal
 */
export function composer(app, conversation, options) {
  const field = h("textarea", {
    rows: "1",
    dir: "auto",
    "aria-label": "Message",
    placeholder: "Message",
    autocomplete: "off",
    enterkeyhint: "send",
    "aria-autocomplete": "list",
    "aria-describedby": "composer-note",
  });
  const picker = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files to attach", tabindex: "-1" });
  const sendButton = iconButton("send", "Send", () => submit(), { class: "send" });
  const note = h("p", { id: "composer-note", class: "composer-note", role: "status" });
  const context = h("div", { class: "composer-context", hidden: true });
  const element = h(
    "div",
    { class: "composer" },
    context,
    h(
      "div",
      { class: "composer-row" },
      iconButton("attach", "Attach files", () => picker.click()),
      field,
      iconButton("emoji", "Insert an emoji", (event) => void pickEmoji(/** @type {HTMLElement} */ (event.currentTarget)).catch(app.failed), { "aria-haspopup": "dialog" }),
      sendButton,
    ),
    note,
    picker,
  );

  /** @type {any} */
  let replyTo = null;
  /** @type {any} */
  let editing = null;
  let textBeforeEdit = "";
  /** The files to send; null before there was one. @type {ReturnType<typeof import("./attachments.js").attachments> | null} */
  let attached = null;
  /** The people to mention; null before one was to be mentioned. @type {ReturnType<typeof import("./mentions.js").mentions> | null} */
  let mentions = null;
  let sendsWhenUploaded = false;

  // The draft

  /** The draft that the node has. */
  let knownDraft = "";
  /** Whether the text was typed here: then no draft from elsewhere takes its place. */
  let isTypedHere = false;
  /** What was sent last: the node may still tell of it as a draft, until it has the message. @type {string | null} */
  let submitted = null;
  /** @type {number | undefined} */
  let draftTimer;

  /** @param {boolean} [isLast] */
  async function saveDraft(isLast = false) {
    clearTimeout(draftTimer);
    draftTimer = undefined;
    if (editing) return;
    const draft = field.value;
    if (draft === knownDraft) return;
    if (words.bytes(draft) > maximumBytes) return;
    knownDraft = draft;
    saving = put(draft, isLast);
    await saving;
    saving = null;
  }

  /** @type {Promise<void> | null} */
  let saving = null;

  /** @param {string} draft @param {boolean} [isLast] */
  async function put(draft, isLast = false) {
    try {
      await app.request("PUT", `/conversations/${conversation}/private`, { body: { draft: draft || null }, keepalive: isLast });
      // Whoever left finds it at the node; a text that is still here is kept until it is sent.
      if (options.signal.aborted && typed.get(conversation) === draft) typed.set(conversation, "");
    } catch (error) {
      // It is tried again with the next key; an unreachable node is told above.
      knownDraft = "\u0000";
      if (!(error instanceof APIError)) throw error;
    }
  }

  /** Notes what this tab has of its own. */
  function keepTyped() {
    isTypedHere = field.value !== "";
    typed.set(conversation, field.value);
  }

  function planDraft() {
    clearTimeout(draftTimer);
    draftTimer = setTimeout(() => void saveDraft(), 500);
  }

  addEventListener("pagehide", () => void saveDraft(true), { signal: options.signal });
  options.signal.addEventListener("abort", () => {
    // What the node has as the draft is its to keep: it may be sent from elsewhere, and must not come back then.
    const text = editing ? textBeforeEdit : field.value;
    if (!saving && text === knownDraft) typed.set(conversation, "");
    void saveDraft();
    if (sendsWhenUploaded) app.toast("A message was not sent: its files were not uploaded yet", "error");
    attached?.clear();
  });
  // The text

  function grow() {
    if (!CSS.supports("field-sizing", "content")) {
      field.style.height = "auto";
      field.style.height = `${Math.min(field.scrollHeight, 240)}px`;
    }
    const size = words.bytes(field.value);
    const isTooLong = size > maximumBytes;
    replace(note, size > tellFrom && (isTooLong
      ? `${words.plural(size - maximumBytes, "byte")} too long: a message has at most 16 KiB`
      : `${words.plural(maximumBytes - size, "byte")} left`));
    note.classList.toggle("error-text", isTooLong);
    field.setAttribute("aria-invalid", String(isTooLong));
    const isEmpty = !field.value.trim() && !attached?.isBusy;
    sendButton.disabled = isTooLong || isEmpty || Boolean(attached?.hasFailed);
    sendButton.classList.toggle("ready", !sendButton.disabled);
  }

  let lastTyping = 0;
  field.addEventListener("input", () => {
    sendsWhenUploaded = false;
    grow();
    void updateMentions();
    if (editing) return;
    keepTyped();
    planDraft();
    const now = Date.now();
    if (field.value && now - lastTyping > 1000) {
      lastTyping = now;
      app.api.post(`/conversations/${conversation}/typing`).catch(() => {});
    }
  });

  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (mentions?.key(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "ArrowUp" && !field.value && !editing && !event.altKey && !event.ctrlKey) {
      const last = options.lastOwn();
      if (last) {
        event.preventDefault();
        edit(last);
      }
    } else if (event.key === "Escape" && (replyTo || editing)) {
      event.preventDefault();
      event.stopPropagation();
      cancelContext();
    }
  });

  function submit() {
    if (sendButton.disabled) return;
    const text = field.value.trim();
    if (editing) return void finishEdit(text);
    submitted = field.value;
    if (attached?.isUploading) {
      sendsWhenUploaded = true;
      replace(note, "It is sent when the files are there");
      return;
    }
    sendsWhenUploaded = false;
    clearTimeout(draftTimer);
    draftTimer = undefined;
    knownDraft = "";
    // A draft that is still on its way could come after the message that it became.
    void saving?.then(() => {
      if (!field.value) void put("");
    });
    const reply = replyTo;
    const uploaded = attached?.uploaded ?? [];
    replyTo = null;
    field.value = "";
    keepTyped();
    lastTyping = 0;
    showContext();
    attached?.clear();
    grow();
    options.send({
      text,
      reply_to: reply?.id,
      quote: reply && { id: reply.id, sender: reply.sender, sender_name: reply.sender_name, text: words.preview(reply), readability: reply.readability },
      files: uploaded,
    });
  }

  // What is answered or edited

  function showContext() {
    context.hidden = !replyTo && !editing;
    if (context.hidden) return replace(context);
    const of = editing ?? replyTo;
    replace(
      context,
      icon(editing ? "edit" : "reply"),
      h("button", { type: "button", class: "context-text", on: { click: () => options.show(of.id) } }, h("strong", { dir: "auto" }, editing ? "Edit message" : `Reply to ${of.sender === app.state.me?.user ? "yourself" : of.sender_name}`), h("span", { class: "one-line", dir: "auto" }, words.cut(words.preview(of), 200))),
      iconButton("close", editing ? "Stop editing" : "Do not reply", cancelContext),
    );
  }

  function cancelContext() {
    if (editing) field.value = textBeforeEdit;
    editing = null;
    replyTo = null;
    showContext();
    grow();
    field.focus();
  }

  /** @param {any} message */
  function reply(message) {
    if (editing) cancelContext();
    replyTo = message;
    showContext();
    field.focus();
  }

  /** @param {any} message */
  function edit(message) {
    sendsWhenUploaded = false;
    void saveDraft();
    if (!editing) textBeforeEdit = field.value;
    replyTo = null;
    editing = message;
    field.value = message.text;
    showContext();
    grow();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    options.reveal(message.id);
  }

  /** @param {string} text */
  async function finishEdit(text) {
    const message = editing;
    if (text === message.text) return cancelContext();
    try {
      await options.edit(message, text);
      if (editing === message) cancelContext();
    } catch (error) {
      app.failed(error);
    }
  }

  // Files

  picker.addEventListener("change", () => {
    attach([...picker.files ?? []]);
    picker.value = "";
  });

  field.addEventListener("paste", (event) => {
    const pasted = [...event.clipboardData?.files ?? []];
    if (pasted.length === 0) return;
    event.preventDefault();
    attach(pasted);
  });

  /** @param {File[]} list */
  async function attach(list) {
    if (editing) cancelContext();
    try {
      const { attachments } = await app.load(() => import("./attachments.js"));
      if (options.signal.aborted) return;
      if (!attached) {
        attached = attachments(app, { changed, focus: () => field.focus() });
        context.after(attached.element);
      }
      attached.add(list);
      field.focus();
    } catch (error) {
      app.failed(error);
    }
  }

  /** @param {boolean} isReady whether a file is there that was not before */
  function changed(isReady) {
    if (!isReady) sendsWhenUploaded = false;
    grow();
    if (sendsWhenUploaded && !attached?.isUploading && !attached?.hasFailed) submit();
  }

  // Mentions

  async function updateMentions() {
    try {
      if (!mentions) {
        if (!field.value.slice(0, field.selectionStart).includes("@")) return;
        const loaded = await app.load(() => import("./mentions.js"));
        mentions ??= loaded.mentions(app, field, { members: options.members, mentioned: () => { grow(); if (!editing) { keepTyped(); planDraft(); } } });
        if (!mentions.element.isConnected) element.prepend(mentions.element);
      }
      mentions.update();
    } catch (error) {
      app.failed(error);
    }
  }

  /** @param {HTMLElement} anchor */
  async function pickEmoji(anchor) {
    const { pickEmoji: pick } = await app.load(() => import("./emoji.js"));
    const emoji = await pick(anchor);
    if (!emoji) return;
    field.focus();
    field.setRangeText(emoji, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input"));
  }

  const kept = typed.get(conversation);
  if (kept) {
    field.value = kept;
    isTypedHere = true;
    // The node may not have it.
    knownDraft = "\u0000";
  }
  grow();

  return {
    element,
    field,
    attach,
    reply,
    edit,
    cancel: () => {
      if (!replyTo && !editing) return false;
      cancelContext();
      return true;
    },
    focus: () => field.focus({ preventScroll: true }),

    /** Takes over a draft that came from the node, unless something else is being written here. @param {string} draft */
    setDraft(draft) {
      if (draft === submitted) return;
      submitted = null;
      if (editing || draftTimer !== undefined || draft === knownDraft) return;
      knownDraft = draft;
      if (isTypedHere || (document.activeElement === field && field.value !== "")) return;
      field.value = draft;
      grow();
    },
  };
}

// Messages on their way to the node: shown at once, sent one after the other in each conversation, tried again with the same
// `client_id` until the node has them or refuses them

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
        // It goes on when the node is there, lets this browser in, and can again. Anything else it refuses, as when its disk is full.
        if (error instanceof APIError && [0, 401, 503].includes(error.status)) return;
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
