"""Assessment of a board photo: the record, its orientation, its questions and whether it is sure."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

import msgspec

from scorer.board_game import BoardGame
from scorer.board_record import Board
from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.game import Game
from scorer.games import game_of
from scorer.infer_turns import SeenTurn
from scorer.play_kinds import board_game
from scorer.port.photo import Way
from scorer.square_grid import open_sides, turned
from scorer.text import Text, written
from scorer.turn_forms import thing_called
from scorer.turns import TURN_FORMAT
from vision.boards.art import is_loose, layers_of, load_board
from vision.boards.layered_art import layered_art
from vision.boards.scan_grid import scan_board
from vision.boards.scan_layered import scan_layered_board
from vision.boards.scan_loose import loose_board, scan_loose_board
from vision.boards.seen import BoardScan, LayeredScan, LooseScan
from vision.boards.turned_scan import turned_scan
from vision.mirrored import find_either_way
from vision.photo.decode import Photo
from waymark.review.boards.certainty import is_certain
from waymark.review.boards.chip_strip import chip_strip, in_strip, narrowed
from waymark.review.boards.final_matter import final_matter, has_ended
from waymark.review.boards.layer_questions import layered_questions
from waymark.review.boards.mended import with_guesses
from waymark.review.boards.question import (
    BoardQuestion,
    Settled,
    broken_rule,
    carried,
    is_answered,
    settled_by,
    was_left,
    with_answers,
    worded,
)
from waymark.review.boards.questions import (
    about_holdings,
    missing_by_now,
    missing_pieces,
    questions_of,
    to_be_looked_over,
    under_figures,
)
from waymark.review.boards.records import board_json, board_of, layers_told, pieces_told
from waymark.review.boards.surety import surety_of
from waymark.review.boards.turn_doubts import TurnDoubts
from waymark.review.boards.turns import OVERRULED, Together, seen_between, together, why_untold
from waymark.review.decision import decide
from waymark.review.tableau.first_asked import first_asked

#: Lead (nats) over the next way from which the movement of the tiles is settled.
LEAST_LEAD = 4.0


@dataclass(frozen=True)
class BoardAssessment:
    """The assessment of a board. `board` is the game's record as read, corrected or answered.
    `questions` are the open doubts that can change the ruling; `doubts` are all unsettled ones, as a
    turn may depend on others. Questions that somebody `left` open are not asked again. `told` is the
    stated record of the players, with answers applied; `said` is what else people said of the pieces.
    `strip` is the question about chips that is asked in place of those about hidden cells.
    `settled`: no remaining doubt changes the ruling. `sure`: settled, and either entered `by_hand` or
    `certain` as read."""

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
    certain: bool = False
    left: frozenset[str] = frozenset()
    told: Board | None = None
    said: Settled = field(default_factory=Settled)
    strip: BoardQuestion | None = None

    @property
    def sure(self) -> bool:
        return self.settled and (self.by_hand or self.certain)


@dataclass(frozen=True)
class TurnAssessment:
    """The assessment of a turn between two photos; `turn` is its record.
    `settled`: no doubt about either board changes the ruling or its reason. `sure`: settled, and both
    boards are sure. `asked` are the questions about either board that the turn depends on; both boards
    also ask them, beside their own. `seen`: the steps derived from the boards, in a game whose turns are
    lists of actions."""

    before: BoardAssessment
    after: BoardAssessment
    player: str
    turn: Mapping[str, Any]
    ruling: Any
    settled: bool
    seen: SeenTurn | None = None
    asked: tuple[tuple[BoardQuestion, ...], tuple[BoardQuestion, ...]] = ((), ())

    @property
    def sure(self) -> bool:
        return self.settled and self.before.sure and self.after.sure

    @property
    def untold(self) -> Text | None:
        """Reason why the boards do not determine the turn, where the ruling does not state it."""
        return why_untold(self.seen)


def read_board(
    photo: Photo, catalogue: Catalogue, on_stage: Callable[[str], None] | None = None
) -> BoardScan:
    """Scan of a board photo before any question of legality: the value that is stored for the photo.
    Raises `WaymarkError`: no board (status 4)."""
    return find_either_way(photo, partial(_read_as_it_is, catalogue, on_stage))


def _read_as_it_is(catalogue: Catalogue, on_stage: Callable[[str], None] | None, photo: Photo) -> BoardScan:
    layers = layers_of(catalogue)
    if layers is not None:
        return scan_layered_board(photo, layered_art(catalogue, layers), on_stage)
    if is_loose(catalogue):
        return scan_loose_board(photo, loose_board(catalogue, load_board(catalogue)), on_stage)
    return scan_board(photo, load_board(catalogue), on_stage)


def score_board(
    photo: Photo, catalogue: Catalogue, terms: Any = None, told: Board | None = None
) -> BoardAssessment:
    """Photo to ruling. Of the record `told`, the players and the player to move are used. Raises
    `WaymarkError`."""
    start = time.perf_counter()
    scan = read_board(photo, catalogue)
    now = assess_board(scan, catalogue, terms, told)
    total = round((time.perf_counter() - start) * 1000, 1)
    return replace(now, timings_ms={**scan.timings_ms, "total": total})


def _in_pencil(board: Board, catalogue: Catalogue) -> bool:
    """Whether a tile or piece of the board was enrolled without confirmation by a person: its open
    sides, or its identity."""
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
    """The assessment of a board reading. `answers` map question names to option numbers, 0 for the
    current reading. `corrected` replaces the record as read, and then nothing about the reading is
    asked. Raises `WaymarkError`."""
    game = _board_game(catalogue)
    scan = framed(scan, told, catalogue)
    if corrected is not None:
        answered = _Answered(scan, told, corrected, answers or {})
    else:
        answered = _with_answers(scan, told, catalogue, game, answers or {})
    scan, told, board, answers = answered.scan, answered.told, answered.board, answered.answers
    asked = list(answered.asked)
    left = frozenset(each.name for each in asked if was_left(each, answers))
    strip = narrowed(answered.strip, lambda name: name not in left)
    terms = game.rules.settings.of(board, terms if terms is not None else game.rules.settings.make({}))
    ruled: dict[bytes, Any] = {}

    def rule(record: Any) -> Any:
        key = msgspec.json.encode(record)
        if key not in ruled:
            ruled[key] = game.rules.referee(game.rules.board(catalogue, record), record, terms)
        return ruled[key]

    ruling = rule(board)
    if corrected is None:
        asked += _broken_rules(ruling, asked, answers)

    def alike(verdict: Any) -> bool:
        return bool(game.rules.worth(verdict) == game.rules.worth(ruling))

    doubts = tuple(asked)
    final = final_matter(game, catalogue, told, board, terms) if corrected is None else None
    asked = [
        each
        for each in asked
        if (final.hangs_on(each) if final is not None else not _is_settled(each, rule, alike))
    ]
    decision = decide(
        cast(Any, asked),
        rule if final is None else cast(Any, final.rows),
        alike if final is None else final.alike,
        read_whole=True,
        gap=False,
        two_stories=False,
        pencil=_in_pencil(board, catalogue),
    )
    questions = [each for each in asked if each.name not in left] if decision.asked else []
    questions = in_strip(_first_ones(questions, board), strip)
    last = to_be_looked_over()
    certain = corrected is None and decision.sure and not doubts and _is_certain(scan, board, catalogue, told)
    if corrected is None and last.name not in answers and not certain:
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
        certain,
        left,
        told,
        answered.said,
        strip,
    )


@dataclass(frozen=True)
class _Answered:
    """A reading with answers applied, and its questions without those that are settled. `answers` are those
    given and those that follow from them; `strip` is as in `BoardAssessment`."""

    scan: BoardScan
    told: Board | None
    board: Board
    answers: Mapping[str, int]
    asked: tuple[BoardQuestion, ...] = ()
    said: Settled = field(default_factory=Settled)
    strip: BoardQuestion | None = None


def _with_answers(
    scan: BoardScan, told: Board | None, catalogue: Catalogue, game: BoardGame, answers: Mapping[str, int]
) -> _Answered:
    start = first_asked(
        scan, told, catalogue, game, answers, lambda of, by: board_of(of, catalogue, game, by)
    )
    called = _called(game, catalogue)
    read, asked = _read(start.scan, catalogue, game, start.told)
    asked += missing_by_now(asked, answers, read, start.scan, catalogue, game)
    first = [worded(each, called) for each in start.asked]
    asked = [worded(each, called) for each in asked]
    under = under_figures(read, start.scan, catalogue, game)
    chips = chip_strip(asked, read, catalogue, game, called, answers, under)
    board = with_answers(read, (*asked, *under), chips.answers)
    said = settled_by((*asked, *under), chips.answers)
    stands = {each.piece for each in board.pieces or ()}
    still = (
        each if each.about in _FIRST else carried(each, board, chips.answers)
        for each in (*first, *asked)
        if not is_answered(each, chips.answers)
        # an answer to another question has put it down
        and (each.kind != "missing" or each.put not in stands or each.name in chips.answers)
    )
    strip = None if chips.question is None else carried(chips.question, board, {})
    return _Answered(start.scan, start.told, board, chips.answers, tuple(still), said, strip)


def _first_ones(questions: Sequence[BoardQuestion], board: Board) -> list[BoardQuestion]:
    """The questions that do not depend on other open ones. All depend on the ground's orientation. Those
    about missing figures depend on the owners of unassigned figures."""
    last = [each for each in questions if each.name == to_be_looked_over().name]
    ground = [each for each in questions if each.about == "ground"]
    if ground:
        return [*ground, *last]
    if any(each.about == "owner" for each in questions):
        own = {player.piece for player in board.players}
        return [each for each in questions if each.put is None or each.put not in own]
    return list(questions)


#: Subjects of questions that are answered before the record is made.
_FIRST = frozenset({"ground", "owner"})


def _called(game: BoardGame, catalogue: Catalogue) -> Callable[[str], Text]:
    words, colours = game.words.vocabulary.words, game.sheet.colours
    return lambda name: thing_called(catalogue, words, colours, name)


def _broken_rules(
    ruling: Any, asked: Sequence[BoardQuestion], answers: Mapping[str, int]
) -> list[BoardQuestion]:
    """Questions whether broken rules are really broken, without those that another question covers or
    that were confirmed."""
    found: dict[str, BoardQuestion] = {}
    for problem in ruling.problems:
        cells = [cast(Any, tuple(cell)) for cell in problem.cells]
        words = written(problem.message, problem.message_ja)
        question = broken_rule(problem.rule, _about_of(problem.rule), cells, words)
        if question.name not in answers and not _is_asked(problem, asked):
            found.setdefault(question.name, question)
    return list(found.values())


def _is_certain(scan: BoardScan, board: Board, catalogue: Catalogue, told: Board | None) -> bool:
    """Whether a board's reading is certain; always False for layered boards and boards of loose pieces."""
    if isinstance(scan, LayeredScan) or is_loose(catalogue):
        return False
    return is_certain(scan, pieces_told(scan, catalogue, told, _board_game(catalogue)), board, told)


