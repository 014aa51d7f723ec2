// Draws rules on a board as players know them: cages, thermometers, arrows, dots, lines and clues
// beside the grid. Lines and shapes lie under the digits. Colours are in extra.css, so that light
// and dark boards need no other drawing.

import { STEPS, cellsOf, placeOf } from "./variant-rules.js";

const SVG = "http://www.w3.org/2000/svg";
const CELL = 100;

const shape = (tag, className, attributes, text) => {
  const made = document.createElementNS(SVG, tag);
  made.setAttribute("class", className);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

const place = (index, side) => [(index % side) * CELL + CELL / 2, Math.floor(index / side) * CELL + CELL / 2];
const path = (points) => points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
const label = (className, [x, y], text) => shape("text", `r-text ${className}`, { x, y }, text);
const disc = (className, [cx, cy], r) => shape("circle", className, { cx, cy, r });
const square = (className, [x, y], half) => shape("rect", className, { x: x - half, y: y - half, width: 2 * half, height: 2 * half });
const between = ([ax, ay], [bx, by]) => [(ax + bx) / 2, (ay + by) / 2];

// Puts the rules of the grid on a board that shows it.
export function decorate(board, grid) {
  const picture = shape("svg", "rules", { viewBox: `0 0 ${grid.side * CELL} ${grid.side * CELL}`, "aria-hidden": "true" });
  picture.append(...shapesOf(grid));
  board.classList.add("ruled");
  // Clues beside the grid need room around it.
  board.parentElement?.classList.toggle("beside", grid.list.some(({ raw }) => raw?.at));
  board.querySelector(".rules")?.remove();
  board.querySelector(".grid").after(picture);
}

export function plain(board) {
  board.classList.remove("ruled");
  board.parentElement?.classList.remove("beside");
}

// The order in which kinds lie above each other.
const LAYERS = ["extra_region", "windoku", "clone", "row_indexer", "column_indexer", "box_indexer", "maximum", "minimum", "even", "odd", "diagonal"];
const depth = ({ kind }) => (LAYERS.includes(kind) ? LAYERS.indexOf(kind) : { arrow: 50, cage: 60, white_dot: 70, black_dot: 70, sum_dot: 70, greater_than: 70, quadruple: 80 }[kind] ?? 40);

export function shapesOf(grid) {
  const ordered = [...grid.list].sort((a, b) => depth(a) - depth(b));
  return ordered.flatMap((rule, index) => {
    const shapes = DRAW[rule.kind]?.(rule, grid, index) ?? [];
    return shapes.map((one) => {
      one.dataset.rule = rule.ref.join(" ");
      return one;
    });
  });
}

// Shaded areas are the background of their cells, so that they cover no border of a box.
const SHADES = { extra_region: "shaded", windoku: "shaded", maximum: "shaded", minimum: "shaded", clone: "cloned" };
const WINDOWS = [[1, 1], [1, 5], [5, 1], [5, 5]];

// The classes of shaded cells, by cell.
export function shadesOf({ list, side }) {
  const classes = {};
  for (const { kind, cells } of list.filter(({ kind }) => SHADES[kind])) {
    const windows = side === 9 ? WINDOWS.flatMap(([row, column]) => Array.from({ length: 9 }, (_, at) => (row + Math.floor(at / 3)) * 9 + column + (at % 3))) : [];
    for (const cell of kind === "windoku" ? windows : cells) (classes[cell] ??= []).push(SHADES[kind]);
  }
  return classes;
}

const points = (cells, side) => cells.map((cell) => place(cell, side));
const line = (className, width) => ({ cells }, { side }) => [shape("path", `r-line ${className}`, { d: path(points(cells, side)), "stroke-width": width })];
const fill = (className) => ({ cells }, { side }) => cells.map((cell) => square(className, place(cell, side), CELL / 2));

// A line whose ends are circles, diamonds or squares.
const ended = (className, mark) => ({ cells }, { side }) => {
  const at = points(cells, side);
  return [shape("path", `r-line ${className}`, { d: path(at), "stroke-width": 9 }), mark(at[0]), mark(at.at(-1))];
};
const ring = (className) => (at) => disc(`r-ring ${className}`, at, 36);
const diamond = (className) => ([x, y]) => shape("path", `r-ring ${className}`, { d: `M${x} ${y - 36}L${x + 36} ${y}L${x} ${y + 36}L${x - 36} ${y}Z` });

function thermometer(className) {
  return ({ cells }, { side }) => {
    const at = points(cells, side);
    return [shape("path", `r-line ${className}`, { d: path(at), "stroke-width": 26 }), disc(`r-bulb ${className}`, at[0], 36)];
  };
}

function arrow({ raw }, { side }) {
  const circle = cellsOf(raw.circle, side);
  const at = points(circle, side);
  const shafts = raw.lines.flatMap((text) => {
    const line = points(cellsOf(text, side), side);
    if (line.length < 2) return [];
    const [[bx, by], [x, y]] = line.slice(-2);
    // The shaft begins at the edge of the circle, and ends in the middle of the last cell.
    const [[sx, sy], [nx, ny]] = line;
    const first = Math.hypot(nx - sx, ny - sy);
    line[0] = [sx + ((nx - sx) * 36) / first, sy + ((ny - sy) * 36) / first];
    const length = Math.hypot(x - bx, y - by);
    const [dx, dy] = [(x - bx) / length, (y - by) / length];
    const wing = (turn) => [x - 18 * dx - turn * 16 * dy, y - 18 * dy + turn * 16 * dx];
    return [shape("path", "r-arrow", { d: path(line) }), shape("path", "r-arrow", { d: path([wing(1), [x, y], wing(-1)]) })];
  });
  // A number of several digits is written in a pill.
  if (at.length > 1) return [...shafts, shape("path", "r-pill", { d: path(at), "stroke-width": 75 }), shape("path", "r-pill inner", { d: path(at), "stroke-width": 69 })];
  return [...shafts, disc("r-circle", at[0], 36)];
}

const DOT = 13;
function dot(className, text) {
  return (rule, { side }) => {
    const at = between(...points(rule.cells, side));
    const shown = text(rule);
    return [disc(`r-dot ${className}`, at, DOT), ...(shown ? [label(`in-dot ${className}`, at, shown)] : [])];
  };
}

function sumDot({ cells, sum }, { side }) {
  return [label("xv", between(...points(cells, side)), { 5: "V", 10: "X" }[sum] ?? sum)];
}

// A sign between two cells that points at the smaller one.
function greater({ cells }, { side }) {
  return cells.slice(1).map((cell, index) => {
    const [[ax, ay], [bx, by]] = [place(cells[index], side), place(cell, side)];
    const [x, y] = between([ax, ay], [bx, by]);
    const length = Math.hypot(bx - ax, by - ay);
    const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
    const end = (turn) => [x - 7 * dx - turn * 13 * dy, y - 7 * dy + turn * 13 * dx];
    return shape("path", "r-sign", { d: path([end(1), [x + 7 * dx, y + 7 * dy], end(-1)]) });
  });
}

function quadruple({ cells, digits }, { side }) {
  const all = points(cells, side);
  const at = [0, 1].map((axis) => all.reduce((sum, one) => sum + one[axis], 0) / all.length);
  // Up to two digits in a line.
  const text = digits.length > 2 ? [digits.slice(0, Math.ceil(digits.length / 2)), digits.slice(Math.ceil(digits.length / 2))] : [digits];
  const labels = text.map((part, index) => label("quad", [at[0], at[1] + (text.length > 1 ? (index === 0 ? -10 : 11) : 0)], part.join(" ")));
  return [disc("r-ring quad", at, 26), ...labels];
}

// The point of a clue beside the grid.
function outside(at, side) {
  const { row, column } = placeOf(at);
  const axis = (index) => (index === 0 ? -0.42 : index > side ? side + 0.42 : index - 0.5) * CELL;
  return [axis(column), axis(row)];
}

function littleKiller({ raw, direction, sum }, { side }) {
  const [down, right] = STEPS[direction];
  // Two clues of one place lie beside each other.
  const [x, y] = outside(raw.at, side).map((at, axis) => at - 12 * (axis === 0 ? 0 : down));
  const from = [x + right * 18, y + down * 18];
  const to = [x + right * 40, y + down * 40];
  const wing = (a, b) => [to[0] - right * a, to[1] - down * b];
  return [label("clue small", [x - right * 6, y - down * 6], sum), shape("path", "r-sign", { d: `${path([from, to])}${path([wing(14, 0), to, wing(0, 14)])}` })];
}

const clue = (key) => (rule, { side }) => [label("clue", outside(rule.raw.at, side), rule[key])];

// The outline of a cage, inside its cells, as one dashed path for each edge.
function cage({ cells, sum }, { side }) {
  const has = new Set(cells);
  const inset = 7;
  const at = (row, column) => row >= 0 && column >= 0 && row < side && column < side && has.has(row * side + column);
  const parts = [];
  for (const cell of cells) {
    const [row, column] = [Math.floor(cell / side), cell % side];
    const [x, y] = place(cell, side);
    for (const [down, right] of [[-1, 0], [0, 1], [1, 0], [0, -1]]) {
      if (at(row + down, column + right)) continue;
      // Along the edge, the outline ends at a corner or continues in the next cell.
      const end = (sign) => {
        const [d, r] = [sign * right, sign * -down];
        const isOpen = at(row + d, column + r);
        const reach = !isOpen ? CELL / 2 - inset : at(row + d + down, column + r + right) ? CELL / 2 + inset : CELL / 2;
        return [x + right * (CELL / 2 - inset) + r * reach, y + down * (CELL / 2 - inset) + d * reach];
      };
      parts.push(path([end(-1), end(1)]));
    }
  }
  const top = Math.min(...cells);
  const corner = [(top % side) * CELL + 5, Math.floor(top / side) * CELL + 22];
  return [shape("path", "r-cage", { d: parts.join("") }), ...(sum === undefined ? [] : [label("sum", corner, sum)])];
}

function windoku(_, { side }) {
  return WINDOWS.map(([row, column]) => shape("rect", "r-area", { x: column * CELL, y: row * CELL, width: 3 * CELL, height: 3 * CELL })).filter(() => side === 9);
}

// The arrows of a maximum or minimum, which point to the smaller cells.
function extreme(isMaximum) {
  return ({ cells: [cell] }, { side }) => {
    const [x, y] = place(cell, side);
    const signs = [[0, -1], [1, 0], [0, 1], [-1, 0]].map(([dx, dy]) => {
      const turn = isMaximum ? 1 : -1;
      const [tx, ty] = [x + dx * (40 + 4 * turn), y + dy * (40 + 4 * turn)];
      const wing = (side) => [tx - dx * 8 * turn - dy * 9 * side, ty - dy * 8 * turn + dx * 9 * side];
      return shape("path", "r-sign thin", { d: path([wing(1), [tx, ty], wing(-1)]) });
    });
    return [square("r-area", [x, y], 50), ...signs];
  };
}

const DRAW = {
  extra_region: fill("r-area"),
  windoku,
  clone: fill("r-area"),
  row_indexer: fill("r-index row"),
  column_indexer: fill("r-index column"),
  box_indexer: fill("r-index box"),
  maximum: extreme(true),
  minimum: extreme(false),
  even: ({ cells: [cell] }, { side }) => [square("r-parity", place(cell, side), 36)],
  odd: ({ cells: [cell] }, { side }) => [disc("r-parity", place(cell, side), 38)],
  diagonal: ({ direction }, { side }) => {
    const end = side * CELL;
    return [shape("path", "r-diagonal", { d: direction === "falling" ? `M0 0L${end} ${end}` : `M0 ${end}L${end} 0` })];
  },
  cage,
  arrow,
  thermometer: thermometer("thermo"),
  slow_thermometer: thermometer("slow"),
  whispers: line("whispers", 18),
  palindrome: line("palindrome", 18),
  renban: line("renban", 18),
  nabner: line("nabner", 18),
  entropic: line("entropic", 18),
  modular: line("modular", 18),
  region_sum: line("region-sum", 18),
  zipper: line("zipper", 18),
  between: ended("between", ring("between")),
  lockout: ended("lockout", diamond("lockout")),
  double_arrow: ended("between", ring("double")),
  counting_circles: ({ cells }, { side }) => cells.map((cell) => disc("r-ring counting", place(cell, side), 40)),
  white_dot: dot("white", ({ difference = 1 }) => (difference === 1 ? "" : difference)),
  black_dot: dot("black", ({ ratio = 2 }) => (ratio === 2 ? "" : ratio)),
  sum_dot: sumDot,
  greater_than: greater,
  quadruple,
  pencil_marks: ({ cells: [cell], digits }, { side }) => [label("given-marks", [place(cell, side)[0], place(cell, side)[1] + 34], digits.join(""))],
  sandwich: clue("sum"),
  x_sum: clue("sum"),
  skyscraper: clue("count"),
  numbered_room: clue("digit"),
  little_killer: littleKiller,
  sum: ({ cells, sum }, { side }) => [...cells.map((cell) => square("r-clone", place(cell, side), 44)), label("sum", [place(cells[0], side)[0] - 42, place(cells[0], side)[1] - 28], sum)],
};
