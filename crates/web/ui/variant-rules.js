// Rules beyond rows, columns and boxes: which cells see each other, which candidates are possible
// at all, and which cells break a rule. The rules are an object in the form of the library
// (docs/variants.md); this file checks digits against them while the player writes. The engine
// solves, explains and makes such puzzles.

import { bit, geometry } from "./geometry.js";

export const cellsOf = (text, side) => (text ?? "").split(/\s+/).filter(Boolean).map((name) => cellOf(name, side));
export const nameOfCell = (cell, side) => `r${Math.floor(cell / side) + 1}c${(cell % side) + 1}`;

// `r3c7` as an index; also for places beside the grid, as { row, column } counted from 1.
const cellOf = (name, side) => {
  const { row, column } = placeOf(name);
  return (row - 1) * side + column - 1;
};
export const placeOf = (name) => {
  const [, row, column] = /^r(\d+)c(\d+)$/.exec(name);
  return { row: Number(row), column: Number(column) };
};

export const LINES = ["thermometer", "slow_thermometer", "whispers", "palindrome", "renban", "nabner", "entropic", "modular", "between", "lockout", "region_sum", "zipper", "double_arrow"];
export const OUTSIDE = ["sandwich", "x_sum", "skyscraper", "numbered_room"];
export const FLAGS = ["windoku", "disjoint_groups", "anti_knight", "anti_king", "nonconsecutive", "usual_boxes"];
export const SINGLE = ["even", "odd", "maximum", "minimum"];

// The side, from the shape of the boxes or the number of rows.
export function sideOf({ boxes, size, regions }) {
  if (boxes) return boxes.split("x").reduce((all, one) => all * Number(one), 1);
  return size ?? Math.sqrt(regions.replace(/\s/g, "").length);
}

// All rules as a list of { kind, cells, … }, in the order of the object. `ref` is where a rule is
// stored, so that it can be removed: [table, index].
export function listOf(rules) {
  const side = sideOf(rules);
  const all = [];
  for (const [table, value] of Object.entries(rules)) {
    if (["boxes", "size", "regions"].includes(table)) continue;
    if (table === "diagonals") value.forEach((direction, index) => all.push({ kind: "diagonal", direction, cells: [], ref: [table, index] }));
    else if (table === "all_given") value.forEach((what, index) => all.push({ kind: "all_given", what, cells: [], ref: [table, index] }));
    else if (value === true) all.push({ kind: table, cells: [], ref: [table, 0] });
    else if (SINGLE.includes(table)) cellsOf(value, side).forEach((cell, index) => all.push({ kind: table, cells: [cell], ref: [table, index] }));
    else if (Array.isArray(value)) value.forEach((item, index) => all.push({ ...item, kind: table, cells: itemCells(item, side), raw: item, ref: [table, index] }));
  }
  return all;
}

function itemCells(item, side) {
  if (item.cell) return cellsOf(item.cell, side);
  if (item.circle) return [...new Set([...cellsOf(item.circle, side), ...item.lines.flatMap((line) => cellsOf(line, side))])];
  return [...cellsOf(item.cells, side), ...cellsOf(item.clones, side)];
}

// The cells of a row or column in the order in which a clue beside the grid sees them.
export function lineSeen(at, side) {
  const { row, column } = placeOf(at);
  const steps = Array.from({ length: side }, (_, index) => index);
  if (row === 0) return steps.map((index) => index * side + column - 1);
  if (row > side) return steps.map((index) => (side - 1 - index) * side + column - 1);
  if (column === 0) return steps.map((index) => (row - 1) * side + index);
  return steps.map((index) => (row - 1) * side + side - 1 - index);
}

export const STEPS = { "down right": [1, 1], "down left": [1, -1], "up right": [-1, 1], "up left": [-1, -1] };

// The cells of the diagonal of a little killer.
export function diagonalSeen(at, direction, side) {
  const [down, right] = STEPS[direction];
  const { row, column } = placeOf(at);
  const cells = [];
  for (let [r, c] = [row + down, column + right]; r >= 1 && c >= 1 && r <= side && c <= side; r += down, c += right) cells.push((r - 1) * side + c - 1);
  return cells;
}

// The region of each cell; each cell outside all regions has a different negative number.
function regionsOf(rules, side) {
  if (rules.boxes) {
    const { cells, box } = geometry(...rules.boxes.split("x").map(Number));
    return cells.map(box);
  }
  const signs = [...(rules.regions ?? "").replace(/\s/g, "")];
  const names = [...new Set(signs.filter((sign) => sign !== "-"))];
  return Array.from({ length: side * side }, (_, cell) => (signs[cell] && signs[cell] !== "-" ? names.indexOf(signs[cell]) : -1 - cell));
}

