// Draws a board from what the API tells of it: tiles and pieces by their art, what a turn did as arrows; and the
// same over a photo. Every mark has a shape of its own: nothing hangs on colour alone.

import { shape } from "../review/dom.js";

/** A cell's side, and the rim with the places where tiles go in. */
export const CELL = 100;
const RIM = 84;
const SIDES = /** @type {const} */ (["top", "right", "bottom", "left"]);

/** @typedef {[number, number]} Cell */
/**
 * @typedef {object} Marks what is shown over a board
 * @property {readonly (readonly [number, number])[]} [likely] cells that go by the rules
 * @property {readonly (readonly [number, number])[]} [asked] cells about which something is asked
 * @property {readonly (readonly [number, number])[]} [doubtful] cells to be looked at first
 * @property {readonly Api.LyingTile[]} [tiles] the tiles as read, shown in doubtful cells of a photo
 * @property {readonly { cell: readonly [number, number], mark: string }[]} [answers] cells that are answers
 * @property {readonly (readonly [number, number])[]} [wrong] cells with which something is wrong
 * @property {readonly Api.BoardTrace[]} [traces]
 * @property {boolean} [arrows] whether the places at which tiles go in can be tapped
 * @property {string} [arrow] the one that was chosen
 * @property {(cell: Cell) => string} [called] what a cell is called to who does not see it
 */

/**
 * A board as a picture, to be put in the place of another.
 * @param {Api.BoardPicture} board
 * @param {string} art the address before a piece's picture
 * @param {Marks} [marks]
 */
export function boardPicture(board, art, marks = {}) {
  const width = board.columns * CELL;
  const height = board.rows * CELL;
  const rim = board.arrows.length ? RIM : 12;
  const picture = shape("svg", {
    viewBox: `${-rim} ${-rim} ${width + 2 * rim} ${height + 2 * rim}`,
    class: "board-picture",
    role: "group",
  });
  picture.append(
    shape("rect", { x: -6, y: -6, width: width + 12, height: height + 12, rx: 8, class: "board-ground" }),
  );
  if (board.ground) {
    const ground = image(art, board.ground, 0, 0, width, height);
    ground.setAttribute("transform", `rotate(${board.ground_rotation} ${width / 2} ${height / 2})`);
    picture.append(ground);
  }
  const clear = shape("g", { class: board.ground ? "tiles-clear" : null });
  for (const tile of board.tiles)
    if (tile.cell) clear.append(lying(tile, tile.cell[0] * CELL, tile.cell[1] * CELL, art));
  picture.append(clear);
  for (const arrow of board.arrows) picture.append(...entry(arrow, board, marks));
  board.spare.slice(0, board.arrows.length ? 1 : 0).forEach((tile) => {
    const [x, y] = spareAt(tile.at, board);
    const spare = shape("g", { class: "spare", "data-spare": "", tabindex: 0, role: "button" });
    spare.append(lying(tile, x - 33, y - 33, art, 66));
    picture.append(spare);
  });
  for (const cell of marks.likely ?? []) picture.append(square(cell, "cell-likely", 4));
  picture.append(...pieces(board.pieces, art));
  for (const cell of [...(marks.asked ?? []), ...(marks.doubtful ?? [])])
    picture.append(square(cell, "cell-asked", 4), sign(cell, "?"));
  for (const { cell, mark } of marks.answers ?? [])
    picture.append(square(cell, "cell-asked", 4), sign(cell, mark));
  for (const cell of marks.wrong ?? []) picture.append(square(cell, "cell-wrong", 4));
  for (const trace of marks.traces ?? []) picture.append(...traced(trace.kind, scaled(trace.points), CELL));
  for (let row = 0; row < board.rows; row += 1)
    for (let column = 0; column < board.columns; column += 1) {
      const target = square([column, row], "cell-target", 0);
      target.dataset.cell = `${column},${row}`;
      target.setAttribute("tabindex", "0");
      target.setAttribute("role", "button");
      target.setAttribute("aria-label", marks.called?.([column, row]) ?? `${column + 1}, ${row + 1}`);
      picture.append(target);
    }
  return picture;
}

