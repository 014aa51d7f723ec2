// Lessons: fetches the list and the pages, and navigates between them.

import * as api from "./api.js";
import * as play from "./game.js";
import { change, changed, entering, goTo, inWords, start, state } from "./page.js";
import { digitsOfLine, geometryNamed, setOf } from "./geometry.js";
import { nextLesson } from "./school.js";
import { words } from "./words.js";

export async function prepareLessons() {
  if (state.learn.tiers.length === 0) {
    const { tiers } = await api.lessons().catch(() => ({ tiers: [] }));
    change("learn", { tiers, error: tiers.length > 0 ? "" : words.noServer });
  }
  if (state.view === "learn" && state.learn.slug) openLesson(state.learn.slug);
}

// The text of a lesson is fetched in the new language.
changed.language = () => state.learn.slug && openLesson(state.learn.slug);

// Today shows the progress through the school.
entering.today = prepareLessons;

export async function openLesson(slug) {
  const { language } = state.settings;
  if (state.learn.exercise && state.learn.exercise.slug !== slug) change("learn", { exercise: null });
  if (state.learn.lesson?.slug === slug && state.learn.lesson.language === language) return change("learn", { slug });
  change("learn", { slug, lesson: null, error: "", part: 0 });
  try {
    const lesson = { ...(await lessonAbout(slug, language)), language };
    if (state.learn.slug === slug) change("learn", { lesson });
  } catch (error) {
    if (state.learn.slug === slug) change("learn", { error: inWords(error) });
  }
}

// Techniques of puzzles with rules have lessons of their own.
async function lessonAbout(slug, language) {
  try {
    return await api.lesson(slug, language);
  } catch (error) {
    const own = error.status === 404 && (await (await import("./variants.js")).lessonOf(slug, language));
    if (!own) throw error;
    return own;
  }
}

function learn(slug) {
  goTo("learn", { learn: { ...state.learn, slug } });
  prepareLessons();
}

// The position of the lesson as a game, with its candidates as marks.
function tryIt() {
  const { boards, slug } = state.learn.lesson;
  const { puzzle, boxes, rules = null, grid: line, candidates } = boards[0];
  const grid = geometryNamed(boxes);
  const clues = digitsOfLine(puzzle, grid.side);
  const entries = digitsOfLine(line, grid.side).map((digit, cell) => (clues[cell] ? 0 : digit));
  start(play.gameOf({ ...play.emptyPosition(grid), rules, clues, entries, centre: candidates.map(setOf) }, false, { lesson: slug }), words.tryIt);
}

export const learnActions = {
  "view-learn": () => learn(state.learn.slug),
  // The technique of the current hint or of the current step of the explanation.
  "learn-this": () => learn((state.hint?.answer.step ?? state.walk.answer.steps[state.walk.index - 1]).slug),
  "win-lesson": () => learn(state.game.hints[0].slug),
  "lesson-list": () => learn(""),
  "lesson-try": tryIt,
  "lesson-part": ({ index }) => change("learn", { part: index, exercise: null }),
  "back-to-game": () => goTo("play"),
  "school-next": () => learn(nextLesson(state.learn.tiers, state.learn.school)?.slug ?? ""),
};

export const search = (text) => change("learn", { search: text });
