"""Scenes as a real evening has them: a tier by the photo's index, and the nuisances that go with it.

What is true stays exact: the record's cards lie at their nominal places, however far sleeves or gaps keep
them apart; ghosts, spurs and things over the cards are told beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point, Polygon

from samples import ink
from samples.clutter import cards_nearby, props_about
from samples.company import market_row, neighbours_tableau
from samples.deck import card_face
from samples.drawing import marks_drawn, on_true_table, path_strokes
from samples.evening_ink import evening_pen, layers_of_ink, old_path, with_ink
from samples.evening_light import evening_light, evening_post, without_mirrors
from samples.ghosts import Wipe
from samples.hands import random_skin
from samples.home_print import HomePrint, printed
from samples.layouts import NoScene, posed, random_layout, table_to_card_true
from samples.nuisances import TIERS, Nuisances, random_nuisances
from samples.projection import card_to_table, eye_mm, table_to_photo
from samples.props import shape_of
from samples.sample import Sample
from samples.scene_schema import Camera, Finish, Prop, Scene, SceneCard, Sleeve, Table
from samples.shooting import phone_above
from samples.splits import Split
from samples.spread import spread_out, touching
from samples.tables import PLAIN_TABLES
from samples.walks import DrawnWalk, draw_walk, draw_walk_breaking, draw_walk_with_tokens
from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.record import PlacedCard, make_record

Array = NDArray[np.float64]
TOKENS = ("sword", "key", "rope", "scroll")
# After so many attempts a tableau that offers the wanted fault or use of a token is not looked for any more.
PATIENCE = 12


def evening(
    catalogue: Catalogue,
    split: Split,
    seed: int,
    attempt: int,
    wanted: Nuisances | None = None,
    own_pen: ink.Pen | None = None,
) -> Sample:
    """The sample of a seed of an evening split, with the nuisances `wanted` or those that the seed brings,
    drawn with `own_pen` or any.

    Raises `NoScene` where this attempt makes none.
    """
    if wanted is None:
        wanted = random_nuisances(TIERS[seed % len(TIERS)], np.random.default_rng([seed, 2]))
    rng = np.random.default_rng([seed, 3, attempt])
    if attempt >= PATIENCE:
        wanted = replace(wanted, broken_rule="", tokens=False)
    placed = random_layout(catalogue, rng)
    dungeon = build_dungeon(catalogue, placed)
    tokens, drawn = _walked(dungeon, wanted, rng)
    if drawn is None:
        raise NoScene
    rule = drawn.ruling.violations[0].rule if drawn.ruling.violations else ""
    nuisances = replace(wanted, broken_rule=rule, tokens=bool(tokens))
    marks = marks_drawn(dungeon, drawn, rng)
    images: dict[str, NDArray[np.uint8]] = {}
    cards = _laid(catalogue, placed, nuisances, seed, images, rng)
    pen = own_pen or evening_pen(split, rng, faint=nuisances.pens == "faint")
    path = path_strokes(dungeon, cards, drawn.strokes, pen, rng)
    layers = layers_of_ink(dungeon, cards, drawn, path, marks, pen, nuisances, split, rng)
    spurs = tuple(stroke for layer in layers for stroke in layer.strokes if stroke.kind == "spur")
    old = old_path(dungeon, cards, nuisances, split, pen, rng)
    wipe = Wipe(
        nuisances.ghost,
        float(rng.uniform(0, 360)),
        float(rng.uniform(2.0, 7.0)),
        float(rng.uniform(6, 18)),
        seed,
    )
    cards = [with_ink(card, index, layers, old, wipe, images) for index, card in enumerate(cards)]
    camera = phone_above(
        cards, rng, tilt_deg=nuisances.tilt_deg, roomy=nuisances.neighbours or nuisances.market
    )
    others: list[SceneCard] = []
    if nuisances.neighbours:
        others += neighbours_tableau(catalogue, cards, evening_pen(split, rng), images, rng)
    if nuisances.market:
        others += market_row(catalogue, cards, others, images, rng)
    if not others and nuisances.tier != "easy":
        others += cards_nearby(catalogue, cards, placed, camera, images, rng)
    others = [_as_cards_are(card, cards[0], nuisances) for card in others]
    nuisances = replace(
        nuisances,
        spur=bool(spurs),
        neighbours=any(card.ink for card in others),
        market=nuisances.market and any(not card.ink for card in others),
    )
    light = evening_light(split, nuisances, cards, rng)
    props = props_about(cards, others, camera, light, pen, rng)
    if nuisances.tier == "easy":
        props = [prop for prop in props if prop.kind != "hand_shadow"]
    over = _over(path, nuisances, camera, cards, pen, rng)
    scene = Scene(
        seed=seed,
        cards=tuple(cards),
        others=tuple(others),
        props=(*props, *over),
        table=Table(
            "checked_cloth" if nuisances.checked else str(rng.choice(PLAIN_TABLES)),  # type: ignore[arg-type]
            seed,
        ),
        light=light,
        camera=camera,
        finish=Finish(
            gloss=float(rng.beta(2, 2)) * (0.4 if nuisances.home_print else 1.0),
            linen=float(rng.choice([0.0, 0.4, 0.8])) * (not nuisances.home_print),
            wear=float(rng.beta(1.3, 3)),
        ),
        post=evening_post(nuisances, camera, seed, rng),
    )
    scene, mirrored = without_mirrors(scene, nuisances, rng)
    nuisances = replace(nuisances, glare=nuisances.glare or ("mirror" if mirrored else ""))
    record = make_record(
        tuple(placed), drawn.strokes, marks=marks, fairy_tokens=tokens, catalogue=catalogue.name
    )
    return Sample(
        split,
        seed,
        scene,
        images,
        record,
        tuple(stroke.points_mm for stroke in path if stroke.kind == "path"),
        pen,
        drawn.ruling.legal,
        nuisances,
        tuple(stroke.points_mm for stroke in old.strokes) if old is not None else (),
        tuple(stroke.points_mm for stroke in spurs),
        _hidden(over, scene, dungeon, cards),
    )


def _walked(
    dungeon: Dungeon, wanted: Nuisances, rng: np.random.Generator
) -> tuple[dict[str, int], DrawnWalk | None]:
    """The tokens held, and the walk: against a rule, in need of a token, or as players walk."""
    if wanted.broken_rule:
        return {}, draw_walk_breaking(dungeon, wanted.broken_rule, rng)
    if wanted.tokens:
        kinds = rng.permutation(len(TOKENS))[: int(rng.integers(1, 3))]
        tokens = {TOKENS[int(kind)]: 1 for kind in kinds}
        return tokens, draw_walk_with_tokens(dungeon, tokens, rng)
    return {}, draw_walk(dungeon, rng, legal=True)


def _laid(
    catalogue: Catalogue,
    placed: Sequence[PlacedCard],
    nuisances: Nuisances,
    seed: int,
    images: dict[str, NDArray[np.uint8]],
    rng: np.random.Generator,
) -> list[SceneCard]:
    """The tableau's cards where they truly lie, with their faces as printed, sleeved or bare."""
    cards = [posed(catalogue, card, rng) for card in placed]
    printer = HomePrint.random(nuisances.strength, seed, rng) if nuisances.home_print else None
    sleeve = None
    if nuisances.sleeves:
        sleeve = Sleeve(nuisances.sleeves, float(rng.uniform(1.4, 1.9)), float(rng.uniform(0.3, 1.0)))
    for index, card in enumerate(cards):
        face = card_face(catalogue, catalogue.card(card.card))
        if printer is not None:
            face = printed(face, card.size_mm[0], printer, index)
            width, height = (side * printer.scale for side in card.size_mm)
            card = msgspec.structs.replace(
                card, size_mm=(width, height), corner_radius_mm=printer.corner_radius_mm
            )
        images[card.face] = face
        cards[index] = msgspec.structs.replace(card, sleeve=sleeve)
    size, own = catalogue.card_size_mm, cards[0].size_mm
    pairs = len(touching(placed, size))
    if sleeve is not None:
        gaps = 2 * sleeve.border_mm + rng.uniform(0, 0.3, pairs)
    elif nuisances.gap_mm:
        gaps = nuisances.gap_mm * rng.beta(1.6, 1.1, pairs)
        gaps[int(rng.integers(pairs))] = nuisances.gap_mm
    else:
        gaps = np.zeros(pairs)
    if gaps.any() or own != size:
        middle = [(card.x + size[0] / 2, card.y + size[1] / 2) for card in placed]
        moved = spread_out(placed, size, own, gaps) - middle
        cards = [
            msgspec.structs.replace(
                card,
                pose=msgspec.structs.replace(
                    card.pose,
                    centre_mm=(
                        card.pose.centre_mm[0] + float(shift[0]),
                        card.pose.centre_mm[1] + float(shift[1]),
                    ),
                ),
            )
            for card, shift in zip(cards, moved, strict=True)
        ]
    return cards


