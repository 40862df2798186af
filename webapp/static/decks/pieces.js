// A board game's box: what the game asks for is photographed sort by sort, and what was read is looked over.

import { api, messageOf, t, tell, toast } from "../app.js";
import { byId, closest } from "../elements.js";
import { el, fill, icon } from "../review/dom.js";
import { onPiece } from "./piece_dialog.js";
import { tileLines } from "./tile_lines.js";

const page = byId("pieces");
const deck = encodeURIComponent(encodeURIComponent(page.dataset.deck ?? ""));
const LOOK_MS = 1500;
const SIGNS = { ink: "check", pencil: "pencil", asked: "question" };
const DECIMALS = /^\d{1,3}([.,]\d{1,2})?$/;

/** @type {Api.PiecesBox} */
let now = JSON.parse(byId("pieces-data", HTMLScriptElement).textContent ?? "null");
/** Photos that are still to be sent. @type {File[]} */
let sending = [];
/** Sizes as they were typed, by sort. @type {Map<string, [string, string]>} */
const typed = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let looking;

/** @param {string} [word] */
const toLookAt = (word) =>
  now.pieces.filter((piece) => piece.state === "asked" && (!word || piece.word === word));

/** @param {Api.PiecesBox} box */
function show(box) {
  now = box;
  const { waiting } = box;
  const words = [
    sending.length ? t("sending", { count: sending.length }) : "",
    waiting ? t("waiting", { count: waiting }) : "",
  ];
  byId("pieces-status").textContent = words.filter(Boolean).join(" · ");
  byId("pieces-progress", HTMLProgressElement).hidden = !waiting && !sending.length;
  fill(byId("pieces-photos"), ...box.photos.slice(0, 4).map(photo));
  fill(byId("pieces-list"), ...box.groups.flatMap((group) => group.sorts.map(counted)));
  const next = byId("pieces-next");
  next.hidden = !toLookAt().length;
  const [, label] = next.children;
  if (label) label.textContent = t("to_look", { count: toLookAt().length });
  byId("pieces-undo").hidden = box.undo === null;
  draw();
  clearTimeout(looking);
  if (waiting) looking = setTimeout(look, LOOK_MS);
}

/** @param {Api.EnrolledPhoto} seen */
function photo(seen) {
  return el(
    "li",
    { class: seen.state === "failed" ? "warn" : null },
    el("strong", {}, seen.name),
    ` ${seen.words}`,
  );
}

/**
 * A line of what the game asks for.
 * @param {Api.AskedSort} sort
 */
function counted(sort) {
  const words = !sort.have
    ? t("none_yet")
    : sort.missing
      ? t("missing", { count: sort.missing })
      : t("complete");
  const asked = toLookAt(sort.word).length;
  return el(
    "li",
    { class: sort.missing || asked ? null : "good" },
    icon(sort.missing ? (sort.have ? "more" : "camera") : asked ? "question" : "check"),
    el("a", { href: `#sort-${sort.word}` }, sort.name),
    el(
      "span",
      { class: "hint" },
      [words, asked ? t("to_look", { count: asked }) : ""].filter(Boolean).join(" · "),
    ),
  );
}

function draw() {
  const [first] = now.groups;
  const tiles = first?.sorts.some((sort) => sort.have);
  // A form that somebody is writing in stays.
  const open = page.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement;
  if (open && document.activeElement?.getAttribute("type") !== "file") return;
  fill(page, ...now.groups.map((group) => section(group, group === first || Boolean(tiles))));
}

/**
 * @param {Api.AskedTogether} group
 * @param {boolean} may whether it can be photographed yet
 */