// Cells that must all be different, beside rows, columns and regions.
function differing(rules, list, side) {
  const sets = [];
  const steps = Array.from({ length: side }, (_, index) => index);
  for (const rule of list) {
    if (rule.kind === "diagonal") sets.push(steps.map((at) => (rule.direction === "rising" ? side - 1 - at : at) * side + at));
    if (rule.kind === "windoku") for (const [row, column] of [[1, 1], [1, 5], [5, 1], [5, 5]]) sets.push(Array.from({ length: 9 }, (_, at) => (row + Math.floor(at / 3)) * 9 + column + (at % 3)));
    if (rule.kind === "usual_boxes" || rule.kind === "disjoint_groups") {
      const { boxRows, boxColumns, cells, row, column, box } = boxesOf(rules, side);
      const group = rule.kind === "usual_boxes" ? box : (cell) => (row(cell) % boxRows) * boxColumns + (column(cell) % boxColumns);
      sets.push(...steps.map((number) => cells.filter((cell) => group(cell) === number)));
    }
    if (["cage", "extra_region", "renban", "nabner"].includes(rule.kind)) sets.push(rule.cells);
  }
  return sets;
}

// The usual boxes of a side: as close to a square as possible, wider than high.
export function boxesOf({ boxes }, side) {
  if (boxes) return geometry(...boxes.split("x").map(Number));
  let rows = Math.floor(Math.sqrt(side));
  while (side % rows !== 0) rows -= 1;
  return geometry(rows, side / rows);
}

const MOVES = { anti_knight: [[1, 2], [2, 1], [1, -2], [2, -1]], anti_king: [[1, 1], [1, -1]] };

function moved(cell, [down, right], side) {
  const [row, column] = [Math.floor(cell / side) + down, (cell % side) + right];
  return row >= 0 && column >= 0 && row < side && column < side ? row * side + column : null;
}

const known = new WeakMap();

// The grid of a position with rules, in the form of geometry.js. Built once for each rules object.
export function ruledGrid({ boxes, rules }) {
  if (!known.has(rules)) known.set(rules, build(boxes, rules));
  return known.get(rules);
}

function build(name, rules) {
  const side = sideOf(rules);
  const list = listOf(rules);
  const base = geometry(...(rules.boxes ?? `1x${side}`).split("x").map(Number));
  const regions = regionsOf(rules, side);
  const sees = base.cells.map(() => new Set());
  const differ = (cells) => cells.forEach((a) => cells.forEach((b) => a !== b && sees[a].add(b)));
  const lines = [base.row, base.column].flatMap((of) => Array.from({ length: side }, (_, at) => base.cells.filter((cell) => of(cell) === at)));
  const areas = [...new Set(regions)].filter((region) => region >= 0).map((region) => base.cells.filter((cell) => regions[cell] === region));
  [...lines, ...areas, ...differing(rules, list, side)].forEach(differ);
  for (const [kind, steps] of Object.entries(MOVES)) {
    if (rules[kind]) for (const cell of base.cells) for (const step of steps) if (moved(cell, step, side) !== null) differ([cell, moved(cell, step, side)]);
  }
  const open = openDigits(list, side);
  // Candidates are arranged in nearly square rows, as on a telephone.
  const boxColumns = rules.boxes ? base.boxColumns : Math.ceil(Math.sqrt(side));
  return {
    ...base,
    boxColumns,
    boxRows: rules.boxes ? base.boxRows : Math.ceil(side / boxColumns),
    name,
    rules,
    list,
    regions,
    box: (cell) => regions[cell],
    hasFacets: Boolean(rules.boxes),
    peers: sees.map((set) => [...set]),
    houses: [...lines, ...areas],
    open: (cell) => open[cell],
    broken: (digits) => brokenCells({ rules, list, side, regions, cells: base.cells }, digits),
  };
}

// The digits that even and odd cells and given pencil marks allow.
function openDigits(list, side) {
  const open = Array(side * side).fill(2 ** side - 1);
  const keep = (cell, test) => {
    for (let digit = 1; digit <= side; digit += 1) if (!test(digit)) open[cell] &= ~bit(digit);
  };
  for (const { kind, cells, digits } of list) {
    if (kind === "even" || kind === "odd") keep(cells[0], (digit) => digit % 2 === (kind === "odd" ? 1 : 0));
    if (kind === "pencil_marks") keep(cells[0], (digit) => digits.includes(digit));
  }
  return open;
}

