// Renders the generated puzzles.

import { $, element, fill } from "./dom.js";
import { techniqueName } from "./panels.js";
import { isLocal, publicAddress } from "./play.js";
import { quietView } from "./view.js";
import { words } from "./words.js";

// The codes of printed puzzles are loaded with the first puzzles.
let qrPicture = () => null;
export const loadCodes = async () => ({ qrPicture } = await import("./qr.js"));

export function renderMade({ made, busy, message, rejected }) {
  const { puzzles, wanted } = made;
  $("make-state").textContent = rejected ? message : puzzles.length > 0 || busy ? [words.made(puzzles.length, wanted), message].filter(Boolean).join(" ") : message;
  $("make-state").classList.toggle("bad", Boolean(rejected));
  $("make-stop").hidden = !busy;
  for (const id of ["make-print", "make-sheet", "make-copy", "make-file"]) $(id).hidden = Boolean(busy) || puzzles.length === 0;
  $("make-file").href = `data:text/plain;charset=utf-8,${encodeURIComponent(linesOf(puzzles))}`;
  const address = publicAddress();
  $("make-local").hidden = puzzles.length === 0 || !isLocal(address);
  fill($("make-list"), JSON.stringify([puzzles, words.make, address]), () => puzzles.map((made, index) => card(made, index, address)));
  fill($("make-solutions"), JSON.stringify([puzzles, words.make]), () => [element("h3", {}, words.solutions), ...puzzles.map(solved)]);
}

// One puzzle per line, a format that every program reads.
// With rules, a line is an object.
export const linesOf = (puzzles) => puzzles.map(({ puzzle, rules }) => `${rules ? JSON.stringify({ puzzle, rules }) : puzzle}\n`).join("");

function card({ puzzle, boxes, rules, clues, rating }, index, address) {
  const board = document.createElement("sudoku-board");
  const sheet = element("div", { className: rules ? "sheet" : "" }, board);
  board.draw(quietView({ puzzle, boxes, rules, label: words.madeBoard(index + 1) }));
  const level = rating?.scales.find(({ name }) => name === "effort")?.value;
  const hardest = rating?.hardest && techniqueName(rating.hardest_slug, rating.hardest);
  const said = [words.clueCount(clues), words.levels[level] ?? level, hardest].filter(Boolean).join(" · ");
  const play = element("button", { type: "button", className: "btn quiet", data: { do: "make-play", index } }, words.playIt);
  play.setAttribute("aria-label", words.playNumber(index + 1));
  const number = element("strong", { className: "num" }, index + 1);
  // The code is visible only in print. It opens the puzzle on a phone.
  const code = rules ? null : qrPicture(`${address}#b=${boxes}&p=${puzzle}`);
  return element("li", { className: "card" }, rules ? sheet : board, element("p", {}, number, element("span", { className: "said" }, ` ${said}`)), play, ...(code ? [code] : []));
}

// Visible only in print.
function solved({ solution, puzzle, boxes, rules }, index) {
  const board = document.createElement("sudoku-board");
  board.draw(quietView({ puzzle, boxes, rules, grid: solution, label: words.solutionBoard(index + 1) }));
  return element("div", {}, element("strong", { className: "num" }, index + 1), board);
}
