// The panels: dialogs for a new puzzle, pasting, sharing, rating many, settings and help.

import * as api from "./api.js";
import { keyWords, words } from "./words.js";

const $ = (id) => document.getElementById(id);

export const open = (id) => $(id).showModal();
export const close = (id) => $(id).close();

// Fills what the page does not hold itself: the names of the techniques and the help sheet.
export async function prepare() {
  $("help-keys").replaceChildren(
    ...keyWords.flatMap(([keys, what]) => [textElement("dt", keys), textElement("dd", what)]),
  );
  try {
    const { techniques } = await api.techniques();
    for (const { name, slug } of techniques) $("new-technique").append(new Option(name, slug));
  } catch {
    // Without a server there are no new puzzles, and no techniques to choose from.
  }
}

const textElement = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

// What the New panel asks for.
export function wish() {
  const value = (id) => $(id).value || undefined;
  return {
    boxes: value("new-boxes"),
    level: value("new-level"),
    technique: value("new-technique"),
    symmetry: value("new-symmetry"),
  };
}

// Offers the position as a picture, where the server can draw it.
export async function offerPicture(position) {
  $("share-svg").hidden = true;
  const drawn = await api.picture(position).catch(() => null);
  if (!drawn) return;
  $("share-svg").href = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  $("share-svg").hidden = false;
}

// Shows the settings and tells of every change.
export function settingsForm(settings, changed) {
  const form = $("settings");
  for (const field of form.elements) {
    if (!(field.name in settings)) continue;
    if (field.type === "checkbox") field.checked = settings[field.name];
    else field.value = settings[field.name];
  }
  form.onchange = ({ target }) => changed({ [target.name]: target.type === "checkbox" ? target.checked : target.value });
}

// Rates all pasted puzzles one after the other and fills the table as the answers come.
export async function batch() {
  const rows = $("batch-table").tBodies[0];
  rows.replaceChildren();
  $("batch-csv").hidden = true;
  const started = performance.now();
  const { puzzles } = await api.read($("batch-text").value);
  const results = [];
  $("batch-table").hidden = false;
  for (const { puzzle, boxes } of puzzles) {
    const answer = await api.rate({ puzzle, boxes }).catch((error) => ({ error: error.message }));
    const score = answer.dupree ?? { points: "", level: "" };
    const row = [puzzle, answer.clues ?? "", score.points, score.level, answer.error ?? answer.hardest ?? ""];
    results.push(row);
    const line = document.createElement("tr");
    line.append(...row.map((text) => textElement("td", String(text))));
    rows.append(line);
    $("batch-state").textContent = words.batch(results.length, puzzles.length, ((performance.now() - started) / 1000).toFixed(1));
    if (!$("panel-batch").open) return;
  }
  $("batch-csv").href = `data:text/csv;charset=utf-8,${encodeURIComponent(csv(results))}`;
  $("batch-csv").hidden = false;
}

function csv(rows) {
  const quoted = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  return [["puzzle", "clues", "score", "level", "hardest"], ...rows].map((row) => row.map(quoted).join(",")).join("\n");
}
