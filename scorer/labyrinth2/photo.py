"""Inference of a pass from two photos: the push that leads from one board to the other, the treasures taken
and lost, and the rules broken. The photos take precedence over the players' report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorer.board_record import BoardPlayer
from scorer.labyrinth2.rules.passes import (
    Pass,
    Violation,
    barred,
    dice_violations,
    fight_violations,
    final_violations,
    in_order,
    is_card_wrong,
    is_further,
    is_second_six,
    is_treasure_left,
    is_won,
    lowest_held,
    treasure_violation,
    turn_violations,
    unearned,
    violation,
    walk_violations,
    watch_of,
)
from scorer.labyrinth2.rules.pieces import SECOND
from scorer.labyrinth2.rules.position import ARROWS, EXITS, LINES, Position, number_of, pushed
from scorer.labyrinth2.rules.reported_turn import Ended, Fought, Judged, ended, fought_as_told
from scorer.labyrinth2.rules.table import Table, held_treasures, holds_dragon
from scorer.labyrinth2.rules.turn_record import DragonDie, TurnRecord


@dataclass(frozen=True, slots=True)
class Candidate:
    """A push that leads from one board to the other; the rotation of the entered tile is the one observed."""

    arrow: str
    rotation: int


@dataclass(frozen=True)
class Moved:
    """Changes of treasures between two boards: those `taken`, with their former cells; those found elsewhere
    (`strayed`); and those that `arrived`, with their new cells."""

    taken: tuple[tuple[str, int | None], ...]
    strayed: tuple[str, ...]
    arrived: tuple[tuple[str, int | None], ...]


def candidates_of(before: Table, after: Table) -> list[Candidate]:
    """The pushes (arrow and rotation) that produce the tiles and the spare tile of the board after."""
    seen = {number_of(tile.cell): tile.rotation for tile in after.board.tiles or ()}
    found = []
    for arrow in ARROWS:
        entry = LINES[arrow][0]
        rotation = seen.get(entry)
        if rotation is None or after.position.tiles[entry] != before.position.spare:
            continue
        made = pushed(before.position, before.pieces, before.house, arrow, rotation)
        if _lies_the_same(made, after.position):
            found.append(Candidate(arrow, rotation))
    return found


def _lies_the_same(one: Position, other: Position) -> bool:
    return one.tiles == other.tiles and one.sides == other.sides and one.spare == other.spare


def judge_photos(turn: TurnRecord, before: Table, after: Table) -> tuple[Judged, list[Candidate]]:
    """The judgement of a pass from its two boards and the players' report. Both boards must be playable."""
    candidates = candidates_of(before, after)
    likely = [each for each in candidates if EXITS[each.arrow] == after.position.spare_at] or candidates
    if not likely:
        return _judge(turn, before, after, None), candidates
    judged = [_judge(turn, before, after, each) for each in likely]
    return min(judged, key=lambda each: len(each.violations)), candidates


def contradicted(turn: TurnRecord, judged: Judged) -> list[str]:
    """The parts of the players' report that contradict the photos."""
    claims, done, found = turn.claims, judged.done, []
    if claims.push is not None and judged.arrow is not None:
        lying = done.table.pieces.lying
        spare = done.table.position.spare or ""
        as_told = claims.push.at, lying[spare, claims.push.rotation]
        if as_told != (judged.arrow, lying[spare, judged.rotation or 0]):
            found.append("push")
    if claims.to is not None and number_of(claims.to) != done.to:
        found.append("to")
    if claims.take is not None and claims.take != judged.taken:
        found.append("take")
    return found


def _judge(turn: TurnRecord, before: Table, after: Table, push: Candidate | None) -> Judged:
    further = is_further(turn)
    explorer = before.player(turn.player).piece or ""
    found = list(turn_violations(turn, before, further=further))
    position = before.position
    if push is None:
        unchanged = _lies_the_same(before.position, after.position)
        found.append(violation("no-push" if unchanged else "not-a-push"))
    else:
        if push.arrow == position.spare_at and barred(before, further=further):
            found.append(violation("push-reversed", arrow=push.arrow))
        position = pushed(position, before.pieces, before.house, push.arrow, push.rotation)
    stood, to = position.explorers[explorer], after.position.explorers[explorer]
    done = Pass(turn, before, position, explorer, stood, to, further)
    moved = _moved(position, after.position)
    found += _not_carried(done, after, moved)
    found += walk_violations(done)
    names = [name for name, _ in _stopped_on_first(moved.taken, to)]
    found += _treasure_violations(done, moved)
    pending = []
    if is_second_six(done, names):
        if not moved.arrived:
            pending.append("late-chips")
        elif not _is_second_helping(done, moved.arrived):
            found.append(violation("late-chips"))
    elif moved.arrived:
        found.append(violation("late-chips"))
    if is_card_wrong(done, names[0] if names else None):
        found.append(violation("card-wrong"))
    die, broken = _die(done, after, taken=bool(names))
    found += broken
    fights, final, broken, owed = _fights(done, after, names, die)
    found += broken
    pending += ["fights"] if owed else []
    found += _coin_violations(done, after, names)
    return Judged(
        done=done,
        violations=in_order(found),
        pending=tuple(pending),
        arrow=None if push is None else push.arrow,
        rotation=None if push is None else push.rotation,
        taken=names[0] if names else None,
        die=die,
        facing=after.position.facing,
        fights=tuple(fights),
        final=final,
    )


