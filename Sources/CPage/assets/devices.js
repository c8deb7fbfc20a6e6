// The devices of the user: which there are, what they are called, adding one and taking one out.

import { dialog, nameField } from "./dialogs.js";
import { h, icon, keyed, set } from "./dom.js";
import { addDevice, command } from "./linking.js";
import { disabling, screenOf, section } from "./parts.js";
import { reason, withPassphrase } from "./passphrase.js";
import * as words from "./words.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {{id: string, name: string, is_this: boolean, online: boolean, state: "active" | "retired" | "revoked", added_at?: string, last_seen?: string, holds_root?: boolean}} Device */
/** What revoking a device takes away of what is here. @typedef {{conversations: number, messages: number, decisions: number, behind: boolean, blocked: string[]}} Losses */

/**
 * @param {App} app
 * @param {import("./main.js").Params} params
 */
export async function screen(app, params) {
  const { signal } = params;
  /** How each row shows a device. @type {WeakMap<HTMLElement, (of: Device) => void>} */
  const rows = new WeakMap();
  let asked = 0;
  let decides = false;
  const active = h("ul", { class: "sessions" });
  const out = h("ul", { class: "sessions" });
  const adding = h("div", { class: "actions" }, h("button", { type: "button", class: "primary", on: { click: () => void add() } }, icon("add"), "Add a device"));
  const elsewhere = h("p", { class: "note" }, "Devices are added, renamed and taken out on the one that holds the key of your identity.");
  const former = h("div", { class: "notice", role: "note" }, icon("warning"), h("p", null, "This device was taken out. It writes nothing any more, and keeps what it could read."));
  const gone = section("Taken out", out);
  const body = h("div", { class: "stack" }, former, section("In use", active, elsewhere, adding), gone, h("div", { class: "card stack" }, section("If you lose them all", h("p", null, "A code on paper brings your identity back on a new host. Print it where the key of your identity is:"), command(app, "moot recovery"))));
  const element = screenOf({ title: "Your devices", back: "#/profile", backLabel: "Back to your profile" }, h("p", { class: "muted" }, "Each of them is you: the same conversations, and one state of what is read. Other people see one member."), body);

  /** Shows what changed, and touches nothing else: somebody may be about to press it. */
  async function draw() {
    const turn = ++asked;
    /** @type {Device[]} */
    const devices = (await app.api.get("/devices", undefined, signal)).map((/** @type {Device} */ each) => ({ ...each, name: each.name || `Device ${each.id.slice(0, 8)}` }));
    // Answers may overtake each other.
    if (signal.aborted || turn !== asked) return;
    const here = devices.find((each) => each.is_this);
    const isFormer = here !== undefined && here.state !== "active";
    decides = here?.holds_root === true && !isFormer;
    set(former, { hidden: !isFormer });
    set(elsewhere, { hidden: decides });
    set(adding, { hidden: !decides });
    fill(active, devices.filter((each) => each.state === "active"));
    fill(out, devices.filter((each) => each.state !== "active"));
    set(gone, { hidden: out.childElementCount === 0 });
  }

  /** @param {HTMLElement} list @param {Device[]} devices */
  function fill(list, devices) {
    keyed(list, devices, (each) => each.id, row, (item, each) => rows.get(item)?.(each));
  }

  /** @param {Device} of */
  function row(of) {
    const name = h("strong", { dir: "auto" });
    const known = h("small", { class: "muted" });
    const renaming = h("button", { type: "button", class: "small", on: { click: () => void rename(of) } }, "Rename");
    const leaving = h("button", { type: "button", class: "small danger", on: { click: () => void takeOut(of) } });
    const item = h("li", null, h("div", { class: "body" }, name, known), renaming, leaving);
    rows.set(item, (now) => {
      of = now;
      say(name, of.name);
      say(known, facts(of));
      say(leaving, of.state === "active" ? "Take out" : "It was stolen");
      set(renaming, { "aria-label": `Rename ${of.name}`, hidden: !decides || of.state !== "active" });
      set(leaving, { "aria-label": `Take ${of.name} out`, hidden: !decides || of.is_this || of.state === "revoked" });
    });
    return item;
  }

  async function add() {
    await addDevice(app, active.childElementCount, signal);
    await draw().catch((error) => signal.aborted || app.failed(error));
  }

  /** @param {Device} of */
  async function rename(of) {
    const name = await dialog("Rename the device", (close) => {
      const field = nameField("Name", of.name, 50);
      return {
        content: [field.element, h("p", { class: "note" }, "Everybody who meets you can read it.")],
        footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), h("button", { type: "button", class: "primary", on: { click: () => field.isValid() && field.value() && close(field.value()) } }, "Rename")],
        focus: field.input,
      };
    });
    if (name && name !== of.name) await change((proof) => app.api.patch(`/devices/${of.id}`, { name, ...proof }), "Renamed");
  }

  /** @param {Device} of */
  async function takeOut(of) {
    const kind = of.state === "active" ? await dialog(`Take ${of.name} out?`, choices) : "revocation";
    if (kind === "retirement") await change((proof) => app.api.post(`/devices/${of.id}/retirement`, proof), `${of.name} is taken out`);
    const wanted = kind === "revocation" && await theft(app, of, signal);
    if (wanted) await change((proof) => app.api.post(`/devices/${of.id}/revocation`, { ...wanted, ...proof }), `${of.name} is cut off`);
  }

  /** @param {(proof: import("./passphrase.js").Proof) => Promise<any>} work @param {string} done */
  async function change(work, done) {
    const buttons = [...body.querySelectorAll("button")];
    await disabling(buttons, async () => {
      try {
        if (!await withPassphrase(work)) return;
        app.toast(done);
        await draw();
      } catch (error) {
        app.failed(error);
      }
    });
    // The row of a device that was taken out is gone, and the focus with it.
    if (document.activeElement === document.body) element.querySelector("h1")?.focus();
  }

  await draw();
  app.onEvent((event) => {
    const isMine = event.type === "person" && event.person?.is_me;
    if (isMine || event.type === "peer" || event.type === "resync") draw().catch((error) => signal.aborted || app.failed(error));
  }, signal);
  return element;
}