// The cells of the rules that the digits break. A rule with empty cells is broken if no digits in
// them could keep it, as far as a look at its sum or at two of its cells shows.
function brokenCells(grid, digits) {
  const broken = new Set();
  const report = (cells) => cells.forEach((cell) => digits[cell] && broken.add(cell));
  for (const rule of grid.list) {
    for (const cells of (BROKEN[rule.kind] ?? (() => []))(rule, digits, grid)) report(cells);
  }
  return broken;
}

// Pairs that break a relation.
const pairs = (list, digits, holds) => list.filter(([a, b]) => digits[a] && digits[b] && !holds(digits[a], digits[b]));
const steps = (cells) => cells.slice(1).map((cell, index) => [cells[index], cell]);
const allPairs = (cells) => cells.flatMap((a, index) => cells.slice(index + 1).map((b) => [a, b]));
const total = (cells, digits) => cells.reduce((sum, cell) => sum + digits[cell], 0);
const isFull = (cells, digits) => cells.every((cell) => digits[cell]);

function neighboursOf(side) {
  const cells = Array.from({ length: side * side }, (_, cell) => cell);
  return cells.flatMap((cell) => [[0, 1], [1, 0]].flatMap((step) => (moved(cell, step, side) === null ? [] : [[cell, moved(cell, step, side)]])));
}

const along = (holds) => ({ cells }, digits) => pairs(steps(cells), digits, holds);

// Whether a sum of different or repeating digits can still be reached; returns the cells if not.
function sumBroken(cells, digits, sum, side, distinct) {
  const open = cells.filter((cell) => !digits[cell]).length;
  const now = total(cells, digits);
  if (open === 0) return now === sum ? [] : [cells];
  const used = new Set(distinct ? cells.map((cell) => digits[cell]) : []);
  const free = Array.from({ length: side }, (_, index) => index + 1).filter((digit) => !used.has(digit));
  const least = distinct ? free.slice(0, open).reduce((all, one) => all + one, 0) : open;
  const most = distinct ? free.slice(-open).reduce((all, one) => all + one, 0) : open * side;
  return now + least > sum || now + most < sum ? [cells] : [];
}

// Any n cells in a row have different classes, so the classes repeat.
function repeating({ cells }, digits, n, classOf) {
  const bad = [];
  for (let gap = 1; gap <= n; gap += 1) {
    const list = cells.slice(gap).map((cell, index) => [cells[index], cell]);
    bad.push(...pairs(list, digits, (a, b) => (classOf(a) === classOf(b)) === (gap === n)));
  }
  return bad;
}

