// The page: events in, plain functions on the state, one render. Everything that can be done has a name in `actions`.

import "./board.js";
import * as api from "./api.js";
import * as play from "./game.js";
import * as panels from "./panels.js";
import * as store from "./store.js";
import { actionOf } from "./keys.js";
import { addressOf, positionOf } from "./link.js";
import { digitsOfLine, geometryNamed, lineOf, setOf } from "./geometry.js";
import { positionsOf, render, renderTimer } from "./render.js";
import { words } from "./words.js";

const $ = (id) => document.getElementById(id);

// A first puzzle, so that there is something to do before anything is asked of the server.
const FIRST = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

let state = {
  game: firstGame(),
  settings: store.loadSettings(),
  message: "",
  rejected: false,
  hint: null,
  walk: null,
  two: null,
  busy: null,
};

function firstGame() {
  const linked = positionOf(location.hash);
  const kept = store.loadGame();
  if (linked) return kept && addressOf(kept.position) === addressOf(linked) ? kept : play.gameOf(linked);
  return kept ?? play.newGame(geometryNamed("3x3"), digitsOfLine(FIRST, 9));
}

// Changes the state and draws it.
function set(changes) {
  const before = state.game.position;
  state = { ...state, ...changes };
  render(state);
  if (state.game.position !== before) keepSoon();
}

// A change of the game closes what was said about the position before.
function setGame(game, changes = {}) {
  const same = game.position === state.game.position;
  const closed = same ? {} : { hint: null, walk: null, two: null, message: "", rejected: false };
  set({ game, ...closed, ...changes });
  if (!same && !changes.message && !game.setting && play.isSolved(game)) say(words.solved);
}

const say = (message, rejected = false) => set({ message, rejected });

// The address and the browser's store follow the game, not more often than a few times a second.
let waiting = null;
function keepSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(keep, 250);
}

function keep() {
  store.saveGame(state.game);
  const address = addressOf(state.game.position);
  if (address !== location.hash) history.replaceState(null, "", address);
}

// Asks the server; one question at a time, and a new one stops the old.
async function ask(question, use) {
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
    set({ busy: null, message: [error.message, error.hint].filter(Boolean).join(" "), rejected: true });
  }
}

function question() {
  const { position } = state.game;
  const base = { puzzle: lineOf(position.clues), boxes: position.boxes };
  return { ...base, ...play.asked(state.game, state.settings) };
}

const side = () => play.gridOf(state.game).side;
const options = () => ({ auto: state.settings.auto, tidy: state.settings.tidy });
const isWatching = () => Boolean(state.walk || state.two);

