// The engine (the WebAssembly module) in a worker: receives { id, method, values } and sends either
// { id, answer } or { id, error }.
//
// A page can use it without index.js: `method` is the name of a method of Ninefold (`call`,
// `solve`, …), so { id: 1, method: "call", values: ["hint", { puzzle }] } is the same as a request
// to /api/hint. If the engine is not beside this file, the first message contains its URL in
// `source`.

import { load } from "./index.js";

const inNode = typeof self === "undefined";
const port = inNode ? (await import("node:worker_threads")).parentPort : self;
let engine;

async function take({ id, method, values = [], source }) {
  try {
    engine ??= load(source);
    const ninefold = await engine;
    port.postMessage({ id, answer: method === "load" ? true : await ninefold[method](...values) });
  } catch (error) {
    if (!error.status) engine = undefined;
    port.postMessage({ id, error: { error: error.message, hint: error.hint, status: error.status } });
  }
}

if (inNode) port.on("message", take);
else port.addEventListener("message", (event) => take(event.data));
