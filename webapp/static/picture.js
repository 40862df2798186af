// Pictures are drawn when they are asked for; a busy server is asked again.

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
 * Have the browser save the picture that a link leads to, once it is drawn.
 * @param {HTMLAnchorElement} link
 */
export async function savePicture(link) {
  if (link.getAttribute("aria-busy") === "true") return;
  const { href, download } = link;
  link.setAttribute("aria-busy", "true");
  try {
    await drawn(href, () =>
      toast(t("This takes a moment; it is saved as soon as it is ready."), { about: "picture" }),
    );
    Object.assign(document.createElement("a"), { href, download }).click();
  } catch (error) {
    tell(error, "picture");
  }
  link.removeAttribute("aria-busy");
}

document.addEventListener("click", (event) => {
  const link = closest(event, "a[data-picture]", HTMLAnchorElement);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  savePicture(link);
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
