// Renders Today: five daily puzzles, the game to continue, the next lesson, the last thirty days.

import { $, element, fill } from "./dom.js";
import { LEVELS, clock, dateOf, dayBefore, streakOf, usualOf } from "./day.js";
import { bars, nine, seal, thumb } from "./pictures.js";
import { digitsOfLine } from "./geometry.js";
import { digitsOf, gridOf } from "./game.js";
import { isOpen } from "./store.js";
import { nextLesson, tiersDone } from "./school.js";
import { inLanguage, nameOf, words } from "./words.js";

export function renderToday({ today, learn, busy, message, rejected }) {
  const { day, games, solved } = today;
  $("today-date").textContent = words.date(dateOf(day));
  $("today-state").textContent = busy ? words.making : rejected ? message : today.error;
  const streak = streakOf(solved, day);
  $("today-streak").textContent = words.daysInARow(streak);
  fill($("today-days"), String(streak), () => Array.from({ length: Math.min(streak, 9) }, () => element("i", { className: "on" })));
  renderPapers(today);
  $("hero").hidden = games.length > 0 || solved.length > 0;
  renderResume(games, day);
  renderSchool(learn);
  renderStatistics(solved, day);
}

// Each puzzle is rendered separately, so that it does not move or vanish when another one arrives.
function renderPapers({ day, puzzles, games, error }) {
  fill($("today-papers"), "five", () => LEVELS.map(() => element("li")));
  LEVELS.forEach((level, index) => {
    const kept = games.find(({ game: { about } }) => about.daily === day && about.level === level);
    const key = JSON.stringify([puzzles[level], kept?.id, kept?.touched, error, words.today]);
    fill($("today-papers").children[index], key, () => [paper(level, puzzles[level], kept?.game, Boolean(error))]);
  });
}

// A daily puzzle is drawn as a sheet of paper: white at first, with a turned corner that grows with
// progress. A solved one shows its coloured side.
function paper(level, puzzle, game, isOff) {
  const name = words.levels[level];
  const done = Boolean(game?.solvedAt);
  const all = game ? gridOf(game).cells.length : 81;
  const left = game ? all - digitsOf(game.position).filter(Boolean).length : 0;
  const clueCount = game ? game.position.clues.filter(Boolean).length : 0;
  const what = !puzzle && !game && !isOff ? words.making : done ? (game.hints.length === 0 ? words.withoutHints : words.hintCount(game.hints.length)) : game ? words.cellsToGo(left) : words.levelNeeds[level];
  const button = element("button", { type: "button", className: `paper ${level}${done ? " done" : ""}`, data: { do: "play-daily", name: level } });
  button.style.setProperty("--part", game && !done ? 1 - left / Math.max(1, all - clueCount) : 0);
  const clues = game?.position.clues ?? (puzzle ? digitsOfLine(puzzle.puzzle, 9) : Array(81).fill(0));
  const caption = element("span", { className: "cap" }, element("strong", {}, name), element("span", { className: "what" }, what), element("span", { className: "num" }, game ? clock(game.seconds) : ""));
  button.append(element("span", { className: "body" }, thumb(clues, game?.position.entries, done), caption), element("span", { className: "turned" }));
  if (done) button.append(seal("stamp"));
  return button;
}

function renderResume(games, day) {
  const open = games.find(isOpen)?.game;
  document.querySelector(".resume").hidden = !open;
  if (!open) return;
  const left = digitsOf(open.position).filter((digit) => !digit).length;
  const { about } = open;
  const name = nameOf(about, open.setting);
  $("resume-title").textContent = about.daily ? words.dailyOf(name, about.daily === day, words.shortDate(dateOf(about.daily))) : name;
  $("resume-about").textContent = words.resumeAbout(words.cellsToGo(left), open.hints.length);
  $("resume-time").textContent = clock(open.seconds);
  fill($("resume-thumb"), `${open.id} ${open.past.length}`, () => [thumb(open.position.clues, open.position.entries)]);
}

function renderSchool({ tiers, school }) {
  const next = nextLesson(tiers, school);
  $("schoolp-title").textContent = next ? words.schoolNext(inLanguage(next)) : tiers.length > 0 ? words.schoolDone : words.school;
  fill($("today-tiers"), JSON.stringify([tiers.length, school, words.today]), () =>
    tiersDone(tiers, school).slice(0, 6).map(({ name, names, done, all }) => element("li", {}, nine(Math.round((9 * done) / all), done === all ? "sealed" : ""), element("span", {}, inLanguage({ name, names })), element("em", {}, words.ofLessons(done, all)))),
  );
}

function renderStatistics(solved, day) {
  const days = Array.from({ length: 30 }, (_, index) => dayBefore(day, 29 - index));
  const recent = solved.filter((entry) => entry.day >= days[0]);
  const levels = LEVELS.map((level) => [level, recent.filter((entry) => entry.level === level)]);
  const [level, most] = levels.reduce((best, next) => (next[1].length > best[1].length ? next : best));
  const figures = [[recent.length, words.figures.solved], [recent.filter(({ hints }) => hints.length === 0).length, words.figures.clean]];
  if (most.length > 0) figures.push([clock(usualOf(most.map(({ seconds }) => seconds))), words.figures.usual(words.levels[level])]);
  const counts = days.map((one) => recent.filter((entry) => entry.day === one).length);
  fill($("today-figures"), JSON.stringify([figures]), () => figures.map(([number, said]) => element("p", {}, element("b", { className: "num" }, number), said)));
  fill($("today-bars"), JSON.stringify(counts), () => bars(counts));
  $("today-bars").setAttribute("aria-label", words.barsLabel(counts));
  $("bars-from").textContent = words.shortDate(dateOf(days[0]));
}
