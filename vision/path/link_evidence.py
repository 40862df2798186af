"""Link evidence: ink map and dungeon graph -> log-likelihood ratio (nats) that the pen ran along each link.

A link's corridor is straightened to a strip (station along the centre line by offset across it). The
likeliest line through the strip is found by dynamic programming (Viterbi), free to wander and to cut corners;
its stations are then evidence for or against a walk along the link. Near a junction and near a find they
count less: lines cut corners there, and rings and strikes are drawn there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, Link
from vision.ink.ink_map import PX_PER_MM, InkMap, freshness, weighed
from vision.path import parameters
from vision.path.link_strips import STATION_MM, normals, strip_lines
from vision.path.style import DrawingStyle, style_of
from vision.photo.numerics import median

Array = NDArray[np.float64]

_OFFSET_STEP_MM = 0.25
#: Least distance (mm) of a second line's middle from the first line's rim.
_BESIDE_MM = 0.5
#: Distance (mm) from the outer edge within which start dots and arrowheads are drawn.
_FLOURISH_MM = 6.0
#: Distance (mm) from an occluder within which a line's film is not measured reliably.
_RIM_MM = 1.0
#: Number of strips sampled at a time; all strips of forty cards would take 200 MB.
_AT_A_TIME = 160
#: Default width (mm) of the first line, if it cannot be measured.
_USUAL_WIDTH_MM = 1.6
#: Distance (mm) from a place, by its kind, within which stations count less, and their weight there. Marks
#: are drawn around finds and stairs; near other places lines cut corners.
_AT_ENDS = {"opening": (0.8, 0.0), "door": (0.5, 0.5)}
_MARKED = ("find", "stairs")


@dataclass(frozen=True)
class LinkEvidence:
    """Evidence for one link. Scores are log-likelihood ratios (nats) of a line along it against none.

    `score`     of one line; `second` of a further line beside it, `third` of one beside both
    `coverage`  share of the visible core that is inked; `seen` share of the core that is visible
    `line_mm`   (N, 2) table mm, points of the likeliest line from the link's `a` to its `b`
    `width_mm`  width of the line, away from the link's ends; `wider_mm` its excess over the drawing's
                usual width; NaN if it cannot be measured
    `broad_mm`  lower bound of the ink's excess over the usual width, even if its edges are not seen
    `fresh`     0 to 1, confidence that the line is of this round and not residue of an old one
                (`vision.ink.ink_map`); scores are discounted by it
    `circled`   whether it leads to a circled find, or to a room with one; `covered`: its share hidden by
                more than the rings, if no clear line reaches that find
    """

    score: float
    second: float
    coverage: float
    seen: float
    line_mm: Array
    length_mm: float
    width_mm: float = float("nan")
    wider_mm: float = float("nan")
    broad_mm: float = float("nan")
    third: float = -np.inf
    fresh: float = 1.0
    circled: bool = False
    covered: float = 0.0


def measure_links(ink: InkMap, dungeon: Dungeon) -> tuple[LinkEvidence, ...]:
    """Evidence for every link of `dungeon.links`, in that order, from the ink map."""
    style = style_of(dungeon.catalogue)
    lines = strip_lines(dungeon, style)
    strips = [(i, line) for i, line in enumerate(lines) if line is not None]
    strips.sort(key=lambda strip: -len(strip[1]))
    results: list[LinkEvidence] = [
        LinkEvidence(0.0, -np.inf, 0.0, 0.0, np.asarray(link.line_mm, float), 0.0) for link in dungeon.links
    ]
    if not strips:
        return tuple(results)
    most = round(style.reach_mm / _OFFSET_STEP_MM)
    offsets: Array = _OFFSET_STEP_MM * np.arange(-most, most + 1, dtype=np.float64)
    # strips of similar length together, as all strips of a batch are padded to the longest
    parts = [strips[first : first + _AT_A_TIME] for first in range(0, len(strips), _AT_A_TIME)]
    looked = [_look_along(ink, dungeon, part, offsets, style) for part in parts]
    reach = _pen_width(np.concatenate([each.widths.ravel() for each in looked])) / 2 + _BESIDE_MM
    least_told = 1 if ink.known is None else round(parameters.OWN_LINES.told_mm / STATION_MM)
    for part, seen in zip(parts, looked, strict=True):
        lines_say, films = _lines_along(ink, seen, offsets, reach)
        links = [dungeon.links[i] for i, _ in part]
        told = _summaries(dungeon, links, seen, lines_say, films, ink.line_film, least_told, style)
        for (i, _), summary in zip(part, told, strict=True):
            results[i] = summary
    drawn = [
        r.width_mm
        for r in results
        if r.score > parameters.LINKS.surely_drawn_nats and np.isfinite(r.width_mm)
    ]
    usual = float(np.median(drawn)) if drawn else float("nan")
    # another pen's line may be wider throughout: its width is then no evidence of a second line
    once = usual if len(ink.pens) < 2 else float("nan")
    results = [replace(r, wider_mm=r.width_mm - once, broad_mm=r.broad_mm - usual) for r in results]
    return tuple(map(_unless_scribbled, dungeon.links, results))


def with_circles(
    evidence: Sequence[LinkEvidence], ink: InkMap, dungeon: Dungeon, circled: Collection[str]
) -> tuple[LinkEvidence, ...]:
    """The evidence, with links to circled finds marked and the hidden share of each.

    `circled` lists the places of those finds; `ink` includes the rings.
    """
    told = {name for place in circled for name in (place, dungeon.places[place].room)}
    # where a clear line reaches the find, its circle adds no evidence
    reached = {
        name
        for link, seen in zip(dungeon.links, evidence, strict=True)
        if seen.score > parameters.LINKS.surely_drawn_nats
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
    """Samples of the ink map along R strips of N stations, with K offsets across.

    `evidence`, `x_px`, `y_px` (R, N, K) are samples and their map pixels; `lengths` (R,) counts stations. For
    the likeliest line: `first` (R, N) its offset indices, `line_mm` (R, N, 2) its points, `widths` (R, N) mm
    of the ink, `runs` (R, N) mm of ink within the strip, `seen` (R, N) its visibility.
    """

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
    """Samples of the ink map along the strips of links, and their likeliest lines.

    `strips` holds (link number, stations (N, 2)), longest first; `offsets` (K,) are mm across the strip.
    """
    lengths = tuple(len(line) for _, line in strips)
    longest = lengths[0]
    centre = np.zeros((len(strips), longest, 2))
    for row, (_, line) in enumerate(strips):
        centre[row, : len(line)] = line
        centre[row, len(line) :] = line[-1]
    normal = normals(centre)
    spread = np.ones((len(strips), longest, 1))
    for row, (i, _) in enumerate(strips):
        if dungeon.links[i].kind == "room":
            # behind a door the possible lines fan out
            spread[row, :, 0] = np.clip(0.4 + np.arange(longest) * STATION_MM / style.reach_mm, 0.4, 1.5)
    across = (offsets * spread * PX_PER_MM).astype(np.float32)
    middle, way = ink.to_px(centre).astype(np.float32), normal.astype(np.float32)
    x, y = (middle[..., axis, None] + way[..., axis, None] * across for axis in (0, 1))
    flat = x.reshape(len(strips), -1), y.reshape(len(strips), -1)
    evidence = cv2.remap(ink.evidence, *flat, cv2.INTER_LINEAR).reshape(x.shape)
    visible = cv2.remap(ink.visible.view(np.uint8), *flat, cv2.INTER_NEAREST).reshape(x.shape) > 0
    evidence = _under_rooms(ink, dungeon, [dungeon.links[i] for i, _ in strips], (x, y), evidence)
    aside = parameters.LINKS.aside_nats_per_mm * np.maximum(
        np.abs(offsets) - parameters.LINKS.aside_share * style.reach_mm, 0
    )
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
    """Evidence (3, R, N) at the stations of the best, second and third lines of R strips, and films of the
    first two.

    The second and third lines are farther than `reach_mm` from the lines before.
    """
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
    """Mask (R, N, K) of the offsets within `reach_mm` of a line (R, N)."""
    near: NDArray[np.bool_] = np.abs(offsets[None, :] - offsets[:, None]) < reach_mm
    return near[line]


def _unless_scribbled(link: Link, seen: LinkEvidence) -> LinkEvidence:
    """The evidence of a link, turned against it if the corridor was scribbled over to cancel it.

    Such ink is much wider than a line, and more than two lines make.
    """
    scribbled = (
        seen.broad_mm > parameters.LINKS.scribbled_mm and seen.third > -parameters.LINKS.scribbled_third_nats
    )
    if link.kind not in ("corridor", "stairs") or not scribbled:
        return seen
    back = -parameters.LINKS.scribbled_nats
    return replace(seen, score=min(seen.score, back), second=min(seen.second, back))


def _under_rooms(
    ink: InkMap,
    dungeon: Dungeon,
    links: Sequence[Link],
    at_px: tuple[NDArray[np.float32], NDArray[np.float32]],
    evidence: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Evidence (R, N, K) of strips, discounted where their pixels lie under rooms of another level."""
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
            evidence[row][inside & (evidence[row] > 0)] *= parameters.LINKS.under_room_share
    return evidence


