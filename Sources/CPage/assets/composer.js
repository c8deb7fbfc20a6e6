// Where messages are written: the text that grows, its draft, files, mentions, what is answered or edited.

import { APIError } from "./api.js";
import { avatar, h, icon, iconButton, replace } from "./dom.js";
import { folded } from "./store.js";
import * as words from "./words.js";

/** Bytes of the longest text. */
export const maximumBytes = 16 * 1024;
/** From how many on the rest is told. */
const tellFrom = maximumBytes - 1024;
const maximumFiles = 16;
const maximumFileBytes = 100 * 1024 * 1024;

/** What was typed and the node does not have, by conversation: it could not be reached, or it is too long. @type {Map<string, string>} */
const unsaved = new Map();

/**
 * @typedef {object} Attachment
 * @property {string} key
 * @property {File} file
 * @property {string} preview the address of a picture of it; empty if there is none
 * @property {number} part
 * @property {"uploading" | "ready" | "failed"} phase
 * @property {string} [reason]
 * @property {any} [uploaded]
 * @property {AbortController} abort
 */

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
    "aria-controls": "mentions",
    "aria-describedby": "composer-note",
  });
  const picker = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files to attach", tabindex: "-1" });
  const sendButton = iconButton("send", "Send", () => submit(), { class: "send" });
  const note = h("p", { id: "composer-note", class: "composer-note", role: "status" });
  const context = h("div", { class: "composer-context", hidden: true });
  const files = h("div", { class: "attachments", role: "list", "aria-label": "Attached files", hidden: true });
  const mentions = h("div", { class: "mentions", id: "mentions", role: "listbox", "aria-label": "People to mention", hidden: true });
  const element = h(
    "div",
    { class: "composer" },
    mentions,
    context,
    files,
    h(
      "div",
      { class: "composer-row" },
      iconButton("attach", "Attach files", () => picker.click()),
      field,
      iconButton("emoji", "Insert an emoji", (event) => void pickEmoji(/** @type {HTMLElement} */ (event.currentTarget)), { "aria-haspopup": "dialog" }),
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
  /** @type {Attachment[]} */
  let attachments = [];
  let sendsWhenUploaded = false;

  // The draft

  let knownDraft = "";
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
    unsaved.set(conversation, draft);
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
      if (unsaved.get(conversation) === draft) unsaved.delete(conversation);
    } catch (error) {
      // It is tried again with the next key; an unreachable node is told above.
      knownDraft = "\u0000";
      if (!(error instanceof APIError)) throw error;
    }
  }

  function planDraft() {
    clearTimeout(draftTimer);
    draftTimer = setTimeout(() => void saveDraft(), 500);
  }

  addEventListener("pagehide", () => void saveDraft(true), { signal: options.signal });
  options.signal.addEventListener("abort", () => {
    void saveDraft();
    if (sendsWhenUploaded) app.toast("A message was not sent: its files were not uploaded yet", "error");
    for (const each of attachments) discard(each);
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
    const isEmpty = !field.value.trim() && attachments.length === 0;
    sendButton.disabled = isTooLong || isEmpty || attachments.some((each) => each.phase === "failed");
    sendButton.classList.toggle("ready", !sendButton.disabled);
  }

  let lastTyping = 0;
  field.addEventListener("input", () => {
    sendsWhenUploaded = false;
    grow();
    updateMentions();
    if (editing) return;
    planDraft();
    const now = Date.now();
    if (field.value && now - lastTyping > 1000) {
      lastTyping = now;
      app.api.post(`/conversations/${conversation}/typing`).catch(() => {});
    }
  });

  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (!mentions.hidden && mentionKey(event)) return;
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
    if (attachments.some((each) => each.phase === "uploading")) {
      sendsWhenUploaded = true;
      replace(note, "It is sent when the files are there");
      return;
    }
    sendsWhenUploaded = false;
    clearTimeout(draftTimer);
    draftTimer = undefined;
    unsaved.delete(conversation);
    knownDraft = "";
    // A draft that is still on its way could come after the message that it became.
    void saving?.then(() => {
      if (!field.value) void put("");
    });
    const reply = replyTo;
    const uploaded = attachments.map((each) => each.uploaded);
    for (const each of attachments) if (each.preview) URL.revokeObjectURL(each.preview);
    attachments = [];
    replyTo = null;
    field.value = "";
    lastTyping = 0;
    showContext();
    showFiles();
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
  function attach(list) {
    if (editing) cancelContext();
    for (const file of list) {
      if (attachments.length >= maximumFiles) {
        app.toast(`A message carries at most ${maximumFiles} files`, "error");
        break;
      }
      if (file.size > maximumFileBytes) {
        app.toast(`${file.name} has ${words.size(file.size)}: at most 100 MiB can be sent`, "error");
        continue;
      }
      /** @type {Attachment} */
      const attachment = {
        key: String(Math.random()),
        file,
        preview: /^image\/(?:png|jpeg|gif|webp)$/.test(file.type) ? URL.createObjectURL(file) : "",
        part: 0,
        phase: "uploading",
        abort: new AbortController(),
      };
      attachments.push(attachment);
      void uploadOf(attachment);
    }
    showFiles();
    grow();
    field.focus();
  }

  /** @param {Attachment} attachment */
  async function uploadOf(attachment) {
    attachment.phase = "uploading";
    attachment.part = 0;
    attachment.abort = new AbortController();
    showFiles();
    try {
      attachment.uploaded = await app.api.upload(attachment.file, attachment.file.name, {
        signal: attachment.abort.signal,
        progress: (part) => {
          attachment.part = part;
          const bar = /** @type {HTMLProgressElement | null} */ (files.querySelector(`[data-key="${attachment.key}"] progress`));
          if (bar) bar.value = part;
        },
      });
      attachment.phase = "ready";
    } catch (error) {
      if (error instanceof DOMException) return;
      attachment.phase = "failed";
      attachment.reason = error instanceof Error ? error.message : "It could not be uploaded";
      sendsWhenUploaded = false;
    }
    showFiles();
    grow();
    if (sendsWhenUploaded && attachments.every((each) => each.phase === "ready")) submit();
  }

  /** @param {Attachment} attachment */
  function discard(attachment) {
    sendsWhenUploaded = false;
    attachment.abort.abort();
    if (attachment.preview) URL.revokeObjectURL(attachment.preview);
    attachments = attachments.filter((each) => each !== attachment);
    showFiles();
    grow();
  }

  function showFiles() {
    files.hidden = attachments.length === 0;
    replace(
      files,
      ...attachments.map((each) =>
        h(
          "div",
          { class: `attachment ${each.phase}`, role: "listitem", data: { key: each.key } },
          each.preview ? h("img", { alt: "", src: each.preview }) : icon("file"),
          h("span", { class: "body" }, h("span", { class: "one-line", dir: "auto" }, each.file.name), h("small", { class: each.phase === "failed" ? "error-text" : "muted" }, each.phase === "failed" ? each.reason : words.size(each.file.size))),
          each.phase === "uploading" && h("progress", { max: "1", value: each.part, "aria-label": `Uploading ${each.file.name}` }),
          each.phase === "failed" && iconButton("retry", `Try ${each.file.name} again`, () => void uploadOf(each)),
          iconButton("close", `Remove ${each.file.name}`, () => {
            discard(each);
            field.focus();
          }),
        )
      ),
    );
  }

  // Mentions

  let mentionStart = -1;
  let selected = 0;
  /** @type {any[]} */
  let found = [];

  function updateMentions() {
    const before = field.value.slice(0, field.selectionStart);
    const match = /(?:^|[\s(])@([^\s@][^@\n]{0,49})?$/u.exec(before);
    mentionStart = match ? before.lastIndexOf("@") : -1;
    if (!match) return hideMentions();
    const query = folded(match[1] ?? "");
    found = options.members().filter((each) => each.user !== app.state.me?.user && !each.deleted && folded(each.name).split(/\s+/u).concat(folded(each.name)).some((part) => part.startsWith(query))).slice(0, 8);
    if (found.length === 0 || found.some((each) => folded(each.name) === query)) return hideMentions();
    selected = Math.min(selected, found.length - 1);
    mentions.hidden = false;
    field.setAttribute("aria-expanded", "true");
    replace(
      mentions,
      ...found.map((each, index) =>
        h(
          "div",
          { class: "row", role: "option", id: `mention-${index}`, "aria-selected": String(index === selected), on: { pointerdown: (/** @type {Event} */ event) => { event.preventDefault(); mention(each); } } },
          avatar({ id: each.user, name: each.name, photo: each.photo }, "small"),
          h("span", { class: "one-line", dir: "auto" }, each.name),
        )
      ),
    );
    field.setAttribute("aria-activedescendant", `mention-${selected}`);
  }

  function hideMentions() {
    mentions.hidden = true;
    selected = 0;
    field.removeAttribute("aria-activedescendant");
    field.removeAttribute("aria-expanded");
  }

  /** @param {KeyboardEvent} event */
  function mentionKey(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      selected = (selected + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      updateMentions();
    } else if (event.key === "Enter" || event.key === "Tab") mention(found[selected]);
    else if (event.key === "Escape") {
      hideMentions();
      event.stopPropagation();
    } else return false;
    event.preventDefault();
    return true;
  }

  /** @param {any} person */
  function mention(person) {
    field.setRangeText(`@${person.name} `, mentionStart, field.selectionStart, "end");
    hideMentions();
    grow();
    planDraft();
    field.focus();
  }

  field.addEventListener("blur", hideMentions);

  /** @param {HTMLElement} anchor */
  async function pickEmoji(anchor) {
    const { pickEmoji: pick } = await import("./emoji.js");
    const emoji = await pick(anchor);
    if (!emoji) return;
    field.focus();
    field.setRangeText(emoji, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input"));
  }

  const kept = unsaved.get(conversation);
  if (kept) {
    field.value = kept;
    // The node does not have it.
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
      if (field.value === knownDraft || (field.value === "" && knownDraft === "")) {
        knownDraft = draft;
        if (document.activeElement !== field || field.value === "") {
          field.value = draft;
          grow();
        }
      }
    },

    /** Types a character that was pressed while nothing had the focus. */
    typeInto() {
      field.focus();
    },
  };
}