def assess_turn(
    before: BoardAssessment, after: BoardAssessment, player: str, claims: Mapping[str, Any] | None = None
) -> TurnAssessment:
    """The assessment of the turn between two photos, read together, and whether it was legal. Raises
    `WaymarkError` where `player` is not one of the first board's."""
    game = _board_game(before.catalogue)
    if game.photo.infer_turn is not None and not (claims or {}).get("actions"):
        return _assess_seen(before, after, player, game)
    sure = surety_of(before), surety_of(after)
    figure = next((each.piece for each in before.board.players if each.name == player), None) or ""
    ways = game.photo.strategy.ways
    joint = together(before.board, after.board, sure, ways, before.catalogue, figure) or Together(
        before.board, after.board, Way(), LEAST_LEAD
    )

    def tell(one: Board, two: Board) -> dict[str, Any]:
        return _turn_of(one, two, player, claims)

    guess = with_guesses(joint.before, joint.after, sure, joint.way, before.catalogue, figure)
    put = dict.fromkeys(each.put for each in (*before.doubts, *after.doubts) if each.put is not None)
    placed = {each.piece for board in (joint.before, joint.after) for each in board.pieces or ()}
    doubts = TurnDoubts(
        (before.board, after.board),
        replace(joint, before=guess[0], after=guess[1]),
        sure,
        before.catalogue,
        figure,
        lambda one, two: _rule_turn(before, tell(one, two)),
        tuple(name for name in put if name not in placed and name != figure),
    )
    open_ = [
        tuple(question for question in now.doubts if doubts.change(question, first=first))
        for now, first in ((before, True), (after, False))
    ]
    settled = joint.lead >= LEAST_LEAD and joint.overruled <= OVERRULED
    return TurnAssessment(
        _asking(_as_both_show(before, joint.before), open_[0]),
        _asking(_as_both_show(after, joint.after), open_[1]),
        player,
        tell(*guess),
        doubts.ruling,
        settled and doubts.ruling.legal is not None and not any(open_),
        asked=(_not_left(before, open_[0]), _not_left(after, open_[1])),
    )


