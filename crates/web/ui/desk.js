// The setter's desk: rules and clues are drawn on a board; the engine counts the solutions of every
// change, rates the puzzle, and finds clues that are not needed. The desk is kept in the browser.

import * as api from "./api.js";
import { $, element, extraStyles, fill } from "./dom.js";
import { addressOf, textsAddress } from "./link.js";
import { asked, inWords, state } from "./page.js";
import { cellName, digitOf, digitsOfLine, geometryNamed, gridFor, lineOf, symbol } from "./geometry.js";
import { emptyPosition } from "./game.js";
import { publicAddress } from "./play.js";
import { quietView } from "./view.js";
import { startNew } from "./today.js";
import { techniqueName, prepare as preparePanels } from "./panels.js";
import { words } from "./words.js";
import { MIRROR, TURN, changedItem, hasNumber, itemOf, orbit, painted, toggled, toggledCell, transformed, withItem, withNumber, withoutRule } from "./desk-edit.js";
import { deskWords } from "./desk-words.js";

const KEY = "ninefold.desk";
const PAUSE_MS = 250;

const styles = extraStyles();

// The code of the rules (variants.js), loaded with the desk.
let variants = null;

// The puzzle: what can be undone and is stored.
const blank = (boxes = "3x3") => ({ boxes, rules: { boxes }, clues: Array(geometryNamed(boxes).cells.length).fill(0), title: "", author: "", ruleset: "" });
let puzzle = load() ?? blank();
let [past, future] = [[], []];

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return kept?.rules && geometryNamed(kept.boxes)?.cells.length === kept.clues.length ? { ...blank(), ...kept } : null;
  } catch {
    return null;
  }
}

// The state of the view: the tool, the selected cells in the order in which they were chosen, and
// so on. `active` is the rule whose number is being typed. `known` contains the engine's answers.
let shown = { tool: "digits", path: [0], cursor: 0, active: null, typed: "", number: "", side: "left", direction: "down right", symmetry: "none", hasCandidates: false, said: "", isBad: false };
let known = {};

const TOOLS = {
  sums: ["cage", "arrow", "double_arrow", "region_sum", "zipper", "sum"],
  lines: ["thermometer", "slow_thermometer", "whispers", "renban", "nabner", "palindrome", "between", "lockout", "entropic", "modular"],
  dots: ["white_dot", "black_dot", "sum_dot", "greater_than", "quadruple"],
  cells: ["even", "odd", "maximum", "minimum", "extra_region", "clone", "counting_circles", "pencil_marks"],
  beside: ["sandwich", "skyscraper", "x_sum", "numbered_room", "little_killer"],
  grid: ["regions"],
};
const CELL_TOOLS = ["even", "odd", "maximum", "minimum"];
const SIDE_TOOLS = ["sandwich", "skyscraper", "x_sum", "numbered_room", "little_killer"];
const WHOLE = [["diagonals", "falling"], ["diagonals", "rising"], ["windoku"], ["disjoint_groups"], ["anti_knight"], ["anti_king"], ["nonconsecutive"], ["all_given", "white dots"], ["all_given", "black dots"], ["all_given", "dots"], ["all_given", "xv"]];

const grid = () => gridFor(puzzle);
const side = () => grid().side;
const isClassic = ({ rules }) => Object.keys(rules).every((key) => key === "boxes");
const request = (one = puzzle) => asked({ puzzle: lineOf(one.clues), boxes: one.boxes, rules: isClassic(one) ? null : one.rules });
const texts = () => Object.fromEntries(["title", "author", "ruleset"].filter((name) => puzzle[name]).map((name) => [name, puzzle[name]]));

const show = (changes) => {
  shown = { ...shown, ...changes };
  render();
};

// Changes the puzzle; it can be undone.
function change(changes, also = {}) {
  past = [...past, puzzle].slice(-500);
  future = [];
  become({ ...puzzle, ...changes }, also);
}

