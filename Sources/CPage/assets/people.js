// Everybody the node knows, and one person.

import { avatar, h, icon, keyed, replace } from "./dom.js";
import { copyable, emptyState, qr, screenOf, section } from "./parts.js";
import { folded } from "./store.js";
import * as words from "./words.js";

/** @typedef {import("./main.js").App} App */

/**
 * `#/people`, and `#/people/ID`.
 * @param {App} app
 * @param {import("./main.js").Params} params
 */
export function screen(app, params) {
  const id = params.path[0];
  if (!id) return everybody(app, params.signal);
  return person(app, id, params.signal);
}

// Everybody

/** @param {App} app @param {AbortSignal} signal */
function everybody(app, signal) {
  const field = h("input", { type: "search", "aria-label": "Search people", placeholder: "Name", autocomplete: "off" });
  const list = h("ul", { class: "rows" });
  const told = h("p", { class: "note", role: "status" });
  const warning = h("div");
  const blank = h("div");

  function draw() {
    const wanted = folded(field.value.trim());
    const all = [...app.state.people.values()].filter((each) => !each.is_me);
    const found = all.filter((each) => folded(each.name).includes(wanted)).sort(inOrder);
    keyed(list, found, (each) => each.user, () => h("li"), (item, each) => {
      const line = [words.presence(each), each.blocked && "blocked"].filter(Boolean).join(", ");
      const key = JSON.stringify([each.name, line, each.verified, each.photo?.id, each.photo?.thumbnail?.here]);
      if (item.dataset.key === key) return;
      item.dataset.key = key;
      replace(item, h("a", { class: "row", href: `#/people/${each.user}` }, avatar({ id: each.user, ...each }), h("span", { class: "body" }, h("span", { class: "one-line", dir: "auto" }, each.name), h("small", { class: "muted" }, line)), h("span", { class: "end" }, each.verified && h("span", { class: "chip accent" }, icon("shield"), "Verified"))));
    });
    told.textContent = wanted ? words.plural(found.length, "person", "people") : `${words.plural(all.length, "person", "people")}, ${words.number(all.filter((each) => each.presence === "online").length)} online`;
    replace(blank, all.length === 0 && emptyState("people", "Nobody is here yet", "Everybody who runs Moot on this network appears by themselves. For somebody elsewhere, exchange contact codes."));
    replace(warning, ...namesakes(all).map((names) => notice(names)));
  }
  field.addEventListener("input", draw);
  app.watch((state) => state.people, draw, signal);
  return screenOf(
    { title: "People", back: "#/", actions: [h("a", { class: "button", href: "#/profile" }, "Your profile")] },
    warning,
    h("search", { class: "search-bar" }, h("div", { class: "search-field" }, icon("search"), field)),
    told,
    list,
    blank,
    contactSection(app, signal),
  );
}

/** @param {any} one @param {any} other */
function inOrder(one, other) {
  return Number(other.presence === "online") - Number(one.presence === "online") || one.name.localeCompare(other.name);
}

/** People whose names look the same, as the node sees them, so that one could be taken for the other. @param {any[]} people @returns {any[][]} */
export function namesakes(people) {
  /** @type {Map<string, any[]>} */
  const byLook = new Map();
  for (const each of people) {
    if (each.deleted || each.blocked) continue;
    byLook.set(each.name_look, [...(byLook.get(each.name_look) ?? []), each]);
  }
  return [...byLook.values()].filter((each) => each.length > 1);
}

/** How those are called whose names look the same: once, where they write them alike. @param {any[]} people */
function called(people) {
  const count = `${words.number(people.length)} people`;
  if (new Set(people.map((each) => folded(each.name))).size === 1) return [`${count} are called `, h("span", { dir: "auto" }, people[0].name)];
  return [`${count} have names that look the same: `, ...people.flatMap((each, place) => [place > 0 && ", ", h("span", { dir: "auto" }, each.name)])];
}

/** @param {any[]} people */
function notice(people) {
  return h("div", { class: "notice", role: "note" }, icon("warning"), h("p", null, h("strong", null, ...called(people), ". "), people.some((each) => each.verified) ? "Only who is marked as verified is whom you compared codes with." : "Compare codes with them, so that you know who is who."));
}

/** @param {App} app @param {AbortSignal} signal */
function contactSection(app, signal) {
  const mine = h("div");
  const field = h("input", { "aria-label": "Their contact code", placeholder: "moot:…", autocomplete: "off", spellcheck: "false" });
  const wrong = h("p", { class: "error-text", role: "alert" });
  const form = h("form", { class: "inline-form", on: { submit } }, field, h("button", { type: "submit" }, "Add"));
  app.api.get("/profile/contact", undefined, signal).then((contact) => {
    replace(mine, copyable(app, "Your contact code", contact.code), qr(contact.qr, "Your contact code as a QR code"), h("p", { class: "note" }, "Give it to somebody whom this network does not reach. Whoever has it can find your node; it lets nobody into a conversation."));
  }).catch(app.failed);

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    wrong.textContent = "";
    try {
      const found = await app.api.post("/people", { code: field.value.trim() });
      field.value = "";
      app.toast(found?.name ? `${found.name} is being looked for` : "They are being looked for");
    } catch (error) {
      wrong.textContent = error instanceof Error ? error.message : "";
    }
  }
  return h("div", { class: "card stack" }, section("Your contact code", mine), section("Add somebody by their code", form, wrong));
}

