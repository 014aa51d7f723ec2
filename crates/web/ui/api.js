// Questions to the engine: the one place where the page asks. The engine is the server that sent the page, or the same
// library as WebAssembly in a worker where there is none; which of them is found out once, with the first question.
// Each answers with what the library says, or with an error that has a way on.

import { askWorker } from "./engine.js";
import { words } from "./words.js";

export class Refused extends Error {
  constructor(message, hint, status) {
    super(message);
    this.hint = hint;
    this.status = status;
  }
}

// Is there a server? A host of plain files has no such answer, and a page without any network gets none.
let server = null;
const hasServer = () => (server ??= fetch("api/status").then((response) => response.ok && isJson(response), () => false));
const isJson = (response) => (response.headers.get("content-type") ?? "").includes("json");

async function ask(name, question, signal, canWait) {
  if (!(await hasServer())) return askEngine(name, question, signal, canWait);
  try {
    const text = await (await send(`api/${name}`, post(question, signal))).text();
    return text ? JSON.parse(text) : {};
  } catch (error) {
    return askInstead(error, name, question, signal, canWait);
  }
}

// If the server has gone, the engine in the browser goes on, where it is kept.
function askInstead(error, name, question, signal, canWait) {
  if (error.status !== 0) throw error;
  server = null;
  return askEngine(name, question, signal, canWait);
}

// What is read with GET has its own address.
async function get(path, name, question) {
  if (!(await hasServer())) return askEngine(name, question);
  try {
    return await (await send(path, {})).json();
  } catch (error) {
    return askInstead(error, name, question);
  }
}

const post = (question, signal) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question), signal });

// The engine in the browser; where there is none either, that the server does not answer.
async function askEngine(name, question, signal, canWait) {
  const answer = await askWorker(name, question, signal, canWait);
  if (answer === null) {
    server = null;
    throw new Refused(words.noServer, words.noServerHint, 0);
  }
  if (answer.error) throw new Refused(answer.error, answer.hint, answer.status);
  return answer;
}

// The answer to a request, if it is one; what was refused is thrown with its way on.
async function send(path, request) {
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(words.noServer, words.noServerHint, 0);
  }
  if (response.ok) return response;
  const { error, hint } = await response.json().catch(() => ({ error: words.noServer, hint: words.noServerHint }));
  throw new Refused(error, hint, response.status);
}

// The pieces of text of a show, as they come; closing the signal ends it here and on the server. The engine in the browser
// tells a show when it is over.
export async function* watch(question, signal) {
  if (!(await hasServer())) {
    const { frames } = await askEngine("watch", question, signal);
    yield frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
    return;
  }
  const reader = (await send("api/watch", post(question, signal))).body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

export const solve = (position, signal) => ask("solve", position, signal);
export const check = (position, signal) => ask("check", position, signal);
export const hint = (position, signal) => ask("hint", position, signal);
export const explain = (position, signal) => ask("explain", position, signal);
export const rate = (position, signal) => ask("rate", position, signal);
export const generate = (wish, signal) => ask("generate", wish, signal);
// A puzzle that nobody waits for yet; the engine in the browser puts it off for everything else.
export const prepare = (wish) => ask("generate", wish, undefined, true);
export const read = (text, boxes) => ask("read", boxes ? { text, boxes } : { text });
export const quit = () => send("api/quit", post({}));
export const techniques = () => get("api/techniques", "techniques", {});
export const lessons = () => get("api/lessons", "lessons", {});
export const lesson = (slug, language) =>
  get(`api/lessons/${encodeURIComponent(slug)}?language=${encodeURIComponent(language)}`, `lessons/${slug}`, { language });
// What can be watched: networks only where there is a server.
export const models = () => get("api/models", "models", {});

// A picture is text and no JSON.
export async function picture(position) {
  if (await hasServer()) return (await send("api/picture", post(position))).text();
  return askEngine("picture", position);
}
