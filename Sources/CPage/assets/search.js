// Finds messages, everywhere or in one conversation. Enter jumps to the first one found, arrow keys choose another.

import { h, icon, replace } from "./dom.js";
import { emptyState, screenOf } from "./parts.js";
import { conversationOf } from "./store.js";
import * as words from "./words.js";

/**
 * @param {import("./main.js").App} app
 * @param {import("./main.js").Params} params
 */
export function screen(app, params) {
  const { query, signal } = params;
  const here = query.get("in") ?? params.conversation ?? null;
  const isBeside = params.conversation !== undefined;
  const title = here ? conversationOf(app.state, here)?.title : null;
  const field = h("input", { type: "search", value: query.get("q") ?? "", "aria-label": "Search messages", placeholder: "Words in messages", autocomplete: "off", spellcheck: "false", "aria-controls": "search-hits" });
  const scope = h("select", { "aria-label": "Where to search", class: "compact" }, h("option", { value: "" }, "Everywhere"), here && h("option", { value: here }, title ? `In ${title}` : "In this conversation"));
  scope.value = here ?? "";
  const told = h("p", { class: "note", role: "status" });
  const list = h("ol", { class: "hits", id: "search-hits", "aria-label": "Messages found" });
  const more = h("button", { type: "button", class: "quiet", hidden: true, on: { click: () => void find(true) } }, "Show earlier ones");
  const blank = h("div");
  /** @type {string | undefined} */
  let before;
  let asked = 0;
  let count = 0;
  /** @type {number | undefined} */
  let planned;

  /** @param {boolean} isMore */
  async function find(isMore = false) {
    const wanted = field.value.trim();
    const number = ++asked;
    if (!isMore) remember(wanted);
    if (!wanted) {
      replace(list);
      more.hidden = true;
      told.textContent = "";
      replace(blank, emptyState("search", "Search your messages", "Words in any order; a beginning of a word is enough."));
      return;
    }
    try {
      const page = await app.api.get("/search", { q: wanted, conversation: scope.value || undefined, before: isMore ? before : undefined, limit: 30 }, signal);
      // Somebody typed on meanwhile: an older answer must not take the place of a newer one.
      if (number !== asked) return;
      if (!isMore) {
        replace(list);
        count = 0;
      }
      for (const hit of page.hits) list.append(hitRow(hit, wanted));
      count += page.hits.length;
      before = page.earlier;
      more.hidden = !before;
      told.textContent = count === 0 ? "" : `${words.plural(count, "message")}${before ? " so far" : ""}`;
      replace(blank, count === 0 && emptyState("search", "Nothing was found", scope.value ? "Try another word, or search everywhere." : "Try another word, or a beginning of one."));
    } catch (error) {
      app.failed(error);
    }
  }

  /** The address keeps what is searched for, so that Back returns to it. @param {string} wanted */
  function remember(wanted) {
    const parameters = new URLSearchParams();
    if (wanted) parameters.set("q", wanted);
    if (here && !isBeside) parameters.set("in", here);
    const place = isBeside ? `#/conversation/${here}/search` : "#/search";
    history.replaceState(null, "", place + (parameters.size ? `?${parameters}` : ""));
  }

  field.addEventListener("input", () => {
    clearTimeout(planned);
    planned = setTimeout(() => void find(), 150);
  });
  scope.addEventListener("change", () => void find());
  field.addEventListener("keydown", async (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") {
      event.preventDefault();
      /** @type {HTMLElement | null} */ (list.querySelector("a"))?.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(planned);
      await find();
      const first = list.querySelector("a");
      if (first) app.navigate(first.getAttribute("href") ?? "#/");
    }
  });
  list.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(/** @type {any} */ (document.activeElement));
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || at < 0) return;
    event.preventDefault();
    if (at + step < 0) field.focus();
    else links[Math.min(links.length - 1, at + step)].focus();
  });
  void find();
  requestAnimationFrame(() => !signal.aborted && field.focus());
  return screenOf(
    { title: "Search", back: here ? `#/conversation/${here}` : "#/", level: isBeside ? 2 : 1 },
    h("search", { class: "search-bar" }, h("div", { class: "search-field" }, icon("search"), field), here && scope),
    told,
    list,
    more,
    blank,
  );
}

/** @param {any} hit @param {string} wanted */
function hitRow(hit, wanted) {
  const { message } = hit;
  return h(
    "li",
    null,
    h(
      "a",
      { class: "row hit", href: `#/conversation/${message.conversation}/${message.id}` },
      h(
        "span",
        { class: "body" },
        h("span", { class: "hit-head" }, h("strong", { class: "one-line", dir: "auto" }, message.sender_name ?? words.own.unknown), h("span", { class: "note one-line", dir: "auto" }, `in ${hit.title}`), h("time", { class: "note", datetime: message.sent_at, title: words.moment(message.sent_at) }, words.when(message.sent_at))),
        h("span", { class: "excerpt", dir: "auto" }, ...marked(hit.excerpt, wanted)),
      ),
    ),
  );
}

/** A text with the words that were found made to stand out. @param {string} text @param {string} wanted */
export function marked(text, wanted) {
  const parts = wanted.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (parts.length === 0) return [text];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join("|")})`, "giu");
  /** @type {Array<string | Node>} */
  const pieces = [];
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    const start = match.index ?? 0;
    if (start > last) pieces.push(text.slice(last, start));
    pieces.push(h("mark", null, match[0]));
    last = start + match[0].length;
  }
  if (last < text.length) pieces.push(text.slice(last));
  return pieces;
}
