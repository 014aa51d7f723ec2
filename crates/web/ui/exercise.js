// Exercises: a real position in which a technique is the next step. The player finds the step, the
// library checks it.
//
// The generator makes a puzzle that needs the technique, and its explanation leads to the position
// before that step. If no puzzle is found in time, the position of the lesson is transformed into
// an equivalent one that looks different.

import * as api from "./api.js";
import * as store from "./store.js";
import { EXERCISES, judge } from "./school.js";
import { change, state } from "./page.js";
import { cellName, digitsOfLine, geometryNamed, lineOf, symbol } from "./geometry.js";
import { actionOf } from "./keys.js";
import { shuffled } from "./shuffle.js";
import { words } from "./words.js";

// The longest time a player should wait for a puzzle; puzzles for rare techniques are often not
// found.
const PATIENCE_MS = 8000;

// The maximum number of instances of the technique to look for in one position.
const MOST_WAYS = 6;

const setExercise = (changes) => change("learn", { exercise: { ...state.learn.exercise, ...changes } });

async function begin() {
  const { slug, lesson } = state.learn;
  setExercise({ slug, state: "making", said: "" });
  try {
    const made = await madePosition(slug).catch(() => null);
    const exercise = made ?? shuffled(lesson.boards[0], state.learn.school[slug] ?? 0);
    if (state.learn.exercise?.slug !== slug) return;
    const ways = await allWays(exercise, slug);
    setExercise({ ...exercise, slug, ways, state: "open", chosen: [], cell: null, said: "", shown: false });
  } catch {
    if (state.learn.exercise?.slug === slug) change("learn", { exercise: { slug, state: "none", said: words.exerciseNone } });
  }
}

// A position from a new puzzle, and its next step.
export async function madePosition(slug) {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const giveUp = new AbortController();
  patience.addEventListener("abort", () => giveUp.abort());
  const { puzzle, boxes } = await api.generate({ boxes: "3x3", needs: [slug] }, giveUp.signal);
  const { start, candidates, steps } = await api.explain({ puzzle, boxes, language: state.settings.language }, giveUp.signal);
  const at = steps.findIndex((step) => step.slug === slug);
  if (at < 0) return null;
  const grid = geometryNamed(boxes);
  const digits = digitsOfLine(start, grid.side);
  const sets = candidates.map((list) => [...list]);
  for (const { places, removes } of steps.slice(0, at)) {
    for (const { index: cell, digit } of places) {
      digits[cell] = digit;
      sets[cell] = [];
      for (const peer of grid.peers[cell]) sets[peer] = sets[peer].filter((other) => other !== digit);
    }
    for (const { index: cell, digit } of removes) sets[cell] = sets[cell].filter((other) => other !== digit);
  }
  return { puzzle, boxes, grid: lineOf(digits), candidates: sets, step: steps[at] };
}

const conclusions = ({ places, removes }) => (places.length > 0 ? places : removes).map(({ index, digit }) => [index, digit]);

// All instances of the technique that the library finds in this position. The candidates that an
// instance removes are removed before searching for the next one.
async function allWays({ puzzle, boxes, grid: line, candidates, step }, slug) {
  const grid = geometryNamed(boxes);
  if (SINGLES[slug]) return singles(grid, candidates, SINGLES[slug]);
  const ways = [conclusions(step)];
  const clues = digitsOfLine(puzzle, grid.side);
  const entries = digitsOfLine(line, grid.side).flatMap((digit, cell) => (digit && !clues[cell] ? [[cell, digit]] : []));
  const marks = candidates.map((list) => [...list]);
  for (let count = 0; count < MOST_WAYS && step.places.length === 0; count += 1) {
    for (const [cell, digit] of ways.at(-1)) marks[cell] = marks[cell].filter((other) => other !== digit);
    const { step: next } = await api.hint({ puzzle, boxes, entries, marks }).catch(() => ({}));
    if (next?.slug !== slug || next.places.length > 0) break;
    ways.push(conclusions(next));
  }
  return ways;
}

// The singles of one kind, each as [cell, digit]: they need no engine.
const SINGLES = {
  "full-house": { houses: true, places: (open) => (open.length === 1 ? open : []) },
  "naked-single": { houses: false },
  "hidden-single": { houses: true, places: (open, candidates, digit) => open.filter((cell) => candidates[cell].includes(digit)) },
};

