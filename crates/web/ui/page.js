// The state of the page, and the functions that change it. Every change is followed by one render.
//
// The game on the board is stored under its own id (store.js), and each entry of the browser
// history contains the id of its game. Reloading and the Back button therefore restore that game as
// it was, whatever the address contains. An address that is opened without a history entry, for
// example a shared link or a bookmark, opens its position as a new game.

import * as api from "./api.js";
import * as panels from "./panels.js";
import * as play from "./game.js";
import * as store from "./store.js";
import { aboutOf, addressOf, pageAddress, placeOf, positionOf } from "./link.js";
import { conflicts, digitsOfLine, geometryNamed, lineOf, ruled } from "./geometry.js";
import { clock, dayOf } from "./day.js";
import { stepShown } from "./board-view.js";
import { render } from "./render.js";
import { speak, words } from "./words.js";

// The first puzzle, so that there is something to play before the engine has answered.
const FIRST = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

// A link with a puzzle that cannot be read.
let isBrokenLink = isBroken(location.hash);
function isBroken(address) {
  return /[#&]p=/.test(address) && !positionOf(address);
}

// Whether the page is one puzzle in the frame of another site (`?embed#p=…`).
export const isEmbedded = new URLSearchParams(location.search).has("embed");

store.adoptOldGame();

export let state = {
  view: isEmbedded ? "play" : placeOf(location.hash).view,
  game: gameHere() ?? store.lastGame() ?? play.newGame(geometryNamed("3x3"), digitsOfLine(FIRST, 9), false, { level: "easy" }),
  settings: store.loadSettings(),
  message: "",
  rejected: false,
  hint: null,
  walk: null,
  two: null,
  // How a step is shown: the case, the number of its facts, all candidates, the notation.
  show: { part: 0, at: 0, all: false, notation: false, playing: true },
  // "several", "invalid" or "conflict" if the puzzle has not exactly one solution.
  verdict: "",
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
  return linked && (store.gameWith(linked) ?? play.gameOf(linked, false, about ?? aboutOf(location.hash)));
}

// Functions to call when a view is left, and when it is entered: { watch: stop }.
export const leaving = {};
export const entering = {};

// Called when another step is explained.
export const onStep = {};

// Called when the game has changed, with the state before and after.
export const onGame = {};

// Changes the state and renders it.
export function set(changes) {
  const before = state;
  state = { ...state, ...changes };
  if (state.view !== before.view) leaving[before.view]?.();
  if (state.view !== before.view) entering[state.view]?.();
  if (stepShown(state) !== stepShown(before)) {
    state = { ...state, show: { ...state.show, part: 0, at: 0, all: false, playing: true } };
    onStep.changed?.();
  }
  render(state);
  loadRules();
  if (state.game.position !== before.game.position || state.game.checkpoints !== before.game.checkpoints) keepGame();
  if (state.game.position !== before.game.position || state.view !== before.view) showAddressSoon();
  if (state.game !== before.game) onGame.changed?.(before, state);
}

// The code for rules beyond rows, columns and boxes is loaded with the first game that has some.
export function loadRules() {
  if (state.game.position.rules && !ruled.grid) import("./variants.js").then(() => render(state), () => say(words.noServer, true));
}

// Changes one part of the state: `change("watch", { playing: false })`.
export const change = (part, changes) => set({ [part]: { ...state[part], ...changes } });

// A changed position closes hints and messages about the previous one.
export function setGame(game, changes = {}) {
  const same = game.position === state.game.position;
  // A grid that was full when it was opened was not solved by the player.
  const isPlayed = game.id === state.game.id;
  const closed = same ? {} : { hint: null, walk: null, two: null, message: "", rejected: false, lookAgain: false };
  const isSamePuzzle = game.position.clues === state.game.position.clues;
  set({ game, ...closed, ...(!isSamePuzzle && { verdict: "" }), ...changes });
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
  await panels.prepare();
  const { hardest, hardest_slug: slug, scales } = await api.rate(puzzle()).catch(() => ({}));
  if (state.game.id !== id || !hardest) return;
  set({ solvedAs: { id, hardest: panels.techniqueName(slug, hardest), level: scales.find(({ name }) => name === "effort")?.value ?? "" } });
}

function solvedEntry({ id, about, seconds, hints, checks, position }, at) {
  return { id, at, day: dayOf(new Date(at)), level: about.level ?? "", daily: about.daily ?? "", seconds, hints, checks, boxes: position.boxes, rules: position.rules ?? undefined, puzzle: lineOf(position.clues) };
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
  isBrokenLink = isBroken(location.hash);
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
export const puzzle = () => asked(puzzleOf(state.game.position));
export const puzzleOf = ({ clues, boxes, rules }) => ({ puzzle: lineOf(clues), boxes, rules });
export const asked = ({ puzzle: line, boxes, rules }) => (rules ? { puzzle: JSON.stringify({ puzzle: line, rules }) } : { puzzle: line, boxes });

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

// The same game was changed in another window: every window shows its last position, so that the
// next move continues it and no move is lost.
window.addEventListener("storage", ({ key }) => {
  if (!key?.endsWith(`.${state.game.id}`)) return;
  const game = store.loadGame(state.game.id);
  if (!game) return;
  const isSame = addressOf(game.position) === addressOf(state.game.position);
  const closed = isSame ? {} : { hint: null, walk: null, two: null };
  // Without `set`, which would store the game again and tell the other window.
  state = { ...state, game: { ...game, selected: state.game.selected, cursor: state.game.cursor, mode: state.game.mode }, ...closed };
  render(state);
  showAddressSoon();
});

// Stores a game that is not on the board.
export const keepForLater = (game) => store.saveGame({ ...game, kept: true });

// Functions to call when a setting has changed: { language: openLesson }.
export const changed = {};

// Changes settings.
export async function settle(changes) {
  const settings = { ...state.settings, ...changes };
  store.saveSettings(settings);
  if (changes.language) await speak(settings.language);
  set({ settings, digit: 0 });
  panels.showSettings(settings);
  panels.tellKeys(settings);
  if (changes.language) {
    panels.nameTechniques();
    changed.language?.();
  }
  learnSolution();
}

// Reports a puzzle that does not have exactly one solution.
export async function warnOfSolutions() {
  const { game } = state;
  const { clues, rules } = game.position;
  const isBlank = game.setting || (!rules && !clues.some(Boolean));
  const { answer } = isBlank ? {} : await api.check(puzzle()).catch(() => ({}));
  if (!["several", "invalid", "conflict"].includes(answer) || state.game.position.clues !== clues) return;
  set({ verdict: answer, message: [state.message, words.verdicts[answer]].filter(Boolean).join(" "), rejected: true });
}

// A link was opened: reports a broken one, and a puzzle without a single solution.
export function reportLink() {
  if (state.view !== "play") return;
  if (isBrokenLink) say(words.brokenLink, true);
  else if (positionOf(location.hash)) {
    const { beat } = aboutOf(location.hash);
    if (beat) say(words.toBeat(clock(beat)));
    warnOfSolutions();
  }
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
