// Renders explanations of the position: a hint in three stages, an explanation step by step, two
// solutions.
//
// Screen readers read the region #spoken, which always exists, because some of them ignore a region
// that appears together with its text.

import { $, element, fill } from "./dom.js";
import { symbol } from "./geometry.js";
import { words } from "./words.js";

export function renderReason({ hint, walk, two }) {
  $("reason").hidden = !hint && !walk && !two;
  $("hintbuttons").hidden = !hint;
  $("walkbuttons").hidden = !walk;
  $("twobuttons").hidden = !two;
  $("steps").hidden = !walk;
  $("stages").hidden = !hint?.answer.step;
  if (hint) renderHint(hint);
  if (walk) renderWalk(walk);
  if (two) say(words.two(two.shown + 1), "", null);
  if (!hint && !walk && !two) $("spoken").textContent = "";
}

function renderHint({ answer, stage }) {
  const { step } = answer;
  say(words.stage(stage, step?.technique ?? words.check), answer.stages[stage], stage === 2 ? step?.picture : null);
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

function renderWalk({ answer, index }) {
  const { steps } = answer;
  const step = steps[index - 1];
  say(words.step(index, steps.length), step ? step.text : words.startOfWalk, step?.picture, answer.text);
  $("learnstep").hidden = index === 0;
  const list = $("steps");
  fill(list, JSON.stringify(steps.map(({ short }) => short)), () =>
    steps.map(({ short }, place) => element("li", {}, element("button", { type: "button", data: { do: "walk-to", index: place + 1 } }, short))),
  );
  [...list.children].forEach((item, place) => {
    if (place === index - 1) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  const current = list.children[index - 1];
  // The list is positioned, so offsets of its items are relative to it.
  if (current) list.scrollTop = current.offsetTop - Math.max(0, (list.clientHeight - current.offsetHeight) / 2);
}

function say(title, text, picture, end = "") {
  $("reasonend").textContent = end;
  $("reasontitle").textContent = title;
  fill($("reasontext"), text + JSON.stringify(picture?.candidates ?? null), () => text.split("\n").filter(Boolean).map((line) => element("p", {}, ...mentions(line, picture))));
  const spoken = [title, text, end].filter(Boolean).join(". ");
  if ($("spoken").textContent !== spoken) $("spoken").textContent = spoken;
}

const ROLES = { removed: "gone", fin: "fin", blue: "alt", green: "reason", placed: "reason" };

// Cells named in a text have the colours they have on the board.
export function mentions(text, picture) {
  const roles = new Map((picture?.candidates ?? []).map(({ cell, ink }) => [cell, ROLES[ink] ?? ""]));
  return text.split(/\b([a-zA-Z]\d{1,2}[a-zA-Z]\d{1,2})\b/).map((part, index) => (index % 2 === 1 && roles.get(part) ? element("mark", { className: roles.get(part) }, part) : part));
}
