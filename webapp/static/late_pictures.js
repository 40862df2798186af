// A copy of a photo that is still being made when it is asked for is asked for again.

const FIRST_MS = 1500;
const TRIES = 5;

/** @type {Map<string, number>} how often each was asked for again */
const tried = new Map();

/**
 * The picture did not come: ask for it again, each time after twice as long. Only copies of photos take their time.
 * @param {HTMLImageElement | SVGImageElement} picture
 */
export function askAgain(picture) {
  const name = picture instanceof SVGImageElement ? "href" : "src";
  const address = picture.getAttribute(name) ?? "";
  const tries = tried.get(address) ?? 0;
  if (!new URL(address, location.href).pathname.startsWith("/photos/") || tries >= TRIES) return;
  tried.set(address, tries + 1);
  setTimeout(
    () => {
      if (picture.getAttribute(name) === address) picture.setAttribute(name, address);
    },
    FIRST_MS * 2 ** tries,
  );
}

document.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLImageElement || target instanceof SVGImageElement) askAgain(target);
  },
  true,
);
