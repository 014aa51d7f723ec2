// A show: what a system has told of itself so far, and which moment of it is looked at. Plain functions, no DOM.

export const newShow = (system, puzzle, boxes) => ({ system, puzzle, boxes, frames: [], at: 0, done: false, error: "" });

export const withFrames = (show, frames) => ({ ...show, frames: [...show.frames, ...frames] });

// Goes on by some moments, or back; never past what has been told.
export function advance(show, by) {
  const at = Math.max(0, Math.min(show.at + by, show.frames.length - 1));
  return at === show.at ? show : { ...show, at };
}

export const seek = (show, at) => advance(show, at - show.at);

export const frameOf = (show) => show.frames[show.at] ?? null;
export const isAtEnd = (show) => show.done && show.at >= show.frames.length - 1;

// Moments in a second for each place of the slider.
export const SPEEDS = [0.5, 1, 2, 5, 10, 30, 100, 500];

// Lines out of a stream of text: the complete ones, and the rest.
export function linesOf(text) {
  const lines = text.split("\n");
  return { lines: lines.slice(0, -1).filter(Boolean), rest: lines.at(-1) };
}
