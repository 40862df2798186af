// How blurred a picture is: its strongest edges are compared with the same ones blurred once more, as the reader
// does it. Plain arithmetic, no page.

/** Binomial weights: a Gaussian blur of variance 2 square pixels. */
const AGAIN = [1, 8, 28, 56, 70, 56, 28, 8, 1].map((weight) => weight / 256);
const VARIANCE = 2;
const STRONGEST = 0.05;
const LEAST_SLOPE = 12;
const LEAST_EDGES = 200;

/**
 * The standard deviation, in pixels, of the blur of a grey picture's edges, of those along or of those down, whichever
 * are blurred more: a hand moves one way. Null where it has no such edges.
 * @param {Float32Array} grey
 * @param {number} width
 * @returns {number | null}
 */
export function blurOf(grey, width) {
  const again = blurAgain(blurAgain(grey, width, 1), width, width);
  const along = blurOfSlopes(slopes(grey, width, 1), slopes(again, width, 1));
  const down = blurOfSlopes(slopes(grey, width, width), slopes(again, width, width));
  return along === null || down === null ? null : Math.max(along, down);
}

/**
 * @param {Float32Array} sharp
 * @param {Float32Array} blurred
 */
function blurOfSlopes(sharp, blurred) {
  const order = Float32Array.from(sharp).sort();
  const least = Math.max(order[Math.floor((1 - STRONGEST) * (order.length - 1))], 2 * LEAST_SLOPE);
  const ratios = [];
  for (let i = 0; i < sharp.length; i += 1) {
    if (sharp[i] >= least) ratios.push(sharp[i] / Math.max(blurred[i], 1e-3));
  }
  if (ratios.length < LEAST_EDGES) return null;
  ratios.sort((a, b) => a - b);
  const ratio = ratios[ratios.length >> 1];
  return Math.sqrt(VARIANCE / Math.max(ratio * ratio - 1, 1e-3));
}

/**
 * @param {Float32Array} grey
 * @param {number} width
 * @param {number} step to the next pixel: 1 along, `width` down
 */
function blurAgain(grey, width, step) {
  const made = new Float32Array(grey.length);
  const height = grey.length / width;
  const last = (step === 1 ? width : height) - 1;
  for (let i = 0; i < grey.length; i += 1) {
    const at = step === 1 ? i % width : Math.floor(i / width);
    let sum = 0;
    for (let k = -4; k <= 4; k += 1) {
      // Mirrored at the rim.
      const there = Math.min(last, Math.abs(at + k)) - Math.max(0, at + k - last);
      sum += AGAIN[k + 4] * grey[i + (there - at) * step];
    }
    made[i] = sum;
  }
  return made;
}

/**
 * How much the picture changes over 2 pixels in a direction; the rim has none.
 * @param {Float32Array} grey
 * @param {number} width
 * @param {number} step to the next pixel: 1 along, `width` down
 */
function slopes(grey, width, step) {
  const made = [];
  for (let i = step; i < grey.length - step; i += 1) {
    const x = i % width;
    if (step === 1 && (x === 0 || x === width - 1)) continue;
    made.push(Math.abs(grey[i + step] - grey[i - step]));
  }
  return Float32Array.from(made);
}
