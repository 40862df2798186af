"""Photos of blank cards laid out to be enrolled: 1 to 30 to a photo, on any table, sleeved or not, with
truth.

A session goes through a whole deck, some cards twice and some backs up. What it shows is a pure function of
split, seed and deck; the splits keep tables and lamps apart as in `samples.splits`.

`python -m samples.blank_cards --deck DIR --split tuning --seed 0 --out samples/sets/blank-open`

Beside each photo stands `NAME.truth.json`: `{"format": "waymark-blank-truth/1", "card_size_mm": [63, 88],
"cards": [{"card": "D29", "rotation": 180, "corners": [[x, y] * 4]}], ...}`. `corners` are of the art held
upright; `card` is "" for a back.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import camera as camera_model
from samples.camera import file_size, in_file
from samples.clutter import ground_of
from samples.compositor import photograph
from samples.cycles.batch import CYCLES_PYTHON, render_linear
from samples.deck import card_back, card_face
from samples.layouts import NoScene
from samples.projection import card_corners_mm, card_to_photo, card_to_table, table_to_photo
from samples.scene_schema import Camera, CardPose, Finish, Reflection, Scene, SceneCard, Sleeve, Table
from samples.shooting import random_light, random_post
from samples.splits import FIRST_SEED, Split
from samples.tables import PLAIN_TABLES
from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import WaymarkError

Array = NDArray[np.float64]
Layout = Literal["grid", "touching", "scattered"]
#: A session's photos hold so many cards, by chance.
FEWEST, MOST = 4, 30
#: Of a session's cards, so many are photographed once more; of its places, so many show a back.
TWICE, BACKS = 0.2, 0.05
#: What phones take.
SIZES = ((4032, 3024), (4000, 3000), (3840, 2160), (4624, 3468))
TABLES = (*PLAIN_TABLES, "checked_cloth")
#: Kinds of session: `mixed` is all layouts by chance; `hard` is patterned grounds, sleeves, and bowed cards.
Kind = Literal["mixed", "apart", "touching", "hard"]
#: Shares of grids, touching rows and scattered cards of a session's photos, where its kind says so.
LAYOUT_SHARES = {"apart": (0.75, 0.0, 0.25), "touching": (0.0, 1.0, 0.0), "hard": (0.8, 0.0, 0.2)}
HARD_TABLES, HARD_SLEEVED, HARD_BOW_MM = ("checked_cloth", "cloth", "playmat"), 0.45, (2.0, 5.0)
#: What draws the photos; Cycles traces light, and needs the environment of `samples.cycles.batch`.
Renderer = Literal["compositor", "cycles"]
BACK = "back.png"
FORMAT = "waymark-blank-truth/1"


@dataclass(frozen=True)
class BlankShot:
    """One photo to be: its scene (all cards are its `cards`; a back has the name "") and its pictures."""

    name: str
    scene: Scene
    images: dict[str, NDArray[np.uint8]]
    layout: Layout


def session(
    deck: Catalogue,
    split: Split,
    seed: int,
    *,
    per_photo: tuple[int, int] = (FEWEST, MOST),
    kind: Kind = "mixed",
) -> Iterator[BlankShot]:
    """Photos that show every card of a deck once, and some twice."""
    rng = np.random.default_rng([FIRST_SEED[split] + seed, 17])
    ids = [card.id for card in deck.cards]
    pile = [ids[k] for k in rng.permutation(len(ids))]
    pile += [ids[k] for k in rng.permutation(len(ids))[: round(TWICE * len(ids))]]
    number = 0
    while pile:
        low, high = per_photo
        # few as often as many: evenly by their logarithm
        count = min(len(pile), round(math.exp(rng.uniform(math.log(low), math.log(high + 0.49)))))
        hand: list[str] = []
        for card in list(pile):
            if len(hand) < count and card not in hand:
                hand.append(card)
                pile.remove(card)
        backs = [k for k in range(len(hand)) if count > 4 and rng.random() < BACKS]
        for k in reversed(backs):
            hand.insert(k, "")
        yield blank_shot(deck, split, 1000 * seed + number, hand, kind=kind)
        number += 1


def blank_shot(
    deck: Catalogue,
    split: Split,
    index: int,
    hand: Sequence[str],
    *,
    sleeves: bool = True,
    kind: Kind = "mixed",
) -> BlankShot:
    """A photo of these cards ("" is a back), some tables' in `sleeves`. Raises `RuntimeError` where no phone
    has them all in view."""
    seed = FIRST_SEED[split] + index
    for attempt in range(60):
        rng = np.random.default_rng([seed, attempt, 23])
        try:
            shot = _attempt(deck, split, seed, hand, rng, sleeves, kind)
        except NoScene:
            continue
        return shot
    raise RuntimeError(f"no photo of {len(hand)} cards could be made from seed {seed}")


def _attempt(
    deck: Catalogue,
    split: Split,
    seed: int,
    hand: Sequence[str],
    rng: np.random.Generator,
    sleeves: bool,
    kind: Kind,
) -> BlankShot:
    shares = (0.62, 0.16, 0.22) if len(hand) <= 12 else (0.85, 0.15, 0.0)
    layout = cast("Layout", str(rng.choice(get_args(Layout), p=LAYOUT_SHARES.get(kind, shares))))
    sleeve = None
    if rng.random() < (HARD_SLEEVED if kind == "hard" else 0.22) and sleeves:
        film = cast("Literal['clear', 'matte']", str(rng.choice(["clear", "matte"], p=[0.65, 0.35])))
        sleeve = Sleeve(film, waves=float(rng.uniform(0.2, 0.8)))
    room = sleeve.border_mm if sleeve is not None else 0.0
    turned_row = rng.random() < 0.15  # who lays the cards sideways
    places = {"grid": _grid, "touching": _touching, "scattered": _scattered}[layout](
        deck, len(hand), room, turned_row, rng
    )
    some_upside_down = rng.random() < 0.5
    images: dict[str, NDArray[np.uint8]] = {}
    cards = []
    for card_id, (x, y, angle) in zip(hand, places, strict=True):
        face = f"face-{card_id}.png" if card_id else BACK
        if face not in images:
            images[face] = card_face(deck, deck.card(card_id)) if card_id else card_back(deck.card_size_mm)
        turn = 180 if some_upside_down and rng.random() < 0.4 else 0
        size = deck.size_of(card_id) if card_id else deck.card_size_mm
        cards.append(
            SceneCard(
                card=card_id,
                x=x - size[0] / 2,
                y=y - size[1] / 2,
                rotation=turn,
                face=face,
                pose=CardPose(
                    centre_mm=(x, y),
                    angle_deg=angle + turn,
                    lift_mm=float(abs(rng.normal(0, 0.12))),
                    tilt_deg=(float(rng.normal(0, 0.12)), float(rng.normal(0, 0.12))),
                    bow_mm=float(rng.normal(0.1, 0.3)),
                    bow_axis="long" if rng.random() < 0.7 else "short",
                ),
                size_mm=size,
                corner_radius_mm=deck.corner_radius_mm,
                sleeve=sleeve,
            )
        )
    camera = _phone(cards, rng)
    light = random_light(split, rng)
    if rng.random() < 0.2:  # a tube or window mirrored in some of them
        middle = np.array(camera.target_mm) + rng.normal(0, 60, 2)
        mirror = Reflection(
            kind="stripe" if rng.random() < 0.6 else "haze",
            at_mm=(float(middle[0]), float(middle[1])),
            angle_deg=float(rng.uniform(0, 180)),
            width_mm=float(rng.uniform(8, 22)),
            length_mm=float(rng.uniform(60, 160)),
            strength=float(rng.uniform(0.3, 1.2)),
        )
        light = msgspec.structs.replace(light, reflections=(mirror,))
    post = random_post(rng, seed)
    if post.format == "heic":  # which needs a tool that not everybody has
        post = msgspec.structs.replace(post, format="jpeg")
    if rng.random() < 0.6:  # people hold still for this
        post = msgspec.structs.replace(post, motion_blur_px=0.0)
    scene = Scene(
        seed=seed,
        cards=tuple(cards),
        table=Table(str(rng.choice(TABLES, p=[0.26, 0.22, 0.16, 0.16, 0.14, 0.06])), seed),  # type: ignore[arg-type]
        light=light,
        camera=camera,
        finish=Finish(
            gloss=float(rng.beta(2, 2)),
            linen=float(rng.choice([0.0, 0.4, 0.8])),
            wear=float(rng.beta(1.3, 3)),
        ),
        post=post,
    )
    name = f"{split}-{seed - FIRST_SEED[split]:05d}"
    return BlankShot(name, _hard(scene, seed) if kind == "hard" else scene, images, layout)


def _hard(scene: Scene, seed: int) -> Scene:
    """The scene on a patterned ground; cards that are not sleeved are bowed."""
    rng = np.random.default_rng([seed, 29])
    table = Table(str(rng.choice(HARD_TABLES, p=[0.5, 0.25, 0.25])), seed)  # type: ignore[arg-type]
    low, high = HARD_BOW_MM
    sign = float(rng.choice([-1.0, 1.0], p=[0.3, 0.7]))
    cards = []
    for card in scene.cards:
        bow = sign * float(rng.uniform(low, high)) if card.sleeve is None else card.pose.bow_mm
        cards.append(msgspec.structs.replace(card, pose=msgspec.structs.replace(card.pose, bow_mm=bow)))
    return msgspec.structs.replace(scene, table=table, cards=tuple(cards))


def _columns(count: int, size: Array, rng: np.random.Generator) -> int:
    """Columns that make so many cards about as wide as a photo, either way."""
    ratio = float(rng.choice([4 / 3, 3 / 4, 1.0]))
    return max(1, min(count, round(math.sqrt(count * ratio * size[1] / size[0]))))


def _grid(
    deck: Catalogue,
    count: int,
    room: float,
    sideways: bool,
    rng: np.random.Generator,
    gap: float | None = None,
    off: float = 1.5,
) -> list[tuple[float, float, float]]:
    """Rows with gaps, each card a little off."""
    gap = float(rng.uniform(3.0, 16.0)) if gap is None else gap
    turn = 90.0 if sideways else 0.0
    size = np.array(deck.card_size_mm[::-1] if sideways else deck.card_size_mm) + 2 * room
    columns = _columns(count, size, rng)
    off = min(off, 0.25 * gap) if gap > 0 else off
    lean = min(2.5, gap / 6) if gap > 0 else 0.15
    return [
        (
            float((k % columns) * (size[0] + gap) + rng.normal(0, off)),
            float((k // columns) * (size[1] + gap) + rng.normal(0, off)),
            turn + float(np.clip(rng.normal(0, lean), -2 * lean, 2 * lean)),
        )
        for k in range(count)
    ]


def _touching(
    deck: Catalogue, count: int, room: float, sideways: bool, rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    """Rows without gaps, as good as hands lay them."""
    return _grid(deck, count, room, sideways, rng, gap=0.0, off=0.2)


def _scattered(
    deck: Catalogue, count: int, room: float, sideways: bool, rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    """Anyhow, without one on another."""
    width, height = (side + 2 * room for side in deck.card_size_mm)
    reach = 0.62 * math.sqrt(count) * math.hypot(width, height)
    laid: list[SceneCard] = []
    places: list[tuple[float, float, float]] = []
    for _ in range(4000):
        x, y = (float(each) for each in rng.uniform(-reach / 2, reach / 2, 2))
        angle = float(rng.uniform(0, 360))
        one = SceneCard("", 0, 0, 0, BACK, CardPose((x, y), angle), size_mm=(width + 3, height + 3))
        if not any(ground_of(one).intersects(ground_of(other)) for other in laid):
            laid.append(one)
            places.append((x, y, angle))
            if len(places) == count:
                return places
    raise NoScene


def _phone(cards: list[SceneCard], rng: np.random.Generator) -> Camera:
    """A phone that has all cards in view, its long side mostly along theirs."""
    corners = np.vstack([card_to_table(card, card_corners_mm(card)) for card in cards])
    low, high = corners[:, :2].min(axis=0), corners[:, :2].max(axis=0)
    middle, span = (low + high) / 2, high - low
    size = SIZES[int(rng.choice(len(SIZES), p=[0.7, 0.12, 0.08, 0.1]))]
    if len(cards) <= 6 and rng.random() < 0.4:
        size = (2304, 1728)
    steep = rng.random()
    tilt = float(abs(rng.normal(0, 9))) if steep < 0.7 else float(rng.uniform(18, 38 if steep < 0.93 else 50))
    focal = 26.0 if tilt < 38 else float(rng.uniform(26, 40))
    azimuth = float(rng.uniform(-180, 180))
    along = 0.0 if span[0] > span[1] else 90.0
    along += 180.0 * int(rng.random() < 0.2) + float(rng.normal(0, 3))
    if tilt > 18:  # who leans over a table holds the phone level, before the table's side or its end
        azimuth = float(rng.choice([0.0, 90.0, 180.0, -90.0])) + float(rng.normal(0, 15))
        along = azimuth + float(rng.normal(0, 4))
    camera = Camera(
        target_mm=(float(middle[0]), float(middle[1])),
        distance_mm=150.0,
        width=size[0],
        height=size[1],
        tilt_deg=tilt,
        azimuth_deg=azimuth,
        roll_deg=along - azimuth,
        focal_mm_35=focal,
        fstop=float(rng.choice([1.6, 1.8, 2.2])),
        sensor_diagonal_mm=float(rng.choice([7.0, 8.0, 9.5])),
    )
    margin = float(rng.uniform(0.02, 0.06)) * min(size)
    for _ in range(120):
        seen = table_to_photo(camera, corners)
        if (seen >= margin).all() and (seen <= np.array(size) - margin).all():
            break
        camera = msgspec.structs.replace(camera, distance_mm=camera.distance_mm * 1.025)
    else:
        raise NoScene
    distance = float(camera.distance_mm * (1 + 0.15 * rng.beta(1, 2)))
    return msgspec.structs.replace(
        camera, distance_mm=distance, focus_mm=distance * float(rng.normal(1.0, 0.015))
    )


def truth(shot: BlankShot) -> dict[str, Any]:
    """What is true of a photo, as JSON-ready data."""
    scene = shot.scene
    width, height = file_size(scene.camera, scene.post)
    sleeved = scene.cards[0].sleeve if scene.cards else None
    return {
        "format": FORMAT,
        "width": width,
        "height": height,
        "card_size_mm": list(scene.cards[0].size_mm),
        "layout": shot.layout,
        "bowed": any(abs(card.pose.bow_mm or 0) >= HARD_BOW_MM[0] for card in scene.cards if card.pose),
        "sleeve": sleeved.film if sleeved is not None else "",
        "table": scene.table.kind,
        "light": msgspec.to_builtins(scene.light),
        "camera": msgspec.to_builtins(scene.camera),
        "post": msgspec.to_builtins(scene.post),
        "cards": [
            {
                "card": card.card,
                "rotation": round(card.pose.angle_deg, 2),
                "corners": np.round(
                    in_file(
                        card_to_photo(scene.camera, card, card_corners_mm(card)), scene.camera, scene.post
                    ),
                    2,
                ).tolist(),
            }
            for card in scene.cards
        ],
    }


def _rendered(shot: BlankShot, renderer: Renderer) -> NDArray[np.uint8]:
    """The photo's upright picture (H, W, 3)."""
    if renderer == "compositor":
        return photograph(shot.scene, shot.images.__getitem__)
    with tempfile.TemporaryDirectory() as scratch:
        light = render_linear(shot.scene, shot.images, Path(scratch))
    return camera_model.develop(light, shot.scene.post)


