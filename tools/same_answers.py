"""Regression comparison of two versions: photos and records, their answers, and where the answers differ.

    python -m tools.same_answers make DIR --photos 100
    python -m tools.same_answers ask DIR --program old/.venv/bin/waymark --out old.json
    python -m tools.same_answers ask DIR --program .venv/bin/waymark --out new.json
    python -m tools.same_answers compare old.json new.json

`make` writes inputs: the shipped photos, rendered ones, and random records of every game. `ask` gives them to
the command line of one version, a batch at a time, and continues where it stopped. `compare` lists the
inputs whose answers differ, and by which fields; times are left out, and with `--words` sentences count, too.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from calibration.open_deck import bundled_catalogue
from samples.ice_and_idols import states as ice_and_idols_states
from samples.ice_and_idols.tables import open_temple
from samples.labyrinth2 import states as labyrinth2_states
from samples.labyrinth2.tables import open_tiles
from samples.stone_dragon import states as stone_dragon_states
from samples.stone_dragon.tables import open_panels
from scorer.board_record import to_json as board_json
from scorer.catalogue import load_catalogue
from scorer.record import to_json
from waymark.bench_cooperative import random_table
from waymark.bench_rulings import random_records

ROOT = Path(__file__).parents[1]
#: Rendered photos: folder, split of the compositor, share of all rendered photos.
SPLITS = (
    ("mapmasters", "tuning-evening", 0.72),
    ("cooperative", "tuning-cooperative", 0.14),
    ("labyrinth2", "tuning-labyrinth2", 0.06),
    ("ice_and_idols", "tuning-ice-and-idols", 0.04),
    ("stone_dragon", "tuning-stone-dragon", 0.04),
)
SHIPPED = {
    "mapmasters": "photos",
    "cooperative": "group_photos",
    "labyrinth2": "labyrinth2_photos",
    "ice_and_idols": "ice_and_idols_photos",
    "stone_dragon": "stone_dragon_photos",
}
BOARDS = ("labyrinth2", "ice_and_idols", "stone_dragon")
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic")
BATCH = 200
#: Fields that differ from run to run, and those that are sentences.
TIMES = {"timings_ms"}
WORDS = {"message", "reason", "options", "event", "warnings", "notation", "text", "words", "explanation"}


def make(folder: Path, photos: int, records: int, first: int, seed: int) -> None:
    """Writes photos to `folder`/photos/GAME and records to `folder`/records/GAME."""
    for game, name in SHIPPED.items():
        target = folder / "photos" / game
        target.mkdir(parents=True, exist_ok=True)
        for file in sorted((ROOT / "samples" / name).iterdir()):
            shutil.copy(file, target / f"shipped-{file.name}")
    for game, split, share in SPLITS:
        count = str(max(1, round(photos * share)))
        target = folder / "photos" / game
        command = ["-m", "samples.compositor", "--split", split, "--first", str(first), "--count", count]
        subprocess.run([sys.executable, *command, "--out", str(target)], check=True, cwd=ROOT)
    deck = load_catalogue(bundled_catalogue())
    rng = np.random.default_rng(seed)
    write(folder, "mapmasters", [to_json(each) for each in random_records(deck, records * 7 // 10, rng)])
    tables = [msgspec.json.encode(random_table(deck, rng)) for _ in range(records // 10)]
    write(folder, "cooperative", tables)
    for game, states, catalogue in (
        ("labyrinth2", labyrinth2_states, open_tiles()),
        ("ice_and_idols", ice_and_idols_states, open_temple()),
        ("stone_dragon", stone_dragon_states, open_panels()),
    ):
        drawn = [states.random_state(catalogue, rng) for _ in range(records // 15)]
        write(folder, game, [board_json(states.record_of(each, catalogue)) for each in drawn])


def write(folder: Path, game: str, records: list[bytes]) -> None:
    """Write records as numbered files of their game."""
    target = folder / "records" / game
    target.mkdir(parents=True, exist_ok=True)
    for number, record in enumerate(records):
        (target / f"{number:05}.json").write_bytes(record)


def batches(folder: Path) -> Iterator[tuple[list[str], list[Path]]]:
    """For each call of the program: its arguments and the inputs that follow them."""
    for game in SHIPPED:
        records = sorted((folder / "records" / game).glob("*.json"))
        for start in range(0, len(records), BATCH):
            yield ["referee"], records[start : start + BATCH]
    for game in SHIPPED:
        photos = sorted(f for f in (folder / "photos" / game).iterdir() if f.suffix.lower() in PICTURES)
        if game == "cooperative":
            for photo in photos:
                yield ["score", "--table", str(photo.with_suffix(".table.json"))], [photo]
        elif game in BOARDS:
            yield ["score", "--catalogue", str(folder / "catalogues" / game)], photos
        else:
            for start in range(0, len(photos), 8):
                yield ["score"], photos[start : start + 8]


def ask(folder: Path, program: str, out: Path) -> None:
    """The program's answers to all inputs, by their path within `folder`, as one JSON object in `out`."""
    answers: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {}
    for game in BOARDS:
        catalogue = folder / "catalogues" / game
        if not catalogue.exists():
            command = [program, "deck", "export", str(catalogue), "--game", game]
            subprocess.run(command, check=True, capture_output=True)
    for photo in (folder / "photos" / "cooperative").glob("*.jpg"):
        truth = json.loads(photo.with_suffix(".truth.json").read_text())
        photo.with_suffix(".table.json").write_text(json.dumps(truth["tableau"]))
    for arguments, inputs in batches(folder):
        names = [str(each.relative_to(folder)) for each in inputs]
        if not names or all(name in answers for name in names):
            continue
        command = [program, *arguments, *map(str, inputs), "--json", "-", "--lang", "en"]
        told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        found = json.loads(told)
        answers |= dict(zip(names, found if len(names) > 1 else [found], strict=True))
        out.write_text(json.dumps(answers))
        print(f"{len(answers)} answers", end="\r", file=sys.stderr)


