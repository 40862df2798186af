// Cards: which one it is, how it is turned, where it lies; cards to add and to take away.

import { api, t, tell } from "../app.js";
import { all, focusedData, may, there } from "../elements.js";
import { el, fill, icon, pathOf, shape } from "./dom.js";
import { cardAt, distance, inside } from "./edit_targets.js";

/**
 * @import { Correction, Editor, Tool } from "./editor.js"
 * @import { Box, Point } from "./viewer.js"
 */

const HANDLE_PX = 30;
const SLOP_PX = 10;
const SAME_PLACE_MM = 3;
const SITE_MM = 25; // a card that is let go no farther from a place than this lies there
const NUDGE_MM = 1;

/** Where a card may lie, by the card beside it. @type {Record<Api.Site["side"], (card: string) => string>} */
const BESIDE = {
  left: (card) => t("To the left of %(card)s", { card }),
  right: (card) => t("To the right of %(card)s", { card }),
  above: (card) => t("Above %(card)s", { card }),
  below: (card) => t("Below %(card)s", { card }),
};

/**
 * @param {Point[]} corners
 * @returns {Point}
 */
const middle = (corners) =>
  /** @type {Point} */ (
    [0, 1].map((k) => corners.reduce((sum, corner) => sum + corner[k], 0) / corners.length)
  );

/** @typedef {0 | 90 | 180 | 270} Rotation */
const turned = (/** @type {number} */ degrees) => /** @type {Rotation} */ (degrees % 360);
const halfTurned = (/** @type {number} */ degrees) => turned(degrees + 180);

/**
 * @param {Editor} editor
 * @returns {Tool}
 */
