"""Faces of a deck from photos of its cards: found, cut out, told apart, merged and kept."""