const actions = {
  type: ({ digit, mode }) => isWatching() || setGame(play.type(state.game, digit, mode, options())),
  clear: () => isWatching() || setGame(play.clear(state.game)),
  undo: () => setGame(play.undo(state.game)),
  redo: () => setGame(play.redo(state.game)),
  marks: () => setGame(play.fillMarks(state.game), { message: words.marked }),
  reset: () => setGame(play.reset(state.game), { message: words.cleared, hint: null, walk: null, two: null }),
  move: ({ by, extend }) => moved(play.move(state.game, ...by, { extend })),
  edge: ({ last, whole, extend }) => {
    const { cursor } = state.game;
    const start = whole ? 0 : cursor - (cursor % side());
    const length = whole ? side() ** 2 : side();
    moved(play.select(state.game, last ? start + length - 1 : start, { extend }));
  },
  "mode-next": () => set({ game: play.nextMode(state.game) }),
  pause: () => set({ game: { ...state.game, paused: !state.game.paused } }),
  play: () => setGame(play.startPlaying(state.game), { message: words.playing }),
  cancel: () => state.busy?.abort(),
  print: () => window.print(),

  check: () =>
    ask((signal) => api.check(question(), signal), (answer) => {
      const cells = answer.conflict?.cells ?? (answer.wrong ?? []).map(([cell]) => cell);
      set({ game: { ...state.game, wrong: cells }, message: answer.text, rejected: cells.length > 0 });
    }),
  solve: () =>
    ask((signal) => api.solve(question(), signal), (answer) => {
      const grid = (line) => digitsOfLine(line, side());
      if (answer.answer === "one") {
        return setGame(play.fill(state.game, grid(answer.solution)), { message: words.filled });
      }
      if (answer.answer === "many") return showTwo(grid(answer.solution), grid(answer.second), answer.text);
      const cells = answer.conflict?.cells ?? (answer.wrong ?? []).map(([cell]) => cell);
      set({ game: { ...state.game, wrong: cells }, message: answer.text, rejected: true });
    }),
  other: () => set({ two: { ...state.two, shown: 1 - state.two.shown } }),

  hint: () => {
    if (state.hint && state.hint.stage < 2) return set({ hint: { ...state.hint, stage: state.hint.stage + 1 } });
    ask((signal) => api.hint(question(), signal), (answer) =>
      set({ hint: { answer, stage: answer.step ? 0 : 2 }, walk: null, two: null }));
  },
  follow: () => setGame(play.follow(state.game, state.hint.answer.step, options())),
  "undo-mistake": () =>
    ask((signal) => api.check(question(), signal), ({ solution }) => {
      if (solution) setGame(play.undoMistake(state.game, digitsOfLine(solution, side())), { hint: null });
    }),
  explain: () =>
    ask((signal) => api.explain(question(), signal), (answer) =>
      set({
        walk: { answer, index: Math.min(1, answer.steps.length), positions: positionsOf(state.game, answer) },
        hint: null,
        two: null,
        message: answer.text,
      })),
  "walk-first": () => walkTo(0),
  "walk-back": () => walkTo(state.walk?.index - 1),
  "walk-on": () => walkTo(state.walk?.index + 1),
  "walk-last": () => walkTo(Infinity),
  "walk-take": () => {
    const { entries } = state.walk.positions[Math.max(0, state.walk.index - 1)];
    setGame(play.change(state.game, { entries }), { walk: null, message: "" });
  },
  close: () => set({ hint: null, walk: null, two: null, game: { ...state.game, selected: [state.game.cursor] } }),
  rate: () => ask((signal) => api.rate({ puzzle: question().puzzle, boxes: question().boxes }, signal), (answer) => say(words.rating(answer))),

  generate: () => {
    panels.close("panel-new");
    ask((signal) => api.generate(panels.wish(), signal), ({ puzzle, boxes }) => {
      const grid = geometryNamed(boxes);
      start(play.newGame(grid, digitsOfLine(puzzle, grid.side)));
    });
  },
  blank: () => panels.open("panel-blank"),
  import: () => panels.open("panel-import"),
  "import-now": importNow,
  share: () => {
    keep();
    $("share-text").value = location.href;
    panels.open("panel-share");
    panels.offerPicture(question());
  },
  copy: () => navigator.clipboard.writeText($("share-text").value).then(() => say(words.copied), () => $("share-text").select()),
  "batch-now": () => panels.batch().catch((error) => ($("batch-state").textContent = error.message)),
  quit: () => api.quit().then(() => say(words.quit), (error) => say(error.message, true)),
};

for (const mode of play.MODES) actions[`mode-${mode}`] = () => set({ game: play.setMode(state.game, mode) });
for (const panel of ["new", "batch", "settings", "help"]) actions[`panel-${panel}`] = () => panels.open(`panel-${panel}`);
for (const boxes of ["2x2", "2x3", "3x3", "4x4"]) {
  actions[`blank-${boxes}`] = () => {
    panels.close("panel-blank");
    const grid = geometryNamed(boxes);
    start(play.newGame(grid, Array(grid.cells.length).fill(0), true), words.typeClues);
    $("board").focusCursor();
  };
}

function moved(game) {
  set({ game });
  $("board").focusCursor();
}

function walkTo(index) {
  if (!state.walk) return;
  set({ walk: { ...state.walk, index: Math.max(0, Math.min(index, state.walk.answer.steps.length)) } });
}