#: Evidence (nats) against a second line at stations within the first line's width.
EVIDENCE_BESIDE = 4.0


def _likeliest(evidence: NDArray[np.float32], lengths: Sequence[int]) -> NDArray[np.intp]:
    """Offset indices (R, N) of the likeliest line through each of R strips (R, N, K), by dynamic programming.

    `lengths` has the number of stations of each strip, longest first; entries beyond it are 0.
    """
    rows, stations, offsets = evidence.shape
    costs = np.array(parameters.LINKS.sideways_nats, np.float32)
    far = len(costs) - 1
    last = np.asarray(lengths) - 1
    longer = np.searchsorted(-last, -np.arange(stations), side="right").tolist()
    # score of the best line to each offset, padded on both sides with offsets that no line reaches
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
    """Widths (R, N) mm of the ink at the likeliest lines, NaN unless both edges are seen, and widths within
    the strip.

    The second result is NaN where there is no ink.
    """
    offsets = evidence.shape[2]
    across = np.arange(offsets, dtype=np.int16)[None, None, :]
    blank, middle = evidence <= 0, first[..., None].astype(np.int16)
    right = np.where(blank & (across > middle), across, np.int16(offsets)).min(axis=2)
    left = np.where(blank & (across < middle), across, np.int16(-1)).max(axis=2)
    inked = np.take_along_axis(evidence, first[..., None], axis=2)[..., 0] > 2.0
    # only where both edges of the line are visible
    whole = inked & (right < offsets) & (left >= 0)
    runs = ((right - left - 1) * np.float32(_OFFSET_STEP_MM)).astype(np.float32)
    unknown = np.float32(np.nan)
    return np.where(whole, runs, unknown), np.where(inked, runs, unknown)


