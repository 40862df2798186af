// What fingers, mouse and keys do to the photo: `webapp/static/review/viewer.js`.
import assert from "node:assert/strict";
import test from "node:test";
import { FakeElement, loading } from "./page.js";

const { pathOf, shape } = await import("../../webapp/static/review/dom.js");
const { Viewer } = await import("../../webapp/static/review/viewer.js");

const PHOTO = {
  width: 4000,
  height: 3000,
  sizes: [
    { longest: 800, url: "/small" },
    { longest: 2000, url: "/middle" },
    { longest: 4000, url: "/large" },
  ],
};
/** Where the middle of the frame lies on the page. */
const MIDDLE = { x: 210, y: 170 };

/** A viewer in a frame of 400 x 300 CSS pixels, a tenth of the photo; and what it emits. */
function shown() {
  const host = new FakeElement();
  host.box = { left: 10, top: 20, width: 400, height: 300 };
  const viewer = new Viewer(host, { photo: PHOTO, label: "The photo" });
  const heard = [];
  for (const kind of ["tap", "drag", "drop"]) {
    viewer.on(kind, (detail) => void heard.push({ kind, ...detail }));
  }
  return { host, viewer, heard };
}

let now = 0;

/** A pointer's event at client pixels; `after` milliseconds after the last one. */
function point(host, kind, x, y, { id = 1, after = 10, ...more } = {}) {
  now += after;
  const event = new Event(`pointer${kind}`, { cancelable: true });
  Object.assign(event, { pointerId: id, isPrimary: id === 1, pointerType: "touch", button: 0, ...more });
  Object.assign(event, { clientX: x, clientY: y });
  Object.defineProperty(event, "timeStamp", { value: now });
  host.dispatchEvent(event);
  return event;
}

function tap(host, x, y, after = 1000) {
  point(host, "down", x, y, { after });
  point(host, "up", x, y);
}

function key(host, name, more = {}) {
  const event = Object.assign(new Event("keydown", { cancelable: true }), { key: name, ...more });
  host.dispatchEvent(event);
  return event;
}

const near = (one, other, by = 1e-6) => assert.ok(Math.abs(one - other) < by, `${one} is not ${other}`);
const at = (spot, { x, y }, by) => (near(spot.x, x, by), near(spot.y, y, by));

test("the whole photo is shown at first, by its smallest sharp copy", () => {
  const { viewer } = shown();
  near(viewer.scale, 0.1);
  at(viewer.toPhoto(10, 20), { x: 0, y: 0 });
  at(viewer.toPhoto(410, 320), { x: 4000, y: 3000 });
  at(viewer.toClient(2000, 1500), MIDDLE);
  assert.equal(viewer.image.getAttribute("href"), "/small");
});

test("a short touch is a tap at a photo point", () => {
  const { host, heard } = shown();
  tap(host, 110, 70);
  assert.deepEqual(
    heard.map(({ kind, x, y }) => [kind, Math.round(x), Math.round(y)]),
    [["tap", 1000, 500]],
  );
});

test("a long touch and one that goes far are no taps", () => {
  const { host, heard } = shown();
  point(host, "down", 110, 70);
  point(host, "up", 110, 70, { after: 451 });
  point(host, "down", 110, 70);
  point(host, "move", 121, 70);
  point(host, "up", 121, 70);
  assert.deepEqual(heard, []);
});

test("a finger that trembles still taps", () => {
  const { host, heard } = shown();
  point(host, "down", 110, 70);
  point(host, "move", 119, 70);
  point(host, "up", 119, 70);
  assert.equal(heard.length, 1);
});

test("a double tap zooms in where it is, and out again", () => {
  const { host, viewer, heard } = shown();
  const grip = viewer.toPhoto(150, 120);
  tap(host, 150, 120);
  tap(host, 150, 120, 100);
  near(viewer.scale, 0.3);
  at(viewer.toPhoto(150, 120), grip);
  tap(host, 150, 120);
  tap(host, 152, 121, 100);
  near(viewer.scale, 0.1);
  assert.equal(heard.length, 2, "the first tap of each is a tap");
});

