// Rules: the objectives and house rules of a tableau outside a game (templates/tableaus/terms.html).

import { t } from "../app.js";

export function termsTool(editor) {
  const form = document.getElementById("terms").content.firstElementChild.cloneNode(true);
  const fields = [...form.querySelectorAll("[name]")];
  const objective = (field) => "objective" in field.dataset;

  const show = () => {
    const { means } = editor.review;
    for (const field of fields) {
      if (objective(field)) field.value = means[field.name] ?? "";
      else if (field.type === "checkbox") field.checked = means.settings[field.name];
      else field.value = means.settings[field.name];
    }
  };

  const chosen = (field) => {
    if (objective(field))
      return { terms: { [field.name]: field.value || null }, value: field.selectedOptions[0].textContent };
    const on = field.type === "checkbox";
    const value = on ? field.checked : Number(field.value);
    const settings = { ...editor.review.means.settings, [field.name]: value };
    return { terms: { settings }, value: on ? t(value ? "edit_term_on" : "edit_term_off") : value };
  };

  form.addEventListener("change", async ({ target }) => {
    if (!target.reportValidity()) return;
    const { terms, value } = chosen(target);
    const name = target.labels[0].firstElementChild.textContent;
    if (!(await editor.send({ kind: "terms", ...terms }, t("edit_term", { name, value })))) show();
  });

  return {
    hint: () => t("edit_terms_hint"),
    render(box) {
      if (box.firstElementChild !== form) box.replaceChildren(form);
      show();
    },
  };
}