/** Writes a text where it is another one: what is selected in it stays. @param {HTMLElement} element @param {string} text */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What is known of a device, in a line. @param {Device} of */
function facts(of) {
  return [
    of.is_this && "this one",
    !of.is_this && of.state === "active" && words.presence({ presence: of.online ? "online" : "offline", last_seen: of.last_seen }),
    of.state === "retired" && "what it wrote counts",
    of.state === "revoked" && "stolen, and cut off",
    of.added_at && `added ${words.when(of.added_at)}`,
    of.holds_root && "holds the key of your identity",
  ].filter(Boolean).join(", ");
}

/** The two ways of taking a device out. @param {(kind?: "retirement" | "revocation") => void} close */
function choices(close) {
  const lost = h("button", { type: "button", on: { click: () => close("retirement") } }, "It is lost, sold or replaced");
  return {
    content: [
      h("p", null, "Nothing that is written from now on can be read there, and nothing brings the device back."),
      h("div", { class: "stack" }, lost, h("p", { class: "note" }, "What it wrote stays, for everybody."), h("button", { type: "button", class: "danger", on: { click: () => close("revocation") } }, "Somebody else has it"), h("p", { class: "note" }, "What it wrote that you do not hold yet is void, and shown to nobody. First you see what that is.")),
    ],
    footer: h("button", { type: "button", on: { click: () => close() } }, "Cancel"),
    focus: lost,
  };
}

/** How long ago a device may have been stolen, in seconds. @type {Array<[number | "", string]>} */
const ages = [["", "Only now"], [3_600, "Within the last hour"], [21_600, "Within 6 hours"], [86_400, "Within a day"], [259_200, "Within 3 days"], [604_800, "Within a week"], [2_592_000, "Within 30 days"]];

/**
 * Asks when a device was stolen, and says what would be cut before it is.
 * @param {App} app @param {Device} of @param {AbortSignal} signal
 * @returns {Promise<{seconds?: number, force: boolean} | undefined>} what to ask of the node; nothing when it was dismissed
 */
function theft(app, of, signal) {
  return dialog(`Cut ${of.name} off?`, (close) => {
    const since = h("select", { on: { change: () => void look() } }, ...ages.map(([seconds, text]) => h("option", { value: String(seconds) }, text)));
    const known = h("p", { role: "status" });
    const button = h("button", { type: "button", class: "primary danger", disabled: true }, "Cut it off");

    async function look() {
      const seconds = since.value;
      button.disabled = true;
      known.textContent = "";
      try {
        /** @type {Losses} */
        const losses = await app.api.get(`/devices/${of.id}/revocation`, { seconds }, signal);
        if (seconds !== since.value) return;
        known.textContent = cut(losses);
        button.textContent = losses.behind ? "Cut it off all the same" : "Cut it off";
        button.onclick = () => close({ ...(seconds && { seconds: Number(seconds) }), force: losses.behind });
        button.disabled = false;
      } catch (error) {
        if (seconds === since.value) known.textContent = reason(error);
      }
    }

    void look();
    return {
      content: [h("label", { class: "field" }, h("span", null, "When was it stolen?"), since), known, h("p", { class: "note" }, "This cannot be undone.")],
      footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button],
      focus: since,
    };
  });
}

/** @param {Losses} losses */
function cut(losses) {
  const lost = [losses.decisions && words.plural(losses.decisions, "decision"), losses.messages && words.plural(losses.messages, "message")].filter(Boolean);
  const known = lost.length === 0 ? "Nothing that is held here falls." : `As far as is known here, this falls: ${words.list(/** @type {string[]} */ (lost))}.`;
  const lacking = losses.behind ? " Others have more than this node now, which may be of the device: better wait until it is here." : "";
  const blocked = losses.blocked.length > 0 ? ` ${words.plural(losses.blocked.length, "block")} of people that it set ${losses.blocked.length === 1 ? "stays" : "stay"}: look whether that was you.` : "";
  return `It is known in ${words.plural(losses.conversations, "conversation")}. ${known} What it wrote that did not come here yet is void, too.${lacking}${blocked}`;
}
