// Exercises: a real position in which a technique is the next step. The player finds it, our finders check it.
//
// The generator makes a puzzle that needs the technique; its explanation leads to the position before that step. Where
// none is found in time, the lesson's own position is turned into another one that looks different and is the same.

import * as api from "./api.js";
import * as store from "./store.js";
import { EXERCISES, judge } from "./school.js";
import { change, state } from "./page.js";
import { cellName, digitsOfLine, geometryNamed, lineOf, symbol } from "./geometry.js";
import { shuffled } from "./shuffle.js";
import { words } from "./words.js";

// Longer than this nobody likes to wait for a puzzle; rare techniques are rarely found.
const PATIENCE_MS = 8000;

// The finder is asked so many times for other ways to see the technique in the same position.
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

// A position out of a new puzzle, with the step that is next.
async function madePosition(slug) {
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

// All ways in which the finder sees the technique here: each is taken away before it is asked again.
async function allWays({ puzzle, boxes, grid: line, candidates, step }, slug) {
  const ways = [conclusions(step)];
  const grid = geometryNamed(boxes);
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

const isPlacing = ({ step }) => step.places.length > 0;

// A press on the board chooses the cell that the keys are about.
export function pressExercise(cell) {
  const { exercise } = state.learn;
  if (exercise?.state === "open" && exercise.candidates[cell].length > 0) setExercise({ cell, said: "" });
}

// A key strikes a candidate of the chosen cell, or writes its digit, or takes that back.
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

export const exerciseActions = {
  "exercise-start": begin,
  "exercise-check": checkIt,
  "exercise-show": () => setExercise({ shown: true, said: state.learn.exercise.step.text, bad: false }),
  "exercise-end": () => change("learn", { exercise: null }),
  "exercise-key": ({ index }) => typeKey(index),
};
