// The files that are to be sent with a message: a picture of each, how far it is on its way to the node, and a way to take it back.

import { h, icon, iconButton, keyed, replace } from "./dom.js";
import { upload } from "./upload.js";
import * as words from "./words.js";

const maximumFiles = 16;
const maximumFileBytes = 100 * 1024 * 1024;

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
 * @param {object} options
 * @param {(isReady: boolean) => void} options.changed
 * @param {() => void} options.focus
 */
export function attachments(app, options) {
  const element = h("div", { class: "attachments", role: "list", "aria-label": "Attached files", hidden: true });
  /** @type {Attachment[]} */
  let list = [];

  /** @param {File[]} files */
  function add(files) {
    for (const file of files) {
      if (list.length >= maximumFiles) {
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
      list.push(attachment);
      void send(attachment);
    }
    options.changed(false);
  }

  /** @param {Attachment} attachment */
  async function send(attachment) {
    attachment.phase = "uploading";
    attachment.part = 0;
    attachment.abort = new AbortController();
    show();
    try {
      attachment.uploaded = await upload(attachment.file, attachment.file.name, {
        signal: attachment.abort.signal,
        progress: (part) => {
          attachment.part = part;
          const bar = /** @type {HTMLProgressElement | null} */ (element.querySelector(`[data-key="${attachment.key}"] progress`));
          if (bar) bar.value = part;
        },
      });
      attachment.phase = "ready";
    } catch (error) {
      if (error instanceof DOMException) return;
      attachment.phase = "failed";
      attachment.reason = error instanceof Error ? error.message : "It could not be uploaded";
    }
    show();
    options.changed(attachment.phase === "ready");
  }

  /** @param {Attachment} attachment */
  function forget(attachment) {
    attachment.abort.abort();
    if (attachment.preview) URL.revokeObjectURL(attachment.preview);
    list = list.filter((each) => each !== attachment);
  }

  function show() {
    element.hidden = list.length === 0;
    keyed(element, list, (each) => each.key, (each) => h("div", { role: "listitem", data: { key: each.key } }), (item, each) => {
      if (item.dataset.phase === each.phase) return;
      item.dataset.phase = each.phase;
      item.className = `attachment ${each.phase}`;
      replace(
        item,
        each.preview ? h("img", { alt: "", src: each.preview }) : icon("file"),
        h("span", { class: "body" }, h("span", { class: "one-line", dir: "auto" }, each.file.name), h("small", { class: each.phase === "failed" ? "error-text" : "muted" }, each.phase === "failed" ? each.reason : words.size(each.file.size))),
        each.phase === "uploading" && h("progress", { max: "1", value: each.part, "aria-label": `Uploading ${each.file.name}` }),
        each.phase === "failed" && iconButton("retry", `Try ${each.file.name} again`, () => void send(each)),
        iconButton("close", `Remove ${each.file.name}`, () => {
          forget(each);
          show();
          options.changed(false);
          options.focus();
        }),
      );
    });
  }

  return {
    element,
    add,
    /** Whether there is any. */
    get isBusy() {
      return list.length > 0;
    },
    get isUploading() {
      return list.some((each) => each.phase === "uploading");
    },
    get hasFailed() {
      return list.some((each) => each.phase === "failed");
    },
    /** What the node made of them. @returns {any[]} */
    get uploaded() {
      return list.map((each) => each.uploaded);
    },
    /** Forgets all of them, sent or not. */
    clear() {
      for (const each of list) forget(each);
      show();
    },
  };
}
