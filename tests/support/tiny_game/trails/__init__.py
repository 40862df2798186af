"""Trails, a tiny game: nine square tiles, a fox, and the longest road that it can run."""

from trails.game import GAME

__all__ = ["GAME"]
