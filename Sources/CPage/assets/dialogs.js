// Dialogs and menus. A dialog is a native one: the rest of the page is inert, Escape closes it, and the focus goes back.

import { api } from "./api.js";
import { appearance as look, hues } from "./appearance.js";
import { avatar, h, icon, iconButton, keyed, replace } from "./dom.js";
import { toastRegion } from "./main.js";
import { conversationScreens } from "./sidebar.js";
import { conversationOf, folded, matches, sorted } from "./store.js";
import { upload } from "./upload.js";
import * as words from "./words.js";

/** @typedef {import("./main.js").App} App */

/**
 * Shows a dialog and waits for it to close.
 *
 * @template T
 * @param {string} title
 * @param {(close: (value?: T) => void, dialog: HTMLDialogElement) => {content: import("./dom.js").Child, footer?: import("./dom.js").Child, focus?: HTMLElement, class?: string}} make
 * @returns {Promise<T | undefined>} what `close` was given; undefined when it was dismissed
 */
export function dialog(title, make) {
  return new Promise((resolve) => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    /** @type {T | undefined} */
    let value;
    const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
    const element = h("dialog", { "aria-labelledby": heading.id });
    const made = make((given) => {
      value = given;
      element.close();
    }, element);
    element.append(h("header", null, heading, iconButton("close", "Close", () => element.close())));
    const content = h("div", { class: "content" }, ...[made.content].flat());
    // What cannot have the focus in any part has it as a whole, so that keys scroll it.
    if (!content.querySelector("button, input, textarea, select, a")) content.tabIndex = 0;
    element.append(content);
    if (made.footer) element.append(h("footer", null, ...[made.footer].flat()));
    if (made.class) element.className = made.class;
    // What goes wrong meanwhile is said here: the rest of the page is neither seen nor heard.
    const gone = new AbortController();
    element.append(toastRegion(gone.signal));
    let isPressedOutside = false;
    element.addEventListener("pointerdown", (event) => {
      isPressedOutside = event.target === element;
    });
    element.addEventListener("click", (event) => {
      if (event.target === element && isPressedOutside) element.close();
    });
    element.addEventListener("keydown", (event) => {
      event.stopPropagation();
      // A search field would first empty itself.
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      event.preventDefault();
      element.close();
    });
    element.addEventListener("close", () => {
      gone.abort();
      element.remove();
      if (before?.isConnected && document.activeElement === document.body) before.focus({ preventScroll: true });
      resolve(value);
    });
    document.body.append(element);
    element.showModal();
    made.focus?.focus();
  });
}

/**
 * Asks whether to do something.
 * @param {{title: string, text?: string, action: string, isDanger?: boolean}} question
 * @returns {Promise<boolean>}
 */
export async function confirm({ title, text, action, isDanger }) {
  const isSure = await dialog(title, (close) => {
    const button = h("button", { type: "button", class: `primary ${isDanger ? "danger" : ""}`, on: { click: () => close(true) } }, action);
    return {
      content: text ? h("p", { dir: "auto", class: "confirm-text" }, text) : null,
      footer: [h("button", { type: "button", on: { click: () => close(false) } }, "Cancel"), button],
      focus: button,
    };
  });
  return isSure === true;
}

/**
 * A menu at an element. Items that are false are left out; "line" is a separator.
 * @param {HTMLElement} at
 * @param {Array<any>} items `{label, icon, key, press, isDanger}`
 */
