// The tray: what waits to be sent, with pictures; send now, remove, bring back.
import { t, toast } from "../app.js";
import { all, isDurable, queue, remove, restore, sendWaiting } from "./queue.js";

/** Numbers of photos that a capture button is sending for the first time: they show on the button. */
const shownElsewhere = new Set();

/** Leave a photo out of the tray, until `release`. */
export function hold(order) {
  shownElsewhere.add(order);
}

/** Show a photo in the tray if it still waits. */
export function release(order) {
  if (shownElsewhere.delete(order)) draw();
}

const box = document.getElementById("capture-tray");
let why = "";
let pictures = [];

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function button(text, run, kind = "quiet") {
  const made = element("button", `button ${kind}`, text);
  made.type = "button";
  made.addEventListener("click", run);
  return made;
}

function picture(photo) {
  const url = URL.createObjectURL(new Blob([photo.bytes], { type: photo.type }));
  pictures.push(url);
  const image = element("img", "tray-picture");
  image.src = url;
  image.alt = "";
  image.width = image.height = 56;
  // A browser that cannot show HEIC can still send it.
  image.addEventListener("error", () => image.classList.add("unseen"), { once: true });
  return image;
}

function row(photo) {
  const item = element("li", "tray-row");
  const words = element("div", "tray-words");
  words.append(element("strong", "", photo.whose || photo.filename || t("capture-photo")));
  const time = new Date(photo.taken).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  words.append(element("span", "tray-time", time));
  if (photo.refused) words.append(element("span", "error", photo.refused));
  item.append(picture(photo), words);
  const deeds = element("div", "row tray-deeds");
  if (photo.removed) {
    deeds.append(button(t("capture-restore"), () => restore(photo)));
  } else {
    if (photo.refused) {
      deeds.append(button(t("capture-again"), () => restore(photo)));
      if (photo.entry || photo.tableau) {
        const alone = { entry: "", tableau: "", whose: "" };
        deeds.append(button(t("capture-alone"), () => restore(photo, alone)));
      }
    }
    deeds.append(button(t("capture-remove"), () => takeOff(photo)));
  }
  item.append(deeds);
  return item;
}

async function takeOff(photo) {
  await remove(photo);
  toast(t("capture-removed"), { action: { label: t("capture-undo"), run: () => restore(photo) } });
}

function headline(waiting) {
  if (!waiting.length) return t("capture-removed-ones");
  const refused = waiting.filter((photo) => photo.refused).length;
  if (refused === waiting.length) {
    return refused === 1 ? t("capture-one-refused") : t("capture-many-refused", { count: refused });
  }
  return waiting.length === 1 ? t("capture-one-waits") : t("capture-many-wait", { count: waiting.length });
}

let drawing = Promise.resolve();

/** Bring the tray up to date. */
export function draw() {
  drawing = drawing.then(drawNow);
  return drawing;
}

async function drawNow() {
  const photos = (await all()).filter((photo) => !shownElsewhere.has(photo.order));
  const waiting = photos.filter((photo) => !photo.removed);
  const bin = document.querySelector("[data-capture-page]") ? photos.filter((photo) => photo.removed) : [];
  pictures.forEach((url) => URL.revokeObjectURL(url));
  pictures = [];
  const shown = [...waiting, ...bin];
  document.body.toggleAttribute("data-tray", shown.length > 0);
  box.hidden = shown.length === 0;
  const open = box.querySelector("details")?.open ?? false;
  const focused = box.contains(document.activeElement);
  box.replaceChildren();
  if (!shown.length) return;
  const details = element("details", "tray");
  details.open = open;
  const summary = element("summary", "tray-summary");
  summary.append(picture(shown[0]), element("span", "tray-headline", headline(waiting)));
  details.append(summary);
  const list = element("ul", "rows tray-rows");
  list.append(...shown.map(row));
  const foot = element("div", "row");
  if (waiting.some((photo) => !photo.refused)) {
    foot.append(button(t("capture-send-now"), () => sendWaiting(), "primary"));
  }
  foot.append(element("span", "tray-why", why || (isDurable() ? t("capture-safe") : t("capture-keep-open"))));
  details.append(list, foot);
  box.append(details);
  if (focused) summary.focus();
}

/** Show the tray and keep it true. */
export function initTray() {
  queue.addEventListener("change", draw);
  queue.addEventListener("away", (event) => {
    why = event.detail.message;
    draw();
  });
  queue.addEventListener("sent", ({ detail }) => {
    why = "";
    if (detail.elsewhere || shownElsewhere.has(detail.photo.order)) return;
    const open = () => location.assign(`/tableaus/${encodeURIComponent(detail.answer.tableau_id)}`);
    toast(t("capture-sent"), { action: { label: t("capture-open"), run: open } });
  });
  return draw();
}
