// Shows a membership lane: a sentence for each operation, and beside them the graph of what follows what.

import { h, icon, replace } from "./dom.js";
import { svg } from "./parts.js";
import { layOut } from "./lanes.js";

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string[]} parents
 * @property {string} action what its author did, in words
 * @property {string} [note] when, or the id
 * @property {boolean} effective
 * @property {string} [rule] a code, where it is void
 * @property {string} [reason] why it is void, in words
 * @property {string} [decidedBy]
 * @property {string} [more] what became of what it granted
 */

/**
 * @param {Entry[]} entries each after its parents
 * @param {AbortSignal} signal
 * @returns {HTMLElement}
 */
export function laneGraph(entries, signal) {
  const { columns, width, edges, concurrent } = layOut(entries);
  const byId = new Map(entries.map((each) => [each.id, each]));
  /** @type {Map<string, HTMLElement>} */
  const rows = new Map();
  const gap = Math.max(9, Math.min(20, 150 / width));
  const space = Math.round(gap * (width - 1) + 28);
  const picture = svg("svg", { class: "lane-lines", "aria-hidden": "true", width: space });
  const list = h("ol", { class: "lane-rows" });
  list.style.setProperty("--graph", `${space}px`);

  /** @param {string} id */
  function show(id) {
    const row = rows.get(id);
    const button = /** @type {HTMLElement | null | undefined} */ (row?.querySelector("button"));
    row?.scrollIntoView({ block: "center" });
    button?.focus();
    row?.classList.add("pointed");
    setTimeout(() => row?.classList.remove("pointed"), 1600);
  }

  /** @param {Entry} entry */
  function details(entry) {
    const decider = entry.decidedBy ? byId.get(entry.decidedBy) : undefined;
    const beside = (concurrent.get(entry.id) ?? []).map((id) => byId.get(id)).filter((each) => each !== undefined);
    return [
      !entry.effective && h("p", null, h("strong", null, "Why it does not count: "), `${entry.reason ?? entry.rule ?? "unknown"}.`, entry.rule ? h("code", { class: "rule" }, entry.rule) : null),
      entry.decidedBy && h("p", null, h("strong", null, "What decided: "), decider ? h("button", { type: "button", class: "linklike", on: { click: () => show(decider.id) } }, decider.action) : h("code", null, entry.decidedBy.slice(0, 16))),
      entry.more && h("p", { dir: "auto" }, entry.more),
      beside.length > 0
        ? h("div", null, h("strong", null, "Neither author had seen the other’s: "), h("ul", { class: "beside" }, ...beside.slice(0, 8).map((each) => h("li", null, h("button", { type: "button", class: "linklike", on: { click: () => show(each.id) } }, each.action)))), beside.length > 8 && h("p", { class: "note" }, `and ${beside.length - 8} more`))
        : h("p", { class: "note" }, "Everything else here comes before it, or follows it."),
    ];
  }
  entries.forEach((entry) => {
    const isForked = (concurrent.get(entry.id) ?? []).length > 0;
    const place = h("div", { class: "lane-details", hidden: true });
    const button = h(
      "button",
      { type: "button", class: "lane-row", "aria-expanded": "false", on: { click: toggle } },
      h("span", { class: entry.effective ? "lane-action" : "lane-action void", dir: "auto" }, entry.effective ? entry.action : h("s", null, entry.action)),
      h("span", { class: "lane-note" }, !entry.effective && h("span", { class: "chip danger" }, "Void"), isForked && h("span", { class: "chip" }, "Concurrent"), entry.note && h("span", { class: "note" }, entry.note)),
    );
    function toggle() {
      const opens = place.hidden;
      place.hidden = !opens;
      button.setAttribute("aria-expanded", String(opens));
      if (opens) replace(place, ...details(entry));
      draw();
    }
    const row = h("li", { class: entry.effective ? "" : "void" }, button, place);
    rows.set(entry.id, row);
    list.append(row);
  });

  const root = h("div", { class: "lane" }, picture, list);

  /** @param {string} id */
  const x = (id) => 14 + gap * (columns.get(id) ?? 0);
  /** @param {string} id */
  const y = (id) => (rows.get(id)?.offsetTop ?? 0) + 22;

  function draw() {
    if (signal.aborted || !root.isConnected) return;
    picture.textContent = "";
    picture.setAttribute("height", String(list.offsetHeight));
    for (const { from, to, column } of edges) {
      const [x1, y1, x2, y2, between] = [x(from), y(from), x(to), y(to), 14 + gap * column];
      const bend = Math.min(26, (y2 - y1) / 2);
      const out = between === x1 ? `M${x1} ${y1}` : `M${x1} ${y1}C${x1} ${y1 + bend} ${between} ${y1} ${between} ${y1 + bend}`;
      const path = out + (between === x2 ? `V${y2}` : `V${y2 - bend}C${between} ${y2} ${x2} ${y2 - bend} ${x2} ${y2}`);
      const isVoid = !byId.get(to)?.effective;
      picture.append(svg("path", { class: isVoid ? "lane-line void" : "lane-line", d: path, fill: "none" }));
    }
    for (const entry of entries) {
      const at = { cx: x(entry.id), cy: y(entry.id) };
      if (entry.effective) picture.append(svg("circle", { class: "lane-dot", ...at, r: 5 }));
      else {
        const { cx, cy } = at;
        picture.append(svg("circle", { class: "lane-dot void", cx, cy, r: 6 }), svg("path", { class: "lane-cross", d: `M${cx - 2.5} ${cy - 2.5}l5 5M${cx + 2.5} ${cy - 2.5}l-5 5` }));
      }
    }
  }
  const observer = new ResizeObserver(draw);
  observer.observe(list);
  signal.addEventListener("abort", () => observer.disconnect());
  return root;
}

/** What the signs mean. */
export function legend() {
  return h("p", { class: "note legend" }, icon("graph"), "Lines lead from what an author had seen to what they did. Branches side by side are concurrent: neither author had seen the other’s. What does not count is struck through; press it to see the rule.");
}
