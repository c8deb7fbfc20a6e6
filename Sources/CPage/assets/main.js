// Starts the page, knows which address shows which screen, and gives every screen its `app`. `parts.js` says what a screen is, and what
// `app` offers it.

import { api, APIError, ask, connection, prove, session } from "./api.js";
import { append, h, icon, iconButton, keyed, replace } from "./dom.js";
import * as store from "./store.js";
import * as words from "./words.js";
import { listen } from "./stream.js";
import { conversationScreens, screens, sidebar } from "./sidebar.js";
import { conversationView } from "./conversation.js";

/** @typedef {import("./store.js").State} State */
/** @typedef {{path: string[], query: URLSearchParams, signal: AbortSignal, conversation?: string}} Params */
/** @typedef {typeof app} App */

let state = store.emptyState();
/** @type {Set<{select: (state: State) => any, show: (value: any) => void, last: any}>} */
const watchers = new Set();
/** @type {Set<(event: any) => void>} */
const listeners = new Set();
let isPaintPlanned = false;
/** @type {() => void} */
let becomeReady;

export const app = {
  /** @returns {State} */
  get state() {
    return state;
  },

  /** @param {(state: State) => State} change */
  update(change) {
    const next = change(state);
    if (next === state) return;
    state = next;
    plan();
  },

  /**
   * @template T
   * @param {(state: State) => T} select
   * @param {(value: T) => void} show
   * @param {AbortSignal} [signal]
   */
  watch(select, show, signal) {
    if (signal?.aborted) return;
    const watcher = { select, show, last: select(state) };
    watchers.add(watcher);
    signal?.addEventListener("abort", () => watchers.delete(watcher));
    show(watcher.last);
  },

  /** @param {(event: any) => void} listener @param {AbortSignal} [signal] */
  onEvent(listener, signal) {
    listeners.add(listener);
    signal?.addEventListener("abort", () => listeners.delete(listener));
  },

  api,
  request: ask,
  /** Until it is known who one is, and pictures can be asked for: what is shown earlier is shown twice. @type {Promise<void>} */
  ready: new Promise((resolve) => {
    becomeReady = resolve;
  }),
  words,

  /**
   * Imports what the first screen does not need: from the node, and from nobody in its place. The document has what must be in each file, too.
   * @template T @param {() => Promise<T>} make @returns {Promise<T>}
   */
  async load(make) {
    if (!loaded.has(make)) await prove();
    const [made] = await Promise.all([make(), laterStyles()]);
    loaded.add(make);
    return made;
  },

  /**
   * Something whose functions are called as if it were here already: the first call loads it, and all of them give promises.
   * @template {object} T @param {() => Promise<T>} make @returns {T}
   */
  later(make) {
    /** @type {Promise<any> | null} */
    let made = null;
    return /** @type {T} */ (new Proxy({}, {
      get: (_, name) => async (/** @type {any[]} */ ...given) => {
        try {
          const of = await (made ??= app.load(make));
          return of[name](...given);
        } catch (error) {
          made = null;
          app.failed(error);
        }
      },
    }));
  },

  /** @returns {typeof import("./dialogs.js")} */
  get dialogs() {
    return dialogs;
  },

  /** @param {string} address @param {{replace?: boolean}} [options] */
  navigate(address, options) {
    if (options?.replace) {
      history.replaceState(null, "", address);
      route();
    } else if (location.hash === address) route();
    else location.hash = address;
  },

  /** @param {string} id @returns {Promise<any>} */
  conversation(id) {
    return app.describe(id, api.get(`/conversations/${id}`));
  },

  /**
   * Puts into the lists what a request answers about a conversation. Where a message overtook the answer, it is asked for again.
   * @param {string} id @param {Promise<any>} request @returns {Promise<any>}
   */
  async describe(id, request) {
    const began = messageEvents;
    const conversation = await request;
    if ((latestMessages.get(id) ?? 0) > began && store.conversationOf(state, id)) refresh(id);
    else app.update((state) => store.withConversation(state, conversation));
    return conversation;
  },

  /**
   * @param {string} text
   * @param {"info" | "error" | "overruled"} [kind]
   * @param {{label: string, press: () => void}} [action]
   */
  toast(text, kind = "info", action) {
    const key = String(Math.random());
    app.update((state) => ({ ...state, toasts: [...state.toasts.slice(-3), { key, kind, text, action }] }));
    void laterStyles();
    const seconds = action ? 30 : kind === "error" ? 10 : 5;
    setTimeout(function end() {
      // Nothing goes away under somebody's finger.
      if (document.querySelector(`.toast[data-key="${key}"]:is(:hover, :focus-within)`)) setTimeout(end, 2_000);
      else app.dismiss(key);
    }, seconds * 1000);
  },

  /** @param {string} key */
  dismiss(key) {
    app.update((state) => ({ ...state, toasts: state.toasts.filter((each) => each.key !== key) }));
  },

  /** @param {unknown} error */
  failed(error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    if (error instanceof APIError) {
      // The bar at the top says these already.
      if (error.status === 0 || error.status === 401) return;
      app.toast(error.hint ? `${error.message}. ${error.hint}` : error.message, "error");
    } else {
      console.error(error);
      app.toast("Something went wrong on this page", "error");
    }
  },
};

