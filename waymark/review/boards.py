"""A board from a photo: the game's record of it, its ruling, and what is open; and a turn from two of them.

Reading never asks what is legal. Here the game's words meet what was seen: its record is made, what is in
doubt becomes a question with the records that the other answers make, and `waymark.review.sure` decides
whether any of them can change the ruling."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import msgspec

from scorer.board_game import BoardGame, Sight, Way
from scorer.board_record import Board, BoardPlayer, GridSize, Piece, SpareTile, Tile
from scorer.catalogue import Catalogue, Side
from scorer.errors import WaymarkError
from scorer.game import TURN_FORMAT, Game
from scorer.games import game_of
from scorer.layered import LayersTold
from scorer.seen_turns import SeenTurn
from scorer.text import Language, Text
from vision.board_index import is_loose, layers_of, load_board
from vision.board_scan import scan_board
from vision.board_seen import BoardPiece, BoardScan
from vision.layered_art import layered_art
from vision.layered_board import LayeredScan, scan_layered_board
from vision.loose_board import LaidPiece, loose_board, scan_loose_board
from vision.photo import Photo
from waymark.review.board_doubts import (
    BoardQuestion,
    carried,
    is_answered,
    merged,
    missing_pieces,
    questions_of,
    to_be_looked_over,
)
from waymark.review.frame import framed
from waymark.review.layer_doubts import layered_questions
from waymark.review.seen_turns import seen_between, why_untold
from waymark.review.sure import decide
from waymark.review.two_boards import OVERRULED, SETTLED, Together, speaks_against, surety_of, together

#: Things that lie before a side nearer to the photo's edge than this (share of its shorter side) may go on
#: beyond it.
NEAR_THE_EDGE = 0.02

#: How the tiles went is settled where the next way falls so far (nats) behind.
LEAST_LEAD = 4.0

_BROKEN_RULE = "broken-rule"


@dataclass(frozen=True)
class BoardAssessment:
    """How a board stands: `board` is the game's record of what was read, corrected or answered; `questions`
    are those that can change the ruling, `doubts` all that nobody has settled: a turn may hang on others.
    `settled`: no doubt is left that changes the ruling. `sure` is what is settled and stands `by_hand`."""

    game: Game
    catalogue: Catalogue
    scan: BoardScan
    board: Board
    ruling: Any
    terms: Any
    questions: tuple[BoardQuestion, ...]
    settled: bool
    by_hand: bool
    timings_ms: Mapping[str, float]
    doubts: tuple[BoardQuestion, ...] = ()

    @property
    def sure(self) -> bool:
        return self.settled and self.by_hand


@dataclass(frozen=True)
class TurnAssessment:
    """A turn between two photos: `turn` is its record, `settled` whether no doubt about either board changes
    whether it was legal, and why; `sure` is what is settled between boards that stand by hand. `seen`: the
    steps that the boards tell, of a game whose turns are lists of actions."""

    before: BoardAssessment
    after: BoardAssessment
    player: str
    turn: Mapping[str, Any]
    ruling: Any
    settled: bool
    seen: SeenTurn | None = None

    @property
    def sure(self) -> bool:
        return self.settled and self.before.by_hand and self.after.by_hand

    @property
    def untold(self) -> Text | None:
        """Why the boards do not tell the turn, where the ruling does not say it."""
        return why_untold(self.seen)


def read_board(
    photo: Photo, catalogue: Catalogue, on_stage: Callable[[str], None] | None = None
) -> BoardScan:
    """What a photo shows, before anybody asks what is legal: this is what is kept of it. Raises
    `WaymarkError`: no board (status 4)."""
    layers = layers_of(catalogue)
    if layers is not None:
        return scan_layered_board(photo, layered_art(catalogue, layers), on_stage)
    if is_loose(catalogue):
        return scan_loose_board(photo, loose_board(catalogue, load_board(catalogue)), on_stage)
    return scan_board(photo, load_board(catalogue), on_stage)


def score_board(
    photo: Photo, catalogue: Catalogue, terms: Any = None, told: Board | None = None
) -> BoardAssessment:
    """Photo to ruling; `told` is a record of which the players and whose move it is count. Raises
    `WaymarkError`."""
    start = time.perf_counter()
    scan = read_board(photo, catalogue)
    now = assess_board(scan, catalogue, terms, told)
    total = round((time.perf_counter() - start) * 1000, 1)
    return replace(now, timings_ms={**scan.timings_ms, "total": total})


def _in_pencil(board: Board, catalogue: Catalogue) -> bool:
    """Whether something on a board was read by a machine alone when its box was enrolled: to which sides a
    tile opens, or which piece one is."""
    names = {each.tile for each in board.tiles or ()} | {each.tile for each in board.spare or ()}
    names |= {each.piece for each in board.pieces or ()}
    cards = [catalogue.by_id[name] for name in names if name in catalogue.by_id]
    return any(card.traced == "proposed" for card in cards)


def assess_board(
    scan: BoardScan,
    catalogue: Catalogue,
    terms: Any = None,
    told: Board | None = None,
    answers: Mapping[str, int] | None = None,
    corrected: Board | None = None,
) -> BoardAssessment:
    """Referee a reading. `answers` settle questions, by name: the number of the option, 0 for what was read;
    `corrected` stands in place of what was read, and nothing of it is asked. Raises `WaymarkError`."""
    game = _board_game(catalogue)
    scan = framed(scan, told, catalogue)
    answers = answers or {}
    asked: list[BoardQuestion] = []
    if corrected is not None:
        board = corrected
    else:
        board, asked = _read(scan, catalogue, game, told)
        for question in asked:
            number = answers.get(question.name)
            if number is not None and 0 < number < len(question.options):
                board = merged(board, question.options[0].board, question.options[number].board)
        asked = [carried(each, board) for each in asked if not is_answered(each, answers)]
    terms = game.terms_of(board, terms if terms is not None else game.make_terms({}))
    ruled: dict[bytes, Any] = {}

    def rule(record: Any) -> Any:
        key = msgspec.json.encode(record)
        if key not in ruled:
            ruled[key] = game.referee(game.board(catalogue, record), record, terms)
        return ruled[key]

    ruling = rule(board)
    for number, problem in enumerate(ruling.problems):
        name = f"{_BROKEN_RULE}:{problem.rule}" + (f":{number}" if number else "")
        if name in answers or corrected is not None or _is_asked(problem, asked):
            continue
        cell = tuple(problem.cells[0]) if problem.cells else None
        words = Text(problem.message, problem.message_ja)
        asked.append(BoardQuestion(_about_of(problem.rule), cast(Any, cell), (), words, name))

    def alike(verdict: Any) -> bool:
        return bool(game.worth(verdict) == game.worth(ruling))

    doubts = tuple(asked)
    asked = [each for each in asked if not _is_settled(each, rule, alike)]
    decision = decide(
        cast(Any, asked),
        rule,
        alike,
        read_whole=True,
        gap=False,
        two_stories=False,
        pencil=_in_pencil(board, catalogue),
        decided=None,
    )
    questions = asked if decision.asked else []
    last = to_be_looked_over()
    if corrected is None and last.name not in answers:
        questions = [*questions, last]
    return BoardAssessment(
        game,
        catalogue,
        scan,
        board,
        ruling,
        terms,
        tuple(questions),
        decision.sure,
        corrected is not None,
        scan.timings_ms,
        doubts,
    )


def assess_turn(
    before: BoardAssessment, after: BoardAssessment, player: str, claims: Mapping[str, Any] | None = None
) -> TurnAssessment:
    """What was done between two photos, read together, and whether it was legal. Raises `WaymarkError` where
    `player` is none of the first board's."""
    game = _board_game(before.catalogue)
    if game.seen_turn is not None and not (claims or {}).get("actions"):
        return _assess_seen(before, after, player, game)
    sure = surety_of(before), surety_of(after)
    figure = next((each.piece for each in before.board.players if each.name == player), None) or ""
    joint = together(before.board, after.board, sure, game.ways, before.catalogue, figure) or Together(
        before.board, after.board, Way(), LEAST_LEAD
    )

    def tell(one: Board, two: Board) -> dict[str, Any]:
        return _turn_of(one, two, player, claims)

    turn = tell(joint.before, joint.after)
    ruling = _rule_turn(before, turn)
    settled = joint.lead >= LEAST_LEAD and joint.overruled <= OVERRULED
    for now, first in ((before, True), (after, False)):
        own, others = (joint.before, joint.after) if first else (joint.after, joint.before)

        def against(board: Board, others: Board = others, first: bool = first) -> float:
            return speaks_against(
                board, others, sure[1 if first else 0], joint.way, before.catalogue, figure, first=first
            )

        for question in now.doubts:
            if not question.alternatives:
                settled = False
            for other in question.alternatives:
                board = merged(own, now.board, other)
                cells = [each.cell for each in board.tiles or ()]
                if len(cells) > len(set(cells)):
                    continue  # the other photo has told it already
                if against(board) > against(own) + SETTLED:
                    continue
                told = _rule_turn(before, tell(board, others) if first else tell(others, board))
                settled = settled and _essence(told) == _essence(ruling)
    return TurnAssessment(before, after, player, turn, ruling, settled)


