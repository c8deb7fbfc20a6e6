// What people do with a message: answer it, react, pin, copy, edit, delete, and look at its photos; and what stands around messages
// only now and then.

import { outbox } from "./composer.js";
import * as dialogs from "./dialogs.js";
import { h, icon, iconButton, replace } from "./dom.js";
import * as words from "./words.js";

/** @typedef {any} Message */

/**
 * @typedef {object} Place the conversation in which something is done
 * @property {import("./main.js").App} app
 * @property {string} id
 * @property {any} conversation
 * @property {(message: string) => HTMLElement | undefined} rowOf
 * @property {(message: Message) => void} reply
 * @property {(message: Message) => void} edit
 * @property {() => boolean} canWrite
 * @property {(message: Message) => void} took a message as the node tells it now
 * @property {() => void} askAgain
 * @property {(file: any) => void} fileChanged
 * @property {() => Promise<void>} loadPins
 * @property {(message: string) => Promise<void>} goTo
 * @property {(user: string) => any} person
 */

/** What the node says within a line, as a sentence; here, because the page begins without this file. @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** @param {Place} place */
export function actions(place) {
  const { app, canWrite, took, fileChanged } = place;

  /** @param {string} name @param {Message} message @param {HTMLElement} at */
  async function act(name, message, at) {
    try {
      switch (name) {
        case "reply": return canWrite() ? place.reply(message) : undefined;
        case "menu": return menu(message, at);
        case "react": return await react(message, at.dataset.emoji ?? "");
        case "pick-reaction": return await pickReaction(message, at);
        case "pin": return await pin(message);
        case "remove": return await remove(message);
        case "choose-file": return chooseFile(message, at);
        case "goto": return await place.goTo(at.dataset.id ?? "");
        case "receipts": return void dialogs.readBy(app, message);
        case "retry": return outbox.retry(message.outgoing);
        case "discard": return outbox.remove(message.outgoing);
        case "put-away": return void (await app.api.delete(`/messages/${message.id}`), place.askAgain());
        case "photo": return await photo(message, at.dataset.id ?? "");
        case "fetch-file": return fileChanged(await app.api.post(`/blobs/${at.dataset.id}/transfer`));
        case "stop-file": return fileChanged(await app.api.delete(`/blobs/${at.dataset.id}/transfer`));
      }
    } catch (error) {
      app.failed(error);
    }
  }

  /** Shows a photo large, with the others of its message. @param {Message} message @param {string} file */
  async function photo(message, file) {
    const { view } = await app.load(() => import("./gallery.js"));
    const photos = message.files.filter((/** @type {any} */ each) => each.kind === "photo" && each.state === "here");
    if (photos.some((/** @type {any} */ each) => each.id === file)) view(app, photos, file);
    else fileChanged(await app.api.post(`/blobs/${file}/transfer`));
  }

  /** @param {Message} message @param {string} emoji */
  async function react(message, emoji) {
    const isMine = message.reactions?.some((/** @type {any} */ each) => each.emoji === emoji && each.users.includes(app.state.me?.user));
    const path = `/messages/${message.id}/reactions/${encodeURIComponent(emoji)}`;
    took(isMine ? await app.api.delete(path) : await app.api.put(path));
  }

  /** @param {Message} message @param {HTMLElement} at */
  async function pickReaction(message, at) {
    const { pickEmoji } = await app.load(() => import("./emoji.js"));
    const emoji = await pickEmoji(at, { isReaction: true });
    if (emoji) await react(message, emoji);
    else place.rowOf(message.id)?.focus({ preventScroll: true });
  }

  /** @param {Message} message @param {HTMLElement} at */
  function menu(message, at) {
    const isOwn = message.sender === app.state.me?.user;
    const isOpen = message.readability === "open" && !message.deleted && message.kind !== "system";
    const { conversation } = place;
    const may = conversation?.me.may ?? {};
    const mayDelete = !message.deleted && message.kind !== "system" && conversation?.me?.is_member && (isOwn || may.delete_others);
    const row = place.rowOf(message.id) ?? at;
    dialogs.menu(at, [
      isOpen && canWrite() && { label: "Reply", icon: "reply", key: "R", press: () => place.reply(message) },
      isOpen && canWrite() && { label: "React", icon: "emoji", key: "+", press: () => void act("pick-reaction", message, row) },
      isOpen && message.text && { label: "Copy text", icon: "copy", press: () => void copy(message.text) },
      message.kind !== "system" && !message.outgoing && { label: "Copy link", icon: "link", press: () => void copy(`moot://conversation/${place.id}/${message.id}`) },
      isOpen && isOwn && canWrite() && !message.files?.length && { label: "Edit", icon: "edit", key: "E", press: () => place.edit(message) },
      isOpen && may.pin && { label: message.pinned ? "Unpin" : "Pin", icon: "pin", key: "P", press: () => void act("pin", message, row) },
      isOwn && message.kind !== "system" && !message.outgoing && { label: "Read by", icon: "checks", press: () => void dialogs.readBy(app, message) },
      message.uncounted && { label: "Why it does not count", icon: "info", press: () => void dialogs.dialog("Does not count", () => ({ content: h("p", { dir: "auto" }, sentence(message.uncounted.reason)) })) },
      mayDelete && "line",
      mayDelete && !message.outgoing && message.files?.length > 1 && { label: "Delete a file", icon: "file", isDanger: true, press: () => void act("choose-file", message, row) },
      mayDelete && { label: "Delete for everyone", icon: "trash", isDanger: true, press: () => void act("remove", message, row) },
    ]);
  }

  /** @param {string} text */
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      app.toast("Copied");
    } catch {
      app.toast("The browser did not let this page copy", "error");
    }
  }

  /** @param {Message} message */
  async function pin(message) {
    const path = `/messages/${message.id}/pin`;
    took(message.pinned ? await app.api.delete(path) : await app.api.put(path));
    void place.loadPins();
  }

  /** @param {Message} message */
  async function remove(message) {
    const isSure = await dialogs.confirm({ title: "Delete this message for everyone?", text: words.cut(words.preview(message), 300), action: "Delete", isDanger: true });
    place.rowOf(message.id)?.focus({ preventScroll: true });
    if (isSure) took(await app.api.delete(`/messages/${message.id}`));
  }

  /** Which file of a message is to go. @param {Message} message @param {HTMLElement} at */
  function chooseFile(message, at) {
    dialogs.menu(at, message.files.map((/** @type {any} */ file) => ({ label: file.name, icon: "trash", isDanger: true, press: () => void removeFile(message, file) })));
  }

  /** @param {Message} message @param {any} file */
  async function removeFile(message, file) {
    const isSure = await dialogs.confirm({ title: "Delete this file for everyone?", text: file.name, action: "Delete", isDanger: true });
    place.rowOf(message.id)?.focus({ preventScroll: true });
    if (!isSure) return;
    try {
      took(await app.api.delete(`/messages/${message.id}/files/${file.id}`));
    } catch (error) {
      app.failed(error);
    }
  }

  let shownPin = 0;
  /** The bar that leads to what is pinned, one after the other. @param {HTMLElement} bar @param {Message[]} pins */
  function showPins(bar, pins) {
    const open = pins.filter((each) => !each.deleted);
    bar.hidden = open.length === 0;
    if (open.length === 0) return;
    shownPin %= open.length;
    const pin = open[open.length - 1 - shownPin];
    replace(
      bar,
      icon("pin"),
      h("button", { type: "button", class: "pin-text", on: { click: () => { void place.goTo(pin.id); shownPin++; showPins(bar, pins); } } }, h("strong", null, open.length > 1 ? `Pinned message ${words.number(open.length - shownPin)} of ${words.number(open.length)}` : "Pinned message"), h("span", { class: "one-line", dir: "auto" }, `${pin.sender_name}: ${words.cut(words.preview(pin), 200)}`)),
      open.length > 1 && iconButton("pin", "All pinned messages", () => dialogs.pinned(app, open, (message) => void place.goTo(message))),
    );
  }

  /** Asks whether a group that somebody was added to becomes theirs. @param {HTMLElement} banner @param {any} of @param {(conversation: any) => void} accepted */
  function ask(banner, of, accepted) {
    const by = place.person(of.me.added_by ?? of.me.invited_by?.[0])?.name ?? words.own.unknown;
    /** @param {boolean} accept */
    const answer = async (accept) => {
      try {
        const answered = await app.api.post(`/conversations/${place.id}/answer`, { accept });
        if (accept) accepted(answered);
        else app.navigate("#/");
      } catch (error) {
        app.failed(error);
      }
    };
    replace(
      banner,
      h("p", { dir: "auto" }, `${by} invites you to “${of.title}”. Nobody learns that you have seen it.`),
      h("div", { class: "actions" }, h("button", { class: "primary", type: "button", on: { click: () => void answer(true) } }, "Accept"), h("button", { type: "button", on: { click: () => void answer(false) } }, "Decline")),
    );
  }

  /** @param {(moment: Date) => Promise<void>} go */
  async function chooseDay(go) {
    const moment = await dialogs.day();
    if (moment) await go(moment);
  }

  /** Attaches files that are dropped anywhere on the conversation. @param {HTMLElement} element @param {(files: File[]) => void} attach */
  function takeDrops(element, attach) {
    let depth = 0;
    const dropZone = h("div", { class: "drop", hidden: true }, icon("attach"), h("p", null, "Drop files to attach them"));
    element.append(dropZone);
    element.addEventListener("dragenter", (event) => {
      if (![...event.dataTransfer?.types ?? []].includes("Files") || !canWrite()) return;
      event.preventDefault();
      depth++;
      dropZone.hidden = false;
    });
    element.addEventListener("dragover", (event) => {
      if (!dropZone.hidden) event.preventDefault();
    });
    element.addEventListener("dragleave", () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) dropZone.hidden = true;
    });
    element.addEventListener("drop", (event) => {
      depth = 0;
      if (dropZone.hidden) return;
      event.preventDefault();
      dropZone.hidden = true;
      attach([...event.dataTransfer?.files ?? []]);
    });
  }

  return { act, ask, chooseDay, showPins, takeDrops };
}
