// New puzzles: one to play at once, or some to choose from.

import * as api from "./api.js";
import * as panels from "./panels.js";
import * as play from "./game.js";
import { $ } from "./dom.js";
import { ask, change, goTo, start, state } from "./page.js";
import { digitsOfLine, geometryNamed } from "./geometry.js";

// Makes the wished puzzles one after the other; each is rated and shown as soon as it is there.
async function makeSome(signal) {
  const wish = panels.makeWish();
  const wanted = Number($("make-count").value);
  change("made", { puzzles: [], wanted });
  for (let count = 0; count < wanted; count += 1) {
    const { puzzle, boxes, clues } = await api.generate(wish, signal);
    const rating = await api.rate({ puzzle, boxes }, signal).catch(() => null);
    change("made", { puzzles: [...state.made.puzzles, { puzzle, boxes, clues, rating }] });
  }
  return {};
}

function playMade({ puzzle, boxes }) {
  const grid = geometryNamed(boxes);
  start(play.newGame(grid, digitsOfLine(puzzle, grid.side)));
}

export const makeActions = {
  generate: () => {
    panels.close("panel-new");
    ask((signal) => api.generate(panels.wish(), signal), playMade);
  },
  "view-make": () => {
    document.querySelector("dialog[open]")?.close();
    goTo("make");
  },
  "make-now": () => ask(makeSome, () => {}),
  "make-play": ({ index }) => playMade(state.made.puzzles[index]),
  "lesson-make": () => {
    $("make-needs").value = state.learn.slug;
    $("make-level").value = "";
    goTo("make");
    makeActions["make-now"]();
  },
};
