"""Group scan: a photo of a table in a grid on which several groups drew, each with a pen of its own.

Every pen's ink is a map of its own, and its line is matched on its own, over the cards on which that pen
drew; which group's each is follows from its colour. How many groups there are, and with which pens, is told:
nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.placement import table_to_card
from scorer.record import Marks, PlacedCard, make_record
from vision import tuning
from vision.asking import questions_of
from vision.blas import single_threaded_blas
from vision.card_index import CardIndex
from vision.group_pens import Owner
from vision.ink import GroupInk, InkMap, WayOut, halvings_for, read_inks
from vision.layout import CardDoubt, Layout, read_layout
from vision.map_matching import Matching
from vision.marks import MarkReading, Rings, find_rings, read_marks
from vision.path import PathReading, read_path
from vision.photo import Photo
from vision.questions import Question
from vision.scan import SeenCard, SeenPhoto, StageClock, line_in_photo, seen_card
from vision.screens import shows_a_screen

Path = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SeenLine:
    """What one pen drew: its colour on the art (sRGB), whose it is, its strokes (`paths`: first as it was
    read, then in other orders and directions that the ink allows as well), where they lie in the photo, the
    marks.
    `questions` carry other readings as records of this line alone."""

    rgb: tuple[int, int, int]
    owner: Owner
    paths: tuple[Path, ...]
    path_px: tuple[tuple[tuple[float, float], ...], ...]
    marks: Marks
    questions: tuple[Question, ...]

    @property
    def path(self) -> Path:
        return self.paths[0]


@dataclass(frozen=True)
class GroupScan:
    """All that was read: the cards, and each pen's line. `questions` are those about cards."""

    photo: SeenPhoto
    placed: tuple[PlacedCard, ...]
    cards: tuple[SeenCard, ...]
    lines: tuple[SeenLine, ...]
    questions: tuple[Question, ...]
    timings_ms: dict[str, float]


@single_threaded_blas()
def scan_groups(
    photos: Sequence[Photo],
    catalogue: Catalogue,
    index: CardIndex,
    colours: Sequence[str | None],
    on_stage: Callable[[str], None] | None = None,
) -> GroupScan:
    """Read a photo of a table on which groups drew with pens of these colours (`vision.group_pens.INK_RGB`;
    None: of any). Raises `WaymarkError` (no-card, status 4)."""
    clock = StageClock(on_stage)
    (photo,) = photos
    layout = read_layout(photo, index)
    clock.note("layout")
    if shows_a_screen(photo, [pose.corners_px for pose in (*layout.poses, *layout.others)]):
        everything = np.concatenate([pose.corners_px for pose in layout.poses])
        screen = CardDoubt(0, (layout.poses[0].card,), "screen", everything)
        layout = replace(layout, doubts=(*layout.doubts, screen))
    placed = tuple(
        PlacedCard(p.card, round(p.x_mm, 2), round(p.y_mm, 2), p.rotation % 360)  # type: ignore[arg-type]
        for p in layout.poses
    )
    dungeon = build_dungeon(catalogue, placed)
    halvings = halvings_for(layout.poses, catalogue, photo.halvings)
    inks = read_inks(
        photo.reduced(halvings),
        layout.poses,
        catalogue,
        halvings=halvings,
        colours=colours,
        ways_out=_ways_out(dungeon),
    )
    clock.note("ink")
    lines = tuple(line for each in inks if (line := _line(each, dungeon, layout)) is not None)
    clock.note("path")
    bare = make_record(placed, catalogue=catalogue.name)
    unread = PathReading((), (), (), Matching((), (), 0.0))
    return GroupScan(
        photo=SeenPhoto(photo.width, photo.height, photo.warnings),
        placed=placed,
        cards=tuple(seen_card(pose) for pose in layout.poses),
        lines=lines,
        questions=questions_of(bare, layout, unread, MarkReading((), (), ()), dungeon),
        timings_ms=clock.total(),
    )


