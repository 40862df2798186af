"""Common implementation of `scorer.game` for games whose records are boards. Each game provides its pieces,
checks, referee and words, and `make_board_game` makes its parts from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias

import msgspec

from scorer.board_record import Board, GridSize, bad_record, board_from, board_on_table
from scorer.catalogue import Catalogue
from scorer.enrolment_pieces import AskedPieces
from scorer.game import TypedGame
from scorer.house_counterfactuals import HouseWhatIfs
from scorer.house_settings import house_of, terms_of, values_of
from scorer.infer_turns import SeenTurn, Trust
from scorer.json_faults import read_json
from scorer.laying import Grid, Laying, LineHabits
from scorer.port.enrol import Enrolment
from scorer.port.photo import Photo, Strategy
from scorer.port.play import Play
from scorer.port.rules import Settings, unknown_term
from scorer.sheet import Sheet
from scorer.text import NO_WORDS, Text, unchanged, written
from scorer.turn_forms import BoardTable
from scorer.verdict import Choice, Fact, Reason, Report, RuledDoubt, ToldStep, Turn, Verdict, choose_by_worth
from scorer.vocabulary import Vocabulary

TurnInference: TypeAlias = Callable[[Board, Board, str, Any, Any, Trust], SeenTurn | None]

_CHOSEN = {
    "only_legal": Text("Only one reading can be."),
    "same_score": Text("All readings come to the same."),
    "asked": Text("The readings come to different things."),
}

_LEGAL = Text("This turn follows the rules.")
_UNKNOWN = Text("This turn cannot be judged until the board is corrected.")


@dataclass(frozen=True)
class Laid:
    """A board record with its pieces looked up; `pieces` are of the game's own type."""

    pieces: Any
    board: Board