function section(group, may) {
  const key = group.sorts.map((sort) => sort.word).join("-");
  const words = group.sorts.map((sort) => sort.word);
  const own = now.pieces.filter((piece) => words.includes(piece.word));
  const pencil = own.filter((piece) => piece.state === "pencil");
  const title = group.sorts.map((sort) => sort.name).join(" · ");
  return el(
    "section",
    { class: "panel stack", "aria-labelledby": `title-${key}`, "data-group": key },
    ...words.map((word) => el("span", { id: `sort-${word}`, class: "anchor" })),
    el("h2", { id: `title-${key}` }, title),
    el("p", { class: "hint" }, may ? group.hint || t("lay") : t("tiles_first")),
    may ? photographing(group, key, words) : null,
    own.length ? el("ul", { class: "piece-grid" }, ...own.map(tile)) : null,
    pencil.length ? el("p", { class: "hint" }, t("all_right_hint")) : null,
    pencil.length
      ? el(
          "button",
          { type: "button", class: "button primary", "data-all-right": key, onclick: () => allRight(pencil) },
          icon("check"),
          el("span", {}, t("all_right", { count: pencil.length })),
        )
      : null,
  );
}

/**
 * How large one is, and what takes the photo; folded away where nothing is missing.
 * @param {Api.AskedTogether} group
 * @param {string} key
 * @param {string[]} words
 */
function photographing(group, key, words) {
  const parts = [
    el("div", { class: "sizes" }, ...group.sorts.flatMap(size)),
    el(
      "div",
      { class: "row deck-photos" },
      chooser(`camera-${key}`, "camera", t("take"), words, { capture: "environment" }),
      chooser(`files-${key}`, "pictures", t("choose"), words, { multiple: true }),
    ),
  ];
  if (group.sorts.some((sort) => sort.missing)) return el("div", { class: "stack" }, ...parts);
  const label = el("summary", { class: "button" }, icon("camera"), el("span", {}, t("photograph_more")));
  return el("details", { class: "piece-more" }, label, el("div", { class: "stack" }, ...parts));
}

/** @param {Api.AskedSort} sort */
function size(sort) {
  // What was measured of the tiles holds for the box.
  if (sort.kind === "tile") return [];
  const [width, height] = typed.get(sort.word) ?? sort.size_mm.map((side) => String(side));
  const disc = sort.shape === "disc" || (sort.shape === "square" && sort.kind !== "figure");
  /** @param {number} side @param {string} label @param {string} value */
  const input = (side, label, value) => {
    const field = el("input", {
      class: "short",
      inputmode: "decimal",
      value,
      "data-size": `${sort.word}-${side}`,
      oninput: () => {
        /** @type {[string, string]} */
        const told = typed.get(sort.word) ?? [width ?? "", height ?? ""];
        told[side] = field.value;
        if (disc) told[1] = field.value;
        typed.set(sort.word, told);
      },
    });
    return el("label", { class: "field" }, el("span", {}, label), field);
  };
  return [
    el(
      "fieldset",
      { class: "card-size" },
      el("legend", {}, t("size_of", { name: sort.name })),
      input(0, disc ? t(sort.shape === "disc" ? "across" : "width") : t("width"), width ?? ""),
      disc ? null : el("span", { "aria-hidden": "true" }, "×"),
      disc ? null : input(1, t("height"), height ?? ""),
      sort.measured ? null : el("span", { class: "hint" }, t("usual")),
    ),
  ];
}

/**
 * @param {string} id
 * @param {string} sign
 * @param {string} label
 * @param {string[]} words
 * @param {Record<string, unknown>} more
 */
function chooser(id, sign, label, words, more) {
  const input = el("input", {
    class: "visually-hidden",
    id,
    type: "file",
    accept: "image/*,.heic,.heif",
    ...more,
    onchange: () => {
      const files = [...(input.files ?? [])];
      input.value = "";
      send(files, words);
    },
  });
  const button = el(
    "label",
    { class: more.capture ? "button primary" : "button", for: id },
    icon(sign),
    el("span", {}, label),
  );
  return el("span", { class: "deck-photo" }, input, button);
}

/**
 * A piece's picture, which has its room before it comes.
 * @param {Api.BoxPiece} piece
 */
function picture(piece) {
  const [width, height] = piece.size_mm;
  return el("img", {
    src: piece.picture,
    alt: "",
    loading: "lazy",
    width: 100,
    height: Math.round((100 * height) / width),
  });
}

