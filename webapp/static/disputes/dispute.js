// A ruling in dispute: the photo where it turned, what would change it, both directions, claims.

import { api, ApiError, newKey, t, tell, toast } from "../app.js";
import { all, byId, field, may, must, there } from "../elements.js";
import { asked } from "../games/finished.js";
import { el, fill, icon } from "../review/dom.js";
import { showDrawing } from "../review/overlay.js";
import { openQuestions } from "../review/questions.js";
import { Viewer } from "../review/viewer.js";
import { firstAnswer, watch } from "../watch.js";
import { comparison, drawLeftOut, drawSquare, scoreList, turnWords } from "./comparison.js";
import { DrawnPath } from "./draw_path.js";

/**
 * @import { Box } from "../review/viewer.js"
 * @typedef {{ key: string, words: string, outlook: Api.Outlook, compared: Api.DisputeComparison | null }} Shown
 * @typedef {Pick<Api.DisputeAssumption, "key" | "can_settle" | "settle" | "changes">} Settling
 */

const WATCH_MS = 3000;

/**
 * The review and the dispute about it.
 * @param {`/tableaus/${string}`} path
 */
const latest = (path) => Promise.all([api("GET", `${path}/review`), api("GET", `${path}/dispute`)]);

export class DisputePage {
  /**
   * @param {Api.Review} review
   * @param {Api.Dispute} dispute
   */
  constructor(review, dispute) {
    this.root = byId("dispute");
    /** @type {`/tableaus/${string}`} */
    this.path = `/tableaus/${this.root.dataset.tableau}`;
    this.review = review;
    this.dispute = dispute;
    /** @type {DrawnPath | undefined} */
    this.drawing = undefined;
    this.viewer = new Viewer(byId("viewer"), {
      photo: this.reading.photo,
      label: t("Photo of the cards with the ruling drawn on it"),
    });
    this.viewer.tools = must(this.root, ".viewer-tools", HTMLElement);
    /** @type {Shown | null} */
    this.looking = null; // what the photo shows in place of the ruling: { words, outlook }
    this.#tools();
    this.show(review, dispute, true);
    const drawing = new DrawnPath(this);
    this.drawing = drawing;
    this.#forms(drawing);
    this.root.classList.remove("loading");
    watch(() => api("GET", `${this.path}/progress`), {
      every: WATCH_MS,
      onAnswer: ({ version }) => {
        if (version > this.review.version) return this.#refresh();
      },
    });
  }

  get reading() {
    return there(this.review.reading, "reading");
  }

