// QR codes, so that a printed puzzle opens on a phone: bytes with error correction of level M, as
// ISO/IEC 18004 defines them, for texts of up to 362 bytes.

// For each version from 1 to 14: the error correction codewords of a block, and the number of
// blocks.
const BLOCKS = [[10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5], [30, 5], [22, 8], [22, 9], [24, 9]];

// The rows of the code, true for dark; null for a text that is too long.
export function qrCode(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex((_, index) => bytes.length <= room(index + 1)) + 1;
  if (version === 0) return null;
  const code = frameOf(version);
  fillIn(code, codewords(bytes, version));
  // The mask that leaves the fewest equal neighbours is the easiest one to read.
  const masked = MASKS.map((mask, index) => withMask(code, mask, index));
  return masked.reduce((best, next) => (penalty(next) < penalty(best) ? next : best));
}

// The number of all codewords, from the number of modules that are not part of a pattern.
function capacity(version) {
  const aligned = Math.floor(version / 7) + 2;
  const patterns = version < 2 ? 0 : (25 * aligned - 10) * aligned - 55 + (version < 7 ? 0 : 36);
  return Math.floor(((16 * version + 128) * version + 64 - patterns) / 8);
}

const dataLength = (version) => capacity(version) - BLOCKS[version - 1][0] * BLOCKS[version - 1][1];

// The mode takes four bits, the length eight or, from version 10 on, sixteen.
const room = (version) => dataLength(version) - (version < 10 ? 2 : 3);

// Data and error correction, block by block, interleaved.
function codewords(bytes, version) {
  const [checks, count] = BLOCKS[version - 1];
  const bits = [[4, 4], [bytes.length, version < 10 ? 8 : 16], ...bytes.map((byte) => [byte, 8]), [0, 4]].map(([value, width]) => value.toString(2).padStart(width, "0")).join("");
  const data = bits.match(/.{8}/g).map((octet) => parseInt(octet, 2));
  while (data.length < dataLength(version)) data.push(...[0xec, 0x11].slice(0, dataLength(version) - data.length));
  const short = Math.floor(data.length / count);
  const firstLong = count - (data.length % count);
  const blocks = Array.from({ length: count }, (_, index) => data.splice(0, short + (index >= firstLong ? 1 : 0)));
  const corrections = blocks.map((block) => remainder(block, checks));
  const woven = (parts) => Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, at) => parts.flatMap((part) => (at < part.length ? [part[at]] : []))).flat();
  return [...woven(blocks), ...woven(corrections)];
}

// Multiplication in the field of 256 elements.
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

// Reed-Solomon: the remainder of the data divided by the product of (x - 2^k).
function remainder(data, degree) {
  const divisor = [...Array(degree - 1).fill(0), 1];
  for (let k = 0, root = 1; k < degree; k += 1, root = times(root, 2)) {
    for (let at = 0; at < degree; at += 1) divisor[at] = times(divisor[at], root) ^ (divisor[at + 1] ?? 0);
  }
  const rest = Array(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    for (let at = 0; at < degree; at += 1) rest[at] ^= times(divisor[at], factor);
  }
  return rest;
}

// The fixed patterns. Modules for data are null.
function frameOf(version) {
  const side = 17 + 4 * version;
  const rows = Array.from({ length: side }, () => Array(side).fill(null));
  const draw = (row, column, dark) => {
    if (row >= 0 && column >= 0 && row < side && column < side) rows[row][column] = dark;
  };
  const square = (row, column, radius, isDark) => {
    for (let down = -radius; down <= radius; down += 1) {
      for (let right = -radius; right <= radius; right += 1) draw(row + down, column + right, isDark(Math.max(Math.abs(down), Math.abs(right))));
    }
  };
  for (let at = 0; at < side; at += 1) {
    draw(6, at, at % 2 === 0);
    draw(at, 6, at % 2 === 0);
  }
  for (const [row, column] of [[3, 3], [3, side - 4], [side - 4, 3]]) square(row, column, 4, (ring) => ring !== 2 && ring !== 4);
  const places = alignment(version, side);
  const last = places.length - 1;
  places.forEach((row, i) => places.forEach((column, j) => {
    const isCorner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
    if (!isCorner) square(row, column, 2, (ring) => ring !== 1);
  }));
  drawFormat(rows, 0);
  if (version >= 7) {
    const bits = (version << 12) | rest(version << 12, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit += 1) {
      const [near, far] = [Math.floor(bit / 3), side - 11 + (bit % 3)];
      draw(near, far, Boolean((bits >> bit) & 1));
      draw(far, near, Boolean((bits >> bit) & 1));
    }
  }
  return { rows, isData: rows.map((row) => row.map((module) => module === null)) };
}

