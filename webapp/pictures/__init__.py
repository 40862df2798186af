"""Pictures for people: the overlay, the final score, plots."""
