// Forms whose fields other devices may change, too: only what was changed here is sent, with what stood there
// when it was shown. Where another device was first, nothing is written: its text is shown beside what was
// written here, and saving again is up to the person.
import { api, ApiError, t } from "./app.js";
import { may, there } from "./elements.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/**
 * Send those of `fields` (inputs, textareas, named as the API does) that were changed, by PATCH to `path`;
 * `latest` fetches the values that stand. True where everything is kept; what is wrong is said in the form.
 * @param {string} path
 * @param {Field[]} fields
 * @param {() => Promise<unknown>} latest
 * @returns {Promise<boolean>}
 */
export async function saveFields(path, fields, latest) {
  const changed = fields.filter((field) => field.value !== field.defaultValue);
  if (!changed.length) return true;
  /** @param {(field: Field) => string} of */
  const values = (of) => Object.fromEntries(changed.map((field) => [field.name, of(field)]));
  try {
    await api("PATCH", path, {
      ...values((field) => field.value),
      seen: values((field) => field.defaultValue),
    });
    for (const field of changed) field.defaultValue = field.value;
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const now = /** @type {Record<string, string>} */ (await latest());
    const lines = changed.map((field) => merge(field, now[field.name]));
    say(there(changed[0].form, "form"), [error.message, ...lines].filter(Boolean).join(" "));
    return false;
  }
}

/**
 * Forget what was wrong before.
 * @param {HTMLFormElement} form
 */
export function begin(form) {
  const line = may(form, "[data-wrong]");
  if (line) line.hidden = true;
}

/**
 * Show what another device wrote into a field without losing what was written here; says where that is.
 * @param {Field} field
 * @param {string} theirs
 * @returns {string}
 */
function merge(field, theirs) {
  const { value: mine, defaultValue: old } = field;
  if (theirs === old || theirs === mine) return "";
  field.defaultValue = theirs;
  if (field instanceof HTMLTextAreaElement) {
    const added = theirs.startsWith(old) && mine.startsWith(old) ? mine.slice(old.length).trimStart() : mine;
    field.value = [theirs.trimEnd(), added].filter(Boolean).join("\n");
    return t("Both texts are in the notes now.");
  }
  field.value = theirs;
  return t("You had written: %(what)s %(value)s.", {
    what: there(field.closest("label"), "label").textContent?.trim(),
    value: mine,
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {string} words
 */
function say(form, words) {
  let line = may(form, "[data-wrong]");
  if (!line) {
    line = document.createElement("p");
    line.className = "error";
    line.setAttribute("role", "alert");
    line.dataset.wrong = "";
    form.prepend(line);
  }
  line.textContent = line.hidden ? words : [line.textContent, words].filter(Boolean).join(" ");
  line.hidden = false;
  line.scrollIntoView({ block: "nearest" });
}
