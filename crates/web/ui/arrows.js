// Draws the links of a step (inferences such as "if this candidate is false, that one is true") as
// lines with arrowheads. A line finds its way through the gaps between digits, so that it covers
// none, and keeps away from other lines. Links between the same groups of cells are one line.

const SVG = "http://www.w3.org/2000/svg";

// The side of a cell in the coordinates of the arrows.
const UNIT = 60;

// The distance between two points of the net in which lines are routed.
const GAP = 10;

// More links than this are bundled by cells.
const MOST_SINGLE_LINKS = 12;

// Draws over a board: bands, a band behind each group of candidates that is one node, and a line
// with an arrowhead for each link. `rays` are { from, to, cells }: a digit that blocks cells.
export function arrowShapes({ grid, cells, arrows, rays = [] }) {
  const room = UNIT / (2.3 * Math.max(grid.boxRows, grid.boxColumns));
  const shown = obstacles(grid, cells, room);
  const place = (arrow, node) => (arrow.isBundle ? gapIn(grid, node, shown) : middle(grid, node));
  const links = bundled(arrows).map((arrow) => ({ ...arrow, start: place(arrow, arrow.from), end: place(arrow, arrow.to) }));
  const groups = links.flatMap(({ from, to, isBundle }) => (isBundle ? [] : [from, to])).filter((node) => node.length > 1);
  const distinct = new Map(groups.map((node) => [keyOf(node), node]));
  const used = new Map();
  return [
    ...rays.flatMap((ray, index) => rayShapes(grid, ray, index)),
    ...[...distinct.values()].map((node) => band(node.map((candidate) => centre(grid, candidate)), room)),
    ...links.flatMap((link, index) => linkShapes(route(grid, link, shown, used), link, link.isBundle ? 3 : room, index)),
  ];
}

const keyOf = (node) => JSON.stringify(node.map(({ index, digit }) => [index, digit]));

// One link for all links between the same cells, if there are too many to follow.
function bundled(arrows) {
  if (arrows.length <= MOST_SINGLE_LINKS) return arrows;
  const cellsOf = (node) => [...new Set(node.map(({ index }) => index))].sort((a, b) => a - b);
  const bundles = new Map();
  for (const { from, to, strong, branch = 0 } of arrows) {
    const ends = [cellsOf(from), cellsOf(to)];
    const isInside = String(ends[0]) === String(ends[1]);
    const key = JSON.stringify([ends, branch]);
    if (isInside) continue;
    const bundle = bundles.get(key) ?? { from: [], to: [], strong, branch, isBundle: true };
    bundle.from.push(...from);
    bundle.to.push(...to);
    bundle.strong &&= strong;
    bundles.set(key, bundle);
  }
  return [...bundles.values()];
}

function centre(grid, { index, digit }) {
  const part = (place, count) => (UNIT * (place + 0.5)) / count;
  const x = grid.column(index) * UNIT + part((digit - 1) % grid.boxColumns, grid.boxColumns);
  const y = grid.row(index) * UNIT + part(Math.floor((digit - 1) / grid.boxColumns), grid.boxRows);
  return [x, y];
}

const cellCentre = (grid, index) => [(grid.column(index) + 0.5) * UNIT, (grid.row(index) + 0.5) * UNIT];

