// Rate: rates the puzzle on the board.

import * as api from "./api.js";
import * as panels from "./panels.js";
import { $ } from "./dom.js";
import { ask, change, goTo, keep, puzzle, state } from "./page.js";
import { lineOf } from "./geometry.js";
import { readPosition } from "./play.js";
import { startNew } from "./today.js";

export function prepareRating(asked = puzzle()) {
  if (state.rating.answer && state.rating.puzzle === asked.puzzle) return;
  change("rating", { ...asked, answer: null });
  panels.prepare().then(() => change("rating", {}));
  ask((signal) => api.rate(asked, signal), (answer) => change("rating", { answer }));
}

export const rateActions = {
  // A puzzle from the text field, in any format; the game on the board is not changed.
  "rate-pasted": () =>
    ask((signal) => readPosition($("rate-text").value, signal), ({ clues, boxes }) => prepareRating({ puzzle: lineOf(clues), boxes })),
  "rate-mine": () => prepareRating(),
  "rate-play": () => startNew(state.rating, {}),
  "view-rate": () => {
    document.querySelector("dialog[open]")?.close();
    goTo("rate");
    prepareRating();
    keep();
  },
};
