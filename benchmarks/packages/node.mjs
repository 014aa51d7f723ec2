// Compares Ninefold for JavaScript with other npm packages: puzzles per CPU second, with checked answers.
//
//   crates/wasm/build
//   cd benchmarks/packages && npm install --no-save sudoku sudoku-umd fast-sudoku-solver && node node.mjs [seconds]
//
// Each contestant gets the same random minimal puzzles for the same time. Ninefold proves that there is no other solution,
// the others stop at the first. A wrong answer is a failure, not a time. Generated puzzles are counted up to symmetry. A
// package that does not load is skipped.

import { createRequire, register } from "node:module";
import { load } from "../../crates/wasm/npm/node.js";

// fast-sudoku-solver 3 imports its files without an extension, which bundlers resolve and Node does not.
const endings = `export async function resolve(name, context, next) {
  try { return await next(name, context); } catch (error) { if (!name.startsWith(".")) throw error; return next(name + ".js", context); }
}`;
register(`data:text/javascript,${encodeURIComponent(endings)}`);
const require = createRequire(import.meta.url);
const seconds = Number(process.argv[2] ?? 5);
const fast = await load();
const plain = await load(new URL("../../crates/wasm/npm/engine-plain.wasm", import.meta.url)).catch(() => null);
const made = Array.from({ length: 2000 }, (_, seed) => fast.generate({ seed, minimal: true }));
const puzzles = made.map(({ puzzle }) => puzzle);
const solutions = made.map(({ solution }) => solution);

const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };

async function optional(name, make) {
  try {
    return { name, work: await make() };
  } catch (error) {
    console.error(`left out: ${name} (${String(error.message).split("\n")[0]})`);
    return null;
  }
}

const module = async (name) => { try { return require(name); } catch { return (await import(name)); } };

const contestants = (await Promise.all([
  { name: "ninefold, solveMany, vectors", work: null, engine: fast },
  plain && { name: "ninefold, solveMany, plain", work: null, engine: plain },
  { name: "ninefold, solve, vectors", work: (i) => fast.solve(puzzles[i]).solution },
  optional("sudoku", async () => {
    const sudoku = await module("sudoku");
    return (i) => (sudoku.solvepuzzle([...puzzles[i]].map((d) => (d === "." ? null : d - 1))) ?? []).map((d) => d + 1).join("");
  }),
  optional("sudoku-umd", async () => { const sudoku = await module("sudoku-umd"); return (i) => sudoku.solve(puzzles[i]); }),
  optional("fast-sudoku-solver", async () => {
    const { solveSudoku } = await import("fast-sudoku-solver");
    const rows = (text) => Array.from({ length: 9 }, (_, row) => [...text.slice(9 * row, 9 * row + 9)].map((d) => (d === "." ? -1 : Number(d))));
    return (i) => solveSudoku(rows(puzzles[i]))[1].flat().join("");
  }),
])).filter(Boolean);

console.log(`Node ${process.version}; ${puzzles.length} random minimal puzzles, ${seconds} s each\n`);
console.log("| solve | per CPU second | ours ÷ it | puzzles | wrong |\n|---|---:|---:|---:|---:|");
let best;
for (const { name, work, engine } of contestants) {
  const [began, used] = [performance.now(), cpu()];
  let [count, wrong] = [0, 0];
  const packed = new TextEncoder().encode(puzzles.join(""));
  const expected = solutions.join("");
  while (performance.now() - began < seconds * 1000) {
    if (engine) {
      const answer = engine.solveMany(packed);
      if (count === 0 && new TextDecoder().decode(answer.solutions) !== expected) wrong += puzzles.length;
      count += puzzles.length;
    } else {
      const index = count % puzzles.length;
      let answer = "";
      try { answer = work(index); } catch { /* counted as wrong */ }
      wrong += answer === solutions[index] ? 0 : 1;
      count += 1;
    }
  }
  const rate = count / (cpu() - used);
  best ??= rate;
  console.log(`| ${name} | ${Math.round(rate).toLocaleString("en")} | ${Math.round(best / rate).toLocaleString("en")} | ${count.toLocaleString("en")} | ${wrong} |`);
}

const generators = (await Promise.all([
  { name: "ninefold, minimal", work: (i) => fast.generate({ seed: 10_000 + i, minimal: true }).puzzle },
  optional("sudoku", async () => {
    const sudoku = await module("sudoku");
    return () => sudoku.makepuzzle().map((d) => (d === null ? "." : d + 1)).join("");
  }),
  optional("sudoku-umd, hard", async () => { const sudoku = await module("sudoku-umd"); return () => sudoku.generate("hard"); }),
])).filter(Boolean);

console.log("\n| generate | per CPU second | puzzles | one solution | classes |\n|---|---:|---:|---:|---:|");
for (const { name, work } of generators) {
  const [began, used] = [performance.now(), cpu()];
  const kept = [];
  while (performance.now() - began < seconds * 1000) kept.push(work(kept.length));
  const rate = kept.length / (cpu() - used);
  const { counts } = fast.solveMany(kept);
  const unique = counts.filter((count) => count === 1).length / kept.length;
  const sample = kept.slice(0, 2000);
  const classes = new Set(sample.map((puzzle) => fast.canonical(puzzle).fingerprint)).size;
  console.log(`| ${name} | ${rate.toFixed(0)} | ${kept.length.toLocaleString("en")} | ${(100 * unique).toFixed(1)} % | ${classes} of ${sample.length} |`);
}
