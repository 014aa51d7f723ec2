// Variants: puzzles with rules beyond rows, columns and boxes. Loaded with the first puzzle that
// has rules, and with the page on which variants are made. It gives the board the grid of a puzzle
// with rules, shows the rules as text, lists the combinations of cages, makes variants, and writes
// links of other programs.

import * as api from "./api.js";
import * as panels from "./panels.js";
import { $, element, extraStyles, fill } from "./dom.js";
import { ask, asked, change, goTo, inWords, puzzleOf, start, state } from "./page.js";
import { dayOf, seedOf } from "./day.js";
import { digitsIn, geometryNamed, ruled, symbol } from "./geometry.js";
import { digitsOf, gridOf, shownCandidates } from "./game.js";
import { allGames } from "./store.js";
import { openText, ruledOf } from "./play.js";
import { startNew } from "./today.js";
import { words } from "./words.js";
import { decorate, shadesOf, shapesOf } from "./variant-draw.js";
import { cellsOf, ruledGrid } from "./variant-rules.js";
import { VARIANT_LESSONS } from "./variant-lessons.js";
import { KINDS, kindNames, ruleWords, rulesInWords } from "./variant-words.js";

export { cellsOf, decorate, kindNames, ruleWords, rulesInWords, shapesOf };
export * from "./variant-rules.js";
export { VARIANT_LESSONS, example, lessonOf } from "./variant-lessons.js";

const styles = extraStyles();

const known = new WeakMap();

// The grid of a position with rules, with what the board needs to draw it. A link with rules that
// do not fit is a puzzle without them.
export function gridWithRules(position) {
  const { rules } = position;
  if (!known.has(rules)) known.set(rules, build(position));
  return known.get(rules);
}

function build(position) {
  try {
    const grid = ruledGrid(position);
    const sums = new Set(grid.list.filter(({ kind, sum }) => kind === "cage" && sum !== undefined).map(({ cells }) => Math.min(...cells)));
    const shaded = shadesOf(grid);
    const whole = { ...grid, isBeside: grid.list.some(({ raw }) => raw?.at), classesOf: (cell) => [...(sums.has(cell) ? ["summed"] : []), ...(shaded[cell] ?? [])], decorate: (board) => decorate(board, grid) };
    shapesOf(grid);
    return whole;
  } catch {
    return geometryNamed(position.boxes);
  }
}

ruled.grid = gridWithRules;
ruled.render = renderRules;

// Shows the rules above the moves, and a button that opens them on small screens.
function renderRules({ game, settings }) {
  const grid = gridOf(game);
  if (!$("rules-card") && !grid.list) return;
  buildCard();
  for (const id of ["rules-card", "rules-open"]) $(id).hidden = !grid.list;
  if (!grid.list) return;
  const t = ruleWords();
  const { title, author } = game.about;
  if (!game.about.level && !game.about.daily) $("level").textContent = title || kindNames(grid) || t.variants;
  $("rules-open").textContent = t.rules;
  $("rules-title").textContent = t.rules;
  const key = JSON.stringify([settings.language, game.id, game.position.rules]);
  for (const id of ["rules-text", "rules-text-2"]) fill($(id), key, () => rulesShown(game, grid));
  for (const id of ["combos", "combos-2"]) renderCombos($(id), game, grid);
}

function rulesShown({ about }, grid) {
  const t = ruleWords();
  const head = [about.title && element("strong", {}, about.title), about.author && ` ${t.by(about.author)}`].filter(Boolean);
  return [
    ...(about.unknown ? [element("p", { className: "error" }, t.unknown(about.unknown))] : []),
    ...(head.length > 0 ? [element("p", {}, ...head)] : []),
    ...rulesInWords(grid).map((text) => element("p", {}, text)),
    ...(about.ruleset ? [element("p", { className: "soft" }, t.setter), element("p", { className: "theirs" }, about.ruleset)] : []),
  ];
}

