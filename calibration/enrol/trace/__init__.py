"""Tracing: a dungeon drawn by a person over the picture of a card."""
