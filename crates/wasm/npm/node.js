// Ninefold for Node: index.js, with files read from disk and Node's worker threads.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { connect, coreUrl, fetchBytes, loadWith } from "./index.js";

export { Ninefold, NinefoldError, coreUrl, digitsUrl, engineUrl, hasSimd, weightsUrl } from "./index.js";

/**
 * Loads the engine on this thread. If it is not beside this file, `source` is its path or URL, its
 * bytes, a response or a compiled module.
 */
export const load = (source) => loadWith(read, source);

/** Loads the small engine, without generating and rating. */
export const loadCore = (source = coreUrl()) => load(source);

/** The bytes of a source: as in browsers, or from a file. */
async function read(source) {
  const isPath = typeof source === "string" && !/^[a-z]{2,}:/i.test(source);
  if (isPath) return readFile(source);
  const isFile = source instanceof URL || typeof source === "string";
  return isFile && new URL(source).protocol === "file:" ? readFile(new URL(source)) : fetchBytes(source);
}

/**
 * Loads the engine in a worker thread: every method returns a promise, and `stop` cancels all requests
 * (they fail, and the next one starts a new worker).
 */
export function loadInWorker(workerUrl = new URL("./node-worker.js", import.meta.url), source = undefined) {
  return connect(() => new Worker(workerUrl), source instanceof URL ? source.href : source);
}
