// Views of boards that cannot be played on: converts a position into what <sudoku-board> renders.

import { bit, digitsIn, digitsOfLine, gridFor, setOf, symbol } from "./geometry.js";
import { words } from "./words.js";

const NO_ARROWS = [];

// { boxes, puzzle, grid } as lines; candidates and odds as lists for each cell; picture, wrong and
// cell as in the API. `lit` is a highlighted digit among the candidates, `chosen` are selected
// cells.
export function quietView({ boxes, rules, puzzle, grid: line = puzzle, candidates, odds, picture, wrong = [], cell: current, label, lit = 0, chosen = [], labels = false }) {
  const grid = gridFor({ boxes, rules });
  const clues = digitsOfLine(puzzle, grid.side);
  const digits = digitsOfLine(line, grid.side);
  const cells = grid.cells.map((cell) => {
    const inks = inksOf(picture, cell);
    const digit = digits[cell];
    const isWrong = wrong.includes(cell);
    const view = {
      digit,
      inks,
      classes: [
        clues[cell] ? "clue" : "entry",
        cell === current && "current",
        isWrong && "wrong",
        chosen.includes(cell) && "selected",
        picture?.houses.some((house) => house.includes(cell)) && "house",
        picture?.cells.includes(cell) && "pattern",
      ].filter(Boolean),
      corner: 0,
      centre: 0,
      candidates: digit ? 0 : withInks(candidates ? setOf(candidates[cell]) : 0, inks),
      odds: digit ? [] : (odds?.[cell] ?? []),
      colours: [],
      invalid: isWrong,
    };
    return { ...view, label: labelOf(grid, cell, view, clues[cell]) };
  });
  return { grid, cells, cursor: chosen[0] ?? -1, arrows: picture?.arrows ?? NO_ARROWS, label, labels, lit };
}

// The colours of a picture in one cell, by digit.
export function inksOf(picture, cell) {
  const inks = {};
  for (const ink of picture?.candidates ?? []) if (ink.index === cell) inks[ink.digit] = ink.ink;
  return inks;
}

// A coloured candidate is shown even if the marks do not contain it.
export const withInks = (set, inks) => Object.keys(inks).reduce((all, digit) => all | bit(Number(digit)), set);

export function labelOf(grid, cell, view, isGiven) {
  const list = (set) => digitsIn(set).map(symbol).join(" ");
  const parts = [words.cell(grid.row(cell) + 1, grid.column(cell) + 1)];
  parts.push(view.digit ? symbol(view.digit) : words.empty);
  if (isGiven) parts.push(words.given);
  if (view.invalid) parts.push(words.wrong);
  if (view.corner) parts.push(words.cornerMarks(list(view.corner)));
  if (view.centre) parts.push(words.centreMarks(list(view.centre)));
  if (view.candidates) parts.push(words.candidates(list(view.candidates)));
  if (view.odds?.length > 0) parts.push(words.likely(likelyIn(view.odds)));
  if (view.colours.length > 0) parts.push(words.coloured(view.colours.map((name) => words.colours[name]).join(" ")));
  return parts.join(", ");
}

// `7 80 %, 3 15 %`: probabilities above 10 %, the most likely first.
function likelyIn(odds) {
  const likely = odds.map((percent, index) => [percent, symbol(index + 1)]).filter(([percent]) => percent > 10);
  return likely.sort(([a], [b]) => b - a).map(([percent, name]) => `${name} ${percent} %`).join(", ");
}
