"""`waymark scan --stages DIR`: where the pictures of each photo's stages go, and when they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from waymark.cli.answers import wrong_usage

if TYPE_CHECKING:
    from scorer.catalogue import Catalogue


def stage_folders(stages: str | None, photos: Sequence[str]) -> list[Path | None]:
    """A folder for each photo: `stages` itself for one photo; for several, folders in it that are called as
    their photos, numbered where two share a name. Raises `WaymarkError` (usage).
    """
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
    """Draw what the scan in this block made into `folder`, as far as it came; nothing where that is None.

    Raises `WaymarkError` (not-writable).
    """
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
