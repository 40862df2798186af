"""Trails as `scorer.game` asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import msgspec

from scorer.board_game import decoded
from scorer.board_record import Board, GridSize, board_from, board_on_table
from scorer.catalogue import Catalogue
from scorer.game import Game, TypedGame, unknown_term
from scorer.house_counterfactuals import HouseWhatIfs
from scorer.laying import Grid, Laying, LineHabits
from scorer.record import Record
from scorer.terms import Term
from scorer.text import NO_WORDS, Text, written
from scorer.verdict import Choice, Fact, Reason, Report, RuledDoubt, ToldStep, Turn, choose_by_worth
from scorer.vocabulary import Vocabulary
from trails.rules import OBJECTIVES, REASONS, Roads, Ruling, Terms, join_roads, rule, worth
from trails.sheet import Sheet

_CHOSEN = {
    "only_legal": Text("Only one reading can be."),
    "same_score": Text("All readings score the same."),
    "asked": Text("The readings score differently."),
}


def _game() -> Game:
    return GAME


class Trails:
    """`scorer.game.Game`."""

    id = "trails"
    mode = ""
    name = Text("Trails")
    vocabulary = Vocabulary(
        words={
            "tiles": Text("tiles of the road"),
            "owls": Text("owls met"),
            "corners": Text("corners reached"),
            "fox": Text("fox"),
            "owl": Text("owl"),
        },
        icons={"tiles": "path", "owls": "find", "corners": "find"},
    )
    laying = Laying(grid=Grid(3, 3))
    habits = LineHabits(drawn=False)
    terms = (
        Term("lanterns", "number", "held", Text("Lanterns"), most=3, usual=0),
        Term("objective", "choice", "objective", Text("Objective"), choices=OBJECTIVES, optional=True),
        Term(
            "wrap",
            "flag",
            "house",
            Text("The world is round"),
            Text("On: a road that leaves the board comes back in at the other end."),
            usual=False,
        ),
    )
    sheet = Sheet()
    what_ifs = HouseWhatIfs(_game)
    record_type = Board
    verdict_type = Ruling
    scan_key: Literal["tableau", "board"] = "board"
    bundled: Path | None = None
    market = None
    payments = None
    turns = None
    groups = None
    notation = None

    def parse_record(self, data: bytes) -> Board:
        return board_from(decoded(data))

    def from_photo(self, catalogue: Catalogue, tableau: Record) -> Board:
        return board_on_table(tableau, catalogue, GridSize(columns=3, rows=3))

    def make_terms(self, values: Mapping[str, Any]) -> Terms:
        known = {term.id: term for term in self.terms}
        for name, value in values.items():
            if name not in known:
                raise unknown_term(GAME, name)
            if known[name].read(str(value)) != value:
                raise known[name].refusal(value)
        return Terms(**values)

    def term_values(self, terms: Terms) -> dict[str, Any]:
        usual = asdict(Terms())
        return {name: value for name, value in asdict(terms).items() if value != usual[name]}

    def terms_of(self, record: Board, terms: Terms) -> Terms:
        told = {name: record.more[name] for name in ("lanterns", "objective") if name in record.more}
        return self.make_terms(self.term_values(terms) | dict(record.house) | told)

    def with_terms(self, record: Board, terms: Terms) -> Board:
        values = self.term_values(terms)
        house = {"wrap": True} if values.pop("wrap", False) else {}
        more = {name: value for name, value in record.more.items() if name not in ("lanterns", "objective")}
        return msgspec.structs.replace(record, house=house, more=more | values)

    def board(self, catalogue: Catalogue, record: Board) -> Roads:
        return join_roads(catalogue, record)

    def referee(self, board: Roads, record: Board, terms: Terms) -> Ruling:
        return rule(board, record, terms)

    def worth(self, verdict: Ruling) -> tuple[Any, ...]:
        return worth(verdict)

    def outcome(self, verdict: Ruling) -> tuple[Any, ...]:
        return worth(verdict), verdict.why, verdict.road

    def reach(self, verdict: Ruling) -> int:
        return len(verdict.road)

    def why(self, verdict: Ruling) -> Reason:
        return Reason(verdict.why, written(verdict.message, verdict.message_ja))

    def turn(self, record: Board, verdict: Ruling) -> Turn:
        why = self.why(verdict)
        place = "{},{}".format(*verdict.road[-1]) if verdict.road else None
        return Turn(place, len(verdict.road) or None, why)

    def steps(self, board: Roads, verdict: Ruling, *, with_ids: bool = True) -> tuple[ToldStep, ...]:
        return tuple(
            ToldStep(
                number,
                f"{column},{row}",
                Text("Ran to column {column}, row {row}.", column=column + 1, row=row + 1),
                NO_WORDS,
                brief=Text("to column {column}, row {row}", column=column + 1, row=row + 1),
            )
            for number, (column, row) in enumerate(verdict.road, start=1)
        )

    def without_ids(self, board: Roads, record: Board, verdict: Ruling) -> Ruling:
        return verdict

    def tallies(self, board: Roads, verdict: Ruling) -> tuple[()]:
        return ()

    def report(self, verdict: Ruling) -> Report:
        counts = [("tiles", len(verdict.road))] if verdict.road else []
        facts = [Fact(Text("Road"), Text("{points} VP", points=verdict.points))]
        if (objective := verdict.objective) is not None:
            counts += [(objective.objective, objective.count)] if objective.count else []
            words = Text("{vp} VP", vp=objective.vp)
            facts.append(Fact(self.vocabulary.name(objective.objective), words))
        points = verdict.points + (0 if objective is None else objective.vp)
        return Report(
            counts=tuple(counts), facts=tuple(facts), brief=Text("{points} VP in all", points=points)
        )

    def backwards(self, record: Board) -> Board | None:
        return None

    def choose(self, verdicts: Sequence[Ruling]) -> Choice:
        return choose_by_worth(verdicts, worth, _CHOSEN)

    def chosen(self, verdict: Ruling, choice: Choice, *, turned: bool = False) -> Ruling:
        return verdict

    def doubts(self, board: Roads, record: Board, verdict: Ruling) -> Iterator[RuledDoubt]:
        """A fox is sooner overlooked than left at home."""
        if not verdict.legal:
            yield RuledDoubt("broken-rule", "", REASONS[verdict.why])

    def discord(self, board: Roads, record: Board, verdict: Ruling) -> tuple[()]:
        """Nobody draws on the tiles."""
        return ()


GAME: TypedGame[Board, Roads, Terms, Ruling] = Trails()