/** @param {Api.BoxPiece} piece */
function tile(piece) {
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: `piece piece-${piece.state}`,
        "data-piece": piece.id,
        "aria-haspopup": "dialog",
        "aria-label": `${t("look_at", { piece: piece.name })}: ${t(`state_${piece.state}`)}`,
      },
      el(
        "span",
        { class: "piece-face" },
        picture(piece),
        piece.corridors.length ? tileLines(piece.corridors, piece.state) : null,
      ),
      el(
        "span",
        { class: "face-name" },
        el("span", { class: "clip" }, piece.label),
        piece.copies > 1 ? el("span", { class: "hint" }, `×${piece.copies}`) : null,
        el("span", { class: `face-state state-${piece.state}` }, icon(SIGNS[piece.state])),
      ),
    ),
  );
}

/** @param {string[]} words */
function sizesOf(words) {
  const sorts = now.groups.flatMap((group) => group.sorts).filter((sort) => words.includes(sort.word));
  return sorts.map((sort) => {
    const sides = (typed.get(sort.word) ?? sort.size_mm.map(String)).map((side) => side.trim());
    if (!sides.every((side) => DECIMALS.test(side)))
      throw new Error(t("wrong_size", { example: sort.size_mm.join(" × ") }));
    return `${sort.word}:${sides.map((side) => side.replace(",", ".")).join("x")}`;
  });
}

/**
 * @param {File[]} files
 * @param {string[]} words
 */
async function send(files, words) {
  let shown;
  try {
    shown = sizesOf(words).join(",");
  } catch (error) {
    tell(error);
    return;
  }
  sending = [...sending, ...files];
  for (const file of files) {
    show(now);
    const body = new FormData();
    body.append("photo", file);
    try {
      show(await api("POST", `/decks/${deck}/pieces/photos?${new URLSearchParams({ shown })}`, body));
    } catch (error) {
      const run = () => send([file], words);
      toast(`${file.name}: ${messageOf(error)}`, { kind: "bad", action: { label: t("send_again"), run } });
    }
    sending = sending.filter((each) => each !== file);
  }
  show(now);
}

async function look() {
  try {
    show(await api("GET", `/decks/${deck}/pieces`));
  } catch {
    clearTimeout(looking);
    looking = setTimeout(look, 4 * LOOK_MS);
  }
}

/**
 * Say what pieces are, and offer to take it back.
 * @param {Api.BoxPiece[]} pieces
 * @param {{ said?: string, facts?: Record<string, any> }} answer
 */
async function say(pieces, answer) {
  const seen = Object.fromEntries(pieces.map((piece) => [piece.id, piece.version]));
  try {
    show(await api("POST", `/decks/${deck}/pieces/answers`, { pieces: seen, ...answer }));
  } catch (error) {
    look();
    throw error;
  }
  const [first] = pieces;
  const words =
    pieces.length > 1 ? t("kept_all", { count: pieces.length }) : t("kept", { piece: first?.name ?? "" });
  const change = now.undo;
  const action = change === null ? null : { label: t("undo"), run: () => undo(change) };
  toast(words, action ? { action } : {});
}

/** @param {number} change */
async function undo(change) {
  try {
    show(await api("POST", `/decks/${deck}/pieces/undo`, { change }));
    toast(t("undone"));
  } catch (error) {
    tell(error);
    look();
  }
}

/** @param {Api.BoxPiece[]} pieces */
async function allRight(pieces) {
  try {
    await say(pieces, { said: "right" });
  } catch (error) {
    tell(error);
  }
}

const open = onPiece({
  piece: (id) => now.pieces.find((piece) => piece.id === id),
  sort: (word) => now.groups.flatMap((group) => group.sorts).find((sort) => sort.word === word),
  alike: (word) => now.pieces.filter((piece) => piece.word === word),
  next: (after) => toLookAt().find((piece) => piece.id !== after),
  say: (piece, answer) => say([piece], answer),
});

page.addEventListener("click", (event) => {
  const id = closest(event, "[data-piece]")?.dataset.piece;
  if (id) open(id);
});
byId("pieces-next").addEventListener("click", () => {
  const [first] = toLookAt();
  if (first) open(first.id);
});
byId("pieces-undo").addEventListener("click", () => {
  if (now.undo !== null) undo(now.undo);
});
show(now);
page.classList.remove("awaiting");
