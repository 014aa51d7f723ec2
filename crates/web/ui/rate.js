// Rate: asks how hard the puzzle on the board is.

import * as api from "./api.js";
import { ask, change, goTo, keep, puzzle, state } from "./page.js";

export function prepareRating() {
  const asked = puzzle();
  if (state.rating.answer && state.rating.puzzle === asked.puzzle) return;
  change("rating", { ...asked, answer: null });
  ask((signal) => api.rate(asked, signal), (answer) => change("rating", { answer }));
}

export const rateActions = {
  "view-rate": () => {
    goTo("rate");
    prepareRating();
    keep();
  },
};
