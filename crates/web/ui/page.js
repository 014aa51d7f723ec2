// The state of the page, and the functions that change it. Every change is followed by one render.
//
// The game on the board is stored under its own id (store.js), and each entry of the browser
// history contains the id of its game. Reloading and the Back button therefore restore that game as
// it was, whatever the address contains. An address that is opened without a history entry, for
// example a shared link or a bookmark, opens its position as a new game.

import * as api from "./api.js";
import * as play from "./game.js";
import * as store from "./store.js";
import { addressOf, pageAddress, placeOf, positionOf } from "./link.js";
import { conflicts, digitsOfLine, geometryNamed, lineOf } from "./geometry.js";
import { dayOf } from "./day.js";
import { render } from "./render.js";
import { words } from "./words.js";

// The first puzzle, so that there is something to play before the engine has answered.
const FIRST = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

store.adoptOldGame();

export let state = {
  view: placeOf(location.hash).view,
  game: gameHere() ?? store.lastGame() ?? play.newGame(geometryNamed("3x3"), digitsOfLine(FIRST, 9), false, { level: "easy" }),
  settings: store.loadSettings(),
  message: "",
  rejected: false,
  hint: null,
  walk: null,
  two: null,
  busy: null,
  digit: 0,
  lookAgain: false,
  solvedAs: null,
  today: { day: dayOf(new Date()), puzzles: {}, games: [], solved: [], error: "" },
  watch: { models: [], systems: ["backtrack", ""], shows: [null, null], playing: false, speed: 3, error: "", ...placeOf(location.hash).watch },
  learn: { tiers: [], search: "", slug: placeOf(location.hash).slug ?? "", lesson: null, error: "", part: 0, exercise: null, school: store.loadSchool() },
  rating: { puzzle: "", answer: null, error: "" },
  made: { puzzles: [], wanted: 0, error: "" },
  batch: { rows: [], all: 0, seconds: 0, error: "" },
  games: { said: "", removed: null },
};

// The game of the current entry of the browser history; null if it names none.
function gameHere() {
  const { game: id, about } = history.state ?? {};
  const held = id && store.loadGame(id);
  if (held) return held;
  const linked = positionOf(location.hash);
  return linked && (store.gameWith(linked) ?? play.gameOf(linked, false, about));
}

// Functions to call when a view is left, and when it is entered: { watch: stop }.
export const leaving = {};
export const entering = {};

// Changes the state and renders it.
export function set(changes) {
  const before = state;
  state = { ...state, ...changes };
  if (state.view !== before.view) leaving[before.view]?.();
  if (state.view !== before.view) entering[state.view]?.();
  render(state);
  if (state.game.position !== before.game.position || state.game.checkpoints !== before.game.checkpoints) keepGame();
  if (state.game.position !== before.game.position || state.view !== before.view) showAddressSoon();
}

// Changes one part of the state: `change("watch", { playing: false })`.
export const change = (part, changes) => set({ [part]: { ...state[part], ...changes } });

// A changed position closes hints and messages about the previous one.
export function setGame(game, changes = {}) {
  const same = game.position === state.game.position;
  // A grid that was full when it was opened was not solved by the player.
  const isPlayed = game.id === state.game.id;
  const closed = same ? {} : { hint: null, walk: null, two: null, message: "", rejected: false, lookAgain: false };
  set({ game, ...closed, ...changes });
  if (!same && isPlayed && !changes.message && !game.setting && play.isFull(game)) filled();
}

// The last cell is filled: the game is either solved or wrong, and a message says which.
function filled() {
  const { game } = state;
  if (!play.isSolved(game)) {
    const clashes = conflicts(play.gridOf(game), play.digitsOf(game.position));
    return set({ game: { ...game, wrong: [...clashes] }, message: words.fullButWrong, rejected: true });
  }
  say(words.solved);
  if (game.solvedAt || game.helped) return;
  const at = Date.now();
  set({ game: { ...game, solvedAt: at } });
  keepGame();
  store.addSolved(solvedEntry(state.game, at));
  rateSolved(game.id);
}

