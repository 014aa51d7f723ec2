// Renders explanations of the position: a hint in three stages, an explanation step by step, two
// solutions.
//
// Screen readers read the region #spoken, which always exists, because some of them ignore a region
// that appears together with its text.

import { $, element, fill } from "./dom.js";
import { casesShown, raysShown, stepShown } from "./board-view.js";
import { geometryNamed, symbol } from "./geometry.js";
import { words } from "./words.js";

export function renderReason(state) {
  const { hint, walk, two, game } = state;
  const grid = geometryNamed(game.position.boxes);
  $("reason").hidden = !hint && !walk && !two;
  $("hintbuttons").hidden = !hint;
  $("walkbuttons").hidden = !walk;
  $("walktake").hidden = Boolean(walk?.isReview);
  $("replay").hidden = !walk?.isReview;
  $("showall").parentElement.hidden = !hint?.answer.step && !walk || Boolean(walk?.isReview);
  $("twobuttons").hidden = !two;
  $("steps").hidden = !walk;
  $("stages").hidden = !hint?.answer.step;
  const picture = pictureOf(state);
  if (hint) renderHint(hint, grid, picture);
  if (walk) renderWalk(walk, grid, state.show, picture);
  renderCases(state);
  if (two) say(words.two(two.shown + 1), "", null);
  if (!hint && !walk && !two) $("spoken").textContent = "";
}

// The cases of the step: a button for each, and the line of the text that is shown.
function renderCases(state) {
  const { show } = state;
  const cases = casesShown(state);
  const step = stepShown(state);
  $("cases").hidden = cases.length === 0;
  $("showall").hidden = !step;
  $("showall").setAttribute("aria-pressed", show.all);
  $("shownotation").hidden = !state.walk;
  $("shownotation").setAttribute("aria-pressed", show.notation);
  $("notation").textContent = show.notation && step ? step.short : "";
  if (cases.length === 0) return;
  $("caseplay").textContent = show.playing && show.part < cases.length - 1 ? words.stop : words.playCases;
  fill($("caselist"), `${cases.length} ${step.step} ${words.play}`, () =>
    cases.map(({ label }, index) => {
      const button = element("button", { type: "button", className: `case case-${(index % 5) + 1}`, data: { do: "case-to", index } }, String(index + 1));
      // The name of a button contains what it shows.
      button.setAttribute("aria-label", label ? `${index + 1}: ${label}` : words.caseOf(index + 1));
      return element("li", {}, button);
    }),
  );
  [...$("caselist").children].forEach((item, index) => item.firstChild.setAttribute("aria-pressed", index === show.part));
  const lines = [...$("reasontext").children];
  const now = lines[cases[show.part].line];
  lines.forEach((line) => line.classList.toggle("now", line === now));
  if (now && now !== scrolledTo) now.scrollIntoView({ block: "nearest" });
  scrolledTo = now;
}
let scrolledTo = null;

// The picture of a step with the digits that block a house.
function pictureOf(state) {
  const step = stepShown(state);
  return step && { ...step.picture, rays: raysShown(state) };
}

function renderHint({ answer, stage }, grid, picture) {
  const { step } = answer;
  // The title has the name of the technique.
  const text = stage === 2 && step ? answer.stages[2].replace(`${step.technique}: `, "") : answer.stages[stage];
  say(words.stage(stage, step?.technique ?? words.check), text, stage === 2 ? picture : null, "", grid);
  [...$("stages").children].forEach((item, index) => {
    item.classList.toggle("on", index <= stage);
    if (index === stage) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  $("more").hidden = stage >= 2;
  $("follow").hidden = stage < 2 || !step;
  $("follow").textContent = step ? conclusion(step) : "";
  $("undomistake").hidden = answer.answer !== "mistake";
  // The first stage does not reveal the technique.
  $("learnthis").hidden = stage < 1 || !step;
}

// `Remove 9 from r5c9`, if one step says everything.
function conclusion({ places, removes }) {
  const [only] = places.length === 1 ? places : removes;
  if (places.length + removes.length !== 1) return words.doIt;
  return (places.length === 1 ? words.placeIt : words.removeIt)(symbol(only.digit), only.cell);
}

// A step in words: the technique and what it concludes.
function stepLine({ technique, places, removes, short }, notation) {
  if (notation) return short;
  const [only] = places.length > 0 ? places : removes;
  const count = places.length + removes.length;
  if (!only) return technique;
  if (count > 1) return `${technique}: ${words.manyGo(count)}`;
  return `${technique}: ${(places.length === 1 ? words.isIn : words.isNotIn)(symbol(only.digit), only.cell)}`;
}

function renderWalk({ answer, index, isReview = false }, grid, show, picture) {
  const { steps } = answer;
  const step = steps[index - 1];
  say(words.step(index, steps.length), step ? step.text : words.startOfWalk, picture, answer.text, grid);
  $("learnstep").hidden = !step?.slug;
  // After a game the step that was missed can be practised.
  $("learnstep").textContent = isReview && step?.slug ? words.practise(step.missed) : words.lesson;
  const list = $("steps");
  fill(list, JSON.stringify([show.notation, words.play, steps.map(({ short }) => short)]), () =>
    steps.map((one, place) => element("li", {}, element("button", { type: "button", data: { do: "walk-to", index: place + 1 } }, stepLine(one, show.notation)))),
  );
  [...list.children].forEach((item, place) => {
    if (place === index - 1) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  const current = list.children[index - 1];
  // The list is positioned, so offsets of its items are relative to it.
  if (current) list.scrollTop = current.offsetTop - Math.max(0, (list.clientHeight - current.offsetHeight) / 2);
}

function say(title, text, picture, end = "", grid = null) {
  $("reasonend").textContent = end;
  $("reasontitle").textContent = title;
  fill($("reasontext"), text + JSON.stringify(picture?.candidates ?? null), () => text.split("\n").filter(Boolean).map((line) => element("p", {}, ...mentions(line, picture, grid))));
  const spoken = [title, text, end].filter(Boolean).join(". ");
  if ($("spoken").textContent !== spoken) $("spoken").textContent = spoken;
}

const ROLES = { removed: "gone", fin: "fin", blue: "alt", green: "reason", placed: "reason" };

// Cells named in a text have the colours they have on the board, and light up together with them.
export function mentions(text, picture, grid) {
  const roles = new Map((picture?.candidates ?? []).map(({ index, ink }) => [index, ROLES[ink] ?? ""]));
  return text.split(/\b([a-zA-Z]\d+[a-zA-Z]\d+)\b/).map((part, index) => {
    if (index % 2 === 0) return part;
    const cells = grid ? cellsNamed(part, grid) : [];
    if (cells.length === 0) return part;
    // Several cells, as in `r15c4`, have a colour if all of them have the same one.
    const [role = "", ...others] = new Set(cells.map((cell) => roles.get(cell)));
    const isBlocker = picture?.rays?.some(({ from }) => cells.includes(from));
    return element("mark", { className: (others.length === 0 && role) || (isBlocker ? "alt" : ""), data: { cells: cells.join(" ") } }, part);
  });
}

// `r3c7`, or `r12c45` for four cells; on large grids a number has two digits.
function cellsNamed(name, { side }) {
  const numbers = /(\d+)\D(\d+)/.exec(name).slice(1).map((text) => (side > 9 ? [Number(text)] : [...text].map(Number)));
  const [rows, columns] = numbers;
  return rows.flatMap((row) => columns.map((column) => (row - 1) * side + column - 1)).filter((cell) => cell >= 0 && cell < side * side);
}
