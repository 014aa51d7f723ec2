// Starts the page and handles its events. Every event runs an action, a function in `actions` that
// changes the state; then the page is rendered once.

import "./board.js";
import * as game from "./game.js";
import * as panels from "./panels.js";
import { $ } from "./dom.js";
import { SHOW_KEYS, actionOf } from "./keys.js";
import { arrive, isEmbedded, keep, learnSolution, loadRules, reportLink, say, set, settle, side, state, tick } from "./page.js";
import { dayOf } from "./day.js";
import { pasted, playActions } from "./play.js";
import { prepareToday, todayActions } from "./today.js";
import { render } from "./render.js";
import { renderTimer } from "./play-view.js";
import { speak, words } from "./words.js";

const actions = { ...todayActions, ...playActions };
for (const panel of ["new", "settings", "help", "more"]) actions[`panel-${panel}`] = () => panels.open(`panel-${panel}`);

// The actions that are allowed while the game is paused and its board is hidden.
const DURING_PAUSE = /^(pause|view-|panel-|quit|import|share|blank)/;

// The actions of a puzzle in the frame of another site: playing and explaining, nothing that leaves
// the game, stores data elsewhere or concerns the server.
const IN_FRAME = /^(key|type|clear|skip|undo|redo|go-to-moment|move|edge|select-all|mode-|marks|pause|check|hint|follow|enter|explain|walk-|case-|show-(all|notation)|close|cancel|toured|look-again)/;
document.documentElement.classList.toggle("embedded", isEmbedded);

async function act(name, detail) {
  if (isEmbedded && !IN_FRAME.test(name)) return;
  if (!name || (state.view === "play" && state.game.paused && !DURING_PAUSE.test(name))) return;
  if (!actions[name] && !(await otherViews())) return say(words.noServer, true);
  actions[name]?.(detail);
}

// The other views are loaded after the board. Actions that need them earlier wait for them.
let others = null;
function otherViews() {
  others ??= import("./other-views.js").then(
    (views) => {
      others.keyIn = views.keyIn;
      Object.assign(actions, views.otherActions);
      render(state);
      // The page is complete; tests wait for this.
      document.documentElement.dataset.views = "all";
      return views;
    },
    () => (others = null),
  );
  return others;
}

// Events.

// The menu would cover what has the focus next.
$("menu").addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget && !$("menu").contains(relatedTarget)) $("menu").open = false;
});

document.addEventListener("click", ({ target, detail }) => {
  const menu = $("menu");
  if (menu.open && (!menu.contains(target) || target.closest(".pop button"))) menu.open = false;
  const button = target.closest("[data-do], [data-key]");
  if (!button) return;
  const { key, name, index } = button.dataset;
  if (key) act("key", { digit: Number(key) });
  else act(button.dataset.do, { name, index: Number(index) });
  // After a click or tap, typing goes to the board; with the keyboard the focus stays where it is.
  if (detail > 0 && state.view === "play" && !document.querySelector("dialog[open]") && !menu.contains(document.activeElement)) $("board").focusCursor();
});

// Keys work wherever the focus is, except where they mean something else: in fields, while a dialog
// is open, in the open menu, and Space and Enter on buttons and links.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || document.querySelector("dialog[open]") || event.target.closest("textarea, input, select")) return;
  if (event.key === "?") return act("panel-help");
  if (state.view === "watch" && state.watch.shows.some(Boolean)) return act(SHOW_KEYS[event.key]);
  const pressed = !event.target.closest("button, a, summary") && others?.keyIn?.(state.view, event);
  if (pressed) {
    event.preventDefault();
    return act(pressed.action, pressed);
  }
  if (state.view !== "play") return;
  if (event.key === "Escape" && $("menu").open) return ($("menu").open = false);
  const pressable = event.target.closest("button, a, summary");
  if (pressable && ["Enter", " "].includes(event.key)) return;
  const isList = event.target.closest("#moves, #steps, #say") && !state.walk && event.key.startsWith("Arrow");
  const action = actionOf(event, side(), state.settings);
  // Enter has a meaning only while something is explained.
  if (!action || isList || (action.action === "enter" && !state.hint && !state.walk)) return;
  event.preventDefault();
  const isSkip = state.game.setting && ["0", ".", " "].includes(event.key);
  act(isSkip ? "skip" : action.action, action);
});

