"""Cooperative tables as photos: 20 to 40 cards on a grid, each group's line in an ink of its own, cards face
down, empty slots, miniatures and tokens standing about; now and then a close-up of a part of it.

Of every four photos of a split three show the whole table, and the fourth is a close-up of the one before it.
"""

from __future__ import annotations

from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import ink
from samples.clutter import props_about
from samples.deck import card_back, card_face
from samples.drawing import mark_strokes, on_true_table, path_strokes
from samples.layouts import NoScene, posed, table_to_card_true
from samples.played_missions import PlayedTable, played_table
from samples.projection import card_corners_mm, card_to_photo, card_to_table, table_to_photo
from samples.sample import GroupLine, Sample
from samples.scene_schema import Camera, Finish, Prop, Scene, SceneCard, Table
from samples.shooting import random_light, random_post
from samples.splits import INK_SHIFT, Split
from samples.tables import PLAIN_TABLES
from scorer.catalogue import Catalogue
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.record import make_record

Array = NDArray[np.float64]
#: Which photos of four show only a part of the table of the one before.
CLOSE_UP = 3
#: What a group draws with: mostly a pen of its own colour.
OWN_INKS = {"green": "green", "yellow": "orange", "blue": "blue", "red": "red", "purple": "purple"}
INKS = tuple(ink.INK_RGB | ink.MORE_INK_RGB)
#: How often a table's pens are a mixed lot, and how often two of them are much alike.
MIXED, ALIKE = 0.25, 0.12
SIZES = ((4032, 3024), (3264, 2448), (2592, 1944))
SIZE_SHARES = (0.5, 0.25, 0.25)
#: A card is no smaller in the photo than this (height, px).
SMALLEST_CARD_PX = 200.0
FARTHEST_MM = 1200.0


def cooperative_table(catalogue: Catalogue, split: Split, seed: int, attempt: int) -> Sample:
    """The photo of one seed. Raises `NoScene` where these choices make none."""
    close = seed % 4 == CLOSE_UP
    of_table = seed - 1 if close else seed
    rng = np.random.default_rng([of_table, attempt, 5])
    table = played_table(catalogue, rng)
    pens = _pens(table.record, split, rng)
    told = tuple(
        msgspec.structs.replace(group, colour=pens[group.group].colour) for group in table.record.groups
    )
    record = msgspec.structs.replace(table.record, groups=told)
    cards = [posed(catalogue, card.placed, rng) for card in record.cards]
    cards = [
        msgspec.structs.replace(card, face="back.png", card="") if told.face_down else card
        for card, told in zip(cards, record.cards, strict=True)
    ]
    drawn = _drawn(table, record, cards, pens, rng)
    images = card_faces(catalogue, cards)
    cards = with_ink(cards, drawn, pens, images, of_table)
    miniatures = pieces_on(table, record, cards, pens, rng)
    light = random_light(split, rng)
    finish = Finish(
        gloss=float(rng.beta(2, 2)), linen=float(rng.choice([0.0, 0.4, 0.8])), wear=float(rng.beta(1.3, 3))
    )
    ground = Table(str(rng.choice(PLAIN_TABLES)), of_table)  # type: ignore[arg-type]
    rng = np.random.default_rng([seed, attempt, 6])
    camera = camera_over(_part_of(cards, rng) if close else cards, rng, close)
    about = props_about(cards, [], camera, light, next(iter(pens.values())), rng)
    post = random_post(rng, seed)
    if post.format == "heic":
        post = msgspec.structs.replace(post, format="jpeg")
    scene = Scene(
        seed=of_table,
        cards=tuple(cards),
        props=(*miniatures, *(prop for prop in about if not _touches(prop, miniatures))),
        table=ground,
        light=light,
        camera=camera,
        finish=finish,
        post=post,
    )
    lines = tuple(
        GroupLine(
            group.group,
            pens[group.group],
            tuple(s.points_mm for s in drawn.get(group.group, ()) if s.kind == "path"),
        )
        for group in record.groups
    )
    path = tuple(points for line in lines for points in line.points_mm)
    first = pens[record.paths[0].group]
    face_up = tuple(card.placed for card in record.cards if not card.face_down)
    return Sample(
        split,
        seed,
        scene,
        images,
        make_record(face_up, catalogue=catalogue.name),
        path,
        first,
        table.ruling.legal,
        groups=lines,
        table=record,
    )


