"""The parts of a game (`scorer.game.Game`), one module each."""