# --- what moved ---------------------------------------------------------------------------------------------


def _moved(position: Position, after: Position) -> Moved:
    gone = Counter(position.chips) - Counter(after.chips)
    new = Counter(after.chips) - Counter(position.chips)
    fresh = list(new.elements())
    taken, strayed = [], []
    for name, cell in gone.elements():
        elsewhere = next((each for each in fresh if each[0] == name), None)
        if elsewhere is None:
            taken.append((name, cell))
        else:
            fresh.remove(elsewhere)
            strayed.append(name)
    return Moved(tuple(taken), tuple(strayed), tuple(fresh))


def _stopped_on_first(taken: Sequence[tuple[str, int | None]], to: int) -> list[tuple[str, int | None]]:
    return sorted(taken, key=lambda each: each[1] != to)


def _not_carried(done: Pass, after: Table, moved: Moved) -> Iterator[Violation]:
    there = {**after.position.explorers, **after.position.gargoyles}
    expected = {**done.position.explorers, **done.position.gargoyles}
    for name in dict.fromkeys([*expected, *there]):
        if name != done.explorer and there.get(name) != expected.get(name):
            yield violation("not-carried", there.get(name), piece=name)
    for name in moved.strayed:
        yield violation("not-carried", piece=name)


def _treasure_violations(done: Pass, moved: Moved) -> Iterator[Violation]:
    if len(moved.taken) > 1:
        yield violation("treasure-many")
    for name, cell in _stopped_on_first(moved.taken, done.to):
        wrong = treasure_violation(done, name, cell)
        if wrong is not None:
            yield wrong
    if not moved.taken and is_treasure_left(done):
        yield violation("treasure-left", done.to)


def _is_second_helping(done: Pass, arrived: Sequence[tuple[str, int | None]]) -> bool:
    """Whether the new treasures are exactly the second set, on the cells where treasures are laid out."""
    pieces = done.table.pieces
    wanted = Counter(
        {name: pieces.copies[name] for name, value in pieces.treasures.items() if value in SECOND}
    )
    if Counter(name for name, _ in arrived) != wanted:
        return False
    cells = [cell for _, cell in arrived]
    return pieces.chip_cells is None or Counter(cells) == Counter(pieces.chip_cells)


# --- die and fights -----------------------------------------------------------------------------------------


def _die(done: Pass, after: Table, *, taken: bool) -> tuple[DragonDie | None, list[Violation]]:
    """The result of the dragon die, and the violations found. The result is as reported, else inferred from
    the dragon's rotation after a treasure was taken; None where it remains unknown."""
    was, is_now, die = done.position.facing, after.position.facing, done.turn.claims.die
    turned = None if was is None or is_now is None else (is_now - was) % 4
    broken = []
    if die is None and turned and taken:
        die = DragonDie(arrows=turned)
    arrows = 0 if die is None else (die.arrows or 0) % 4
    if turned is not None and turned != arrows:
        broken.append(violation("dragon-turned"))
    if die is not None and not taken:
        broken.append(violation("die-unearned"))
    return die, broken


def _fights(
    done: Pass, after: Table, taken: Sequence[str], die: DragonDie | None
) -> tuple[list[Fought], Ended | None, list[Violation], bool]:
    """The fights of a pass, the dragon's fight, the violations, and whether any fight is still to be
    reported."""
    claims = done.turn.claims
    read = claims.fights or () if die is not None or not taken else ()
    broken = list(dice_violations(done, read, taken))
    losses, odd = _losses(done, after, taken)
    broken += odd
    final, odd = _final(done, after, losses)
    broken += odd
    at_the_dragon = done.turn.player if final is not None and final.lost is not None else None
    broken += _loss_violations(done, taken, die, losses, at_the_dragon)
    for fight in read:
        lost = losses.get(fight.player)
        if fight.player in _told_in_both(done, after) and is_won(fight) == bool(lost):
            broken.append(violation("fight-lost"))
    if die is None:
        broken += unearned(done, read, taken)
        return [], final, broken, False
    by, watch = watch_of(done, die, taken)
    if claims.fights is not None:
        broken += fight_violations(done, read, watch)
    fights = []
    for piece in [*watch.fights, *watch.maybe]:
        name = done.table.owners.get(piece)
        told = fought_as_told(done, piece=piece, by=by, taken=taken)
        if name in losses:
            told = Fought(name, piece, by, False, losses[name][0])
        elif piece in watch.maybe and told.won is None:
            continue
        elif told.won is None and name in _told_in_both(done, after):
            told = Fought(name, piece, by, True, None)
        fights.append(told)
    owed = claims.fights is None and any(each.won is None for each in fights)
    return fights, final, broken, owed


