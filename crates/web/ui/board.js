// <sudoku-board>: draws a view of a grid and tells what was pressed. It knows no rules and keeps no game.
//
// Cells are HTML, so that a screen reader finds a grid with rows and cells; one cell has tabindex 0 and the others -1.
// Of a cell only what has changed is drawn anew. Its label says all that is in it; small digits are
// drawn by the style sheet and are no text, so that nothing is said twice.

import { digitsIn, symbol } from "./geometry.js";
import { element as make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

// The side of a cell in the coordinates of the arrows.
const UNIT = 60;

class SudokuBoard extends HTMLElement {
  connectedCallback() {
    this.addEventListener("pointerdown", (event) => this.#press(event));
    this.addEventListener("pointermove", (event) => this.#drag(event));
    this.addEventListener("focusin", (event) => {
      const cell = this.#cellAt(event.target);
      if (cell !== null && cell !== this.view?.cursor && !this.pressed) this.#tell("boardfocus", { cell });
    });
  }

  // Draws a view: { grid, cells, cursor, selected, arrows, label }.
  draw(view) {
    if (view.grid !== this.view?.grid) this.#build(view.grid);
    const before = this.view;
    this.view = view;
    this.table.setAttribute("aria-label", view.label);
    view.cells.forEach((cell, index) => this.#drawCell(index, cell));
    if (before?.cursor !== view.cursor || before?.grid !== view.grid) {
      this.elements.forEach((element, index) => (element.tabIndex = index === view.cursor ? 0 : -1));
    }
    if (before?.arrows !== view.arrows) this.#drawArrows(view);
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
    this.replaceChildren(this.table, this.arrows);
  }

  #buildCell(grid, row, column) {
    const cell = element("div", "cell");
    cell.setAttribute("role", "gridcell");
    cell.setAttribute("aria-rowindex", row + 1);
    cell.setAttribute("aria-colindex", column + 1);
    cell.dataset.cell = row * grid.side + column;
    cell.classList.toggle("box-top", row % grid.boxRows === 0);
    cell.classList.toggle("box-left", column % grid.boxColumns === 0);
    this.elements.push(cell);
    this.drawn.push({ place: cell.className, names: "", label: "", invalid: false, content: "" });
    return cell;
  }

  // What is in a cell is built anew only when it has changed. A cell that merely takes another colour keeps it, so that
  // the browser lays nothing out and paints one background.
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
    const parts = cell.colours.map((name) => element("span", `colour ${name}`));
    if (cell.digit) return [...parts, element("span", "digit", symbol(cell.digit))];
    if (cell.odds?.length > 0) parts.push(this.#odds(cell));
    else if (cell.candidates) parts.push(this.#candidates(cell));
    if (cell.corner) parts.push(element("span", "corner", digitsIn(cell.corner).map(symbol).join(" ")));
    if (cell.centre) parts.push(element("span", "centre", digitsIn(cell.centre).map(symbol).join(" ")));
    return parts;
  }

  // Candidates stand as the digits of a telephone do.
  #candidates(cell) {
    const { side, boxRows, boxColumns } = this.view.grid;
    const room = element("span", "candidates");
    room.style.gridTemplate = `repeat(${boxRows}, 1fr) / repeat(${boxColumns}, 1fr)`;
    for (let digit = 1; digit <= side; digit += 1) {
      const ink = cell.inks[digit];
      const shown = ink || cell.candidates & (1 << (digit - 1));
      room.append(small(ink ? `ink ${ink}` : "", shown ? digit : 0));
    }
    return room;
  }

  // How likely each digit is: the likelier, the larger and the darker. Below one in a hundred nothing is shown.
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

  #drawArrows({ grid, arrows }) {
    const point = ({ index: cell, digit }) => {
      const part = (index, count) => (UNIT * (index + 0.5)) / count;
      const x = grid.column(cell) * UNIT + part((digit - 1) % grid.boxColumns, grid.boxColumns);
      const y = grid.row(cell) * UNIT + part(Math.floor((digit - 1) / grid.boxColumns), grid.boxRows);
      return [x, y];
    };
    const middle = (node) => {
      const points = node.map(point);
      return [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);
    };
    const room = UNIT / (2.3 * Math.max(grid.boxRows, grid.boxColumns));
    this.arrows.replaceChildren(...arrows.flatMap((arrow) => link(middle(arrow.from), middle(arrow.to), arrow, room)));
  }

  #press(event) {
    const cell = this.#cellAt(event.target);
    if (cell === null) return;
    event.preventDefault();
    this.pressed = true;
    window.addEventListener("pointerup", () => (this.pressed = false), { once: true });
    // A finger must be able to leave the cell it touched first.
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    this.#tell("boardpress", { cell, toggle: event.ctrlKey || event.metaKey, extend: event.shiftKey });
    this.focusCursor();
  }

  #drag(event) {
    if (!this.pressed || event.buttons === 0) return;
    const cell = this.#cellAt(document.elementFromPoint(event.clientX, event.clientY));
    if (cell !== null && cell !== this.view.cursor) this.#tell("boardpress", { cell, toggle: false, extend: true });
  }

  #cellAt(target) {
    const cell = target?.closest?.(".cell");
    return cell && this.contains(cell) ? Number(cell.dataset.cell) : null;
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

const element = (tag, className, text = "") => make(tag, { className, textContent: text });
const small = (className, digit) => make("span", { className, data: digit ? { digit: symbol(digit) } : {} });

// A link from one candidate to another with a head at its end: bent a little, so that links in one line do not cover each
// other, and from edge to edge of its candidates, so that it covers neither digit.
function link([x1, y1], [x2, y2], { strong, branch = 0 }, room) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const control = [(x1 + x2) / 2 - dy * 0.12, (y1 + y2) / 2 + dx * 0.12];
  const towards = ([ax, ay], [bx, by], far) => {
    const length = Math.hypot(bx - ax, by - ay) || 1;
    return [ax + ((bx - ax) * far) / length, ay + ((by - ay) * far) / length];
  };
  const [from, tip] = [towards([x1, y1], control, room), towards([x2, y2], control, room)];
  const neck = towards(tip, control, 9);
  const [ux, uy] = [(tip[0] - neck[0]) / 9, (tip[1] - neck[1]) / 9];
  const wing = (side) => `${neck[0] - 5 * side * uy} ${neck[1] + 5 * side * ux}`;
  const draw = (d, className) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    path.setAttribute("class", branch ? `${className} branch-${((branch - 1) % 5) + 1}` : className);
    return path;
  };
  return [
    draw(`M${from.join(" ")}Q${control.join(" ")} ${neck.join(" ")}`, strong ? "strong" : "weak"),
    draw(`M${tip.join(" ")}L${wing(1)}L${wing(-1)}Z`, "head"),
  ];
}

customElements.define("sudoku-board", SudokuBoard);
