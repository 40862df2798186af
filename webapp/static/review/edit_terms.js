// Rules: the objectives and house rules of a tableau outside a game (templates/tableaus/terms.html).

import { t } from "../app.js";
import { all, byId, closest, must, there } from "../elements.js";

/**
 * @import { Editor, Tool } from "./editor.js"
 * @typedef {HTMLInputElement | HTMLSelectElement} Field
 */

/**
 * @param {Editor} editor
 * @returns {Tool}
 */
export function termsTool(editor) {
  const form = /** @type {HTMLElement} */ (
    must(byId("terms", HTMLTemplateElement).content, ".edit-terms").cloneNode(true)
  );
  const objective = (/** @type {Field} */ field) => "objective" in field.dataset;
  const choices = all(form, "select[name]", HTMLSelectElement);
  /** @type {Field[]} */
  const fields = [...choices, ...all(form, "input[name]", HTMLInputElement)];
  const means = () => there(editor.review.means, "means");
  const settings = () => /** @type {Record<string, unknown>} */ (means().settings);

  const show = () => {
    const told = /** @type {Record<string, unknown>} */ (means().terms);
    for (const field of fields) {
      const value = settings()[field.name];
      if (objective(field)) field.value = String(told[field.name] ?? "");
      else if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = Boolean(value);
      else field.value = String(value ?? "");
    }
  };

  /** @param {Field} field */
  const ruleIn = (field) => {
    if (field instanceof HTMLSelectElement) return field.value;
    return field.type === "checkbox" ? field.checked : Number(field.value);
  };

  /** @param {Field} field */
  const chosen = (field) => {
    const words = field instanceof HTMLSelectElement ? field.selectedOptions[0].textContent : field.value;
    if (objective(field)) return { terms: { [field.name]: field.value || null }, words };
    const value = ruleIn(field);
    const told = typeof value === "boolean" ? (value ? t("on") : t("off")) : words;
    return { terms: { settings: { ...settings(), [field.name]: value } }, words: told };
  };

  form.addEventListener("change", async (event) => {
    const field = closest(event, "select", HTMLSelectElement) ?? closest(event, "input", HTMLInputElement);
    if (!field?.reportValidity()) return;
    const { terms, words } = chosen(field);
    const name = field.labels?.[0].firstElementChild?.textContent;
    const correction = /** @type {Api.SetTerms} */ ({ kind: "terms", ...terms });
    if (!(await editor.send(correction, t("%(name)s: %(value)s.", { name, value: words })))) show();
  });

  return {
    hint: () =>
      t(
        "Choose the round's objectives, and the rules that your table plays differently; the score changes at once.",
      ),
    render(box) {
      if (box.firstElementChild !== form) box.replaceChildren(form);
      show();
    },
  };
}
