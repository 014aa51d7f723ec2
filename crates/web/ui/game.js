// The game: its state, and the functions that change it. They do not access the DOM; each takes a
// game and returns a new one.
//
// A position is what can be undone and shared: clues, entries, marks and colours. Arrays are never
// modified in place, so positions in the history share all arrays that do not differ.

import { bit, candidates, conflicts, gridFor } from "./geometry.js";

export const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple", "grey"];
export const MODES = ["digit", "corner", "centre", "colour"];

export function emptyPosition(grid) {
  const none = () => Array(grid.cells.length).fill(0);
  return { boxes: grid.name, rules: grid.rules ?? null, clues: none(), entries: none(), corner: none(), centre: none(), crossed: none(), colours: none() };
}

// A new game. While `setting` is true, digits become clues: this is for typing in a puzzle, for
// example from a book. `about` describes where the game comes from: { level, daily, lesson }.
export function newGame(grid, clues, setting = false, about = {}) {
  return gameOf({ ...emptyPosition(grid), clues }, setting, about);
}

export function gameOf(position, setting = false, about = {}) {
  const first = Math.max(0, position.clues.findIndex((clue, cell) => !clue && !position.entries[cell]));
  return {
    id: newId(),
    about,
    position,
    past: [],
    future: [],
    checkpoints: [],
    written: position.entries.flatMap((digit, cell) => (digit ? [cell] : [])),
    cursor: setting ? 0 : first,
    selected: [setting ? 0 : first],
    mode: "digit",
    setting,
    seconds: 0,
    hints: [],
    checks: 0,
    helped: false,
    solvedAt: 0,
    paused: false,
    // The digits in the order in which they were written: [cell, digit, second of the game].
    log: [],
    solution: null,
    wrong: [],
  };
}

