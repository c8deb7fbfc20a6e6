// Plots as SVG: bars, a heat map, a line. They are drawn for the width that they have, and say what they show in a table too.

import { h } from "./dom.js";
import { number } from "./words.js";
import { save, svg } from "./parts.js";

const height = 168;
const edge = { top: 10, right: 4, bottom: 22, left: 34 };

/** The lines behind a plot: at most four whole numbers, the last at or above the largest value. @param {number} most */
export function ticks(most) {
  if (most <= 0) return [0, 1];
  const rough = most / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough);
  const found = [];
  for (let value = 0; value < most + step; value += step) found.push(value);
  return found;
}

/** @param {number} width @param {number} most @param {string} label */
function frame(width, most, label) {
  const lines = ticks(most);
  const top = lines[lines.length - 1];
  const inner = { x: edge.left, y: edge.top, width: Math.max(40, width - edge.left - edge.right), height: height - edge.top - edge.bottom };
  /** @param {number} value */
  const y = (value) => inner.y + inner.height - (value / top) * inner.height;
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, class: "plot" },
    ...lines.map((value) => svg("line", { class: "grid", x1: inner.x, x2: inner.x + inner.width, y1: y(value), y2: y(value) })),
    ...lines.map((value) => svg("text", { class: "label", x: inner.x - 6, y: y(value) + 4, "text-anchor": "end" }, number(value))),
  );
  return { picture, inner, y };
}

/** First, middle and last of what is along the bottom. @param {SVGElement} picture @param {any} inner @param {string[]} names */
function below(picture, inner, names) {
  const places = names.length > 2 ? [0, Math.floor((names.length - 1) / 2), names.length - 1] : names.map((_, at) => at);
  for (const at of new Set(places)) {
    const anchor = at === 0 ? "start" : at === names.length - 1 ? "end" : "middle";
    const x = at === 0 ? inner.x : at === names.length - 1 ? inner.x + inner.width : inner.x + ((at + 0.5) / names.length) * inner.width;
    picture.append(svg("text", { class: "label", x, y: height - 5, "text-anchor": anchor }, names[at]));
  }
}

/** @typedef {Array<{name: string, value: number}>} Series */

/** @param {Series} series @param {number} width @param {string} label @param {(value: number) => string} tell */
export function bars(series, width, label, tell) {
  const { picture, inner, y } = frame(width, Math.max(0, ...series.map((each) => each.value)), label);
  const step = inner.width / Math.max(1, series.length);
  const gap = step > 4 ? Math.min(4, step * 0.25) : 0;
  series.forEach(({ name, value }, at) => {
    const bar = svg("rect", {
      class: "bar",
      x: inner.x + at * step + gap / 2,
      y: y(value),
      width: Math.max(0.5, step - gap),
      height: Math.max(0, inner.y + inner.height - y(value)),
      rx: Math.min(3, step / 4),
    });
    // The whole height answers the pointer, also where a bar is low.
    const area = svg("rect", { class: "area", x: inner.x + at * step, y: inner.y, width: step, height: inner.height }, svg("title", {}, `${name}: ${tell(value)}`));
    picture.append(bar, area);
  });
  below(picture, inner, series.map((each) => each.name));
  return picture;
}

/** A line of steps: what it counts changes at once. @param {Series} series @param {number} width @param {string} label @param {(value: number) => string} tell */
export function line(series, width, label, tell) {
  const { picture, inner, y } = frame(width, Math.max(0, ...series.map((each) => each.value)), label);
  const step = inner.width / Math.max(1, series.length);
  const points = series.map(({ value }, at) => `${at === 0 ? "M" : "L"}${inner.x + at * step} ${y(value)}H${inner.x + (at + 1) * step}`).join("");
  const floor = inner.y + inner.height;
  picture.append(svg("path", { class: "fill", d: `${points}V${floor}H${inner.x}Z` }), svg("path", { class: "stroke", d: points, fill: "none" }));
  series.forEach(({ name, value }, at) => {
    picture.append(svg("rect", { class: "area", x: inner.x + at * step, y: inner.y, width: step, height: inner.height }, svg("title", {}, `${name}: ${tell(value)}`)));
  });
  below(picture, inner, series.map((each) => each.name));
  return picture;
}

/**
 * Cells that are the stronger the larger their value. The strength has five steps, and the strongest cells a ring: color is not the
 * only sign.
 * @param {Array<{name: string, values: number[]}>} rows @param {string[]} columns @param {number} width @param {string} label @param {(value: number) => string} tell
 */
