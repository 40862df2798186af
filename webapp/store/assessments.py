"""Assessment of a reading of a tableau as its round and its game want it."""

from __future__ import annotations

from collections.abc import Collection

from scorer.catalogue import Catalogue
from scorer.record import Record
from vision.scan import Scan
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import Assessment, assess
from webapp.store.boxes import sure_from, terms_of
from webapp.store.models import Tableau


def certainty_of(tableau: Tableau) -> float | None:
    """The least probability of a score that is called sure; None outside games (the usual one)."""
    return sure_from(tableau.entry.round.game) if tableau.entry is not None else None


def assessed(
    catalogue: Catalogue,
    tableau: Tableau,
    scan: Scan,
    corrected: Record | None = None,
    answered: Collection[str] = (),
) -> Assessment:
    """`waymark.review.tableau.assess.assess` by the tableau's terms and its game's certainty."""
    return assess(
        scan,
        Table(catalogue),
        terms_of(tableau),
        corrected=corrected,
        answered=answered,
        certainty=certainty_of(tableau),
    )
