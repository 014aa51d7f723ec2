// The engine in one of Node's worker threads; the messages are those of engine-worker.js.

import { parentPort } from "node:worker_threads";
import { answerMessages } from "./index.js";
import { load, loadCore } from "./node.js";

parentPort.on("message", answerMessages((message) => parentPort.postMessage(message), load, loadCore));
