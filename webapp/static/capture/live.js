// The viewfinder: the rear camera with a frame to bring the cards into, a level, and a shutter that goes off by
// itself when the cards are whole, sharp and still. Where the cards are the server says of a small picture, twice a
// second; between two looks their outlines follow the picture. Light, sharpness and the hand are judged here. The photo
// is the camera's own still where the browser has one.
import { api, t } from "../app.js";
import { must, there } from "../elements.js";
import { watch } from "../watch.js";
import { bring, goOn } from "./capture.js";
import { watchOthers } from "./others.js";
import { blurOf } from "./sharpness.js";
import { CARD_PX, Looks, isCut, judge, lengthOf, shiftOf, together } from "./sight.js";
import { GREY_WIDTH, MAX_TILT, Steadiness, brightnessWithin, tiltOf, toGrey } from "./steady.js";

const LOOK_MS = 100;
/** Some devices never answer `takePhoto`. */
const STILL_WAIT_MS = 5_000;
const JPEG_QUALITY = 0.95;
/**
 * The picture in which the server looks for cards: its longer side (in a smaller one cards that are cut off are
 * missed), its quality, and the pauses between.
 */
const FRAME_PX = 1_200;
const FRAME_QUALITY = 0.7;
const FRAME_PAUSE_MS = 500;
const BUSY_PAUSE_MS = 1_000;
/** The outlines are those of a picture; with so much change that its moving does not explain it is another one. */
const SAME_PICTURE = 8;
/** Sharpness is looked for in a square of the cards, this often. */
const SQUARE_PX = 256;
const SHARPNESS_MS = 250;
/** What is said stays so long: words that flicker are not read, and a screen reader would not end. */
const HINT_MS = 900;
const AUTO = "waymark-auto-shot";
/** What is to be done before a photo, by what is amiss. */
const TO_BETTER = {
  "no-card": t("No card is seen: closer, please."),
  closer: t("Closer: the cards are too small."),
  cut: t("A card is cut off: get all of it into the picture."),
  blurred: t("The picture is blurred: hold still until it is sharp."),
};
const NO_CAMERA = t("No camera was found on this device; use the button below.");

/**
 * @import { Tilt } from "./steady.js"
 * @import { Seen } from "./sight.js"
 * @typedef {{ beta: number | null, gamma: number | null }} Turned
 * @typedef {MediaTrackCapabilities & { torch?: boolean }} CameraCapabilities
 * @typedef {{ takePhoto: (settings?: object) => Promise<Blob>,
 *   getPhotoCapabilities: () => Promise<Record<"imageWidth" | "imageHeight", { max: number }>> }} StillCamera
 */

const section = must(document, "[data-live]");
const part = (/** @type {string} */ name) => must(document, `[data-live-${name}]`);
const button = (/** @type {string} */ name) => must(document, `[data-live-${name}]`, HTMLButtonElement);
const drawing = (/** @type {string} */ name) => must(document, `[data-live-${name}]`, SVGElement);
const video = must(section, "video", HTMLVideoElement);
const small = document.createElement("canvas");
const square = document.createElement("canvas");
square.width = square.height = SQUARE_PX;
const steadiness = new Steadiness();
const target = { ...section.dataset };

/** @type {MediaStreamTrack | null} */
let track = null;
/** @type {Tilt | null} */
let tilt = null;
let busy = false;
/** @type {Float32Array | null} */
let grey = null;
/** The cards of the last look, in which picture, and how far that has moved since; null where nobody knows. */
/** @type {Seen & { grey: Float32Array, dx: number, dy: number } | null} */
let seen = null;
const looks = new Looks();
/** Whether the last look brought no answer. */
let blind = false;
/** The blur of the cards, and when it was measured. */
/** @type {{ blur: number | null, at: number } | null} */
let sharpness = null;
let auto = readAuto();

function readAuto() {
  try {
    return localStorage.getItem(AUTO) !== "off";
  } catch {
    return true;
  }
}

/** @param {string} why */
function missing(why) {
  section.hidden = true;
  part("missing").hidden = false;
  part("why").textContent = why;
}

let hinted = "";
let hintedAt = -HINT_MS;
/** @param {string} text */
function say(text) {
  if (text === hinted) return;
  hinted = text;
  hintedAt = performance.now();
  part("hint").textContent = text;
}

/**
 * Say it unless what was said last still stands.
 * @param {string} text
 */
function hint(text) {
  if (performance.now() - hintedAt >= HINT_MS) say(text);
}

