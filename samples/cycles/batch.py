"""Make a set of Cycles photos with truth, one after the other, in the background if you like.

``nice -n 15 python -m samples.cycles.batch --set tuning --count 12`` in the project's own environment; the
rendering itself runs in ``.cycles-venv``. Photos that are there already are skipped: a broken batch goes on.
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import camera as camera_model
from samples.board_truth import BoardSample, write_board_truth
from samples.sample import scene_folder
from samples.scene_schema import Scene
from samples.scenes import make_board_sample, make_sample
from samples.splits import BOARDS, Split
from samples.truth import write_truth
from scorer.catalogue import load_catalogue

ROOT = Path(__file__).resolve().parents[2]
CYCLES_PYTHON = ROOT / ".cycles-venv" / "bin" / "python"
RENDER_TIMEOUT_S = 3600.0


def render_linear(
    scene: Scene, images: Mapping[str, NDArray[np.uint8]], folder: Path, options: Sequence[str] = ()
) -> np.ndarray:
    """Hand the scene to Blender's own Python; (H, W, 3) float32 linear light. Raises `RuntimeError` where
    Cycles fails."""
    scene_folder(scene, images, folder)
    command = [str(CYCLES_PYTHON), "-m", "samples.cycles.render", str(folder), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=RENDER_TIMEOUT_S)
    if done.returncode != 0:
        raise RuntimeError(f"Cycles failed on {folder}:\n{done.stderr[-2000:]}")
    return np.asarray(np.load(folder / "render.npy"), dtype=np.float32)


def make_photo(
    split: str,
    index: int,
    out: Path,
    options: list[str],
    *,
    deck: Path | None,
    file_format: str | None,
    keep: bool,
) -> Path:
    """Scene, render, photo and truth of one index; the photo's path. ``keep`` leaves the scene there."""
    catalogue = load_catalogue(deck) if deck is not None else None
    board = split in BOARDS
    sample = (make_board_sample if board else make_sample)(split, index, catalogue)  # type: ignore[arg-type]
    if file_format:
        post = msgspec.structs.replace(sample.scene.post, format=file_format, exif_orientation=1)
        sample = dataclasses.replace(sample, scene=msgspec.structs.replace(sample.scene, post=post))
    stem = out / f"cycles-{split}-{index:04d}"
    work = out / ".scenes" / stem.name
    picture = camera_model.develop(
        render_linear(sample.scene, sample.images, work, options), sample.scene.post
    )
    photo = camera_model.write_photo(picture, stem, sample.scene.post, sample.scene.camera)
    if isinstance(sample, BoardSample):
        write_board_truth(sample, photo, renderer="cycles")
    else:
        write_truth(sample, photo, renderer="cycles")
    if not keep:
        shutil.rmtree(work)
    return photo


def main() -> None:
    parser = argparse.ArgumentParser(description="Cycles sample photos with truth")
    parser.add_argument("--set", choices=get_args(Split), default="tuning")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--first", type=int, default=0, help="first index within the set's own seeds")
    parser.add_argument("--indices", help="these, comma-separated, in place of --first and --count")
    parser.add_argument(
        "--format", choices=["jpeg", "heic", "png", "webp"], help="in place of the scene's own"
    )
    parser.add_argument("--deck", type=Path, help="a catalogue's folder (the open deck when not given)")
    parser.add_argument("--out", type=Path, help="folder (samples/sets/cycles-SET when not given)")
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--megapixels", type=float, default=4.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--keep", action="store_true", help="keep scene folders and linear renders under .scenes"
    )
    options = parser.parse_args()
    out = options.out or ROOT / "samples" / "sets" / f"cycles-{options.set}"
    out.mkdir(parents=True, exist_ok=True)
    passed_on = [
        "--samples",
        str(options.samples),
        "--megapixels",
        str(options.megapixels),
        "--threads",
        str(options.threads),
    ]
    indices = list(range(options.first, options.first + options.count))
    if options.indices:
        indices = [int(index) for index in options.indices.split(",")]
    for done, index in enumerate(indices, 1):
        name = f"cycles-{options.set}-{index:04d}"
        if (out / f"{name}.truth.json").exists():
            print(f"[{done}/{len(indices)}] {name} is there", flush=True)
            continue
        started = time.perf_counter()
        try:
            photo = make_photo(
                options.set,
                index,
                out,
                passed_on,
                deck=options.deck,
                file_format=options.format,
                keep=options.keep,
            )
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            # One bad scene must not end a night's batch.
            print(f"[{done}/{len(indices)}] {name} failed: {error}", file=sys.stderr, flush=True)
            continue
        print(f"[{done}/{len(indices)}] {photo.name} {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
