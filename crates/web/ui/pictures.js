// Small pictures: nine squares as a counter, a puzzle in miniature, the seal, and bar charts.

import { symbol } from "./geometry.js";

const SVG = "http://www.w3.org/2000/svg";

function drawing(size, className) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

function square(x, y, side, className) {
  const rect = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x, y, width: side, height: side, rx: side / 8, class: className })) rect.setAttribute(name, value);
  return rect;
}

// Nine squares with the first ones filled, or those of a list.
export function nine(full, className = "") {
  const svg = drawing(17, `nine ${className}`);
  const isOn = (index) => (Array.isArray(full) ? full.includes(index) : index < full);
  svg.append(...Array.from({ length: 9 }, (_, index) => square((index % 3) * 6, Math.floor(index / 3) * 6, 5, isOn(index) ? "on" : "")));
  return svg;
}

// A puzzle in miniature: clues dark, entries lighter, empty cells pale. A solved puzzle shows
// squares, because its digits are no secret worth keeping but its pattern is prettier.
export function thumb(clues, entries = [], isDone = false) {
  const side = Math.sqrt(clues.length);
  const svg = drawing(side * 11, "thumb");
  svg.append(
    ...clues.map((clue, cell) => {
      const [x, y] = [(cell % side) * 11, Math.floor(cell / side) * 11];
      const digit = clue || entries[cell];
      if (isDone || !digit) return square(x + 2, y + 2, 7, isDone && clue ? "g" : isDone ? "f" : "e");
      const text = document.createElementNS(SVG, "text");
      for (const [name, value] of Object.entries({ x: x + 5.5, y: y + 9.4, class: clue ? "g" : "f" })) text.setAttribute(name, value);
      text.textContent = symbol(digit);
      return text;
    }),
  );
  return svg;
}

// The seal on solved puzzles.
export function seal(className = "") {
  const svg = document.querySelector(".brand .mark").cloneNode(true);
  svg.setAttribute("class", `mark ${className}`);
  return svg;
}

// A bar chart, scaled to the highest number; its label has the text.
export function bars(values, className = "") {
  const most = Math.max(1, ...values);
  return values.map((value, index) => {
    const bar = document.createElement("i");
    bar.className = [className, index === values.length - 1 && "now"].filter(Boolean).join(" ");
    bar.style.setProperty("--n", value / most);
    return bar;
  });
}