function buildCard() {
  if ($("rules-card")) return;
  const card = element("section", { id: "rules-card", tabIndex: 0 }, element("div", { id: "rules-text" }), element("div", { id: "combos", className: "combos" }));
  card.setAttribute("aria-labelledby", "rules-open");
  $("rest").prepend(card);
  $("level").after(element("button", { type: "button", id: "rules-open", className: "link" }));
  $("rules-open").addEventListener("click", () => panels.open("panel-rules"));
  const close = element("button", { className: "btn primary" }, ruleWords().close);
  document.body.append(
    element("dialog", { id: "panel-rules", "aria-labelledby": "rules-title" }, element("form", { method: "dialog" }, element("h2", { id: "rules-title" }), element("div", { id: "rules-text-2" }), element("div", { id: "combos-2", className: "combos" }), element("div", { className: "do" }, close))),
  );
}

// The sets of different digits with this sum, as bit sets.
export function combinations(count, sum, side) {
  const found = [];
  const add = (from, left, rest, set) => {
    if (left === 0) return rest === 0 && found.push(set);
    for (let digit = from; digit <= side && digit <= rest; digit += 1) add(digit + 1, left - 1, rest - digit, set | (1 << (digit - 1)));
    return found;
  };
  add(1, count, sum, 0);
  return found;
}

// Whether the digits of a set can be placed in cells with these candidates, one in each.
function fits(set, candidates) {
  const [first, ...others] = [...candidates].sort((a, b) => digitsIn(a & set).length - digitsIn(b & set).length);
  if (first === undefined) return true;
  return digitsIn(first & set).some((digit) => fits(set & ~(1 << (digit - 1)), others));
}

// The combinations of the cage at the cursor. Combinations that do not fit are struck out.
function renderCombos(room, game, grid) {
  const cage = grid.list.find(({ kind, cells, sum }) => kind === "cage" && sum !== undefined && cells.includes(game.cursor));
  const t = ruleWords();
  room.hidden = !grid.list.some(({ kind, sum }) => kind === "cage" && sum !== undefined);
  if (room.hidden) return;
  const digits = digitsOf(game.position);
  const open = shownCandidates(game);
  const key = JSON.stringify([document.documentElement.lang, cage?.ref, cage && cage.cells.map((cell) => [digits[cell], open[cell]])]);
  fill(room, key, () => {
    if (!cage) return [element("p", { className: "soft" }, t.combosIdea)];
    const sets = combinations(cage.cells.length, cage.sum, grid.side);
    const candidates = cage.cells.map((cell) => (digits[cell] ? 1 << (digits[cell] - 1) : open[cell]));
    const items = sets.map((set) => element("li", { className: fits(set, candidates) ? "" : "gone" }, digitsIn(set).map(symbol).join(" ")));
    return [element("p", {}, element("strong", {}, t.combos), " ", t.combosFor(cage.sum, cage.cells.length)), items.length > 0 ? element("ul", {}, ...items) : element("p", {}, t.combosNone)];
  });
}

// Links of other programs, in the Share panel.
const FORMATS = ["fpuzzles", "sudokupad", "json", "line", "drawn", "jigsaw", "sumocue", "iss", "sudokuwiki", "hodoku", "sdk", "ss"];
const LINKS = { fpuzzles: "f-puzzles", sudokupad: "SudokuPad", json: "JSON", line: "81", jigsaw: "Jigsaw", sumocue: "SumoCue", iss: "Interactive Sudoku Solver", sudokuwiki: "SudokuWiki", hodoku: "HoDoKu", drawn: "ASCII", sdk: ".sdk", ss: ".ss" };

