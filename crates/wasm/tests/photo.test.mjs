// Tests of `readImage` in Node, on a board drawn here: the package needs pixels, not image files.

import assert from "node:assert/strict";
import { test } from "node:test";
import { NinefoldError, load, loadInWorker } from "../npm/node.js";

const PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

// Digits as strokes between the points of a grid three wide and five high.
const STROKES = {
  1: ["0,1 1,0", "1,0 1,4"], 2: ["0,1 1,0", "1,0 2,1", "2,1 0,4", "0,4 2,4"],
  3: ["0,0 2,0", "2,0 1,1.8", "1,1.8 2,2.8", "2,2.8 1,4", "1,4 0,3.6"], 4: ["1.5,0 0,2.7", "0,2.7 2,2.7", "1.5,0 1.5,4"],
  5: ["2,0 0,0", "0,0 0,1.8", "0,1.8 1.4,1.7", "1.4,1.7 2,2.8", "2,2.8 1.4,4", "1.4,4 0,3.8"],
  6: ["1.7,0 0.2,2", "0.2,2 0,3", "0,3 0.6,4", "0.6,4 1.4,4", "1.4,4 2,3", "2,3 1.4,2", "1.4,2 0.2,2.4"],
  7: ["0,0 2,0", "2,0 0.8,4"],
  8: ["1,0 0.2,1", "0.2,1 1.8,3", "1.8,3 1,4", "1,4 0.2,3", "0.2,3 1.8,1", "1.8,1 1,0"],
  9: ["1.8,2 0.6,2", "0.6,2 0,1", "0,1 0.6,0", "0.6,0 1.4,0", "1.4,0 2,1", "2,1 1.6,2.8", "1.6,2.8 0.5,4"],
};

// The board of a puzzle as a canvas would provide it.
function drawn(puzzle) {
  const [cell, edge] = [44, 30];
  const width = 9 * cell + 2 * edge;
  const data = new Uint8ClampedArray(4 * width * width).fill(255);
  const line = ([x0, y0], [x1, y1], radius) => {
    const steps = Math.ceil(2 * Math.hypot(x1 - x0, y1 - y0));
    for (let step = 0; step <= steps; step += 1) {
      const [x, y] = [x0 + ((x1 - x0) * step) / steps, y0 + ((y1 - y0) * step) / steps];
      for (let v = Math.round(y - radius); v <= y + radius; v += 1) {
        for (let u = Math.round(x - radius); u <= x + radius; u += 1) data.fill(20, 4 * (v * width + u), 4 * (v * width + u) + 3);
      }
    }
  };
  for (let at = 0; at <= 9; at += 1) {
    const radius = at % 3 === 0 ? 1.6 : 0.5;
    line([edge + at * cell, edge], [edge + at * cell, width - edge], radius);
    line([edge, edge + at * cell], [width - edge, edge + at * cell], radius);
  }
  [...puzzle].forEach((digit, index) => {
    for (const stroke of STROKES[digit] ?? []) {
      const [from, to] = stroke.split(" ").map((point) => {
        const [x, y] = point.split(",").map(Number);
        return [edge + (index % 9) * cell + 15 + 7 * x, edge + Math.floor(index / 9) * cell + 9 + 6.5 * y];
      });
      line(from, to, 1.4);
    }
  });
  return { data, width, height: width };
}

test("reads a puzzle from pixels, on this thread and in a worker", async () => {
  const ninefold = await load();
  const reading = await ninefold.readImage(drawn(PUZZLE));
  assert.equal(reading.puzzle, PUZZLE);
  assert.equal(reading.cells.length, 81);
  assert.equal(reading.cells[0].corners.length, 4);
  const worker = await loadInWorker();
  assert.deepEqual(await worker.readImage(drawn(PUZZLE)), reading);
  await worker.stop();
});

test("bad pictures are errors with a hint", async () => {
  const ninefold = await load();
  const blank = { data: new Uint8Array(4 * 200 * 200).fill(240), width: 200, height: 200 };
  await assert.rejects(ninefold.readImage(blank), (error) => {
    assert(error instanceof NinefoldError);
    assert.match(error.message, /no Sudoku grid/);
    return error.status === 422 && error.hint.length > 0;
  });
  await assert.rejects(ninefold.readImage({ ...blank, height: 300 }), /needs 60000 bytes, found 40000/);
  await assert.rejects(ninefold.readImage({ ...blank, width: 100_000, height: 100_000 }), /at most 64 million/);
  await assert.rejects(ninefold.readImage(blank, { weights: new Uint8Array(10) }), /weights do not fit/);
});
