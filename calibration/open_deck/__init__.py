"""The open deck: Waymark's own cards, drawn by its own code (art CC BY 4.0, code MIT)."""

from pathlib import Path


def bundled_catalogue() -> Path:
    """The folder of the catalogue shipped with Waymark (`catalogue.json`, `art/`, `missions/`)."""
    return Path(__file__).parent / "catalogue"
