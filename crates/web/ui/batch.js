// Batch: rates many puzzles and lists the results in a table.

import * as api from "./api.js";
import { $ } from "./dom.js";
import { change, goTo, inWords, sentence, state } from "./page.js";
import { startNew } from "./today.js";

// Counts the runs, so that a new run stops the previous one.
let run = 0;

async function rateAll() {
  const own = (run += 1);
  const started = performance.now();
  change("batch", { rows: [], puzzles: [], all: 0, seconds: 0, error: "", done: false });
  try {
    const { puzzles, errors } = await api.read($("batch-text").value);
    change("batch", { puzzles, all: puzzles.length, error: errors.map(sentence).join(" ") });
    for (const puzzle of puzzles) {
      const row = await rowOf(puzzle);
      if (run !== own) return;
      change("batch", { rows: [...state.batch.rows, row], seconds: (performance.now() - started) / 1000 });
    }
    change("batch", { done: true });
  } catch (error) {
    change("batch", { error: inWords(error), done: true });
  }
}

async function rowOf({ puzzle, boxes }) {
  try {
    const { clues, dupree, scales, hardest, steps } = await api.rate({ puzzle, boxes });
    const valueOn = (scale) => scales.find(({ name }) => name === scale)?.value ?? "";
    return [puzzle, clues, valueOn("effort"), dupree?.points ?? "", valueOn("consistency"), hardest ?? "", steps];
  } catch (error) {
    return [puzzle, "", "", "", "", error.message, ""];
  }
}

export const batchActions = {
  "view-batch": () => {
    document.querySelector("dialog[open]")?.close();
    goTo("batch");
  },
  "batch-open": ({ index }) => startNew(state.batch.puzzles[index], {}),
  "batch-now": rateAll,
  "batch-stop": () => {
    run += 1;
    change("batch", { done: true });
  },
};
