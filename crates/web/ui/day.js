// Calendar days, the seeds of their puzzles, streaks and times. The same day has the same puzzles
// in every browser.

export const LEVELS = ["easy", "medium", "hard", "expert", "extreme"];

// `2026-11-16`, in the player's own calendar.
export function dayOf(date) {
  const two = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

// Noon, so that daylight saving time does not change the date.
export const dateOf = (day) => new Date(`${day}T12:00:00`);

export function dayBefore(day, count = 1) {
  const date = dateOf(day);
  date.setDate(date.getDate() - count);
  return dayOf(date);
}

// The seed of a daily puzzle: the FNV-1a hash of its name, with as many bits as a JavaScript number
// can hold.
export function seedOf(day, level) {
  let hash = 0xcbf29ce484222325n;
  for (const character of `ninefold ${day} ${level}`) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0))) * 0x100000001b3n);
  }
  return Number(hash >> 11n);
}

// The request for the puzzle of this day.
export const wishOf = (day, level) => ({ boxes: "3x3", difficulty: level, symmetry: "half-turn", seed: seedOf(day, level) });

// The number of days in a row, up to this one, with a daily puzzle solved. Today may still be open,
// and one missed day a week is forgiven.
export function streakOf(solved, today) {
  const days = new Set(solved.filter(({ daily, day }) => daily && daily === day).map(({ day }) => day));
  let day = days.has(today) ? today : dayBefore(today);
  let count = 0;
  let sinceMissed = 7;
  for (;;) {
    if (days.has(day)) {
      count += 1;
      sinceMissed += 1;
    } else if (sinceMissed >= 7 && days.has(dayBefore(day))) sinceMissed = 0;
    else return count;
    day = dayBefore(day);
  }
}

// The median time in seconds, or 0 if there is none.
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
