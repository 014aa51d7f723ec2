// Renders the open games, the statistics of each level and the list of solved puzzles.

import { $, element, fill } from "./dom.js";
import { LEVELS, clock, dateOf, usualOf } from "./day.js";
import { bars, thumb } from "./pictures.js";
import { digitsOf } from "./game.js";
import { nameOf, words } from "./words.js";

// The maximum number of bars in a chart.
const MOST_BARS = 24;

export function renderGames({ today, games }) {
  const open = today.games.filter(({ game }) => !game.solvedAt);
  fill($("games-open"), JSON.stringify([open.map(({ id, touched }) => [id, touched]), words.games]), () => (open.length > 0 ? open.map(row) : [element("li", { className: "quiet" }, words.noGames)]));
  fill($("games-levels"), JSON.stringify([today.solved.length, words.games]), () => {
    const cards = LEVELS.flatMap((level) => card(level, today.solved));
    return cards.length > 0 ? cards : [element("p", { className: "quiet" }, words.noSolved)];
  });
  const body = $("games-solved").tBodies[0];
  fill(body, JSON.stringify([today.solved.length, words.games]), () => {
    const rows = today.solved.map(solvedRow).reverse();
    return rows.length > 0 ? rows : [element("tr", {}, element("td", { colSpan: 5, className: "quiet" }, words.noSolved))];
  });
  $("games-said").textContent = games.said;
  $("games-removed").textContent = games.removed ? words.removed : "";
  $("game-back").hidden = !games.removed;
}

function row({ id, game }) {
  const left = digitsOf(game.position).filter((digit) => !digit).length;
  const { about } = game;
  const name = about.daily ? words.winAbout(nameOf(about), words.aboutDaily(words.shortDate(dateOf(about.daily)))) : nameOf(about, game.setting);
  const go = element("button", { type: "button", className: "goon", data: { do: "game-open", name: id } }, thumb(game.position.clues, game.position.entries), element("span", {}, element("strong", {}, name), element("span", { className: "quiet" }, `${words.cellsToGo(left)} · ${clock(game.seconds)}`)));
  const remove = element("button", { type: "button", className: "btn quiet", data: { do: "game-remove", name: id } }, words.remove);
  remove.setAttribute("aria-label", words.removeGame(name));
  return element("li", {}, go, remove);
}

// A level: the number of solved puzzles, the best and the median time, and a chart of the most
// recent ones.
function card(level, solved) {
  const own = solved.filter((entry) => entry.level === level);
  if (own.length === 0) return [];
  const times = own.map(({ seconds }) => seconds);
  const chart = element("div", { className: "bars", role: "img" }, ...bars(times.slice(-MOST_BARS)));
  chart.setAttribute("aria-label", words.timesLabel(words.levels[level], times.slice(-MOST_BARS).map(clock)));
  return [element("div", { className: `card ${level}` }, element("h4", {}, element("i", { className: `chip ${level}` }), words.levels[level]), element("p", { className: "quiet" }, words.statOf(own.length, clock(Math.min(...times)), clock(usualOf(times)))), chart)];
}

function solvedRow({ day, level, daily, seconds, hints, puzzle }, index) {
  const again = element("button", { type: "button", className: "link", data: { do: "solved-again", index } }, puzzle);
  const name = nameOf({ level });
  return element("tr", {}, element("td", {}, words.shortDate(dateOf(day))), element("td", {}, daily ? words.winAbout(name, words.aboutDaily(words.shortDate(dateOf(daily)))) : name), element("td", { className: "number" }, clock(seconds)), element("td", { className: "number" }, hints.length), element("td", {}, again));
}
