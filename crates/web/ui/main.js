// The page: events in, plain functions on the state, one render. Everything that can be done has a name in `actions`.

import "./board.js";
import * as api from "./api.js";
import * as play from "./game.js";
import * as panels from "./panels.js";
import * as store from "./store.js";
import { $ } from "./dom.js";
import { SHOW_KEYS, actionOf } from "./keys.js";
import { addressOf, placeOf, positionOf } from "./link.js";
import { ask, goTo, inWords, keep, learnSolution, question, say, set, setGame, side, start, state, tick } from "./page.js";
import { batchActions } from "./batch.js";
import { digitsOfLine, geometryNamed, setOf } from "./geometry.js";
import { learnActions, prepareLessons, search } from "./learn.js";
import { makeActions } from "./make.js";
import { positionsOf, render, renderTimer } from "./render.js";
import { prepareRating, rateActions } from "./rate.js";
import { choose, prepareWatch, pull, setSpeed, watchActions } from "./watch.js";
import { words } from "./words.js";

const options = () => ({ auto: state.settings.auto, tidy: state.settings.tidy });
const isWatching = () => Boolean(state.walk || state.two);

const actions = {
  ...watchActions,
  ...learnActions,
  ...rateActions,
  ...makeActions,
  ...batchActions,
  "view-play": () => goTo("play"),
  // On the keypad a digit may be held first and placed by pressing cells.
  key: ({ digit }) => {
    if (state.settings.entry === "digit" && state.game.mode !== "colour") set({ digit: digit === state.digit ? 0 : digit });
    else actions.type({ digit });
  },
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
  // Quit, as in paper 2's window: the game leaves the screen. The server is stopped only by whoever asks for that.
  quit: () => goTo("end"),
  "stop-server": () => api.quit().then(() => ($("end-state").textContent = words.quit), (error) => ($("end-state").textContent = inWords(error))),
};

for (const mode of play.MODES) actions[`mode-${mode}`] = () => set({ game: play.setMode(state.game, mode) });
for (const panel of ["new", "settings", "help"]) actions[`panel-${panel}`] = () => panels.open(`panel-${panel}`);
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

async function importNow() {
  $("import-error").textContent = "";
  try {
    const text = $("import-text").value;
    const linked = text.includes("#") ? positionOf(text.slice(text.indexOf("#"))) : null;
    openPosition(linked ?? (await readPosition(text)));
  } catch (error) {
    $("import-error").textContent = inWords(error);
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
  set({ settings, digit: 0 });
  learnSolution();
}

// Events.

document.addEventListener("click", ({ target, detail }) => {
  const button = target.closest("[data-do], [data-key]");
  if (!button) return;
  if (button.dataset.key) actions.key({ digit: Number(button.dataset.key) });
  else actions[button.dataset.do]?.({ index: Number(button.dataset.index) });
  // Whoever uses a mouse or a finger goes on typing on the board; with the keyboard the focus stays where it is.
  if (detail > 0 && state.view === "play" && !document.querySelector("dialog[open]")) $("board").focusCursor();
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
  if (state.view === "watch" && state.watch.shows.some(Boolean)) return actions[SHOW_KEYS[event.key]]?.();
  if (state.view !== "play") return;
  const action = actionOf(event, side());
  if (action && ["undo", "redo", "walk-on", "walk-back", "panel-help"].includes(action.action)) {
    event.preventDefault();
    actions[action.action]();
  }
});

$("board").addEventListener("boardpress", ({ detail: { cell, toggle, extend } }) => {
  set({ game: toggle ? play.toggleSelect(state.game, cell) : play.select(state.game, cell, { extend }) });
  if (state.digit && !toggle && !extend) actions.type({ digit: state.digit });
});
$("board").addEventListener("boardfocus", ({ detail: { cell } }) => set({ game: play.select(state.game, cell) }));

// The controls of the other views that are not buttons.
for (const stage of [0, 1]) {
  $(`watch-system-${stage}`).addEventListener("change", ({ target }) => choose(stage, target.value));
  $(`stage-bar-${stage}`).addEventListener("input", ({ target }) => pull(stage, Number(target.value)));
}
$("watch-speed").addEventListener("input", ({ target }) => setSpeed(Number(target.value)));
$("lesson-search").addEventListener("input", ({ target }) => search(target.value));

// Fetches what the present view needs.
function prepare() {
  if (state.view === "watch") prepareWatch();
  if (state.view === "learn") prepareLessons();
  if (state.view === "rate") prepareRating();
}

// A link, or the browser's way back.
function arrive() {
  const { view, slug = "", watch } = placeOf(location.hash);
  const position = positionOf(location.hash);
  if (position && addressOf(position) !== addressOf(state.game.position)) setGame(play.gameOf(position));
  set({ view, learn: { ...state.learn, slug }, ...(watch && { watch: { ...state.watch, ...watch } }) });
  prepare();
  learnSolution();
}
window.addEventListener("hashchange", arrive);
window.addEventListener("popstate", arrive);
window.addEventListener("pagehide", keep);
document.addEventListener("visibilitychange", () => document.hidden && keep());

setInterval(() => {
  const rests = document.hidden || state.view !== "play" || state.game.paused || state.game.setting;
  if (!rests && !play.isSolved(state.game)) tick(renderTimer);
}, 1000);

panels.prepare();
panels.settingsForm(state.settings, settle);
render(state);
prepare();
learnSolution();
navigator.serviceWorker?.register("/offline.js").catch(() => {});
