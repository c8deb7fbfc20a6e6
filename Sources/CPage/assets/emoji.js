// Choosing an emoji: those used last, and a small set by kind, found by words.

import { api } from "./api.js";
import { h, replace } from "./dom.js";
import { home, place } from "./dialogs.js";

const key = "moot-emoji";
const first = ["👍", "❤️", "😂", "😮", "😢", "🎉"];

/** Each emoji with words by which it is found. */
const kinds = /** @type {Array<[string, string]>} */ ([
  ["Faces", "😀 grin happy|😃 smile happy|😄 laugh happy|😁 beam|😅 sweat relief|😂 tears joy laugh|🤣 rolling laugh|🙂 slight smile|🙃 upside down|😉 wink|😊 blush smile|😇 angel halo|🥰 hearts love|😍 heart eyes love|🤩 star eyes wow|😘 kiss|😋 yum tasty|😛 tongue|😜 wink tongue|🤪 zany|🤔 think|🤨 raised eyebrow|😐 neutral|😑 expressionless|😶 no mouth silent|😏 smirk|😒 unamused|🙄 roll eyes|😬 grimace|😌 relieved|😔 pensive sad|😴 sleep tired|🤒 sick fever|🤢 nausea|🥵 hot|🥶 cold|🥴 woozy|😵 dizzy|🤯 mind blown|🥳 party|😎 cool sunglasses|🤓 nerd|😕 confused|😟 worried|🙁 frown|😮 surprised oh|😯 hushed|😲 astonished|🥺 plead please|😢 cry sad|😭 sob cry|😱 scream fear|😖 confounded|😤 huff|😡 angry|🤬 swear|😈 devil|💀 skull dead|💩 poo|🤡 clown|👻 ghost|🤖 robot"],
  ["Hands and people", "👍 thumbs up yes good|👎 thumbs down no bad|👌 ok|✌️ peace victory|🤞 fingers crossed luck|🤙 call me|👈 left|👉 right|👆 up|👇 down|☝️ point up|✋ hand stop|👋 wave hello bye|👏 clap applause|🙌 hooray hands|🤝 handshake deal|🙏 please thanks pray|✍️ write|💪 strong muscle|👀 eyes look|🧠 brain|🫡 salute|🤷 shrug|🤦 facepalm|🙋 raise hand|🏃 run|🚶 walk|💃 dance|👶 baby|👨‍💻 developer computer|👩‍🔬 scientist"],
  ["Hearts", "❤️ heart love red|🧡 orange heart|💛 yellow heart|💚 green heart|💙 blue heart|💜 purple heart|🖤 black heart|🤍 white heart|💔 broken heart|💯 hundred|💥 boom|✨ sparkles|🔥 fire hot|⭐ star|🌟 star glow"],
  ["Nature", "🐶 dog|🐱 cat|🐭 mouse|🐰 rabbit|🦊 fox|🐻 bear|🐼 panda|🦁 lion|🐮 cow|🐷 pig|🐸 frog|🐵 monkey|🐔 chicken|🐧 penguin|🐦 bird|🦉 owl|🐝 bee|🦋 butterfly|🐢 turtle|🐙 octopus|🐟 fish|🐬 dolphin|🐳 whale|🌳 tree|🌵 cactus|🌷 tulip|🌸 blossom|🌹 rose|🌻 sunflower|🍀 clover luck|🍁 leaf autumn|🌍 earth world|🌙 moon|☀️ sun|⛅ cloud|🌧️ rain|⛈️ storm|❄️ snow|🌈 rainbow|🌊 wave sea"],
  ["Food", "🍎 apple|🍌 banana|🍇 grapes|🍓 strawberry|🍋 lemon|🍉 melon|🥑 avocado|🍅 tomato|🥕 carrot|🍞 bread|🧀 cheese|🥚 egg|🍔 burger|🍟 fries|🍕 pizza|🌮 taco|🍜 noodles|🍣 sushi|🍦 ice cream|🍰 cake|🎂 birthday cake|🍫 chocolate|🍪 cookie|☕ coffee|🍵 tea|🍺 beer|🍻 cheers beer|🍷 wine|🥂 cheers glasses"],
  ["Things", "🎉 party tada|🎁 gift|🎈 balloon|🏆 trophy|⚽ football|🏀 basketball|🎾 tennis|🎮 game|🎲 dice|🎵 music|🎸 guitar|🎬 film|📷 camera|💻 computer|📱 phone|💡 idea lamp|🔋 battery|🔧 wrench|🔨 hammer|⚙️ gear|🔒 lock|🔑 key|📎 clip|📌 pin|📅 calendar|📈 chart up|📉 chart down|📦 package|✉️ letter|📝 note|📚 books|💰 money|⏰ alarm clock|⏳ hourglass|🚀 rocket|✈️ plane|🚗 car|🚲 bicycle|🚢 ship|⚓ anchor|🚂 train|🏠 house|🏖️ beach|⛰️ mountain|🗺️ map"],
  ["Signs", "✅ done check yes|❌ no cross|❗ exclamation|❓ question|⚠️ warning|🚫 forbidden|➕ plus|➖ minus|🔁 repeat|🆗 ok|🆕 new|🔴 red|🟢 green|🔵 blue|🏁 finish flag|🚩 flag|🏳️‍🌈 rainbow flag"],
]);

