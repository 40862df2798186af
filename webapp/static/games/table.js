// The page of a table that all share: changes by tap, turns, hints, disputes; other devices see them at once.
import { api, newKey, t, tell, toast } from "../app.js";
import { all, byId, closest, field, must } from "../elements.js";
import { removeGame } from "./act.js";
import { withDialogs } from "./dialogs.js";
import { asked } from "./finished.js";
import { refresh } from "./live.js";

const game = byId("live").dataset.game ?? "";
const table = () => byId("table").dataset;
const path = () => /** @type {`/tableaus/${string}`} */ (`/tableaus/${table().tableau}`);
const version = () => Number(table().version);
let busy = false;

/**
 * Do something with the table as it was looked at, and show what became of it.
 * @param {() => Promise<unknown>} run
 * @param {string} said
 * @param {boolean} [canUndo]
 */
async function act(run, said, canUndo = true) {
  if (busy) return false;
  busy = true;
  try {
    await asked(run);
    await refresh();
    if (said) toast(said, canUndo ? { undo: () => step("undo") } : {});
    return true;
  } catch (error) {
    tell(error);
    await refresh();
    return false;
  } finally {
    busy = false;
  }
}

/** @param {Record<string, unknown>} change */
const changed = (change) =>
  act(() => api("POST", `${path()}/table`, { version: version(), change }), t("Noted."));

/** @param {string} which undo or redo */
const step = (which) =>
  act(
    () => api("POST", `${path()}/${which === "redo" ? "redo" : "undo"}`, { version: version() }),
    "",
    false,
  );

document.addEventListener("click", async (event) => {
  const change = closest(event, "[data-change]")?.dataset.change;
  if (change) changed(JSON.parse(change));
  if (closest(event, "[data-turn]")) {
    const done = await act(() => api("POST", `${path()}/turn`, { version: version() }), "", false);
    if (done)
      toast(t("%(name)s lays now.", { name: must(document, ".turn-who strong").textContent }), {
        undo: () => step("undo"),
      });
  }
  const which = closest(event, "[data-go]")?.dataset.go;
  if (which) step(which);
  if (closest(event, "[data-hint]")) hint();
  const slot = closest(event, "[data-slot]", SVGElement)?.dataset.slot;
  if (slot) openSlot(slot);
  const bookshelf = closest(event, "[data-books]");
  if (bookshelf) openBooks(bookshelf);
  const book = closest(event, "[data-book]")?.dataset.book;
  if (book) buyBook(book);
  const unsaid = closest(event, "[data-unsay]")?.dataset.unsay;
  if (unsaid) act(() => api("DELETE", `${path()}/table-claims/${unsaid}`), t("Taken back."), false);
  const accepted = closest(event, "[data-accept]")?.dataset.accept;
  if (accepted)
    act(() => api("POST", `${path()}/table-claims/${accepted}/accept`, { version: version() }), t("Noted."));
  if (closest(event, "#delete-game")) removeGame(game);
});

document.addEventListener("change", (event) => {
  const select = closest(event, "[data-change-select]", HTMLSelectElement);
  if (!select) return;
  const base = JSON.parse(select.dataset.changeSelect ?? "{}");
  changed({ ...base, [select.dataset.key ?? ""]: select.value });
});