export function menu(at, items) {
  if (!items.some((each) => each && each !== "line")) return;
  document.querySelector(".menu")?.remove();
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const element = h("div", { class: "menu", role: "menu", popover: "auto" });
  for (const item of items) {
    if (!item) continue;
    if (item === "line") {
      element.append(h("hr"));
      continue;
    }
    element.append(h("button", {
      type: "button",
      role: "menuitem",
      class: item.isDanger ? "danger" : "",
      tabindex: "-1",
      on: {
        click: () => {
          close();
          item.press();
        },
      },
    }, item.icon && icon(item.icon), h("span", { class: "body" }, item.label), item.key && h("kbd", { "aria-hidden": "true" }, item.key)));
  }
  function close() {
    if (element.matches(":popover-open")) element.hidePopover();
  }
  element.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === "open") return;
    element.remove();
    if (at.getAttribute("aria-expanded")) at.setAttribute("aria-expanded", "false");
    if (document.activeElement === document.body || element.contains(document.activeElement)) (before?.isConnected ? before : at).focus({ preventScroll: true });
  });
  element.addEventListener("keydown", (event) => {
    const all = /** @type {HTMLElement[]} */ ([...element.querySelectorAll("[role=menuitem]")]);
    const index = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    /** @type {Record<string, number>} */
    const targets = { ArrowDown: (index + 1) % all.length, ArrowUp: (index + all.length - 1) % all.length, Home: 0, End: all.length - 1 };
    if (event.key in targets) all[targets[event.key]].focus();
    else if (event.key === "Tab") close();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  if (at.getAttribute("aria-haspopup")) at.setAttribute("aria-expanded", "true");
  home(at).append(element);
  element.showPopover();
  place(element, at);
  /** @type {HTMLElement | null} */ (element.querySelector("[role=menuitem]"))?.focus({ preventScroll: true });
}

/** Where a popover belongs in the document: in the part of the page that it is about. @param {HTMLElement} at @returns {Element} */
export function home(at) {
  return at.closest("dialog, nav, main, section.side") ?? document.body;
}

/** Puts a popover below an element, or above it where there is no room, and within the page. @param {HTMLElement} element @param {HTMLElement} at */
export function place(element, at) {
  const box = at.getBoundingClientRect();
  const size = element.getBoundingClientRect();
  const isWide = box.width > innerWidth * 0.4;
  const isRight = isWide ? false : box.left + box.width / 2 > innerWidth / 2;
  const left = Math.max(8, Math.min(innerWidth - size.width - 8, isRight ? box.right - size.width : box.left));
  const below = box.bottom + 4;
  const top = below + size.height <= innerHeight - 8 ? below : Math.max(8, Math.min(box.top - size.height - 4, innerHeight - size.height - 8));
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}

// People

/**
 * Chooses people: photo, name, search, several.
 *
 * @param {App} app
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.action what the button says
 * @param {Set<string>} [options.without] who is not offered
 * @param {boolean} [options.isSingle]
 * @param {number} [options.least]
 * @param {string} [options.tooFew]
 * @param {string[]} [options.chosen]
 * @returns {Promise<string[] | undefined>}
 */
export function pickPeople(app, options) {
  return dialog(options.title, (close) => {
    const chosen = new Set(options.chosen ?? []);
    const least = options.least ?? 1;
    const search = h("input", { type: "search", placeholder: "Search people", "aria-label": "Search people", autocomplete: "off", on: { input: show } });
    const list = h("div", { class: "people-list", role: "group", "aria-label": "People" });
    const chips = h("div", { class: "chosen", hidden: true });
    const nothing = h("p", { class: "note" });
    const error = h("p", { class: "error-text", role: "alert" });
    const button = h("button", { type: "button", class: "primary", on: { click: done } }, options.action);

    function everybody() {
      return [...app.state.people.values()]
        .filter((each) => !each.is_me && !each.deleted && !each.blocked && !options.without?.has(each.user))
        .sort((one, other) => Number(other.presence === "online") - Number(one.presence === "online") || one.name.localeCompare(other.name));
    }

    function show() {
      const wanted = folded(search.value.trim());
      const people = everybody().filter((each) => folded(each.name).includes(wanted));
      keyed(list, people.slice(0, 200), (each) => each.user, (each) => {
        const body = [avatar({ id: each.user, name: each.name, photo: each.photo, presence: each.presence }, "small"), h("span", { class: "body" }, h("span", { class: "one-line", dir: "auto" }, each.name), h("span", { class: "note" }, words.presence(each)))];
        if (options.isSingle) return h("button", { type: "button", class: "row", on: { click: () => close([each.user]) } }, ...body);
        const box = h("input", { type: "checkbox", "aria-label": each.name, checked: chosen.has(each.user), on: { change: () => toggle(each.user, box.checked) } });
        return h("label", { class: "row" }, ...body, h("span", { class: "end" }, each.verified && h("span", { class: "chip accent", title: "You compared codes" }, icon("shield"), "verified"), box));
      }, (element, each) => {
        const box = /** @type {HTMLInputElement | null} */ (element.querySelector("input"));
        if (box) box.checked = chosen.has(each.user);
      });
      const why = h("a", { href: "#/doctor", on: { click: () => close() } }, "Find out why nobody does");
      replace(nothing, ...(people.length ? [] : wanted ? ["Nobody is called that"] : ["Nobody else is known yet. Everybody who runs Moot on this network appears here by themselves. ", why]));
      nothing.hidden = people.length > 0;
      button.disabled = chosen.size < least && !options.tooFew;
      button.textContent = chosen.size ? `${options.action} (${chosen.size})` : options.action;
      chips.hidden = chosen.size === 0;
      keyed(chips, [...chosen], (each) => each, (user) => {
        const name = app.state.people.get(user)?.name ?? words.own.unknown;
        return h("button", { type: "button", class: "chip accent", "aria-label": `Remove ${name}`, on: { click: () => toggle(user, false) } }, h("span", { dir: "auto" }, words.cut(name, 24)), icon("close"));
      });
    }

    /** @param {string} user @param {boolean} isIn */
    function toggle(user, isIn) {
      if (isIn) chosen.add(user);
      else chosen.delete(user);
      error.textContent = "";
      show();
    }

    function done() {
      if (chosen.size < least) error.textContent = options.tooFew ?? "";
      else close([...chosen]);
    }

    show();
    return {
      class: "tall",
      content: [search, chips, list, nothing, error],
      footer: options.isSingle ? undefined : [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button],
      focus: search,
    };
  });
}

/** @param {App} app */
export async function newMessage(app) {
  const people = await pickPeople(app, { title: "New message", action: "Write", isSingle: true });
  if (!people) return;
  await openDirect(app, people[0]);
}

/** @param {App} app @param {string} user */
export async function openDirect(app, user) {
  try {
    const conversation = await api.post("/conversations", { kind: "direct", members: [user] });
    await app.conversation(conversation.id);
    app.navigate(`#/conversation/${conversation.id}`);
  } catch (error) {
    app.failed(error);
  }
}

/** @param {App} app */
export async function newGroup(app) {
  /** @type {string[] | undefined} */
  let members = [];
  for (;;) {
    members = await pickPeople(app, {
      title: "New group",
      action: "Next",
      least: 2,
      tooFew: "Please select at least 2 other users to create a group chat",
      chosen: members,
    });
    if (!members) return;
    const made = await nameGroup(app, members);
    if (made === undefined) return;
    if (made === "back") continue;
    app.navigate(`#/conversation/${made}`);
    return;
  }
}

/** @param {App} app @param {string[]} members @returns {Promise<string | undefined>} the id of the group, or "back" */
function nameGroup(app, members) {
  return dialog("New group", (close) => {
    const photo = photoField(app, "Group photo");
    const name = nameField("Group name (optional)", "", 50);
    const error = h("p", { class: "error-text", role: "alert" });
    const button = h("button", { type: "button", class: "primary", on: { click: create } }, "Create");
    name.input.addEventListener("input", () => {
      button.disabled = !name.isValid();
    });
    name.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing && !button.disabled) create();
    });
    async function create() {
      button.disabled = true;
      try {
        const conversation = await api.post("/conversations", {
          kind: "group",
          members,
          ...(name.value() ? { name: name.value() } : {}),
          ...(photo.id() ? { photo: photo.id() } : {}),
        });
        await app.conversation(conversation.id);
        close(conversation.id);
      } catch (refusal) {
        error.textContent = refusal instanceof Error ? refusal.message : "";
        button.disabled = false;
      }
    }
    return {
      content: [
        h("div", { class: "name-and-photo" }, photo.element, name.element),
        h("div", { class: "section" }, h("h3", null, words.participants(members.length + 1)), h("ul", { class: "chosen" }, ...members.map((user) => h("li", { class: "chip", dir: "auto" }, words.cut(app.state.people.get(user)?.name ?? words.own.unknown, 30))))),
        error,
      ],
      footer: [h("button", { type: "button", class: "quiet", on: { click: () => close("back") } }, "Back"), h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button],
      focus: name.input,
    };
  });
}