/** Every emoji with its name, as the node's Unicode has them. @type {Array<{emoji: string, name: string}>} */
let all = [];

/** @returns {string[]} */
function recent() {
  try {
    const list = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(list) ? list.filter((each) => typeof each === "string").slice(0, 12) : [];
  } catch {
    return [];
  }
}

/** @param {string} emoji */
function remember(emoji) {
  try {
    localStorage.setItem(key, JSON.stringify([emoji, ...recent().filter((each) => each !== emoji)].slice(0, 12)));
  } catch {
    // A browser that keeps nothing offers the same first ones again.
  }
}

/**
 * @param {HTMLElement} at
 * @param {{isReaction?: boolean}} [options]
 * @returns {Promise<string | undefined>}
 */
export function pickEmoji(at, options = {}) {
  return new Promise((resolve) => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    /** @type {string | undefined} */
    let chosen;
    const search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search emoji", autocomplete: "off", on: { input: show } });
    const grid = h("div", { class: "emoji-grid" });
    const element = h("div", { class: "menu emoji-picker", popover: "auto", role: "dialog", "aria-label": options.isReaction ? "React" : "Emoji" }, search, grid);

    /** @param {string} emoji @param {string} label */
    const button = (emoji, label) => h("button", { type: "button", class: "emoji-button", "aria-label": label ? `${emoji} ${label}` : emoji, title: label, on: { click: () => choose(emoji) } }, emoji);

    /** @param {string} emoji */
    function choose(emoji) {
      chosen = emoji;
      remember(emoji);
      element.hidePopover();
    }

    function show() {
      const wanted = search.value.trim().toLowerCase();
      const parts = [];
      const used = [...new Set([...recent(), ...first])].slice(0, 12);
      if (!wanted) parts.push(h("h2", null, "Used last"), h("div", null, ...used.map((each) => button(each, ""))));
      for (const [title, list] of kinds) {
        const found = list.split("|").map((each) => {
          const space = each.indexOf(" ");
          return [each.slice(0, space), each.slice(space + 1)];
        }).filter(([emoji, label]) => !wanted || emoji === wanted || label.includes(wanted)).sort((one, other) => wanted ? Number(other[1].startsWith(wanted)) - Number(one[1].startsWith(wanted)) : 0);
        if (found.length) parts.push(h("h2", null, title), h("div", null, ...found.map(([emoji, label]) => button(emoji, label))));
      }
      // What is typed finds every emoji by its name in Unicode, too.
      if (wanted) {
        const listed = new Set(kinds.flatMap(([, list]) => list.split("|").map((each) => each.split(" ")[0])));
        const others = all.filter((each) => each.name.includes(wanted) && !listed.has(each.emoji)).slice(0, 80);
        if (others.length) parts.push(h("h2", null, "More"), h("div", null, ...others.map((each) => button(each.emoji, each.name))));
      }
      replace(grid, ...(parts.length ? parts : [h("p", { class: "note" }, "Nothing is called that")]));
    }

    search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      /** @type {HTMLElement | null} */ (grid.querySelector("button"))?.click();
    });
    element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") element.hidePopover();
      const buttons = /** @type {HTMLElement[]} */ ([...grid.querySelectorAll("button")]);
      const index = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      const columns = Math.max(1, Math.floor(grid.clientWidth / 40));
      /** @type {Record<string, number>} */
      const steps = index < 0 ? { ArrowDown: 1 } : { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
      if (event.key in steps) {
        event.preventDefault();
        const target = buttons[index + steps[event.key]];
        if (target) target.focus();
        else if (event.key === "ArrowUp") search.focus();
      }
      event.stopPropagation();
    });
    element.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") return;
      element.remove();
      if (before?.isConnected) before.focus({ preventScroll: true });
      resolve(chosen);
    });
    show();
    if (all.length === 0) {
      api.get("/emoji").then((list) => {
        all = list;
        if (search.value) show();
      }).catch(() => {
        // Those listed here are there without it.
      });
    }
    home(at).append(element);
    element.showPopover();
    place(element, at);
    search.focus();
  });
}