document.addEventListener("keydown", (event) => {
  const slot = closest(event, "[data-slot]", SVGElement)?.dataset.slot;
  if (!slot || !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  openSlot(slot);
});

/** Who buys a book, and what the group has. @type {{ group: string, held: string[] }} */
let buyer = { group: "", held: [] };
/** @param {HTMLElement} button @returns {string[]} */
const heldBy = (button) => (button.dataset.held ?? "").split(" ").filter(Boolean);

/** @param {HTMLElement} opener */
function openBooks(opener) {
  withDialogs(() => {
    const { books: group = "", name = "" } = opener.dataset;
    const dialog = byId("books", HTMLDialogElement);
    buyer = { group, held: heldBy(opener) };
    byId("books-title").textContent = t("%(name)s: %(what)s", { name, what: opener.ariaLabel });
    const taken = all(document, "[data-books]").flatMap(heldBy);
    for (const choice of all(dialog, "[data-book]", HTMLButtonElement)) {
      const held = buyer.held.includes(choice.dataset.book ?? "");
      choice.setAttribute("aria-pressed", String(held));
      choice.disabled = !held && taken.includes(choice.dataset.book ?? "");
    }
    if (!dialog.open) dialog.showModal();
  });
}

/** @param {string} book */
function buyBook(book) {
  byId("books", HTMLDialogElement).close();
  const { group, held } = buyer;
  const spellbooks = held.includes(book) ? held.filter((each) => each !== book) : [...held, book];
  changed({ kind: "group", group, spellbooks });
}

/** @param {string} slot as its `data-slot` has it */
const openSlot = (slot) => withDialogs(() => fillSlot(JSON.parse(slot)));

/** @param {{ cell: [number, number], card: string | null, rotation: number, hidden: boolean }} slot */
function fillSlot({ cell, card, rotation, hidden }) {
  const dialog = byId("slot", HTMLDialogElement);
  const form = must(dialog, "form", HTMLFormElement);
  must(dialog, "h2").textContent = t("Column %(column)s, row %(row)s", {
    column: cell[0] + 1,
    row: cell[1] + 1,
  });
  field(form, "card", HTMLSelectElement).value = card ?? "";
  field(form, "turned").checked = rotation === 180;
  field(form, "face_down").checked = hidden;
  dialog.returnValue = "";
  dialog.onclose = () => {
    const name = field(form, "card", HTMLSelectElement).value;
    if (dialog.returnValue === "nothing") changed({ kind: "remove-card", cell });
    if (dialog.returnValue !== "lies") return;
    const turned = field(form, "turned").checked ? 180 : 0;
    const down = field(form, "face_down").checked || !name;
    changed({ kind: "card", cell, card: name || null, rotation: turned, face_down: down });
  };
  dialog.showModal();
}

// A card that a finger carries to the slot where it lies.
/** @type {{ slot: SVGElement, from: string, x: number, y: number, scale: number, below: Element | null } | null} */
let carried = null;
const CARRY_PX = 12;

document.addEventListener("pointerdown", (event) => {
  const slot = closest(event, ".slot.carried", SVGElement);
  const scale = slot instanceof SVGGraphicsElement ? (slot.getScreenCTM()?.a ?? 1) : 1;
  if (!slot?.dataset.slot) return;
  carried = { slot, from: slot.dataset.slot, x: event.clientX, y: event.clientY, scale, below: null };
});

document.addEventListener("pointermove", (event) => {
  if (!carried) return;
  const [x, y] = [event.clientX - carried.x, event.clientY - carried.y];
  if (Math.hypot(x, y) < CARRY_PX && !carried.slot.classList.contains("in-hand")) return;
  carried.slot.classList.add("in-hand");
  carried.slot.setAttribute("transform", `translate(${x / carried.scale} ${y / carried.scale})`);
  carried.below?.classList.remove("below");
  carried.below = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-slot]") ?? null;
  carried.below?.classList.add("below");
});

for (const name of ["pointerup", "pointercancel"])
  document.addEventListener(name, () => {
    if (!carried) return;
    const { slot, from, below } = carried;
    carried = null;
    if (!slot.classList.contains("in-hand")) return;
    slot.classList.remove("in-hand");
    slot.removeAttribute("transform");
    below?.classList.remove("below");
    const target = below instanceof SVGElement ? below.dataset.slot : undefined;
    if (name === "pointercancel" || !target) return;
    changed({ kind: "move-card", cell: JSON.parse(from).cell, to: JSON.parse(target).cell });
  });

async function hint() {
  try {
    const told = await api("GET", `${path()}/hint`);
    const box = byId("hint-words");
    box.replaceChildren(line("p", told.outlook));
    for (const goal of told.goals) {
      const list = document.createElement("ul");
      list.append(...goal.ways.map((way) => line("li", way)));
      box.append(line("h3", goal.where), list);
    }
    byId("hint", HTMLDialogElement).showModal();
  } catch (error) {
    tell(error);
  }
}

/**
 * @param {string} name
 * @param {string} words
 */
function line(name, words) {
  const element = document.createElement(name);
  element.textContent = words;
  return element;
}

byId("record", HTMLFormElement).addEventListener("submit", async (event) => {
  event.preventDefault();
  const box = field(byId("record", HTMLFormElement), "text", HTMLTextAreaElement);
  // What stands is shown once it was taken over; what was refused stays as it was written.
  if (await changed({ kind: "record", text: box.value })) {
    const fresh = await api("GET", `${path()}/table`);
    box.value = box.defaultValue = fresh.notation;
  }
});

byId("claim", HTMLFormElement).addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = byId("claim", HTMLFormElement);
  const said = {
    who: field(form, "who", HTMLSelectElement).value,
    words: field(form, "words", HTMLTextAreaElement).value,
    text: field(form, "text", HTMLTextAreaElement).value,
    client_key: newKey(),
  };
  if (await act(() => api("POST", `${path()}/table-claims`, said), t("The note is saved."), false))
    form.reset();
});
