// Rate: rates the puzzle on the board.

import * as api from "./api.js";
import * as panels from "./panels.js";
import { $ } from "./dom.js";
import { ask, asked, change, goTo, keep, puzzleOf, state } from "./page.js";
import { readPosition } from "./play.js";
import { startNew } from "./today.js";

export function prepareRating(puzzle = puzzleOf(state.game.position)) {
  const { rating } = state;
  if (rating.answer && rating.puzzle === puzzle.puzzle && rating.rules === puzzle.rules) return;
  change("rating", { ...puzzle, answer: null });
  panels.prepare().then(() => change("rating", {}));
  ask((signal) => api.rate(asked(puzzle), signal), (answer) => change("rating", { answer }));
}

export const rateActions = {
  // A puzzle from the text field, in any format; the game on the board is not changed.
  "rate-pasted": () =>
    ask((signal) => readPosition($("rate-text").value, signal), (position) => prepareRating(puzzleOf(position))),
  "rate-mine": () => prepareRating(),
  "rate-play": () => startNew(state.rating, {}),
  "view-rate": () => {
    document.querySelector("dialog[open]")?.close();
    goTo("rate");
    prepareRating();
    keep();
  },
};
