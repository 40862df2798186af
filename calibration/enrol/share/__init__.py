"""Shared tracings: dungeons and fingerprints of cards, without pictures."""
