// Builds a page with Vite, webpack and esbuild from the packed npm package and opens it in Chromium:
// the page solves, hints, generates, and uses a worker and the network. Also compiles a TypeScript
// program with and without the DOM library.
//   node crates/wasm/tests/bundlers.mjs DIRECTORY
// DIRECTORY keeps the bundlers between runs. CHROMIUM names the browser; `chromium` by default.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const BUNDLERS = ["vite@8.3.8", "webpack@5.112.2", "webpack-cli@7.3.1", "esbuild@0.28.2", "typescript@5.9.3", "playwright-core@1.64.1"];
const PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

const source = fileURLToPath(new URL("../npm", import.meta.url));
const tools = resolve(process.argv[2], "bundlers");
const run = (program, ...words) => execFileSync(program, words, { cwd: tools, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
const bin = (name) => join(tools, "node_modules/.bin", name);

mkdirSync(tools, { recursive: true });
const wanted = JSON.stringify(BUNDLERS);
const list = join(tools, "bundlers.json");
if (!existsSync(list) || readFileSync(list, "utf8") !== wanted) {
  writeFileSync(join(tools, "package.json"), '{ "private": true, "type": "module" }');
  run("npm", "install", "--silent", "--no-audit", "--no-fund", ...BUNDLERS);
  writeFileSync(list, wanted);
}
// A new name for each run, because npm keeps a package whose file name and version it knows.
const archives = mkdtempSync(join(tools, "archive-"));
const archive = run("npm", "pack", "--silent", "--pack-destination", archives, source).trim();
run("npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save", join(archives, archive));
rmSync(archives, { recursive: true });

const page = mkdtempSync(join(tools, "page-"));
process.on("exit", () => rmSync(page, { recursive: true, force: true }));
mkdirSync(join(page, "src"));
writeFileSync(join(page, "src/main.js"), `
  import { NinefoldError, load, loadInWorker } from "ninefold";
  const puzzle = ${JSON.stringify(PUZZLE)};
  async function use() {
    const ninefold = await load();
    const worker = await loadInWorker();
    const { solution, count } = ninefold.solve(puzzle);
    const hint = ninefold.hint(puzzle).stages.length;
    const { puzzle: generated } = ninefold.generate({ seed: 7 });
    const explained = (await worker.explain(puzzle)).solution;
    const predicted = (await ninefold.predict(puzzle)).filled;
    const predictedByWorker = (await worker.predict(puzzle)).filled;
    let error;
    try { await worker.rate("123"); } catch (thrown) { error = thrown instanceof NinefoldError && thrown.hint; }
    await worker.stop();
    return { solution, count, hint, generated, explained, predicted, predictedByWorker, error };
  }
  use().then((result) => { window.result = result; }, (error) => { window.result = { failure: String(error.stack) }; });
`);
writeFileSync(join(page, "program.ts"), `
  import { load, loadInWorker, type Puzzle, type RequestName } from "ninefold";
  const puzzle: Puzzle = [[1, null, 0, 4], [null, null, 1, null], [0, 3, 0, 0], [4, 0, 0, 3]];
  const request: RequestName = "predict";
  export async function use() {
    const ninefold = await load();
    const count: 0 | 1 | 2 = ninefold.solve(puzzle).count;
    const bytes: Uint8Array = ninefold.solveMany(new Uint8Array(81)).solutions;
    const lines: string[] = ninefold.solveMany([puzzle, "1..4..1..3..4..3"]).solutions;
    const many: string[] = ninefold.generateMany(3, { seed: 1, start: 2, difficulty: "easy" }).puzzles;
    const right: boolean = ninefold.check(puzzle, { entries: [[1, 2]] }).answer === "right";
    // @ts-expect-error: a misspelled option
    ninefold.generate({ dificulty: "hard" });
    // @ts-expect-error: an unknown request
    ninefold.call("dance");
    const worker = await loadInWorker();
    const odds: number[][] = (await worker.predict(puzzle)).odds;
    return { request, count, bytes, lines, many, right, odds };
  }
`);
for (const libraries of ["es2022", "es2022,dom", "es2022,webworker"]) {
  const options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--typeRoots", join(page, "none"), "--lib", libraries];
  run(bin("tsc"), ...options, join(page, "program.ts"));
  console.log(`TypeScript with ${libraries}: compiles`);
}
const html = (script) => `<!doctype html><meta charset="utf-8"><title>page</title><script type="module" src="${script}"></script>`;
writeFileSync(join(page, "index.html"), html("/src/main.js"));

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const serve = (directory) =>
  new Promise((listening) => {
    const server = createServer(({ url }, response) => {
      const file = join(directory, url === "/" ? "index.html" : new URL(url, "http://localhost").pathname);
      if (!existsSync(file)) return response.writeHead(404).end();
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
    });
    server.listen(0, "127.0.0.1", () => listening({ url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }));
  });

const { chromium } = createRequire(join(tools, "package.json"))("playwright-core");
const executablePath = run("sh", "-c", `command -v ${process.env.CHROMIUM ?? "chromium"}`).trim();
const flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args: flags });