function alignment(version, side) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((4 * version + 4) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => side - 7 - step * (count - 2 - at))];
}

// The remainder of a division of polynomials over two elements.
function rest(value, divisor, degree) {
  let left = value;
  for (let bit = 31 - Math.clz32(left); bit >= degree; bit = 31 - Math.clz32(left)) left ^= divisor << (bit - degree);
  return left;
}

// Level M, which is 00, and the mask, twice.
function drawFormat(rows, mask) {
  const side = rows.length;
  const bits = ((mask << 10) | rest(mask << 10, 0x537, 10)) ^ 0x5412;
  const dark = (bit) => Boolean((bits >> bit) & 1);
  const near = [0, 1, 2, 3, 4, 5, 7, 8];
  for (let bit = 0; bit < 8; bit += 1) rows[near[bit]][8] = dark(bit);
  for (let bit = 8; bit < 15; bit += 1) rows[8][bit === 8 ? 7 : 14 - bit] = dark(bit);
  for (let bit = 0; bit < 8; bit += 1) rows[8][side - 1 - bit] = dark(bit);
  for (let bit = 8; bit < 15; bit += 1) rows[side - 15 + bit][8] = dark(bit);
  rows[side - 8][8] = true;
}

// Writes the bits upwards and downwards in pairs of columns, from the right; column 6 is a pattern.
function fillIn({ rows, isData }, words) {
  const side = rows.length;
  let bit = 0;
  for (let right = side - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < side; step += 1) {
      const isUp = ((right + 1) & 2) === 0;
      const row = (right < 6 ? !isUp : isUp) ? side - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (!isData[row][column]) continue;
        rows[row][column] = Boolean(((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
        bit += 1;
      }
    }
  }
}

const MASKS = [
  (row, column) => (row + column) % 2, (row) => row % 2, (_, column) => column % 3, (row, column) => (row + column) % 3,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2, (row, column) => ((row * column) % 2) + ((row * column) % 3),
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2, (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2,
];

function withMask({ rows, isData }, mask, index) {
  const masked = rows.map((line, row) => line.map((dark, column) => dark !== (isData[row][column] && mask(row, column) === 0)));
  drawFormat(masked, index);
  return masked;
}

// Squares of four equal modules, and how far the share of dark modules is from a half.
function penalty(rows) {
  const squares = rows.slice(1).reduce((sum, row, at) => sum + row.filter((dark, column) => column > 0 && [row[column - 1], rows[at][column], rows[at][column - 1]].every((other) => other === dark)).length, 0);
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2;
  return 3 * squares + 200 * Math.abs(dark - 0.5);
}

const SVG = "http://www.w3.org/2000/svg";

// The code as a picture with its quiet zone; null for a text that is too long.
export function qrPicture(text) {
  const rows = qrCode(text);
  if (!rows) return null;
  const svg = document.createElementNS(SVG, "svg");
  const side = rows.length + 8;
  svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
  svg.setAttribute("class", "qr");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", rows.flatMap((line, row) => line.flatMap((dark, column) => (dark ? [`M${column + 4} ${row + 4}h1v1h-1z`] : []))).join(""));
  svg.append(path);
  return svg;
}
