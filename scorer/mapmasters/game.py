"""Map Masters versus as an implementation of `scorer.game.Game`: five cards, a path, six rounds."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from scorer import notation
from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.game import TypedGame
from scorer.laying import Laying, LineHabits
from scorer.mapmasters.api import VersusApi
from scorer.mapmasters.photo import doubts_of
from scorer.mapmasters.play.counterfactuals import WhatIfs
from scorer.mapmasters.play.market import VersusMarket
from scorer.mapmasters.play.payment_choices import DungeonPayments
from scorer.mapmasters.rules import direction
from scorer.mapmasters.rules.marks import discord
from scorer.mapmasters.rules.referee import referee_dungeon
from scorer.mapmasters.rules.ruling import Ruling
from scorer.mapmasters.rules.terms import TERMS, Terms, make_terms, term_values, terms_of, with_terms
from scorer.mapmasters.sheet import SHEET
from scorer.mapmasters.words.reminders import RECORDED_STEPS
from scorer.mapmasters.words.report import VersusWords
from scorer.port.photo import Photo
from scorer.port.play import Play
from scorer.port.rules import Settings
from scorer.record import Record, path_backwards
from scorer.text import Text
from scorer.verdict import Choice, Discord


@dataclass(frozen=True)
class TableauNotation:
    """The text notation of tableaux (`scorer.game.Notation`), as defined in `scorer.notation`."""

    write = staticmethod(notation.to_notation)
    parse = staticmethod(notation.parse_notation)


class VersusRules:
    """The rules of the versus mode (`scorer.port.rules.Rules`)."""

    record_type: type[Record] = Record
    verdict_type: type[Ruling] = Ruling
    settings: Settings[Record, Terms] = Settings(TERMS, make_terms, term_values, terms_of, with_terms)

    parse_record = staticmethod(notation.parse_record_or_notation)

    def board(self, catalogue: Catalogue, record: Record) -> Dungeon:
        return build_dungeon(catalogue, record.cards)

    def referee(self, board: Dungeon, record: Record, terms: Terms) -> Ruling:
        return referee_dungeon(board, with_terms(record, terms), terms.settings)

    worth = staticmethod(direction.worth)
    outcome = staticmethod(direction.outcome)

    def reach(self, verdict: Ruling) -> int:
        return len(verdict.steps)

    def backwards(self, record: Record) -> Record | None:
        if not record.path:
            return None
        return msgspec.structs.replace(record, path=path_backwards(record.path))

    choose = staticmethod(direction.choose)

    def chosen(self, verdict: Ruling, choice: Choice, *, turned: bool = False) -> Ruling:
        return direction.with_choice(verdict, choice, turned=turned)

    doubts = staticmethod(doubts_of)

    def discord(self, board: Dungeon, record: Record, verdict: Ruling) -> tuple[Discord, ...]:
        return discord(board, record.marks, verdict)


#: The open deck comes with `calibration`, not with the rules.
VERSUS: TypedGame[Record, Dungeon, Terms, Ruling] = TypedGame(
    id="mapmasters",
    mode="versus",
    name=Text("Map Masters"),
    rules=VersusRules(),
    words=VersusWords(),
    play=Play(
        what_ifs=WhatIfs(), market=VersusMarket(), payments=DungeonPayments(), recorded_steps=RECORDED_STEPS
    ),
    photo=Photo(
        laying=Laying(rotations=frozenset({0, 180}), half_shifts=True, limit="card_limit", by_owner=True),
        habits=LineHabits(
            stops_at=frozenset({"monster", "padlock", "lava_pit", "pitfall"}),
            gates=frozenset({"magic_circle"}),
            stepped_on=("magic_circle", "barrel", "monster", "pitfall"),
        ),
        from_photo=lambda catalogue, tableau: tableau,
    ),
    sheet=SHEET,
    notation=TableauNotation(),
    api=VersusApi(),
)
