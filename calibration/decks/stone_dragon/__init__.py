"""An open, playable set for Stone Dragon: panels, cards and numbers designed for Waymark."""
