// A round: objectives by icon, hourglass, means and market by tap, the steps of the end.
import { api, newKey, t } from "../app.js";
import { all, byId, closest, field, may, must, there } from "../elements.js";
import { act, short } from "./act.js";
import { withDialogs } from "./dialogs.js";
import "./late.js";
import "./timer.js";

const live = byId("live").dataset;
const patchRound = (/** @type {Api.Partly<Api.RoundPatch>} */ changes) =>
  api("PATCH", `/games/${live.game}/rounds/${live.round}`, changes);
/** The dialog that lists what a round may ask for; games that ask for nothing have none. */
const objectivesDialog = () => byId("objectives", HTMLDialogElement);
/** The dialog that lists the things of a term, of which a player holds some. */
const booksOf = (/** @type {string} */ term) => byId(term, HTMLDialogElement);
/** @type {{ kind: string, seen: string | null }} */
let choosing = { kind: "", seen: null };
/** @type {{ entry: string, mode: string, term: string, ware: string, held: string[], name: string }} */
let reader = { entry: "", mode: "hold", term: "", ware: "", held: [], name: "" };

/** @param {HTMLElement} element */
function cardOf(element) {
  const card = there(closest({ target: element }, "[data-player]", HTMLElement), "card");
  return { player: card.dataset.player ?? "", name: must(card, "h2").textContent.trim() };
}
/**
 * What was done to whose round, in words.
 * @param {HTMLElement} element
 * @param {string} words
 */
const whose = (element, words) => ofWhom(cardOf(element).name, words);

/**
 * @param {string} name
 * @param {string} what
 */
const ofWhom = (name, what) => t("%(name)s: %(what)s", { name: short(name), what });
/** @param {string} entry */
const held = (entry) => (byId(`books-${entry}`).dataset.held || "").split(" ").filter(Boolean);

/** Who was first to finish, as the page shows it. */
const firstToFinish = () => ({
  time_bonus_seat: may(document, '[data-first][aria-pressed="true"]')?.dataset.first || null,
  nobody_first: document.querySelector('[data-nobody][aria-pressed="true"]') !== null,
});

/** @type {Record<string, (button: HTMLElement) => unknown>} */
const ON_TAP = {
  choose(button) {
    withDialogs(() => {
      const objectives = objectivesDialog();
      choosing = { kind: button.dataset.choose ?? "", seen: button.dataset.current || null };
      byId("objectives-title").textContent = button.dataset.title ?? "";
      for (const choice of all(objectives, "[data-objective]")) {
        choice.setAttribute("aria-pressed", String(choice.dataset.objective === button.dataset.current));
      }
      if (!objectives.open) objectives.showModal();
    });
  },
  objective(button) {
    objectivesDialog().close();
    const { kind, seen } = choosing;
    act(() =>
      patchRound({ terms: { [kind]: button.dataset.objective || null }, seen: { terms: { [kind]: seen } } }),
    );
  },
  hourglass(button) {
    const shown = button.getAttribute("aria-pressed") === "true";
    const first = firstToFinish();
    const off = () => patchRound({ hourglass: false, seen: { hourglass: true, ...first } });
    const on =
      (/** @type {Partial<ReturnType<typeof firstToFinish>>} */ whoever = {}) =>
      () =>
        patchRound({ hourglass: true, ...whoever, seen: { hourglass: false, time_bonus_seat: null } });
    // Without the hourglass nobody is first to finish: undoing brings whoever was.
    if (shown)
      act(off, t("No hourglass, so nobody has the time bonus of this round."), on(first), "hourglass");
    else act(on());
  },
  first(button) {
    const seen = firstToFinish();
    act(() => patchRound({ time_bonus_seat: button.dataset.first || null, seen }));
  },
  nobody() {
    const seen = firstToFinish();
    act(() => patchRound({ nobody_first: !seen.nobody_first, seen }));
  },
  token(button) {
    const entry = cardOf(button).player;
    const { token = "", what } = button.dataset;
    const { term = "" } = there(button.parentElement, "term").dataset;
    const count = Number(must(button, ".count").textContent);
    const change = (/** @type {number} */ from, /** @type {number} */ to) => () =>
      api("PATCH", `/entries/${entry}`, {
        held: { [term]: { [token]: to } },
        seen: { held: { [term]: { [token]: from } } },
      });
    const next = count ? 0 : 1;
    act(
      change(count, next),
      whose(button, next ? t("%(what)s held.", { what }) : t("%(what)s taken away.", { what })),
      change(next, count),
      entry,
    );
  },
  bookOff(button) {
    const entry = cardOf(button).player;
    const { bookOff: book = "", term = "" } = button.dataset;
    const change = (/** @type {boolean} */ to) => () =>
      api("PATCH", `/entries/${entry}`, { held: { [term]: { [book]: to } } });
    act(change(false), whose(button, t("%(what)s taken away.", { what: book })), change(true), entry);
  },
  books(button) {
    const { player, name } = cardOf(button);
    const { books: mode = "", term = "", ware = "", what } = button.dataset;
    withDialogs(() => {
      const dialog = booksOf(term);
      reader = { entry: player, mode, term, ware, held: held(player), name };
      const title = byId(`${term}-title`);
      title.textContent = title.title =
        mode === "hold"
          ? t("%(what)s of %(name)s", { name, what })
          : t("%(name)s buys a %(what)s", { name, what });
      for (const choice of all(dialog, "[data-book]")) {
        choice.setAttribute("aria-pressed", String(reader.held.includes(choice.dataset.book ?? "")));
      }
      if (!dialog.open) dialog.showModal();
    });
  },
  book(button) {
    const book = button.dataset.book ?? "";
    const { entry, mode, term, ware, name } = reader;
    booksOf(term).close();
    if (mode === "buy") {
      buy(entry, { kind: ware, what: book }, name, book);
    } else {
      const holds = !reader.held.includes(book);
      const change = (/** @type {boolean} */ to) => () =>
        api("PATCH", `/entries/${entry}`, { held: { [term]: { [book]: to } } });
      act(
        change(holds),
        ofWhom(name, holds ? t("%(what)s held.", { what: book }) : t("%(what)s taken away.", { what: book })),
        change(!holds),
        entry,
      );
    }
  },
  buy(button) {
    const { player, name } = cardOf(button);
    const { what = "", words = "" } = button.dataset;
    const kind = /** @type {Api.NewPurchase["kind"]} */ (button.dataset.buy);
    buy(player, { kind, what }, name, words);
  },
  pay(button) {
    const { pay, words } = button.dataset;
    /** @type {Api.PurchaseView[]} */
    let bought = [];
    act(
      async () => {
        bought = await api("POST", `/entries/${pay}/purchases/held`);
      },
      whose(button, t("%(what)s bought.", { what: words })),
      () => Promise.all(bought.map(({ id }) => api("DELETE", `/purchases/${id}?held=stays`))),
      pay,
    );
  },
  putBack(button) {
    const id = button.dataset.putBack;
    act(
      () => api("DELETE", `/purchases/${id}`),
      whose(button, t("%(what)s put back.", { what: button.dataset.words })),
      () => api("POST", `/purchases/${id}/restore`),
      cardOf(button).player,
    );
  },
  endGame() {
    withDialogs(async () => {
      const { howToEnd } = await import("./finish.js");
      const change = await howToEnd(live.game ?? "");
      if (!change) return;
      await api("PATCH", `/games/${live.game}`, change);
      location.assign(`/games/${live.game}/final`);
    });
  },
  optimizer(button) {
    const entry = cardOf(button).player;
    const kind = button.dataset.optimizer ?? "";
    const used = Number(button.dataset.used);
    const next = used < Number(button.dataset.found) ? used + 1 : 0;
    act(() =>
      api("PATCH", `/entries/${entry}`, {
        optimizers_used: { [kind]: next },
        seen: { optimizers_used: { [kind]: used } },
      }),
    );
  },
};