def _as_both_show(now: BoardAssessment, board: Board) -> BoardAssessment:
    """The board as both photos show it together; what lies before the players is as its own photo shows."""
    return replace(now, board=msgspec.structs.replace(board, players=now.board.players))


def _not_left(now: BoardAssessment, asked: Sequence[BoardQuestion]) -> tuple[BoardQuestion, ...]:
    """The first of the questions to be asked, without those that somebody left open."""
    first = _first_ones([each for each in asked if each.name not in now.left], now.board)
    return tuple(in_strip(first, now.strip))


def _asking(now: BoardAssessment, others: Sequence[BoardQuestion]) -> BoardAssessment:
    """The board with further questions added before the final one, which asks to look over the board."""
    asked = {question.name for question in now.questions} | now.left
    more = tuple(question for question in others if question.name not in asked)
    last = now.questions[-1:] if to_be_looked_over().name in asked else ()
    rest = now.questions[: len(now.questions) - len(last)]
    if not more:
        return now
    first = _first_ones((*rest, *more, *last), now.board)
    return replace(now, questions=tuple(in_strip(first, now.strip)))


def _assess_seen(
    before: BoardAssessment, after: BoardAssessment, player: str, game: BoardGame
) -> TurnAssessment:
    """The assessment of a turn derived as steps from two boards. The ruling leaves legality open (None)
    where the boards do not determine it."""
    seen = seen_between(game, before, after, player)
    claims = {"actions": [] if seen is None else list(seen.steps)}
    # no photo shows who is to move
    then = msgspec.structs.replace(after.board, to_move=None)
    turn = _turn_of(before.board, then, player, claims)
    if seen is None or not seen.is_told:
        ruling = msgspec.structs.replace(_rule_turn(before, turn), legal=None)
        # if no turn was found, the reading may be wrong
        asking = after if seen is None or seen.open else _asking(after, after.doubts)
        return TurnAssessment(before, asking, player, turn, ruling, False, seen, _all_asked(before, asking))
    # whatever the steps do not explain was read with doubt
    alone = {name: value for name, value in turn.items() if name != "after"}
    settled = not seen.unexplained and not before.doubts and not after.doubts
    ruling = _rule_turn(before, alone)
    return TurnAssessment(before, after, player, turn, ruling, settled, seen, _all_asked(before, after))


