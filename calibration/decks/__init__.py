"""Decks: declarations, drawing, building, checking and printing of the open sets."""
