// Renders the rating: the result of each scale, and how often each technique is needed.

import { $, element, fill } from "./dom.js";
import { techniqueName } from "./panels.js";
import { quietView } from "./view.js";
import { words } from "./words.js";

export function renderRating({ rating, busy, message, rejected }) {
  const { puzzle, boxes, rules, answer } = rating;
  $("rate-state").textContent = busy ? words.thinking : rejected ? message : answer ? words.rated(answer) : "";
  $("rate-state").classList.toggle("bad", Boolean(rejected));
  if (puzzle) $("rate-board").draw(quietView({ puzzle, boxes, rules, label: words.ratedBoard }));
  $("rate-result").hidden = !answer;
  if (!answer) return;
  fill($("rate-scales"), JSON.stringify([answer, words.rate, techniqueName(answer.hardest_slug, "")]), () => [
    card(words.clues, String(answer.clues), ""),
    ...answer.scales.map(scaleCard),
    card(words.hardest, answer.hardest ? techniqueName(answer.hardest_slug, answer.hardest) : "–", words.logicEnds[answer.logic] ?? ""),
  ]);
  $("rate-table").hidden = answer.techniques.length === 0;
  fill($("rate-techniques"), JSON.stringify([answer, words.rate, techniqueName(answer.hardest_slug, "")]), () => rows(answer.techniques));
}

// A rating in the player's language, from its values.
function scaleCard({ name, title, value, details }) {
  const { scale, notRated, levels } = words;
  const said = details ? (scale[name]?.say(details) ?? "") : notRated;
  return card(scale[name]?.title ?? title, levels[value] ?? value ?? "–", said);
}

const card = (title, value, said) =>
  element("div", { className: "card" }, element("h3", {}, title), element("p", { className: "value" }, value), element("p", { className: "quiet" }, said));

function rows(techniques) {
  const most = Math.max(1, ...techniques.map(({ count }) => count));
  return techniques.map(({ name: english, slug, count }) => {
    const name = techniqueName(slug, english);
    const bar = element("meter", { min: 0, max: most, value: count, "aria-label": words.uses(name, count) });
    return element("tr", {}, element("th", { scope: "row" }, element("a", { href: `#lesson=${slug}` }, name)), element("td", { className: "number" }, String(count)), element("td", {}, bar));
  });
}
