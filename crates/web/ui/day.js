// Days, and the puzzles that belong to them: plain functions, the same in every browser.

export const LEVELS = ["easy", "medium", "hard", "expert", "extreme"];

// `2026-11-16`, by the player's own calendar.
export function dayOf(date) {
  const two = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

// Noon, so that a change of the clock leads to no other day.
export const dateOf = (day) => new Date(`${day}T12:00:00`);

export function dayBefore(day, count = 1) {
  const date = dateOf(day);
  date.setDate(date.getDate() - count);
  return dayOf(date);
}

// The seed of a day's puzzle: FNV-1a of its name, as many bits as a number in JavaScript holds.
export function seedOf(day, level) {
  let hash = 0xcbf29ce484222325n;
  for (const character of `ninefold ${day} ${level}`) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0))) * 0x100000001b3n);
  }
  return Number(hash >> 11n);
}

// What is asked of the engine for this day.
export const wishOf = (day, level) => ({ boxes: "3x3", difficulty: level, symmetry: "half-turn", seed: seedOf(day, level) });

// How many days in a row, up to this one, saw one of their own puzzles solved. Today may still come.
export function streakOf(solved, today) {
  const days = new Set(solved.filter(({ daily, day }) => daily && daily === day).map(({ day }) => day));
  let day = days.has(today) ? today : dayBefore(today);
  let count = 0;
  for (; days.has(day); day = dayBefore(day)) count += 1;
  return count;
}

// The middle time in seconds, or 0 without any.
export function usualOf(seconds) {
  const sorted = [...seconds].sort((a, b) => a - b);
  return sorted.length > 0 ? sorted[Math.floor(sorted.length / 2)] : 0;
}

// `4:12`, `1:02:33`.
export function clock(seconds) {
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
