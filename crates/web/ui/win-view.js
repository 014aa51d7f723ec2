// Renders the end of a game, a sheet of paper turned to its coloured side: the time, the help used,
// and what to play next.

import { $, element, fill } from "./dom.js";
import { LEVELS, clock, dateOf, dayBefore, dayOf, streakOf, usualOf } from "./day.js";
import { loadSolved } from "./store.js";
import { nameOf, words } from "./words.js";

export function renderWin({ game, solvedAs }, won) {
  $("win").hidden = !won;
  if (!won) return;
  const known = solvedAs?.id === game.id ? solvedAs : null;
  // All of this is read from the browser's storage, so only once per solved game.
  fill($("win-facts"), `${game.id} ${game.solvedAt} ${words.play} ${known?.hardest ?? ""}`, () => {
    renderTime(game);
    renderStreak(dayOf(new Date(game.solvedAt)));
    return facts(game, known);
  });
  $("win-next").textContent = nextWords(nextOf(game));
  const [lesson] = game.hints;
  $("win-review").hidden = !(game.log?.length > 9);
  $("win-lesson").hidden = !lesson;
  if (lesson) $("win-lesson").textContent = words.practise(lesson.technique);
}

function renderTime(game) {
  const { level, daily } = game.about;
  const name = nameOf(game.about);
  $("win-about").textContent = daily ? words.winAbout(name, words.aboutDaily(words.shortDate(dateOf(daily)))) : name;
  $("win-time").textContent = clock(game.seconds);
  const others = loadSolved().filter((entry) => entry.id !== game.id && entry.level === level && level).map(({ seconds }) => seconds);
  const usual = usualOf(others);
  const gap = clock(Math.abs(game.seconds - usual));
  const compared = game.seconds < usual ? words.faster(gap, name) : game.seconds > usual ? words.slower(gap, name) : words.asUsual(name);
  const { beat } = game.about;
  if (beat) {
    $("win-usual").textContent = (game.seconds < beat ? words.wasBeaten : words.notBeaten)(clock(game.seconds), clock(beat));
    return;
  }
  $("win-usual").textContent = !level ? "" : others.length === 0 ? words.firstOf(name) : compared;
}

function facts(game, known) {
  const techniques = [...new Set(game.hints.map(({ technique }) => technique))].join(", ");
  const rows = [
    [words.factDifficulty, words.levels[game.about.level] ?? words.levels[known?.level] ?? "…"],
    [words.factHints, game.hints.length === 0 ? words.none : `${game.hints.length} ${techniques}`],
    [words.factChecks, game.checks === 0 ? words.none : String(game.checks)],
    ...(known ? [[words.factHardest, known.hardest]] : []),
  ];
  return rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

// The last nine days; days with a solved daily puzzle are filled.
function renderStreak(today) {
  const solved = loadSolved();
  const days = new Set(solved.filter(({ daily, day }) => daily && daily === day).map(({ day }) => day));
  $("win-streak").textContent = words.daysInARow(streakOf(solved, today));
  const last = Array.from({ length: 9 }, (_, index) => dayBefore(today, 8 - index));
  $("win-days").replaceChildren(...last.map((day) => element("li", { className: days.has(day) ? "on" : "" }, element("i"), words.weekday(dateOf(day)))));
}

// What to play next: the easiest daily puzzle that is not solved yet, otherwise a new puzzle.
export function nextOf(game) {
  const today = dayOf(new Date());
  const done = new Set(loadSolved().filter(({ daily }) => daily === today).map(({ level }) => level));
  const place = LEVELS.indexOf(game.about.level);
  const order = [...LEVELS.slice(place + 1), ...LEVELS.slice(0, place + 1)];
  const level = order.find((name) => !done.has(name));
  return level ? { level, daily: today } : { level: game.about.level || "medium", daily: "" };
}

const nextWords = ({ level, daily }) => (daily ? words.nextDaily : words.nextNew)(words.levels[level]);
