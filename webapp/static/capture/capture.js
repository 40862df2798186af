// The capture buttons of a page: camera, files, drag and drop, paste. Nothing is shrunk or encoded anew: the
// file's own bytes are kept on the device first, then sent.
import { t, toast } from "../app.js";
import { all, byId, may, must } from "../elements.js";
import { forgetRemoved, keep, keepSending, listen, sendWaiting } from "./queue.js";
import { hold, initTray, release } from "./tray.js";

/**
 * @typedef {Partial<Record<"entry" | "tableau" | "whose" | "next" | "sameTurn", string>>} Target whose photos, where to
 *   go on, and whether they are of the same turn of a table as the one before
 */

const forms = all(document, "form[data-capture]", HTMLFormElement);

/**
 * @param {HTMLFormElement} form
 * @returns {Target}
 */
const targetOf = (form) => ({
  entry: form.dataset.entry,
  tableau: form.dataset.tableau,
  whose: form.dataset.name,
  next: form.dataset.next,
  sameTurn: form.dataset.sameTurn,
});

/**
 * Pictures by type; a type that the browser does not know (HEIC, often) is left to the server to judge.
 * @param {File} file
 */
const isPicture = (file) => file.type.startsWith("image/") || file.type === "";

/**
 * Keep `files` for `target` ({entry, tableau, whose, next}) and send them. Gives the answers of those that
 * were sent (empty: they wait in the tray). `onProgress` gets a share from 0 to 1.
 * @param {File[]} files
 * @param {Target} target
 * @param {(share: number) => void} [onProgress]
 * @returns {Promise<Api.KeptPhoto[]>}
 */
export async function bring(files, target, onProgress = () => {}) {
  /** @type {number[]} */
  const orders = [];
  for (const [number, file] of files.entries()) {
    // What is chosen at once was taken at once.
    const order = await keep(file, number ? { ...target, sameTurn: "1" } : target);
    hold(order);
    orders.push(order);
  }
  const shares = new Map(orders.map((order) => [order, 0]));
  /** @type {Api.KeptPhoto[]} */
  const answers = [];
  /** @type {Promise<void>} */
  const settled = new Promise((resolve) => {
    const open = new Set(orders);
    const stop = new AbortController();
    const settle = (/** @type {number} */ order) => {
      open.delete(order);
      if (open.size === 0) {
        stop.abort();
        resolve();
      }
    };
    const { signal } = stop;
    const heard = ({ order = 0 }, /** @type {() => void} */ then) => {
      if (!open.has(order)) return;
      then();
      settle(order);
    };
    listen(
      "progress",
      ({ order, share }) => {
        if (!shares.has(order)) return;
        shares.set(order, share);
        onProgress([...shares.values()].reduce((sum, each) => sum + each, 0) / shares.size);
      },
      { signal },
    );
    listen("sent", ({ photo, answer }) => heard(photo, () => answers.push(answer)), { signal });
    listen("refused", ({ photo }) => heard(photo, () => toast(photo.refused, { kind: "bad" })), { signal });
    listen(
      "away",
      ({ message }) => {
        toast(message || t("The server does not answer; the photo is kept on this device and sent later."));
        [...open].forEach(settle);
      },
      { signal },
    );
  });
  sendWaiting();
  await settled;
  orders.forEach(release);
  return answers;
}

/**
 * Go on to what the answers are about: `target.next`, else the one tableau that was sent.
 * @param {Api.KeptPhoto[]} answers
 * @param {Target} target
 * @param {(address: string) => void} go
 */
export function goOn(answers, target, go = (address) => location.assign(address)) {
  const tableaus = new Set(answers.map((answer) => answer.tableau_id));
  if (target.next && tableaus.size) go(target.next);
  else if (tableaus.size === 1) go(`/tableaus/${encodeURIComponent([...tableaus][0])}`);
}

/**
 * @param {HTMLFormElement} form
 * @param {File[]} files
 */
async function bringTo(form, files) {
  const pictures = files.filter(isPicture);
  if (!pictures.length) {
    toast(t("This is not a picture. Choose a photo (JPEG, PNG, WebP, HEIC or AVIF)."), { kind: "bad" });
    return;
  }
  const bar = must(form, "[data-capture-progress]");
  const progress = must(bar, "progress", HTMLProgressElement);
  const status = must(form, "[data-capture-status]");
  progress.value = 0;
  bar.hidden = false;
  form.setAttribute("aria-busy", "true");
  status.textContent = t("Sending the photo");
  const target = targetOf(form);
  const answers = await bring(pictures, target, (share) => (progress.value = share));
  bar.hidden = true;
  form.removeAttribute("aria-busy");
  status.textContent = "";
  if (new Set(answers.map((answer) => answer.tableau_id)).size > 1 && !target.next) {
    listSent(status, answers);
  } else {
    goOn(answers, target);
  }
}

