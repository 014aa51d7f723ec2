// The trainer: positions near the player's rating, a rating for each technique, repetition of what
// was missed, and storms of three minutes. Everything is stored in the browser.
//
// A task is a position of an explained puzzle and the step that comes next. An answer counts if it
// is a valid deduction, whichever technique shows it: the engine judges what the step does not
// contain.

import * as api from "./api.js";
import * as panels from "./panels.js";
import { $, element, extraStyles, fill } from "./dom.js";
import { cellName, digitsOfLine, geometryNamed, gridFor, lineOf, symbol } from "./geometry.js";
import { clock, dayBefore, dayOf } from "./day.js";
import { asked, inWords, state } from "./page.js";
import { loadLinks } from "./board.js";
import { bars } from "./pictures.js";
import { mentions } from "./reason-view.js";
import { quietView } from "./view.js";
import { startNew } from "./today.js";
import { NEW, rated, rested } from "./glicko.js";
import { trainWords } from "./train-words.js";

export { rated };

const KEY = "ninefold.train";
const DAY_MS = 86_400_000;
// When a missed position comes back, after it was missed and after each right answer.
const REPEAT_MS = [10 * 60_000, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 21 * DAY_MS];
const POSITION_DEVIATION = 60;
const MOST_CARDS = 200;
const MOST_ANSWERS = 1000;
const STORM_SECONDS = 180;
const PENALTY_SECONDS = 10;
// A puzzle with rules that takes longer to make and explain is not waited for.
const MAX_EXAMPLE_MS = 2000;

const styles = extraStyles();

// The stored training: ratings, missed positions, answers, streaks and storms.
const EMPTY = { overall: { ...NEW }, techniques: {}, cards: [], answers: [], streak: { now: 0, best: 0 }, days: [], storms: [] };

function load() {
  try {
    return { ...structuredClone(EMPTY), ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return structuredClone(EMPTY);
  }
}

function save() {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // If the browser has no space left, nothing is stored, but training continues.
  }
}

let kept = load();
addEventListener("storage", ({ key }) => key === KEY && ((kept = load()), render()));

// The state of the view. `task` is the position; `chosen` are the candidates of the answer.
let shown = { tab: "train", wanted: "", task: null, chosen: [], cell: null, mode: "strike", said: [], isBad: false, stage: "idle", storm: null };
const show = (changes) => {
  shown = { ...shown, ...changes };
  render();
};

// The techniques, the easiest first, and the rating of a position in which one is the next step.
let techniques = [];
const nameOf = (slug) => {
  const technique = techniques.find((other) => other.slug === slug);
  return technique?.names?.[document.documentElement.lang] ?? technique?.name ?? slug;
};

// The order of the techniques is their difficulty; the ends of the scale are set so that an hour of
// singles and an hour of chains lead to ratings that differ as those of a beginner and a master.
const [EASIEST, HARDEST] = [600, 2600];
function ratingOf(slug, openCells) {
  const place = techniques.findIndex((other) => other.slug === slug);
  const share = place < 0 ? 1 : place / Math.max(1, techniques.length - 1);
  return Math.round(EASIEST + (HARDEST - EASIEST) * Math.sqrt(share) + 3 * Math.max(-40, Math.min(40, openCells - 40)));
}

// The code of the rules (variants.js), loaded with the trainer.
let variants = null;
const hasRules = (slug) => variants.VARIANT_LESSONS.includes(slug);

// Positions that wait, and the techniques that the player can choose.
let pool = [];
let ruledTasks = [];
let filling = null;

// The puzzles that came with the page; without them, generated ones.
async function somePuzzle(level) {
  const response = await fetch(`daily/${dayOf(new Date()).slice(0, 7)}.txt`).catch(() => null);
  const lines = response?.ok ? (await response.text()).split("\n").filter((line) => line.split(" ")[1] === level) : [];
  if (lines.length > 0) {
    const line = lines[Math.floor(Math.random() * lines.length)].split(" ")[2];
    return { puzzle: line.replace(/[a-z]/g, (run) => ".".repeat(run.charCodeAt(0) - 96)), boxes: "3x3" };
  }
  return api.generate({ boxes: "3x3", difficulty: level });
}