export function cardsTool(editor) {
  /** @type {number | null} */
  let chosen = null; // index of the card whose buttons are shown
  /** @type {Api.Site[] | null} */
  let sites = null; // free places, while a card is to be added or moved
  /** @type {Point[] | null} */
  let corners = null; // while the outline of `chosen` is dragged
  /** @type {{ corner: number | null, before: Point[] } | null} */
  let handle = null; // what a finger holds of it: { corner, before }, all corners where there is none
  /** @type {{ by: Point, first: Point, far: number, sites: Api.Site[] | Promise<Api.Site[]> } | null} */
  let carried = null; // the chosen card under a finger: { by: photo px, first: client px, far, sites: once known }

  const card = () => editor.reading.cards.find((each) => each.index === chosen) ?? null;

  function reset() {
    [chosen, sites, corners, handle, carried] = [null, null, null, null, null];
  }

  /** @param {number} index */
  function select(index) {
    reset();
    chosen = index;
    const now = card();
    if (now)
      editor.say(
        t("Card %(card)s: what is wrong? If it is in the wrong place, drag it to the right one.", {
          card: now.card,
        }),
      );
    editor.refresh();
    may(document, "[data-card-actions] button")?.focus({ preventScroll: true });
  }

  /**
   * @param {Correction} correction
   * @param {string} words
   */
  async function send(correction, words) {
    reset();
    await editor.send(correction, words);
    editor.refresh();
  }

  const freeSites = () => {
    const path = there(editor.page.path, "tableau");
    return chosen === null ? api("GET", `${path}/sites`) : api("GET", `${path}/sites?without=${chosen}`);
  };

  async function pickSite() {
    corners = null;
    let free;
    try {
      free = await freeSites();
    } catch (error) {
      tell(error);
      return;
    }
    sites = free;
    editor.viewer.fit(
      around(
        [...editor.reading.cards, ...free].flatMap((each) => each.corners),
        2,
      ),
    );
    editor.say("");
    editor.refresh();
  }

  /** Lay the chosen card on the place where a finger let it go. */
  /** @param {{ by: Point, sites: Api.Site[] | Promise<Api.Site[]> }} carried */
  async function putDown({ by, sites: asked }) {
    let free;
    try {
      free = await asked;
    } catch (error) {
      tell(error);
      return;
    }
    const now = card();
    if (!now) return;
    const [x, y] = middle(now.corners);
    const site = nearest(free, [x + by[0], y + by[1]]);
    if (!site || distance(middle(site.corners), [x, y]) < SAME_PLACE_MM * editor.reading.px_per_mm)
      editor.say(t("Nothing is changed: no card can lie there. Let it go beside another card."));
    else await takeSite(site);
  }

  /**
   * @param {Api.Site[]} free
   * @param {Point} point
   * @returns {Api.Site | null}
   */
  function nearest(free, point) {
    /** @param {Api.Site} site */
    const far = (site) => distance(middle(site.corners), point);
    const near = free.filter((site) => far(site) <= SITE_MM * editor.reading.px_per_mm);
    return near.length ? near.reduce((best, site) => (far(site) < far(best) ? site : best)) : null;
  }

  /** @param {Api.Site} site */
  async function takeSite(site) {
    if (chosen !== null) {
      send({ kind: "move-card", index: chosen, x: site.x, y: site.y }, t("The card is moved."));
      return;
    }
    const choice = await choose(`x=${site.x}&y=${site.y}`, t("Which card is this?"));
    if (choice)
      send(
        { kind: "add-card", card: choice.card, rotation: choice.turned ? 180 : 0, x: site.x, y: site.y },
        t("Card %(card)s is added.", { card: choice.card }),
      );
  }

  async function another() {
    const now = card();
    if (!now) return;
    const choice = await choose(`index=${now.index}`, t("Which card is this?"), now.card);
    if (!choice) return;
    const rotation = choice.turned ? halfTurned(now.rotation) : turned(now.rotation);
    send(
      { kind: "card", index: now.index, card: choice.card, rotation },
      t("This is card %(card)s now.", { card: choice.card }),
    );
  }

  /**
   * @param {number} k
   * @param {string} key
   */
  function nudge(k, key) {
    const by = NUDGE_MM * editor.reading.px_per_mm;
    /** @type {Record<string, Point | undefined>} */
    const moves = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] };
    const move = moves[key];
    if (!move || !corners) return false;
    corners = corners.map((corner, other) =>
      other === k ? [corner[0] + move[0], corner[1] + move[1]] : corner,
    );
    editor.redraw();
    return true;
  }

  return {
    hint: () =>
      sites
        ? t("Tap the dashed outline where the card is.")
        : corners
          ? t(
              "Drag the numbered handles to the card's corners, 1 at its printed top left, or the whole outline; the arrow keys move a handle, too.",
            )
          : t("Tap the card that is wrong, or add one that was not found."),

    render(box) {
      if (chosen !== null && !card()) reset();
      const focused = focusedData("key");
      fill(box, ...content());
      if (focused) may(box, `[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    },

    draw(layer, px) {
      for (const each of editor.reading.cards) {
        layer.append(
          shape("path", {
            d: `${pathOf(each.corners)}Z`,
            class: `edit-card${each.index === chosen ? " chosen" : ""}`,
            "stroke-width": px(each.index === chosen ? 5 : 3),
          }),
        );
      }
      for (const site of sites ?? []) {
        layer.append(
          shape("path", {
            d: `${pathOf(site.corners)}Z`,
            class: "edit-site",
            "stroke-width": px(2),
            "stroke-dasharray": `${px(8)} ${px(6)}`,
          }),
        );
      }
      (sites ?? []).forEach((site, k) => {
        const [cx, cy] = middle(site.corners);
        layer.append(
          shape("circle", { cx, cy, r: px(13), class: "edit-site-disc", "stroke-width": px(2) }),
          shape(
            "text",
            { x: cx, y: cy, "font-size": px(14), class: "edit-site-name drawn-text" },
            String(k + 1),
          ),
        );
      });
      const now = card();
      if (carried && now) {
        const [right, down] = carried.by;
        const shown = now.corners.map(([x, y]) => [x + right, y + down]);
        layer.append(shape("path", { d: `${pathOf(shown)}Z`, class: "edit-carried", "stroke-width": px(4) }));
      }
      if (corners) {
        layer.append(
          shape("path", { d: `${pathOf(corners)}Z`, class: "edit-outline", "stroke-width": px(3) }),
        );
        corners.forEach(([cx, cy], k) => {
          layer.append(
            shape("circle", { cx, cy, r: px(22), class: "edit-handle", "stroke-width": px(3) }),
            shape(
              "text",
              { x: cx, y: cy, "font-size": px(16), class: "edit-handle-name drawn-text" },
              String(k + 1),
            ),
          );
        });
      }
    },

    tap(point) {
      if (corners) return;
      if (sites) {
        // Places half a card apart overlap: the one whose middle is nearest is meant.
        const hit = sites.filter((each) => inside([point.x, point.y], each.corners));
        const far = (/** @type {Api.Site} */ each) => distance(middle(each.corners), [point.x, point.y]);
        if (hit.length) takeSite(hit.reduce((best, each) => (far(each) < far(best) ? each : best)));
        return;
      }
      const hit = cardAt(editor.reading, point);
      if (hit) select(hit.index);
    },

    grab(point) {
      if (corners) {
        const near = corners
          .map((corner, k) => [distance(corner, [point.x, point.y]) * editor.viewer.scale, k])
          .sort((a, b) => a[0] - b[0])[0];
        if (near[0] > HANDLE_PX && !inside([point.x, point.y], corners)) return false;
        handle = { corner: near[0] > HANDLE_PX ? null : near[1], before: corners };
        return true;
      }
      const now = card();
      if (!now || !inside([point.x, point.y], now.corners)) return false;
      const free = sites ?? freeSites();
      carried = { by: [0, 0], first: [point.event.clientX, point.event.clientY], far: 0, sites: free };
      Promise.resolve(free).catch(() => {}); // told when the card is let go
      return true;
    },

    drag({ dx, dy, event }) {
      if (handle && corners) {
        const { corner } = handle;
        corners = corners.map(([x, y], k) => (corner === null || k === corner ? [x + dx, y + dy] : [x, y]));
      } else if (carried) {
        carried.by = [carried.by[0] + dx, carried.by[1] + dy];
        carried.far = Math.max(carried.far, distance(carried.first, [event.clientX, event.clientY]));
      }
      editor.redraw();
    },

    drop(point) {
      const [shaped, moved] = [handle, carried];
      [handle, carried] = [null, null];
      const away = point.cancelled
        ? t("Nothing is changed: the drag was broken off.")
        : point.outside
          ? t("Nothing is changed: your finger left the photo.")
          : null;
      if (shaped && away) corners = shaped.before;
      editor.redraw();
      if (moved && !away && moved.far < SLOP_PX) this.tap?.(point);
      else if ((shaped || moved) && away) editor.say(away);
      else if (moved) putDown(moved);
    },

    release() {
      if (handle) corners = handle.before;
      if (handle || carried) editor.say(t("Nothing is changed: the drag was broken off."));
      [handle, carried] = [null, null];
    },

    leave: reset,
  };

  function content() {
    if (sites) return siteList(sites);
    if (corners) return cornerButtons(corners);
    return [
      chosen === null ? null : actions(),
      el(
        "div",
        { class: "edit-cards" },
        ...editor.reading.cards.map((each) =>
          el(
            "button",
            {
              type: "button",
              class: "button edit-card-button",
              "data-key": `card-${each.index}`,
              "aria-pressed": String(each.index === chosen),
              onclick: () => select(each.index),
            },
            el("img", { src: each.picture, alt: "", width: 44, height: 62 }),
            el("span", {}, each.card),
          ),
        ),
      ),
      el(
        "button",
        {
          type: "button",
          class: "button",
          "data-key": "add",
          onclick: () => {
            reset();
            pickSite();
          },
        },
        icon("plus"),
        el("span", {}, t("Add a card")),
      ),
    ];
  }

  function actions() {
    const now = card();
    if (!now) return null;
    /** @type {(key: string, name: string, words: string, run: () => unknown, disabled?: boolean) => Node} */
    const button = (key, name, words, run, disabled = false) =>
      el(
        "button",
        { type: "button", class: "button", "data-key": key, disabled, onclick: run },
        icon(name),
        el("span", {}, words),
      );
    return el(
      "section",
      {
        class: "edit-card-actions",
        "data-card-actions": true,
        "aria-label": t(
          "Card %(card)s: what is wrong? If it is in the wrong place, drag it to the right one.",
          { card: now.card },
        ),
      },
      el("h3", {}, now.card),
      button("another", "pictures", t("It is another card"), another),
      button("turn", "swap", t("Turn it round"), () =>
        send(
          { kind: "card", index: now.index, rotation: halfTurned(now.rotation) },
          t("Card %(card)s is turned round.", { card: now.card }),
        ),
      ),
      button("corners", "viewfinder", t("Drag its corners"), () => {
        corners = [...now.corners];
        editor.viewer.fit(around(corners));
        editor.say("");
        editor.refresh();
      }),
      button("move", "card", t("It is in the wrong place"), pickSite),
      button(
        "remove",
        "trash",
        t("Take it away"),
        () =>
          send(
            { kind: "remove-card", index: now.index },
            t("Card %(card)s is taken away.", { card: now.card }),
          ),
        editor.reading.cards.length === 1,
      ),
      button("close", "close", t("Cancel"), () => {
        reset();
        editor.say("");
        editor.refresh();
      }),
    );
  }

  /** @param {Api.Site[]} free */
  function siteList(free) {
    const name = (/** @type {Api.Site} */ site) =>
      BESIDE[site.side](editor.reading.cards[site.beside]?.card ?? "");
    return [
      el(
        "ul",
        { class: "edit-list" },
        ...free.map((site, k) =>
          el(
            "li",
            {},
            el(
              "button",
              {
                type: "button",
                class: "button edit-row",
                "data-key": `site-${k}`,
                onclick: () => takeSite(site),
              },
              icon("card"),
              el("span", { class: "edit-row-words" }, `${k + 1}. ${name(site)}`),
            ),
          ),
        ),
      ),
      el(
        "button",
        {
          type: "button",
          class: "button",
          onclick: () => {
            reset();
            editor.say("");
            editor.refresh();
          },
        },
        icon("close"),
        el("span", {}, t("Cancel")),
      ),
    ];
  }

  /** @param {Point[]} outline */
  function cornerButtons(outline) {
    const names = [t("top left"), t("top right"), t("bottom right"), t("bottom left")];
    return [
      el(
        "div",
        { class: "row", role: "group", "aria-label": t("Drag its corners") },
        ...outline.map((_, k) =>
          el(
            "button",
            {
              type: "button",
              class: "button",
              "data-key": `corner-${k}`,
              onkeydown: (event) => {
                if (nudge(k, event.key)) {
                  event.preventDefault();
                  event.stopPropagation();
                }
              },
            },
            `${k + 1} ${names[k]}`,
          ),
        ),
      ),
      el(
        "div",
        { class: "row" },
        el(
          "button",
          {
            type: "button",
            class: "button primary",
            "data-key": "corners-done",
            onclick: () => {
              if (chosen === null || !corners) return;
              const [one, two, three, four] = corners;
              send(
                { kind: "card", index: chosen, corners: [one, two, three, four] },
                t("The card's outline is set."),
              );
            },
          },
          icon("check"),
          el("span", {}, t("Use this outline")),
        ),
        el(
          "button",
          {
            type: "button",
            class: "button",
            onclick: () => {
              corners = null;
              editor.refresh();
            },
          },
          icon("close"),
          el("span", {}, t("Cancel")),
        ),
      ),
    ];
  }

  /**
   * The part of the photo around corners.
   * @param {Point[]} outline
   * @param {number} [margin_mm]
   * @returns {Box}
   */
  function around(outline, margin_mm = 20) {
    const [xs, ys] = [0, 1].map((k) => outline.map((corner) => corner[k]));
    const margin = margin_mm * editor.reading.px_per_mm;
    const { width, height } = editor.reading.photo;
    return [
      Math.max(0, Math.min(...xs) - margin),
      Math.max(0, Math.min(...ys) - margin),
      Math.min(width, Math.max(...xs) + margin),
      Math.min(height, Math.max(...ys) + margin),
    ];
  }

  /**
   * Ask for a card in a list of pictures, the likeliest first; null where the person thinks better of it.
   * @param {string} about
   * @param {string} title
   * @param {string | null} [now]
   * @returns {Promise<Api.CardChoice | null>}
   */
  function choose(about, title, now = null) {
    const search = el("input", {
      type: "search",
      autocomplete: "off",
      placeholder: t("Search by the card's number"),
      "aria-label": t("Search by the card's number"),
    });
    const list = el(
      "div",
      { class: "edit-choices" },
      el("p", { class: "hint" }, t("Comparing the photo with all cards; the likeliest come first.")),
    );
    const count = el("p", { class: "visually-hidden", role: "status" });
    /** @type {HTMLDialogElement} */
    const dialog = el(
      "dialog",
      { class: "edit-dialog", "aria-label": title },
      el(
        "div",
        { class: "dialog-head" },
        el("h2", {}, title),
        el(
          "button",
          {
            type: "button",
            class: "button quiet",
            "aria-label": t("Cancel"),
            onclick: () => dialog.close(),
          },
          icon("close"),
        ),
      ),
      search,
      count,
      list,
    );
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => {
      /** @type {Api.CardChoice | null} */
      let taken = null;
      dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(taken);
      });
      api("GET", `${there(editor.page.path, "tableau")}/card-choices?${about}`)
        .then((choices) => {
          fill(
            list,
            ...choices.map((choice, k) =>
              el(
                "button",
                {
                  type: "button",
                  class: "button edit-choice",
                  "data-choice": choice.card,
                  "aria-current": choice.card === now ? "true" : null,
                  onclick: () => {
                    taken = choice;
                    dialog.close();
                  },
                },
                el("img", {
                  src: choice.picture,
                  alt: "",
                  width: 88,
                  height: 123,
                  loading: k > 11 ? "lazy" : null,
                  class: choice.turned && now === null ? "upside-down" : null,
                }),
                el("span", {}, choice.card),
              ),
            ),
          );
          search.dispatchEvent(new Event("input"));
        })
        .catch((error) => {
          tell(error);
          dialog.close();
        });
      search.addEventListener("input", () => {
        const wanted = search.value.normalize("NFKC").trim().toLowerCase();
        let shown = 0;
        for (const button of all(list, "[data-choice]")) {
          button.hidden = wanted !== "" && !button.dataset.choice?.toLowerCase().includes(wanted);
          if (!button.hidden) shown += 1;
        }
        count.textContent = t("%(count)s cards", { count: shown });
      });
    });
  }
}
