// A recording of a system (a solver that the player watches): the frames received so far, and the
// index of the displayed one. The functions do not access the DOM.

export const newShow = (system, puzzle, boxes) => ({ system, puzzle, boxes, frames: [], at: 0, done: false, error: "" });

export const withFrames = (show, frames) => ({ ...show, frames: [...show.frames, ...frames] });

// Moves by some frames forwards or backwards, within the received ones.
export function advance(show, by) {
  const at = Math.max(0, Math.min(show.at + by, show.frames.length - 1));
  return at === show.at ? show : { ...show, at };
}

export const seek = (show, at) => advance(show, at - show.at);

export const frameOf = (show) => show.frames[show.at] ?? null;
export const isAtEnd = (show) => show.done && show.at >= show.frames.length - 1;

// Frames per second for each position of the slider.
export const SPEEDS = [0.5, 1, 2, 5, 10, 30, 100, 500];

// Splits a stream of text into complete lines and the rest.
export function linesOf(text) {
  const lines = text.split("\n");
  return { lines: lines.slice(0, -1).filter(Boolean), rest: lines.at(-1) };
}