function become(next, also = {}) {
  const isSame = next.rules === puzzle.rules && next.clues === puzzle.clues;
  puzzle = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(puzzle));
  } catch {
    // If the browser has no space left, the desk is not stored.
  }
  if (!isSame) study();
  show({ said: "", isBad: false, ...also });
}

function undo() {
  if (past.length === 0) return;
  future = [puzzle, ...future];
  const before = past.at(-1);
  past = past.slice(0, -1);
  become(before, { active: null });
}

function redo() {
  if (future.length === 0) return;
  past = [...past, puzzle];
  const [next, ...others] = future;
  future = others;
  become(next, { active: null });
}

// Counts the solutions after a short pause, then rates the puzzle; the answers about an earlier
// puzzle are dropped.
let timer = null;
let asking = null;
function study() {
  clearTimeout(timer);
  asking?.abort();
  known = { isCounting: true };
  timer = setTimeout(count, PAUSE_MS);
}

async function count() {
  asking = new AbortController();
  const { signal } = asking;
  const own = puzzle;
  const isOld = () => own.rules !== puzzle.rules || own.clues !== puzzle.clues;
  const learn = (changes) => {
    if (isOld()) return;
    known = { ...known, ...changes };
    render();
  };
  try {
    const solutions = await api.study(request(own), "solutions", signal);
    learn({ isCounting: false, solutions, error: "" });
    if (solutions.count === 1 && solutions.is_exact) learn({ rating: await api.rate(request(own), signal) });
    if (shown.hasCandidates && solutions.count > 0) learn({ candidates: (await api.study(request(own), "candidates", signal)).candidates });
  } catch (error) {
    if (error.name !== "AbortError") learn({ isCounting: false, error: inWords(error) });
  }
}

const isUnique = () => known.solutions?.count === 1 && known.solutions.is_exact;

// Finds something that takes longer, and says what was found.
async function find(what, use) {
  const t = deskWords();
  if (!isUnique()) return show({ said: t.noSolutionYet, isBad: true });
  const own = puzzle;
  show({ said: t.counting, isBad: false });
  try {
    const answer = await api.study(request(own), what);
    if (own === puzzle) use(answer, t);
  } catch (error) {
    if (own === puzzle) show({ said: inWords(error), isBad: true });
  }
}

const findRedundant = () =>
  find("redundant", ({ cells }, t) => {
    known = { ...known, redundant: cells };
    show({ said: cells.length === 0 ? t.redundantNone : t.redundantFound(cells.length) });
  });

const nudge = (what) =>
  find(what, ({ effort, changes }, t) => {
    const [best] = changes;
    if (!best) return show({ said: t.noChange });
    const clues = [...puzzle.clues];
    clues[best.cell] = what === "harder" ? 0 : best.digit;
    change({ clues }, { said: t.changed(cellName(grid(), best.cell), Math.round(effort), Math.round(best.effort)), cursor: best.cell, path: [best.cell] });
  });

// The cells that a symmetry of the clues lacks.
function missingCells() {
  if (shown.symmetry === "none") return [];
  const has = (cell) => Boolean(puzzle.clues[cell]);
  return puzzle.clues.flatMap((clue, cell) => (!clue && orbit(cell, shown.symmetry, side()).some(has) ? [cell] : []));
}

function fillSymmetry() {
  const t = deskWords();
  if (!isUnique()) return show({ said: t.noSolutionYet, isBad: true });
  const solution = digitsOfLine(known.solutions.solution, side());
  const missing = missingCells();
  change({ clues: puzzle.clues.map((clue, cell) => (missing.includes(cell) ? solution[cell] : clue)) });
}

// Drawing. A tool takes the cells of a drag, or of a selection that Enter ends.
const name = (cell) => variants.nameOfCell(cell, side());