/**
 * A board that lies beside the one of tiles, with what lies on it.
 * @param {Api.BoardBeside} board
 * @param {string} art the address before a piece's picture
 */
export function boardBeside(board, art) {
  const [width, height] = [board.columns * CELL, board.rows * CELL];
  const picture = shape("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "board-picture board-beside",
    role: "img",
    "aria-label": board.name,
  });
  const ground = image(art, board.art, 0, 0, width, height);
  ground.setAttribute("preserveAspectRatio", "none");
  picture.append(ground, ...pieces(board.pieces, art));
  return picture;
}

/**
 * A photo with what was read over it: beside each piece its picture.
 * @param {Api.SeenBoard} seen
 * @param {number} columns
 * @param {Marks} marks
 * @param {string} art the address before a piece's picture
 */
export function photoPicture(seen, columns, marks, art) {
  const picture = shape("svg", {
    viewBox: around(seen).join(" "),
    class: "board-picture board-photo",
    role: "group",
  });
  const unit = side(seen, columns);
  picture.append(
    shape("image", { href: `/photos/${seen.photo_id}/1600.jpg`, width: seen.width, height: seen.height }),
  );
  const answers = marks.answers ?? [];
  const doubtful = marks.doubtful ?? [];
  const asked = new Set(
    [...(marks.asked ?? []), ...doubtful, ...answers.map((each) => each.cell)].map(String),
  );
  const wrong = new Set((marks.wrong ?? []).map(String));
  seen.cells.forEach((corners, number) => {
    const cell = `${number % columns},${Math.floor(number / columns)}`;
    const kind = asked.has(cell) ? "cell-asked" : wrong.has(cell) ? "cell-wrong" : "cell-seen";
    const outline = shape("polygon", {
      points: corners.map((each) => each.join(",")).join(" "),
      class: `cell-target ${kind}`,
      "data-cell": cell,
      tabindex: 0,
      role: "button",
      "aria-label": marks.called?.([number % columns, Math.floor(number / columns)]) ?? cell,
      "stroke-width": unit / (kind === "cell-seen" ? 60 : 18),
    });
    picture.append(outline);
  });
  for (const { cell, mark } of answers)
    picture.append(photoSign(middle(seen.cells[cell[1] * columns + cell[0]] ?? []), mark, unit));
  for (const cell of doubtful) {
    const at = middle(seen.cells[cell[1] * columns + cell[0]] ?? []);
    const tile = marks.tiles?.find((each) => String(each.cell) === String(cell));
    if (tile?.art) picture.append(...tileBadge(tile, tile.art, seen.quarters ?? 0, at, unit, art));
    picture.append(photoSign([at[0] + 0.34 * unit, at[1] + 0.22 * unit], "?", 0.7 * unit));
  }
  for (const piece of seen.pieces.filter((each) => each.counts)) picture.append(...badge(piece, unit, art));
  for (const trace of marks.traces ?? [])
    if (trace.px.length) picture.append(...traced(trace.kind, trace.px, unit));
  return picture;
}

/**
 * The middle of an outline.
 * @param {readonly (readonly [number, number])[]} outline
 * @returns {[number, number]}
 */
function middle(outline) {
  const sum = (/** @type {0 | 1} */ k) => outline.reduce((all, each) => all + each[k], 0) / outline.length;
  return [sum(0), sum(1)];
}

/**
 * A letter over a place of the photo.
 * @param {readonly [number, number]} at
 * @param {string} words
 * @param {number} unit
 */
function photoSign([x, y], words, unit) {
  const letter = shape("text", {
    x,
    y: y + unit / 5,
    class: "photo-sign",
    "font-size": unit / 2,
    "stroke-width": unit / 12,
  });
  letter.textContent = words;
  return letter;
}

