// What was paid with: for each payment of the ruling the ways that were held then, to be chosen by touch.

import { t } from "../app.js";
import { may } from "../elements.js";
import { circle, el, icon, shape } from "./dom.js";
import { placeAt } from "./edit_targets.js";
import { scoreChange } from "./score_change.js";

/**
 * @import { Editor } from "./editor.js"
 * @import { Spot } from "./viewer.js"
 */

/** @type {Record<string, string>} */
const FIND_ICONS = { pitfall: "pit", lava_pit: "pit" };

/** @param {Editor} editor */
export function payments(editor) {
  /** @type {string | null} */
  let shown = null; // the place whose ways are marked on the photo
  const all = () => editor.reading.payments;
  /** @param {string} name */
  const placeOf = (name) => editor.reading.places.find((place) => place.id === name);

  /**
   * @param {Api.ReviewPayment} payment
   * @param {Api.ReviewWay} way
   */
  const state = (payment, way) =>
    editor.send(
      { kind: "payment", at: payment.place, means: way.means, source: way.source },
      t("%(place)s: %(means)s was used.", { place: payment.name, means: way.words }),
    );
  /**
   * @param {string} place
   * @param {string} name
   */
  const leave = (place, name) =>
    editor.send(
      { kind: "payment", at: place, means: null },
      t("%(place)s: left to the referee.", { place: name }),
    );

  /** @param {Api.ReviewPayment} payment */
  function show(payment) {
    shown = payment.place;
    // The place with the items that would do there, and a little around.
    const spots = [
      payment.at,
      ...payment.ways.flatMap((way) => {
        const source = way.source && placeOf(way.source);
        return source ? [source.at] : [];
      }),
    ];
    const [xs, ys] = [0, 1].map((k) => spots.map((at) => at[k]));
    const margin = 16 * editor.reading.px_per_mm;
    editor.viewer.fit([
      Math.min(...xs) - margin,
      Math.min(...ys) - margin,
      Math.max(...xs) + margin,
      Math.max(...ys) + margin,
    ]);
    editor.redraw();
  }

  /**
   * @param {Api.ReviewPayment} payment
   * @param {Api.ReviewWay} way
   */
  function wayButton(payment, way) {
    const name = way.used
      ? "check"
      : way.source
        ? payment.tool
        : way.means.startsWith("fairy:")
          ? "fairy"
          : "spellbook";
    const change = way.score && scoreChange(editor.reading.score, way.score);
    const who = way.used ? (payment.stated ? t("as you said") : t("chosen by the referee")) : "";
    return el(
      "button",
      {
        type: "button",
        class: `button edit-way${way.used ? " used" : ""}`,
        "data-means": `pay ${payment.place} ${way.means} ${way.source ?? ""}`,
        "aria-pressed": String(way.used),
        onclick: () => {
          shown = payment.place;
          state(payment, way);
        },
      },
      icon(name),
      el(
        "span",
        { class: "edit-row-words" },
        el("span", {}, way.words),
        change ? el("small", {}, change) : null,
      ),
      who ? el("small", { class: "edit-way-who" }, who) : null,
    );
  }

  /**
   * @param {Api.ReviewPayment} payment
   * @param {number} number
   */
  function row(payment, number) {
    const place = placeOf(payment.place);
    const titled = `paid-${number}`;
    return el(
      "li",
      { class: "edit-payment", "data-payment": payment.place },
      el(
        "button",
        {
          type: "button",
          id: titled,
          class: "button quiet edit-row",
          "data-means": `show ${payment.place}`,
          onclick: () => show(payment),
        },
        el("span", { class: "edit-payment-number", "aria-hidden": "true" }, number),
        icon(FIND_ICONS[place?.find ?? ""] ?? place?.find ?? payment.tool),
        el("span", { class: "edit-row-words" }, payment.name),
      ),
      el(
        "div",
        { class: "edit-ways", role: "group", "aria-labelledby": titled },
        ...payment.ways.map((way) => wayButton(payment, way)),
      ),
      payment.stated
        ? el(
            "button",
            {
              type: "button",
              class: "button",
              "data-means": `leave ${payment.place}`,
              onclick: () => leave(payment.place, payment.name),
            },
            icon("undo"),
            el("span", {}, t("Leave it to the referee")),
          )
        : null,
    );
  }

  /** @param {Api.ReviewPaymentNote} note */
  function note({ place, message, about }) {
    const name = placeOf(place)?.name ?? "";
    return el(
      "li",
      { class: "edit-payment-note" },
      el("p", { class: "warn" }, icon("warning"), el("span", {}, message)),
      about === "ends_the_path" || about === "stated_twice"
        ? null
        : el(
            "button",
            {
              type: "button",
              class: "button",
              "data-means": `withdraw ${place}`,
              onclick: () => leave(place, name),
            },
            icon("undo"),
            el("span", {}, t("Take this statement back")),
          ),
    );
  }

  return {
    parts() {
      const { payment_notes: notes } = editor.reading;
      return [
        el("h3", {}, t("What was paid with")),
        all().length
          ? null
          : el(
              "p",
              { class: "hint" },
              t("Nothing on this path was paid for with an item, a token or a spellbook."),
            ),
        notes.length ? el("ul", { class: "edit-list" }, ...notes.map(note)) : null,
        all().length
          ? el("ul", { class: "edit-list" }, ...all().map((payment, k) => row(payment, k + 1)))
          : null,
      ];
    },

    /**
     * @param {SVGGElement} layer
     * @param {(length: number) => number} px
     */
    draw(layer, px) {
      const mm = editor.reading.px_per_mm;
      const r = Math.max(5 * mm, px(16));
      for (const [k, payment] of all().entries()) {
        const open = payment.place === shown;
        const group = shape("g", {
          transform: `translate(${payment.at.join(" ")})`,
          class: `edit-paid${open ? " open" : ""}`,
        });
        const disc = px(11);
        group.append(
          shape("circle", { r, class: "edit-halo", "stroke-width": px(open ? 9 : 6) }),
          shape("circle", { r, class: "edit-ink", "stroke-width": px(open ? 5 : 3) }),
          circle([r, -r], disc, "edit-site-disc", px(1.5)),
        );
        const number = shape("text", {
          x: r,
          y: -r,
          class: "edit-site-name",
          "font-size": px(14),
          "text-anchor": "middle",
          "dominant-baseline": "central",
        });
        number.textContent = String(k + 1);
        group.append(number);
        layer.append(group);
        for (const way of open ? payment.ways : []) {
          const source = way.source && placeOf(way.source);
          if (!source) continue;
          layer.append(
            circle(source.at, r, "edit-halo", px(6)),
            shape("circle", {
              cx: source.at[0],
              cy: source.at[1],
              r,
              class: "edit-none",
              "stroke-width": px(3),
              "stroke-dasharray": way.used ? null : `${px(4)} ${px(4)}`,
            }),
          );
        }
      }
    },

    /**
     * A tap on a payment's place goes to its ways; one on an item that would do pays with it.
     * @param {Spot} point
     */
    tap(point) {
      const open = all().find((payment) => payment.place === shown);
      const items = (open?.ways ?? []).flatMap((way) => {
        const source = way.source && !way.used && placeOf(way.source);
        return source ? [source] : [];
      });
      const { place } = placeAt(editor.viewer, editor.reading, point, {
        among: [...all().flatMap((payment) => placeOf(payment.place) ?? []), ...items],
      });
      if (!place) return;
      const way = items.includes(place) && open?.ways.find((each) => each.source === place.id);
      if (open && way) {
        state(open, way);
        return;
      }
      shown = place.id;
      editor.redraw();
      const list = may(editor.box, `[data-payment="${CSS.escape(place.id)}"]`);
      list?.scrollIntoView({ block: "nearest" });
      list?.querySelector("button")?.focus({ preventScroll: true });
    },
  };
}
