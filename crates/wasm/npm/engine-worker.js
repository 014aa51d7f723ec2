// The engine (the WebAssembly module) in a worker of a browser: receives { id, method, values } and
// sends either { id, answer } or { id, error }.
//
// A page can use it without index.js: `method` is the name of a method of Ninefold (`call`,
// `solve`, …), so { id: 1, method: "call", values: ["hint", { puzzle }] } is the same as a request
// to /api/hint. If the engine is not beside this file, the first message contains its URL in
// `source`.

import { answerMessages, load, loadCore } from "./index.js";

const answer = answerMessages((message) => self.postMessage(message), load, loadCore);
self.addEventListener("message", ({ data }) => answer(data));