/**
 * The tile that was read in a cell, as it lies in the photo.
 * @param {Api.LyingTile} tile
 * @param {string} name
 * @param {number} quarters
 * @param {readonly [number, number]} at
 * @param {number} unit
 * @param {string} art
 */
function* tileBadge(tile, name, quarters, [x, y], unit, art) {
  const size = 0.36 * unit;
  const [left, top] = [x - 0.1 * unit - size, y + 0.1 * unit];
  yield shape("rect", { x: left, y: top, width: size, height: size, class: "piece-badge" });
  const picture = image(art, name, left, top, size, size);
  const turn = tile.rotation + 90 * quarters;
  picture.setAttribute("transform", `rotate(${turn} ${left + size / 2} ${top + size / 2})`);
  picture.setAttribute("class", "piece-badge-art");
  yield picture;
}

/**
 * What was read in a place of the photo: a dot on it, and the piece's picture beside it.
 * @param {Api.SeenPiece} piece
 * @param {number} unit
 * @param {string} art
 */
function* badge({ art: name, at: [x, y] }, unit, art) {
  const size = 0.36 * unit;
  const [left, top] = [x + 0.1 * unit, y - 0.1 * unit - size];
  yield shape("circle", { cx: x, cy: y, r: unit / 14, class: "piece-seen" });
  yield shape("rect", { x: left, y: top, width: size, height: size, rx: size / 5, class: "piece-badge" });
  const picture = image(art, name, left, top, size, size);
  picture.setAttribute("class", "piece-badge-art");
  yield picture;
}

/**
 * A part of a photo, cut out around some points of it.
 * @param {Api.SeenBoard} seen
 * @param {readonly (readonly [number, number])[]} points
 */
export function photoPart(seen, points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const more = 0.25 * Math.max(high - low, bottom - top);
  const picture = shape("svg", {
    viewBox: [low - more, top - more, high - low + 2 * more, bottom - top + 2 * more].join(" "),
    class: "photo-part",
    "aria-hidden": "true",
  });
  picture.append(
    shape("image", { href: `/photos/${seen.photo_id}/1600.jpg`, width: seen.width, height: seen.height }),
  );
  return picture;
}

/**
 * A tile or piece by itself.
 * @param {string} art
 * @param {string} name
 * @param {number} [rotation]
 */
export function pieceImage(art, name, rotation = 0) {
  const picture = document.createElement("img");
  picture.src = `${art}${encodeURIComponent(name)}.jpg`;
  picture.alt = "";
  picture.loading = "lazy";
  picture.className = `piece-image turned-${rotation}`;
  return picture;
}

/**
 * @param {Api.LyingTile} tile
 * @param {number} x
 * @param {number} y
 * @param {string} art
 */
function lying(tile, x, y, art, size = CELL) {
  const group = shape("g", { transform: `rotate(${tile.rotation} ${x + size / 2} ${y + size / 2})` });
  group.append(
    shape("rect", { x: x + 1, y: y + 1, width: size - 2, height: size - 2, rx: 4, class: "tile-edge" }),
  );
  if (tile.art) group.append(image(art, tile.art, x + 1, y + 1, size - 2, size - 2));
  else {
    const words = shape("text", { x: x + size / 2, y: y + size / 2 + 16, class: "tile-unknown" });
    words.textContent = tile.up ? "?" : "■";
    group.append(words);
  }
  return group;
}

/**
 * @param {string} art
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
function image(art, name, x, y, width, height) {
  return shape("image", {
    href: `${art}${encodeURIComponent(name)}.jpg`,
    x,
    y,
    width,
    height,
    preserveAspectRatio: "xMidYMid slice",
  });
}

let clips = 0;

/**
 * Pieces of a cell lie beside each other: discs below, what stands above.
 * @param {readonly Api.StandingPiece[]} all
 * @param {string} art
 */
