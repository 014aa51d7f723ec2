// The types of the host, where its type library is installed. Without the DOM library and without
// the types of Node, the forms below stand in for them.
type Url = typeof globalThis extends { URL: { prototype: infer T } } ? T : { readonly href: string; toString(): string };
type FetchResponse = typeof globalThis extends { Response: { prototype: infer T } }
  ? T
  : { readonly url: string; readonly ok: boolean; arrayBuffer(): Promise<ArrayBuffer> };
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : object;

/** A cell of a puzzle: a digit, 0 or `null` for an empty cell. */
export type Cell = number | null;

/**
 * A puzzle: text in any form that fits one grid, or cells in reading order or row by row. Links of
 * f-puzzles and SudokuPad and JSON may contain rules such as killer cages, which `solve` supports.
 */
export type Puzzle = string | readonly Cell[] | readonly (readonly Cell[])[] | Uint8Array;

/** The player's progress, and the language of the answer. Cells count from 0 in reading order, digits from 1. */
export interface PuzzleOptions {
  /** The shape of the boxes, such as `2x3`, if it differs from the default. */
  boxes?: string;
  /** The player's digits, as `[cell, digit]`. */
  entries?: [number, number][];
  /** The player's pencil marks: one list of digits for each cell. */
  marks?: number[][];
  /** The language of the texts. */
  language?: "en" | "de" | "es";
  /** Whether to accept boards with rules that Ninefold does not know. Answers ignore these rules. */
  ignore_unknown_rules?: boolean;
}

export interface SolveResult {
  /** The first solution found, `null` if there is none. */
  solution: string | null;
  /** 0, 1, or 2 for several. */
  count: 0 | 1 | 2;
}

export interface SolveManyResult<T> {
  /** A solution of each puzzle; dots for a puzzle without one. */
  solutions: T;
  /** The number of solutions of each puzzle, up to the limit. */
  counts: Uint32Array;
}

export interface CheckResult {
  /**
   * `right` so far, `wrong`, `solved`, `several` solutions, `conflict` between two digits, `invalid` without a
   * solution, or `unfinished` if the search reached a limit.
   */
  answer: "conflict" | "invalid" | "right" | "several" | "solved" | "unfinished" | "wrong";
  text: string;
  /** The wrong entries, as cell and digit. */
  wrong?: [number, number][];
  solution?: string;
}

export interface Candidate {
  /** The name of the cell, such as `r5c5`. */
  cell: string;
  index: number;
  digit: number;
  /** The role of the candidate in a picture: `green`, `blue`, `fin`, `removed` or `placed`. */
  ink?: string;
}

export interface Arrow {
  from: Candidate[];
  to: Candidate[];
  strong: boolean;
  branch?: number;
}

export interface Picture {
  houses: number[][];
  cells: number[];
  candidates: Candidate[];
  arrows: Arrow[];
}

/** A checked step with its explanation. */
export interface Step {
  /** The number of the step, counted from 1. */
  step: number;
  technique: string;
  slug: string;
  needs_uniqueness: boolean;
  /** Candidates that are true. */
  places: Candidate[];
  /** Candidates that are false. */
  removes: Candidate[];
  short: string;
  hint: string;
  pattern: string;
  text: string;
  picture: Picture;
}

export interface Explanation {
  puzzle: string;
  start: string;
  candidates: number[][];
  solutions: "none" | "one" | "several" | "unknown";
  solution?: string;
  end: string;
  text: string;
  mistake?: string;
  language: string;
  steps: Step[];
  reached: string;
}

export interface Hint {
  /** `step`, or the reason why there is no step, such as `mistake`. */
  answer: string;
  /** Where to look, what to look for, and the full explanation. */
  stages: [string, string, string];
  step: Step | null;
  cells: number[];
  candidates: number[][];
}

export interface Scale {
  name: string;
  title: string;
  /** `null` if the scale has no rating for the puzzle. */
  value: string | null;
  words: string;
}

export interface Rating {
  clues: number;
  scales: Scale[];
  dupree: { points: number; level: string } | null;
  logic: string;
  steps: number;
  hardest: string | null;
  techniques: { name: string; slug: string; count: number }[];
}