/** What is here already. @type {WeakSet<Function>} */
const loaded = new WeakSet();

const dialogs = app.later(() => import("./dialogs.js"));

/** @type {Promise<void> | null} */
let styles = null;

/** The styles of what comes after the first screen. */
function laterStyles() {
  return styles ??= new Promise((resolve) => {
    const end = () => resolve();
    const { href, pathname } = new URL("screens.css", import.meta.url);
    const digests = JSON.parse(document.querySelector("script[type=importmap]")?.textContent || "{}").integrity;
    document.head.append(h("link", { rel: "stylesheet", href, integrity: digests?.[pathname], on: { load: end, error: end } }));
  });
}

function plan() {
  if (isPaintPlanned) return;
  isPaintPlanned = true;
  // A hidden tab gets no frames, but its title must go on counting.
  if (document.hidden) setTimeout(paint, 50);
  else requestAnimationFrame(paint);
}

function paint() {
  isPaintPlanned = false;
  for (const watcher of [...watchers]) {
    if (!watchers.has(watcher)) continue;
    const value = watcher.select(state);
    if (Object.is(value, watcher.last)) continue;
    watcher.last = value;
    watcher.show(value);
  }
}

// Where an address leads

/**
 * @typedef {object} Place
 * @property {"home" | "conversation" | "screen" | "missing"} kind
 * @property {string} [name] of a screen
 * @property {string} [conversation]
 * @property {string} [message]
 * @property {string} [side] the name of a screen beside the conversation
 * @property {string[]} path
 * @property {URLSearchParams} query
 */