// Photos and screenshots from a camera, a file, the clipboard or another window. The code for them
// is loaded with the first one.
const openPhoto = (file) => import("./photo.js").then(({ readPhoto }) => readPhoto(file), () => say(words.noServer, true));
for (const id of ["photo-camera", "photo-file"]) {
  $(id).addEventListener("change", ({ target }) => {
    const [file] = target.files;
    target.value = "";
    if (file) openPhoto(file);
  });
}
document.addEventListener("dragover", (event) => !isEmbedded && event.dataTransfer.types.includes("Files") && event.preventDefault());
document.addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file || isEmbedded) return;
  event.preventDefault();
  if (/^text|json/.test(file.type)) pasted(await file.slice(0, 200_000).text());
  else openPhoto(file);
});

document.addEventListener("paste", (event) => {
  const [file] = event.clipboardData.files;
  if (file && !isEmbedded) {
    event.preventDefault();
    return openPhoto(file);
  }
  if (isEmbedded || event.target.closest?.("dialog[open], textarea, input") || !["play", "today"].includes(state.view)) return;
  const text = event.clipboardData.getData("text");
  if (!text.trim()) return;
  event.preventDefault();
  pasted(text);
});

$("board").addEventListener("boardpress", ({ detail: { cell, toggle, extend, equal } }) => {
  if (equal) return set({ game: game.selectEqual(state.game, cell) });
  set({ game: toggle ? game.toggleSelect(state.game, cell) : game.select(state.game, cell, { extend }) });
  if (state.digit && !toggle && !extend) act("type", { digit: state.digit });
});
// A cell named in a text lights up on the board, and a cell on the board in the text.
document.addEventListener("pointerover", ({ target }) => {
  const named = target.closest("[data-cells]");
  $("board").point(named ? named.dataset.cells.split(" ").map(Number) : []);
  const cell = target.closest("#board .cell")?.dataset.cell;
  for (const mark of document.querySelectorAll("#reasontext [data-cells]")) mark.classList.toggle("pointed", cell !== undefined && mark.dataset.cells.split(" ").includes(cell));
});
$("board").addEventListener("boardfocus", ({ detail: { cell } }) => set({ game: game.select(state.game, cell) }));

// Fetches the data of the current view.
async function prepare() {
  if (state.view === "today") prepareToday();
  if (state.view === "play") $("board").focusCursor();
  const views = await otherViews();
  views?.prepareView(state.view);
}

function comeBack() {
  arrive();
  prepare();
  learnSolution();
  reportLink();
}
window.addEventListener("popstate", comeBack);
window.addEventListener("pagehide", keep);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return keep();
  // A page that was left open overnight shows the puzzles of the new day.
  if (state.view === "today" && state.today.day !== dayOf(new Date())) prepareToday();
});

setInterval(() => {
  const rests = document.hidden || state.view !== "play" || state.game.paused || state.game.setting;
  if (!rests && !game.isSolved(state.game)) tick(renderTimer);
}, 1000);

// A link of another program in the address: `#open=…`, or `?load=…` as at f-puzzles.
const code = new URLSearchParams(location.search).get("load");
const given = new URLSearchParams(location.hash.slice(1)).get("open") ?? (code && `https://www.f-puzzles.com/?load=${code}`);

await speak(state.settings.language);
panels.tellKeys(state.settings);
panels.settingsForm(state.settings, settle);
keep();
render(state);
loadRules();
prepare();
learnSolution();
reportLink();
if (given) pasted(given);
navigator.serviceWorker?.register("offline.js").catch(() => {});

// Once the page has been open for a while, the service worker gets the engine, so that hints work
// offline, too.
const ENGINE = ["engine-worker.js", "index.js", "engine.wasm"];
if (navigator.serviceWorker && !navigator.connection?.saveData) {
  setTimeout(async () => {
    if (!(await navigator.serviceWorker.ready) || (await caches.match("engine.wasm"))) return;
    for (const file of ENGINE) await fetch(file).catch(() => {});
  }, 20_000);
}
