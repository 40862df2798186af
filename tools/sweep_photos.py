"""How long the reader takes over spoilt photos: every shipped photo blurred, noisy, dark, small, cluttered.

    .venv/bin/python -m tools.sweep_photos --out out/sweep.jsonl [--photo table-05] [--spoilt blur] [--most 9]

reads each shipped photo of each game in each way that it is spoilt, one after the other, and adds a line to
the file for each: what came of it, and the processor time that it took. What stands there already is not read
again, so that a sweep that was stopped goes on. Prints the slowest; exit status 1 where one took longer than
`MOST_SECONDS`. `--answers` keeps what was read, to compare two versions of the reader with.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import WaymarkError
from scorer.games import game_named, game_told
from scorer.play_kinds import TABLEAU, play_kind
from vision.photo.decode import Photo, load_photo
from waymark.bench.truth import find_photos
from waymark.review.boards.assess import read_board
from waymark.review.groups import read_groups
from waymark.review.pipeline import read_table

Pixels = NDArray[np.uint8]

SAMPLES = Path(__file__).parents[1] / "samples"
#: Limit of processor time for one photo, in seconds.
MOST_SECONDS = 5.0
#: Processor time (seconds) after which a reading is stopped as hanging.
_HANGS_SECONDS = 30.0
_SHOWN = 15


def blurred(pixels: Pixels, sigma_px: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma_px), np.uint8)


def noisy(pixels: Pixels, sigma: float) -> Pixels:
    """The photo with Gaussian noise of this standard deviation (grey values)."""
    added = np.random.default_rng(1).normal(0, sigma, pixels.shape).astype(np.float32)
    return (pixels + added).clip(0, 255).astype(np.uint8)


def darkened(pixels: Pixels, share: float) -> Pixels:
    """The photo with this share of its light, and the sensor noise of a phone in the dark."""
    return noisy((pixels * share).astype(np.uint8), 4.0)


def resized(pixels: Pixels, factor: float) -> Pixels:
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=way), np.uint8)


def cluttered(pixels: Pixels, count: float) -> Pixels:
    """The photo with this number of scribbles in pen colours, and half as many covering objects."""
    rng, drawn = np.random.default_rng(2), pixels.copy()
    height, width = pixels.shape[:2]
    pens = [(40, 30, 30), (150, 60, 20), (30, 30, 190), (40, 130, 30)]
    thick = max(2, round(max(height, width) / 500))
    for number in range(round(count)):
        steps = rng.normal(0, 0.025 * max(height, width), (14, 2)).cumsum(axis=0)
        line = (steps + rng.uniform((0, 0), (width, height))).astype(np.int32)
        cv2.polylines(drawn, [line], False, pens[number % len(pens)], thick, cv2.LINE_AA)
    for _ in range(round(count / 2)):
        at, size = rng.uniform((0, 0), (width, height)), rng.uniform(0.005, 0.03) * max(height, width)
        colour = [int(each) for each in rng.integers(20, 235, 3)]
        cv2.circle(drawn, (int(at[0]), int(at[1])), int(size), colour, -1, cv2.LINE_AA)
    return drawn


#: Ways to degrade a photo, each with its strengths.
SPOILT: dict[str, tuple[Callable[[Pixels, float], Pixels], tuple[float, ...]]] = {
    "as-shipped": (lambda pixels, _: pixels, (0.0,)),
    "blur": (blurred, (1.5, 3.0, 4.5, 6.0, 8.0, 11.0, 18.0)),
    "noise": (noisy, (15.0, 40.0, 80.0)),
    "dark": (darkened, (0.4, 0.2, 0.08)),
    "size": (resized, (0.25, 0.4, 0.6, 1.5)),
    "clutter": (cluttered, (15.0, 50.0, 150.0)),
}


def spoilt(photo: Photo, way: str, much: float) -> Photo:
    """The photo degraded in one of the ways of `SPOILT`."""
    change, _ = SPOILT[way]
    pixels = np.ascontiguousarray(change(photo.pixels, much))
    pixels.flags.writeable = False
    return Photo(pixels)


def reader_of(truth: Path) -> Callable[[Photo], Any]:
    """The reader for the photo of a truth file, as the app chooses it: cards, a table of groups, or a
    board."""
    told: dict[str, Any] = json.loads(truth.read_bytes())
    if "board" in told:
        board = _catalogue(game_named(told["board"]["game"]).bundled or bundled_catalogue())
        return lambda photo: read_board(photo, board)
    deck = _catalogue(bundled_catalogue())
    table: dict[str, Any] = told["tableau"]
    game = game_told(table.get("game", ""), table.get("mode", ""), deck.game)
    if play_kind(game) is TABLEAU:
        return lambda photo: read_table(photo, deck)
    people = {name: value for name, value in table.items() if name not in ("cards", "paths")}
    return lambda photo: read_groups([photo], deck, game, {"table": json.dumps(people).encode()})


_catalogues: dict[Path, Catalogue] = {}


def _catalogue(folder: Path) -> Catalogue:
    return _catalogues.setdefault(folder, _catalogues.get(folder) or load_catalogue(folder))


def read_timed(read: Callable[[Photo], Any], photo: Photo) -> tuple[float, Any]:
    """Processor time of a reading in seconds, and its result; a word where the photo was not read."""
    start = time.process_time()
    try:
        answer: Any = read(photo)
    except WaymarkError as error:
        answer = f"{error.code}"
    except _HangsError:
        answer = "hangs"
    return time.process_time() - start, answer


class _HangsError(BaseException):
    """Raised to stop a reading that does not end."""


def _stop(*_: object) -> None:
    raise _HangsError


def _plain(answer: Any) -> Any:
    """The result of a reading as plain data without its timings."""

    def without_times(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: without_times(each) for name, each in value.items() if name != "timings_ms"}
        return [without_times(each) for each in value] if isinstance(value, list | tuple) else value

    return without_times(msgspec.to_builtins(answer))


def _cases(folder: Path, photos: str, ways: Sequence[str]) -> Iterator[tuple[Path, Path, str, float]]:
    for photo, truth in find_photos(folder):
        if photos in str(photo):
            for way in ways:
                for much in SPOILT[way][1]:
                    yield photo, truth, way, much


def main(arguments: Sequence[str] | None = None) -> int:
    """Continue the sweep and print the slowest readings."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=SAMPLES)
    parser.add_argument("--photo", default="", help="only photos with this in their path")
    parser.add_argument("--spoilt", choices=SPOILT, action="append", help="only in this way")
    parser.add_argument("--most", type=int, default=10**9, help="so many readings, and no more for now")
    parser.add_argument("--answers", action="store_true", help="keep what was read")
    given = parser.parse_args(arguments)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    told = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(row["photo"], row["way"], row["much"]) for row in told}
    cv2.setNumThreads(1)
    signal.signal(signal.SIGPROF, _stop)
    left, last = given.most, (Path(), Photo(np.zeros((2, 2, 3), np.uint8)))
    for file, truth, way, much in _cases(given.folder, given.photo, given.spoilt or list(SPOILT)):
        name = file.relative_to(given.folder).as_posix()
        if (name, way, much) in done or left <= 0:
            continue
        left -= 1
        last = last if last[0] == file else (file, load_photo(file, whole=True))
        photo = spoilt(last[1], way, much)
        signal.setitimer(signal.ITIMER_PROF, _HANGS_SECONDS)
        seconds, answer = read_timed(reader_of(truth), photo)
        signal.setitimer(signal.ITIMER_PROF, 0)
        row = {"photo": name, "way": way, "much": much, "seconds": round(seconds, 2)}
        row |= _outcome(answer)
        if given.answers:
            row["answer"] = _plain(answer)
        told.append(row)
        with given.out.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
    return _tell(told)


def _outcome(answer: Any) -> dict[str, Any]:
    """Summary of a reading, with a checksum (CRC-32) for the comparison of two readings."""
    if isinstance(answer, str):
        return {"told": answer}
    plain = json.dumps(_plain(answer), sort_keys=True).encode()
    words = [each.en for each in answer.photo.warnings] if hasattr(answer, "photo") else []
    asked = [each.name for each in getattr(answer, "questions", ())]
    return {"told": "read", "sum": zlib.crc32(plain), "asked": asked, "warnings": words}


def _tell(rows: Sequence[dict[str, Any]]) -> int:
    slowest = sorted(rows, key=lambda row: -row["seconds"])
    over = [row for row in rows if row["seconds"] > MOST_SECONDS]
    print(f"{len(rows)} readings, {len(over)} over {MOST_SECONDS:.0f} s; the slowest:")
    for row in slowest[:_SHOWN]:
        print(f"{row['seconds']:7.2f} s  {row['photo']} {row['way']} {row['much']:g}: {row['told']}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
