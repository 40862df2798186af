// What is wrong with a field, in the page's language: browsers speak their own.

import { t } from "./messages.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/**
 * @param {EventTarget | null} target
 * @returns {target is Field}
 */
const isField = (target) =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

/**
 * What a person has to do about a field; "" for what has words of its own.
 * @param {Field} field
 * @returns {string}
 */
export function fault(field) {
  const { validity } = field;
  const [min, max] = field instanceof HTMLInputElement ? [field.min, field.max] : ["", ""];
  if (validity.valueMissing) {
    if (field.type === "file") return t("Choose a file.");
    return field instanceof HTMLSelectElement ? t("Choose one from the list.") : t("Fill in this field.");
  }
  if (validity.badInput || validity.typeMismatch) return t("Enter a number.");
  if (validity.rangeUnderflow) return t("Enter at least %(least)s.", { least: min });
  if (validity.rangeOverflow) return t("Enter at most %(most)s.", { most: max });
  if (validity.stepMismatch) return t("Enter a whole number.");
  if (validity.tooLong) return t("This is too long.");
  return validity.patternMismatch ? t("This has another form than asked for.") : "";
}

/** @param {Field} field */
function judge(field) {
  field.setCustomValidity("");
  field.setCustomValidity(fault(field));
}

// A message is forgotten when the field changes, and judged again before its form is sent.
document.addEventListener("invalid", ({ target }) => isField(target) && judge(target), true);
for (const change of ["input", "change"])
  document.addEventListener(change, ({ target }) => isField(target) && target.setCustomValidity(""), true);
document.addEventListener(
  "click",
  ({ target }) => {
    const form = target instanceof Element ? target.closest("button, input")?.closest("form") : null;
    for (const field of form?.elements ?? []) if (isField(field)) field.setCustomValidity("");
  },
  true,
);
