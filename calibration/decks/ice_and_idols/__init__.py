"""An open, playable set for Ice and Idols: tiles, map, track, cards and numbers designed for Waymark."""