def _assess_seen(
    before: BoardAssessment, after: BoardAssessment, player: str, game: BoardGame
) -> TurnAssessment:
    """The turn that two boards tell by its steps; nothing is said to be legal, or not, that they do not."""
    seen = seen_between(game, before, after, player)
    claims = {"actions": [] if seen is None else list(seen.steps)}
    # no photo shows whose move it is
    then = msgspec.structs.replace(after.board, to_move=None)
    turn = _turn_of(before.board, then, player, claims)
    if seen is None or not seen.is_told:
        ruling = msgspec.structs.replace(_rule_turn(before, turn), legal=None)
        return TurnAssessment(before, after, player, turn, ruling, False, seen)
    # what the steps leave unexplained was read in doubt
    alone = {name: value for name, value in turn.items() if name != "after"}
    settled = not seen.unexplained and not before.doubts and not after.doubts
    return TurnAssessment(before, after, player, turn, _rule_turn(before, alone), settled, seen)


def _essence(ruling: Any) -> tuple[Any, ...]:
    """What people settle by a turn's ruling."""
    rules = tuple(sorted(each.rule for each in ruling.violations))
    problems = tuple(each.rule for each in ruling.problems)
    # what games tell by two boards alone
    push = msgspec.json.encode(getattr(ruling, "push", None))
    to, taken = getattr(ruling, "to", None), getattr(ruling, "taken", None)
    return ruling.legal, rules, problems, push, tuple(to or ()), taken


