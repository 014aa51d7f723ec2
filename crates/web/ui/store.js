// What the browser stores: games, solved puzzles, the progress through the school, and the
// settings. The page also works in a browser that stores nothing.
//
// Each game is stored separately, so none overwrites another. It is written at once with every
// move, so a page that is closed or reloaded right after a move loses nothing.

import { addressOf } from "./link.js";
import { digitsOf, isFull, isTouched } from "./game.js";
import { LANGUAGES } from "./words.js";
import { pack, unpack } from "./keep.js";

const SETTINGS = "ninefold.settings";
const GAMES = "ninefold.game.";
const SOLVED = "ninefold.solved";
const SCHOOL = "ninefold.school";
const DAILY = "ninefold.daily";
const TRAIN = "ninefold.train";

// Solved games may be deleted when space is needed; their results stay in the list of solved
// puzzles.
const MOST_SOLVED_GAMES = 40;

export const DEFAULTS = {
  mistakes: "rules",
  entry: "cell",
  auto: false,
  tidy: true,
  peers: true,
  equal: true,
  labels: true,
  timer: true,
  motion: true,
  base: "",
  toured: false,
  theme: "auto",
  board: "paper",
  sound: false,
  haptics: false,
  "key-hint": "h",
  "key-explain": "x",
  "key-check": "k",
  "key-undo": "u",
  "key-redo": "y",
  "key-mode-next": "m",
  "key-pause": "t",
  // The first language of the browser that the page supports.
  language: (navigator.languages ?? []).map((name) => name.slice(0, 2)).find((name) => LANGUAGES.includes(name)) ?? "en",
};

function load(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

// Returns whether there was space. In private windows and on full disks nothing is stored, but the
// game continues.
function save(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function keysOf(prefix) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

export const loadSettings = () => ({ ...DEFAULTS, ...load(SETTINGS) });
export const saveSettings = (settings) => save(SETTINGS, settings);

export const loadGame = (id) => unpack(load(GAMES + id));

// Stores a game that the player has changed. The time of the last change tells which game to
// continue.
export function saveGame(game) {
  if (!isTouched(game) && !game.kept) return true;
  const kept = { ...pack(game), touched: Date.now() };
  if (save(GAMES + game.id, kept)) return true;
  makeRoom(0);
  return save(GAMES + game.id, kept);
}

// Restores a deleted game.
export function forgetGame(id) {
  const kept = load(GAMES + id);
  localStorage.removeItem(GAMES + id);
  return kept;
}

export const bringBack = (kept) => save(GAMES + kept.id, kept);

// All games, the most recently played first.
export function allGames() {
  const kept = keysOf(GAMES).map(load).filter(Boolean);
  kept.sort((a, b) => b.touched - a.touched);
  return kept.map((entry) => ({ ...entry, game: unpack(entry) })).filter(({ game }) => game);
}

// Whether the game can be continued; a game filled by Solve is over.
export const isOpen = ({ game }) => !game.solvedAt && !(isFull(game) && game.helped);
export const openGames = () => allGames().filter(isOpen);
export const lastGame = () => openGames()[0]?.game ?? null;

// The game of this position: a game with the same clues that shows or has shown it, or any game of
// the puzzle if the position contains only clues.
export function gameWith(position) {
  const asked = addressOf(position);
  const isBare = !position.entries.some(Boolean) && !asked.includes("&n=") && !asked.includes("&m=") && !asked.includes("&x=") && !asked.includes("&c=");
  const same = openGames().filter(({ game }) => game.position.boxes === position.boxes && String(game.position.clues) === String(position.clues) && JSON.stringify(game.position.rules) === JSON.stringify(position.rules));
  const was = ({ game }) => [game.position, ...game.past, ...game.future].some((moment) => addressOf(moment) === asked);
  return (same.find(was) ?? (isBare ? same[0] : undefined))?.game ?? null;
}

function makeRoom(most) {
  const done = allGames().filter((entry) => !isOpen(entry));
  for (const { id } of done.slice(most)) forgetGame(id);
}

// Converts the single game that earlier versions stored.
export function adoptOldGame() {
  const old = load("ninefold.game");
  localStorage.removeItem("ninefold.game");
  if (!old?.position?.clues || !Array.isArray(old.past)) return;
  const id = `old${Date.now().toString(36)}`;
  saveGame({ hints: [], checks: 0, checkpoints: [], about: {}, ...old, id });
}

// Solved puzzles: { id, day, at, level, daily, seconds, hints, checks, clues, boxes }, oldest
// first.
export const loadSolved = () => load(SOLVED) ?? [];

export function addSolved(entry) {
  const solved = loadSolved().filter(({ id }) => id !== entry.id);
  save(SOLVED, [...solved, entry]);
  makeRoom(MOST_SOLVED_GAMES);
}

// The progress through the school: the number of finished exercises of each lesson.
export const loadSchool = () => load(SCHOOL) ?? {};
export const saveSchool = (school) => save(SCHOOL, school);

// The puzzles of a day, generated once: { day, puzzles: { easy: { puzzle, boxes, … } } }.
export const loadDaily = (day) => {
  const kept = load(DAILY);
  return kept?.day === day ? kept.puzzles : {};
};
export const saveDaily = (day, puzzles) => save(DAILY, { day, puzzles });

// Exports everything as one text; `takeIn` imports it. Newer games replace older ones, and nothing
// that exists only in this browser is lost.
export function everything() {
  const games = keysOf(GAMES).map(load).filter(Boolean);
  return JSON.stringify({ ninefold: 1, settings: loadSettings(), games, solved: loadSolved(), school: loadSchool(), train: load(TRAIN) }, null, 1);
}

// Existing settings of the browser are kept.
export function takeIn(text) {
  const data = JSON.parse(text);
  if (data?.ninefold !== 1) throw new Error("no such file");
  const games = (data.games ?? []).filter((kept) => unpack(kept));
  for (const kept of games) {
    const own = load(GAMES + kept.id);
    if (!own || own.touched < kept.touched) save(GAMES + kept.id, kept);
  }
  const own = loadSolved();
  const others = (data.solved ?? []).filter(({ id }) => !own.some((entry) => entry.id === id));
  save(SOLVED, [...own, ...others].sort((a, b) => a.at - b.at));
  const school = loadSchool();
  for (const [slug, count] of Object.entries(data.school ?? {})) school[slug] = Math.max(school[slug] ?? 0, count);
  saveSchool(school);
  // The training with more answers is kept.
  if (data.train?.answers && data.train.answers.length >= (load(TRAIN)?.answers.length ?? 0)) save(TRAIN, data.train);
  if (data.settings && !load(SETTINGS)) saveSettings(data.settings);
  return { games: games.length, solved: others.length };
}

export const filledOf = (game) => digitsOf(game.position).filter(Boolean).length;