/**
 * A field for a name, with a counter of its characters. A name has 1 to `most` of them; empty is the caller's affair.
 * @param {string} label @param {string} value @param {number} most
 */
export function nameField(label, value, most) {
  // No `output`: the label would be for it, and the field without a name.
  const counter = h("small", { "aria-live": "polite" });
  const input = h("input", { type: "text", value, dir: "auto", autocomplete: "off", maxlength: String(most * 4), on: { input: count } });
  function count() {
    const length = [...input.value.trim()].length;
    counter.textContent = `${length}/${most} characters`;
    input.setAttribute("aria-invalid", String(length > most));
    counter.classList.toggle("error-text", length > most);
  }
  count();
  return {
    input,
    element: h("label", { class: "field" }, h("span", null, label, counter), input),
    value: () => input.value.trim(),
    isValid: () => [...input.value.trim()].length <= most,
  };
}

/**
 * Lets somebody choose the square of a photo, and uploads it.
 * @param {App} app @param {File} file
 * @returns {Promise<{uploaded: any, file: File} | undefined>} nothing when it was dismissed
 */
export async function photoOf(app, file) {
  const { crop } = await app.load(() => import("./crop.js"));
  /** @type {File | undefined} */
  let square;
  try {
    square = await crop(file);
  } catch {
    app.toast(`${file.name} is no photo that this browser can read`, "error");
  }
  return square && { uploaded: await upload(square, square.name), file: square };
}

