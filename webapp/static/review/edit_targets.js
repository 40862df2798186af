// What a finger means on the photo: the place, find, stretch of path or card that is nearest to it.

/**
 * @import { EditedReading } from "./editor.js"
 * @import { Point, Spot, Viewer } from "./viewer.js"
 * @typedef {string[][]} Path places, stroke by stroke
 * @typedef {Map<string, Map<string, Point[]>>} Ways from a place to its neighbours, each with the line there
 */

export const FINGER_PX = 26; // CSS pixels: more than half of a touch target of 44
const CROWDED_PX = 13; // places nearer to each other than this cannot be told apart by a finger
const SAME_SPOT_MM = 1.5;
const FOLLOW_PX = 6; // a finger that draws is looked at this often
const TURN_BACK = 3; // so many places of what it has drawn may it have passed by mistake

/**
 * The path of a reading's record (docs/FORMATS.md, section 2).
 * @param {Pick<Api.Reading, "record">} reading
 */
export const pathIn = (reading) => /** @type {Path} */ (reading.record.path);

/**
 * @param {number[]} one
 * @param {number[]} other
 */
export function distance([ax, ay], [bx, by]) {
  return Math.hypot(ax - bx, ay - by);
}

/**
 * The place at a photo point: { place }, or { crowded: true } where a finger cannot tell at this zoom, or {}.
 * Of places at one spot (a pit and its landing) that of `level` is taken.
 * @param {Viewer} viewer
 * @param {EditedReading} reading
 * @param {Spot} point
 * @param {{ level?: string, among?: Api.ReviewPlace[] }} [by]
 * @returns {{ place?: Api.ReviewPlace, crowded?: boolean }}
 */
export function placeAt(viewer, reading, point, { level = "main", among = reading.places } = {}) {
  const near = among
    .map((place) => ({ place, far: distance(place.at, [point.x, point.y]) * viewer.scale }))
    .filter(({ far }) => far <= FINGER_PX)
    .sort((a, b) => a.far - b.far);
  if (!near.length) return {};
  const best = near[0].place;
  const sameSpot = near
    .map(({ place }) => place)
    .filter((place) => distance(place.at, best.at) < SAME_SPOT_MM * reading.px_per_mm);
  const chosen = sameSpot.find((place) => place.level === level) ?? best;
  const rival = near.find(({ place }) => !sameSpot.includes(place));
  const crowded =
    rival &&
    rival.far - near[0].far < CROWDED_PX &&
    distance(rival.place.at, best.at) * viewer.scale < CROWDED_PX;
  const room = viewer.scale < 6 / reading.px_per_mm; // CSS pixels per mm beyond which nothing is gained
  return crowded && room ? { crowded: true } : { place: chosen };
}

/**
 * The piece of path (of `reading.pieces`, no jumps) that is nearest to a photo point, within a finger.
 * @param {Viewer} viewer
 * @param {EditedReading} reading
 * @param {Spot} point
 * @returns {Api.ReviewPiece | null}
 */
export function pieceAt(viewer, reading, point) {
  /** @type {Api.ReviewPiece | null} */
  let best = null;
  let least = FINGER_PX / viewer.scale;
  for (const piece of reading.pieces) {
    if (piece.step === 0 || piece.line.length < 2) continue;
    for (let k = 1; k < piece.line.length; k += 1) {
      const far = fromSegment([point.x, point.y], piece.line[k - 1], piece.line[k]);
      if (far < least) [best, least] = [piece, far];
    }
  }
  return best;
}

/**
 * The stretch that a piece belongs to: up to the next crossing, find, door or opening on either side.
 * @param {EditedReading} reading
 * @param {Api.ReviewPiece} piece
 */
export function stretchOf(reading, piece) {
  const stroke = pathIn(reading)[piece.stroke];
  const degree = new Map();
  for (const link of reading.links) {
    for (const end of [link.a, link.b]) degree.set(end, (degree.get(end) ?? 0) + 1);
  }
  const kinds = new Map(reading.places.map((place) => [place.id, place.kind]));
  /** @param {string} name */
  const stops = (name) => kinds.get(name) !== "junction" || (degree.get(name) ?? 0) > 2;
  let [start, end] = [piece.step - 1, piece.step];
  while (start > 0 && !stops(stroke[start])) start -= 1;
  while (end < stroke.length - 1 && !stops(stroke[end])) end += 1;
  return { stroke: piece.stroke, start, end };
}

/**
 * The ways of the dungeon: from a place to its neighbours, each with the line there.
 * @param {EditedReading} reading
 * @returns {Ways}
 */
export function waysOf(reading) {
  /** @type {Ways} */
  const ways = new Map(reading.places.map((place) => [place.id, new Map()]));
  for (const link of reading.links) {
    ways.get(link.a)?.set(link.b, link.line);
    if (!link.one_way) ways.get(link.b)?.set(link.a, [...link.line].reverse());
  }
  return ways;
}

/**
 * Lead what is drawn ({ drawn: place names, ways }) after a finger that goes from one photo point to another: on to
 * what it comes nearest to of the neighbours of the last places, back where it comes back.
 * @param {Viewer} viewer
 * @param {EditedReading} reading
 * @param {{ drawn: string[], ways: Ways }} stroke
 * @param {Spot} from
 * @param {Spot} to
 */
export function follow(viewer, reading, { drawn, ways }, from, to) {
  const spots = new Map(reading.places.map((place) => [place.id, place.at]));
  const steps = Math.max(1, Math.ceil((distance([from.x, from.y], [to.x, to.y]) * viewer.scale) / FOLLOW_PX));
  for (let k = 1; k <= steps; k += 1) {
    const point = [from.x + ((to.x - from.x) * k) / steps, from.y + ((to.y - from.y) * k) / steps];
    /** @param {string} name */
    const far = (name) => distance(spots.get(name) ?? [Infinity, Infinity], point);
    let [kept, least] = [drawn.length, Math.min(far(drawn[drawn.length - 1]), FINGER_PX / viewer.scale)];
    /** @type {string | null} */
    let next = null;
    for (let back = drawn.length; back > Math.max(0, drawn.length - TURN_BACK); back -= 1) {
      for (const name of ways.get(drawn[back - 1])?.keys() ?? []) {
        if (far(name) < least) [kept, next, least] = [back, name, far(name)];
      }
    }
    if (next === null) continue;
    drawn.length = kept;
    if (next === drawn[kept - 2]) drawn.pop();
    else drawn.push(next);
  }
}

/**
 * The card under a photo point.
 * @param {EditedReading} reading
 * @param {Spot} point
 */
export function cardAt(reading, point) {
  return reading.cards.find((card) => inside([point.x, point.y], card.corners)) ?? null;
}

/**
 * @param {number[]} point
 * @param {Point[]} corners
 */
export function inside([x, y], corners) {
  let within = false;
  for (let k = 0, j = corners.length - 1; k < corners.length; j = k, k += 1) {
    const [[xk, yk], [xj, yj]] = [corners[k], corners[j]];
    if (yk > y !== yj > y && x < ((xj - xk) * (y - yk)) / (yj - yk) + xk) within = !within;
  }
  return within;
}

/**
 * How far a point is from a straight line between two.
 * @param {number[]} point
 * @param {number[]} one
 * @param {number[]} other
 */
export function fromSegment([x, y], [ax, ay], [bx, by]) {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = length ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) : 0;
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
}
