"""How a board with all that lies on and about it is photographed: what makes the photo hard, where the phone
is held, in what light, what lies about, whose hand is in the way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import ink
from samples.board_truth import Seen, corners_px, in_photo
from samples.boards import OUTWARD, BoardLay
from samples.camera import file_size
from samples.clutter import props_about
from samples.evening_light import evening_light, evening_post
from samples.hands import random_skin
from samples.layouts import NoScene
from samples.light import LIGHTS, light_position, specular
from samples.nuisances import STRENGTHS, Nuisances, Tier
from samples.projection import card_corners_mm, card_to_table, table_to_photo
from samples.scene_schema import Camera, Figure, Finish, Light, Prop, Scene, SceneCard, Table
from samples.shooting import phone_over_board
from samples.splits import Split
from samples.tables import PLAIN_TABLES
from scorer.square_grid import SIDES

Array = NDArray[np.float64]
#: How often what lies before the players is in view on purpose.
ROUND_THE_BOARD = 0.4
#: Nuisances, how often each comes, and how many come to a tier.
COMMON = {"glare": 1.2, "over": 1.1, "low_light": 0.9, "messenger": 1.0}
CHECKED = 0.12
NUMBERS: dict[Tier, tuple[int, int]] = {"easy": (0, 0), "typical": (0, 2), "hard": (1, 3), "wild": (2, 4)}
STEEPEST = {"easy": 18.0, "typical": 38.0, "hard": 48.0, "wild": 50.0}
#: A cell is nowhere smaller than this in the stored photo (its shorter way across, px).
SMALLEST_CELL_PX = 52.0
#: Light mirrored by the board: more than the first greys its print, more than the second hides it. After so
#: many attempts an easy photo may be greyed.
SHINY, MIRRORED, PATIENCE = 0.3, 0.7, 14
ATTEMPTS = 60
#: So much of a table top about the board has one design.
TABLE_MM = 700.0


@dataclass(frozen=True)
class Laid:
    """A position as it lies: flat pieces from the lowest up, figures, and what each of them is, the spare
    last of the tiles. `zones`: the ground (N, 2) table mm that what lies before each player takes; `shown`:
    what every photo shows besides the board."""

    cards: tuple[SceneCard, ...]
    figures: tuple[Figure, ...]
    tiles: tuple[Seen, ...]
    pieces: tuple[Seen, ...]
    holdings: tuple[Seen, ...]
    zones: dict[str, Array]
    shown: Array | None = None


@dataclass(frozen=True)
class Ground:
    """What a board lies on, and what its print is like: a table has it in all its photos."""

    table: Table
    finish: Finish


@dataclass(frozen=True)
class Photo:
    """A scene, what makes it hard, and the players whose zones are wholly in view."""

    scene: Scene
    nuisances: Nuisances
    in_view: tuple[str, ...]


def random_ground(seed: int, rng: np.random.Generator) -> Ground:
    """Any table."""
    cloth = "checked_cloth" if rng.random() < CHECKED else str(rng.choice(PLAIN_TABLES))
    finish = Finish(
        gloss=float(0.7 * rng.beta(2, 2)), linen=float(rng.choice([0.0, 0.4])), wear=float(rng.beta(1.3, 3))
    )
    return Ground(Table(cloth, seed, reach_mm=TABLE_MM), finish)  # type: ignore[arg-type]


def take_photo(
    lay: BoardLay,
    laid: Laid,
    others: tuple[SceneCard, ...],
    ground: Ground,
    split: Split,
    seed: int,
    tier: Tier,
) -> Photo:
    """A photo of what is laid; `others` belong to nobody. The room's light hangs on the table's seed. Raises
    `NoScene` where chance finds no place for the phone."""
    for attempt in range(ATTEMPTS):
        rng = np.random.default_rng([seed, attempt, 33])
        wanted = replace(_nuisances(tier, rng), checked=ground.table.kind == "checked_cloth")
        camera = _camera(lay, laid, wanted, rng, round_it=rng.random() < ROUND_THE_BOARD)
        scene = Scene(
            seed=lay.seed,
            cards=laid.cards,
            others=others,
            figures=laid.figures,
            table=ground.table,
            light=_light(split, wanted, lay, laid, rng),
            camera=camera,
            finish=ground.finish,
            post=evening_post(wanted, camera, seed, rng),
        )
        shine = _shine(scene, lay)
        greyed = shine > SHINY and tier in ("easy", "typical") and attempt < PATIENCE
        if not greyed and _smallest_cell(scene, laid) >= SMALLEST_CELL_PX:
            break
    else:
        raise NoScene
    pen = ink.Pen.random(rng, "black")
    props = props_about(list(laid.cards), list(others), camera, scene.light, pen, rng)
    if tier == "easy":
        props = [prop for prop in props if prop.kind != "hand_shadow"]
    props += _hand(lay, wanted, rng)
    return Photo(
        msgspec.structs.replace(scene, props=tuple(props)),
        replace(wanted, glare=wanted.glare or ("mirror" if shine > MIRRORED else "")),
        _in_view(scene, laid),
    )


def _nuisances(tier: Tier, rng: np.random.Generator) -> Nuisances:
    low, high = STRENGTHS[tier]
    tilt = float(min(STEEPEST[tier], abs(rng.normal(0, 0.55 * STEEPEST[tier]))))
    if tier in ("hard", "wild") and rng.random() < 0.35:
        tilt = float(rng.uniform(36, STEEPEST[tier]))
    found = Nuisances(tier, strength=float(rng.uniform(low, high)), tilt_deg=tilt)
    fewest, most = NUMBERS[tier]
    share = np.array(list(COMMON.values()))
    count = int(rng.integers(fewest, most + 1))
    for name in rng.choice(list(COMMON), count, replace=False, p=share / share.sum()):
        value: Any = True
        if name == "glare":
            value = str(rng.choice(["stripe", "haze"], p=[0.6, 0.4]))
        elif name == "over":
            value = str(rng.choice(["hand", "finger"]))
        found = replace(found, **{str(name): value})
    return found


def _light(split: Split, wanted: Nuisances, lay: BoardLay, laid: Laid, rng: np.random.Generator) -> Light:
    """The room's light, which a table has in all its photos, with this photo's own reflections."""
    tiles = [each.thing for each in laid.tiles if isinstance(each.thing, SceneCard)]
    light = evening_light(split, replace(wanted, glare=""), tiles, np.random.default_rng([lay.seed, 34]))
    if wanted.glare:
        # a board is farther from the lens than a card, and its print is duller
        mirrored = [
            msgspec.structs.replace(
                each,
                width_mm=2.5 * each.width_mm if each.kind == "stripe" else 1.5 * each.width_mm,
                length_mm=1.5 * each.length_mm,
                strength=0.55 * each.strength if each.kind == "stripe" else each.strength,
            )
            for each in evening_light(split, wanted, tiles, rng).reflections
        ]
        light = msgspec.structs.replace(light, reflections=tuple(mirrored))
    return light


def _camera(
    lay: BoardLay, laid: Laid, wanted: Nuisances, rng: np.random.Generator, *, round_it: bool
) -> Camera:
    edge = np.asarray(lay.size_mm)
    corners = lay.on_table(np.array([[0, 0], [edge[0], 0], edge, [0, edge[1]]]))
    spare = laid.tiles[-1].thing
    assert isinstance(spare, SceneCard)
    ground = [corners, card_to_table(spare, card_corners_mm(spare))[:, :2]]
    ground += [] if laid.shown is None else [laid.shown]
    ground += list(laid.zones.values()) if round_it else []
    flat = np.vstack(ground)
    heads = [[*figure.foot_mm, figure.on_mm + figure.size_mm[1]] for figure in laid.figures]
    points = np.vstack([np.column_stack([flat, np.zeros(len(flat))]), heads])
    return phone_over_board(points, rng, tilt_deg=wanted.tilt_deg, roomy=not round_it)


def _hand(lay: BoardLay, wanted: Nuisances, rng: np.random.Generator) -> list[Prop]:
    """A hand from outside the board: it points at a cell, or rests on the edge."""
    if not wanted.over:
        return []
    cell = rng.uniform(-0.5, np.array([lay.columns, lay.rows]) - 0.5)
    side = OUTWARD[SIDES[int(rng.integers(4))]]
    reach = float(rng.uniform(0.0, 1.6))
    if wanted.over == "finger":
        reach = float(rng.uniform(0.6, 1.0 + 2.2 * wanted.strength))
    for axis in (0, 1):
        if side[axis]:
            cell[axis] = -0.5 + reach if side[axis] < 0 else (lay.columns, lay.rows)[axis] - 0.5 - reach
    tip = lay.on_table(lay.cell_middle((float(cell[0]), float(cell[1]))))[0]
    heading = np.degrees(np.arctan2(-side[1], -side[0])) + lay.angle_deg + float(rng.normal(0, 18))
    return [
        Prop(
            "hand",
            (float(tip[0]), float(tip[1])),
            angle_deg=float(heading),
            colour=random_skin(rng),
            size=float(rng.uniform(0.82, 1.1)),
            variant=2 * int(rng.integers(0, 500)) + (wanted.over == "hand"),
        )
    ]


def _shine(scene: Scene, lay: BoardLay) -> float:
    """How bright the main light is mirrored where the board is brightest but for a few places."""
    light_at = light_position(scene)
    spread = float(np.radians(LIGHTS[scene.light.kind][2] * scene.light.softness))
    x, y = np.meshgrid(np.linspace(0, lay.size_mm[0], 24), np.linspace(0, lay.size_mm[1], 24))
    flat = lay.on_table(np.column_stack([x.ravel(), y.ravel()]))
    points = np.column_stack([flat, np.full(len(flat), lay.board_thickness_mm)])
    normals = np.tile([0.0, 0.0, 1.0], (len(points), 1))
    rough = float(np.radians(2.5 + 13.0 * (1 - scene.finish.gloss) + 4.0 * scene.finish.linen))
    shine = specular(points, normals, scene, light_at, spread, rough) * (0.25 + 0.75 * scene.finish.gloss)
    return float(np.quantile(shine, 0.99))


def _smallest_cell(scene: Scene, laid: Laid) -> float:
    """The shorter way across the smallest tile in the stored photo."""
    least = np.inf
    for seen in laid.tiles:
        assert isinstance(seen.thing, SceneCard)
        corners = corners_px(scene, seen.thing)
        middles = (corners + np.roll(corners, -1, axis=0)) / 2
        least = min(least, *np.linalg.norm(middles[:2] - middles[2:], axis=1).tolist())
    return least


def _in_view(scene: Scene, laid: Laid) -> tuple[str, ...]:
    """The players of whom all that lies before them is in the photo, with the ground about it."""
    size = np.array(file_size(scene.camera, scene.post))
    found = []
    for name, ground in laid.zones.items():
        points = np.column_stack([ground, np.zeros(len(ground))])
        seen = in_photo(scene, table_to_photo(scene.camera, points))
        if np.isfinite(seen).all() and (seen >= 0).all() and (seen <= size - 1).all():
            found.append(name)
    return tuple(found)
