// Correcting a tableau: `edit(page, { question })` opens the editor beside the photo (see main.js for `page`).

import { api, ApiError, t, toast } from "../app.js";
import { asked } from "../games/finished.js";
import { cardsTool } from "./edit_cards.js";
import { linesTool } from "./edit_lines.js";
import { marksTool } from "./edit_marks.js";
import { meansTool } from "./edit_means.js";
import { pathTool } from "./edit_path.js";
import { termsTool } from "./edit_terms.js";
import { Editor } from "./editor.js";

/**
 * @import { EditAction, EditBody } from "./editor.js"
 * @import { ReviewPage } from "./main.js"
 */

const TOOLS = { path: pathTool, marks: marksTool, cards: cardsTool, means: meansTool };
/** @type {Record<string, string>} */
const FIRST_TOOL = { card: "cards", mark: "marks", path: "path", direction: "path" };

/**
 * `question` is what the correction is about, `tool` the one to begin with.
 * @param {ReviewPage} page
 * @param {{ question?: Api.ReviewQuestion | null, tool?: string }} [about]
 */
export async function edit(page, { question = null, tool = FIRST_TOOL[question?.about ?? ""] } = {}) {
  if (page.root.dataset.table) {
    await editTable(page, question);
    return;
  }
  // In a game the round says what is asked for and played by.
  const tools = page.review.round ? TOOLS : { ...TOOLS, terms: termsTool };
  const editor = (page.editor ??= new Editor(page, tools, async (action, body) => {
    const before = page.reading;
    const done = await correct(page, action, body);
    if (!done.error && done.review) offerToWithdraw(editor, before, done.review.reading);
    return done;
  }));
  page.root.classList.remove("asking");
  page.question = null;
  page.viewer.clear("question");
  editor.open(tool);
  if (question) page.viewer.fit(question.crop);
}

/**
 * Of a table that all share lines are drawn here; everything else is changed on its own page.
 * @param {ReviewPage} page
 * @param {Api.ReviewQuestion | null} question
 */
async function editTable(page, question) {
  const editor = (page.editor ??= new Editor(page, { lines: linesTool }, (action, body) =>
    action === "corrections" ? correct(page, "lines", { ...body.correction }) : correct(page, action, body),
  ));
  page.root.classList.remove("asking");
  page.question = null;
  page.viewer.clear("question");
  editor.open("lines");
  if (question) page.viewer.fit(question.crop);
}

/**
 * The review that an action leads to; after a conflict what others made of it. And why it was not done.
 * @param {ReviewPage} page
 * @param {EditAction | "lines"} action
 * @param {object} body
 * @returns {Promise<{ review?: Api.Review | null, error?: string }>}
 */
async function correct(page, action, body) {
  /** @type {string} */
  const path = `${page.path}/${action}`;
  try {
    const review = await asked(() => api("POST", path, { version: page.review.version, ...body }));
    return { review: /** @type {Api.Review} */ (review) };
  } catch (error) {
    if (!(error instanceof ApiError))
      return { error: t("The server cannot be reached; the page tries again.") };
    if (error.status !== 409) return { error: error.message };
    const review = await api("GET", `${page.path}/review`).catch(() => null);
    return { review, error: error.message };
  }
}

/**
 * What was stated as paid and no longer fits is told at once, with a way to take it back; the tool for means says it
 * by itself.
 * @param {Editor} editor
 * @param {Api.Reading} before
 * @param {Api.Reading | null} reading
 */
function offerToWithdraw(editor, before, reading) {
  const told = new Set(before.payment_notes.map((note) => note.message));
  const note = reading?.payment_notes.find(
    ({ message, about }) => !told.has(message) && about !== "stated_twice",
  );
  if (!reading || !note || editor.chosen === "means") return;
  const place = reading.places.find((each) => each.id === note.place)?.name ?? "";
  const run = () =>
    editor.send(
      { kind: "payment", at: note.place, means: null },
      t("%(place)s: left to the referee.", { place }),
    );
  toast(t("The payment that you stated no longer fits: %(place)s.", { place }), {
    kind: "bad",
    action: { label: t("Take it back"), run },
  });
}
