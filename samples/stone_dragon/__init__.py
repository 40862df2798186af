"""Positions and tables of the game."""