test("two taps that are slow or far apart are two taps, and so are all where that is said", () => {
  const { host, viewer, heard } = shown();
  tap(host, 150, 120);
  tap(host, 150, 120, 400);
  tap(host, 250, 120, 100);
  viewer.doubleTapZooms = false;
  tap(host, 250, 120, 100);
  assert.equal(heard.length, 4);
  near(viewer.scale, 0.1);
});

test("one finger moves a zoomed photo and not one that is seen whole", () => {
  const { host, viewer } = shown();
  point(host, "down", 200, 100);
  point(host, "move", 260, 100);
  point(host, "up", 260, 100);
  at(viewer.toPhoto(10, 20), { x: 0, y: 0 });

  viewer.zoomBy(4);
  const grip = viewer.toPhoto(200, 100);
  point(host, "down", 200, 100);
  point(host, "move", 230, 140);
  point(host, "up", 230, 140);
  at(viewer.toPhoto(230, 140), grip);
});

test("the photo cannot be moved out of its frame", () => {
  const { viewer } = shown();
  viewer.zoomBy(2);
  viewer.panBy(10_000, 10_000);
  at(viewer.toPhoto(10, 20), { x: 0, y: 0 });
  viewer.panBy(-20_000, -20_000);
  at(viewer.toPhoto(410, 320), { x: 4000, y: 3000 });
});

test("a pinch keeps the point between the fingers and zooms by how far they part", () => {
  const { host, viewer, heard } = shown();
  const grip = viewer.toPhoto(200, 150);
  point(host, "down", 150, 150);
  point(host, "down", 250, 150, { id: 2 });
  point(host, "move", 100, 150);
  point(host, "move", 300, 150, { id: 2 });
  near(viewer.scale, 0.2);
  at(viewer.toPhoto(200, 150), grip);
  point(host, "up", 300, 150, { id: 2 });
  const view = { ...viewer.view };
  point(host, "move", 180, 220);
  assert.deepEqual(viewer.view, view, "the finger that stays moves nothing");
  point(host, "up", 180, 220);
  assert.deepEqual(heard, []);
  assert.ok(host.captured.includes(1) && host.captured.includes(2));
});

test("it is zoomed to twelve times at most, and never smaller than the whole photo", () => {
  const { viewer } = shown();
  viewer.zoomBy(1000);
  near(viewer.scale, 1.2);
  viewer.zoomBy(1e-6);
  near(viewer.scale, 0.1);
});

test("a gesture that a tool takes drags, and ends where the finger is lifted", () => {
  const { host, viewer, heard } = shown();
  viewer.on("grab", () => true);
  const down = point(host, "down", 110, 70);
  assert.ok(down.defaultPrevented);
  point(host, "move", 130, 80);
  point(host, "up", 500, 80);
  const [drag, drop] = heard;
  assert.deepEqual([drag.kind, Math.round(drag.dx), Math.round(drag.dy)], ["drag", 200, 100]);
  assert.deepEqual([drop.kind, drop.cancelled, drop.outside], ["drop", false, true]);
  near(viewer.scale, 0.1);
  assert.equal(heard.length, 2, "it is no tap");
});

test("a second finger and the browser break a drag off", () => {
  for (const breakOff of [
    (host) => point(host, "down", 300, 200, { id: 2 }),
    (host) => point(host, "cancel", 130, 80),
  ]) {
    const { host, viewer, heard } = shown();
    viewer.on("grab", () => true);
    point(host, "down", 110, 70);
    point(host, "move", 130, 80);
    breakOff(host);
    assert.deepEqual([heard.at(-1)?.kind, heard.at(-1)?.cancelled], ["drop", true]);
  }
});