def _pen_width(widths: NDArray[np.float32]) -> float:
    """Upper quantile of a drawn line's measured widths (mm)."""
    known = widths[np.isfinite(widths)]
    if len(known) < 20:
        return _USUAL_WIDTH_MM
    return float(np.clip(np.quantile(known, 0.85), 0.8, 3.2))


def _weights(
    dungeon: Dungeon, links: Sequence[Link], from_a_mm: Array, from_b_mm: Array, style: DrawingStyle
) -> Array:
    """Weight (R, N) of each station of links, reduced near marked or crossing places at the links' ends.

    `from_a_mm` and `from_b_mm` (R, N) are distances to the ends, negative beyond an end.
    """
    corner_mm = parameters.LINKS.corner_corridors * style.corridor_mm
    weight = np.ones(from_a_mm.shape)
    mark_mm = style.icon_mm / 2 + parameters.LINKS.mark_beyond_mm
    at_ends = _AT_ENDS | dict.fromkeys(_MARKED, (mark_mm, parameters.LINKS.mark_share))
    for away_mm, ends in ((from_a_mm, [link.a for link in links]), (from_b_mm, [link.b for link in links])):
        near = [
            at_ends.get(dungeon.places[end].kind) if link.kind != "room" else (0.0, 1.0)
            for link, end in zip(links, ends, strict=True)
        ]
        reach_mm, least = np.array([e or (0.0, 1.0) for e in near]).T
        corner = np.array([e is None for e in near])
        stepped = np.where(away_mm < reach_mm[:, None], least[:, None], 1.0)
        ramped = np.clip(away_mm - corner_mm + 1.0, 0.0, 1.0)
        weight = np.minimum(weight, np.where(corner[:, None], ramped, stepped))
    weight[np.minimum(from_a_mm, from_b_mm) < 0] = 0.0
    total = weight.sum(axis=1) * STATION_MM
    short = (total > 0) & (total < parameters.LINKS.least_core_mm) & [link.kind != "room" for link in links]
    more = np.minimum(
        parameters.LINKS.least_core_mm / np.maximum(total, 1e-9), 1.5 / np.maximum(weight.max(axis=1), 1e-9)
    )
    return np.asarray(weight * np.where(short, more, 1.0)[:, None])


def _worth(stations: Array, lengths: NDArray[np.intp]) -> Array:
    """Score (lines, R) of each line from its stations (lines, R, N): their sum, capped by its worst stretch.

    `lengths` (R,) counts the stations of each strip.
    """
    upto = np.cumsum(stations, axis=2)
    total = upto[:, np.arange(len(lengths)), lengths - 1]
    window = round(parameters.LINKS.window_mm / STATION_MM)
    if stations.shape[2] > window:
        stretches = upto[:, :, window - 1 :].copy()
        stretches[:, :, 1:] -= upto[:, :, :-window]
        stretches[:, np.arange(window - 1, stations.shape[2]) >= lengths[:, None]] = np.inf
        total = np.minimum(
            total,
            stretches.min(axis=2) + parameters.LINKS.window_grace_nats / parameters.LINKS.independence_share,
        )
    return np.asarray(parameters.LINKS.independence_share * total)