function draw() {
  const { tool, path, number } = shown;
  const { rules } = puzzle;
  if (tool === "digits") return;
  if (tool === "regions") return become2(painted(rules, variants.ruledGrid(puzzle).regions, path, side()));
  if (CELL_TOOLS.includes(tool)) return change({ rules: path.reduce((all, cell) => toggledCell(all, tool, name(cell)), rules) }, { path: [shown.cursor] });
  if (SIDE_TOOLS.includes(tool)) return addBeside();
  const item = itemOf(tool, path, number, side(), name);
  if (!item) return;
  const next = withItem(rules, tool, item);
  change({ rules: next }, { path: [shown.cursor], active: hasNumber(tool) ? [tool, next[tool].length - 1] : null, typed: "" });
}

// Regions replace boxes, which changes the name of the shape.
function become2(rules) {
  change({ rules, boxes: rules.boxes ?? `1x${side()}` }, { path: [shown.cursor] });
}

// A clue beside the grid, at the side of the row or column of the cursor.
function addBeside() {
  const { tool, cursor, number, direction } = shown;
  const n = side();
  const [row, column] = [Math.floor(cursor / n) + 1, (cursor % n) + 1];
  const value = Number(number);
  let at = { left: [row, 0], right: [row, n + 1], top: [0, column], bottom: [n + 1, column] }[shown.side];
  if (tool === "little_killer") {
    const [down, right] = variants.STEPS[direction];
    at = [row - down, column - right];
    if (at[0] >= 1 && at[0] <= n && at[1] >= 1 && at[1] <= n) return show({ said: deskWords().notBeside, isBad: true });
  }
  const place = `r${at[0]}c${at[1]}`;
  const key = { skyscraper: "count", numbered_room: "digit" }[tool] ?? "sum";
  const item = { at: place, ...(tool === "little_killer" && { direction }), [key]: value };
  const others = (puzzle.rules[tool] ?? []).filter((one) => one.at !== place || one.direction !== item.direction);
  change({ rules: { ...puzzle.rules, [tool]: [...others, item] } }, { active: [tool, others.length], typed: "" });
}

// A digit is a clue, or one more digit of the number of the rule that was drawn last.
function type(digit) {
  const { tool, path, active, typed } = shown;
  if (tool === "digits") {
    const isSame = path.every((cell) => puzzle.clues[cell] === digit);
    return change({ clues: puzzle.clues.map((clue, cell) => (path.includes(cell) ? (isSame ? 0 : digit) : clue)) });
  }
  if (!active) return show({ number: `${shown.number}${digit}`.slice(-4) });
  const text = `${typed}${digit}`.slice(-4);
  become({ ...puzzle, rules: changedItem(puzzle.rules, active, (item) => withNumber(item, active[0], text)) }, { typed: text });
}

function clear() {
  const { tool, path, cursor, active, typed } = shown;
  if (tool === "digits") return change({ clues: puzzle.clues.map((clue, cell) => (path.includes(cell) ? 0 : clue)) });
  if (active && typed) {
    const text = typed.slice(0, -1);
    return become({ ...puzzle, rules: changedItem(puzzle.rules, active, (item) => withNumber(item, active[0], text)) }, { typed: text });
  }
  const last = variants.listOf(puzzle.rules).findLast(({ cells }) => cells.includes(cursor));
  if (last) change({ rules: withoutRule(puzzle.rules, last.ref) }, { active: null });
}

const remove = (ref) => change({ rules: withoutRule(puzzle.rules, ref) }, { active: null });

function press(cell, { toggle, extend }) {
  const isDrawing = shown.tool !== "digits";
  const isSelecting = toggle || extend;
  const path = isSelecting ? (shown.path.includes(cell) && !isDrawing ? shown.path : [...shown.path, cell]) : [cell];
  show({ cursor: cell, path, ...(!isSelecting && { active: null, typed: "" }) });
}

