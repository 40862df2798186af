// Small helpers for pages that are built in the browser: elements and icons, text never parsed as markup.

import { must } from "../elements.js";

/**
 * @typedef {Node | string | number | null | undefined} Child
 * @typedef {{ [Type in keyof HTMLElementEventMap as `on${Type}`]?: (event: HTMLElementEventMap[Type]) => unknown } &
 *   { [name: string]: unknown }} Attributes
 */

const ICONS = new URL("../icons.svg", import.meta.url).pathname;
const NS = "http://www.w3.org/2000/svg";

/**
 * An element; attributes that are null or false are left out, `on...` ones are listeners.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...shown(children));
  return element;
}

/**
 * Put children into an element in place of what is in it; null and undefined are left out.
 * @param {Element} element
 * @param {Child[]} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...shown(children));
}

/**
 * An icon of icons.svg, for beside a text.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
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

/**
 * Show another icon in an element that has one.
 * @param {Element} element
 * @param {string} name
 */
export function setIcon(element, name) {
  must(element, "use", SVGUseElement).setAttribute("href", `${ICONS}#${name}`);
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function shown(children) {
  return children.flatMap((child) =>
    child instanceof Node ? child : child === null || child === undefined ? [] : String(child),
  );
}
