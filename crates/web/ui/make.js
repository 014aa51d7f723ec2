// New puzzles: one to play at once, or several to choose from.

import * as api from "./api.js";
import * as panels from "./panels.js";
import { $ } from "./dom.js";
import { ask, change, goTo, say, state } from "./page.js";
import { linesOf, loadCodes } from "./make-view.js";
import { words } from "./words.js";
import { startNew } from "./today.js";

// Generates the requested puzzles one after the other; each one is rated and shown at once.
async function makeSome(signal) {
  const wish = panels.makeWish();
  const wanted = Number($("make-count").value);
  change("made", { puzzles: [], wanted });
  await loadCodes().catch(() => {});
  for (let count = 0; count < wanted; count += 1) {
    const { puzzle, boxes, clues, solution } = await api.generate(wish, signal);
    const rating = await api.rate({ puzzle, boxes }, signal).catch(() => null);
    change("made", { puzzles: [...state.made.puzzles, { puzzle, boxes, clues, solution, rating, level: wish.difficulty }] });
  }
  return {};
}

export const makeActions = {
  generate: () => {
    panels.close("panel-new");
    const wish = panels.wish();
    ask((signal) => api.generate(wish, signal), (made) => startNew(made, { level: wish.difficulty }));
  },
  "view-make": () => {
    panels.prepare();
    document.querySelector("dialog[open]")?.close();
    goTo("make");
  },
  "make-now": () => ask(makeSome, () => {}),
  "make-play": ({ index }) => {
    const made = state.made.puzzles[index];
    startNew(made, { level: made.level });
  },
  // Prints all puzzles, with their solutions on a separate page.
  "make-print": () => window.print(),
  // The same page for a class, without solutions.
  "make-sheet": () => {
    document.body.classList.add("unsolved");
    addEventListener("afterprint", () => document.body.classList.remove("unsolved"), { once: true });
    window.print();
  },
  "make-copy": () => {
    const copied = (text) => say(text);
    navigator.clipboard.writeText(linesOf(state.made.puzzles)).then(() => copied(words.copied), () => copied(words.copyYourself));
  },
  "lesson-make": async () => {
    await panels.prepare();
    $("make-needs").value = state.learn.slug;
    $("make-level").value = "";
    goTo("make");
    makeActions["make-now"]();
  },
};
