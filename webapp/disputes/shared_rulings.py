"""Links to a ruling with a fingerprint of its state when it was shared.

The linked page shows the current ruling; a signed stamp in the link tells whether it has changed since. The
signature prevents forged stamps."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

import msgspec
from flask import current_app, url_for
from itsdangerous import BadSignature, URLSafeSerializer

from scorer.game import Game as Rules
from webapp.store.models import Tableau

#: Length of the fingerprint, so that two rulings practically never share one.
_FINGERPRINT = 12


class SharedScore(msgspec.Struct, frozen=True, array_like=True):
    """The score of a Map Masters ruling; points are None where the round has no objective."""

    primary_vp: int | None
    secondary_vp: int | None
    coins: int
    escaped: bool


#: Scores of games without a type of their own, by column of the sheet.
SharedScores = dict[str, int | bool | None]


class _Stamp(msgspec.Struct, frozen=True, array_like=True):
    fingerprint: str
    score: SharedScore | SharedScores


@dataclass(frozen=True)
class Since:
    """Scores of a ruling when its link was shared (`then`) and now."""

    changed: bool
    then: SharedScore | SharedScores
    now: SharedScore | SharedScores


def share_path(tableau: Tableau, rules: Rules, record: Any, ruling: Any) -> str:
    """Path of the page that shows a ruling to others, with a stamp of its state."""
    signed = _serializer(tableau).dumps(msgspec.to_builtins(_stamp(rules, record, ruling)))
    return url_for("disputes.shared", tableau_id=tableau.id, shared=signed)


def since_shared(tableau: Tableau, rules: Rules, record: Any, ruling: Any, stamp: str) -> Since | None:
    """Changes of a ruling since its link was made; None for another tableau's stamp."""
    try:
        then = msgspec.convert(_serializer(tableau).loads(stamp), _Stamp)
    except (BadSignature, msgspec.ValidationError):
        return None
    now = _stamp(rules, record, ruling)
    return Since(changed=then != now, then=then.score, now=now.score)


def _serializer(tableau: Tableau) -> URLSafeSerializer:
    return URLSafeSerializer(str(current_app.config["SECRET_KEY"]), salt=f"ruling {tableau.id}")


def _stamp(rules: Rules, record: Any, ruling: Any) -> _Stamp:
    # Without the ruling's sentences, whose wording may change.
    told = rules.api.fingerprint(ruling) or (rules.words.why(ruling).rule, rules.rules.outcome(ruling))
    # URLs of Map Masters rulings existed before the order was defined.
    order: Literal["deterministic"] | None = None if rules.api.known else "deterministic"
    what = msgspec.json.encode((record, *told), order=order)
    return _Stamp(sha256(what).hexdigest()[:_FINGERPRINT], _score(rules, ruling))


def _score(rules: Rules, ruling: Any) -> SharedScore | SharedScores:
    told = rules.api.score(ruling)
    if not told:
        return rules.sheet.row(ruling)
    return SharedScore(**{name: told[name] for name in SharedScore.__struct_fields__})
