// Sound and vibration for what happens on the board. Both are off until the player turns them on.

import { completedHouses, digitsOf, gridOf } from "./game.js";
import { conflicts } from "./geometry.js";
import { onGame } from "./page.js";

// Frequency in hertz, start and length in seconds.
const TONES = {
  write: [[520, 0, 0.06]],
  house: [[520, 0, 0.09], [780, 0.09, 0.14]],
  wrong: [[170, 0, 0.2]],
  solved: [[523, 0, 0.14], [659, 0.14, 0.14], [784, 0.28, 0.14], [1047, 0.42, 0.35]],
};

// Milliseconds of vibration and of the pauses between them.
const PULSES = { write: [10], house: [15, 40, 15], wrong: [60], solved: [30, 60, 30, 60, 80] };

onGame.changed = (before, { game, settings }) => {
  if (!settings.sound && !settings.haptics) return;
  const event = eventOf(before.game, game, settings);
  if (!event) return;
  if (settings.sound) play(TONES[event]);
  if (settings.haptics) navigator.vibrate?.(PULSES[event]);
};

function eventOf(before, game, settings) {
  if (before.id !== game.id) return null;
  if (game.solvedAt && !before.solvedAt) return "solved";
  if (game.position === before.position) return null;
  const [old, now] = [digitsOf(before.position), digitsOf(game.position)];
  const isWritten = now.some((digit, cell) => digit && digit !== old[cell]);
  if (!isWritten) return null;
  const grid = gridOf(game);
  if (settings.mistakes !== "off" && conflicts(grid, now).size > conflicts(grid, old).size) return "wrong";
  return completedHouses(before, game).length > 0 ? "house" : "write";
}

// Browsers allow sound only after the player has done something.
let speaker = null;
function play(tones) {
  speaker ??= new AudioContext();
  for (const [frequency, start, length] of tones) {
    const [tone, volume] = [speaker.createOscillator(), speaker.createGain()];
    const from = speaker.currentTime + start;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(volume).connect(speaker.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}
