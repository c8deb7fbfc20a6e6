// How the node does: whom it is connected to, how far its replicas are, who is let in.

import { h, icon, replace } from "./dom.js";
import { disabling, fact, screenOf, section } from "./parts.js";
import { tableOf } from "./plots.js";
import * as words from "./words.js";

/** @type {Record<string, string>} */
const states = { synced: "Up to date", pulling: "Fetching", behind: "Behind", alone: "Nobody is connected" };

/**
 * @param {import("./main.js").App} app
 * @param {import("./main.js").Params} params
 */
export async function screen(app, params) {
  const { signal } = params;
  const body = h("div", { class: "stack" });
  const verdict = h("div", { role: "status" });
  const compare = h("button", { type: "button", on: { click: () => void disabling([compare], verify) } }, icon("checks"), "Compare replicas");
  const sessions = h("div");

  async function draw() {
    const status = await app.api.get("/status", undefined, signal);
    if (signal.aborted) return;
    replace(
      body,
      ...warnings(status),
      h(
        "dl",
        { class: "facts" },
        fact("Connected", words.plural(status.peers.length, "node")),
        fact("Running for", span(status.uptime_seconds)),
        fact("Database", words.size(status.database_bytes)),
        fact("Files", words.size(status.files_bytes), `of ${words.size(status.files_quota)}`),
        fact("Memory", words.size(status.resident_bytes)),
        status.free_bytes !== undefined && fact("Free on the disk", words.size(status.free_bytes)),
      ),
      section(
        "Connected nodes",
        status.peers.length === 0
          ? h("p", { class: "muted" }, status.discovery ? "Nobody is in reach. Beacons are sent, so whoever comes is found. " : "Nobody is in reach, and discovery is switched off. ", h("a", { href: "#/doctor" }, "Find out why"))
          : scrolled("Connected nodes", tableOf(["Name", "Address", "Since", "Round trip"], status.peers.map((/** @type {any} */ each) => [each.name, each.address, words.when(each.connected_at), each.round_trip_milliseconds === undefined ? "–" : `${Math.round(each.round_trip_milliseconds * 10) / 10} ms`]))),
      ),
      section(
        "Conversations",
        status.conversations.length === 0
          ? h("p", { class: "muted" }, "There are none yet.")
          : scrolled("Conversations", tableOf(["Conversation", "State", "In step", "Waiting"], status.conversations.map((/** @type {any} */ each) => [each.title, states[each.state] ?? each.state, each.peers_in_sync.length, each.pending + each.wanted]))),
      ),
      h("dl", { class: "facts" }, h("div", { class: "fact wide" }, h("dt", null, "Reached at"), h("dd", null, status.listening.join(", ") || "–")), h("div", { class: "fact wide" }, h("dt", null, "Home"), h("dd", null, h("code", null, status.home))), h("div", { class: "fact wide" }, h("dt", null, "Version"), h("dd", null, `${status.version}, protocol ${status.protocol_version}`))),
    );
  }

  async function verify() {
    replace(verdict, h("p", { class: "note" }, "Comparing…"));
    try {
      const found = await app.api.get("/verify", undefined, signal);
      const gaps = found.conversations.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.gaps.length, 0);
      replace(
        verdict,
        h("div", { class: found.equal ? "notice good" : "notice" }, icon(found.equal ? "check" : "warning"), h("p", null, found.equal ? "Every reachable replica equals yours." : `Some replicas differ from yours${gaps ? `; ${words.plural(gaps, "message")} are missing here` : ""}. That ends by itself while the nodes are connected.`)),
        scrolled("Replicas", tableOf(["Conversation", "Operations", "Replicas"], found.conversations.map((/** @type {any} */ each) => [each.title, each.operations, each.replicas.map((/** @type {any} */ one) => `${one.name} ${one.state}`).join(", ") || "–"]))),
      );
    } catch (error) {
      app.failed(error);
      replace(verdict);
    }
  }

  async function drawSessions() {
    const list = await app.api.get("/web/sessions", undefined, signal);
    if (signal.aborted) return;
    replace(
      sessions,
      section(
        "Browsers that are let in",
        list.length === 0 ? h("p", { class: "muted" }, "None.") : h("ul", { class: "sessions" }, ...list.map((/** @type {any} */ each) =>
          h(
            "li",
            null,
            h("div", { class: "body" }, h("strong", null, each.is_current ? "This browser" : `Browser ${each.id.slice(0, 4)}`), h("small", { class: "muted" }, `let in ${words.when(each.created_at)}, last used ${words.when(each.last_used_at)}`)),
            h("button", { type: "button", class: "small danger", "aria-label": each.is_current ? "End the session of this browser" : `End the session of browser ${each.id.slice(0, 4)}`, on: { click: () => void end(each) } }, "End"),
          )
        )),
        h("p", { class: "note" }, "A session that ends lets its browser in no more. ", h("code", null, "moot open"), " lets another one in."),
      ),
    );
  }

  /** @param {any} of */
  async function end(of) {
    if (of.is_current && !await app.dialogs.confirm({ title: "End the session of this browser?", text: "It is not let in any more until moot open lets it in again.", action: "End", isDanger: true })) return;
    try {
      await app.api.delete(`/web/sessions/${of.id}`);
      await drawSessions();
    } catch (error) {
      app.failed(error);
    }
  }
  await draw();
  drawSessions().catch(app.failed);
  let planned = 0;
  app.onEvent((event) => {
    if (event.type !== "peer" && event.type !== "conversation") return;
    clearTimeout(planned);
    planned = setTimeout(() => !signal.aborted && void draw().catch(app.failed), 300);
  }, signal);
  return screenOf({ title: "This node", back: "#/", actions: [h("a", { class: "button", href: "#/doctor" }, "Doctor"), compare] }, verdict, body, sessions);
}

/** @param {string} label @param {HTMLElement} table */
function scrolled(label, table) {
  return h("div", { class: "table-place", tabindex: "0", role: "region", "aria-label": `${label}, as a table` }, table);
}

/** @param {any} status */
function warnings(status) {
  const found = [];
  if (status.storage !== "writable") found.push(`Nothing can be written now: ${status.storage}.`);
  for (const clock of status.clocks) found.push(`The clock of ${clock.name} is ${span(Math.abs(clock.seconds_ahead))} ${clock.seconds_ahead > 0 ? "ahead" : "behind"}.`);
  for (const fork of status.forks) found.push(`${fork.name} wrote with two copies of ${fork.device_name || "a device"}.`);
  for (const people of status.namesakes) found.push(`${words.plural(people.length, "person", "people")} share a name: compare codes with them.`);
  return found.map((text) => h("div", { class: "notice" }, icon("warning"), h("p", null, text)));
}

/** A time in its largest unit. @param {number} seconds */
export function span(seconds) {
  if (seconds < 90) return words.plural(Math.round(seconds), "second");
  if (seconds < 5400) return words.plural(Math.round(seconds / 60), "minute");
  if (seconds < 129_600) return words.plural(Math.round(seconds / 3600), "hour");
  return words.plural(Math.round(seconds / 86_400), "day");
}
