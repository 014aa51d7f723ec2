// All requests to the engine, which solves, explains and generates puzzles. The engine is the
// server that sent the page or, if there is no server, the same library as WebAssembly in a worker.
// The first request detects which one is available. Each function returns the answer of the
// library, or throws an error with a hint.

import { askWorker } from "./engine.js";
import { words } from "./words.js";

export class Refused extends Error {
  constructor(message, hint, status) {
    super(message);
    this.hint = hint;
    this.status = status;
  }
}

// Is there a server? A host of plain files has no such address, and an offline page gets no answer.
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

// If the server is gone, the engine in the browser takes over, if it is cached.
function askInstead(error, name, question, signal, canWait) {
  if (error.status !== 0) throw error;
  server = null;
  return askEngine(name, question, signal, canWait);
}

// GET requests have their own addresses. A static page has their answers as files.
async function get(path, name, question, file) {
  if (!(await hasServer())) return (await baked(file)) ?? askEngine(name, question);
  try {
    return await (await send(path, {})).json();
  } catch (error) {
    if (error.status !== 0) throw error;
    return (await baked(file)) ?? askInstead(error, name, question);
  }
}

async function baked(file) {
  const response = file && (await fetch(`lessons/${file}.json`).catch(() => null));
  return response?.ok ? response.json().catch(() => null) : null;
}

const post = (question, signal) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question), signal });

// Asks the engine in the browser. If there is none either, the error says that the server does not
// answer.
async function askEngine(name, question, signal, canWait) {
  const answer = await askWorker(name, question, signal, canWait);
  if (answer === null) {
    server = null;
    throw new Refused(words.noServer, words.noServerHint, 0);
  }
  if (answer.error) throw new Refused(answer.error, answer.hint, answer.status);
  return answer;
}

// Returns the answer, or throws the error of the response with its hint.
async function send(path, request) {
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(words.noServer, words.noServerHint, 0);
  }
  if (response.ok) return response;
  // Limits of the server, in the player's words.
  if (response.status === 413) throw new Refused(words.textTooLong, "", 413);
  if (response.status === 429) throw new Refused(words.tooBusy, "", 429);
  const { error, hint } = await response.json().catch(() => ({ error: words.noServer, hint: words.noServerHint }));
  throw new Refused(error, hint, response.status);
}

// The chunks of text of a watch stream as they arrive; aborting the signal stops it here and on the
// server. The engine in the browser sends all frames at the end.
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
// Generates a puzzle in the background; the engine in the browser does all other requests first.
export const prepare = (wish) => ask("generate", wish, undefined, true);
export const read = (text, accept = false) => ask("read", accept ? { text, accept_rules: true } : { text });
export const judge = (deduction, signal) => ask("judge", deduction, signal);
export const study = (puzzle, what, signal) => ask("study", { ...puzzle, what }, signal);
export const write = (wish) => ask("write", wish);
// Sends a picture, as a Blob, to the server.
export const sendPhoto = async (picture) => (await send("api/photo", { method: "POST", headers: { "content-type": picture.type }, body: picture })).json();
export const quit = () => send("api/quit", post({}));
export const techniques = () => get("api/techniques", "techniques", {}, "techniques");
export const lessons = () => get("api/lessons", "lessons", {}, "lessons");
export const lesson = (slug, language) =>
  get(`api/lessons/${encodeURIComponent(slug)}?language=${encodeURIComponent(language)}`, `lessons/${slug}`, { language }, `${slug}.${language}`);
// The systems that can be watched; networks need a server.
export const models = () => get("api/models", "models", {});

// A picture is text, not JSON.
export async function picture(position) {
  if (await hasServer()) return (await send("api/picture", post(position))).text();
  return askEngine("picture", position);
}
