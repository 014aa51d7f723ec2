// The engine in the browser: the library as WebAssembly in a worker, started with the first question.
//
// The worker answers { id, method: "call", values: [name, request] } with { id, answer } or { id, error }. A question that
// is given up ends the worker, since nothing else stops a computation; what else was under way is asked again of the next.
// So does one that cannot wait, if one that can is under way: nobody who asks for a hint waits for a puzzle of the day.

let worker = null;
let hasAnswered = false;
let isMissing = false;
let last = 0;
const open = new Map();

function start() {
  worker = new Worker("engine-worker.js", { type: "module" });
  hasAnswered = false;
  worker.onmessage = ({ data: { id, answer, error } }) => {
    // What is refused has a status; an engine that cannot be loaded has none.
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

// The files are not there, or this browser cannot run them.
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

// Hands the worker what it does not have yet. What can wait is kept back as long as there is something else.
function post() {
  const isUrgent = [...open.values()].some(({ canWait }) => !canWait);
  for (const [id, asked] of open) {
    if (asked.isPosted || (asked.canWait && isUrgent)) continue;
    asked.isPosted = true;
    worker.postMessage({ id, method: "call", values: asked.question });
  }
}

// The answer, or what was refused as { error, hint, status }, or null where there is no engine.
export function askWorker(name, request, signal, canWait = false) {
  if (isMissing) return Promise.resolve(null);
  if (signal?.aborted) return Promise.reject(givenUp());
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    // An engine that is still being loaded is not thrown away: its first question is a short one.
    const isInTheWay = !canWait && hasAnswered && [...open.values()].some((asked) => asked.canWait && asked.isPosted);
    open.set(id, { resolve, question: [name, request], canWait, isPosted: false });
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
