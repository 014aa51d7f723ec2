// Questions to the server. Each answers with what the library says, or with an error that has a way on.

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
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer.", "You can play on; start ninefold serve for hints and solutions.", 0);
  }
  const text = await response.text();
  if (response.ok) return text;
  const { error, hint } = JSON.parse(text);
  throw new Refused(error, hint, response.status);
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
export const techniques = async () => (await fetch("/api/techniques")).json();
