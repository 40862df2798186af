"""Reassignment of a tableau whose photo was taken for the wrong player or outside the game.

The function works inside the caller's transaction."""

from __future__ import annotations

from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.games import games
from webapp.games.manual_scores import take_ruling
from webapp.games.score_sheet import live_tableau
from webapp.store.models import Entry, Tableau
from webapp.store.tableaus import assessment_of, current_revision, revise, touch
from webapp.tableaus.answers import changed_meanwhile


def move(session: Session, catalogue: Catalogue, tableau: Tableau, to: Entry | None, version: int) -> None:
    """Move a tableau with its photos, corrections and claims to another player; it is refereed with that
    player's means. If that round has a tableau, the two are swapped, so that moving back undoes it. Typed
    scores stay in both rounds. None takes it out of its game.

    Raises `WaymarkError`: conflict where the tableau has changed since the given version, other-game where
    `to` is no round of the same game, has-photo where it has a tableau and this one comes from no game."""
    if tableau.version != version:
        raise changed_meanwhile()
    here = tableau.entry
    if here is to:
        return
    if here is not None and to is not None and here.round.game_id != to.round.game_id:
        raise WaymarkError(
            Code.OTHER_GAME,
            Text("A photo can only go to another player of the same game; choose one of them."),
        )
    there, other = (to.tableau, live_tableau(to)) if to is not None else (None, None)
    if here is None and other is not None:
        raise WaymarkError(
            Code.HAS_PHOTO,
            Text("That player has a photo already; delete it there first, or choose another player."),
        )
    # Set by ids: the journal records columns. A round has one tableau at a time.
    if there is not None:
        if other is not None:
            tableau.entry_id = None
            session.flush()
        there.entry_id = here.id if other is not None and here is not None else None
        session.flush()
    tableau.entry_id = to.id if to is not None else None
    session.flush()
    for row, relation in ((here, "tableau"), (to, "tableau"), (tableau, "entry"), (there, "entry")):
        if row is not None:
            session.expire(row, [relation])
    for entry in (here, to):
        if entry is not None:
            _score(session, catalogue, entry)
    if to is None:
        _with_means_of_now(session, catalogue, tableau)
        touch(tableau)


def _score(session: Session, catalogue: Catalogue, entry: Entry) -> None:
    """Update the round's score from its new tableau; without a ruling the score is emptied, unless typed."""
    tableau = live_tableau(entry)
    if tableau is not None:
        _with_means_of_now(session, catalogue, tableau)
        touch(tableau)
    if (tableau is None or tableau.ruling is None) and not entry.typed:
        take_ruling(entry)
    games.touch(entry.round.game)


def _with_means_of_now(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """Referee the tableau with its new player's means. The current revision is repeated with these means, so
    that a later undo does not restore another player's means."""
    stands = current_revision(tableau)
    assessment = assessment_of(session, catalogue, tableau)
    if stands is None or assessment is None:
        return
    while stands.kind == "means" and stands.before is not None:
        stands = next(each for each in tableau.revisions if each.number == stands.before)
    revise(
        session,
        catalogue,
        tableau,
        assessment.record,
        kind=stands.kind,
        answered=tableau.answered,
        before=stands.before,
    )
