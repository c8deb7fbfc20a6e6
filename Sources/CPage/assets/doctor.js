// Why hosts do not see or reach each other: the node has its host looked at, and what is found stands here as `moot doctor` prints it.

import { APIError } from "./api.js";
import { h, icon, replace } from "./dom.js";
import { copyButton, disabling, fact, screenOf, section } from "./parts.js";
import * as words from "./words.js";

/** How long somebody waits whose turn it is not, in milliseconds. */
const pause = 1_000;

/**
 * @param {import("./main.js").App} app
 * @param {import("./main.js").Params} params
 */
export function screen(app, params) {
  const { signal } = params;
  const verdict = h("div", { role: "status" });
  const found = h("div", { class: "stack" });
  const whom = h("select", null, h("option", { value: "" }, words.own.nobody));
  const look = h("button", { type: "button", on: { click: () => void disabling([look, whom], run) } }, icon("retry"), "Look again");

  async function run() {
    replace(verdict, h("p", { class: "note" }, "Looking at this host. It takes some seconds…"));
    replace(found);
    try {
      const diagnosis = await ask();
      if (signal.aborted) return;
      replace(verdict, summary(diagnosis));
      replace(found, ...report(app, diagnosis));
    } catch (error) {
      if (signal.aborted) return;
      replace(verdict);
      app.failed(error);
    }
  }

  /** Asks, after whoever has this host looked at already. @returns {Promise<any>} */
  async function ask() {
    for (;;) {
      try {
        return await app.api.post("/diagnosis", whom.value ? { with: whom.value } : {});
      } catch (error) {
        if (signal.aborted || !(error instanceof APIError) || error.code !== "diagnosis_under_way") throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
        signal.throwIfAborted();
      }
    }
  }

  /** Offers those whose nodes are connected. */
  async function offer() {
    const peers = await app.api.get("/peers", undefined, signal);
    const names = new Map(peers.map((/** @type {any} */ each) => [each.user, each.name]));
    names.delete(app.state.me?.user);
    const shown = new Map([...names].map(([user, name]) => [user, words.cut(name, 40)]));
    const all = [...shown.values()];
    // Of two who are called the same, the id tells who is meant.
    const isShared = (/** @type {string} */ name) => all.indexOf(name) !== all.lastIndexOf(name);
    whom.append(...[...shown].map(([user, name]) => h("option", { value: user }, isShared(name) ? `${name} (${user.slice(0, 8)})` : name)));
  }

  offer().catch((error) => signal.aborted || app.failed(error));
  void disabling([look, whom], run);
  return screenOf(
    { title: "Doctor", back: "#/node", backLabel: "This node", actions: [look] },
    h("p", { class: "muted" }, "The doctor measures why hosts do not see or reach each other. It changes nothing."),
    h("label", { class: "field" }, h("span", null, "Also ask what the node of somebody sees of this one"), whom),
    verdict,
    found,
  );
}

/** What was found, in a sentence. @param {any} diagnosis */
function summary(diagnosis) {
  if (!diagnosis.node) return notice(false, `The node did not answer, so only the host was looked at. ${foundIn(diagnosis)}`);
  return notice(diagnosis.healthy, foundIn(diagnosis));
}

/** @param {boolean} isGood @param {string} text */
function notice(isGood, text) {
  return h("div", { class: isGood ? "notice good" : "notice" }, icon(isGood ? "check" : "warning"), h("p", null, text));
}

/** @param {any} diagnosis */
function foundIn(diagnosis) {
  const problems = diagnosis.findings.filter((/** @type {any} */ each) => each.severity === "problem").length;
  const notes = diagnosis.findings.length - problems;
  const counts = [problems && words.plural(problems, "problem"), notes && words.plural(notes, "note")].filter(Boolean);
  return counts.length === 0 ? "Nothing was found." : `Found: ${counts.join(" and ")}.`;
}

/** @param {import("./main.js").App} app @param {any} diagnosis */
function report(app, diagnosis) {
  const asked = (diagnosis.with?.nodes ?? []).filter((/** @type {any} */ each) => each.answer);
  return [
    diagnosis.findings.length > 0 && h("ul", { class: "findings", "aria-label": "What was found" }, ...diagnosis.findings.map((/** @type {any} */ each) => h("li", { class: "card stack" }, ...finding(app, each)))),
    asked.length > 0 && section("Who was asked", h("ul", { class: "plain-list" }, ...asked.map((/** @type {any} */ each) => h("li", null, answered(diagnosis.with.name, each))))),
    diagnosis.unseen.length > 0 && section("What could not be seen", h("ul", { class: "plain-list" }, ...diagnosis.unseen.map((/** @type {string} */ each) => h("li", null, each)))),
  ];
}

/** @param {import("./main.js").App} app @param {any} of */
function finding(app, of) {
  return [
    h("h2", null, h("span", { class: of.severity === "problem" ? "chip danger" : "chip" }, of.severity === "problem" ? "Problem" : "Note"), " ", h("span", { dir: "auto" }, of.about)),
    h("dl", { class: "stack" }, fact("Measured", of.measured), fact("What it means", of.meaning), fact("What mends it", remedy(app, of))),
    h("p", { class: "note" }, h("code", null, of.code)),
  ];
}

/** What mends it, with a button that copies it. @param {import("./main.js").App} app @param {any} of */
function remedy(app, of) {
  const text = h("code", { tabindex: "-1" }, of.remedy);
  // Of one person more than one thing may be found.
  const copy = copyButton(app, `Copy what mends ${of.about} (${of.code})`, of.remedy, () => {
    text.focus();
    getSelection()?.selectAllChildren(text);
  });
  return h("div", { class: "remedy" }, text, copy);
}

/** @param {string} name @param {any} node */
function answered(name, node) {
  const { answer } = node;
  const dial = answer.reached === undefined ? "did not dial this node back" : `${answer.reached ? "reached" : "did not reach"} this node at ${answer.address}`;
  return `The node of ${name} at ${node.address} ${dial}.`;
}