def _summaries(
    dungeon: Dungeon,
    links: Sequence[Link],
    looked: _Looked,
    lines: NDArray[np.float32],
    films: Sequence[NDArray[np.float32]],
    line_film: float,
    least_told: int,
    style: DrawingStyle,
) -> list[LinkEvidence]:
    """The `LinkEvidence` of R links from the evidence (3, R, N) along three lines and the films (R, N) of the
    first two.

    All links are done at once for speed: a table of forty cards has 800.
    """
    lengths = np.asarray(looked.lengths)
    count = np.arange(lines.shape[2], dtype=np.float64)
    from_a, from_b = count[None] * STATION_MM, (lengths[:, None] - 1 - count) * STATION_MM
    inside = from_b >= 0
    from_a = np.where(inside, from_a, -1.0)
    weight = _weights(dungeon, links, from_a, from_b, style)
    known, first = weight * looked.seen, lines[0]
    # not near the outer edge, where dots and arrowheads are drawn
    outer_a, outer_b = (
        np.array([end in dungeon.open_openings for end in ends])[:, None]
        for ends in ([link.a for link in links], [link.b for link in links])
    )
    clear = ~((from_a < _FLOURISH_MM) & outer_a | (from_b < _FLOURISH_MM) & outer_b) & (weight > 0.5)
    width_mm, broad_mm = (
        _narrower(np.where(clear, widths, np.float32(np.nan))) for widths in (looked.widths, looked.runs)
    )
    against, speaking = -parameters.LINKS.station_against_nats, parameters.LINKS.station_for_nats
    score, beside, third = _worth(known * np.clip(lines, against, speaking), lengths)
    # floor that looks inked over its whole width is misjudged, not a line
    score = score - parameters.LINKS.beside_share * np.maximum(beside, 0.0)
    beside = beside - parameters.LINKS.beside_share * np.maximum(third, 0.0)
    visible = known.sum(axis=1)
    coverage = (known * (first > 0)).sum(axis=1) / np.maximum(visible, 1e-9)
    share = visible / np.maximum(weight.sum(axis=1), 1e-9)
    # stations without visible ink give no evidence on whether a line is old or new
    plain = weight * _clear_of_hidden(looked.seen, looked.lengths)
    found = []
    for row, n in enumerate(looked.lengths):
        fresh = beside_fresh = 1.0
        if score[row] > 0:
            fresh = beside_fresh = _fresh(films[0][row], plain[row], first[row], line_film, least_told)
        if beside[row] > 0:
            beside_fresh = min(fresh, _fresh(films[1][row], plain[row], lines[1, row], line_film, least_told))
        found.append(
            LinkEvidence(
                weighed(float(score[row]), fresh),
                weighed(float(beside[row]), beside_fresh),
                float(coverage[row]),
                float(share[row]),
                looked.line_mm[row, :n],
                (n - 1) * STATION_MM,
                float(width_mm[row]),
                broad_mm=float(broad_mm[row]),
                third=float(third[row]),
                fresh=fresh,
            )
        )
    return found


def _narrower(widths: NDArray[np.float32]) -> Array:
    """Mean width (R,) in mm over the narrower part of each line's widths (R, N); NaN if few are known.

    The wider part is left out because arrowheads, corners and marks widen a line.
    """
    known = np.isfinite(widths).sum(axis=1)
    # unknown values come last
    upto = np.cumsum(np.sort(widths, axis=1), axis=1, dtype=np.float64)
    narrow = np.minimum(np.maximum(4, np.round(0.6 * known).astype(int)), widths.shape[1])
    mean = upto[np.arange(len(widths)), narrow - 1] / narrow
    return np.where(known >= 6, mean, np.nan)


def _clear_of_hidden(seen: NDArray[np.bool_], lengths: Sequence[int]) -> NDArray[np.bool_]:
    """Mask (R, N) of stations with no hidden station nearby, since the film looks thin beside an occluder."""
    reach = round(_RIM_MM / STATION_MM)
    beyond = np.arange(seen.shape[1]) >= np.asarray(lengths)[:, None]
    around = np.ones((1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.erode((seen | beyond).view(np.uint8), around) > 0)


def _films(ink: InkMap, x_px: NDArray[np.float32], y_px: NDArray[np.float32]) -> NDArray[np.float32]:
    """Film at map pixels (R, N) as a share of a full film; NaN if it was not measured."""
    if ink.film is None:
        return np.full(x_px.shape, np.nan, np.float32)
    return np.asarray(cv2.remap(ink.film, x_px, y_px, cv2.INTER_LINEAR))


def _fresh(
    film: NDArray[np.float32], weight: Array, line: NDArray[np.float32], line_film: float, least_told: int
) -> float:
    """Freshness (0..1) of a line from the median film of its weighted, inked stations.

    With fewer such stations than `least_told` the result is 1.
    """
    told = film[(weight > 0) & (line > 0)]
    return freshness(median(told), line_film) if len(told) >= least_told else 1.0
