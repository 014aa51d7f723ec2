// Draws the stages of Watch it think.

import { $, element, fill } from "./dom.js";
import { SPEEDS, frameOf } from "./show.js";
import { quietView } from "./view.js";
import { words } from "./words.js";

const KINDS = ["logic", "network", "hopfield", "search"];

export function renderWatch({ watch, game }) {
  const { models, systems, shows, playing, speed } = watch;
  const sizes = models.filter(({ boxes }) => !boxes || boxes === game.position.boxes);
  [0, 1].forEach((stage) => renderChoice(stage, sizes, systems[stage]));
  const running = shows.filter(Boolean);
  $("watch-controls").hidden = running.length === 0;
  $("watch-pause").textContent = playing ? words.pause : words.goOn;
  $("watch-stop").disabled = running.every(({ done }) => done);
  $("watch-speed").value = speed;
  $("watch-speed-words").textContent = words.speed(SPEEDS[speed]);
  $("watch-empty").hidden = running.length > 0;
  [0, 1].forEach((stage) => renderStage(stage, shows[stage], models, playing && speed > 1));
}

function renderChoice(stage, models, chosen) {
  const select = $(`watch-system-${stage}`);
  fill(select, JSON.stringify(models), () => {
    const none = stage === 1 ? [new Option(words.nobody, "")] : [];
    const group = (kind) => {
      const options = models.filter((model) => model.kind === kind).map(({ name }) => new Option(name, name));
      return options.length > 0 ? [element("optgroup", { label: words.kinds[kind] }, ...options)] : [];
    };
    return [...none, ...KINDS.flatMap(group)];
  });
  select.value = chosen;
  $(`watch-idea-${stage}`).textContent = models.find(({ name }) => name === chosen)?.idea ?? "";
}

function renderStage(stage, show, models, isFast) {
  $(`stage-${stage}`).hidden = !show;
  if (!show) return;
  const frame = frameOf(show);
  const label = words.watching(show.system);
  $(`stage-name-${stage}`).textContent = show.system;
  $(`stage-board-${stage}`).draw(quietView({ puzzle: show.puzzle, boxes: show.boxes, label, ...frame }));
  // A screen reader cannot follow ten sentences a second; it hears the one at which the show rests.
  $(`stage-event-${stage}`).setAttribute("aria-live", isFast ? "off" : "polite");
  $(`stage-event-${stage}`).textContent = show.error || (frame?.text ?? words.thinking);
  $(`stage-event-${stage}`).dataset.event = frame?.end ?? frame?.event ?? "";
  $(`stage-count-${stage}`).textContent = words.moment(show.at + 1, show.frames.length, show.done, frame?.move);
  const bar = $(`stage-bar-${stage}`);
  bar.max = Math.max(1, show.frames.length - 1);
  bar.value = show.at;
}
