/*
 * The review page: photo with the ruling on it, questions, score, replay; it looks again when the tableau changes.
 *
 * Editing (edit.js) is loaded when someone wants to correct: its `edit(page, { question })` is given `page`:
 *   page.viewer          the Viewer; layers "cards", "path", "finds", "ends", "walker", "question" are this page's
 *   page.review          the newest review (webapp/tableaus/model.py)
 *   page.show(review)    take a newer review, as the API's changes answer it
 *   page.closed()        the editor is closed
 *   page.editing         true while an editor is at work: replay and questions rest, polling goes on
 *   page.sheet           the element beside (or below) the photo
 */

import { api, t, tell, toast } from "../app.js";
import { announce } from "../notices.js";
import { all, byId, closest, may, must, there } from "../elements.js";
import { firstAnswer, watch } from "../watch.js";
import { asked } from "../games/finished.js";
import "../picture.js";
import { brighten } from "./brightness.js";
import { showDrawing, showUpTo } from "./overlay.js";
import { drawQuestion, openQuestions, showQuestion } from "./questions.js";
import { listenToMoves } from "./moving.js";
import { listenToPens } from "./pen.js";
import { photoBottom } from "./photo_bottom.js";
import { Replay } from "./replay.js";
import { showLead } from "./lead.js";
import { newestUnread, showRetake } from "./retake.js";
import { scoreChange } from "./score_change.js";
import { markStep, scoreInWords, showAims, showNotes, showScore, showStory, showTally } from "./score.js";
import { showProgress, showShots } from "./shots.js";
import { showUntraced } from "./untraced.js";
import { Viewer } from "./viewer.js";

const WATCH_MS = 3000;
const BUSY_MS = 700;
/** Who has waited so long for a reading may take the photo again, or type the score in: most take two seconds. */
const SLOW_MS = 10_000;

/**
 * @import { Notice } from "../notices.js"
 * @import { Editor } from "./editor.js"
 * @import { Box, Point, Tap } from "./viewer.js"
 */