function* pieces(all, art) {
  /** @type {Map<string, Api.StandingPiece[]>} */
  const cells = new Map();
  for (const piece of all) cells.set(String(piece.cell), [...(cells.get(String(piece.cell)) ?? []), piece]);
  for (const here of cells.values()) {
    const step = here.length > 1 ? Math.min(34, 60 / here.length) : 0;
    for (const [number, piece] of here.entries()) {
      const off = (number - (here.length - 1) / 2) * step;
      const x = piece.cell[0] * CELL + CELL / 2 + off;
      const y = piece.cell[1] * CELL + CELL / 2 + (piece.kind === "disc" ? 4 : -4) + off / 3;
      yield standing(piece, x, y, art, here.length > 1 ? 22 : 27);
    }
  }
}

/**
 * @param {Api.StandingPiece} piece
 * @param {number} x
 * @param {number} y
 * @param {string} art
 * @param {number} radius
 */
function standing(piece, x, y, art, radius) {
  const group = shape("g", { class: `piece piece-${piece.kind}` });
  const id = `clip-${(clips += 1)}`;
  group.append(shape("clipPath", { id }, shape("circle", { cx: x, cy: y, r: radius })));
  group.append(shape("circle", { cx: x, cy: y, r: radius + 3, class: "piece-rim" }));
  if (piece.art) {
    const picture = image(art, piece.art, x - radius, y - radius, 2 * radius, 2 * radius);
    picture.setAttribute("clip-path", `url(#${id})`);
    group.append(picture);
  }
  if (piece.facing) {
    const turn = 90 * SIDES.indexOf(/** @type {any} */ (piece.facing));
    group.append(
      shape("polygon", {
        points: `${x},${y - radius - 20} ${x - 13},${y - radius - 1} ${x + 13},${y - radius - 1}`,
        transform: `rotate(${turn} ${x} ${y})`,
        class: "piece-facing",
      }),
    );
  }
  return group;
}

/**
 * @param {string} arrow
 * @param {Api.BoardPicture} board
 * @param {Marks} marks
 */
function* entry(arrow, board, marks) {
  const [x, y, turn] = arrowAt(arrow, board);
  const chosen = marks.arrow === arrow;
  const group = shape("g", {
    class: `entry${marks.arrows ? " entry-open" : ""}${chosen ? " entry-chosen" : ""}`,
    transform: `rotate(${turn} ${x} ${y})`,
  });
  if (marks.arrows) {
    group.dataset.arrow = arrow;
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", arrow);
    group.append(
      shape("rect", { x: x - 42, y: y - 40, width: 84, height: 72, class: "entry-target", rx: 10 }),
    );
  }
  group.append(shape("polygon", { points: `${x - 22},${y - 12} ${x + 22},${y - 12} ${x},${y + 20}` }));
  yield group;
}

/**
 * @param {string} arrow a side and a line, `top1`
 * @param {{ columns: number, rows: number }} board
 * @returns {[number, number, number]} where it is and how it is turned
 */
function arrowAt(arrow, { columns, rows }) {
  const name = SIDES.find((each) => arrow.startsWith(each)) ?? "top";
  const line = (Number(arrow.slice(name.length)) + 0.5) * CELL;
  if (name === "top") return [line, -28, 0];
  if (name === "bottom") return [line, rows * CELL + 28, 180];
  return name === "left" ? [-28, line, 270] : [columns * CELL + 28, line, 90];
}

/**
 * @param {string | null | undefined} at
 * @param {{ columns: number, rows: number }} board
 * @returns {[number, number]}
 */
function spareAt(at, board) {
  if (!at || !SIDES.some((each) => at.startsWith(each))) return [-44, board.rows * CELL + 44];
  const [x, y, turn] = arrowAt(at, board);
  const out = 18;
  return [
    x + (turn === 90 ? out : turn === 270 ? -out : 0),
    y + (turn === 0 ? -out : turn === 180 ? out : 0),
  ];
}

