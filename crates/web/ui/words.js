// Every sentence that the scripts say, in one place.

export const words = {
  thinking: "Thinking …",
  stopped: "Stopped.",
  timer: (time) => `${time} played, pause`,
  solved: "Solved! Every house holds every digit once.",
  typeClues: "Type the clues of your puzzle, then press Solve or Play this.",
  playing: "The clues are fixed now. Good luck!",
  filled: "Here is the solution. Undo brings your game back.",
  quit: "The server has stopped. You can play on in this page.",
  copied: "The address is in the clipboard.",
  marked: "All candidates are written as centre marks.",
  cleared: "Everything you wrote is gone; Undo brings it back.",
  two: (which) => `Solution ${which} of at least two; the cells that differ are ringed.`,
  about: (grid, clues) => `${grid.side}×${grid.side}, ${clues} clues`,
  stage: (stage, technique) => ["Where to look", "What to look for", technique][stage],
  step: (index, count) => (index === 0 ? "The start" : `Step ${index} of ${count}`),
  start: "The position before the first step.",
  rating: (answer) => {
    const score = answer.dupree ? ` DuPree's score is ${answer.dupree.points} (${answer.dupree.level}).` : "";
    const logic = answer.hardest ? ` Its hardest technique is ${answer.hardest}.` : "";
    const open = answer.logic === "solved" ? "" : " Our techniques alone do not solve it.";
    return `${answer.clues} clues.${score}${logic}${open}`;
  },
  batch: (done, all, seconds) => `${done} of ${all} puzzles rated in ${seconds} s.`,
  cell: (row, column) => `row ${row}, column ${column}`,
  given: "given",
  empty: "empty",
  wrong: "wrong",
  corner: (digits) => `corner marks ${digits}`,
  centre: (digits) => `centre marks ${digits}`,
  candidates: (digits) => `candidates ${digits}`,
  coloured: (names) => `coloured ${names}`,
};

// The help sheet: keys and what they do.
export const keyWords = [
  ["Arrows, Home, End", "move; with Shift select several cells"],
  ["1–9, A–G", "write a digit, or what the mode says"],
  ["Shift + digit", "corner mark"],
  ["Ctrl + digit", "centre mark; with automatic candidates, cross one out"],
  ["Alt + digit", "colour"],
  ["Backspace, Delete, 0", "clear: digits first, then marks, then colours"],
  ["M or space", "next mode: digit, corner, centre, colour"],
  ["Ctrl+Z, U", "undo"],
  ["Ctrl+Y, Y", "redo"],
  ["H", "hint; again for the next stage"],
  ["X", "explain the whole solution; then . and , walk"],
  ["K", "check"],
  ["T", "pause"],
  ["Escape", "close what is open; select one cell"],
  ["?", "this sheet"],
];
