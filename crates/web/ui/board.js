// <sudoku-board>: renders a view of a grid and reports presses. It does not know the rules and
// stores no game.
//
// Cells are HTML, so that a screen reader finds a grid with rows and cells; one cell has tabindex
// 0, all others -1. Only the parts of a cell that have changed are rendered again. The label of a
// cell describes everything in it; small digits are drawn by the style sheet and are not text, so
// that nothing is read out twice.

import { digitsIn, symbol } from "./geometry.js";
import { element as make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

// A cell of the picture of links, as in arrows.js, which is loaded with the first hint.
const UNIT = 60;
let links = null;
export const loadLinks = () => import("./arrows.js").then((loaded) => (links = loaded), () => {});

class SudokuBoard extends HTMLElement {
  connectedCallback() {
    this.addEventListener("pointerdown", (event) => this.#press(event));
    this.addEventListener("pointermove", (event) => this.#drag(event));
    this.addEventListener("dblclick", (event) => {
      const cell = this.#cellAt(event.target);
      if (cell !== null) this.#tell("boardpress", { cell, equal: true });
    });
    this.addEventListener("focusin", (event) => {
      const cell = this.#cellAt(event.target);
      if (cell !== null && cell !== this.view?.cursor && !this.pressed) this.#tell("boardfocus", { cell });
    });
  }

  // Renders a view: { grid, cells, cursor, selected, arrows, label, labels, lit }.
  draw(view) {
    if (view.grid !== this.view?.grid) this.#build(view.grid);
    const before = this.view;
    this.view = view;
    this.table.setAttribute("aria-label", view.label);
    view.cells.forEach((cell, index) => this.#drawCell(index, cell));
    if (before?.cursor !== view.cursor || before?.grid !== view.grid) {
      this.elements.forEach((element, index) => (element.tabIndex = index === view.cursor ? 0 : -1));
    }
    if (before?.arrows !== view.arrows || before?.rays !== view.rays) this.#drawLinks(view);
    // The highlighted digit among marks and candidates is one attribute of the board, so that no
    // cell is rebuilt for it.
    if (before?.lit !== view.lit || before?.grid !== view.grid) this.table.dataset.lit = symbol(view.lit ?? 0);
    if (before?.labels !== view.labels) this.classList.toggle("labelled", Boolean(view.labels));
  }

  #drawLinks(view) {
    const hasLinks = view.arrows.length > 0 || view.rays?.length > 0;
    if (!hasLinks || links) return this.arrows.replaceChildren(...(hasLinks ? links.arrowShapes(view) : []));
    loadLinks().then(() => links && this.view === view && this.#drawLinks(view));
  }

  // Animates the digits that complete a house, one after the other, without changing the board.
  celebrate(cells, milliseconds = 260) {
    cells.forEach((cell, index) => {
      const digit = this.elements[cell].querySelector(".digit");
      const rise = [{ transform: "none" }, { transform: "translateY(-10%) scale(1.16)" }, { transform: "none" }];
      digit?.animate(rise, { duration: milliseconds, delay: index * 26, easing: "ease-out" });
    });
  }

  // Highlights cells, for example those named by a word under the pointer.
  point(cells) {
    this.elements?.forEach((element, index) => element.classList.toggle("pointed", cells.includes(index)));
  }

  focusCursor() {
    this.elements?.[this.view.cursor]?.focus({ preventScroll: true });
  }

  #build(grid) {
    this.drawn = [];
    this.table = element("div", "grid");
    this.table.setAttribute("role", "grid");
    this.table.setAttribute("aria-multiselectable", "true");
    this.style.setProperty("--side", grid.side);
    this.elements = [];
    for (let row = 0; row < grid.side; row += 1) {
      const line = element("div", "line");
      line.setAttribute("role", "row");
      for (let column = 0; column < grid.side; column += 1) line.append(this.#buildCell(grid, row, column));
      this.table.append(line);
    }
    this.arrows = document.createElementNS(SVG, "svg");
    this.arrows.setAttribute("viewBox", `0 0 ${grid.side * UNIT} ${grid.side * UNIT}`);
    this.arrows.setAttribute("aria-hidden", "true");
    this.arrows.classList.add("arrows");
    this.replaceChildren(this.table, ...numbers(grid), this.arrows);
    this.classList.toggle("ruled", Boolean(grid.decorate));
    this.parentElement?.classList.toggle("beside", Boolean(grid.isBeside));
    grid.decorate?.(this);
  }

  #buildCell(grid, row, column) {
    const cell = element("div", "cell");
    cell.setAttribute("role", "gridcell");
    cell.setAttribute("aria-rowindex", row + 1);
    cell.setAttribute("aria-colindex", column + 1);
    cell.dataset.cell = row * grid.side + column;
    const at = row * grid.side + column;
    // Cells outside all regions have numbers below zero.
    const box = grid.box(at);
    const isOther = (other) => Math.max(-1, grid.box(other)) !== Math.max(-1, box);
    cell.classList.toggle("box-top", row === 0 || isOther(at - grid.side));
    cell.classList.toggle("box-left", column === 0 || isOther(at - 1));
    cell.classList.add(...(grid.classesOf?.(at) ?? []));
    cell.classList.toggle("facet", grid.hasFacets !== false && (Math.floor(row / grid.boxRows) + Math.floor(column / grid.boxColumns)) % 2 === 1);
    cell.style.setProperty("--box", box);
    this.elements.push(cell);
    this.drawn.push({ place: cell.className, names: "", label: "", invalid: false, content: "" });
    return cell;
  }

  // The content of a cell is rebuilt only when it has changed. A cell that only changes its colour
  // keeps its content, so that the browser needs no layout and repaints only the background.
  #drawCell(index, { classes, label, invalid, ...inside }) {
    const target = this.elements[index];
    const drawn = this.drawn[index];
    const [names, content] = [classes.join(" "), JSON.stringify(inside)];
    if (drawn.names !== names) {
      target.className = `${drawn.place} ${names}`;
      target.setAttribute("aria-selected", classes.includes("selected"));
    }
    if (drawn.label !== label) target.setAttribute("aria-label", label);
    if (drawn.invalid && !invalid) target.removeAttribute("aria-invalid");
    if (!drawn.invalid && invalid) target.setAttribute("aria-invalid", "true");
    if (drawn.content !== content) target.replaceChildren(...this.#inside(inside));
    Object.assign(drawn, { names, label, invalid, content });
  }

  #inside(cell) {
    const parts = cell.colours.map((name, index) => paint(name, index, cell.colours.length));
    if (cell.digit) return [...parts, element("span", "digit", symbol(cell.digit))];
    if (cell.odds?.length > 0) parts.push(this.#odds(cell));
    else if (cell.candidates) parts.push(this.#candidates(cell));
    if (cell.corner) parts.push(this.#corner(cell));
    if (cell.centre) parts.push(this.#centre(cell));
    return parts;
  }

  // Candidates are arranged like the keys of a telephone. If there are corner marks, candidates
  // move closer together.
  #candidates(cell) {
    const { side, boxRows, boxColumns } = this.view.grid;
    const room = element("span", cell.corner ? "candidates beside" : "candidates");
    room.style.gridTemplate = `repeat(${boxRows}, 1fr) / repeat(${boxColumns}, 1fr)`;
    for (let digit = 1; digit <= side; digit += 1) {
      const ink = cell.inks[digit];
      const shown = ink || cell.candidates & (1 << (digit - 1));
      const names = [ink && `ink ${ink}`, cell.own & (1 << (digit - 1)) && "own"].filter(Boolean);
      room.append(small(names.join(" "), shown ? digit : 0));
    }
    return room;
  }

  // Corner marks fill the corners first, then the edges from the fifth on, always in reading order.
  #corner(cell) {
    const digits = digitsIn(cell.corner);
    const slots = SLOTS[Math.min(digits.length, 9)].split(" ");
    const room = element("span", digits.length > 9 ? "corner crowded" : "corner");
    room.append(...spaced(digits.map((digit, index) => mark(slots[index] ?? "", digit))));
    return room;
  }

  #centre(cell) {
    const digits = digitsIn(cell.centre);
    // More marks than one line holds are arranged like candidates.
    if (digits.length > 5 && this.view.grid.side > 9) return this.#candidates({ ...cell, candidates: cell.centre, own: cell.centre });
    const room = element("span", `centre of-${Math.min(digits.length, 9)}`);
    room.append(...spaced(digits.map((digit) => mark("", digit))));
    return room;
  }

  // The probability of each digit: the more likely, the larger and darker. Probabilities below 1 %
  // are not shown.
  #odds({ odds }) {
    const { boxRows, boxColumns } = this.view.grid;
    const room = element("span", "candidates odds");
    room.style.setProperty("--rooms", Math.max(boxRows, boxColumns));
    room.style.gridTemplate = `repeat(${boxRows}, 1fr) / repeat(${boxColumns}, 1fr)`;
    for (const [index, percent] of odds.entries()) {
      const digit = small("", percent > 0 ? index + 1 : 0);
      digit.style.setProperty("--odds", percent / 100);
      room.append(digit);
    }
    return room;
  }

  #press(event) {
    const cell = this.#cellAt(event.target);
    if (cell === null) return;
    event.preventDefault();
    this.pressed = [event.clientX, event.clientY];
    window.addEventListener("pointerup", () => (this.pressed = null), { once: true });
    // Otherwise a finger could not leave the cell that it touched first.
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    this.#tell("boardpress", { cell, toggle: event.ctrlKey || event.metaKey, extend: event.shiftKey });
    this.focusCursor();
  }

  // Pointer events of a fast drag are far apart: all cells on the line between two events belong to
  // the drag. Corners of cells do not count, so that a diagonal drag touches no neighbouring cells.
  #drag(event) {
    if (!this.pressed || event.buttons === 0) return;
    const [x0, y0] = this.pressed;
    const [x1, y1] = [event.clientX, event.clientY];
    const { left, top, width } = this.table.getBoundingClientRect();
    const { side } = this.view.grid;
    const size = width / side;
    const points = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / (size / 6)));
    for (let at = 1; at <= points; at += 1) {
      const [x, y] = [x0 + ((x1 - x0) * at) / points - left, y0 + ((y1 - y0) * at) / points - top].map((value) => value / size);
      const [row, column] = [Math.floor(y), Math.floor(x)];
      if (row < 0 || column < 0 || row >= side || column >= side) continue;
      const isCorner = Math.abs(x - column - 0.5) + Math.abs(y - row - 0.5) > 0.72;
      const cell = row * side + column;
      if (!isCorner && cell !== this.view.cursor) this.#tell("boardpress", { cell, toggle: false, extend: true });
    }
    this.pressed = [x1, y1];
  }

  #cellAt(target) {
    const cell = target?.closest?.(".cell");
    return cell && this.contains(cell) ? Number(cell.dataset.cell) : null;
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