def _all_asked(*boards: BoardAssessment) -> Any:
    """The questions of both boards but for the one that asks to look over them."""
    last = to_be_looked_over().name
    return tuple(tuple(each for each in now.questions if each.name != last) for now in boards)


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
    assert now.game.play.turns is not None
    return now.game.play.turns.referee(now.catalogue, turn, now.terms)


def _read(
    scan: BoardScan, catalogue: Catalogue, game: BoardGame, told: Board | None
) -> tuple[Board, list[BoardQuestion]]:
    """The record of a reading, and all its open questions."""
    if isinstance(scan, LayeredScan):
        seen = layers_told(scan, catalogue, game, told)
        missing = missing_pieces(scan, seen.board, catalogue, game)
        return seen.board, _but_known(layered_questions(scan, seen.board, seen.doubts, missing), told)
    board = board_of(scan, catalogue, game, told)
    pieces = pieces_told(scan, catalogue, told, game)

    def recorded(other: BoardScan) -> Board:
        return board_of(other, catalogue, game, told)

    asked = questions_of(scan, pieces, board, catalogue, game, recorded)
    if told is not None and not game.photo.strategy.is_loose and has_ended(game, catalogue, told):
        asked += about_holdings(scan, board, catalogue, recorded)
    return board, _but_known(asked, told)


