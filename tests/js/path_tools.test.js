// What a finger means on the path: `webapp/static/review/edit_targets.js`, and the tool that draws, drags and erases.
import assert from "node:assert/strict";
import test from "node:test";
import { FakeElement, settled } from "./page.js";

const targets = await import("../../webapp/static/review/edit_targets.js");
const { pathTool } = await import("../../webapp/static/review/edit_path.js");

/*
 * Photo pixels, 10 to a millimetre:
 *
 *   A ---- B ---- C ---- E     a corridor with a crossing at B; C is a bend with nothing but two ways
 *          |
 *          D                   a pit, under which lies its landing P
 */
const places = [
  { id: "A", name: "the start", kind: "start", level: "main", at: [0, 0] },
  { id: "B", name: "the crossing", kind: "junction", level: "main", at: [200, 0] },
  { id: "C", name: "the bend", kind: "junction", level: "main", at: [400, 0] },
  { id: "D", name: "the pit", kind: "pitfall", level: "main", at: [200, 200] },
  { id: "P", name: "the landing", kind: "landing", level: "underground", at: [203, 200] },
  { id: "E", name: "the exit", kind: "exit", level: "main", at: [600, 0] },
];
const spots = new Map(places.map(({ id, at }) => [id, at]));
const link = (a, b, one_way = false) => ({ a, b, one_way, line: [spots.get(a), spots.get(b)] });
const links = [link("A", "B"), link("B", "C"), link("B", "D"), link("C", "E"), link("D", "P", true)];

function readingOf(path) {
  const pieces = path.flatMap((stroke, number) =>
    stroke.slice(1).map((b, k) => ({
      stroke: number,
      step: k + 1,
      a: stroke[k],
      b,
      line: [spots.get(stroke[k]), spots.get(b)],
    })),
  );
  const cards = [
    {
      card: "S1",
      corners: [
        [-50, -50],
        [250, -50],
        [250, 250],
        [-50, 250],
      ],
    },
  ];
  return { places, links, pieces, cards, record: { path }, px_per_mm: 10, questions: [] };
}

const viewerAt = (scale) => ({
  scale,
  zoomed: [],
  toClient: (x, y) => ({ x: x * scale, y: y * scale }),
  zoomBy(factor) {
    this.zoomed.push(factor);
  },
});

const spot = (x, y) => ({ x, y });
const idAt = (scale, x, y, by) => targets.placeAt(viewerAt(scale), readingOf([]), spot(x, y), by);

test("a finger means the nearest place within its reach", () => {
  assert.equal(idAt(0.2, 190, 20).place?.id, "B");
  assert.deepEqual(idAt(0.2, 400, 170), {}, "170 pixels of the photo are 34 of the screen");
  assert.deepEqual(idAt(0.2, 250, -150), {});
  assert.equal(idAt(0.1, 250, -150).place?.id, "B", "from afar a finger reaches farther");
});

test("of two places at one spot that of the level is meant", () => {
  assert.equal(idAt(0.2, 202, 200).place?.id, "D");
  assert.equal(idAt(0.2, 202, 200, { level: "underground" }).place?.id, "P");
});

test("places that a finger cannot tell apart are not guessed at", () => {
  assert.deepEqual(idAt(0.05, 300, 0), { crowded: true }, "B and C are 10 pixels of the screen apart");
  assert.equal(idAt(0.2, 300, 0).place?.id, "B");
});

test("the piece of path under a finger is the nearest line, and no jump", () => {
  const reading = readingOf([["A", "B", "D"]]);
  const viewer = viewerAt(0.2);
  assert.equal(targets.pieceAt(viewer, reading, spot(100, 30))?.b, "B");
  assert.equal(targets.pieceAt(viewer, reading, spot(170, 120))?.b, "D");
  assert.equal(targets.pieceAt(viewer, reading, spot(500, 500)), null);
  reading.pieces = [{ ...reading.pieces[0], step: 0 }];
  assert.equal(targets.pieceAt(viewer, reading, spot(100, 0)), null);
});

test("a stretch goes on over bends, up to a crossing or anything that counts", () => {
  const reading = readingOf([["A", "B", "C", "E"]]);
  const [, , last] = reading.pieces;
  assert.deepEqual(targets.stretchOf(reading, last), { stroke: 0, start: 1, end: 3 });
  assert.deepEqual(targets.stretchOf(reading, reading.pieces[0]), { stroke: 0, start: 0, end: 1 });
});

