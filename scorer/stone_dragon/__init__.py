"""Labyrinth of Stone Dragon (2015): the referee of its boards, turns and final score.

Its rules stand in docs/STONE_DRAGON.md."""
