// What this browser remembers of how the page looks: light or dark, and the hue of the accent. Nobody else hears of it.

const key = "moot-appearance";

/** Hues that are offered by name. */
export const hues = [
  { name: "Blue", hue: 252 },
  { name: "Teal", hue: 195 },
  { name: "Green", hue: 150 },
  { name: "Amber", hue: 70 },
  { name: "Rose", hue: 10 },
  { name: "Violet", hue: 300 },
];

/** @returns {{theme: "auto" | "light" | "dark", hue: number}} */
function read() {
  try {
    const value = JSON.parse(localStorage.getItem(key) ?? "{}");
    return {
      theme: value.theme === "light" || value.theme === "dark" ? value.theme : "auto",
      hue: Number.isFinite(value.hue) ? value.hue : hues[0].hue,
    };
  } catch {
    return { theme: "auto", hue: hues[0].hue };
  }
}

export const appearance = {
  get value() {
    return read();
  },

  /** @param {Partial<{theme: "auto" | "light" | "dark", hue: number}>} change */
  set(change) {
    try {
      localStorage.setItem(key, JSON.stringify({ ...read(), ...change }));
    } catch {
      // A browser that keeps nothing shows it until it is closed.
    }
    appearance.apply({ ...read(), ...change });
  },

  apply(value = read()) {
    const root = document.documentElement;
    if (value.theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = value.theme;
    root.style.setProperty("--accent-hue", String(value.hue));
  },
};

addEventListener("storage", (event) => {
  if (event.key === key) appearance.apply();
});