// All players buy at the same stalls. A toggle does not bubble.
document.addEventListener(
  "toggle",
  (event) => {
    const stalls = closest(event, ".market")?.querySelector(".stalls:empty");
    if (stalls)
      withDialogs(() => stalls.replaceChildren(byId("stalls", HTMLTemplateElement).content.cloneNode(true)));
  },
  true,
);

/** @type {Map<string, { key: string, sending: boolean }>} */
const buying = new Map();

/**
 * True where it was bought. A second tap while the first is on its way buys nothing; a tap after an answer
 * that got lost is the same purchase.
 * @param {string} entry
 * @param {Partial<Api.NewPurchase>} purchase
 * @param {string} name
 * @param {string} words
 */
async function buy(entry, purchase, name, words) {
  const stall = JSON.stringify([entry, purchase]);
  const order = buying.get(stall) ?? { key: newKey(), sending: false };
  if (order.sending) return false;
  buying.set(stall, { ...order, sending: true });
  /** @type {Api.PurchaseView | undefined} */
  let bought;
  await act(
    async () => {
      bought = await api("POST", `/entries/${entry}/purchases`, { ...purchase, client_key: order.key });
    },
    ofWhom(name, t("%(what)s bought.", { what: words })),
    async () => bought && api("DELETE", `/purchases/${bought.id}`),
    entry,
  );
  if (bought) buying.delete(stall);
  else buying.set(stall, order);
  return bought !== undefined;
}

document.addEventListener("click", (event) => {
  const button = closest(event, "button");
  if (!button) return;
  const tapped = Object.keys(ON_TAP).find((name) => name in button.dataset);
  if (tapped) ON_TAP[tapped](button);
});

document.addEventListener("change", (event) => {
  const box = closest(event, "[data-number]", HTMLInputElement);
  if (!box || !box.reportValidity()) return;
  const { number: term = "", held: from } = box.dataset;
  const entry = cardOf(box).player;
  const change = (/** @type {number} */ was, /** @type {number} */ is) => () =>
    api("PATCH", `/entries/${entry}`, { terms: { [term]: is }, seen: { terms: { [term]: was } } });
  act(change(Number(from), Number(box.value)));
});

document.addEventListener("change", async (event) => {
  const step = closest(event, "[data-step-key]", HTMLInputElement);
  const key = step?.dataset.stepKey;
  if (!step || key === undefined) return;
  if (!(await act(() => patchRound({ checklist: { [key]: step.checked } })))) step.checked = !step.checked;
});

document.addEventListener("submit", async (event) => {
  const form = closest(event, "[data-other]", HTMLFormElement);
  if (!form) return;
  event.preventDefault();
  const [what, coins] = [field(form, "what").value, field(form, "coins").value];
  const { player, name } = cardOf(form);
  const bought = await buy(
    player,
    { kind: "other", what, coins: Number(coins) },
    name,
    what || t("Something else"),
  );
  if (bought) form.reset();
});
