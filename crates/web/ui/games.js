// Your games: open games, solved puzzles, and export and import of all of them.

import * as store from "./store.js";
import { $ } from "./dom.js";
import { change, goTo, keep, set, start, state } from "./page.js";
import { gridOf, newGame } from "./game.js";
import { showSettings } from "./panels.js";
import { speak, words } from "./words.js";
import { startNew } from "./today.js";

export function prepareGames() {
  change("today", { games: store.allGames(), solved: store.loadSolved() });
}

// Imports the file at once; games that are newer here are kept.
export async function importFile(file) {
  try {
    const taken = store.takeIn(await file.text());
    const settings = store.loadSettings();
    if (settings.language !== state.settings.language) await speak(settings.language);
    set({ settings });
    showSettings(settings);
    change("games", { said: words.imported(taken) });
    change("learn", { school: store.loadSchool() });
  } catch {
    change("games", { said: words.notImported });
  }
  prepareGames();
}

export const gamesActions = {
  "view-games": () => {
    document.querySelector("dialog[open]")?.close();
    keep();
    goTo("games", { games: { said: "", removed: null } });
    prepareGames();
  },
  "game-open": ({ name }) => {
    const game = store.loadGame(name);
    if (game) start(game);
  },
  "game-remove": ({ name }) => {
    const removed = store.forgetGame(name);
    // Restart the game on the board; otherwise the next move would store it again.
    const { id, position, about } = state.game;
    if (id === name) set({ game: newGame(gridOf(state.game), position.clues, false, about) });
    change("games", { removed });
    prepareGames();
  },
  "game-back": () => {
    store.bringBack(state.games.removed);
    change("games", { removed: null });
    prepareGames();
  },
  "solved-again": ({ index }) => {
    const { puzzle, boxes, rules, level } = state.today.solved[index];
    startNew({ puzzle, boxes, rules }, { level });
  },
  export: () => {
    keep();
    $("games-export").href = `data:application/json;charset=utf-8,${encodeURIComponent(store.everything())}`;
  },
};