def write_shot(shot: BlankShot, folder: Path, renderer: Renderer = "compositor") -> Path:
    """Render a photo and write it with its truth; gives the photo's file."""
    folder.mkdir(parents=True, exist_ok=True)
    picture = _rendered(shot, renderer)
    photo = camera_model.write_photo(picture, folder / shot.name, shot.scene.post, shot.scene.camera)
    photo.with_name(photo.stem + ".truth.json").write_bytes(msgspec.json.encode(truth(shot)) + b"\n")
    return photo


def main() -> None:
    """Make a session's photos with truth."""
    parser = argparse.ArgumentParser(description="Photos of blank cards to enrol, with truth")
    parser.add_argument("--deck", type=Path, required=True, help="a catalogue's folder")
    parser.add_argument("--split", choices=get_args(Split), default="tuning")
    parser.add_argument("--seed", type=int, default=0, help="another number makes another session")
    parser.add_argument("--fewest", type=int, default=FEWEST)
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("--photos", type=int, help="stop after so many")
    parser.add_argument("--kind", choices=get_args(Kind), default="mixed", help="layouts and grounds")
    parser.add_argument("--renderer", choices=get_args(Renderer), default="compositor")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.renderer == "cycles" and not CYCLES_PYTHON.exists():
        parser.error("Cycles has no environment yet: make .cycles-venv as samples/README.md says")
    try:
        deck = load_catalogue(options.deck)
    except WaymarkError as error:
        parser.error(error.en)
    shots = session(
        deck, options.split, options.seed, per_photo=(options.fewest, options.most), kind=options.kind
    )
    for number, shot in enumerate(shots):
        if options.photos is not None and number >= options.photos:
            break
        if (options.out / f"{shot.name}.truth.json").exists():
            continue  # a session that was broken off goes on
        start = time.perf_counter()
        photo = write_shot(shot, options.out, options.renderer)
        print(f"{photo.name} {len(shot.scene.cards)} cards, {shot.layout}, {shot.scene.table.kind}", end=" ")
        print(f"{time.perf_counter() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
