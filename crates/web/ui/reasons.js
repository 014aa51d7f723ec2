// What the page adds to the picture of a step: which digits block a house, which candidates matter,
// and the cases of a long explanation, one after the other. The functions have no side effects.

import { bit, setOf } from "./geometry.js";

// For a digit that has only one place left in a house: the digits elsewhere that block its other
// cells, as few as possible. Each is { from, to, cells }: from the digit to the farthest cell that
// it blocks.
export function blockers(grid, digits, step) {
  const [place] = step.places;
  const house = step.picture.houses.find((cells) => place && cells.includes(place.index));
  if (step.places.length !== 1 || !house) return [];
  let open = house.filter((cell) => !digits[cell] && cell !== place.index);
  const sources = grid.cells.filter((cell) => digits[cell] === place.digit);
  const rays = [];
  while (open.length > 0) {
    // The cells of the house that a digit blocks along one line; its own box counts as a line to
    // each of its cells.
    const blocked = sources.flatMap((from) => [grid.row, grid.column].map((line) => ({ from, cells: open.filter((cell) => line(cell) === line(from)) })));
    const inBox = sources.map((from) => ({ from, cells: open.filter((cell) => grid.box(cell) === grid.box(from)), isBox: true }));
    const best = [...blocked, ...inBox].reduce((most, next) => (next.cells.length > most.cells.length ? next : most), { cells: [] });
    if (best.cells.length === 0) break;
    const away = (cell) => Math.abs(grid.row(cell) - grid.row(best.from)) + Math.abs(grid.column(cell) - grid.column(best.from));
    const farthest = best.cells.reduce((far, cell) => (away(cell) > away(far) ? cell : far));
    if (best.isBox) rays.push(...best.cells.map((cell) => ({ from: best.from, to: cell, cells: [cell] })));
    else rays.push({ from: best.from, to: farthest, cells: best.cells });
    open = open.filter((cell) => !best.cells.includes(cell));
  }
  return rays;
}

// The candidates that an explanation talks about: those of the picture, all candidates of its cells,
// and the same digits in its houses.
export function mattering(grid, kept, picture) {
  const inked = picture.candidates.map(({ digit }) => digit);
  const linked = picture.arrows.flatMap(({ from, to }) => [...from, ...to]);
  const digits = setOf([...new Set(inked)]);
  const sets = kept.map((set, cell) => (picture.cells.includes(cell) ? set : 0));
  for (const cell of picture.houses.flat()) sets[cell] |= kept[cell] & digits;
  for (const { index, digit } of [...picture.candidates, ...linked]) sets[index] |= bit(digit);
  return sets;
}

const HOUSE = /\b(?:(row|Zeile|fila)|(column|Spalte|columna)|(box|Block|Blocks|bloque|caja)) (\d+)/gi;
const CELL = /\b[a-zA-Z](\d+)[a-zA-Z](\d+)\b/g;
const CLAUSE = /[,.;:]\s|\s(?:and|und|y)\s/;

// The cases of a long explanation, as { label, facts, clash }: what is written where, in the order
// of the text, and the cells that break. An empty list if the text has no cases.
export function casesOf(grid, step) {
  const lines = step.text.split("\n").filter(Boolean);
  if (step.picture.arrows.length < 6 || !isSupposing(step)) return [];
  const cases = lines.map((line, index) => ({ ...caseOf(grid, line), line: index })).filter(({ facts, clash }) => facts.length + clash.length > 0);
  const assumed = step.removes.length > 0 && step.places.length === 0 ? [{ cell: step.removes[0].index, digit: step.removes[0].digit, isAssumed: true }] : [];
  const isLeaf = ({ number }) => !cases.some((other) => other.number !== number && (number === "" || other.number.startsWith(`${number}.`)));
  return cases.filter(isLeaf).map(({ number, label, line, facts, clash }) => {
    const roots = cases.filter((other) => other.number !== number && (other.number === "" || number.startsWith(`${other.number}.`)));
    return { label, line, facts: distinct([...assumed, ...roots.flatMap((root) => root.facts), ...facts]), from: distinct([...assumed, ...roots.flatMap((root) => root.facts)]).length, clash };
  }).filter(({ clash, from, facts }) => clash.length > 0 || facts.length > from);
}

// Forcing chains and nets, and exocets with cases, suppose something and follow it.
const isSupposing = ({ slug }) => /forcing|net|exocet-(link|mirror)|kraken/.test(slug);

const distinct = (facts) => facts.filter(({ cell, digit }, index) => facts.findIndex((other) => other.cell === cell && other.digit === digit) === index);

function caseOf(grid, line) {
  const label = /^\s*\S+ ([\d.]+),[^:]*:/.exec(line);
  // Sentences with alternatives announce the next cases and say nothing definite.
  const sentences = line.trim().split(/[.]\s/).filter((sentence) => !/\s(or|oder|o|u)\s/.test(sentence));
  const facts = sentences.flatMap((sentence) => sentence.split(CLAUSE)).flatMap((clause) => factOf(grid, clause));
  const ends = sentences.map((sentence) => clashOf(grid, sentence));
  return { number: label?.[1] ?? "", label: label?.[0].trim().replace(/:$/, "") ?? "", facts, clash: ends.slice(facts.length > 0 ? 1 : 0).findLast((cells) => cells.length > 0) ?? [] };
}

const cellsIn = (grid, text) => [...text.matchAll(CELL)].map(([, row, column]) => (Number(row) - 1) * grid.side + Number(column) - 1);

// `the 9 of row 2 is in r2c2` and `r4c1 is 3`: one cell and one digit.
function factOf(grid, clause) {
  const cells = cellsIn(grid, clause);
  const numbers = clause.replace(HOUSE, "").replace(CELL, "").match(/(?<![\d.])\d+(?![\d.]*\d)/g) ?? [];
  return cells.length === 1 && numbers.length === 1 && !NOT.test(clause) ? [{ cell: cells[0], digit: Number(numbers[0]) }] : [];
}

const NOT = /\b(not|cannot|nor|no|kein|keine|keinen|nicht|ningún|ninguna|ni|puede)\b/i;

// `Box 4 has no place for 3` and `r1c4 has no digit left`.
function clashOf(grid, sentence) {
  const head = sentence.replace(/^\s*\S+ [\d.]+,[^:]*:/, "").split(":")[0];
  if (!NOT.test(head)) return [];
  const [house] = [...head.matchAll(HOUSE)];
  if (house) {
    const kind = house[1] ? 0 : house[2] ? 1 : 2;
    return grid.houses[kind * grid.side + Number(house[4]) - 1] ?? [];
  }
  return cellsIn(grid, head).slice(0, 1);
}