// One person

/** @param {App} app @param {string} id @param {AbortSignal} signal */
async function person(app, id, signal) {
  let found = app.state.people.get(id) ?? await app.api.get(`/people/${encodeURIComponent(id)}`, undefined, signal);
  const body = h("div", { class: "stack" });
  let comparison = found.deleted ? null : await app.api.get(`/people/${found.user}/code`, undefined, signal).catch(() => null);
  /** @type {any[]} */
  let devices = [];

  async function findDevices() {
    devices = found.deleted ? [] : await app.api.get(`/people/${found.user}/devices`, undefined, signal);
    draw();
  }

  /** @param {string} path @param {any} change */
  async function put(path, change) {
    try {
      found = await app.api.put(`/people/${found.user}/${path}`, change);
      app.update((state) => ({ ...state, people: new Map(state.people).set(found.user, found) }));
      draw();
    } catch (error) {
      app.failed(error);
    }
  }

  async function write() {
    try {
      const conversation = await app.api.post("/conversations", { kind: "direct", members: [found.user] });
      app.navigate(`#/conversation/${conversation.id}`);
    } catch (error) {
      app.failed(error);
    }
  }

  function draw() {
    const others = [...app.state.people.values()].filter((each) => !each.is_me && each.user !== found.user && each.name_look === found.name_look);
    const groups = [...app.state.conversations.values()].filter((each) => each.kind === "group" && each.members?.some((/** @type {any} */ member) => member.user === found.user));
    replace(
      body,
      h("div", { class: "person-head" }, avatar({ id: found.user, ...found }, "huge"), h("p", { class: "person-name", dir: "auto" }, found.name), h("p", { class: "muted" }, words.presence(found)), h("p", { class: "chips" }, found.verified && h("span", { class: "chip accent" }, icon("shield"), "Verified"), found.blocked && h("span", { class: "chip danger" }, icon("block"), "Blocked"))),
      found.deleted ? h("p", { class: "muted centered" }, "This person ended their identity.") : h("div", { class: "actions centered" }, h("button", { type: "button", class: "primary", disabled: found.blocked, on: { click: write } }, icon("message"), "Write"), h("button", { type: "button", class: found.blocked ? "" : "danger", on: { click: () => put("blocked", { blocked: !found.blocked }) } }, icon("block"), found.blocked ? "Unblock" : "Block")),
      found.blocked && h("p", { class: "note centered" }, "You do not hear from them, and nobody is told. Their messages in groups are folded."),
      others.length > 0 && notice([found, ...others]),
      comparison && compareSection(),
      devices.length > 0 && section("Devices", h("ul", { class: "plain-list" }, ...devices.map((each) => h("li", null, h("span", { dir: "auto" }, each.name), deviceFacts(each))))),
      groups.length > 0 && section("Groups you share", h("ul", { class: "rows" }, ...groups.map((each) => h("li", null, h("a", { class: "row", href: `#/conversation/${each.id}` }, avatar({ id: each.id, name: each.title, photo: each.photo }, "small"), h("span", { class: "body one-line", dir: "auto" }, each.title)))))),
    );
  }

  function compareSection() {
    const groupsOfDigits = comparison.code.split(" ");
    return h(
      "div",
      { class: "card stack" },
      section(
        "Compare codes",
        h("p", null, "Ask ", h("span", { dir: "auto" }, found.name), " to open your page on their node, and read the numbers to each other, face to face or on the phone. If they are the same, you talk to each other and to nobody between you."),
        h("p", { class: "digits", role: "img", "aria-label": `The code: ${comparison.code}` }, ...groupsOfDigits.map((/** @type {string} */ each) => h("span", { "aria-hidden": "true" }, each))),
        h("div", { class: "actions" }, found.verified
          ? h("button", { type: "button", on: { click: () => put("verified", { verified: false }) } }, "Take the mark back")
          : h("button", { type: "button", class: "primary", on: { click: () => put("verified", { verified: true }) } }, icon("shield"), "The codes are the same")),
      ),
    );
  }
  app.watch((state) => state.people.get(found.user), (known) => {
    if (known) found = known;
    draw();
  }, signal);
  findDevices().catch((error) => signal.aborted || app.failed(error));
  app.onEvent((event) => {
    if (event.type !== "person" || event.person?.user !== found.user) return;
    findDevices().catch((error) => signal.aborted || app.failed(error));
    if (!comparison) {
      app.api.get(`/people/${found.user}/code`, undefined, signal).then((code) => {
        comparison = code;
        draw();
      }, () => {});
    }
  }, signal);
  return screenOf({ title: found.name, back: "#/people", backLabel: "Back to people" }, body);
}

/** @param {any} device */
function deviceFacts(device) {
  const facts = [device.added_at && `added ${words.when(device.added_at)}`, device.state !== "active" && "taken out"].filter(Boolean);
  return facts.length > 0 ? `: ${facts.join(", ")}` : null;
}
