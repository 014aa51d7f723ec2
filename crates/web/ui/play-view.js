// Renders the game: board, status, messages, keys, and the end.

import { $, element, fill } from "./dom.js";
import { COLOURS, MODES, digitsOf, gridOf, isTouched, lastCheckpoint, movesOf } from "./game.js";
import { boardView } from "./board-view.js";
import { cellName, ruled, symbol } from "./geometry.js";
import { clock, dateOf } from "./day.js";
import { renderReason } from "./reason-view.js";
import { renderWin } from "./win-view.js";
import { nine } from "./pictures.js";
import { nameOf, words } from "./words.js";

export function renderPlay(state) {
  const { game, settings } = state;
  const won = Boolean(game.solvedAt) && !state.lookAgain;
  renderTour(state);
  $("board").draw(boardView(state));
  for (const id of ["sheet", "desk"]) $(id).dataset.level = game.about.level ?? "";
  $("view-play").classList.toggle("won", won);
  $("view-play").classList.toggle("hinting", Boolean(state.hint || state.walk || state.two));
  $("view-play").classList.toggle("explaining", Boolean(state.walk || state.hint?.stage === 2 || state.two));
  $("message").textContent = state.busy ? words.thinking : state.message;
  $("message").classList.toggle("bad", Boolean(state.rejected));
  renderAbout(game);
  $("cancel").hidden = !state.busy;
  $("hint").hidden = game.setting;
  $("explain").hidden = game.setting;
  $("play").hidden = !game.setting;
  $("undo").disabled = game.past.length === 0;
  $("redo").disabled = game.future.length === 0;
  $("edit-clues").disabled = game.setting;
  $("marks").setAttribute("aria-pressed", state.settings.auto);
  $("back-to-checkpoint").disabled = lastCheckpoint(game) === null;
  $("pausecover").hidden = !game.paused;
  // The board is hidden while the game is paused.
  for (const id of ["coach", "typing"]) $(id).inert = game.paused;
  $("rest").hidden = Boolean(state.hint || state.walk || state.two);
  renderTimer(state);
  renderModes(game);
  renderKeypad(state);
  renderMoves(game);
  renderReason(state);
  ruled.render?.(state);
  renderWin(state, won);
}

// The first visit: first how to write a digit, then where help is. It ends with the first hint.
function renderTour({ game, settings }) {
  const step = settings.toured || game.setting || game.solvedAt ? 0 : isTouched(game) ? 2 : 1;
  $("tour").hidden = step === 0;
  $("tour-text").textContent = words.tour[step - 1] ?? "";
  $("view-play").dataset.tour = step;
}

function renderAbout({ about, position, setting }) {
  const grid = { side: Math.sqrt(position.clues.length) };
  const said = words.about(grid, position.clues.filter(Boolean).length);
  $("level").textContent = nameOf(about, setting);
  $("about").textContent = about.daily ? `${words.aboutDaily(words.shortDate(dateOf(about.daily)))} · ${words.clueCount(position.clues.filter(Boolean).length)}` : said;
  $("chip").className = `chip ${about.level ?? ""}`;
}

export function renderTimer({ game, settings }) {
  $("timer").hidden = !settings.timer;
  $("timer").textContent = clock(game.seconds);
  for (const id of ["timer", "pause"]) $(id).setAttribute("aria-pressed", game.paused);
  $("timer").setAttribute("aria-label", words.timer($("timer").textContent));
}

function renderModes(game) {
  for (const mode of MODES) {
    const button = document.querySelector(`[data-do="mode-${mode}"]`);
    button.setAttribute("aria-pressed", game.mode === mode);
  }
}

// The keypad depends on the size. A key shows in which boxes its digit is placed and how many are
// left; a digit that is complete has a flat key.
function renderKeypad({ game, digit: held }) {
  const { side, box } = gridOf(game);
  const inColours = game.mode === "colour";
  const digits = digitsOf(game.position);
  const keys = inColours ? COLOURS.map((name, index) => [index + 1, name]) : Array.from({ length: side }, (_, i) => [i + 1, symbol(i + 1)]);
  const keypad = $("keypad");
  keypad.dataset.side = side;
  keypad.dataset.kind = inColours ? "colours" : "digits";
  fill(keypad, `${side} ${inColours} ${words.digit}`, () => [...keys.map(([number, name]) => key(number, name, inColours)), erase()]);
  keys.forEach(([number, name], index) => {
    const button = keypad.children[index];
    button.setAttribute("aria-pressed", number === held);
    if (inColours) return;
    const boxes = digits.flatMap((digit, cell) => (digit === number ? [box(cell)] : []));
    const left = Math.max(0, side - boxes.length);
    button.classList.toggle("done", left === 0);
    button.setAttribute("aria-label", words.keyLabel(name, left));
    const room = button.querySelector(".left");
    fill(room, `${left} ${boxes}`, () => [...(side === 9 ? [nine(boxes)] : []), element("em", { data: { left: left || "" } })]);
  });
}

function key(number, name, isColour) {
  const button = element("button", { type: "button", data: { key: number } });
  button.className = isColour ? `key swatch ${name}` : "key";
  if (isColour) {
    button.textContent = number;
    button.setAttribute("aria-label", words.swatch(number, words.colours[name]));
  } else button.append(element("b", {}, name), element("span", { className: "left" }));
  return button;
}

function erase() {
  const button = element("button", { type: "button", className: "key erase", data: { do: "clear" } });
  button.setAttribute("aria-label", words.clear);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", "#i-erase");
  svg.append(use);
  button.append(svg);
  return button;
}

// The digits that were written; pressing one goes back to its moment, and later changes can be
// redone.
function renderMoves(game) {
  const grid = gridOf(game);
  const moves = movesOf(game);
  const filled = digitsOf(game.position).filter(Boolean).length;
  $("filled").textContent = words.filledOf(filled, grid.cells.length);
  const list = $("moves");
  const key = JSON.stringify([moves.map(({ cell, digit, moment }) => [cell, digit, moment]), game.checkpoints]);
  fill(list, key, () =>
    moves.map(({ cell, digit, moment }, index) => {
      const button = element("button", { type: "button", data: { do: "go-to-moment", index: moment } }, element("em", {}, index + 1), cellName(grid, cell), element("b", {}, symbol(digit)));
      return element("li", { className: game.checkpoints.includes(moment) ? "checkpoint" : "" }, button);
    }),
  );
  const now = game.past.length;
  const current = moves.findLastIndex(({ moment }) => moment <= now);
  [...list.children].forEach((item, index) => {
    item.classList.toggle("later", index > current);
    if (index === current) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  const item = list.children[current];
  if (item && isTouched(game)) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight + item.offsetHeight;
}