// Every step of an explained puzzle is a task: the position before it, and its conclusions.
async function tasksOf({ puzzle, boxes }) {
  const { start, candidates, steps } = await api.explain({ puzzle, boxes, language: state.settings.language });
  const grid = geometryNamed(boxes);
  const digits = digitsOfLine(start, grid.side);
  const sets = candidates.map((list) => [...list]);
  const tasks = [];
  for (const { slug, places, removes } of steps) {
    const open = digits.filter((digit) => !digit).length;
    tasks.push({ puzzle, boxes, grid: lineOf(digits), candidates: sets.map((list) => [...list]), slug, places: pairsOf(places), removes: pairsOf(removes), rating: ratingOf(slug, open) });
    for (const { index: cell, digit } of places) {
      digits[cell] = digit;
      sets[cell] = [];
      for (const peer of grid.peers[cell]) sets[peer] = sets[peer].filter((other) => other !== digit);
    }
    for (const { index: cell, digit } of removes) sets[cell] = sets[cell].filter((other) => other !== digit);
  }
  return tasks;
}
const pairsOf = (list) => list.map(({ index, digit }) => [index, digit]);

const LEVELS = [[1000, "easy"], [1350, "medium"], [1700, "hard"], [2050, "expert"], [Infinity, "extreme"]];
const levelFor = (rating) => LEVELS.find(([most]) => rating <= most)[1];

function refill(target) {
  filling ??= (async () => {
    const found = await tasksOf(await somePuzzle(levelFor(target)));
    // Some of each technique, so that the many singles of a puzzle do not push out the rest.
    const bySlug = Map.groupBy ? [...Map.groupBy(found, ({ slug }) => slug).values()] : [found];
    const some = bySlug.flatMap((tasks) => tasks.sort(() => Math.random() - 0.5).slice(0, 4));
    pool = [...pool, ...some].slice(-120);
  })().finally(() => (filling = null));
  return filling;
}

// A task for the player: a missed one that is due, or one near the target.
async function nextTask(target, slug) {
  const due = kept.cards.filter((card) => card.due <= Date.now() && (!slug || card.slug === slug)).sort((a, b) => a.due - b.due)[0];
  if (due && !shown.storm) return { ...due, candidates: unpacked(due.candidates), isRepeat: true };
  if (hasRules(slug)) {
    ruledTasks = ruledTasks.filter((task) => task.slug === slug);
    if (ruledTasks.length === 0) ruledTasks = (await tasksWithRules(slug)).sort(() => Math.random() - 0.5).slice(0, 3);
    return ruledTasks.pop() ?? null;
  }
  const fitting = () => pool.filter((task) => (!slug || task.slug === slug) && Math.abs(task.rating - target) < (slug ? Infinity : 260));
  for (let round = 0; round < 3 && fitting().length === 0; round += 1) await refill(slug ? ratingOf(slug, 40) : target + (round - 1) * 200 * (round > 0));
  let choices = fitting();
  if (choices.length === 0 && slug) choices = await taskWith(slug);
  if (choices.length === 0) choices = pool;
  const best = choices.toSorted((a, b) => Math.abs(a.rating - target) - Math.abs(b.rating - target)).slice(0, 4);
  const task = best[Math.floor(Math.random() * best.length)];
  pool = pool.filter((other) => other !== task);
  if (pool.length < 40) refill(target).catch(() => {});
  return task ?? null;
}

// Positions for a technique of rules: its steps in a new puzzle that is soon explained, or else in
// the example of its lesson.
async function tasksWithRules(slug) {
  const { language } = state.settings;
  const seed = () => Math.floor(Math.random() * 1e6);
  const quick = () => variants.example(slug, language, seed(), AbortSignal.timeout(MAX_EXAMPLE_MS)).catch(() => null);
  for (const make of [quick, quick, () => variants.example(slug, language)]) {
    const made = await make();
    if (!made) continue;
    const { puzzle, boxes, rules, steps } = made;
    const tasks = steps.filter((step) => step.slug === slug).map(({ grid, candidates, places, removes }) => {
      const open = [...grid].filter((sign) => sign === ".").length;
      return { puzzle, boxes, rules, grid, candidates, slug, places: pairsOf(places), removes: pairsOf(removes), rating: ratingOf(slug, open) };
    });
    if (tasks.length > 0) return tasks;
  }
  return [];
}

