// The calendar: every day has five puzzles, also the days that are gone. A day shows which of them
// are solved.

import * as panels from "./panels.js";
import { $, element, fill } from "./dom.js";
import { LEVELS, dateOf, dayOf } from "./day.js";
import { change, state } from "./page.js";
import { loadSolved } from "./store.js";
import { words } from "./words.js";

// The first month of the archive.
const FIRST = "2026-01";

let month = "";
let day = "";

function show(to = month) {
  const today = dayOf(new Date());
  month = to < FIRST ? FIRST : to > today.slice(0, 7) ? today.slice(0, 7) : to;
  const first = dateOf(`${month}-01`);
  const solved = new Map();
  for (const { daily, level } of loadSolved()) if (daily) solved.set(daily, (solved.get(daily) ?? new Set()).add(level));
  $("calendar-month").textContent = words.month(first);
  $("calendar-back").disabled = month === FIRST;
  $("calendar-on").disabled = month === today.slice(0, 7);
  const weekdays = Array.from({ length: 7 }, (_, index) => element("li", { className: "weekday", "aria-hidden": "true" }, words.weekday(new Date(2026, 0, 5 + index))));
  const gaps = Array.from({ length: (first.getDay() + 6) % 7 }, () => element("li", { "aria-hidden": "true" }));
  const count = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  const days = Array.from({ length: count }, (_, index) => dayButton(`${month}-${String(index + 1).padStart(2, "0")}`, today, solved));
  $("calendar-days").replaceChildren(...weekdays, ...gaps, ...days);
  if (!day.startsWith(month)) day = month === today.slice(0, 7) ? today : `${month}-01`;
  showDay(solved.get(day) ?? new Set());
}

function dayButton(name, today, solved) {
  const done = solved.get(name) ?? new Set();
  const squares = element("span", { className: "five", "aria-hidden": "true" }, ...LEVELS.map((level) => element("i", { className: done.has(level) ? level : "" })));
  const button = element("button", { type: "button", data: { do: "calendar-day", name } }, element("b", {}, String(Number(name.slice(8)))), squares);
  button.disabled = name > today;
  button.setAttribute("aria-label", words.calendarDay(words.shortDate(dateOf(name)), done.size));
  button.setAttribute("aria-pressed", name === day);
  if (name === today) button.classList.add("today");
  if (done.size === LEVELS.length) button.classList.add("full");
  return element("li", {}, button);
}

function showDay(done) {
  $("calendar-day").textContent = words.date(dateOf(day));
  fill($("calendar-levels"), JSON.stringify([day, [...done], words.play]), () =>
    LEVELS.map((level) => {
      const button = element("button", { type: "button", className: `btn quiet ${level}`, data: { do: "play-past", name: `${day} ${level}` } }, element("i", { className: `chip ${level}` }), words.levels[level], ...(done.has(level) ? [" ✓"] : []));
      return element("li", {}, button);
    }),
  );
}

export const calendarActions = {
  calendar: () => {
    panels.open("panel-calendar");
    day = dayOf(new Date());
    show(day.slice(0, 7));
  },
  "calendar-back": () => show(monthBeside(-1)),
  "calendar-on": () => show(monthBeside(1)),
  "calendar-day": ({ name }) => {
    day = name;
    show();
    change("today", { solved: state.today.solved });
  },
};

function monthBeside(by) {
  const date = dateOf(`${month}-15`);
  date.setMonth(date.getMonth() + by);
  return dayOf(date).slice(0, 7);
}
