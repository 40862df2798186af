// Pictures are drawn when they are asked for; a busy server is asked again. They are shared where the device can,
// else downloaded.

import { t, tell, toast } from "./app.js";
import { closest } from "./elements.js";

const TRIES = 15;
const RETRY_SECONDS = 2;

/**
 * Wait until the picture at an address is drawn; `onBusy()` is called once where that takes its time. Throws an error
 * with the server's sentence where there is no picture.
 * @param {string} address
 * @param {() => void} [onBusy]
 */
export async function drawn(address, onBusy = () => {}) {
  for (let tries = 1; ; tries += 1) {
    const answer = await asked(address, "HEAD");
    if (answer.ok) return;
    if (answer.status !== 503 || tries === TRIES) throw new Error(await sentence(address));
    if (tries === 1) onBusy();
    const seconds = Number(answer.headers.get("Retry-After")) || RETRY_SECONDS;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

/**
 * Have the browser save the picture that a link leads to, once it is drawn; tells whether it was.
 * @param {HTMLAnchorElement} link
 */
async function savePicture(link) {
  if (link.getAttribute("aria-busy") === "true") return false;
  const { href, download } = link;
  let saved = false;
  link.setAttribute("aria-busy", "true");
  try {
    await drawn(href, () =>
      toast(t("This takes a moment; it is saved as soon as it is ready."), { about: "picture" }),
    );
    Object.assign(document.createElement("a"), { href, download }).click();
    saved = true;
  } catch (error) {
    tell(error, "picture");
  }
  link.removeAttribute("aria-busy");
  return saved;
}

/** @type {Map<string, File>} pictures that were fetched for sharing, by address */
const fetched = new Map();

/** Whether this device shares files (over https only). */
function sharesFiles() {
  const probe = new File([new Blob()], "waymark.jpg", { type: "image/jpeg" });
  return Boolean(navigator.canShare?.({ files: [probe] }));
}

/**
 * Open the device's share sheet with the picture that a link leads to; download it where there is none, and where
 * sharing fails. Browsers allow a share only shortly after a tap: a picture that took longer is kept for the next tap.
 * @param {HTMLAnchorElement} link
 */
async function sharePicture(link) {
  if (!sharesFiles()) {
    await savePicture(link);
    return;
  }
  if (link.getAttribute("aria-busy") === "true") return;
  link.setAttribute("aria-busy", "true");
  let failure = "";
  try {
    const file = fetched.get(link.href) ?? (await pictureFile(link));
    // The next tap shares what is ready, later ones what the ruling is then.
    if (!fetched.delete(link.href)) fetched.set(link.href, file);
    await navigator.share({ files: [file], title: link.dataset.title ?? "Waymark" });
  } catch (error) {
    failure = error instanceof Error ? error.name : "Error";
  }
  link.removeAttribute("aria-busy");
  if (failure !== "NotAllowedError") fetched.delete(link.href);
  if (failure === "NotAllowedError") toast(t("The picture is ready; tap again to share it."));
  else if (failure && failure !== "AbortError" && (await savePicture(link)))
    toast(t("Sharing did not work; the picture was downloaded instead."));
}

/** @param {HTMLAnchorElement} link */
async function pictureFile({ href, download }) {
  await drawn(href, () =>
    toast(t("This takes a moment; the share sheet opens when it is ready."), { about: "picture" }),
  );
  const answer = await asked(href, "GET");
  const type = answer.headers.get("Content-Type") ?? "image/jpeg";
  return new File([await answer.blob()], download, { type });
}

document.addEventListener("click", (event) => {
  const link = closest(event, "a[data-picture]", HTMLAnchorElement);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.dataset.picture === "share") sharePicture(link);
  else savePicture(link);
});

/**
 * @param {string} address
 * @param {string} method
 */
function asked(address, method) {
  return fetch(address, { method, credentials: "same-origin" }).catch(() => {
    throw new Error(t("The server cannot be reached; try again in a moment."));
  });
}

/**
 * What the page of an error says.
 * @param {string} address
 * @returns {Promise<string>}
 */
async function sentence(address) {
  const answer = await asked(address, "GET");
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("[data-error-code]")?.textContent ?? String(answer.status);
}