/** A photo that is chosen, cropped and uploaded. @param {App} app @param {string} label @param {string} [current] the address of the present one */
export function photoField(app, label, current) {
  /** @type {string | undefined} */
  let id;
  const picker = h("input", { type: "file", accept: "image/jpeg,image/png", hidden: true, tabindex: "-1", "aria-label": label });
  const button = h("button", { type: "button", class: "photo-field", "aria-label": label, title: label, on: { click: () => picker.click() } }, current ? h("img", { alt: "", src: current }) : icon("gallery"));
  picker.addEventListener("change", async () => {
    const file = picker.files?.[0];
    picker.value = "";
    if (!file) return;
    button.disabled = true;
    try {
      const photo = await photoOf(app, file);
      if (photo) {
        id = photo.uploaded.id;
        const address = URL.createObjectURL(photo.file);
        const picture = h("img", { alt: "", src: address });
        for (const end of ["load", "error"]) picture.addEventListener(end, () => URL.revokeObjectURL(address), { once: true });
        replace(button, picture);
      }
    } catch (error) {
      app.failed(error);
    }
    button.disabled = false;
  });
  return { element: h("span", null, button, picker), id: () => id };
}

/** @param {App} app */
export function join(app) {
  return dialog("Join with a code", (close) => {
    const field = h("textarea", { rows: "3", "aria-label": "Code", placeholder: "moot:…", spellcheck: "false", autocomplete: "off" });
    const error = h("p", { class: "error-text", role: "alert" });
    const button = h("button", { type: "button", class: "primary", on: { click: enter } }, "Join");
    async function enter() {
      button.disabled = true;
      button.textContent = "Joining…";
      error.textContent = "";
      try {
        const conversation = await api.post("/join", { code: field.value.trim() });
        await app.conversation(conversation.id);
        close();
        app.navigate(`#/conversation/${conversation.id}`);
      } catch (refusal) {
        error.textContent = refusal instanceof Error ? refusal.message : "";
      }
      button.disabled = false;
      button.textContent = "Join";
    }
    return {
      content: [h("p", { class: "note" }, "Somebody of a group made the code for you. Somebody of the group has to be reachable."), field, error],
      footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), button],
      focus: field,
    };
  });
}

