"""API of a tableau's review: its view, answers to its questions, the choice of the photo in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints

import msgspec
from sqlalchemy.orm import Session

from webapp.disputes.claims import delete_claim
from webapp.games.games import check_tableau_open
from webapp.http.api.endpoint import Looked, Version, endpoint, not_valid
from webapp.http.api.entries import open_entry
from webapp.http.languages import current_language
from webapp.http.services import read_session, services, write_session
from webapp.store.boxes import kind_of
from webapp.store.database import get_row, not_found
from webapp.store.models import Claim, Shot, Tableau
from webapp.store.tableaus import leave_pending, offer_pending
from webapp.tableaus.jobs import latest_errand
from webapp.tableaus.kinds import answer, reviewed
from webapp.tableaus.model import Answer, Rereading, Review, ReviewErrand, ReviewShot
from webapp.tableaus.moving import move
from webapp.tableaus.photo_view import review_shot
from webapp.tableaus.view import rereading_view


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of a tableau's photos, rescans and background jobs; a larger `version` means that the review
    has changed."""

    version: int
    shots: tuple[ReviewShot, ...]
    rereading: Rereading | None
    errand: ReviewErrand | None


class RestoreShot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Restore a deleted photo; `use`: its reading becomes the current one."""

    use: bool = False


class LeaveShot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`left`: the late photo is rejected and the current reading kept; false offers the photo again."""

    left: bool = True


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The entry that a tableau is moved to (None: outside games); `version` is the review's version."""

    entry_id: Annotated[str, msgspec.Meta(max_length=64)] | None
    version: Version


@endpoint("GET", "/tableaus/<tableau_id>/review")
def read_review(tableau_id: str) -> Review:
    """All that a reviewer needs: photo, cards, path, finds, questions with the score of each answer."""
    session = read_session()
    return _review(session, get_row(session, Tableau, tableau_id))


@endpoint("GET", "/tableaus/<tableau_id>/progress")
def read_progress(tableau_id: str) -> Progress:
    """The version and how far the photos have been read; cheap, for asking often."""
    session = read_session()
    tableau = get_row(session, Tableau, tableau_id)
    language, queue = current_language(), services().queue
    return Progress(
        version=tableau.version,
        shots=tuple(review_shot(session, shot, queue, language) for shot in tableau.shots),
        rereading=rereading_view(session, tableau, queue, language),
        errand=latest_errand(session, tableau, language),
    )


@endpoint("POST", "/tableaus/<tableau_id>/answers")
def give_answer(tableau_id: str, body: Answer) -> Review:
    """Settle a question of the reading; what was answered and corrected before stays."""
    change(tableau_id, answer, body)
    return read_review(tableau_id)


@endpoint("POST", "/tableaus/<tableau_id>/move")
def move_tableau(tableau_id: str, body: Move) -> Review:
    """Make the tableau another player's of the same game (one that is there takes its place), or bring it
    into a game or out of it."""
    with write_session() as session:
        tableau = get_row(session, Tableau, tableau_id)
        check_tableau_open(tableau)
        reviewed(tableau)
        if kind_of(tableau).shared:
            raise not_valid("a table that all players share is of its game")
        to = open_entry(session, body.entry_id) if body.entry_id is not None else None
        move(session, services().catalogue, tableau, to, body.version)
    return read_review(tableau_id)


@endpoint("POST", "/tableaus/<tableau_id>/shots/<shot_id>/use")
def use_shot(tableau_id: str, shot_id: str) -> Review:
    """Take a photo's reading as the tableau's, with what was corrected of it before."""
    with _changing(tableau_id, shot_id) as (session, shot):
        check_tableau_open(shot.tableau)
        reviewed(shot.tableau).use(session, services().catalogue, shot)
    return read_review(tableau_id)


@endpoint("POST", "/tableaus/<tableau_id>/shots/<shot_id>/leave")
def leave_shot(tableau_id: str, shot_id: str, body: LeaveShot) -> Review:
    """Leave the score as it is, whatever a photo says that waits beside it."""
    with _changing(tableau_id, shot_id) as (_session, shot):
        (leave_pending if body.left else offer_pending)(shot.tableau, shot)
    return read_review(tableau_id)


@endpoint("DELETE", "/tableaus/<tableau_id>/shots/<shot_id>")
def remove_shot(tableau_id: str, shot_id: str) -> Review:
    """Take a photo off its tableau; it is kept and can be restored."""
    with _changing(tableau_id, shot_id) as (session, shot):
        reviewed(shot.tableau).take_off(session, services().catalogue, shot)
    services().queue.wake()
    return read_review(tableau_id)


@endpoint("POST", "/tableaus/<tableau_id>/shots/<shot_id>/restore")
def bring_shot_back(tableau_id: str, shot_id: str, body: RestoreShot) -> Review:
    """Bring a photo back that was taken off."""
    with _changing(tableau_id, shot_id, deleted=True) as (session, shot):
        reviewed(shot.tableau).bring_back(session, services().catalogue, shot, body.use)
    services().queue.wake()
    return read_review(tableau_id)