export class ReviewPage {
  /** @param {Api.Review} review */
  constructor(review) {
    this.root = byId("review");
    this.sheet = must(this.root, ".sheet");
    this.stage = must(this.root, ".stage");
    this.editing = false;
    /** @type {Api.ReviewQuestion | null} */
    this.question = null;
    /** @type {Viewer | undefined} */
    this.photoViewer = undefined;
    /** @type {Editor | undefined} */
    this.editor = undefined;
    /** @type {Notice | undefined} */
    this.notice = undefined;
    /** @type {string | undefined} */
    this.said = undefined;
    /** @type {string | null} a question that somebody left open and comes back to */
    this.wanted = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.patience = undefined;
    /** @type {{ id: string, since: number } | undefined} the photo that is waited for, and since when */
    this.waited = undefined;
    /** @type {string | undefined} what was asked and is still being done, to be told of */
    this.awaited = undefined;
    this.review = review;
    this.looked = false; // whether the photo has been turned to the cards or a question yet
    this.replay = new Replay(byId("replay"), (number) => this.#stepped(number));
    this.#tools();
    listenToMoves(this);
    this.pens = listenToPens(this);
    this.show(review);
    this.root.classList.remove("loading");
    new ResizeObserver(() => this.#photoBottom()).observe(this.stage);
    this.watching = watch(() => api("GET", `${this.path}/progress`), {
      every: () => (this.#waits ? BUSY_MS : WATCH_MS),
      onAnswer: (progress) => this.#progressed(progress),
    });
  }

  /** @returns {`/tableaus/${string}`} */
  get path() {
    return `/tableaus/${this.root.dataset.tableau}`;
  }

  get viewer() {
    return there(this.photoViewer, "photo");
  }

  get reading() {
    return there(this.review.reading, "reading");
  }

  /**
   * Show a review; one that is older than what is shown is left.
   * @param {Api.Review} review
   */
  show(review) {
    if (review.version < this.review.version) return;
    const { reading } = review;
    this.review = review;
    this.root.classList.toggle("unread", review.state === "waiting");
    if (!reading) {
      this.root.classList.remove("asking");
      this.said = "";
    }
    this.#showPhoto();
    showProgress(byId("progress"), review);
    this.#showErrand();
    showShots(byId("shots"), review, {
      use: (shot) => this.#change("POST", `/shots/${shot.id}/use`),
      remove: (shot) => this.#remove(shot),
      restore: (shot) => this.#change("POST", `/shots/${shot.id}/restore`, { use: false }),
    });
    showLead(review);
    this.#offerRetake();
    for (const id of ["score", "actions", "story"]) byId(id).hidden = !reading;
    if (!reading) {
      may(document, "#next-up")?.setAttribute("hidden", "");
      for (const id of ["notes", "question", "replay", "untraced"]) byId(id).hidden = true;
      byId("step-sentence").textContent = "";
      return;
    }
    showDrawing(this.viewer, reading.drawing, reading.px_per_mm);
    showScore(byId("score"), reading, review.round, review.other, {
      onOther: (counts) => review.other && this.#settleOther(review.other.shot_id, counts),
      onPlace: (at) => this.#lookAt(at),
      onCorrect: () => this.correct(),
      onChoose: () => this.correct(null, "terms"),
      onAsk: (name) => {
        this.wanted = name;
        this.#ask();
        this.#goOn();
      },
    });
    if (!review.round) showAims(must(document, ".aims"), reading);
    if (!this.editing) this.#say(scoreInWords({ ...reading, sure: reading.sure && !review.other }));
    showStory(byId("story-end"), byId("story-steps"), reading, (number) => this.#jump(number));
    showUntraced(review);
    showNotes(byId("notes"), byId("notes-list"), reading, {
      onPlace: (at) => this.#lookAt(at),
      onWithdraw: (place) => this.#withdraw(place),
    });
    this.#ask();
    this.replay.load(reading.steps);
    this.editor?.update();
  }

  #showPhoto() {
    const shown = this.review.shots.filter((shot) => !shot.deleted);
    const used = this.review.reading?.photo ?? shown[shown.length - 1]?.photo;
    this.stage.hidden = !used;
    if (this.review.state === "empty") must(this.root, ".more-photos", HTMLDetailsElement).open = true;
    if (!used) {
      this.photoViewer?.destroy();
      this.photoViewer = undefined;
      return;
    }
    const label = this.review.reading
      ? t("Photo of the cards with the ruling drawn on it")
      : t("Photo of the cards");
    if (!this.photoViewer) {
      this.photoViewer = new Viewer(byId("viewer"), { photo: used, label });
      this.viewer.tools = must(this.root, ".viewer-tools", HTMLElement);
      this.viewer.on("tap", (tap) => this.#tapped(tap));
    } else if (this.viewer.photo.id !== used.id) {
      this.viewer.setPhoto(used);
      this.looked = false;
    } else if (!this.review.reading) {
      for (const name of ["cards", "path", "finds", "ends", "walker", "question"]) this.viewer.clear(name);
    }
    this.viewer.svg.setAttribute("aria-label", label);
  }

  /**
   * Tell the score to those who do not see it change; on arrival they come to it by themselves.
   * @param {string} words
   */
  #say(words) {
    if (this.said !== undefined && this.said !== words) announce(words);
    this.said = words;
  }

  /** The first open question, with the photo turned to it when it is a new one. */
  #ask() {
    const { reading } = this;
    if (this.editing) return;
    const before = this.question && JSON.stringify([this.question.name, this.question.crop]);
    // While ink is being read again on corrected cards, or a card comes into the box, what will be asked is not
    // known yet.
    const { errand, rereading } = this.review;
    const waits = isBusy(rereading) || (errand?.kind === "new-card" && isBusy(errand));
    this.question = showQuestion(
      byId("question"),
      waits ? { ...reading, questions: [] } : reading,
      {
        onAnswer: (question, option) => this.#answer(question, option),
        onCorrect: (question) => this.correct(question),
        onNew: "ownDeck" in this.root.dataset ? (question) => this.#addNew(question) : null,
      },
      this.wanted,
    );
    drawQuestion(this.viewer.layer("question"), reading, this.question);
    this.root.classList.toggle("asking", this.question !== null);
    may(document, "#next-up")?.toggleAttribute("hidden", this.question !== null);
    const now = this.question && JSON.stringify([this.question.name, this.question.crop]);
    if (now !== before || !this.looked) {
      // What is asked is looked at on the bare photo; what was read of it is one tap away.
      this.#showDrawing(this.question === null);
      if (this.question) brighten(this.viewer.host, reading, this.question.crop);
      else this.viewer.host.style.removeProperty("--brighten");
      if (this.question) this.viewer.fit(this.question.crop);
      else this.#fitCards();
    }
    this.looked = true;
  }

  /**
   * The card that is asked about is in no catalogue: it comes into the box from this photo, which is read again.
   * @param {Api.ReviewQuestion} question
   */
  async #addNew(question) {
    for (const button of byId("question").querySelectorAll("button")) button.disabled = true;
    try {
      const given = { question: question.name, version: this.review.version };
      this.follow(await asked(() => api("POST", `${this.path}/new-card`, given)));
    } catch (error) {
      tell(error);
      await this.look();
    }
    this.#ask();
  }

  /** Offer to take the photo again where it is spoilt, or people have waited long enough for its reading. */
  #offerRetake() {
    clearTimeout(this.patience);
    const unread = newestUnread(this.review);
    if (unread?.id !== this.waited?.id) this.waited = unread && { id: unread.id, since: performance.now() };
    const left = this.waited ? this.waited.since + SLOW_MS - performance.now() : 0;
    if (left > 0) this.patience = setTimeout(() => this.#offerRetake(), left);
    const offered = showRetake(this.review, this.photoViewer, left <= 0);
    this.root.classList.toggle("spoilt", (offered || this.review.lead !== null) && !this.review.reading);
  }

  /**
   * Something was asked that is done in the background: look often until it is, then tell what came of it.
   * @param {Api.ReviewErrand} errand
   */
  follow(errand) {
    this.awaited = errand.id;
    this.review = { ...this.review, errand };
    this.#showErrand();
    showProgress(byId("progress"), this.review);
    this.watching.soon();
  }

  /** How far it is that was asked last; what came of it is told to who waited for it. */
  #showErrand() {
    const { errand } = this.review;
    if (!errand) return;
    const busy = isBusy(errand);
    if (busy) this.awaited = errand.id;
    const told = !busy && this.awaited === errand.id;
    if (told) this.awaited = undefined;
    this.pens?.(errand, { busy, told });
    if (!told) return;
    if (errand.error) toast(errand.error, { kind: "bad" });
    else if (errand.card)
      toast(
        errand.card.new
          ? t("%(card)s is in the box now; the photo is read again.", { card: errand.card.card })
          : t("The box has this card already: %(card)s. The photo is read again.", {
              card: errand.card.card,
            }),
      );
    this.look();
  }

