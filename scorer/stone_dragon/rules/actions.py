"""The actions, and the rules that each can break, in the order of citation (section 2 of the rulebook).

Every function modifies the given position and raises `Breach` for the first broken rule. Callers therefore
try it on a copy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scorer.stone_dragon.rules.fights import Outcome, check_no_fight, fight
from scorer.stone_dragon.rules.illegal_action import Breach
from scorer.stone_dragon.rules.pieces import CHIP_PRICES, MADE, WORN, Item
from scorer.stone_dragon.rules.position import Holder, Panel, Position, number_of, side_towards
from scorer.stone_dragon.rules.turn_record import (
    Action,
    Attack,
    Buy,
    Change,
    DrawVictory,
    Equip,
    Explore,
    Heal,
    Move,
    Potion,
    Reveal,
    Search,
    Sell,
    TurnPanel,
    Use,
)
from scorer.stone_dragon.rules.validation import DRAGON
from scorer.stone_dragon.rules.victories import show, swap

#: The cost of removing a curse.
LIFT = 2


@dataclass(frozen=True)
class Done:
    """The result of an action: a fight, or a victory card whose condition only people can check."""

    outcome: Outcome | None = None
    asked: str | None = None


def play(position: Position, who: Holder, action: Action, number: int) -> Done:
    """Play one action, the `number`th of a turn. Raises `Breach`."""
    match action:
        case Move():
            return _move(position, who, action, number)
        case Search():
            return _search_action(position, who, action, number)
        case Explore():
            _explore(position, who, action)
        case TurnPanel():
            _turn(position, action)
        case Potion():
            _potion(position, who, action)
        case Use():
            _use(position, who, action)
        case Attack():
            return _attack(position, who, action, number)
        case Sell():
            _sell(position, who, action)
        case Buy():
            _buy(position, who, action)
        case Heal():
            _at_entrance(position, who)
            if who.life >= who.character.life:
                raise Breach("life-full", player=who.name)
            who.life += 1
        case DrawVictory():
            _draw_victory(position, who, action)
        case Change():
            _change(position, who, action)
        case Equip():
            _equip(position, who, action.chip)
        case Reveal():
            return _reveal(position, who, action)
    return Done()


# --- panels -------------------------------------------------------------------------------------------------


def _move(position: Position, who: Holder, action: Move, number: int) -> Done:
    to = number_of(action.to)
    if side_towards(who.cell, to) is None:
        raise Breach("not-adjacent")
    if not position.panels[to].up:
        raise Breach("face-down")
    if not position.joined(who.cell, to):
        raise Breach("no-passage")
    who.cell = to
    if position.panels[to].name in position.pieces.rooms and position.house.room_search == "on-entry":
        return _search(position, who, action, number)
    if action.draw is not None:
        raise Breach("draw-not-due")
    check_no_fight(action.boost, action.steal, action.at_defeat)
    return Done()


def _search_action(position: Position, who: Holder, action: Search, number: int) -> Done:
    if position.house.room_search == "on-entry":
        raise Breach("search-no-action")
    if position.panels[who.cell].name not in position.pieces.rooms:
        raise Breach("not-a-room")
    return _search(position, who, action, number)


def _search(position: Position, who: Holder, action: Move | Search, number: int) -> Done:
    """Draw the top dungeon card: a monster is fought, an item kept, a curse takes a chip or stays."""
    card, pieces = action.draw, position.pieces
    if position.dungeon_pile() <= 0:
        if card is not None:
            raise Breach("draw-not-due")
        check_no_fight(action.boost, action.steal, action.at_defeat)
        return Done()
    if card is None:
        raise Breach("draw-missing")
    if position.dungeon_left(card) <= 0:
        raise Breach("draw-impossible", piece=card)
    if card in pieces.monsters:
        outcome = fight(
            position,
            who,
            card,
            action=number,
            boost=action.boost,
            steal=action.steal,
            at_defeat=action.at_defeat,
        )
        return Done(outcome)
    check_no_fight(action.boost, action.steal, action.at_defeat)
    if card in pieces.items:
        who.holds[card] += 1
    elif not _curse_takes(position, who, pieces.curses[card].of):
        who.holds[card] = max(1, who.holds[card])
    return Done()


def _curse_takes(position: Position, who: Holder, kind: str) -> bool:
    """Whether a curse takes a chip of its kind: the equipped one or, under a house rule, one in the hand."""
    chips = position.pieces.chips
    worn = [name for name in who.equipped if name in chips and chips[name].kind == kind]
    if worn:
        who.equipped.remove(min(worn, key=lambda name: chips[name].value))
        return True
    held = [name for name, count in who.holds.items() if count and name in chips and chips[name].kind == kind]
    if held and position.house.curse_takes == "any":
        who.holds[min(held, key=lambda name: chips[name].value)] -= 1
        return True
    return False


def _explore(position: Position, who: Holder, action: Explore) -> None:
    to, pieces = number_of(action.to), position.pieces
    side = side_towards(who.cell, to)
    if side is None:
        raise Breach("not-adjacent")
    if position.panels[to].up:
        raise Breach("not-face-down")
    if not position.opens(who.cell, side):
        raise Breach("no-passage")
    if not panels_left(position, action.tile):
        raise Breach("draw-impossible", piece=action.tile)
    if not pieces.lying[action.tile, action.rotation] >> (side + 2) % 4 & 1:
        raise Breach("not-connected")
    position.lay(to, Panel(action.tile, action.rotation, True))


def panels_left(position: Position, name: str) -> int:
    """The number of copies of a panel that may still lie face down; 0 for an entrance."""
    if name in position.pieces.entrances:
        return 0
    up = sum(panel.up and panel.name == name for panel in position.panels)
    return max(0, position.pieces.copies[name] - up)


def why_not_turned(position: Position, cell: int) -> str | None:
    """The rule that keeps a panel from being turned; None where it may be."""
    if not position.panels[cell].up:
        return "face-down"
    stands = [holder.cell for holder in position.holders.values()]
    if cell in stands or (cell == position.dragon_cell and not position.house.turn_under_dragon):
        return "occupied"
    if cell == position.entrance and not position.house.turn_entrance:
        return "entrance-fixed"
    return None


def _turn(position: Position, action: TurnPanel) -> None:
    cell = number_of(action.at)
    rule = why_not_turned(position, cell)
    if rule is not None:
        raise Breach(rule)
    position.lay(cell, Panel(position.panels[cell].name, action.rotation, True))


# --- chips and cards ----------------------------------------------------------------------------------------


def _potion(position: Position, who: Holder, action: Potion) -> None:
    chip = position.pieces.chips.get(action.chip)
    if chip is None or chip.kind != "potion":
        raise Breach("not-a-potion", piece=action.chip)
    if not who.holds[action.chip]:
        raise Breach("chip-not-held", player=who.name, piece=action.chip)
    who.holds[action.chip] -= 1
    who.life += chip.value


def _use(position: Position, who: Holder, action: Use) -> None:
    item = position.pieces.items.get(action.card)
    if item is None:
        raise Breach("not-usable", piece=action.card)
    if not who.holds[action.card]:
        raise Breach("card-not-held", player=who.name, piece=action.card)
    if item.chip is not None and position.is_cursed(who, item.chip):
        raise Breach("cursed", player=who.name)
    if not makes(position, item, action.gain, action.discard):
        raise Breach("wrong-level", piece=action.card)
    if action.discard is not None and not _hand_in(who, action.discard):
        raise Breach("chip-not-held", player=who.name, piece=action.discard)
    if action.gain is not None:
        if position.supply(action.gain) <= 0:
            raise Breach("supply-empty", piece=action.gain)
        who.holds[action.gain] += 1
    who.holds[action.card] -= 1
    who.coins += item.coins or 0


def makes(position: Position, item: Item, gain: str | None, discard: str | None) -> bool:
    """Whether an item card makes one chip from another, or from nothing. A card that gives coins makes
    none."""
    if item.chip is None:
        return gain is None and discard is None
    chips = position.pieces.chips
    values = []
    for name in (discard, gain):
        chip = chips.get(name or "")
        if name is not None and (chip is None or chip.kind != item.chip):
            return False
        values.append(chip.value if chip is not None else 0)
    return (values[0], values[1]) in MADE[item.level or 1]


def _hand_in(who: Holder, chip: str) -> bool:
    """Take a chip from the hand, else from the equipment; whether it was there."""
    if who.holds[chip]:
        who.holds[chip] -= 1
    elif chip in who.equipped:
        who.equipped.remove(chip)
    else:
        return False
    return True


def _equip(position: Position, who: Holder, name: str) -> None:
    chips = position.pieces.chips
    chip = chips.get(name)
    if chip is None or chip.kind not in WORN:
        raise Breach("not-equipment", piece=name)
    if not who.holds[name]:
        raise Breach("chip-not-held", player=who.name, piece=name)
    who.holds[name] -= 1
    for worn in [each for each in who.equipped if each in chips and chips[each].kind == chip.kind]:
        who.equipped.remove(worn)
        who.holds[worn] += 1
    who.equipped.append(name)


def _change(position: Position, who: Holder, action: Change) -> None:
    values = position.pieces.coins
    given, taken = (
        sum(values[name] * count for name, count in coins.items()) for coins in (action.give, action.take)
    )
    if given != taken:
        raise Breach("change-uneven")
    if given > who.coins:
        raise Breach("coins-short", player=who.name)


# --- at the entrance ----------------------------------------------------------------------------------------


def _at_entrance(position: Position, who: Holder) -> None:
    if who.cell != position.entrance:
        raise Breach("not-at-entrance")


def _sell(position: Position, who: Holder, action: Sell) -> None:
    _at_entrance(position, who)
    if not action.cards and not action.lift:
        raise Breach("nothing-sold")
    prices = [position.price(who, card) for card in action.cards]
    for card, price in zip(action.cards, prices, strict=True):
        if price is None:
            raise Breach("not-for-sale", piece=card)
    for card in action.lift:
        if card not in position.pieces.curses:
            raise Breach("not-a-curse", piece=card)
    for card, count in Counter((*action.cards, *action.lift)).items():
        if count > who.holds[card]:
            raise Breach("card-not-held", player=who.name, piece=card)
    coins = who.coins + sum(price or 0 for price in prices) - LIFT * len(action.lift)
    if coins < 0:
        raise Breach("coins-short", player=who.name)
    who.coins = coins
    who.holds.subtract((*action.cards, *action.lift))


def why_not_bought(position: Position, who: Holder, name: str) -> str | None:
    """The rule that keeps a player at the entrance from buying a chip; None where it can be bought."""
    chip = position.pieces.chips.get(name)
    if chip is None:
        return "not-for-sale"
    if position.is_cursed(who, chip.kind):
        return "cursed"
    if position.supply(name) <= 0:
        return "supply-empty"
    return "coins-short" if who.coins < CHIP_PRICES[chip.value] else None


def _buy(position: Position, who: Holder, action: Buy) -> None:
    _at_entrance(position, who)
    rule = why_not_bought(position, who, action.chip)
    if rule is not None:
        raise Breach(rule, player=who.name, piece=action.chip)
    who.coins -= CHIP_PRICES[position.pieces.chips[action.chip].value]
    who.holds[action.chip] += 1


def _draw_victory(position: Position, who: Holder, action: DrawVictory) -> None:
    _at_entrance(position, who)
    pile = position.victory_pile()
    if pile <= 0:
        raise Breach("pile-empty")
    drawn, keep = action.draw, action.keep
    if drawn is not None and len(drawn) != min(2, pile):
        raise Breach("draw-count")
    seen = drawn if drawn is not None else () if keep is None else (keep,)
    for card, count in Counter(seen).items():
        if position.known_copies(card) + count > position.pieces.copies[card]:
            raise Breach("draw-impossible", piece=card)
    if drawn is not None and keep is not None and keep not in drawn:
        raise Breach("keep-not-drawn")
    if who.hand is None:
        who.hand_size += 1
    else:
        who.hand.append(keep)


# --- attacks and victory cards ------------------------------------------------------------------------------


def why_not_attacked(position: Position, who: Holder, target: str) -> str | None:
    """The rule that keeps a player from attacking somebody, or the dragon; None where nothing does."""
    if target == who.name:
        return "no-target"
    if target == DRAGON:
        return None if who.cell == position.dragon_cell else "not-same-panel"
    if who.cell == position.entrance:
        return "at-entrance"
    return None if who.cell == position.holders[target].cell else "not-same-panel"


def _attack(position: Position, who: Holder, action: Attack, number: int) -> Done:
    rule = why_not_attacked(position, who, action.target)
    if rule is not None:
        raise Breach(rule, target=action.target)
    outcome = fight(
        position,
        who,
        action.target,
        action=number,
        boost=action.boost,
        steal=action.steal,
        at_defeat=action.at_defeat,
    )
    return Done(outcome)


def _reveal(position: Position, who: Holder, action: Reveal) -> Done:
    if position.pieces.victories[action.card].condition.swap:
        owner = position.holders[action.of or who.name]
        swap(position, who, action.card, action.swap, owner, points=action.side == "points")
        return Done()
    asked = show(position, who, action.card, action.side or "points")
    return Done(asked=action.card if asked else None)
