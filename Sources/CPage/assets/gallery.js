// Photos, videos, files and links of a conversation; and a viewer for the photos.

import { address, session } from "./api.js";
import { h, icon, iconButton, link, replace } from "./dom.js";
import { toastRegion } from "./main.js";
import { emptyState, fileName, screenOf, tabList } from "./parts.js";
import { conversationOf } from "./store.js";
import * as words from "./words.js";

/** The most files that the node puts into one archive. */
const mostInArchive = 256;

/** @typedef {import("./main.js").App} App */
/** @typedef {"photo" | "video" | "file" | "links"} Kind */

/** @type {Array<{key: Kind, text: string, empty: string}>} */
const kinds = [
  { key: "photo", text: "Photos", empty: "Photos that people send here appear in this place." },
  { key: "video", text: "Videos", empty: "Videos that people send here appear in this place." },
  { key: "file", text: "Files", empty: "Files that people send here appear in this place." },
  { key: "links", text: "Links", empty: "Addresses of web pages in messages appear in this place." },
];

/**
 * @param {App} app
 * @param {import("./main.js").Params} params
 */
export async function screen(app, params) {
  const { conversation = "", signal } = params;
  const kind = /** @type {Kind} */ (kinds.find((each) => each.key === params.path[0])?.key ?? "photo");
  const base = `#/conversation/${conversation}/files`;
  const panel = h("div", { role: "tabpanel", id: "gallery-panel", "aria-labelledby": `tab-${kind}`, class: "gallery" });
  const tabs = tabList("Kinds of files", kinds, kind, (key) => app.navigate(`${base}/${key}`, { replace: true }));
  if (kind === "links") await showLinks(app, conversation, panel, signal);
  else await showFiles(app, conversation, kind, panel, signal);
  return screenOf({ title: "Photos and files", back: `#/conversation/${conversation}/info`, backLabel: "Back to the details", level: 2 }, tabs, panel);
}

/** @param {Kind} kind */
function nothing(kind) {
  return emptyState(kind === "links" ? "link" : kind === "file" ? "file" : "gallery", "Nothing is here yet", kinds.find((each) => each.key === kind)?.empty ?? "");
}

/** @param {App} app @param {string} conversation @param {HTMLElement} panel @param {AbortSignal} signal */
async function showLinks(app, conversation, panel, signal) {
  const list = h("ul", { class: "links" });
  const more = h("button", { type: "button", class: "quiet", on: { click: () => void load().catch(app.failed) } }, "Show earlier ones");
  /** @type {string | undefined} */
  let before;
  async function load() {
    const page = await app.api.get(`/conversations/${conversation}/links`, { before, limit: 50 }, signal);
    for (const each of page.links) {
      list.append(h(
        "li",
        null,
        h("div", { class: "body" }, link(each.url), h("small", { class: "muted" }, h("span", { dir: "auto" }, each.sender_name ?? words.own.unknown), `, ${words.when(each.sent_at)}`)),
        h("a", { class: "icon-button", href: `#/conversation/${conversation}/${each.message}`, "aria-label": `Show the message with ${each.url}`, title: "Show the message" }, icon("message")),
      ));
    }
    before = page.earlier;
    more.hidden = !before;
  }
  await load();
  if (list.childElementCount === 0) replace(panel, nothing("links"));
  else replace(panel, list, more);
}

