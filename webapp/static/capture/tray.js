// The tray: what waits to be sent, with pictures; send now, remove, bring back.
import { t, tn, toast } from "../app.js";
import { opened } from "../back.js";
import { byId, may } from "../elements.js";
import { all, isDurable, listen, remove, restore, sendAlone, sendWaiting } from "./queue.js";

/** @import { Waiting } from "./queue.js" */

/** Numbers of photos that a capture button is sending for the first time: they show on the button. */
/** @type {Set<number | undefined>} */
const shownElsewhere = new Set();

/**
 * Leave a photo out of the tray, until `release`.
 * @param {number} order
 */
export function hold(order) {
  shownElsewhere.add(order);
}

/**
 * Show a photo in the tray if it still waits.
 * @param {number} order
 */
export function release(order) {
  if (shownElsewhere.delete(order)) draw();
}

const box = byId("capture-tray");
/** Where no photos are taken it is a small sign in the header: nothing lies under it. */
const small =
  !document.querySelector("[data-capture-page], #round-end") &&
  document.querySelector(".site-header .brand") !== null;
if (small) {
  box.classList.add("small");
  may(document, ".site-header .brand")?.after(box);
}
let why = "";
/** @type {string[]} */
let pictures = [];

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function element(tag, className, text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/**
 * @param {string} text
 * @param {() => unknown} run
 * @param {string} [kind]
 */
function button(text, run, kind = "quiet") {
  const made = element("button", `button ${kind}`, text);
  made.type = "button";
  made.addEventListener("click", run);
  return made;
}

/** @param {Waiting} photo */
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

/** What no other address makes a photo of. */
const NO_PHOTO = ["not-an-image", "cut-off", "too-large", "too-small", "no-photo"];

/** @param {Waiting} photo */
function row(photo) {
  const item = element("li", "tray-row");
  const words = element("div", "tray-words");
  words.append(element("strong", "", photo.whose || photo.filename || t("Photo")));
  const time = new Date(photo.taken).toLocaleTimeString(document.documentElement.lang, {
    timeStyle: "short",
  });
  words.append(element("span", "tray-time", time));
  if (photo.refused) words.append(element("span", "error", photo.refused));
  item.append(picture(photo), words);
  const deeds = element("div", "row tray-deeds");
  if (photo.removed) {
    deeds.append(button(t("Bring back"), () => restore(photo)));
  } else {
    if (photo.refused && NO_PHOTO.includes(photo.code ?? ""))
      deeds.append(button(t("Take another"), () => takeAnother(photo), ""));
    else if (photo.refused && (photo.entry || photo.tableau))
      deeds.append(button(t("Send as a single photo, outside the game"), () => sendAlone(photo), ""));
    deeds.append(button(t("Remove"), () => takeOff([photo])));
  }
  item.append(deeds);
  return item;
}

/** @param {Waiting[]} photos */
async function takeOff(photos) {
  for (const photo of photos) await remove(photo);
  const back = async () => {
    for (const photo of photos) await restore(photo);
  };
  const words =
    photos.length === 1
      ? t("The photo was removed.")
      : t("%(count)s photos were removed.", { count: photos.length });
  toast(words, { undo: back });
}

/**
 * In place of one that is no photo: it goes to the bin, the camera is for the same cards.
 * @param {Waiting} photo
 */
async function takeAnother(photo) {
  await remove(photo);
  const whose = new URLSearchParams();
  if (photo.entry) whose.set("entry_id", photo.entry);
  if (photo.tableau) whose.set("tableau_id", photo.tableau);
  location.assign(`/capture?${whose}`);
}

/**
 * @param {Waiting[]} waiting
 * @param {Waiting[]} refused
 */
function headline(waiting, refused) {
  const told = [];
  if (waiting.length)
    told.push(
      tn("%(num)s photo is waiting to be sent", "%(num)s photos are waiting to be sent", waiting.length),
    );
  if (refused.length)
    told.push(tn("%(num)s photo was not accepted", "%(num)s photos were not accepted", refused.length));
  return told.length ? told.join(t("; ")) : t("Removed photos");
}

/**
 * Photos under one heading; before them what can be done about all of them.
 * @param {Waiting[]} photos
 * @param {string} heading
 * @param {HTMLElement[]} deeds
 */
function group(photos, heading, ...deeds) {
  if (!photos.length) return [];
  const list = element("ul", "rows tray-rows");
  list.append(...photos.map(row));
  const above = element("div", "row");
  above.append(...deeds);
  return [...(heading ? [element("h2", "tray-title", heading)] : []), ...(deeds.length ? [above] : []), list];
}

/** @type {(() => void) | null} */
let closed = null;

/** An open list lies over the page: Back closes it. */
function backCloses() {
  const isOpen = box.querySelector("details")?.open ?? false;
  if (isOpen === (closed !== null)) return;
  closed?.();
  const close = () => box.querySelector("details")?.removeAttribute("open");
  closed = isOpen ? opened(close) : null;
}

let drawing = Promise.resolve();
/** What the tray shows, and whether it waits for a finger to be lifted: a click ends on what it began on, or nowhere. */
let drawn = "";
let [pressed, due] = [false, false];

/** Bring the tray up to date. */
export function draw() {
  drawing = drawing.then(drawNow);
  return drawing;
}

async function drawNow() {
  const photos = (await all()).filter((photo) => !shownElsewhere.has(photo.order));
  const kept = photos.filter((photo) => !photo.removed);
  const refused = kept.filter((photo) => photo.refused);
  const waiting = kept.filter((photo) => !photo.refused);
  const bin = document.querySelector("[data-capture-page]") ? photos.filter((photo) => photo.removed) : [];
  const shown = [...waiting, ...refused, ...bin];
  const facts = shown.map((photo) => [
    photo.order,
    photo.refused,
    photo.code,
    photo.removed,
    photo.entry,
    photo.tableau,
  ]);
  const now = JSON.stringify([facts, why, isDurable()]);
  due = pressed && now !== drawn;
  if (due || now === drawn) return;
  drawn = now;
  pictures.forEach((url) => URL.revokeObjectURL(url));
  pictures = [];
  document.body.toggleAttribute("data-tray", shown.length > 0 && !small);
  box.hidden = shown.length === 0;
  const open = box.querySelector("details")?.open ?? false;
  const focused = box.contains(document.activeElement);
  box.replaceChildren();
  if (!shown.length) return backCloses();
  const details = element("details", waiting.length || !refused.length ? "tray" : "tray bad");
  details.open = open;
  details.addEventListener("toggle", backCloses);
  const summary = element("summary", "tray-summary");
  const words = element("span", small ? "visually-hidden" : "tray-headline", headline(waiting, refused));
  summary.append(picture(shown[0]), words);
  if (small) {
    const count = element("span", "tray-count", refused.length ? `! ${kept.length}` : String(kept.length));
    count.setAttribute("aria-hidden", "true");
    summary.append(count);
  }
  const whole = element("div", "tray-list");
  whole.append(
    ...(small ? [element("p", "tray-headline", headline(waiting, refused))] : []),
    ...group(
      waiting,
      "",
      button(t("Send now"), () => sendWaiting(), "primary"),
      element(
        "span",
        "tray-why",
        why ||
          (isDurable()
            ? t("Kept on this device and sent automatically when the server answers.")
            : t("This browser cannot store photos: leave this page open until they are sent.")),
      ),
    ),
    ...group(
      refused,
      waiting.length ? t("Not accepted") : "",
      ...(refused.length > 1
        ? [button(t("Remove all that were not accepted"), () => takeOff(refused), "")]
        : []),
    ),
    ...group(bin, kept.length ? t("Removed photos") : ""),
  );
  details.append(summary, whole);
  box.append(details);
  if (focused) summary.focus();
}

/** Show the tray and keep it true. */
export function initTray() {
  box.addEventListener("pointerdown", () => (pressed = true));
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => {
      pressed = false;
      // The click comes next.
      if (due) setTimeout(draw);
    });
  }
  listen("change", draw);
  listen("away", ({ message }) => {
    why = message;
    draw();
  });
  listen("sent", (detail) => {
    why = "";
    if (detail.elsewhere || shownElsewhere.has(detail.photo.order)) return;
    const open = () => location.assign(`/tableaus/${encodeURIComponent(detail.answer.tableau_id)}`);
    toast(t("The photo was sent."), { about: "capture-sent", action: { label: t("Open"), run: open } });
  });
  return draw();
}
