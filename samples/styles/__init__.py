"""Decks in any number of drawing styles: dungeons of chance, drawn on cards of any size with their truth."""
