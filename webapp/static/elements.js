// Looking up what a page has. What it must have and has not is an error that says so.

/**
 * The first element within `root` that a selector finds, of the class `kind`; null where there is none.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} [kind]
 * @returns {T | null}
 */
export function may(root, selector, kind) {
  return ofKind(root.querySelector(selector), kind);
}

/**
 * The first element within `root` that a selector finds, of the class `kind`.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function must(root, selector, kind) {
  return there(may(root, selector, kind), selector);
}

/**
 * All elements within `root` that a selector finds, of the class `kind`.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} [kind]
 * @returns {T[]}
 */
export function all(root, selector, kind) {
  return [...root.querySelectorAll(selector)].flatMap((element) => ofKind(element, kind) ?? []);
}

/**
 * The page's element of this id, of the class `kind`.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function byId(id, kind) {
  return there(ofKind(document.getElementById(id), kind), `#${id}`);
}

/**
 * What an event is about: the nearest element around its target that a selector finds, of the class `kind`.
 * @template {Element} [T=HTMLElement]
 * @param {{ target: EventTarget | null }} event
 * @param {string} selector
 * @param {new () => T} [kind]
 * @returns {T | null}
 */
export function closest({ target }, selector, kind) {
  return ofKind(target instanceof Element ? target.closest(selector) : null, kind);
}

/**
 * A form's control of this name; of several (radio buttons) their RadioNodeList.
 * @template {object} [T=HTMLInputElement]
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function field(form, name, kind) {
  const expected = kind ?? /** @type {new () => any} */ (HTMLInputElement);
  const found = form.elements.namedItem(name);
  return there(/** @type {T | null} */ (found instanceof expected ? found : null), `field ${name}`);
}

/**
 * What the focused element has under `data-...`, to find it again when its surroundings are drawn anew.
 * @param {string} name
 * @returns {string | undefined}
 */
export function focusedData(name) {
  const focused = document.activeElement;
  return focused instanceof HTMLElement ? focused.dataset[name] : undefined;
}

/**
 * @template {Element} T
 * @param {Element | null} element
 * @param {new () => T} [kind]
 * @returns {T | null}
 */
function ofKind(element, kind) {
  const expected = kind ?? /** @type {new () => any} */ (HTMLElement);
  return /** @type {T | null} */ (element instanceof expected ? element : null);
}

/**
 * What is there; an error where it is not.
 * @template T
 * @param {T | null | undefined} found
 * @param {string} what
 * @returns {T}
 */
export function there(found, what) {
  if (found === null || found === undefined) throw new Error(`The page has no ${what}`);
  return found;
}
