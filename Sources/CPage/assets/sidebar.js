// The list of conversations, and the ways to everything else: which screens there are.

import { avatar, h, icon, iconButton, keyed, replace } from "./dom.js";
import { conversationOf, matches, sorted, unreadCount } from "./store.js";
import * as words from "./words.js";

// The screens beyond conversations, by the first word of their address. A screen that is not here is offered nowhere.
//
// Each module exports `screen(app, params)`, which returns an element with a heading; see `main.js`. It is loaded when somebody
// goes there for the first time.

/** @type {Record<string, {title: string, short?: string, icon: import("./dom.js").IconName, load: () => Promise<{screen: Function}>}>} */
export const screens = {
  people: { title: "People", icon: "people", load: () => import("./people.js") },
  search: { title: "Search messages", short: "Search", icon: "search", load: () => import("./search.js") },
  profile: { title: "Your profile", icon: "people", load: () => import("./profile.js") },
  devices: { title: "Your devices", icon: "node", load: () => import("./devices.js") },
  laboratory: { title: "Laboratory", short: "Lab", icon: "flask", load: () => import("./laboratory.js") },
  node: { title: "This node", short: "Node", icon: "node", load: () => import("./node.js") },
  doctor: { title: "Doctor", icon: "node", load: () => import("./doctor.js") },
};

/** Screens of one conversation: `#/conversation/ID/NAME`. They open beside it. @type {Record<string, {title: string, icon: import("./dom.js").IconName, load: () => Promise<{screen: Function}>, for?: "group"}>} */
export const conversationScreens = {
  search: { title: "Search here", icon: "search", load: () => import("./search.js") },
  files: { title: "Photos, files and links", icon: "gallery", load: () => import("./gallery.js") },
  statistics: { title: "Statistics", icon: "chart", for: "group", load: () => import("./statistics.js") },
  membership: { title: "History of the group", icon: "graph", for: "group", load: () => import("./membership.js") },
};

/** How many rows are made at a time: a long list grows as it is scrolled. */
const portion = 40;

