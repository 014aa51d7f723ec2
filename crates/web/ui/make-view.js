// Renders the generated puzzles.

import { $, element, fill } from "./dom.js";
import { quietView } from "./view.js";
import { words } from "./words.js";

export function renderMade({ made, busy, message, rejected }) {
  const { puzzles, wanted } = made;
  $("make-state").textContent = rejected ? message : puzzles.length > 0 || busy ? words.made(puzzles.length, wanted) : message;
  $("make-state").classList.toggle("bad", Boolean(rejected));
  $("make-stop").hidden = !busy;
  $("make-print").hidden = Boolean(busy) || puzzles.length === 0;
  fill($("make-list"), JSON.stringify([puzzles, words.make]), () => puzzles.map(card));
  fill($("make-solutions"), JSON.stringify([puzzles, words.make]), () => [element("h3", {}, words.solutions), ...puzzles.map(solved)]);
}

function card({ puzzle, boxes, clues, rating }, index) {
  const board = document.createElement("sudoku-board");
  board.draw(quietView({ puzzle, boxes, label: words.madeBoard(index + 1) }));
  const level = rating?.scales.find(({ name }) => name === "effort")?.value;
  const said = [words.clueCount(clues), level, rating?.hardest].filter(Boolean).join(" · ");
  const play = element("button", { type: "button", className: "btn quiet", data: { do: "make-play", index } }, words.playIt);
  play.setAttribute("aria-label", words.playNumber(index + 1));
  const number = element("strong", { className: "num" }, index + 1);
  return element("li", { className: "card" }, board, element("p", {}, number, ` ${said}`), play);
}

// Visible only in print.
function solved({ solution, puzzle, boxes }, index) {
  const board = document.createElement("sudoku-board");
  board.draw(quietView({ puzzle, boxes, grid: solution, label: words.solutionBoard(index + 1) }));
  return element("div", {}, element("strong", { className: "num" }, index + 1), board);
}
