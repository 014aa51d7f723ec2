// The page: its state, and the few ways to change it. Every change is followed by one render.

import * as api from "./api.js";
import * as play from "./game.js";
import * as store from "./store.js";
import { addressOf, pageAddress, placeOf, positionOf } from "./link.js";
import { digitsOfLine, geometryNamed, lineOf } from "./geometry.js";
import { render } from "./render.js";
import { words } from "./words.js";

// A first puzzle, so that there is something to do before anything is asked of the server.
const FIRST = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

export let state = {
  view: placeOf(location.hash).view,
  game: firstGame(),
  settings: store.loadSettings(),
  message: "",
  rejected: false,
  hint: null,
  walk: null,
  two: null,
  busy: null,
  digit: 0,
  watch: { models: [], systems: ["backtrack", ""], shows: [null, null], playing: false, speed: 3, ...placeOf(location.hash).watch },
  learn: { tiers: [], search: "", slug: placeOf(location.hash).slug ?? "", lesson: null, error: "" },
  rating: { puzzle: "", answer: null, error: "" },
  made: { puzzles: [], wanted: 0, error: "" },
  batch: { rows: [], all: 0, seconds: 0, error: "" },
};

function firstGame() {
  const linked = positionOf(location.hash);
  const kept = store.loadGame();
  if (linked) return kept && addressOf(kept.position) === addressOf(linked) ? kept : play.gameOf(linked);
  return kept ?? play.newGame(geometryNamed("3x3"), digitsOfLine(FIRST, 9));
}

// Changes the state and draws it.
export function set(changes) {
  const before = state;
  state = { ...state, ...changes };
  render(state);
  if (state.game.position !== before.game.position || state.view !== before.view) keepSoon();
}

// Changes one part of the state: `change("watch", { playing: false })`.
export const change = (part, changes) => set({ [part]: { ...state[part], ...changes } });

// A change of the game closes what was said about the position before.
export function setGame(game, changes = {}) {
  const same = game.position === state.game.position;
  const closed = same ? {} : { hint: null, walk: null, two: null, message: "", rejected: false };
  set({ game, ...closed, ...changes });
  if (!same && !changes.message && !game.setting && play.isSolved(game)) say(words.solved);
}

export const say = (message, rejected = false) => set({ message, rejected });

// One more second of playing; only the clock is drawn anew.
export function tick(draw) {
  state = { ...state, game: { ...state.game, seconds: state.game.seconds + 1 } };
  draw(state);
}

// The address and the browser's store follow the page, not more often than a few times a second.
let waiting = null;
function keepSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(keep, 250);
}

export function keep() {
  store.saveGame(state.game);
  const address = pageAddress(state);
  if (address !== location.hash) history.replaceState(null, "", address);
}

// Goes to another view; the way back is the browser's.
export function goTo(view, changes = {}) {
  keep();
  const moves = view !== state.view || Boolean(changes.learn);
  set({ view, ...changes });
  if (moves && pageAddress(state) !== location.hash) history.pushState(null, "", pageAddress(state));
}

// Asks the server; one question at a time, and a new one stops the old.
export async function ask(question, use) {
  state.busy?.abort();
  const busy = new AbortController();
  set({ busy, message: "", rejected: false });
  try {
    const answer = await question(busy.signal);
    if (state.busy === busy) {
      set({ busy: null });
      use(answer);
    }
  } catch (error) {
    if (error.name === "AbortError") {
      if (state.busy === busy) set({ busy: null, message: words.stopped });
      return;
    }
    set({ busy: null, message: inWords(error), rejected: true });
  }
}

export const inWords = (error) => [error.message, error.hint].filter(Boolean).join(" ");
export const side = () => play.gridOf(state.game).side;

// The clues alone, as a question.
export const puzzle = () => ({ puzzle: lineOf(state.game.position.clues), boxes: state.game.position.boxes });

// The whole position, as a question.
export const question = () => ({ ...puzzle(), ...play.asked(state.game, state.settings), language: state.settings.language });

// Begins another game. Its solution is fetched for players who want every mistake shown.
export function start(game, message = "") {
  const moves = state.view !== "play";
  setGame(game, { message, view: "play", digit: 0 });
  if (moves) history.pushState(null, "", pageAddress(state));
  learnSolution();
}

export async function learnSolution() {
  const { game, settings } = state;
  if (settings.mistakes !== "solution" || game.solution || game.setting) return;
  const { clues } = game.position;
  const answer = await api.check(puzzle()).catch(() => ({}));
  if (answer.solution && state.game.position.clues === clues) {
    set({ game: { ...state.game, solution: digitsOfLine(answer.solution, side()) } });
  }
}
