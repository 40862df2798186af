// The pages' one polling loop. Asked are small JSON answers (a version, a progress); server-sent events would hold a
// thread of the WSGI server for each page that is open.

import { ApiError, t, tell, toast } from "./app.js";

const LONGEST_MS = 30_000;
const RETRY_MS = 1000;

/** @type {import("./notices.js").Notice | null} */
let away = null;

/**
 * Call `run` at each sign that the server may be reached again: the page is seen again, or the device is online.
 * @param {() => unknown} run
 */
export function onReturn(run) {
  addEventListener("online", run);
  addEventListener("pageshow", (event) => event.persisted && run());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && run());
}

/**
 * Ask the server again and again while the page is seen, first after `every` milliseconds, and pass each answer to
 * `onAnswer`, which ends before the next question. Failures double the pause, up to half a minute; that the server
 * cannot be reached is told once for all loops of the page. A 404 is told and ends the loop: what was watched is gone.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {{ every: number | (() => number), onAnswer?: (answer: T) => unknown, unseen?: boolean }} options `unseen`:
 *   ask while the page is not seen, too
 * @returns {{ soon: () => void, now: () => Promise<void>, stop: () => void }} `soon` begins the pause anew, after
 *   `stop` too; `now` asks at once
 */
export function watch(ask, { every, onAnswer = () => {}, unseen = false }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let stopped = false;
  let asking = false;
  let failures = 0;

  const stop = () => {
    stopped = true;
    clearTimeout(timer);
  };
  const soon = () => {
    stopped = false;
    clearTimeout(timer);
    const pause = typeof every === "number" ? every : every();
    timer = setTimeout(now, Math.max(pause, Math.min(pause * 2 ** failures, LONGEST_MS)));
  };
  const now = async () => {
    clearTimeout(timer);
    if (asking || (document.visibilityState !== "visible" && !unseen)) return;
    asking = true;
    try {
      const answer = await asked();
      if (answer && !stopped) await onAnswer(answer.value);
    } finally {
      asking = false;
      if (!stopped) soon();
    }
  };
  // Only asking is tried: a mistake in showing the answer is no server that is away.
  const asked = async () => {
    try {
      const value = await ask();
      failures = 0;
      away?.remove();
      away = null;
      return { value };
    } catch (error) {
      failures += 1;
      if (!(error instanceof ApiError))
        away ??= toast(t("The server cannot be reached; the page tries again."), { kind: "bad" });
      else if (error.status === 404) {
        stop();
        tell(error);
      }
      return null;
    }
  };
  onReturn(() => {
    failures = 0;
    if (!stopped) now();
  });
  soon();
  return { soon, now, stop };
}

/**
 * What a page shows, asked at once and again until the server answers. Other errors than a server that is away are
 * told once.
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {Promise<T>}
 */
export function firstAnswer(ask) {
  let told = false;
  const asked = () =>
    ask().catch((error) => {
      if (error instanceof ApiError && error.status !== 404 && !told) {
        told = true;
        tell(error);
      }
      throw error;
    });
  return new Promise((resolve) => {
    const onAnswer = (/** @type {T} */ answer) => {
      asking.stop();
      resolve(answer);
    };
    const asking = watch(asked, { every: RETRY_MS, onAnswer, unseen: true });
    asking.now();
  });
}