def without(answer: Any, dropped: set[str]) -> Any:
    """An answer without the fields of these names, at any depth."""
    if isinstance(answer, dict):
        kept = {
            key: value
            for key, value in answer.items()
            if key.removesuffix("_en").removesuffix("_ja") not in dropped
        }
        return {key: without(value, dropped) for key, value in kept.items()}
    if isinstance(answer, list):
        return [without(value, dropped) for value in answer]
    return answer


def differences(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Paths of the fields in which two answers differ, without list indices."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from differences(before.get(key), after.get(key), f"{path}.{key}".lstrip("."))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for one, other in zip(before, after, strict=True):
            yield from differences(one, other, path)
    elif before != after:
        yield path


def compare(before: Path, after: Path, words: bool) -> int:
    """Print the answers that differ with their fields; returns 0 where none does."""
    dropped = TIMES if words else TIMES | WORDS
    old, new = json.loads(before.read_text()), json.loads(after.read_text())
    fields: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for name in sorted(old.keys() | new.keys()):
        found = set(differences(without(old.get(name), dropped), without(new.get(name), dropped)))
        kinds["/".join(Path(name).parts[:2])] += bool(found)
        fields.update(found)
        if found:
            print(f"{name}: {', '.join(sorted(found)[:8])}")
    for kind, count in sorted(kinds.items()):
        total = sum(name.startswith(kind) for name in old.keys() | new.keys())
        print(f"{kind}: {total - count} of {total} the same")
    print("fields:", ", ".join(f"{name} {count}" for name, count in fields.most_common(12)) or "none")
    return int(any(kinds.values()))


def main() -> int:
    """Run one of the three commands by its name."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(dest="step", required=True)
    making = steps.add_parser("make")
    making.add_argument("folder", type=Path)
    making.add_argument("--photos", type=int, default=140)
    making.add_argument("--records", type=int, default=5000)
    making.add_argument("--first", type=int, default=70_000)
    making.add_argument("--seed", type=int, default=1)
    asking = steps.add_parser("ask")
    asking.add_argument("folder", type=Path)
    asking.add_argument("--program", required=True)
    asking.add_argument("--out", type=Path, required=True)
    comparing = steps.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--words", action="store_true")
    args = parser.parse_args()
    if args.step == "make":
        make(args.folder, args.photos, args.records, args.first, args.seed)
    elif args.step == "ask":
        ask(args.folder, args.program, args.out)
    else:
        return compare(args.before, args.after, args.words)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
