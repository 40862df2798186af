"""Group scan: photos of a shared table on which several groups drew, each with its own pen.

Each pen has its own ink map, and its line is matched over the cards on which it drew. Its colour shows which
group owns it. The caller gives the number of groups and their pens; nothing here depends on a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.errors import Code, WaymarkError
from scorer.placement import table_to_card
from scorer.record import Marks, PlacedCard, make_record
from scorer.text import Text
from vision import parameters as vision_parameters
from vision.asking import questions_of
from vision.cards.find_layout import read_layout
from vision.cards.index import CardIndex
from vision.cards.layout import CardDoubt, Layout
from vision.cards.pose import CardPose
from vision.groups import parameters
from vision.groups.fusion import Together, View, put_together
from vision.groups.ink import GroupInk, InkView, WayOut, read_inks
from vision.groups.pens import Owner
from vision.groups.strokes import (
    PenLine,
    hue_of,
    is_covered,
    led_on,
    others_colours,
    over_seams,
    stray_strokes,
    thinly_drawn,
    under_figures,
    without,
)
from vision.ink.ink_map import InkMap
from vision.ink.rectify import halvings_for
from vision.marks import MarkReading, Rings, find_rings, read_marks
from vision.mirrored import MirroredPhoto, reflected, turned_over
from vision.missing_cards import Grounds, unseen_exits
from vision.path.map_matching import Matching
from vision.path.read import PathDoubt, PathReading, read_path
from vision.photo.decode import Photo
from vision.photo.moire import shows_a_screen
from vision.photo.runtime import single_threaded_blas
from vision.questions import Question
from vision.scan import SeenPhoto, StageClock, line_in_photo

Array = NDArray[np.float64]
Path = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SeenLine:
    """The line that one pen (by number) drew, or one stroke of it if several groups may have drawn its
    strokes.

    `rgb` is its colour on the art (sRGB), `owner` its group. `paths` has the strokes as read, then in other
    plausible orders and directions; `path_px` are they in the photo. `off_deg` is the hue difference
    (degrees) from each group's colour, if enough of the ink shows. `standing` are the end places on which an
    object stands. `questions` contain other readings as records of this line alone.
    """

    pen: int
    rgb: tuple[int, int, int]
    owner: Owner
    paths: tuple[Path, ...]
    path_px: tuple[tuple[tuple[float, float], ...], ...]
    marks: Marks
    questions: tuple[Question, ...]
    off_deg: tuple[float, ...] = ()
    standing: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return self.paths[0]


@dataclass(frozen=True)
class GroupScan:
    """The scan of a shared table: cards, and the line of each pen.

    `cards` lie as in the `photo` that shows most of them, or as they would lie there. `photos` are the photos
    (by number) that show part of the table, that one first. `questions` are about cards.
    """

    photo: SeenPhoto
    placed: tuple[PlacedCard, ...]
    cards: tuple[CardPose, ...]
    lines: tuple[SeenLine, ...]
    questions: tuple[Question, ...]
    timings_ms: dict[str, float]
    photos: tuple[int, ...] = (0,)


@single_threaded_blas()
def scan_groups(
    photos: Sequence[Photo],
    catalogue: Catalogue,
    index: CardIndex,
    colours: Sequence[str | None],
    on_stage: Callable[[str], None] | None = None,
) -> GroupScan:
    """Reads photos of a table on which groups drew with pens of these colours.

    Colours are names in `vision.groups.pens.INK_RGB`, or None for any. Raises `WaymarkError` (no-card, status
    4) if no photo shows a card.
    """
    clock = StageClock(on_stage)
    photos = list(photos)
    table, over = _put_together(photos, catalogue, index)
    layout = table.layout
    clock.note("layout")
    placed = tuple(
        PlacedCard(p.card, round(p.x_mm, 2), round(p.y_mm, 2), p.rotation % 360)  # type: ignore[arg-type]
        for p in layout.poses
    )
    dungeon = build_dungeon(catalogue, placed)
    views = tuple(_ink_view(photos[view.photo], view, layout, catalogue) for view in table.views)
    inks = read_inks(views, layout.poses, catalogue, colours=colours, ways_out=_ways_out(dungeon))
    clock.note("ink")
    grounds = tuple(_grounds(photos[view.photo], view, layout, dungeon) for view in table.views)
    lines = _lines(inks, dungeon, layout, colours, grounds)
    clock.note("path")
    bare = make_record(placed, catalogue=catalogue.name)
    unread = PathReading((), (), (), Matching((), (), 0.0))
    scan = GroupScan(
        photo=_seen_photo(photos, table),
        photos=tuple(view.photo for view in table.views),
        placed=placed,
        cards=tuple(pose.rounded() for pose in layout.poses),
        lines=lines,
        questions=questions_of(bare, layout, unread, MarkReading((), (), ()), dungeon),
        timings_ms=clock.total(),
    )
    first = table.views[0].photo
    return reflected(scan, photos[first].width) if first in over else scan


def _put_together(
    photos: list[Photo], catalogue: Catalogue, index: CardIndex
) -> tuple[Together, frozenset[int]]:
    """One table from all photos; photos without a card are left out.

    Mirrored photos are replaced by their mirror images, and the second result has their numbers.
    """
    layouts: dict[int, Layout] = {}
    failed: list[WaymarkError] = []
    over: set[int] = set()
    for number, photo in enumerate(photos):
        try:
            try:
                layouts[number] = _screened(photo, read_layout(photo, index))
            except MirroredPhoto:
                photos[number] = turned_over(photo)
                over.add(number)
                layouts[number] = _screened(photos[number], read_layout(photos[number], index))
        except WaymarkError as error:
            if error.code != Code.NO_CARD:
                raise
            failed.append(error)
    if not layouts:
        raise failed[0]
    numbers, table = list(layouts), put_together([*layouts.values()], catalogue)
    apart = {numbers[k] for k in table.apart} | set(range(len(photos))) - layouts.keys()
    views = tuple(replace(view, photo=numbers[view.photo]) for view in table.views)
    return replace(table, views=views, apart=tuple(sorted(apart))), frozenset(over)


def _screened(photo: Photo, layout: Layout) -> Layout:
    """The layout, with a doubt added where the cards seem to be shown on a screen."""
    if not shows_a_screen(photo, [pose.corners_px for pose in (*layout.poses, *layout.others)]):
        return layout
    everything = np.concatenate([pose.corners_px for pose in layout.poses])
    screen = CardDoubt(0, (layout.poses[0].card,), "screen", everything)
    return replace(layout, doubts=(*layout.doubts, screen))


def _ink_view(photo: Photo, view: View, layout: Layout, catalogue: Catalogue) -> InkView:
    """The part of a photo to read ink from: its cards whose names agree with the table's."""
    told = [
        (pose, number)
        for pose, number in zip(view.poses, view.cards, strict=True)
        if pose.card == layout.poses[number].card
    ]
    poses, cards = tuple(pose for pose, _ in told), tuple(number for _, number in told)
    halvings = halvings_for(poses, catalogue, photo.halvings)
    return InkView(photo.reduced(halvings), halvings, poses, cards)


