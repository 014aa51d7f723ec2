// From a photo to a game: the browser decodes the picture, the engine reads it, and the player
// compares the reading with the photo before playing. Loaded with the first picture.

import * as api from "./api.js";
import * as panels from "./panels.js";
import { $, element } from "./dom.js";
import { conflicts, geometryOfLength, lineOf, symbol } from "./geometry.js";
import { quietView } from "./view.js";
import { callWorker } from "./engine.js";
import { inWords, warnOfSolutions } from "./page.js";
import { openPicture, straightened } from "./picture-file.js";
import { photoWords } from "./photo-words.js";
import { startNew } from "./today.js";
import { words as pageWords } from "./words.js";

const texts = () => photoWords[document.documentElement.lang] ?? photoWords.en;

// What was read and what the player has changed: { grid, digits, seen, doubtful, reading, board, cell }.
let photo = null;
// The number of the last picture, so that an older one does not replace it.
let last = 0;

// Reads the puzzle of a picture and opens the panel for it.
export async function readPhoto(file) {
  build();
  last += 1;
  const number = last;
  photo = null;
  render(texts().reading);
  panels.open("panel-photo");
  try {
    const pixels = await openPicture(file, texts());
    if (number !== last) return;
    show(pixels.canvas);
    const reading = await ask(pixels);
    await arrived(reading, pixels.canvas, number);
  } catch (error) {
    // The engine found no grid.
    const message = error.status === 422 ? texts().noGrid : inWords(error);
    if (number === last) render(message, true);
  }
}

// The engine in the browser reads the picture, so the photo stays on this device. If there is none,
// the server does.
async function ask({ data, width, height, canvas }) {
  const answer = await callWorker("readImage", [{ data, width, height }]);
  if (answer?.error) throw new api.Refused(answer.error, answer.hint, answer.status);
  if (answer) return answer;
  return api.sendPhoto(await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.95)));
}

async function arrived(reading, canvas, number) {
  const grid = geometryOfLength(reading.cells.length);
  const digits = reading.cells.map(({ digit }) => digit);
  // Digits are the player's if the others are a puzzle without them.
  const printed = reading.cells.map(({ digit, seen }) => (seen === "handwritten" ? 0 : digit));
  const { answer } = await api.check({ puzzle: lineOf(printed), boxes: grid.name }).catch(() => ({}));
  if (number !== last) return;
  $("photo-hand").querySelector("input").checked = answer === "right" || answer === "solved";
  photo = { grid, digits, reading, doubtful: new Set(reading.doubtful), board: straightened(canvas, reading), cell: reading.doubtful[0] ?? 0 };
  render(said(reading));
  $("photo-board").focusCursor();
}

// How far the reading can be trusted, in words.
function said({ outcome, doubtful, cells, signs, regions, more_than_one_grid: isOneOfSeveral }) {
  const t = texts();
  const notes = [t.outcomes[outcome](doubtful.length, cells.filter(({ changed }) => changed).length)];
  if (isOneOfSeveral) notes.push(t.several);
  if (regions) notes.push(t.jigsaw);
  for (const sign of signs) notes.push(t.signs[sign]);
  return notes.join(" ");
}

// The panel is built once; its texts are set whenever it is rendered.
function build() {
  if ($("panel-photo")) return;
  document.head.append(element("link", { rel: "stylesheet", href: "photo.css" }));
  const board = element("sudoku-board", { id: "photo-board" });
  const picture = element("canvas", { id: "photo-picture", role: "img" });
  const dialog = element(
    "dialog",
    { id: "panel-photo", "aria-labelledby": "photo-title" },
    element("form", { method: "dialog" },
      element("h2", { id: "photo-title" }),
      element("p", { id: "photo-said", role: "status" }),
      element("div", { className: "photos" }, element("div", { className: "sheet" }, picture), element("div", { className: "sheet", id: "photo-sheet" }, board)),
      element("div", { className: "settle", id: "photo-settle" }, element("canvas", { id: "photo-cell", width: 96, height: 96, "aria-hidden": "true" }), element("p", { id: "photo-question" }), element("div", { id: "photo-keys", role: "group" })),
      element("label", { id: "photo-hand" }, element("input", { type: "checkbox", checked: true }), " ", element("span")),
      element("div", { className: "do" },
        element("button", { type: "button", className: "btn primary", id: "photo-play" }),
        element("label", { className: "btn quiet", id: "photo-again", htmlFor: "photo-file" }),
        element("button", { className: "btn quiet", id: "photo-close" }),
      ),
    ),
  );
  document.body.append(dialog);
  board.addEventListener("boardpress", ({ detail }) => choose(detail.cell));
  board.addEventListener("boardfocus", ({ detail }) => choose(detail.cell));
  picture.addEventListener("click", ({ offsetX, offsetY }) => {
    if (!photo) return;
    const at = (offset, size) => Math.min(photo.grid.side - 1, Math.floor((offset / size) * photo.grid.side));
    choose(at(offsetY, picture.clientHeight) * photo.grid.side + at(offsetX, picture.clientWidth));
  });
  $("photo-keys").addEventListener("click", ({ target }) => {
    const key = target.closest("[data-value]");
    if (key) settle(Number(key.dataset.value));
  });
  dialog.addEventListener("keydown", typed);
  $("photo-play").addEventListener("click", play);
  // Another picture closes the panel for a moment, and the event arrives after it is open again.
  dialog.addEventListener("close", () => dialog.open || (last += 1));
}