// A rare technique: a puzzle that needs it, or the position of its lesson in disguise.
async function taskWith(slug) {
  const { madePosition, shuffled } = await import("./other-views.js");
  const lesson = () => api.lesson(slug, state.settings.language).then(({ boards }) => shuffled(boards[0], Math.floor(Math.random() * 1000)));
  const made = (await madePosition(slug).catch(() => null)) ?? (await lesson().catch(() => null));
  if (!made) return [];
  const { puzzle, boxes, grid, candidates, step } = made;
  const open = [...grid].filter((sign) => sign === "." || sign === "0").length;
  return [{ puzzle, boxes, grid, candidates, slug, places: pairsOf(step.places), removes: pairsOf(step.removes), rating: ratingOf(slug, open) }];
}

// Candidates as one character for each set, in the store.
const packed = (sets) => sets.map((list) => list.reduce((bits, digit) => bits | (1 << (digit - 1)), 0).toString(36)).join(" ");
const unpacked = (text) => text.split(" ").map((part) => Array.from({ length: 25 }, (_, index) => index + 1).filter((digit) => parseInt(part, 36) & (1 << (digit - 1))));

const myRating = (slug) => (slug ? (kept.techniques[slug] ?? { ...NEW, rating: (kept.overall.rating + ratingOf(slug, 40)) / 2 }) : kept.overall);

async function next() {
  show({ stage: "loading", said: [], isBad: false, chosen: [], cell: null, step: null });
  const own = shown;
  try {
    const target = shown.storm ? shown.storm.level : myRating(shown.wanted).rating + (Math.random() - 0.5) * 160;
    const task = await nextTask(target, shown.storm ? "" : shown.wanted);
    if (own.tab !== shown.tab || own.storm?.id !== shown.storm?.id) return;
    if (!task) return show({ stage: "idle", said: [trainWords().none], isBad: true });
    show({ task, stage: "open", mode: task.places.length > 0 ? "place" : "strike", said: task.isRepeat ? [trainWords().repeat] : [] });
    $("train-board").focusCursor();
  } catch (error) {
    show({ stage: "idle", said: [inWords(error)], isBad: true });
  }
}

// The position and the answer as a request to the judge.
function deduction(task, chosen) {
  const { side } = gridFor(task);
  const clues = digitsOfLine(task.puzzle, side);
  const entries = digitsOfLine(task.grid, side).flatMap((digit, cell) => (digit && !clues[cell] ? [[cell, digit]] : []));
  const only = (isPlaced) => chosen.filter((one) => one.isPlaced === isPlaced).map(({ cell, digit }) => [cell, digit]);
  return { ...asked(task), entries, marks: task.candidates, places: only(true), removes: only(false), technique: task.slug, language: state.settings.language };
}

const own = (task) => [...task.places.map(([cell, digit]) => ({ cell, digit, isPlaced: true })), ...task.removes.map(([cell, digit]) => ({ cell, digit, isPlaced: false }))];
const isOwn = (task, chosen) => chosen.every((one) => own(task).some((other) => other.cell === one.cell && other.digit === one.digit && other.isPlaced === one.isPlaced));

async function check() {
  const { task, chosen, stage } = shown;
  const t = trainWords();
  if (stage !== "open") return;
  if (chosen.length === 0) return show({ said: [t.nothing], isBad: true });
  if (shown.storm && isOwn(task, chosen)) return stormAnswer(true);
  show({ stage: "judging" });
  try {
    const verdict = await api.judge(deduction(task, chosen));
    if (shown.task !== task) return;
    if (shown.storm) return verdict.answer === "unproven" ? show({ stage: "open", said: [t.unproven], isBad: true }) : stormAnswer(verdict.answer === "valid");
    if (verdict.answer === "unproven") return show({ stage: "open", said: [t.unproven], isBad: true });
    if (verdict.answer === "valid") {
      const change = answered(task, 1);
      loadLinks();
      return show({ stage: "done", step: verdict.steps[0], said: [`${t.right(verdict.steps.map(({ technique }) => technique).join(", "))} ${t.rating} ${t.change(change)}`, verdict.steps[0].text], isBad: false });
    }
    await showWrong(task, verdict);
  } catch (error) {
    show({ stage: "open", said: [inWords(error)], isBad: true });
  }
}

