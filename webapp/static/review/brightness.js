// Dark photos, made as bright as people need them to see ink.

/** @import { Box } from "./viewer.js" */

/** The cards of a photo are made this bright on average (0 to 1), but never by more than this. */
const WANTED = 0.42;
const MOST = 2.6;
/** So many pixels across are enough to tell how dark a part of a photo is. */
const SAMPLE = 24;

/** Where so many samples are of cards the rest, a cloth or a lamp, does not count. */
const ENOUGH = SAMPLE;

/**
 * Show the photo in `element` as bright as the cards in the part of it about `crop` ask for.
 * @param {HTMLElement} element
 * @param {{ photo: Pick<Api.ReviewPhoto, "width" | "height" | "sizes">, cards: { corners: number[][] }[] }} reading
 * @param {Box} crop
 */
export async function brighten(element, { photo, cards }, crop) {
  const image = new Image();
  image.src = photo.sizes[0].url;
  try {
    await image.decode();
  } catch {
    return; // it is shown as it is
  }
  const scale = image.naturalWidth / photo.width;
  const [left, top, right, bottom] = crop.map((at) => at * scale);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SAMPLE;
  const context = canvas.getContext("2d");
  if (!context || right <= left || bottom <= top) return;
  context.drawImage(image, left, top, right - left, bottom - top, 0, 0, SAMPLE, SAMPLE);
  const pixels = context.getImageData(0, 0, SAMPLE, SAMPLE).data;
  const every = [...Array(SAMPLE * SAMPLE).keys()].map((k) => {
    const x = crop[0] + (((k % SAMPLE) + 0.5) / SAMPLE) * (crop[2] - crop[0]);
    const y = crop[1] + ((Math.floor(k / SAMPLE) + 0.5) / SAMPLE) * (crop[3] - crop[1]);
    const [red, green, blue] = pixels.subarray(4 * k, 4 * k + 3);
    const light = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    return { light, onCard: cards.some(({ corners }) => isWithin([x, y], corners)) };
  });
  const ofCards = every.filter(({ onCard }) => onCard);
  const told = ofCards.length >= ENOUGH ? ofCards : every;
  const mean = told.reduce((sum, { light }) => sum + light, 0) / told.length;
  const factor = Math.min(MOST, Math.max(1, WANTED / Math.max(mean, 0.01)));
  element.style.setProperty("--brighten", factor.toFixed(2));
}

/**
 * Whether a point lies within a convex outline, whichever way it runs.
 * @param {number[]} point
 * @param {number[][]} outline
 */
function isWithin([x, y], outline) {
  const sides = outline.map(([ax, ay], k) => {
    const [bx, by] = outline[(k + 1) % outline.length];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  });
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}
