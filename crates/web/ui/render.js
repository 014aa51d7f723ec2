// One render: from the state of the page to what is seen. It reads the state and changes nothing in it.
//
// The state: { view, game, settings, message, hint, walk, two, busy, rejected, digit } and one part for each other view.
// hint: { answer, stage }, walk: { answer, index, positions }, two: { grids, shown }, digit: the one held to be placed.

import { $ } from "./dom.js";
import { bit, conflicts, digitsOfLine, symbol } from "./geometry.js";
import { COLOURS, MODES, digitsOf, gridOf, shownCandidates } from "./game.js";
import { VIEWS } from "./link.js";
import { inksOf, labelOf, withInks } from "./view.js";
import { renderBatch } from "./batch-view.js";
import { renderLearn } from "./learn-view.js";
import { renderMade } from "./make-view.js";
import { renderRating } from "./rate-view.js";
import { renderWatch } from "./watch-view.js";
import { words } from "./words.js";

const DRAW = { play: renderPlay, watch: renderWatch, learn: renderLearn, rate: renderRating, make: renderMade, batch: renderBatch, end: () => {} };

export function render(state) {
  document.documentElement.dataset.theme = state.settings.theme;
  for (const view of VIEWS) {
    $(`view-${view}`).hidden = view !== state.view;
    const button = document.querySelector(`nav [data-do="view-${view}"]`);
    if (view === state.view) button?.setAttribute("aria-current", "page");
    else button?.removeAttribute("aria-current");
  }
  $("tools").hidden = state.view !== "play";
  document.title = words.title(state.view);
  DRAW[state.view](state);
}

function renderPlay(state) {
  const { game } = state;
  $("board").draw(boardView(state));
  $("message").textContent = state.busy ? words.thinking : state.message;
  $("message").classList.toggle("bad", Boolean(state.rejected));
  $("about").textContent = words.about(gridOf(game), game.position.clues.filter(Boolean).length);
  $("cancel").hidden = !state.busy;
  $("undo").disabled = game.past.length === 0;
  $("redo").disabled = game.future.length === 0;
  $("play").hidden = !game.setting;
  $("pausecover").hidden = !game.paused;
  $("typing").hidden = Boolean(state.walk || state.two);
  renderTimer(state);
  renderModes(game);
  renderKeypad(state);
  renderReason(state);
}

export function renderTimer({ game, settings }) {
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  const hours = game.seconds >= 3600 ? `${Math.floor(game.seconds / 3600)}:` : "";
  $("timer").hidden = !settings.timer;
  $("timer").textContent = `${hours}${two((game.seconds / 60) % 60)}:${two(game.seconds % 60)}`;
  $("timer").setAttribute("aria-pressed", game.paused);
  $("timer").setAttribute("aria-label", words.timer($("timer").textContent));
}

function renderModes(game) {
  for (const mode of MODES) {
    const button = document.querySelector(`[data-do="mode-${mode}"]`);
    button.setAttribute("aria-pressed", game.mode === mode);
  }
}

// The keypad follows the size; a digit that stands everywhere is dimmed.
function renderKeypad({ game, digit: held }) {
  const { side } = gridOf(game);
  const inColours = game.mode === "colour";
  const digits = digitsOf(game.position);
  const keys = inColours ? COLOURS.map((name, index) => [index + 1, name]) : Array.from({ length: side }, (_, i) => [i + 1, symbol(i + 1)]);
  const keypad = $("keypad");
  keypad.dataset.side = side;
  if (keypad.childElementCount !== keys.length || keypad.dataset.kind !== String(inColours)) {
    keypad.dataset.kind = String(inColours);
    keypad.replaceChildren(...keys.map(([number, name]) => key(number, name, inColours)));
  }
  keys.forEach(([number], index) => {
    const placed = digits.filter((digit) => digit === number).length;
    keypad.children[index].classList.toggle("done", !inColours && placed >= side);
    keypad.children[index].setAttribute("aria-pressed", number === held);
  });
}

function key(number, name, isColour) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.key = number;
  button.className = isColour ? `swatch ${name}` : "";
  button.textContent = isColour ? number : name;
  if (isColour) button.setAttribute("aria-label", name);
  return button;
}

function renderReason({ hint, walk, two }) {
  $("reason").hidden = !hint && !walk && !two;
  $("hintbuttons").hidden = !hint;
  $("walkbuttons").hidden = !walk;
  $("twobuttons").hidden = !two;
  $("steps").hidden = !walk;
  if (hint) {
    const { answer, stage } = hint;
    $("reasontitle").textContent = words.stage(stage, answer.step?.technique ?? "");
    $("reasontext").textContent = answer.stages[stage];
    $("more").hidden = stage >= 2;
    $("follow").hidden = stage < 2 || !answer.step;
    $("undomistake").hidden = answer.answer !== "mistake";
    // The first stage does not give the technique away.
    $("learnthis").hidden = stage < 1 || !answer.step;
  }
  if (walk) renderWalk(walk);
  if (two) {
    $("reasontitle").textContent = words.two(two.shown + 1);
    $("reasontext").textContent = "";
  }
}

