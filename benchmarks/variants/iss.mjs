// Solves the same puzzles with Interactive Sudoku Solver (MIT, github.com/sigh/Interactive-Sudoku-Solver)
// and compares the answers. See ../records for the numbers.
//
//   node iss.mjs PATH_TO_INTERACTIVE_SUDOKU_SOLVER PUZZLES.tsv
//
// Each line of PUZZLES.tsv is `name <tab> puzzle in its notation <tab> solution`; the example
// `variants` of the crate ninefold-formats writes such a file. Prints the time to build the solvers,
// the time of the searches, and the CPU time of the whole process.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [directory, list] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(resolve(directory, path)));
const { ensureGlobalEnvironment } = await load('tests/helpers/test_env.js');
ensureGlobalEnvironment();
const { SudokuParser } = await load('js/sudoku_parser.js');
const { SudokuBuilder } = await load('js/solver/sudoku_builder.js');

const milliseconds = () => Number(process.hrtime.bigint()) / 1e6;
let [built, searched, guesses, wrong, count] = [0, 0, 0, 0, 0];
for (const line of readFileSync(list, 'utf8').trim().split('\n')) {
  const [name, puzzle, solution] = line.split('\t');
  const start = milliseconds();
  const solver = SudokuBuilder.build(SudokuBuilder.resolveConstraint(SudokuParser.parseText(puzzle)));
  const middle = milliseconds();
  const first = solver.nthSolution(0);
  const isUnique = solver.nthSolution(1) === null;
  const end = milliseconds();
  built += middle - start;
  searched += end - middle;
  guesses += solver.state().counters.guesses;
  count += 1;
  const found = [...(first ?? [])].map((value) => value.toString(36).toUpperCase()).join('');
  if (!isUnique || found !== solution) {
    wrong += 1;
    console.error(`${name}: ${isUnique ? 'unique' : 'several solutions'}, ${found}`);
  }
}
const { user, system } = process.cpuUsage();
console.log(`${count} puzzles, ${wrong} wrong, ${guesses} guesses: build ${built.toFixed(0)} ms, search ${searched.toFixed(0)} ms, process ${((user + system) / 1e3).toFixed(0)} ms of CPU time`);
