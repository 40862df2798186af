"""Pictures for people: what was read and ruled, drawn on the photo."""
