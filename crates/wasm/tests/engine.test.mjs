// Tests of the engine in Node, partly by comparison with the native command. Run them with
// `node --test crates/wasm/tests` after `crates/wasm/build`. NINEFOLD names the command; without
// it, the comparisons are skipped.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { NinefoldError, coreUrl, engineUrl, hasSimd, load, loadCore, loadInWorker } from "../npm/node.js";

const PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
const plainUrl = new URL("../npm/engine-plain.wasm", import.meta.url);

const command = process.env.NINEFOLD;
const withCommand = { skip: command ? false : "NINEFOLD does not name the native command" };
const native = (...words) => nativeWith("", ...words);
const nativeWith = (input, ...words) => execFileSync(command, words, { encoding: "utf8", input, maxBuffer: 1 << 28 });

const ninefold = await load();
const made = (count, wish = {}) =>
  Array.from({ length: count }, (_, seed) => ninefold.generate({ seed, ...wish }).puzzle);

test("solves a puzzle and proves that its solution is unique", () => {
  assert.deepEqual(ninefold.solve(PUZZLE), { solution: SOLUTION, count: 1 });
  assert.deepEqual(ninefold.solve(PUZZLE.replaceAll(".", "0")), { solution: SOLUTION, count: 1 });
  assert.deepEqual(ninefold.solve([...PUZZLE].map((sign) => Number(sign) || 0)), { solution: SOLUTION, count: 1 });
  assert.equal(ninefold.solve("1..4..1..3..4..3").solution, "1234341223414123");
  assert.deepEqual(ninefold.solve("11" + ".".repeat(79)), { solution: null, count: 0 });
  assert.equal(ninefold.solve(".".repeat(81)).count, 2);
});

test("solves many puzzles, as lines and as bytes", () => {
  const puzzles = [...made(200), ".".repeat(81), "11" + ".".repeat(79)];
  const { solutions, counts } = ninefold.solveMany(puzzles);
  assert.deepEqual([...counts], [...Array(200).fill(1), 2, 0]);
  assert.equal(solutions[201], ".".repeat(81));
  const packed = ninefold.solveMany(new TextEncoder().encode(puzzles.join("")));
  assert.equal(new TextDecoder().decode(packed.solutions), solutions.join(""));
  assert.deepEqual(packed.counts, counts);
  assert.deepEqual([...ninefold.solveMany([".".repeat(81)], 1000).counts], [1000]);
  assert.deepEqual(ninefold.solveMany([]).solutions, []);
});

test("solves many puzzles of all sizes and forms", () => {
  const rows = Array.from({ length: 9 }, (_, row) => [...PUZZLE.slice(9 * row, 9 * row + 9)].map((sign) => Number(sign) || null));
  const four = "1..4..1..3..4..3";
  const { solutions, counts } = ninefold.solveMany([PUZZLE, four, rows, "11..............", ".".repeat(16)], 300);
  assert.deepEqual(solutions.slice(0, 4), [SOLUTION, "1234341223414123", SOLUTION, ".".repeat(16)]);
  assert.deepEqual([...counts], [1, 1, 1, 0, 288]);
  assert.equal(ninefold.solve(solutions[4]).count, 1);
  const large = ninefold.generate({ boxes: "4x4", seed: 3 });
  assert.deepEqual(ninefold.solveMany([large.puzzle]).solutions, [large.solution]);
});

test("entries are part of the puzzle", () => {
  assert.deepEqual(ninefold.solve(PUZZLE, { entries: [[2, 1]] }), { solution: null, count: 0 });
  assert.equal(ninefold.check(PUZZLE, { entries: [[2, 4]] }).answer, "right");
  assert.deepEqual(ninefold.check(PUZZLE, { entries: [[2, 1]] }).wrong, [[2, 1]]);
});