  /**
   * Show the newest review and dispute; `first`: they are the first ones.
   * @param {Api.Review} review
   * @param {Api.Dispute} dispute
   * @param {boolean} [first]
   */
  show(review, dispute, first = false) {
    const moved = first || this.review.version !== review.version;
    this.review = review;
    this.dispute = dispute;
    const { reading } = this;
    if (this.viewer.photo.id !== reading.photo.id) this.viewer.setPhoto(reading.photo);
    this.#turn();
    fill(byId("what-ifs"), ...this.#whatIfs());
    byId("directions-panel").hidden = dispute.directions.length === 0;
    fill(byId("directions"), ...dispute.directions.map((way) => this.#direction(way)));
    byId("direction-why").textContent = reading.direction ?? "";
    byId("choices-panel").hidden = dispute.choices.length === 0;
    fill(byId("choices"), ...dispute.choices.map((choice) => this.#choice(choice)));
    this.#causes();
    this.#claims();
    this.#options();
    this.#link();
    if (this.drawing?.editing) this.drawing.renew();
    else if (moved) this.look(null);
  }

  /** How likely the score is right, and what could make it wrong. */
  #causes() {
    const { probability, causes } = this.dispute;
    // What is not quite certain is never told as 100.
    const right = Math.min(Math.floor(100 * probability), causes.length ? 99 : 100);
    byId("probability").textContent = t("Of 100 scores read like this one, about %(count)s are right.", {
      count: right,
    });
    fill(
      byId("causes"),
      ...causes.map(({ words, chance }) =>
        el(
          "li",
          {},
          el("span", {}, words),
          el("meter", { min: 0, max: 1, value: chance, "aria-label": words }),
          el("b", {}, chance < 0.01 ? "< 1%" : `${Math.round(100 * chance)}%`),
        ),
      ),
    );
  }

  /** The link to share is to the ruling that is seen here. */
  #link() {
    const box = byId("share");
    const address = new URL(this.dispute.share, box.dataset.address).href;
    box.dataset.address = address;
    byId("share-link", HTMLInputElement).value = address;
  }

  /**
   * Show an outlook on the photo; null shows the ruling, at the place where it turned.
   * @param {Shown | null} shown
   */
  look(shown) {
    this.looking = shown;
    const { reading } = this;
    if (shown) this.#drawOutlook(shown);
    else showDrawing(this.viewer, reading.drawing, reading.px_per_mm);
    this.#mark(shown);
    this.viewer.fit(
      shown
        ? wholePath(shown.compared ? [shown.outlook, this.dispute.ruling] : [shown.outlook], reading)
        : this.dispute.turn.crop,
    );
    byId("shown").textContent = shown
      ? shown.compared
        ? t("The photo shows: %(words)s. White dots: the current path. Square: where the two differ.", {
            words: shown.words,
          })
        : t("The photo shows: %(words)s", { words: shown.words })
      : t("The photo shows the ruling.");
    byId("show-ruling").hidden = !shown;
    must(this.root, ".legend").hidden = Boolean(shown?.compared);
    // Below the photo, on a phone, it would change unseen.
    if (shown) this.viewer.host.scrollIntoView({ block: "nearest" });
    for (const button of all(this.root, "[data-look]")) {
      button.setAttribute("aria-pressed", String(button.dataset.look === shown?.key));
    }
  }

  /**
   * The place where the ruling turned; of a claimed path, where it leaves the one that stands, which is dotted.
   * @param {Shown | null} shown
   */
  #mark(shown) {
    const leftOut = this.viewer.clear("left-out");
    const layer = this.viewer.clear("turn");
    const at = shown?.compared ? shown.compared.parting?.at : this.dispute.turn.at;
    if (shown?.compared) drawLeftOut(leftOut, this.reading, shown.outlook.pieces);
    if (!at) return;
    drawSquare(layer, at, this.reading.px_per_mm);
  }

  /** @param {Shown} shown */
  async #drawOutlook(shown) {
    const { tableau } = this.root.dataset;
    try {
      const answer = await fetch(`/tableaus/${tableau}/dispute/drawing?of=${encodeURIComponent(shown.key)}`);
      const drawing = await answer.text();
      if (answer.ok && this.looking === shown) showDrawing(this.viewer, drawing, this.reading.px_per_mm);
    } catch {
      toast(t("The server cannot be reached; try again in a moment."), { kind: "bad" });
    }
  }

  #turn() {
    const { turn, ruling, sure } = this.dispute;
    const where = turnWords(turn);
    fill(
      byId("turn"),
      where ? el("p", { class: "turn-where" }, where) : null,
      el("p", { class: `turn-sentence ${ruling.end.how}` }, turn.sentence),
      el("p", { class: "turn-rule" }, turn.section),
      scoreList(ruling, null),
      ...this.reading.laying.map((words) => el("p", { class: "warn" }, words)),
      sure ? null : this.#doubts(),
    );
  }

