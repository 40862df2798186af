"""Trails, a tiny game: nine square tiles, a fox, and the longest road that it can run."""

from pathlib import Path

from scorer.translations import add_translations

add_translations(Path(__file__).parent / "translations")

from trails.game import GAME  # noqa: E402

__all__ = ["GAME"]