def _told_in_both(done: Pass, after: Table) -> dict[str, tuple[BoardPlayer, BoardPlayer]]:
    """The players whose possessions are known on both boards, by name, as pairs (before, after)."""
    pairs = zip(done.table.board.players, after.board.players, strict=True)
    return {
        before.name: (before, later)
        for before, later in pairs
        if before.holds is not None and later.holds is not None
    }


def _losses(done: Pass, after: Table, taken: Sequence[str]) -> tuple[dict[str, list[str]], list[Violation]]:
    """The treasures lost by each player, the lowest first, and violations for possessions that cannot be
    explained."""
    treasures, losses, broken = done.table.pieces.treasures, {}, []
    for name, (before, later) in _told_in_both(done, after).items():
        expected = Counter(held_treasures(before, done.table.pieces) or {})
        expected.update(taken if name == done.turn.player else ())
        there = Counter(held_treasures(later, done.table.pieces) or {})
        if there - expected:
            broken.append(violation("holds-wrong", player=name))
        missing = sorted((expected - there).elements(), key=lambda each: treasures[each])
        if missing:
            losses[name] = missing
    return losses, broken


def _loss_violations(
    done: Pass,
    taken: Sequence[str],
    die: DragonDie | None,
    losses: dict[str, list[str]],
    at_the_dragon: str | None,
) -> Iterator[Violation]:
    """Violations by treasures lost in fights. One throw must explain all fights except the one against the
    dragon itself, and each loser must lose exactly the lowest treasure."""
    fought = losses.keys() - {at_the_dragon}
    dice = [die] if die is not None else []
    if die is None and taken:
        gargoyles = [DragonDie(gargoyle=name) for name in done.position.gargoyles]
        dice = [DragonDie(arrows=4), *gargoyles]
    fighters = []
    for each in dice:
        _, watch = watch_of(done, each, taken)
        owners = done.table.owners
        fighters.append({owners.get(piece) for piece in (*watch.fights, *watch.maybe)})
    if fought and not any(fought <= each for each in fighters):
        free = fought - fighters[0] if len(fighters) == 1 else fought
        for name in losses:
            if name in free:
                yield violation("fight-unearned", player=name)
    treasures = done.table.pieces.treasures
    for name, lost in losses.items():
        lowest = lowest_held(done, done.table.player(name), taken)
        if len(lost) > 1 or lowest is None or treasures[lost[0]] != treasures[lowest]:
            yield violation("fight-lost")


def _final(done: Pass, after: Table, losses: dict[str, list[str]]) -> tuple[Ended | None, list[Violation]]:
    """The fight with the dragon, as reported or inferred from the mover's gains and losses; and its
    violations."""
    pieces, told = done.table.pieces, done.turn.claims.final
    broken = []
    if done.table.phase != "over":
        for player in after.board.players:
            if player.name != done.turn.player and holds_dragon(player, pieces):
                broken.append(violation("holds-wrong", player=player.name))
    mover = after.player(done.turn.player)
    gone = done.position.nest is not None and after.position.nest is None
    won = done.table.phase != "over" and (holds_dragon(mover, pieces) or (gone and mover.holds is None))
    there = done.table.phase == "final" and done.to == done.position.front
    lost = losses.get(mover.name, []) if there and not won else []
    broken += final_violations(done, attempted=won)
    if told is not None:
        by_dice = ended(done, told)
        known = mover.name in _told_in_both(done, after)
        if by_dice.won != won and (known or won):
            broken.append(violation("holds-wrong", player=mover.name))
        return by_dice, broken
    if won:
        return Ended(None, True, None), broken
    return (Ended(None, False, lost[0]) if lost else None), broken


def _coin_violations(done: Pass, after: Table, taken: Sequence[str]) -> Iterator[Violation]:
    """Violations by changes in the number of coins. The mover may gain one with a treasure, and gains exactly
    one where a card was reported."""
    coins = done.table.pieces.coins
    for name, (before, later) in _told_in_both(done, after).items():
        more = sum((later.holds or {}).get(coin, 0) - (before.holds or {}).get(coin, 0) for coin in coins)
        allowed = {0}
        if name == done.turn.player and taken:
            allowed = {1} if done.turn.claims.card is not None else {0, 1}
        if more not in allowed:
            yield violation("coin-wrong", player=name)