/**
 * Several quick looks at once: a link to each.
 * @param {HTMLElement} status
 * @param {Api.KeptPhoto[]} answers
 */
function listSent(status, answers) {
  const list = document.createElement("ul");
  list.className = "rows";
  for (const answer of answers) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.className = "button quiet";
    link.href = `/tableaus/${encodeURIComponent(answer.tableau_id)}`;
    link.textContent = t("Open %(name)s", { name: answer.shot.filename });
    item.append(link);
    list.append(item);
  }
  status.replaceChildren(list);
}

/**
 * The form that dropped or pasted files are for: the one beside which they fall, else it is asked for.
 * @param {EventTarget | null} place
 */
function formFor(place) {
  const offered = forms.filter((form) => !form.closest("[hidden]"));
  for (let part = place instanceof Element ? place : null; part; part = part.parentElement) {
    const around = part;
    const inside = offered.filter((form) => around.contains(form));
    if (inside.length === 1) return inside[0];
    if (inside.length > 1) break;
  }
  return offered.length === 1 ? offered[0] : askWhose(offered);
}

/**
 * @param {HTMLFormElement[]} offered
 * @returns {Promise<HTMLFormElement | null>}
 */
function askWhose(offered) {
  const dialog = document.createElement("dialog");
  dialog.className = "capture-whose";
  const title = document.createElement("h2");
  title.id = "capture-whose";
  title.textContent = t("Whose photo is this?");
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.append(title);
  const choices = document.createElement("div");
  choices.className = "stack";
  dialog.append(choices);
  return new Promise((resolve) => {
    /** @type {(text: string, form: HTMLFormElement | null, kind: string) => void} */
    const choose = (text, form, kind) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = `button ${kind}`;
      const words = document.createElement("span");
      words.className = "two-lines";
      words.textContent = text;
      button.append(words);
      button.addEventListener("click", () => {
        resolve(form);
        dialog.close();
      });
      choices.append(button);
    };
    offered.forEach((form) => choose(form.dataset.name ?? "", form, "big"));
    choose(t("Cancel"), null, "quiet");
    dialog.addEventListener("close", () => {
      resolve(null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function initForms() {
  const hasCamera = Boolean(navigator.mediaDevices?.getUserMedia);
  const state = byId("capture-state", HTMLTemplateElement).content;
  for (const form of forms) {
    form.append(state.cloneNode(true));
    const link = may(form, "[data-capture-live]");
    if (link) link.hidden = !hasCamera && !form.closest("[data-capture-page]");
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const input of all(form, "input[type=file]", HTMLInputElement)) {
      input.addEventListener("change", () => {
        const files = [...(input.files ?? [])];
        // The same photo can be chosen again.
        input.value = "";
        if (files.length) bringTo(form, files);
      });
    }
  }
}

/** @param {DragEvent} event */
const bringsFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

function initDrop() {
  // Wherever it falls: a page that the browser replaces by the photo would be a page lost.
  addEventListener("dragover", (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = forms.length ? "copy" : "none";
    document.body.classList.toggle("capture-dragging", forms.length > 0);
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("capture-dragging");
  });
  addEventListener("drop", async (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    document.body.classList.remove("capture-dragging");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!forms.length || !files.length) return;
    const form = await formFor(event.target);
    if (form) bringTo(form, files);
  });
}

function initPaste() {
  addEventListener("paste", async (event) => {
    const files = [...(event.clipboardData?.files ?? [])].filter((file) => file.type.startsWith("image/"));
    if (!forms.length || !files.length) return;
    event.preventDefault();
    const form = await formFor(document.activeElement);
    if (form) bringTo(form, files);
  });
}

function initServiceWorker() {
  // Only https and this very machine may have one.
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register("/sw.js", { scope: "/" }).catch(() => {
    // Without it the app works while the server answers.
  });
}

initForms();
initDrop();
initPaste();
initTray();
forgetRemoved().catch(() => {});
keepSending();
initServiceWorker();