/** @param {string} hash @returns {Place} */
export function placeOf(hash) {
  const [before, after = ""] = hash.replace(/^#\/?/, "").split("?");
  const parts = before.split("/").filter(Boolean).map(decoded);
  const query = new URLSearchParams(after);
  const [first, id, next, ...rest] = parts;
  if (!first) return { kind: "home", path: [], query };
  // A link of anybody's leads here: what is no id must not become a part of a request.
  if (first === "conversation" && /^[0-9a-f]{64}$/.test(id ?? "")) {
    if (!next) return { kind: "conversation", conversation: id, path: [], query };
    if (/^[0-9a-f]{64}$/.test(next)) return { kind: "conversation", conversation: id, message: next, path: [], query };
    if (next === "info" || Object.hasOwn(conversationScreens, next)) {
      return { kind: "conversation", conversation: id, side: next, path: rest, query };
    }
  }
  if (Object.hasOwn(screens, first)) return { kind: "screen", name: first, path: parts.slice(1), query };
  return { kind: "missing", path: parts, query };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const shell = h("div", { class: "shell", data: { pane: "list" } });
const main = h("main", { id: "main", tabindex: "-1" });
const side = h("section", { class: "side", hidden: true, "aria-label": "Details" });

const info = () => import("./info.js");

/** What is shown now. @type {{key: string, leave: AbortController | null, view: any}} */
const shown = { key: "", leave: null, view: null };
/** @type {{key: string, leave: AbortController | null}} */
const beside = { key: "", leave: null };

function route() {
  const place = placeOf(location.hash);
  routeMain(place);
  routeSide(place);
  shell.dataset.pane = place.side ? "side" : place.kind === "home" ? "list" : "main";
}

/** @param {Place} place */
function routeMain(place) {
  const key = place.kind === "conversation"
    ? `conversation/${place.conversation}`
    : place.kind === "screen"
    ? `screen/${place.name}/${place.path.join("/")}?${place.query}`
    : place.kind;
  if (key === shown.key) {
    if (place.message) shown.view?.goTo(place.message);
    return;
  }
  shown.leave?.abort();
  shown.key = key;
  shown.leave = new AbortController();
  shown.view = null;
  const { signal } = shown.leave;
  const conversation = place.kind === "conversation" ? place.conversation ?? null : null;
  app.update((state) => ({ ...state, open: conversation }));
  if (conversation) {
    const view = conversationView(app, conversation, { message: place.message, signal });
    shown.view = view;
    main.replaceChildren(view.element);
    main.setAttribute("aria-labelledby", "conversation-title");
    if (matchMedia("(pointer: fine)").matches) view.focus();
  } else if (place.kind === "screen" && place.name) {
    main.removeAttribute("aria-labelledby");
    void show(main, screens[place.name].load, { path: place.path, query: place.query, signal });
  } else {
    main.removeAttribute("aria-labelledby");
    main.replaceChildren(place.kind === "home" ? welcome() : nothingHere());
  }
}

/** @param {Place} place */
function routeSide(place) {
  const key = place.side ? `${place.conversation}/${place.side}/${place.path.join("/")}?${place.query}` : "";
  if (key === beside.key) return;
  const wasOpen = beside.key !== "";
  beside.leave?.abort();
  beside.key = key;
  side.hidden = !key;
  if (!place.side || !place.conversation) {
    beside.leave = null;
    side.replaceChildren();
    if (wasOpen) shown.view?.focus();
    return;
  }
  beside.leave = new AbortController();
  const params = { path: place.path, query: place.query, signal: beside.leave.signal, conversation: place.conversation };
  /** @type {() => Promise<{screen: Function}>} */
  const load = place.side === "info" ? info : conversationScreens[place.side].load;
  void show(side, load, params);
}

/**
 * @param {HTMLElement} parent
 * @param {() => Promise<{screen: Function}>} load
 * @param {Params} params
 */
async function show(parent, load, params) {
  const slow = setTimeout(() => {
    if (!params.signal.aborted) parent.replaceChildren(h("p", { class: "loading", role: "status" }, "Loading…"));
  }, 150);
  try {
    const { screen } = await app.load(load);
    if (params.signal.aborted) return;
    const element = await screen(app, params);
    if (params.signal.aborted) return;
    parent.replaceChildren(element);
    const heading = /** @type {HTMLElement | null} */ (element.querySelector("h1, h2"));
    heading?.setAttribute("tabindex", "-1");
    // Somebody who already typed into the screen is not taken away from it.
    if (!element.contains(document.activeElement)) heading?.focus({ preventScroll: true });
  } catch (error) {
    if (params.signal.aborted) return;
    app.failed(error);
    parent.replaceChildren(h("div", { class: "empty" }, h("h1", null, "This could not be shown"), h("p", null, error instanceof Error ? error.message : "")));
  } finally {
    clearTimeout(slow);
  }
}

function welcome() {
  const element = h("div", { class: "empty welcome" });
  app.watch((state) => state.loaded && state.conversations.size === 0, (isNew) => {
    replace(
      element,
      icon("message"),
      h("h1", null, isNew ? "Nobody has written yet" : "Choose a conversation"),
      h("p", null, isNew
        ? "Everybody who runs Moot on this network appears by themselves. Write to somebody, or make a group."
        : "Ctrl+K finds one by its name."),
      isNew && h("button", { class: "primary", type: "button", on: { click: () => dialogs.newMessage(app) } }, "New message"),
    );
  }, shown.leave?.signal);
  return element;
}

function nothingHere() {
  return h("div", { class: "empty" }, h("h1", null, "Nothing is here"), h("p", null, "This address leads nowhere."), h("p", null, h("a", { href: "#/" }, "Back to the conversations")));
}

// The start

/** @param {"conversations" | "archived" | "requests"} list */
async function loadList(list) {
  const query = { members: 4, ...(list === "archived" ? { archived: true } : list === "requests" ? { requests: true } : {}) };
  const began = messageEvents;
  const conversations = await api.get("/conversations", query);
  app.update((state) => ({ ...store.withList(state, list, conversations), loaded: true }));
  for (const [id, latest] of latestMessages) if (latest > began) refresh(id);
}

async function loadPeople() {
  const people = await api.get("/people");
  app.update((state) => store.withPeople(state, people));
}

async function loadProfile() {
  const me = await api.get("/profile");
  // The same again makes nothing anew.
  if (JSON.stringify(me) !== JSON.stringify(state.me)) app.update((state) => ({ ...state, me }));
}

async function loadEverything() {
  await Promise.all([loadProfile(), loadList("conversations"), loadList("requests"), loadList("archived"), loadPeople()]);
}

/** @type {ReturnType<typeof listen> | null} */
let stream = null;

async function start(isAgain = false) {
  try {
    const entering = session.enter();
    void Promise.allSettled([entering, loadProfile()]).then(becomeReady);
    const [status] = await Promise.all([api.get("/status"), entering]);
    app.update((state) => ({ ...state, status, connection: "online" }));
    stream?.stop();
    // Events from before the lists were asked for come again: they change nothing the second time.
    stream = listen({ since: status.last_event, event: received, state: connected });
    await loadEverything();
    // What is shown may be of before the break.
    if (isAgain) for (const listener of [...listeners]) listener({ type: "resync", id: status.last_event });
  } catch (error) {
    if (error instanceof TypeError) connected("offline");
    else if (error instanceof APIError && error.status === 0) void waitForNode();
    else app.failed(error);
  }
}

/** How many `message` events came. */
let messageEvents = 0;

/** The number of the latest of them, by conversation. @type {Map<string, number>} */
const latestMessages = new Map();

/** @param {any} event */
function received(event) {
  if (event.type === "message") latestMessages.set(event.conversation, ++messageEvents);
  // What arrives before somebody's eyes is read with the next request: no number flickers meanwhile.
  if (event.type === "message" && event.unread && shown.view?.isWatched?.(event.conversation)) event = { ...event, unread: 0 };
  app.update((state) => store.apply(state, event));
  const next = store.follow(event, state);
  if (next.everything) void loadEverything().catch(app.failed);
  if (next.conversation) refresh(next.conversation);
  if (next.people) soon("people", loadPeople);
  if (next.profile) soon("profile", loadProfile);
  if (event.type === "overruled") void dialogs.overruled(app, event);
  if (event.type === "notification" && stream?.isLeader) outside.show(event.notification, (link) => follow(link, true));
  if (event.type === "notification_cleared" && event.conversation) outside.clear(event.conversation);
  if (event.type === "warning" && event.text) app.toast(event.text);
  if (event.type === "notification_opened" && event.notification?.link) follow(event.notification.link);
  for (const listener of [...listeners]) listener(event);
}

const outside = app.later(async () => {
  const { notifications, showBadge } = await import("./notifications.js");
  return { show: notifications.show, clear: notifications.clear, badge: showBadge };
});

/** Goes where a notification leads, in the tab that somebody looks at. @param {string} link @param {boolean} [isHere] */
function follow(link, isHere = document.hasFocus()) {
  const match = /^moot:\/\/(.+)$/.exec(link);
  if (!match || !isHere) return;
  app.navigate("#/" + match[1]);
  // The node hears that it is shown, and starts no browser for it.
  const { conversation } = placeOf("#/" + match[1]);
  if (conversation) api.post(`/conversations/${conversation}/open`).catch(() => {});
}

/** @type {Map<string, number>} */
const planned = new Map();

/** Does something once in a short while, however often it is wanted. @param {string} key @param {() => Promise<any>} action */
function soon(key, action) {
  if (planned.has(key)) return;
  planned.set(key, setTimeout(() => {
    planned.delete(key);
    action().catch((error) => {
      if (!(error instanceof APIError && error.status === 0)) app.failed(error);
    });
  }, 120));
}

/** @param {string} conversation */
function refresh(conversation) {
  soon(conversation, async () => {
    try {
      await app.conversation(conversation);
    } catch (error) {
      if (!(error instanceof APIError && error.status === 404)) throw error;
      app.update((state) => ({
        ...state,
        conversations: store.without(state.conversations, conversation),
        requests: store.without(state.requests, conversation),
        archived: store.without(state.archived, conversation),
      }));
    }
  });
}

/** @param {"online" | "offline" | "replaced" | "refused"} value */
function connected(value) {
  if (value === state.connection) return;
  const before = state.connection;
  app.update((state) => ({ ...state, connection: value }));
  if (value === "offline" || value === "replaced") void waitForNode();
  if (value === "online" && (before === "offline" || before === "replaced")) void start(true);
}

let isWaiting = false;

/** Asks for the proof, which shows nothing, until the node is back. After a start it is not. */
async function waitForNode() {
  if (isWaiting) return;
  isWaiting = true;
  session.doubt();
  for (let wait = 500;; wait = Math.min(wait * 1.5, 5000)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (!await prove().then(() => true, () => false)) continue;
    isWaiting = false;
    // Whether it lets this browser in is known only then: until then nothing is said to be back.
    void start(true);
    return;
  }
}

// This browser is let in again when another tab of it has got a key.
addEventListener("storage", (event) => {
  if (event.key === "moot-key" && event.newValue && state.connection === "refused") void start(true);
});

// What stands around every screen

function connectionBar() {
  const bar = h("div", { class: "connection-bar", role: "alert" });
  app.watch((state) => state.connection, (value) => {
    bar.hidden = value !== "offline" && value !== "replaced";
    // Why it does not is not known here: it may be stopped or busy, or what forwards this port may be gone.
    replace(
      bar,
      value === "offline" && h("span", null, h("strong", null, "Moot does not answer."), " What you typed stays here. If it is stopped, start it again: ", h("code", null, "moot up"), ". Then open it with ", h("code", null, "moot open"), "."),
      value === "replaced" && h("span", null, h("strong", null, "Moot was started again."), " Open it with ", h("code", null, "moot open"), ". This page is of the run before: what you typed stays here, and nothing leaves it."),
    );
  });
  return bar;
}

/** How to be let in, in place of everything. */
function refusedScreen() {
  const screen = h("div", { class: "refused", hidden: true });
  app.watch((state) => state.connection === "refused", (isRefused) => {
    screen.hidden = !isRefused;
    shell.inert = isRefused;
    shell.hidden = isRefused;
    if (isRefused) dialogs.refused(screen);
  });
  return screen;
}

/**
 * Where toasts are said. A dialog that hides everything else has a place of its own for those that come while it is open.
 * @param {AbortSignal} [signal]
 */
export function toastRegion(signal) {
  const element = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
  const before = new Set(signal ? state.toasts.map((each) => each.key) : []);
  app.watch((state) => state.toasts, (list) => {
    const gone = element.contains(document.activeElement) ? document.activeElement?.closest(".toast") : null;
    const next = /** @type {HTMLElement | null | undefined} */ ((gone?.nextElementSibling ?? gone?.previousElementSibling)?.querySelector("button"));
    keyed(element, list.filter((each) => !before.has(each.key)), (each) => each.key, (each) =>
      h(
        "div",
        { class: `toast ${each.kind}`, role: each.kind === "error" ? "alert" : null, data: { key: each.key } },
        h("span", { dir: "auto" }, each.text),
        each.action && h("button", { type: "button", on: { click: () => { each.action.press(); app.dismiss(each.key); } } }, each.action.label),
        iconButton("close", "Dismiss", () => app.dismiss(each.key)),
      ));
    // Who dismissed one goes on with the next, or where they were.
    if (gone && !gone.isConnected) (next ?? /** @type {HTMLElement | null} */ (element.closest("dialog")?.querySelector("button, input")) ?? shown.view ?? main).focus();
  }, signal);
  return element;
}

function title() {
  app.watch(
    (state) => {
      const count = store.unreadCount(state);
      const open = state.open ? store.conversationOf(state, state.open)?.title : "";
      return (count ? `(${count}) ` : "") + (open ? `${open} – ` : "") + "Moot";
    },
    (text) => {
      document.title = text;
    },
  );
}

// What stood there until the modules were here.
document.querySelector(".boot")?.remove();
append(shell, [sidebar(app), main, side]);
document.body.append(h("a", { class: "skip", href: "#main", on: { click: (/** @type {Event} */ event) => { event.preventDefault(); main.focus(); } } }, "To the conversation"), connectionBar(), shell, refusedScreen(), toastRegion());
connection.addEventListener("state", (event) => {
  const value = /** @type {CustomEvent} */ (event).detail;
  if (value === "online") return;
  if (value !== state.connection) app.update((state) => ({ ...state, connection: value }));
  if (value !== "refused") void waitForNode();
  // What claims the key is shown again after an answer that says nothing about it.
  else if (session.isClaiming) setTimeout(() => void start(true), 2000);
});
addEventListener("hashchange", route);
// A link to where one is leads there again: what it shows may be far away by now.
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a");
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || !link?.hash || link.href !== location.href) return;
  event.preventDefault();
  route();
});
// A file that is dropped beside the place for it would be opened in place of the page.
for (const name of /** @type {const} */ (["dragover", "drop"])) {
  addEventListener(name, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
}
/** Keeps the icon of the tab here: a browser that asks for it again would show the cookie to whoever answers by then. */
async function keepIcon() {
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  if (!link) return;
  const original = link.dataset.original ?? link.href;
  link.dataset.original = URL.createObjectURL(await (await fetch(original)).blob());
  if (link.href === original) link.href = link.dataset.original;
}

title();
route();
void start().finally(() => {
  void keepIcon().catch(() => {});
  const after = () =>
    void app.load(() => Promise.all([import("./keys.js"), import("./actions.js"), import("./info.js"), import("./notifications.js"), import("./tickets.js")]))
      .then(([{ installKeys }, , , , { installTickets }]) => {
        installKeys(app, () => shown.view);
        installTickets();
        app.watch(store.unreadCount, (count) => void outside.badge(count));
      }).catch(app.failed);
  // What the first screen does not need comes when it is there.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(after, { timeout: 500 });
  else setTimeout(after, 100);
});
