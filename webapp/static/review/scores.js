// A score as the API has it: by Map Masters' names in its version 1, of other games as facts in words.

/**
 * A score by Map Masters' names; null for one of another game, which has `facts` alone.
 * @param {Api.Score} score
 */
export function namedScore(score) {
  const { primary_vp: primary = null, secondary_vp: secondary = null, coins, escaped, discovered } = score;
  if (coins === undefined || escaped === undefined || discovered === undefined) return null;
  return { primary_vp: primary, secondary_vp: secondary, coins, escaped, discovered };
}

/**
 * The facts that differ between two scores, with what each said before.
 * @param {Api.Score} before
 * @param {Api.Score} after
 */
export function changedFacts(before, after) {
  const was = new Map(before.facts.map(({ about, words }) => [about, words]));
  const now = new Map(after.facts.map(({ about, words }) => [about, words]));
  return [...new Set([...was.keys(), ...now.keys()])]
    .map((name) => ({ name, old: was.get(name) ?? "–", new: now.get(name) ?? "–" }))
    .filter((fact) => fact.old !== fact.new);
}
