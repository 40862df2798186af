"""Labyrinth 2, the treasure the dragon guards: the referee of its boards, turns and final score.

Its rules stand in docs/LABYRINTH2.md."""
