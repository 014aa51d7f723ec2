// Renders Watch: two stages side by side, each with the board of one system, and the controls.

import { $, element, fill } from "./dom.js";
import { SPEEDS, frameOf, isAtEnd } from "./show.js";
import { quietView } from "./view.js";
import { words } from "./words.js";

const KINDS = ["logic", "network", "hopfield", "search"];

export function renderWatch({ watch, game }) {
  const { models, systems, shows, playing, speed } = watch;
  const sizes = models.filter(({ boxes }) => !boxes || boxes === game.position.boxes);
  [0, 1].forEach((stage) => renderChoice(stage, sizes, systems[stage]));
  const running = shows.filter(Boolean);
  $("view-watch").classList.toggle("running", running.length > 0);
  $("watch-controls").hidden = running.length === 0;
  $("watch-pause").textContent = playing ? words.pause : words.goOn;
  $("watch-stop").disabled = running.every(({ done }) => done);
  $("watch-speed").value = speed;
  $("watch-speed-words").textContent = words.speedWords(SPEEDS[speed]);
  $("watch-empty").hidden = running.length > 0;
  $("watch-empty").textContent = watch.error || emptyWords(models);
  $("watch-start").disabled = models.length === 0;
  renderEnd(running);
  [0, 1].forEach((stage) => renderStage(stage, shows[stage], models, playing && speed > 1));
}

// What to do first; without a server, where to find the networks.
const hasNetworks = (models) => models.length === 0 || models.some(({ kind }) => kind === "network");
const emptyWords = (models) => (hasNetworks(models) ? words.watchEmpty : `${words.watchEmpty} ${words.watchNetworks}`);

// The common name of a system, if it has one.
const nameOf = (system) => words.systems[system] ?? words.systems[system.replaceAll("-", "_")] ?? system;

// Compares the systems when all have finished.
function renderEnd(shows) {
  const table = $("watch-end");
  const over = shows.length > 0 && shows.every(isAtEnd);
  table.hidden = !over;
  if (!over) return;
  const names = shows.map(({ system }) => nameOf(system));
  const rows = Object.entries(words.compared).map(([key, title]) => [title, ...shows.map((show) => comparedOf(show)[key])]);
  fill(table.tHead, JSON.stringify(names), () => [element("tr", {}, element("td"), ...names.map((name) => element("th", { scope: "col" }, name)))]);
  fill(table.tBodies[0], JSON.stringify(rows), () => rows.map(([title, ...values]) => element("tr", {}, element("th", { scope: "row" }, title), ...values.map((value) => element("td", { className: "number" }, value)))));
}

function comparedOf({ frames }) {
  const count = (name) => frames.filter(({ event }) => event === name).length;
  const last = frames.at(-1);
  return {
    result: words.results[last?.end ?? "stopped"] ?? last.end,
    moments: frames.length,
    moves: frames.findLast((frame) => frame.move)?.move ?? frames.length,
    // A network does not guess; one with hints of a search chooses the cell of each hint.
    guesses: last?.guesses ?? (count("choice") || "–"),
    retreats: count("retreat"),
  };
}

function renderChoice(stage, models, chosen) {
  const select = $(`watch-system-${stage}`);
  fill(select, JSON.stringify([models, words.watch]), () => {
    const none = stage === 1 ? [new Option(words.nobody, "")] : [];
    const group = (kind) => {
      const options = models.filter((model) => model.kind === kind).map(({ name }) => new Option(nameOf(name), name));
      return options.length > 0 ? [element("optgroup", { label: words.kinds[kind] }, ...options)] : [];
    };
    return [...none, ...KINDS.flatMap(group)];
  });
  select.value = chosen;
  $(`watch-idea-${stage}`).textContent = models.find(({ name }) => name === chosen)?.idea.replace(/^./, (first) => first.toUpperCase()) ?? "";
}

function renderStage(stage, show, models, isFast) {
  $(`stage-${stage}`).hidden = !show;
  if (!show) return;
  const frame = frameOf(show);
  const label = words.watching(nameOf(show.system));
  $(`stage-name-${stage}`).textContent = nameOf(show.system);
  $(`stage-board-${stage}`).draw(quietView({ puzzle: show.puzzle, boxes: show.boxes, label, ...frame }));
  // A screen reader cannot read ten sentences a second; it reads the frame at which playback rests.
  $(`stage-event-${stage}`).setAttribute("aria-live", isFast ? "off" : "polite");
  $(`stage-event-${stage}`).textContent = show.error || (frame?.text ?? words.thinking);
  $(`stage-event-${stage}`).dataset.event = frame?.end ?? frame?.event ?? "";
  $(`stage-count-${stage}`).textContent = words.moment(show.at + 1, show.frames.length, show.done, frame?.move);
  const bar = $(`stage-bar-${stage}`);
  bar.max = Math.max(1, show.frames.length - 1);
  bar.value = show.at;
}
