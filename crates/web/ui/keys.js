// Keys: converts a key press on the board to an action. The functions have no side effects.

import { digitOf } from "./geometry.js";

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// Letters that are digits on large grids (A to G on 16×16) are never commands, so that commands are
// the same on every size.
const COMMANDS = {
  " ": "mode-next", "?": "panel-help", ".": "walk-on", ",": "walk-back", Backspace: "clear", Delete: "clear", 0: "clear", Escape: "close", Enter: "enter",
};

// The commands whose keys are settings, with their default keys.
export const OWN_KEYS = { hint: "h", explain: "x", check: "k", undo: "u", redo: "y", "mode-next": "m", pause: "t" };

// A text with the default keys, such as `Hint (H)`, with the keys of the settings.
export function withOwnKeys(text, settings) {
  const names = Object.fromEntries(Object.entries(OWN_KEYS).map(([command, key]) => [key.toUpperCase(), settings[`key-${command}`].toUpperCase() || "–"]));
  return text.replace(/(?<!\+)\b[A-Z]\b/g, (key) => names[key] ?? key);
}

// The keys while watching; the keys of the board are ignored then.
export const SHOW_KEYS = { ".": "watch-step", ",": "watch-back", p: "watch-pause", Home: "watch-first", End: "watch-last" };

// { action, … } for a key press; null for keys without an action.
export function actionOf(event, side, settings) {
  const control = event.ctrlKey || event.metaKey;
  if (control && /^[zZ]$/.test(event.key)) return { action: event.shiftKey ? "redo" : "undo" };
  if (control && /^[aA]$/.test(event.key)) return { action: "select-all" };
  if (control && /^[yY]$/.test(event.key)) return { action: "redo" };
  if (MOVES[event.key]) return { action: "move", by: MOVES[event.key], extend: event.shiftKey };
  if (event.key === "Home" || event.key === "End") {
    return { action: "edge", last: event.key === "End", whole: control, extend: event.shiftKey };
  }
  const digit = digitTyped(event, side);
  if (digit) return { action: "type", digit, mode: modeOf(event, control) };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const command = COMMANDS[key] ?? Object.keys(OWN_KEYS).find((name) => settings[`key-${name}`] === key);
  return command && !control && !event.altKey ? { action: command } : null;
}

// With Shift or Alt a digit key may produce another character, so the position of the key decides.
function digitTyped(event, side) {
  const place = /^(?:Digit|Numpad)([1-9])$/.exec(event.code ?? "");
  if (place && Number(place[1]) <= side) return Number(place[1]);
  return digitOf(event.key, side);
}

function modeOf(event, control) {
  if (event.altKey) return "colour";
  if (control) return "centre";
  return event.shiftKey && !/^[A-Za-z]$/.test(event.key) ? "corner" : undefined;
}
