// Light or dark, and the accent, before anything is painted: a classic script, which the browser waits for. `appearance.js` does the rest.
try {
  const value = JSON.parse(localStorage.getItem("moot-appearance") ?? "{}");
  const root = document.documentElement;
  if (value.theme === "light" || value.theme === "dark") root.dataset.theme = value.theme;
  if (Number.isFinite(value.hue)) root.style.setProperty("--accent-hue", String(value.hue));
} catch {
  // A browser that keeps nothing shows what the system wants.
}
