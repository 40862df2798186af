"""Laying the cards: the faults of placement as the versus game sees them."""

from __future__ import annotations

from scorer.dungeon import Dungeon
from scorer.mapmasters.messages import laying_sentence
from scorer.mapmasters.rules import LAYING_RULES
from scorer.mapmasters.ruling import LayingFault
from scorer.mapmasters.settings import VersusSettings
from scorer.placement import PlacementFault


def laying_faults(dungeon: Dungeon, settings: VersusSettings) -> tuple[LayingFault, ...]:
    """Every rule of laying that the tableau breaks; `too-many-cards` names those beyond the limit, as
    listed.
    """
    faults = list(dungeon.faults)
    if len(dungeon.cards) > settings.card_limit:
        faults.append(PlacementFault("too-many-cards", tuple(range(settings.card_limit, len(dungeon.cards)))))
    return tuple(_told(dungeon, fault, settings.card_limit) for fault in faults)


def _told(dungeon: Dungeon, fault: PlacementFault, limit: int) -> LayingFault:
    rule = LAYING_RULES[fault.rule]
    return LayingFault(
        rule=fault.rule,
        cards=fault.cards,
        places=fault.places,
        message=laying_sentence(rule, dungeon, "en", fault.cards, limit),
        message_ja=laying_sentence(rule, dungeon, "ja", fault.cards, limit),
        section=rule.section.en,
        section_ja=rule.section.ja,
    )
