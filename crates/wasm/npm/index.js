// Ninefold for JavaScript: loads the WebAssembly module and calls it.
//
// `load` returns an engine on this thread. `loadInWorker` returns an engine in a worker, which
// answers with promises. Both have a method for each common request of Ninefold's JSON API, and
// `call` for any request by its name.

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
export const engineUrl = () => new URL(hasSimd() ? "./engine.wasm" : "./engine-plain.wasm", import.meta.url);

/** The URL of the weights of Kaleidoscope, beside this file. */
export const weightsUrl = () => new URL("./kaleidoscope.safetensors", import.meta.url);

/** The URL of the weights of the digit network, beside this file. */
export const digitsUrl = () => new URL("./digits.bin", import.meta.url);

/**
 * Loads the engine on this thread. If it is not beside this file, `source` is its URL, its bytes, a
 * response or a compiled module.
 */
export async function load(source = engineUrl()) {
  return new Ninefold(await compile(source));
}

async function compile(source) {
  return source instanceof WebAssembly.Module ? source : WebAssembly.compile(await bytes(source));
}

/** The bytes of a source: given directly, from a response, from a URL, or in Node from a file. */
async function bytes(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  const address = new URL(source.url ?? source, import.meta.url);
  if (address.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(address);
  }
  const response = typeof source.arrayBuffer === "function" ? source : await fetch(address);
  if (!response.ok) throw new Error(`${address} cannot be loaded: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** An engine on this thread. */
export class Ninefold {
  #module;
  #engine;
  #panic = "";
  #weights = null;
  #hasLoadedWeights = false;
  #digits = null;
  #hasLoadedDigits = false;

  constructor(module) {
    this.#module = module;
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
      if (status !== 200) throw new NinefoldError(JSON.parse(answer), status);
      return answer;
    });
  }

  /** Sends a request of the JSON API. */
  call(name, request = {}) {
    return JSON.parse(this.callText(name, JSON.stringify(request)));
  }

  /** The solution of a puzzle, and the number of solutions: 0, 1, or 2 for several. */
  solve(puzzle, options = {}) {
    if (typeof puzzle === "string" && puzzle.length === CELLS && /^[0-9.]*$/.test(puzzle)) {
      const { solutions, counts } = this.solveMany([puzzle]);
      return { solution: counts[0] > 0 ? solutions[0] : null, count: counts[0] };
    }
    const answer = this.call("solve", { puzzle: line(puzzle), ...options });
    if (answer.answer === "unfinished") throw new NinefoldError({ error: answer.text, hint: "" }, 503);
    return { solution: answer.solution ?? null, count: { none: 0, one: 1, many: 2 }[answer.answer] };
  }

  /**
   * Solves many 9×9 puzzles: an array of lines of 81 characters, or their bytes without separators.
   * Searches for up to `limit` solutions of each, so with 2 a count of 1 proves that there is no other.
   */
  solveMany(puzzles, limit = 2) {
    if (!Number.isInteger(limit) || limit < 1 || limit > 0xffffffff) {
      throw new RangeError(`limit must be a positive integer, found ${limit}`);
    }
    const packed = puzzles instanceof Uint8Array ? puzzles : pack(puzzles);
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
      const solved = new Uint8Array(engine.memory.buffer, at, packed.length).slice();
      const solutions = puzzles instanceof Uint8Array ? solved : unpack(solved);
      return { solutions, counts: new Uint32Array(counts.buffer) };
    });
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
      this.#weights = new Uint8Array(await bytes(weights ?? weightsUrl()));
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
      this.#digits = new Uint8Array(await bytes(weights ?? digitsUrl()));
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

  /** The canonical form, which all equivalent puzzles share, and its fingerprint. */
  canonical(puzzle, options = {}) {
    return this.call("canonical", { puzzle: line(puzzle), ...options });
  }
}

/** A puzzle as text; arrays of numbers are accepted, too, with 0 for an empty cell. */
function line(puzzle) {
  if (typeof puzzle === "string") return puzzle;
  if (Array.isArray(puzzle) || ArrayBuffer.isView(puzzle)) return [...puzzle].flat().join(" ");
  throw new TypeError("a puzzle is a string or an array of digits");
}

function notADigit(at, found) {
  const [row, column] = [Math.floor((at % CELLS) / 9) + 1, (at % 9) + 1];
  const error = `puzzle ${Math.floor(at / CELLS) + 1}, row ${row}, column ${column}: expected a digit or '.', found ${JSON.stringify(found)}`;
  return new NinefoldError({ error, hint: "use 1-9, and 0 or . for empty" }, 422);
}

function pack(lines) {
  const packed = new Uint8Array(lines.length * CELLS);
  lines.forEach((text, index) => {
    if (typeof text !== "string" || text.length !== CELLS) {
      throw new RangeError(`puzzle ${index + 1}: expected a line of ${CELLS} characters`);
    }
    const { read } = new TextEncoder().encodeInto(text, packed.subarray(index * CELLS, (index + 1) * CELLS));
    const beyond = /[^\0-\x7f]/u.exec(text);
    if (read < CELLS || beyond) throw notADigit(index * CELLS + (beyond?.index ?? read), beyond?.[0] ?? "");
  });
  return packed;
}

function unpack(packed) {
  const text = new TextDecoder().decode(packed);
  return Array.from({ length: packed.length / CELLS }, (_, index) => text.slice(index * CELLS, (index + 1) * CELLS));
}

/**
 * Loads the engine in a worker: every method returns a promise, and `stop` cancels all requests (they
 * fail, and the next one starts a new worker). In Node, the worker is one of `node:worker_threads`.
 */
export async function loadInWorker(workerUrl = new URL("./engine-worker.js", import.meta.url), source = undefined) {
  const start = async () => {
    if (typeof Worker === "function") return new Worker(workerUrl, { type: "module" });
    const { Worker: NodeWorker } = await import("node:worker_threads");
    return new NodeWorker(workerUrl);
  };
  const engine = new WorkerEngine(start, source);
  await engine.ask("load", []);
  return engine;
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
    this.#worker ??= this.#start().then((worker) => {
      const take = ({ id, answer, error }) => {
        const asked = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (error) asked?.reject(error.status ? new NinefoldError(error, error.status) : new Error(error.error));
        else asked?.resolve(answer);
      };
      const fail = (event) => this.#fail(new Error(`the worker stopped: ${event.message ?? event}`));
      if (worker.on) worker.on("message", take).on("error", fail);
      else {
        worker.addEventListener("message", (event) => take(event.data));
        worker.addEventListener("error", fail);
      }
      return worker;
    });
    return this.#worker;
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
      this.#waiting.set(id, { resolve, reject });
      const send = (worker) => {
        // A request that was stopped in the meantime has already failed.
        if (this.#waiting.has(id)) worker.postMessage({ id, method, values, source: this.#source });
      };
      this.#ready().then(send, reject);
    });
  }

  /** Stops the worker and cancels all requests. */
  async stop() {
    const worker = this.#worker;
    this.#fail(new Error("stopped"));
    await (await worker)?.terminate();
  }
}

for (const method of Object.getOwnPropertyNames(Ninefold.prototype)) {
  if (method !== "constructor") WorkerEngine.prototype[method] = function (...values) { return this.ask(method, values); };
}