def _pens(record: TableRecord, split: Split, rng: np.random.Generator) -> dict[str, ink.Pen]:
    """Each group's pen."""
    names = [group.group for group in record.groups]
    colours = [OWN_INKS.get(name, INKS[k % len(INKS)]) for k, name in enumerate(names)]
    if rng.random() < MIXED:
        colours = [INKS[k] for k in rng.permutation(len(INKS))[: len(names)]]
    if rng.random() < ALIKE:
        a, b = rng.permutation(len(names))[:2]
        colours[a] = colours[b]
    pens = {}
    for name, colour in zip(names, colours, strict=True):
        pen = ink.Pen.random(rng, colour)
        shifted = [int(np.clip(c + s, 0, 255)) for c, s in zip(pen.rgb, INK_SHIFT[split], strict=True)]
        pens[name] = ink.Pen(**{**pen.__dict__, "rgb": tuple(shifted)})
    return pens


def _drawn(
    table: PlayedTable,
    record: TableRecord,
    cards: list[SceneCard],
    pens: dict[str, ink.Pen],
    rng: np.random.Generator,
) -> dict[str, list[ink.Stroke]]:
    """All ink by group. Each path was drawn at a time of its own, with more or less pressure."""
    drawn: dict[str, list[ink.Stroke]] = {}
    for path in record.paths:
        press = float(rng.uniform(0.75, 1.15))
        for stroke in path_strokes(table.dungeon, cards, path.path, pens[path.group], rng):
            pressed = ink.Stroke(stroke.kind, stroke.points_mm, stroke.width_mm, stroke.density * press)
            drawn.setdefault(path.group, []).append(pressed)
    for group in record.groups:
        marks = mark_strokes(table.dungeon, cards, group.marks, pens[group.group], rng)
        drawn.setdefault(group.group, []).extend(marks)
    return drawn


def card_faces(catalogue: Catalogue, cards: list[SceneCard]) -> dict[str, NDArray[np.uint8]]:
    images = {card.face: card_face(catalogue, catalogue.card(card.card)) for card in cards if card.card}
    if any(not card.card for card in cards):
        images["back.png"] = card_back(catalogue.card_size_mm)
    return images


def with_ink(
    cards: list[SceneCard],
    drawn: dict[str, list[ink.Stroke]],
    pens: dict[str, ink.Pen],
    images: dict[str, NDArray[np.uint8]],
    seed: int,
) -> list[SceneCard]:
    """The cards with every group's film on them, one over the other as they were drawn."""
    inked = list(cards)
    for index, card in enumerate(cards):
        laid: NDArray[np.uint8] | None = None
        for number, (group, strokes) in enumerate(drawn.items()):
            film = ink.film(
                strokes,
                partial(table_to_card_true, card),
                card.size_mm,
                pens[group],
                seed + 50 * number + index,
            )
            if float(film.max()) > 0:
                over = ink.overlay(film, pens[group])
                laid = over if laid is None else ink.laid_over(laid, over)
        if laid is not None:
            images[f"ink{index}.png"] = laid
            inked[index] = msgspec.structs.replace(card, ink=f"ink{index}.png")
    return inked