// The name under which the browser stores a game.
const newId = () => [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join("");

// Whether the player has done anything that would be lost.
export const isTouched = ({ past, future, hints, seconds, setting }) => past.length + future.length + hints.length > 0 || seconds > 20 || setting;

export const gridOf = (game) => gridFor(game.position);
export const digitsOf = (position) => position.clues.map((clue, cell) => clue || position.entries[cell]);
export const isFull = (game) => digitsOf(game.position).every(Boolean);
export const isSolved = (game) => isFull(game) && conflicts(gridOf(game), digitsOf(game.position)).size === 0;

// The automatic candidates: all possible ones except those the player crossed out.
export function shownCandidates(game) {
  const possible = candidates(gridOf(game), digitsOf(game.position));
  return possible.map((set, cell) => set & ~game.position.crossed[cell]);
}

// Makes a change that can be undone. A change without effect is not recorded.
export function change(game, changes) {
  const position = { ...game.position, ...changes };
  const same = Object.keys(changes).every((key) => sameArray(game.position[key], position[key]));
  if (same) return game;
  return remember(game, position);
}

function remember(game, position) {
  const isNew = (cell) => position.entries[cell] && position.entries[cell] !== game.position.entries[cell];
  const kept = game.written.filter((cell) => position.entries[cell] && !isNew(cell));
  const written = [...kept, ...position.entries.flatMap((_, cell) => (isNew(cell) || (position.entries[cell] && !kept.includes(cell)) ? [cell] : []))];
  const checkpoints = game.checkpoints.filter((at) => at <= game.past.length);
  const changed = position.entries.flatMap((digit, cell) => (digit !== game.position.entries[cell] && !game.setting ? [[cell, digit, game.seconds]] : []));
  // A solution that fills the grid is not the player's.
  const log = changed.length > 1 ? (game.log ?? []) : [...(game.log ?? []), ...changed];
  return { ...game, position, written, log, checkpoints, past: [...game.past, game.position], future: [], wrong: [] };
}

const sameArray = (a, b) => a === b || (Array.isArray(a) && a.length === b.length && a.every((value, index) => value === b[index]));

// The array with some cells changed.
function edited(array, cells, changed) {
  const copy = [...array];
  for (const cell of cells) copy[cell] = changed(array[cell], cell);
  return copy;
}

// Enters a digit in the current mode, or in another mode while a modifier key is held.
export function type(game, digit, mode = game.mode, options = {}) {
  if (mode === "colour") return colour(game, digit);
  if (mode === "digit") return write(game, digit, options);
  return mark(game, digit, mode, options);
}

// Writes a digit into the selected cells; writing the same digit again clears them.
function write(game, digit, { tidy = true } = {}) {
  const { position, selected, setting } = game;
  if (setting) return writeClue(game, digit);
  const open = selected.filter((cell) => !position.clues[cell]);
  const again = open.every((cell) => position.entries[cell] === digit);
  const entries = edited(position.entries, open, () => (again ? 0 : digit));
  const changes = { entries };
  const clashes = conflicts(gridOf(game), digitsOf({ ...position, entries }));
  // A digit that fits removes marks that it rules out. A conflicting digit is probably a slip, so
  // marks stay.
  if (!again && tidy && !open.some((cell) => clashes.has(cell))) {
    const peers = new Set(open.flatMap((cell) => gridOf(game).peers[cell]));
    changes.corner = edited(position.corner, peers, (set) => set & ~bit(digit));
    changes.centre = edited(position.centre, peers, (set) => set & ~bit(digit));
  }
  return change(game, changes);
}

// Writes a clue, or clears one with 0, and moves to the next cell, for typing in a puzzle in
// reading order. A displayed solution belongs to other clues, so it is removed; the player's digits
// are removed only from the cell of the clue.
export function writeClue(game, digit) {
  const { position, selected } = game;
  const clues = edited(position.clues, selected, () => digit);
  const entries = isFull(game) ? position.entries.map(() => 0) : edited(position.entries, selected, () => 0);
  const written = change(game, { clues, entries });
  if (selected.length > 1) return written;
  return select(written, Math.min(game.cursor + 1, position.clues.length - 1));
}

// Makes the clues editable again, also those of an opened puzzle.
export const editClues = (game) => ({ ...game, setting: true, mode: "digit" });

// Sets a mark in all selected empty cells, or removes it if all of them have it.
function mark(game, digit, kind, { auto = false } = {}) {
  const { position, selected } = game;
  const open = selected.filter((cell) => !position.clues[cell] && !position.entries[cell]);
  if (kind === "centre" && auto) return cross(game, open, digit);
  const all = open.every((cell) => position[kind][cell] & bit(digit));
  return change(game, { [kind]: edited(position[kind], open, (set) => (all ? set & ~bit(digit) : set | bit(digit))) });
}

// With automatic candidates, a centre mark crosses a candidate out or restores it.
function cross(game, cells, digit) {
  const { crossed } = game.position;
  const all = cells.every((cell) => crossed[cell] & bit(digit));
  return change(game, { crossed: edited(crossed, cells, (set) => (all ? set & ~bit(digit) : set | bit(digit))) });
}

export function colour(game, number) {
  if (number > COLOURS.length) return game;
  const { position, selected } = game;
  const all = selected.every((cell) => position.colours[cell] & bit(number));
  return change(game, {
    colours: edited(position.colours, selected, (set) => (all ? set & ~bit(number) : set | bit(number))),
  });
}

// Backspace: removes digits first, then marks, then colours.
export function clear(game) {
  const { position, selected, setting } = game;
  if (setting) return change(game, { clues: edited(position.clues, selected, () => 0) });
  const open = selected.filter((cell) => !position.clues[cell]);
  const kinds = [["entries"], ["corner", "centre", "crossed"], ["colours"]];
  for (const keys of kinds) {
    const cells = keys[0] === "colours" ? selected : open;
    if (keys.some((key) => cells.some((cell) => position[key][cell]))) {
      return change(game, Object.fromEntries(keys.map((key) => [key, edited(position[key], cells, () => 0)])));
    }
  }
  return game;
}

// Reset: removes everything that the player entered; it can be undone.
export function reset(game) {
  const { position } = game;
  const blank = emptyPosition(gridOf(game));
  return { ...change(game, { ...blank, boxes: position.boxes, rules: position.rules, clues: position.clues }), wrong: [] };
}

// Fills the grid with a solution; it can be undone.
export function fill(game, digits) {
  const { position } = game;
  return change({ ...game, helped: true }, { entries: digits.map((digit, cell) => (position.clues[cell] ? 0 : digit)) });
}

// The player has entered all clues and starts to play.
export const startPlaying = (game) => ({ ...game, setting: false, past: [], future: [] });

// Applies the conclusions of a step: places digits, and removes candidates from the displayed
// marks.
export function follow(game, step, options) {
  const { position } = game;
  if (step.places.length > 0) {
    const entries = [...position.entries];
    for (const { index: cell, digit } of step.places) entries[cell] = digit;
    return change(game, { entries });
  }
  if (options.auto) {
    const crossed = [...position.crossed];
    for (const { index: cell, digit } of step.removes) crossed[cell] |= bit(digit);
    return change(game, { crossed });
  }
  // Without automatic candidates, the cells of the conclusion get their candidates as centre marks.
  const possible = candidates(gridOf(game), digitsOf(position));
  const centre = [...position.centre];
  for (const { index: cell, digit } of step.removes) centre[cell] = (centre[cell] || possible[cell]) & ~bit(digit);
  return change(game, { centre });
}

// Writes all possible candidates as centre marks, once.
export function fillMarks(game) {
  return change(game, { centre: candidates(gridOf(game), digitsOf(game.position)) });
}

export function undo(game) {
  if (game.past.length === 0) return game;
  const past = game.past.slice(0, -1);
  return back(game, game.past.at(-1), past, [game.position, ...game.future]);
}

export function redo(game) {
  if (game.future.length === 0) return game;
  const [position, ...future] = game.future;
  return back(game, position, [...game.past, game.position], future);
}

function back(game, position, past, future) {
  const kept = game.written.filter((cell) => position.entries[cell]);
  const others = position.entries.flatMap((digit, cell) => (digit && !kept.includes(cell) ? [cell] : []));
  return { ...game, position, past, future, written: [...kept, ...others], wrong: [] };
}

// Goes back to before the first digit or mark that contradicts the solution. If the game started
// with a mistake, for example because its position came from a link, the mistake is corrected
// instead.
export function undoMistake(game, solution, { auto = false } = {}) {
  let now = game;
  while (!isRight(now.position, solution, auto) && now.past.length > 0) now = undo(now);
  return isRight(now.position, solution, auto) ? now : putRight(now, solution);
}

// Whether every digit is right and no cell lacks the mark of its digit.
function isRight({ entries, centre, crossed }, solution, auto) {
  return solution.every((digit, cell) => {
    if (entries[cell]) return entries[cell] === digit;
    return auto ? !(crossed[cell] & bit(digit)) : !centre[cell] || Boolean(centre[cell] & bit(digit));
  });
}

function putRight(game, solution) {
  const { entries, centre, crossed } = game.position;
  return change(game, {
    entries: entries.map((digit, cell) => (digit === solution[cell] ? digit : 0)),
    centre: centre.map((set, cell) => (set ? set | bit(solution[cell]) : 0)),
    crossed: crossed.map((set, cell) => set & ~bit(solution[cell])),
  });
}

// Goes to a moment of the game, given as the number of changes since its start. Later changes can
// be redone.
export function goToMoment(game, moment) {
  let now = game;
  while (now.past.length > moment && now.past.length > 0) now = undo(now);
  while (now.past.length < moment && now.future.length > 0) now = redo(now);
  return now;
}

// A checkpoint is a moment to return to. One that was undone and overwritten is gone.
export const setCheckpoint = (game) => ({ ...game, checkpoints: [...game.checkpoints.filter((at) => at < game.past.length), game.past.length] });

export const lastCheckpoint = ({ checkpoints, past }) => checkpoints.filter((at) => at < past.length).at(-1) ?? null;

export function backToCheckpoint(game) {
  const moment = lastCheckpoint(game);
  return moment === null ? game : goToMoment(game, moment);
}

// The cells of the houses that the last change completed correctly.
export function completedHouses(before, after) {
  const grid = gridOf(after);
  const [old, now] = [digitsOf(before.position), digitsOf(after.position)];
  const full = (digits, house) => new Set(house.map((cell) => digits[cell]).filter(Boolean)).size === grid.side;
  return [...new Set(grid.houses.filter((house) => full(now, house) && !full(old, house)).flat())];
}

// The digits that were written, each with its cell and its moment: { cell, digit, moment }.
export function movesOf(game) {
  const moments = [...game.past, game.position, ...game.future];
  return moments.slice(1).flatMap((moment, index) => writtenIn(moments[index], moment).map((move) => ({ ...move, moment: index + 1 })));
}

// Positions are immutable, so the digits written between two of them are computed only once.
const known = new WeakMap();
function writtenIn(before, after) {
  if (before.entries === after.entries) return [];
  const kept = known.get(after);
  if (kept?.before === before) return kept.moves;
  const moves = after.entries.flatMap((digit, cell) => (digit && digit !== before.entries[cell] ? [{ cell, digit }] : []));
  known.set(after, { before, moves });
  return moves;
}

export const setMode = (game, mode) => ({ ...game, mode });
export const nextMode = (game) => setMode(game, MODES[(MODES.indexOf(game.mode) + 1) % MODES.length]);

export function select(game, cell, { extend = false } = {}) {
  if (!extend) return { ...game, cursor: cell, selected: [cell] };
  return { ...game, cursor: cell, selected: game.selected.includes(cell) ? game.selected : [...game.selected, cell] };
}

// Adds a cell to the selection, or removes it.
export function toggleSelect(game, cell) {
  const others = game.selected.filter((other) => other !== cell);
  const selected = others.length < game.selected.length && others.length > 0 ? others : [...others, cell];
  return { ...game, cursor: cell, selected };
}

export const selectAll = (game) => ({ ...game, selected: [...gridOf(game).cells] });

// A double click selects all cells with the same digit, or with the same marks, or with the same
// colours.
export function selectEqual(game, cell) {
  const { position } = game;
  const alike = (values) => values[cell] && values.flatMap((value, other) => (value === values[cell] ? [other] : []));
  const { centre, corner, colours } = position;
  const selected = [digitsOf(position), centre, corner, colours].map(alike).find(Boolean) ?? [cell];
  return { ...game, cursor: cell, selected };
}

// Moves the cursor; at an edge it wraps around.
export function move(game, rows, columns, options) {
  const { side, row, column } = gridOf(game);
  const wrap = (number) => (number + side) % side;
  return select(game, wrap(row(game.cursor) + rows) * side + wrap(column(game.cursor) + columns), options);
}

// The position as part of a request.
export function asked(game, { auto }) {
  const { position } = game;
  const kept = auto ? shownCandidates(game) : position.centre;
  const digits = (set) => Array.from({ length: gridOf(game).side }, (_, i) => i + 1).filter((d) => set & bit(d));
  return { entries: game.written.map((cell) => [cell, position.entries[cell]]), marks: kept.map(digits) };
}