// Messages

/** @param {App} app @param {any} message */
export function readBy(app, message) {
  const gone = new AbortController();
  return dialog("Message info", () => {
    const body = h("div", { class: "receipts" }, h("p", { class: "loading" }, "Loading…"));
    const show = async () => {
      try {
        const receipts = await api.get(`/messages/${message.id}/receipts`, undefined, gone.signal);
        const isDirect = receipts.read.length + receipts.delivered.length + receipts.missing.length === 1;
        replace(
          body,
          group("Read", "checks", receipts.read, isDirect),
          group("Delivered", "check", receipts.delivered, isDirect),
          group("Not received", "clock", receipts.missing, isDirect),
          !receipts.reads_shown && h("p", { class: "note" }, "Who read it is not shown, because you do not show what you read."),
        );
      } catch (error) {
        app.failed(error);
      }
    };
    app.onEvent((event) => {
      if (event.type === "receipts" && event.conversation === message.conversation) void show();
    }, gone.signal);
    void show();
    return { class: "tall", content: [h("blockquote", { dir: "auto", class: "quoted" }, words.cut(words.preview(message), 200)), body] };
  }).finally(() => gone.abort());

  /** @param {string} title @param {import("./dom.js").IconName} name @param {any[]} people @param {boolean} isDirect */
  function group(title, name, people, isDirect) {
    if (people.length === 0) return null;
    return h("section", { class: "section" }, h("h3", { class: "with-icon" }, icon(name), isDirect ? title : `${title} · ${words.number(people.length)}`), h("ul", null, ...people.map((each) => h("li", { class: "row" }, avatar({ id: each.user, name: each.name, photo: app.state.people.get(each.user)?.photo }, "small"), h("span", { class: "body one-line", dir: "auto" }, each.name), each.at && h("time", { class: "note", datetime: each.at, title: words.moment(each.at) }, `${words.when(each.at)}${words.dayNumber(new Date(each.at)) === words.dayNumber(new Date()) ? "" : `, ${words.time(each.at)}`}`)))));
  }
}

/** @param {App} app @param {any[]} messages @param {(message: string) => void} show */
export function pinned(app, messages, show) {
  return dialog("Pinned messages", (close) => ({
    class: "tall",
    content: h("ul", null, ...[...messages].reverse().map((each) => h("li", null, h("button", { type: "button", class: "row", on: { click: () => { close(); show(each.id); } } }, avatar({ id: each.sender ?? "0", name: each.sender_name ?? "", photo: app.state.people.get(each.sender)?.photo }, "small"), h("span", { class: "body" }, h("span", { class: "one-line", dir: "auto" }, words.cut(words.preview(each), 200)), h("span", { class: "note", dir: "auto" }, `${each.sender_name}, ${words.when(each.sent_at)}`)))))),
  }));
}

/** Asks for a day. @returns {Promise<Date | undefined>} its beginning */
export function day() {
  return dialog("Go to a day", (close) => {
    const today = new Date();
    const text = `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, "0")}-${String(today.getDate()).padStart(2, "0")}`;
    const field = h("input", { type: "date", "aria-label": "Day", value: text, max: text });
    const go = () => {
      const [year, month, date] = field.value.split("-").map(Number);
      if (year) close(new Date(year, month - 1, date));
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") go();
    });
    return { content: field, footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), h("button", { type: "button", class: "primary", on: { click: go } }, "Go")], focus: field };
  });
}

