// Renders the list of lessons with progress, the open lesson with its three boards, and its
// exercise.

import { $, element, fill } from "./dom.js";
import { EXERCISES, isDone, pictureOf, squaresOf, tiersDone } from "./school.js";
import { geometryNamed, symbol } from "./geometry.js";
import { isTouched } from "./game.js";
import { mentions } from "./reason-view.js";
import { nine } from "./pictures.js";
import { quietView } from "./view.js";
import { inLanguage, words } from "./words.js";

export function renderLearn({ learn, game, settings }) {
  const { tiers, search, slug, lesson, error, school } = learn;
  $("view-learn").classList.toggle("reading", Boolean(slug));
  fill($("lesson-tiers"), JSON.stringify([tiers, search, slug, school, words.school]), () => list(tiers, search, slug, school));
  $("lesson-welcome").hidden = Boolean(slug);
  const done = tiersDone(tiers, school);
  const sum = (key) => done.reduce((all, tier) => all + tier[key], 0);
  $("school-progress").textContent = tiers.length > 0 ? words.schoolProgress(sum("done"), sum("all")) : "";
  $("lesson-error").textContent = error;
  const open = lesson?.slug === slug ? lesson : null;
  $("lesson").hidden = !open;
  $("back-to-game").hidden = !isTouched(game);
  if (open) renderLesson(open, learn, settings);
}

// The tiers with the lessons whose names contain all search terms.
function list(tiers, search, slug, school) {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (lesson) => wanted.every((word) => `${lesson.name} ${inLanguage(lesson)}`.toLowerCase().includes(word));
  const found = tiers.map((tier) => ({ name: inLanguage(tier), lessons: tier.lessons.filter(fits) })).filter(({ lessons }) => lessons.length > 0);
  if (found.length === 0 && tiers.length > 0) return [element("p", { className: "quiet" }, words.noLesson)];
  return found.map(({ name, lessons }) =>
    element("div", { className: "tier" }, element("h2", {}, name), element("ul", {}, ...lessons.map((lesson) => element("li", {}, link(lesson, slug, school))))),
  );
}

function link(lesson, open, school) {
  const { slug } = lesson;
  const squares = nine(squaresOf(school, slug), isDone(school, slug) ? "sealed" : "");
  return element("a", { href: `#lesson=${slug}`, ...(slug === open && { "aria-current": "page" }) }, squares, element("span", {}, inLanguage(lesson)));
}

function renderLesson({ name, tier, slug, paragraphs, boards: [board] }, learn, settings) {
  const { tiers, part, exercise, school } = learn;
  const [step] = board.steps;
  const own = tiers.find(({ lessons }) => lessons.some((other) => other.slug === slug))?.lessons ?? [];
  $("lesson-tier").textContent = own.length > 0 ? words.lessonOf(tier, own.findIndex((other) => other.slug === slug) + 1, own.length) : tier;
  $("lesson-name").textContent = name;
  fill($("lesson-text"), slug + paragraphs[0], () => paragraphs.map((text) => element("p", {}, text)));
  fill($("lesson-ways"), JSON.stringify([slug, tiers.length, words.school]), () => ways(tiers.flatMap(({ lessons }) => lessons), slug));
  fill($("lesson-parts"), JSON.stringify([part, words.parts, Boolean(exercise)]), () => words.part.map((title, index) => partButton(title, index, !exercise && index === part)));
  $("lesson-line").textContent = step.short;
  $("lesson-line").parentElement.hidden = part < 2 || Boolean(exercise);
  fill($("lesson-why"), JSON.stringify([slug, part, step.text]), () => mentions([step.hint, step.pattern, step.text][part], part > 0 ? step.picture : null, geometryNamed(board.boxes)));
  const practising = exercise && ["open", "done"].includes(exercise.state);
  $("lesson").classList.toggle("practising", Boolean(practising));
  // The text and the parts of the example belong to its board, which the exercise covers.
  for (const id of ["lesson-why", "lesson-parts"]) $(id).hidden = Boolean(practising);
  const isFocused = $("lesson-board").contains(document.activeElement);
  if (practising) $("lesson-board").draw(exerciseView(exercise, name, settings));
  else $("lesson-board").draw(quietView({ ...board, picture: pictureUpTo(step, part), label: words.lessonBoard(name), labels: settings.labels, lit: part > 0 ? litIn(step) : 0 }));
  if (isFocused && practising) $("lesson-board").focusCursor();
  // The exercises are made from classic puzzles.
  $("exercise").hidden = Boolean(board.rules);
  renderExercise(exercise, name, school[slug] ?? 0);
}

