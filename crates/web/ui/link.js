// Writes the complete position into the address of the page and reads it back, so that a position
// can be bookmarked, sent and opened anywhere.
//
// #b=3x3&p=53..7…&e=…&n=2:124,5:48&m=…&x=…&c=…&r=…  (boxes, puzzle, entries, corner and centre marks,
// crossed out, colours, rules)

import { digitsIn, digitsOfLine, geometryNamed, geometryOfLength, lineOf, setOf, symbol, digitOf } from "./geometry.js";
import { emptyPosition } from "./game.js";

export const VIEWS = ["today", "play", "watch", "learn", "variants", "train", "desk", "rate", "make", "batch", "games", "end"];

const SETS = { n: "corner", m: "centre", x: "crossed", c: "colours" };

// Rules are JSON in which letters stand for quotes, brackets and spaces: they need no escapes, and no
// chat program ends the address at one of them. Rules contain no other letters from Q to Z. Earlier
// versions wrote other brackets.
const PLAIN = `"{}[] `;
const SAFE = "QUVXYZ";
const EARLIER = "'()!*+";
const swap = (text, from, to) => text.replace(/./g, (sign) => to[from.indexOf(sign)] ?? sign);

// The rules of an address; null if they cannot be read.
function rulesIn(text) {
  try {
    const rules = JSON.parse(swap(text, text.startsWith("(") ? EARLIER : SAFE, PLAIN));
    return (rules.boxes || rules.size || rules.regions) && !rules.primitive ? rules : null;
  } catch {
    return null;
  }
}

export function addressOf(position) {
  const parts = [`b=${position.boxes}`, `p=${lineOf(position.clues)}`];
  if (position.rules) parts.push(`r=${swap(JSON.stringify(position.rules), PLAIN, SAFE)}`);
  if (position.entries.some(Boolean)) parts.push(`e=${lineOf(position.entries)}`);
  for (const [letter, key] of Object.entries(SETS)) {
    const cells = position[key].flatMap((set, cell) => (set ? [`${cell}:${digitsIn(set).map(symbol).join("")}`] : []));
    if (cells.length > 0) parts.push(`${letter}=${cells.join(",")}`);
  }
  return `#${parts.join("&")}`;
}

// The position of an address; null if it contains none. Invalid parts are ignored.
export function positionOf(address) {
  const part = new URLSearchParams(address.replace(/^#/, ""));
  const puzzle = part.get("p") ?? "";
  const grid = geometryNamed(part.get("b")) ?? geometryOfLength(puzzle.length);
  if (!grid || puzzle.length !== grid.cells.length) return null;
  const rules = part.get("r") && rulesIn(part.get("r"));
  // Without its rules, it would be another puzzle.
  if (part.get("r") && !rules) return null;
  const position = { ...emptyPosition(grid), rules, clues: digitsOfLine(puzzle, grid.side) };
  const entries = part.get("e") ?? "";
  if (entries.length === puzzle.length) {
    position.entries = digitsOfLine(entries, grid.side).map((digit, cell) => (position.clues[cell] ? 0 : digit));
  }
  for (const [letter, key] of Object.entries(SETS)) {
    for (const item of (part.get(letter) ?? "").split(",")) {
      const [cell, symbols = ""] = item.split(":");
      if (/^\d+$/.test(cell) && Number(cell) < grid.cells.length) {
        position[key][Number(cell)] = setOf([...symbols].map((s) => digitOf(s, grid.side)).filter(Boolean));
      }
    }
  }
  return position;
}

// The description of a game in its link: the level, the time to beat, and the setter's texts.
export function aboutOf(address) {
  const part = new URLSearchParams(address.replace(/^#/, ""));
  const [level, beat] = [part.get("l") ?? "", Number(part.get("t"))];
  return { ...(/^(easy|medium|hard|expert|extreme)$/.test(level) && { level }), ...(beat > 0 && { beat }), ...Object.fromEntries(TEXTS.flatMap((name) => (part.get(name) ? [[name, part.get(name)]] : []))) };
}

const TEXTS = ["title", "author", "ruleset"];
export const textsAddress = (about) => TEXTS.flatMap((name) => (about[name] ? [`&${name}=${encodeURIComponent(about[name])}`] : [])).join("");

// What an address opens: #watch=dlx,logic&p=…, #lesson=x-wing, #rate&p=…, #make, #batch, #games; an
// address with only a puzzle opens the game, and an empty one opens Today.
export function placeOf(address) {
  const part = new URLSearchParams(address.replace(/^#/, ""));
  if (part.has("watch")) return { view: "watch", watch: { systems: [...part.get("watch").split(","), "", ""].slice(0, 2) } };
  if (part.has("lesson")) return { view: "learn", slug: part.get("lesson") };
  return { view: VIEWS.find((view) => part.has(view)) ?? (part.has("p") ? "play" : "today") };
}

// The address of the current view.
export function pageAddress({ view, game, watch, learn }) {
  const position = addressOf(game.position);
  if (view === "watch") return `#watch=${watch.systems.filter(Boolean).join(",")}&${position.slice(1)}`;
  if (view === "rate") return `#rate&${position.slice(1)}`;
  if (view === "learn") return learn.slug ? `#lesson=${learn.slug}` : "#learn";
  return view === "play" || view === "end" ? position : `#${view}`;
}
