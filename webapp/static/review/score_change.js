// What changes between two scores, in words.

import { t } from "../app.js";

/**
 * "Primary: 6 VP → 9 VP · Escape: escaped → not escaped"; "" where nothing does.
 * @param {Api.Score} before
 * @param {Api.Score} after
 * @returns {string}
 */
export function scoreChange(before, after) {
  /** @type {string[]} */
  const told = [];
  /**
   * @param {string} name
   * @param {string | number} old
   * @param {string | number} now
   */
  const line = (name, old, now) => old !== now && told.push(t("would_be", { name, old, new: now }));
  /** @param {number | null} points */
  const vp = (points) => (points === null ? "–" : t("vp", { vp: points }));
  /** @param {Api.Score} score */
  const escaped = (score) => t(score.escaped ? "escaped" : "not_escaped");
  line(t("primary"), vp(before.primary_vp), vp(after.primary_vp));
  line(t("secondary"), vp(before.secondary_vp), vp(after.secondary_vp));
  line(t("coins"), before.coins, after.coins);
  line(t("escape"), escaped(before), escaped(after));
  return told.join(" · ");
}