function partButton(title, index, isOpen) {
  const button = element("button", { type: "button", className: "btn quiet", data: { do: "lesson-part", index } }, `${index + 1} ${title}`);
  button.setAttribute("aria-pressed", isOpen);
  return button;
}

// The boards of a lesson: the position, then the pattern, then its conclusion.
function pictureUpTo({ picture }, part) {
  if (part === 0) return null;
  if (part === 2) return picture;
  const pattern = picture.candidates.filter(({ ink }) => !["removed", "placed"].includes(ink));
  return { ...picture, candidates: pattern, arrows: [] };
}

// The digit that a step is about, if it is about one.
function litIn({ picture }) {
  const digits = new Set(picture.candidates.map(({ digit }) => digit));
  return digits.size === 1 ? [...digits][0] : 0;
}

function exerciseView(exercise, name, settings) {
  const { puzzle, boxes, grid, candidates, cell, state } = exercise;
  const view = quietView({ puzzle, boxes, grid, candidates, picture: pictureOf(exercise), chosen: state === "open" && cell !== null ? [cell] : [], label: words.exerciseBoard(name), labels: settings.labels });
  // Tab leads to the first cell before one is selected.
  return { ...view, cursor: cell ?? 0 };
}

function renderExercise(exercise, name, done) {
  const stage = exercise?.state ?? "none yet";
  const open = stage === "open";
  fill($("exercise-count"), JSON.stringify([done, words.school]), () => [nine((9 * done) / EXERCISES, done >= EXERCISES ? "sealed" : ""), element("em", {}, words.progress(done, EXERCISES))]);
  const task = open ? (exercise.step.places.length > 0 ? words.exercisePlace : words.exerciseRemove)(name) : stage === "making" ? words.exerciseMaking : words.exerciseIdea(name);
  $("exercise-task").textContent = task;
  $("exercise-said").textContent = exercise?.said ?? "";
  $("exercise-said").classList.toggle("bad", Boolean(exercise?.bad));
  $("exercise-start").hidden = open || stage === "making";
  $("exercise-check").hidden = !open;
  $("exercise-show").hidden = !open || exercise.shown;
  $("exercise-end").hidden = !exercise || stage === "making";
  $("exercise-keys").hidden = !open;
  if (open) renderKeys(exercise);
}

// A key for every candidate of the selected cell.
function renderKeys(exercise) {
  const { cell, chosen } = exercise;
  fill($("exercise-keys"), JSON.stringify([cell, chosen, exercise.puzzle]), () =>
    (exercise.candidates[cell] ?? []).map((digit) => {
      const button = element("button", { type: "button", className: "key", data: { do: "exercise-key", index: digit } }, symbol(digit));
      button.setAttribute("aria-pressed", chosen.some(([place, other]) => place === cell && other === digit));
      return button;
    }),
  );
}

// The previous and the next lesson, if they exist.
function ways(lessons, slug) {
  const at = lessons.findIndex((lesson) => lesson.slug === slug);
  const way = (lesson, text) => (lesson ? element("a", { href: `#lesson=${lesson.slug}` }, text(inLanguage(lesson))) : element("span"));
  return at < 0 ? [] : [way(lessons[at - 1], words.lessonBefore), way(lessons[at + 1], words.lessonAfter)];
}
