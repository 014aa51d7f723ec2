// Renders the state of the page. It reads the state and never changes it.
//
// The state: { view, game, settings, message, hint, walk, two, busy, rejected, digit } and one part
// for each other view. `hint` is the displayed hint: { answer, stage }. `walk` is the explanation
// that the player steps through: { answer, index, positions }. `two` shows that a puzzle has two
// solutions: { grids, shown }. `digit` is the digit selected on the keypad.

import { $ } from "./dom.js";
import { VIEWS } from "./link.js";
import { renderPlay } from "./play-view.js";
import { renderToday } from "./today-view.js";
import { words } from "./words.js";

const DRAW = { today: renderToday, play: renderPlay, end: () => {} };

// The other views are loaded after the first one (other-views.js).
export const addViews = (views) => Object.assign(DRAW, views);

const NAMES = { play: "", learn: "school", end: "endTitle" };

export function render(state) {
  const root = document.documentElement;
  root.dataset.theme = state.settings.theme;
  root.dataset.board = state.settings.board;
  root.dataset.view = state.view;
  root.dataset.motion = state.settings.motion;
  for (const view of VIEWS) {
    $(`view-${view}`).hidden = view !== state.view;
    for (const button of document.querySelectorAll(`nav [data-do="view-${view}"]`)) {
      if (view === state.view) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
  }
  document.title = words.title(words[NAMES[state.view] ?? state.view]);
  DRAW[state.view]?.(state);
}