// A conversation

/** @param {App} app @param {any} conversation */
export function mute(app, conversation) {
  return dialog("Mute", (close) => {
    const onlyMentions = h("input", { type: "checkbox", checked: conversation.mentions_only });
    /** @param {number | null} hours */
    const until = async (hours) => {
      close();
      try {
        await api.put(`/conversations/${conversation.id}/private`, {
          muted_until: hours === null ? "forever" : new Date(Date.now() + hours * 3_600_000).toISOString(),
          mentions_only: onlyMentions.checked || null,
        });
        await app.conversation(conversation.id);
      } catch (error) {
        app.failed(error);
      }
    };
    const choices = /** @type {Array<[string, number | null]>} */ ([["1 hour", 1], ["8 hours", 8], ["1 day", 24], ["1 week", 168], ["Until I unmute", null]]);
    return {
      content: [
        h("label", { class: "choice" }, onlyMentions, "Tell me nevertheless when I am mentioned"),
        h("div", { class: "stack" }, ...choices.map(([text, hours]) => h("button", { type: "button", on: { click: () => until(hours) } }, text))),
      ],
    };
  });
}

/** @param {App} app @param {any} conversation */
export function tags(app, conversation) {
  return dialog("Tags", (close) => {
    let own = [...conversation.tags ?? []];
    const others = [...new Set([...app.state.conversations.values()].flatMap((each) => each.tags ?? []))].sort();
    const field = h("input", { type: "text", placeholder: "New tag", "aria-label": "New tag", maxlength: "32", autocomplete: "off" });
    const list = h("div", { class: "chosen" });
    const save = async () => {
      if (field.value.trim()) add(field.value);
      try {
        await api.put(`/conversations/${conversation.id}/private`, { tags: own });
        await app.conversation(conversation.id);
        close();
      } catch (error) {
        app.failed(error);
      }
    };
    /** @param {string} tag */
    const add = (tag) => {
      const word = tag.trim();
      if (word && !own.includes(word) && own.length < 16) own.push(word);
      field.value = "";
      show();
    };
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      if (field.value.trim()) add(field.value);
      else void save();
    });
    function show() {
      replace(
        list,
        ...own.map((each) => h("button", { type: "button", class: "chip accent", "aria-label": `Remove the tag ${each}`, on: { click: () => { own = own.filter((other) => other !== each); show(); field.focus(); } } }, h("span", { dir: "auto" }, each), icon("close"))),
        ...others.filter((each) => !own.includes(each)).map((each) => h("button", { type: "button", class: "chip", "aria-label": `Add the tag ${each}`, on: { click: () => add(each) } }, icon("add"), h("span", { dir: "auto" }, each))),
      );
    }
    show();
    return {
      content: [h("p", { class: "note" }, "Your own words for this conversation. Nobody else sees them, and the search finds them."), field, list],
      footer: [h("button", { type: "button", on: { click: () => close() } }, "Cancel"), h("button", { type: "button", class: "primary", on: { click: save } }, "Save")],
      focus: field,
    };
  });
}

/**
 * What can be done with a conversation.
 * @param {import("./main.js").App} app
 * @param {any} conversation
 * @param {HTMLElement} at
 * @param {any[]} [more] what can be done where it is open
 */
