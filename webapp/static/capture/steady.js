// Whether a hand is still, and whether there is something to see: from small grey pictures of the camera and
// from the device's tilt. Plain arithmetic, no page.

/** @typedef {{ beta: number, gamma: number }} Tilt degrees */

export const GREY_WIDTH = 96;
/** Mean change of a pixel (0 to 255) between two looks that a still hand stays under, camera noise included. */
const STILL_CHANGE = 3.5;
/** Degrees that a still hand may sway. */
const STILL_DEGREES = 2;
/** Mean brightness under which cards are not read well. */
const DARK = 45;
/** Spread of brightness that any table with cards has. */
const EMPTY_SPREAD = 14;
/** Degrees from level beyond which the photo does not take itself. */
export const MAX_TILT = 30;
const STEADY_MS = 800;

/**
 * Grey values of an RGBA picture.
 * @param {Uint8ClampedArray} rgba
 */
export function toGrey(rgba) {
  const grey = new Float32Array(rgba.length / 4);
  for (let i = 0; i < grey.length; i += 1) {
    grey[i] = 0.299 * rgba[4 * i] + 0.587 * rgba[4 * i + 1] + 0.114 * rgba[4 * i + 2];
  }
  return grey;
}

/**
 * Mean and spread (standard deviation) of grey values.
 * @param {Float32Array} grey
 */
export function brightness(grey) {
  let sum = 0;
  let squares = 0;
  for (const value of grey) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / grey.length;
  return { mean, spread: Math.sqrt(Math.max(0, squares / grey.length - mean * mean)) };
}

/**
 * Mean brightness within the box around some points, [x, y] as shares of the picture; undefined where that is empty.
 * @param {Float32Array} grey
 * @param {number} width
 * @param {number[][]} points
 */
export function brightnessWithin(grey, width, points) {
  const sizes = [width, grey.length / width];
  const [columns, rows] = sizes.map((size, axis) => {
    const along = points.map((point) => point[axis] * size);
    return [Math.max(0, Math.floor(Math.min(...along))), Math.min(size, Math.ceil(Math.max(...along)))];
  });
  let [sum, count] = [0, 0];
  for (let y = rows[0]; y < rows[1]; y += 1) {
    for (let x = columns[0]; x < columns[1]; x += 1) {
      sum += grey[y * width + x];
      count += 1;
    }
  }
  return count ? sum / count : undefined;
}

/**
 * How much the picture changed, apart from its brightness as a whole (the camera's exposure).
 * @param {Float32Array} before
 * @param {Float32Array} after
 */
export function change(before, after) {
  const shift = brightness(after).mean - brightness(before).mean;
  let sum = 0;
  for (let i = 0; i < after.length; i += 1) sum += Math.abs(after[i] - before[i] - shift);
  return sum / after.length;
}

/**
 * Degrees between the camera's axis and straight down, for a device turned by `beta` and `gamma`.
 * @param {Tilt} tilt
 */
export function tiltOf({ beta, gamma }) {
  const radians = Math.PI / 180;
  const down = Math.cos(beta * radians) * Math.cos(gamma * radians);
  return Math.acos(Math.min(1, Math.max(-1, down))) / radians;
}

/**
 * Watches for a steady hand. `look(grey, tilt, time, light)` takes one small picture, the tilt ({beta, gamma} in
 * degrees, null where the device has no sensor), the time in ms, and how bright it is where the cards lie, if that is
 * known; it gives {state, share}: `state` is one of dark, tilted, moving, still, and `share` how much of the time that
 * a hand must be still has passed.
 */
export class Steadiness {
  /** @type {Float32Array | null} */
  #grey = null;
  /** @type {Tilt | null} */
  #tilt = null;
  /** @type {number | null} */
  #since = null;

  /**
   * @param {Float32Array} grey
   * @param {Tilt | null} tilt
   * @param {number} time
   * @param {number} [light]
   */
  look(grey, tilt, time, light) {
    const before = this.#grey;
    const { mean, spread } = brightness(grey);
    const moved = !before || before.length !== grey.length || change(before, grey) > STILL_CHANGE;
    const swayed =
      tilt && this.#tilt
        ? Math.max(Math.abs(tilt.beta - this.#tilt.beta), Math.abs(tilt.gamma - this.#tilt.gamma)) >
          STILL_DEGREES
        : false;
    this.#grey = grey;
    const state = this.#stateOf(light ?? mean, spread, tilt, moved || swayed);
    if (state !== "still") {
      this.#since = null;
      this.#tilt = tilt;
      return { state, share: 0 };
    }
    this.#since ??= time;
    this.#tilt ??= tilt;
    return { state, share: Math.min(1, (time - this.#since) / STEADY_MS) };
  }

  /**
   * @param {number} light
   * @param {number} spread
   * @param {Tilt | null} tilt
   * @param {boolean} moving
   */
  #stateOf(light, spread, tilt, moving) {
    if (light < DARK) return "dark";
    if (tilt && tiltOf(tilt) > MAX_TILT) return "tilted";
    return moving || spread < EMPTY_SPREAD ? "moving" : "still";
  }

  /** Begin anew. */
  reset() {
    this.#grey = this.#tilt = this.#since = null;
  }
}
