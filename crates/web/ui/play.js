// Playing: the actions of the game view, such as keys, undo, hints and sharing.

import * as api from "./api.js";
import * as game from "./game.js";
import * as panels from "./panels.js";
import { $ } from "./dom.js";
import { loadLinks } from "./board.js";
import { clock } from "./day.js";
import { aboutOf, addressOf, positionOf, textsAddress } from "./link.js";
import { ask, goTo, inWords, keep, keepForLater, onStep, question, say, set, setGame, settle, side, start, state, warnOfSolutions } from "./page.js";
import { digitsOfLine, geometryNamed, lineOf, setOf } from "./geometry.js";
import { resultPicture, resultText } from "./result.js";
import { casesShown, positionsOf } from "./board-view.js";
import { words } from "./words.js";

const options = () => ({ auto: state.settings.auto, tidy: state.settings.tidy });
const isWatching = () => Boolean(state.walk || state.two);

export const playActions = {
  "view-play": () => {
    goTo("play");
    $("board").focusCursor();
  },
  // A digit of the keypad can be selected first and then placed by pressing cells.
  key: ({ digit }) => {
    if (state.settings.entry === "digit" && state.game.mode !== "colour") set({ digit: digit === state.digit ? 0 : digit });
    else playActions.type({ digit });
  },
  type: ({ digit, mode }) => isWatching() || write(game.type(state.game, digit, mode, options())),
  clear: () => isWatching() || setGame(game.clear(state.game)),
  // While clues are entered, 0 or a dot leaves a cell empty and moves on.
  skip: () => setGame(game.writeClue(state.game, 0)),
  undo: () => setGame(game.undo(state.game)),
  redo: () => setGame(game.redo(state.game)),
  "go-to-moment": ({ index }) => setGame(game.goToMoment(state.game, index)),
  checkpoint: () => set({ game: game.setCheckpoint(state.game), message: words.checkpointSet }),
  "back-to-checkpoint": () => setGame(game.backToCheckpoint(state.game)),
  // Candidates are drawn as hints draw them, in three rows of three; the same key hides them.
  marks: () => settle({ auto: !state.settings.auto }),
  reset: () => setGame(game.reset(state.game), { message: words.cleared, hint: null, walk: null, two: null }),
  "select-all": () => set({ game: game.selectAll(state.game) }),
  move: ({ by, extend }) => {
    if (state.walk) return walkTo(state.walk.index + (by[0] || by[1]));
    moved(game.move(state.game, ...by, { extend }));
  },
  edge: ({ last, whole, extend }) => {
    const { cursor } = state.game;
    const from = whole ? 0 : cursor - (cursor % side());
    const length = whole ? side() ** 2 : side();
    moved(game.select(state.game, last ? from + length - 1 : from, { extend }));
  },
  "mode-next": () => set({ game: game.nextMode(state.game) }),
  pause: () => set({ game: { ...state.game, paused: !state.game.paused } }),
  play: () => setGame(game.startPlaying(state.game), { message: words.playing }),
  "edit-clues": () => setGame(game.editClues(state.game), { message: words.typeClues, hint: null, walk: null, two: null }),
  cancel: () => state.busy?.abort(),
  print: () => window.print(),
  check,
  solve,
  other: () => set({ two: { ...state.two, shown: 1 - state.two.shown } }),
  hint,
  // Enter reveals the next stage of a hint and then takes the step.
  enter: () => {
    if (state.walk) return walkTo(state.walk.index + 1);
    if (!state.hint) return;
    if (state.hint.stage < 2) return hint();
    if (state.hint.answer.step) playActions.follow();
    else playActions.close();
  },
  follow: () => setGame(game.follow(state.game, state.hint.answer.step, options())),
  "undo-mistake": () =>
    ask((signal) => api.check(question(), signal), ({ solution }) => {
      if (solution) setGame(game.undoMistake(state.game, digitsOfLine(solution, side()), options()), { hint: null });
    }),
  explain,
  "walk-first": () => walkTo(0),
  "walk-back": () => walkTo(state.walk?.index - 1),
  "walk-on": () => walkTo(state.walk?.index + 1),
  "walk-last": () => walkTo(Infinity),
  "walk-to": ({ index }) => walkTo(index),
  "walk-take": () => {
    const { entries } = state.walk.positions[Math.max(0, state.walk.index - 1)];
    setGame(game.change({ ...state.game, helped: true }, { entries }), { walk: null, message: "" });
  },
  // The cases of a step: stop and go, one back, one forward, all candidates, the notation.
  "case-play": () => {
    showCase({ playing: !state.show.playing });
  },
  "case-back": () => toCase(state.show.part - 1),
  "case-on": () => toCase(state.show.part + 1),
  "case-to": ({ index }) => toCase(index),
  "show-all": () => set({ show: { ...state.show, all: !state.show.all } }),
  "show-notation": () => set({ show: { ...state.show, notation: !state.show.notation } }),
  close: () => set({ hint: null, walk: null, two: null, game: { ...state.game, selected: [state.game.cursor] } }),
  toured: () => settle({ toured: true }),
  blank: () => panels.open("panel-blank"),
  import: () => panels.open("panel-import"),
  "import-now": importNow,
  share,
  copy: () => copy("share-text"),
  "share-send": send,
  "copy-result": () => copy("share-result"),
  "copy-line": () => copy("share-line"),
  "copy-embed": () => copy("share-embed"),
  // Quit, as in Kocherzhenko's program: the game leaves the screen. Stopping the server is a
  // separate action.
  quit: () => goTo("end"),
  "stop-server": () => api.quit().then(() => ($("end-state").textContent = words.serverStopped), (error) => ($("end-state").textContent = inWords(error))),
};

