// A board game's box: what the game asks for is photographed sort by sort, and what was read is looked over.

import { api, t, tell, toast } from "../app.js";
import { byId, closest } from "../elements.js";
import { el, fill, icon } from "../review/dom.js";
import { PhotoQueue } from "./photo_queue.js";
import { onPiece, STATE_NAMES } from "./piece_dialog.js";
import { tileLines } from "./tile_lines.js";

const page = byId("pieces");
const deck = encodeURIComponent(encodeURIComponent(page.dataset.deck ?? ""));
const SIGNS = { ink: "check", pencil: "pencil", asked: "question" };
const DECIMALS = /^\d{1,3}([.,]\d{1,2})?$/;

/** @type {Api.PiecesBox} */
let now = JSON.parse(byId("pieces-data", HTMLScriptElement).textContent ?? "null");
/** Sizes as they were typed, by sort. @type {Map<string, [string, string]>} */
const typed = new Map();
/** @type {PhotoQueue<Api.PiecesBox>} */
const photos = new PhotoQueue(
  { status: "pieces-status", progress: "pieces-progress" },
  () => api("GET", `/decks/${deck}/pieces`),
  show,
);

/** @param {string} [word] */
const toLookAt = (word) =>
  now.pieces.filter((piece) => piece.state === "asked" && (!word || piece.word === word));

/** @param {Api.PiecesBox} box */
function show(box) {
  now = box;
  fill(byId("pieces-doubted"), ...box.doubted.map(doubted));
  fill(byId("pieces-photos"), ...box.photos.slice(0, 4).map(photo));
  fill(byId("pieces-list"), ...box.groups.flatMap((group) => group.sorts.map(counted)));
  const next = byId("pieces-next");
  next.hidden = !toLookAt().length;
  const [, label] = next.children;
  if (label) label.textContent = t("%(count)s to check", { count: toLookAt().length });
  byId("pieces-undo").hidden = box.undo === null;
  draw();
  photos.tell(box);
}

/** @param {Api.EnrolledPhoto} seen */
function photo(seen) {
  return el(
    "li",
    { class: seen.state === "failed" || seen.advice.length ? "warn" : null },
    el("strong", {}, seen.name),
    ` ${seen.words}`,
    ...seen.advice.map((words) => el("p", { class: "warn" }, words)),
  );
}

/**
 * A photo that seems to show other pieces than it was sent for: one tap says which it shows.
 * @param {Api.DoubtedPhoto} seen
 */
function doubted(seen) {
  const told = seen.told.split(",").map((each) => each.split(":")[0] ?? "");
  const likely = now.groups.filter((group) => group.sorts.some((sort) => seen.rather.includes(sort.word)));
  /** @param {string} shown */
  const answer = async (shown) => {
    try {
      show(await api("POST", `/decks/${deck}/pieces/doubted`, { photo: seen.key, shown }));
    } catch (error) {
      tell(error);
      photos.look();
    }
  };
  /**
   * @param {string[]} words
   * @param {() => string} shown
   */
  const choice = (words, shown) =>
    el(
      "button",
      {
        type: "button",
        class: "button",
        "data-shows": words.join("-"),
        onclick: () => {
          try {
            answer(shown());
          } catch (error) {
            tell(error);
          }
        },
      },
      icon("check"),
      el("span", {}, t("It shows: %(names)s", { names: namesOf(words) })),
    );
  return el(
    "div",
    { class: "panel stack face-question", role: "group", "aria-label": seen.name },
    el("h3", {}, seen.words),
    el("p", { class: "hint" }, seen.name),
    el(
      "div",
      { class: "trace-actions" },
      ...likely.map((group) => {
        const words = group.sorts.map((sort) => sort.word);
        return choice(words, () => sizesOf(words).join(","));
      }),
      choice(told, () => seen.told),
      el(
        "button",
        { type: "button", class: "button", "data-shows": "", onclick: () => answer("") },
        icon("trash"),
        el("span", {}, t("Leave this photo out")),
      ),
    ),
  );
}

/** @param {string[]} words */
const namesOf = (words) =>
  now.groups
    .flatMap((group) => group.sorts)
    .filter((sort) => words.includes(sort.word))
    .map((sort) => sort.name)
    .join(" · ");

/**
 * A line of what the game asks for.
 * @param {Api.AskedSort} sort
 */