class Problem(Protocol):
    """A problem of a position or a violation in a turn, as listed in rulings."""

    @property
    def rule(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def message_ja(self) -> str: ...


class BoardVerdict(Verdict, Protocol):
    """The fields shared by the rulings on a board in all board games; each game adds its own."""

    @property
    def problems(self) -> Sequence[Problem]: ...


def _told(problem: Problem) -> Text:
    return written(problem.message, problem.message_ja)


def unjudged(ruling: Any, untold: Text = _UNKNOWN) -> Reason:
    """The reason why a turn cannot be judged: the first problem, else `untold`."""
    first = next((Reason(each.rule, _UNKNOWN) for each in ruling.problems), None)
    return first or Reason("unknown", untold)


def _put_down(before: Board, seen: Board) -> Board:
    """The board as seen in a photo, with each player's earlier holdings where the photo does not show
    them."""
    players = tuple(
        was if now.holds is None else msgspec.structs.replace(was, holds=now.holds)
        for was, now in zip(before.players, seen.players, strict=True)
    )
    return msgspec.structs.replace(seen, players=players, to_move=before.to_move, more=before.more)


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardRules:
    """The rules of a game on a board (`scorer.port.rules.Rules`).

    `pieces_of` looks up the pieces of a catalogue, `check` refuses an impossible board, and `rule` gives the
    ruling on a board. `turn_told` decodes a turn, and `rule_turn` gives its ruling. `reach` is the number of
    steps of a ruling. `anywhere` says that pieces may lie off the grid."""

    grid: GridSize
    settings: Settings[Board, Any]
    verdict_type: type[Any]
    pieces_of: Callable[[Catalogue], Any]
    check: Callable[[Board, Any], Board]
    rule: Callable[[Board, Any, Any], Any]
    turn_told: Callable[[Mapping[str, Any], Any], Any]
    rule_turn: Callable[[Any, Any, Any], msgspec.Struct]
    reach: Callable[[Any], int]
    anywhere: bool = False
    record_type: ClassVar[type[Board]] = Board

    def parse_record(self, data: bytes) -> Board:
        usual = {} if self.anywhere else {"grid": msgspec.to_builtins(self.grid)}
        return board_from(usual | decoded(data), anywhere=self.anywhere)

    def board(self, catalogue: Catalogue, record: Board) -> Laid:
        pieces = self.pieces_of(catalogue)
        return Laid(pieces, self.check(record, pieces))

    def referee(self, board: Laid, record: Board, terms: Any) -> Any:
        return self.rule(record, board.pieces, terms)

    def worth(self, verdict: Any) -> bytes:
        return msgspec.json.encode(verdict)

    def outcome(self, verdict: Any) -> bytes:
        return msgspec.json.encode(verdict)

    def backwards(self, record: Board) -> Board | None:
        return None

    def choose(self, verdicts: Sequence[Any]) -> Choice:
        return choose_by_worth(verdicts, self.worth, _CHOSEN)

    def chosen(self, verdict: Any, choice: Choice, *, turned: bool = False) -> Any:
        return verdict

    def doubts(self, board: Laid, record: Board, verdict: BoardVerdict) -> Iterator[RuledDoubt]:
        """Doubts about problems of a board, since a misread piece is more likely than an illegal
        arrangement."""
        if verdict.problems:
            yield RuledDoubt("broken-rule", "", _told(verdict.problems[0]))

    def discord(self, board: Laid, record: Board, verdict: Any) -> tuple[()]:
        """Always empty, since nothing is drawn on the tiles of a board game."""
        return ()


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardWords:
    """The words of a game on a board (`scorer.port.words.Words`), from functions of its rulings on boards and
    turns. `board_steps` has one entry for each step that `reach` counts.

    `fine` is the reason of a board without problems, `unknown` that of a turn that cannot be judged (by
    default `unjudged`). `board_facts` and `turn_facts` are the lines of reports, `turn_notes` the
    notes. `section_of` is the section of the rulebook with a rule."""

    vocabulary: Vocabulary
    fine: Callable[[Any], Reason]
    board_facts: Callable[[Any], Sequence[Fact]]
    turn_steps: Callable[[Any], Sequence[ToldStep]]
    board_steps: Callable[[Any], tuple[ToldStep, ...]] = lambda ruling: ()
    turn_facts: Callable[[Any], Sequence[Fact]] = lambda ruling: ()
    turn_notes: Callable[[Any], Sequence[Text]] = lambda ruling: ()
    unknown: Callable[[Any], Reason] = unjudged
    section_of: Callable[[str], Text] = lambda rule: NO_WORDS

    def why(self, verdict: Any) -> Reason:
        return self._first(verdict.problems) or self.fine(verdict)

    def turn_why(self, ruling: Any) -> Reason:
        """The first rule broken in a turn, or the statement that none was."""
        if ruling.legal is None:
            return self.unknown(ruling)
        return self._first(ruling.violations) or Reason("legal", _LEGAL)

    def _first(self, problems: Sequence[Problem]) -> Reason | None:
        return next((Reason(each.rule, _told(each), self.section_of(each.rule)) for each in problems), None)

    def turn_report(self, ruling: Any) -> Report:
        """A turn in the form in which it is shown to people."""
        return Report(
            facts=(Fact(Text("Turn of"), unchanged(ruling.player)), *self.turn_facts(ruling)),
            faults=tuple(map(_told, (*ruling.problems, *ruling.violations))),
            notes=tuple(self.turn_notes(ruling)),
            brief=self.turn_why(ruling).words,
        )

    def turn(self, record: Board, verdict: Any) -> Turn:
        return Turn(None, None, self.why(verdict))

    def steps(self, board: Laid, verdict: Any, *, with_ids: bool = True) -> tuple[ToldStep, ...]:
        return self.board_steps(verdict)

    def without_ids(self, board: Laid, record: Board, verdict: Any) -> Any:
        return verdict

    def tallies(self, board: Laid, verdict: Any) -> tuple[()]:
        return ()

    def report(self, verdict: Any) -> Report:
        return Report(
            facts=tuple(self.board_facts(verdict)),
            faults=tuple(map(_told, verdict.problems)),
            brief=self.why(verdict).words,
        )


@dataclass(frozen=True)
class BoardTurns:
    """The turns of a board game (`scorer.turns.Turns`). A turn stays undecoded until its catalogue is
    available."""

    rules: BoardRules
    words: BoardWords

    def parse(self, data: bytes) -> dict[str, Any]:
        return decoded(data)

    def terms_of(self, turn: Mapping[str, Any], terms: Any) -> Any:
        before = turn.get("before")
        house = before.get("house") if isinstance(before, dict) else None
        settings = self.rules.settings
        return house_of(type(terms), settings.values(terms) | (house if isinstance(house, dict) else {}))

    def referee(self, catalogue: Catalogue, turn: Mapping[str, Any], terms: Any) -> msgspec.Struct:
        pieces = self.rules.pieces_of(catalogue)
        return self.rules.rule_turn(self.rules.turn_told(turn, pieces), pieces, terms)

    def steps(self, ruling: Any) -> Sequence[ToldStep]:
        return self.words.turn_steps(ruling)

    def why(self, ruling: Any) -> Reason:
        return self.words.turn_why(ruling)

    def report(self, ruling: Any) -> Report:
        return self.words.turn_report(ruling)


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardPlay(Play[Board, Laid, Any, Any]):
    """`scorer.port.play.Play` of a game on a board, which has turns and forms."""

    turns: BoardTurns
    forms: BoardTable


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardPhoto(Photo[Board]):
    """`scorer.port.photo.Photo` of a game on a board. `put_down` is the board after a photo, given the board
    before. `infer_turn`, for games whose turns are lists of actions, is the likeliest turn of a player
    between two boards."""

    put_down: Callable[[Board, Board], Board]
    infer_turn: TurnInference | None


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardGame(TypedGame[Board, Laid, Any, Any]):
    """A game of tiles on a grid: a game whose parts are those of a board. `make_board_game` builds one."""

    on_board: ClassVar[bool] = True
    rules: BoardRules
    words: BoardWords
    play: BoardPlay
    photo: BoardPhoto


def make_board_game(
    *,
    id: str,
    name: Text,
    house: type[msgspec.Struct],
    house_words: Mapping[str, tuple[Text, Text]],
    grid: GridSize,
    verdict_type: type[Any],
    pieces_of: Callable[[Catalogue], Any],
    check: Callable[[Board, Any], Board],
    rule: Callable[[Board, Any, Any], Any],
    turn_told: Callable[[Mapping[str, Any], Any], Any],
    rule_turn: Callable[[Any, Any, Any], msgspec.Struct],
    words: BoardWords,
    forms: BoardTable,
    strategy: Strategy,
    sheet: Sheet[Any, Any],
    anywhere: bool = False,
    put_down: Callable[[Board, Board], Board] = _put_down,
    infer_turn: TurnInference | None = None,
    asked: tuple[AskedPieces, ...] = (),
    bundled: Path | None = None,
) -> BoardGame:
    """The game with all that boards have in common added to its own: `house` is the struct of its settings,
    `house_words` their labels and explanations. The other arguments are fields of the parts."""
    settings = _settings(name, house, house_words)
    rules = BoardRules(
        grid=grid,
        settings=settings,
        verdict_type=verdict_type,
        pieces_of=pieces_of,
        check=check,
        rule=rule,
        turn_told=turn_told,
        rule_turn=rule_turn,
        reach=lambda verdict: len(words.board_steps(verdict)),
        anywhere=anywhere,
    )
    return BoardGame(
        id=id,
        name=name,
        bundled=bundled,
        rules=rules,
        words=words,
        play=BoardPlay(
            what_ifs=HouseWhatIfs(settings, rules.outcome), turns=BoardTurns(rules, words), forms=forms
        ),
        photo=BoardPhoto(
            laying=Laying(grid=Grid(grid.columns, grid.rows)),
            from_photo=lambda catalogue, tableau: board_on_table(tableau, catalogue, grid),
            habits=LineHabits(drawn=False),
            scan_key="board",
            strategy=strategy,
            put_down=put_down,
            infer_turn=infer_turn,
        ),
        enrol=Enrolment(asked),
        sheet=sheet,
    )


def _settings(
    name: Text, house: type[msgspec.Struct], words: Mapping[str, tuple[Text, Text]]
) -> Settings[Board, Any]:
    """The settings of a struct, which records keep in their `house`."""
    terms = terms_of(house, words)

    def make(values: Mapping[str, Any]) -> Any:
        for each in values:
            if each not in values_of(house):
                raise unknown_term(name, terms, each)
        return house_of(house, values)

    return Settings(
        terms,
        make,
        msgspec.to_builtins,
        of=lambda record, told: house_of(house, msgspec.to_builtins(told) | dict(record.house)),
        into=lambda record, told: msgspec.structs.replace(record, house=msgspec.to_builtins(told)),
    )


def decoded(data: bytes) -> dict[str, Any]:
    """The JSON object in a byte string. Raises `WaymarkError` (bad-record)."""
    return read_json(data, dict[str, Any], bad_record)