def _but_known(asked: Sequence[BoardQuestion], told: Board | None) -> list[BoardQuestion]:
    """The questions without those about possessions out of view that are known from before."""
    players = () if told is None else told.players
    known = {each.name for each in players if each.holds is not None}
    return [each for each in asked if each.kind != "unseen" or each.player not in known]


def _board_game(catalogue: Catalogue) -> BoardGame:
    return board_game(game_of(catalogue))


def _is_settled(question: BoardQuestion, rule: Callable[[Any], Any], alike: Callable[[Any], bool]) -> bool:
    """Whether no answer to a question changes the ruling."""
    try:
        return bool(question.alternatives) and all(alike(rule(other)) for other in question.alternatives)
    except WaymarkError:
        return False


#: Subject of the question about a broken rule; "piece" for other rules.
_ABOUT = {"no-spare": "spare", "missing-tile": "tile", "fixed-moved": "tile", "unread": "tile"}


def _about_of(rule: str) -> str:
    return _ABOUT.get(rule, "piece")


def _is_asked(problem: Any, asked: Sequence[BoardQuestion]) -> bool:
    """Whether an existing question already covers the subject of a broken rule."""
    about = _about_of(problem.rule)
    cells = {tuple(cell) for cell in problem.cells}
    same = [each for each in asked if each.about == about]
    return any((each.cell is None and not cells) or each.cell in cells for each in same)


def framed(scan: BoardScan, told: Board | None, catalogue: Catalogue) -> BoardScan:
    """The scan of loose pieces in the orientation most similar to the earlier board; as photographed
    where there is none."""
    if not isinstance(scan, LooseScan) or told is None or not told.tiles:
        return scan
    ways = [turned_scan(scan, quarters) for quarters in range(4)]
    return max(ways, key=lambda way: _likeness(way, told, catalogue))


def _likeness(scan: LooseScan, told: Board, catalogue: Catalogue) -> float:
    """Similarity of a scan to the earlier board: pieces in the same cells, face-up ones weighted most,
    and their rotation."""
    seen = {tile.cell: tile for tile in scan.tiles}
    worth = 0.0
    for tile in told.tiles or ():
        there = seen.get(tile.cell)
        if there is None:
            continue
        sides = open_sides(catalogue.card(there.tile))
        if tile.face == "down":
            worth += not sides
        elif tile.tile == there.tile:
            worth += 1 + (turned(sides, there.rotation) == turned(sides, tile.rotation or 0))
    standing = {(piece.piece, piece.cell) for piece in told.pieces or ()}
    return worth + sum((piece.piece, piece.cell) in standing for piece in scan.pieces)
