"""Tracing of dungeons: a person draws the graph over the picture of a card."""
