// What the browser keeps: the game with its history, and the settings. A browser that keeps nothing is fine too.

const GAME = "ninefold.game";
const SETTINGS = "ninefold.settings";

// The past is endless while the page is open; what is kept across visits is bounded by the browser's room.
const KEPT_STEPS = 500;

export const DEFAULTS = {
  mistakes: "rules",
  entry: "cell",
  auto: false,
  tidy: true,
  peers: true,
  equal: true,
  timer: true,
  theme: "auto",
  language: "en",
};

function load(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function save(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows and full disks keep nothing; the game goes on.
  }
}

export const loadSettings = () => ({ ...DEFAULTS, ...load(SETTINGS) });
export const saveSettings = (settings) => save(SETTINGS, settings);

export function loadGame() {
  const game = load(GAME);
  return game?.position?.clues && Array.isArray(game.past) ? game : null;
}

export function saveGame(game) {
  save(GAME, { ...game, past: game.past.slice(-KEPT_STEPS), future: game.future.slice(0, KEPT_STEPS) });
}
