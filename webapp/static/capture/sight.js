// What the viewfinder makes of the cards that the server saw: where they are by now, and whether all is well for
// a photo. Plain arithmetic, no page.
import { change } from "./steady.js";

/** A card's longer side in the photo, in pixels, below which its line is read at a guess. */
const LEAST_CARD_PX = 200;
/** A card is cut off when a corner lies this share of the picture beyond it: so far the first look may be off. */
const CUT_OFF = 0.01;
/** Blur (see sharpness.js) that hides thin lines, in a picture in which a card is `CARD_PX` long: 0.45 mm. */
export const CARD_PX = 350;
const MOST_BLUR = 1.75;
/** A card is missed in a look now and then: so many looks are to be well in succession, and without one cut off. */
const WELL_LOOKS = 2;
const LOOKS_WITHOUT_CUT = 3;
/** How far, in pixels of the small grey picture, a hand moves between two of them at most. */
const REACH = 4;

/**
 * @typedef {{ cards: number[][][], apart: number[] }} Seen four [x, y] each, as shares of the picture
 * @typedef {"no-card" | "cut" | "closer" | "blurred" | "well"} Verdict
 */

/**
 * By how many pixels a small grey picture has moved since an earlier one: {dx, dy}, sought around `from`, and
 * `left`, the mean change of a pixel that this does not explain.
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @param {number} width
 * @param {{ dx: number, dy: number }} from
 */
export function shiftOf(before, after, width, from) {
  let best = { dx: 0, dy: 0, left: change(before, after) };
  for (let dy = from.dy - REACH; dy <= from.dy + REACH; dy += 1) {
    for (let dx = from.dx - REACH; dx <= from.dx + REACH; dx += 1) {
      const left = leftOver(before, after, width, dx, dy);
      // A still picture stays where it is: of two as good the nearer.
      if (left < best.left * 0.97) best = { dx, dy, left };
    }
  }
  return best;
}

/**
 * The mean change of every other pixel of every other row where the two pictures overlap.
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @param {number} width
 * @param {number} dx
 * @param {number} dy
 */
function leftOver(before, after, width, dx, dy) {
  const height = before.length / width;
  let [sum, count] = [0, 0];
  for (let y = Math.max(0, -dy); y < Math.min(height, height - dy); y += 2) {
    for (let x = Math.max(0, -dx); x < Math.min(width, width - dx); x += 2) {
      sum += Math.abs(after[(y + dy) * width + x + dx] - before[y * width + x]);
      count += 1;
    }
  }
  // Too little overlap tells nothing.
  return count > before.length / 8 ? sum / count : Infinity;
}

/** @param {Seen} seen */
export const together = ({ cards, apart }) => cards.filter((_, number) => !apart.includes(number));

/**
 * Whether a part of a card lies beyond the picture.
 * @param {number[][]} card
 */
export const isCut = (card) => card.some((corner) => corner.some((at) => at < -CUT_OFF || at > 1 + CUT_OFF));

/**
 * The length of a card's longest side in a picture of this size.
 * @param {number[][]} card
 * @param {{ width: number, height: number }} size
 */
export function lengthOf(card, { width, height }) {
  const sides = card.map(([x, y], k) => {
    const [right, down] = card[(k + 1) % card.length];
    return Math.hypot((right - x) * width, (down - y) * height);
  });
  return Math.max(...sides);
}

/**
 * What is to be bettered before a photo of these cards, the worst first. `blur` is that of a picture in which the cards
 * are `CARD_PX` long; undefined where nobody has looked.
 * @param {Seen} seen
 * @param {{ width: number, height: number }} size of the photo
 * @param {number | null} [blur]
 * @returns {Verdict}
 */
export function judge(seen, size, blur) {
  const cards = together(seen);
  if (!cards.length) return "no-card";
  if (cards.some(isCut)) return "cut";
  if (Math.min(...cards.map((card) => lengthOf(card, size))) < LEAST_CARD_PX) return "closer";
  return blur === null || (blur !== undefined && blur > MOST_BLUR) ? "blurred" : "well";
}

/** What the looks for cards so far say together. Looks, not seconds: a busy server looks less often. */
export class Looks {
  #well = 0;
  #sinceCut = LOOKS_WITHOUT_CUT;

  /**
   * One more look.
   * @param {Verdict} verdict
   */
  take(verdict) {
    this.#well = verdict === "well" ? this.#well + 1 : 0;
    this.#sinceCut = verdict === "cut" ? 0 : this.#sinceCut + 1;
  }

  /** Whether a card was seen cut off so shortly ago that the looks since may have missed it. */
  get mayBeCut() {
    return this.#sinceCut < LOOKS_WITHOUT_CUT;
  }

  /** How much of what is to be seen before a photo takes itself has been seen, 0 to 1. */
  get share() {
    return this.mayBeCut ? 0 : Math.min(1, this.#well / WELL_LOOKS);
  }
}
