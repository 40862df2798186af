// What every page's modules share: requests to the API, strings, short notices.

import "./back.js";
import "./late_pictures.js";
import "./validity.js";
import { t, thingName, tn } from "./messages.js";
import { messageOf, sayIn, tell, toast } from "./notices.js";

export { messageOf, sayIn, t, tell, thingName, tn, toast };

/** An answer of the API that is no success: `code`, `message` (one sentence for people), `status`. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Call the API. `body` is sent as JSON (a FormData as it is); the decoded answer is given back.
 * Throws ApiError for an error answer and TypeError where the server cannot be reached.
 * @template {Api.Method} M
 * @template {string} const Address
 * @param {M} method
 * @param {Api.Known<Address>} path
 * @param {Api.Body<M, Address>} [body]
 * @returns {Promise<Api.Answer<M, Address>>}
 */
export async function api(method, path, body) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  const form = body instanceof FormData;
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api/v1${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : form ? body : JSON.stringify(body),
    credentials: "same-origin",
  }).catch(() => {
    throw away();
  });
  if (answer.status === 204) return /** @type {Api.Answer<M, Address>} */ (null);
  const kind = answer.headers.get("Content-Type") ?? "";
  const value = kind.includes("json") ? await answer.json() : await answer.text();
  if (!answer.ok) {
    const error = value?.error ?? { code: "internal", message: String(answer.status) };
    throw new ApiError(answer.status, error.code, error.message);
  }
  return value;
}

/**
 * A page of this server, to take parts from. Throws TypeError where there is none.
 * @param {string} address
 */
export async function fetchPage(address) {
  const answer = await fetch(address, { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok) throw away();
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** What is told where the server does not answer. */
export const away = () => new TypeError(t("The server cannot be reached; try again in a moment."));

/** A key for one thing to be sent: sent twice under it, it is written once. */
export function newKey() {
  // randomUUID is for https alone; this is for every table.
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
