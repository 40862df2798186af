"""Questions about a board with their answers, and what an answer changes of its record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import msgspec

from scorer.board_record import Board, BoardPlayer, Cell
from scorer.catalogue import Side
from scorer.text import LANGUAGES, Text, capitalised, listed, spoken, unchanged
from scorer.told_apart import told_apart
from vision.boards.seen import REASONS, Doubt

#: Function from a piece's id to its name.
Called = Callable[[str], Text]


@dataclass(frozen=True)
class BoardOption:
    """An option of a question: its words and the resulting record. `piece`, `cell` and `side` (in the
    board's frame) are shown in the photo. `turned`: the option is about a tile's rotation.
    `leaves_open`: the option settles nothing, and the question is not asked again; what its record
    changes is a guess."""

    words: Text
    board: Board
    piece: str | None = None
    cell: Cell | None = None
    side: Side | None = None
    turned: bool = False
    leaves_open: bool = False


@dataclass(frozen=True)
class BoardQuestion:
    """An open question about a board. `options` are the answers, the likeliest first; `read` is the
    record without an answer, and `alternatives` are the records of all options but the first.
    `kind` is the key of its reason (`vision.boards.seen`). `cell` (of the board `on`, if given) and
    `crop_px` locate it. `name` is the same whenever the photo is read the same. `pieces` are the pieces
    it is about. For a question answered by a cell, `put` is the piece that is placed there. `player` is
    the player whose possessions are asked about. An `open_ended` question may have an answer that is not
    an option, and has no alternatives. One that `covers` others (their names and cells) is asked in their
    place."""

    about: str
    cell: Cell | None
    options: tuple[BoardOption, ...]
    reason: Text
    name: str
    crop_px: tuple[int, int, int, int] | None = None
    on: str | None = None
    kind: str = ""
    pieces: tuple[str, ...] = ()
    put: str | None = None
    player: str | None = None
    open_ended: bool = False
    unanswered: Board | None = None
    covers: tuple[tuple[str, Cell], ...] = ()

    @property
    def read(self) -> Board:
        """The record without an answer: that of the first option, unless that one is a guess."""
        return self.options[0].board if self.unanswered is None else self.unanswered

    def option(self, number: int | None) -> BoardOption | None:
        return self.options[number] if number is not None and 0 <= number < len(self.options) else None

    @property
    def alternatives(self) -> tuple[Any, ...]:
        return () if self.open_ended else tuple(option.board for option in self.options[1:])


def as_question(doubt: Doubt, options: Sequence[BoardOption], **more: Any) -> BoardQuestion:
    return BoardQuestion(
        doubt.about,
        doubt.cell,
        tuple(options),
        REASONS[doubt.reason],
        doubt.name,
        doubt.crop_px,
        kind=doubt.reason,
        **more,
    )


def broken_rule(rule: str, about: str, cells: Sequence[Cell], words: Text) -> BoardQuestion:
    """The question whether a rule is really broken; the same rule in other cells is another question."""
    where = "".join(f":{column},{row}" for column, row in cells)
    cell = cells[0] if cells else None
    return BoardQuestion(about, cell, (), words, f"{BROKEN_RULE}:{rule}{where}", kind=BROKEN_RULE)


BROKEN_RULE = "broken-rule"


def same(name: str) -> Text:
    return unchanged(name)


def unless_told(question: BoardQuestion) -> BoardQuestion:
    """The question with "I cannot tell" as its first option; unchanged where it has fewer than two
    options."""
    if len(question.options) < 2:
        return question
    unknown = cannot_tell(question.options[0].board)
    return replace(question, options=(unknown, *question.options))


def cannot_tell(board: Board) -> BoardOption:
    return BoardOption(_CANNOT_TELL, board, leaves_open=True)


_CANNOT_TELL = Text("I cannot tell")


def is_answered(question: BoardQuestion, answers: Mapping[str, int]) -> bool:
    """Whether a question has an answer that settles it; "I cannot tell" does not."""
    number = answers.get(question.name)
    return number is not None and not _leaves_open(question, number)


def was_left(question: BoardQuestion, answers: Mapping[str, int]) -> bool:
    """Whether a question was answered by "I cannot tell", so that it is not asked again."""
    number = answers.get(question.name)
    return number is not None and _leaves_open(question, number)


@dataclass(frozen=True)
class Settled:
    """What people said about a board: the figures that are `absent`, and the `cells` they looked at."""

    absent: frozenset[str] = frozenset()
    cells: frozenset[Cell] = frozenset()

    def __or__(self, other: Settled) -> Settled:
        return Settled(self.absent | other.absent, self.cells | other.cells)


def settled_by(questions: Sequence[BoardQuestion], answers: Mapping[str, int]) -> Settled:
    """What the answers say about a board, where a question is settled."""
    said = Settled()
    for question in questions:
        if not is_answered(question, answers):
            continue
        number = answers[question.name]
        there = question.options[number].board.pieces or () if number < len(question.options) else ()
        # what is not in a cell may be elsewhere
        absent = {question.put} - {None, *(each.piece for each in there)}
        cells = {question.cell} if question.cell is not None and question.about == "piece" else set()
        said |= Settled(frozenset(cast(Any, absent)), frozenset(cells))
    return said


def _leaves_open(question: BoardQuestion, number: int) -> bool:
    option = question.option(number)
    return option is not None and option.leaves_open


def worded(question: BoardQuestion, called: Called) -> BoardQuestion:
    """The question with the names of its pieces and player in its words. Options with equal words and
    record are merged."""
    options: list[BoardOption] = []
    for option in question.options:
        if not any(each.words == option.words and each.board == option.board for each in options):
            options.append(option)
    apart = [
        [
            _turned(option, question),
            same("") if option.cell is None else in_cell(option.cell),
            unchanged(option.piece or ""),
        ]
        for option in options
    ]
    words = {
        language: told_apart(
            [each.words.message(language) for each in options],
            [[each.message(language) for each in more] for more in apart],
        )
        for language in LANGUAGES
    }
    reason = question.reason.filled(
        pieces=_alternatives([called(name) for name in question.pieces]), player=question.player or ""
    )
    return replace(
        question,
        reason=capitalised(reason),
        options=tuple(
            replace(option, words=spoken({language: each[k] for language, each in words.items()}))
            for k, option in enumerate(options)
        ),
    )


def _alternatives(names: Sequence[Text]) -> Text:
    """Names as a list of alternatives: "A, B or C"."""
    if len(names) < 2:
        return listed(names)
    return Text("{first} or {last}", context="pieces", first=listed(names[:-1], _BETWEEN), last=names[-1])


_BETWEEN = Text(", ", context="pieces")


def _turned(option: BoardOption, question: BoardQuestion) -> Text:
    tile = None if question.cell is None else option.board.at(question.cell)
    return degrees(tile.rotation) if tile is not None and tile.rotation is not None else same("")


def in_cell(cell: Cell) -> Text:
    column, row = cell
    return Text("column {column}, row {row}", column=column + 1, row=row + 1)


def probably_in(cell: Cell) -> Text:
    column, row = cell
    return Text("probably column {column}, row {row}", column=column + 1, row=row + 1)


#: Words for the direction in which a figure looks, and for the side where a thing lies.
LOOKS: dict[Side, Text] = {
    "top": Text("up"),
    "right": Text("to the right"),
    "bottom": Text("down"),
    "left": Text("to the left"),
}
LIES: dict[Side, Text] = {
    "top": Text("at the top", context="side"),
    "right": Text("at the right", context="side"),
    "bottom": Text("at the bottom", context="side"),
    "left": Text("at the left", context="side"),
}


def degrees(rotation: int) -> Text:
    return Text("turned {rotation}°", rotation=rotation)


# --- effects of an answer -----------------------------------------------------------------------------------


def merged(board: Board, read: Board, answer: Board) -> Board:
    """The board with the differences between the record as read and the option's record applied."""
    return msgspec.structs.replace(
        board,
        tiles=_merged(board.tiles, read.tiles, answer.tiles),
        spare=_merged(board.spare, read.spare, answer.spare),
        pieces=_merged(board.pieces, read.pieces, answer.pieces),
        players=_players_merged(board.players, read.players, answer.players),
        more=_changed(board.more, read.more, answer.more),
    )


def _merged(now: Any, was: Any, then: Any) -> Any:
    if was == then:
        return now
    gone, come = Counter(was or ()) - Counter(then or ()), Counter(then or ()) - Counter(was or ())
    changed = []
    for each in now or ():
        if gone[each]:
            gone[each] -= 1
            new = next(iter(come.elements()), None)
            if new is None:
                continue
            come[new] -= 1
            each = new
        changed.append(each)
    return (*changed, *come.elements())


def _players_merged(
    now: tuple[BoardPlayer, ...], was: tuple[BoardPlayer, ...], then: tuple[BoardPlayer, ...]
) -> tuple[BoardPlayer, ...]:
    if was == then:
        return now
    changed = {
        one.name: (one, other) for one, other in zip(was, then, strict=True) if one != other
    }  # an answer changes neither the players nor their order
    return tuple(
        each if each.name not in changed else _player_merged(each, *changed[each.name]) for each in now
    )


def _player_merged(now: BoardPlayer, was: BoardPlayer, then: BoardPlayer) -> BoardPlayer:
    told = {
        name: getattr(then, name)
        for name in ("piece", "hand", "hand_size", "seat")
        if getattr(was, name) != getattr(then, name)
    }
    if was.holds != then.holds:
        counts: Counter[str] = Counter(now.holds or {})
        counts.update(then.holds or {})
        counts.subtract(was.holds or {})
        told["holds"] = {name: count for name, count in sorted(counts.items()) if count > 0}
    return msgspec.structs.replace(now, **told, more=_changed(now.more, was.more, then.more))


def _changed(now: dict[str, Any], was: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    """The mapping `now` with the values that an option changes, from `was` to `then`."""
    if was == then:
        return now
    kept = {name: value for name, value in now.items() if name in then or name not in was}
    return kept | {name: value for name, value in then.items() if was.get(name) != value}


def with_answers(board: Board, asked: Sequence[BoardQuestion], answers: Mapping[str, int]) -> Board:
    """The board as read, with answers applied. A guess where a figure stands gives way to an answer that
    puts it elsewhere."""
    given = [(each, each.option(answers.get(each.name))) for each in asked]
    chosen = [(question, option) for question, option in given if option is not None]
    for question, option in sorted(chosen, key=lambda one: one[1].leaves_open):
        stands = any(each.piece == question.put for each in board.pieces or ())
        if not (option.leaves_open and question.put is not None and stands):
            board = merged(board, question.read, option.board)
    return board


def carried(question: BoardQuestion, board: Board, answers: Mapping[str, int]) -> BoardQuestion:
    """A question about the board in its current state, with the answers applied."""
    if not question.options:
        return question
    guess = question.option(answers.get(question.name))
    read = question.read if guess is None else guess.board
    options = [replace(each, board=merged(board, read, each.board)) for each in question.options]
    unanswered = None if question.unanswered is None else merged(board, read, question.unanswered)
    return replace(question, options=tuple(options), unanswered=unanswered)