def _turn_of(before: Board, after: Board, player: str, claims: Mapping[str, Any] | None) -> dict[str, Any]:
    turn = {
        "format": TURN_FORMAT,
        "game": before.game,
        "catalogue": before.catalogue,
        "player": player,
        "before": board_json(before),
        "after": board_json(after),
    }
    return turn | ({"claims": dict(claims)} if claims else {})


def _rule_turn(now: BoardAssessment, turn: Mapping[str, Any]) -> Any:
    assert now.game.turns is not None
    return now.game.turns.referee(now.catalogue, turn, now.terms)


def _read(
    scan: BoardScan, catalogue: Catalogue, game: BoardGame, told: Board | None
) -> tuple[Board, list[BoardQuestion]]:
    """The record of what was read, and all that it leaves open."""
    if isinstance(scan, LayeredScan):
        seen = _layers_told(scan, catalogue, game, told)
        missing = missing_pieces(scan, seen.board, catalogue, game)
        return seen.board, layered_questions(scan, seen.board, seen.doubts, missing)
    board = board_of(scan, catalogue, game, told)
    return board, questions_of(scan, pieces_told(scan, catalogue, told), board, catalogue, game)


def _layers_told(scan: LayeredScan, catalogue: Catalogue, game: BoardGame, told: Board | None) -> LayersTold:
    assert scan.layers is not None and game.layered_out is not None
    board = _lying_and_standing(scan, catalogue, game, told)
    return game.layered_out(board, scan.layers, game.pieces_of(catalogue), told)


def _board_game(catalogue: Catalogue) -> BoardGame:
    game = game_of(catalogue)
    assert isinstance(game, BoardGame), "only boards are read so"
    return game


# --- the record ---------------------------------------------------------------------------------------------


