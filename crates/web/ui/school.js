// The progress through the school, which is the list of all lessons, divided into tiers. A
// lesson is done after three exercises. The functions have no side effects.

export const EXERCISES = 3;

export const isDone = (school, slug) => (school[slug] ?? 0) >= EXERCISES;

// The first lesson that is not done; null if all are.
export function nextLesson(tiers, school) {
  return tiers.flatMap(({ lessons }) => lessons).find(({ slug }) => !isDone(school, slug)) ?? null;
}

// Each tier with the number of its lessons that are done.
export function tiersDone(tiers, school) {
  return tiers.map(({ name, names, lessons }) => ({ name, names, all: lessons.length, done: lessons.filter(({ slug }) => isDone(school, slug)).length }));
}

// The nine squares of a lesson.
export const squaresOf = (school, slug) => Math.min(9, (9 * (school[slug] ?? 0)) / EXERCISES);

// Grades an answer: compares the chosen candidates with those of the technique. `steps` are all
// instances of the technique in the position, each a list of [cell, digit]. An answer with all
// candidates of one instance is right.
export function judge(chosen, steps) {
  if (chosen.length === 0) return { verdict: "nothing" };
  const name = ([cell, digit]) => `${cell} ${digit}`;
  const all = new Set(steps.flat().map(name));
  const wrong = chosen.find((one) => !all.has(name(one)));
  if (wrong) return { verdict: "wrong", wrong };
  const has = new Set(chosen.map(name));
  const missing = steps.map((step) => step.filter((one) => !has.has(name(one))).length).filter((left, index) => left < steps[index].length);
  const left = Math.min(...missing);
  return left === 0 ? { verdict: "right" } : { verdict: "more", left };
}

// The picture of an exercise: the chosen candidates, or the complete step when it is shown or done.
export function pictureOf({ step, state: stage, shown, chosen }) {
  if (stage === "done" || shown) return step.picture;
  const ink = step.places.length > 0 ? "placed" : "removed";
  return { houses: [], cells: [], arrows: [], candidates: chosen.map(([index, digit]) => ({ index, digit, ink })) };
}
