"""The open sets of cards and pieces: declarations, drawing, building, checking and printing."""