test("only the first button of a mouse does something", () => {
  const { host, heard } = shown();
  point(host, "down", 110, 70, { pointerType: "mouse", button: 2 });
  point(host, "up", 110, 70, { pointerType: "mouse", button: 2 });
  assert.deepEqual(heard, []);
});

test("the wheel zooms about the mouse", () => {
  const { host, viewer } = shown();
  const grip = viewer.toPhoto(100, 100);
  const wheel = Object.assign(new Event("wheel", { cancelable: true }), {
    deltaY: -400,
    deltaMode: 0,
    clientX: 100,
    clientY: 100,
  });
  host.dispatchEvent(wheel);
  near(viewer.scale, 0.1 * Math.E);
  at(viewer.toPhoto(100, 100), grip);
  assert.ok(wheel.defaultPrevented);
});

test("keys zoom and move; those with Control are the browser's", () => {
  const { host, viewer } = shown();
  assert.ok(key(host, "+").defaultPrevented);
  near(viewer.scale, 0.14);
  const middle = viewer.toPhoto(MIDDLE.x, MIDDLE.y);
  key(host, "ArrowRight", { shiftKey: true });
  near(viewer.toPhoto(MIDDLE.x, MIDDLE.y).x, Math.min(middle.x + 60 / 0.14, 4000 - 200 / 0.14));
  key(host, "0");
  near(viewer.scale, 0.1);
  assert.equal(key(host, "+", { ctrlKey: true }).defaultPrevented, false);
  assert.equal(key(host, "ArrowLeft").defaultPrevented, false);
  near(viewer.scale, 0.1);
});

test("a sharper copy is loaded when it is needed, and shown when it is there", () => {
  const { viewer } = shown();
  viewer.zoomBy(4);
  assert.equal(viewer.image.getAttribute("href"), "/small");
  assert.equal(loading.at(-1)?.src, "/middle");
  loading.at(-1)?.onload();
  assert.equal(viewer.image.getAttribute("href"), "/middle");
  const begun = loading.length;
  viewer.fit();
  assert.equal(loading.length, begun, "no smaller one is loaded");
  assert.equal(viewer.image.getAttribute("href"), "/middle");
});

test("a part of the photo is shown beside the tools that would cover it", () => {
  const { host, viewer } = shown();
  viewer.fit([0, 0, 1000, 500]);
  near(viewer.scale, 0.4);
  const tools = new FakeElement();
  tools.box = { left: 350, top: 30, width: 50, height: 200 };
  viewer.tools = tools;
  viewer.fit([0, 0, 1000, 500]);
  const right = viewer.toClient(1000, 500).x;
  assert.ok(right <= tools.box.left, `${right} is under the tools`);
  assert.ok(viewer.toClient(0, 0).x >= host.box.left - 1e-6);
});

test("what is out of sight is moved into it, what is in sight stays", () => {
  const { viewer } = shown();
  viewer.zoomBy(4);
  const view = { ...viewer.view };
  viewer.reveal(2000, 1500);
  assert.deepEqual(viewer.view, view);
  viewer.reveal(3900, 2900);
  const there = viewer.toClient(3900, 2900);
  assert.ok(there.x > 10 && there.x < 410 && there.y > 20 && there.y < 320);
});

test("layers are made once, emptied, and gone with another photo", () => {
  const { viewer } = shown();
  const layer = viewer.layer("path");
  layer.append(
    shape("path", {
      d: pathOf([
        [1, 2.04],
        [3, 4],
      ]),
      class: null,
    }),
  );
  assert.equal(layer.children[0].getAttribute("d"), "M1 2L3 4");
  assert.equal(layer.children[0].hasAttribute("class"), false);
  assert.equal(viewer.layer("path"), layer);
  viewer.setPhoto({ ...PHOTO, width: 2000 });
  assert.equal(layer.children.length, 0);
});

test("after its end it hears nothing", () => {
  const { host, viewer, heard } = shown();
  viewer.destroy();
  tap(host, 110, 70);
  assert.deepEqual(heard, []);
  assert.equal(host.children.length, 0);
});
