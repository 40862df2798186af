// What changes between two scores, in words.

import { t } from "../app.js";

/** "Primary: 6 VP → 9 VP · Escape: escaped → not escaped"; "" where nothing does. */
export function scoreChange(before, after) {
  const told = [];
  const line = (name, old, now) => old !== now && told.push(t("would_be", { name, old, new: now }));
  const vp = (points) => (points === null ? "–" : t("vp", { vp: points }));
  const escaped = (score) => t(score.escaped ? "escaped" : "not_escaped");
  line(t("primary"), vp(before.primary_vp), vp(after.primary_vp));
  line(t("secondary"), vp(before.secondary_vp), vp(after.secondary_vp));
  line(t("coins"), before.coins, after.coins);
  line(t("escape"), escaped(before), escaped(after));
  return told.join(" · ");
}
