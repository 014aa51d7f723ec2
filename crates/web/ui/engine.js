// The engine in the browser: the library as WebAssembly in a worker, started with the first
// request.
//
// The worker answers { id, method: "call", values: [name, request] } with { id, answer } or { id,
// error }. Cancelling a request terminates the worker, because nothing else stops a computation;
// the other open requests are sent again to a new worker. An urgent request also terminates a
// worker that computes something in the background: hints do not wait for daily puzzles.

let worker = null;
let hasAnswered = false;
let isMissing = false;
let last = 0;
const open = new Map();

function start() {
  worker = new Worker("engine-worker.js", { type: "module" });
  hasAnswered = false;
  worker.onmessage = ({ data: { id, answer, error } }) => {
    // An error of a request has a status; an engine that cannot be loaded has none.
    if (error && !error.status) return giveUp();
    hasAnswered = true;
    open.get(id)?.resolve(error ?? answer);
    open.delete(id);
    post();
  };
  worker.onerror = giveUp;
  for (const asked of open.values()) asked.isPosted = false;
  post();
}

// The files are missing, or this browser cannot run them.
function giveUp() {
  isMissing = true;
  worker.terminate();
  for (const { resolve } of open.values()) resolve(null);
  open.clear();
}

function startAgain() {
  worker.terminate();
  worker = null;
  if (open.size > 0) start();
}

// Sends the worker the requests that it does not have yet. Background requests wait as long as
// there are others.
function post() {
  const isUrgent = [...open.values()].some(({ canWait }) => !canWait);
  for (const [id, asked] of open) {
    if (asked.isPosted || (asked.canWait && isUrgent)) continue;
    asked.isPosted = true;
    worker.postMessage({ id, method: asked.method, values: asked.values });
  }
}

// The answer, or an error as { error, hint, status }, or null if there is no engine.
export const askWorker = (name, request, signal, canWait) => callWorker("call", [name, request], signal, canWait);

// Calls a method of the engine (crates/wasm/npm/index.js).
export function callWorker(method, values, signal, canWait = false) {
  if (isMissing) return Promise.resolve(null);
  if (signal?.aborted) return Promise.reject(givenUp());
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    // Do not terminate an engine that is still loading: its first request is a short one.
    const isInTheWay = !canWait && hasAnswered && [...open.values()].some((asked) => asked.canWait && asked.isPosted);
    open.set(id, { resolve, method, values, canWait, isPosted: false });
    if (!worker) start();
    else if (isInTheWay) startAgain();
    else post();
    signal?.addEventListener("abort", () => {
      if (!open.delete(id)) return;
      startAgain();
      reject(givenUp());
    });
  });
}

const givenUp = () => new DOMException("given up", "AbortError");
