"""Shared tracings: dungeons and fingerprints of a deck's cards, without pictures."""
