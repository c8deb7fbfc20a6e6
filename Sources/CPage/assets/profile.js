// The user's own profile: name, photo, what others learn, and the code by which others find the node.

import { avatar, h, replace } from "./dom.js";
import { openDirect, photoOf } from "./dialogs.js";
import { copyable, qr, screenOf, section } from "./parts.js";
import * as words from "./words.js";

/** @typedef {import("./main.js").App} App */

/**
 * @param {App} app
 * @param {import("./main.js").Params} params
 */
export async function screen(app, params) {
  const { signal } = params;
  let me = await app.api.get("/profile", undefined, signal);
  const field = h("input", { "aria-label": "Your name", value: me.name, autocomplete: "off", "aria-describedby": "name-count name-wrong" });
  const count = h("span", { id: "name-count" });
  const wrong = h("p", { class: "error-text", role: "alert", id: "name-wrong" });
  const keep = h("button", { type: "submit", class: "primary" }, "Save");
  const photo = h("div", { class: "person-head" });
  const file = h("input", { type: "file", accept: "image/jpeg,image/png", hidden: true, "aria-label": "Choose a photo" });

  /** @param {any} change */
  async function patch(change) {
    me = await app.api.patch("/profile", change);
    app.update((state) => ({ ...state, me }));
    draw();
  }

  function check() {
    const length = [...field.value.trim()].length;
    count.textContent = `${length}/50 characters`;
    const isGood = length >= 1 && length <= 50;
    field.setAttribute("aria-invalid", String(!isGood));
    wrong.textContent = length > 50 ? "A name has at most 50 characters." : "";
    keep.disabled = !isGood || field.value.trim() === me.name;
  }

  function draw() {
    check();
    replace(
      photo,
      avatar({ id: me.user, name: me.name, photo: me.photo }, "huge"),
      h("p", { class: "actions centered" }, h("button", { type: "button", on: { click: () => file.click() } }, me.photo ? "Change photo" : "Add a photo"), me.photo && h("button", { type: "button", class: "quiet danger", on: { click: () => patch({ photo: "" }).catch(app.failed) } }, "Remove")),
    );
  }

  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    file.value = "";
    if (!chosen) return;
    try {
      const photo = await photoOf(app, chosen);
      if (photo) await patch({ photo: photo.uploaded.id });
    } catch (error) {
      app.failed(error);
    }
  });
  field.addEventListener("input", check);
  const form = h("form", {
    class: "stack",
    on: {
      submit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        patch({ name: field.value.trim() }).then(() => app.toast("Saved"), (error) => {
          wrong.textContent = error.message;
        });
      },
    },
  }, h("label", { class: "field" }, h("span", null, "Name", count), field), wrong, h("div", { class: "actions end" }, keep));
  draw();

  /** @param {"receipts" | "asks_when_added"} name @param {string} label @param {string} note */
  function choice(name, label, note) {
    const box = h("input", { type: "checkbox", role: "switch", checked: me[name], "aria-describedby": `note-${name}` });
    box.addEventListener("change", () =>
      patch({ [name]: box.checked }).catch((error) => {
        box.checked = me[name];
        app.failed(error);
      }));
    return h("div", null, h("label", { class: "choice" }, box, label), h("p", { class: "note indented", id: `note-${name}` }, note));
  }
  return screenOf(
    { title: "Your profile", back: "#/people", backLabel: "Back to people" },
    photo,
    file,
    h("div", { class: "card stack" }, form),
    h("div", { class: "card stack" }, choice("receipts", "Tell others what you read", "Switched off, you do not learn either what they read."), choice("asks_when_added", "Ask me before a group becomes mine", "A group that somebody adds you to waits until you accept it. They do not learn of it.")),
    h("div", { class: "card stack" }, section(words.own.notes, h("p", null, "A conversation that only your own devices have."), h("div", { class: "actions" }, h("button", { type: "button", on: { click: () => void openDirect(app, me.user) } }, "Open your notes")))),
    h("div", { class: "card stack" }, section("Your contact code", contactOnly(app, signal))),
    h("dl", { class: "facts" }, h("div", { class: "fact wide" }, h("dt", null, "Your id"), h("dd", null, h("code", null, me.user))), h("div", { class: "fact wide" }, h("dt", null, "This device"), h("dd", null, me.device_name, " ", h("code", null, me.device.slice(0, 16)), " ", h("a", { href: "#/devices" }, "All your devices")))),
  );
}

/** @param {App} app @param {AbortSignal} signal */
function contactOnly(app, signal) {
  const place = h("div");
  app.api.get("/profile/contact", undefined, signal).then((contact) => replace(place, copyable(app, "Contact code", contact.code), qr(contact.qr, "Your contact code as a QR code"))).catch(app.failed);
  return place;
}