export function heatMap(rows, columns, width, label, tell) {
  const left = rows.some((row) => row.name) ? 34 : 0;
  const cell = (width - left) / columns.length;
  const row = Math.max(16, Math.min(26, cell * 1.3));
  const total = rows.length * row + 20;
  const most = Math.max(1, ...rows.flatMap((each) => each.values));
  const picture = svg("svg", { viewBox: `0 0 ${width} ${total}`, width, height: total, role: "img", "aria-label": label, class: "plot" });
  rows.forEach((each, at) => {
    if (each.name) picture.append(svg("text", { class: "label", x: left - 6, y: at * row + row / 2 + 4, "text-anchor": "end" }, each.name));
    each.values.forEach((value, column) => {
      const strength = value === 0 ? 0 : Math.max(1, Math.ceil((value / most) * 4));
      picture.append(svg(
        "rect",
        { class: `cell s${strength}${value === most ? " most" : ""}`, x: left + column * cell + 1, y: at * row + 1, width: Math.max(1, cell - 2), height: row - 2, rx: Math.min(4, cell / 4) },
        svg("title", {}, `${[each.name, columns[column]].filter(Boolean).join(" ")}: ${tell(value)}`),
      ));
    });
  });
  for (let column = 0; column < columns.length; column += 6) {
    picture.append(svg("text", { class: "label", x: left + column * cell + 1, y: total - 5 }, columns[column]));
  }
  return picture;
}

/**
 * A plot with its heading, its table and what it can be saved as.
 * @param {{title: string, file: string, head: string[], rows: Array<Array<string | number>>, draw: (width: number) => SVGElement, signal: AbortSignal, note?: string}} of
 */
export function plotFigure(of) {
  const place = h("div", { class: "plot-place" });
  const table = h(
    "details",
    null,
    h("summary", null, "As a table"),
    h("div", { class: "table-place", tabindex: "0", role: "region", "aria-label": `${of.title}, as a table` }, tableOf(of.head, of.rows)),
  );
  const saves = h(
    "div",
    { class: "actions saves", role: "group", "aria-label": `Save ${of.title}` },
    ...["SVG", "PNG", "CSV"].map((kind) => h("button", { type: "button", class: "quiet small", "aria-label": `Save ${of.title} as ${kind}`, on: { click: () => void saveAs(kind) } }, kind)),
  );
  const figure = h("figure", { class: "card plot-card" }, h("figcaption", null, h("h2", null, of.title), saves), place, of.note ? h("p", { class: "note" }, of.note) : null, table);
  let drawn = 0;
  const observer = new ResizeObserver(() => {
    const width = Math.floor(place.clientWidth);
    if (width === drawn || width === 0) return;
    drawn = width;
    place.replaceChildren(of.draw(width));
  });
  observer.observe(place);
  of.signal.addEventListener("abort", () => observer.disconnect());

  /** @param {string} kind */
  async function saveAs(kind) {
    const picture = /** @type {SVGSVGElement | null} */ (place.querySelector("svg"));
    if (kind === "CSV") return save(new Blob([csv([of.head, ...of.rows])], { type: "text/csv" }), `${of.file}.csv`);
    if (!picture) return;
    const text = standalone(picture);
    if (kind === "SVG") return save(new Blob([text], { type: "image/svg+xml" }), `${of.file}.svg`);
    save(await png(text, picture.viewBox.baseVal), `${of.file}.png`);
  }
  return figure;
}

/** @param {string[]} head @param {Array<Array<string | number>>} rows */
export function tableOf(head, rows) {
  // A column of numbers stands right, so that they can be compared; one of words stands left.
  const areNumbers = head.map((_, at) => at > 0 && rows.every((row) => typeof row[at] === "number" || /^[\d–]/.test(row[at])));
  return h(
    "table",
    null,
    h("thead", null, h("tr", null, ...head.map((each, at) => h("th", { scope: "col", class: areNumbers[at] ? "number" : "" }, each)))),
    h("tbody", null, ...rows.map((row) => h("tr", null, ...row.map((each, at) => at === 0 ? h("th", { scope: "row", dir: "auto" }, each) : h("td", { class: areNumbers[at] ? "number" : "" }, typeof each === "number" ? number(each) : each))))),
  );
}

/**
 * Lines for a spreadsheet. A text that one would take for a formula begins with an apostrophe: people choose their names themselves.
 * @param {Array<Array<string | number>>} rows
 */
export function csv(rows) {
  /** @param {string | number} value */
  const field = (value) => {
    if (typeof value === "number") return String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? "'" + value : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => row.map(field).join(",") + "\r\n").join("");
}

const kept = ["fill", "stroke", "stroke-width", "fill-opacity", "font-family", "font-size", "stroke-linejoin"];

/** The picture as a file of its own: with the colors that the style sheet gives it here. @param {SVGSVGElement} picture */
function standalone(picture) {
  const copy = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
  const originals = picture.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(originals[at]);
    for (const name of kept) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  const { width, height } = picture.viewBox.baseVal;
  const ground = svg("rect", { width, height, fill: getComputedStyle(picture.closest(".card") ?? document.documentElement).backgroundColor });
  copy.insertBefore(ground, copy.firstChild);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

/** @param {string} text @param {{width: number, height: number}} size @returns {Promise<Blob>} */
async function png(text, size) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = h("canvas", { width: size.width * 2, height: size.height * 2 });
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("The picture could not be made"))));
  } finally {
    URL.revokeObjectURL(address);
  }
}
