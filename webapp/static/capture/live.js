// The viewfinder: the rear camera with a frame to bring the cards into, a level, and a shutter that goes off by
// itself when the hand is steady. The photo is the camera's own still where the browser has one.
import { t } from "../app.js";
import { bring, goOn } from "./capture.js";
import { GREY_WIDTH, MAX_TILT, Steadiness, tiltOf, toGrey } from "./steady.js";

const LOOK_MS = 100;
/** Some devices never answer `takePhoto`. */
const STILL_WAIT_MS = 5_000;
const JPEG_QUALITY = 0.95;
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
function hint(key) {
  if (key === hinted) return;
  hinted = key;
  part("hint").textContent = key ? t(key) : "";
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
    const reasons = { NotAllowedError: "live-denied", NotReadableError: "live-busy", AbortError: "live-busy" };
    return missing(reasons[error.name] ?? "live-none");
  }
  hint("live-frame");
  setInterval(look, LOOK_MS);
}

function look() {
  if (busy || !track || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
  small.width = GREY_WIDTH;
  small.height = Math.round((GREY_WIDTH * video.videoHeight) / video.videoWidth);
  const brush = small.getContext("2d", { willReadFrequently: true });
  brush.drawImage(video, 0, 0, small.width, small.height);
  const grey = toGrey(brush.getImageData(0, 0, small.width, small.height).data);
  const { state, share } = steadiness.look(grey, tilt, performance.now());
  const hints = { dark: "live-dark", tilted: "live-tilted", still: "live-still" };
  hint(auto ? (hints[state] ?? "live-frame") : state === "dark" ? "live-dark" : "live-frame");
  drawRing(auto ? share : 0);
  if (auto && share >= 1) shoot();
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
  guide.querySelector("path").setAttribute("d", path.join(""));
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
  level.hidden = false;
  level.classList.toggle("level", tiltOf(tilt) < MAX_TILT / 5);
  // The dot runs to the rim at the tilt that stops the shutter.
  const run = (degrees) => Math.max(-1, Math.min(1, degrees / MAX_TILT)) * 31;
  part("dot").setAttribute("cx", run(tilt.gamma));
  part("dot").setAttribute("cy", run(tilt.beta));
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
