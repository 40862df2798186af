// Forms whose fields other devices may change, too: only what was changed here is sent, with what stood there
// when it was shown. Where another device was first, nothing is written: its text is shown beside what was
// written here, and saving again is up to the person.
import { api, ApiError, t } from "./app.js";

/**
 * Send those of `fields` (inputs, textareas, named as the API does) that were changed, by PATCH to `path`;
 * `latest` fetches the values that stand. True where everything is kept; what is wrong is said in the form.
 */
export async function saveFields(path, fields, latest) {
  const changed = fields.filter((field) => field.value !== field.defaultValue);
  if (!changed.length) return true;
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
    const now = await latest();
    const lines = changed.map((field) => merge(field, now[field.name]));
    say(changed[0].form, [error.message, ...lines].filter(Boolean).join(" "));
    return false;
  }
}

/** Forget what was wrong before. */
export function begin(form) {
  const line = form.querySelector("[data-wrong]");
  if (line) line.hidden = true;
}

/** Show what another device wrote into a field without losing what was written here; says where that is. */
function merge(field, theirs) {
  const { value: mine, defaultValue: old } = field;
  if (theirs === old || theirs === mine) return "";
  field.defaultValue = theirs;
  if (field instanceof HTMLTextAreaElement) {
    const added = theirs.startsWith(old) && mine.startsWith(old) ? mine.slice(old.length).trimStart() : mine;
    field.value = [theirs.trimEnd(), added].filter(Boolean).join("\n");
    return t("both_texts");
  }
  field.value = theirs;
  return t("yours", { what: field.closest("label").textContent.trim(), value: mine });
}

function say(form, words) {
  let line = form.querySelector("[data-wrong]");
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