export function conversationMenu(app, conversation, at, more = []) {
  const { id } = conversation;
  const isMuted = Boolean(conversation.muted_until);
  /** @param {any} change @param {string} [done] */
  const change = async (change, done) => {
    try {
      const next = await app.api.put(`/conversations/${id}/private`, change);
      app.update((state) => ({ ...state }));
      await app.conversation(id);
      if (done) app.toast(done);
      return next;
    } catch (error) {
      app.failed(error);
    }
  };
  menu(at, [
    { label: "Info", icon: "info", press: () => app.navigate(`#/conversation/${id}/info`) },
    ...Object.entries(conversationScreens).filter(([, each]) => each.for !== "group" || conversation.kind === "group").map(([name, each]) => ({ label: each.title, icon: each.icon, press: () => app.navigate(`#/conversation/${id}/${name}`) })),
    ...more,
    "line",
    { label: conversation.pinned ? "Unpin" : "Pin to the top", icon: "pin", press: () => change({ pinned: !conversation.pinned }) },
    isMuted ? { label: "Unmute", icon: "bell", press: () => change({ muted_until: null, mentions_only: null }) } : { label: "Mute…", icon: "mute", press: () => mute(app, conversation) },
    conversation.unread > 0 && { label: "Mark as read", icon: "check", press: () => app.api.post(`/conversations/${id}/read`).then(() => app.conversation(id)).catch(app.failed) },
    { label: "Tags…", icon: "tag", press: () => tags(app, conversation) },
    { label: conversation.archived ? "Bring back from the archive" : "Archive", icon: "archive", press: () => change({ archived: !conversation.archived }, conversation.archived ? "Brought back" : "Archived") },
  ]);
}

/** Says that somebody's change was overruled by one of the same moment, and offers theirs again. @param {App} app @param {any} event */
export function overruled(app, event) {
  const { field, yours, theirs, by } = event.overruled ?? {};
  if (!field || yours === undefined || !event.conversation) {
    if (event.text) app.toast(event.text, "overruled");
    return;
  }
  const conversation = event.conversation;
  const name = conversationOf(app.state, conversation)?.members?.find((/** @type {any} */ each) => each.user === by)?.name ??
    app.state.people.get(by)?.name ?? words.own.unknown;
  const text = event.text ?? `${name} changed the ${field} to “${theirs}” at the same time; yours was “${yours}”`;
  const body = field === "name" || field === "description" ? { [field]: yours } : { settings: { [field]: yours } };
  app.toast(text, "overruled", {
    label: "Use mine",
    press: () => void api.patch(`/conversations/${conversation}`, body).catch(app.failed),
  });
}

// The page

/** Says how this browser is let in. @param {HTMLElement} screen in place of everything */
export function refused(screen) {
  const heading = h("h1", { tabindex: "-1" }, "This browser is not let in");
  replace(
    screen,
    h("div", null, icon("shield"), heading, h("p", null, "This session was ended, or none began. In a terminal, run"), h("p", null, h("code", null, "moot open")), h("p", null, "It opens this page, once, for this browser.")),
  );
  heading.focus();
}

