"""Scenes as a real evening has them: a tier by the photo's index, and the nuisances that go with it.

What is true stays exact: the record's cards lie at their nominal places, however far sleeves or gaps keep
them apart; ghosts, spurs and things over the cards are told beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point, Polygon

from samples import ink
from samples.clutter import cards_nearby, props_about
from samples.company import market_row, neighbours_tableau
from samples.deck import card_face
from samples.drawing import (
    CORRIDOR_REACH_MM,
    link_line,
    mark_strokes,
    marks_drawn,
    on_true_table,
    path_strokes,
)
from samples.ghosts import Wipe, ghost_film, wiped
from samples.hands import random_skin
from samples.home_print import HomePrint, printed
from samples.laid_cards import brightest_mirror
from samples.layouts import NoScene, posed, random_layout, table_to_card_true
from samples.nuisances import TIERS, Nuisances, random_nuisances
from samples.projection import card_to_table, eye_mm, table_to_photo
from samples.props import shape_of
from samples.sample import Sample
from samples.scene_schema import (
    Camera,
    Copy,
    Finish,
    Light,
    Post,
    Prop,
    Reflection,
    Scene,
    SceneCard,
    Sleeve,
    Table,
)
from samples.shooting import phone_above, random_light, random_post
from samples.splits import INK_SHIFT, Split
from samples.spread import spread_out, touching
from samples.tables import PLAIN_TABLES
from samples.walks import DrawnWalk, draw_walk, draw_walk_breaking, draw_walk_with_tokens
from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.record import Marks, PlacedCard, make_record

Array = NDArray[np.float64]
TOKENS = ("sword", "key", "rope", "scroll")
# After so many attempts a tableau that offers the wanted fault or use of a token is not looked for any more.
PATIENCE = 12
# Light that a card mirrors: more than the first greys its print, more than the second hides it.
SHINY, MIRRORED = 0.25, 0.7
COLOURS = ("black", "blue", "red", "green", "purple", "orange", "brown", "light blue")
COLOUR_SHARES = (0.36, 0.24, 0.15, 0.12, 0.05, 0.02, 0.03, 0.03)


@dataclass(frozen=True)
class Inked:
    """Strokes of one pen, in the order in which they are laid down."""

    pen: ink.Pen
    strokes: tuple[ink.Stroke, ...]


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
    layers = _layers(dungeon, cards, drawn, path, marks, pen, nuisances, split, rng)
    spurs = tuple(stroke for layer in layers for stroke in layer.strokes if stroke.kind == "spur")
    old = _old_path(dungeon, cards, nuisances, split, pen, rng)
    wipe = Wipe(
        nuisances.ghost,
        float(rng.uniform(0, 360)),
        float(rng.uniform(2.0, 7.0)),
        float(rng.uniform(6, 18)),
        seed,
    )
    cards = [_inked(card, index, layers, old, wipe, images) for index, card in enumerate(cards)]
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
    scene, mirrored = _without_mirrors(scene, nuisances, rng)
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


def evening_pen(split: Split, rng: np.random.Generator, *, faint: bool = False) -> ink.Pen:
    """Any pen that a household has; `faint`: one that runs dry."""
    pen = ink.Pen.random(rng, str(rng.choice(COLOURS, p=COLOUR_SHARES)))
    shifted = np.clip(np.add(pen.rgb, INK_SHIFT[split]), 0, 255)
    density = pen.density * (float(rng.uniform(0.22, 0.4)) if faint else 1.0)
    rgb = (int(shifted[0]), int(shifted[1]), int(shifted[2]))
    return replace(pen, rgb=rgb, density=density, width_mm=pen.width_mm * float(rng.uniform(0.8, 1.15)))


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


def _layers(
    dungeon: Dungeon,
    cards: list[SceneCard],
    drawn: DrawnWalk,
    path: list[ink.Stroke],
    marks: Marks,
    pen: ink.Pen,
    nuisances: Nuisances,
    split: Split,
    rng: np.random.Generator,
) -> list[Inked]:
    """This round's ink, pen by pen: the path, a spur, the marks."""
    layers = [Inked(pen, tuple(path))]
    if nuisances.pens == "changed":
        layers = _pen_changed(path, pen, _other_pen(pen, split, rng), rng)
    if nuisances.spur:
        layers.append(Inked(pen, tuple(_spur(dungeon, cards, drawn, pen, rng))))
    marker = _other_pen(pen, split, rng) if nuisances.pens == "marks" else pen
    layers.append(Inked(marker, tuple(mark_strokes(dungeon, cards, marks, marker, rng))))
    return layers