async function startCamera() {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: 4096 }, height: { ideal: 3072 } },
  });
  [track] = stream.getVideoTracks();
  const can = /** @type {CameraCapabilities} */ (track.getCapabilities?.() ?? {});
  if (can.width?.max && can.height?.max) {
    const largest = { width: { ideal: can.width.max }, height: { ideal: can.height.max } };
    await track.applyConstraints(largest).catch(() => {});
  }
  part("torch").hidden = !can.torch;
  video.srcObject = stream;
  await video.play();
  steadiness.reset();
}

function stopCamera() {
  if (video.srcObject instanceof MediaStream) video.srcObject.getTracks().forEach((each) => each.stop());
  video.srcObject = null;
  track = null;
}

async function start() {
  if (!navigator.mediaDevices?.getUserMedia)
    return missing(
      t(
        'Browsers allow a live camera on https pages only: start Waymark with "waymark serve --https" and open its address. The button below works without it.',
      ),
    );
  section.hidden = false;
  say(t("Starting the camera"));
  try {
    await startCamera();
  } catch (error) {
    stopCamera();
    /** @type {Record<string, string>} */
    const reasons = {
      NotAllowedError: t(
        "The camera was not allowed: allow it for this page in the browser's settings, or use the button below.",
      ),
      NotReadableError: t("The camera is used by another app; close that one and load this page again."),
      AbortError: t("The camera is used by another app; close that one and load this page again."),
    };
    return missing((error instanceof Error && reasons[error.name]) || NO_CAMERA);
  }
  say(t("Bring all cards into the frame."));
  setInterval(look, LOOK_MS);
  watch(lookForCards, { every: () => (blind ? BUSY_PAUSE_MS : FRAME_PAUSE_MS) });
  // A photo of the same cards is there: the next one is taken by whoever wants one more.
  watchOthers(target, () => setAuto(false));
}

/** Have the server look where there are cards. */
async function lookForCards() {
  if (!track || busy || !grey) return;
  const before = grey;
  try {
    const form = new FormData();
    form.append("photo", await smallFrame(), "frame.jpg");
    if (target.entry) form.append("entry_id", target.entry);
    else if (target.tableau) form.append("tableau_id", target.tableau);
    const found = await api("POST", "/outlines", form);
    blind = found.busy;
    seen = found.busy ? null : { ...found, grey: before, dx: 0, dy: 0 };
    if (seen) looks.take(judge(seen, sizeOfPhoto()));
  } catch {
    // It can be photographed without.
    blind = true;
    seen = null;
  }
  follow();
}

const sizeOfPhoto = () => ({ width: video.videoWidth, height: video.videoHeight });

