"""A board game's own box: photos of its pieces become a catalogue."""