for (const mode of game.MODES) playActions[`mode-${mode}`] = () => set({ game: game.setMode(state.game, mode) });
for (const boxes of ["2x2", "2x3", "3x3", "4x4"]) {
  playActions[`blank-${boxes}`] = () => {
    panels.close("panel-blank");
    const grid = geometryNamed(boxes);
    start(game.newGame(grid, Array(grid.cells.length).fill(0), true), words.typeClues);
    $("board").focusCursor();
  };
}

// Animates digits that complete houses.
function write(next) {
  const before = state.game;
  setGame(next);
  const { position } = next;
  if (position === before.position || !state.settings.motion || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const complete = game.completedHouses(before, next);
  if (complete.length > 0) $("board").celebrate(complete);
}

function moved(next) {
  set({ game: next });
  $("board").focusCursor();
}

// The cases of a step are played one after the other, fact by fact.
const FACT_MS = 650;
const CASE_MS = 2200;
let beat = null;
onStep.changed = playCases;

const isStill = () => !state.settings.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;

function playCases() {
  clearTimeout(beat);
  const cases = casesShown(state);
  if (cases.length === 0) return;
  const { part, at, playing } = state.show;
  const isComplete = at >= cases[part].facts.length;
  // Without motion a case appears at once, and only the buttons lead on.
  if (isStill() && !isComplete) return queueMicrotask(() => showCase({ at: cases[part].facts.length }));
  if (!playing || isStill() || (isComplete && part === cases.length - 1)) return;
  beat = setTimeout(() => {
    if (!isComplete) showCase({ at: at + 1 });
    else toCase(part + 1, true);
  }, isComplete ? CASE_MS : FACT_MS);
}

function showCase(changes) {
  set({ show: { ...state.show, ...changes } });
  playCases();
}

function toCase(index, playing = false) {
  const cases = casesShown(state);
  const part = Math.max(0, Math.min(index, cases.length - 1));
  // A case that the player chooses is shown complete.
  showCase({ part, at: playing ? cases[part].from : cases[part].facts.length, playing });
}

function walkTo(index) {
  if (!state.walk) return;
  set({ walk: { ...state.walk, index: Math.max(0, Math.min(index, state.walk.answer.steps.length)) } });
}

function check() {
  ask((signal) => api.check(question(), signal), (answer) => {
    const cells = answer.conflict?.cells ?? (answer.wrong ?? []).map(([cell]) => cell);
    const said = words.checked[answer.answer];
    const empty = game.digitsOf(state.game.position).filter((digit) => !digit).length;
    const message = typeof said === "function" ? said(answer.answer === "right" ? empty : cells.length) : (said ?? answer.text);
    set({ game: { ...state.game, wrong: cells, checks: state.game.checks + 1 }, message, rejected: cells.length > 0 });
  });
}

function solve() {
  ask((signal) => api.solve(question(), signal), (answer) => {
    const grid = (line) => digitsOfLine(line, side());
    if (answer.answer === "one") return setGame(game.fill(state.game, grid(answer.solution)), { message: words.filled });
    if (answer.answer === "many") return showTwo(grid(answer.solution), grid(answer.second), answer.text);
    const cells = answer.conflict?.cells ?? (answer.wrong ?? []).map(([cell]) => cell);
    set({ game: { ...state.game, wrong: cells }, message: answer.text, rejected: true });
  });
}

function showTwo(first, second, message) {
  const { clues } = state.game.position;
  const entries = [first, second].map((digits) => digits.map((digit, cell) => (clues[cell] ? 0 : digit)));
  const differ = first.flatMap((digit, cell) => (digit === second[cell] ? [] : [cell]));
  set({ two: { grids: entries, shown: 0, differ }, hint: null, walk: null, message });
}

const boxOf = ({ places, removes }) => game.gridOf(state.game).box([...places, ...removes][0].index);

// The first stage for a position counts as one hint, further stages do not.
function hint() {
  if (state.hint) return set({ hint: { ...state.hint, stage: Math.min(2, state.hint.stage + 1) } });
  loadLinks();
  ask((signal) => api.hint(question(), signal), (answer) => {
    const { step } = answer;
    const hints = step ? [...state.game.hints, { technique: step.technique, slug: step.slug, box: boxOf(step) }] : state.game.hints;
    // Without a single solution, no technique decides; the verdict on the puzzle says more.
    if (answer.answer === "stuck" && state.verdict) return say(words.verdicts[state.verdict], true);
    if (!state.settings.toured) settle({ toured: true });
    set({ game: { ...state.game, hints }, hint: { answer, stage: step ? 0 : 2 }, walk: null, two: null });
  });
}

function explain() {
  loadLinks();
  ask((signal) => api.explain(question(), signal), (answer) =>
    set({
      walk: { answer, index: Math.min(1, answer.steps.length), positions: positionsOf(state.game, answer) },
      hint: null,
      two: null,
    }));
}

function share() {
  keep();
  // A solved game shares its puzzle, not its solution.
  const { position, solvedAt } = state.game;
  const bare = { ...game.emptyPosition(game.gridOf(state.game)), rules: position.rules, clues: position.clues };
  const shared = solvedAt ? bare : position;
  const address = publicAddress();
  const { level = "" } = state.game.about;
  $("share-text").value = `${address}${addressOf(shared)}${textsAddress(state.game.about)}${solvedAt ? `&t=${state.game.seconds}${level && `&l=${level}`}` : ""}`;
  $("share-embed").value = `<iframe src="${address.split("?")[0]}?embed${addressOf(bare)}" width="980" height="700" title="Sudoku"></iframe>`;
  $("share-won").hidden = !solvedAt;
  $("share-result").value = solvedAt ? `${resultText(state.game)}\n${words.toBeat(clock(state.game.seconds))} ${$("share-text").value}` : "";
  if (solvedAt) $("share-card").href = resultPicture(state.game);
  $("share-idea").textContent = solvedAt ? words.sharePuzzle : words.shareIdea;
  $("share-local").textContent = isLocal(address) ? words.shareLocal : "";
  $("share-send").hidden = !navigator.share;
  $("share-line").value = lineOf(state.game.position.clues);
  $("share-said").textContent = "";
  panels.open("panel-share");
  import("./variants.js").then(({ offerLinks }) => offerLinks(state), () => {});
  panels.offerPicture({ ...question(), ...(state.game.solvedAt && { entries: [], marks: [] }) });
}

// The address under which others open the page: from the settings, from the host, or the current
// one.
export function publicAddress() {
  const said = document.querySelector('meta[name="ninefold-base"]')?.content;
  return (state.settings.base || said || location.href).split("#")[0];
}

// Addresses that only this computer, or only this network, can open.
export function isLocal(address) {
  const { hostname, protocol } = new URL(address);
  return protocol === "file:" || /^(localhost|.*\.local|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[)/.test(hostname);
}

// The share sheet of the system.
function send() {
  navigator.share({ title: "Ninefold", text: $("share-result").value, url: $("share-text").value }).catch(() => {});
}

function copy(id) {
  const said = (text) => ($("share-said").textContent = text);
  navigator.clipboard.writeText($(id).value).then(
    () => said(words.copied),
    () => {
      $(id).select();
      said(words.copyYourself);
    },
  );
}

async function importNow() {
  $("import-error").textContent = "";
  try {
    await openText($("import-text").value);
    panels.close("panel-import");
  } catch (error) {
    $("import-error").textContent = inWords(error);
  }
}

// The longest text that a request may contain, well below the limit of the server.
const MOST_TEXT = 100_000;

// Opens text of any supported format as new games: the first on the board, the others among the
// open games.
export async function openText(text) {
  if (text.length > MOST_TEXT) throw new Error(words.textTooLong);
  const hash = text.includes("#") ? text.slice(text.indexOf("#")) : "";
  const linked = positionOf(hash);
  const [first, ...others] = linked ? [game.gameOf(linked, false, aboutOf(hash))] : (await readPositions(text)).map(({ about, ...position }) => game.gameOf(position, false, about));
  for (const other of others.slice(0, MOST_GAMES)) keepForLater(other);
  start(first, others.length > 0 ? words.othersKept(others.length) : "");
  warnOfSolutions();
}

// More puzzles than this are a collection for Batch.
const MOST_GAMES = 20;

// Links of sites that write the puzzle as 81 digits into the address.
const siteLink = (text) => /^\s*(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+\/\S*?([0-9.]{81})(?![0-9.])\S*\s*$/.exec(text)?.[1].replaceAll("0", ".");

// Cells copied from a spreadsheet are separated by tabs; there is nothing between two tabs of an
// empty cell.
function withoutTabs(text) {
  const rows = text.replace(/\r/g, "").replace(/\n+$/, "").split("\n").map((row) => row.split("\t").map((cell) => cell.trim()));
  const isSquare = rows.length > 3 && rows.every((row) => row.length === rows.length && row.every((cell) => /^[0-9A-Za-z.]?$/.test(cell)));
  return isSquare ? rows.map((row) => row.map((cell) => cell || ".").join("")).join("") : text;
}

export const readPosition = async (text) => (await readPositions(text))[0];

async function readPositions(text) {
  const { puzzles } = await api.read(siteLink(text) ?? withoutTabs(text), true);
  // Rules that have only a formula cannot be drawn, and without them it would be another puzzle.
  const isUnnamed = puzzles.some(({ puzzle }) => ruledOf(puzzle).rules?.primitive);
  if (isUnnamed) throw new Error((await import("./variants.js")).ruleWords().unnamed);
  return puzzles.map(positionRead);
}

// A puzzle with rules is an object as text.
export const ruledOf = (puzzle) => (puzzle.startsWith("{") ? JSON.parse(puzzle) : { puzzle, rules: null });

function positionRead({ puzzle, boxes, grid: line, marks, title, author, ruleset, unknown_rules: unknown }) {
  const grid = geometryNamed(boxes);
  const { puzzle: cluesLine, rules } = ruledOf(puzzle);
  if (!grid) throw new Error(words.noSuchBoxes(boxes));
  const clues = digitsOfLine(cluesLine, grid.side);
  const entries = digitsOfLine(line, grid.side).map((digit, cell) => (clues[cell] ? 0 : digit));
  const about = Object.fromEntries(Object.entries({ title, author, ruleset, unknown: unknown.join("; ") }).filter(([, text]) => text));
  return { ...game.emptyPosition(grid), rules, clues, entries, about, ...(marks && { centre: marks.map(setOf) }) };
}

// A paste anywhere on the board; if there is no puzzle in it, the message says so.
export function pasted(text) {
  openText(text).catch((error) => say(inWords(error), true));
}

