"""Proposal of a card's dungeon graph from the image of its face, kept as a draft until a person confirms
it."""
