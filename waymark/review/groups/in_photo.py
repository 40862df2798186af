"""Positions in the photo of the cards of a table's record, including cards that lie face down."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from scorer.dungeon import Dungeon
from scorer.record import PlacedCard
from vision.cards.pose import CardPose
from waymark.review.groups.assess import GroupAssessment
from waymark.review.projection import SAME_PLACE_MM, outline_px


def whole_dungeon(dungeon: Dungeon) -> Dungeon:
    """The dungeon of a table, including cards that lie face down, which count with their size."""
    usual = next(card.id for card in dungeon.catalogue.cards if card.size_mm is None)
    cards = tuple(
        placed if placed.card in dungeon.catalogue.by_id else PlacedCard(usual, placed.x, placed.y)
        for placed in dungeon.cards
    )
    return replace(dungeon, cards=cards)


def table_in_photo(now: GroupAssessment, record: Any, dungeon: Dungeon) -> tuple[CardPose, ...]:
    """Photo positions of a record's cards: as detected in the reading `now`, else by the homography of
    the detected cards. `dungeon` is the record's, including face-down cards."""
    seen = [
        (card.placed, each)
        for card, each in zip(now.record.cards, now.cards, strict=True)
        if each is not None and card.card is not None
    ]
    told = []
    for card, placed in zip(record.cards, dungeon.cards, strict=True):
        near = [pair for pair in seen if math.dist((pair[0].x, pair[0].y), (card.x, card.y)) < SAME_PLACE_MM]
        if near and (near[0][0].rotation - placed.rotation) % 180 == 0:
            before, each = near[0]
            corners = each.corners
            if before.rotation != placed.rotation:
                corners = (*corners[2:], *corners[:2])
        else:
            each = seen[0][1]
            outline = outline_px(placed, [p for p, _ in seen], [s for _, s in seen], dungeon.catalogue)
            corners = tuple((float(x), float(y)) for x, y in outline)
        told.append(replace(each, card=placed.card, rotation=placed.rotation, corners=corners))
    return tuple(told)