test("ways lead both ways but where they are one-way", () => {
  const ways = targets.waysOf(readingOf([]));
  assert.deepEqual([...(ways.get("B")?.keys() ?? [])], ["A", "C", "D"]);
  assert.deepEqual(ways.get("B")?.get("A"), [
    [200, 0],
    [0, 0],
  ]);
  assert.deepEqual([...(ways.get("P")?.keys() ?? [])], []);
});

/** Where a finger leads a path that begins at A, over these points. */
function led(...points) {
  const reading = readingOf([]);
  const stroke = { drawn: ["A"], ways: targets.waysOf(reading) };
  let from = spot(0, 0);
  for (const [x, y] of points) {
    targets.follow(viewerAt(0.2), reading, stroke, from, spot(x, y));
    from = spot(x, y);
  }
  return stroke.drawn.join("");
}

test("what is drawn follows the finger, place by place", () => {
  assert.equal(led([600, 10]), "ABCE");
  assert.equal(led([200, 0], [200, 190]), "ABD");
  assert.equal(led([60, 0]), "A", "half of a way is none");
});

test("it goes back where the finger comes back", () => {
  assert.equal(led([400, 0], [200, 0]), "AB");
  assert.equal(led([400, 0], [200, 0], [200, 200]), "ABD");
});

test("it never jumps: a finger across the floor brings nothing that no way leads to", () => {
  assert.equal(led([0, 600], [600, 600], [600, 0]), "A");
});

test("how far a point is from a line, and whether it is within a card", () => {
  assert.equal(targets.fromSegment([50, 30], [0, 0], [100, 0]), 30);
  assert.equal(targets.fromSegment([-30, 40], [0, 0], [100, 0]), 50);
  assert.equal(targets.fromSegment([3, 4], [0, 0], [0, 0]), 5);
  const reading = readingOf([]);
  assert.equal(targets.cardAt(reading, spot(100, 100))?.card, "S1");
  assert.equal(targets.cardAt(reading, spot(300, 100)), null);
});

/** The tool on a photo with this path; `sent` are its corrections. */
function tool(path, { scale = 0.2, fails = false } = {}) {
  const sent = [];
  const said = [];
  const editor = {
    reading: readingOf(path),
    viewer: viewerAt(scale),
    say: (words) => said.push(words),
    refresh() {},
    redraw() {},
    send(correction) {
      sent.push(correction);
      return Promise.resolve(!fails);
    },
  };
  const made = pathTool(editor);
  const finger = (x, y) => ({ ...spot(x, y), event: { clientX: x * scale, clientY: y * scale } });
  return {
    sent,
    said,
    editor,
    tap: (x, y) => made.tap(finger(x, y)),
    /** A finger that goes over these points; whether the tool took it, and what came of it. */
    async sweep([start, ...points], { cancelled = false, outside = false } = {}) {
      const taken = made.grab(finger(...start));
      for (const point of points) made.drag(finger(...point));
      if (taken) made.drop({ cancelled, outside });
      await settled();
      return taken;
    },
    choose(mode) {
      const box = new FakeElement();
      made.render(box);
      box.with("data-mode", mode).dispatchEvent(new Event("click"));
    },
  };
}

test("taps draw from place to place, and on from there", async () => {
  const { sent, tap } = tool([]);
  tap(0, 0);
  tap(200, 0);
  await settled();
  tap(400, 0);
  await settled();
  assert.deepEqual(sent, [
    { kind: "draw", places: ["A", "B"], join: true },
    { kind: "draw", places: ["B", "C"], join: true },
  ]);
});

test("a tap at the place that is ringed lets go of it", async () => {
  const { sent, tap } = tool([]);
  tap(0, 0);
  tap(0, 0);
  tap(200, 0);
  await settled();
  assert.deepEqual(sent, []);
});

test("where a stretch was refused the next is drawn from the place before it", async () => {
  const { sent, tap } = tool([], { fails: true });
  tap(0, 0);
  tap(200, 0);
  await settled();
  tap(400, 0);
  await settled();
  assert.deepEqual(
    sent.map(({ places: drawn }) => drawn),
    [
      ["A", "B"],
      ["A", "C"],
    ],
  );
});