async function showWrong(task, verdict) {
  const t = trainWords();
  const [cell, digit] = verdict.wrong;
  const name = cellName(gridFor(task), cell);
  const change = answered(task, 0);
  const said = [`${(verdict.is_placed ? t.wrongPlace : t.wrongStrike)(name, symbol(digit))} ${t.rating} ${t.change(change)}`];
  if (verdict.text) said.push(`${t.leads(verdict.steps_to_end)} ${verdict.text}`);
  if (verdict.objection) said.push(t.checker(verdict.objection));
  await reveal(task, said, true);
}

// Shows the step of a task, with its reason.
async function reveal(task, said, isBad) {
  const verdict = await api.judge(deduction(task, own(task))).catch(() => null);
  if (shown.task !== task) return;
  loadLinks();
  const step = verdict?.steps?.[0] ?? null;
  show({ stage: "done", step, said: [...said, ...(step ? [`${trainWords().shown} ${step.technique}. ${step.text}`] : [])], isBad });
}

function giveUp() {
  const { task, stage } = shown;
  if (stage !== "open") return;
  show({ stage: "judging" });
  reveal(task, [`${trainWords().rating} ${trainWords().change(answered(task, 0))}`], true);
}

// Stores an answer: ratings, streaks and repetition. Returns the change of the overall rating.
function answered(task, score) {
  const now = Date.now();
  const games = [{ rating: task.rating, deviation: POSITION_DEVIATION, score }];
  const days = (at) => (at ? (now - at) / DAY_MS : 0);
  const before = kept.overall.rating;
  const last = kept.answers.at(-1)?.at;
  const technique = { count: 0, right: 0, ratings: [], ...myRating(task.slug), ...kept.techniques[task.slug] };
  kept.overall = rated(rested(kept.overall, days(last)), games);
  kept.techniques[task.slug] = {
    ...rated(rested(technique, days(technique.at)), games),
    at: now,
    count: technique.count + 1,
    right: technique.right + score,
    ratings: [...technique.ratings, score].slice(-20),
  };
  kept.answers = [...kept.answers, { at: now, slug: task.slug, score, rating: Math.round(kept.overall.rating) }].slice(-MOST_ANSWERS);
  const streak = score ? kept.streak.now + 1 : 0;
  kept.streak = { now: streak, best: Math.max(kept.streak.best, streak) };
  const day = dayOf(new Date());
  if (!kept.days.includes(day)) kept.days = [...kept.days, day].slice(-400);
  repeatLater(task, score, now);
  save();
  return Math.round(kept.overall.rating - before);
}

// A missed position comes back after ten minutes, a day, three days, a week and three weeks.
function repeatLater(task, score, now) {
  const id = `${task.grid} ${task.slug}`;
  const old = kept.cards.find((card) => card.id === id);
  const others = kept.cards.filter((card) => card.id !== id);
  const box = score ? (old?.box ?? -1) + 1 : 0;
  if ((score && !old) || box >= REPEAT_MS.length) return (kept.cards = others);
  const { puzzle, boxes, rules, grid, slug, places, removes, rating } = task;
  kept.cards = [...others, { id, puzzle, boxes, rules, grid, slug, places, removes, rating, candidates: packed(task.candidates), box, due: now + REPEAT_MS[box] }].slice(-MOST_CARDS);
}

function daysInARow() {
  const days = new Set(kept.days);
  let day = dayOf(new Date());
  if (!days.has(day)) day = dayBefore(day);
  let count = 0;
  for (; days.has(day); day = dayBefore(day)) count += 1;
  return count;
}

// Storms.
let ticking = null;
function startStorm() {
  clearInterval(ticking);
  show({ tab: "storm", storm: { id: Date.now(), score: 0, wrong: 0, level: 650, left: STORM_SECONDS, at: performance.now() }, said: [], isBad: false });
  ticking = setInterval(tick, 200);
  next();
}

function tick() {
  const { storm } = shown;
  if (!storm || state.view !== "train") return endStorm();
  const now = performance.now();
  const left = storm.left - (now - storm.at) / 1000;
  shown = { ...shown, storm: { ...storm, left, at: now } };
  if (left <= 0) return endStorm();
  $("train-clock").textContent = clock(Math.ceil(left));
}

