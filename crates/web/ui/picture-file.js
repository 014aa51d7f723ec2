// Decodes picture files with the browser and straightens boards.

// The longest side in pixels that is read; more shows nothing more.
const LONGEST = 1600;
// The most pixels that are decoded, as on the command line.
const MOST_PIXELS = 64_000_000;
const MOST_BYTES = 64 * 1024 * 1024;

// The pixels of a picture file: { data, width, height, canvas }. An error says what is wrong with it.
export async function openPicture(file, texts) {
  const head = new Uint8Array(await file.slice(0, 256 * 1024).arrayBuffer());
  if (file.size > MOST_BYTES) throw new Error(texts.tooLarge);
  const size = sizeOf(head);
  if (size && size[0] * size[1] > MOST_PIXELS) throw new Error(texts.tooLarge);
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => {
    throw new Error(isHeic(head) ? texts.heic : size ? texts.damaged : texts.notAPicture);
  });
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height].map((length) => Math.max(1, Math.round(length * scale)));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  return { data, width, height, canvas };
}

const text = (bytes, from, length) => String.fromCharCode(...bytes.subarray(from, from + length));

const isHeic = (bytes) => text(bytes, 4, 4) === "ftyp" && /^(hei|hev|mif|msf)/.test(text(bytes, 8, 4));

// The width and height in the head of a JPEG, PNG or WebP file, before anything is decoded; null for
// other files.
function sizeOf(bytes) {
  const view = new DataView(bytes.buffer);
  if (text(bytes, 1, 3) === "PNG" && bytes.length > 24) return [view.getUint32(16), view.getUint32(20)];
  if (text(bytes, 8, 4) === "WEBP" && bytes.length > 30) return sizeOfWebp(bytes, view);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 9 < bytes.length; ) {
    const kind = bytes[at + 1];
    if (bytes[at] !== 0xff) break;
    if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return [0, 0];
}

function sizeOfWebp(bytes, view) {
  const three = (at) => (view.getUint16(at, true) | (bytes[at + 2] << 16)) + 1;
  const kind = text(bytes, 12, 4);
  if (kind === "VP8X") return [three(24), three(27)];
  if (kind === "VP8 ") return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  const packed = view.getUint32(21, true);
  return [(packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1];
}

// The width of a cell of a straightened board, in pixels.
const CELL = 60;

// The board alone, upright and without perspective: each cell is drawn from its corners, as two
// triangles.
export function straightened(photo, { cells, side }) {
  const canvas = document.createElement("canvas");
  const size = CELL * side > 960 ? 960 / side : CELL;
  canvas.width = canvas.height = Math.round(size * side);
  const context = canvas.getContext("2d");
  cells.forEach(({ corners: [a, b, c, d] }, index) => {
    const [x, y] = [(index % side) * size, Math.floor(index / side) * size];
    triangle(context, photo, [a, b, d], [[x, y], [x + size, y], [x, y + size]], size);
    triangle(context, photo, [c, d, b], [[x + size, y + size], [x, y + size], [x + size, y]], size);
  });
  return canvas;
}

// Draws a triangle of a picture into a right-angled triangle, whose first corner is the right angle.
function triangle(context, picture, [p, q, r], [to, along, across]) {
  const [ux, uy, vx, vy] = [q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]];
  const area = ux * vy - uy * vx;
  if (!area) return;
  const [ax, ay, bx, by] = [along[0] - to[0], along[1] - to[1], across[0] - to[0], across[1] - to[1]];
  const [m11, m12] = [(ax * vy - bx * uy) / area, (ay * vy - by * uy) / area];
  const [m21, m22] = [(bx * ux - ax * vx) / area, (by * ux - ay * vx) / area];
  context.save();
  context.beginPath();
  // Half a pixel more, so that no seam is visible.
  const grow = (point) => point.map((value, axis) => value + Math.sign(value - (along[axis] + across[axis]) / 2));
  for (const point of [to, along, across].map(grow)) context.lineTo(...point);
  context.clip();
  context.transform(m11, m12, m21, m22, to[0] - m11 * p[0] - m21 * p[1], to[1] - m12 * p[0] - m22 * p[1]);
  context.drawImage(picture, 0, 0);
  context.restore();
}
