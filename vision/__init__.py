"""Reading of photos into records: photo, cards, layout, ink, path. It knows pieces and places, but no game
rules."""
