// The sentences of the page's language. Scripts name a sentence by its English, as templates and code do; `make
// check-js` sees that all of its values are given.

/**
 * The names of a sentence's values: "a" | "b" of "%(a)s and %(b)s".
 * @template {string} Sentence
 * @typedef {Sentence extends `${string}%(${infer Name})s${infer Rest}` ? Name | Names<Rest> : never} Names
 */
/**
 * What is to be given with a sentence: its values, or nothing.
 * @template {string} Name
 * @typedef {[Name] extends [never] ? [] : [values: Record<Name, unknown>]} Values
 */

/**
 * A sentence in the page's language.
 * @template {string} const Sentence
 * @param {Sentence} english
 * @param {Values<Names<Sentence>>} values
 * @returns {string}
 */
export function t(english, ...[values]) {
  const text = globalThis.waymarkMessages?.sentences[english];
  return filled(typeof text === "string" ? text : english, values);
}

/**
 * A sentence that goes by a number, which is its value `num`.
 * @template {string} const One
 * @template {string} const Many
 * @param {One} one
 * @param {Many} many
 * @param {number} num
 * @param {Values<Exclude<Names<One> | Names<Many>, "num">>} values
 * @returns {string}
 */
export function tn(one, many, num, ...[values]) {
  const messages = globalThis.waymarkMessages;
  const forms = messages?.sentences[one];
  const text = messages && Array.isArray(forms) ? forms[messages.plural(num)] : num === 1 ? one : many;
  return filled(text, { num, ...values });
}

/**
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 */
function filled(text, values = {}) {
  return text.replace(/%(?:%|\((\w+)\)s)/g, (sign, name) => (name ? String(values[name] ?? "") : sign[0]));
}

/** @type {Record<string, string> | undefined} */
let names;

/**
 * What a thing of the page's game is called, such as a find, by its id: templates give these as `thing-names`.
 * @param {string} thing
 */
export function thingName(thing) {
  names ??= JSON.parse(document.getElementById("thing-names")?.textContent ?? "{}");
  return names?.[thing] ?? thing;
}
