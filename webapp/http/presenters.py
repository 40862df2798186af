"""Presenters of games: in the reader's language, with the cards in use."""

from __future__ import annotations

from webapp.games.final_view import FinalView, final_view
from webapp.games.view import GameView, game_view
from webapp.http.languages import current_language
from webapp.http.services import services
from webapp.store.models import Game


def shown_game(game: Game) -> GameView:
    """View of a game's current state."""
    return game_view(game, services().shelf.catalogue_of(game.deck), current_language())


def shown_final(game: Game) -> FinalView:
    """View of a game's final score, or of its current standing."""
    return final_view(shown_game(game), current_language())