function counted(sort) {
  const own = now.pieces.filter((piece) => piece.word === sort.word);
  const asked = toLookAt(sort.word).length;
  const pencil = own.filter((piece) => piece.state === "pencil").length;
  const all = Boolean(sort.have) && !sort.missing;
  const done = all && !asked && !pencil && !sort.amiss;
  const words = [
    sort.wanted
      ? t("%(have)s of %(wanted)s", { have: sort.have, wanted: sort.wanted })
      : t("%(have)s so far, as many as your box has", { have: sort.have }),
    ...sort.held,
    asked ? t("%(count)s to check", { count: asked }) : "",
    pencil ? t("%(count)s as drafts", { count: pencil }) : "",
    sort.amiss && all ? t("the numbers do not add up: check which tile is which") : "",
    done && sort.wanted ? t("complete") : "",
  ];
  const sign = !sort.have ? "camera" : asked ? "question" : !all ? "more" : pencil ? "pencil" : "check";
  return el(
    "li",
    { class: done ? "good" : null, "data-counted": sort.word },
    icon(sort.amiss && all ? "question" : sign),
    el("a", { href: `#sort-${sort.word}` }, sort.name),
    el("span", { class: "hint" }, words.filter(Boolean).join(" · ")),
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
  const first = now.groups[0]?.sorts.map((sort) => sort.word) ?? [];
  const own = now.pieces.filter((piece) => words.includes(piece.word));
  const pencil = own.filter((piece) => piece.state === "pencil");
  const title = group.sorts.map((sort) => sort.name).join(" · ");
  return el(
    "section",
    { class: "panel stack", "aria-labelledby": `title-${key}`, "data-group": key },
    ...words.map((word) => el("span", { id: `sort-${word}`, class: "anchor" })),
    el("h2", { id: `title-${key}` }, title),
    el(
      "p",
      { class: "hint" },
      may
        ? group.hint
        : t("These first: %(names)s. Everything else is measured by them.", { names: namesOf(first) }),
    ),
    may ? photographing(group, key, words) : null,
    own.length ? el("ul", { class: "piece-grid" }, ...own.map(tile)) : null,
    pencil.length
      ? el(
          "p",
          { class: "hint" },
          t(
            "Check that the lines follow the corridors, and that each number and colour is right. Tap what is wrong.",
          ),
        )
      : null,
    pencil.length
      ? el(
          "button",
          { type: "button", class: "button primary", "data-all-right": key, onclick: () => allRight(pencil) },
          icon("check"),
          el("span", {}, t("These are right: %(count)s", { count: pencil.length })),
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
      chooser(`camera-${key}`, "camera", t("Take a photo"), words, { capture: "environment" }),
      chooser(`files-${key}`, "pictures", t("Choose photos"), words, { multiple: true }),
    ),
  ];
  if (group.sorts.some((sort) => sort.missing)) return el("div", { class: "stack" }, ...parts);
  const label = el(
    "summary",
    { class: "button" },
    icon("camera"),
    el("span", {}, t("Photograph more of them")),
  );
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
      el("legend", {}, t("Size of one in mm: %(name)s", { name: sort.name })),
      input(0, disc ? (sort.shape === "disc" ? t("Diameter") : t("Width")) : t("Width"), width ?? ""),
      disc ? null : el("span", { "aria-hidden": "true" }, "×"),
      disc ? null : input(1, t("Height"), height ?? ""),
      sort.measured ? null : el("span", { class: "hint" }, t("The usual size; measure one and correct it.")),
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
        "aria-label": [t("Check %(piece)s", { piece: piece.name }), STATE_NAMES[piece.state]].join(": "),
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
      throw new Error(
        t("Enter the size of one in mm, such as %(example)s.", { example: sort.size_mm.join(" × ") }),
      );
    return `${sort.word}:${sides.map((side) => side.replace(",", ".")).join("x")}`;
  });
}

/**
 * @param {File[]} files
 * @param {string[]} words
 */
function send(files, words) {
  let shown;
  try {
    shown = sizesOf(words).join(",");
  } catch (error) {
    tell(error);
    return;
  }
  photos.send(files, (body) =>
    api("POST", `/decks/${deck}/pieces/photos?${new URLSearchParams({ shown })}`, body),
  );
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
    await photos.look();
    throw error;
  }
  const [first] = pieces;
  const words =
    pieces.length > 1
      ? t("Saved: %(count)s pieces", { count: pieces.length })
      : t("Saved: %(piece)s", { piece: first?.name ?? "" });
  const change = now.undo;
  toast(words, { undo: change === null ? null : () => undo(change) });
}

/** @param {number} change */
async function undo(change) {
  try {
    show(await api("POST", `/decks/${deck}/pieces/undo`, { change }));
    toast(t("Undone."));
  } catch (error) {
    tell(error);
    photos.look();
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