test("where places are too near to tell, the photo is zoomed and nothing is drawn", async () => {
  const { sent, said, editor, tap } = tool([], { scale: 0.05 });
  tap(300, 0);
  tap(300, 0);
  await settled();
  assert.deepEqual(
    [sent, editor.viewer.zoomed, said.at(-1)],
    [[], [2.2, 2.2], "The places are close together here; tap once more in the larger picture."],
  );
});

test("from the ringed place a finger draws; from anywhere else it moves the photo", async () => {
  const { sent, sweep, tap } = tool([]);
  assert.equal(
    await sweep([
      [0, 0],
      [400, 0],
    ]),
    false,
  );
  tap(0, 0);
  assert.equal(
    await sweep([
      [400, 0],
      [600, 0],
    ]),
    false,
  );
  assert.equal(
    await sweep([
      [0, 0],
      [200, 0],
      [400, 0],
    ]),
    true,
  );
  assert.deepEqual(sent, [{ kind: "draw", places: ["A", "B", "C"], join: true }]);
});

for (const [why, how, words] of [
  ["broken off", { cancelled: true }, "Nothing is changed: the drag was broken off."],
  ["lifted outside the photo", { outside: true }, "Nothing is changed: your finger left the photo."],
]) {
  test(`what is drawn, dragged or erased and ${why} changes nothing`, async () => {
    for (const mode of ["draw", "drag", ...(how.cancelled ? ["erase"] : [])]) {
      const { sent, said, sweep, tap, choose } = tool([["A", "B", "D"]]);
      choose(mode);
      if (mode === "draw") tap(0, 0);
      assert.equal(
        await sweep(
          [
            [0, 0],
            [200, 0],
            [400, 0],
          ],
          how,
        ),
        true,
      );
      assert.deepEqual([mode, sent, said.at(-1)], [mode, [], words]);
    }
  });
}

test("an end of the path is dragged to another place, its middle leads through one", async () => {
  const { sent, sweep, choose } = tool([["A", "B", "D"]]);
  choose("drag");
  await sweep([
    [200, 195],
    [400, 0],
  ]);
  await sweep([
    [5, 0],
    [400, 0],
  ]);
  await sweep([
    [150, 0],
    [400, 0],
  ]);
  assert.deepEqual(sent, [
    { kind: "move-end", stroke: 0, end: "end", place: "C" },
    { kind: "move-end", stroke: 0, end: "start", place: "C" },
    { kind: "lead-through", stroke: 0, step: 1, place: "C" },
  ]);
});

test("what is dragged must be let go at a place, and far enough", async () => {
  const { sent, said, sweep, choose } = tool([["A", "B", "D"]]);
  choose("drag");
  await sweep([
    [100, 0],
    [400, 300],
  ]);
  assert.equal(
    said.at(-1),
    "Nothing is changed: there is no place of the cards where you let go. Let go on a dot.",
  );
  await sweep([
    [100, 0],
    [110, 0],
  ]);
  assert.deepEqual([sent, said.at(-1)], [[], "Hold the line and drag it."]);
});

test("a tap with the eraser takes a stretch, a sweep what it has gone over, later strokes first", async () => {
  const stretch = tool([["A", "B", "C", "E"]]);
  stretch.choose("erase");
  await stretch.sweep([[500, 0]]);
  assert.deepEqual(stretch.sent, [{ kind: "erase", stroke: 0, start: 1, end: 3 }]);

  const two = tool([
    ["A", "B"],
    ["C", "E"],
  ]);
  two.choose("erase");
  await two.sweep([
    [100, 0],
    [300, 0],
    [500, 0],
  ]);
  assert.deepEqual(two.sent, [
    { kind: "erase", stroke: 1, start: 0, end: 1 },
    { kind: "erase", stroke: 0, start: 0, end: 1 },
  ]);
});

test("an eraser beside the path moves the photo", async () => {
  const { sent, sweep, choose } = tool([["A", "B"]]);
  choose("erase");
  assert.equal(
    await sweep([
      [500, 500],
      [100, 0],
    ]),
    false,
  );
  assert.deepEqual(sent, []);
});