def board_of(scan: BoardScan, catalogue: Catalogue, game: BoardGame, told: Board | None = None) -> Board:
    """The game's record of what was read; the players, their hands and whose move it is as `told`."""
    if isinstance(scan, LayeredScan):
        return _layers_told(scan, catalogue, game, told).board
    board = _lying_and_standing(scan, catalogue, game, told)
    if game.laid_out is None:
        return board
    sights = [
        Sight(each.piece, each.at_mm, each.turn_deg, each.seat)
        for each in scan.held
        if isinstance(each, LaidPiece)
    ]
    return game.laid_out(board, sights, _whole_seats(scan), game.pieces_of(catalogue), told)


def _lying_and_standing(scan: BoardScan, catalogue: Catalogue, game: BoardGame, told: Board | None) -> Board:
    """The board itself as the form of all games has it."""
    spare = scan.spare
    lying: tuple[SpareTile, ...] = ()
    if spare is not None:
        at = None if spare.side is None or spare.line is None else game.spare_at(spare.side, spare.line)
        lying = (SpareTile(tile=spare.tile, rotation=cast(Any, spare.rotation), at=at),)
    return Board(
        game=game.id,
        catalogue=catalogue.name,
        grid=GridSize(columns=game.grid.columns, rows=game.grid.rows),
        tiles=tuple(
            Tile(tile=each.tile, column=each.cell[0], row=each.cell[1], rotation=cast(Any, each.rotation))
            for each in scan.tiles
        ),
        spare=lying,
        pieces=tuple(
            Piece(piece=each.piece, column=each.cell[0], row=each.cell[1], facing=each.facing)
            for each in pieces_told(scan, catalogue, told)
        ),
        players=_players(scan, catalogue, told),
        to_move=None if told is None else told.to_move,
        house={} if told is None else told.house,
        more={} if told is None else told.more,
    )


def pieces_told(scan: BoardScan, catalogue: Catalogue, told: Board | None) -> list[BoardPiece]:
    """The pieces on the board, without figures that nobody plays with, where people have told who does; of a
    loose board all: a figure may be nobody's."""
    if is_loose(catalogue):
        return list(scan.pieces)
    played = {player.piece for player in told.players if player.piece} if told is not None else set()
    if isinstance(scan, LayeredScan):
        return [piece for piece in scan.pieces if not played or piece.piece in played]
    return [
        piece
        for piece in scan.pieces
        if not played or piece.piece in played or catalogue.card(piece.piece).kind != "pawn"
    ]


def _players(scan: BoardScan, catalogue: Catalogue, told: Board | None) -> tuple[BoardPlayer, ...]:
    """Who plays: as told, with what lies before their seats; else whose pawns stand on the board, called by
    their colours."""
    held = held_by_seat(scan)
    if told is not None and told.players:
        return tuple(
            msgspec.structs.replace(player, holds=held[player.seat])
            if player.seat in held
            else msgspec.structs.replace(player, holds=None)
            for player in told.players
        )
    standing = {piece.piece for piece in scan.pieces}
    return tuple(
        BoardPlayer(name=card.colour or card.id, piece=card.id)
        for card in catalogue.cards
        if card.kind == "pawn" and card.id in standing
    )


def held_by_seat(scan: BoardScan) -> dict[Side | None, dict[str, int]]:
    """What lies before each side of the board of which the photo shows enough to tell: things at the very
    edge of the picture may go on beyond it."""
    whole = _whole_seats(scan)
    found: dict[Side | None, Counter[str]] = {seat: Counter() for seat in whole}
    for each in scan.held:
        if each.seat in whole:
            found[each.seat][each.piece] += 1
    return {seat: dict(sorted(counts.items())) for seat, counts in found.items()}


def _whole_seats(scan: BoardScan) -> list[Side]:
    """The sides of the board before which all is in view."""
    margin = NEAR_THE_EDGE * min(scan.width, scan.height)
    cut = {
        each.seat
        for each in scan.held
        if min(each.at_px[0], each.at_px[1], scan.width - each.at_px[0], scan.height - each.at_px[1])
        < margin + each.reach_px
    }
    return [seat for seat in scan.seats_in_view if seat not in cut]


