// Marks: a tap on a find goes through none, circled, struck through, both.

import { t } from "../app.js";
import { focusedData, may } from "../elements.js";
import { el, fill, icon, shape } from "./dom.js";
import { placeAt } from "./edit_targets.js";

/**
 * @import { Editor, Tool } from "./editor.js"
 * @typedef {"none" | "circled" | "struck" | "both"} Mark
 */

/** @type {Record<Mark, string>} */
const MARKS = {
  none: t("not marked"),
  circled: t("circled"),
  struck: t("struck through"),
  both: t("circled and struck through"),
};
/** @type {Record<Mark, Mark>} */
const NEXT = { none: "circled", circled: "struck", struck: "both", both: "none" };

/**
 * @param {Editor} editor
 * @returns {Tool}
 */
export function marksTool(editor) {
  /**
   * @param {Api.ReviewPlace["id"]} place
   * @returns {Mark}
   */
  const state = (place) => {
    const mark = editor.reading.marks.find((each) => each.place === place);
    if (!mark) return "none";
    return mark.circled && mark.struck ? "both" : mark.circled ? "circled" : mark.struck ? "struck" : "none";
  };
  const finds = () => editor.reading.places.filter((place) => place.find);

  /** @param {Api.ReviewPlace} place */
  async function cycle(place) {
    const next = NEXT[state(place.id)];
    /** @type {Api.SetMark} */
    const correction = {
      kind: "mark",
      place: place.id,
      circled: ["circled", "both"].includes(next),
      struck: ["struck", "both"].includes(next),
    };
    await editor.send(correction, `${place.name}: ${MARKS[next]}.`);
  }

  return {
    hint: () =>
      t(
        "Tap a find: each tap goes on to circled, struck through, both, nothing. A tool that is struck through counts as the one that was used.",
      ),

    render(box) {
      const focused = focusedData("find");
      fill(
        box,
        el(
          "ul",
          { class: "edit-list" },
          ...finds().map((place) =>
            el(
              "li",
              {},
              el(
                "button",
                {
                  type: "button",
                  class: "button edit-row",
                  "data-find": place.id,
                  onclick: () => cycle(place),
                },
                icon(place.find === "pitfall" || place.find === "lava_pit" ? "pit" : (place.find ?? "")),
                el("span", { class: "edit-row-words" }, place.name),
                el("span", { class: `edit-mark ${state(place.id)}` }, MARKS[state(place.id)]),
              ),
            ),
          ),
        ),
      );
      if (focused) may(box, `[data-find="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    },
    draw(layer, px) {
      for (const place of finds()) {
        const now = state(place.id);
        const r = Math.max(4.3 * editor.reading.px_per_mm, px(14));
        const group = shape("g", {
          transform: `translate(${place.at.join(" ")})`,
          class: `edit-mark-on-photo ${now}`,
        });
        if (now === "none")
          group.append(
            shape("circle", {
              r,
              class: "edit-none",
              "stroke-width": px(2),
              "stroke-dasharray": `${px(3)} ${px(4)}`,
            }),
          );
        if (now === "circled" || now === "both")
          group.append(
            shape("circle", { r, class: "edit-halo", "stroke-width": px(7) }),
            shape("circle", { r, class: "edit-ink", "stroke-width": px(4) }),
          );
        if (now === "struck" || now === "both") {
          const d = `M${-r} ${r}L${r} ${-r}`;
          group.append(
            shape("path", { d, class: "edit-halo", "stroke-width": px(7) }),
            shape("path", { d, class: "edit-ink", "stroke-width": px(4) }),
          );
        }
        layer.append(group);
      }
    },
    tap(point) {
      const { place, crowded } = placeAt(editor.viewer, editor.reading, point, { among: finds() });
      if (place) cycle(place);
      else if (crowded) editor.viewer.zoomBy(2.2, editor.viewer.toClient(point.x, point.y));
    },
  };
}
