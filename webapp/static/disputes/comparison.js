// What the referee makes of two readings of a tableau, side by side.

import { t, thingName } from "../app.js";
import { el, icon, pathOf, shape } from "../review/dom.js";
import { changedFacts, namedScore } from "../review/scores.js";

/**
 * @import { Point } from "../review/viewer.js"
 * @typedef {{ outlook: Api.Outlook, compared: Api.DisputeComparison }} Compared a claimed path beside the one that stands
 */

/**
 * An outlook's score; beside `before` what differs is told, else everything.
 * @param {Api.Outlook} outlook
 * @param {Api.Outlook | null} before
 */
export function scoreList(outlook, before) {
  const now = namedScore(outlook.score);
  const was = before && namedScore(before.score);
  if (!now) return factList(outlook.score, before?.score);
  /** @type {HTMLElement[]} */
  const items = [];
  /**
   * @param {string} kind
   * @param {string} words
   * @param {Element[]} more
   */
  const add = (kind, words, ...more) => items.push(el("li", { class: kind }, ...more, el("b", {}, words)));
  /**
   * @param {number} a
   * @param {number | null | undefined} b
   */
  const gained = (a, b) =>
    was && b !== null && b !== undefined && a !== b
      ? el("span", { class: "gain" }, a > b ? `+${a - b}` : `−${b - a}`)
      : null;
  /**
   * @param {"primary" | "secondary"} kind
   * @param {string} name
   */
  const points = (kind, name) => {
    const value = now[`${kind}_vp`];
    if (value === null) return;
    items.push(
      el(
        "li",
        { class: kind },
        el("span", {}, name),
        el("b", {}, t("%(vp)s VP", { vp: value })),
        gained(value, was?.[`${kind}_vp`]),
      ),
    );
  };
  points("primary", t("Primary"));
  points("secondary", t("Secondary"));
  items.push(
    el(
      "li",
      { class: "coins" },
      icon("coin"),
      el("span", {}, t("Coins")),
      el("b", {}, now.coins),
      gained(now.coins, was?.coins),
    ),
  );
  add(
    `escape ${now.escaped ? "yes" : "no"}${was && was.escaped !== now.escaped ? " differs" : ""}`,
    now.escaped ? t("Escaped") : t("Not escaped"),
    icon(now.escaped ? "check" : "close"),
  );
  items.push(law(outlook.score, before?.score));
  if (was) items.push(...finds(was, now));
  return el("ul", { class: "scores" }, ...items);
}

/**
 * Whether a rule is broken.
 * @param {Api.Score} now
 * @param {Api.Score | undefined} was
 */
function law(now, was) {
  const differs = was && was.legal !== now.legal ? " differs" : "";
  return el(
    "li",
    { class: `law ${now.legal ? "legal" : "illegal"}${differs}` },
    icon(now.legal ? "check" : "close"),
    el("b", {}, now.legal ? t("Legal path") : t("Breaks a rule")),
  );
}

/**
 * The same in another game's words.
 * @param {Api.Score} now
 * @param {Api.Score | undefined} was
 */
function factList(now, was) {
  const changed = new Set(was && changedFacts(was, now).map((fact) => fact.name));
  const items = now.facts.map((fact) =>
    el(
      "li",
      { class: changed.has(fact.about) ? "differs" : null },
      el("span", {}, fact.about),
      el("b", {}, fact.words),
    ),
  );
  return el("ul", { class: "scores" }, ...items, law(now, was));
}

/**
 * What else is counted otherwise, find by find; coins are told with the score.
 * @param {{ discovered: Record<string, number> }} was
 * @param {{ discovered: Record<string, number> }} now
 */
function finds(was, now) {
  const names = new Set([...Object.keys(was.discovered), ...Object.keys(now.discovered)]);
  return [...names]
    .filter((find) => find !== "coin" && (was.discovered[find] ?? 0) !== (now.discovered[find] ?? 0))
    .map((find) =>
      el(
        "li",
        { class: "find-change" },
        t("%(name)s: %(old)s → %(new)s", {
          name: thingName(find),
          old: was.discovered[find] ?? 0,
          new: now.discovered[find] ?? 0,
        }),
      ),
    );
}

/**
 * Where a ruling turned, in words: "Step 18 · the pitfall at the left of D65".
 * @param {Api.DisputeTurn} turn
 */
export function turnWords(turn) {
  return [turn.step ? t("Step %(number)s", { number: turn.step }) : null, turn.name]
    .filter(Boolean)
    .join(" · ");
}

/**
 * A claimed path beside the one that stands: where they part, and of each the score, the step and the rule by which it
 * turned. `words` are a heading for the claimed one.
 * @param {Api.Dispute} dispute
 * @param {Compared} claimed
 * @param {string} words
 */
export function comparison(dispute, { outlook, compared }, words) {
  /**
   * @param {string} title
   * @param {Api.Outlook} ruling
   * @param {Api.DisputeTurn} turn
   * @param {Api.Outlook | null} before
   */
  const side = (title, ruling, turn, before) =>
    el(
      "div",
      { class: "side" },
      el("p", { class: "side-title" }, title),
      scoreList(ruling, before),
      turnWords(turn) ? el("p", { class: "turn-where" }, turnWords(turn)) : null,
      el("p", { class: "verdict" }, turn.sentence),
      el("p", { class: "turn-rule" }, turn.section),
    );
  return [
    el("p", { class: "parting" }, compared.parting?.sentence),
    el(
      "div",
      { class: "sides two" },
      side(t("The ruling"), dispute.ruling, dispute.turn, null),
      side(words, outlook, compared.turn, dispute.ruling),
    ),
  ];
}

/**
 * On the photo: what of the path that stands another one leaves out.
 * @param {Element} layer
 * @param {Pick<Api.Reading, "pieces" | "px_per_mm">} reading
 * @param {Api.ReviewPiece[]} pieces
 */
export function drawLeftOut(layer, reading, pieces) {
  /** @param {Api.ReviewPiece} piece */
  const name = ({ a, b }) => [a, b].sort().join(" ");
  const kept = new Set(pieces.map(name));
  const mm = reading.px_per_mm;
  for (const piece of reading.pieces.filter((each) => !each.jump && !kept.has(name(each)))) {
    const line = { d: pathOf(piece.line), "stroke-dasharray": `0 ${2.6 * mm}` };
    layer.append(
      shape("path", { ...line, class: "left-out-halo", "stroke-width": 2 * mm }),
      shape("path", { ...line, class: "left-out", "stroke-width": 1.2 * mm }),
    );
  }
}

/**
 * On the photo: a square about a place.
 * @param {Element} layer
 * @param {Point} at
 * @param {number} mm
 */
export function drawSquare(layer, at, mm) {
  const r = 6.2 * mm;
  const box = { x: at[0] - r, y: at[1] - r, width: 2 * r, height: 2 * r, rx: 1.2 * mm };
  layer.append(
    shape("rect", { ...box, class: "turn-halo", "stroke-width": 1.8 * mm }),
    shape("rect", { ...box, class: "turn-frame", "stroke-width": 0.9 * mm }),
  );
}