function move([rows, columns], extend) {
  const n = side();
  const wrap = (number) => (number + n) % n;
  const cell = wrap(Math.floor(shown.cursor / n) + rows) * n + wrap((shown.cursor % n) + columns);
  const path = extend ? [...shown.path, cell] : [cell];
  show({ cursor: cell, path, ...(!extend && { active: null, typed: "" }) });
  $("desk-board").focusCursor();
}

document.addEventListener("keydown", (event) => {
  if (state.view !== "desk" || !$("desk-board") || event.defaultPrevented || event.altKey || document.querySelector("dialog[open]") || event.target.closest("input, select, textarea")) return;
  const onButton = event.target.closest("button, a, summary");
  const control = event.ctrlKey || event.metaKey;
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const digit = /^(?:Digit|Numpad)\d$/.test(event.code) ? Number(event.code.at(-1)) : digitOf(event.key, side());
  if (control && /^z$/i.test(event.key)) event.shiftKey ? redo() : undo();
  else if (control && /^y$/i.test(event.key)) redo();
  else if (control) return;
  else if (step) move(step, event.shiftKey);
  else if (event.key === "Enter" && !onButton) draw();
  else if (["Backspace", "Delete"].includes(event.key)) clear();
  else if (event.key === "Escape") show({ path: [shown.cursor], active: null, typed: "" });
  else if (event.key.length === 1 && (digit > 0 || (digit === 0 && event.key === "0" && shown.tool !== "digits"))) type(digit);
  else return;
  event.preventDefault();
});

// The desk, built once for each language.
export async function prepareDesk() {
  variants ??= await import("./variants.js");
  await styles;
  build();
  study();
  render();
  preparePanels().then(() => render());
}

const button = (id, className, onclick, text) => element("button", { type: "button", id, className: `btn ${className}`, onclick }, text);
const labelled = (text, ...fields) => element("label", {}, element("span", {}, text), ...fields);

