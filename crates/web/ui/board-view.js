// What the board of the game shows: the game, a step of an explanation, or one of two solutions.

import { COLOURS, digitsOf, gridOf, shownCandidates } from "./game.js";
import { bit, conflicts, digitsOfLine, setOf } from "./geometry.js";
import { blockers, casesOf, mattering } from "./reasons.js";
import { inksOf, labelOf, withInks } from "./view.js";
import { words } from "./words.js";

export function boardView(state) {
  const shown = positionShown(state);
  const { game, settings } = state;
  const grid = gridOf(game);
  const digits = digitsOf(shown.position);
  const clashes = settings.mistakes === "off" && !shown.picture ? new Set() : conflicts(grid, digits);
  const digit = state.digit || digits[game.cursor];
  const story = shown.cases?.[shown.show.part];
  const ghosts = new Map((story?.facts.slice(0, shown.show.at) ?? []).map((fact) => [fact.cell, fact]));
  const clash = story && shown.show.at >= story.facts.length ? story.clash : [];
  const rays = raysShown(state);
  const look = { isStory: Boolean(story), ghosts, clash, rays, grid, digits, digit, clashes, wrong: new Set(wrongCells(state, digits)), ...shown };
  const cells = grid.cells.map((cell) => cellView(state, look, cell));
  const label = words.boardLabel(words.about(grid, game.position.clues.filter(Boolean).length));
  return { grid, cells, cursor: game.cursor, arrows: story ? NO_ARROWS : (shown.picture?.arrows ?? NO_ARROWS), rays, label, labels: settings.labels, lit: settings.equal ? digit : 0 };
}

const NO_ARROWS = [];

// The step that is explained; null if there is none.
export const stepShown = ({ hint, walk }) => (walk ? (walk.answer.steps[walk.index - 1] ?? null) : hint?.stage === 2 ? hint.answer.step : null);

function positionShown(state) {
  const { game, settings, hint, walk, two, show } = state;
  const { position } = game;
  const step = stepShown(state);
  const explained = (shown, kept) => {
    const picture = step?.picture ?? null;
    const sets = picture && !show.all ? mattering(gridOf(game), kept, picture) : kept;
    return { position: shown, kept: step && casesShown(state).length > 0 && !show.all ? [] : sets, picture, step, show, cases: casesShown(state), plain: true };
  };
  if (walk) {
    const now = walk.positions[Math.max(0, walk.index - 1)];
    return explained({ ...position, entries: now.entries }, now.candidates);
  }
  if (two) return { position: { ...position, entries: two.grids[two.shown] }, kept: null, picture: null, ringed: two.differ, plain: true };
  if (hint?.stage === 2 && hint.answer.step) {
    return explained(position, hint.answer.candidates.map(setOf));
  }
  const ringed = hint ? hintCells(hint) : [];
  return { position, kept: settings.auto && !game.setting ? shownCandidates(game) : null, picture: null, ringed };
}

// The cases of the explained step, computed once.
const known = new WeakMap();
export function casesShown(state) {
  const step = stepShown(state);
  if (!step) return [];
  if (!known.has(step)) known.set(step, casesOf(gridOf(state.game), step));
  return known.get(step);
}

// The digits that block the house of the explained step.
const knownRays = new WeakMap();
export function raysShown(state) {
  const step = stepShown(state);
  if (!step) return NO_ARROWS;
  if (!knownRays.has(step)) {
    const { game, walk } = state;
    const entries = walk ? walk.positions[walk.index - 1].entries : game.position.entries;
    const rays = blockers(gridOf(game), digitsOf({ ...game.position, entries }), step);
    knownRays.set(step, rays.length > 0 ? rays : NO_ARROWS);
  }
  return knownRays.get(step);
}

// The first stage of a hint marks no more than its text says; the second marks the pattern. A
// mistake marks its cell.
function hintCells({ answer, stage }) {
  if (!answer.step) return answer.cells;
  const { cells, houses, candidates: coloured } = answer.step.picture;
  if (houses.length > 0) return houses.flat();
  if (stage === 0) return coloured.length === 1 ? [coloured[0].index] : [];
  return cells.length > 0 ? cells : coloured.map(({ index }) => index);
}

function wrongCells({ game, settings, walk, two }, digits) {
  if (walk || two) return [];
  if (settings.mistakes !== "solution" || !game.solution) return game.wrong;
  return digits.flatMap((digit, cell) => (digit && digit !== game.solution[cell] ? [cell] : []));
}

function cellView({ game, settings }, look, cell) {
  const { grid, digits, position, picture } = look;
  const digit = digits[cell];
  const isWrong = look.wrong.has(cell) || look.clashes.has(cell);
  const ghost = digits[cell] ? null : look.ghosts.get(cell);
  const inks = look.cases?.length > 0 ? {} : inksOf(picture, cell);
  const sees = settings.peers && !picture && cell !== game.cursor && grid.peers[game.cursor].includes(cell);
  const equal = settings.equal && !picture && digit && digit === look.digit;
  const classes = [
    position.clues[cell] ? "clue" : "entry",
    !look.plain && game.selected.includes(cell) && "selected",
    cell === game.cursor && "cursor",
    sees && "peer",
    equal && "equal",
    isWrong && "wrong",
    !look.isStory && picture?.houses.some((house) => house.includes(cell)) && "house",
    !look.isStory && picture?.cells.includes(cell) && "pattern",
    look.ringed?.includes(cell) && "ringed",
    look.rays.some(({ from }) => from === cell) && "blocker",
    look.clash.includes(cell) && "clash",
    ghost && `ghost case-${(look.show.part % 5) + 1}`,
    ghost?.isAssumed && "assumed",
  ];
  // The player's own marks stay beside automatic candidates: corner marks in the corners, centre
  // marks as highlighted candidates.
  const own = !digit && !look.plain;
  const view = {
    digit: ghost?.digit ?? digit,
    inks,
    classes: classes.filter(Boolean),
    corner: own ? position.corner[cell] : 0,
    centre: own && !look.kept ? position.centre[cell] : 0,
    own: own && look.kept ? position.centre[cell] : 0,
    candidates: digit || ghost || !look.kept ? 0 : withInks(look.kept[cell] ?? 0, inks),
    colours: look.plain ? [] : COLOURS.filter((_, index) => position.colours[cell] & bit(index + 1)),
    invalid: isWrong,
  };
  return { ...view, label: labelOf(grid, cell, view, position.clues[cell]) };
}

// The positions before each step of an explanation, and the one after the last step.
export function positionsOf(game, answer) {
  const grid = gridOf(game);
  const digits = digitsOfLine(answer.start, grid.side);
  let now = {
    entries: digits.map((digit, cell) => (game.position.clues[cell] ? 0 : digit)),
    candidates: answer.candidates.map(setOf),
  };
  const positions = [now];
  for (const [index, step] of answer.steps.entries()) {
    now = { entries: [...now.entries], candidates: [...now.candidates] };
    for (const { index: cell, digit } of step.places) {
      now.entries[cell] = digit;
      now.candidates[cell] = 0;
      for (const peer of grid.peers[cell]) now.candidates[peer] &= ~bit(digit);
    }
    for (const { index: cell, digit } of step.removes) now.candidates[cell] &= ~bit(digit);
    // With rules, a digit excludes more than equal digits, so the engine computes the candidates.
    const next = answer.steps[index + 1]?.candidates;
    if (next) now.candidates = next.map(setOf);
    positions.push(now);
  }
  return positions;
}

