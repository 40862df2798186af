"""How long reading takes, against the bare decoder: large and small photos, many cards, a large catalogue.

    .venv/bin/python -m tools.time_reading --out out/times [--tables 8] [--times 3]

draws what it needs once (tables of five cards in 12 and in 4 megapixels, tables of 40 cards, a catalogue of
1,250) and reads it in a process of its own for each kind. A photo's time is its best of a few, wall and
processor; beside it stands the decoder's for the same file in the same run, for a busy machine slows both.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

import cv2
import msgspec
import numpy as np

from samples import ink
from samples.camera import write_photo
from samples.compositor import photograph
from samples.deck import card_face, open_deck
from samples.drawing import path_strokes
from samples.layouts import posed, table_to_card_true
from samples.projection import card_corners_mm, card_to_table, table_to_photo
from samples.restyled_deck import restyled
from samples.sample import Sample
from samples.scenes import make_sample
from samples.shooting import BIG_SIZE, SIZES
from samples.truth import write_truth
from samples.walks import draw_walk
from scorer.catalogue import load_catalogue
from scorer.dungeon import build_dungeon
from scorer.record import PlacedCard, make_record
from waymark.bench import worker
from waymark.bench.truth import read_truth
from waymark.cluster import deck_name, local_workers

#: Tables of the tuning split from here on; those with five cards are taken.
FIRST = 200
COLUMNS, ROWS = 8, 5
STYLES = 9


def write(sample: Sample, stem: Path) -> None:
    """Render a sample and write it as a plain JPEG with its truth."""
    post = msgspec.structs.replace(sample.scene.post, copy=None, format="jpeg", exif_orientation=1)
    scene = msgspec.structs.replace(sample.scene, post=post)
    photo = write_photo(photograph(scene, sample.images.__getitem__), stem, scene.post, scene.camera)
    write_truth(dataclasses.replace(sample, scene=scene), photo, renderer="compositor")


def five_cards() -> Iterator[Sample]:
    """Endless stream of synthetic samples with five cards."""
    index = FIRST
    while True:
        sample = make_sample("tuning", index)
        if len(sample.scene.cards) == 5:
            yield sample
        index += 1


def in_size(sample: Sample, size: tuple[int, int]) -> Sample:
    """The same table, photographed with another number of pixels."""
    camera = sample.scene.camera
    width, height = size if camera.width > camera.height else size[::-1]
    camera = msgspec.structs.replace(camera, width=width, height=height)
    return dataclasses.replace(sample, scene=msgspec.structs.replace(sample.scene, camera=camera))


def forty_cards(seed: int) -> Sample:
    """A tableau of forty cards with a path, in the light of a table of five cards."""
    deck, rng, usual = open_deck(), np.random.default_rng(seed), make_sample("tuning", FIRST + seed)
    width, height = deck.card_size_mm
    cards = [deck.cards[k] for k in rng.permutation(len(deck.cards))[: COLUMNS * ROWS]]
    placed = tuple(
        PlacedCard(card.id, width * (k % COLUMNS), height * (k // COLUMNS), 180 if rng.random() < 0.4 else 0)
        for k, card in enumerate(cards)
    )
    dungeon = build_dungeon(deck, placed)
    lying = [posed(deck, card, rng) for card in placed]
    drawn = draw_walk(dungeon, rng, legal=True)
    assert drawn is not None
    strokes = path_strokes(dungeon, lying, drawn.strokes, usual.pen, rng)
    images = {card.face: card_face(deck, deck.card(card.card)) for card in lying}
    for k, card in enumerate(lying):
        film = ink.film(strokes, partial(table_to_card_true, card), card.size_mm, usual.pen, k)
        if float(film.max()) > 0:
            images[f"ink{k}.png"] = ink.overlay(film, usual.pen)
            lying[k] = msgspec.structs.replace(card, ink=f"ink{k}.png")
    corners = np.vstack([card_to_table(card, card_corners_mm(card)) for card in lying])
    middle = (width * COLUMNS / 2, height * ROWS / 2)
    camera = msgspec.structs.replace(
        usual.scene.camera,
        **{"width": BIG_SIZE[0], "height": BIG_SIZE[1], "target_mm": middle, "distance_mm": 300.0},
        **{"tilt_deg": 10.0, "azimuth_deg": 90.0, "roll_deg": -90.0},
    )
    rim = 60
    while True:
        seen = table_to_photo(camera, corners)
        if (seen >= rim).all() and (seen <= np.array(BIG_SIZE) - rim).all():
            break
        camera = msgspec.structs.replace(camera, distance_mm=camera.distance_mm * 1.02)
    camera = msgspec.structs.replace(camera, focus_mm=camera.distance_mm)
    scene = msgspec.structs.replace(usual.scene, cards=tuple(lying), others=(), props=(), camera=camera)
    record = make_record(placed, drawn.strokes, catalogue=deck.name)
    lines = tuple(stroke.points_mm for stroke in strokes if stroke.kind == "path")
    return Sample("tuning", usual.seed, scene, images, record, lines, usual.pen, legal=True)


def large_catalogue(folder: Path) -> None:
    """A catalogue with the open deck and nine times as many decoy faces: mirrored and in other styles."""
    deck = open_deck()
    plain = json.loads((deck.folder / "catalogue.json").read_text()) if deck.folder else {}
    drawn = list(plain["cards"])
    for card, told in zip(deck.cards, plain["cards"], strict=True):
        art = deck.art_path(card)
        (folder / card.art).parent.mkdir(parents=True, exist_ok=True)
        (folder / card.art).write_bytes(art.read_bytes())
        face = np.ascontiguousarray(np.asarray(cv2.imread(str(art), cv2.IMREAD_COLOR), np.uint8)[:, ::-1])
        for style in range(STYLES):
            name = f"style-{style}/{card.id}.jpg"
            (folder / name).parent.mkdir(exist_ok=True)
            cv2.imwrite(str(folder / name), restyled(face, card, deck.card_size_mm[0], 1000 + style))
            drawn.append(told | {"id": f"{card.id}-{style}", "art": name})
    (folder / "catalogue.json").write_text(json.dumps(plain | {"name": "large", "cards": drawn}))


def draw(out: Path, tables: int) -> None:
    """Create the inputs that do not exist yet."""
    for name, size in (("large", BIG_SIZE), ("small", SIZES[0])):
        if not (out / name).exists():
            (out / name).mkdir(parents=True)
            for k, sample in zip(range(tables), five_cards(), strict=False):
                write(in_size(sample, size), out / name / f"table-{k}")
    if not (out / "many").exists():
        (out / "many").mkdir()
        for seed in range(2):
            write(forty_cards(seed), out / "many" / f"many-{seed}")
    if not (out / "catalogue" / "catalogue.json").exists():
        large_catalogue(out / "catalogue")


def read_all(folder: Path, catalogue: Path | None, times: int) -> list[worker.Read]:
    """Read every photo of a folder in one process of its own; returns the shortest of several times for
    each."""
    deck = load_catalogue(catalogue) if catalogue else open_deck()
    name = deck_name(catalogue) if catalogue else None
    best = []
    with local_workers(1, [name]) as (pool, _):
        for photo in sorted(folder.glob("*.jpg")):
            seen = read_truth(photo.with_suffix(".truth.json"), [open_deck(), deck])
            reads = [pool.submit(worker.read, photo, name, seen, ()).result() for _ in range(times + 1)]
            # the first one fetches the art of its cards
            best.append(min(reads[1:], key=lambda read: read.cpu_seconds))
    return best


def tell(what: str, reads: list[worker.Read]) -> None:
    """Print one line of medians."""
    walls = [read.seconds / read.decode_seconds for read in reads if read.decode_seconds]
    cpus = [read.cpu_seconds / read.decode_cpu_seconds for read in reads if read.decode_cpu_seconds]
    print(
        f"{what:28} n {len(reads):2}  {median(read.seconds for read in reads):6.3f} s "
        f"({median(walls):5.1f} decodes)  {median(read.cpu_seconds for read in reads):6.3f} s of processor "
        f"({median(cpus):5.1f} decodes)  at most {max(read.peak_mb for read in reads):4.0f} MB",
        flush=True,
    )


def main() -> None:
    """Create the inputs, read them and print the times."""
    parser = argparse.ArgumentParser(description="How long reading takes")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    draw(options.out, options.tables)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for what, folder, catalogue in (
        ("12 megapixels, 5 cards", "large", None),
        ("4 megapixels, 5 cards", "small", None),
        ("the same 12, 1,250 cards", "large", options.out / "catalogue"),
        ("12 megapixels, 40 cards", "many", None),
    ):
        tell(what, read_all(options.out / folder, catalogue, options.times))


if __name__ == "__main__":
    main()