function middle(grid, node) {
  const points = [...new Map(node.map((candidate) => [`${candidate.index} ${candidate.digit}`, centre(grid, candidate)])).values()];
  return [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
}

// The widest gap between the candidates of the cells of a bundle, where its line ends.
function gapIn(grid, node, shown) {
  const cells = [...new Set(node.map(({ index }) => index))];
  const gaps = cells.flatMap((index) => {
    const [x, y] = [grid.column(index) * UNIT, grid.row(index) * UNIT];
    const steps = [1, 2, 3, 4, 5].map((step) => step * GAP);
    return steps.flatMap((down) => steps.map((right) => [x + right, y + down]));
  });
  const room = (point) => Math.min(...shown.map(({ at, radius }) => Math.hypot(point[0] - at[0], point[1] - at[1]) - radius));
  return gaps.reduce((best, gap) => (room(gap) > room(best) ? gap : best));
}

// The digits and candidates on the board, as circles that lines avoid.
function obstacles(grid, cells, room) {
  return cells.flatMap((cell, index) => {
    if (cell.digit) return [{ name: `${index}`, at: cellCentre(grid, index), radius: 0.3 * UNIT }];
    const digits = Array.from({ length: grid.side }, (_, place) => place + 1).filter((digit) => cell.inks?.[digit] || cell.candidates & (1 << (digit - 1)));
    // A coloured candidate has a circle around it.
    return digits.map((digit) => ({ name: `${index} ${digit}`, at: centre(grid, { index, digit }), radius: (cell.inks?.[digit] ? 1.05 : 0.85) * room }));
  });
}

// The cheapest way through the gaps (A*), then straightened as far as the gaps allow.
function route(grid, { start, end, from, to, isBundle }, shown, used) {
  const own = new Set((isBundle ? [] : [...from, ...to]).map(({ index, digit }) => `${index} ${digit}`));
  const others = shown.filter(({ name }) => !own.has(name));
  const side = (grid.side * UNIT) / GAP + 1;
  const cost = new Float32Array(side * side).fill(1);
  for (const { at, radius } of others) {
    const reach = radius + 3;
    for (let row = Math.max(0, Math.ceil((at[1] - reach) / GAP)); row <= Math.min(side - 1, (at[1] + reach) / GAP); row += 1) {
      for (let column = Math.max(0, Math.ceil((at[0] - reach) / GAP)); column <= Math.min(side - 1, (at[0] + reach) / GAP); column += 1) {
        const distance = Math.hypot(column * GAP - at[0], row * GAP - at[1]);
        if (distance < radius) cost[row * side + column] = 60;
        else if (distance < reach) cost[row * side + column] = Math.max(cost[row * side + column], 1.4);
      }
    }
  }
  for (let edge = 0; edge < side; edge += 1) for (const node of [edge, edge * side, edge * side + side - 1, side * (side - 1) + edge]) cost[node] += 3;
  for (const [node, count] of used) cost[node] += 1.5 * count;
  const nodeOf = ([x, y]) => Math.round(y / GAP) * side + Math.round(x / GAP);
  const pointOf = (node) => [(node % side) * GAP, Math.floor(node / side) * GAP];
  const path = cheapest(nodeOf(start), nodeOf(end), cost, side);
  for (const node of path) used.set(node, (used.get(node) ?? 0) + 1);
  const isFree = (a, b) => others.every(({ at, radius }) => distanceTo(at, a, b) >= radius);
  return straightened([start, ...path.slice(1, -1).map(pointOf), end], isFree);
}

function cheapest(start, end, cost, side) {
  const [endRow, endColumn] = [Math.floor(end / side), end % side];
  const ahead = (node) => Math.hypot(Math.floor(node / side) - endRow, (node % side) - endColumn);
  const best = new Float32Array(cost.length).fill(Infinity);
  const before = new Int32Array(cost.length).fill(-1);
  const open = new Heap();
  best[start] = 0;
  open.push(ahead(start), start);
  for (let node = open.pop(); node !== undefined && node !== end; node = open.pop()) {
    const [row, column] = [Math.floor(node / side), node % side];
    for (let down = -1; down <= 1; down += 1) {
      for (let right = -1; right <= 1; right += 1) {
        if (row + down < 0 || row + down >= side || column + right < 0 || column + right >= side) continue;
        const next = node + down * side + right;
        const sum = best[node] + Math.hypot(down, right) * cost[next];
        if (sum >= best[next]) continue;
        best[next] = sum;
        before[next] = node;
        open.push(sum + ahead(next), next);
      }
    }
  }
  const path = [end];
  while (before[path[0]] >= 0) path.unshift(before[path[0]]);
  return path;
}

// A binary heap of numbers with priorities.
class Heap {
  items = [];
  push(priority, value) {
    const { items } = this;
    let at = items.push([priority, value]) - 1;
    while (at > 0 && items[(at - 1) >> 1][0] > items[at][0]) {
      [items[(at - 1) >> 1], items[at]] = [items[at], items[(at - 1) >> 1]];
      at = (at - 1) >> 1;
    }
  }
  pop() {
    const { items } = this;
    const [top] = items;
    const last = items.pop();
    if (items.length > 0) {
      items[0] = last;
      for (let at = 0; ; ) {
        const child = [2 * at + 1, 2 * at + 2].filter((place) => place < items.length).reduce((best, place) => (items[place][0] < items[best][0] ? place : best), at);
        if (child === at) break;
        [items[at], items[child]] = [items[child], items[at]];
        at = child;
      }
    }
    return top?.[1];
  }
}

function distanceTo([x, y], [x1, y1], [x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const t = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x1 - t * dx, y - y1 - t * dy);
}

// Leaves out the points that a straight line can pass by.
function straightened(points, isFree) {
  const kept = [points[0]];
  for (let at = 0; at < points.length - 1; ) {
    let next = points.length - 1;
    while (next > at + 1 && !isFree(points[at], points[next])) next -= 1;
    kept.push(points[next]);
    at = next;
  }
  return kept;
}

// Candidates that form one node of a chain: a band behind all of them.
function band(points, room) {
  return shape("polyline", { points: points.map((point) => point.join(",")).join(" "), class: "group", "stroke-width": 2.2 * room });
}

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// From a digit through the cells that it blocks, and a cross in each of them.
function rayShapes(grid, { from, to, cells }, index) {
  const [[x1, y1], [x2, y2]] = [cellCentre(grid, from), cellCentre(grid, to)];
  const far = 0.42 * UNIT;
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const line = shape("path", { d: `M${x1 + ux * far} ${y1 + uy * far}L${x2 + ux * far} ${y2 + uy * far}`, class: "ray", pathLength: 1 });
  line.style.setProperty("--turn-at", index);
  const cross = (cell) => {
    const [x, y] = cellCentre(grid, cell);
    const drawn = shape("path", { d: `M${x - 9} ${y - 9}L${x + 9} ${y + 9}M${x + 9} ${y - 9}L${x - 9} ${y + 9}`, class: "blocked" });
    drawn.style.setProperty("--turn-at", index);
    return drawn;
  };
  return [line, ...cells.map(cross)];
}

// A line between the edges of two candidates, with rounded corners and an arrowhead at its end.
function linkShapes(points, { strong, branch = 0, isBundle = false }, room, index) {
  const ends = [...points];
  const towards = ([ax, ay], [bx, by], far) => {
    const length = Math.hypot(bx - ax, by - ay) || 1;
    return [ax + ((bx - ax) * Math.min(far, length / 2)) / length, ay + ((by - ay) * Math.min(far, length / 2)) / length];
  };
  const last = ends.length - 1;
  ends[0] = towards(points[0], points[1], room);
  const tip = towards(points[last], points[last - 1], room);
  const neck = towards(tip, ends[last - 1], 9);
  const size = Math.hypot(tip[0] - neck[0], tip[1] - neck[1]) || 1;
  const [ux, uy] = [(tip[0] - neck[0]) / size, (tip[1] - neck[1]) / size];
  ends[last] = neck;
  let d = `M${ends[0].join(" ")}`;
  for (let at = 1; at < last; at += 1) d += `L${towards(ends[at], ends[at - 1], 8).join(" ")}Q${ends[at].join(" ")} ${towards(ends[at], ends[at + 1], 8).join(" ")}`;
  d += `L${neck.join(" ")}`;
  const wing = (side) => `${neck[0] - 5 * side * uy} ${neck[1] + 5 * side * ux}`;
  const names = [isBundle && "bundle", branch && `branch-${((branch - 1) % 5) + 1}`].filter(Boolean);
  const draw = (path, className) => {
    const drawn = shape("path", { d: path, class: [className, ...names].join(" ") });
    drawn.style.setProperty("--turn-at", index);
    return drawn;
  };
  return [draw(d, strong ? "strong" : "weak"), draw(`M${tip.join(" ")}L${wing(1)}L${wing(-1)}Z`, "head")];
}