test("generates many puzzles of a seed", () => {
  const { puzzles, solutions, seed } = ninefold.generateMany(4, { seed: 7, clues: [24, 26] });
  assert.deepEqual([puzzles.length, new Set(puzzles).size, seed], [4, 4, 7]);
  assert.deepEqual(ninefold.solveMany(puzzles).solutions, solutions);
  assert.deepEqual(ninefold.generateMany(2, { seed: 7, clues: [24, 26], start: 2 }).puzzles, puzzles.slice(2));
  const killers = ninefold.generateMany(2, { seed: 1, rules: "killer", boxes: "2x2" });
  assert.deepEqual(ninefold.solveMany(killers.puzzles).solutions, killers.solutions);
  assert.deepEqual(ninefold.generateMany(0, { seed: 7 }).puzzles, []);
});

const withPlain = { skip: existsSync(plainUrl) ? false : "engine-plain.wasm has not been built" };

test("both engines give the same answers", withPlain, async () => {
  assert.ok(hasSimd(), "Node supports 128-bit SIMD");
  const plain = await load(plainUrl);
  const puzzles = made(50);
  assert.deepEqual(plain.solveMany(puzzles), ninefold.solveMany(puzzles));
  for (const puzzle of puzzles.slice(0, 5)) {
    assert.deepEqual(plain.explain(puzzle), ninefold.explain(puzzle));
    assert.deepEqual(plain.rate(puzzle), ninefold.rate(puzzle));
  }
});

const withCore = { skip: existsSync(coreUrl()) ? false : "engine-core.wasm has not been built" };

test("the small engine gives the same answers, and names what it cannot do", withCore, async () => {
  assert.ok(statSync(coreUrl()).size < 0.8 * statSync(engineUrl()).size);
  const core = await loadCore();
  assert.deepEqual(core.solve(PUZZLE), ninefold.solve(PUZZLE));
  assert.deepEqual(core.solveMany([PUZZLE, "1..4..1..3..4..3"]), ninefold.solveMany([PUZZLE, "1..4..1..3..4..3"]));
  assert.deepEqual(core.hint(PUZZLE), ninefold.hint(PUZZLE));
  assert.deepEqual(core.explain(PUZZLE), ninefold.explain(PUZZLE));
  assert.equal((await core.predict(PUZZLE)).filled, SOLUTION);
  for (const ask of [() => core.generate(), () => core.generateMany(2), () => core.rate(PUZZLE), () => core.call("lessons/x-wing")]) {
    assert.throws(ask, (error) => error instanceof NinefoldError && error.status === 501 && /full engine/.test(error.hint));
  }
  assert.throws(() => core.call("dance"), (error) => error.status === 404);
});

test("a worker loads the full engine when it is needed", withCore, async () => {
  const worker = await loadInWorker();
  assert.equal((await worker.solve(PUZZLE)).count, 1);
  const [rated, generated] = await Promise.all([worker.rate(PUZZLE), worker.call("generate", { seed: 7 })]);
  assert.deepEqual(rated, ninefold.rate(PUZZLE));
  assert.deepEqual(generated, ninefold.generate({ seed: 7 }));
  assert.deepEqual((await worker.generateMany(2, { seed: 7 })).puzzles, ninefold.generateMany(2, { seed: 7 }).puzzles);
  assert.equal((await worker.solve(PUZZLE)).count, 1);
  await worker.stop();
});

test("solutions equal those of the native command", withCommand, () => {
  const puzzles = made(100);
  const { solutions } = ninefold.solveMany(puzzles);
  const lines = nativeWith(puzzles.join("\n"), "solve", "--quiet").trim().split("\n");
  assert.deepEqual(lines, solutions);
});

test("explanations equal those of the native command", withCommand, () => {
  for (const puzzle of [PUZZLE, ...made(5, { difficulty: "hard" }), "1..4..1..3..4..3"]) {
    assert.deepEqual(ninefold.explain(puzzle), JSON.parse(native("explain", "--json", puzzle)));
  }
});

test("equal seeds give the puzzles of the native command", withCommand, () => {
  for (const seed of [1, 7, 2026]) {
    const line = native("generate", "--seed", String(seed), "--clues", "24-26", "--quiet").trim().split(/\s/)[0];
    assert.equal(ninefold.generate({ seed, clues: [24, 26] }).puzzle, line);
  }
});

