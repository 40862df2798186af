// Photos that wait to be sent: `webapp/static/capture/queue.js` loses none, whatever the server and the browser do.
import assert from "node:assert/strict";
import { File } from "node:buffer";
import test from "node:test";
import { channel, clock, database, server, settled } from "./page.js";

const KEPT = { status: 202, body: { tableau_id: "t1", photo_id: "p1" } };
const AWAY = { status: 0 };
const REFUSED = { status: 400, body: { error: { code: "bad-photo", message: "This is no photo." } } };

let pages = 0;

/** The queue as a page that was just loaded has it, and what it tells. The database is that of the page before. */
async function reloaded() {
  clock.timers.clear();
  pages += 1;
  const queue = await import(`../../webapp/static/capture/queue.js?page=${pages}`);
  const heard = [];
  for (const kind of ["progress", "sent", "refused", "away"]) {
    queue.listen(kind, (detail) => heard.push({ kind, ...detail }));
  }
  return { queue, heard };
}

/** The same in a browser that never saw the page, before a server that says this. */
function fresh(answer) {
  database.kept.clear();
  Object.assign(database, { last: 0, broken: false });
  server.uploads.length = channel.length = 0;
  server.answer = answer;
  return reloaded();
}

const photo = (name) => new File([`bytes of ${name}`], name, { type: "image/jpeg" });
const names = () => server.uploads.map(({ form }) => form.get("photo").name);
const keys = () => server.uploads.map(({ form }) => form.get("client_key"));
const waiting = async (queue) => (await queue.waiting()).map(({ filename }) => filename);

test("photos go one at a time, in the order in which they were taken, and are then forgotten", async () => {
  const { queue, heard } = await fresh(() => null);
  await queue.keep(photo("a.jpg"), { entry: "e1", sameTurn: "t0" });
  await queue.keep(photo("b.jpg"), {});
  queue.sendWaiting();
  await settled();
  assert.deepEqual(names(), ["a.jpg"], "the second waits for the first");
  const [first] = server.uploads;
  assert.equal(first.address, "/api/v1/photos");
  assert.equal(first.form.get("entry_id"), "e1");
  assert.equal(first.form.get("same_turn"), "t0");
  assert.equal(await first.form.get("photo").text(), "bytes of a.jpg");
  assert.deepEqual(await waiting(queue), ["a.jpg", "b.jpg"], "what is not answered is kept");
  first.finish(KEPT);
  await settled();
  assert.deepEqual(names(), ["a.jpg", "b.jpg"]);
  assert.equal(server.uploads[1].form.has("entry_id"), false);
  server.uploads[1].finish(KEPT);
  await settled();
  assert.deepEqual(await waiting(queue), []);
  assert.deepEqual(
    heard.filter(({ kind }) => kind === "sent").map((each) => each.photo.filename),
    ["a.jpg", "b.jpg"],
  );
  assert.deepEqual(new Set(keys()).size, 2);
  assert.equal(channel.filter(({ sent }) => sent).length, 2, "other tabs are told");
});

test("asked twice at once, it sends once", async () => {
  const { queue } = await fresh(() => KEPT);
  await queue.keep(photo("a.jpg"), {});
  await Promise.all([queue.sendWaiting(), queue.sendWaiting(), queue.sendWaiting()]);
  await settled();
  assert.deepEqual(names(), ["a.jpg"]);
});

test("without a server a photo is tried again, later each time, and goes under the same key", async () => {
  const { queue, heard } = await fresh(() => AWAY);
  await queue.keep(photo("a.jpg"), {});
  await queue.keep(photo("b.jpg"), {});
  await queue.sendWaiting();
  const tries = [];
  for (let second = 1; second <= 200; second += 1) {
    const before = server.uploads.length;
    await clock.pass(1000);
    if (server.uploads.length > before) tries.push(second);
  }
  assert.deepEqual(tries, [2, 6, 14, 30, 62, 122, 182], "2, 4, 8, 16, 32, 60, 60 seconds apart");
  assert.ok(names().every((name) => name === "a.jpg"));
  assert.equal(new Set(keys()).size, 1);
  assert.ok(heard.every(({ kind }) => kind === "away"));
  server.answer = () => KEPT;
  await clock.pass(60_000);
  assert.deepEqual(await waiting(queue), []);
  assert.deepEqual(names().slice(-2), ["a.jpg", "b.jpg"]);
});

test("a sign that the server is back is enough", async () => {
  const { queue } = await fresh(() => AWAY);
  await queue.keep(photo("a.jpg"), {});
  queue.keepSending();
  await settled();
  server.answer = () => KEPT;
  dispatchEvent(new Event("online"));
  await settled();
  assert.deepEqual(await waiting(queue), []);
});

test("a page that is loaded anew sends what an earlier one kept", async () => {
  const first = await fresh(() => AWAY);
  await first.queue.keep(photo("a.jpg"), { tableau: "t7", whose: "Aki" });
  await first.queue.sendWaiting();
  const [key] = keys();
  const { queue } = await reloaded();
  assert.ok(queue.isDurable());
  server.answer = () => KEPT;
  await queue.sendWaiting();
  const last = server.uploads.at(-1).form;
  assert.equal(last.get("client_key"), key, "sent twice it is kept once");
  assert.equal(last.get("tableau_id"), "t7");
  assert.equal(await last.get("photo").text(), "bytes of a.jpg");
});

