"""Rules of a single pass, shared by reported and photographed turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scorer.board_problems import filled
from scorer.board_record import BoardPlayer
from scorer.labyrinth2.rules.board_ruling import lowest_cells
from scorer.labyrinth2.rules.codes import ORDER, VIOLATIONS
from scorer.labyrinth2.rules.hands import unavailable
from scorer.labyrinth2.rules.pieces import EXTRA, REROLL
from scorer.labyrinth2.rules.position import Position, cell_of
from scorer.labyrinth2.rules.table import Table, held_treasures
from scorer.labyrinth2.rules.turn_record import DragonDie, Fight, TurnRecord
from scorer.labyrinth2.rules.watch import NOTHING, Watch, dragon_watch, gargoyle_watch
from scorer.square_grid import Cell
from scorer.text import Text


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its code, its sentence, and the cell concerned."""

    rule: str
    words: Text
    cell: Cell | None = None


def violation(rule: str, cell: int | None = None, **about: object) -> Violation:
    """A rule violation of a pass, with its sentence and cell."""
    return Violation(rule, filled(VIOLATIONS, rule, **about), None if cell is None else cell_of(cell))


def in_order(violations: Sequence[Violation]) -> tuple[Violation, ...]:
    """Violations sorted by the order in which they are cited."""
    return tuple(sorted(violations, key=lambda each: ORDER[each.rule]))


@dataclass(frozen=True)
class Pass:
    """The state of a pass during its ruling: the table before it, the position after its push, and the cells
    where the explorer then stood and stopped. `further` says that the pass was bought by a card."""

    turn: TurnRecord
    table: Table
    position: Position
    explorer: str
    stood: int
    to: int
    further: bool

    @property
    def mover(self) -> BoardPlayer:
        return self.table.player(self.turn.player)

    @property
    def pushed_table(self) -> Table:
        """The table with the position after the push."""
        return replace(self.table, position=self.position, ways=self.position.passages())


def is_further(turn: TurnRecord) -> bool:
    """Whether the pass is an extra one, bought with a card."""
    done = turn.after is not None and bool(turn.after.more.get("extra_done", False))
    return turn.claims.extra is not None or done


def barred(table: Table, *, further: bool) -> bool:
    """Whether undoing the last push is forbidden. Under one house rule, an extra pass may undo the player's
    own push."""
    return not (further and table.house.reverse == "others")


# --- the turn -----------------------------------------------------------------------------------------------


def turn_violations(turn: TurnRecord, table: Table, *, further: bool) -> Iterator[Violation]:
    """Violations of the turn order and of the end of the game."""
    names = [player.name for player in table.board.players]
    if table.phase == "over":
        yield violation("game-over")
    to_move = table.board.to_move
    if to_move is not None:
        expected = names[names.index(to_move) - 1] if further else to_move
        if turn.player != expected:
            yield violation("wrong-player", other=expected, player=turn.player)
    extra = turn.claims.extra
    if further:
        lacking = extra is not None and 0 in unavailable(table.player(turn.player), table.pieces, [extra])
        worthless = extra is not None and table.pieces.cards[extra] not in EXTRA
        if table.extra_done or lacking or worthless:
            yield violation("extra-card")


# --- the walk and the treasure ------------------------------------------------------------------------------


def walk_violations(done: Pass) -> Iterator[Violation]:
    """Violations by the explorer's walk to the cell where it stopped."""
    nest = done.position.nest
    if done.to == done.stood:
        return
    if nest is not None and nest in (done.to, done.stood):
        yield violation("nest", nest)
    elif not done.pushed_table.ways.joined(done.stood) >> done.to & 1:
        yield violation("walk-blocked", done.to)


def walked(done: Pass, *, taken: bool) -> bool:
    """Whether the explorer walked: to another tile or, under a house rule, out and back to a treasure."""
    return done.to != done.stood or (taken and _out_and_back(done))


def _out_and_back(done: Pass) -> bool:
    here = 1 << done.stood
    return done.table.house.round_trip and bool(done.pushed_table.ways.beside(here) & ~here)


def treasure_violation(done: Pass, name: str, cell: int | None) -> Violation | None:
    """The first of four possible violations in taking a treasure from a cell; None where it is legal."""
    value, lowest = done.table.pieces.treasures[name], done.table.lowest
    if cell is not None and cell == done.position.nest:
        return violation("treasure-nested", cell)
    if lowest is not None and value > lowest:
        return violation("treasure-order", cell, value=value, lowest=lowest)
    if cell != done.to:
        return violation("treasure-elsewhere", cell)
    if not walked(done, taken=True):
        return violation("treasure-unwalked", cell)
    return None


def is_treasure_left(done: Pass) -> bool:
    """Whether the walk ended on a treasure that the player had to take. It applies to a player who has taken
    none."""
    if done.table.house.take == "may" or done.to == done.stood or done.to == done.position.nest:
        return False
    return done.to in lowest_cells(done.pushed_table)


def is_second_six(done: Pass, taken: Sequence[str]) -> bool:
    """Whether the last treasure of the first set was taken, after which the second set is laid out."""
    treasures = done.table.pieces.treasures
    left = len(done.position.chips) - len(taken)
    return left == 0 and any(treasures[name] == 6 for name in taken)


