// Glicko-2 (Glickman 2012): a rating with its deviation and volatility, updated after each answer
// as after a game. The position is the opponent; its rating is known, so its deviation is small.

const SCALE = 173.7178;
const TAU = 0.5;

export const NEW = { rating: 1200, deviation: 350, volatility: 0.06 };

const g = (phi) => 1 / Math.sqrt(1 + (3 * phi * phi) / (Math.PI * Math.PI));

// The rating after games against opponents: [{ rating, deviation, score }], where a score is 1 for
// a right answer and 0 for a wrong one.
export function rated({ rating, deviation, volatility }, games) {
  const [mu, phi] = [(rating - 1500) / SCALE, deviation / SCALE];
  let [information, improvement] = [0, 0];
  for (const game of games) {
    const weight = g(game.deviation / SCALE);
    const expected = 1 / (1 + Math.exp(-weight * (mu - (game.rating - 1500) / SCALE)));
    information += weight * weight * expected * (1 - expected);
    improvement += weight * (game.score - expected);
  }
  const v = 1 / information;
  const sigma = newVolatility(v * improvement, phi, v, volatility);
  const before = Math.sqrt(phi * phi + sigma * sigma);
  const after = 1 / Math.sqrt(1 / (before * before) + 1 / v);
  return { rating: 1500 + SCALE * (mu + after * after * improvement), deviation: SCALE * after, volatility: sigma };
}

// Step 5 of the paper: the root by the Illinois algorithm.
function newVolatility(delta, phi, v, sigma) {
  const a = Math.log(sigma * sigma);
  const f = (x) => (Math.exp(x) * (delta * delta - phi * phi - v - Math.exp(x))) / (2 * (phi * phi + v + Math.exp(x)) ** 2) - (x - a) / (TAU * TAU);
  let [low, high] = [a, delta * delta > phi * phi + v ? Math.log(delta * delta - phi * phi - v) : a - TAU];
  if (delta * delta <= phi * phi + v) while (f(high) < 0) high -= TAU;
  let [fLow, fHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > 1e-6) {
    const next = low + ((low - high) * fLow) / (fHigh - fLow);
    const fNext = f(next);
    if (fNext * fHigh <= 0) [low, fLow] = [high, fHigh];
    else fLow /= 2;
    [high, fHigh] = [next, fNext];
  }
  return Math.exp(low / 2);
}

// A rating becomes less certain without answers: one rating period a day.
export function rested({ rating, deviation, volatility }, days) {
  const phi = Math.sqrt((deviation / SCALE) ** 2 + volatility ** 2 * Math.max(0, days));
  return { rating, deviation: Math.min(NEW.deviation, phi * SCALE), volatility };
}
