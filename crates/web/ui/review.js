// After a game: replay it, and show where it took longest and which step was missed there.

import * as api from "./api.js";
import { change, set, state } from "./page.js";
import { cellName, lineOf, symbol } from "./geometry.js";
import { clock } from "./day.js";
import { gridOf } from "./game.js";
import { words } from "./words.js";

// The digits in the order in which they were written, as steps like those of an explanation.
async function review() {
  const { game } = state;
  const grid = gridOf(game);
  const { log } = game;
  const waits = log.map(([, , at], index) => at - (index > 0 ? log[index - 1][2] : 0));
  const longest = waits.indexOf(Math.max(...waits));
  const missed = await stepBefore(longest);
  const entries = Array(grid.cells.length).fill(0);
  const positions = [{ entries: [...entries], candidates: grid.cells.map(() => 0) }];
  const steps = log.map(([cell, digit, at], index) => {
    entries[cell] = digit;
    positions.push({ entries: [...entries], candidates: grid.cells.map(() => 0) });
    const name = cellName(grid, cell);
    const said = words.wrote(symbol(digit), name, clock(at));
    const text = index === longest ? `${words.stood(clock(waits[index]))} ${missed ? words.missed(missed.technique, missed.pattern) : ""}` : said;
    const placed = { cell: name, index: cell, digit };
    return { step: index + 1, technique: clock(at), slug: index === longest ? (missed?.slug ?? "") : "", missed: missed?.technique, short: said, text, places: [placed], removes: [], picture: { houses: [], cells: [cell], candidates: [], arrows: [] } };
  });
  set({ lookAgain: true, hint: null, two: null, walk: { answer: { steps, text: "" }, index: longest + 1, positions, isReview: true } });
}

// The step that the position allowed when the player stood longest.
async function stepBefore(index) {
  const { game, settings } = state;
  const entries = game.log.slice(0, index).map(([cell, digit]) => [cell, digit]);
  const last = [...new Map(entries).entries()].filter(([, digit]) => digit);
  const { step } = await api.hint({ puzzle: lineOf(game.position.clues), boxes: game.position.boxes, entries: last, marks: [], language: settings.language }).catch(() => ({}));
  return step ?? null;
}

// Plays the game again, twenty times as fast as it was, at most half a second for each digit.
let playing = null;
function replay() {
  clearInterval(playing);
  set({ walk: { ...state.walk, index: 0 } });
  playing = setInterval(() => {
    if (!state.walk?.isReview || state.walk.index >= state.walk.answer.steps.length) return clearInterval(playing);
    set({ walk: { ...state.walk, index: state.walk.index + 1 } });
  }, 350);
}

export const reviewActions = {
  review: () => (state.game.log?.length > 0 ? review() : change("today", {})),
  replay,
};
