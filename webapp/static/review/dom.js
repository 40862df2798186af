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
  const use = shape("use", { href: `${ICONS}#${name}` });
  return shape("svg", { class: "icon", "aria-hidden": "true", focusable: "false" }, use);
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
 * An SVG element; attributes that are null are left out.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function shape(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * @param {number[][]} points
 * @returns {string}
 */
export function pathOf(points) {
  return points.length ? `M${points.map(([x, y]) => `${+x.toFixed(1)} ${+y.toFixed(1)}`).join("L")}` : "";
}

/**
 * A circle about a point.
 * @param {readonly number[]} at
 * @param {number} r
 * @param {string} name its class
 * @param {number} [width] of its line
 */
export function circle([x, y], r, name, width) {
  return shape("circle", { cx: x, cy: y, r, class: name, "stroke-width": width });
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
