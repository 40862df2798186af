"""Link evidence: how surely the pen ran along each link of the dungeon.

A link's corridor is straightened to a strip (station along the centre line by offset across it). The
likeliest line through the strip is found by dynamic programming (Viterbi), free to wander and to cut corners;
its stations then speak for or against a walk along the link. Near a junction and near a find they say less:
lines cut corners there, and rings and strikes are drawn there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, Link, Place
from vision import tuning
from vision.drawing_style import DrawingStyle, style_of
from vision.ghosts import freshness, weighed
from vision.ink import PX_PER_MM, InkMap
from vision.median import median

Array = NDArray[np.float64]

STATION_MM = 0.5
_OFFSET_STEP_MM = 0.25
#: A second line's middle lies at least this far (mm) outside the first line's rim.
_BESIDE_MM = 0.5
#: Start dots and arrowheads keep to this distance from the outer edge.
_FLOURISH_MM = 6.0
#: So far from what hides a line (mm) its film is as it was drawn.
_RIM_MM = 1.0
#: So many strips are looked along at a time: those of forty cards would take 200 MB together.
_AT_A_TIME = 160
#: The first line's width where nothing tells it (mm).
_USUAL_WIDTH_MM = 1.6


@dataclass(frozen=True)
class LinkEvidence:
    """What the ink says about one link. Scores are log-likelihood ratios (nats) of a line along it against
    none.

    `score`     one line; `second` a further line beside it, `third` one beside both
    `coverage`  share of the visible core that is inked; `seen` share of the core that is visible
    `line_mm`   (N, 2) table mm, the likeliest line from the link's `a` to its `b`
    `width_mm`  of the line, away from the link's ends, and `wider_mm` by how much that is more than the
    drawing's usual
                width; NaN where it cannot be told
    `broad_mm`  by how much the ink is at least wider than a usual line, wherever it is seen to end
    `fresh`     how surely the line is of this round and not the remains of an old one (`vision.ghosts`);
    scores know of it
    `from_a_mm`, `from_b_mm`  how far an unbroken line reaches into the link from either end
    `circled`   whether it leads to a find, or a room with one, that is circled; `covered`: which share of it
    more than the rings hides, where no line plainly comes to that find
    """

    score: float
    second: float
    coverage: float
    seen: float
    line_mm: Array
    length_mm: float
    from_a_mm: float = 0.0
    from_b_mm: float = 0.0
    width_mm: float = float("nan")
    wider_mm: float = float("nan")
    broad_mm: float = float("nan")
    third: float = -np.inf
    fresh: float = 1.0
    circled: bool = False
    covered: float = 0.0


def measure_links(ink: InkMap, dungeon: Dungeon) -> tuple[LinkEvidence, ...]:
    """Evidence for every link of `dungeon.links`, in that order."""
    style = style_of(dungeon.catalogue)
    lines = [_strip_line(dungeon, link, style) for link in dungeon.links]
    strips = [(i, line) for i, line in enumerate(lines) if line is not None]
    strips.sort(key=lambda strip: -len(strip[1]))
    results: list[LinkEvidence] = [
        LinkEvidence(0.0, -np.inf, 0.0, 0.0, np.asarray(link.line_mm, float), 0.0) for link in dungeon.links
    ]
    if not strips:
        return tuple(results)
    most = round(style.reach_mm / _OFFSET_STEP_MM)
    offsets: Array = _OFFSET_STEP_MM * np.arange(-most, most + 1, dtype=np.float64)
    # alike long ones together: what is beyond a strip's end takes as much as what is in it
    parts = [strips[first : first + _AT_A_TIME] for first in range(0, len(strips), _AT_A_TIME)]
    looked = [_look_along(ink, dungeon, part, offsets, style) for part in parts]
    reach = _pen_width(np.concatenate([each.widths.ravel() for each in looked])) / 2 + _BESIDE_MM
    for part, seen in zip(parts, looked, strict=True):
        lines_say, films = _lines_along(ink, seen, offsets, reach)
        clear = _clear_of_hidden(seen.seen, seen.lengths)
        for row, (i, line) in enumerate(part):
            n = len(line)
            link = dungeon.links[i]
            weight = _weights(n, dungeon.places[link.a], dungeon.places[link.b], link, style)
            results[i] = _summary(
                link,
                lines_say[:, row, :n],
                seen.seen[row, :n],
                clear[row, :n],
                weight,
                seen.line_mm[row, :n],
                tuple(film[row, :n] for film in films),
                ink.line_film,
                1 if ink.known is None else round(tuning.KNOWN_TOLD_MM / STATION_MM),
                seen.widths[row, :n],
                seen.runs[row, :n],
                _clear_of_ends(n, link.a in dungeon.open_openings, link.b in dungeon.open_openings),
            )
    drawn = [r.width_mm for r in results if r.score > tuning.SURELY_DRAWN and np.isfinite(r.width_mm)]
    usual = float(np.median(drawn)) if drawn else float("nan")
    results = [replace(r, wider_mm=r.width_mm - usual, broad_mm=r.broad_mm - usual) for r in results]
    return tuple(map(_unless_scribbled, dungeon.links, results))


def with_circles(
    evidence: Sequence[LinkEvidence], ink: InkMap, dungeon: Dungeon, circled: Collection[str]
) -> tuple[LinkEvidence, ...]:
    """The evidence with what leads to circled finds, by their places; `ink` has the rings on it."""
    told = {name for place in circled for name in (place, dungeon.places[place].room)}
    # where a line plainly comes to the find, its circle tells no more
    reached = {
        name
        for link, seen in zip(dungeon.links, evidence, strict=True)
        if seen.score > tuning.SURELY_DRAWN
        for name in (link.a, link.b)
    }
    visible = ink.visible.view(np.uint8)

    def led(link: Link, seen: LinkEvidence) -> LinkEvidence:
        if told.isdisjoint((link.a, link.b)):
            return seen
        covered = 0.0
        if seen.length_mm > 0 and seen.seen < 1 and not told.isdisjoint({link.a, link.b} - reached):
            at = ink.to_px(seen.line_mm).astype(np.float32)
            covered = 1 - float(cv2.remap(visible, at[:, None], None, cv2.INTER_NEAREST).mean())
        return replace(seen, circled=True, covered=covered)

    return tuple(map(led, dungeon.links, evidence))


@dataclass(frozen=True)
class _Looked:
    """R strips of N stations and K offsets across them: `evidence` (R, N, K), where that is on the map
    (`x_px`, `y_px`), and `lengths` (R,) of the strips; `first` (R, N) the likeliest line by its offsets,
    `widths` (R, N) mm of the ink there and `runs` (R, N) how much of it the strip shows, `seen` (R, N)
    whether it would show, and `line_mm` (R, N, 2) the line on the table."""

    evidence: NDArray[np.float32]
    x_px: NDArray[np.float32]
    y_px: NDArray[np.float32]
    lengths: tuple[int, ...]
    first: NDArray[np.intp]
    widths: NDArray[np.float32]
    runs: NDArray[np.float32]
    seen: NDArray[np.bool_]
    line_mm: Array


def _look_along(
    ink: InkMap, dungeon: Dungeon, strips: Sequence[tuple[int, Array]], offsets: Array, style: DrawingStyle
) -> _Looked:
    """What the ink map shows along links: each by its number, with the stations (N, 2) of its strip, the
    longest first; `offsets` (K,) mm are looked at across them."""
    lengths = tuple(len(line) for _, line in strips)
    longest = lengths[0]
    centre = np.zeros((len(strips), longest, 2))
    normal = np.zeros_like(centre)
    for row, (_, line) in enumerate(strips):
        centre[row, : len(line)] = line
        centre[row, len(line) :] = line[-1]
        normal[row, : len(line)] = _normals(line)
    spread = np.ones((len(strips), longest, 1))
    for row, (i, _) in enumerate(strips):
        if dungeon.links[i].kind == "room":
            # behind a door the line fans out
            spread[row, :, 0] = np.clip(0.4 + np.arange(longest) * STATION_MM / style.reach_mm, 0.4, 1.5)
    across = (offsets * spread * PX_PER_MM).astype(np.float32)
    middle, way = ink.to_px(centre).astype(np.float32), normal.astype(np.float32)
    x, y = (middle[..., axis, None] + way[..., axis, None] * across for axis in (0, 1))
    flat = x.reshape(len(strips), -1), y.reshape(len(strips), -1)
    evidence = cv2.remap(ink.evidence, *flat, cv2.INTER_LINEAR).reshape(x.shape)
    visible = cv2.remap(ink.visible.view(np.uint8), *flat, cv2.INTER_NEAREST).reshape(x.shape) > 0
    evidence = _under_rooms(ink, dungeon, [dungeon.links[i] for i, _ in strips], (x, y), evidence)
    aside = tuning.ASIDE_COST * np.maximum(np.abs(offsets) - tuning.ASIDE_SHARE * style.reach_mm, 0)
    first = _likeliest(evidence - aside.astype(np.float32), lengths)
    rows, stations = np.ogrid[: len(strips), :longest]
    return _Looked(
        evidence,
        x,
        y,
        lengths,
        first,
        *_line_widths(evidence, first),
        visible[rows, stations, first] | (np.mean(visible, axis=2) > 0.7),
        centre + normal * (offsets[first] * spread[..., 0])[..., None],
    )


def _lines_along(
    ink: InkMap, looked: _Looked, offsets: Array, reach_mm: float
) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
    """What the stations of R strips say (3, R, N) for their likeliest lines, for second ones beside them,
    farther off than `reach_mm`, and for third ones; and the films of the first two, (R, N)."""
    rows, stations = np.ogrid[: looked.first.shape[0], : looked.first.shape[1]]
    masked = looked.evidence.copy()
    masked[_near(offsets, looked.first, reach_mm)] = -EVIDENCE_BESIDE
    second = _likeliest(masked, looked.lengths)
    said = [looked.evidence[rows, stations, looked.first], masked[rows, stations, second]]
    masked[_near(offsets, second, reach_mm)] = -EVIDENCE_BESIDE
    third = _likeliest(masked, looked.lengths)
    said.append(masked[rows, stations, third])
    films = [
        _films(ink, looked.x_px[rows, stations, at], looked.y_px[rows, stations, at])
        for at in (looked.first, second)
    ]
    return np.stack(said), films


def _near(offsets: Array, line: NDArray[np.intp], reach_mm: float) -> NDArray[np.bool_]:
    """(R, N, K) which offsets lie nearer to a line (R, N) than that."""
    near: NDArray[np.bool_] = np.abs(offsets[None, :] - offsets[:, None]) < reach_mm
    return near[line]


def _unless_scribbled(link: Link, seen: LinkEvidence) -> LinkEvidence:
    """What speaks for a corridor that was scribbled over: ink much wider than a line, and more of it than two
    lines make, is a way taken back."""
    scribbled = seen.broad_mm > tuning.SCRIBBLED_MM and seen.third > -tuning.SCRIBBLED_THIRD
    if link.kind not in ("corridor", "stairs") or not scribbled:
        return seen
    back = -tuning.SCRIBBLED_COST
    return replace(seen, score=min(seen.score, back), second=min(seen.second, back))


def _under_rooms(
    ink: InkMap,
    dungeon: Dungeon,
    links: Sequence[Link],
    at_px: tuple[NDArray[np.float32], NDArray[np.float32]],
    evidence: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Evidence (R, N, K) of strips whose map pixels (x and y, R, N, K) lie under rooms of another level,
    discounted."""
    rooms = [place for place in dungeon.places.values() if place.kind == "room"]
    evidence = evidence.copy()
    for row, link in enumerate(links):
        if link.kind != "corridor" or link.level != "underground":
            continue
        card = dungeon.places[link.a].card_index
        for room in rooms:
            if room.card_index != card or room.level == link.level:
                continue
            outline = ink.to_px(np.asarray(room.outline_mm))
            (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
            x, y = at_px[0][row], at_px[1][row]
            inside = (x > left) & (x < right) & (y > top) & (y < bottom)
            evidence[row][inside & (evidence[row] > 0)] *= tuning.UNDER_ROOM
    return evidence


#: Stations of a second line within the first one's width are no evidence for it.
EVIDENCE_BESIDE = 4.0


def _strip_line(dungeon: Dungeon, link: Link, style: DrawingStyle) -> Array | None:
    """(N, 2) stations of the strip to look along, or None where a link has no length of its own."""
    if link.kind == "room":
        a, b = dungeon.places[link.a], dungeon.places[link.b]
        door, room = (a, b) if a.kind == "door" else (b, a)
        if door.kind != "door" or room.kind != "room":
            return None
        inward = _inward(door, room)
        at = np.asarray(door.at_mm)
        depth_mm = tuning.BEHIND_DOOR * style.corridor_mm
        return np.asarray(at + inward * np.arange(0.0, depth_mm + 1e-6, STATION_MM)[:, None])
    if link.kind == "fall":
        return None
    line = np.asarray(link.line_mm, float)
    legs = np.linalg.norm(np.diff(line, axis=0), axis=1)
    if float(legs.sum()) < 2.0:
        return None
    arc = np.concatenate([[0.0], np.cumsum(legs)])
    count = max(3, round(arc[-1] / STATION_MM) + 1)
    at = np.linspace(0, arc[-1], count)
    dense = np.column_stack([np.interp(at, arc, line[:, 0]), np.interp(at, arc, line[:, 1])])
    # corners are rounded so that the strip does not fold over itself
    kernel = np.array([1, 2, 3, 2, 1], float) / 9
    padded = np.vstack([2 * dense[0] - dense[2:0:-1], dense, 2 * dense[-1] - dense[-2:-4:-1]])
    for axis in range(2):
        dense[:, axis] = np.convolve(padded[:, axis], kernel, mode="valid")
    return np.asarray(dense)


def _inward(door: Place, room: Place) -> Array:
    """Unit vector (2,) from a door into its room, square to the wall that the door stands in."""
    at = np.asarray(door.at_mm)
    corners = np.asarray(room.outline_mm)
    start, end = corners, np.roll(corners, -1, axis=0)
    along = end - start
    length2 = np.maximum((along**2).sum(axis=1), 1e-9)
    t = np.clip(((at - start) * along).sum(axis=1) / length2, 0, 1)
    wall = int(np.linalg.norm(start + t[:, None] * along - at, axis=1).argmin())
    across = np.array([-along[wall, 1], along[wall, 0]]) / np.sqrt(length2[wall])
    middle = np.asarray(room.at_mm) - at
    inside = cv2.pointPolygonTest(
        corners.astype(np.float32), tuple(float(v) for v in at + 0.5 * across), False
    )
    if inside > 0:
        return np.asarray(across)
    return np.asarray(-across if inside < 0 else across * np.sign(across @ middle or 1.0))


def _normals(line: Array) -> Array:
    tangent = np.gradient(line, axis=0)
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
    return np.column_stack([-tangent[:, 1], tangent[:, 0]])


def _likeliest(evidence: NDArray[np.float32], lengths: Sequence[int]) -> NDArray[np.intp]:
    """(R, N) offset index of the likeliest line through each of R strips (R, N, K).

    `lengths` says how many stations each strip has, longest first; what lies beyond is left at 0.
    """
    rows, stations, offsets = evidence.shape
    costs = np.array(tuning.SIDEWAYS_COST, np.float32)
    far = len(costs) - 1
    last = np.asarray(lengths) - 1
    longer = np.searchsorted(-last, -np.arange(stations), side="right").tolist()
    # what a line is worth that comes to each offset, with a margin to both sides to which none comes
    padded = np.full((stations, rows, offsets + 2 * far), -np.inf, np.float32)
    value = padded[..., far : far + offsets]
    value[0] = evidence[:, 0]
    for s in range(1, stations):
        before = padded[s - 1, : longer[s]]
        best = before[:, far : far + offsets] - costs[0]
        for move in range(1, far + 1):
            left, right = (before[:, far + way : far + way + offsets] for way in (-move, move))
            np.maximum(best, np.maximum(left, right) - costs[move], out=best)
        np.add(best, evidence[: longer[s], s], out=value[s, : longer[s]])
    path = np.zeros((rows, stations), np.intp)
    every = np.arange(rows)
    path[every, last] = value[last, every].argmax(axis=1)
    moves = np.arange(-far, far + 1)
    for s in range(stations - 1, 0, -1):
        here = path[: longer[s], s]
        came = padded[s - 1][every[: longer[s], None], here[:, None] + (far + moves)] - costs[np.abs(moves)]
        path[: longer[s], s - 1] = here + moves[came.argmax(axis=1)]
    return path


def _line_widths(
    evidence: NDArray[np.float32], first: NDArray[np.intp]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(R, N) width (mm) of what is inked on both sides of the likeliest lines, NaN where it is not seen to
    end; and how much of it the strip shows, NaN where nothing is inked.
    """
    offsets = evidence.shape[2]
    across = np.arange(offsets, dtype=np.int16)[None, None, :]
    blank, middle = evidence <= 0, first[..., None].astype(np.int16)
    right = np.where(blank & (across > middle), across, np.int16(offsets)).min(axis=2)
    left = np.where(blank & (across < middle), across, np.int16(-1)).max(axis=2)
    inked = np.take_along_axis(evidence, first[..., None], axis=2)[..., 0] > 2.0
    # only where the line is seen to end on both sides
    whole = inked & (right < offsets) & (left >= 0)
    runs = ((right - left - 1) * np.float32(_OFFSET_STEP_MM)).astype(np.float32)
    unknown = np.float32(np.nan)
    return np.where(whole, runs, unknown), np.where(inked, runs, unknown)


def _pen_width(widths: NDArray[np.float32]) -> float:
    """Nearly the widest of a drawn line's widths (mm)."""
    known = widths[np.isfinite(widths)]
    if len(known) < 20:
        return _USUAL_WIDTH_MM
    return float(np.clip(np.quantile(known, 0.85), 0.8, 3.2))


def _weights(count: int, a: Place, b: Place, link: Link, style: DrawingStyle) -> Array:
    """(N,) how much each station of a link says, by what stands at the link's ends."""
    arc = np.arange(count) * STATION_MM
    weight = np.ones(count)
    mark_mm = style.icon_mm / 2 + tuning.MARK_BEYOND_MM
    corner_mm = tuning.CORNER * style.corridor_mm
    if link.kind == "room":
        return weight
    for place, distance in ((a, arc), (b, arc[::-1])):
        if place.kind in ("find", "stairs"):
            weight = np.minimum(weight, np.where(distance < mark_mm, tuning.MARK_WEIGHT, 1.0))
        elif place.kind == "opening":
            weight = np.minimum(weight, np.where(distance < 0.8, 0.0, 1.0))
        elif place.kind == "door":
            weight = np.minimum(weight, np.where(distance < 0.5, 0.5, 1.0))
        else:
            weight = np.minimum(weight, np.clip((distance - corner_mm + 1.0) / 1.0, 0.0, 1.0))
    total = float(weight.sum()) * STATION_MM
    if 0 < total < tuning.LEAST_CORE_MM:
        weight = weight * min(tuning.LEAST_CORE_MM / total, 1 / max(float(weight.max()), 1e-9) * 1.5)
    return np.asarray(weight)


def _clear_of_ends(count: int, outer_a: bool, outer_b: bool) -> NDArray[np.bool_]:
    """(N,) stations away from the outer edge, where dots and arrowheads are drawn."""
    arc = np.arange(count) * STATION_MM
    near = (arc < _FLOURISH_MM) & outer_a | (arc[::-1] < _FLOURISH_MM) & outer_b
    return np.asarray(~near)


def _worth(stations: Array) -> list[float]:
    """Score of each line by what its stations say (lines, N): the sum, but a long line is no surer than its
    worst stretch allows.
    """
    upto = np.cumsum(stations, axis=1)
    total = upto[:, -1]
    window = round(tuning.WINDOW_MM / STATION_MM)
    if stations.shape[1] > window:
        stretches = upto[:, window - 1 :].copy()
        stretches[:, 1:] -= upto[:, :-window]
        total = np.minimum(total, stretches.min(axis=1) + tuning.WINDOW_GRACE / tuning.INDEPENDENCE)
    worth: list[float] = (tuning.INDEPENDENCE * total).tolist()
    return worth


def _summary(
    link: Link,
    lines: NDArray[np.float32],
    seen: NDArray[np.bool_],
    clear_of_hidden: NDArray[np.bool_],
    weight: Array,
    line_mm: Array,
    films: tuple[NDArray[np.float32], ...],
    line_film: float,
    least_told: int,
    widths: NDArray[np.float32],
    runs: NDArray[np.float32],
    clear_of_ends: NDArray[np.bool_],
) -> LinkEvidence:
    known = weight * seen
    first = lines[0]
    length_mm = (len(first) - 1) * STATION_MM
    clear = clear_of_ends & (weight > 0.5)
    width_mm, broad_mm = _narrower(widths[clear]), _narrower(runs[clear])
    score, beside, third = _worth(known * np.clip(lines, -tuning.STATION_AGAINST, tuning.STATION_FOR))
    # a floor that looks inked all over its width is a floor misjudged, not a line
    score -= tuning.SPREAD_PENALTY * max(beside, 0.0)
    beside -= tuning.SPREAD_PENALTY * max(third, 0.0)
    total = max(float(known.sum()), 1e-9)
    coverage = float((known * (first > 0)).sum()) / total
    inked = (first > 0) | ~seen
    a_mm = STATION_MM * int(np.argmin(inked)) if not inked.all() else length_mm
    b_mm = STATION_MM * int(np.argmin(inked[::-1])) if not inked.all() else length_mm
    share = float(known.sum()) / max(float(weight.sum()), 1e-9)
    # what no line is seen along is neither old nor new
    plain = weight * clear_of_hidden
    fresh = _fresh(films[0], plain, first, line_film, least_told) if score > 0 else 1.0
    beside_fresh = (
        min(fresh, _fresh(films[1], plain, lines[1], line_film, least_told)) if beside > 0 else fresh
    )
    return LinkEvidence(
        weighed(score, fresh),
        weighed(beside, beside_fresh),
        coverage,
        share,
        line_mm,
        length_mm,
        a_mm,
        b_mm,
        width_mm,
        broad_mm=broad_mm,
        third=third,
        fresh=fresh,
    )


def _narrower(widths: NDArray[np.float32]) -> float:
    """The mean (mm) of the narrower part of a line's widths: arrowheads, corners and marks only widen. NaN
    where few of them are known."""
    known = np.sort(widths[np.isfinite(widths)])
    return float(known[: max(4, round(0.6 * len(known)))].mean()) if len(known) >= 6 else float("nan")


def _clear_of_hidden(seen: NDArray[np.bool_], lengths: Sequence[int]) -> NDArray[np.bool_]:
    """(R, N) stations of strips of such lengths with none that is hidden near by: at the rim of what hides a
    line its film looks thin."""
    reach = round(_RIM_MM / STATION_MM)
    beyond = np.arange(seen.shape[1]) >= np.asarray(lengths)[:, None]
    around = np.ones((1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.erode((seen | beyond).view(np.uint8), around) > 0)


def _films(ink: InkMap, x_px: NDArray[np.float32], y_px: NDArray[np.float32]) -> NDArray[np.float32]:
    """The share of a full film at map pixels (R, N); NaN where it was not measured."""
    if ink.film is None:
        return np.full(x_px.shape, np.nan, np.float32)
    return np.asarray(cv2.remap(ink.film, x_px, y_px, cv2.INTER_LINEAR))


def _fresh(
    film: NDArray[np.float32], weight: Array, line: NDArray[np.float32], line_film: float, least_told: int
) -> float:
    """How surely a line is a fresh one, by the film (N,) of those of its stations that count and show it;
    fewer of them than `least_told` tell nothing."""
    told = film[(weight > 0) & (line > 0)]
    return freshness(median(told), line_film) if len(told) >= least_told else 1.0