/**
 * @param {readonly [number, number]} cell
 * @param {string} name
 * @param {number} inset
 */
function square([column, row], name, inset) {
  return shape("rect", {
    x: column * CELL + inset,
    y: row * CELL + inset,
    width: CELL - 2 * inset,
    height: CELL - 2 * inset,
    rx: 6,
    class: name,
  });
}

/**
 * @param {readonly [number, number]} cell
 * @param {string} words
 */
function sign([column, row], words) {
  const text = shape("text", { x: (column + 0.82) * CELL, y: (row + 0.28) * CELL, class: "cell-sign" });
  text.textContent = words;
  return text;
}

/** @param {readonly (readonly [number, number])[]} points */
const scaled = (points) => points.map(([x, y]) => /** @type {[number, number]} */ ([x * CELL, y * CELL]));

/**
 * What a turn did: a line with a head, a ring, a cross.
 * @param {string} kind
 * @param {readonly (readonly [number, number])[]} points
 * @param {number} unit
 */
function* traced(kind, points, unit) {
  const [last, before] = [points[points.length - 1], points[points.length - 2]];
  if (!last) return;
  if (kind === "take") {
    yield shape("circle", {
      cx: last[0],
      cy: last[1],
      r: 0.4 * unit,
      class: "trace-take",
      "stroke-width": 0.08 * unit,
    });
    return;
  }
  if (kind === "wrong" || !before) {
    const [x, y] = last;
    const half = 0.3 * unit;
    const path = `M${x - half},${y - half}L${x + half},${y + half}M${x + half},${y - half}L${x - half},${y + half}`;
    for (const each of ["trace-edge", "trace-wrong"])
      yield shape("path", {
        d: path,
        class: each,
        "stroke-width": (each === "trace-edge" ? 0.17 : 0.1) * unit,
      });
    return;
  }
  const length = Math.hypot(last[0] - before[0], last[1] - before[1]) || 1;
  const [dx, dy] = [(last[0] - before[0]) / length, (last[1] - before[1]) / length];
  const head = 0.3 * unit;
  const neck = [last[0] - head * dx, last[1] - head * dy];
  const line = [...points.slice(0, -1), neck].map((each) => each.join(",")).join(" ");
  const wing = 0.6 * head;
  const tip = [last, [neck[0] - wing * dy, neck[1] + wing * dx], [neck[0] + wing * dy, neck[1] - wing * dx]]
    .map((each) => each.join(","))
    .join(" ");
  yield shape("polyline", { points: line, class: "trace-edge", "stroke-width": 0.17 * unit });
  yield shape("polygon", { points: tip, class: "trace-edge trace-head", "stroke-width": 0.07 * unit });
  yield shape("polyline", { points: line, class: `trace-${kind}`, "stroke-width": 0.1 * unit });
  yield shape("polygon", { points: tip, class: `trace-${kind} trace-head` });
}

/** @param {Api.SeenBoard} seen */
function around(seen) {
  const points = seen.cells.flat();
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const more = 0.12 * (Math.max(...xs) - Math.min(...xs));
  const low = Math.max(0, Math.min(...xs) - more);
  const top = Math.max(0, Math.min(...ys) - more);
  const right = Math.min(seen.width, Math.max(...xs) + more);
  const bottom = Math.min(seen.height, Math.max(...ys) + more);
  return [low, top, right - low, bottom - top];
}

/**
 * About how long a cell's side is in the photo.
 * @param {Api.SeenBoard} seen
 * @param {number} columns
 */
function side(seen, columns) {
  const [first, last] = [seen.cells[0], seen.cells[seen.cells.length - 1]];
  if (!first || !last || !first[0] || !last[2]) return 40;
  return Math.hypot(last[2][0] - first[0][0], last[2][1] - first[0][1]) / (1.42 * columns);
}