  /** The photo turned to all cards, none of them under the tools. */
  #fitCards() {
    const { reading } = this.review;
    if (reading?.cards.length)
      this.viewer.fit(
        cardsBox(reading),
        reading.cards.map((card) => boxOf(card.corners)),
      );
    else this.viewer.fit();
  }

  /**
   * @param {Api.ReviewQuestion} question
   * @param {Api.ReviewOption} option
   */
  async #answer(question, option) {
    const before = this.reading;
    this.wanted = null;
    if (option.kind === "retake") {
      // What another photo shows answers the question; until there is one it stays as it is.
      must(document, ".photos-panel .capture-input", HTMLInputElement).click();
      return;
    }
    if (option.kind === "otherwise") {
      await this.correct(question);
      return;
    }
    for (const button of byId("question").querySelectorAll("button")) button.disabled = true;
    try {
      const given = { question: question.name, option: option.number, version: this.review.version };
      const answered = await asked(() => api("POST", `${this.path}/answers`, given));
      this.show(answered);
      this.#answered(question, option, openQuestions(before).length, answered);
    } catch (error) {
      tell(error);
      await this.look();
      this.#ask();
    }
    this.#goOn();
  }

  /**
   * Say what was answered and what follows from it, with a way to take it back.
   * @param {Api.ReviewQuestion} question
   * @param {Api.ReviewOption} option
   * @param {number} before
   * @param {Api.Review} review
   */
  #answered(question, option, before, { version, reading }) {
    if (!reading) return;
    const left = openQuestions(reading).length;
    const doubtful = !left && !reading.sure;
    const said = t("Answered: %(answer)s", { answer: option.label });
    const more =
      left >= before
        ? t("New questions follow from this answer: %(count)s.", { count: left - before + 1 })
        : "";
    const end = left
      ? more
      : doubtful
        ? t("Noted. The score is not sure yet.")
        : t("Thank you, that is settled.");
    const undo = () => {
      // Ink that is read again on other cards follows from the answer by itself, and is taken back with it.
      const newest = question.about === "card" || this.review.reading?.revision === reading.revision;
      this.#takeBack(newest ? this.review.version : version);
    };
    this.notice?.remove();
    this.notice = toast([end, said].filter(Boolean).join(" "), {
      kind: doubtful ? "bad" : "info",
      undo,
    });
  }

  /**
   * Take the latest answer back: its question is asked again.
   * @param {number} version
   */
  async #takeBack(version) {
    this.looked = false;
    if (await this.#change("POST", "/undo", { version })) this.#goOn();
    else await this.look();
  }

  /** What comes next, the question or the score, has the focus and can be seen from its beginning. */
  #goOn() {
    if (this.editing) return;
    const next = byId(this.question ? "question" : "score");
    next.focus({ preventScroll: true });
    const covered = this.#photoBottom();
    next.style.scrollMarginTop = `${Math.round(covered) + 8}px`;
    if (next.getBoundingClientRect().top < covered) next.scrollIntoView({ block: "start" });
  }

  #photoBottom() {
    return photoBottom(this.stage, this.sheet);
  }

  /** The editor is closed: the photo turns to what is asked, or to all cards. */
  closed() {
    this.looked = false;
    this.show(this.review);
    this.root.scrollIntoView({ block: "start" });
    must(this.root, "[data-correct]").focus({ preventScroll: true });
  }

  /**
   * @param {Api.ReviewQuestion | null} [question]
   * @param {string} [tool]
   */
  async correct(question = null, tool = undefined) {
    if (
      this.root.dataset.table &&
      question &&
      (question.about === "card" || question.name.startsWith("untold:"))
    ) {
      // What lies on a table that all share, and what was bought, is told on its own page.
      const where =
        { "untold:bought": "groups" }[question.name] ?? (question.about === "card" ? "correct" : "goals");
      location.assign(`${this.root.dataset.table}#${where}`);
      return;
    }
    this.replay.pause();
    this.notice?.remove();
    try {
      const { edit } = await import("./edit.js");
      await edit(this, { question, tool });
    } catch (error) {
      tell(error);
    }
  }

  /**
   * Leave to the referee what was paid with at a place; the statement can be brought back.
   * @param {string} at
   */
  async #withdraw(at) {
    const { reading } = this;
    const { version } = this.review;
    const correction = { kind: "payment", at, means: null };
    if (!(await this.#change("POST", "/corrections", { version, correction }))) return;
    const place = reading.places.find((each) => each.id === at)?.name ?? "";
    const now = this.review;
    const said = [
      t("%(place)s: left to the referee.", { place }),
      scoreChange(reading.score, this.reading.score) || t("The score stays the same."),
    ];
    toast(said.join(" "), { undo: () => this.#takeBack(now.version) });
  }

  /**
   * Of two photos that score otherwise people say which counts.
   * @param {string} shot
   * @param {boolean} counts
   */
  async #settleOther(shot, counts) {
    const leave = (/** @type {boolean} */ left) => this.#change("POST", `/shots/${shot}/leave`, { left });
    if (!(await (counts ? this.#change("POST", `/shots/${shot}/use`) : leave(true)))) return;
    const { version } = this.review;
    const run = async () => (!counts || (await this.#change("POST", "/undo", { version }))) && leave(false);
    toast(counts ? t("That photo counts now.") : t("It stays as it is."), {
      undo: run,
    });
    byId("score").focus({ preventScroll: true });
  }

  /** @param {Api.ReviewShot} shot */
  async #remove(shot) {
    const used = shot.used;
    if (!(await this.#change("DELETE", `/shots/${shot.id}`))) return;
    toast(t("The photo is deleted."), {
      undo: () => this.#change("POST", `/shots/${shot.id}/restore`, { use: used }),
    });
  }

  /**
   * @param {Api.Method} method
   * @param {string} path
   * @param {object} [body]
   */
  async #change(method, path, body) {
    try {
      const review = await asked(() => api(method, this.path + path, body));
      this.show(/** @type {Api.Review} */ (review));
      return true;
    } catch (error) {
      tell(error);
      return false;
    }
  }

  /** @param {number} number */
  #stepped(number) {
    const { reading } = this;
    const step = reading.steps[number - 1];
    showUpTo(this.viewer, reading, number);
    showTally(byId("score"), reading, number);
    markStep(byId("story-steps"), number);
    // At the end it is said how the path ended; the walk to it is told step by step.
    const words = number >= reading.steps.length ? reading.end.sentence : `${step.number}. ${step.sentence}`;
    const sentence = byId("step-sentence");
    if (sentence.textContent !== words) sentence.textContent = words;
    if (step?.at && number < reading.steps.length && this.viewer.fitted === undefined)
      this.viewer.reveal(...step.at);
  }

  /** @param {number} number */
  #jump(number) {
    this.replay.pause();
    this.replay.show(number);
    const step = this.reading.steps[number - 1];
    if (step.at) this.viewer.reveal(...step.at);
  }

  /** @param {Point} at */
  #lookAt(at) {
    const reach = 40 * this.reading.px_per_mm;
    this.viewer.fit([at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach]);
    this.viewer.host.focus();
  }

  /** @param {Tap} tap */
  #tapped(tap) {
    const number = closest(tap, ".find", SVGElement)?.dataset.number;
    if (number && !this.editing) this.#jump(Number(number));
  }

  #tools() {
    /** @type {Record<string, () => void>} */
    const zoom = {
      in: () => this.photoViewer?.zoomBy(1.5),
      out: () => this.photoViewer?.zoomBy(1 / 1.5),
      fit: () => this.photoViewer && this.#fitCards(),
    };
    for (const button of all(this.root, "[data-zoom]")) {
      button.addEventListener("click", zoom[button.dataset.zoom ?? ""]);
    }
    const drawing = must(this.root, "[data-drawing]");
    drawing.addEventListener("click", () =>
      this.#showDrawing(drawing.getAttribute("aria-pressed") !== "true"),
    );
    must(this.root, "[data-correct]").addEventListener("click", () => this.correct());
  }

  /**
   * Draw what was read over the photo, or show it bare.
   * @param {boolean} shown
   */
  #showDrawing(shown) {
    must(this.root, "[data-drawing]").setAttribute("aria-pressed", String(shown));
    this.root.classList.toggle("bare", !shown);
  }

  /** Whether something is being read. */
  get #waits() {
    const { errand, rereading, shots } = this.review;
    return [errand, rereading, ...shots.filter((shot) => !shot.deleted)].some(isBusy);
  }

  /** @param {Api.Progress} progress */
  async #progressed({ version, shots, rereading, errand }) {
    if (version > this.review.version) return this.look();
    this.review = { ...this.review, shots, rereading, errand };
    this.editor?.progressed();
    showProgress(byId("progress"), this.review);
    this.#showErrand();
  }

  /** Show the review as the server has it now. */
  async look() {
    const review = await api("GET", `${this.path}/review`).catch(tell);
    if (review) this.show(review);
  }
}

/** @param {{ state: string } | null} reading */
function isBusy(reading) {
  return ["waiting", "running"].includes(reading?.state ?? "");
}

/**
 * The part of the photo that the cards take, with a little of the table around.
 * @param {Api.Reading} reading
 * @returns {Box}
 */
function cardsBox(reading) {
  const [left, top, right, bottom] = boxOf(reading.cards.flatMap((card) => card.corners));
  const margin = 6 * reading.px_per_mm;
  const { width, height } = reading.photo;
  return [
    Math.max(0, left - margin),
    Math.max(0, top - margin),
    Math.min(width, right + margin),
    Math.min(height, bottom + margin),
  ];
}

/**
 * @param {Point[]} points
 * @returns {Box}
 */
function boxOf(points) {
  const [xs, ys] = [0, 1].map((k) => points.map((point) => point[k]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

const { tableau } = byId("review").dataset;
export const page = new ReviewPage(await firstAnswer(() => api("GET", `/tableaus/${tableau}/review`)));