function stormAnswer(isRight) {
  const { storm } = shown;
  const changed = isRight ? { score: storm.score + 1, level: storm.level + 30 } : { wrong: storm.wrong + 1, left: storm.left - PENALTY_SECONDS };
  shown = { ...shown, storm: { ...storm, ...changed } };
  if (!isRight) repeatLater(shown.task, 0, Date.now());
  next().then(() => shown.storm && !isRight && show({ said: [trainWords().wrongShort], isBad: true }));
}

function endStorm() {
  clearInterval(ticking);
  const { storm } = shown;
  if (!storm) return;
  const best = Math.max(0, ...kept.storms.map(({ score }) => score));
  kept.storms = [...kept.storms, { at: Date.now(), score: storm.score, wrong: storm.wrong }].slice(-200);
  save();
  show({ storm: null, task: null, stage: "idle", said: [trainWords().over(storm.score, storm.score > best)], isBad: false });
}

// The answer: a key chooses a candidate of the selected cell, or takes it back.
function press(digit) {
  const { task, cell, chosen, mode, stage } = shown;
  if (stage !== "open" || cell === null || !task.candidates[cell].includes(digit)) return;
  const isPlaced = mode === "place";
  const same = (one) => one.cell === cell && one.digit === digit && one.isPlaced === isPlaced;
  const others = chosen.filter((one) => !same(one) && !(isPlaced && one.cell === cell && one.isPlaced) && !(one.cell === cell && one.digit === digit));
  show({ chosen: chosen.some(same) ? others : [...others, { cell, digit, isPlaced }], said: [], isBad: false });
  // In a storm a right digit needs no check.
  if (shown.storm && isPlaced && shown.chosen.length > 0 && isOwn(task, shown.chosen)) stormAnswer(true);
}

function select(cell) {
  if (shown.stage === "open" && cell !== shown.cell) show({ cell });
}

document.addEventListener("keydown", (event) => {
  if (state.view !== "train" || !shown.task || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || event.target.closest("input, select, textarea")) return;
  const grid = gridFor(shown.task);
  const [rows, columns] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
  const digit = digitsOfLine(event.key.length === 1 ? event.key : "", grid.side)[0];
  const onButton = event.target.closest("button, a, summary");
  if (rows || columns) {
    const from = shown.cell ?? 0;
    const wrap = (number) => (number + grid.side) % grid.side;
    select(shown.cell === null ? 0 : wrap(grid.row(from) + rows) * grid.side + wrap(grid.column(from) + columns));
    $("train-board").focusCursor();
  } else if (digit) press(digit);
  else if (event.key === "Enter" && !onButton) shown.stage === "done" ? next() : check();
  else if (event.key === " " && !onButton) show({ mode: shown.mode === "place" ? "strike" : "place" });
  else return;
  event.preventDefault();
});

// Drawing. The view is built once for each language.
export async function prepareTrainer() {
  variants ??= await import("./variants.js");
  await styles;
  build();
  render();
  await panels.prepare();
  techniques = (await api.techniques().catch(() => ({ techniques: [] }))).techniques;
  // Every technique with a lesson; those of rules come only if they are chosen.
  const { tiers } = await api.lessons().catch(() => ({ tiers: [] }));
  const taught = new Set(tiers.flatMap(({ lessons }) => lessons.map(({ slug }) => slug)));
  techniques = techniques.filter(({ slug }) => taught.has(slug) || hasRules(slug));
  build();
  render();
  if (!shown.task && shown.stage === "idle" && shown.tab === "train") next();
}

const button = (id, className, onclick, text = "") => element("button", { type: "button", id, className: `btn ${className}`, onclick }, text);

