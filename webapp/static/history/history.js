// The history: words are changed in place, deleting can be undone at once and later in the bin.
import { api, t, tell, tn, toast } from "../app.js";
import { all, closest, field, may, must } from "../elements.js";
import { begin, saveFields } from "../seen_form.js";

/**
 * @import { Field } from "../seen_form.js"
 * @typedef {`/games/${string}` | `/tableaus/${string}`} Kept what goes to the bin and comes back
 */

/**
 * Do something with the API; tell what went wrong. True where it worked.
 * @param {() => Promise<unknown>} work
 */
async function did(work) {
  try {
    await work();
    return true;
  } catch (error) {
    tell(error);
    return false;
  }
}

/**
 * How many were found, one more or less.
 * @param {string} kind
 * @param {1 | -1} by
 */
function count(kind, by) {
  const line = must(document, "[data-count]");
  const number = Number(line.dataset.count) + by;
  line.dataset.count = String(number);
  line.textContent =
    kind === "game"
      ? tn("%(num)s game", "%(num)s games", number)
      : tn("%(num)s photographed tableau", "%(num)s photographed tableaus", number);
}

/**
 * Hide a row, delete what it shows, and offer to take it back.
 * @param {HTMLElement} row
 * @param {string} kind game or tableau
 * @param {Kept} path
 */
async function remove(row, kind, path) {
  if (!(await did(() => api("DELETE", path)))) return;
  row.hidden = true;
  count(kind, -1);
  toast(kind === "game" ? t("The game is in the bin.") : t("The photo is in the bin."), {
    undo: async () => {
      if (!(await did(() => api("POST", `${path}/restore`)))) return;
      row.hidden = false;
      count(kind, 1);
      toast(kind === "game" ? t("The game is back.") : t("The photo is back."));
      may(row, "a, button")?.focus();
    },
  });
}

/**
 * Keep a form's words; `shown` takes what the API has at `path` to what the form's fields are named after. True
 * where they are kept.
 * @param {string} path
 * @param {HTMLFormElement} form
 * @param {(value: any) => unknown} [shown]
 */
async function save(path, form, shown = (value) => value) {
  begin(form);
  const fields = fieldsOf(form);
  let kept = false;
  await did(async () => {
    kept = await saveFields(path, fields, async () => shown(await api("GET", path)));
  });
  if (kept) toast(t("Saved."));
  return kept;
}

/**
 * @param {ParentNode} part
 * @returns {Field[]}
 */
const fieldsOf = (part) => [...part.querySelectorAll("input"), ...part.querySelectorAll("textarea")];

/**
 * Show a row as the server has it now, in place: what is being written or taken back elsewhere stays.
 * @param {HTMLElement} row
 * @param {string} selector
 */
async function showAnew(row, selector) {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(selector);
  const written = fieldsOf(row).some((each) => each.value !== each.defaultValue);
  // Nothing fresh: its new words are none that were searched for; it stays until the page is opened anew.
  if (!fresh || written) return;
  const focused = row.contains(document.activeElement);
  row.replaceChildren(...fresh.childNodes);
  if (focused) may(row, "summary")?.focus({ preventScroll: true });
}

for (const [kind, rows] of [
  ["game", "games"],
  ["tableau", "tableaus"],
]) {
  for (const row of all(document, `[data-${kind}]`)) {
    const id = row.dataset[kind];
    const path = /** @type {Kept} */ (`/${rows}/${id}`);
    row.addEventListener("click", (event) => {
      if (closest(event, `[data-delete-${kind}]`)) remove(row, kind, path);
    });
    row.addEventListener("submit", async (event) => {
      event.preventDefault();
      const form = closest(event, "form", HTMLFormElement);
      if (form && (await save(path, form))) await showAnew(row, `[data-${kind}="${id}"]`).catch(() => {});
    });
  }
}

for (const row of all(document, "[data-restore]")) {
  must(row, "[data-restore-button]").addEventListener("click", async () => {
    const body = row.dataset.body ? JSON.parse(row.dataset.body) : undefined;
    if (!(await did(() => api("POST", row.dataset.restore ?? "", body)))) return;
    row.hidden = true;
    toast(t("It is back."));
  });
}

const person = may(document, "[data-person]");
if (person) {
  /** @type {`/persons/${string}`} */
  const path = `/persons/${person.dataset.person}`;
  const undo = () => did(() => api("POST", `${path}/restore`)).then((done) => done && location.reload());
  const rename = must(person, "[data-rename]", HTMLFormElement);
  rename.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = field(rename, "name");
    const before = name.defaultValue;
    if (!(await save(path, rename, (detail) => detail.person))) return;
    must(document, "h1").textContent = name.value;
    document.title = document.title.replace(before, name.value);
  });
  const merge = may(person, "[data-merge]", HTMLFormElement);
  merge?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const into = field(merge, "into", HTMLSelectElement);
    const name = into.selectedOptions[0].textContent;
    if (await did(() => api("POST", `${path}/merge`, { into: into.value }))) {
      merge.hidden = true;
      toast(t("These games now count for %(name)s.", { name }), { undo });
    }
  });
  must(person, "[data-delete-person]").addEventListener("click", async () => {
    if (await did(() => api("DELETE", path))) toast(t("The player is in the bin; the games stay."), { undo });
  });
}
