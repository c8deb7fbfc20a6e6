// What a conversation is: who is in it, what it is called, how it is set, and what one can do about that.

import { api, APIError } from "./api.js";
import { avatar, h, icon, iconButton, keyed, replace } from "./dom.js";
import * as dialogs from "./dialogs.js";
import { conversationScreens, screens } from "./sidebar.js";
import { copyable, qr } from "./parts.js";
import { reason } from "./passphrase.js";
import { folded, withConversation } from "./store.js";
import * as words from "./words.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {{name: string}} Person */
/** What a removal takes back of what is here. @typedef {{decisions: number, messages: number, kept: number, leaving: Person[], returning: Person[]}} Losses */

const portion = 50;

/** For how long what somebody did is taken back, in seconds. @type {Array<[number | "", string]>} */
const spans = [["", "Nothing"], [900, "The last 15 minutes"], [3_600, "The last hour"], [21_600, "The last 6 hours"], [86_400, "The last day"], [604_800, "The last week"], [2_592_000, "The last 30 days"]];

/** @param {App} app @param {import("./main.js").Params} params */
export async function screen(app, { conversation: id = "", signal }) {
  const path = `/conversations/${id}`;
  let conversation = await api.get(path, undefined, signal);
  let most = portion;
  let query = "";
  const me = () => app.state.me?.user;

  const body = h("div", { class: "content info" });
  const close = iconButton("close", "Close info", () => app.navigate(`#/conversation/${id}`));
  const element = h("div", { class: "screen" }, h("header", null, h("h2", null, conversation.kind === "group" ? "Group info" : "Info"), close), body);

  const head = h("div", { class: "info-head" });
  const quick = h("div", { class: "quick" });
  const requests = h("div");
  const membersHead = h("div", { class: "section-title" });
  const memberSearch = h("input", { type: "search", placeholder: "Search participants", "aria-label": "Search participants", hidden: true, on: { input: () => { query = memberSearch.value; most = portion; showMembers(); } } });
  const members = h("ul", { class: "members" });
  const moreMembers = h("button", { type: "button", class: "quiet", hidden: true, on: { click: () => { most += portion; showMembers(); } } }, "Show more");
  const memberSection = h("section", { class: "section", hidden: conversation.kind !== "group" }, membersHead, memberSearch, members, moreMembers);
  const more = h("section", { class: "section" });
  const settings = h("section", { class: "section" });
  const end = h("section", { class: "section" });
  append();

  function append() {
    body.append(head, quick, requests, memberSection, more, settings, end);
  }

  async function reload() {
    try {
      showAnew(await app.describe(id, api.get(path, undefined, signal)));
    } catch (error) {
      // The conversation is shown next to this, and says that it was erased.
      if (!signal.aborted && !(error instanceof APIError && error.status === 404)) app.failed(error);
    }
  }

  /** Takes the answer to the user's own change. @param {any} next */
  function took(next) {
    app.update((state) => withConversation(state, next));
    showAnew(next);
  }

  /** @param {any} next */
  function showAnew(next) {
    const wasMember = conversation.me?.is_member;
    // What is the same is not drawn again: somebody may have a list of choices open.
    const isSame = JSON.stringify(next) === JSON.stringify(conversation);
    conversation = next;
    // Somebody who was removed meanwhile is not shown what they can no longer see change.
    if (wasMember && !next.me?.is_member && next.kind === "group") return app.navigate(`#/conversation/${id}`, { replace: true });
    if (!isSame) show();
  }

  /** @type {number | undefined} */
  let timer;
  app.onEvent((event) => {
    if (event.type !== "resync" && event.type !== "peer" && event.type !== "person" && !(event.type === "conversation" && event.conversation === id)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void reload(), 150);
  }, signal);

  /** Does something about the group, and shows what became of it. @param {() => Promise<any>} action @param {string} [done] */
  async function change(action, done) {
    try {
      const answer = await action();
      if (answer?.id === id) took(answer);
      else await reload();
      if (done) app.toast(done);
      return true;
    } catch (error) {
      app.failed(error);
      return false;
    }
  }

  // Drawing

  function show() {
    showHead();
    showQuick();
    showInvited();
    showMembers();
    showMore();
    showSettings();
    showEnd();
  }

  function other() {
    return conversation.kind === "direct" ? conversation.members.find((/** @type {any} */ each) => each.user !== me()) : null;
  }

  function showHead() {
    const person = other();
    const may = conversation.me.may;
    replace(
      head,
      avatar({ id: person?.user ?? conversation.id, name: conversation.title, photo: person ? person.photo : conversation.photo, deleted: person?.deleted }, "huge"),
      h("h3", { class: "info-title", dir: "auto" }, conversation.title),
      h("p", { class: "note" }, person ? [words.presence(person), person.verified ? "verified" : ""].filter(Boolean).join(" · ") : words.participants(conversation.member_count)),
      conversation.description && h("p", { class: "description", dir: "auto" }, conversation.description),
      conversation.tags?.length > 0 && h("div", { class: "chosen center" }, ...conversation.tags.map((/** @type {string} */ each) => h("span", { class: "chip", dir: "auto" }, each))),
      conversation.kind === "group" && conversation.me?.is_member && may.edit && h("button", { type: "button", class: "quiet small", on: { click: () => void edit() } }, icon("edit"), "Edit group"),
    );
  }

  function showQuick() {
    const isMuted = Boolean(conversation.muted_until);
    const buttons = [
      quickButton(isMuted ? "bell" : "mute", isMuted ? "Unmute" : "Mute", () => isMuted ? change(() => api.put(`${path}/private`, { muted_until: null, mentions_only: null })) : dialogs.mute(app, conversation).then(reload)),
      quickButton("pin", conversation.pinned ? "Unpin" : "Pin", () => change(() => api.put(`${path}/private`, { pinned: !conversation.pinned }))),
      quickButton("tag", "Tags", () => dialogs.tags(app, conversation).then(reload)),
      quickButton("archive", conversation.archived ? "Bring back" : "Archive", () => change(() => api.put(`${path}/private`, { archived: !conversation.archived }))),
    ];
    replace(quick, ...buttons);
    if (isMuted) quick.append(h("p", { class: "note" }, words.mutedUntil(conversation.muted_until) + (conversation.mentions_only ? ", except for mentions" : "")));
  }

  /** @param {import("./dom.js").IconName} name @param {string} label @param {() => unknown} press */
  function quickButton(name, label, press) {
    return h("button", { type: "button", class: "quick-button", on: { click: press } }, icon(name), h("span", null, label));
  }

  function showInvited() {
    /** @param {string} title @param {any[]} people @param {(each: any) => [string | null, ReturnType<typeof iconButton> | false]} describe */
    const section = (title, people, describe) =>
      people.length > 0 && h("section", { class: "section" }, h("h3", null, title), h("ul", null, ...people.map((each) => {
        const [note, button] = describe(each);
        return h("li", { class: "row" }, avatar({ id: each.user, name: each.name }, "small"), h("span", { class: "body" }, h("span", { class: "one-line", dir: "auto" }, each.name), note && h("span", { class: "note" }, note)), button && h("span", { class: "end" }, button));
      })));
    const mayRemove = conversation.me.is_member && conversation.me.may.remove;
    const inviter = (/** @type {any} */ each) => each.invited_by === me() ? "you" : app.state.people.get(each.invited_by)?.name ?? words.own.unknown;
    replace(
      requests,
      section("Waiting for room", conversation.waiting ?? [], (each) => [null, mayRemove && iconButton("close", `Remove ${each.name}`, () => change(() => api.delete(`${path}/members/${each.user}`)))]),
      section("Invited", conversation.invited ?? [], (each) => [`invited by ${inviter(each)}`, iconButton("close", `Take the invite of ${each.name} back`, () => change(() => api.delete(`${path}/invites/${each.user}`)))]),
    );
  }

  function showMembers() {
    if (conversation.kind !== "group") return;
    const may = conversation.me.may;
    const isIn = conversation.me?.is_member;
    replace(
      membersHead,
      h("h3", null, words.participants(conversation.member_count)),
      isIn && may.add && h("button", { type: "button", class: "quiet small", on: { click: () => void add() } }, icon("user_add"), "Add"),
    );
    memberSearch.hidden = conversation.member_count <= 12;
    const wanted = folded(query.trim());
    const found = conversation.members.filter((/** @type {any} */ each) => folded(each.name).includes(wanted));
    keyed(members, found.slice(0, most), (/** @type {any} */ each) => each.user, () => h("li"), (item, each) => {
      const signature = JSON.stringify([each, conversation.acting_admin, conversation.me?.role]);
      if (item.dataset.signature === signature) return;
      item.dataset.signature = signature;
      const role = conversation.acting_admin === each.user ? "Acting admin" : words.role(each.role);
      const isMe = each.user === me();
      replace(
        item,
        h(
          "button",
          { type: "button", class: "row", "aria-haspopup": "menu", on: { click: (/** @type {Event} */ event) => memberMenu(each, /** @type {HTMLElement} */ (event.currentTarget)) } },
          avatar({ id: each.user, name: each.name, photo: each.photo, deleted: each.deleted, presence: each.presence }, "small"),
          h("span", { class: "body" }, h("span", { class: "first-line" }, h("span", { class: "one-line", dir: "auto" }, isMe ? `${each.name} (you)` : each.name), each.verified && !isMe && h("span", { class: "mark good", title: "You compared codes", role: "img", "aria-label": "verified" }, icon("shield")), each.blocked && h("span", { class: "chip" }, "blocked")), h("span", { class: "note one-line" }, words.presence(each))),
          role && h("span", { class: `chip ${each.role === "moderator" ? "" : "accent"}` }, role),
        ),
      );
    });
    moreMembers.hidden = found.length <= most;
  }

  /** @param {any} member @param {HTMLElement} at */
  function memberMenu(member, at) {
    const may = conversation.me.may;
    const isMe = member.user === me();
    const isIn = conversation.me?.is_member;
    const added = member.added_by ? conversation.members.find((/** @type {any} */ each) => each.user === member.added_by)?.name ?? app.state.people.get(member.added_by)?.name : null;
    dialogs.menu(at, [
      !isMe && !member.deleted && { label: "Write a message", icon: "message", press: () => void dialogs.openDirect(app, member.user) },
      "people" in screens && { label: "Person", icon: "people", press: () => app.navigate(`#/people/${member.user}`) },
      { label: "Details", icon: "info", press: () => void details(member, added) },
      isIn && may.promote && !isMe && "line",
      isIn && may.promote && !isMe && member.role !== "admin" && member.role !== "founder" && { label: "Make admin", icon: "shield", press: () => role(member, "admin") },
      isIn && may.promote && !isMe && member.role !== "moderator" && { label: "Make moderator", icon: "shield", press: () => role(member, "moderator") },
      isIn && may.promote && !isMe && member.role !== "member" && { label: "Make plain member", icon: "people", press: () => role(member, "member") },
      isIn && may.remove && !isMe && "line",
      isIn && may.remove && !isMe && { label: "Remove from the group", icon: "leave", isDanger: true, press: () => void remove(member) },
    ]);
  }

  /** @param {any} member @param {string | null | undefined} added */
  function details(member, added) {
    return dialogs.dialog(member.name, () => ({
      content: h("dl", { class: "details" }, detail("Role", words.role(member.role) || "Member"), detail("Presence", words.presence(member)), member.joined_at && detail("Joined", words.moment(member.joined_at)), detail("Added by", added ?? (member.role === "founder" ? "made the group" : "")), detail("Codes compared", member.verified ? "yes" : "no")),
    }));
  }

  /** @param {string} name @param {string} value */
  function detail(name, value) {
    return value ? h("div", null, h("dt", null, name), h("dd", { dir: "auto" }, value)) : null;
  }

  /** @param {any} member @param {string} wanted */
  async function role(member, wanted) {
    const word = wanted === "member" ? "a plain member" : wanted === "admin" ? "an admin" : "a moderator";
    const isSure = await dialogs.confirm({ title: `Make ${member.name} ${word}?`, text: wanted === "admin" ? "Admins add, remove and promote people and change the group." : wanted === "moderator" ? "Moderators add and remove members and delete messages." : "They keep what they wrote.", action: wanted === "member" ? "Demote" : "Promote" });
    if (isSure) await change(() => api.patch(`${path}/members/${member.user}`, { role: wanted }));
  }

  async function add() {
    const people = await dialogs.pickPeople(app, { title: "Add participants", action: "Add", without: new Set(conversation.members.map((/** @type {any} */ each) => each.user)) });
    if (people?.length) await change(() => api.post(`${path}/members`, { members: people }));
  }

  /** @param {any} member */
  async function remove(member) {
    const isLast = conversation.member_count <= 2;
    const wanted = await removal(`${path}/members/${member.user}`, member.name, isLast ? "This will archive the group (only 1 member remaining)" : "They keep what they have, and can no longer read or write in this group.", signal);
    if (wanted) await withArchive((archive) => api.delete(`${path}/members/${member.user}`, { ...wanted, archive: archive || isLast || undefined }));
  }

  /** Asks once more where the group would be archived. @param {(archive: boolean) => Promise<any>} action */
  async function withArchive(action) {
    try {
      took(await action(false));
    } catch (error) {
      if (!(error instanceof APIError) || error.code !== "would_archive") return app.failed(error);
      if (!await dialogs.confirm({ title: "Archive the group?", text: "This will archive the group (only 1 member remaining)", action: "Archive", isDanger: true })) return;
      await change(() => action(true));
    }
  }

  function edit() {
    return dialogs.dialog("Edit group", (close) => {
      const photo = dialogs.photoField(app, "Group photo", conversation.photo?.state === "here" ? api.blob(conversation.photo.id) : undefined);
      const name = dialogs.nameField("Group name", conversation.name ?? "", 50);
      const description = h("textarea", { rows: "4", dir: "auto" });
      description.value = conversation.description ?? "";
      const error = h("p", { class: "error-text", role: "alert" });
      const button = h("button", { type: "button", class: "primary", on: { click: save } }, "Save");
      name.input.addEventListener("input", () => {
        button.disabled = !name.isValid() || (name.value() === "" && Boolean(conversation.name));
      });
      async function save() {
        /** @type {any} */
        const wanted = {};
        if (name.value() !== (conversation.name ?? "")) wanted.name = name.value();
        if (description.value.trim() !== (conversation.description ?? "")) wanted.description = description.value.trim();
        if (photo.id()) wanted.photo = photo.id();
        if (Object.keys(wanted).length === 0) return close();
        button.disabled = true;
        try {
          took(await api.patch(path, wanted));
          close();
        } catch (refusal) {
          error.textContent = refusal instanceof Error ? refusal.message : "";
          button.disabled = false;
        }
      }
      return {
        content: [h("div", { class: "name-and-photo" }, photo.element, name.element), h("label", { class: "field" }, h("span", null, "Description"), description), error],
        footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button],
        focus: name.input,
      };
    });
  }

  function showMore() {
    const items = Object.entries(conversationScreens).filter(([, each]) => each.for !== "group" || conversation.kind === "group").map(([name, each]) => h("li", null, h("a", { class: "row", href: `#/conversation/${id}/${name}` }, h("span", { class: "section-icon" }, icon(each.icon)), h("span", { class: "body" }, each.title), icon("chevron"))));
    const person = other();
    if (person && "people" in screens) items.unshift(h("li", null, h("a", { class: "row", href: `#/people/${person.user}` }, h("span", { class: "section-icon" }, icon("shield")), h("span", { class: "body" }, "Verify, block, more"), icon("chevron"))));
    more.hidden = items.length === 0;
    replace(more, h("ul", null, ...items));
  }

  function showSettings() {
    const may = conversation.me.may;
    const isGroup = conversation.kind === "group";
    const set = conversation.settings ?? {};
    const isIn = Boolean(conversation.me?.is_member);
    const rows = [];
    if (isGroup && isIn) {
      const can = may.edit;
      /** @param {string} key @param {string} text @param {string} on @param {string} off */
      const choice = (key, text, on, off) => toggle(text, set[key] === on, !can, (value) => change(() => api.patch(path, { settings: { [key]: value ? on : off } })));
      rows.push(h("h3", null, "For everybody"));
      rows.push(choice("announcement", "Only admins and moderators write", "on", "off"));
      rows.push(choice("members-add", "Every member adds people", "everyone", "moderators"));
      rows.push(choice("statistics", "Only admins see the statistics", "admins", "everyone"));
    }
    rows.push(h("h3", null, "For yourself"));
    rows.push(toggle("Show others what I read here", conversation.receipts !== false, false, (value) => change(() => api.put(`${path}/private`, { receipts: value }))));
    const keep = h("select", { "aria-label": "Keep messages", on: { change: async () => {
      if (!await change(() => api.put(`${path}/retention`, { days: keep.value ? Number(keep.value) : null }))) showSettings();
    } } });
    for (const [days, text] of /** @type {Array<[number | null, string]>} */ ([[null, "forever"], [7, "7 days"], [30, "30 days"], [90, "90 days"], [365, "1 year"]])) keep.append(h("option", { value: days ? String(days) : "" }, text));
    if (conversation.keep_days && ![7, 30, 90, 365].includes(conversation.keep_days)) keep.append(h("option", { value: String(conversation.keep_days) }, words.plural(conversation.keep_days, "day")));
    keep.value = conversation.keep_days ? String(conversation.keep_days) : "";
    rows.push(h("label", { class: "choice spread" }, h("span", null, "Keep messages on this computer"), keep));
    if (isGroup && isIn && may.invite) {
      rows.push(h("h3", null, "Invite"));
      rows.push(h("div", { class: "actions" }, h("button", { type: "button", on: { click: () => void invitePerson() } }, icon("user_add"), "Invite somebody"), h("button", { type: "button", on: { click: () => void codes() } }, icon("link"), "Codes to join")));
    }
    replace(settings, ...rows);
  }

  /** @param {string} text @param {boolean} isOn @param {boolean} isFixed @param {(value: boolean) => unknown} press */
  function toggle(text, isOn, isFixed, press) {
    const box = h("input", { type: "checkbox", role: "switch", class: "switch", checked: isOn, disabled: isFixed, on: { change: async () => {
      if (await press(box.checked) === false) box.checked = !box.checked;
    } } });
    return h("label", { class: "choice spread" }, h("span", null, text), box);
  }

  async function invitePerson() {
    const people = await dialogs.pickPeople(app, { title: "Invite somebody", action: "Invite", isSingle: true, without: new Set([...conversation.members, ...conversation.invited ?? []].map((/** @type {any} */ each) => each.user)) });
    if (people) await change(() => api.post(`${path}/invites`, { user: people[0] }), "Invited; they are a member when they accept");
  }

  function codes() {
    const gone = new AbortController();
    return dialogs.dialog("Codes to join", () => {
      const list = h("ul");
      const made = h("div", { class: "stack" });
      const show = async () => {
        try {
          const open = await api.get(`${path}/codes`, undefined, signal);
          replace(list, ...open.map((/** @type {any} */ each) => h("li", { class: "row" }, h("span", { class: "body" }, h("span", { dir: "auto" }, `By ${each.inviter === me() ? "you" : each.inviter_name}`), h("span", { class: "note" }, `good until ${words.when(each.expires_at)}, ${words.time(each.expires_at)}`)), h("span", { class: "end" }, iconButton("trash", "Take this code back", async () => { if (await change(() => api.delete(`${path}/invites/${each.id}`))) void show(); })))));
        } catch (error) {
          app.failed(error);
        }
      };
      const make = h("button", { type: "button", class: "primary", on: { click: async () => {
        try {
          const code = await api.post(`${path}/codes`, {});
          replace(made, h("p", { class: "note" }, "For one person, once. Give it to nobody else."), copyable(app, "Code", code.code), qr(code.qr, "The code as a QR code"));
          made.querySelector("input")?.select();
          void show();
        } catch (error) {
          app.failed(error);
        }
      } } }, "Make a code");
      // One that somebody used is gone.
      app.onEvent((event) => {
        if (event.type === "conversation" && event.conversation === id) void show();
      }, gone.signal);
      void show();
      return { content: [h("p", { class: "note" }, "A code lets one person join whom nobody here has met."), make, made, list] };
    }).finally(() => gone.abort());
  }

  function showEnd() {
    const isIn = conversation.me?.is_member;
    replace(
      end,
      conversation.kind === "group" && isIn && h("button", { type: "button", class: "quiet danger", on: { click: () => void leave() } }, icon("leave"), "Leave the group"),
      conversation.kind === "group" && !isIn && !conversation.me?.awaits_answer && h("button", { type: "button", class: "quiet danger", on: { click: () => void erase() } }, icon("trash"), "Erase from this computer"),
    );
    end.hidden = end.children.length === 0;
  }

  async function leave() {
    const isLast = conversation.member_count <= 2;
    const isSure = await dialogs.confirm({
      title: `Leave ${conversation.title}?`,
      text: isLast ? "This will archive the group (only 1 member remaining)" : "You keep what you have. You cannot come back by yourself.",
      action: "Leave",
      isDanger: true,
    });
    if (!isSure) return;
    /** @type {any} */
    const how = isLast ? { archive: true } : {};
    // The node has the last word on it; but where everybody sees that somebody is the only admin, it need not be asked first.
    const isAdmin = (/** @type {any} */ each) => each.role === "founder" || each.role === "admin";
    if (isAdmin(conversation.me) && !conversation.members.some((/** @type {any} */ each) => each.user !== me() && isAdmin(each))) {
      // Of one who remains there is nothing to choose.
      const choice = isLast ? { force: true } : await successor();
      if (!choice) return;
      Object.assign(how, choice);
    }
    for (;;) {
      try {
        const next = await api.post(`${path}/leave`, how);
        app.update((state) => withConversation(state, next));
        return app.navigate(`#/conversation/${id}`);
      } catch (error) {
        if (error instanceof APIError && error.code === "last_admin") {
          const choice = await successor();
          if (!choice) return;
          Object.assign(how, choice);
        } else if (error instanceof APIError && error.code === "would_archive" && !how.archive) {
          if (!await dialogs.confirm({ title: "Archive the group?", text: "This will archive the group (only 1 member remaining)", action: "Leave", isDanger: true })) return;
          how.archive = true;
        } else return app.failed(error);
      }
    }
  }

  async function erase() {
    const isSure = await dialogs.confirm({
      title: `Erase ${conversation.title}?`,
      text: "Its messages and files go from this computer for good. Others keep what they have." + (conversation.sync === "pending" ? " What you wrote last has not left this computer: it is lost then." : ""),
      action: "Erase",
      isDanger: true,
    });
    if (!isSure) return;
    try {
      await api.delete(path);
      app.navigate("#/");
    } catch (error) {
      app.failed(error);
    }
  }

  /** @returns {Promise<{successor?: string, force?: boolean} | undefined>} */
  function successor() {
    return dialogs.dialog("Who becomes admin?", (close) => {
      const others = conversation.members.filter((/** @type {any} */ each) => each.user !== me() && !each.deleted);
      return {
        class: "tall",
        content: [
          h("p", { class: "note" }, "You are the last admin. Choose somebody, or leave it to the oldest member."),
          h("ul", null, ...others.map((/** @type {any} */ each) => h("li", null, h("button", { type: "button", class: "row", on: { click: () => close({ successor: each.user }) } }, avatar({ id: each.user, name: each.name, photo: each.photo }, "small"), h("span", { class: "body one-line", dir: "auto" }, each.name))))),
        ],
        footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), h("button", { type: "button", on: { click: () => close({ force: true }) } }, "Leave it to the oldest member")],
      };
    });
  }

  app.watch((state) => state.me, show, signal);
  return element;
}