def _grounds(photo: Photo, view: View, layout: Layout, dungeon: Dungeon) -> Grounds:
    """The surroundings of the table's cards in one photo; cards named differently there are left out."""
    shown = {
        number: pose
        for pose, number in zip(view.poses, view.cards, strict=True)
        if pose.card == layout.poses[number].card
    }
    return Grounds(photo, photo.halvings, shown, dungeon)


def _seen_photo(photos: Sequence[Photo], table: Together) -> SeenPhoto:
    """The photo that shows most of the table, with the warnings of all photos."""
    first = photos[table.views[0].photo]
    warnings = [warning for view in table.views for warning in photos[view.photo].warnings]
    warnings += [
        Text(
            "Photo {number} shows too little of the table that the others show; it was left out.",
            number=number + 1,
        )
        for number in table.apart
    ]
    return SeenPhoto(first.width, first.height, tuple(dict.fromkeys(warnings)))


def _ways_out(dungeon: Dungeon) -> list[list[WayOut]]:
    """For each card, the points (mm, upright) at which its corridors lead to other cards."""
    ways: list[list[WayOut]] = [[] for _ in dungeon.cards]
    for link in dungeon.crossings:
        for here, there in ((link.a, link.b), (link.b, link.a)):
            place, beyond = dungeon.places[here], dungeon.places[there]
            placed = dungeon.cards[place.card_index]
            at = table_to_card(placed, place.at_mm, dungeon.catalogue.size_of(placed.card))
            ways[place.card_index].append(WayOut(at, beyond.card_index))
    return ways


