// Changes to a puzzle that is being set: adding and removing rules, and symmetries of the complete
// puzzle. The functions have no side effects.

// Where the number of a rule is stored.
const NUMBERS = { cage: "sum", sum: "sum", sum_dot: "sum", sandwich: "sum", x_sum: "sum", little_killer: "sum", skyscraper: "count", numbered_room: "digit", white_dot: "difference", whispers: "difference", lockout: "difference", black_dot: "ratio", modular: "modulus" };
const LISTS = ["quadruple", "pencil_marks"];
export const hasNumber = (kind) => kind in NUMBERS || LISTS.includes(kind);

// The numbers of rules that need one, unless the setter types another.
const usual = (kind, side) => ({ whispers: Math.ceil(side / 2), lockout: 4, modular: 3, white_dot: 1, black_dot: 2, sum_dot: 10 })[kind];

export const digitsIn = (text) => [...String(text)].map(Number).filter(Boolean);

export function withNumber(item, kind, number) {
  if (LISTS.includes(kind)) return { ...item, digits: digitsIn(number) };
  const { [NUMBERS[kind]]: _, ...others } = item;
  return number === "" || number === undefined ? others : { ...item, [NUMBERS[kind]]: Number(number) };
}

// The item of a rule that was drawn over cells; null if the cells do not fit.
export function itemOf(kind, cells, number, side, name) {
  const names = cells.map(name).join(" ");
  const count = cells.length;
  if (kind === "arrow") return count > 1 ? { circle: name(cells[0]), lines: [names] } : null;
  if (kind === "clone") return count > 1 && count % 2 === 0 ? { cells: cells.slice(0, count / 2).map(name).join(" "), clones: cells.slice(count / 2).map(name).join(" ") } : null;
  if (kind === "pencil_marks") return { cell: name(cells[0]), digits: digitsIn(number) };
  if (/_dot$/.test(kind) && count !== 2) return null;
  if (kind === "greater_than" && count < 2) return null;
  if (!["cage", "extra_region", "quadruple", "counting_circles", "sum"].includes(kind) && count < 2) return null;
  const set = ["cage", "extra_region", "quadruple", "counting_circles", "sum"].includes(kind) ? [...new Set(cells)].map(name).join(" ") : names;
  const value = number === "" ? usual(kind, side) : number;
  return hasNumber(kind) ? withNumber({ cells: set }, kind, value ?? "") : { cells: set };
}

export const withItem = (rules, kind, item) => ({ ...rules, [kind]: [...(rules[kind] ?? []), item] });

export function withoutRule(rules, [table, index]) {
  const { [table]: value, ...others } = rules;
  if (value === true) return others;
  const left = (typeof value === "string" ? value.split(" ") : value).filter((_, at) => at !== index);
  if (left.length === 0) return others;
  return { ...rules, [table]: typeof value === "string" ? left.join(" ") : left };
}

export function changedItem(rules, [table, index], change) {
  return { ...rules, [table]: rules[table].map((item, at) => (at === index ? change(item) : item)) };
}

// Marks a single cell, or unmarks it. A cell is not both even and odd, nor a maximum and a minimum.
const OPPOSITE = { even: "odd", odd: "even", maximum: "minimum", minimum: "maximum" };
export function toggledCell(rules, kind, name) {
  const without = (key, from) => {
    const left = (from[key] ?? "").split(" ").filter((other) => other && other !== name);
    const { [key]: _, ...others } = from;
    return left.length > 0 ? { ...from, [key]: left.join(" ") } : others;
  };
  const has = (rules[kind] ?? "").split(" ").includes(name);
  const cleared = without(OPPOSITE[kind], rules);
  return has ? without(kind, cleared) : { ...cleared, [kind]: [cleared[kind], name].filter(Boolean).join(" ") };
}

export function toggled(rules, kind, what) {
  if (what) {
    const list = rules[kind] ?? [];
    const left = list.includes(what) ? list.filter((one) => one !== what) : [...list, what];
    const { [kind]: _, ...others } = rules;
    return left.length > 0 ? { ...rules, [kind]: left } : others;
  }
  const { [kind]: had, ...others } = rules;
  return had ? others : { ...rules, [kind]: true };
}