def _other_pen(pen: ink.Pen, split: Split, rng: np.random.Generator) -> ink.Pen:
    """A pen of another colour."""
    while True:
        other = evening_pen(split, rng)
        if other.colour != pen.colour:
            return other


def _pen_changed(
    path: list[ink.Stroke], pen: ink.Pen, other: ink.Pen, rng: np.random.Generator
) -> list[Inked]:
    """The path with its last part drawn with another pen: from a new stroke on, or in the midst of one."""
    starts = [k for k, stroke in enumerate(path) if stroke.kind == "path"]
    if len(starts) > 1:
        cut = starts[int(rng.integers(1, len(starts)))]
        return [Inked(pen, tuple(path[:cut])), Inked(other, tuple(path[cut:]))]
    stroke = path[starts[0]]
    first = np.arange(len(stroke.points_mm)) < len(stroke.points_mm) * rng.uniform(0.3, 0.7)
    before = replace(stroke, density=stroke.density * first)
    after = replace(stroke, density=stroke.density * ~first * (other.density / pen.density))
    rest = [each for each in path if each is not stroke]
    return [Inked(pen, (before,)), Inked(other, (after, *rest))]


def _spur(
    dungeon: Dungeon, cards: list[SceneCard], drawn: DrawnWalk, pen: ink.Pen, rng: np.random.Generator
) -> list[ink.Stroke]:
    """A way begun by mistake off the path, and the scribble over it; none where the path leaves no way."""
    walked = [name for stroke in drawn.strokes for name in stroke]
    choices = [
        link
        for name in walked
        if dungeon.places[name].kind in ("junction", "find")
        for link in dungeon.neighbours[name]
        if link.kind == "corridor" and link.b not in walked and link.level == "main"
    ]
    if not choices:
        return []
    link = choices[int(rng.integers(len(choices)))]
    way = ink.resample(link_line(dungeon, cards, link), 0.25)
    length = float(rng.uniform(6.0, 13.0))
    way = way[: max(12, int(length / 0.25))]
    line = ink.path_stroke(way, pen, rng, reach_mm=CORRIDOR_REACH_MM)
    points = line.points_mm
    # to and fro across the false way, beginning where it leaves the path
    begin = min(int(3.0 / ink.STEP_MM), len(points) // 2)
    count = int(rng.integers(6, 12))
    at = np.linspace(begin, len(points) - 1, count).astype(int)
    tangent = np.gradient(points, axis=0)[at]
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    swing = rng.uniform(1.5, 2.9, count) * np.where(np.arange(count) % 2, 1, -1)
    zigzag = points[at] + normal * swing[:, None] + rng.normal(0, 0.3, (count, 2))
    scribble = ink.laid_down("spur", ink.resample(zigzag, ink.STEP_MM), pen, rng)
    return [replace(line, kind="spur"), scribble]


def _old_path(
    dungeon: Dungeon,
    cards: list[SceneCard],
    nuisances: Nuisances,
    split: Split,
    pen: ink.Pen,
    rng: np.random.Generator,
) -> Inked | None:
    """Last round's drawing over the same cards, before it was wiped."""
    if not nuisances.ghost:
        return None
    drawn = draw_walk(dungeon, rng, legal=True)
    if drawn is None:
        raise NoScene
    old = pen if rng.random() < 0.5 else _other_pen(pen, split, rng)
    strokes = path_strokes(dungeon, cards, drawn.strokes, old, rng)
    if rng.random() < 0.6:
        strokes += mark_strokes(dungeon, cards, marks_drawn(dungeon, drawn, rng), old, rng)
    return Inked(old, tuple(strokes))


def _inked(
    card: SceneCard,
    index: int,
    layers: list[Inked],
    old: Inked | None,
    wipe: Wipe,
    images: dict[str, NDArray[np.uint8]],
) -> SceneCard:
    """The card with all ink that lies on it, or on its sleeve."""
    border = card.sleeve.border_mm if card.sleeve is not None else 0.0
    size = (card.size_mm[0] + 2 * border, card.size_mm[1] + 2 * border)

    def to_surface(points: Array) -> Array:
        return table_to_card_true(card, points) + border

    films = []
    if old is not None:
        density = ink.film(old.strokes, to_surface, size, old.pen, wipe.seed + 50 + index)
        cover = wiped(density, card.pose.angle_deg, wipe, index)
        if float(cover.max()) > 0.02:
            films.append(ghost_film(cover, old.pen))
    for number, layer in enumerate(layers):
        density = ink.film(layer.strokes, to_surface, size, layer.pen, wipe.seed + 100 * number + index)
        if float(density.max()) > 0:
            films.append(ink.overlay(density, layer.pen))
    if not films:
        return card
    name = f"ink{index}.png"
    whole = films[0]
    for film in films[1:]:
        whole = ink.laid_over(whole, film)
    images[name] = whole
    return msgspec.structs.replace(card, ink=name)


def evening_light(
    split: Split, nuisances: Nuisances, cards: Sequence[SceneCard], rng: np.random.Generator
) -> Light:
    """The room's light, with a reflection on one of these cards where the nuisances say so."""
    light = random_light(split, rng)
    if nuisances.tier == "easy":
        calm = light.kind if light.kind in ("window", "overcast", "lamp") else "window"
        light = msgspec.structs.replace(
            light, kind=calm, shadow_of="", strength=min(light.strength, 1.0), elevation_deg=60.0
        )
    if nuisances.low_light:
        light = msgspec.structs.replace(light, kind="mixed" if light.kind == "mixed" else "lamp")
    if not nuisances.glare:
        return light
    card = cards[int(rng.integers(len(cards)))]
    at = np.asarray(card.pose.centre_mm) + rng.normal(0, 22, 2)
    strong = nuisances.strength
    if nuisances.glare == "stripe":
        reflection = Reflection(
            "stripe",
            (float(at[0]), float(at[1])),
            float(rng.uniform(0, 180)),
            width_mm=float(rng.uniform(3.0, 7.0 + 9.0 * strong)),
            length_mm=float(rng.uniform(110, 260)),
            strength=float(rng.uniform(0.5, 0.9) + 3.0 * strong * rng.uniform(0.4, 1.0)),
        )
    else:
        reflection = Reflection(
            "haze",
            (float(at[0]), float(at[1])),
            float(rng.uniform(0, 180)),
            width_mm=float(rng.uniform(60, 110)),
            length_mm=float(rng.uniform(90, 180)),
            strength=float(0.10 + 0.45 * strong * rng.uniform(0.6, 1.0)),
        )
    return msgspec.structs.replace(light, reflections=(reflection,))


def _without_mirrors(scene: Scene, nuisances: Nuisances, rng: np.random.Generator) -> tuple[Scene, bool]:
    """The scene, its main light moved where an easy or typical photo's cards would mirror it; and whether
    they still do."""
    best, least = scene, brightest_mirror(scene)
    for _ in range(12):
        if least <= SHINY or nuisances.tier in ("hard", "wild"):
            break
        light = msgspec.structs.replace(
            scene.light,
            azimuth_deg=float(rng.uniform(0, 360)),
            elevation_deg=float(rng.uniform(25, 65)),
        )
        moved = msgspec.structs.replace(scene, light=light)
        level = brightest_mirror(moved)
        if level < least:
            best, least = moved, level
    return best, least > MIRRORED


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


def evening_post(nuisances: Nuisances, camera: Camera, seed: int, rng: np.random.Generator) -> Post:
    """What phone and messenger make of the photo."""
    post = random_post(rng, seed)
    if post.format == "heic":  # its pixels are a JPEG's; sets can be made without an encoder of it
        post = msgspec.structs.replace(post, format="jpeg")
    if nuisances.tier == "easy":
        post = msgspec.structs.replace(
            post,
            noise=min(post.noise, 0.02),
            chroma_noise=min(post.chroma_noise, 0.015),
            motion_blur_px=0.0,
            exposure_ev=max(post.exposure_ev, 0.05),
        )
    if nuisances.low_light:
        dark = nuisances.strength
        post = msgspec.structs.replace(
            post,
            noise=float(rng.uniform(0.05, 0.07 + 0.05 * dark)),
            chroma_noise=float(rng.uniform(0.04, 0.06 + 0.05 * dark)),
            exposure_ev=float(-0.7 - 1.5 * dark * rng.uniform(0.6, 1.0)),
            saturation=float(rng.uniform(0.7, 0.95)),
            motion_blur_px=float(rng.uniform(0.5, 1.5 + 3.0 * dark)),
            vignetting=float(rng.uniform(0.25, 0.5)),
        )
    if nuisances.messenger:
        area = float(rng.uniform(1.5e6, 2.0e6))
        share = float(np.sqrt(area / (camera.width * camera.height)))
        post = msgspec.structs.replace(
            post,
            format="jpeg",
            exif_orientation=1,
            copy=Copy(
                round(max(camera.width, camera.height) * share),
                int(rng.integers(48, 76)) - round(12 * nuisances.strength),
            ),
        )
    return post
