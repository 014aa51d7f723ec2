// The engine in the browser: the library as WebAssembly in a worker, started with the first question.
//
// The worker answers { id, method: "call", values: [name, request] } with { id, answer } or { id, error }. A question that
// is given up ends the worker, since nothing else stops a computation; what else was under way is asked again of the next.

let worker = null;
let isMissing = false;
let last = 0;
const open = new Map();

function start() {
  worker = new Worker("engine-worker.js", { type: "module" });
  worker.onmessage = ({ data: { id, answer, error } }) => {
    // What is refused has a status; an engine that cannot be loaded has none.
    if (error && !error.status) return giveUp();
    open.get(id)?.resolve(error ?? answer);
    open.delete(id);
  };
  worker.onerror = giveUp;
  for (const [id, { question }] of open) post(id, question);
}

// The files are not there, or this browser cannot run them.
function giveUp() {
  isMissing = true;
  worker.terminate();
  for (const { resolve } of open.values()) resolve(null);
  open.clear();
}

const post = (id, question) => worker.postMessage({ id, method: "call", values: question });

// The answer, or what was refused as { error, hint, status }, or null where there is no engine.
export function askWorker(name, request, signal) {
  if (isMissing) return Promise.resolve(null);
  if (signal?.aborted) return Promise.reject(givenUp());
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    const question = [name, request];
    open.set(id, { resolve, question });
    if (worker) post(id, question);
    else start();
    signal?.addEventListener("abort", () => {
      if (!open.delete(id)) return;
      worker.terminate();
      worker = null;
      reject(givenUp());
      if (open.size > 0) start();
    });
  });
}

const givenUp = () => new DOMException("given up", "AbortError");