  /** A ruling on a reading that is in doubt: first the questions. */
  #doubts() {
    const open = openQuestions(this.reading).length;
    return el(
      "div",
      { class: "row" },
      el("p", { class: "badge not-sure" }, icon("question"), el("span", {}, t("Not sure yet"))),
      open
        ? el("a", { class: "button", href: this.path }, t("Questions left: %(count)s", { count: open }))
        : null,
    );
  }

  /**
   * @param {string} key
   * @param {string} words
   * @param {Api.Outlook} outlook
   * @param {Api.DisputeComparison | null} [compared]
   */
  #look(key, words, outlook, compared = null) {
    const button = el(
      "button",
      {
        type: "button",
        class: "button",
        "data-look": key,
        "aria-pressed": "false",
        onclick: () => this.look(this.looking?.key === key ? null : { key, words, outlook, compared }),
      },
      icon("eye"),
      el("span", {}, t("Show on the photo")),
    );
    return button;
  }

  /**
   * The button that makes an assumption a fact, or what a claim says; none where that cannot be.
   * @param {Settling} assumption
   * @param {string | null} [claim]
   */
  #settle(assumption, claim = null) {
    if (!assumption.can_settle) return null;
    const what = claim ? { claim } : { assumes: assumption.key };
    return el(
      "button",
      { type: "button", class: "button settle", onclick: () => this.#make(what, assumption.key) },
      icon("gavel"),
      el("span", {}, assumption.settle),
    );
  }

  /**
   * What settling any of `assumptions` changes, each said once.
   * @param {Settling[]} assumptions
   */
  #changes(assumptions) {
    const told = new Set(assumptions.filter((each) => each.can_settle).map((each) => each.changes));
    return [...told].map((words) => el("p", { class: "hint changes" }, words));
  }

  #whatIfs() {
    const { what_ifs: told, ruling } = this.dispute;
    if (!told.length)
      return [el("li", { class: "hint" }, t("No item and no house rule would change this ruling."))];
    return told.map(({ assumptions, outlook }) => {
      const [first, ...others] = assumptions;
      return el(
        "li",
        { class: `card-box what-if${outlook.score.legal && !ruling.score.legal ? " mends" : ""}` },
        el("h3", {}, first.words),
        ...others.map((other) => el("p", { class: "or-if" }, t("or: %(words)s", { words: other.words }))),
        scoreList(outlook, ruling),
        el("p", { class: "verdict" }, outlook.end.sentence),
        el("div", { class: "row" }, this.#look(first.key, first.words, outlook)),
        el(
          "div",
          { class: "stack settle-ways" },
          ...assumptions.map((each) => this.#settle(each)),
          ...this.#changes(assumptions),
        ),
      );
    });
  }

  /**
   * A payment that could have been made with something else, for the same score.
   * @param {Api.DisputeChoice} choice
   */
  #choice({ name, used, stated, ways }) {
    return el(
      "li",
      { class: "card-box choice" },
      el("h3", {}, name),
      el(
        "p",
        {},
        stated
          ? t("Used: %(means)s, as you said.", { means: used })
          : t("Used: %(means)s. The referee chose it.", { means: used }),
      ),
      el("p", { class: "hint" }, t("The score is the same with any of these; choose one if you used it:")),
      el(
        "div",
        { class: "stack" },
        ...ways.map(({ assumption }) => this.#settle(assumption)),
        ...this.#changes(ways.map(({ assumption }) => assumption)),
      ),
    );
  }

  /** @param {Api.DisputeDirection} way */
  #direction(way) {
    return el(
      "article",
      { class: `card-box direction${way.stands ? " stands" : ""}` },
      el("p", { class: "side-title" }, way.stands ? t("The ruling") : t("The other way round")),
      el("h3", {}, way.words),
      scoreList(way.outlook, way.stands ? null : this.dispute.ruling),
      el("p", { class: "verdict" }, way.outlook.end.sentence),
      way.key && way.assumption
        ? el(
            "div",
            { class: "stack settle-ways" },
            this.#look(way.key, way.words, way.outlook),
            this.#settle(way.assumption),
            ...this.#changes([way.assumption]),
          )
        : null,
    );
  }

  #claims() {
    const shown = this.dispute.claims.filter((claim) => !claim.deleted);
    const gone = this.dispute.claims.filter((claim) => claim.deleted);
    fill(
      byId("claims"),
      shown.length ? null : el("p", { class: "hint" }, t("Nobody has made a claim yet.")),
      ...shown.map((claim) => this.#claim(claim)),
      gone.length
        ? el(
            "details",
            { class: "gone" },
            el("summary", { class: "button quiet" }, `${t("Taken back")}: ${gone.length}`),
            el(
              "ul",
              { class: "rows" },
              ...gone.map((claim) =>
                el(
                  "li",
                  { class: "row" },
                  el(
                    "span",
                    { class: "gone-words" },
                    `${claim.who}: ${claim.words || (claim.assumes ?? t("With another path, drawn on the photo"))}`,
                  ),
                  el(
                    "button",
                    {
                      type: "button",
                      class: "button",
                      onclick: () => this.#change("POST", `/claims/${claim.id}/restore`),
                    },
                    icon("undo"),
                    el("span", {}, t("Bring back")),
                  ),
                ),
              ),
            ),
          )
        : null,
    );
  }

  /** @param {Api.DisputeClaim} claim */
  #claim(claim) {
    const { outlook } = claim;
    const about = claim.assumes ?? (claim.own_path ? t("With another path, drawn on the photo") : null);
    const accepted = claim.accepted_at
      ? el(
          "p",
          { class: "accepted" },
          icon("check"),
          el("span", {}, t("Accepted at %(time)s", { time: this.#time(claim.accepted_at) })),
        )
      : null;
    const verdict =
      outlook && claim.compared?.parting
        ? comparison(
            this.dispute,
            { outlook, compared: claim.compared },
            t("As %(who)s claims", { who: claim.who }),
          )
        : outlook
          ? [
              el("p", { class: "side-title" }, t("The referee says")),
              claim.agrees ? el("p", { class: "verdict" }, t("That is what the ruling says.")) : null,
              scoreList(outlook, this.dispute.ruling),
              el("p", { class: "verdict" }, outlook.end.sentence),
            ]
          : [
              el(
                "p",
                { class: "hint" },
                about
                  ? t("This can no longer be assumed: the tableau has changed.")
                  : t("Words alone: the referee does not rule on them."),
              ),
            ];
    // A path is taken as it is drawn.
    const left = claim.own_path
      ? {
          key: "path",
          can_settle: true,
          settle: t("Rule again with this path"),
          changes: t("Changes the ruling, and the path. It can be undone."),
        }
      : claim.assumption;
    const settle =
      outlook && (claim.compared?.parting || !claim.agrees) && left
        ? [this.#settle(left, claim.id), ...this.#changes([left])]
        : [];
    return el(
      "article",
      { class: "card-box claim", "data-claim": claim.id },
      el(
        "div",
        { class: "claim-head" },
        el("h3", {}, claim.who),
        el(
          "button",
          {
            type: "button",
            class: "button quiet tool",
            "aria-label": `${t("Take this claim back")}: ${claim.who}`,
            onclick: () => this.#remove(claim),
          },
          icon("trash"),
        ),
      ),
      claim.words ? el("p", { class: "claim-words" }, claim.words) : null,
      about ? el("p", { class: "claim-assumes" }, about) : null,
      accepted,
      ...(accepted && (claim.agrees || !outlook) ? [] : verdict),
      el(
        "div",
        { class: "stack settle-ways" },
        outlook && (claim.compared?.parting || !claim.agrees)
          ? this.#look(`claim:${claim.id}`, `${claim.who}: ${about}`, outlook, claim.compared)
          : null,
        ...settle,
      ),
    );
  }

  /** @param {string} when */
  #time(when) {
    return new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" }).format(
      new Date(when),
    );
  }

  /** What a claim may assume: what would change the ruling, the other direction, paths that were drawn. */
  #options() {
    const select = field(byId("claim-form", HTMLFormElement), "assumes", HTMLSelectElement);
    const chosen = select.value;
    const back = this.dispute.directions.find((way) => way.key);
    fill(
      select,
      el("option", { value: "" }, t("Nothing: in words only")),
      ...this.dispute.what_ifs.flatMap(({ assumptions }) =>
        assumptions.map(({ key, words }) => el("option", { value: `assumes ${key}` }, words)),
      ),
      ...this.dispute.choices.flatMap(({ ways }) =>
        ways.map(({ assumption: { key, words } }) => el("option", { value: `assumes ${key}` }, words)),
      ),
      back ? el("option", { value: `assumes ${back.key}` }, back.words) : null,
      ...this.dispute.paths.map((path) =>
        el(
          "option",
          { value: `revision ${path.revision}` },
          t("The path drawn at %(time)s", { time: this.#time(path.created_at) }),
        ),
      ),
    );
    if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
    fill(byId("players"), ...this.dispute.players.map((name) => el("option", { value: name })));
  }

  /** @param {DrawnPath} drawing */
  #forms(drawing) {
    const claims = byId("claim-form", HTMLFormElement);
    this.#form(
      claims,
      () => {
        const [kind, value] = field(claims, "assumes", HTMLSelectElement).value.split(/ (.*)/);
        if (kind === "assumes") return { assumes: value };
        return kind === "revision" ? { revision: Number(value) } : {};
      },
      () => {
        claims.reset();
        there(claims.closest("details"), "details").open = false;
      },
    );
    this.#form(
      byId("path-claim-form", HTMLFormElement),
      () => ({ path: drawing.places }),
      () => drawing.done(),
    );
    for (const button of all(this.root, "[data-draw-path]"))
      button.addEventListener("click", () => drawing.open());
  }

  /**
   * A form that writes a claim down; `brings` tells what it brings besides words, `done` follows.
   * @param {HTMLFormElement} form
   * @param {() => Partial<Api.NewClaim>} brings
   * @param {() => void} done
   */
  #form(form, brings, done) {
    const send = must(form, "[type=submit]", HTMLButtonElement);
    let key = newKey();
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (send.disabled) return;
      send.disabled = true;
      const made = await this.#change("POST", "/claims", {
        who: field(form, "who").value,
        words: field(form, "words", HTMLTextAreaElement).value,
        client_key: key,
        ...brings(),
      });
      send.disabled = false;
      if (!made) return;
      key = newKey();
      done();
      toast(t("The claim is saved."));
      byId("claims-title").focus();
    });
  }

  /** @param {Api.DisputeClaim} claim */
  async #remove(claim) {
    if (!(await this.#change("DELETE", `/claims/${claim.id}`))) return;
    byId("claims-title").focus();
    toast(t("The claim is taken back."), {
      undo: () => this.#change("POST", `/claims/${claim.id}/restore`),
    });
  }

  /**
   * @param {Partial<Api.Settle>} what
   * @param {string} key
   */
  async #make(what, key) {
    const before = this.dispute;
    const house = key.startsWith("house:");
    if (!(await this.#change("POST", "/dispute/settle", { version: before.version, ...what }))) return;
    // A house rule is switched back the way it was switched; everything else is a correction.
    const undo = () =>
      house
        ? this.#change("POST", "/dispute/settle", { version: this.dispute.version, assumes: key })
        : this.#correction("/undo");
    toast(t("The ruling now uses what you settled."), { undo });
    byId("turn").focus();
  }

  /** @param {"/undo"} path */
  async #correction(path) {
    try {
      await asked(() => api("POST", `${this.path}${path}`, { version: this.review.version }));
    } catch (error) {
      tell(error);
    }
    await this.#refresh();
  }

  /**
   * @param {Api.Method} method
   * @param {string} path
   * @param {object} [body]
   */
  async #change(method, path, body) {
    try {
      const dispute = await asked(() => api(method, this.path + path, body));
      this.show(await api("GET", `${this.path}/review`), /** @type {Api.Dispute} */ (dispute));
      return true;
    } catch (error) {
      tell(error);
      if (error instanceof ApiError && error.status === 409) await this.#refresh();
      return false;
    }
  }

  async #refresh() {
    try {
      this.show(...(await latest(this.path)));
    } catch (error) {
      if (error instanceof ApiError) tell(error);
    }
  }

  #tools() {
    /** @type {Record<string, () => void>} */
    const zoom = {
      in: () => this.viewer.zoomBy(1.5),
      out: () => this.viewer.zoomBy(1 / 1.5),
      fit: () => this.viewer.fit(),
    };
    for (const button of all(this.root, "[data-zoom]")) {
      button.addEventListener("click", zoom[button.dataset.zoom ?? ""]);
    }
    byId("show-ruling").addEventListener("click", () => {
      const key = this.looking?.key ?? "";
      this.look(null);
      // Back to where one looked from.
      may(this.root, `[data-look="${CSS.escape(key)}"]`)?.focus();
    });
  }
}

/**
 * The box about whole paths, with room for what is drawn about them.
 * @param {Api.Outlook[]} outlooks
 * @param {Api.Reading} reading
 * @returns {Box | null}
 */
function wholePath(outlooks, reading) {
  const points = outlooks.flatMap(({ pieces }) => pieces.flatMap((piece) => piece.line));
  if (!points.length) return null;
  const margin = 14 * reading.px_per_mm;
  const [xs, ys] = [0, 1].map((k) => points.map((point) => point[k]));
  const { width, height } = reading.photo;
  return [
    Math.max(0, Math.min(...xs) - margin),
    Math.max(0, Math.min(...ys) - margin),
    Math.min(width, Math.max(...xs) + margin),
    Math.min(height, Math.max(...ys) + margin),
  ];
}

const { tableau } = byId("dispute").dataset;
export const page = new DisputePage(...(await firstAnswer(() => latest(`/tableaus/${tableau}`))));
