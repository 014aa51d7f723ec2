// Ninefold for browsers: loads the WebAssembly module and calls it.
//
// `load` returns an engine on this thread. `loadInWorker` returns an engine in a worker, which
// answers with promises. Both have a method for each common request of Ninefold's JSON API, and
// `call` for any request by its name.
//
// Bundlers find the engine and the worker through the literal `new URL("./…", import.meta.url)`
// below, so these expressions cannot be shortened. Everything that needs Node is in node.js.

const CELLS = 81;

/** Why a request failed; `hint` says what to do about it. */
export class NinefoldError extends Error {
  constructor({ error, hint }, status) {
    super(error);
    this.name = "NinefoldError";
    this.hint = hint;
    this.status = status;
  }
}

// The smallest module with a SIMD instruction; it is valid where SIMD is supported.
const SIMD_MODULE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** Whether 128-bit SIMD is supported. */
export const hasSimd = () => WebAssembly.validate(SIMD_MODULE);

/** The URL of the engine for this machine, beside this file. */
export const engineUrl = () =>
  hasSimd() ? new URL("./engine.wasm", import.meta.url) : new URL("./engine-plain.wasm", import.meta.url);

/** The URL of the small engine for this machine, without generating and rating. */
export const coreUrl = () => (hasSimd() ? new URL("./engine-core.wasm", import.meta.url) : engineUrl());

/** The URL of the weights of Kaleidoscope, beside this file. */
export const weightsUrl = () => new URL("./kaleidoscope.safetensors", import.meta.url);

/** The URL of the weights of the digit network, beside this file. */
export const digitsUrl = () => new URL("./digits.bin", import.meta.url);

/**
 * Loads the engine on this thread. If it is not beside this file, `source` is its URL, its bytes, a
 * response or a compiled module.
 */
export const load = (source) => loadWith(fetchBytes, source);

/**
 * Loads the small engine: `solve`, `solveMany`, `check`, `hint`, `explain`, `svg`, `canonical` and
 * `predict`. Other requests fail with the status 501.
 */
export const loadCore = (source = coreUrl()) => load(source);

// The functions from here to the class are shared with node.js and the workers. index.d.ts does not
// list them, because they are not part of the interface of the package.

/** Loads the engine; `read` returns the bytes of a source. */
export async function loadWith(read, source = engineUrl()) {
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(await read(source));
  return new Ninefold(module, read);
}

/** The bytes of a source: given directly, from a response or from a URL. */
export async function fetchBytes(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  const address = source.url ?? source;
  const response = typeof source.arrayBuffer === "function" ? source : await fetch(address);
  if (!response.ok) throw new Error(`${address} cannot be loaded: ${response.status} ${response.statusText}`);
  // Development servers answer requests for missing files with the page itself.
  if (response.headers?.get("content-type")?.startsWith("text/html")) {
    throw new Error(`${address} is a web page, not a file of Ninefold; pass the URL of the file (see the README)`);
  }
  return response.arrayBuffer();
}

/** Methods and requests that the small engine does not have. */
const FULL = /^(rate|generate|generate-?[mM]any|judge|readImage|lessons.*|models|study|techniques|watch|write)$/;

/**
 * The handler of the messages of a worker: answers { id, method, values } with { id, answer } or
 * { id, error }. The engine is loaded with the first message that needs it, from its `source` if it
 * has one. If messages contain `isSplit`, the small engine answers until the full one is needed.
 */
export function answerMessages(post, load, loadCore) {
  let full, core;
  const engineFor = (method, values, source, isSplit) => {
    const name = method.startsWith("call") ? values[0] : method;
    if (full === undefined && isSplit && source === undefined && !FULL.test(name)) return (core ??= loadCore());
    core = undefined;
    return (full ??= load(source));
  };
  return async ({ id, method, values = [], source, isSplit = false }) => {
    try {
      const ninefold = await engineFor(method, values, source, isSplit).catch((error) => {
        // The next message tries again to load the engine.
        full = core = undefined;
        throw error;
      });
      post({ id, answer: method === "load" ? true : await ninefold[method](...values) });
    } catch (error) {
      post({ id, error: { name: error.name, error: error.message, hint: error.hint, status: error.status } });
    }
  };
}

