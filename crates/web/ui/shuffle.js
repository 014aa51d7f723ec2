// Transforms a position into an equivalent one that looks different: permutes bands, rows, stacks,
// columns and digits.

// Numbers that depend only on the seed, so that the next exercise is a different one.
function random(seed) {
  let now = (seed * 2654435761 + 12345) >>> 0;
  return () => {
    now = (Math.imul(now, 1664525) + 1013904223) >>> 0;
    return now / 2 ** 32;
  };
}

function permutation(count, next) {
  const list = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(next() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
  return list;
}

// New positions of lines: bands are permuted, and lines within their band.
function lines(bands, size, next) {
  const order = permutation(bands, next);
  return order.flatMap((band) => permutation(size, next).map((line) => band * size + line));
}

// A board of a lesson, { puzzle, boxes, grid, candidates, steps }, as an exercise with its first
// step.
export function shuffled({ puzzle, boxes, grid, candidates, steps }, seed) {
  const [boxRows, boxColumns] = boxes.split("x").map(Number);
  const side = boxRows * boxColumns;
  const next = random(seed + 1);
  const [rows, columns] = [lines(side / boxRows, boxRows, next), lines(side / boxColumns, boxColumns, next)];
  const digits = permutation(side, next);
  const symbols = "123456789ABCDEFGHIJKLMNOP";
  // The cell that moves to a position, and the position that a cell moves to.
  const from = Array.from({ length: side * side }, (_, place) => rows[Math.floor(place / side)] * side + columns[place % side]);
  const to = [];
  from.forEach((cell, place) => (to[cell] = place));
  const digit = (number) => digits[number - 1] + 1;
  const line = (text) => from.map((cell) => (symbols.includes(text[cell]) ? symbols[digit(symbols.indexOf(text[cell]) + 1) - 1] : ".")).join("");
  const moved = ({ index, digit: number, ...rest }) => ({ ...rest, index: to[index], digit: digit(number), cell: `r${Math.floor(to[index] / side) + 1}c${(to[index] % side) + 1}` });
  const [step] = steps;
  const { houses, cells, candidates: inked, arrows } = step.picture;
  return {
    puzzle: line(puzzle),
    boxes,
    grid: line(grid),
    candidates: from.map((cell) => candidates[cell].map(digit).sort((a, b) => a - b)),
    step: {
      ...step,
      text: step.pattern,
      places: step.places.map(moved),
      removes: step.removes.map(moved),
      picture: {
        houses: houses.map((house) => house.map((cell) => to[cell])),
        cells: cells.map((cell) => to[cell]),
        candidates: inked.map(moved),
        arrows: arrows.map((arrow) => ({ ...arrow, from: arrow.from.map(moved), to: arrow.to.map(moved) })),
      },
    },
  };
}
