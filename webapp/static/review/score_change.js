// What changes between two scores, in words.

import { t } from "../app.js";
import { changedFacts, namedScore } from "./scores.js";

/**
 * "Primary: 6 VP → 9 VP · Escape: escaped → not escaped"; "" where nothing does.
 * @param {Api.Score} before
 * @param {Api.Score} after
 * @returns {string}
 */
export function scoreChange(before, after) {
  const [was, now] = [namedScore(before), namedScore(after)];
  if (!was || !now)
    return changedFacts(before, after)
      .map((fact) => t("%(name)s: %(old)s → %(new)s", fact))
      .join(" · ");
  /** @type {string[]} */
  const told = [];
  /**
   * @param {string} name
   * @param {string | number} old
   * @param {string | number} then
   */
  const line = (name, old, then) =>
    old !== then && told.push(t("%(name)s: %(old)s → %(new)s", { name, old, new: then }));
  /** @param {number | null} points */
  const vp = (points) => (points === null ? "–" : t("%(vp)s VP", { vp: points }));
  /** @param {{ escaped: boolean }} score */
  const escaped = (score) => (score.escaped ? t("Escaped") : t("Not escaped"));
  line(t("Primary"), vp(was.primary_vp), vp(now.primary_vp));
  line(t("Secondary"), vp(was.secondary_vp), vp(now.secondary_vp));
  line(t("Coins"), was.coins, now.coins);
  line(t("Escape"), escaped(was), escaped(now));
  return told.join(" · ");
}
