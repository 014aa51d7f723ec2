// Collects all views except Today and the game: their actions, their rendering, and the events of
// their controls other than buttons. This file is loaded after the board is visible, so that the
// game is playable sooner on a slow connection.

import { $, element } from "./dom.js";
import { goTo, say } from "./page.js";
import { translate, words } from "./words.js";
import { addViews } from "./render.js";
import { calendarActions } from "./calendar.js";
import { batchActions } from "./batch.js";
import { choose, prepareWatch, pull, setSpeed, watchActions } from "./watch.js";
import { exerciseActions, exerciseKey, focusExercise, pressExercise } from "./exercise.js";
import "./feel.js";
import "./own-keys.js";
import { gamesActions, importFile, prepareGames } from "./games.js";
import { learnActions, prepareLessons, search } from "./learn.js";
import { makeActions } from "./make.js";
import { open, prepare as preparePanels } from "./panels.js";
import { prepareRating, rateActions } from "./rate.js";
import { reviewActions } from "./review.js";
import { renderBatch } from "./batch-view.js";
import { renderGames } from "./games-view.js";
import { renderLearn } from "./learn-view.js";
import { renderMade } from "./make-view.js";
import { renderRating } from "./rate-view.js";
import { renderWatch } from "./watch-view.js";

// The parts that few visits need have files of their own.
const LOAD = { variants: () => import("./variants.js"), train: () => import("./train.js"), desk: () => import("./desk.js") };
const PREPARED = { variants: "prepareVariants", train: "prepareTrainer", desk: "prepareDesk" };
const prepareLoaded = (view) => LOAD[view]().then((part) => part[PREPARED[view]](), () => say(words.noServer, true));
const visit = (view) => () => {
  document.querySelector("dialog[open]")?.close();
  goTo(view);
  prepareLoaded(view);
};

export { madePosition } from "./exercise.js";
export { shuffled } from "./shuffle.js";

export const otherActions = {
  "view-variants": visit("variants"),
  "daily-variant": () => LOAD.variants().then(({ playDaily }) => playDaily(), () => say(words.noServer, true)),
  "view-train": visit("train"),
  "view-desk": visit("desk"),
  ...watchActions,
  ...learnActions,
  ...exerciseActions,
  ...rateActions,
  ...makeActions,
  ...batchActions,
  ...gamesActions,
  ...calendarActions,
  ...reviewActions,
};

addViews({ watch: renderWatch, learn: renderLearn, rate: renderRating, make: renderMade, batch: renderBatch, games: renderGames });

for (const stage of [0, 1]) {
  $(`watch-system-${stage}`).addEventListener("change", ({ target }) => choose(stage, target.value));
  $(`stage-bar-${stage}`).addEventListener("input", ({ target }) => pull(stage, Number(target.value)));
}
$("watch-speed").addEventListener("input", ({ target }) => setSpeed(Number(target.value)));
$("lesson-search").addEventListener("input", ({ target }) => search(target.value));
$("lesson-board").addEventListener("boardpress", ({ detail: { cell } }) => pressExercise(cell));
$("lesson-board").addEventListener("boardfocus", ({ detail: { cell } }) => focusExercise(cell));
$("games-import").addEventListener("change", ({ target }) => target.files[0] && importFile(target.files[0]));

// The keyboard in exercises.
export const keyIn = (view, event) => (view === "learn" ? exerciseKey(event) : null);

// On a phone, the list of moves has a panel of its own; the list itself moves there and back.
const moves = element("dialog", { id: "panel-moves", "aria-labelledby": "moves-title" }, element("form", { method: "dialog" }, element("div", { className: "do" }, element("button", { className: "btn quiet", data: { t: "close" } }))));
document.body.append(moves);
translate(moves);
otherActions["panel-moves"] = () => {
  moves.firstChild.prepend($("moves").parentElement);
  open("panel-moves");
};
moves.addEventListener("close", () => $("rest").prepend($("moves").parentElement));
// A move that was chosen is seen on the board.
moves.addEventListener("click", ({ target }) => target.closest("[data-do]") && moves.close());

// Fetches the data of a view. Today shows the progress through the school.
const PREPARE = { ...Object.fromEntries(Object.keys(LOAD).map((view) => [view, () => prepareLoaded(view)])), today: prepareLessons, learn: prepareLessons, watch: prepareWatch, rate: () => prepareRating(), make: preparePanels, games: prepareGames };

export const prepareView = (view) => PREPARE[view]?.();
