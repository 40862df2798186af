"""Enrolment of a board game's pieces: from photos of the pieces to a catalogue."""
