"""The turn between two photos of a board: what changed, and which actions explain it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any, Protocol

import msgspec

from scorer.board_game import BoardGame
from scorer.board_record import Board, BoardPlayer, Cell, Piece, SpareTile, Tile
from scorer.catalogue import Catalogue
from scorer.infer_turns import MOST_NATS, SeenTurn, Trust
from scorer.port.photo import Way
from scorer.square_grid import open_sides, turned
from scorer.text import Text
from vision.boards.scan_layered import LayeredScan
from vision.boards.seen import BoardScan
from waymark.review.boards.confidence import SURE_SPARE, tile_confidences
from waymark.review.boards.question import BoardQuestion, Settled
from waymark.review.boards.questions import LIKELY_DISC, SURE_DISC, SURE_FACING, SURE_FIGURE, SURE_TILE

#: Share of cells with equal tiles required of two photos of one turn; below it they show different tables.
ONE_TABLE = 0.6
#: Maximum evidence (nats) of a confidence; and the cost (nats) where the tile beside the board is not where
#: the push released it.
BOARD_MOST_NATS, ELSEWHERE = 6.0, 1.5
#: A reading with more evidence (nats) than this is not overruled without a person.
OVERRULED = 1.5
#: Evidence (nats) of the other photo against every other option from which it settles a doubt.
SETTLED = 2.5
#: Log-odds (nats) that a disc is as read, and that none lies in plain view where none was read. Of 468 discs
#: read in 70 photos (`tuning-labyrinth2` from 4002) one was wrong; all 14 missed ones were hidden.
READ_DISC, UNSEEN_DISC = 4.0, 3.0
#: Number of new treasures in plain view of the earlier photo above which the later one shows a new set-up.
LAID_OUT = 2


class Read(Protocol):
    """A board as read or as corrected by hand."""

    @property
    def board(self) -> Board: ...
    @property
    def scan(self) -> BoardScan: ...
    @property
    def by_hand(self) -> bool: ...
    @property
    def doubts(self) -> Sequence[BoardQuestion]: ...
    @property
    def said(self) -> Settled: ...


@dataclass(frozen=True)
class Surety:
    """Confidence (0 to 1) of each thing read on a board; things without an entry were stated by a
    person. `dark` are cells that may hold something the photo does not show; `absent` are the figures
    that a person said are not there, `glimpses` all places where a figure may have been seen."""

    tiles: Mapping[Cell, tuple[float, float]] = field(default_factory=dict)
    spare: float = 1.0
    pieces: Mapping[tuple[str, Cell], float] = field(default_factory=dict)
    facings: Mapping[str, float] = field(default_factory=dict)
    dark: frozenset[Cell] = frozenset()
    absent: frozenset[str] = frozenset()
    glimpses: Mapping[tuple[str, Cell], float] = field(default_factory=dict)

    def tile(self, cell: Cell) -> tuple[float, float]:
        return self.tiles.get(cell, (1.0, 1.0))

    def piece(self, piece: Piece) -> float:
        return self.pieces.get((piece.piece or "", piece.cell or (-1, -1)), 1.0)


def surety_of(read: Read) -> Surety:
    """The confidences of a board. What a person has answered has no doubt any more, and is certain."""
    if read.by_hand:
        return Surety()
    scan = read.scan
    open_ = {(each.about, each.cell) for each in read.doubts}
    lost = {each.put for each in read.doubts if each.put is not None}
    spare = 0.0 if scan.spare is None else scan.spare.confidence
    pieces = (*scan.unread, *scan.pieces)
    dark = [each.cell for each in scan.hidden] + [each.cell for each in scan.unread]
    dark += [each.cell for each in scan.pieces if not each.disc]
    return Surety(
        tiles={
            cell: each
            for cell, each in tile_confidences(scan).items()
            if min(each) >= SURE_TILE or ("tile", cell) in open_ or ("rotation", cell) in open_
        },
        spare=spare if spare >= SURE_SPARE or ("spare", None) in open_ else 1.0,
        pieces={
            (each.piece, each.cell): each.confidence
            for each in pieces
            if ("piece", each.cell) in open_
            or each.piece in lost
            or each.confidence >= (SURE_DISC if each.disc else SURE_FIGURE)
        },
        facings={
            each.piece: each.facing_confidence
            for each in pieces
            if each.facing is not None
            and (each.facing_confidence >= SURE_FACING or ("facing", each.cell) in open_)
        },
        dark=frozenset(dark) - read.said.cells,
        absent=read.said.absent,
        glimpses={(each.piece, each.cell): each.confidence for each in pieces if not each.disc},
    )


@dataclass(frozen=True)
class Together:
    """The likeliest joint reading of two boards: both boards, the way the tiles moved, and `lead`, the
    margin in nats over the next way. `overruled` is the largest evidence (nats) for a reading that the
    other photo has overruled."""

    before: Board
    after: Board
    way: Way
    lead: float
    overruled: float = 0.0


def together(
    before: Board,
    after: Board,
    sure: tuple[Surety, Surety],
    ways: Sequence[Way],
    cards: Catalogue,
    mover: str,
) -> Together | None:
    """The likeliest way the tiles moved, and both boards corrected by each other; None where the boards
    seem to be of two tables. `mover` is the figure that may have walked."""
    if not ways:
        return None
    costs = [sum(_against(before, after, sure, way, cards, mover)) for way in ways]
    order = sorted(range(len(ways)), key=costs.__getitem__)
    way = ways[order[0]]
    pairs = list(_pairs(before, after, way))
    alike = sum(one.tile == other.tile for one, other in pairs)
    if alike < ONE_TABLE * len(pairs):
        return None
    lead = costs[order[1]] - costs[order[0]] if len(order) > 1 else BOARD_MOST_NATS
    first, second = _spares_filled(before, after, way)
    first, second = _tiles_mended(first, second, sure, way, cards)
    first, second = _pieces_mended(first, second, sure, way, cards, mover)
    first, second = _glimpses_placed(first, second, sure, way, cards, mover)
    first, second = _holdings_mended(first, second, way, cards, mover)
    against = [
        *_overruled(before, after, sure, way, cards, mover),
        *_from_nowhere(before, after, sure, way, cards),
    ]
    overruled = max(against, default=0.0)
    return Together(first, second, way, lead, overruled)


def speaks_against(
    board: Board, other: Board, sure: Surety, way: Way, cards: Catalogue, mover: str, *, first: bool
) -> float:
    """Evidence (nats) of the `other` photo against a board, given the way the tiles moved. `first`: the
    board is the earlier one."""
    pair = (board, other) if first else (other, board)
    both = (Surety(), sure) if first else (sure, Surety())
    costs = [
        *_overruled(*pair, both, way, cards, mover),
        *_absent(board, other, sure, way, cards, mover, first=first),
        *_chips_against(*pair, sure, way, cards, mover, first=first),
    ]
    return sum(costs)


def _absent(
    board: Board, other: Board, sure: Surety, way: Way, cards: Catalogue, mover: str, *, first: bool
) -> Iterator[float]:
    """Evidence (nats) of the `other` photo for each of its figures that a board has nowhere, but for the
    mover's: only its own photo tells where it stands. A figure that stays is won only from a board without
    chips."""
    there = {mover, *(each.piece for each in board.pieces or ())}
    last = not first and not any(is_chip(each, cards) for each in other.pieces or ())
    for each in other.pieces or ():
        won = last and _stays(each, way, cards)
        if each.piece not in there and each.cell is not None and not is_chip(each, cards) and not won:
            yield nats(sure.piece(each))


def _chips_against(
    before: Board, after: Board, sure: Surety, way: Way, cards: Catalogue, mover: str, *, first: bool
) -> Iterator[float]:
    """Evidence (nats) of the other photo, read with confidences `sure`, for each chip on which two boards
    disagree. `first`: the other photo is the later one. A chip may be missing later where the mover stops."""
    gone, come = _chips_unmatched(before, after, way, cards)
    stop = next((each.cell for each in after.pieces or () if each.piece == mover), None)
    for piece in gone:
        to = way.carried(piece.cell or (0, 0))
        if to != stop:
            yield (0.0 if to in sure.dark else UNSEEN_DISC) if first else _disc_nats(sure.piece(piece))
    dark = frozenset() if first else sure.dark
    for piece in () if _is_laid_out(come, way, dark) else come:
        origin = way.came_from(piece.cell or (0, 0))
        yield _disc_nats(sure.piece(piece)) if first else (0.0 if origin in sure.dark else UNSEEN_DISC)


def _from_nowhere(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue
) -> Iterator[float]:
    """Evidence (nats) of the less certain photo, for each later chip that the earlier one lacks in plain
    view."""
    _, come = _chips_unmatched(before, after, way, cards)
    if _is_laid_out(come, way, sure[0].dark):
        return
    for piece in come:
        if way.came_from(piece.cell or (0, 0)) not in sure[0].dark:
            yield min(_disc_nats(sure[1].piece(piece)), UNSEEN_DISC)


def _is_laid_out(come: Sequence[Piece], way: Way, dark: frozenset[Cell]) -> bool:
    """Whether new chips are a new set-up: more than a few lie where the earlier photo showed none."""
    return sum(way.came_from(each.cell or (0, 0)) not in dark for each in come) > LAID_OUT


def _disc_nats(confidence: float) -> float:
    """Log-odds (nats) that a disc was read correctly; its confidence is a lead, not a probability."""
    return READ_DISC if confidence >= LIKELY_DISC else 0.0


def nats(confidence: float) -> float:
    """Log-odds of a confidence, in nats."""
    at = min(max(confidence, 0.5), 0.9999)
    return min(log(at / (1 - at)), BOARD_MOST_NATS)


class Lying(Protocol):
    """A tile in a cell or beside the board."""

    @property
    def tile(self) -> str | None: ...


def _pairs(before: Board, after: Board, way: Way) -> Iterator[tuple[Lying, Lying]]:
    """Each tile of the earlier board, paired with its expected counterpart on the later board."""
    there: dict[Cell, Tile] = {each.cell: each for each in after.tiles or ()}
    spares = (before.spare or (None,))[0], (after.spare or (None,))[0]
    for tile in before.tiles or ():
        if tile.cell == way.out:
            if spares[1] is not None:
                yield tile, spares[1]
        elif (to := there.get(way.moved.get(tile.cell, tile.cell))) is not None:
            yield tile, to
    if spares[0] is not None:
        to_spare: Lying | None = spares[1] if way.entry is None else there.get(way.entry)
        if to_spare is not None:
            yield spares[0], to_spare


def _sides(tile: Tile, cards: Catalogue) -> int:
    return -1 if tile.tile is None else turned(open_sides(cards.card(tile.tile)), tile.rotation or 0)


def _sure_of(lying: Lying, sure: Surety) -> tuple[float, float]:
    return sure.tile(lying.cell) if isinstance(lying, Tile) else (sure.spare, 1.0)


def _against(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> Iterator[float]:
    """The costs (nats) of a way: for each thing that it does not explain, the evidence of the less
    certain photo."""
    yield from _overruled(before, after, sure, way, cards, mover)
    spare = (after.spare or (None,))[0]
    if spare is not None and way.out is not None and spare.at != way.at:
        yield ELSEWHERE
    gone, come = _chips_unmatched(before, after, way, cards)
    for piece in gone:
        yield 0.5 * nats(sure[0].piece(piece))
    for piece in () if _is_laid_out(come, way, sure[0].dark) else come:
        yield 0.5 * nats(sure[1].piece(piece))


def _overruled(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> Iterator[float]:
    """Evidence (nats) of the less certain photo, for each tile or figure on which the photos disagree."""
    for one, other in _pairs(before, after, way):
        ours, theirs = _sure_of(one, sure[0]), _sure_of(other, sure[1])
        if one.tile != other.tile:
            yield nats(min(ours[0], theirs[0]))
        elif isinstance(one, Tile) and isinstance(other, Tile) and _sides(one, cards) != _sides(other, cards):
            yield nats(min(ours[1], theirs[1]))
    for piece, to in _figures(before, after, cards):
        if piece.piece != mover and piece.cell is not None and to.cell != _carried(piece, way, cards):
            yield nats(min(sure[0].piece(piece), sure[1].piece(to)))


def _stays(piece: Piece, way: Way, cards: Catalogue) -> bool:
    return piece.piece is not None and (cards.card(piece.piece).role or "") in way.staying


def _carried(piece: Piece, way: Way, cards: Catalogue) -> Cell:
    """Cell of a piece after a push that moves the tiles, if no player moves it."""
    cell = piece.cell or (0, 0)
    return cell if _stays(piece, way, cards) else way.carried(cell)


def is_chip(piece: Piece, cards: Catalogue) -> bool:
    """Whether a piece is a chip, of which several may lie on a board."""
    return piece.piece is not None and cards.card(piece.piece).kind == "chip"


def _figures(before: Board, after: Board, cards: Catalogue) -> Iterator[tuple[Piece, Piece]]:
    """Pairs of the same figure on both boards."""
    there = {each.piece: each for each in after.pieces or () if not is_chip(each, cards)}
    for each in before.pieces or ():
        if not is_chip(each, cards) and (to := there.get(each.piece)) is not None:
            yield each, to


def _chips_unmatched(
    before: Board, after: Board, way: Way, cards: Catalogue
) -> tuple[list[Piece], list[Piece]]:
    """Earlier chips that are missing at their expected cell, and later chips without an origin."""
    left = Counter(
        (each.piece, each.cell) for each in after.pieces or () if is_chip(each, cards) and each.cell
    )
    gone = []
    for each in before.pieces or ():
        if not is_chip(each, cards) or each.cell is None:
            continue
        at = each.piece, way.carried(each.cell)
        if left[at]:
            left[at] -= 1
        else:
            gone.append(each)
    come = []
    for each in after.pieces or ():
        if is_chip(each, cards) and each.cell and left[each.piece, each.cell]:
            left[each.piece, each.cell] -= 1
            come.append(each)
    return gone, come


def _tiles_mended(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue
) -> tuple[Board, Board]:
    changed: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
    for one, other in _pairs(before, after, way):
        both, sights = (one, other), (_sure_of(one, sure[0]), _sure_of(other, sure[1]))
        what = 0 if one.tile != other.tile else 1
        turns = isinstance(one, Tile) and isinstance(other, Tile)
        if what == 1 and (not turns or _sides(both[0], cards) == _sides(both[1], cards)):  # type: ignore[arg-type]
            continue
        weak = 0 if sights[0][what] < sights[1][what] else 1
        if sights[weak][what] < SURE_TILE:
            strong: Any = both[1 - weak]
            new = {"tile": strong.tile} | ({"rotation": strong.rotation} if turns else {})
            changed[weak][_where(both[weak])] = msgspec.structs.replace(both[weak], **new)  # type: ignore[type-var]
    return _with_tiles(before, changed[0]), _with_tiles(after, changed[1])


def _spares_filled(before: Board, after: Board, way: Way) -> tuple[Board, Board]:
    """Both boards; a tile beside the board that one photo does not show follows from the other photo and
    the way the tiles moved."""
    if way.entry is None or way.out is None:
        return before, after
    entered = {each.cell: each for each in after.tiles or ()}.get(way.entry)
    gone = {each.cell: each for each in before.tiles or ()}.get(way.out)
    if not before.spare and entered is not None:
        lying = SpareTile(tile=entered.tile, rotation=entered.rotation)
        before = msgspec.structs.replace(before, spare=(lying,))
    if not after.spare and gone is not None:
        lying = SpareTile(tile=gone.tile, rotation=gone.rotation, at=way.at)
        after = msgspec.structs.replace(after, spare=(lying,))
    return before, after


def _where(lying: Lying) -> Cell | None:
    return lying.cell if isinstance(lying, Tile) else None


def _with_tiles(board: Board, changed: Mapping[Cell | None, Any]) -> Board:
    if not changed:
        return board
    tiles = tuple(changed.get(each.cell, each) for each in board.tiles or ())
    spare: tuple[SpareTile, ...] | None = board.spare
    if None in changed:
        spare = (changed[None],)
    return msgspec.structs.replace(board, tiles=tiles, spare=spare)


def _pieces_mended(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> tuple[Board, Board]:

    def came_from(piece: Piece) -> Cell:
        cell = piece.cell or (0, 0)
        return cell if _stays(piece, way, cards) else way.came_from(cell)

    first, second = list(before.pieces or ()), list(after.pieces or ())
    for one, other in _figures(before, after, cards):
        ours, theirs = sure[0].piece(one), sure[1].piece(other)
        if one.piece != mover and one.cell and other.cell and other.cell != _carried(one, way, cards):
            if ours < min(theirs, SURE_FIGURE):
                first[first.index(one)] = one = _put(one, came_from(other))
            elif theirs < min(ours, SURE_FIGURE):
                second[second.index(other)] = other = _put(other, _carried(one, way, cards))
        if one.facing != other.facing:
            looks = [each.facings.get(one.piece or "", 1.0) for each in sure]
            if looks[0] < min(looks[1], SURE_FACING):
                first[first.index(one)] = msgspec.structs.replace(one, facing=other.facing)
            elif looks[1] < min(looks[0], SURE_FACING):
                second[second.index(other)] = msgspec.structs.replace(other, facing=one.facing)
    names = {each.piece for each in first}, {each.piece for each in second}
    for one in before.pieces or ():
        known = one.piece in names[1] or one.piece in sure[1].absent
        if one.cell and not is_chip(one, cards) and not known and one.piece != mover:
            second.append(_put(one, _carried(one, way, cards)))
    for other in after.pieces or ():
        known = other.piece in names[0] or other.piece in sure[0].absent
        if other.cell and not is_chip(other, cards) and not known and other.piece != mover:
            first.append(_put(other, came_from(other)))
    walked_to = next((each.cell for each in second if each.piece == mover), None)
    gone, come = _chips_unmatched(before, after, way, cards)
    if not _is_laid_out(come, way, sure[0].dark):
        for piece in gone:
            to = way.carried(piece.cell or (0, 0))
            there = next((each for each in come if each.cell == to), None)
            if there is not None:
                come.remove(there)
                if sure[0].piece(piece) < min(sure[1].piece(there), SURE_DISC):
                    first[first.index(piece)] = _put(there, piece.cell or (0, 0))
                elif sure[1].piece(there) < min(sure[0].piece(piece), SURE_DISC):
                    second[second.index(there)] = _put(piece, to)
            elif (to in sure[1].dark and to != walked_to) and piece.piece not in {
                each.piece for each in come
            }:
                second.append(_put(piece, to))
        for piece in come:
            at = came_from(piece)
            if at in sure[0].dark and piece.piece not in {each.piece for each in gone}:
                first.append(_put(piece, at))
    return (
        msgspec.structs.replace(before, pieces=tuple(first)),
        msgspec.structs.replace(after, pieces=tuple(second)),
    )


def _glimpses_placed(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> tuple[Board, Board]:
    """Both boards with the figures that neither photo shows well, where both glimpsed one on the same tile.
    All of 16 such figures stood there."""
    placed: dict[str, list[Cell]] = {}
    there = {mover, *(each.piece for board in (before, after) for each in board.pieces or ())}
    for name, cell in sorted(sure[0].glimpses):
        if (
            name not in there | sure[0].absent | sure[1].absent
            and (name, way.carried(cell)) in sure[1].glimpses
        ):
            placed.setdefault(name, []).append(cell)
    found = {name: cells[0] for name, cells in placed.items() if len(cells) == 1}
    first = [_put(Piece(piece=name), cell) for name, cell in found.items()]
    second = [_put(Piece(piece=name), way.carried(cell)) for name, cell in found.items()]
    return (
        msgspec.structs.replace(before, pieces=(*(before.pieces or ()), *first)),
        msgspec.structs.replace(after, pieces=(*(after.pieces or ()), *second)),
    )


def _is_in_play(name: str, board: Board, cards: Catalogue) -> bool:
    return cards.card(name).kind != "pawn" or any(each.piece == name for each in board.players)


def with_guesses(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> tuple[Board, Board]:
    """Both boards with the figures that neither has where they were glimpsed best; the mover's on each
    board."""
    boards = [list(before.pieces or ()), list(after.pieces or ())]
    there = [{each.piece for each in pieces} for pieces in boards]
    for k in (0, 1):
        spots = [cell for name, cell in _best_first(sure[k]) if name == mover]
        if spots and mover not in there[k] | sure[k].absent:
            boards[k].append(_put(Piece(piece=mover), spots[0]))
    both = [(value, k, *spot) for k in (0, 1) for spot, value in sure[k].glimpses.items()]
    for _, k, name, cell in sorted(both, reverse=True):
        if (
            not _is_in_play(name, before, cards)
            or name in {mover} | there[0] | there[1] | sure[0].absent | sure[1].absent
        ):
            continue
        there[0].add(name)
        origin = cell if k == 0 else way.came_from(cell)
        boards[0].append(_put(Piece(piece=name), origin))
        boards[1].append(_put(Piece(piece=name), way.carried(origin)))
    return (
        msgspec.structs.replace(before, pieces=tuple(boards[0])),
        msgspec.structs.replace(after, pieces=tuple(boards[1])),
    )


def _best_first(sure: Surety) -> list[tuple[str, Cell]]:
    return sorted(sure.glimpses, key=lambda spot: -sure.glimpses[spot])


def _put(piece: Piece, cell: Cell) -> Piece:
    return msgspec.structs.replace(piece, column=cell[0], row=cell[1])


def _holdings_mended(
    before: Board, after: Board, way: Way, cards: Catalogue, mover: str
) -> tuple[Board, Board]:
    """Both boards, with possessions set to unknown where the turn does not explain their change, since
    one photo shows them badly."""
    gone, _ = _chips_unmatched(before, after, way, cards)
    taken = Counter(each.piece for each in gone)
    then = {each.name: each for each in after.players}
    doubted = {
        player.name
        for player in before.players
        if (other := then.get(player.name)) is not None
        and player.holds is not None
        and other.holds is not None
        and not _is_explained(player, other, taken if player.piece == mover else Counter(), cards)
    }

    def told(players: tuple[BoardPlayer, ...]) -> tuple[BoardPlayer, ...]:
        return tuple(
            msgspec.structs.replace(each, holds=None) if each.name in doubted else each for each in players
        )

    return (
        msgspec.structs.replace(before, players=told(before.players)),
        msgspec.structs.replace(after, players=told(after.players)),
    )


def _is_explained(
    before: BoardPlayer, after: BoardPlayer, taken: Counter[str | None], cards: Catalogue
) -> bool:
    """Whether the change of a player's possessions fits a turn: the `taken` pieces are added, with at
    most a coin. A loss in a fight looks like an oversight, so it counts as unexplained."""
    there: Counter[str | None] = Counter(before.holds or {})
    there.update(taken)
    now: Counter[str | None] = Counter(after.holds or {})
    come, lost = now - there, there - now
    kinds = [cards.card(each or "").kind for each in come.elements()]
    return not lost and kinds in ([], ["coin"] if taken else [])


_OPEN = Text(
    "The photos do not show all that this turn may have changed: check its steps, and enter what is missing."
)
_NOT_FOUND = Text(
    "No turn that follows the rules was found between the two boards: check that everything was read right,"
    " or enter the turn step by step."
)


class Judged(Read, Protocol):
    """A board with its catalogue and terms."""

    @property
    def catalogue(self) -> Catalogue: ...
    @property
    def terms(self) -> Any: ...


def seen_between(game: BoardGame, before: Judged, after: Judged, player: str) -> SeenTurn | None:
    """The likeliest turn of a player between two boards; None where no turn is possible on the first."""
    assert game.photo.infer_turn is not None
    pieces = game.rules.pieces_of(before.catalogue)
    trust = _least(_trust(before), _trust(after))
    return game.photo.infer_turn(before.board, after.board, player, pieces, before.terms, trust)


def why_untold(seen: SeenTurn | None) -> Text | None:
    """Reason why two boards do not determine a turn; None where they do, or where the ruling states it."""
    if seen is None or seen.is_told:
        return None
    return _OPEN if seen.open else _NOT_FOUND


def _trust(read: Judged) -> Trust:
    """The confidence (nats) of each doubted thing on a board. Things that were answered or corrected
    count as certain."""
    if read.by_hand:
        return Trust()
    scan = read.scan
    asked = {each.cell for each in read.doubts if each.on is None}
    beside = {each.cell for each in read.doubts if each.on is not None}
    return Trust(
        tiles={each.cell: nats(each.confidence) for each in scan.tiles if each.cell in asked},
        pieces={each.piece: nats(each.confidence) for each in scan.pieces if each.cell in asked},
        beside=_spaces(scan, beside) if isinstance(scan, LayeredScan) else {},
    )


def _spaces(scan: LayeredScan, asked: set[Cell | None]) -> dict[Cell, float]:
    found: dict[Cell, float] = {}
    for each in () if scan.layers is None else scan.layers.places:
        column, _, row = each.place.partition(",")
        if column.isdigit() and row.isdigit() and (int(column), int(row)) in asked:
            found[int(column), int(row)] = nats(each.confidence)
    return found


def _least(one: Trust, other: Trust) -> Trust:
    def least(mine: Any, theirs: Any) -> Any:
        return {
            name: min(mine.get(name, MOST_NATS), theirs.get(name, MOST_NATS)) for name in {*mine, *theirs}
        }

    return Trust(
        least(one.tiles, other.tiles), least(one.pieces, other.pieces), least(one.beside, other.beside)
    )
