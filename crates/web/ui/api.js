// Questions to the server. Each answers with what the library says, or with an error that has a way on.

import { words } from "./words.js";

export class Refused extends Error {
  constructor(message, hint, status) {
    super(message);
    this.hint = hint;
    this.status = status;
  }
}

async function ask(path, question, signal) {
  const text = await askForText(path, question, signal);
  return text ? JSON.parse(text) : {};
}

async function askForText(path, question, signal) {
  return (await send(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question), signal })).text();
}

const get = async (path) => (await send(path, {})).json();

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
  const { error, hint } = await response.json();
  throw new Refused(error, hint, response.status);
}

// The pieces of text of a show, as they come; closing the signal ends it here and on the server.
export async function* watch(question, signal) {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question), signal };
  const reader = (await send("/api/watch", request)).body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

export const solve = (position, signal) => ask("/api/solve", position, signal);
export const check = (position, signal) => ask("/api/check", position, signal);
export const hint = (position, signal) => ask("/api/hint", position, signal);
export const explain = (position, signal) => ask("/api/explain", position, signal);
export const rate = (position, signal) => ask("/api/rate", position, signal);
export const generate = (wish, signal) => ask("/api/generate", wish, signal);
export const read = (text, boxes) => ask("/api/read", boxes ? { text, boxes } : { text });
export const picture = (position) => askForText("/api/picture", position);
export const quit = () => ask("/api/quit", {});
export const techniques = () => get("/api/techniques");
export const models = () => get("/api/models");
export const lessons = () => get("/api/lessons");
export const lesson = (slug, language) => get(`/api/lessons/${encodeURIComponent(slug)}?language=${encodeURIComponent(language)}`);
