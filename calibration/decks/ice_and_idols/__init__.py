"""An open set of Ice and Idols: tiles, map, track, cards and numbers of our own, made to be played."""