def pieces_on(
    table: PlayedTable,
    record: TableRecord,
    cards: list[SceneCard],
    pens: dict[str, ink.Pen],
    rng: np.random.Generator,
) -> list[Prop]:
    """A miniature for each group where its last path ended, else beside the table; and what is to be brought,
    on its card until somebody takes it."""
    props: list[Prop] = []
    corners = np.vstack([card_to_table(card, card_corners_mm(card)) for card in cards])[:, :2]
    low, high = corners.min(axis=0), corners.max(axis=0)
    for number, group in enumerate(record.groups):
        ends = [path.path[-1][-1] for path in record.paths if path.group == group.group]
        if ends:
            at = on_true_table(table.dungeon, cards, ends[-1]) + rng.normal(0, 2.5, 2)
        else:
            at = np.array([low[0] + (number + 1) / 7 * (high[0] - low[0]), high[1] + rng.uniform(14, 24)])
        if rng.random() < 0.1:  # taken off to draw
            continue
        base = np.asarray(pens[group.group].rgb) / 255 if rng.random() < 0.7 else rng.uniform(0.1, 0.9, 3)
        props.append(
            Prop(
                "miniature",
                (float(at[0]), float(at[1])),
                angle_deg=float(rng.uniform(0, 360)),
                colour=(float(base[0]), float(base[1]), float(base[2])),
                size=float(rng.uniform(0.8, 1.1)),
                variant=int(rng.integers(0, 1000)),
            )
        )
    taken = {name for group in table.ruling.groups for name in group.artifacts}
    artifacts = {} if isinstance(record.mission, str | None) else record.mission.artifacts
    for name, card in artifacts.items():
        lying = [k for k, each in enumerate(record.cards) if each.card == card]
        if name in taken or not lying or rng.random() < 0.2:
            continue
        at = np.asarray(cards[lying[0]].pose.centre_mm) + rng.normal(0, 8, 2)
        colour = rng.uniform(0.1, 0.9, 3)
        props.append(
            Prop(
                "token",
                (float(at[0]), float(at[1])),
                angle_deg=float(rng.uniform(0, 360)),
                colour=(float(colour[0]), float(colour[1]), float(colour[2])),
                size=float(rng.uniform(0.7, 1.0)),
                variant=int(rng.integers(0, 1000)),
            )
        )
    return props


def _touches(prop: Prop, pieces: list[Prop]) -> bool:
    return any(np.linalg.norm(np.subtract(prop.at_mm, piece.at_mm)) < 60 for piece in pieces)


def _part_of(cards: list[SceneCard], rng: np.random.Generator) -> list[SceneCard]:
    """Two or three columns and rows of the grid."""
    width, height = cards[0].size_mm
    middle = cards[int(rng.integers(len(cards)))]
    reach = rng.integers(2, 4, 2) / 2
    part = [
        card
        for card in cards
        if abs(card.x - middle.x) <= reach[0] * width and abs(card.y - middle.y) <= reach[1] * height
    ]
    if len(part) < 4:
        raise NoScene
    return part


def camera_over(
    cards: list[SceneCard], rng: np.random.Generator, close: bool, sizes: tuple[tuple[int, int], ...] = SIZES
) -> Camera:
    """A phone held over all these cards, mostly from one side of the table. Raises `NoScene` where the cards
    are too small in the photo."""
    corners = np.vstack([card_to_table(card, card_corners_mm(card)) for card in cards])
    middle = (corners[:, :2].min(axis=0) + corners[:, :2].max(axis=0)) / 2
    size = sizes[int(rng.choice(len(sizes), p=SIZE_SHARES if sizes is SIZES else None))]
    span = np.ptp(corners[:, :2], axis=0)
    tilt = float(min(35.0, abs(rng.normal(0, 14))))
    along = 0.0 if (span[0] > span[1]) == (size[0] > size[1]) else 90.0
    wanted = along + 180.0 * int(rng.random() < 0.35) + rng.normal(0, 6)
    azimuth = float(rng.uniform(-180, 180))
    camera = Camera(
        target_mm=(float(middle[0] + rng.normal(0, 6)), float(middle[1] + rng.normal(0, 6))),
        distance_mm=240.0,
        width=size[0],
        height=size[1],
        tilt_deg=tilt,
        azimuth_deg=azimuth,
        roll_deg=float(wanted - azimuth),
        fstop=float(rng.choice([1.6, 1.8, 2.2])),
        sensor_diagonal_mm=float(rng.choice([7.0, 8.0, 9.5])),
    )
    margin = rng.uniform(0.015, 0.06) * min(size)
    for _ in range(90):
        seen = table_to_photo(camera, corners)
        if (seen >= margin).all() and (seen <= np.array(size) - margin).all():
            break
        camera = msgspec.structs.replace(camera, distance_mm=camera.distance_mm * 1.025)
    distance = camera.distance_mm * (1 + 0.15 * rng.beta(1, 2.5))
    camera = msgspec.structs.replace(
        camera, distance_mm=float(distance), focus_mm=float(distance * rng.normal(1.0, 0.02))
    )
    heights = [
        np.linalg.norm(np.diff(card_to_photo(camera, card, card_corners_mm(card))[1:3], axis=0))
        for card in cards
    ]
    if distance > FARTHEST_MM or min(heights) < SMALLEST_CARD_PX:
        raise NoScene
    return camera
