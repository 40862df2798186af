"""Quayside, a small board game: boats sail canals of turning tiles, and bring goods ashore."""

from pathlib import Path

from scorer.translations import add_translations

add_translations(Path(__file__).parent / "translations")

from quayside.game import GAME  # noqa: E402

__all__ = ["GAME"]
