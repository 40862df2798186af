"""The referee of the versus game: a record in, a ruling out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, Place, build_dungeon
from scorer.mapmasters.rules.codes import ENDS, LAYING_RULES, PATH_RULES
from scorer.mapmasters.rules.marks import mark_notes
from scorer.mapmasters.rules.means import WILD, Purse, checked_payments
from scorer.mapmasters.rules.objectives import objective_score
from scorer.mapmasters.rules.payments import payment_notes
from scorer.mapmasters.rules.ruling import LayingFault, PaymentNote, Reason, Ruling, Violation
from scorer.mapmasters.rules.settings import HOUSE, VersusSettings, departures
from scorer.mapmasters.rules.walk import Spot, Walk, walk
from scorer.mapmasters.words.messages import laying_sentence, sentence
from scorer.placement import PlacementFault
from scorer.places import known_place
from scorer.record import Record, StatedPayment


def referee(catalogue: Catalogue, record: Record, settings: VersusSettings = HOUSE) -> Ruling:
    """Rule on a tableau and its path.

    Raises `WaymarkError` for a card that is not in the catalogue, for a place that is not in the dungeon,
    and for tokens, spellbooks, means or objectives that do not exist. Whatever can be laid and drawn, legal
    or not, gets a ruling.
    """
    return referee_dungeon(build_dungeon(catalogue, record.cards), record, settings)


def referee_dungeon(
    dungeon: Dungeon, record: Record, settings: VersusSettings = HOUSE, *, with_ids: bool = True
) -> Ruling:
    """`referee` for a dungeon that is built already (it must be that of `record.cards`). Without `with_ids`
    sentences do not say what places are called in the record.
    """
    for name in (*record.marks.circled, *record.marks.struck, *_places_stated(record)):
        known_place(dungeon, name)
    placement = laying_faults(dungeon, settings)
    stated = checked_payments(record.stated)
    purse = _purse(record, stated)
    walked = _walked(dungeon, record, purse, placement, settings)
    payments: tuple[PaymentNote, ...] = ()
    if stated:
        others = [each for each in stated if each.means != WILD]
        kept = None
        if any(payment.stated and payment.means == WILD for payment in purse.spent):
            kept = _walked(dungeon, record, _purse(record, others), placement, settings)
        payments = payment_notes(dungeon, purse, walked, kept, with_ids=with_ids)
    return Ruling(
        legal=walked.ended != "violation",
        escaped=walked.ended == "exit",
        ended=walked.ended,
        last_place=walked.last_place,
        violations=_violations(dungeon, record.path, walked, with_ids),
        placement=placement,
        discovered=walked.discovered,
        coins=walked.discovered.get("coin", 0),
        primary=objective_score(record.objectives.primary, walked.discovered),
        secondary=objective_score(record.objectives.secondary, walked.discovered),
        optimizers=walked.optimizers,
        spent=tuple(purse.spent),
        steps=walked.steps,
        why=_why(dungeon, record.path, walked, with_ids),
        marks=mark_notes(dungeon, record.marks, walked, purse.spent, with_ids=with_ids),
        payments=payments,
        settings=departures(settings) if settings is not HOUSE else {},
    )


def walk_record(dungeon: Dungeon, record: Record, purse: Purse, settings: VersusSettings = HOUSE) -> Walk:
    """Walk a record's path as far as the rules and the means in `purse` allow.

    Raises `WaymarkError` (unknown-place)."""
    return _walked(dungeon, record, purse, laying_faults(dungeon, settings), settings)


def laying_faults(dungeon: Dungeon, settings: VersusSettings) -> tuple[LayingFault, ...]:
    """All laying faults of the tableau; `too-many-cards` names those beyond the limit, as
    listed.
    """
    faults = list(dungeon.faults)
    if len(dungeon.cards) > settings.card_limit:
        faults.append(PlacementFault("too-many-cards", tuple(range(settings.card_limit, len(dungeon.cards)))))
    return tuple(_told_fault(dungeon, fault, settings.card_limit) for fault in faults)


def _told_fault(dungeon: Dungeon, fault: PlacementFault, limit: int) -> LayingFault:
    rule = LAYING_RULES[fault.rule]
    words = laying_sentence(rule, dungeon, fault.cards, limit)
    return LayingFault(
        rule=fault.rule,
        cards=fault.cards,
        places=fault.places,
        message=words.en,
        message_ja=words.ja,
        section=rule.section.en,
        section_ja=rule.section.ja,
    )


def _walked(
    dungeon: Dungeon, record: Record, purse: Purse, placement: Sequence[LayingFault], settings: VersusSettings
) -> Walk:
    strokes = [[known_place(dungeon, name) for name in stroke] for stroke in record.path]
    if settings.misaligned_voids_path and any(fault.rule == "misaligned" for fault in placement):
        return _void(strokes)
    return walk(dungeon, strokes, purse, settings)


def _purse(record: Record, stated: Sequence[StatedPayment]) -> Purse:
    return Purse(record.fairy_tokens, record.spellbooks, record.marks.struck, stated)


def _places_stated(record: Record) -> Iterator[str]:
    for stated in record.stated:
        yield stated.at
        if stated.source is not None:
            yield stated.source


def _void(strokes: Sequence[Sequence[Place]]) -> Walk:
    spots = [Spot(s, i, place) for s, stroke in enumerate(strokes) for i, place in enumerate(stroke)]
    if not spots:
        return Walk("dead_end", None, None, (), {}, {})
    return Walk("violation", "misaligned", spots[0], (), {}, {})


def _violations(
    dungeon: Dungeon, path: Sequence[Sequence[str]], walked: Walk, with_ids: bool
) -> tuple[Violation, ...]:
    spot = walked.stopped_at
    if walked.ended != "violation" or walked.rule is None or spot is None:
        return ()
    reason = _reason(dungeon, path, walked, walked.rule, with_ids)
    return (
        Violation(
            rule=reason.rule,
            stroke=spot.stroke,
            step=spot.step,
            place=spot.place.id,
            message=reason.message,
            message_ja=reason.message_ja,
            section=reason.section,
            section_ja=reason.section_ja,
        ),
    )


def _why(dungeon: Dungeon, path: Sequence[Sequence[str]], walked: Walk, with_ids: bool) -> Reason:
    if walked.ended == "obstacle":
        return _reason(dungeon, path, walked, f"stopped-by-{walked.rule}", with_ids)
    if walked.ended == "exit":
        return _reason(dungeon, path, walked, "exit", with_ids)
    if walked.rule is not None:
        return _reason(dungeon, path, walked, walked.rule, with_ids)
    return _reason(dungeon, path, walked, "dead-end" if walked.steps else "no-path", with_ids)


def _reason(
    dungeon: Dungeon, path: Sequence[Sequence[str]], walked: Walk, code: str, with_ids: bool
) -> Reason:
    rule = ENDS[code] if code in ENDS else PATH_RULES[code]
    spot = walked.stopped_at
    place = spot.place if spot is not None else None
    before = dungeon.places[walked.last_place] if walked.last_place is not None else None
    step = sum(len(stroke) for stroke in path[: spot.stroke]) + spot.step + 1 if spot is not None else 0
    words = sentence(rule, dungeon, place=place, before=before, step=step, with_ids=with_ids)
    return Reason(
        rule=code, message=words.en, message_ja=words.ja, section=rule.section.en, section_ja=rule.section.ja
    )
