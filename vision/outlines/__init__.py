"""Outlines: cards and loose pieces found by their edges alone, without a catalogue."""