def is_card_wrong(done: Pass, taken: str | None) -> bool:
    """Whether the discard of a hand card for a coin breaks the rule."""
    card, extra, pieces = done.turn.claims.card, done.turn.claims.extra, done.table.pieces
    if card is None:
        return False
    if taken is None or pieces.cards[card] != pieces.treasures[taken]:
        return True
    before = [extra] if extra is not None else []
    return len(before) in unavailable(done.mover, pieces, [*before, card])


# --- fights -------------------------------------------------------------------------------------------------


def watch_of(done: Pass, die: DragonDie, taken: Sequence[str]) -> tuple[str, Watch]:
    """The thrower (dragon or gargoyle) and the explorers it watches, for a result of the die. A treasure just
    taken counts."""
    position = replace(done.position, explorers={**done.position.explorers, done.explorer: done.to})
    armed = {**done.table.armed, **({done.explorer: True} if taken else {})}
    ways, house = position.passages(), done.table.house
    if die.gargoyle is not None:
        cell = position.gargoyles.get(die.gargoyle)
        watch = NOTHING if cell is None else gargoyle_watch(position, ways, armed, house, cell)
        return die.gargoyle, watch
    facing = ((position.facing or 0) + (die.arrows or 0)) % 4
    dragon = next(iter(sorted(done.table.pieces.dragons)), "dragon")
    return dragon, dragon_watch(position, ways, armed, house, facing)


def lowest_held(done: Pass, player: BoardPlayer, taken: Sequence[str]) -> str | None:
    """The treasure that a player loses in a fight; None where it is unknown, or the player has none."""
    pieces = done.table.pieces
    held = held_treasures(player, pieces)
    if held is None:
        return None
    names = [*held, *(taken if player.name == done.turn.player else ())]
    return min(names, key=lambda name: pieces.treasures[name], default=None)


def is_reroll_wrong(
    done: Pass, player: BoardPlayer, throws: Sequence[Sequence[int]], discards: Sequence[str]
) -> bool:
    """Whether repeated throws were not paid for with one card each, unused before in this pass."""
    pieces, claims = done.table.pieces, done.turn.claims
    if len(discards) != sum(len(die) - 1 for die in throws):
        return True
    if any(pieces.cards[card] not in REROLL for card in discards):
        return True
    before = []
    if player.name == done.turn.player:
        before = [card for card in (claims.extra, claims.card) if card is not None]
    missing = unavailable(player, pieces, [*before, *discards])
    return any(number >= len(before) for number in missing)


def fight_violations(done: Pass, fights: Sequence[Fight], watch: Watch) -> Iterator[Violation]:
    """Violations where the reported fights differ from the required ones. A fight is optional where it is
    unknown whether the player holds a treasure."""
    owners = done.table.owners
    must = [owners[piece] for piece in watch.fights if piece in owners]
    free = {*must, *(owners[piece] for piece in watch.maybe if piece in owners)}
    fought = [fight.player for fight in fights]
    for name in must:
        if name not in fought:
            yield violation("fight-missing", player=name)
    for number, name in enumerate(fought):
        if name not in free or name in fought[:number]:
            yield violation("fight-unearned", player=name)


def possible_dice(done: Pass) -> list[DragonDie]:
    """All results of the dragon die: one to four arrows, and each gargoyle on the board."""
    arrows = [DragonDie(arrows=number) for number in range(1, 5)]
    return [*arrows, *(DragonDie(gargoyle=name) for name in done.position.gargoyles)]


def unearned(done: Pass, fights: Sequence[Fight], taken: Sequence[str]) -> list[Violation]:
    """Violations for reported fights that no single result of the unreported die explains. Without a treasure
    taken, no result explains a fight. Of several results, the one that explains most fights counts."""
    owners = done.table.owners
    left = [fight.player for fight in fights]
    for die in possible_dice(done) if taken else ():
        _, watch = watch_of(done, die, taken)
        free = {owners.get(piece) for piece in (*watch.fights, *watch.maybe)}
        names = [fight.player for fight in fights]
        others = [name for n, name in enumerate(names) if name not in free or name in names[:n]]
        left = min(left, others, key=len)
    return [violation("fight-unearned", player=name) for name in left]


def is_won(fight: Fight) -> bool:
    """Whether the last throw of a battle die wins."""
    return fight.throws[0][-1] >= 4


def dice_violations(done: Pass, fights: Sequence[Fight], taken: Sequence[str]) -> Iterator[Violation]:
    """Violations by unpaid repeated throws and by a wrong treasure lost."""
    treasures = done.table.pieces.treasures
    for fight in fights:
        player = done.table.player(fight.player)
        if is_reroll_wrong(done, player, fight.throws, fight.discards):
            yield violation("reroll-card")
        if fight.lost is None:
            continue
        lowest = lowest_held(done, player, taken)
        told = player.holds is not None
        wrong = told and (lowest is None or treasures[lowest] != treasures[fight.lost])
        if is_won(fight) or wrong:
            yield violation("fight-lost")


def final_violations(done: Pass, *, attempted: bool) -> Iterator[Violation]:
    """Violations by a fight with the dragon: whether it was allowed, and whether repeated throws were paid
    for."""
    final = done.turn.claims.final
    if final is None and not attempted:
        return
    if final is not None and is_reroll_wrong(done, done.mover, final.throws, final.discards):
        yield violation("reroll-card")
    if done.table.phase != "final":
        yield violation("final-early")
    elif done.to != done.position.front:
        yield violation("final-place")
