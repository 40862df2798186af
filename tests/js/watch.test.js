// The one polling loop of the pages: `webapp/static/watch.js`.
import assert from "node:assert/strict";
import test from "node:test";
import { clock, settled, toasts } from "./page.js";

const { ApiError } = await import("../../webapp/static/app.js");
const { firstAnswer, watch } = await import("../../webapp/static/watch.js");

const AWAY = "The server cannot be reached; the page tries again.";
const notices = () => toasts.children.map((box) => box.children[0].textContent);

/** Watch a server that says `said.value`, or throws `said.error`; when it was asked, in ms, and what was heard. */
function watched(t, options = {}) {
  clock.timers.clear();
  const began = clock.now;
  const seen = { said: { value: 1 }, asked: [], heard: [] };
  const ask = async () => {
    seen.asked.push(clock.now - began);
    if (seen.said.error) throw seen.said.error;
    return seen.said.value;
  };
  seen.watching = watch(ask, { every: 1000, onAnswer: (answer) => void seen.heard.push(answer), ...options });
  t.after(seen.watching.stop);
  return seen;
}

function show(state) {
  document.visibilityState = state;
  document.dispatchEvent(new Event("visibilitychange"));
}

test("it asks after each pause and passes on every answer", async (t) => {
  const seen = watched(t);
  await clock.pass(2500);
  assert.deepEqual(seen.asked, [1000, 2000]);
  assert.deepEqual(seen.heard, [1, 1]);
});

test("the pause may follow from what was answered", async (t) => {
  let pause = 1000;
  const seen = watched(t, { every: () => pause, onAnswer: () => (pause = 300) });
  await clock.pass(1700);
  assert.deepEqual(seen.asked, [1000, 1300, 1600]);
});

test("the next question waits until the last answer is dealt with", async (t) => {
  let done;
  const seen = watched(t, { onAnswer: () => new Promise((resolve) => (done = resolve)) });
  await clock.pass(5000);
  assert.deepEqual(seen.asked, [1000]);
  done();
  await clock.pass(1000);
  assert.deepEqual(seen.asked, [1000, 6000]);
});

test("nothing is asked behind a hidden page; seen again it asks at once", async (t) => {
  const seen = watched(t);
  show("hidden");
  await clock.pass(60_000);
  assert.deepEqual(seen.asked, []);
  show("visible");
  await settled();
  assert.deepEqual(seen.asked, [60_000]);
});

test("without a server it asks less and less, tells it once, and takes that back", async (t) => {
  const seen = watched(t);
  seen.said = { error: new TypeError("no server") };
  await clock.pass(15_000);
  assert.deepEqual(seen.asked, [1000, 3000, 7000, 15_000]);
  assert.deepEqual(notices(), [AWAY]);
  await clock.pass(120_000);
  const [before, last] = seen.asked.slice(-2);
  assert.equal(last - before, 30_000, "half a minute is the longest pause");
  seen.said = { value: 2 };
  dispatchEvent(new Event("online"));
  await settled();
  assert.deepEqual(seen.heard, [2], "a device that is online again asks at once");
  assert.deepEqual(notices(), []);
  await clock.pass(1000);
  assert.equal(seen.heard.length, 2, "and then as often as before");
});

test("two loops of a page tell one time that the server is away", async (t) => {
  const error = new TypeError("no server");
  for (const seen of [watched(t), watched(t)]) seen.said = { error };
  await clock.pass(10_000);
  assert.deepEqual(notices(), [AWAY]);
});

test("what is gone is told, and not asked for again", async (t) => {
  const seen = watched(t);
  seen.said = { error: new ApiError(404, "not-found", "This game is in the bin.") };
  await clock.pass(10_000);
  assert.deepEqual(seen.asked, [1000]);
  assert.ok(notices().includes("This game is in the bin."));
  show("visible");
  await settled();
  assert.deepEqual(seen.asked, [1000]);
});

test("another error of the server is no news: it is asked again, later", async (t) => {
  toasts.replaceChildren();
  const seen = watched(t);
  seen.said = { error: new ApiError(503, "busy", "The server is busy.") };
  await clock.pass(3000);
  assert.deepEqual(seen.asked, [1000, 3000]);
  assert.deepEqual(notices(), []);
});

test("stopped it rests, until it is begun anew", async (t) => {
  const seen = watched(t);
  seen.watching.stop();
  await clock.pass(5000);
  assert.deepEqual(seen.asked, []);
  seen.watching.soon();
  await clock.pass(1000);
  assert.deepEqual(seen.asked, [6000]);
});

test("what a page shows is asked for at once, and until there is an answer", async () => {
  clock.timers.clear();
  toasts.replaceChildren();
  show("hidden");
  const began = clock.now;
  const asked = [];
  let error = new TypeError("no server");
  const answer = firstAnswer(async () => {
    asked.push(clock.now - began);
    if (error) throw error;
    return "shown";
  });
  await clock.pass(3000);
  assert.deepEqual(asked, [0, 2000]);
  assert.deepEqual(notices(), [AWAY]);
  error = new ApiError(503, "busy", "The server is busy.");
  await clock.pass(12_000);
  assert.deepEqual(asked, [0, 2000, 6000, 14_000]);
  assert.ok(notices().includes("The server is busy."));
  error = null;
  show("visible");
  assert.equal(await answer, "shown");
  await clock.pass(60_000);
  assert.equal(asked.length, 5, "and not again");
});
