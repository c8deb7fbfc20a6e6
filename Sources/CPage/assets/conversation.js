// A conversation: its head, its messages, what is pinned, who types, and the composer.

import { APIError } from "./api.js";
import { avatar, h, icon, iconButton, replace } from "./dom.js";
import * as histories from "./history.js";
import { composer, outbox } from "./composer.js";
import { messageList } from "./list.js";
import { conversationScreens } from "./sidebar.js";
import { conversationOf } from "./store.js";
import * as words from "./words.js";

/** @typedef {any} Message */

/** From how many new messages in one frame on only the last of them are drawn. */
const burst = 40;

/**
 * @param {import("./main.js").App} app
 * @param {string} id
 * @param {{message?: string, signal: AbortSignal}} params
 */
export function conversationView(app, id, { message: wanted, signal }) {
  let history = histories.emptyHistory();
  const meanwhile = histories.meanwhile();
  let takesDrops = false;
  let isLoaded = false;
  /** Whether there is no such conversation, or none any more. */
  let isGone = false;
  /** Whether what is sent is shown below older messages: until the newest are here. */
  let isReturning = false;
  /** What was sent since then and is at the node. @type {Message[]} */
  let sentMeanwhile = [];
  let firstUnread = "";
  let newBelow = 0;
  /** @type {any} The conversation with all its members; that of the list has only some. */
  let conversation = null;
  const base = `/conversations/${id}`;

  /** @type {Map<string, any>} */
  let members = new Map();

  /** @param {string} user */
  function person(user) {
    return members.get(user) ?? app.state.people.get(user);
  }

  /** What people do with messages, and what stands around them: it comes when they are there. */
  const doing = app.later(async () => (await import("./actions.js")).actions({
    app,
    id,
    rowOf: (message) => list.rowOf(message),
    reply: (message) => writing.reply(message),
    edit: (message) => writing.edit(message),
    canWrite,
    took,
    askAgain,
    fileChanged,
    loadPins,
    goTo,
    person,
    get conversation() {
      return conversation;
    },
  }));

  // The head

  const title = h("h1", { id: "conversation-title", class: "one-line", dir: "auto", tabindex: "-1" });
  const subtitle = h("span", { class: "note one-line" });
  const picture = h("span", { class: "picture" });
  const openInfo = h("a", { class: "head-link", href: `#/conversation/${id}/info` }, picture, h("span", { class: "body" }, title, subtitle));
  const extra = Object.entries(conversationScreens);
  const actions = h("span", { class: "head-actions" });
  for (const [name, each] of extra.filter(([name]) => name === "search")) {
    actions.append(iconButton(each.icon, each.title, () => app.navigate(`#/conversation/${id}/${name}`)));
  }
  actions.append(iconButton("info", "Conversation info", () => toggleInfo(), { class: "wide-only" }));
  actions.append(iconButton("more", "More about this conversation", (event) => {
    const known = conversation ?? conversationOf(app.state, id);
    if (!known) return;
    const more = [{ label: "Go to a day…", icon: "clock", press: () => doing.chooseDay(toDay) }];
    app.dialogs.conversationMenu(app, known, /** @type {HTMLElement} */ (event.currentTarget), more);
  }, { "aria-haspopup": "menu" }));
  const header = h("header", { class: "conversation-head" }, iconButton("back", "Back to the list", () => app.navigate("#/"), { class: "narrow-only" }), openInfo, actions);

  function toggleInfo() {
    app.navigate(location.hash.endsWith("/info") ? `#/conversation/${id}` : `#/conversation/${id}/info`);
  }

  const pinBar = h("div", { class: "pin-bar", hidden: true });
  const banner = h("div", { class: "conversation-banner", hidden: true });
  const typing = h("p", { class: "typing", role: "status" });
  const log = h("div", { class: "visually-hidden", role: "log", "aria-live": "polite", "aria-label": "New messages" });
  const jump = h("button", { type: "button", class: "jump", hidden: true, on: { click: () => void toNewest() } });
  const closed = h("div", { class: "composer-closed", hidden: true });

  const list = messageList({
    surroundings: () => ({ isDirect: conversation?.kind === "direct", person, me: app.state.me?.user }),
    act,
    need: (sideWanted) => void more(sideWanted),
    seen,
    moved: (isAtEnd) => {
      if (isAtEnd) newBelow = 0;
      showJump();
    },
    key,
    signal,
  });

  const writing = composer(app, id, {
    send(content) {
      // What is sent ends the reading of what is old.
      firstUnread = "";
      // Among older messages, too, the bubble is there at once: those between come after it.
      isReturning = history.later !== undefined;
      list.toEnd();
      outbox.send(id, content);
      list.toEnd();
      if (isReturning) void toNewest();
    },
    async edit(message, text) {
      took(await app.api.patch(`/messages/${message.id}`, { text }));
    },
    lastOwn: () => [...history.messages].reverse().find((each) => each.sender === app.state.me?.user && each.kind !== "system" && !each.deleted && each.readability === "open"),
    members: () => [...members.values()],
    show: (message) => void goTo(message),
    reveal: (message) => list.rowOf(message)?.scrollIntoView({ block: "nearest" }),
    signal,
  });

  const middle = h("div", { class: "list-frame" }, list.element, jump);
  const element = h("div", { class: "conversation" }, header, pinBar, banner, middle, typing, closed, writing.element, log);

  // Loading

  /**
   * A page of messages, with what events told of them while it was under way.
   * @param {Record<string, any>} query
   */
  async function page(query) {
    const began = meanwhile.begin();
    let found;
    try {
      found = await app.api.get(`${base}/messages`, { limit: histories.pageSize, ...query }, signal);
    } finally {
      found = meanwhile.end(began, found, !("before" in query));
    }
    return found;
  }

  let shows = 0;
  /** Shows the messages of a page and no others; of several the one that was wanted last. @param {Record<string, any>} query */
  async function show(query) {
    const turn = ++shows;
    const found = await page(query);
    if (turn !== shows) return;
    history = histories.fromPage(found, history);
    isReturning = false;
    sentMeanwhile = [];
  }

  async function load() {
    list.element.setAttribute("aria-busy", "true");
    try {
      // Photos are drawn with it, in the list too, and need what `ready` waits for.
      const answer = Promise.all([app.api.get(base, undefined, signal), app.ready]).then((all) => all[0]);
      const [known] = await Promise.all([app.describe(id, answer), wanted ? null : show({})]);
      setConversation(known);
      if (known.draft) writing.setDraft(known.draft);
      firstUnread = known.first_unread ?? "";
      void loadPins();
      if (wanted) {
        try {
          await show({ around: wanted });
        } catch (error) {
          app.failed(error);
          await show({});
        }
      } else if (firstUnread && !history.messages.some((each) => each.id === firstUnread)) await show({ around: firstUnread });
      if (signal.aborted) return;
      isLoaded = true;
      render();
      if (wanted) list.goTo(wanted, "center", true);
      else if (firstUnread && list.goTo(firstUnread, "top", false)) list.tellSeen();
      else list.toEnd();
      list.element.removeAttribute("aria-busy");
      list.tellSeen();
      // Nobody waits for it.
      if (!takesDrops) requestAnimationFrame(() => setTimeout(() => doing.takeDrops(element, (files) => void writing.attach(files))));
      takesDrops = true;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof APIError && error.status === 404) {
        isGone = true;
        replace(element, h("div", { class: "empty" }, h("h1", { id: "conversation-title" }, "Conversation not found"), h("p", null, h("a", { href: "#/" }, "Back to the conversations"))));
      } else app.failed(error);
    }
  }

  async function loadPins() {
    try {
      const pins = await app.api.get(`${base}/pins`, undefined, signal);
      if (pins.length > 0 || !pinBar.hidden) doing.showPins(pinBar, pins);
    } catch (error) {
      app.failed(error);
    }
  }

  let isLoading = false;
  /** @param {"earlier" | "later"} sideWanted */
  async function more(sideWanted) {
    // Whoever sent something goes to the newest page: one between would push it out of sight.
    if (isLoading || !isLoaded || isReturning) return;
    const cursor = sideWanted === "earlier" ? history.earlier : history.later;
    if (!cursor) return;
    isLoading = true;
    try {
      const found = await page(sideWanted === "earlier" ? { before: cursor } : { after: cursor });
      if (signal.aborted) return;
      // What came meanwhile may have moved the end: then the page may not fit.
      if ((sideWanted === "earlier" ? history.earlier : history.later) === cursor && !isReturning) {
        history = sideWanted === "earlier" ? histories.withEarlier(history, found) : histories.withLater(history, found);
        render();
      }
    } catch (error) {
      if (!signal.aborted) app.failed(error);
    } finally {
      isLoading = false;
    }
  }

  async function toNewest() {
    if (history.later) {
      try {
        await show({});
      } catch (error) {
        // Else nothing could be read on from here. What was sent goes from this place, so the list moves and asks for what follows.
        isReturning = false;
        render();
        return app.failed(error);
      }
      render();
    }
    newBelow = 0;
    list.toEnd();
    showJump();
  }

  /** @param {string} message */
  async function goTo(message) {
    if (list.goTo(message, "center", true)) return;
    if (!isLoaded) return;
    try {
      await show({ around: message });
      render();
      list.goTo(message, "center", true);
    } catch (error) {
      app.failed(error);
    }
  }

  /** Goes to the first message of a day. @param {Date} moment its beginning */
  async function toDay(moment) {
    await show({ at: moment.toISOString() });
    render();
    const first = history.messages.find((each) => each.sent_at >= moment.toISOString()) ?? history.messages[history.messages.length - 1];
    if (first) list.goTo(first.id, "top", false);
  }

  // Drawing

  /** @type {Map<string, {of: import("./composer.js").Outgoing, phase: string, message: Message}>} the same value as long as nothing changed, so that rows are not made anew */
  const outgoingMessages = new Map();

  function outgoing() {
    const waiting = outbox.of(id);
    for (const key of outgoingMessages.keys()) if (!waiting.some((each) => each.client_id === key)) outgoingMessages.delete(key);
    return waiting.map((each) => {
      const known = outgoingMessages.get(each.client_id);
      if (known && known.phase === each.phase) return known.message;
      const message = {
        id: each.client_id,
        conversation: id,
        kind: each.files.length ? "file" : "text",
        text: each.text,
        readability: "open",
        sender: app.state.me?.user,
        sender_name: app.state.me?.name,
        sent_at: each.sent_at,
        mentions: [],
        reactions: [],
        files: each.files,
        pinned: false,
        deleted: false,
        quote: each.quote,
        reply_to: each.reply_to,
        state: { phase: each.phase, reason: each.reason },
        outgoing: each,
      };
      outgoingMessages.set(each.client_id, { of: each, phase: each.phase, message });
      return message;
    });
  }

  let isRenderPlanned = false;
  let newInFrame = 0;
  function plan() {
    if (isRenderPlanned) return;
    isRenderPlanned = true;
    const draw = () => {
      isRenderPlanned = false;
      // Of a burst only its end is drawn: a frame must not take longer than a frame.
      if (newInFrame > burst && list.isAtEnd) history = histories.newest(history, burst);
      newInFrame = 0;
      if (!signal.aborted) render();
    };
    if (document.hidden) setTimeout(draw, 50);
    else requestAnimationFrame(draw);
  }

  function render() {
    // What was deleted is not to be read anywhere, however this page learned of it.
    for (const each of [...log.children]) {
      const id = /** @type {HTMLElement} */ (each).dataset.id;
      if (history.messages.some((message) => message.id === id && message.deleted)) each.remove();
    }
    list.render(history, !history.later ? outgoing() : isReturning ? [...sentMeanwhile, ...outgoing()] : [], firstUnread);
    showJump();
  }

  function showJump() {
    jump.hidden = !isLoaded || (list.isAtEnd && !history.later);
    const text = newBelow ? words.plural(newBelow, "new message") : "To the newest messages";
    jump.setAttribute("aria-label", text);
    jump.title = text;
    replace(jump, icon("down"), newBelow > 0 && h("span", { class: "badge" }, words.number(newBelow)));
  }

  /** @param {any} next */
  function setConversation(next) {
    conversation = next;
    const before = members;
    members = new Map(next.members.map((/** @type {any} */ each) => [each.user, each]));
    if (before.size && [...members].some(([user, each]) => before.get(user)?.name !== each.name || before.get(user)?.photo?.id !== each.photo?.id)) list.renew();
    showHead();
  }

  function showHead() {
    const known = conversation ?? conversationOf(app.state, id);
    if (!known) return;
    const other = known.kind === "direct" ? known.members?.find((/** @type {any} */ each) => each.user !== app.state.me?.user) : null;
    title.textContent = known.title;
    replace(picture, avatar({ id: other?.user ?? known.id, name: known.title, photo: other ? other.photo : known.photo, deleted: other?.deleted, presence: other?.presence }, "medium"));
    const parts = [];
    if (other) parts.push(words.presence(other), other.verified ? "verified" : "");
    else parts.push(words.participants(known.member_count));
    if (known.muted_until) parts.push(lowered(words.mutedUntil(known.muted_until)));
    subtitle.textContent = parts.filter(Boolean).join(" · ");
    openInfo.setAttribute("aria-label", `${known.title}, ${subtitle.textContent}: open info`);
    const { me } = known;
    const awaits = Boolean(me.awaits_answer);
    const cannotWrite = me.is_member
      ? me.may.write ? "" : known.settings?.announcement === "on" ? "Only admins and moderators write here." : "You cannot write here."
      : me.waits ? "The group is full, and you wait for room in it."
      : known.kind === "group" && !awaits ? "You are not a participant in this conversation any more. What you had stays here." : "";
    closed.hidden = !cannotWrite;
    replace(closed, cannotWrite);
    writing.element.hidden = Boolean(cannotWrite) || awaits;
    banner.hidden = !awaits;
    if (awaits) {
      doing.ask(banner, known, (answered) => {
        setConversation(answered);
        void load();
      });
    }
  }

  // What happens

  /** A message as the node tells it now. @param {Message} message */
  function took(message) {
    const before = history.messages.find((each) => each.id === message.id);
    meanwhile.note(message);
    history = histories.withChange(history, message);
    if (before && before.pinned !== message.pinned) void loadPins();
    plan();
  }

  /** @type {number | undefined} */
  let newestTimer;
  /** Asks for the newest page again, once in a short while. */
  function askAgain(wait = 120) {
    if (newestTimer !== undefined) return;
    newestTimer = setTimeout(async () => {
      newestTimer = undefined;
      if (signal.aborted || history.later) return;
      try {
        const found = await page({});
        if (history.later) return;
        history = histories.withNewest(history, found, list.isAtEnd);
        plan();
      } catch (error) {
        if (!signal.aborted && !(error instanceof APIError && error.status === 404)) app.failed(error);
      }
    }, wait);
  }

  /** Asks again for everything that is shown: after a break nothing tells what of it changed meanwhile. */
  async function reload() {
    // Whoever sent something among older messages is on the way to the newest.
    const reading = isReturning || (list.isAtEnd && !history.later) ? undefined : list.reading;
    try {
      await show(reading ? { around: reading } : { limit: Math.max(histories.pageSize, history.messages.length) });
      plan();
    } catch (error) {
      if (!signal.aborted) app.failed(error);
    }
  }

  /** @type {number | undefined} */
  let conversationTimer;
  function askConversation() {
    if (conversationTimer !== undefined) return;
    conversationTimer = setTimeout(async () => {
      conversationTimer = undefined;
      try {
        const next = await app.describe(id, app.api.get(base, undefined, signal));
        setConversation(next);
        writing.setDraft(next.draft ?? "");
      } catch (error) {
        if (signal.aborted) return;
        // It was erased, and what it is shown as then says so.
        if (error instanceof APIError && error.status === 404) void load();
        else app.failed(error);
      }
    }, 120);
  }

  app.onEvent((event) => {
    if (event.type === "resync") {
      if (!isLoaded) return void load();
      askConversation();
      void reload();
      return void loadPins();
    }
    if (event.type === "person" || event.type === "peer") return askConversation();
    if (event.type === "file" && event.file) return fileChanged(event.file);
    if (event.conversation !== id) return;
    if (event.type === "message" && event.message) arrived(event.message);
    else if (event.type === "message_changed" && event.message) took(event.message);
    else if (event.type === "receipts") askAgain(250);
    else if (event.type === "conversation") {
      askConversation();
      askAgain();
    }
  }, signal);

  /** @param {Message} message */
  function arrived(message) {
    const isOwn = message.sender === app.state.me?.user;
    if (!isOwn && message.kind !== "system") isNewUnread = true;
    if (isOwn && message.kind !== "system") {
      const sent = outbox.matching(message);
      if (sent) {
        list.alias(message.id, sent.client_id);
        outbox.remove(sent, message);
      }
    }
    meanwhile.note(message, true);
    const result = histories.withMessage(history, message, list.isAtEnd);
    history = result.history;
    if (result.outcome === "misplaced" || message.kind === "system") askAgain();
    if (result.outcome === "beyond" && !isOwn) newBelow++;
    if (result.outcome === "appended") newInFrame++;
    if (result.outcome === "appended" && !isOwn) {
      if (!list.isAtEnd || document.hidden || !document.hasFocus()) {
        if (!list.isAtEnd) newBelow++;
        if (message.kind !== "system" && !firstUnread) firstUnread = message.id;
      }
      announce(message);
    }
    plan();
  }

  /** @param {any} file */
  function fileChanged(file) {
    const changed = history.messages.filter((each) => each.files?.some((/** @type {any} */ of) => of.id === file.id || of.thumbnail?.id === file.id));
    for (const each of changed) {
      const message = {
        ...each,
        files: each.files.map((/** @type {any} */ of) => of.id === file.id ? { ...of, ...file, message: of.message, conversation: of.conversation } : of.thumbnail?.id === file.id && file.state === "here" ? { ...of, thumbnail: { ...of.thumbnail, here: true } } : of),
      };
      meanwhile.note(message);
      history = histories.withChange(history, message);
    }
    if (changed.length) plan();
  }

  /** Says to a screen reader what arrived, once. @param {Message} message */
  function announce(message) {
    const text = message.kind === "system" ? message.text : `${message.sender_name}: ${words.cut(words.preview(message), 300)}`;
    log.append(h("p", { data: { id: message.id } }, text));
    while (log.children.length > 5) log.firstElementChild?.remove();
  }

  outbox.observe((of, sent) => {
    if (of !== id) return;
    if (sent) {
      list.alias(sent.message.id, sent.client_id);
      meanwhile.note(sent.message, true);
      const result = histories.withMessage(history, sent.message);
      history = result.history;
      if (isReturning && result.outcome === "beyond") sentMeanwhile.push(sent.message);
      if (result.outcome === "misplaced") askAgain();
    }
    // At once, not in the next frame: what was typed is on the screen before the key is up.
    if (isLoaded) render();
  }, signal);

  app.watch((state) => state.typing.get(id), (value) => {
    typing.textContent = value?.text ?? "";
    typing.classList.toggle("on", Boolean(value?.text));
  }, signal);
  app.watch((state) => state.me, () => {
    list.renew();
    if (isLoaded) render();
  }, signal);
  app.watch((state) => state.people, () => {
    if (!conversation) showHead();
  }, signal);

  // What was seen is read

  let readUpTo = "";
  let isNewUnread = false;
  /** @type {number | undefined} */
  let readTimer;
  /** @type {Message | null} */
  let lastSeen = null;
  /** @param {Message} message */
  function seen(message) {
    if (!isLoaded || message.id === readUpTo) return;
    if (lastSeen && histories_index(lastSeen) > histories_index(message)) return;
    lastSeen = message;
    const known = conversationOf(app.state, id) ?? conversation;
    if ((!known?.unread && !isNewUnread) || readTimer !== undefined) return;
    readTimer = setTimeout(async () => {
      readTimer = undefined;
      const up = lastSeen;
      if (!up || up.id === readUpTo || signal.aborted) return;
      readUpTo = up.id;
      isNewUnread = false;
      try {
        await app.describe(id, app.api.post(`${base}/read`, { up_to: up.id }));
      } catch (error) {
        readUpTo = "";
        if (!(error instanceof APIError && error.status === 0)) app.failed(error);
      }
    }, 300);
  }

  /** @param {Message} message */
  function histories_index(message) {
    return history.messages.findIndex((each) => each.id === message.id);
  }

  app.watch((state) => conversationOf(state, id)?.unread ?? 0, (count) => {
    if (count > 0 && isLoaded) list.tellSeen();
  }, signal);

  // While somebody looks at it nothing notifies of it.
  function lookAt() {
    if (!isGone && !document.hidden && document.hasFocus() && app.state.connection === "online") app.api.post(`${base}/open`).catch(() => {});
  }
  const looking = setInterval(lookAt, 10_000);
  lookAt();
  addEventListener("focus", lookAt, { signal });
  signal.addEventListener("abort", () => {
    clearInterval(looking);
    if (!isGone) app.api.delete(`${base}/open`).catch(() => {});
  });

  // What people do with a message

  /** @param {string} name @param {Message} message @param {HTMLElement} at */
  function act(name, message, at) {
    doing.act(name, message, at);
  }

  function canWrite() {
    return !writing.element.hidden;
  }

  /** What a key does on a message. @param {KeyboardEvent} event @param {Message} message @param {HTMLElement} row */
  function key(event, message, row) {
    if (event.key === "Escape") {
      event.stopPropagation();
      return writing.focus();
    }
    const isText = message.kind !== "system" && !message.deleted && !message.outgoing;
    const isOwn = message.sender === app.state.me?.user;
    // With Caps Lock a letter is another one.
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "Enter" || key === "ContextMenu") act("menu", message, row);
    else if (key === "r" && isText) act("reply", message, row);
    else if (key === "e" && isText && isOwn && canWrite() && !message.files?.length) writing.edit(message);
    else if (key === "p" && isText) act("pin", message, row);
    else if (key === "+" && isText) act("pick-reaction", message, row);
    else if (key === "Delete" && isText && isOwn) act("remove", message, row);
    else return;
    event.preventDefault();
  }

  showHead();
  void load();

  return {
    element,
    goTo: (/** @type {string} */ message) => void goTo(message),
    focus: () => canWrite() ? writing.focus() : title.focus(),
    focusList: () => list.focusLast(),
    /** Whether somebody sees what arrives in a conversation. @param {string} of */
    isWatched: (of) => of === id && isLoaded && list.isAtEnd && !document.hidden && document.hasFocus(),
    /** What Escape does here: cancel what was begun, then go to the end. */
    escape() {
      if (writing.cancel()) return;
      void toNewest();
      writing.focus();
    },
    search: () => {
      if (!("search" in conversationScreens)) return false;
      app.navigate(`#/conversation/${id}/search`);
      return true;
    },
  };
}

/** @param {string} text */
function lowered(text) {
  return text.charAt(0).toLocaleLowerCase() + text.slice(1);
}