test("a refused photo stays with the server's sentence, and holds up none behind it", async () => {
  const { queue, heard } = await fresh((form) => (form.get("photo").name === "a.jpg" ? REFUSED : KEPT));
  await queue.keep(photo("a.jpg"), { entry: "gone" });
  await queue.keep(photo("b.jpg"), {});
  await queue.sendWaiting();
  assert.deepEqual(names(), ["a.jpg", "b.jpg"]);
  const [refused] = await queue.waiting();
  assert.deepEqual(
    [refused.filename, refused.refused, refused.code],
    ["a.jpg", "This is no photo.", "bad-photo"],
  );
  assert.deepEqual(
    heard.map(({ kind }) => kind),
    ["refused", "sent"],
  );
  await queue.sendWaiting();
  assert.equal(server.uploads.length, 2, "it is not sent again by itself");

  server.answer = () => KEPT;
  await queue.sendAlone(refused);
  await settled();
  const alone = server.uploads.at(-1).form;
  assert.equal(alone.has("entry_id"), false);
  assert.notEqual(alone.get("client_key"), keys()[0], "it is another photo now");
  assert.deepEqual(await waiting(queue), []);
});

for (const [what, said, kept, told] of [
  ["a proxy's page for a success", { status: 202, body: "<html>Signed in</html>" }, "away", ""],
  ["an answer without a tableau", { status: 202, body: {} }, "away", ""],
  ["a proxy's 404", { status: 404, body: "<html>Nothing here</html>" }, "away", ""],
  [
    "a missing PIN",
    { status: 401, body: { error: { message: "Enter the PIN." } } },
    "away",
    "Enter the PIN.",
  ],
  ["too many requests", { status: 429, body: { error: { message: "Slowly." } } }, "away", ""],
  [
    "a full disk",
    { status: 507, body: { error: { message: "The disk is full." } } },
    "away",
    "The disk is full.",
  ],
  ["an error in the server", { status: 500, body: { error: { message: "Oh." } } }, "away", ""],
  [
    "a proxy's limit",
    { status: 413, body: "too large" },
    "refused",
    "The photo is larger than the server takes; send a smaller file.",
  ],
]) {
  test(`${what}: the photo is ${kept === "away" ? "tried again" : "refused"} and kept`, async () => {
    const { queue, heard } = await fresh(() => said);
    await queue.keep(photo("a.jpg"), {});
    await queue.sendWaiting();
    assert.deepEqual(await waiting(queue), ["a.jpg"]);
    const [event] = heard;
    assert.equal(event.kind, kept);
    assert.equal(kept === "away" ? event.message : event.photo.refused, told);
    assert.equal(clock.timers.size > 0, kept === "away");
  });
}

test("an upload that moves nothing for 45 seconds is given up and sent again", async () => {
  const { queue } = await fresh(() => null);
  await queue.keep(photo("a.jpg"), {});
  queue.sendWaiting();
  await settled();
  await clock.pass(44_000);
  server.uploads[0].upload.onprogress({ lengthComputable: true, loaded: 1, total: 4 });
  await clock.pass(44_000);
  assert.equal(server.uploads.length, 1, "a byte is enough");
  server.answer = () => KEPT;
  await clock.pass(1_000 + 2_000);
  assert.equal(server.uploads.length, 2);
  assert.deepEqual(await waiting(queue), []);
});

test("progress is told as a share", async () => {
  const { queue, heard } = await fresh(() => null);
  const order = await queue.keep(photo("a.jpg"), {});
  queue.sendWaiting();
  await settled();
  server.uploads[0].upload.onprogress({ lengthComputable: true, loaded: 3, total: 4 });
  assert.deepEqual(heard, [{ kind: "progress", order, share: 0.75 }]);
  server.uploads[0].finish(KEPT);
  await settled();
});

test("a removed photo is not sent, can be brought back for a day, and is then forgotten", async () => {
  const { queue } = await fresh(() => KEPT);
  await queue.keep(photo("a.jpg"), {});
  await queue.keep(photo("b.jpg"), {});
  const [a, b] = await queue.waiting();
  await queue.remove(a);
  await queue.remove(b);
  await queue.sendWaiting();
  assert.deepEqual(names(), []);
  await clock.pass(23 * 3600 * 1000);
  await queue.forgetRemoved();
  assert.equal((await queue.all()).length, 2);
  await queue.restore((await queue.all())[0]);
  await settled();
  assert.deepEqual(names(), ["a.jpg"]);
  server.answer = () => AWAY;
  await queue.keep(photo("c.jpg"), {});
  await clock.pass(3 * 3600 * 1000);
  await queue.forgetRemoved();
  const left = (await queue.all()).map(({ filename }) => filename);
  assert.deepEqual(left, ["c.jpg"], "what waits is never forgotten");
});

test("without a database photos are kept while the page is open, which it says", async () => {
  const { queue } = await fresh(() => AWAY);
  database.broken = true;
  await queue.keep(photo("a.jpg"), {});
  assert.equal(queue.isDurable(), false);
  await queue.sendWaiting();
  assert.deepEqual(await waiting(queue), ["a.jpg"]);
  server.answer = () => KEPT;
  await clock.pass(2_000);
  assert.deepEqual(await waiting(queue), []);
});