function build() {
  const t = trainWords();
  fill($("view-train"), `${document.documentElement.lang} ${techniques.length}`, () => {
    const board = element("sudoku-board", { id: "train-board" });
    board.addEventListener("boardpress", ({ detail }) => select(detail.cell));
    board.addEventListener("boardfocus", ({ detail }) => select(detail.cell));
    const tabs = element("div", { className: "seg", role: "group", id: "train-tabs" }, ...Object.entries(t.tabs).map(([tab, name]) => element("button", { type: "button", data: { tab }, onclick: () => openTab(tab) }, name)));
    tabs.setAttribute("aria-label", t.title);
    const choice = element("select", { id: "train-wanted" }, new Option(t.any, ""), ...techniques.map(({ slug }) => new Option(nameOf(slug), slug)));
    choice.addEventListener("change", () => {
      show({ wanted: choice.value, task: null });
      next();
    });
    const modes = element("div", { className: "seg", role: "group", id: "train-modes" }, ...["strike", "place"].map((mode) => element("button", { type: "button", data: { mode }, onclick: () => show({ mode }) }, t[mode])));
    modes.setAttribute("aria-label", t.mode);
    const keys = element("div", { className: "exkeys", id: "train-keys", role: "group" });
    keys.setAttribute("aria-label", t.keys);
    return [
      element("div", { className: "lead" }, element("h2", {}, t.title), element("p", { className: "quiet", id: "train-idea" }, t.idea)),
      tabs,
      element("div", { className: "train", id: "train-desk" },
        element("div", { className: "sheet" }, board),
        element("div", { className: "train-panel" },
          element("div", { className: "train-head" }, element("label", { id: "train-choice" }, element("span", {}, t.which), choice), element("p", { className: "time", id: "train-clock", role: "timer" })),
          element("p", { id: "train-figures", className: "figures2" }),
          element("h3", { id: "train-task" }),
          modes,
          keys,
          element("div", { className: "do" }, button("train-check", "primary", check, t.check), button("train-next", "primary", () => next(), t.next), button("train-show", "quiet", giveUp, t.show), button("train-storm", "primary", startStorm, t.start), button("train-stop", "quiet", endStorm, t.stop)),
          element("div", { id: "train-said", role: "status" }),
        ),
      ),
      element("div", { id: "train-progress" }),
    ];
  });
}

function openTab(tab) {
  if (shown.storm) endStorm();
  show({ tab, task: null, stage: "idle", said: [], isBad: false, step: null });
  if (tab === "train") next();
}

function render() {
  const t = trainWords();
  if (!$("train-desk")) return;
  const { tab, task, stage, storm, said, isBad, mode } = shown;
  for (const one of $("train-tabs").children) one.setAttribute("aria-pressed", one.dataset.tab === tab);
  $("train-desk").hidden = tab === "progress";
  $("train-progress").hidden = tab !== "progress";
  if (tab === "progress") return renderProgress();
  $("train-idea").textContent = tab === "storm" ? t.stormIdea : t.idea;
  $("train-choice").hidden = tab === "storm";
  $("train-wanted").value = shown.wanted;
  $("train-clock").hidden = !storm;
  $("train-task").textContent = stage === "loading" ? t.loading : task ? t.find(nameOf(task.slug)) : "";
  $("train-task").hidden = $("train-task").textContent === "";
  $("train-figures").textContent = tab === "storm" ? [storm && t.score(storm.score), t.best(Math.max(0, ...kept.storms.map(({ score }) => score)))].filter(Boolean).join(" · ") : figures(t);
  $("train-modes").hidden = !task || stage === "done";
  for (const one of $("train-modes").children) one.setAttribute("aria-pressed", one.dataset.mode === mode);
  $("train-check").hidden = stage !== "open" && stage !== "judging";
  $("train-show").hidden = stage !== "open" || Boolean(storm);
  $("train-next").hidden = Boolean(storm) || tab === "storm" || !["done", "idle"].includes(stage);
  $("train-storm").hidden = tab !== "storm" || Boolean(storm);
  $("train-stop").hidden = !storm;
  $("train-desk").classList.toggle("empty", !task);
  renderBoard(t);
  const picture = stage === "done" ? shown.step?.picture : null;
  fill($("train-said"), JSON.stringify([said, isBad]), () => said.map((text, index) => element("p", { className: index === 0 ? (isBad ? "bad" : "good") : "" }, ...mentions(text, picture, task && gridFor(task)))));
}

function figures(t) {
  const { rating, deviation } = myRating(shown.wanted);
  const due = kept.cards.filter((card) => card.due <= Date.now()).length;
  return [`${t.rating} ${Math.round(rating)} ± ${Math.round(2 * deviation)}`, t.streak(kept.streak.now, kept.streak.best), t.days(daysInARow()), due > 0 && t.due(due)].filter(Boolean).join(" · ");
}

