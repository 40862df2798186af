"""What is asked of a photo of the end of a game: what players hold, and nothing that scores no point."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
from labyrinth2_scans import assessed, piece, scan, with_tile

from scorer.board_record import Board, BoardPlayer, GridSize
from vision.boards.seen import BoardScan, HeldPiece, HiddenCell
from waymark.review.boards.assess import BoardAssessment


def told(*, ended: bool = True, **holds: dict[str, int]) -> Board:
    """Aya in front of the board's bottom and Ben of its top; of each what was known before the photo."""
    players = tuple(
        BoardPlayer(name=name, piece=f"explorer-{of}", seat=seat, holds=holds.get(name))  # type: ignore[arg-type]
        for name, of, seat in (("Aya", "red", "bottom"), ("Ben", "blue", "top"))
    )
    more: dict[str, Any] = {"ended": True} if ended else {}
    return Board(game="labyrinth2", grid=GridSize(columns=7, rows=7), players=players, more=more)


def unclear() -> BoardScan:
    """A board with doubts about tiles, their turns, a figure's place, a hidden cell, a chip and the spare."""
    pieces = tuple(each for each in scan().pieces if each.piece != "gargoyle-2")
    read = scan(
        pieces=(*pieces, piece("chip-4", (5, 5), confidence=0.2, options=("chip-1",), disc=True)),
        hidden=(HiddenCell((1, 5), 0.9, True),),
        unread=(piece("chip-5", (4, 4), confidence=0.1, disc=True),),
        spare=None,
    )
    read = with_tile(read, (1, 0), tile_confidence=0.5, options=(("L03", 90),))
    return with_tile(read, (3, 0), turn_confidence=0.5)


def lying(name: str, x: float, confidence: float = 1.0) -> HeldPiece:
    return HeldPiece(name, "bottom", (x, 850.0), confidence, 11.0)


def asked(now: BoardAssessment) -> set[str]:
    return {each.kind for each in now.questions} - {"looked-over"}


def test_a_final_score_asks_nothing_about_tiles_places_and_chips_on_the_board() -> None:
    playing = asked(assessed(unclear(), told(ended=False)))
    assert {"tile", "missing", "hidden", "spare"} <= playing
    now = assessed(unclear(), told())
    assert asked(now) == set() and now.settled and not now.sure, "a person still looks over the photo"
    assert assessed(unclear(), told(), answers={"board:looked-over": 0}).questions == ()


def test_the_dragon_that_somebody_holds_ends_the_game_too() -> None:
    won = assessed(unclear(), told(ended=False, Aya={"dragon": 1}))
    assert asked(won) == set() and won.settled


def test_a_final_score_asks_about_holdings_that_are_unclear_or_out_of_view() -> None:
    doubted = replace(unclear(), held=(lying("chip-1", 400), lying("chip-3", 430, 0.4)))
    now = assessed(doubted, told())
    assert asked(now) == {"held"} and not now.settled
    (question, _) = now.questions
    assert question.player == "Aya" and question.pieces == ("chip-3",)
    other = next(k for k, option in enumerate(question.options) if option.piece == "chip-2")
    settled = assessed(doubted, told(), answers={question.name: other})
    assert settled.settled and settled.board.players[0].holds == {"chip-1": 1, "chip-2": 1}

    cut = replace(unclear(), seats_in_view=("top",))
    now = assessed(cut, told())
    assert [(each.kind, each.player) for each in now.questions] == [("unseen", "Aya"), ("looked-over", None)]
    assert asked(assessed(cut, told(Aya={"chip-6": 2}))) == set(), "what was known before stays"


def test_a_broken_rule_is_asked_of_a_final_score_where_holdings_break_it() -> None:
    three = tuple(lying("chip-1", 400 + 30 * number) for number in range(3))
    read = replace(scan(), held=three)
    assert "broken-rule:too-many" in [each.name for each in assessed(read, told()).questions]
    mixed = replace(scan(), pieces=(*scan().pieces, piece("chip-9", (4, 4), disc=True)))
    assert "broken-rule:chip-mix" in [each.name for each in assessed(mixed, told(ended=False)).questions]
    assert asked(assessed(mixed, told())) == set()


def test_a_board_corrected_by_hand_is_what_people_say() -> None:
    board = msgspec.structs.replace(assessed(scan(), told()).board, more={"ended": True})
    assert assessed(unclear(), told(), corrected=board).settled
