"""Map Masters cooperative as an implementation of `scorer.game.Game`: groups, ordered paths, one mission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.catalogue import Catalogue
from scorer.game import TypedGame
from scorer.house_counterfactuals import HouseWhatIfs
from scorer.laying import Grid, Laying
from scorer.mapmasters.cooperative.play.groups import CoopGroups, found_by
from scorer.mapmasters.cooperative.play.hint import hint
from scorer.mapmasters.cooperative.play.hint_record import Hint, hint_lines
from scorer.mapmasters.cooperative.rules import notation
from scorer.mapmasters.cooperative.rules.record import Group, GroupPath, TableCard, TableRecord, parse_table
from scorer.mapmasters.cooperative.rules.referee import referee_table
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling, GroupRuling
from scorer.mapmasters.cooperative.rules.table import Table, make_table
from scorer.mapmasters.cooperative.rules.terms import (
    TERMS,
    CoopTerms,
    make_terms,
    term_values,
    terms_of,
    with_terms,
)
from scorer.mapmasters.cooperative.sheet import CoopSheet
from scorer.mapmasters.cooperative.words.report import CoopWords, path_note
from scorer.mapmasters.game import VERSUS
from scorer.port.photo import Photo
from scorer.port.play import Hints, Play
from scorer.port.rules import Settings
from scorer.record import FORMAT, Record
from scorer.text import Text, written
from scorer.verdict import Choice, Discord, RuledDoubt, choose_by_worth

_ORDER = {
    "only_legal": Text("Only one order of the paths is legal, so that is the one."),
    "same_score": Text("The paths come to the same in every order that they may have been drawn in."),
    "asked": Text("The paths come to something else in another order; please say in which they were drawn."),
}


@dataclass(frozen=True)
class TableNotation:
    """`scorer.game.Notation`: `scorer.mapmasters.cooperative.rules.notation`."""

    write = staticmethod(notation.to_notation)
    parse = staticmethod(notation.parse_notation)


class CoopRules:
    """The rules of the cooperative mode (`scorer.port.rules.Rules`)."""

    record_type: type[TableRecord] = TableRecord
    verdict_type: type[CoopRuling] = CoopRuling
    settings: Settings[TableRecord, CoopTerms] = Settings(
        TERMS, make_terms, term_values, terms_of, with_terms
    )

    def parse_record(self, data: bytes) -> TableRecord:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return parse_table(data)  # whose error says what was expected
        if notation.is_notation(text):
            return notation.parse_notation(text)
        return parse_table(text)

    board = staticmethod(make_table)

    def referee(self, board: Table, record: TableRecord, terms: CoopTerms) -> CoopRuling:
        return referee_table(board, record, terms.difficulty, terms.settings)

    def worth(self, verdict: CoopRuling) -> tuple[Any, ...]:
        mission = verdict.mission
        return (
            mission.result,
            mission.reason,
            tuple(mission.goals.items()),
            tuple(_worth(group) for group in verdict.groups),
        )

    def outcome(self, verdict: CoopRuling) -> tuple[Any, ...]:
        ends = tuple((path.ended, path.last_place, path.legal) for path in verdict.paths)
        return self.worth(verdict), verdict.legal, ends

    def reach(self, verdict: CoopRuling) -> int:
        return sum(len(path.steps) for path in verdict.paths)

    def backwards(self, record: TableRecord) -> TableRecord | None:
        """Always None: groups start at their miniatures, so no line is read backwards."""
        return None

    def choose(self, verdicts: Sequence[CoopRuling]) -> Choice:
        """Choose between the orders in which paths may have been drawn. A legal one was, if there is any."""
        return choose_by_worth(verdicts, self.worth, _ORDER)

    def chosen(self, verdict: CoopRuling, choice: Choice, *, turned: bool = False) -> CoopRuling:
        return verdict

    def doubts(self, board: Table, record: TableRecord, verdict: CoopRuling) -> Iterator[RuledDoubt]:
        """Groups break rules seldom, and stop nowhere but where the rules let them; a misread line does both
        more often."""
        for path in verdict.paths:
            for broken in path.violations:
                yield RuledDoubt("broken-rule", broken.place, written(broken.message, broken.message_ja))
            drawn = record.paths[path.path]
            if (
                path.ended in ("stopped", "dead_end", "edge", "obstacle", "unmet")
                and drawn.path
                and not drawn.sketch
            ):
                yield RuledDoubt("stops", drawn.path[-1][-1], path_note(path))

    def discord(self, board: Table, record: TableRecord, verdict: CoopRuling) -> tuple[Discord, ...]:
        return ()


def _from_photo(catalogue: Catalogue, tableau: Record) -> TableRecord:
    """The cards, and the line as the path of one group that has no colour yet."""
    cards = tuple(TableCard(card.card, card.x, card.y, card.rotation) for card in tableau.cards)
    line = GroupPath(group="1", path=tableau.path)
    return TableRecord(
        format=FORMAT,
        mode="cooperative",
        catalogue=tableau.catalogue,
        cards=cards,
        groups=(Group(group="1", marks=tableau.marks),) if tableau.path else (),
        paths=(line,) if tableau.path else (),
    )


def _worth(group: GroupRuling) -> tuple[Any, ...]:
    return group.group, group.ended, group.stands, group.reached, group.artifacts, found_by(group)


def _hint(catalogue: Catalogue, record: TableRecord, terms: CoopTerms) -> Hint:
    return hint(catalogue, record, terms.difficulty, terms.settings)


_RULES = CoopRules()


#: A table's paths tell all that was done, so that it has no turns. The open deck comes with `calibration`.
COOPERATIVE: TypedGame[TableRecord, Table, CoopTerms, CoopRuling] = TypedGame(
    id=VERSUS.id,
    mode="cooperative",
    name=Text("Map Masters, cooperative"),
    rules=_RULES,
    words=CoopWords(),
    play=Play(
        what_ifs=HouseWhatIfs(_RULES.settings, _RULES.outcome),
        groups=CoopGroups(),
        hints=Hints(_hint, hint_lines),
    ),
    photo=Photo(
        laying=Laying(rotations=frozenset({0, 180}), grid=Grid()),
        habits=VERSUS.photo.habits,
        from_photo=_from_photo,
    ),
    sheet=CoopSheet(),
    notation=TableNotation(),
)
