// How blurred a picture is: its strongest edges are compared with the same ones blurred once more, as
// vision/sharpness.py does it. Plain arithmetic, no page.

/** Binomial weights: a Gaussian blur of variance 2 square pixels. */
const AGAIN = [1, 8, 28, 56, 70, 56, 28, 8, 1].map((weight) => weight / 256);
const VARIANCE = 2;
const STRONGEST = 0.05;
const LEAST_SLOPE = 12;
const LEAST_EDGES = 200;

/**
 * The standard deviation, in pixels, of the blur of a grey picture's edges; null where it has no edges.
 * @param {Float32Array} grey
 * @param {number} width
 * @returns {number | null}
 */
export function blurOf(grey, width) {
  const sharp = slopes(grey, width);
  const blurred = slopes(blurAgain(blurAgain(grey, width, 1), width, width), width);
  const order = Float32Array.from(sharp).sort();
  const least = Math.max(order[Math.floor((1 - STRONGEST) * (order.length - 1))], LEAST_SLOPE);
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
 * @param {Float32Array} grey
 * @param {number} width
 */
function slopes(grey, width) {
  const made = new Float32Array(grey.length);
  const height = grey.length / width;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const i = y * width + x;
      const along = x > 0 && x < width - 1 ? (grey[i + 1] - grey[i - 1]) / 2 : 0;
      const down = y > 0 && y < height - 1 ? (grey[i + width] - grey[i - width]) / 2 : 0;
      made[i] = Math.hypot(along, down);
    }
  }
  return made;
}
