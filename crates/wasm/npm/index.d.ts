/** A puzzle: text in any form that fits one grid, or digits in reading order, 0 for an empty cell. */
export type Puzzle = string | readonly number[] | readonly (readonly number[])[] | Uint8Array;

/** What the player has done, and how to answer. Cells count from 0 in reading order, digits from 1. */
export interface Options {
  /** The shape of the boxes, such as `2x3`, where it is not the usual one. */
  boxes?: string;
  /** The digits that the player wrote, as `[cell, digit]`. */
  entries?: [number, number][];
  /** The player's pencil marks: one list of digits for each cell. */
  marks?: number[][];
  /** The language of the words. */
  language?: "en" | "de" | "es";
}

export interface Solved {
  /** The first solution found, `null` if there is none. */
  solution: string | null;
  /** 0, 1, or 2 for several. */
  count: 0 | 1 | 2;
}

export interface SolvedMany<T> {
  /** A solution of each puzzle; points for a puzzle without one. */
  solutions: T;
  /** How many solutions each has, up to the limit. */
  counts: Uint32Array;
}

export interface Candidate {
  /** The name of the cell, such as `r5c5`. */
  cell: string;
  index: number;
  digit: number;
  /** What it means in a picture: `green`, `blue`, `fin`, `removed` or `placed`. */
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

/** A step with its reason, as it was found and checked. */
export interface Step {
  /** Its number, counted from 1. */
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
  /** `step`, or the name of the end that was met instead, such as `mistake`. */
  answer: string;
  /** Where to look, what to look for, the whole reason. */
  stages: [string, string, string];
  step: Step | null;
  cells: number[];
  candidates: number[][];
}

export interface Scale {
  name: string;
  title: string;
  /** `null` where a scale says nothing. */
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

export interface Wish {
  boxes?: string;
  difficulty?: "easy" | "medium" | "hard" | "expert" | "extreme";
  /** The lowest and the highest ER of Sudoku Explainer. */
  er?: [number, number];
  level?: string;
  /** The hardest technique on the way to the solution. */
  technique?: string;
  needs?: string[];
  avoids?: string[];
  /** The fewest and the most clues. */
  clues?: [number, number];
  minimal?: boolean;
  symmetry?: string;
  /** Equal seeds give equal puzzles; at most 2⁵³. */
  seed?: number;
}

export interface Made {
  puzzle: string;
  boxes: string;
  solution: string;
  clues: number;
  seed: number;
}

export interface Canonical {
  /** The form that all images of a puzzle under symmetry share. */
  form: string;
  /** 128 bits in hexadecimal, equal for all images. */
  fingerprint: string;
}

/** How long Kaleidoscope thinks, and where its weights are. */
export interface Patience {
  /** The shape of the boxes, such as `2x3`, where it is not the usual one. */
  boxes?: string;
  /** At most so many iterations from each start; 64 if nothing is said. */
  iterations?: number;
  /** At most so many starts; 4 if nothing is said. */
  starts?: number;
  /** The file `kaleidoscope.safetensors`, where it does not lie beside `index.js`. */
  weights?: string | URL | Response | ArrayBuffer | ArrayBufferView;
}

/** What the network says of a puzzle. */
export interface Predicted {
  /** The likeliest digit of every cell. */
  filled: string;
  /** Does that keep the rules and the clues? Then it is a solution; whether it is the only one, `solve` says. */
  solved: boolean;
  /** Iterations from all starts. */
  iterations: number;
  /** Starts that were needed. */
  starts: number;
  /** How likely each digit is in each cell. */
  odds: number[][];
}

/** The questions of the JSON API. */
export type Question =
  | "canonical" | "check" | "explain" | "generate" | "hint" | "lessons" | `lessons/${string}` | "models" | "picture"
  | "rate" | "read" | "solve" | "techniques" | "watch";

/** Why a question is not answered. */
export class NinefoldError extends Error {
  /** What can be done about it. */
  hint: string;
  /** As HTTP numbers it: 400, 404, 422, 500 or 503. */
  status: number;
}

/** An engine on this thread. */
export class Ninefold {
  constructor(module: WebAssembly.Module);
  call(name: Question, request?: object): any;
  callText(name: Question, request: string): string;
  solve(puzzle: Puzzle, options?: Options): Solved;
  solveMany(puzzles: readonly string[], limit?: number): SolvedMany<string[]>;
  solveMany(puzzles: Uint8Array, limit?: number): SolvedMany<Uint8Array>;
  hint(puzzle: Puzzle, options?: Options): Hint;
  explain(puzzle: Puzzle, options?: Options): Explanation;
  svg(puzzle: Puzzle, step?: number | Step, options?: Options): string;
  rate(puzzle: Puzzle, options?: Options): Rating;
  predict(puzzle: Puzzle, options?: Patience): Promise<Predicted>;
  generate(wish?: Wish): Made;
  canonical(puzzle: Puzzle, options?: Options): Canonical;
}

type Promised<F> = F extends (...values: infer A) => infer R ? (...values: A) => Promise<Awaited<R>> : never;

/** An engine in a worker: the same functions, answered with promises. */
export type NinefoldWorker = {
  [K in Exclude<keyof Ninefold, "solveMany">]: Promised<Ninefold[K]>;
} & {
  solveMany(puzzles: readonly string[], limit?: number): Promise<SolvedMany<string[]>>;
  solveMany(puzzles: Uint8Array, limit?: number): Promise<SolvedMany<Uint8Array>>;
  /** Ends the worker and everything it works at; the next question starts a new one. */
  stop(): Promise<void>;
};

/** Where an engine may come from. */
export type Source = string | URL | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

/** Can vectors of 128 bits be used here? */
export function hasSimd(): boolean;
/** The address of the engine that fits this machine. */
export function engineUrl(): URL;
/** The address of the weights of Kaleidoscope. */
export function weightsUrl(): URL;
/** Loads the engine on this thread. */
export function load(source?: Source): Promise<Ninefold>;
/** Loads the engine in a worker. */
export function loadInWorker(workerUrl?: string | URL, source?: string | ArrayBuffer): Promise<NinefoldWorker>;
