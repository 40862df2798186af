"""Trails as `scorer.game` asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import msgspec

from scorer.board_game import decoded
from scorer.board_record import Board, GridSize, board_from, board_on_table
from scorer.catalogue import Catalogue
from scorer.game import TypedGame
from scorer.house_counterfactuals import HouseWhatIfs
from scorer.laying import Grid, Laying, LineHabits
from scorer.port.photo import Photo
from scorer.port.play import Play
from scorer.port.rules import Settings, unknown_term
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


_NAME = Text("Trails")
_TERMS = (
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


def _make_terms(values: Mapping[str, Any]) -> Terms:
    known = {term.id: term for term in _TERMS}
    for name, value in values.items():
        if name not in known:
            raise unknown_term(_NAME, _TERMS, name)
        if known[name].read(str(value)) != value:
            raise known[name].refusal(value)
    return Terms(**values)


def _term_values(terms: Terms) -> dict[str, Any]:
    usual = asdict(Terms())
    return {name: value for name, value in asdict(terms).items() if value != usual[name]}


def _terms_of(record: Board, terms: Terms) -> Terms:
    told = {name: record.more[name] for name in ("lanterns", "objective") if name in record.more}
    return _make_terms(_term_values(terms) | dict(record.house) | told)


def _with_terms(record: Board, terms: Terms) -> Board:
    values = _term_values(terms)
    house = {"wrap": True} if values.pop("wrap", False) else {}
    more = {name: value for name, value in record.more.items() if name not in ("lanterns", "objective")}
    return msgspec.structs.replace(record, house=house, more=more | values)


def _from_photo(catalogue: Catalogue, tableau: Record) -> Board:
    return board_on_table(tableau, catalogue, GridSize(columns=3, rows=3))


class TrailsRules:
    """`scorer.port.rules.Rules`."""

    record_type = Board
    verdict_type = Ruling
    settings: Settings[Board, Terms] = Settings(_TERMS, _make_terms, _term_values, _terms_of, _with_terms)

    def parse_record(self, data: bytes) -> Board:
        return board_from(decoded(data))

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


class TrailsWords:
    """`scorer.port.words.Words`."""

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


_RULES = TrailsRules()
GAME: TypedGame[Board, Roads, Terms, Ruling] = TypedGame(
    id="trails",
    name=_NAME,
    rules=_RULES,
    words=TrailsWords(),
    play=Play(what_ifs=HouseWhatIfs(_RULES.settings, _RULES.outcome)),
    photo=Photo(
        laying=Laying(grid=Grid(3, 3)),
        habits=LineHabits(drawn=False),
        scan_key="board",
        from_photo=_from_photo,
    ),
    sheet=Sheet(),
)