// Shows the difficulty and the hardest step once they are known.
async function rateSolved(id) {
  const { hardest, scales } = await api.rate(puzzle()).catch(() => ({}));
  if (state.game.id !== id || !hardest) return;
  set({ solvedAs: { id, hardest, level: scales.find(({ name }) => name === "effort")?.value ?? "" } });
}

function solvedEntry({ id, about, seconds, hints, checks, position }, at) {
  return { id, at, day: dayOf(new Date(at)), level: about.level ?? "", daily: about.daily ?? "", seconds, hints, checks, boxes: position.boxes, puzzle: lineOf(position.clues) };
}

export const say = (message, rejected = false) => set({ message, rejected });

// One more second of play; renders only the clock.
export function tick(draw) {
  state = { ...state, game: { ...state.game, seconds: state.game.seconds + 1 } };
  if (state.game.seconds % 10 === 0) keepGame();
  draw(state);
}

function keepGame() {
  if (!store.saveGame(state.game) && !state.roomless) set({ roomless: true, message: words.noRoom, rejected: true });
}

// Browsers limit how often the address may change.
let waiting = null;
function showAddressSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(showAddress, 250);
}

const historyState = () => ({ game: state.game.id, about: state.game.about });

function showAddress() {
  clearTimeout(waiting);
  const address = pageAddress(state);
  if (address !== location.hash || history.state?.game !== state.game.id) history.replaceState(historyState(), "", address);
}

// Saves the game and updates the address.
export function keep() {
  keepGame();
  showAddress();
}

// Goes to another view; the Back button of the browser leads back.
export function goTo(view, changes = {}) {
  keep();
  const moves = view !== state.view || Boolean(changes.learn);
  set({ view, ...changes });
  if (moves && pageAddress(state) !== location.hash) history.pushState(historyState(), "", pageAddress(state));
  if (moves) window.scrollTo(0, 0);
}

// A link or the Back button: opens its game and its view.
export function arrive() {
  clearTimeout(waiting);
  keepGame();
  const { view, slug = "", watch } = placeOf(location.hash);
  const isHere = history.state?.game === state.game.id || (!history.state && !positionOf(location.hash));
  const game = isHere ? state.game : (gameHere() ?? state.game);
  setGame(game.id === state.game.id ? state.game : game, {
    view,
    message: "",
    learn: { ...state.learn, slug },
    ...(watch && { watch: { ...state.watch, ...watch } }),
  });
  showAddress();
}

// Asks the engine. There is one request at a time; a new one aborts the previous one.
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

// An error and its hint as sentences.
export const inWords = (error) => [error.message, error.hint].filter(Boolean).map(sentence).join(" ");

export function sentence(text) {
  const trimmed = text.trim();
  return `${trimmed[0].toUpperCase()}${trimmed.slice(1)}${/[.!?…:]$/.test(trimmed) ? "" : "."}`;
}

export const side = () => play.gridOf(state.game).side;

// A request with the clues only.
export const puzzle = () => ({ puzzle: lineOf(state.game.position.clues), boxes: state.game.position.boxes });

// A request with the complete position.
export const question = () => ({ ...puzzle(), ...play.asked(state.game, state.settings), language: state.settings.language });

// Starts another game, or continues one. The previous game is kept; the Back button leads to it.
export function start(game, message = "") {
  keep();
  const moves = state.view !== "play" || game.id !== state.game.id;
  setGame(game, { message, view: "play", digit: 0 });
  if (moves) history.pushState(historyState(), "", pageAddress(state));
  learnSolution();
}

// The same game was changed in another window.
window.addEventListener("storage", ({ key }) => {
  if (!key?.endsWith(`.${state.game.id}`) || !document.hidden) return;
  const game = store.loadGame(state.game.id);
  if (game) set({ game: { ...game, selected: state.game.selected, cursor: state.game.cursor } });
});

export async function learnSolution() {
  const { game, settings } = state;
  if (settings.mistakes !== "solution" || game.solution || game.setting) return;
  const { clues } = game.position;
  const answer = await api.check(puzzle()).catch(() => ({}));
  if (answer.solution && state.game.position.clues === clues) {
    set({ game: { ...state.game, solution: digitsOfLine(answer.solution, side()) } });
  }
}