// For each kind: the groups of cells that break the rule.
const BROKEN = {
  cage: ({ cells, sum }, digits, { side }) => (sum === undefined ? [] : sumBroken(cells, digits, sum, side, true)),
  nonconsecutive: (_, digits, { side }) => pairs(neighboursOf(side), digits, (a, b) => Math.abs(a - b) !== 1),
  all_given: ({ what }, digits, { side, list }) => {
    const dots = new Set(list.filter(({ kind, sum }) => ({ "white dots": kind === "white_dot", "black dots": kind === "black_dot", dots: /_dot$/.test(kind) && kind !== "sum_dot", xv: kind === "sum_dot" && [5, 10].includes(sum) })[what]).map(({ cells }) => [...cells].sort((a, b) => a - b).join()));
    const free = neighboursOf(side).filter((pair) => !dots.has(pair.join()));
    const white = (a, b) => Math.abs(a - b) !== 1;
    const black = (a, b) => a !== 2 * b && b !== 2 * a;
    const holds = { "white dots": white, "black dots": black, dots: (a, b) => white(a, b) && black(a, b), xv: (a, b) => a + b !== 5 && a + b !== 10 }[what];
    return pairs(free, digits, holds);
  },
  even: ({ cells }, digits) => cells.filter((cell) => digits[cell] % 2 === 1).map((cell) => [cell]),
  odd: ({ cells }, digits) => cells.filter((cell) => digits[cell] && digits[cell] % 2 === 0).map((cell) => [cell]),
  pencil_marks: ({ cells: [cell], digits: given }, digits) => (digits[cell] && !given.includes(digits[cell]) ? [[cell]] : []),
  maximum: (rule, digits, grid) => extreme(rule, digits, grid, (own, other) => own > other),
  minimum: (rule, digits, grid) => extreme(rule, digits, grid, (own, other) => own < other),
  row_indexer: (rule, digits, { side }) => indexed(rule, digits, (row, column, digit) => [(digit - 1) * side + column, row], side, (row, column, at) => [at * side + column, row]),
  column_indexer: (rule, digits, { side }) => indexed(rule, digits, (row, column, digit) => [row * side + digit - 1, column], side, (row, column, at) => [row * side + at, column]),
  box_indexer: (rule, digits, grid) => {
    const { boxRows: height, boxColumns: width } = boxesOf(grid.rules, grid.side);
    const inBox = (row, column, at) => {
      const [top, left] = [row - (row % height), column - (column % width)];
      return [(top + Math.floor(at / width)) * grid.side + left + (at % width), (row - top) * width + column - left];
    };
    return indexed(rule, digits, (row, column, digit) => inBox(row, column, digit - 1), grid.side, inBox);
  },
  clone: ({ raw }, digits, { side }) => {
    const [from, to] = [cellsOf(raw.cells, side), cellsOf(raw.clones, side)];
    return pairs(from.map((cell, index) => [cell, to[index]]), digits, (a, b) => a === b);
  },
  quadruple: ({ cells, digits: wanted }, digits) => {
    const has = cells.map((cell) => digits[cell]);
    const open = has.filter((digit) => !digit).length;
    const count = (list, digit) => list.filter((one) => one === digit).length;
    const missing = [...new Set(wanted)].reduce((sum, digit) => sum + Math.max(0, count(wanted, digit) - count(has, digit)), 0);
    return missing > open ? [cells] : [];
  },
  counting_circles: ({ cells }, digits) => {
    const bad = [...new Set(cells.map((cell) => digits[cell]).filter(Boolean))].filter((digit) => {
      const count = cells.filter((cell) => digits[cell] === digit).length;
      return count > digit || (isFull(cells, digits) && count !== digit);
    });
    return bad.map((digit) => cells.filter((cell) => digits[cell] === digit));
  },
  white_dot: ({ cells, difference = 1 }, digits) => pairs([cells], digits, (a, b) => Math.abs(a - b) === difference),
  black_dot: ({ cells, ratio = 2 }, digits) => pairs([cells], digits, (a, b) => a === ratio * b || b === ratio * a),
  sum_dot: ({ cells, sum }, digits) => pairs([cells], digits, (a, b) => a + b === sum),
  greater_than: along((a, b) => a > b),
  thermometer: along((a, b) => a < b),
  slow_thermometer: along((a, b) => a <= b),
  whispers: ({ cells, difference }, digits, { side }) => pairs(steps(cells), digits, (a, b) => Math.abs(a - b) >= (difference ?? Math.ceil(side / 2))),
  palindrome: ({ cells }, digits) => pairs(cells.slice(0, Math.floor(cells.length / 2)).map((cell, index) => [cell, cells.at(-1 - index)]), digits, (a, b) => a === b),
  renban: ({ cells }, digits) => pairs(allPairs(cells), digits, (a, b) => Math.abs(a - b) < cells.length),
  nabner: ({ cells }, digits) => pairs(allPairs(cells), digits, (a, b) => Math.abs(a - b) > 1),
  entropic: (rule, digits, { side }) => repeating(rule, digits, 3, (digit) => Math.floor((digit - 1) / Math.ceil(side / 3))),
  modular: (rule, digits) => repeating(rule, digits, rule.modulus ?? 3, (digit) => digit % (rule.modulus ?? 3)),
  between: ({ cells }, digits) => fromEnds(cells, digits, (low, high, digit) => low < digit && digit < high),
  lockout: ({ cells, difference = 4 }, digits) => [
    ...pairs([[cells[0], cells.at(-1)]], digits, (a, b) => Math.abs(a - b) >= difference),
    ...fromEnds(cells, digits, (low, high, digit) => digit < low || digit > high),
  ],
  region_sum: ({ cells }, digits, { regions }) => {
    const parts = [];
    const same = (a, b) => regions[a] === regions[b] || (regions[a] < 0 && regions[b] < 0);
    for (const cell of cells) {
      if (parts.length > 0 && same(parts.at(-1)[0], cell)) parts.at(-1).push(cell);
      else parts.push([cell]);
    }
    const full = parts.filter((part) => isFull(part, digits));
    return full.some((part) => total(part, digits) !== total(full[0], digits)) ? [full.flat()] : [];
  },
  zipper: ({ cells }, digits) => {
    const half = Math.floor(cells.length / 2);
    const rings = Array.from({ length: half }, (_, at) => [cells[at], cells.at(-1 - at)]);
    if (cells.length % 2 === 1) rings.push([cells[half]]);
    const full = rings.filter((ring) => isFull(ring, digits));
    return full.some((ring) => total(ring, digits) !== total(full[0], digits)) ? [full.flat()] : [];
  },
  double_arrow: ({ cells }, digits) => (isFull(cells, digits) && total(cells.slice(1, -1), digits) !== digits[cells[0]] + digits[cells.at(-1)] ? [cells] : []),
  arrow: ({ raw }, digits, { side }) => {
    const circle = cellsOf(raw.circle, side).sort((a, b) => a - b);
    const base = side > 9 ? 100 : 10;
    const number = circle.reduce((value, cell) => value * base + digits[cell], 0);
    return raw.lines.flatMap((text) => {
      const shaft = cellsOf(text, side).filter((cell) => !circle.includes(cell));
      const now = total(shaft, digits);
      const isOver = isFull(circle, digits) && now + shaft.filter((cell) => !digits[cell]).length > number;
      const isDone = isFull(circle, digits) && isFull(shaft, digits);
      return isOver || (isDone && now !== number) ? [[...circle, ...shaft]] : [];
    });
  },
  sandwich: ({ at, sum }, digits, { side }) => {
    const line = lineSeen(at, side);
    const crusts = line.flatMap((cell, index) => (digits[cell] === 1 || digits[cell] === side ? [index] : []));
    if (crusts.length !== 2) return isFull(line, digits) ? [line] : [];
    const inside = line.slice(crusts[0] + 1, crusts[1]);
    const now = total(inside, digits);
    return now > sum || (isFull(inside, digits) && now !== sum) ? [[line[crusts[0]], ...inside, line[crusts[1]]]] : [];
  },
  x_sum: ({ at, sum }, digits, { side }) => {
    const line = lineSeen(at, side);
    const first = line.slice(0, digits[line[0]]);
    return digits[line[0]] ? sumBroken(first, digits, sum, side, true) : [];
  },
  skyscraper: ({ at, count }, digits, { side }) => {
    const line = lineSeen(at, side);
    if (!isFull(line, digits)) return [];
    let top = 0;
    const seen = line.filter((cell) => digits[cell] > top && (top = digits[cell]));
    return seen.length === count ? [] : [line];
  },
  numbered_room: ({ at, digit }, digits, { side }) => {
    const line = lineSeen(at, side);
    const room = line[digits[line[0]] - 1];
    return digits[line[0]] && digits[room] && digits[room] !== digit ? [[line[0], room]] : [];
  },
  little_killer: ({ at, direction, sum }, digits, { side }) => sumBroken(diagonalSeen(at, direction, side), digits, sum, side, false),
  sum: ({ cells, coefficients, sum }, digits) => (isFull(cells, digits) && cells.reduce((all, cell, index) => all + (coefficients?.[index] ?? 1) * digits[cell], 0) !== sum ? [cells] : []),
};

