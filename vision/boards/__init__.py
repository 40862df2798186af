"""Boards: plane, tiles, discs, figures and cards of board games, and the three kinds of board scan."""