/** Ctrl+K. @param {App} app */
export function switcher(app) {
  return dialog("Go to", (close) => {
    const field = h("input", { type: "search", placeholder: "A conversation or a person", "aria-label": "Go to", autocomplete: "off", role: "combobox", "aria-expanded": "true", "aria-controls": "switcher-list", on: { input: () => { selected = 0; show(); } } });
    const list = h("div", { class: "people-list", role: "listbox", id: "switcher-list", "aria-label": "Found" });
    let selected = 0;
    /** @type {any[]} */
    let found = [];
    function show() {
      const conversations = sorted([...app.state.conversations.values(), ...app.state.archived.values()]).filter((each) => matches(each, field.value)).slice(0, 12);
      const wanted = folded(field.value.trim());
      const people = wanted ? [...app.state.people.values()].filter((each) => !each.is_me && !each.deleted && folded(each.name).includes(wanted)).slice(0, 6) : [];
      found = [
        ...conversations.map((each) => {
          const other = each.kind === "direct" ? each.members?.find((/** @type {any} */ member) => member.user !== app.state.me?.user) : null;
          return { name: each.title, note: each.unread ? words.plural(each.unread, "unread message") : words.when(each.last_activity), of: { id: other?.user ?? each.id, name: each.title, photo: other ? other.photo : each.photo }, go: () => app.navigate(`#/conversation/${each.id}`) };
        }),
        ...people.filter((each) => !conversations.some((of) => of.kind === "direct" && of.members?.some((/** @type {any} */ member) => member.user === each.user))).map((each) => ({ name: each.name, note: "Write a message", of: { id: each.user, name: each.name, photo: each.photo }, go: () => void openDirect(app, each.user) })),
      ];
      selected = Math.max(0, Math.min(selected, found.length - 1));
      replace(list, ...found.map((each, index) => h("div", { class: "row", role: "option", id: `switch-${index}`, "aria-selected": String(index === selected), on: { click: () => { close(); each.go(); } } }, avatar(each.of, "small"), h("span", { class: "body one-line", dir: "auto" }, each.name), h("span", { class: "note" }, each.note))));
      if (found.length) field.setAttribute("aria-activedescendant", `switch-${selected}`);
      else field.removeAttribute("aria-activedescendant");
      list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    }
    field.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        selected = (selected + (event.key === "ArrowDown" ? 1 : found.length - 1)) % Math.max(1, found.length);
        show();
      } else if (event.key === "Enter" && found[selected]) {
        close();
        found[selected].go();
      } else return;
      event.preventDefault();
    });
    show();
    return { class: "switcher", content: [field, list], focus: field };
  });
}

/** @param {App} app */
export function appearance(app) {
  void app;
  return dialog("Appearance", () => {
    const { value } = look;
    const theme = h("div", { class: "segments", role: "radiogroup", "aria-label": "Theme" }, ...(/** @type {const} */ ([["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]])).map(([name, text]) => h("label", null, h("input", { type: "radio", name: "theme", checked: value.theme === name, on: { change: () => look.set({ theme: name }) } }), h("span", null, text))));
    const range = h("input", { type: "range", min: "0", max: "359", value: String(value.hue), "aria-label": "Hue of the accent", class: "hue", on: { input: () => look.set({ hue: Number(range.value) }) } });
    const swatches = h("div", { class: "swatches" }, ...hues.map((each) => {
      const button = h("button", { type: "button", class: "swatch", "aria-label": each.name, title: each.name, on: { click: () => { look.set({ hue: each.hue }); range.value = String(each.hue); } } });
      button.style.setProperty("--accent-hue", String(each.hue));
      return button;
    }));
    return { content: [h("div", { class: "section" }, h("h3", null, "Theme"), theme), h("div", { class: "section" }, h("h3", null, "Accent"), swatches, range), h("p", { class: "note" }, "This browser remembers it. Nobody else hears of it.")] };
  });
}

export function keyboard() {
  const keys = [
    ["Everywhere", [["Ctrl K", "Go to a conversation"], ["Ctrl F", "Search in the conversation"], ["Alt ↑ ↓", "Conversation before, next"], ["Alt Shift ↑ ↓", "Unread one before, next"], ["F6", "List, messages, composer"], ["Esc", "Close; then cancel; then go to the end"], ["?", "These keys"]]],
    ["Writing", [["Enter", "Send"], ["Shift Enter", "New line"], ["↑", "Edit your last message"], ["@", "Mention somebody"]]],
    ["On a message", [["↑ ↓ Home End", "Another message"], ["R", "Reply"], ["E", "Edit"], ["+", "React"], ["P", "Pin"], ["Del", "Delete"], ["Enter", "Menu"]]],
  ];
  return dialog("Keyboard", () => ({
    class: "tall",
    content: keys.map(([title, rows]) => h("section", { class: "section" }, h("h3", null, /** @type {string} */ (title)), h("dl", { class: "keys" }, ...(/** @type {string[][]} */ (rows)).map(([key, text]) => h("div", null, h("dt", null, ...key.split(" ").map((each) => h("kbd", null, each))), h("dd", null, text)))))),
  }));
}
