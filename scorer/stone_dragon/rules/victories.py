"""Victory cards (section 4 of the rulebook): conditions for showing one, its use (points or bonus), and
swaps."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.stone_dragon.rules.illegal_action import Breach
from scorer.stone_dragon.rules.pieces import Condition
from scorer.stone_dragon.rules.position import Holder, Position
from scorer.stone_dragon.rules.turn_record import Shown
from scorer.stone_dragon.rules.validation import LaidSide

_OTHER: dict[LaidSide, LaidSide] = {"points": "bonus", "bonus": "points"}


def may_have(position: Position, holder: Holder, card: str) -> bool:
    """Whether a player may have a card hidden: it is recorded there, or a hidden card is unknown and not all
    copies are known to be elsewhere."""
    if card in (holder.hand or ()):
        return True
    hidden = holder.hand is None and holder.hand_size > 0
    if not hidden and None not in (holder.hand or ()):
        return False
    return position.known_copies(card) < position.pieces.copies[card]


def counted(position: Position, holder: Holder, what: str) -> int:
    """The player's count of the things that a condition names."""
    pieces, holds = position.pieces, holder.holds
    if what == "panels_up":
        return sum(panel.up for panel in position.panels)
    if what == "item_cards":
        return sum(count for name, count in holds.items() if name in pieces.items or name in pieces.curses)
    if what == "monster_cards":
        return sum(count for name, count in holds.items() if name in pieces.monsters)
    if what == "coins":
        return holder.coins
    if what == "life":
        return holder.life
    return position.worn(holder, what)


def is_met(position: Position, holder: Holder, condition: Condition) -> bool:
    """Whether the countable part of a condition is met. A condition that only people can check counts as
    met."""
    if condition.count is None:
        return True
    return counted(position, holder, condition.count) >= condition.at_least


def free_sides(position: Position, card: str) -> list[LaidSide]:
    """The uses (points, bonus) still open to a card: not the use of its other copy, with any player."""
    laid = {side for each in position.holders.values() for name, side in each.victory if name == card}
    sides: list[LaidSide] = ["points", "bonus"]
    return [side for side in sides if side not in laid]


def show(position: Position, holder: Holder, card: str, side: LaidSide) -> bool:
    """Lay a hidden card for points or for its bonus. Returns whether people have to confirm its condition.
    Raises `Breach`."""
    condition = position.pieces.victories[card].condition
    if not may_have(position, holder, card):
        raise Breach("card-not-held", player=holder.name, piece=card)
    if condition.moment is not None:
        raise Breach("not-the-moment", piece=card)
    if not is_met(position, holder, condition):
        raise Breach("condition-unmet", piece=card)
    _lay(position, holder, card, side)
    return condition.table is not None


def _lay(position: Position, holder: Holder, card: str, side: LaidSide) -> None:
    if side not in free_sides(position, card):
        raise Breach("side-forced", piece=card)
    _take_from_hand(holder, card)
    holder.victory.append((card, side))


def _take_from_hand(holder: Holder, card: str) -> None:
    if holder.hand is None:
        holder.hand_size -= 1
    else:
        holder.hand.remove(card if card in holder.hand else None)


def show_beaten(position: Position, loser: Holder, moment: str | None, shown: Sequence[Shown]) -> None:
    """Lay the cards that a beaten player shows at that moment. Raises `Breach`."""
    for each in shown:
        if not may_have(position, loser, each.card):
            raise Breach("card-not-held", player=loser.name, piece=each.card)
        condition = position.pieces.victories[each.card].condition
        if condition.moment is None or condition.moment != moment:
            raise Breach("not-the-moment", piece=each.card)
        _lay(position, loser, each.card, each.side)


def swap(
    position: Position, holder: Holder, card: str, swapped: str | None, owner: Holder, *, points: bool
) -> None:
    """Show Eloquence: a card of `owner` that lies for points lies for its bonus now, or the other way round.
    Raises `Breach`."""
    if not may_have(position, holder, card):
        raise Breach("card-not-held", player=holder.name, piece=card)
    if points:
        raise Breach("eloquence-points")
    if owner is not holder and not position.house.eloquence_any:
        raise Breach("no-swap")
    number = next(
        (number for number, (name, side) in enumerate(owner.victory) if name == swapped and side in _OTHER),
        None,
    )
    if number is None or swapped is None:
        raise Breach("no-swap")
    laid = [side for each in position.holders.values() for name, side in each.victory if name == swapped]
    if len(laid) > 1:
        raise Breach("swap-same-name", piece=swapped)
    owner.victory[number] = swapped, _OTHER[owner.victory[number][1]]
    _take_from_hand(holder, card)
    holder.victory.append((card, "spent"))