function build() {
  const t = deskWords();
  const r = variants.ruleWords();
  fill($("view-desk"), document.documentElement.lang, () => {
    const board = element("sudoku-board", { id: "desk-board" });
    let isDragging = false;
    board.addEventListener("boardpress", ({ detail }) => {
      if (detail.equal) return;
      isDragging = true;
      press(detail.cell, detail);
    });
    board.addEventListener("boardfocus", ({ detail }) => detail.cell !== shown.cursor && show({ cursor: detail.cell, path: [detail.cell] }));
    addEventListener("pointerup", () => {
      if (isDragging && state.view === "desk" && (shown.path.length > 1 || CELL_TOOLS.includes(shown.tool))) if (!SIDE_TOOLS.includes(shown.tool)) draw();
      isDragging = false;
    });
    const tool = element("select", { id: "desk-tool" }, new Option(t.digits, "digits"), ...Object.entries(TOOLS).map(([group, kinds]) => element("optgroup", { label: r.groups[group] }, ...kinds.map((kind) => new Option(r.kinds[kind][0], kind)))));
    tool.addEventListener("change", () => show({ tool: tool.value, path: [shown.cursor], active: null, typed: "", number: "" }));
    const number = element("input", { id: "desk-number", type: "number", min: 0, inputMode: "numeric" });
    number.addEventListener("input", () => {
      if (shown.active) become({ ...puzzle, rules: changedItem(puzzle.rules, shown.active, (item) => withNumber(item, shown.active[0], number.value)) }, { typed: number.value });
      else show({ number: number.value });
    });
    const choice = (id, options, key) => {
      const select = element("select", { id }, ...Object.entries(options).map(([value, text]) => new Option(text, value)));
      select.addEventListener("change", () => show({ [key]: select.value }));
      return select;
    };
    const whole = WHOLE.map(([kind, what]) => {
      const box = element("input", { type: "checkbox", data: { whole: [kind, what].filter(Boolean).join(" ") } });
      box.addEventListener("change", () => change({ rules: toggled(puzzle.rules, kind, what) }));
      const text = r.kinds[kind === "diagonals" ? "diagonal" : kind === "all_given" ? { "white dots": "all_white", "black dots": "all_black", dots: "all_dots", xv: "all_xv" }[what] : kind];
      return element("label", { className: "check" }, box, element("span", {}, `${text[0]}${kind === "diagonals" ? (what === "falling" ? " ╲" : " ╱") : ""}`));
    });
    const field = (id, label, tag = "input") => {
      const input = element(tag, { id: `desk-${id}` });
      input.addEventListener("change", () => change({ [id]: input.value }));
      return labelled(label, input);
    };
    const size = choice("desk-size", { "2x2": "4×4", "2x3": "6×6", "3x3": "9×9", "3x4": "12×12", "4x4": "16×16" }, "size");
    size.value = "3x3";
    const candidates = element("input", { type: "checkbox", id: "desk-candidates" });
    candidates.addEventListener("change", () => {
      show({ hasCandidates: candidates.checked });
      if (candidates.checked) study();
    });
    const exported = element("div", { id: "desk-formats" });
    const details = element("details", { id: "desk-export" }, element("summary", {}, t.export), exported);
    const write = variants.formatsShown(exported, () => request(), texts);
    details.addEventListener("toggle", () => details.open && write());
    const keys = element("div", { id: "desk-keys", className: "exkeys", role: "group" });
    keys.setAttribute("aria-label", words.keypad);
    return [
      element("div", { className: "lead" }, element("h2", {}, t.title), element("p", { className: "quiet" }, t.idea)),
      element("div", { className: "setting" },
        element("div", { className: "setting-board" },
          element("div", { className: "sheet" }, board),
          element("div", { className: "do" }, button("desk-undo", "quiet", undo, t.undo), button("desk-redo", "quiet", redo, t.redo), button("desk-rotate", "quiet", () => turn(TURN), t.rotate), button("desk-mirror", "quiet", () => turn(MIRROR), t.mirror)),
          keys,
        ),
        element("div", { className: "setting-panel" },
          element("div", { className: "card verdict" }, element("p", { id: "desk-count", role: "status" }), element("p", { id: "desk-differ" }), element("p", { id: "desk-rating", className: "quiet" })),
          element("div", { className: "form" }, labelled(t.tool, tool), labelled(t.number, number), element("label", { id: "desk-side-label" }, element("span", {}, t.side), choice("desk-side", t.sides, "side")), element("label", { id: "desk-direction-label" }, element("span", {}, t.direction), choice("desk-direction", t.directions, "direction")), button("desk-add", "quiet", () => draw(), t.add)),
          element("p", { id: "desk-how", className: "quiet" }),
          element("details", {}, element("summary", {}, t.whole), element("div", { className: "wholes" }, ...whole)),
          element("details", { id: "desk-rules", open: true }, element("summary", {}, t.list), element("ul", { id: "desk-list" })),
          element("div", { className: "do" }, element("label", { className: "check" }, candidates, element("span", {}, t.candidates)), button("desk-redundant", "quiet", findRedundant, t.redundant), button("desk-harder", "quiet", () => nudge("harder"), t.harder), button("desk-easier", "quiet", () => nudge("easier"), t.easier)),
          element("div", { className: "form" }, labelled(t.symmetry, choice("desk-symmetry", t.symmetries, "symmetry")), button("desk-fill", "quiet", fillSymmetry, t.fillSymmetry)),
          element("p", { id: "desk-said", role: "status" }),
          element("details", { id: "desk-texts" }, element("summary", {}, t.texts), element("div", { className: "texts" }, field("title", t.puzzleTitle), field("author", t.author), field("ruleset", t.ruleset, "textarea"), button("desk-write", "quiet", () => change({ ruleset: variants.rulesInWords(variants.ruledGrid(puzzle)).join("\n") }), t.write))),
          details,
          element("div", { className: "do" }, button("desk-play", "primary", play, t.play), button("desk-share", "quiet", share, t.share), button("desk-game", "quiet", fromGame, t.fromGame), element("label", { className: "btn quiet", htmlFor: "photo-file", id: "desk-photo" }, words.choosePicture)),
          element("div", { className: "form" }, labelled(t.size, size), button("desk-new", "quiet", () => change(blank(size.value), { path: [0], cursor: 0, active: null }), t.fresh)),
        ),
      ),
    ];
  });
}