/** @param {import("./main.js").App} app */
export function sidebar(app) {
  const { dialogs } = app;
  /** @type {"conversations" | "archived" | "requests"} */
  let shownList = "conversations";
  let query = "";
  let most = portion;

  const search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search conversations", autocomplete: "off", spellcheck: "false", on: {
    input: () => {
      query = search.value;
      most = portion;
      show();
      searchMembers();
    },
    keydown: (/** @type {KeyboardEvent} */ event) => {
      // With Alt it goes to the next conversation: see keys.js.
      if (event.altKey) return;
      if (event.key === "ArrowDown") {
        event.preventDefault();
        /** @type {HTMLElement | null} */ (list.querySelector("a"))?.focus();
      } else if (event.key === "Enter") {
        const first = /** @type {HTMLAnchorElement | null} */ (list.querySelector("a"));
        if (first) {
          app.navigate(first.hash);
          search.value = query = "";
          show();
        } else if (query.trim() && "search" in screens) app.navigate(`#/search?q=${encodeURIComponent(query)}`);
      } else if (event.key === "Escape" && search.value) {
        event.stopPropagation();
        search.value = query = "";
        show();
      }
    },
  } });

  /** What the node found besides: the list here knows only some of the members of a group. @type {Set<string>} */
  let found = new Set();
  /** @type {number | undefined} */
  let searchTimer;
  function searchMembers() {
    clearTimeout(searchTimer);
    found = new Set();
    const wanted = query.trim();
    if (!wanted) return;
    searchTimer = setTimeout(async () => {
      try {
        const answer = await app.api.get("/conversations", { query: wanted, members: false, ...(shownList === "archived" ? { archived: true } : shownList === "requests" ? { requests: true } : {}) });
        if (query.trim() !== wanted) return;
        found = new Set(answer.map((/** @type {any} */ each) => each.id));
        show();
      } catch (error) {
        app.failed(error);
      }
    }, 150);
  }

  const list = h("ul", { class: "conversations", on: { keydown: moveFocus } });
  const under = h("div", { class: "under-list" });
  const sections = h("div", { class: "sections" });
  const scroller = h("div", { class: "list-scroller" }, sections, list, under);
  const me = h("button", { type: "button", class: "me row", "aria-haspopup": "menu", on: { click: () => void meMenu().catch(app.failed) } });
  const head = h(
    "header",
    { class: "sidebar-head" },
    me,
    iconButton("add", "New message or group", (event) =>
      dialogs.menu(/** @type {HTMLElement} */ (event.currentTarget), [
        { label: "New message", icon: "message", press: () => dialogs.newMessage(app) },
        { label: "New group", icon: "group", press: () => dialogs.newGroup(app) },
        { label: "Join with a code", icon: "link", press: () => dialogs.join(app) },
      ]), { class: "accent", "aria-haspopup": "menu" }),
  );
  const foot = h("ul", { class: "sidebar-foot" });
  const element = h("nav", { class: "sidebar", "aria-label": "Conversations" }, head, h("div", { class: "search-box" }, icon("search"), search), scroller, foot);

  for (const [name, each] of Object.entries(screens)) {
    // The profile is behind one's own name, the devices are there, and the doctor is where nobody is found.
    if (["profile", "devices", "doctor"].includes(name)) continue;
    foot.append(h("li", null, h("a", { href: `#/${name}`, class: "foot-link", title: each.title, data: { name } }, icon(each.icon), h("span", { class: "one-line" }, each.short ?? each.title))));
  }
  foot.hidden = foot.children.length === 0;

  /** @param {KeyboardEvent} event */
  function moveFocus(event) {
    if (event.altKey || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    const links = [...list.querySelectorAll("a")];
    const index = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    const next = links[index + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    if (next) next.focus();
    else if (event.key === "ArrowUp") search.focus();
  }

  async function meMenu() {
    const { notifications } = await app.load(() => import("./notifications.js"));
    dialogs.menu(me, [
      "profile" in screens && { label: "Profile", icon: "people", press: () => app.navigate("#/profile") },
      notifications.canAsk(app.state.status) && { label: notifications.isOn ? "Do not notify in this browser" : "Notify in this browser", icon: notifications.isOn ? "mute" : "bell", press: () => void notifications.toggle(app) },
      { label: "Appearance", icon: "theme", press: () => dialogs.appearance(app) },
      { label: "Keyboard", icon: "keyboard", key: "?", press: () => dialogs.keyboard() },
    ]);
  }

  // Rows

  /** @param {any} conversation */
  function create(conversation) {
    const link = h("a", { class: "row conversation", href: `#/conversation/${conversation.id}` });
    link.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const known = conversationOf(app.state, conversation.id);
      if (known) app.dialogs.conversationMenu(app, known, link);
    });
    return h("li", null, link);
  }

  /** @type {WeakMap<HTMLElement, any>} */
  const shownAs = new WeakMap();

  /** @param {HTMLElement} item @param {any} conversation */
  function update(item, conversation) {
    const link = /** @type {HTMLElement} */ (item.firstElementChild);
    const isOpen = app.state.open === conversation.id;
    if (isOpen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    // A row is made anew only when what it shows changed; when the day changed, with it its times; and when it is known who one is.
    const signature = `${today} ${app.state.me?.user ?? ""}`;
    const before = shownAs.get(item);
    if (before?.conversation === conversation && before.signature === signature) return;
    shownAs.set(item, { conversation, signature });
    fillRow(app, link, conversation);
  }

  let today = words.dayNumber(new Date());

  function show() {
    today = words.dayNumber(new Date());
    const { state } = app;
    const all = sorted(state[shownList].values()).filter((each) => matches(each, query) || found.has(each.id));
    keyed(list, all.slice(0, most), (each) => each.id, create, update);
    showSections();
    showUnder(all.length);
  }

  function showSections() {
    const { state } = app;
    const requests = state.requests.size;
    replace(
      sections,
      shownList === "conversations" && requests > 0 && h("button", { type: "button", class: "row section-row", on: { click: () => choose("requests") } }, h("span", { class: "section-icon" }, icon("user_add")), h("span", { class: "body" }, "Requests"), h("span", { class: "badge" }, words.number(requests))),
      shownList !== "conversations" && h("div", { class: "section-head" }, iconButton("back", "All conversations", () => choose("conversations")), h("h2", null, shownList === "archived" ? "Archived" : "Requests")),
    );
  }

  /** @param {number} count */
  function showUnder(count) {
    const { state } = app;
    if (!state.loaded) {
      return replace(under, ...[1, 2, 3, 4, 5].map(() => h("div", { class: "row", "aria-hidden": "true" }, h("span", { class: "avatar skeleton" }), h("span", { class: "body" }, h("span", { class: "skeleton line" }), h("span", { class: "skeleton line short" })))));
    }
    replace(
      under,
      count === 0 && query && h("p", { class: "nothing" }, `Nothing is called “${words.cut(query, 40)}”`),
      count === 0 && query && "search" in screens && h("p", { class: "nothing" }, h("a", { href: `#/search?q=${encodeURIComponent(query)}` }, "Search in all messages")),
      count === 0 && !query && shownList === "conversations" && h("div", { class: "nothing" }, h("p", null, "No conversations yet"), h("button", { type: "button", on: { click: () => dialogs.newMessage(app) } }, "New message")),
      count === 0 && !query && shownList !== "conversations" && h("p", { class: "nothing" }, shownList === "archived" ? "Nothing is archived" : "Nobody is waiting for an answer"),
      shownList === "conversations" && !query && state.archived.size > 0 && h("button", { type: "button", class: "row section-row", on: { click: () => choose("archived") } }, h("span", { class: "section-icon" }, icon("archive")), h("span", { class: "body" }, "Archived"), h("span", { class: "note" }, words.number(state.archived.size))),
    );
  }

  /** @param {"conversations" | "archived" | "requests"} name */
  function choose(name) {
    shownList = name;
    most = portion;
    scroller.scrollTop = 0;
    show();
    /** @type {HTMLElement | null} */ (name === "conversations" ? search : sections.querySelector("button"))?.focus();
  }

  scroller.addEventListener("scroll", () => {
    if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight > 600 || most >= app.state[shownList].size) return;
    most += portion;
    show();
  }, { passive: true });

  app.watch((state) => state.conversations, show);
  app.watch((state) => state.archived, show);
  app.watch((state) => state.requests, () => {
    if (shownList === "requests" && app.state.requests.size === 0) shownList = "conversations";
    show();
  });
  app.watch((state) => state.loaded, show);
  app.watch((state) => state.open, show);
  // The list that is shown is the one with the conversation that is open.
  app.watch((state) => !state.open ? "" : state.archived.has(state.open) ? "archived" : state.conversations.has(state.open) ? "conversations" : "", (name) => {
    if (!name || (name === "archived" && shownList === "requests")) return;
    shownList = /** @type {"archived" | "conversations"} */ (name);
    show();
  });
  app.watch((state) => state.me, (value) => {
    replace(me, avatar({ id: value?.user ?? "0", name: value?.name ?? "", photo: value?.photo }, "small"), h("span", { class: "body one-line name", dir: "auto" }, value?.name ?? ""));
    me.setAttribute("aria-label", `${value?.name ?? words.own.you}: profile and settings`);
    show();
  });
  app.watch(unreadCount, (count) => element.setAttribute("data-unread", String(count)));
  // Times in the list are of today until midnight.
  setInterval(() => {
    if (words.dayNumber(new Date()) !== today) show();
  }, 60_000);
  addEventListener("hashchange", markFoot);
  function markFoot() {
    for (const each of foot.querySelectorAll("a")) {
      if (location.hash.split(/[/?]/)[1] === each.dataset.name) each.setAttribute("aria-current", "page");
      else each.removeAttribute("aria-current");
    }
  }
  markFoot();
  return element;
}

