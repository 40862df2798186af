// The history: words are changed in place, deleting can be undone at once and later in the bin.
import { api, t, tell, toast } from "../app.js";
import { begin, saveFields } from "../seen_form.js";

/** Do something with the API; tell what went wrong. True where it worked. */
async function did(work) {
  try {
    await work();
    return true;
  } catch (error) {
    tell(error);
    return false;
  }
}

/** How many were found, one more or less. */
function count(by) {
  const line = document.querySelector("[data-count]");
  const number = Number(line.dataset.count) + by;
  line.dataset.count = number;
  line.textContent = t(number === 1 ? "count_one" : "count_many", { number });
}

/** Hide a row, delete what it shows, and offer to take it back. */
async function remove(row, path) {
  if (!(await did(() => api("DELETE", path)))) return;
  row.hidden = true;
  count(-1);
  toast(t("deleted"), {
    action: {
      label: t("undo"),
      run: async () => {
        if (!(await did(() => api("POST", `${path}/restore`)))) return;
        row.hidden = false;
        count(1);
        toast(t("back"));
        row.querySelector("a, button")?.focus();
      },
    },
  });
}

/** Keep a form's words; `shown` takes what the API has at `path` to what the form's fields are named after. True
 * where they are kept. */
async function save(path, form, shown = (value) => value) {
  begin(form);
  const fields = [...form.querySelectorAll("input, textarea")];
  let kept = false;
  await did(async () => {
    kept = await saveFields(path, fields, async () => shown(await api("GET", path)));
  });
  if (kept) toast(t("saved"));
  return kept;
}

/** Show a row as the server has it now, in place: what is being written or taken back elsewhere stays. */
async function showAnew(row, selector) {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(selector);
  const written = [...row.querySelectorAll("input, textarea")].some(
    (field) => field.value !== field.defaultValue,
  );
  // Nothing fresh: its new words are none that were searched for; it stays until the page is opened anew.
  if (!fresh || written) return;
  const focused = row.contains(document.activeElement);
  row.replaceChildren(...fresh.childNodes);
  if (focused) row.querySelector("summary")?.focus({ preventScroll: true });
}

for (const [kind, rows] of [
  ["game", "games"],
  ["tableau", "tableaus"],
]) {
  for (const row of document.querySelectorAll(`[data-${kind}]`)) {
    const id = row.dataset[kind];
    const path = `/${rows}/${id}`;
    row.addEventListener("click", (event) => {
      if (event.target.closest(`[data-delete-${kind}]`)) remove(row, path);
    });
    row.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await save(path, event.target)) await showAnew(row, `[data-${kind}="${id}"]`).catch(() => {});
    });
  }
}

for (const row of document.querySelectorAll("[data-restore]")) {
  row.querySelector("[data-restore-button]").addEventListener("click", async () => {
    const body = row.dataset.body ? JSON.parse(row.dataset.body) : undefined;
    if (!(await did(() => api("POST", row.dataset.restore, body)))) return;
    row.hidden = true;
    toast(t("back"));
  });
}

const person = document.querySelector("[data-person]");
if (person) {
  const path = `/persons/${person.dataset.person}`;
  const undo = {
    label: t("undo"),
    run: () => did(() => api("POST", `${path}/restore`)).then((done) => done && location.reload()),
  };
  person.querySelector("[data-rename]").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const before = form.elements.name.defaultValue;
    if (!(await save(path, form, (detail) => detail.person))) return;
    document.querySelector("h1").textContent = form.elements.name.value;
    document.title = document.title.replace(before, form.elements.name.value);
  });
  person.querySelector("[data-merge]")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { into } = Object.fromEntries(new FormData(event.target));
    const name = event.target.into.selectedOptions[0].textContent;
    if (await did(() => api("POST", `${path}/merge`, { into }))) {
      event.target.hidden = true;
      toast(t("merged", { name }), { action: undo });
    }
  });
  person.querySelector("[data-delete-person]").addEventListener("click", async () => {
    if (await did(() => api("DELETE", path))) toast(t("deleted"), { action: undo });
  });
}
