// The timer for exploring: each device has its own. It runs on while the page is loaded again, keeps the screen awake
// where the browser allows that (https), and ends with a sound.
import { t, toast } from "../app.js";
import { byId, may, must } from "../elements.js";

const KEY = "waymark-timer";
const TICK_MS = 250;
const BEEPS = 3;
const BEEP_SECONDS = 0.25;
const BEEP_HZ = 880;

/**
 * A timer as it is kept: the round it is for, and when it ends (`until`, ms since 1970) or what is left while it stands.
 * @typedef {{ round: string, until: number | null, left: number }} Kept
 */

const place = may(document, "[data-timer]");
if (place) begin(place);

/** @param {HTMLElement} box */
function begin(box) {
  const { game, round: number } = byId("live").dataset;
  const round = `${game}/${number}`;
  const whole = Number(box.dataset.timer) * 60_000;
  const run = must(box, "[data-timer-run]");
  const reset = must(box, "[data-timer-reset]");
  const shown = must(box, "[data-timer-left]");
  const sign = must(run, "use", SVGUseElement);
  const signs = (sign.getAttribute("href") ?? "").split("#")[0];
  /** @type {AudioContext | null} */
  let sound = null;
  /** @type {WakeLockSentinel | null} */
  let awake = null;
  let timer = kept(round) ?? { round, until: null, left: whole };
  /** One that ended while nobody looked is not told. */
  let told = timer.until !== null && timer.until <= Date.now();

  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  const left = () => (timer.until === null ? timer.left : Math.max(0, timer.until - Date.now()));
  const running = () => timer.until !== null && left() > 0;

  /** @param {Partial<Kept>} changes */
  function set(changes) {
    timer = { ...timer, ...changes };
    told = false;
    keep(timer);
    go();
  }

  function go() {
    show();
    clearInterval(ticking);
    if (running()) ticking = setInterval(show, TICK_MS);
    stayAwake();
  }

  function show() {
    const seconds = Math.ceil(left() / 1000);
    shown.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    run.setAttribute("aria-pressed", String(running()));
    sign.setAttribute("href", `${signs}#${running() ? "pause" : "play"}`);
    // Its place is kept: nothing moves.
    reset.classList.toggle("unseen", timer.until === null && timer.left === whole);
    box.classList.toggle("over", seconds === 0);
    if (seconds > 0 || told) return;
    told = true;
    clearInterval(ticking);
    toast(t("Time is up: exploring ends."), { about: "timer" });
    navigator.vibrate?.([200, 100, 200, 100, 200]);
    if (sound) beep(sound);
    stayAwake();
  }

  async function stayAwake() {
    if (!running()) {
      await awake?.release();
      awake = null;
    } else if (!awake || awake.released) {
      // Refused over http, by a low battery, or while the page is hidden: the timer runs all the same.
      awake = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    }
  }

  run.addEventListener("click", () => {
    // Browsers let a page sound after a tap only.
    sound ??= new AudioContext();
    sound.resume();
    if (running()) set({ until: null, left: left() });
    else set({ until: Date.now() + (left() || whole) });
  });
  reset.addEventListener("click", () => {
    set({ until: null, left: whole });
    run.focus();
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && stayAwake());
  // After the page was loaded again the next tap, wherever, lets it sound.
  addEventListener("pointerdown", () => running() && (sound ??= new AudioContext()), { passive: true });
  go();
}

/** @param {AudioContext} sound */
function beep(sound) {
  for (let number = 0; number < BEEPS; number++) {
    const tone = new OscillatorNode(sound, { frequency: BEEP_HZ });
    const at = sound.currentTime + 2 * number * BEEP_SECONDS;
    tone.connect(sound.destination);
    tone.start(at);
    tone.stop(at + BEEP_SECONDS);
  }
}

/**
 * @param {string} round
 * @returns {Kept | null}
 */
function kept(round) {
  try {
    const timer = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return timer?.round === round ? timer : null;
  } catch {
    return null;
  }
}

/** @param {Kept} timer */
function keep(timer) {
  try {
    localStorage.setItem(KEY, JSON.stringify(timer));
  } catch {
    // A browser that keeps nothing has the timer until the page is left.
  }
}
