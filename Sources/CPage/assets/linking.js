// How another host becomes a device of the user: by the code that it shows, and by six digits that both users compare.

import { dialog, nameField } from "./dialogs.js";
import { h, replace } from "./dom.js";
import { copyButton, disabling } from "./parts.js";
import { reason, withPassphrase } from "./passphrase.js";

/** @typedef {import("./main.js").App} App */
/** A host that was met, and is no device yet. @typedef {{id: string, digits: string}} Link */

/**
 * Asks for the code of another host, and makes that a device if both users agree. To close the dialog before is not to agree.
 * @param {App} app
 * @param {number} count how many devices there are
 * @param {AbortSignal} signal aborted when the screen goes, and the dialog with it
 */
export async function addDevice(app, count, signal) {
  const gone = new AbortController();
  /** What waits for an answer. @type {Link | null} */
  let link = null;

  /** @param {Link | null} of */
  function refuse(of) {
    if (of === link) link = null;
    // Where it is over there is nothing left to refuse, and a page that goes hears no answer.
    if (of) void app.request("DELETE", `/device-links/${of.id}`, { keepalive: true }).catch(() => {});
  }

  await dialog("Add a device", (close, element) => {
    const place = h("div", { class: "stack" });
    const said = h("p", { role: "status" });
    const buttons = h("div", { class: "actions end" });
    const cancel = h("button", { type: "button", on: { click: () => close() } }, "Cancel");

    /** The first step: the code. @param {string} [wrong] why it did not work before */
    function ask(wrong = "") {
      const field = h("textarea", { rows: "4", placeholder: "moot:link:…", spellcheck: "false", autocomplete: "off", autocapitalize: "off", required: true, class: "code-field", "aria-describedby": "link-wrong" });
      const alert = h("p", { class: "error-text", role: "alert", id: "link-wrong" }, wrong);
      const button = h("button", { type: "submit", class: "primary", form: "link" }, "Go on");
      const form = h("form", { class: "stack", id: "link" }, h("label", { class: "field" }, h("span", null, "The code that it prints"), field), alert);
      // In a code a line break means nothing.
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.isComposing) return;
        event.preventDefault();
        form.requestSubmit();
      });
      form.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        if (button.disabled) return;
        alert.textContent = "";
        said.textContent = "Looking for the host…";
        await disabling([button], async () => {
          try {
            const met = await meet(field.value);
            said.textContent = "";
            if (met) compare(met);
          } catch (error) {
            said.textContent = "";
            alert.textContent = reason(error);
            field.focus();
          }
        });
      });
      replace(place, h("p", null, "On the new host, which needs nothing but the program, type this command. It prints a code, which is good for ten minutes: paste it here."), command(app, "moot link"), form);
      replace(buttons, cancel, button);
      field.focus();
    }

    /** Dials the host; nothing if somebody gave up meanwhile. @param {string} text @returns {Promise<Link | undefined>} */
    async function meet(text) {
      // Terminals break it into lines, and it is easily copied with the command before it.
      const code = text.replace(/\s+/g, "").replace(/^.*(?=moot:link:)/, "");
      let isWanted = true;
      const met = await withPassphrase(async (proof) => {
        const found = await app.api.post("/device-links", { code, ...proof });
        if (isWanted && !gone.signal.aborted) link = found;
        else refuse(found);
        return found;
      });
      isWanted = false;
      return met && link ? met : undefined;
    }

    /** The second step: the digits. @param {Link} met */
    function compare(met) {
      const question = h("p", null, "Does the new host show the same digits, and your name, ", h("strong", { dir: "auto" }, app.state.me?.name ?? ""), "?");
      const name = nameField("Its name", "", 50);
      name.input.placeholder = `device ${count + 1}`;
      const shown = digits(met.digits);
      const choices = h(
        "div",
        { class: "stack" },
        h("div", null, name.element, h("p", { class: "note" }, "Everybody who meets you can read it.")),
        h("p", { class: "note" }, "It does not get the key of your identity, which leaves this host in a terminal only: ", h("code", null, "moot devices add CODE --with-root"), "."),
      );
      const agreeing = h("button", { type: "button", class: "primary", on: { click: () => name.isValid() && void agree(met, name.value() ? { name: name.value() } : {}, shown) } }, "They are the same");
      const differing = h("button", {
        type: "button",
        class: "danger",
        on: {
          click: () => {
            close();
            app.toast("Nothing was given to the new host");
          },
        },
      }, "They differ");
      replace(place, question, shown, choices);
      replace(buttons, differing, agreeing);
      // To press Enter once too often is not to agree.
      shown.focus();
    }

    /** The third step: both agree. @param {Link} met @param {{name?: string}} wanted @param {HTMLElement} shown the digits */
    async function agree(met, wanted, shown) {
      replace(place, shown);
      replace(buttons, cancel);
      cancel.focus();
      said.textContent = "Waiting for the new host. Where it shows the same, say yes there, too.";
      try {
        const device = await app.api.post(`/device-links/${met.id}/agreement`, wanted);
        link = null;
        const done = h("button", { type: "button", class: "primary", on: { click: () => close() } }, "Done");
        replace(place);
        replace(said, h("bdi", null, device.name), " is a device of yours now. It gets your conversations once its node runs there:");
        said.after(command(app, "moot up"));
        replace(buttons, done);
        done.focus();
      } catch (error) {
        said.textContent = "";
        refuse(link);
        if (!gone.signal.aborted) ask(reason(error));
      }
    }

    signal.addEventListener("abort", () => element.close(), { signal: gone.signal });
    addEventListener("pagehide", () => refuse(link), { signal: gone.signal });
    ask();
    return { content: [place, said], footer: buttons, focus: /** @type {HTMLElement} */ (place.querySelector("textarea")) };
  });
  gone.abort();
  refuse(link);
}

/** The digits in two groups, as one reads them aloud. @param {string} text */
function digits(text) {
  const groups = [text.slice(0, 3), text.slice(3)];
  return h("p", { class: "digits pair", role: "img", tabindex: "-1", "aria-label": `The digits: ${groups.join(" ")}` }, ...groups.map((each) => h("span", { "aria-hidden": "true" }, each)));
}

/** A command, with a button that copies it. @param {App} app @param {string} text */
export function command(app, text) {
  const code = h("code", { tabindex: "-1" }, text);
  return h("div", { class: "remedy" }, code, copyButton(app, `Copy ${text}`, text, () => {
    code.focus();
    getSelection()?.selectAllChildren(code);
  }));
}