test("lists of generated puzzles equal those of the native command", withCommand, () => {
  const options = ["--seed", "5", "--difficulty", "medium", "--quiet"];
  const lines = native("generate", "--count", "5", ...options).trim().split("\n");
  assert.deepEqual(ninefold.generateMany(5, { seed: 5, difficulty: "medium" }).puzzles, lines);
});

test("a hint has three stages and reports mistakes", () => {
  const hint = ninefold.hint(PUZZLE);
  assert.equal(hint.answer, "step");
  assert.equal(hint.stages.length, 3);
  assert.equal(ninefold.hint(PUZZLE, { entries: [[2, 1]] }).answer, "mistake");
  assert.notEqual(ninefold.hint(PUZZLE, { language: "de" }).stages[2], hint.stages[2]);
});

test("draws a step", () => {
  const [step] = ninefold.explain(PUZZLE).steps;
  assert.match(ninefold.svg(PUZZLE), /^<svg/);
  assert.equal(ninefold.svg(PUZZLE, step), ninefold.svg(PUZZLE, 1));
  assert.notEqual(ninefold.svg(PUZZLE, step), ninefold.svg(PUZZLE));
});

test("equivalent puzzles have the same canonical form", () => {
  assert.deepEqual(ninefold.canonical(PUZZLE), ninefold.canonical([...PUZZLE].reverse().join("")));
});

test("the network predicts puzzles of every size", async () => {
  const { filled, solved, odds } = await ninefold.predict(PUZZLE);
  assert.deepEqual([filled, solved, odds.length], [SOLUTION, true, 81]);
  odds.forEach((cell) => assert.ok(cell.length === 9 && Math.abs(cell.reduce((a, b) => a + b) - 1) < 1e-4));
  assert.equal(odds.map((cell) => cell.indexOf(Math.max(...cell)) + 1).join(""), SOLUTION);
  assert.equal((await ninefold.predict("1..4..1..3..4..3")).filled, "1234341223414123");
  const large = await ninefold.predict(".".repeat(256), { iterations: 1, starts: 1 });
  assert.deepEqual([large.filled.length, large.odds[0].length, large.solved], [256, 16, false]);
  assert.equal((await ninefold.predict("11" + ".".repeat(79), { iterations: 2, starts: 2 })).solved, false);
});

test("the network gives the same answers on both engines", withPlain, async () => {
  const plain = await load(plainUrl);
  for (const puzzle of made(5, { minimal: true })) {
    const [one, other] = [await ninefold.predict(puzzle), await plain.predict(puzzle)];
    assert.deepEqual([one.filled, one.solved], [other.filled, other.solved]);
    one.odds.flat().forEach((odds, place) => assert.ok(Math.abs(odds - other.odds.flat()[place]) < 1e-2));
  }
});

