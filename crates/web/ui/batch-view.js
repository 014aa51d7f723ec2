// Renders the table of a batch and offers it as CSV.

import { $, element } from "./dom.js";
import { words } from "./words.js";

const COLUMNS = ["puzzle", "clues", "difficulty", "dupree", "consistency", "hardest", "steps"];

export function renderBatch({ batch }) {
  const { rows, all, seconds, error, done } = batch;
  $("batch-state").textContent = [all > 0 && words.batchState(rows.length, all, seconds.toFixed(1)), error].filter(Boolean).join(" ");
  $("batch-table").hidden = rows.length === 0;
  $("batch-stop").hidden = all === 0 || done;
  const body = $("batch-table").tBodies[0];
  // Rows are only ever appended or all removed.
  while (body.rows.length > rows.length) body.lastChild.remove();
  for (const row of rows.slice(body.rows.length)) body.append(line(row, body.rows.length));
  $("batch-csv").hidden = !done || rows.length === 0;
  if (done && rows.length > 0) $("batch-csv").href = `data:text/csv;charset=utf-8,${encodeURIComponent(csv(rows))}`;
}

// Opens the puzzle of a row on the board.
function line([puzzle, clues, difficulty, ...rest], index) {
  const values = [clues, words.levels[difficulty] ?? difficulty, ...rest];
  const open = element("button", { type: "button", className: "link", data: { do: "batch-open", index }, title: words.openRow(index + 1) }, puzzle);
  return element("tr", {}, element("td", {}, open), ...values.map((value) => element("td", {}, String(value))));
}

function csv(rows) {
  const quoted = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  return [COLUMNS, ...rows].map((row) => row.map(quoted).join(",")).join("\n");
}
