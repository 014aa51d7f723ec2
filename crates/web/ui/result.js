// The result of a game without its solution: nine squares (one for each box, hatched where a hint
// helped), the time, the hints and the streak; as text, and as a picture.

import { clock, dateOf, dayOf, streakOf } from "./day.js";
import { gridOf } from "./game.js";
import { loadSolved } from "./store.js";
import { nameOf, words } from "./words.js";

// For each of nine squares whether it was solved without a hint. Grids with fewer or more boxes
// share the squares evenly.
export function squaresOf(game) {
  const count = gridOf(game).side;
  const helped = new Set(game.hints.map(({ box }) => Math.floor(((box ?? 0) * 9) / count)));
  return Array.from({ length: 9 }, (_, index) => !helped.has(index));
}

const titleOf = ({ about }) => (about.daily ? words.winAbout(nameOf(about), words.shortDate(dateOf(about.daily))) : nameOf(about));
const hintsOf = ({ hints }) => (hints.length === 0 ? words.withoutHints : words.hintCount(hints.length));
const streakNow = (game) => streakOf(loadSolved(), dayOf(new Date(game.solvedAt)));

export function resultText(game) {
  const rows = [0, 3, 6].map((from) => squaresOf(game).slice(from, from + 3).map((isOwn) => (isOwn ? "■" : "▨")).join(" "));
  return `${words.resultText(titleOf(game), clock(game.seconds), hintsOf(game), streakNow(game))}\n${rows.join("\n")}`;
}

// Draws the card and returns it as the address of a PNG.
export function resultPicture(game) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1000, 560];
  const pen = canvas.getContext("2d");
  const paper = getComputedStyle(document.getElementById("desk")).getPropertyValue("--paper");
  pen.fillStyle = resolved(paper);
  pen.fillRect(0, 0, 1000, 560);
  pen.fillStyle = "#ffffff";
  squaresOf(game).forEach((isOwn, index) => {
    pen.globalAlpha = isOwn ? 1 : 0.45;
    pen.fillRect(70 + (index % 3) * 145, 70 + Math.floor(index / 3) * 145, 130, 130);
  });
  pen.globalAlpha = 1;
  pen.font = "600 44px system-ui, sans-serif";
  pen.fillText("Ninefold", 560, 120);
  pen.font = "400 36px system-ui, sans-serif";
  pen.fillText(titleOf(game), 560, 180, 400);
  pen.font = '400 110px "Ninefold Digits", system-ui, sans-serif';
  pen.fillText(clock(game.seconds), 556, 330, 400);
  pen.font = "400 36px system-ui, sans-serif";
  pen.fillText(hintsOf(game), 560, 400, 400);
  const streak = streakNow(game);
  if (streak > 0) pen.fillText(words.daysInARow(streak), 560, 455, 400);
  return canvas.toDataURL("image/png");
}

// A colour as the browser computes it, because a canvas does not know light-dark().
function resolved(colour) {
  const probe = document.createElement("i");
  probe.style.color = colour;
  document.body.append(probe);
  const computed = getComputedStyle(probe).color;
  probe.remove();
  return computed;
}
