// Made-up cases of membership, judged by the rules of the node. Files of scenarios are dropped here; shuffling their operations shows
// that the order of arrival changes nothing.

import { h, icon, replace } from "./dom.js";
import { emptyState, screenOf, section } from "./parts.js";
import { laneGraph, legend } from "./lanegraph.js";
import { inCausalOrder } from "./lanes.js";
import * as words from "./words.js";

const orders = 20;
const mostBytes = 4 << 20;

/** A case that needs no file: two admins who remove each other at the same time. */
const example = {
  label: "Two admins remove each other",
  ops: [
    { id: "create", author: "Alice", type: "create", parents: [] },
    { id: "add", author: "Alice", type: "add", parents: ["create"], under: "create#0", targets: ["Bob", "Carol"] },
    { id: "promote Bob", author: "Alice", type: "promote", parents: ["add"], under: "create#0", target: "Bob", role: "admin" },
    { id: "promote Carol", author: "Alice", type: "promote", parents: ["promote Bob"], under: "create#0", target: "Carol", role: "admin" },
    { id: "Bob removes", author: "Bob", type: "remove", parents: ["promote Carol"], under: "promote Bob#1", target: "Carol" },
    { id: "Carol removes", author: "Carol", type: "remove", parents: ["promote Carol"], under: "promote Carol#1", target: "Bob" },
  ],
};

/**
 * @param {import("./main.js").App} app
 * @param {import("./main.js").Params} params
 */
