// A file in a message: a photo in its box, a film or a sound with its controls, anything else as a download; and how it comes.

import { api } from "./api.js";
import { h, icon } from "./dom.js";
import * as words from "./words.js";

/** Why a file waits or failed, by code. @type {Record<string, string>} */
const reasons = {
  no_peer: "Nobody who is connected has it",
  disk_full: "The disk is full",
  too_large: "It is too large",
  digest_mismatch: "What came is not what was sent",
  quota_exceeded: "There is no room for it",
};

/**
 * The part of a message that a file is. What happens on a press is said by `data-act`, and done by the list.
 * @param {any} file
 */
export function filePart(file) {
  const isHere = file.state === "here";
  if (file.kind === "photo" && (isHere || file.thumbnail?.here)) return photo(file);
  if (isHere && (file.kind === "video" || /^video\//.test(file.media_type ?? ""))) {
    return h("video", { class: "film", controls: true, preload: "metadata", src: api.blob(file.id), "aria-label": file.name });
  }
  if (isHere && /^audio\//.test(file.media_type ?? "")) {
    return h("div", { class: "file sound" }, h("span", { class: "file-name", dir: "auto" }, file.name), h("audio", { controls: true, preload: "metadata", src: api.blob(file.id), "aria-label": file.name }));
  }
  return document_(file);
}

/** @param {any} file */
function photo(file) {
  const isHere = file.state === "here";
  const picture = h("img", { alt: "", loading: "lazy", decoding: "async", src: api.blob(isHere ? file.id : file.thumbnail.id) });
  const button = h("button", { type: "button", class: "photo", "aria-label": `Photo ${file.name}`, data: { act: "photo", id: file.id } }, picture);
  const size = file.width ? file : file.thumbnail;
  if (size?.width && size.height) {
    button.style.setProperty("--ratio", `${size.width} / ${size.height}`);
    button.classList.add("sized");
    if (size.width < size.height) button.classList.add("tall");
  }
  const bar = progress(file);
  if (bar) button.append(bar);
  return button;
}

/** @param {any} file */
function document_(file) {
  const isHere = file.state === "here";
  const kind = file.kind === "photo" ? icon("gallery") : icon("file");
  const detail = isHere ? words.size(file.size) : stateText(file);
  const text = h("span", { class: "body" }, h("span", { class: "file-name", dir: "auto" }, file.name), h("small", null, detail));
  if (isHere) {
    return h("a", { class: "file", href: api.blob(file.id), download: file.name, title: `Save ${file.name}` }, h("span", { class: "file-icon" }, kind), text, icon("download"));
  }
  return h(
    "div",
    { class: "file" },
    h("span", { class: "file-icon" }, kind),
    text,
    progress(file),
    file.state === "fetching" || file.state === "waiting"
      ? h("button", { type: "button", class: "small quiet", data: { act: "stop-file", id: file.id } }, "Cancel")
      : h("button", { type: "button", class: "small", data: { act: "fetch-file", id: file.id } }, file.state === "offered" ? "Fetch" : "Try again"),
  );
}

/** @param {any} file */
function progress(file) {
  if (file.state !== "fetching") return null;
  return h("progress", { max: file.size || 1, value: file.received ?? 0, "aria-label": `Fetching ${file.name}` });
}

/** @param {any} file */
function stateText(file) {
  const reason = file.error ? reasons[file.error] ?? file.error : "";
  switch (file.state) {
    case "fetching": return `${words.size(file.received ?? 0)} of ${words.size(file.size)}`;
    case "waiting": return `${words.size(file.size)} · ${reason || "waits for somebody who has it"}`;
    case "offered": return `${words.size(file.size)} · not fetched`;
    case "cancelled": return `${words.size(file.size)} · canceled`;
    default: return `${words.size(file.size)} · ${reason || "failed"}`;
  }
}
