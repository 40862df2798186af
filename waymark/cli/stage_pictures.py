"""`waymark scan --stages DIR`: output folders and drawing of the pictures of each reading stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from waymark.cli.answers import wrong_usage

if TYPE_CHECKING:
    from scorer.catalogue import Catalogue


def stage_folders(stages: str | None, photos: Sequence[str]) -> list[Path | None]:
    """The output folder of each photo: `stages` itself for one photo, else folders in it named after the
    photos. Names are numbered where two photos share one. Raises `WaymarkError` (usage)."""
    if stages is None:
        return [None] * len(photos)
    target = Path(stages)
    if target.exists() and not target.is_dir():
        raise wrong_usage("usage.stages_folder", file=stages)
    if len(photos) == 1:
        return [target]
    stems = [Path(photo).stem for photo in photos]
    return [
        target / (stem if stems.count(stem) == 1 else f"{stem}-{number}")
        for number, stem in enumerate(stems, 1)
    ]


@contextmanager
def drawn_stages(folder: Path | None, catalogue: Callable[[], Catalogue]) -> Iterator[None]:
    """Context that draws the stages of the scan in its block into `folder`, as far as the scan came;
    nothing for None.

    Raises `WaymarkError` (not-writable)."""
    if folder is None:
        yield
        return
    from vision.stage_pictures import Stages, draw_stages
    from vision.trace import collected

    with collected() as made:
        try:
            yield
        finally:
            draw_stages(Stages(**made), catalogue(), folder)