/** @param {import("./main.js").App} app @param {HTMLElement} link @param {any} conversation */
function fillRow(app, link, conversation) {
  const me = app.state.me?.user;
  const isDirect = conversation.kind === "direct";
  const other = isDirect ? conversation.members?.find((/** @type {any} */ each) => each.user !== me) : null;
  const last = conversation.last_message;
  const draft = conversation.draft && app.state.open !== conversation.id ? conversation.draft : "";
  let text = words.preview(last);
  if (last?.kind === "system") text = last.text ?? "";
  else if (last && !isDirect) text = `${last.sender === me ? words.own.you : last.sender_name}: ${text}`;
  else if (last?.sender === me) text = `You: ${text}`;
  if (!last) text = "No messages yet";
  const isMuted = Boolean(conversation.muted_until);
  const { unread } = conversation;
  replace(
    link,
    avatar({ id: other?.user ?? conversation.id, name: conversation.title, photo: other ? other.photo : conversation.photo, deleted: other?.deleted, presence: other?.presence }, "medium"),
    h(
      "span",
      { class: "body" },
      h("span", { class: "first-line" }, h("span", { class: "one-line title", dir: "auto" }, conversation.title), h("time", { class: "note", datetime: conversation.last_activity ?? null }, words.when(conversation.last_activity))),
      h(
        "span",
        { class: "second-line" },
        h("span", { class: "one-line preview", dir: "auto" }, draft ? h("b", { class: "draft" }, "Draft: ") : null, words.cut(draft || text, 160)),
        h("span", { class: "marks" }, ...(conversation.tags ?? []).slice(0, 2).map((/** @type {string} */ each) => h("span", { class: "chip", dir: "auto" }, words.cut(each, 16))), conversation.sync === "pending" && mark("clock", "Not yet at anybody else"), conversation.sync === "behind" && mark("warning", "Others have more than can be stored here"), isMuted && mark("mute", words.mutedUntil(conversation.muted_until)), conversation.pinned && mark("pin", "Pinned"), unread > 0 && h("span", { class: `badge ${isMuted ? "muted" : ""}`, "aria-label": words.plural(unread, "unread message") , role: "img" }, unread > 999 ? "999+" : words.number(unread))),
      ),
    ),
  );
  link.classList.toggle("unread", unread > 0 && !isMuted);
}

/** @param {import("./dom.js").IconName} name @param {string} label */
function mark(name, label) {
  return h("span", { class: "mark", role: "img", "aria-label": label, title: label }, icon(name));
}