def _lines(
    inks: Sequence[GroupInk],
    dungeon: Dungeon,
    layout: Layout,
    colours: Sequence[str | None],
    grounds: Sequence[Grounds],
) -> tuple[SeenLine, ...]:
    """The lines that each pen drew; none for a pen whose ink forms no line."""
    drawn = []
    for pen, inked in enumerate(inks):
        part = dungeon.part(set(inked.cards))
        rings = _own_rings(find_rings(inked.ink, part), inked.ink)
        read = read_path(inked.ink, part, rings, single=False)
        reading = over_seams(read, dungeon)
        if reading.path:
            thin = thinly_drawn(part.links, read.evidence)
            ends = (
                *under_figures(inked.ink, reading.path, dungeon),
                *led_on(reading.path, thin, dungeon),
                *unseen_exits(reading, grounds, dungeon),
            )
            reading = replace(reading, doubts=(*reading.doubts, *ends))
            hues = tuple(hue_of(inked, stroke.line_mm, colours) for stroke in reading.strokes)
            drawn.append(PenLine(pen, inked, reading, read_marks(rings), hues))
    idle = frozenset(range(len(colours))) - {each.inked.owner.group for each in drawn}
    strays = stray_strokes(drawn, lambda each, name: is_covered(each.inked.ink, dungeon, name))
    return tuple(
        line
        for each, stray in zip(drawn, strays, strict=True)
        for line in _lines_of(each, stray, idle, dungeon, layout, colours)
    )


def _lines_of(
    drawn: PenLine,
    stray: Mapping[int, float],
    idle: frozenset[int],
    dungeon: Dungeon,
    layout: Layout,
    colours: Sequence[str | None],
) -> Iterator[SeenLine]:
    """The line of a pen, or each of its strokes separately if several groups may have drawn them.

    `stray` strokes (`stray_strokes`) may not belong to the pen; `idle` are the groups without a pen.
    """
    pen, inked, reading, marks = drawn.pen, drawn.inked, drawn.reading, drawn.marks
    sharing = {*inked.owner.sharing, *others_colours(drawn, idle)}
    if stray:
        reading = replace(reading, doubts=_about_others(reading, stray, dungeon))
    if len(reading.strokes) < 2 or not sharing:
        if stray:
            reading = replace(reading, doubts=(*reading.doubts, without(reading, stray)))
        own = Marks(circled=marks.circled, struck=marks.struck)
        whole = np.concatenate([stroke.line_mm for stroke in reading.strokes])
        line = _line(inked, pen, reading, own, dungeon, layout)
        yield replace(line, off_deg=hue_of(inked, whole, colours).off_deg)
        return
    doubts = [without(reading, {number: nats}) for number, nats in stray.items()]
    reading = replace(reading, doubts=(*reading.doubts, *doubts))
    owner = replace(inked.owner, others=tuple(sorted({*inked.owner.others, *sharing})))
    for number in range(len(reading.strokes)):
        circled, struck = (
            tuple(name for name in names if _beside(name, reading, dungeon) == number)
            for names in (marks.circled, marks.struck)
        )
        own = Marks(circled=circled, struck=struck)
        line = _line(replace(inked, owner=owner), pen, _alone(reading, number, dungeon), own, dungeon, layout)
        yield replace(line, off_deg=drawn.hues[number].off_deg)