// Where corner marks are, by their number.
const SLOTS = ["", "tl", "tl tr", "tl tr bl", "tl tr bl br", "tl t tr bl br", "tl t tr bl b br", "tl t tr l bl b br", "tl t tr l r bl b br", "tl t tr l c r bl b br"];

// The numbers of rows and columns beside the grid; screen readers read them with each cell.
function numbers({ side }) {
  return ["rows", "columns"].map((className) => {
    const room = element("div", `numbers ${className}`);
    room.setAttribute("aria-hidden", "true");
    room.append(...Array.from({ length: side }, (_, index) => element("span", "", String(index + 1))));
    return room;
  });
}

// One of several colours of a cell: its strip along the diagonal.
function paint(name, index, count) {
  const strip = element("span", `colour ${name}`);
  if (count === 1) return strip;
  const edge = (sum) => (sum <= 1 ? [sum, 0] : [1, sum - 1]);
  const [from, to] = [(2 * index) / count, (2 * (index + 1)) / count];
  const turned = ([x, y]) => [y, x];
  const corner = from < 1 && to > 1;
  const points = [edge(from), ...(corner ? [[1, 0]] : []), edge(to), turned(edge(to)), ...(corner ? [[0, 1]] : []), turned(edge(from))];
  strip.style.clipPath = `polygon(${points.map(([x, y]) => `${x * 100}% ${y * 100}%`).join(",")})`;
  return strip;
}

const mark = (className, digit) => make("i", { className, textContent: symbol(digit), data: { mark: symbol(digit) } });

// Digits that are read out one by one in the label of a cell.
const spaced = (parts) => parts.flatMap((part, index) => (index > 0 ? [" ", part] : [part]));

const element = (tag, className, text = "") => make(tag, { className, textContent: text });
const small = (className, digit) => make("span", { className, data: digit ? { digit: symbol(digit) } : {} });

customElements.define("sudoku-board", SudokuBoard);