const turn = (map) => change(transformed(puzzle, side(), map(side())), { active: null });

// The link of the puzzle; what the player would see.
function address() {
  const position = { ...emptyPosition(geometryNamed(puzzle.boxes)), rules: isClassic(puzzle) ? null : puzzle.rules, clues: puzzle.clues };
  return `${publicAddress()}${addressOf(position)}${textsAddress(texts())}`;
}

const play = () => startNew({ puzzle: lineOf(puzzle.clues), boxes: puzzle.boxes, rules: isClassic(puzzle) ? null : puzzle.rules }, texts());

function share() {
  const link = address();
  const said = (isCopied) => show({ said: isCopied ? deskWords().copied : link, isBad: false });
  navigator.clipboard.writeText(link).then(() => said(true), () => said(false));
  $("desk-share").dataset.link = link;
}

// A photo that was read while the desk is open: all its digits are clues.
document.addEventListener("photoread", (event) => {
  if (state.view !== "desk") return;
  event.preventDefault();
  const { puzzle: line, boxes, entries } = event.detail;
  const [clues, written] = [line, entries].map((text) => digitsOfLine(text, geometryNamed(boxes).side));
  change({ ...blank(boxes), clues: clues.map((clue, cell) => clue || written[cell]) }, { path: [0], cursor: 0, active: null });
});

function fromGame() {
  const { position, about } = state.game;
  const { boxes, clues } = position;
  change({ boxes, rules: position.rules ?? { boxes }, clues, title: about.title ?? "", author: about.author ?? "", ruleset: about.ruleset ?? "" }, { path: [0], cursor: 0, active: null });
}

function render() {
  if (!$("desk-board") || !variants) return;
  const t = deskWords();
  renderBoard(t);
  renderVerdict(t);
  const { tool, active, typed, number, said, isBad } = shown;
  $("desk-tool").value = tool;
  const field = $("desk-number");
  const isSide = SIDE_TOOLS.includes(tool);
  field.disabled = tool === "digits" || CELL_TOOLS.includes(tool);
  if (document.activeElement !== field) field.value = active ? typed : number;
  $("desk-side-label").hidden = !isSide || tool === "little_killer";
  $("desk-direction-label").hidden = tool !== "little_killer";
  $("desk-add").hidden = tool === "digits" || tool === "regions";
  $("desk-how").textContent = tool === "digits" ? t.howDigits : isSide ? t.howSide : CELL_TOOLS.includes(tool) ? t.howCell : tool === "clone" ? t.howClone : tool === "regions" ? t.howRegion : t.how;
  $("desk-undo").disabled = past.length === 0;
  $("desk-redo").disabled = future.length === 0;
  for (const id of ["title", "author", "ruleset"]) if (document.activeElement !== $(`desk-${id}`)) $(`desk-${id}`).value = puzzle[id];
  for (const box of document.querySelectorAll("#view-desk [data-whole]")) {
    const [kind, ...what] = box.dataset.whole.split(" ");
    box.checked = what.length > 0 ? Boolean(puzzle.rules[kind]?.includes(what.join(" "))) : Boolean(puzzle.rules[kind]);
  }
  $("desk-symmetry").value = shown.symmetry;
  $("desk-fill").hidden = shown.symmetry === "none" || missingCells().length === 0;
  const missing = shown.symmetry === "none" ? "" : t.missing(missingCells().length);
  $("desk-said").textContent = [said, missing].filter(Boolean).join(" ");
  $("desk-said").classList.toggle("bad", isBad);
  renderList(t);
  fill($("desk-keys"), `${side()} ${document.documentElement.lang}`, () => [
    ...Array.from({ length: side() }, (_, index) => element("button", { type: "button", className: "key", onclick: () => type(index + 1) }, symbol(index + 1))),
    ...(side() <= 9 ? [element("button", { type: "button", className: "key", onclick: () => shown.tool !== "digits" && type(0) }, "0")] : []),
    element("button", { type: "button", className: "key erase-key", onclick: clear, ariaLabel: words.clear }, "⌫"),
  ]);
}