def _about_others(
    reading: PathReading, stray: Mapping[int, float], dungeon: Dungeon
) -> tuple[PathDoubt, ...]:
    """The doubts that are about none of the given strokes, which may not belong to the pen's line."""
    kept = [number for number in range(len(reading.strokes)) if number not in stray]
    return tuple(
        doubt
        for doubt in reading.doubts
        if doubt.about == "direction" or (kept and _beside(doubt.place, reading, dungeon) in kept)
    )


def _line(
    inked: GroupInk, pen: int, reading: PathReading, marks: Marks, dungeon: Dungeon, layout: Layout
) -> SeenLine:
    record = make_record(dungeon.cards, reading.path, marks=marks, catalogue=dungeon.catalogue.name)
    turned = [path for doubt in reading.doubts if doubt.about == "direction" for path in doubt.others]
    doubts = tuple(doubt for doubt in reading.doubts if doubt.about != "direction")
    bare = replace(layout, poses=tuple(replace(pose, confidence=1.0) for pose in layout.poses), doubts=())
    sure_marks = MarkReading(marks.circled, marks.struck, ())
    blue, green, red = inked.ink.pens[0].bgr
    ends = {name for stroke in reading.path for name in (stroke[0], stroke[-1])}
    return SeenLine(
        pen=pen,
        rgb=(round(255 * red), round(255 * green), round(255 * blue)),
        owner=inked.owner,
        paths=(reading.path, *turned),
        path_px=tuple(line_in_photo(stroke.line_mm, dungeon, layout.poses) for stroke in reading.strokes),
        marks=marks,
        questions=questions_of(record, bare, replace(reading, doubts=doubts), sure_marks, dungeon),
        standing=tuple(sorted(name for name in ends if is_covered(inked.ink, dungeon, name))),
    )


def _alone(reading: PathReading, number: int, dungeon: Dungeon) -> PathReading:
    """A reading reduced to one stroke, with the doubts about it, and with both directions allowed."""
    stroke = reading.strokes[number]
    doubts = [PathDoubt("direction", stroke.places[0], ((stroke.places[::-1],),), "direction")]
    for doubt in reading.doubts:
        if doubt.about == "direction":
            continue
        changes = [_changed(reading.path, other) for other in doubt.others]
        touched = {k for gone, _ in changes for k in gone} or {_beside(doubt.place, reading, dungeon)}
        if min(touched) != number:
            continue
        # a correction of several groups at once cannot be offered for one of them
        others = tuple((*(() if gone else (stroke.places,)), *new) for gone, new in changes)
        doubts.append(replace(doubt, others=others if len(touched) == 1 else ()))
    return replace(reading, strokes=(stroke,), doubts=tuple(doubts))


def _changed(read: Path, other: Path) -> tuple[set[int], Path]:
    """The numbers of the strokes that another reading replaces, and the strokes that it has instead."""

    def among(stroke: tuple[str, ...], path: Path) -> bool:
        return stroke in path or stroke[::-1] in path

    gone = {k for k, stroke in enumerate(read) if not among(stroke, other)}
    return gone, tuple(stroke for stroke in other if not among(stroke, read))


def _beside(name: str, reading: PathReading, dungeon: Dungeon) -> int:
    """The number of the first stroke that passes a place, or else a neighbour of it; otherwise 0."""
    near = {name, *(link.b for link in dungeon.neighbours.get(name, ()))}
    found = [k for k, places in enumerate(reading.path) if near & set(places)]
    return next((k for k in found if name in reading.path[k]), found[0] if found else 0)


def _own_rings(rings: Rings, ink: InkMap) -> Rings:
    """The rings drawn by this pen: rings along most of which its ink shows."""
    circled, struck = rings.circled.copy(), rings.struck.copy()
    for k in np.flatnonzero(
        (circled > vision_parameters.MARKS.doubt_from_share)
        | (struck > vision_parameters.MARKS.doubt_from_share)
    ):
        at = ink.to_px(rings.outline_mm[k]).astype(np.float32)
        along = cv2.remap(ink.evidence, at[None], None, cv2.INTER_LINEAR)[0]
        if np.mean(along > 0) < parameters.PEN_INK.own_ring_share:
            circled[k] = struck[k] = 0.0
    return replace(rings, circled=circled, struck=struck)
