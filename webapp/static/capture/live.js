// The viewfinder: the rear camera with a frame to bring the cards into, a level, and a shutter that goes off by
// itself when the hand is steady. The photo is the camera's own still where the browser has one.
import { api, t } from "../app.js";
import { bring, goOn } from "./capture.js";
import { GREY_WIDTH, MAX_TILT, Steadiness, change, tiltOf, toGrey } from "./steady.js";

const LOOK_MS = 100;
/** Some devices never answer `takePhoto`. */
const STILL_WAIT_MS = 5_000;
const JPEG_QUALITY = 0.95;
/** The picture in which the server looks for cards: its longer side, its quality, and the pauses between. */
const FRAME_PX = 800;
const FRAME_QUALITY = 0.7;
const FRAME_PAUSE_MS = 500;
const BUSY_PAUSE_MS = 4_000;
/** The outlines are those of a picture; beyond this change it is another one. */
const SAME_PICTURE = 8;
const AUTO = "waymark-auto-shot";

const section = document.querySelector("[data-live]");
const part = (name) => document.querySelector(`[data-live-${name}]`);
const video = section.querySelector("video");
const small = document.createElement("canvas");
const steadiness = new Steadiness();
const target = { ...section.dataset };

let track = null;
let tilt = null;
let busy = false;
let grey = null;
/** The cards of the last look: {cards, grey}, or null where nobody knows. */
let seen = null;
let auto = readAuto();

function readAuto() {
  try {
    return localStorage.getItem(AUTO) !== "off";
  } catch {
    return true;
  }
}

function missing(key) {
  section.hidden = true;
  part("missing").hidden = false;
  part("why").textContent = t(key);
}

let hinted = "";
function hint(key, values) {
  const text = t(key, values);
  if (text === hinted) return;
  hinted = text;
  part("hint").textContent = text;
}

async function startCamera() {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: 4096 }, height: { ideal: 3072 } },
  });
  [track] = stream.getVideoTracks();
  const can = track.getCapabilities?.() ?? {};
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
  video.srcObject?.getTracks().forEach((each) => each.stop());
  video.srcObject = null;
  track = null;
}

async function start() {
  if (!navigator.mediaDevices?.getUserMedia) return missing("live-insecure");
  section.hidden = false;
  hint("live-starting");
  try {
    await startCamera();
  } catch (error) {
    stopCamera();
    const reasons = {
      NotAllowedError: "live-denied",
      NotReadableError: "live-busy",
      AbortError: "live-busy",
    };
    return missing(reasons[error.name] ?? "live-none");
  }
  hint("live-frame");
  setInterval(look, LOOK_MS);
  lookForCards();
}

/** Have the server look where there are cards, over and over. */
async function lookForCards() {
  let pause = FRAME_PAUSE_MS;
  if (track && !busy && grey && document.visibilityState === "visible") {
    const before = grey;
    try {
      const form = new FormData();
      form.append("photo", await smallFrame(), "frame.jpg");
      const found = await api("POST", "/outlines", form);
      seen = found.busy ? null : { cards: found.cards, grey: before };
      if (found.busy) pause = BUSY_PAUSE_MS;
    } catch {
      seen = null;
      pause = BUSY_PAUSE_MS;
    }
    drawOutlines();
  }
  setTimeout(lookForCards, pause);
}

