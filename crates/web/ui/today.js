// Today: the five puzzles of the day, the open games, and the next lesson.

import * as api from "./api.js";
import * as play from "./game.js";
import * as store from "./store.js";
import { LEVELS, dayOf, wishOf } from "./day.js";
import { ask, change, goTo, inWords, set, start, state } from "./page.js";
import { digitsOfLine, geometryNamed } from "./geometry.js";
import { nextOf } from "./win-view.js";
import { playActions } from "./play.js";
import { words } from "./words.js";

// Loads the stored puzzles of the day and generates the missing ones, the easy ones first.
export async function prepareToday() {
  const day = dayOf(new Date());
  change("today", { day, puzzles: store.loadDaily(day), games: store.allGames(), solved: store.loadSolved(), error: "" });
  if (making) return;
  making = true;
  try {
    for (const level of LEVELS) {
      if (state.view !== "today") break;
      await dailyPuzzle(day, level, api.prepare);
    }
  } catch (error) {
    change("today", { error: `${words.noDaily} ${inWords(error)}` });
  } finally {
    making = false;
  }
}
let making = false;

// A puzzle of a day: its seed is the date, so it is the same everywhere.
async function dailyPuzzle(day, level, make) {
  const known = store.loadDaily(day)[level];
  if (known) return known;
  const { puzzle, boxes, clues } = (await bakedPuzzle(day, level)) ?? (await make(wishOf(day, level)));
  const puzzles = { ...store.loadDaily(day), [level]: { puzzle, boxes, clues } };
  store.saveDaily(day, puzzles);
  if (state.today.day === day) change("today", { puzzles });
  return puzzles[level];
}

// The puzzles of a month that came with the page (crates/web/bake-daily); null for other months.
const months = new Map();
async function bakedPuzzle(day, level) {
  const month = day.slice(0, 7);
  if (!months.has(month)) {
    const load = async () => {
      const response = await fetch(`daily/${month}.txt`);
      return response.ok ? response.text() : "";
    };
    months.set(month, load().catch(() => ""));
  }
  const start = `${day.slice(8)} ${level} `;
  const line = (await months.get(month)).split("\n").find((text) => text.startsWith(start));
  if (!line) return null;
  const puzzle = line.slice(start.length).replace(/[a-z]/g, (run) => ".".repeat(run.charCodeAt(0) - 96));
  return puzzle.length === 81 ? { puzzle, boxes: "3x3", clues: puzzle.replaceAll(".", "").length } : null;
}

// The game of a daily puzzle: the existing one, solved or not, or a new one.
function playDaily(level, day = dayOf(new Date())) {
  const begun = store.allGames().find(({ game: { about } }) => about.daily === day && about.level === level);
  if (begun) return start(begun.game);
  ask((signal) => dailyPuzzle(day, level, (wish) => api.generate(wish, signal)), ({ puzzle, boxes }) => startNew({ puzzle, boxes }, { level, daily: day }));
}

// Starts a game, with the digits that the player has already written elsewhere, if there are any.
export function startNew({ puzzle, boxes, rules = null, entries = "" }, about = {}) {
  const grid = geometryNamed(boxes);
  const position = { ...play.emptyPosition(grid), rules, clues: digitsOfLine(puzzle, grid.side) };
  if (entries) position.entries = digitsOfLine(entries, grid.side);
  start(play.gameOf(position, false, about));
}

function playNew(level) {
  const wish = { boxes: "3x3", difficulty: level, symmetry: "half-turn" };
  ask((signal) => api.generate(wish, signal), (made) => startNew(made, { level }));
}

// Golden Nugget, by tarek (2007), one of the hardest puzzles known.
const HARDEST = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

export const todayActions = {
  "view-today": () => {
    goTo("today");
    prepareToday();
  },
  continue: () => start(store.lastGame() ?? state.game),
  "play-daily": ({ name }) => playDaily(name),
  "play-past": ({ name }) => {
    document.querySelector("dialog[open]")?.close();
    const [day, level] = name.split(" ");
    playDaily(level, day);
  },
  // The hardest well-known puzzle, explained step by step.
  "show-hardest": () => {
    const grid = geometryNamed("3x3");
    start(play.newGame(grid, digitsOfLine(HARDEST, 9), false, { level: "extreme" }));
    playActions.explain();
  },
  "play-new": ({ name }) => playNew(name),
  "win-next": () => {
    const { level, daily } = nextOf(state.game);
    if (daily) playDaily(level, daily);
    else playNew(level);
  },
  "look-again": () => set({ lookAgain: true }),
};
