// The engine in a worker: takes { id, method, values } and sends back { id, answer } or { id, error }.
//
// A page may use it without index.js on its side: `method` is the name of a method of Ninefold (`call`, `solve`, …), so
// { id: 1, method: "call", values: ["hint", { puzzle }] } asks what /api/hint would be asked. `source` is where the engine
// is, if not beside this file; the first message with one decides.

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
