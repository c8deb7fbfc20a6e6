// The history of a group: who added, removed and promoted whom, what does not count, and why.

import { h, replace } from "./dom.js";
import { screenOf } from "./parts.js";
import { laneGraph, legend } from "./lanegraph.js";
import { without } from "./lanes.js";
import * as words from "./words.js";

/** What says nothing about who is in the group. */
const technical = new Set(["device", "merge"]);

/** The most operations that are drawn; older ones are left out. */
const most = 300;

/**
 * @param {import("./main.js").App} app
 * @param {import("./main.js").Params} params
 */
export async function screen(app, params) {
  const { conversation = "", signal } = params;
  const place = h("div", { class: "stack" });
  const every = h("input", { type: "checkbox", role: "switch", on: { change: draw } });
  const onlyVoid = h("input", { type: "checkbox", role: "switch", on: { change: draw } });
  /** @type {any[]} */
  let history = [];

  async function load() {
    history = await app.api.get(`/conversations/${conversation}/membership`, undefined, signal);
    if (!signal.aborted) draw();
  }

  function draw() {
    const operations = history.map((each, at) => ({ ...each, parents: each.parents ?? (at > 0 ? [history[at - 1].id] : []) }));
    let shown = without(operations, (each) => every.checked || !technical.has(each.type));
    if (onlyVoid.checked) {
      const deciders = new Set(shown.filter((each) => !each.effective).map((each) => each.decided_by));
      shown = without(shown, (each) => !each.effective || deciders.has(each.id));
    }
    const left = Math.max(0, shown.length - most);
    if (left > 0) {
      const kept = new Set(shown.slice(left).map((each) => each.id));
      shown = without(shown, (each) => kept.has(each.id));
    }
    const voids = history.filter((each) => !each.effective).length;
    replace(
      place,
      h("p", { class: "note", role: "status" }, `${words.plural(shown.length, "change")}, ${voids === 0 ? "all of them count" : `${words.number(voids)} of ${words.number(history.length)} do not count`}`),
      left > 0 && h("p", { class: "note" }, `${words.plural(left, "older one")} are not drawn.`),
      shown.length === 0 ? h("p", { class: "muted" }, "Nothing here is void.") : laneGraph(shown.map(entry), signal),
    );
  }
  await load();
  let planned = 0;
  app.onEvent((event) => {
    if (event.conversation !== conversation || (event.type !== "conversation" && event.message?.kind !== "system")) return;
    clearTimeout(planned);
    planned = setTimeout(() => !signal.aborted && void load().catch(app.failed), 300);
  }, signal);
  return screenOf(
    { title: "History of the group", back: `#/conversation/${conversation}/info`, backLabel: "Back to the details", level: 2 },
    legend(),
    h("div", { class: "choices" }, h("label", { class: "choice" }, onlyVoid, "Only what does not count"), h("label", { class: "choice" }, every, "Devices and merges, too")),
    place,
  );
}

/** @param {any} operation @returns {import("./lanegraph.js").Entry} */
function entry(operation) {
  const { action, reason, more } = told(operation.sentence, operation.effective);
  return {
    id: operation.id,
    parents: operation.parents,
    action,
    reason,
    more,
    note: `${words.when(operation.time)}${words.when(operation.time).includes(":") ? "" : `, ${words.time(operation.time)}`}`,
    effective: operation.effective,
    rule: operation.rule,
    decidedBy: operation.decided_by,
  };
}

/**
 * The parts of the node's sentence: what was done; why it is void; what became of what it granted.
 * @param {string} sentence @param {boolean} isEffective
 * @returns {{action: string, reason?: string, more?: string}}
 */
export function told(sentence, isEffective) {
  if (!isEffective) {
    const at = sentence.lastIndexOf(". Void: ");
    if (at < 0) return { action: sentence };
    const why = sentence.slice(at + 8);
    const by = why.indexOf(", by this: ");
    return { action: sentence.slice(0, at), reason: (by < 0 ? why : why.slice(0, by)).replace(/\.$/, "") };
  }
  return { action: sentence.replace(/\.$/, "") };
}