export interface GenerateOptions {
  boxes?: string;
  difficulty?: "easy" | "medium" | "hard" | "expert" | "extreme";
  /** The lowest and the highest ER of Sudoku Explainer. */
  er?: [number, number];
  level?: string;
  /** The hardest technique of the explanation. */
  technique?: string;
  needs?: string[];
  avoids?: string[];
  /** The lowest and the highest number of clues. */
  clues?: [number, number];
  minimal?: boolean;
  symmetry?: string;
  /**
   * Rules beside the classic ones, separated by commas: `killer`, `jigsaw,x`. Such puzzles support
   * `boxes`, `clues`, `minimal` and `seed` only.
   */
  rules?: string;
  /** The same seed always gives the same puzzle; at most 2⁵³. */
  seed?: number;
}

export interface GeneratedPuzzle {
  /** One character for each cell, or JSON for a puzzle with rules. */
  puzzle: string;
  /** The names of the rules beside the classic ones, `null` for a classic puzzle. */
  rules: string[] | null;
  boxes: string;
  solution: string;
  clues: number;
  seed: number;
}

export interface GenerateManyOptions extends GenerateOptions {
  /** The index of the first puzzle; 0 by default. */
  start?: number;
}

export interface GeneratedPuzzles {
  puzzles: string[];
  solutions: string[];
  seed: number;
}

export interface Canonical {
  /** The canonical form, which all equivalent puzzles share. */
  form: string;
  /** 128 bits in hexadecimal, equal for all equivalent puzzles. */
  fingerprint: string;
}

/** Options of the network Kaleidoscope. */
export interface PredictOptions {
  /** The shape of the boxes, such as `2x3`, if it differs from the default. */
  boxes?: string;
  /** The maximum number of iterations from each start; 64 by default. */
  iterations?: number;
  /** The maximum number of starts; 4 by default. */
  starts?: number;
  /** The file `kaleidoscope.safetensors`, if it is not beside `index.js`. */
  weights?: string | Url | FetchResponse | ArrayBuffer | ArrayBufferView;
}

/** The prediction of the network. */
export interface Prediction {
  /** The most likely digit of every cell. */
  filled: string;
  /** Whether the grid is a solution. Use `solve` to find out whether it is the only one. */
  solved: boolean;
  /** Iterations from all starts. */
  iterations: number;
  /** The number of starts that were needed. */
  starts: number;
  /** The probability of each digit in each cell. */
  odds: number[][];
}

/** An image as a canvas provides it: four bytes per pixel, red, green, blue and alpha. */
export interface Pixels {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
}

/** Four corners in pixels: top left, top right, bottom right, bottom left of the upright board. */
export type Corners = [[number, number], [number, number], [number, number], [number, number]];

/** A cell that was read from an image. */
export interface ReadCell {
  /** The name of the cell, such as `r5c5`. */
  cell: string;
  /** 0 for none. */
  digit: number;
  seen: "empty" | "printed" | "handwritten" | "pencil marks";
  /** The digit without the rules. */
  seen_digit: number;
  /** The probability that `digit` is right. */
  confidence: number;
  /** Whether the rules changed what was seen. */
  changed: boolean;
  /** The probabilities of no digit and of each digit, without the rules. */
  probabilities: number[];
  corners: Corners;
}

/** The reading of an image. */
export interface ImageReading {
  /**
   * `read`: the digits as seen form a puzzle with one solution, and all are certain. `corrected`: the
   * rules leave no place for what was seen, and some digits were changed. `unresolved`: a person has
   * to check the digits.
   */
  outcome: "read" | "corrected" | "unresolved";
  puzzle: string;
  side: number;
  /** The probability that all digits are right. */
  confidence: number;
  /** The solution, if there is exactly one. */
  solution: string | null;
  corners: Corners;
  /** Counterclockwise quarter turns that make the board upright. */
  quarter_turns: number;
  light_on_dark: boolean;
  /** Whether the image shows several grids; the larger one was read. */
  more_than_one_grid: boolean;
  /** Signs of rules that are not read. */
  signs: ("diagonals" | "cages")[];
  /** The irregular region of each cell. */
  regions: number[] | null;
  /** The cells whose digit is not certain, the least certain first. */
  doubtful: number[];
  cells: ReadCell[];
}

