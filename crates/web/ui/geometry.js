// Sizes, houses and symbols: what the page needs to draw a grid and to see equal digits in one
// house. Everything else (solutions, candidates by logic, hints) is computed by the engine.

const SYMBOLS = "123456789ABCDEFGHIJKLMNOP";

// Built once for each size.
const known = new Map();

// The grid with boxes of this shape: its side, its cells, and the peers of every cell.
export function geometry(boxRows, boxColumns) {
  const name = `${boxRows}x${boxColumns}`;
  if (!known.has(name)) known.set(name, build(boxRows, boxColumns, name));
  return known.get(name);
}

function build(boxRows, boxColumns, name) {
  const side = boxRows * boxColumns;
  const cells = Array.from({ length: side * side }, (_, cell) => cell);
  const row = (cell) => Math.floor(cell / side);
  const column = (cell) => cell % side;
  const box = (cell) => Math.floor(row(cell) / boxRows) * boxRows + Math.floor(column(cell) / boxColumns);
  const see = (a, b) => a !== b && (row(a) === row(b) || column(a) === column(b) || box(a) === box(b));
  const peers = cells.map((a) => cells.filter((b) => see(a, b)));
  const houses = [row, column, box].flatMap((place) => Array.from({ length: side }, (_, at) => cells.filter((cell) => place(cell) === at)));
  return { name, boxRows, boxColumns, side, cells, row, column, box, peers, houses };
}

// variants.js adds `grid`, which returns the grid of a position with rules, when it is loaded.
export const ruled = {};
export const gridFor = (position) => (position.rules && ruled.grid?.(position)) || geometryNamed(position.boxes);

// `3x3` → the geometry; null for sizes that the page cannot show. `1x9` has no boxes.
export function geometryNamed(name) {
  const match = /^(?:([2-5])x([2-5])|(1)x(\d|1\d|2[0-5]))$/.exec(name ?? "")?.filter(Boolean);
  return match && geometry(Number(match[1]), Number(match[2]));
}

// The default geometry of a grid with this many cells.
export function geometryOfLength(length) {
  const shapes = { 16: [2, 2], 36: [2, 3], 81: [3, 3], 144: [3, 4], 256: [4, 4] };
  return shapes[length] ? geometry(...shapes[length]) : null;
}

export const symbol = (digit) => SYMBOLS[digit - 1] ?? "";

// The digit of a typed character on this grid; 0 for none.
export function digitOf(character, side) {
  const digit = SYMBOLS.indexOf(character.toUpperCase()) + 1;
  return character.length === 1 && digit <= side ? digit : 0;
}

// A line such as `53..7` as digits, 0 for an empty cell.
export const digitsOfLine = (line, side) => [...line].map((character) => digitOf(character, side));
export const lineOf = (digits) => digits.map((digit) => symbol(digit) || ".").join("");
export const cellName = (geometry, cell) => `r${geometry.row(cell) + 1}c${geometry.column(cell) + 1}`;

// Sets of digits are bit sets: bit 0 is the digit 1.
export const bit = (digit) => 1 << (digit - 1);
export const digitsIn = (set) => Array.from({ length: 25 }, (_, index) => index + 1).filter((d) => set & bit(d));
export const setOf = (digits) => digits.reduce((set, digit) => set | bit(digit), 0);

// The digits that no peer of an empty cell contains.
export function candidates(geometry, digits) {
  const all = 2 ** geometry.side - 1;
  return geometry.cells.map((cell) =>
    digits[cell] ? 0 : geometry.peers[cell].reduce((set, peer) => (digits[peer] ? set & ~bit(digits[peer]) : set), geometry.open?.(cell) ?? all),
  );
}

// The cells that share a house with an equal digit, or whose digits break a rule.
export function conflicts(geometry, digits) {
  const clash = (cell) => digits[cell] && geometry.peers[cell].some((peer) => digits[peer] === digits[cell]);
  return new Set([...geometry.cells.filter(clash), ...(geometry.broken?.(digits) ?? [])]);
}