/** Connects to the worker that `start` returns. */
export async function connect(start, source) {
  const engine = new WorkerEngine(start, source);
  await engine.ask("load", []);
  return engine;
}

/** An engine on this thread. */
export class Ninefold {
  #module;
  #read;
  #engine;
  #panic = "";
  #weights = null;
  #hasLoadedWeights = false;
  #digits = null;
  #hasLoadedDigits = false;

  constructor(module, read = fetchBytes) {
    this.#module = module;
    this.#read = read;
    this.#begin();
  }

  #begin() {
    const report = (at, length) => {
      this.#panic = new TextDecoder().decode(new Uint8Array(this.#engine.memory.buffer, at, length));
    };
    const now = () => performance.timeOrigin + performance.now();
    this.#engine = new WebAssembly.Instance(this.#module, { env: { now, report } }).exports;
    this.#engine.start();
    this.#hasLoadedWeights = false;
    this.#hasLoadedDigits = false;
  }

  // A module that has panicked cannot be used again; the next request gets a new one.
  #run(work) {
    try {
      return work(this.#engine);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      const words = this.#panic || error.message;
      this.#panic = "";
      this.#begin();
      const hint = "please report it together with the puzzle";
      throw new NinefoldError({ error: `this is a bug in Ninefold: ${words}`, hint }, 500);
    }
  }

  #answer(engine) {
    return new Uint8Array(engine.memory.buffer, engine.answer(), engine.answer_length());
  }

  /** Sends a request of the JSON API; request and answer are JSON texts. */
  callText(name, request) {
    return this.#run((engine) => {
      const text = new TextEncoder();
      const [first, second] = [text.encode(name), text.encode(request)];
      const at = engine.input(first.length + second.length);
      const input = new Uint8Array(engine.memory.buffer, at, first.length + second.length);
      input.set(first);
      input.set(second, first.length);
      const status = engine.call(first.length, second.length);
      const answer = new TextDecoder().decode(this.#answer(engine));
      if (status === 200) return answer;
      throw status === 400 ? optionError(name, JSON.parse(answer)) : new NinefoldError(JSON.parse(answer), status);
    });
  }

  /** Sends a request of the JSON API. */
  call(name, request = {}) {
    return JSON.parse(this.callText(name, JSON.stringify(request)));
  }

  /** The solution of a puzzle, and the number of solutions: 0, 1, or 2 for several. */
  solve(puzzle, options = {}) {
    if (isPlain(puzzle) && Object.keys(options).length === 0) {
      const { solutions, counts } = this.solveMany([puzzle]);
      return { solution: counts[0] > 0 ? solutions[0] : null, count: counts[0] };
    }
    const answer = this.call("solve", { puzzle: line(puzzle), ...options });
    if (answer.answer === "unfinished") throw new NinefoldError({ error: answer.text, hint: "" }, 503);
    return { solution: answer.solution ?? null, count: { none: 0, one: 1, many: 2 }[answer.answer] };
  }

  /**
   * Solves many puzzles: an array of puzzles in any form and of any size, or the bytes of 9×9 puzzles
   * without separators. Searches for up to `limit` solutions of each, so with 2 a count of 1 proves that
   * there is no other. 9×9 lines of digits and dots, and bytes, are solved together and fastest.
   */
  solveMany(puzzles, limit = 2) {
    if (!Number.isInteger(limit) || limit < 1 || limit > 0xffffffff) {
      throw new RangeError(`limit must be a positive integer, found ${limit}`);
    }
    if (puzzles instanceof Uint8Array) return this.#solvePacked(puzzles, limit);
    const lines = Array.from(puzzles, line);
    if (lines.every(isPlain)) {
      const { solutions, counts } = this.#solvePacked(new TextEncoder().encode(lines.join("")), limit);
      return { solutions: unpack(solutions), counts };
    }
    const { solutions, counts } = this.call("solve-many", { puzzles: lines, limit });
    return { solutions, counts: Uint32Array.from(counts) };
  }

  #solvePacked(packed, limit) {
    if (packed.length % CELLS !== 0) {
      throw new RangeError(`expected a multiple of ${CELLS} bytes, found ${packed.length}`);
    }
    const wrong = packed.findIndex((byte) => !(byte >= 0x30 && byte <= 0x39) && byte !== 0x2e);
    if (wrong >= 0) throw notADigit(wrong, String.fromCharCode(packed[wrong]));
    return this.#run((engine) => {
      const at = engine.input(packed.length);
      new Uint8Array(engine.memory.buffer, at, packed.length).set(packed);
      engine.solve_many(packed.length / CELLS, limit);
      const counts = this.#answer(engine).slice();
      const solutions = new Uint8Array(engine.memory.buffer, at, packed.length).slice();
      return { solutions, counts: new Uint32Array(counts.buffer) };
    });
  }

  /** Whether the player's `entries` are right, and which ones are wrong. */
  check(puzzle, options = {}) {
    return this.call("check", { puzzle: line(puzzle), ...options });
  }

  /** The next step from a position: where to look, what to look for, and the full explanation. */
  hint(puzzle, options = {}) {
    return this.call("hint", { puzzle: line(puzzle), ...options });
  }

  /** The full path to the solution. */
  explain(puzzle, options = {}) {
    return this.call("explain", { puzzle: line(puzzle), ...options });
  }

  /** The puzzle as SVG, or a step of its explanation, counted from 1, on the position before it. */
  svg(puzzle, step, options = {}) {
    return this.call("picture", { puzzle: line(puzzle), step: step?.step ?? step, ...options });
  }

  /** The difficulty of a puzzle on every scale. */
  rate(puzzle, options = {}) {
    return this.call("rate", { puzzle: line(puzzle), ...options });
  }

  /**
   * Fills a puzzle of any size with the network Kaleidoscope: the grid, whether it is a solution, and
   * the probability of each digit in each cell. The network runs up to 64 `iterations` from each of up
   * to 4 `starts`. Its `weights` (400 kB) are loaded with the first call, by default from beside this
   * file.
   */
  async predict(puzzle, { weights, ...options } = {}) {
    if (weights !== undefined || this.#weights === null) {
      this.#weights = new Uint8Array(await this.#read(weights ?? weightsUrl()));
      this.#hasLoadedWeights = false;
    }
    if (!this.#hasLoadedWeights) this.#loadWeights();
    return this.call("predict", { puzzle: line(puzzle), ...options });
  }

  #loadWeights() {
    this.#run((engine) => {
      const at = engine.input(this.#weights.length);
      new Uint8Array(engine.memory.buffer, at, this.#weights.length).set(this.#weights);
      const status = engine.load_weights();
      if (status === 200) return;
      this.#weights = null;
      throw new NinefoldError(JSON.parse(new TextDecoder().decode(this.#answer(engine))), status);
    });
    this.#hasLoadedWeights = true;
  }

  /**
   * Reads the puzzle in a photo or screenshot: { data, width, height } with four bytes per pixel, as a
   * canvas provides it (`ImageData`). The `weights` of the digit network (126 kB) are loaded with the
   * first call, by default from beside this file.
   */
  async readImage({ data, width, height }, { weights } = {}) {
    if (weights !== undefined || this.#digits === null) {
      this.#digits = new Uint8Array(await this.#read(weights ?? digitsUrl()));
      this.#hasLoadedDigits = false;
    }
    if (!this.#hasLoadedDigits) this.#send(this.#digits, (engine) => engine.load_digits());
    this.#hasLoadedDigits = true;
    return this.#send(data, (engine) => engine.read_image(width, height));
  }

  /** Calls a function of the engine that reads bytes and answers with JSON. */
  #send(input, call) {
    return this.#run((engine) => {
      const at = engine.input(input.length);
      new Uint8Array(engine.memory.buffer, at, input.length).set(input);
      const status = call(engine);
      const answer = JSON.parse(new TextDecoder().decode(this.#answer(engine)));
      if (status !== 200) throw new NinefoldError(answer, status);
      return answer;
    });
  }

  /** A new puzzle; the same seed always gives the same puzzle. */
  generate(options = {}) {
    return this.call("generate", options);
  }

  /**
   * `count` puzzles of one seed from the index `start` on, with their solutions: the same puzzles as
   * from `ninefold generate --count` and from Python.
   */
  generateMany(count, options = {}) {
    return this.call("generate-many", { count, ...options });
  }

  /** The canonical form, which all equivalent puzzles share, and its fingerprint. */
  canonical(puzzle, options = {}) {
    return this.call("canonical", { puzzle: line(puzzle), ...options });
  }
}

/** Whether a puzzle is a 9×9 line of digits and dots. */
function isPlain(puzzle) {
  return typeof puzzle === "string" && puzzle.length === CELLS && /^[0-9.]*$/.test(puzzle);
}

/** The error for an unknown option or an option of the wrong type. */
function optionError(name, { error, hint }) {
  const words = error.replace(/^the body does not have the expected form: /, "").replace(/ at line \d+ column \d+$/, "");
  if (words === error) return new NinefoldError({ error, hint }, 400);
  const named = words.replace(/^unknown field/, "unknown option").replaceAll("`", '"');
  return new NinefoldError({ error: `${name}: ${named}`, hint: "index.d.ts describes the options" }, 400);
}

/** A puzzle as text; arrays of digits are accepted, too, with 0 or null for an empty cell. */
function line(puzzle) {
  if (typeof puzzle === "string") return puzzle;
  if (Array.isArray(puzzle) || ArrayBuffer.isView(puzzle)) {
    return [...puzzle].flat().map((cell) => cell ?? 0).join(" ");
  }
  throw new TypeError("a puzzle is a string or an array of digits");
}

function notADigit(at, found) {
  const [row, column] = [Math.floor((at % CELLS) / 9) + 1, (at % 9) + 1];
  const error = `puzzle ${Math.floor(at / CELLS) + 1}, row ${row}, column ${column}: expected a digit or '.', found ${JSON.stringify(found)}`;
  return new NinefoldError({ error, hint: "use 1-9, and 0 or . for empty" }, 422);
}

function unpack(packed) {
  const text = new TextDecoder().decode(packed);
  return Array.from({ length: packed.length / CELLS }, (_, index) => text.slice(index * CELLS, (index + 1) * CELLS));
}

/**
 * Loads the engine in a worker: every method returns a promise, and `stop` cancels all requests (they
 * fail, and the next one starts a new worker). Without a `source`, the small engine is loaded first and
 * the full one with the first `generate`, `rate` or `readImage`.
 */
export function loadInWorker(workerUrl = undefined, source = undefined) {
  // A URL object cannot be sent to a worker, and a relative URL has another meaning there.
  const isUrl = typeof source === "string" || source instanceof URL;
  return connect(() => startWorker(workerUrl), isUrl ? new URL(source, location.href).href : source);
}

function startWorker(workerUrl) {
  if (workerUrl !== undefined) return new Worker(workerUrl, { type: "module" });
  return new Worker(new URL("./engine-worker.js", import.meta.url), { type: "module" });
}

/** An error as it was thrown in the worker. */
function received({ name, error, hint, status }) {
  if (status) return new NinefoldError({ error, hint }, status);
  const kinds = { RangeError, TypeError };
  return new (kinds[name] ?? Error)(error);
}

class WorkerEngine {
  #start;
  #source;
  #worker = null;
  #waiting = new Map();
  #next = 1;

  constructor(start, source) {
    this.#start = start;
    this.#source = source;
  }

  #ready() {
    this.#worker ??= this.#open();
    return this.#worker;
  }

  #open() {
    const worker = this.#start();
    const take = ({ id, answer, error }) => {
      const asked = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) asked?.reject(received(error));
      else asked?.resolve(answer);
    };
    const fail = (event) => this.#fail(new Error(`the worker stopped: ${event.message ?? event}`));
    // Node's workers have `on` instead of `addEventListener`.
    if (worker.on) worker.on("message", take).on("error", fail);
    else {
      worker.addEventListener("message", (event) => take(event.data));
      worker.addEventListener("error", fail);
    }
    return worker;
  }

  #fail(error) {
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    waiting.forEach(({ reject }) => reject(error));
  }

  ask(method, values) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const worker = this.#ready();
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, method, values, source: this.#source, isSplit: true });
    });
  }

  /** Stops the worker and cancels all requests. */
  async stop() {
    const worker = this.#worker;
    this.#fail(new Error("stopped"));
    await worker?.terminate();
  }
}

for (const method of Object.getOwnPropertyNames(Ninefold.prototype)) {
  if (method !== "constructor") WorkerEngine.prototype[method] = function (...values) { return this.ask(method, values); };
}
