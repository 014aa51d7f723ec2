// Draws the links of a step (inferences such as "if this candidate is false, that one is true") as
// curves with arrowheads between candidates. Curves are bent so that links in one line do not cover
// each other; each curve takes the bend that stays on the board and crosses the fewest digits.

const SVG = "http://www.w3.org/2000/svg";

// The side of a cell in the coordinates of the arrows.
export const UNIT = 60;

// How far a curve may bend, as a fraction of its length, in order of preference.
const BENDS = [0.12, -0.12, 0.22, -0.22, 0, 0.34, -0.34];
const LOOKS = 24;

// Draws over a board: a band behind each group of candidates that is one node, and a curve with an
// arrowhead for each link.
export function arrowShapes({ grid, cells, arrows }) {
  const room = UNIT / (2.3 * Math.max(grid.boxRows, grid.boxColumns));
  const at = (candidate) => centre(grid, candidate);
  const middle = (node) => [0, 1].map((axis) => node.map(at).reduce((sum, p) => sum + p[axis], 0) / node.length);
  const groups = arrows.flatMap(({ from, to }) => [from, to]).filter((node) => node.length > 1);
  const distinct = new Map(groups.map((node) => [JSON.stringify(node.map(({ index, digit }) => [index, digit])), node]));
  return [
    ...[...distinct.values()].map((node) => band(node.map(at), room)),
    ...arrows.flatMap((arrow) => {
      const [start, end] = [middle(arrow.from), middle(arrow.to)];
      const own = new Set([...arrow.from, ...arrow.to].map(({ index, digit }) => `${index} ${digit}`));
      const hits = (point) => (isHit(grid, cells, point, room, own) ? 1 : 0);
      return link(start, end, control(start, end, grid.side * UNIT, hits), arrow, room);
    }),
  ];
}

function centre(grid, { index, digit }) {
  const part = (place, count) => (UNIT * (place + 0.5)) / count;
  const x = grid.column(index) * UNIT + part((digit - 1) % grid.boxColumns, grid.boxColumns);
  const y = grid.row(index) * UNIT + part(Math.floor((digit - 1) / grid.boxColumns), grid.boxRows);
  return [x, y];
}

// Whether a point is on a digit, or on a candidate other than the two ends of the link.
function isHit(grid, cells, [x, y], room, own) {
  const [row, column] = [Math.floor(y / UNIT), Math.floor(x / UNIT)];
  const index = row * grid.side + column;
  const cell = cells[index];
  if (cell.digit) return Math.hypot(x - (column + 0.5) * UNIT, y - (row + 0.5) * UNIT) < 0.28 * UNIT;
  const [line, place] = [Math.floor((y / UNIT - row) * grid.boxRows), Math.floor((x / UNIT - column) * grid.boxColumns)];
  const digit = line * grid.boxColumns + place + 1;
  const isShown = cell.inks?.[digit] || cell.candidates & (1 << (digit - 1));
  if (!isShown || own.has(`${index} ${digit}`)) return false;
  const [cx, cy] = centre(grid, { index, digit });
  return Math.hypot(x - cx, y - cy) < 0.8 * room;
}

// The control point of the curve with the lowest cost. Leaving the board costs more than any number
// of digits.
function control([x1, y1], [x2, y2], size, hits) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const choices = BENDS.map((bend, index) => {
    const [cx, cy] = [(x1 + x2) / 2 - dy * bend, (y1 + y2) / 2 + dx * bend];
    let cost = index / 2;
    for (let look = 1; look < LOOKS; look += 1) {
      const t = look / LOOKS;
      const along = (a, b, c) => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c;
      const point = [along(x1, cx, x2), along(y1, cy, y2)];
      cost += point.some((value) => value < 2 || value > size - 2) ? LOOKS : hits(point);
    }
    return { cost, at: [cx, cy] };
  });
  return choices.reduce((best, choice) => (choice.cost < best.cost ? choice : best)).at;
}

// Candidates that form one node of a chain: a band behind all of them.
function band(points, room) {
  const path = document.createElementNS(SVG, "polyline");
  path.setAttribute("points", points.map((point) => point.join(",")).join(" "));
  path.setAttribute("class", "group");
  path.setAttribute("stroke-width", 2.2 * room);
  return path;
}

// A curve between the edges of two candidates, so that it covers neither digit, with an arrowhead
// at its end.
function link(start, end, control, { strong, branch = 0 }, room) {
  const towards = ([ax, ay], [bx, by], far) => {
    const length = Math.hypot(bx - ax, by - ay) || 1;
    return [ax + ((bx - ax) * far) / length, ay + ((by - ay) * far) / length];
  };
  const [from, tip] = [towards(start, control, room), towards(end, control, room)];
  const neck = towards(tip, control, 9);
  const [ux, uy] = [(tip[0] - neck[0]) / 9, (tip[1] - neck[1]) / 9];
  const wing = (side) => `${neck[0] - 5 * side * uy} ${neck[1] + 5 * side * ux}`;
  const draw = (d, className) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    path.setAttribute("class", branch ? `${className} branch-${((branch - 1) % 5) + 1}` : className);
    return path;
  };
  return [
    draw(`M${from.join(" ")}Q${control.join(" ")} ${neck.join(" ")}`, strong ? "strong" : "weak"),
    draw(`M${tip.join(" ")}L${wing(1)}L${wing(-1)}Z`, "head"),
  ];
}