/** @param {App} app @param {string} conversation @param {Kind} kind @param {HTMLElement} panel @param {AbortSignal} signal */
async function showFiles(app, conversation, kind, panel, signal) {
  /** @type {any[]} */
  let files = [];
  /** @type {Set<string>} */
  const chosen = new Set();
  let isChoosing = false;

  /** What a page had as `earlier`. @type {string | undefined} */
  let before;
  /** How many pages of nothing are asked for before the reader is: where few files are of this kind, the node stops looking now and then. */
  const mostEmptyPages = 8;

  /** The files of a page, the newest first. @param {string} [start] */
  async function page(start) {
    const found = await app.api.get(`/conversations/${conversation}/files`, { kind, before: start, limit: 100 }, signal);
    return { files: found.files.reverse(), earlier: found.earlier };
  }

  /** Goes further back until there is something to show. */
  async function loadEarlier() {
    for (let count = 0; count < mostEmptyPages; count += 1) {
      const found = await page(before);
      files = [...files, ...found.files];
      before = found.earlier;
      if (!before || found.files.length > 0) break;
    }
    draw();
  }

  /** Takes in what is new, and how the newest are doing now. */
  async function loadNewest() {
    const newest = (await page()).files;
    const known = new Set(newest.map(keyOf));
    files = [...newest, ...files.filter((each) => !known.has(keyOf(each)))];
    draw();
  }

  /** One blob may be in several messages. @param {any} file */
  function keyOf(file) {
    return `${file.message}/${file.id}`;
  }

  function draw() {
    const more = before ? h("button", { type: "button", class: "quiet", on: { click: () => void loadEarlier().catch(app.failed) } }, "Show earlier ones") : null;
    if (files.length === 0) return more ? replace(panel, more) : replace(panel, nothing(kind));
    const here = files.filter((each) => each.state === "here");
    const bar = h(
      "div",
      { class: "actions gallery-bar" },
      h("span", { class: "note", role: "status" }, isChoosing ? `${words.number(chosen.size)} chosen` : (before ? "The newest " : "") + words.plural(files.length, kinds.find((each) => each.key === kind)?.text.slice(0, -1).toLowerCase() ?? "file")),
      isChoosing && h("button", { type: "button", class: "quiet small", on: { click: () => { here.forEach((each) => chosen.add(each.id)); draw(); } } }, "Choose all"),
      isChoosing && h("button", { type: "button", class: "primary small", disabled: chosen.size === 0, on: { click: () => saveAll(files.filter((each) => chosen.has(each.id))) } }, "Save"),
      here.length > 0 && h("button", { type: "button", class: "quiet small", on: { click: () => { isChoosing = !isChoosing; chosen.clear(); draw(); } } }, isChoosing ? "Cancel" : "Choose"),
    );
    const list = h("ul", { class: kind === "file" ? "file-rows" : "tiles" }, ...files.map((file) => h("li", null, kind === "file" ? row(file) : tile(file), isChoosing && file.state === "here" ? check(file) : null)));
    replace(panel, bar, list, ...(more ? [more] : []));
  }

  /** @param {any} file */
  function check(file) {
    const box = h("input", { type: "checkbox", class: "choose", checked: chosen.has(file.id), "aria-label": `Choose ${file.name}` });
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(file.id);
      else chosen.delete(file.id);
      const status = panel.querySelector("[role=status]");
      if (status) status.textContent = `${words.number(chosen.size)} chosen`;
      const button = /** @type {HTMLButtonElement | null} */ (panel.querySelector("button.primary"));
      if (button) button.disabled = chosen.size === 0;
    });
    return box;
  }

  /** @param {any} file */
  function tile(file) {
    const isVideo = file.kind === "video";
    const picture = isVideo ? null : file.thumbnail?.here ? file.thumbnail.id : file.state === "here" ? file.id : null;
    return h(
      "button",
      { type: "button", class: "tile", "aria-label": `${isVideo ? "Video" : "Photo"} ${file.name}`, on: { click: () => file.state === "here" ? view(app, files.filter((each) => each.state === "here"), file.id, conversation) : fetchFile(file) } },
      picture ? h("img", { alt: "", loading: "lazy", decoding: "async", src: app.api.blob(picture) }) : icon(isVideo ? "gallery" : "file"),
      isVideo || !picture ? h("span", { class: "one-line", dir: "auto" }, file.name) : null,
      file.state !== "here" ? h("span", { class: "chip" }, icon("download"), state(file)) : null,
    );
  }

  /** @param {any} file */
  function row(file) {
    const body = h("span", { class: "body" }, h("span", { class: "one-line", dir: "auto" }, file.name), h("small", { class: "muted" }, `${words.size(file.size)}${file.state === "here" ? "" : `, ${state(file)}`}`));
    const save = file.state === "here"
      ? h("a", { class: "icon-button", href: app.api.blob(file.id), download: file.name, "aria-label": `Save ${file.name}`, title: "Save" }, icon("download"))
      : iconButton("download", `Fetch ${file.name}`, () => fetchFile(file));
    const go = file.message ? h("a", { class: "icon-button", href: `#/conversation/${conversation}/${file.message}`, "aria-label": `Show the message with ${file.name}`, title: "Show the message" }, icon("message")) : null;
    return h("div", { class: "row" }, h("span", { class: "file-sign" }, icon("file")), body, h("span", { class: "end" }, go, save));
  }

  /** @param {any} file */
  function fetchFile(file) {
    app.api.post(`/blobs/${file.id}/transfer`).catch(app.failed);
  }

  /** One file as it is, several in archives that the node writes as they are read. @param {any[]} list */
  function saveAll(list) {
    // A link that is nowhere on the page gets no new ticket when it is pressed.
    if (!session.isProven) return;
    if (list.length === 1) h("a", { href: session.ticketed(address(`/blobs/${list[0].id}`)), download: list[0].name }).click();
    const name = fileName(conversationOf(app.state, conversation)?.title ?? "");
    for (let at = 0; list.length > 1 && at < list.length; at += mostInArchive) {
      // Twelve digits of an id name it among the files of a conversation, and keep the address short.
      const files = list.slice(at, at + mostInArchive).map((file) => file.id.slice(0, 12)).join(",");
      h("a", { href: session.ticketed(address(`/conversations/${conversation}/archive`, { files })), download: `${name}.zip` }).click();
    }
    app.toast(list.length === 1 ? `${list[0].name} is being saved` : `${words.plural(list.length, "file")} are being saved`);
    isChoosing = false;
    chosen.clear();
    draw();
  }

  app.onEvent((event) => {
    const isHere = event.conversation === conversation || event.file?.conversation === conversation;
    if (!isHere) return;
    if (event.type === "file") {
      // Wherever it is in the list, it is known already how it is doing.
      files = files.map((each) => each.id === event.file.id ? { ...event.file, message: each.message, conversation: each.conversation } : each);
      if (event.file.state === "here" && !isChoosing) draw();
    } else if (event.type === "message_changed") {
      const kept = new Set(event.message?.files?.map((/** @type {any} */ each) => each.id));
      const left = files.filter((each) => each.message !== event.message?.id || kept.has(each.id));
      if (left.length === files.length) return;
      files = left;
      if (!isChoosing) draw();
    } else if ((event.message?.files?.length > 0 || event.folded) && !isChoosing) void loadNewest().catch(app.failed);
  }, signal);
  await loadEarlier();
}

