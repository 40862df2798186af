"""Questions about a board that come before all others, because the rest of its reading depends on them: the
orientation of the strips round its ground, and the owners of the figures that no player uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from msgspec import structs

from scorer.board_game import BoardGame
from scorer.board_record import Board, BoardPlayer
from scorer.catalogue import Catalogue
from scorer.text import Text, unchanged
from vision.boards.seen import SIDES, BoardScan, Doubt, LayeredScan
from vision.boards.turned_scan import turned_layers
from waymark.review.boards.question import LIES, BoardOption, BoardQuestion, as_question, cannot_tell

#: Lead of the best order of the strips from which the ground's orientation is certain.
SURE_GROUND = 0.75

_NOT_THESE = Text("none of these: the figure is missing")

#: Function from a reading and the stated players to the record.
Recorded = Callable[[BoardScan, "Board | None"], Board]


@dataclass(frozen=True)
class First:
    """A board's reading and its players after the answers to the first questions, with those questions,
    answered or not."""

    scan: BoardScan
    told: Board | None
    asked: tuple[BoardQuestion, ...] = ()


def first_asked(
    scan: BoardScan,
    told: Board | None,
    catalogue: Catalogue,
    game: BoardGame,
    answers: Mapping[str, int],
    recorded: Recorded,
) -> First:
    """The reading and players under the answers so far, with the first questions. Each further question
    follows the answer to the one before."""
    asked: list[BoardQuestion] = []
    if isinstance(scan, LayeredScan):
        scan, question = _grounded(scan, told, catalogue, game, answers, recorded)
        asked += [] if question is None else [question]
    told, whose = _with_figures(scan, told, catalogue, answers, recorded)
    return First(scan, told, (*asked, *whose))


def _grounded(
    scan: LayeredScan,
    told: Board | None,
    catalogue: Catalogue,
    game: BoardGame,
    answers: Mapping[str, int],
    recorded: Recorded,
) -> tuple[LayeredScan, BoardQuestion | None]:
    """The reading with its strips in the orientation that was answered, and the question about that
    orientation."""
    seen = scan.layers
    if seen is None or (seen.rotation is not None and scan.turn_confidence >= SURE_GROUND):
        return scan, None
    layers = game.photo.strategy.layers_of(game.rules.pieces_of(catalogue))
    rims = () if layers is None else layers.rims
    ways = [_turned(scan, quarters, rims, game.rules.grid.columns) for quarters in range(4)]
    options = [
        BoardOption(LIES[side], recorded(ways[-k % 4], told), side=side) for k, side in enumerate(SIDES)
    ]
    unread = seen.rotation is None
    options.insert(0 if unread else len(options), cannot_tell(recorded(scan, told)))
    question = as_question(
        Doubt("ground", "ground", None, ()), options, pieces=tuple(rims[:1]), open_ended=True
    )
    question = replace(question, name="ground:ground")
    number = answers.get(question.name, -1)
    chosen = question.options[number].side if 0 <= number < len(options) else None
    return (scan if chosen is None else ways[-SIDES.index(chosen) % 4]), question


def _turned(scan: LayeredScan, quarters: int, rims: tuple[str, ...], columns: int) -> LayeredScan:
    """The reading rotated by quarter turns (counterclockwise) into the frame whose top has the first
    strip. A reading without an orientation of the ground is in the ground's own frame."""
    assert scan.layers is not None
    known = replace(scan.layers, rotation=scan.layers.rotation or 0)
    turned = turned_layers(replace(scan, layers=known), quarters, columns)
    assert turned.layers is not None
    told = dict(zip(SIDES, rims, strict=True)) if len(rims) == len(SIDES) else turned.layers.rims
    return replace(turned, layers=replace(turned.layers, rims=told))


def _with_figures(
    scan: BoardScan, told: Board | None, catalogue: Catalogue, answers: Mapping[str, int], recorded: Recorded
) -> tuple[Board | None, list[BoardQuestion]]:
    """The players with their figures as answered, and the questions about figures up to the first open
    one. They are asked for players whose figure is not on the board while unassigned figures are."""
    asked: list[BoardQuestion] = []
    for player in () if told is None else told.players:
        assert told is not None
        strangers = _strangers(scan, told, player, catalogue)
        if not strangers:
            continue
        options = [
            BoardOption(unchanged(name), recorded(scan, playing(told, player, name)), piece=name)
            for name in strangers
        ]
        stays = BoardOption(_NOT_THESE, recorded(scan, told))
        question = replace(
            as_question(
                Doubt("owner", "whose", None, ()),
                [stays, *options],
                pieces=strangers,
                player=player.name,
                open_ended=True,
            ),
            name=f"owner:whose:{player.name}",
        )
        asked.append(question)
        number = answers.get(question.name)
        if number is None:
            break
        if 0 < number <= len(strangers):
            told = playing(told, player, strangers[number - 1])
    return told, asked


def _strangers(scan: BoardScan, told: Board, player: BoardPlayer, catalogue: Catalogue) -> tuple[str, ...]:
    """The unassigned figures on the board that could be a player's; empty where the player's own figure
    was read."""
    own = catalogue.by_id.get(player.piece or "")
    seen = {each.piece for each in (*scan.pieces, *scan.unread)}
    if own is None or own.id in seen:
        return ()
    played = {each.piece for each in told.players} | {(told.more.get("dragon") or {}).get("piece")}
    alike = [card for card in catalogue.cards if (card.kind, card.role) == (own.kind, own.role)]
    standing = {each.piece for each in scan.pieces}
    return tuple(card.id for card in alike if card.id in standing and card.id not in played)


def playing(board: Board, player: BoardPlayer, figure: str) -> Board:
    """The board with another figure in place of a player's figure, wherever that one was recorded."""
    players = tuple(
        structs.replace(each, piece=figure) if each.name == player.name else each for each in board.players
    )
    pieces = tuple(
        structs.replace(each, piece=figure) if each.piece == player.piece else each
        for each in board.pieces or ()
    )
    return structs.replace(board, players=players, pieces=pieces if board.pieces is not None else None)