/**
 * Asks before a member is removed.
 * @param {string} path of the member @param {string} name @param {string} note what it means @param {AbortSignal} signal
 * @returns {Promise<{since?: string} | undefined>} what to ask of the node; nothing when it was dismissed
 */
function removal(path, name, note, signal) {
  return dialogs.dialog(`Remove ${name}?`, (close) => {
    const span = h("select", { on: { change: () => void look() } }, ...spans.map(([seconds, text]) => h("option", { value: String(seconds) }, text)));
    const known = h("p", { role: "status", dir: "auto" });
    /** @type {{since?: string}} */
    let wanted = {};
    const button = h("button", { type: "button", class: "primary danger", on: { click: () => close(wanted) } }, "Remove");

    async function look() {
      const seconds = span.value;
      known.textContent = "";
      wanted = seconds ? { since: new Date(Date.now() - Number(seconds) * 1_000).toISOString() } : {};
      button.disabled = seconds !== "";
      if (!seconds) return;
      try {
        const losses = await api.get(`${path}/removal`, wanted, signal);
        if (seconds !== span.value) return;
        known.textContent = taken(losses);
        button.disabled = false;
      } catch (error) {
        if (seconds === span.value) known.textContent = reason(error);
      }
    }

    return {
      content: [h("p", { dir: "auto", class: "confirm-text" }, note), h("label", { class: "field" }, h("span", null, "Take back what they did in the group"), span), known],
      footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button],
      focus: button,
    };
  });
}

/** @param {Losses} losses */
function taken(losses) {
  /** @param {Person[]} people */
  const names = (people) => words.list(people.length > 6 ? [...people.slice(0, 5).map((each) => each.name), `${people.length - 5} more`] : people.map((each) => each.name));
  return [
    losses.decisions > 0 && `${words.plural(losses.decisions, "decision")} will not count any more.`,
    losses.messages > 0 && `${words.plural(losses.messages, "message")} will be marked as not counting.`,
    losses.leaving.length > 0 && `In the group no more: ${names(losses.leaving)}.`,
    losses.returning.length > 0 && `In the group again: ${names(losses.returning)}.`,
    losses.kept > 0 && `${words.plural(losses.kept, "decision")} will stay, because you have decided on top of that since.`,
    "Nothing undoes this.",
  ].filter(Boolean).join(" ");
}
