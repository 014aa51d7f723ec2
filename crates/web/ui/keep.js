// The storage format of a game: the first position as the fragment of an address (link.js), and
// every later change, called a step, as a few characters.
//
// Example: { id, start: "#b=3x3&p=…", steps: ["e2:4", "e2:0,c2:9"], at: 1, … }. The first `at`
// steps have been made; the others were undone and can be redone. A step lists what differs,
// separated by commas: a letter (p clue, e entry, n corner marks, m centre marks, x crossed-out
// marks, c colour), the cell, a colon, and the new value in base 36, which is a digit or a bit set.
// Positions are immutable, so each change is computed only once.

import { addressOf, positionOf } from "./link.js";
import { gameOf } from "./game.js";

const KEYS = { p: "clues", e: "entries", n: "corner", m: "centre", x: "crossed", c: "colours" };

// The history is unlimited while the page is open; the stored history is limited by the space in
// the browser.
const KEPT_STEPS = 500;

const known = new WeakMap();

function changeOf(before, after) {
  const kept = known.get(after);
  if (kept?.before === before) return kept.text;
  const parts = Object.entries(KEYS).flatMap(([letter, key]) => {
    const [old, now] = [before[key], after[key]];
    return old === now ? [] : now.flatMap((value, cell) => (value === old[cell] ? [] : [`${letter}${cell}:${value.toString(36)}`]));
  });
  const text = parts.join(",");
  known.set(after, { before, text });
  return text;
}

function changed(position, text) {
  const after = { ...position };
  for (const part of text.split(",").filter(Boolean)) {
    const [, letter, cell, value] = /^([penmxc])(\d+):([0-9a-z]+)$/.exec(part);
    const key = KEYS[letter];
    if (after[key] === position[key]) after[key] = [...position[key]];
    after[key][Number(cell)] = parseInt(value, 36);
  }
  known.set(after, { before: position, text });
  return after;
}

// The fields of a game that are stored unchanged.
const KEPT = ["id", "about", "written", "cursor", "mode", "setting", "seconds", "hints", "checks", "helped", "solvedAt", "paused", "log"];

export function pack(game) {
  const past = game.past.slice(-KEPT_STEPS);
  const moments = [...past, game.position, ...game.future.slice(0, KEPT_STEPS)];
  const dropped = game.past.length - past.length;
  return {
    ...Object.fromEntries(KEPT.map((key) => [key, game[key]])),
    start: addressOf(moments[0]),
    steps: moments.slice(1).map((moment, index) => changeOf(moments[index], moment)),
    at: past.length,
    checkpoints: game.checkpoints.map((at) => at - dropped).filter((at) => at >= 0),
  };
}

// The game from its stored form; null if it is not a valid game.
export function unpack(kept) {
  const start = positionOf(kept?.start ?? "");
  if (!start || !Array.isArray(kept.steps)) return null;
  try {
    const moments = [start];
    for (const step of kept.steps) moments.push(changed(moments.at(-1), step));
    const fresh = gameOf(moments[kept.at]);
    const own = Object.fromEntries(KEPT.filter((key) => key in kept).map((key) => [key, kept[key]]));
    return {
      ...fresh,
      ...own,
      past: moments.slice(0, kept.at),
      future: moments.slice(kept.at + 1),
      selected: [own.cursor ?? 0],
      checkpoints: kept.checkpoints ?? [],
    };
  } catch {
    return null;
  }
}
