// The game: a state without DOM, and the plain functions that change it. Each takes a game and returns a new one.
//
// A position is what can be undone and shared: clues, entries, marks and colours. Arrays are never changed in place,
// so the past keeps old positions for the price of the arrays that differ.

import { bit, candidates, conflicts, geometry } from "./geometry.js";

export const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple", "grey"];
export const MODES = ["digit", "corner", "centre", "colour"];

export function emptyPosition(grid) {
  const none = () => Array(grid.cells.length).fill(0);
  return { boxes: grid.name, clues: none(), entries: none(), corner: none(), centre: none(), crossed: none(), colours: none() };
}

// A new game. While `setting` is true digits become clues: this is Blank, for a puzzle out of a book.
export function newGame(grid, clues, setting = false) {
  const position = { ...emptyPosition(grid), clues };
  return gameOf(position, setting);
}

export function gameOf(position, setting = false) {
  return {
    position,
    past: [],
    future: [],
    written: position.entries.flatMap((digit, cell) => (digit ? [cell] : [])),
    cursor: 0,
    selected: [0],
    mode: "digit",
    setting,
    seconds: 0,
    paused: false,
    solution: null,
    wrong: [],
  };
}

export const gridOf = (game) => geometry(...game.position.boxes.split("x").map(Number));
export const digitsOf = (position) => position.clues.map((clue, cell) => clue || position.entries[cell]);
export const isFull = (game) => digitsOf(game.position).every(Boolean);
export const isSolved = (game) => isFull(game) && conflicts(gridOf(game), digitsOf(game.position)).size === 0;

// The candidates that the page keeps for the player: all that are possible, less those the player crossed out.
export function shownCandidates(game) {
  const possible = candidates(gridOf(game), digitsOf(game.position));
  return possible.map((set, cell) => set & ~game.position.crossed[cell]);
}

// Makes a change that can be undone. A change that changes nothing is not remembered.
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
  return { ...game, position, written, past: [...game.past, game.position], future: [], wrong: [] };
}

const sameArray = (a, b) => a === b || (Array.isArray(a) && a.length === b.length && a.every((value, index) => value === b[index]));

// The array with some cells changed.
function edited(array, cells, changed) {
  const copy = [...array];
  for (const cell of cells) copy[cell] = changed(array[cell], cell);
  return copy;
}

// Types a digit in the current mode, or in another one while a modifier key is held.
export function type(game, digit, mode = game.mode, options = {}) {
  if (mode === "colour") return colour(game, digit);
  if (mode === "digit") return write(game, digit, options);
  return mark(game, digit, mode, options);
}

// Writes a digit into the selected cells; writing the same digit again clears them.
function write(game, digit, { tidy = true } = {}) {
  const { position, selected, setting } = game;
  if (setting) {
    const again = selected.every((cell) => position.clues[cell] === digit);
    return change(game, { clues: edited(position.clues, selected, () => (again ? 0 : digit)) });
  }
  const open = selected.filter((cell) => !position.clues[cell]);
  const again = open.every((cell) => position.entries[cell] === digit);
  const entries = edited(position.entries, open, () => (again ? 0 : digit));
  const changes = { entries };
  const clashes = conflicts(gridOf(game), digitsOf({ ...position, entries }));
  // Marks follow a digit that fits. One that clashes is most likely a slip, and would only take marks away.
  if (!again && tidy && !open.some((cell) => clashes.has(cell))) {
    const peers = new Set(open.flatMap((cell) => gridOf(game).peers[cell]));
    changes.corner = edited(position.corner, peers, (set) => set & ~bit(digit));
    changes.centre = edited(position.centre, peers, (set) => set & ~bit(digit));
  }
  return change(game, changes);
}

// Sets a mark in all selected empty cells, or takes it away where all of them have it.
function mark(game, digit, kind, { auto = false } = {}) {
  const { position, selected } = game;
  const open = selected.filter((cell) => !position.clues[cell] && !position.entries[cell]);
  if (kind === "centre" && auto) return cross(game, open, digit);
  const all = open.every((cell) => position[kind][cell] & bit(digit));
  return change(game, { [kind]: edited(position[kind], open, (set) => (all ? set & ~bit(digit) : set | bit(digit))) });
}

// With automatic candidates a centre mark crosses a candidate out, or brings it back.
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

// Backspace: the digits go first, then the marks, then the colours.
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

// Reset: everything that the player wrote goes; it can be undone.
export function reset(game) {
  const { position } = game;
  const blank = emptyPosition(gridOf(game));
  return { ...change(game, { ...blank, boxes: position.boxes, clues: position.clues }), wrong: [] };
}

// Fills the grid with a solution; it can be undone.
export function fill(game, digits) {
  const { position } = game;
  return change({ ...game, setting: false }, { entries: digits.map((digit, cell) => (position.clues[cell] ? 0 : digit)) });
}

// The player has typed the clues and begins to play.
export const startPlaying = (game) => ({ ...game, setting: false, past: [], future: [] });

// Draws the conclusions of a step: places digits, and takes candidates out of the marks that are shown.
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
  // Without automatic candidates the cells of the conclusion get theirs as centre marks.
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

// Goes back to before the first of these cells went wrong.
export function undoMistake(game, solution) {
  const isFine = (position) => position.entries.every((digit, cell) => !digit || digit === solution[cell]);
  let now = game;
  while (!isFine(now.position) && now.past.length > 0) now = undo(now);
  return now;
}

export const setMode = (game, mode) => ({ ...game, mode });
export const nextMode = (game) => setMode(game, MODES[(MODES.indexOf(game.mode) + 1) % MODES.length]);

export function select(game, cell, { extend = false } = {}) {
  if (!extend) return { ...game, cursor: cell, selected: [cell] };
  return { ...game, cursor: cell, selected: game.selected.includes(cell) ? game.selected : [...game.selected, cell] };
}

// Adds a cell to the selection or takes it away.
export function toggleSelect(game, cell) {
  const others = game.selected.filter((other) => other !== cell);
  const selected = others.length < game.selected.length && others.length > 0 ? others : [...others, cell];
  return { ...game, cursor: cell, selected };
}

// Moves the cursor; at an edge it comes back on the other side.
export function move(game, rows, columns, options) {
  const { side, row, column } = gridOf(game);
  const wrap = (number) => (number + side) % side;
  return select(game, wrap(row(game.cursor) + rows) * side + wrap(column(game.cursor) + columns), options);
}

// How the position is told to the server.
export function asked(game, { auto }) {
  const { position } = game;
  const kept = auto ? shownCandidates(game) : position.centre;
  const digits = (set) => Array.from({ length: gridOf(game).side }, (_, i) => i + 1).filter((d) => set & bit(d));
  return { entries: game.written.map((cell) => [cell, position.entries[cell]]), marks: kept.map(digits) };
}
