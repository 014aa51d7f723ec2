// Draws the list of lessons and the lesson that is open.

import { $, element, fill } from "./dom.js";
import { quietView } from "./view.js";
import { words } from "./words.js";

export function renderLearn({ learn }) {
  const { tiers, search, slug, lesson, error } = learn;
  $("view-learn").classList.toggle("reading", Boolean(slug));
  fill($("lesson-tiers"), JSON.stringify([tiers, search, slug]), () => list(tiers, search, slug));
  $("lesson-welcome").hidden = Boolean(slug);
  $("lesson-error").textContent = error;
  const open = lesson?.slug === slug ? lesson : null;
  $("lesson").hidden = !open;
  if (open) renderLesson(open, tiers);
}

// The tiers with the lessons whose names hold every word that is searched for.
function list(tiers, search, slug) {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ name }) => wanted.every((word) => name.toLowerCase().includes(word));
  const found = tiers.map(({ name, lessons }) => ({ name, lessons: lessons.filter(fits) })).filter(({ lessons }) => lessons.length > 0);
  if (found.length === 0 && tiers.length > 0) return [element("p", { className: "quiet" }, words.noLesson)];
  return found.map(({ name, lessons }) =>
    element("div", { className: "tier" }, element("h2", {}, name), element("ul", {}, ...lessons.map((lesson) => element("li", {}, link(lesson, slug))))),
  );
}

function link({ name, slug }, open) {
  return element("a", { href: `#lesson=${slug}`, ...(slug === open && { "aria-current": "page" }) }, name);
}

function renderLesson({ name, tier, slug, paragraphs, boards: [board] }, tiers) {
  const [step] = board.steps;
  $("lesson-tier").textContent = tier;
  $("lesson-name").textContent = name;
  fill($("lesson-text"), slug, () => paragraphs.map((text) => element("p", {}, text)));
  fill($("lesson-ways"), JSON.stringify([slug, tiers.length]), () => ways(tiers.flatMap(({ lessons }) => lessons), slug));
  $("lesson-line").textContent = step.short;
  $("lesson-why").textContent = step.text;
  $("lesson-board").draw(quietView({ ...board, picture: step.picture, label: words.lessonBoard(name) }));
}

// The lesson before and the lesson after, as far as there are any.
function ways(lessons, slug) {
  const at = lessons.findIndex((lesson) => lesson.slug === slug);
  const way = (lesson, text) => (lesson ? element("a", { href: `#lesson=${lesson.slug}` }, text(lesson.name)) : element("span"));
  return at < 0 ? [] : [way(lessons[at - 1], words.lessonBefore), way(lessons[at + 1], words.lessonAfter)];
}