/** Where to load the weights of the digit network from, if not from beside `index.js`. */
export interface ReadImageOptions {
  weights?: string | Url | FetchResponse | ArrayBuffer | ArrayBufferView;
}

/** The requests of the JSON API. */
export type RequestName =
  | "canonical" | "check" | "explain" | "generate" | "hint" | "judge" | "lessons" | `lessons/${string}` | "models"
  | "picture" | "predict" | "rate" | "read" | "solve" | "study" | "techniques" | "watch" | "write";

/** Why a request failed. */
export class NinefoldError extends Error {
  /** What can be done about it. */
  hint: string;
  /** The HTTP status code: 400, 404, 409, 422, 500, 501 or 503. */
  status: number;
}

/** An engine on this thread. */
export class Ninefold {
  constructor(module: WasmModule);
  call(name: RequestName, request?: object): any;
  callText(name: RequestName, request: string): string;
  solve(puzzle: Puzzle, options?: PuzzleOptions): SolveResult;
  solveMany(puzzles: Uint8Array, limit?: number): SolveManyResult<Uint8Array>;
  solveMany(puzzles: readonly Puzzle[], limit?: number): SolveManyResult<string[]>;
  check(puzzle: Puzzle, options?: PuzzleOptions): CheckResult;
  hint(puzzle: Puzzle, options?: PuzzleOptions): Hint;
  explain(puzzle: Puzzle, options?: PuzzleOptions): Explanation;
  svg(puzzle: Puzzle, step?: number | Step, options?: PuzzleOptions): string;
  rate(puzzle: Puzzle, options?: PuzzleOptions): Rating;
  predict(puzzle: Puzzle, options?: PredictOptions): Promise<Prediction>;
  readImage(image: Pixels, options?: ReadImageOptions): Promise<ImageReading>;
  generate(options?: GenerateOptions): GeneratedPuzzle;
  generateMany(count: number, options?: GenerateManyOptions): GeneratedPuzzles;
  canonical(puzzle: Puzzle, options?: PuzzleOptions): Canonical;
}

type Async<F> = F extends (...values: infer A) => infer R ? (...values: A) => Promise<Awaited<R>> : never;

/** An engine in a worker: the same functions, answered with promises. */
export type NinefoldWorker = {
  [K in Exclude<keyof Ninefold, "solveMany">]: Async<Ninefold[K]>;
} & {
  solveMany(puzzles: Uint8Array, limit?: number): Promise<SolveManyResult<Uint8Array>>;
  solveMany(puzzles: readonly Puzzle[], limit?: number): Promise<SolveManyResult<string[]>>;
  /** Stops the worker and cancels all requests; the next request starts a new worker. */
  stop(): Promise<void>;
};

/** Where to load the engine from: its URL (in Node also its path), its bytes, a response or a compiled module. */
export type Source = string | Url | FetchResponse | ArrayBuffer | ArrayBufferView | WasmModule;

/** Whether 128-bit SIMD is supported. */
export function hasSimd(): boolean;
/** The URL of the engine for this machine. */
export function engineUrl(): Url;
/** The URL of the small engine for this machine. */
export function coreUrl(): Url;
/** The URL of the weights of Kaleidoscope. */
export function weightsUrl(): Url;
/** The URL of the weights of the digit network. */
export function digitsUrl(): Url;
/** Loads the engine on this thread. */
export function load(source?: Source): Promise<Ninefold>;
/**
 * Loads the small engine on this thread: `solve`, `solveMany`, `check`, `hint`, `explain`, `svg`, `canonical` and
 * `predict`. Other requests fail with the status 501.
 */
export function loadCore(source?: Source): Promise<Ninefold>;
/** Loads the engine in a worker: first the small one, and the full one with the first `generate`, `rate` or `readImage`. */
export function loadInWorker(workerUrl?: string | Url, source?: string | Url | ArrayBuffer | WasmModule): Promise<NinefoldWorker>;
