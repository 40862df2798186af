"""Fights (section 3 of the rulebook): the active player strikes first, and a surviving defender strikes
back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from scorer.stone_dragon.rules.illegal_action import Breach
from scorer.stone_dragon.rules.pieces import DragonCard, Monster
from scorer.stone_dragon.rules.position import Holder, Position
from scorer.stone_dragon.rules.turn_record import Boost, Shown
from scorer.stone_dragon.rules.validation import DRAGON
from scorer.stone_dragon.rules.victories import show_beaten


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    attack: int
    defence: int
    damage: int


class ToldFight(msgspec.Struct, frozen=True, kw_only=True):
    """One fight: the attacker's blow, the defender's blow in return, the loser, and the chip that the winner
    took. `defender` is a player, a card or `dragon`."""

    action: int
    attacker: str
    defender: str
    attack: int
    defence: int
    damage: int
    counter: Blow | None
    beaten: str | None
    stolen: str | None


@dataclass
class _Paid:
    """The payments reported for a fight, and those not yet due."""

    told: Mapping[str, Boost]
    open: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, boost in self.told.items():
            parts = {"attack": boost.attack, "defence": boost.defence, "coins": boost.coins}
            self.open[name] = {part for part, value in parts.items() if value}

    def attack(self, position: Position, holder: Holder) -> int:
        """The attack bonus that a player pays for, with the payment deducted. Raises `Breach`."""
        boost = self.told.get(holder.name, Boost())
        self.open.get(holder.name, set()).difference_update({"attack", "coins"})
        more = _discard(position, holder, boost.attack)
        if boost.coins:
            if not position.has(holder, "pay_coins"):
                raise Breach("no-ability", player=holder.name)
            if holder.coins < boost.coins:
                raise Breach("coins-short", player=holder.name)
            holder.coins -= boost.coins
            more += position.total(holder, "pay_coins") * boost.coins
        return position.attack(holder) + more

    def defence(self, position: Position, holder: Holder) -> int:
        boost = self.told.get(holder.name, Boost())
        self.open.get(holder.name, set()).discard("defence")
        return position.defence(holder) + _discard(position, holder, boost.defence)

    def check_all_due(self) -> None:
        for name, parts in self.open.items():
            if parts:
                raise Breach("boost-not-due", player=name)


def _discard(position: Position, holder: Holder, cards: tuple[str, ...]) -> int:
    """Hand in monster cards and return the bonus that they add. Raises `Breach`."""
    for card in cards:
        if not position.has(holder, "discard_monsters"):
            raise Breach("no-ability", player=holder.name)
        if card not in position.pieces.monsters:
            raise Breach("not-a-monster", piece=card)
        if not holder.holds[card]:
            raise Breach("card-not-held", player=holder.name, piece=card)
        holder.holds[card] -= 1
    return position.total(holder, "discard_monsters") * len(cards)


def check_no_fight(boost: Mapping[str, Boost], steal: str | None, at_defeat: tuple[Shown, ...]) -> None:
    """Check that no details of a fight are reported where there was none. Raises `Breach`."""
    for name in boost:
        raise Breach("boost-not-due", player=name)
    if steal is not None:
        raise Breach("steal-not-due")
    for shown in at_defeat:
        raise Breach("not-the-moment", piece=shown.card)


@dataclass(frozen=True)
class Outcome:
    """A fight, and the player beaten in it; None if no player was."""

    fight: ToldFight
    beaten: str | None


def fight(
    position: Position,
    attacker: Holder,
    defender: str,
    *,
    action: int,
    boost: Mapping[str, Boost],
    steal: str | None,
    at_defeat: tuple[Shown, ...],
) -> Outcome:
    """Play a fight against a player, a monster card that was drawn, or the dragon. Raises `Breach`."""
    for name in boost:
        if name not in (attacker.name, defender):
            raise Breach("boost-not-due", player=name)
    paid = _Paid(boost)
    other = position.holders.get(defender)
    strength = paid.attack(position, attacker)
    defence = _card(position, defender).defence if other is None else paid.defence(position, other)
    damage = max(0, strength - defence)
    left = _struck(position, defender, damage)
    counter = None
    beaten: str | None = None
    if left > 0:
        back = paid.attack(position, other) if other is not None else _card(position, defender).attack
        ward = paid.defence(position, attacker)
        counter = Blow(attack=back, defence=ward, damage=max(0, back - ward))
        attacker.life = max(0, attacker.life - counter.damage)
        beaten = attacker.name if attacker.life == 0 else None
    else:
        beaten = defender
    paid.check_all_due()
    if defender in position.pieces.monsters and left <= 0:
        attacker.holds[defender] += 1
    loser = position.holders.get(beaten or "")
    winner = None
    if loser is not None and other is not None:
        winner = attacker if loser is other else other
        if winner is other and not position.house.steal_on_counter:
            winner = None
    stolen = _steal(position, winner, loser, steal)
    if loser is None:
        for shown in at_defeat:
            raise Breach("not-the-moment", piece=shown.card)
    else:
        _fall(position, loser)
        show_beaten(position, loser, _moment(position, loser, attacker, defender), at_defeat)
    if defender == DRAGON and left <= 0:
        position.slayer = attacker.name
    told = ToldFight(
        action=action,
        attacker=attacker.name,
        defender=defender,
        attack=strength,
        defence=defence,
        damage=damage,
        counter=counter,
        beaten=beaten,
        stolen=stolen,
    )
    return Outcome(told, loser.name if loser is not None else None)


def _card(position: Position, defender: str) -> Monster | DragonCard:
    return position.pieces.dragon if defender == DRAGON else position.pieces.monsters[defender]


def _struck(position: Position, defender: str, damage: int) -> int:
    """Reduce the defender's life by the damage, and return the remaining life."""
    if defender == DRAGON:
        position.dragon_life = max(0, position.dragon_life - damage)
        return position.dragon_life
    holder = position.holders.get(defender)
    if holder is None:
        return position.pieces.monsters[defender].life - damage
    holder.life = max(0, holder.life - damage)
    return holder.life


def _steal(position: Position, winner: Holder | None, loser: Holder | None, steal: str | None) -> str | None:
    """The equipped chip that the winner takes into the hand; None if there is none. Raises `Breach`."""
    if winner is None or loser is None or not loser.equipped:
        if steal is not None:
            raise Breach("steal-not-due")
        return None
    if steal is None:
        if len(loser.equipped) > 1:
            raise Breach("choice-missing")
        steal = loser.equipped[0]
    if steal not in loser.equipped:
        raise Breach("chip-not-held", player=loser.name, piece=steal)
    loser.equipped.remove(steal)
    winner.holds[steal] += 1
    return steal


def _fall(position: Position, loser: Holder) -> None:
    """Apply the defeat of a player: chips, equipment and dungeon cards are lost; coins and victory cards
    stay."""
    loser.holds.clear()
    loser.equipped.clear()
    loser.life = loser.character.life
    loser.cell = position.entrance


def _moment(position: Position, loser: Holder, attacker: Holder, defender: str) -> str | None:
    """The kind of defeat, as named on victory cards; None where no card names it."""
    by = attacker.name if loser.name == defender else defender
    if by in position.holders:
        return "beaten-by-player"
    if by == DRAGON and not position.house.dragon_is_monster:
        return None
    return "beaten-by-monster"