test("the network solves the same puzzles as in the native command", withCommand, async () => {
  const puzzles = made(20, { minimal: true });
  const folder = mkdtempSync(join(tmpdir(), "ninefold-"));
  try {
    const list = join(folder, "puzzles.txt");
    writeFileSync(list, puzzles.join("\n"));
    const { several_starts } = JSON.parse(native("evaluate", "kaleidoscope", list, "--json"));
    const predicted = await Promise.all(puzzles.map((puzzle) => ninefold.predict(puzzle)));
    assert.equal(predicted.filter(({ solved }) => solved).length, several_starts);
    predicted.forEach(({ filled, solved }, place) => assert.equal(filled === ninefold.solve(puzzles[place]).solution, solved));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("rejects invalid weights, and the next request loads the right ones", async () => {
  const fresh = await load();
  assert.throws(() => fresh.call("predict", { puzzle: PUZZLE }), (error) => error.status === 409);
  await assert.rejects(fresh.predict(PUZZLE, { weights: new Uint8Array(100) }), NinefoldError);
  await assert.rejects(fresh.predict(PUZZLE, { weights: "nothing-here.safetensors" }));
  assert.equal((await fresh.predict(PUZZLE)).filled, SOLUTION);
  await assert.rejects(fresh.predict(PUZZLE, { starts: 0 }), /at least 1/);
  await assert.rejects(fresh.predict("123"), NinefoldError);
});

test("a misspelled option is an error of JavaScript, not of a server", async () => {
  const misspelled = (ask) =>
    assert.throws(ask, (error) => {
      assert.ok(error instanceof NinefoldError && error.status === 400);
      assert.doesNotMatch(error.message + error.hint, /body|openapi|line \d/);
      return true;
    });
  misspelled(() => ninefold.generate({ dificulty: "hard" }));
  misspelled(() => ninefold.generateMany(2, { dificulty: "hard" }));
  misspelled(() => ninefold.generateMany("two"));
  misspelled(() => ninefold.solve("1..4..1..3..4..3", { boxs: "2x2" }));
  misspelled(() => ninefold.hint(PUZZLE, { entries: "none" }));
  assert.throws(() => ninefold.generate({ dificulty: "hard" }), /^NinefoldError: generate: unknown option "dificulty", expected one of "boxes", /);
  await assert.rejects(ninefold.predict(PUZZLE, { start: 3 }), /unknown option "start"/);
});

test("errors have a message and a hint", () => {
  const check = (ask, words) =>
    assert.throws(ask, (error) => error instanceof NinefoldError && error.message.includes(words) && error.hint.length > 0);
  check(() => ninefold.solve("123"), "cells");
  check(() => ninefold.solveMany(["q".repeat(81)]), "puzzle 1: row 1, column 1");
  check(() => ninefold.solveMany(new TextEncoder().encode(`${PUZZLE}x${PUZZLE.slice(1)}`)), "puzzle 2, row 1, column 1");
  check(() => ninefold.solveMany(["é".repeat(81)]), "expected a digit");
  check(() => ninefold.rate(".".repeat(81)), "more than one solution");
  check(() => ninefold.call("dance"), "dance");
  check(() => ninefold.generate({ clues: [3, 4] }), "clues");
  check(() => ninefold.solveMany([PUZZLE, "1"]), "puzzle 2: expected 16, 36 or 64 cells");
  assert.throws(() => ninefold.solveMany(new Uint8Array(80)), RangeError);
  assert.throws(() => ninefold.solveMany([PUZZLE], 0), RangeError);
  assert.throws(() => ninefold.solve(81), TypeError);
});

test("a time limit ends an endless search", async () => {
  // A host whose clock advances a minute with every call: everything with a time limit ends at
  // once.
  const module = await WebAssembly.compile(readFileSync(engineUrl()));
  let minutes = 0;
  const exports = new WebAssembly.Instance(module, { env: { now: () => (minutes += 1) * 60_000, report() {} } }).exports;
  exports.start();
  const text = new TextEncoder();
  const [name, request] = [text.encode("solve"), text.encode(JSON.stringify({ puzzle: ".".repeat(625) }))];
  const at = exports.input(name.length + request.length);
  new Uint8Array(exports.memory.buffer, at, name.length).set(name);
  new Uint8Array(exports.memory.buffer, at + name.length, request.length).set(request);
  assert.equal(exports.call(name.length, request.length), 200);
  const answer = new Uint8Array(exports.memory.buffer, exports.answer(), exports.answer_length());
  assert.equal(JSON.parse(new TextDecoder().decode(answer)).answer, "unfinished");
});

test("a worker returns promises and can be stopped", async () => {
  const worker = await loadInWorker();
  assert.deepEqual(await worker.solve(PUZZLE), { solution: SOLUTION, count: 1 });
  assert.equal((await worker.predict(PUZZLE)).filled, SOLUTION);
  assert.equal((await worker.call("check", { puzzle: PUZZLE })).answer, "right");
  await assert.rejects(worker.rate(".".repeat(81)), NinefoldError);
  const ended = assert.rejects(worker.solveMany([".".repeat(81)], 4_000_000_000), /stopped/);
  await worker.stop();
  await ended;
  assert.equal((await worker.solve(PUZZLE)).count, 1, "the next request starts a new worker");
  await worker.stop();
});
