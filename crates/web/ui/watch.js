// Watch: starts systems (logic, searches and networks that solve a puzzle), plays their frames and
// stops them.

import * as api from "./api.js";
import { change, goTo, inWords, keep, leaving, puzzle, state } from "./page.js";
import { words } from "./words.js";
import { SPEEDS, advance, isAtEnd, linesOf, newShow, seek, withFrames } from "./show.js";

// The open streams, one for each stage.
const streams = [null, null];

export async function prepareWatch() {
  if (state.watch.models.length > 0) return;
  try {
    const { models } = await api.models();
    change("watch", { models: models.filter(({ ready }) => ready), error: "" });
  } catch {
    change("watch", { error: words.watchOffline });
  }
}

const setShow = (stage, show) => change("watch", { shows: state.watch.shows.map((old, place) => (place === stage ? show : old)) });

function stop() {
  streams.forEach((stream) => stream?.abort());
  streams.fill(null);
}

// Stops the streams; the server stops working, and the frames received so far are kept.
function end() {
  stop();
  change("watch", { playing: false, shows: state.watch.shows.map((show) => show && { ...show, done: true }) });
}
leaving.watch = () => queueMicrotask(end);

function begin() {
  stop();
  const { systems } = state.watch;
  const { puzzle: line, boxes } = puzzle();
  const shows = systems.map((system) => (system ? newShow(system, line, boxes) : null));
  change("watch", { shows, playing: true });
  shows.forEach((show, stage) => show && follow(stage, show));
  play();
  keep();
}

// Reads a stream to its end. The server stops working when the stream is closed.
async function follow(stage, { system, puzzle: line, boxes }) {
  const stream = new AbortController();
  streams[stage] = stream;
  try {
    let text = "";
    for await (const piece of api.watch({ system, puzzle: line, boxes }, stream.signal)) {
      const { lines, rest } = linesOf(text + piece);
      text = rest;
      if (lines.length > 0) setShow(stage, withFrames(state.watch.shows[stage], lines.map((frame) => JSON.parse(frame))));
    }
    setShow(stage, { ...state.watch.shows[stage], done: true });
  } catch (error) {
    if (error.name !== "AbortError") setShow(stage, { ...state.watch.shows[stage], done: true, error: inWords(error) });
  }
}

// Playback: frames that are due are shown together, at most once per frame of the display.
let last = 0;
let due = 0;
function play() {
  last = performance.now();
  due = 0;
  requestAnimationFrame(beat);
}

function beat(now) {
  const { playing, speed, shows } = state.watch;
  if (!playing || state.view !== "watch") return;
  due += (Math.min(now - last, 1000) / 1000) * SPEEDS[speed];
  last = now;
  const by = Math.floor(due);
  due -= by;
  if (by > 0) change("watch", { shows: shows.map((show) => show && advance(show, by)) });
  if (state.watch.shows.every((show) => !show || isAtEnd(show))) change("watch", { playing: false });
  else requestAnimationFrame(beat);
}

function move(by) {
  change("watch", { playing: false, shows: state.watch.shows.map((show) => show && advance(show, by)) });
}

export const watchActions = {
  "view-watch": () => {
    goTo("watch");
    prepareWatch();
  },
  "watch-start": begin,
  "watch-pause": () => {
    change("watch", { playing: !state.watch.playing });
    if (state.watch.playing) play();
  },
  "watch-step": () => move(1),
  "watch-back": () => move(-1),
  "watch-first": () => move(-Infinity),
  "watch-last": () => move(Infinity),
  "watch-stop": end,
};

export function choose(stage, system) {
  change("watch", { systems: state.watch.systems.map((old, place) => (place === stage ? system : old)) });
  keep();
}

// Moves one stage to a frame; both stages pause.
export function pull(stage, at) {
  change("watch", { playing: false });
  setShow(stage, seek(state.watch.shows[stage], at));
}

export const setSpeed = (speed) => change("watch", { speed });
window.addEventListener("pagehide", stop);