def _ways_out(dungeon: Dungeon) -> list[list[WayOut]]:
    """Where each card's ways lead over to others, on the upright card."""
    ways: list[list[WayOut]] = [[] for _ in dungeon.cards]
    for link in dungeon.crossings:
        for here, there in ((link.a, link.b), (link.b, link.a)):
            place, beyond = dungeon.places[here], dungeon.places[there]
            placed = dungeon.cards[place.card_index]
            at = table_to_card(placed, place.at_mm, dungeon.catalogue.size_of(placed.card))
            ways[place.card_index].append(WayOut(at, beyond.card_index))
    return ways


def _line(inked: GroupInk, dungeon: Dungeon, layout: Layout) -> SeenLine | None:
    """What a pen drew; None where that is no line."""
    part = dungeon.part(set(inked.cards))
    rings = _own_rings(find_rings(inked.ink, part), inked.ink)
    reading = _over_seams(read_path(inked.ink, part, rings), dungeon)
    marks = read_marks(rings)
    if not reading.path:
        return None
    told = Marks(circled=marks.circled, struck=marks.struck)
    record = make_record(dungeon.cards, reading.path, marks=told, catalogue=dungeon.catalogue.name)
    turned = [path for doubt in reading.doubts if doubt.about == "direction" for path in doubt.others]
    doubts = tuple(doubt for doubt in reading.doubts if doubt.about != "direction")
    bare = replace(layout, poses=tuple(replace(pose, confidence=1.0) for pose in layout.poses), doubts=())
    sure_marks = replace(marks, doubtful=())
    blue, green, red = inked.ink.pens[0].bgr
    return SeenLine(
        rgb=(round(255 * red), round(255 * green), round(255 * blue)),
        owner=inked.owner,
        paths=(reading.path, *turned),
        path_px=tuple(line_in_photo(stroke.line_mm, dungeon, layout.poses) for stroke in reading.strokes),
        marks=told,
        questions=questions_of(record, bare, replace(reading, doubts=doubts), sure_marks, dungeon),
    )


def _over_seams(reading: PathReading, dungeon: Dungeon) -> PathReading:
    """A reading whose lines end on the next card where they end on the edge of a card that another one
    touches: on that one the pen may have left no ink."""
    return replace(
        reading,
        strokes=tuple(replace(each, places=_beyond((each.places,), dungeon)[0]) for each in reading.strokes),
        doubts=tuple(
            replace(doubt, others=tuple(_beyond(path, dungeon) for path in doubt.others))
            for doubt in reading.doubts
        ),
    )


def _beyond(path: Path, dungeon: Dungeon) -> Path:
    ends = {name for stroke in path if stroke for name in (stroke[0], stroke[-1])}

    def led_on(stroke: tuple[str, ...]) -> tuple[str, ...]:
        beyond = next((link.b for link in dungeon.neighbours[stroke[-1]] if link.kind == "crossing"), None)
        return stroke if beyond is None or beyond in ends | set(stroke[-2:]) else (*stroke, beyond)

    return tuple(led_on(led_on(stroke)[::-1])[::-1] if len(stroke) > 1 else stroke for stroke in path)


def _own_rings(rings: Rings, ink: InkMap) -> Rings:
    """The rings without those that another pen drew: of a ring this pen's ink shows along most of its way."""
    circled, struck = rings.circled.copy(), rings.struck.copy()
    for k in np.flatnonzero((circled > tuning.RING_DOUBT[0]) | (struck > tuning.RING_DOUBT[0])):
        at = ink.to_px(rings.outline_mm[k]).astype(np.float32)
        along = cv2.remap(ink.evidence, at[None], None, cv2.INTER_LINEAR)[0]
        if np.mean(along > 0) < tuning.OWN_RING:
            circled[k] = struck[k] = 0.0
    return replace(rings, circled=circled, struck=struck)