function smallFrame() {
  const { videoWidth: width, videoHeight: height } = video;
  const scale = Math.min(1, FRAME_PX / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", FRAME_QUALITY));
}

function drawOutlines() {
  const { videoWidth: width, videoHeight: height } = video;
  const corners = (card) => card.map(([x, y]) => `${x * width} ${y * height}`).join("L");
  part("cards").setAttribute("d", (seen?.cards ?? []).map((card) => `M${corners(card)}Z`).join(""));
}

function look() {
  if (busy || !track || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
  small.width = GREY_WIDTH;
  small.height = Math.round((GREY_WIDTH * video.videoHeight) / video.videoWidth);
  const brush = small.getContext("2d", { willReadFrequently: true });
  brush.drawImage(video, 0, 0, small.width, small.height);
  grey = toGrey(brush.getImageData(0, 0, small.width, small.height).data);
  const { state, share } = steadiness.look(grey, tilt, performance.now());
  if (seen && change(seen.grey, grey) > SAME_PICTURE) {
    seen = null;
    drawOutlines();
  }
  // Where the server has looked and sees no card, nothing takes itself.
  const ready = auto && seen?.cards.length !== 0;
  if (state === "dark" || (state === "tilted" && auto)) hint(`live-${state}`);
  else if (state === "still" && ready) hint("live-still");
  else if (seen) hint(seen.cards.length ? "live-seen" : "live-no-card", { count: seen.cards.length });
  else hint("live-frame");
  drawRing(ready ? share : 0);
  if (ready && share >= 1) shoot();
}

/** The frame lies on the picture, however much of the screen that fills. */
function drawGuide() {
  const { videoWidth: width, videoHeight: height } = video;
  const guide = part("guide");
  guide.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const [edge, arm] = [Math.min(width, height) * 0.04, Math.min(width, height) * 0.14];
  const corner = (x, y, right, down) => `M${x} ${y + down * arm}V${y}H${x + right * arm}`;
  const path = [
    corner(edge, edge, 1, 1),
    corner(width - edge, edge, -1, 1),
    corner(width - edge, height - edge, -1, -1),
    corner(edge, height - edge, 1, -1),
  ];
  part("frame").setAttribute("d", path.join(""));
}

function drawRing(share) {
  part("ring").setAttribute("stroke-dasharray", `${share} 1`);
}

/** The camera's still at its largest, else the video's own picture. */
async function takeStill() {
  if ("ImageCapture" in window) {
    const late = new Promise((_, reject) => setTimeout(reject, STILL_WAIT_MS, new Error("late")));
    try {
      return await Promise.race([largestStill(new ImageCapture(track)), late]);
    } catch {
      // The video's picture will do.
    }
  }
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((resolve, reject) => {
    const done = (blob) => (blob ? resolve(blob) : reject(new Error("no picture")));
    canvas.toBlob(done, "image/jpeg", JPEG_QUALITY);
  });
}

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
  part("shutter").disabled = true;
  hint("live-taking");
  try {
    const still = await takeStill();
    section.classList.add("live-taken");
    video.pause();
    hint("live-sending");
    const ending = still.type === "image/png" ? "png" : "jpg";
    const file = new File([still], `viewfinder.${ending}`, { type: still.type });
    const answers = await bring([file], target, drawRing);
    goOn(answers, target);
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
  part("shutter").disabled = false;
  busy = false;
}

function setAuto(on) {
  auto = on;
  part("auto").setAttribute("aria-pressed", String(on));
  steadiness.reset();
  drawRing(0);
}

function showTilt(event) {
  if (event.beta === null || event.gamma === null) return;
  tilt = { beta: event.beta, gamma: event.gamma };
  const level = part("level");
  // An SVG element has the attribute alone.
  level.removeAttribute("hidden");
  level.classList.toggle("level", tiltOf(tilt) < MAX_TILT / 5);
  // The dot runs to the rim at the tilt that stops the shutter.
  const run = (degrees) => Math.max(-1, Math.min(1, degrees / MAX_TILT)) * 31;
  // The sensor counts along the device, the dot runs along the screen, which turns.
  const turn = ((screen.orientation?.angle ?? 0) * Math.PI) / 180;
  const { beta, gamma } = tilt;
  part("dot").setAttribute("cx", run(gamma * Math.cos(turn) + beta * Math.sin(turn)));
  part("dot").setAttribute("cy", run(beta * Math.cos(turn) - gamma * Math.sin(turn)));
}

function initTilt() {
  if (!("DeviceOrientationEvent" in window)) return;
  const listen = () => addEventListener("deviceorientation", showTilt);
  if (typeof DeviceOrientationEvent.requestPermission !== "function") return listen();
  // iOS asks, and only after a tap.
  const button = part("tilt");
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.hidden = true;
    if ((await DeviceOrientationEvent.requestPermission().catch(() => "denied")) === "granted") listen();
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
part("torch").addEventListener("click", async ({ currentTarget }) => {
  const on = currentTarget.getAttribute("aria-pressed") !== "true";
  await track?.applyConstraints({ advanced: [{ torch: on }] }).catch(() => {});
  currentTarget.setAttribute("aria-pressed", String(on));
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") stopCamera();
  else if (!section.hidden && !track && !busy) startCamera().catch(() => missing("live-none"));
});
addEventListener("pagehide", stopCamera);
part("auto").setAttribute("aria-pressed", String(auto));
initTilt();
start();