// A digit settles the selected cell; the arrows move.
function typed(event) {
  if (!photo || event.ctrlKey || event.metaKey || event.target.closest("input")) return;
  const { side } = photo.grid;
  const step = { ArrowUp: -side, ArrowDown: side, ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const digit = ["0", ".", "Backspace", "Delete"].includes(event.key) ? 0 : Array.from({ length: side }, (_, index) => index + 1).find((one) => symbol(one) === event.key.toUpperCase());
  if (step) {
    const isFocused = $("photo-board").contains(document.activeElement);
    choose((photo.cell + step + side * side) % (side * side));
    if (isFocused) $("photo-board").focusCursor();
  } else if (digit !== undefined) settle(digit);
  else return;
  event.preventDefault();
}

function choose(cell) {
  if (!photo || photo.cell === cell) return;
  photo.cell = cell;
  render();
}

// The player says what a cell shows. The next doubtful cell follows.
function settle(digit) {
  photo.digits[photo.cell] = digit;
  photo.doubtful.delete(photo.cell);
  const [next] = photo.doubtful;
  if (next !== undefined) photo.cell = next;
  render(verdict());
}

function verdict() {
  const t = texts();
  if (photo.doubtful.size > 0) return t.left(photo.doubtful.size);
  return clashes().size > 0 ? t.clash : t.ready;
}

const clashes = () => conflicts(photo.grid, photo.digits);
const isByHand = (cell) => $("photo-hand").querySelector("input").checked && photo.reading.cells[cell].seen === "handwritten";

// Printed digits become clues, handwritten ones the player's entries.
function play() {
  const split = (wanted) => photo.digits.map((digit, cell) => (isByHand(cell) === wanted ? digit : 0));
  panels.close("panel-photo");
  const read = { puzzle: lineOf(split(false)), boxes: photo.grid.name, entries: lineOf(split(true)) };
  // The setter's desk takes the digits as clues.
  if (!document.dispatchEvent(new CustomEvent("photoread", { detail: read, cancelable: true }))) return;
  startNew(read);
  warnOfSolutions();
}

// Shows a canvas as the picture of the panel.
function show(canvas) {
  const picture = $("photo-picture");
  [picture.width, picture.height] = [canvas.width, canvas.height];
  picture.getContext("2d").drawImage(canvas, 0, 0);
}

function render(message = $("photo-said").textContent, isError = false) {
  const t = texts();
  $("photo-title").textContent = t.title;
  $("photo-said").textContent = message;
  $("photo-said").classList.toggle("error", isError);
  $("photo-picture").ariaLabel = t.picture;
  $("photo-keys").ariaLabel = t.keys;
  $("photo-play").textContent = t.play;
  $("photo-again").textContent = t.again;
  $("photo-close").textContent = pageWords.close;
  $("photo-hand").lastElementChild.textContent = t.byHand;
  for (const id of ["photo-sheet", "photo-settle", "photo-play"]) $(id).hidden = !photo;
  $("photo-picture").hidden = isError || (!photo && !$("photo-picture").width);
  $("photo-hand").hidden = !photo?.reading.cells.some(({ seen, digit }) => seen === "handwritten" && digit);
  if (photo) renderReading(t);
}

function renderReading(t) {
  const { grid, digits, doubtful, reading, cell } = photo;
  const view = quietView({
    boxes: grid.name,
    puzzle: lineOf(digits.map((digit, at) => (isByHand(at) ? 0 : digit))),
    grid: lineOf(digits),
    wrong: [...clashes()],
    chosen: [cell],
    label: t.board,
  });
  for (const at of doubtful) {
    view.cells[at].classes.push("ringed");
    view.cells[at].label += `, ${t.doubtful}`;
  }
  $("photo-board").draw(view);
  renderPicture();
  const near = $("photo-cell").getContext("2d");
  const size = photo.board.width / grid.side;
  near.drawImage(photo.board, grid.column(cell) * size, grid.row(cell) * size, size, size, 0, 0, 96, 96);
  $("photo-question").textContent = t.question(grid.row(cell) + 1, grid.column(cell) + 1);
  const { probabilities } = reading.cells[cell];
  const likely = new Set(probabilities.map((share, digit) => [share, digit]).sort(([a], [b]) => b - a).slice(0, 3).map(([, digit]) => digit));
  $("photo-keys").replaceChildren(...Array.from({ length: grid.side + 1 }, (_, digit) => {
    const key = element("button", { type: "button", className: `key${likely.has(digit) ? " likely" : ""}`, data: { value: digit } }, digit === 0 ? t.nothing : symbol(digit));
    key.setAttribute("aria-pressed", digits[cell] === digit);
    return key;
  }));
}

// Frames doubtful cells and the selected one in the photo, too.
function renderPicture() {
  const { board, grid, doubtful, cell } = photo;
  show(board);
  const context = $("photo-picture").getContext("2d");
  const size = board.width / grid.side;
  const frame = (at, colour, inset) => {
    // A canvas does not know the colours of the style sheet.
    $("photo-picture").style.color = `var(${colour})`;
    context.strokeStyle = getComputedStyle($("photo-picture")).color;
    context.lineWidth = 4;
    context.strokeRect(grid.column(at) * size + inset, grid.row(at) * size + inset, size - 2 * inset, size - 2 * inset);
  };
  for (const at of doubtful) frame(at, "--fin", 3);
  frame(cell, "--pen", 7);
}
