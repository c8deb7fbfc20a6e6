// How much is written in a group, when and by whom: bars, a heat map and a line, each with its table.

import { h, replace } from "./dom.js";
import { emptyState, fact, fileName, screenOf } from "./parts.js";
import { bars, heatMap, line, plotFigure } from "./plots.js";
import * as words from "./words.js";

const spans = [7, 30, 90, 365];
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

/**
 * @param {import("./main.js").App} app
 * @param {import("./main.js").Params} params
 */
export async function screen(app, params) {
  const { conversation = "", signal } = params;
  const shown = h("div", { class: "plots" });
  const choice = h(
    "select",
    { "aria-label": "Over how many days", class: "compact", on: { change: () => void load(Number(choice.value)).catch(app.failed) } },
    ...spans.map((days) => h("option", { value: String(days) }, days === 365 ? "1 year" : `${days} days`)),
  );
  choice.value = "30";

  /** @param {number} days */
  async function load(days) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const statistics = await app.api.get(`/conversations/${conversation}/statistics`, { days, time_zone: zone }, signal);
    if (!signal.aborted) replace(shown, ...parts(statistics, signal));
  }
  try {
    await load(30);
  } catch (error) {
    if (!(error instanceof Error) || /** @type {any} */ (error).status !== 403) throw error;
    replace(shown, emptyState("chart", "Only admins see the statistics", "An admin can change that in the settings of the group."));
    choice.hidden = true;
  }
  return screenOf({ title: "Statistics", back: `#/conversation/${conversation}/info`, backLabel: "Back to the details", actions: [choice], level: 2 }, shown);
}

/** @param {any} statistics @param {AbortSignal} signal */
function parts(statistics, signal) {
  const name = fileName(statistics.title);
  const days = inWeeks(statistics.days);
  const isWeeks = days !== statistics.days;
  const busiest = statistics.days.reduce((/** @type {any} */ best, /** @type {any} */ day) => day.messages > (best?.messages ?? 0) ? day : best, null);
  /** @param {number} count */
  const messages = (count) => words.plural(count, "message");
  /** @param {number} count */
  const members = (count) => words.plural(count, "member");
  const perDay = days.map((day) => ({ name: date(day.day), value: day.messages }));
  const growth = days.map((day) => ({ name: date(day.day), value: day.members }));
  const week = statistics.week;
  const rows = week
    ? weekdays.map((day, at) => ({ name: day, values: week[at] }))
    : [{ name: "", values: statistics.hours }];
  const hour = statistics.hours.indexOf(Math.max(...statistics.hours));
  const tellHour = statistics.messages ? `Most is written between ${hours[hour]} and ${hours[(hour + 1) % 24]}` : "Nothing was written";
  return [
    h(
      "dl",
      { class: "facts" },
      fact("Messages", words.number(statistics.messages)),
      fact("Files", words.number(statistics.files.count), statistics.files.count ? words.size(statistics.files.bytes) : undefined),
      fact("Members", words.number(statistics.days[statistics.days.length - 1]?.members ?? 0)),
      fact("Busiest day", busiest ? date(busiest.day) : "–", busiest ? messages(busiest.messages) : undefined),
    ),
    plotFigure({
      title: isWeeks ? "Messages per week" : "Messages per day",
      file: `${name} - messages`,
      head: [isWeeks ? "Week of" : "Day", "Messages"],
      rows: days.map((day) => [day.day, day.messages]),
      draw: (width) => bars(perDay, width, `${messages(statistics.messages)} from ${perDay[0]?.name} to ${perDay[perDay.length - 1]?.name}${busiest ? `; the busiest day was ${date(busiest.day)}` : ""}`, messages),
      signal,
    }),
    plotFigure({
      title: "When people write",
      file: `${name} - hours`,
      head: ["Hour", ...(week ? weekdays : ["Messages"])],
      rows: hours.map((each, at) => [each, ...rows.map((row) => row.values[at])]),
      draw: (width) => heatMap(rows, hours, width, tellHour, messages),
      note: `${tellHour}. The clock is that of ${statistics.time_zone.replaceAll("_", " ")}.`,
      signal,
    }),
    plotFigure({
      title: "Growth",
      file: `${name} - members`,
      head: [isWeeks ? "Week of" : "Day", "Members"],
      rows: days.map((day) => [day.day, day.members]),
      draw: (width) => line(growth, width, `From ${members(growth[0]?.value ?? 0)} to ${members(growth[growth.length - 1]?.value ?? 0)}`, members),
      signal,
    }),
    authors(statistics),
  ];
}

/** @param {any} statistics */
function authors(statistics) {
  const most = Math.max(1, ...statistics.authors.map((/** @type {any} */ each) => each.messages));
  return h(
    "section",
    { class: "card plot-card", "aria-label": "Most active" },
    h("h2", null, "Most active"),
    statistics.authors.length === 0 ? h("p", { class: "muted" }, "Nobody wrote in this time.") : h(
      "ol",
      { class: "ranks" },
      ...statistics.authors.slice(0, 10).map((/** @type {any} */ each) =>
        h("li", null, h("span", { class: "one-line", dir: "auto" }, each.name), h("meter", { min: 0, max: most, value: each.messages, "aria-label": `Messages of ${each.name}` }), h("span", { class: "count" }, words.number(each.messages)))
      ),
    ),
  );
}

/**
 * Days, or weeks where there are too many days for a bar each.
 * @param {Array<{day: string, messages: number, members: number}>} days
 */
export function inWeeks(days) {
  if (days.length <= 92) return days;
  const weeks = [];
  for (let end = days.length; end > 0; end -= 7) {
    const week = days.slice(Math.max(0, end - 7), end);
    weeks.unshift({ day: week[0].day, messages: week.reduce((sum, day) => sum + day.messages, 0), members: week[week.length - 1].members });
  }
  return weeks;
}

const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** @param {string} day */
function date(day) {
  return short.format(new Date(day + "T00:00:00Z"));
}
