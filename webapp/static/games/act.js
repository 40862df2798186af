// What pages of a game do with the API: done, shown anew, and offered to be taken back.
import { api, ApiError, tell, toast } from "../app.js";
import { asked } from "./finished.js";
import { refresh } from "./live.js";

/**
 * Do something with the API, show the game anew, and offer to take it back: one notice at a time `about` the same
 * thing. Where another device was first, the game is shown as that left it.
 * @template T
 * @param {() => Promise<T>} run
 * @param {string} [message]
 * @param {(() => Promise<unknown>) | null} [undo]
 * @param {string} [about]
 * @returns {Promise<T | null>}
 */
export async function act(run, message = "", undo = null, about = "") {
  try {
    const answer = await asked(run);
    await refresh();
    if (message) toast(message, { about, undo: undo && (() => act(undo)) });
    return answer;
  } catch (error) {
    tell(error);
    if (error instanceof ApiError) await refresh();
    return null;
  }
}

/**
 * So much of a name that what follows it is seen.
 * @param {string} name
 */
export function short(name) {
  const letters = [...name];
  return letters.length > 20 ? `${letters.slice(0, 19).join("")}…` : name;
}

/**
 * Put a game into the bin, and go to the start page, where that can be undone.
 * @param {string} game
 */
export async function removeGame(game) {
  try {
    await api("DELETE", `/games/${game}`);
    location.assign(`/?deleted=${encodeURIComponent(game)}`);
  } catch (error) {
    tell(error);
  }
}