export function formatsShown(room, puzzle, texts) {
  const t = ruleWords();
  const said = element("p", { role: "status" });
  const text = element("textarea", { rows: 3, readOnly: true, className: "format-text" });
  text.setAttribute("aria-label", t.other);
  const choice = element("select", { className: "format" }, ...FORMATS.map((name) => new Option(LINKS[name], name)));
  const save = element("a", { className: "btn quiet", download: "puzzle.txt", href: "#" }, t.save);
  const copy = element("button", { type: "button", className: "btn quiet" }, t.copy);
  const write = async () => {
    said.textContent = "";
    text.value = "";
    try {
      const written = await api.write({ ...puzzle(), ...texts(), format: choice.value });
      text.value = written.text;
      save.href = `data:text/plain;charset=utf-8,${encodeURIComponent(written.text)}`;
      save.download = `puzzle.${written.extension}`;
    } catch (error) {
      said.textContent = inWords(error);
    }
  };
  choice.addEventListener("change", write);
  copy.addEventListener("click", () => {
    text.select();
    navigator.clipboard.writeText(text.value).then(() => (said.textContent = t.copied), () => document.execCommand("copy"));
  });
  room.replaceChildren(element("label", {}, element("span", {}, t.other), choice), text, element("div", { className: "do" }, copy, save), said);
  return write;
}

const textsOf = ({ title, author, ruleset }) => Object.fromEntries(Object.entries({ title, author, ruleset }).filter(([, text]) => text));

export function offerLinks({ game }) {
  if (!$("share-other")) {
    const details = element("details", { id: "share-other" }, element("summary"), element("div"));
    $("share-said").before(details);
  }
  const [summary, room] = $("share-other").children;
  summary.textContent = ruleWords().links;
  const write = formatsShown(room, () => asked(puzzleOf(game.position)), () => textsOf(game.about));
  $("share-other").ontoggle = () => $("share-other").open && write();
  if ($("share-other").open) write();
  // A line of digits is not a puzzle without its rules.
  const plain = $("share-line");
  plain.hidden = Boolean(game.position.rules);
  plain.previousElementSibling.hidden = plain.hidden;
  document.querySelector('[data-do="copy-line"]').hidden = plain.hidden;
}

// The page of variants.
const SIZES = [["2x2", "4×4"], ["2x3", "6×6"], ["3x3", "9×9"]];
const chosen = new Set();

export async function prepareVariants() {
  await styles;
  const room = $("view-variants");
  const t = ruleWords();
  const key = document.documentElement.lang;
  fill(room, key, () => {
    const head = element("div", { className: "lead" }, element("h2", { id: "variants-title" }, t.variants), element("p", { className: "quiet" }, t.idea));
    const daily = element("button", { type: "button", className: "btn quiet", id: "daily-variant", onclick: () => playDaily() }, t.daily);
    const groups = Object.entries(KINDS).map(([group, kinds]) => {
      const boxes = kinds.map(([kind, text]) => {
        const box = element("input", { type: "checkbox", value: kind, checked: chosen.has(kind) });
        box.addEventListener("change", () => choose(kind, box.checked));
        return element("label", { className: "kind" }, box, element("span", {}, element("strong", {}, t.kinds[text][0]), element("small", {}, t.kinds[text][1].replace("{n}", 5).replace("{side}", 9))));
      });
      return element("fieldset", {}, element("legend", {}, t.groups[group]), ...boxes);
    });
    const size = element("select", { id: "variants-size" }, ...SIZES.map(([value, name]) => new Option(name, value, value === "3x3", value === "3x3")));
    const count = element("input", { id: "variants-count", type: "number", min: 1, max: 24, value: 1, inputMode: "numeric" });
    const make = element("button", { type: "button", className: "btn primary", id: "variants-make", onclick: () => makeVariant() }, t.make);
    const stop = element("button", { type: "button", className: "btn quiet", id: "variants-stop", hidden: true, data: { do: "cancel" } }, words.stop);
    const link = element("textarea", { id: "variants-link", rows: 2, spellcheck: false });
    link.setAttribute("aria-label", t.link);
    const open = element("button", { type: "button", className: "btn quiet", id: "variants-open", onclick: () => openText(link.value).catch((error) => ($("variants-state").textContent = inWords(error))) }, t.open);
    return [
      head,
      element("div", { className: "make-bar" }, element("label", {}, element("span", {}, t.size2), size), element("label", {}, element("span", {}, words.howMany), count), make, stop, daily, element("p", { id: "variants-state", role: "status" })),
      element("div", { className: "kinds" }, ...groups),
      element("h3", {}, t.lessons),
      element("ul", { className: "lessons", id: "variants-lessons" }, ...VARIANT_LESSONS.map((slug) => element("li", {}, element("a", { href: `#lesson=${slug}` }, panels.techniqueName(slug, named(slug)))))),
      element("h3", {}, t.paste),
      element("div", { className: "paste" }, link, element("div", { className: "do" }, open)),
    ];
  });
  showChosen();
}

