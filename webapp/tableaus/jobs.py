"""Background jobs of a tableau: they need photos to be read, or a card to be cut out of one. A job is saved
and acknowledged at once; the scan queue runs it beside photos (`webapp.scans.queue`), a step at a time, and
pages poll its progress. An interrupted step runs again and changes nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.errors import Code, WaymarkError
from scorer.text import Language, Text
from webapp.scans.leases import ClaimedErrand
from webapp.scans.queue import Steps
from webapp.scans.scan_processes import Reader
from webapp.store.models import Errand, ErrandKind, Tableau
from webapp.store.tableaus import pen_owner
from webapp.tableaus.model import AddedCard, PenChanged, ReviewErrand


def ask(session: Session, tableau: Tableau, kind: ErrandKind, given: Any) -> Errand:
    """Create a background job. Raises `WaymarkError` (conflict) while another job of the same player, or of
    the same tableau outside games, is running, since it may change this job's input."""
    whose = pen_owner(tableau)
    at_work = Errand.whose == whose, Errand.state.in_(("waiting", "running"))
    if session.scalar(select(Errand.id).where(*at_work).limit(1)) is not None:
        raise WaymarkError(
            Code.CONFLICT, Text("The last task is still running; wait until it is done, then try again.")
        )
    errand = Errand(tableau_id=tableau.id, kind=kind, whose=whose, given=msgspec.to_builtins(given))
    session.add(errand)
    session.flush()
    return errand


def do_steps(by_kind: Mapping[str, Steps]) -> Steps:
    """Run one step of a background job of any kind."""

    def step(reader: Reader, errand: ClaimedErrand) -> Callable[[Session, Errand], None]:
        return by_kind[errand.kind](reader, errand)

    return step


def latest_errand(session: Session, tableau: Tableau, language: Language) -> ReviewErrand | None:
    """The latest job of a tableau; None where it ended long ago."""
    latest = select(Errand).where(Errand.tableau_id == tableau.id)
    errand = session.scalar(latest.order_by(Errand.created_at.desc(), Errand.id).limit(1))
    return errand_view(errand, language) if errand is not None else None


def errand_view(errand: Errand, language: Language) -> ReviewErrand:
    """View of a job's progress."""
    told, card = errand.outcome, errand.kind == "new-card"
    return ReviewErrand(
        id=errand.id,
        kind=cast(ErrandKind, errand.kind),
        state=errand.state,
        error=str(errand.error[language]) if errand.error is not None else None,
        pen=msgspec.convert(told, PenChanged) if told is not None and not card else None,
        card=msgspec.convert(told, AddedCard) if told is not None and card else None,
    )