function showTwo(first, second, message) {
  const { clues } = state.game.position;
  const entries = [first, second].map((digits) => digits.map((digit, cell) => (clues[cell] ? 0 : digit)));
  const differ = first.flatMap((digit, cell) => (digit === second[cell] ? [] : [cell]));
  set({ two: { grids: entries, shown: 0, differ }, hint: null, walk: null, message });
}

// Begins another game. Its solution is fetched for players who want every mistake shown.
function start(game, message = "") {
  setGame(game, { message });
  learnSolution();
}

async function learnSolution() {
  const { game, settings } = state;
  if (settings.mistakes !== "solution" || game.solution || game.setting) return;
  const { clues, boxes } = game.position;
  const answer = await api.check({ puzzle: lineOf(clues), boxes }).catch(() => ({}));
  if (answer.solution && state.game.position.clues === clues) {
    set({ game: { ...state.game, solution: digitsOfLine(answer.solution, side()) } });
  }
}

async function importNow() {
  $("import-error").textContent = "";
  try {
    const text = $("import-text").value;
    const linked = text.includes("#") ? positionOf(text.slice(text.indexOf("#"))) : null;
    openPosition(linked ?? (await readPosition(text)));
  } catch (error) {
    $("import-error").textContent = [error.message, error.hint].filter(Boolean).join(" ");
  }
}

async function readPosition(text) {
  const { puzzles } = await api.read(text);
  const [{ puzzle, boxes, grid: line, marks }] = puzzles;
  const grid = geometryNamed(boxes);
  if (!grid) throw new Error(`The page cannot show boxes of ${boxes}.`);
  const clues = digitsOfLine(puzzle, grid.side);
  const entries = digitsOfLine(line, grid.side).map((digit, cell) => (clues[cell] ? 0 : digit));
  return { ...play.emptyPosition(grid), clues, entries, ...(marks && { centre: marks.map(setOf) }) };
}

function openPosition(position) {
  panels.close("panel-import");
  start(play.gameOf(position));
}

function settle(changes) {
  const settings = { ...state.settings, ...changes };
  store.saveSettings(settings);
  set({ settings });
  learnSolution();
}

// Events.

document.addEventListener("click", ({ target, detail }) => {
  const button = target.closest("[data-do], [data-key]");
  if (!button) return;
  if (button.dataset.key) actions.type({ digit: Number(button.dataset.key) });
  else actions[button.dataset.do]?.();
  // Whoever uses a mouse or a finger goes on typing on the board; with the keyboard the focus stays where it is.
  if (detail > 0 && !document.querySelector("dialog[open]")) $("board").focusCursor();
});

$("board").addEventListener("keydown", (event) => {
  const action = actionOf(event, side());
  if (!action || state.game.paused) return;
  event.preventDefault();
  actions[action.action]?.(action);
});

// Undo works wherever the focus is, except in a text field; the walk can be led from its buttons.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.target.closest("dialog, textarea, input, select")) return;
  const action = actionOf(event, side());
  if (action && ["undo", "redo", "walk-on", "walk-back", "panel-help"].includes(action.action)) {
    event.preventDefault();
    actions[action.action]();
  }
});

$("board").addEventListener("boardpress", ({ detail: { cell, toggle, extend } }) => {
  set({ game: toggle ? play.toggleSelect(state.game, cell) : play.select(state.game, cell, { extend }) });
});
$("board").addEventListener("boardfocus", ({ detail: { cell } }) => set({ game: play.select(state.game, cell) }));

window.addEventListener("hashchange", () => {
  const position = positionOf(location.hash);
  if (position && addressOf(position) !== addressOf(state.game.position)) start(play.gameOf(position));
});
window.addEventListener("pagehide", keep);
document.addEventListener("visibilitychange", () => document.hidden && keep());

setInterval(() => {
  if (document.hidden || state.game.paused || state.game.setting || play.isSolved(state.game)) return;
  state = { ...state, game: { ...state.game, seconds: state.game.seconds + 1 } };
  renderTimer(state);
}, 1000);

panels.prepare();
panels.settingsForm(state.settings, settle);
render(state);
learnSolution();
navigator.serviceWorker?.register("/offline.js").catch(() => {});