// `cage-overlap` is Cage Overlap, until the names of the techniques are known.
const named = (slug) => slug.replace(/(^|-)[a-z]/g, (start) => start.replace("-", " ").toUpperCase());

function choose(kind, isOn) {
  if (isOn) chosen.add(kind);
  else chosen.delete(kind);
  showChosen();
}

const nameOfKind = (kind) => ruleWords().kinds[Object.values(KINDS).flat().find(([name]) => name === kind)[1]][0];

function showChosen() {
  $("variants-state").textContent = ruleWords().chosen([...chosen].map(nameOfKind).join(", "));
  $("variants-make").disabled = chosen.size === 0;
}

const rulesWanted = (kinds, boxes, seed) => ({ rules: kinds.join(","), boxes, ...(seed !== undefined && { seed }) });

// One puzzle is played at once; several are listed on the page Make, for a file or a sheet.
function makeVariant() {
  const count = Math.min(24, Number($("variants-count").value) || 1);
  const wish = rulesWanted([...chosen], $("variants-size").value);
  if (count > 1) return inState(ask((signal) => makeSeveral(wish, count, signal), () => goTo("make")));
  inState(ask((signal) => api.generate(wish, signal), (made) => startRuled(made)));
}

async function makeSeveral(wish, count, signal) {
  change("made", { puzzles: [], wanted: count });
  for (let index = 0; index < count; index += 1) {
    const made = await api.generate(wish, signal);
    const rating = await api.rate({ puzzle: made.puzzle }, signal).catch(() => null);
    change("made", { puzzles: [...state.made.puzzles, { ...partsOf(made), clues: made.clues, solution: made.solution, rating }] });
    $("variants-state").textContent = words.made(index + 1, count);
  }
}

// Shows on the page of variants that a puzzle is made, and why if it is not.
function inState(making) {
  const room = $("variants-state");
  if (!room) return;
  room.textContent = ruleWords().making;
  $("variants-stop").hidden = false;
  making.then(() => {
    $("variants-stop").hidden = true;
    if (state.view === "variants") room.textContent = state.message;
  });
}

// The line, the shape and the rules of a generated puzzle.
function partsOf({ puzzle, boxes }) {
  const { puzzle: line, rules } = ruledOf(puzzle);
  return { puzzle: line, boxes: rules?.boxes ?? (rules ? `1x${Math.round(Math.sqrt(line.length))}` : boxes), rules };
}

export const startRuled = (made, about = {}) => startNew(partsOf(made), about);

// The variant of a day: the kinds take turns, and the seed is the date, so it is the same
// everywhere.
const DAILY = ["killer", "thermo", "arrow", "kropki", "jigsaw", "x,anti-knight", "whispers", "renban,palindrome", "sandwich", "little-killer", "xv", "region-sum", "between", "even-odd,greater-than", "zipper", "quadruple", "skyscraper"];

export function dailyVariant(day) {
  const number = Math.round(Date.parse(`${day}T12:00:00Z`) / 86_400_000);
  return rulesWanted(DAILY[number % DAILY.length].split(","), "3x3", seedOf(day, "variant"));
}

export function playDaily(day = dayOf(new Date())) {
  const begun = allGames().find(({ game: { about } }) => about.variantOf === day);
  if (begun) return start(begun.game);
  const { daily } = ruleWords();
  inState(ask((signal) => api.generate(dailyVariant(day), signal), (made) => startRuled(made, { variantOf: day, title: daily })));
}


