// Dark photos, made as bright as people need them to see ink.

/** @import { Box } from "./viewer.js" */

/** A photo is made this bright on average (0 to 1), but never by more than this. */
const WANTED = 0.42;
const MOST = 2.6;
/** So many pixels across are enough to tell how dark a part of a photo is. */
const SAMPLE = 24;

/**
 * Show the photo in `element` as bright as the part of it about `crop` asks for.
 * @param {HTMLElement} element
 * @param {Pick<Api.ReviewPhoto, "width" | "height" | "sizes">} photo
 * @param {Box} crop
 */
export async function brighten(element, photo, crop) {
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
  let sum = 0;
  for (let k = 0; k < pixels.length; k += 4)
    sum += 0.2126 * pixels[k] + 0.7152 * pixels[k + 1] + 0.0722 * pixels[k + 2];
  const mean = sum / (SAMPLE * SAMPLE * 255);
  const factor = Math.min(MOST, Math.max(1, WANTED / Math.max(mean, 0.01)));
  element.style.setProperty("--brighten", factor.toFixed(2));
}
