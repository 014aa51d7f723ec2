// Runs the cases of testdata/solve on both builds of the engine, with and without SIMD.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { load } from "../npm/node.js";

const folder = new URL("../../../testdata/solve/", import.meta.url);
// The files are simple TOML: a table for each case, with strings and numbers.
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".toml") && name !== "exceptions.toml")
  .flatMap((name) => readFileSync(new URL(name, folder), "utf8").split("[[case]]").slice(1))
  .map((text) => text.matchAll(/^(\w+) = (?:"""([^"]*)"""|"([^"]*)"|(\d+))/gm))
  .map((fields) => Object.fromEntries([...fields].map(([, key, ...values]) => [key, values.find((value) => value)])))
  // `solve` has no parameter for the shape of the boxes.
  .filter(({ boxes }) => !boxes)
  .map(({ name, puzzle, solutions, solution }) => ({
    name,
    puzzle: puzzle.replaceAll(/\s/g, ""),
    count: solutions.endsWith("+") ? Infinity : Number(solutions),
    solution: solution?.replaceAll(/\s/g, ""),
  }));
const nine = cases.filter(({ puzzle }) => puzzle.length === 81 && /^[.0-9]*$/.test(puzzle));

for (const build of ["engine", "engine-plain"]) {
  const url = new URL(`../npm/${build}.wasm`, import.meta.url);
  const options = { skip: existsSync(url) ? false : `${build}.wasm has not been built` };

  test(`${build}: every puzzle of testdata/solve has the expected solutions`, options, async () => {
    const ninefold = await load(url);
    assert.ok(cases.length > 50, `${cases.length} cases`);
    for (const { name, puzzle, count, solution } of cases) {
      const answer = ninefold.solve(puzzle);
      assert.equal(answer.count, Math.min(count, 2), name);
      if (count === 1 && solution) assert.equal(answer.solution, solution, name);
    }
  });

  test(`${build}: counts all solutions`, options, async () => {
    const ninefold = await load(url);
    const limit = 2000;
    const { counts } = ninefold.solveMany(nine.map(({ puzzle }) => puzzle), limit);
    assert.ok(nine.length > 20, `${nine.length} cases of 9×9`);
    nine.forEach(({ name, count }, place) => assert.equal(counts[place], Math.min(count, limit), name));
  });
}