function renderBoard(t) {
  const { task, chosen, cell, stage, step } = shown;
  $("train-board").hidden = !task;
  if (!task) return $("train-keys").replaceChildren();
  const picture = stage === "done" && step ? step.picture : { houses: [], cells: [], arrows: [], candidates: chosen.map((one) => ({ index: one.cell, digit: one.digit, ink: one.isPlaced ? "placed" : "removed" })) };
  const view = quietView({ boxes: task.boxes, rules: task.rules, puzzle: task.puzzle, grid: task.grid, candidates: task.candidates, picture, chosen: cell === null ? [] : [cell], label: t.board(nameOf(task.slug)), labels: true });
  $("train-board").draw({ ...view, cursor: cell ?? 0 });
  const digits = cell === null || stage === "done" ? [] : task.candidates[cell];
  fill($("train-keys"), JSON.stringify([cell, digits, chosen, stage, shown.mode, document.documentElement.lang]), () =>
    digits.length === 0
      ? [element("p", { className: "soft" }, stage === "open" ? t.pick : "")]
      : digits.map((digit) => {
          const key = element("button", { type: "button", className: "key", onclick: () => press(digit) }, symbol(digit));
          key.setAttribute("aria-pressed", chosen.some((one) => one.cell === cell && one.digit === digit));
          return key;
        }),
  );
}

// The page of progress: overall, and each technique.
function renderProgress() {
  const t = trainWords();
  const rows = Object.entries(kept.techniques).sort(([a], [b]) => techniques.findIndex(({ slug }) => slug === a) - techniques.findIndex(({ slug }) => slug === b));
  const history = kept.answers.slice(-60).map(({ rating }) => rating);
  const lowest = Math.min(...history, kept.overall.rating) - 50;
  fill($("train-progress"), JSON.stringify([kept, document.documentElement.lang, techniques.length]), () => {
    const chart = element("div", { className: "bars", role: "img" }, ...bars(history.map((rating) => rating - lowest)));
    chart.setAttribute("aria-label", `${t.history}: ${history.join(", ")}`);
    const table = element("table", { className: "plain", id: "train-table" },
      element("thead", {}, element("tr", {}, ...[t.technique, t.rating, t.answered, t.rightShare, t.last, t.train].map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...rows.map(([slug, { rating, deviation, count, right, ratings }]) => {
        const last = element("span", { className: "answers" }, ...ratings.map((score) => element("i", { className: score ? "right" : "wrong" })));
        last.setAttribute("role", "img");
        last.setAttribute("aria-label", ratings.map((score) => (score ? "✓" : "✗")).join(" "));
        const train = element("button", { type: "button", className: "link", onclick: () => { show({ tab: "train", wanted: slug, task: null, stage: "idle" }); next(); } }, t.train);
        train.setAttribute("aria-label", `${t.train}: ${nameOf(slug)}`);
        return element("tr", {}, element("th", { scope: "row" }, nameOf(slug)), element("td", { className: "num" }, `${Math.round(rating)} ± ${Math.round(2 * deviation)}`), element("td", { className: "num" }, count), element("td", { className: "num" }, `${Math.round((100 * right) / count)} %`), element("td", {}, last), element("td", {}, train));
      })),
    );
    const save = element("a", { className: "btn quiet", id: "train-export", download: "ninefold-training.json", href: `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify({ ninefold: 1, train: kept }))}` }, t.export);
    const best = Math.max(0, ...kept.storms.map(({ score }) => score));
    return [
      element("div", { className: "cards" },
        element("div", { className: "card" }, element("h3", {}, t.overall), element("p", { className: "value num" }, `${Math.round(kept.overall.rating)} ± ${Math.round(2 * kept.overall.deviation)}`), element("p", { className: "quiet" }, t.streak(kept.streak.now, kept.streak.best)), element("p", { className: "quiet" }, t.days(daysInARow()))),
        element("div", { className: "card" }, element("h3", {}, t.history), chart),
        element("div", { className: "card" }, element("h3", {}, t.storms), element("p", { className: "value num" }, best), element("p", { className: "quiet" }, kept.storms.slice(-8).map(({ score }) => score).join(", "))),
      ),
      rows.length > 0 ? element("div", { className: "scroll", tabIndex: 0 }, table) : element("p", { className: "quiet" }, t.nothingYet),
      element("p", { className: "quiet" }, t.exportIdea),
      element("div", { className: "do" }, save),
    ];
  });
}

// Opens the position as a game, for those who want to try it out.
export const tryTask = () => shown.task && startNew({ puzzle: shown.task.puzzle, boxes: shown.task.boxes, rules: shown.task.rules });