async function open(url) {
  const tab = await browser.newPage();
  const broken = new Promise((_, fail) => tab.on("pageerror", fail));
  await tab.goto(url);
  await Promise.race([tab.waitForFunction(() => window.result, null, { timeout: 0 }), broken]);
  const result = await tab.evaluate(() => window.result);
  await tab.close();
  return result;
}

function verify(name, result, expected) {
  assert.equal(result.failure, undefined, `${name}: ${result.failure}`);
  assert.deepEqual([result.solution, result.count, result.hint], [SOLUTION, 1, 3], name);
  for (const filled of [result.explained, result.predicted, result.predictedByWorker]) assert.equal(filled, SOLUTION, name);
  assert.match(result.error, /./, `${name}: an error from the worker has a hint`);
  assert.equal(result.generated, expected, name);
  console.log(`${name}: solves, hints, generates and predicts`);
}

const node = await (await import(join(tools, "node_modules/ninefold/node.js"))).load();
const expected = node.generate({ seed: 7 }).puzzle;
const built = async (name, directory) => {
  const server = await serve(directory);
  verify(name, await open(server.url), expected);
  server.close();
};

try {
  run(bin("vite"), "build", page, "--logLevel", "warn");
  await built("Vite, built", join(page, "dist"));

  const development = spawn(bin("vite"), [page, "--host", "127.0.0.1", "--port", "0", "--logLevel", "info"], { cwd: tools });
  const url = await new Promise((ready, failed) => {
    let output = "";
    development.stdout.on("data", (text) => {
      output += text;
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(output.replaceAll(/\x1b\[[0-9;]*m/g, ""));
      if (found) ready(found[0]);
    });
    development.on("exit", (code) => failed(new Error(`vite stopped with ${code}: ${output}`)));
  });
  try {
    verify("Vite, development server", await open(url), expected);
  } finally {
    development.kill();
  }

  const packed = join(page, "webpack");
  run(bin("webpack"), "build", "--mode", "production", "--entry", join(page, "src/main.js"), "--output-path", packed);
  writeFileSync(join(packed, "index.html"), html("main.js"));
  await built("webpack", packed);

  // esbuild leaves the URLs of the engine and the worker as they are, so the files are copied.
  const bundled = join(page, "esbuild");
  run(bin("esbuild"), join(page, "src/main.js"), "--bundle", "--format=esm", "--minify", `--outdir=${bundled}`, "--log-level=warning");
  const installed = join(tools, "node_modules/ninefold");
  for (const name of readdirSync(installed).filter((name) => /\.(wasm|safetensors)$|^(index|engine-worker)\.js$/.test(name))) {
    cpSync(join(installed, name), join(bundled, name));
  }
  writeFileSync(join(bundled, "index.html"), html("main.js"));
  await built("esbuild", bundled);

  // Without a bundler: the files of the package on any host of static files.
  const plain = join(page, "plain");
  cpSync(installed, join(plain, "ninefold"), { recursive: true });
  const script = readFileSync(join(page, "src/main.js"), "utf8").replace('"ninefold"', '"./ninefold/index.js"');
  writeFileSync(join(plain, "main.js"), script);
  writeFileSync(join(plain, "index.html"), html("main.js"));
  await built("no bundler", plain);
} finally {
  await browser.close();
}
