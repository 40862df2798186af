"""Held means from a correction or an answer: saved with the player's round, or with a tableau outside a
game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from webapp.games import games
from webapp.store.boxes import group_of, only, rules_of, with_usual
from webapp.store.kinds import rejudge
from webapp.store.models import Tableau


def hold(session: Session, catalogue: Catalogue, tableau: Tableau, held: Mapping[str, Any]) -> None:
    """Save held means, by ids of the game's terms, with the player's round, or with a tableau outside a
    game."""
    rules = rules_of(tableau)
    names = group_of(rules, "held")
    if tableau.entry is not None:
        usual = with_usual(rules, {}, "held")
        games.set_held(session, catalogue, tableau.entry, {**usual, **only(held, names)})
        return
    told = only(rules.rules.settings.values(rules.rules.settings.make(only(held, names))), names)
    others = {name: value for name, value in tableau.terms.items() if name not in names}
    tableau.terms = msgspec.to_builtins({**others, **told})
    rejudge(session, catalogue, tableau)