/** @param {any} file */
function state(file) {
  switch (file.state) {
    case "fetching": return `${Math.floor((100 * file.received) / Math.max(1, file.size))} %`;
    case "waiting": return "waiting";
    case "offered": return "not fetched";
    case "cancelled": return "canceled";
    default: return "failed";
  }
}

/**
 * Shows photos and films large, one after the other. Arrow keys turn the page, Escape closes.
 * @param {App} app
 * @param {any[]} files those that are here
 * @param {string} id
 * @param {string} [conversation]
 */
export function view(app, files, id, conversation) {
  let at = Math.max(0, files.findIndex((file) => file.id === id));
  const stage = h("div", { class: "stage" });
  const title = h("h2", { dir: "auto", class: "one-line" });
  const place = h("span", { class: "note" });
  const actions = h("span", { class: "actions" });
  const before = iconButton("back", "Previous", () => turn(-1));
  const after = iconButton("back", "Next", () => turn(1), { class: "turned" });
  const dialog = h(
    "dialog",
    { class: "viewer", "aria-labelledby": "viewer-title" },
    h("header", null, title, place, actions, iconButton("close", "Close", () => dialog.close())),
    h("div", { class: "viewer-body" }, before, stage, after),
  );
  title.id = "viewer-title";
  const gone = new AbortController();
  dialog.append(toastRegion(gone.signal));

  function draw() {
    const file = files[at];
    title.textContent = file.name;
    place.textContent = files.length > 1 ? `${at + 1} of ${files.length}` : "";
    replace(stage, file.kind === "video" ? h("video", { controls: true, src: app.api.blob(file.id), "aria-label": file.name }) : h("img", { alt: file.name, src: app.api.blob(file.id) }));
    replace(
      actions,
      conversation && file.message ? h("a", { class: "icon-button", href: `#/conversation/${conversation}/${file.message}`, "aria-label": "Show the message", title: "Show the message", on: { click: () => dialog.close() } }, icon("message")) : null,
      h("a", { class: "icon-button", href: app.api.blob(file.id), download: file.name, "aria-label": `Save ${file.name}`, title: "Save" }, icon("download")),
    );
    before.disabled = at === 0;
    after.disabled = at === files.length - 1;
  }

  /** @param {number} step */
  function turn(step) {
    const next = Math.min(files.length - 1, Math.max(0, at + step));
    if (next === at) return;
    at = next;
    draw();
  }

  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") turn(-1);
    else if (event.key === "ArrowRight") turn(1);
    else if (event.key === "Home") turn(-files.length);
    else if (event.key === "End") turn(files.length);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === stage || event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    gone.abort();
    dialog.remove();
  });
  draw();
  document.body.append(dialog);
  dialog.showModal();
}