export function screen(app, params) {
  const { signal } = params;
  /** @type {Array<{label: string, line: string}>} */
  let cases = [{ label: example.label, line: JSON.stringify(example) }];
  const choice = h("select", { "aria-label": "Case", on: { change: () => void show().catch(app.failed) } });
  const result = h("div", { class: "stack" });
  const told = h("div", { role: "status" });
  const all = h("button", { type: "button", on: { click: () => void checkAll().catch(app.failed) } }, icon("checks"), "Check every case");
  const shuffle = h("button", { type: "button", class: "primary", on: { click: () => void shuffled().catch(app.failed) } }, icon("retry"), "Shuffle");
  const file = h("input", { type: "file", accept: ".ndjson,.jsonl,.json,.txt", class: "visually-hidden", id: "scenario-file", on: { change: () => void take(file.files?.[0]).catch(app.failed) } });
  const drop = h(
    "div",
    { class: "lab-drop", on: { dragover: (/** @type {DragEvent} */ event) => { event.preventDefault(); drop.classList.add("over"); }, dragleave: () => drop.classList.remove("over"), drop: dropped } },
    icon("flask"),
    h("p", null, "Drop a file of scenarios here, or ", h("label", { for: "scenario-file", class: "linklike" }, "choose one"), file),
    h("p", { class: "note" }, "One JSON object a line, as ", h("code", null, "Tests/Fixtures/membership.ndjson"), " has them. Nothing here touches a group of yours."),
  );

  /** @param {DragEvent} event */
  function dropped(event) {
    event.preventDefault();
    drop.classList.remove("over");
    void take(event.dataTransfer?.files[0]).catch(app.failed);
  }

  /** @param {File | undefined} given */
  async function take(given) {
    if (!given) return;
    if (given.size > mostBytes) return app.toast(`${given.name} is larger than ${words.size(mostBytes)}`, "error");
    const lines = (await given.text()).split("\n").filter((line) => line.trim());
    const read = lines.map((line, at) => ({ label: labelOf(line) ?? `Case ${at + 1}`, line }));
    if (read.length === 0) return app.toast("There is no scenario in that file", "error");
    cases = read;
    list();
    replace(told, h("p", { class: "note" }, `${words.plural(cases.length, "case")} from ${given.name}`));
    await show();
  }

  function list() {
    replace(choice, ...cases.map((each, at) => h("option", { value: String(at) }, `${cases.length > 1 ? `${at + 1}. ` : ""}${each.label}`)));
    all.hidden = cases.length < 2;
  }

  /** @param {string} line @returns {Promise<any>} */
  const resolve = (line) => app.api.post("/membership/resolve", { scenario: line });
  const chosen = () => cases[Number(choice.value) || 0];

  async function show() {
    const { line } = chosen();
    try {
      const answer = await resolve(line);
      if (!signal.aborted) replace(result, ...parts(JSON.parse(line), answer, signal));
    } catch (error) {
      if (signal.aborted) return;
      replace(result, h("div", { class: "notice" }, icon("warning"), h("p", null, error instanceof Error ? error.message : String(error))));
    }
  }

  async function shuffled() {
    const scenario = JSON.parse(chosen().line);
    const first = JSON.stringify(await resolve(chosen().line));
    shuffle.disabled = true;
    try {
      let different = 0;
      for (let at = 1; at <= orders && !signal.aborted; at++) {
        const answer = await resolve(JSON.stringify({ ...scenario, ops: mixed(scenario.ops) }));
        if (JSON.stringify(answer) !== first) different++;
        replace(told, h("p", { class: "note" }, `${at} of ${orders} orders`));
      }
      replace(told, verdict(different === 0, different === 0 ? `${orders} random orders of the same ${words.plural(scenario.ops.length, "operation")}: every one gives this result.` : `${words.plural(different, "order")} gave another result. That must not happen: please report it with this case.`));
    } finally {
      shuffle.disabled = false;
    }
  }

  async function checkAll() {
    all.disabled = true;
    /** @type {string[]} */
    const wrong = [];
    let checked = 0;
    try {
      for (const [at, each] of cases.entries()) {
        if (signal.aborted) return;
        try {
          const scenario = JSON.parse(each.line);
          const answer = await resolve(JSON.stringify({ ...scenario, ops: mixed(scenario.ops) }));
          if (scenario.expect) {
            checked++;
            if (!isExpected(scenario.expect, answer)) wrong.push(each.label);
          }
        } catch (error) {
          wrong.push(`${each.label}: ${error instanceof Error ? error.message : error}`);
        }
        replace(told, h("p", { class: "note" }, `${at + 1} of ${cases.length} cases`));
      }
      replace(told, verdict(wrong.length === 0, wrong.length === 0 ? `${words.plural(cases.length, "case")}, each in a random order: ${checked === cases.length ? "all" : words.number(checked)} end as the file says.` : `${words.number(wrong.length)} of ${words.plural(cases.length, "case")} end otherwise: ${wrong.slice(0, 5).join("; ")}`));
    } finally {
      all.disabled = false;
    }
  }
  list();
  void show().catch(app.failed);
  return screenOf(
    { title: "Laboratory", back: "#/", isWide: true },
    h("p", { class: "lead" }, "What would become of a group? Made-up histories are judged here by the rules that judge yours, whatever the order in which the operations arrive."),
    drop,
    h("div", { class: "lab-bar" }, choice, shuffle, all),
    told,
    result,
  );
}

/** @param {boolean} isGood @param {string} text */
function verdict(isGood, text) {
  return h("div", { class: isGood ? "notice good" : "notice" }, icon(isGood ? "check" : "warning"), h("p", null, text));
}

/** @param {string} line */
function labelOf(line) {
  try {
    const { label } = JSON.parse(line);
    return typeof label === "string" ? label : null;
  } catch {
    return null;
  }
}

/** In a random order. @template T @param {T[]} list @returns {T[]} */
function mixed(list) {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [copy[at], copy[other]] = [copy[other], copy[at]];
  }
  return copy;
}

/** Whether an answer is what a file says. @param {any} expect @param {any} answer */
export function isExpected(expect, answer) {
  const members = Object.fromEntries(answer.members.map((/** @type {any} */ each) => [each.person, each.role]));
  const fields = Object.fromEntries(answer.fields.map((/** @type {any} */ each) => [each.name, each.value]));
  /** @param {any} one @param {any} other */
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  /** @param {any} object */
  const sorted = (object) => Object.entries(object ?? {}).sort(([one], [other]) => one < other ? -1 : 1);
  return same(sorted(expect.members), sorted(members)) && same(sorted(expect.fields), sorted(fields)) &&
    (expect.acting ?? null) === (answer.acting_admin ?? null) && expect.archived === answer.archived &&
    same(expect.waitlist ?? [], answer.waitlist) && same(expect.void ?? [], answer.void.map((/** @type {any} */ each) => each.id)) &&
    same(sorted(expect.content), sorted(Object.fromEntries((answer.content ?? []).map((/** @type {any} */ each) => [each.id, each.result]))));
}