def _as_cards_are(other: SceneCard, card: SceneCard, nuisances: Nuisances) -> SceneCard:
    """Another card of the same household: in the same sleeves (cards without ink on them)."""
    if card.sleeve is None or other.ink is not None:
        return other
    return msgspec.structs.replace(other, sleeve=card.sleeve)


def _over(
    path: list[ink.Stroke],
    nuisances: Nuisances,
    camera: Camera,
    cards: list[SceneCard],
    pen: ink.Pen,
    rng: np.random.Generator,
) -> list[Prop]:
    """What lies over the path: a hand that points or rests, or a pen that was put down."""
    if not nuisances.over:
        return []
    lines = np.vstack([stroke.points_mm for stroke in path if stroke.kind == "path"])
    at = lines[int(rng.integers(len(lines)))]
    middle = np.mean([card.pose.centre_mm for card in cards], axis=0)
    if nuisances.over == "pen":
        return [
            Prop(
                "pen",
                (float(at[0] + rng.normal(0, 20)), float(at[1] + rng.normal(0, 20))),
                angle_deg=float(rng.uniform(0, 360)),
                colour=tuple(float(c) / 255 for c in pen.rgb),  # type: ignore[arg-type]
                size=float(rng.uniform(0.85, 1.1)),
                variant=int(rng.integers(0, 1000)),
            )
        ]
    # a hand comes from outside: it points inwards, its finger not far beyond the place it came to
    inward = float(np.degrees(np.arctan2(*(middle - at)[::-1]))) + float(rng.normal(0, 30))
    heading = np.array([np.cos(np.radians(inward)), np.sin(np.radians(inward))])
    tip = at + heading * float(rng.uniform(-2.0, 6.0 + 14.0 * nuisances.strength))
    return [
        Prop(
            "hand",
            (float(tip[0]), float(tip[1])),
            angle_deg=inward,
            colour=random_skin(rng),
            size=float(rng.uniform(0.82, 1.1)),
            variant=2 * int(rng.integers(0, 500)) + (nuisances.over == "hand"),
        )
    ]


def _hidden(over: list[Prop], scene: Scene, dungeon: Dungeon, cards: list[SceneCard]) -> tuple[str, ...]:
    """The places whose spot in the photo lies behind one of the things over the cards."""
    eye = eye_mm(scene.camera)
    outlines = [
        table_to_photo(scene.camera, face.points_mm) for prop in over for face in shape_of(prop, eye).faces
    ]
    # (what reaches behind the lens is not painted either)
    covers = [Polygon(outline).buffer(0) for outline in outlines if np.isfinite(outline).all()]
    found = []
    for place in dungeon.places.values():
        if place.kind == "room" or not covers:
            continue
        at = on_true_table(dungeon, cards, place.id)
        card = cards[place.card_index]
        seen = table_to_photo(scene.camera, card_to_table(card, table_to_card_true(card, at[None])))[0]
        if any(cover.contains(Point(seen)) for cover in covers):
            found.append(place.id)
    return tuple(sorted(found))