// The region of each cell as signs, from boxes or regions.
const SIGNS = "123456789ABCDEFGHIJKLMNOP";
export const signsOf = (regions) => regions.map((region) => (region < 0 ? "-" : SIGNS[region]));

// The cells take the region of the first one.
export function painted(rules, regions, cells, side) {
  const signs = signsOf(regions);
  for (const cell of cells) signs[cell] = signs[cells[0]];
  const { boxes, regions: old, ...others } = rules;
  const rows = Array.from({ length: side }, (_, row) => signs.slice(row * side, (row + 1) * side).join(""));
  return { size: side, regions: rows.join(" "), ...others };
}

// Symmetries of the square: where a place goes, for rows and columns counted from 1; 0 and side + 1
// are beside the grid.
export const TURN = (side) => (row, column) => [column, side + 1 - row];
export const MIRROR = (side) => (row, column) => [row, side + 1 - column];

const DIRECTIONS = { "down right": [1, 1], "down left": [1, -1], "up right": [-1, 1], "up left": [-1, -1] };

export function transformed({ boxes, rules, clues }, side, map) {
  const index = (row, column) => (row - 1) * side + column - 1;
  const move = (text) => text.replace(/r(\d+)c(\d+)/g, (_, row, column) => (([r, c]) => `r${r}c${c}`)(map(Number(row), Number(column))));
  const deep = (value) => {
    if (typeof value === "string") return DIRECTIONS[value] ? turned(value) : move(value);
    if (Array.isArray(value)) return value.map(deep);
    return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one)])) : value;
  };
  const turned = (direction) => {
    const [from, to] = [[1, 1], [1 + DIRECTIONS[direction][0], 1 + DIRECTIONS[direction][1]]].map(([row, column]) => map(row, column));
    return Object.keys(DIRECTIONS).find((name) => DIRECTIONS[name][0] === to[0] - from[0] && DIRECTIONS[name][1] === to[1] - from[1]);
  };
  // Rows and columns of boxes change places if the first row becomes a column.
  const isTurned = map(1, 1)[0] !== map(1, 2)[0];
  const shape = (name) => (isTurned && !name.startsWith("1x") ? name.split("x").reverse().join("x") : name);
  const moved = (list) => {
    const result = [...list];
    list.forEach((value, cell) => {
      const [row, column] = map(Math.floor(cell / side) + 1, (cell % side) + 1);
      result[index(row, column)] = value;
    });
    return result;
  };
  const { boxes: box, size, regions, diagonals, ...others } = rules;
  const swap = { rising: "falling", falling: "rising" };
  // A turn or a mirror exchanges the diagonals.
  const isSwapped = (([r1, c1], [r2, c2]) => (r2 - r1) * (c2 - c1) < 0)(map(1, 1), map(2, 2));
  const signs = regions && moved([...regions.replace(/\s/g, "")]);
  return {
    boxes: shape(boxes),
    clues: moved(clues),
    rules: {
      ...(box && { boxes: shape(box) }),
      ...(size && { size }),
      ...(signs && { regions: Array.from({ length: side }, (_, row) => signs.slice(row * side, (row + 1) * side).join("")).join(" ") }),
      ...(diagonals && { diagonals: diagonals.map((name) => (isSwapped ? swap[name] : name)) }),
      ...deep(others),
    },
  };
}

// The cells that belong together under a symmetry of the clues.
export function orbit(cell, symmetry, side) {
  const [row, column] = [Math.floor(cell / side), cell % side];
  const last = side - 1;
  const images = {
    none: [],
    half: [[last - row, last - column]],
    quarter: [[column, last - row], [last - row, last - column], [last - column, row]],
    horizontal: [[row, last - column]],
    vertical: [[last - row, column]],
    diagonal: [[column, row]],
  }[symmetry];
  return images.map(([r, c]) => r * side + c);
}