/** @param {any} scenario @param {any} answer @param {AbortSignal} signal */
function parts(scenario, answer, signal) {
  /** @type {Map<string, any>} */
  const voids = new Map(answer.void.map((/** @type {any} */ each) => [each.id, each]));
  const entries = inCausalOrder(/** @type {any[]} */ (scenario.ops)).map((each) => {
    const reason = voids.get(each.id);
    return { id: each.id, parents: each.parents, action: sentence(each), note: each.id, effective: !reason, rule: reason?.rule, reason: reason?.sentence, decidedBy: reason?.decided_by };
  });
  return [
    h(
      "div",
      { class: "lab-result" },
      h("div", { class: "card stack" }, section("Who is in the group", answer.members.length === 0 ? h("p", { class: "muted" }, "Nobody.") : h("ul", { class: "lab-members" }, ...answer.members.map((/** @type {any} */ each) => h("li", null, h("span", { dir: "auto" }, each.person), h("span", { class: each.role === "member" ? "chip" : "chip accent" }, each.person === answer.acting_admin ? "acting admin" : each.role)))))),
      h(
        "dl",
        { class: "facts" },
        fact("Does not count", answer.void.length === 0 ? "nothing" : words.plural(answer.void.length, "operation")),
        fact("Archived", answer.archived ? "yes" : "no"),
        fact("Waiting for room", answer.waitlist.join(", ") || "nobody"),
        ...answer.fields.map((/** @type {any} */ each) => fact(each.name, each.value)),
        scenario.expect && fact("As the file says", isExpected(scenario.expect, answer) ? "yes" : "no"),
      ),
    ),
    answer.content && section("What counts of what was written", written(scenario.content, answer.content)),
    entries.length > 400 ? emptyState("graph", "Too many operations to draw", "The result stands above.") : h("div", { class: "stack" }, section("What happened", legend(), laneGraph(entries, signal))),
  ];
}

/** What was written in a scenario, and whether it counts. @param {any[]} content @param {any[]} answers */
function written(content, answers) {
  const results = new Map(answers.map((each) => [each.id, each]));
  return h("dl", { class: "facts" }, ...content.map((each) => {
    const { result, sentence: why, decided_by: by } = results.get(each.id);
    return fact(`${each.id}: ${each.type} by ${each.author}`, why ? `does not count: ${why}${by ? ` (${by})` : ""}` : `counts, as of a ${result}`);
  }));
}

/** @param {string} name @param {string} value */
function fact(name, value) {
  return h("div", { class: "fact" }, h("dt", null, name), h("dd", { dir: "auto" }, value));
}

/** What somebody did in a scenario, in words. @param {any} each */
export function sentence(each) {
  const whom = each.target ?? (each.targets ?? []).join(", ");
  switch (each.type) {
    case "create": return `${each.author} created the group`;
    case "add": return `${each.author} added ${whom}`;
    case "invite": return each.code ? `${each.author} made a code by which somebody can join` : `${each.author} invited ${whom}`;
    case "join": return `${each.author} accepted an invite`;
    case "decline": return `${each.author} declined an invite`;
    case "cancel": return `${each.author} took back an invite`;
    case "remove": return `${each.author} removed ${whom}`;
    case "promote": case "demote": return `${each.author} made ${whom} ${each.role}`;
    case "set": return `${each.author} set the ${each.field} to “${each.value}”`;
    case "ratify": return `${each.author} ratified who is in the group`;
    case "device": return `${each.author} introduced a device`;
    case "merge": return `${each.author} joined what had been written side by side`;
    case "leave": return `${each.author} left`;
    case "stepdown": return `${each.author} stepped down`;
    default: return `${each.author}: ${each.type}`;
  }
}
