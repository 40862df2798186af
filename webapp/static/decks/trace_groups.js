// Guesses of one sort that are asked about together: what is wrong is tapped, the rest is right in one tap.

import { t } from "../app.js";
import { idOf, thingsOf } from "./trace_draw.js";

/**
 * @import { Thing } from "./trace_draw.js"
 * @typedef {"corridors" | "openings"} GroupName
 */

/** @type {Record<GroupName, { asked: string, right: string }>} */
export const GROUPS = {
  corridors: {
    asked: t("Are these the corridors? Tap one that is not there to erase it."),
    right: t("All corridors are right"),
  },
  openings: {
    asked: t("Are these the openings and doors? Tap one that is not there to erase it."),
    right: t("All openings are right"),
  },
};

/**
 * The group in which a thing is asked about; forks and dead ends come with their corridors.
 * @param {Thing} thing
 * @returns {GroupName | null}
 */
export function groupOf(thing) {
  if (thing.sort === "edge") return thing.edge.kind === "corridor" ? "corridors" : null;
  if (thing.sort !== "node") return null;
  const { kind } = thing.node;
  if (kind === "junction" || kind === "end") return "corridors";
  return kind === "opening" || kind === "door" ? "openings" : null;
}

/**
 * Whether a tap erases a thing while its group is asked about.
 * @param {Thing} thing
 * @param {GroupName} group
 */
export function isTapped(thing, group) {
  return groupOf(thing) === group && (thing.sort === "edge" || group === "openings");
}

/**
 * The guesses of a tracing that must be looked at.
 * @param {Api.TracingView} tracing
 */
function unclearIn(tracing) {
  const things = new Map(thingsOf(tracing).map((thing) => [idOf(thing), thing]));
  return tracing.doubts.flatMap((id) => things.get(id) ?? []);
}

/**
 * What is asked about a tracing: groups of guesses, and those that are asked about one by one.
 * @param {Api.TracingView} tracing
 */
export function questionsOf(tracing) {
  const unclear = unclearIn(tracing);
  const names = /** @type {GroupName[]} */ (Object.keys(GROUPS));
  const groups = names.filter((name) => unclear.filter((thing) => groupOf(thing) === name).length > 1);
  const single = unclear.filter((thing) => groups.every((name) => name !== groupOf(thing)));
  return { groups, single };
}

/**
 * The edit that says that all unclear guesses of a group are right; null where none is left.
 * @param {Api.TracingView} tracing
 * @param {GroupName} group
 */
export function confirmation(tracing, group) {
  const members = unclearIn(tracing).filter((thing) => groupOf(thing) === group);
  if (!members.length) return null;
  const places = members.filter(({ sort }) => sort !== "edge").map(idOf);
  const edges = members.flatMap((thing) => (thing.sort === "edge" ? [thing.edge.number] : []));
  return { kind: "confirm", places, edges };
}
