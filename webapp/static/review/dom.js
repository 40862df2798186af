// Small helpers for pages that are built in the browser: elements and icons, text never parsed as markup.

const ICONS = new URL("../icons.svg", import.meta.url).pathname;
const NS = "http://www.w3.org/2000/svg";

/** An element; attributes that are null or false are left out, `on...` ones are listeners. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Put children into an element in place of what is in it; null and undefined are left out. */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

/** An icon of icons.svg, for beside a text. */
export function icon(name) {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const use = document.createElementNS(NS, "use");
  use.setAttribute("href", `${ICONS}#${name}`);
  svg.append(use);
  return svg;
}

/** Show another icon in an element that has one. */
export function setIcon(element, name) {
  element.querySelector("use").setAttribute("href", `${ICONS}#${name}`);
}