def _is_settled(question: BoardQuestion, rule: Callable[[Any], Any], alike: Callable[[Any], bool]) -> bool:
    """Whether no answer to a question changes the ruling."""
    try:
        return bool(question.alternatives) and all(alike(rule(other)) for other in question.alternatives)
    except WaymarkError:
        return False


#: What a broken rule is asked about, where it is no tile and no piece.
_ABOUT = {"no-spare": "spare", "missing-tile": "tile", "fixed-moved": "tile", "unread": "tile"}


def _about_of(rule: str) -> str:
    return _ABOUT.get(rule, "piece")


def _is_asked(problem: Any, asked: Sequence[BoardQuestion]) -> bool:
    """Whether a question that is asked already is about what a rule says is wrong."""
    about = _about_of(problem.rule)
    cells = {tuple(cell) for cell in problem.cells}
    same = [each for each in asked if each.about == about]
    return any((each.cell is None and not cells) or each.cell in cells for each in same)


# --- answers ------------------------------------------------------------------------------------------------


def board_json(board: Board) -> dict[str, Any]:
    """A board record as JSON has it: what a game adds stands at the top."""
    plain: dict[str, Any] = msgspec.to_builtins(board)
    if "players" in plain:
        plain["players"] = list(plain["players"])  # what a game adds to them is read in lists alone
    for part in (plain, *plain.get("players", ())):
        part.update(part.pop("more", None) or {})
    return {"format": board.format} | plain


def board_scan_json(now: BoardAssessment, language: Language = "en") -> dict[str, Any]:
    """The scan as the commands answer it (docs/FORMATS.md, section 7)."""
    scan = now.scan
    cards: list[dict[str, Any]] = [
        {
            "card": tile.tile,
            "rotation": tile.rotation,
            "corners": tile.corners,
            "confidence": round(tile.confidence, 3),
            "cell": tile.cell,
        }
        for tile in scan.tiles
    ]
    if scan.spare is not None:
        cards.append(
            {
                "card": scan.spare.tile,
                "rotation": scan.spare.rotation,
                "corners": scan.spare.corners,
                "confidence": scan.spare.confidence,
            }
        )
    for piece in scan.pieces:
        told = {"card": piece.piece, "at_px": piece.at_px, "confidence": piece.confidence, "cell": piece.cell}
        cards.append(told | ({} if piece.facing is None else {"facing": piece.facing}))
    owners = {player.seat: player.name for player in now.board.players if player.seat is not None}
    for held in scan.held:
        told = {"card": held.piece, "at_px": held.at_px, "confidence": held.confidence, "seat": held.seat}
        cards.append(told | ({"owner": owners[held.seat]} if held.seat in owners else {}))
    return {
        "format": "waymark-scan/1",
        "photo": {
            "width": scan.width,
            "height": scan.height,
            "warnings": [warning.message(language) for warning in scan.warnings],
        },
        "board": board_json(now.board),
        "cards": cards,
        "grid_px": scan.grid_px,
        "questions": [question_json(each, language) for each in now.questions],
        "sure": now.sure,
        "timings_ms": dict(now.timings_ms),
    }


def question_json(question: BoardQuestion, language: Language = "en") -> dict[str, Any]:
    return {
        "about": question.about,
        "place": "" if question.cell is None else f"{question.cell[0]},{question.cell[1]}",
        "cell": question.cell,
        "options": [option.words.message(language) for option in question.options],
        "reason": question.reason.message(language),
        "reason_en": question.reason.en,
        "reason_ja": question.reason.ja,
        "name": question.name,
        "crop_px": question.crop_px,
    } | ({} if question.on is None else {"on": question.on})


def board_answer(now: BoardAssessment, language: Language = "en") -> dict[str, Any]:
    """Scan and ruling as the commands answer them."""
    return {"scan": board_scan_json(now, language), "ruling": msgspec.to_builtins(now.ruling)}


def turn_answer(now: TurnAssessment, language: Language = "en") -> dict[str, Any]:
    """Both scans, the turn that they tell, and its ruling."""
    return {
        "scans": [board_scan_json(each, language) for each in (now.before, now.after)],
        "turn": now.turn,
        "ruling": msgspec.to_builtins(now.ruling),
        "sure": now.sure,
    }