function renderVerdict(t) {
  const { isCounting, error, solutions, rating } = known;
  $("desk-count").textContent = isCounting ? t.counting : error || (solutions ? t.solutions(solutions.count, solutions.is_exact) : "");
  $("desk-count").classList.toggle("bad", Boolean(error) || (!isCounting && solutions && !isUnique()));
  $("desk-differ").textContent = !isCounting && solutions?.differ.length > 0 ? t.differ(solutions.differ.length) : "";
  const effort = rating?.scales.find(({ name: scale }) => scale === "effort");
  const level = words.levels[effort?.value] ?? effort?.value;
  $("desk-rating").textContent = effort ? t.rated(level, Math.round(effort.details?.points ?? 0), rating.hardest && techniqueName(rating.hardest_slug, rating.hardest)) : t.unrated;
}

function renderBoard(t) {
  const { path, cursor, hasCandidates } = shown;
  const marks = hasCandidates && known.candidates?.length === puzzle.clues.length ? known.candidates : null;
  const view = quietView({ boxes: puzzle.boxes, rules: puzzle.rules, puzzle: lineOf(puzzle.clues), candidates: marks, chosen: path, label: t.board, labels: true });
  const missing = missingCells();
  view.cells.forEach((cell, index) => {
    if (known.solutions?.differ.includes(index) || missing.includes(index)) cell.classes.push("ringed");
    if (known.redundant?.includes(index)) cell.classes.push("redundant");
    if (index === cursor) cell.classes.push("cursor");
  });
  const isFocused = $("desk-board").contains(document.activeElement);
  $("desk-board").draw({ ...view, cursor });
  if (isFocused) $("desk-board").focusCursor();
}

// The rules on the board, each with a button that removes it.
function renderList(t) {
  const r = variants.ruleWords();
  const list = variants.listOf(puzzle.rules).filter(({ cells, raw }) => cells.length > 0 || raw?.at);
  const n = side();
  fill($("desk-list"), JSON.stringify([puzzle.rules, document.documentElement.lang]), () =>
    list.length === 0
      ? [element("li", { className: "quiet" }, t.noRules)]
      : list.map(({ kind, cells, ref, raw, sum, count, digit, digits, difference, ratio, modulus }) => {
          const value = digits?.join(" ") ?? sum ?? count ?? digit ?? difference ?? ratio ?? modulus ?? "";
          const where = raw?.at ?? (cells.length > 3 ? `${variants.nameOfCell(cells[0], n)} … ${variants.nameOfCell(cells.at(-1), n)}` : cells.map((cell) => variants.nameOfCell(cell, n)).join(" "));
          const item = element("button", { type: "button", className: "link", onclick: () => show({ active: hasNumber(kind) && ref[0] === kind ? ref : null, typed: "", tool: kind in r.kinds && [...Object.values(TOOLS)].flat().includes(kind) ? kind : shown.tool, path: cells.length > 0 ? cells : [shown.cursor], cursor: cells[0] ?? shown.cursor }) }, `${r.kinds[kind][0]} ${value} ${where}`.replace(/\s+/g, " "));
          const off = element("button", { type: "button", className: "bare", onclick: () => remove(ref) }, "×");
          off.setAttribute("aria-label", `${t.remove}: ${r.kinds[kind][0]} ${where}`);
          return element("li", {}, item, off);
        }),
  );
}
