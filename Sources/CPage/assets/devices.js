// The devices of the user: which there are, what they are called, and taking one out.
//
// A page makes no host a device: whoever sits at a browser that was let in could give everything away. It says which commands do.

import { APIError } from "./api.js";
import { dialog, nameField } from "./dialogs.js";
import { h, icon, replace } from "./dom.js";
import { copyButton, disabling, screenOf, section } from "./parts.js";
import * as words from "./words.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {{id: string, name: string, is_this: boolean, online: boolean, state: "active" | "retired" | "revoked", added_at?: string, last_seen?: string, holds_root?: boolean}} Device */
/** What revoking a device takes away of what is here. @typedef {{conversations: number, messages: number, decisions: number, behind: boolean}} Losses */
/** What guards the keys; nothing at the first attempt. @typedef {{passphrase?: string}} Proof */

/**
 * @param {App} app
 * @param {import("./main.js").Params} params
 */
export async function screen(app, params) {
  const { signal } = params;
  const body = h("div", { class: "stack" });

  async function draw() {
    /** @type {Device[]} */
    const devices = (await app.api.get("/devices", undefined, signal)).map((/** @type {Device} */ each) => ({ ...each, name: each.name || `Device ${each.id.slice(0, 8)}` }));
    if (signal.aborted) return;
    const [here] = devices.filter((each) => each.is_this);
    const active = devices.filter((each) => each.state === "active");
    const gone = devices.filter((each) => each.state !== "active");
    const decides = here?.holds_root === true && here.state === "active";
    replace(
      body,
      here && here.state !== "active" && h("div", { class: "notice", role: "note" }, icon("warning"), h("p", null, "This device was taken out. It writes nothing any more, and keeps what it could read.")),
      section(words.plural(active.length, "device"), h("ul", { class: "sessions" }, ...active.map((each) => row(each, decides))), !decides && h("p", { class: "note" }, "Only a device that holds the key of your identity changes this list.")),
      gone.length > 0 && section("Taken out", h("ul", { class: "sessions" }, ...gone.map((each) => row(each, decides)))),
      decides ? adding(app) : null,
      h("div", { class: "card stack" }, section("If you lose them all", h("p", null, "A code on paper brings your identity back on a new host. Print it where the key of your identity is:"), command(app, "moot recovery"))),
    );
  }

  /** @param {Device} of @param {boolean} decides */
  function row(of, decides) {
    const buttons = decides && [
      of.state === "active" && h("button", { type: "button", class: "small", "aria-label": `Rename ${of.name}`, on: { click: () => void rename(of) } }, "Rename"),
      !of.is_this && of.state !== "revoked" && h("button", { type: "button", class: "small danger", "aria-label": `Take ${of.name} out`, on: { click: () => void takeOut(of) } }, of.state === "active" ? "Take out" : "It was stolen"),
    ];
    return h("li", null, h("div", { class: "body" }, h("strong", { dir: "auto" }, of.name), h("small", { class: "muted" }, facts(of))), ...(buttons || []));
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

  /** @param {(proof: Proof) => Promise<any>} work @param {string} done */
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
  }

  await draw();
  app.onEvent((event) => {
    const isMine = event.type === "person" && event.person?.is_me;
    if (isMine || event.type === "peer") draw().catch((error) => signal.aborted || app.failed(error));
  }, signal);
  return screenOf({ title: "Your devices", back: "#/profile", backLabel: "Back to your profile" }, h("p", { class: "muted" }, "Each of them is you: the same conversations, and one state of what is read. Other people see one member."), body);
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
  return `It is known in ${words.plural(losses.conversations, "conversation")}. ${known} What it wrote that did not come here yet is void, too.${lacking}`;
}

/**
 * Does something for which the node wants the passphrase, where one guards the keys: then somebody is asked for it, until it is right.
 * It is kept nowhere.
 * @param {(proof: Proof) => Promise<any>} work
 * @returns {Promise<boolean>} whether it was done
 * @throws {APIError}
 */
async function withPassphrase(work) {
  try {
    await work({});
    return true;
  } catch (error) {
    if (!(error instanceof APIError) || error.code !== "passphrase_needed") throw error;
  }
  const isDone = await dialog("Your passphrase", (close) => {
    const field = h("input", { type: "password", autocomplete: "off", required: true, "aria-describedby": "passphrase-wrong" });
    const wrong = h("p", { class: "error-text", role: "alert", id: "passphrase-wrong" });
    const button = h("button", { type: "submit", class: "primary", form: "passphrase" }, "Go on");
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      wrong.textContent = "";
      void disabling([button], async () => {
        try {
          await work({ passphrase: field.value });
          close(true);
        } catch (error) {
          wrong.textContent = reason(error);
          field.select();
        }
      });
    };
    return {
      content: h("form", { class: "stack", id: "passphrase", on: { submit } }, h("p", null, "It guards the key of your identity, and is asked for every time."), h("label", { class: "field" }, h("span", null, "Passphrase"), field), wrong),
      footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button],
      focus: field,
    };
  });
  return isDone === true;
}

/** A refusal in words. @param {unknown} error */
function reason(error) {
  if (!(error instanceof APIError)) return "Something went wrong on this page";
  return error.hint ? `${error.message}. ${error.hint}` : error.message;
}

/** How another host becomes a device. @param {App} app */
function adding(app) {
  return h("div", { class: "card stack" }, section("Add a device", h("ol", { class: "stack" }, h("li", null, "On the new host, which needs nothing but the program:", command(app, "moot link")), h("li", null, "In a terminal on this host, with the code that the other one shows:", command(app, "moot devices add CODE")), h("li", null, "Both show six digits. Where they are the same, agree on both.")), h("p", { class: "note" }, "A page cannot do it, so that nobody at your browser gives your conversations away.")));
}

/** A command, with a button that copies it. @param {App} app @param {string} text */
function command(app, text) {
  const code = h("code", { tabindex: "-1" }, text);
  return h("div", { class: "remedy" }, code, copyButton(app, `Copy ${text}`, text, () => {
    code.focus();
    getSelection()?.selectAllChildren(code);
  }));
}