// Digits of a line against the digits at its ends.
function fromEnds(cells, digits, holds) {
  const [a, b] = [digits[cells[0]], digits[cells.at(-1)]];
  if (!a || !b) return [];
  return cells.slice(1, -1).filter((cell) => digits[cell] && !holds(Math.min(a, b), Math.max(a, b), digits[cell])).map((cell) => [cells[0], cell, cells.at(-1)]);
}

// A maximum is greater than its neighbours, except other maximums.
function extreme({ kind, cells: [cell] }, digits, { side, list }, holds) {
  const alike = new Set(list.filter((rule) => rule.kind === kind).map(({ cells }) => cells[0]));
  const around = [[0, 1], [0, -1], [1, 0], [-1, 0]].map((step) => moved(cell, step, side)).filter((other) => other !== null && !alike.has(other));
  return pairs(around.map((other) => [cell, other]), digits, holds);
}

// The digit of a cell is the place of a number, and that number is in no other place.
function indexed({ cells }, digits, pointed, side, placeAt) {
  return cells.flatMap((cell) => {
    const [row, column] = [Math.floor(cell / side), cell % side];
    const bad = [];
    if (digits[cell]) {
      const [other, number] = pointed(row, column, digits[cell]);
      if (digits[other] && digits[other] !== number + 1) bad.push([cell, other]);
    }
    for (let at = 0; at < side; at += 1) {
      const [other, number] = placeAt(row, column, at);
      if (digits[cell] && digits[other] === number + 1 && digits[cell] !== at + 1) bad.push([cell, other]);
    }
    return bad;
  });
}