def change(
    tableau_id: str,
    done: Callable[..., object],
    *told: Any,
    check: Callable[[Tableau], object] = kind_of,
    **named: Any,
) -> None:
    """Run an action on a tableau that passes `check` and whose game is not finished, with the arguments
    `told` and `named`. Raises `WaymarkError`."""
    with write_session() as session:
        tableau = open_tableau(session, tableau_id)
        check(tableau)
        done(session, services().catalogue, tableau, *told, **named)


@dataclass(frozen=True)
class Action:
    """An endpoint that changes a tableau: its `name` in the API, its `path` below the tableau's, and the
    function of (session, catalogue, tableau) that takes the fields of `body` by name."""

    name: str
    path: str
    body: type[msgspec.Struct]
    done: Callable[..., object]
    summary: str


def actions(view: Callable[[str], Any], check: Callable[[Tableau], object], *table: Action) -> None:
    """Declare the endpoints of a table of actions, for tableaus that pass `check` and whose game is not
    finished; each answers with `view` of the changed tableau. A rescan of the ink may be queued."""
    for action in table:

        def act(tableau_id: str, body: msgspec.Struct, done: Callable[..., object] = action.done) -> Any:
            change(tableau_id, done, check=check, **msgspec.structs.asdict(body))
            services().queue.wake()
            return view(tableau_id)

        act.__name__, act.__doc__ = action.name, action.summary
        act.__annotations__ |= {"body": action.body, "return": get_type_hints(view)["return"]}
        endpoint("POST", f"/tableaus/<tableau_id>{action.path}")(act)


def claims(
    view: Callable[[str], Any],
    of: str,
    path: str,
    new: type[msgspec.Struct],
    add: Callable[..., object],
    accept: Callable[..., object],
) -> None:
    """Declare the endpoints of claims about a shared tableau, a table or a board (`of`), at `path` below the
    tableau's: `add` saves a `new` one, `accept` applies one. Each answers with `view` of the tableau."""

    def make(tableau_id: str, body: Any) -> Any:
        with write_session() as session:
            add(session, services().catalogue, get_row(session, Tableau, tableau_id), body)
        return view(tableau_id)

    def agree(tableau_id: str, claim_id: str, body: Looked) -> Any:
        with write_session() as session:
            open_tableau(session, tableau_id)
            accept(session, services().catalogue, claim_of(session, tableau_id, claim_id), body.version)
        return view(tableau_id)

    def take_back(tableau_id: str, claim_id: str) -> Any:
        with write_session() as session:
            delete_claim(claim_of(session, tableau_id, claim_id))
        return view(tableau_id)

    make.__name__, agree.__name__ = f"claim_of_{of}", f"accept_claim_of_{of}"
    take_back.__name__ = f"take_{of}_claim_back"
    make.__doc__ = f"Write down what a player says against a {of}, with what it should be, if anything."
    agree.__doc__ = f"All players agree with a claim about a {of}: what it wants is done."
    take_back.__doc__ = f"Take a claim about a {of} back; it is kept."
    make.__annotations__["body"] = new
    for each in (make, agree, take_back):
        each.__annotations__["return"] = get_type_hints(view)["return"]
    path = f"/tableaus/<tableau_id>{path}"
    endpoint("POST", path, status=201)(make)
    endpoint("POST", f"{path}/<claim_id>/accept")(agree)
    endpoint("DELETE", f"{path}/<claim_id>")(take_back)


def open_tableau(session: Session, tableau_id: str) -> Tableau:
    """The tableau with this id, outside games or in an unfinished game. Raises `WaymarkError` (not-found,
    game-finished)."""
    tableau = get_row(session, Tableau, tableau_id)
    check_tableau_open(tableau)
    return tableau


def claim_of(session: Session, tableau_id: str, claim_id: str, *, deleted: bool = False) -> Claim:
    """A claim about a tableau. Raises `WaymarkError` (not-found)."""
    get_row(session, Tableau, tableau_id)
    claim = get_row(session, Claim, claim_id, deleted=deleted)
    if claim.tableau_id != tableau_id:
        raise not_found()
    return claim


def _review(session: Session, tableau: Tableau) -> Review:
    at_hand = services()
    review = reviewed(tableau).review
    return review(session, at_hand.catalogue, at_hand.queue, tableau, current_language())


@contextmanager
def _changing(tableau_id: str, shot_id: str, *, deleted: bool = False) -> Iterator[tuple[Session, Shot]]:
    with write_session() as session:
        tableau = get_row(session, Tableau, tableau_id)
        shot = get_row(session, Shot, shot_id, deleted=deleted)
        reviewed(tableau)
        if shot.tableau_id != tableau.id:
            raise not_found()
        yield session, shot
