"""An open set of Stone Dragon: panels, cards and numbers of our own, made to be played."""
