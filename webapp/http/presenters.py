"""Games as the reader of what is being answered sees them: in their language, by the cards in use."""

from __future__ import annotations

from webapp.games.final_view import FinalView, final_view
from webapp.games.view import GameView, game_view
from webapp.http.languages import current_language
from webapp.http.services import services
from webapp.store.models import Game


def shown_game(game: Game) -> GameView:
    """A game as it stands."""
    return game_view(game, services().shelf.catalogue_of(game.deck), current_language())


def shown_final(game: Game) -> FinalView:
    """The end of a game, or how it stands."""
    return final_view(shown_game(game), current_language())
