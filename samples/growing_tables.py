"""One cooperative table photographed as it grows: a mission played by the program that plays them, a photo
each time that a group has drawn, always of the same cards, pens and lines on the same ground.

`python -m samples.growing_tables --mission M02 --seed 1 --out DIR` writes the photos of a mission that is
won, numbered, with their truths; with `--lost` the last line of one runs into a dead end instead."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np

from calibration.missions.play import Game
from samples import ink
from samples.compositor import photo_of
from samples.cooperative import OWN_INKS, camera_over, card_faces, pieces_on, with_ink
from samples.deck import open_deck
from samples.drawing import path_strokes
from samples.layouts import NoScene, posed
from samples.played_missions import PlayedTable, stopped, wandered
from samples.sample import GroupLine, Sample
from samples.scene_schema import Camera, Finish, Scene, SceneCard, Table
from samples.shooting import random_light, random_post
from samples.splits import Split
from samples.truth import write_truth
from scorer.catalogue import Catalogue
from scorer.dungeon import build_dungeon
from scorer.mapmasters.cooperative import CoopSettings, referee
from scorer.mapmasters.cooperative.rules.mission import load_mission
from scorer.mapmasters.cooperative.rules.record import GroupPath, TableRecord
from scorer.record import make_record

#: Small photos, which are read in little time: cards are tall enough in them all the same.
SIZE = (1600, 1200)
SPLIT: Split = "tuning-cooperative"


def growing_records(
    catalogue: Catalogue, mission_id: str, seed: int, *, lost: bool = False
) -> list[TableRecord]:
    """The table each time that a line was drawn; `lost`: with one in the last one's place that runs into a
    dead end. Raises `ValueError` where this game has no such."""
    mission = load_mission(catalogue, mission_id)
    whole = Game(catalogue, mission, "normal", seed).play().record
    counts = [1 + max(_card(name) for stroke in path.path for name in stroke) for path in whole.paths]
    counts = [max(counts[: k + 1]) for k in range(len(counts))]
    tables = [
        msgspec.structs.replace(
            stopped(catalogue, mission, whole, count), mission=mission_id, paths=whole.paths[: k + 1]
        )
        for k, count in enumerate(counts)
    ]
    if lost:
        tables[-1] = _lost(catalogue, tables[-1], seed)
    return tables


def _card(name: str) -> int:
    return int(name.partition(".")[0])


def _lost(catalogue: Catalogue, table: TableRecord, seed: int) -> TableRecord:
    """The table with another last line, by the same group, at a dead end."""
    last = table.paths[-1].group
    before = msgspec.structs.replace(table, paths=table.paths[:-1])
    dungeon = build_dungeon(catalogue, [card.placed for card in table.cards])
    for walk in wandered(before, dungeon, np.random.default_rng(seed)):
        astray = GroupPath(group=last, path=(walk,))
        record = msgspec.structs.replace(before, paths=(*before.paths, astray))
        ruling = referee(catalogue, record, "normal", CoopSettings())
        if (ruling.mission.result, ruling.mission.reason) == ("lost", "dead-end"):
            return record
    raise ValueError("no line of this table runs into a dead end")


def growing_photos(catalogue: Catalogue, records: list[TableRecord], seed: int) -> Iterator[Sample]:
    """A photo of each of these tables, which are states of one."""
    rng = np.random.default_rng([seed, 1])
    names = [group.group for group in records[0].groups]
    pens = {name: ink.Pen.random(rng, OWN_INKS[name]) for name in names}
    light = random_light(SPLIT, rng)
    finish = Finish(gloss=0.2, linen=0.4, wear=0.1)
    whole = [
        posed(catalogue, card.placed, np.random.default_rng([seed, 2, number]))
        for number, card in enumerate(records[-1].cards)
    ]
    for stage, told in enumerate(records):
        groups = tuple(
            msgspec.structs.replace(group, colour=pens[group.group].colour) for group in told.groups
        )
        record = msgspec.structs.replace(told, groups=groups)
        cards = whole[: len(record.cards)]
        dungeon = build_dungeon(catalogue, [card.placed for card in record.cards])
        table = PlayedTable(record, dungeon, referee(catalogue, record, "normal", CoopSettings()))
        drawn: dict[str, list[ink.Stroke]] = {}
        for number, path in enumerate(record.paths):
            own = np.random.default_rng([seed, 3, number])
            strokes = path_strokes(dungeon, cards, path.path, pens[path.group], own)
            drawn.setdefault(path.group, []).extend(strokes)
        images = card_faces(catalogue, cards)
        cards = with_ink(cards, drawn, pens, images, seed)
        rng = np.random.default_rng([seed, 4, stage])
        scene = Scene(
            seed=seed,
            cards=tuple(cards),
            props=tuple(pieces_on(table, record, cards, pens, rng)),
            table=Table("wood", seed),
            light=light,
            camera=_camera(whole, seed, stage),
            finish=finish,
            post=msgspec.structs.replace(random_post(rng, seed), format="jpeg"),
        )
        lines = tuple(
            GroupLine(name, pens[name], tuple(each.points_mm for each in drawn.get(name, ())))
            for name in names
        )
        yield Sample(
            SPLIT,
            seed + stage,
            scene,
            images,
            make_record(tuple(card.placed for card in record.cards), catalogue=catalogue.name),
            tuple(points for line in lines for points in line.points_mm),
            pens[record.paths[0].group],
            table.ruling.legal,
            groups=lines,
            table=record,
        )


def _camera(cards: list[SceneCard], seed: int, stage: int) -> Camera:
    """A phone held over all that will lie there, somewhere else each time."""
    for attempt in range(40):
        with suppress(NoScene):
            return camera_over(cards, np.random.default_rng([seed, 5, stage, attempt]), False, (SIZE,))
    raise NoScene


def main() -> None:
    """Write the photos of one mission."""
    parser = argparse.ArgumentParser(description="Photos of one cooperative table as it grows")
    parser.add_argument("--mission", default="M02")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lost", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    catalogue = open_deck()
    records = growing_records(catalogue, options.mission, options.seed, lost=options.lost)
    for number, sample in enumerate(growing_photos(catalogue, records, options.seed), 1):
        stem = options.out / f"{options.mission}-{'lost' if options.lost else 'won'}-{number}"
        photo = photo_of(sample.scene, sample.images, stem)
        write_truth(sample, photo, renderer="compositor")
        print(photo)


if __name__ == "__main__":
    main()
