"""From pixels to a record: photo, cards, layout, ink, path. Pieces, planes, lines and places; no rules."""
