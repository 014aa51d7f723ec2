// The engine in the browser: the library as WebAssembly in a worker, started with the first question.
//
// The worker answers one message { id, name, request } with one message { id, answer }. A question that is given up ends
// the worker, since nothing else stops a computation; the next question starts another.

let worker = null;
let isMissing = false;
let last = 0;
const open = new Map();

function start() {
  worker = new Worker("engine-worker.js", { type: "module" });
  worker.onmessage = ({ data: { id, answer } }) => {
    open.get(id)?.resolve(answer);
    open.delete(id);
  };
  // The files are not there, or this browser cannot run them.
  worker.onerror = () => {
    isMissing = true;
    stop((question) => question.resolve(null));
  };
}

function stop(end) {
  worker?.terminate();
  worker = null;
  for (const question of open.values()) end(question);
  open.clear();
}

// The answer, or null where there is no engine.
export function askWorker(name, request, signal) {
  if (isMissing) return Promise.resolve(null);
  if (signal?.aborted) return Promise.reject(given());
  if (!worker) start();
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    open.set(id, { resolve, reject });
    worker.postMessage({ id, name, request });
    signal?.addEventListener("abort", () => {
      if (!open.has(id)) return;
      open.delete(id);
      reject(given());
      restart();
    });
  });
}

// Other questions that were under way are given up too; they are asked again by whoever still wants to know.
function restart() {
  stop((question) => question.reject(given()));
}

const given = () => new DOMException("given up", "AbortError");
