// What guards the keys of the home: asked for where the node wants it, every time, and kept nowhere.

import { APIError } from "./api.js";
import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { disabling } from "./parts.js";

/** What shows that the owner of the identity asks; nothing at the first attempt. @typedef {{passphrase?: string}} Proof */

/**
 * Does something for which the node wants the passphrase, where one guards the keys: then somebody is asked for it, until it is right.
 * @template T
 * @param {(proof: Proof) => Promise<T>} work
 * @returns {Promise<T | undefined>} what came of it; nothing when the question was dismissed
 * @throws {APIError}
 */
export async function withPassphrase(work) {
  try {
    return await work({});
  } catch (error) {
    if (!(error instanceof APIError) || error.code !== "passphrase_needed") throw error;
  }
  /** What went wrong although it was right. @type {unknown} */
  let failure;
  const done = await dialog("Your passphrase", (/** @type {(value?: T) => void} */ close) => {
    const field = h("input", { type: "password", autocomplete: "off", required: true, "aria-describedby": "passphrase-wrong" });
    const wrong = h("p", { class: "error-text", role: "alert", id: "passphrase-wrong" });
    const button = h("button", { type: "submit", class: "primary", form: "passphrase" }, "Go on");
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      wrong.textContent = "";
      void disabling([button], async () => {
        try {
          close(await work({ passphrase: field.value }));
        } catch (error) {
          if (error instanceof APIError && ["wrong_passphrase", "invalid_request"].includes(error.code)) {
            wrong.textContent = reason(error);
            field.select();
          } else {
            failure = error;
            close();
          }
        }
      });
    };
    return {
      content: h("form", { class: "stack", id: "passphrase", on: { submit } }, h("p", null, "It guards the key of your identity, and is asked for every time."), h("label", { class: "field" }, h("span", null, "Passphrase"), field), wrong),
      footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button],
      focus: field,
    };
  });
  if (failure) throw failure;
  return done;
}

/** A refusal in words. @param {unknown} error */
export function reason(error) {
  if (!(error instanceof APIError)) return "Something went wrong on this page";
  return error.hint ? `${error.message}. ${error.hint}` : error.message;
}
