"""Ice and Idols: the referee of its temple, research track, turns and final score.

Its rules stand in docs/ICE_AND_IDOLS.md."""