function singles(grid, candidates, { houses, places }) {
  if (!houses) return grid.cells.filter((cell) => candidates[cell].length === 1).map((cell) => [[cell, candidates[cell][0]]]);
  const found = new Map();
  for (const house of grid.houses) {
    const open = house.filter((cell) => candidates[cell].length > 0);
    for (let digit = 1; digit <= grid.side; digit += 1) {
      const [cell, ...others] = places(open, candidates, digit);
      if (cell !== undefined && others.length === 0 && candidates[cell].includes(digit)) found.set(`${cell} ${digit}`, [[cell, digit]]);
    }
  }
  return [...found.values()];
}

const isPlacing = ({ step }) => step.places.length > 0;

// A press on the board selects the cell for the keys.
export function pressExercise(cell) {
  const { exercise } = state.learn;
  if (exercise?.state === "open" && exercise.candidates[cell].length > 0) setExercise({ cell, said: "" });
}

// The focus moved to a cell, with Tab or by a screen reader.
export function focusExercise(cell) {
  if (state.learn.exercise?.state === "open" && cell !== state.learn.exercise.cell) setExercise({ cell, said: "" });
}

// A key removes a candidate of the selected cell, or enters its digit, or undoes that.
function typeKey(digit) {
  const { exercise } = state.learn;
  const { cell, chosen } = exercise;
  if (cell === null || !exercise.candidates[cell].includes(digit)) return;
  const others = chosen.filter(([place, other]) => place !== cell || (!isPlacing(exercise) && other !== digit));
  const had = chosen.some(([place, other]) => place === cell && other === digit);
  setExercise({ chosen: had ? others : [...others, [cell, digit]], said: "" });
}

function checkIt() {
  const { exercise, slug } = state.learn;
  const { verdict, wrong, left } = judge(exercise.chosen, exercise.ways);
  const grid = geometryNamed(exercise.boxes);
  if (verdict === "wrong") return setExercise({ said: words.exerciseWrong(`${cellName(grid, wrong[0])} ${isPlacing(exercise) ? "=" : "≠"} ${symbol(wrong[1])}`), bad: true });
  if (verdict === "more") return setExercise({ said: words.exerciseMore(left), bad: false });
  if (verdict === "nothing") return setExercise({ said: words.exerciseNothing, bad: true });
  const school = { ...store.loadSchool() };
  if (!exercise.shown) school[slug] = Math.min(EXERCISES, (school[slug] ?? 0) + 1);
  store.saveSchool(school);
  change("learn", { school });
  setExercise({ state: "done", said: words.exerciseRight, bad: false });
}

// With the keyboard, the arrows move over the board and a digit works like its key.
function moveBy([rows, columns]) {
  const { exercise } = state.learn;
  const { side, row, column } = geometryNamed(exercise.boxes);
  const from = exercise.cell ?? 0;
  const wrap = (number) => (number + side) % side;
  setExercise({ cell: exercise.cell === null ? 0 : wrap(row(from) + rows) * side + wrap(column(from) + columns), said: "" });
}

// The action of a key press; null while there is no exercise, and for keys without an action.
export function exerciseKey(event) {
  const { exercise } = state.learn;
  if (exercise?.state === "done" && event.key === "Enter") return { action: "exercise-start" };
  if (exercise?.state !== "open") return null;
  if (event.key === "Enter") return { action: "exercise-check" };
  if (event.key === "Escape") return { action: "exercise-end" };
  const { action, by, digit } = actionOf(event, geometryNamed(exercise.boxes).side, state.settings) ?? {};
  if (action === "move") return { action: "exercise-move", by };
  return action === "type" ? { action: "exercise-key", index: digit } : null;
}

export const exerciseActions = {
  "exercise-move": ({ by }) => moveBy(by),
  "exercise-start": begin,
  "exercise-check": checkIt,
  "exercise-show": () => setExercise({ shown: true, said: state.learn.exercise.step.text, bad: false }),
  "exercise-end": () => change("learn", { exercise: null }),
  "exercise-key": ({ index }) => typeKey(index),
};