/** @returns {Promise<Blob>} */
function smallFrame() {
  const { videoWidth: width, videoHeight: height } = video;
  const scale = Math.min(1, FRAME_PX / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  brushOf(canvas).drawImage(video, 0, 0, canvas.width, canvas.height);
  return encoded(canvas, FRAME_QUALITY);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
function brushOf(canvas, settings) {
  return there(canvas.getContext("2d", settings), "canvas");
}

/**
 * What is drawn on a canvas as a JPEG.
 * @param {HTMLCanvasElement} canvas
 * @param {number} quality
 * @returns {Promise<Blob>}
 */
function encoded(canvas, quality) {
  return new Promise((resolve, reject) => {
    /** @type {BlobCallback} */
    const done = (blob) => (blob ? resolve(blob) : reject(new Error("no picture")));
    canvas.toBlob(done, "image/jpeg", quality);
  });
}

/** Move the outlines along with the picture; another picture has none. */
function follow() {
  if (seen && grey) {
    const { left, ...moved } = shiftOf(seen.grey, grey, GREY_WIDTH, seen);
    seen = left > SAME_PICTURE ? null : { ...seen, ...moved };
  }
  drawOutlines();
}

/** The cards where they are now. @returns {Seen | null} */
function cardsNow() {
  if (!seen) return null;
  const [right, down] = [seen.dx / small.width, seen.dy / small.height];
  return {
    cards: seen.cards.map((card) => card.map(([x, y]) => [x + right, y + down])),
    apart: seen.apart,
  };
}

function drawOutlines() {
  const { videoWidth: width, videoHeight: height } = video;
  const now = cardsNow() ?? { cards: [], apart: [] };
  const ours = together(now);
  /** @param {number[][]} card */
  const corners = (card) => card.map(([x, y]) => `${x * width} ${y * height}`).join("L");
  /** @type {(name: string, cards: number[][][]) => void} */
  const draw = (name, cards) =>
    drawing(name).setAttribute("d", cards.map((card) => `M${corners(card)}Z`).join(""));
  draw(
    "cards",
    ours.filter((card) => !isCut(card)),
  );
  draw("cut", ours.filter(isCut));
  draw(
    "apart",
    now.cards.filter((card) => !ours.includes(card)),
  );
}

/**
 * How blurred the cards are, looked at now and then.
 * @param {Seen} now
 */
function blurNow(now) {
  const time = performance.now();
  if (sharpness && time - sharpness.at < SHARPNESS_MS) return sharpness.blur;
  const { videoWidth: width, videoHeight: height } = video;
  const middles = together(now).map((card) => ({
    length: lengthOf(card, { width, height }),
    x: (card.reduce((sum, corner) => sum + corner[0], 0) / card.length) * width,
    y: (card.reduce((sum, corner) => sum + corner[1], 0) / card.length) * height,
  }));
  const off = (/** @type {{ x: number, y: number }} */ { x, y }) => Math.hypot(x - width / 2, y - height / 2);
  const { length, x, y } = middles.reduce((best, each) => (off(each) < off(best) ? each : best));
  const side = SQUARE_PX / Math.min(1, CARD_PX / length);
  const within = (/** @type {number} */ at, /** @type {number} */ most) =>
    Math.max(0, Math.min(at - side / 2, most - side));
  const brush = brushOf(square, { willReadFrequently: true });
  brush.drawImage(video, within(x, width), within(y, height), side, side, 0, 0, SQUARE_PX, SQUARE_PX);
  const blur = blurOf(toGrey(brush.getImageData(0, 0, SQUARE_PX, SQUARE_PX).data), SQUARE_PX);
  sharpness = { blur, at: time };
  return blur;
}

function look() {
  if (busy || !track || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
  small.width = GREY_WIDTH;
  small.height = Math.round((GREY_WIDTH * video.videoHeight) / video.videoWidth);
  const brush = brushOf(small, { willReadFrequently: true });
  brush.drawImage(video, 0, 0, small.width, small.height);
  grey = toGrey(brush.getImageData(0, 0, small.width, small.height).data);
  follow();
  const now = cardsNow();
  const light = now ? brightnessWithin(grey, small.width, together(now).flat()) : undefined;
  const { state, share } = steadiness.look(grey, tilt, performance.now(), light);
  let verdict = now && judge(now, sizeOfPhoto());
  if (now && verdict === "well" && state === "still") verdict = judge(now, sizeOfPhoto(), blurNow(now));
  if (verdict === "well" && looks.mayBeCut) verdict = "cut";
  const ready = auto && state === "still" && verdict === "well";
  if (state === "dark") hint(t("Too dark: more light, please."));
  else if (state === "tilted" && auto) hint(t("Hold the device level above the cards."));
  else if (verdict && verdict !== "well") hint(TO_BETTER[verdict]);
  else if (ready) hint(t("Hold still"));
  else if (now) hint(t("Cards seen: %(count)s", { count: together(now).length }));
  else if (blind && auto)
    hint(t("The cards cannot be checked just now: press the shutter when all of them are in the frame."));
  else hint(t("Bring all cards into the frame."));
  const done = ready ? Math.min(share, looks.share) : 0;
  drawRing(done);
  if (done >= 1) shoot();
}

/** The frame lies on the picture, however much of the screen that fills. */
function drawGuide() {
  const { videoWidth: width, videoHeight: height } = video;
  const guide = drawing("guide");
  guide.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const [edge, arm] = [Math.min(width, height) * 0.04, Math.min(width, height) * 0.14];
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} right
   * @param {number} down
   */
  const corner = (x, y, right, down) => `M${x} ${y + down * arm}V${y}H${x + right * arm}`;
  const path = [
    corner(edge, edge, 1, 1),
    corner(width - edge, edge, -1, 1),
    corner(width - edge, height - edge, -1, -1),
    corner(edge, height - edge, 1, -1),
  ];
  drawing("frame").setAttribute("d", path.join(""));
}

/** @param {number} share */
function drawRing(share) {
  drawing("ring").setAttribute("stroke-dasharray", `${share} 1`);
}

/**
 * The camera's still at its largest, else the video's own picture.
 * @returns {Promise<Blob>}
 */
async function takeStill() {
  const Camera = /** @type {{ ImageCapture?: new (track: MediaStreamTrack | null) => StillCamera }} */ (
    window
  ).ImageCapture;
  if (Camera) {
    /** @type {Promise<never>} */
    const late = new Promise((_, reject) => setTimeout(reject, STILL_WAIT_MS, new Error("late")));
    try {
      return await Promise.race([largestStill(new Camera(track)), late]);
    } catch {
      // The video's picture will do.
    }
  }
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  brushOf(canvas).drawImage(video, 0, 0);
  return encoded(canvas, JPEG_QUALITY);
}

/** @param {StillCamera} camera */
async function largestStill(camera) {
  try {
    const { imageWidth, imageHeight } = await camera.getPhotoCapabilities();
    return await camera.takePhoto({ imageWidth: imageWidth.max, imageHeight: imageHeight.max });
  } catch {
    return camera.takePhoto();
  }
}

async function shoot() {
  if (busy || !track) return;
  busy = true;
  button("shutter").disabled = true;
  say(t("Taking the photo"));
  try {
    const still = await takeStill();
    section.classList.add("live-taken");
    video.pause();
    say(t("Sending the photo"));
    const ending = still.type === "image/png" ? "png" : "jpg";
    const file = new File([still], `viewfinder.${ending}`, { type: still.type });
    const answers = await bring([file], target, drawRing);
    // Back leads to the player from whom the viewfinder was opened, not into the camera again.
    goOn(answers, target, (address) => location.replace(address));
    if (answers.length) return;
  } catch (error) {
    console.warn("no still", error);
  }
  // It waits in the tray, or there was none: on with the next one, by hand so that it does not repeat itself.
  setAuto(false);
  section.classList.remove("live-taken");
  await video.play().catch(() => {});
  steadiness.reset();
  drawRing(0);
  button("shutter").disabled = false;
  busy = false;
}

/** @param {boolean} on */
function setAuto(on) {
  auto = on;
  part("auto").setAttribute("aria-pressed", String(on));
  steadiness.reset();
  // What was said before the tap need not stand.
  hintedAt = -HINT_MS;
  drawRing(0);
}

/** @param {Turned} event */
function showTilt(event) {
  if (event.beta === null || event.gamma === null) return;
  tilt = { beta: event.beta, gamma: event.gamma };
  const level = must(document, "[data-live-level]", Element);
  // An SVG element has the attribute alone.
  level.removeAttribute("hidden");
  level.classList.toggle("level", tiltOf(tilt) < MAX_TILT / 5);
  // The dot runs to the rim at the tilt that stops the shutter.
  const run = (/** @type {number} */ degrees) => Math.max(-1, Math.min(1, degrees / MAX_TILT)) * 31;
  // The sensor counts along the device, the dot runs along the screen, which turns.
  const turn = ((screen.orientation?.angle ?? 0) * Math.PI) / 180;
  const { beta, gamma } = tilt;
  drawing("dot").setAttribute("cx", String(run(gamma * Math.cos(turn) + beta * Math.sin(turn))));
  drawing("dot").setAttribute("cy", String(run(beta * Math.cos(turn) - gamma * Math.sin(turn))));
}

function initTilt() {
  if (!("DeviceOrientationEvent" in window)) return;
  const listen = () => addEventListener("deviceorientation", showTilt);
  const Sensor = /** @type {{ requestPermission?: () => Promise<string> }} */ (DeviceOrientationEvent);
  if (typeof Sensor.requestPermission !== "function") return listen();
  // iOS asks, and only after a tap.
  const ask = button("tilt");
  ask.hidden = false;
  ask.addEventListener("click", async () => {
    ask.hidden = true;
    if ((await Sensor.requestPermission?.().catch(() => "denied")) === "granted") listen();
  });
}

video.addEventListener("resize", drawGuide);
part("shutter").addEventListener("click", shoot);
part("auto").addEventListener("click", () => {
  setAuto(!auto);
  try {
    localStorage.setItem(AUTO, auto ? "on" : "off");
  } catch {
    // It holds for this page.
  }
});
const torch = button("torch");
torch.addEventListener("click", async () => {
  const on = torch.getAttribute("aria-pressed") !== "true";
  /** @type {MediaTrackConstraintSet & { torch: boolean }} */
  const wanted = { torch: on };
  await track?.applyConstraints({ advanced: [wanted] }).catch(() => {});
  torch.setAttribute("aria-pressed", String(on));
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") stopCamera();
  else if (!section.hidden && !track && !busy) startCamera().catch(() => missing(NO_CAMERA));
});
addEventListener("pagehide", stopCamera);
part("auto").setAttribute("aria-pressed", String(auto));
initTilt();
start();