function renderWalk({ answer, index }) {
  const { steps } = answer;
  $("reasontitle").textContent = words.step(index, steps.length);
  $("reasontext").textContent = index === 0 ? words.start : steps[index - 1].text;
  $("learnstep").hidden = index === 0;
  const list = $("steps");
  if (list.dataset.count !== String(steps.length) || list.firstChild?.textContent !== steps[0]?.short) {
    list.dataset.count = steps.length;
    list.replaceChildren(...steps.map((step) => Object.assign(document.createElement("li"), { textContent: step.short })));
  }
  [...list.children].forEach((item, place) => {
    if (place === index - 1) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  const current = list.children[index - 1];
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

// What the board shows: the game, or a step of an explanation, or one of two solutions.
export function boardView(state) {
  const shown = positionShown(state);
  const { game, settings } = state;
  const grid = gridOf(game);
  const digits = digitsOf(shown.position);
  const clashes = settings.mistakes === "off" && !shown.picture ? new Set() : conflicts(grid, digits);
  const look = { grid, digits, clashes, wrong: new Set(wrongCells(state, digits)), ...shown };
  const cells = grid.cells.map((cell) => cellView(state, look, cell));
  return { grid, cells, cursor: game.cursor, arrows: shown.picture?.arrows ?? NO_ARROWS, label: `Sudoku, ${words.about(grid, game.position.clues.filter(Boolean).length)}` };
}

const NO_ARROWS = [];

function positionShown({ game, settings, hint, walk, two }) {
  const { position } = game;
  if (walk) {
    const now = walk.positions[Math.max(0, walk.index - 1)];
    const picture = walk.index > 0 ? walk.answer.steps[walk.index - 1].picture : null;
    return { position: { ...position, entries: now.entries }, kept: now.candidates, picture, plain: true };
  }
  if (two) return { position: { ...position, entries: two.grids[two.shown] }, kept: null, picture: null, ringed: two.differ, plain: true };
  if (hint?.stage === 2 && hint.answer.step) {
    return { position, kept: hint.answer.candidates.map((set) => set.reduce((all, d) => all | bit(d), 0)), picture: hint.answer.step.picture };
  }
  const ringed = hint ? hintCells(hint) : [];
  return { position, kept: settings.auto ? shownCandidates(game) : null, picture: null, ringed };
}

// The first stage rings no more than its words say; the second rings the pattern. A mistake rings its cell.
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

function cellView({ game, settings, digit: held }, look, cell) {
  const { grid, digits, position, picture } = look;
  const digit = digits[cell];
  const isWrong = look.wrong.has(cell) || look.clashes.has(cell);
  const inks = inksOf(picture, cell);
  const sees = settings.peers && !picture && cell !== game.cursor && grid.peers[game.cursor].includes(cell);
  const equal = settings.equal && !picture && digit && digit === (held || digits[game.cursor]);
  const classes = [
    position.clues[cell] ? "clue" : "entry",
    game.selected.includes(cell) && "selected",
    cell === game.cursor && "cursor",
    sees && "peer",
    equal && "equal",
    isWrong && "wrong",
    picture?.houses.some((house) => house.includes(cell)) && "house",
    picture?.cells.includes(cell) && "pattern",
    look.ringed?.includes(cell) && "ringed",
  ];
  const view = {
    digit,
    inks,
    classes: classes.filter(Boolean),
    corner: look.kept || digit ? 0 : position.corner[cell],
    centre: look.kept || digit ? 0 : position.centre[cell],
    candidates: digit || !look.kept ? 0 : withInks(look.kept[cell], inks),
    colours: look.plain ? [] : COLOURS.filter((_, index) => position.colours[cell] & bit(index + 1)),
    invalid: isWrong,
  };
  return { ...view, label: labelOf(grid, cell, view, position.clues[cell]) };
}

// The positions before each step of an explanation, and the one after the last.
export function positionsOf(game, answer) {
  const grid = gridOf(game);
  const digits = digitsOfLine(answer.start, grid.side);
  let now = {
    entries: digits.map((digit, cell) => (game.position.clues[cell] ? 0 : digit)),
    candidates: answer.candidates.map((set) => set.reduce((all, d) => all | bit(d), 0)),
  };
  const positions = [now];
  for (const step of answer.steps) {
    now = { entries: [...now.entries], candidates: [...now.candidates] };
    for (const { index: cell, digit } of step.places) {
      now.entries[cell] = digit;
      now.candidates[cell] = 0;
      for (const peer of grid.peers[cell]) now.candidates[peer] &= ~bit(digit);
    }
    for (const { index: cell, digit } of step.removes) now.candidates[cell] &= ~bit(digit);
    positions.push(now);
  }
  return positions;
}

