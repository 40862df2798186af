"""Links to a ruling that know what it was when they were shared.

The page behind a link shows the ruling as it stands; a stamp in the link tells whether that is what was
shared. It is signed: nobody makes a link that says what never was."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec
from flask import current_app, url_for
from itsdangerous import BadSignature, URLSafeSerializer

from waymark.review.assessment import Assessment
from webapp.store.models import Tableau

#: Letters of the fingerprint: enough that no correction looks like none.
_FINGERPRINT = 12


class SharedScore(msgspec.Struct, frozen=True, array_like=True):
    """What a ruling was worth; points are None where the round names no objective."""

    primary_vp: int | None
    secondary_vp: int | None
    coins: int
    escaped: bool


class _Stamp(msgspec.Struct, frozen=True, array_like=True):
    fingerprint: str
    score: SharedScore


@dataclass(frozen=True)
class Since:
    """What has become of a ruling since its link was shared: `then` it was worth that, `now` this."""

    changed: bool
    then: SharedScore
    now: SharedScore


def share_path(tableau: Tableau, assessment: Assessment) -> str:
    """The path of the page that shows a tableau's ruling to others, stamped with what it is."""
    stamp = _serializer(tableau).dumps(msgspec.to_builtins(_stamp(assessment)))
    return url_for("disputes.shared", tableau_id=tableau.id, shared=stamp)


def since_shared(tableau: Tableau, assessment: Assessment, stamp: str) -> Since | None:
    """What a link's stamp tells beside the ruling as it stands; None where it is none of this tableau."""
    try:
        then = msgspec.convert(_serializer(tableau).loads(stamp), _Stamp)
    except (BadSignature, msgspec.ValidationError):
        return None
    now = _stamp(assessment)
    return Since(changed=then != now, then=then.score, now=now.score)


def _serializer(tableau: Tableau) -> URLSafeSerializer:
    return URLSafeSerializer(str(current_app.config["SECRET_KEY"]), salt=f"ruling {tableau.id}")


def _stamp(assessment: Assessment) -> _Stamp:
    ruling = assessment.ruling
    # Not what the ruling says in words: those may be put better some day.
    what = (assessment.record, ruling.ended, ruling.why.rule, ruling.discovered, ruling.spent)
    return _Stamp(sha256(msgspec.json.encode(what)).hexdigest()[:_FINGERPRINT], _score(ruling))


def _score(ruling: Any) -> SharedScore:
    return SharedScore(
        primary_vp=ruling.primary.vp if ruling.primary is not None else None,
        secondary_vp=ruling.secondary.vp if ruling.secondary is not None else None,
        coins=ruling.coins,
        escaped=ruling.escaped,
    )
