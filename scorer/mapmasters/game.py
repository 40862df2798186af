"""Map Masters versus as an implementation of `scorer.game.Game`: five cards, a path, six rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import msgspec

from scorer import notation
from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.errors import Code, WaymarkError
from scorer.game import TypedGame
from scorer.laying import Laying, LineHabits
from scorer.mapmasters.play.counterfactuals import WhatIfs
from scorer.mapmasters.rules import choices, direction
from scorer.mapmasters.rules.final_score import market_order as order_of
from scorer.mapmasters.rules.game_record import coins_held
from scorer.mapmasters.rules.marks import discord
from scorer.mapmasters.rules.means import SPELLBOOKS, TOOLS, WILD, Held
from scorer.mapmasters.rules.objectives import VP_EACH, Tally, tallies
from scorer.mapmasters.rules.payments import state_payment
from scorer.mapmasters.rules.referee import referee_dungeon
from scorer.mapmasters.rules.ruling import ObjectiveScore, Ruling
from scorer.mapmasters.rules.settings import VersusSettings
from scorer.mapmasters.rules.spellbooks import dungeon_card_price, tokens_not_bought
from scorer.mapmasters.rules.teleports import parted_strokes
from scorer.mapmasters.rules.terms import (
    CARD_PRICES,
    NO_TERMS,
    SPELLBOOK_PRICE,
    TERMS,
    TOKEN_PRICE,
    Terms,
    make_terms,
    term_values,
    terms_of,
    with_terms,
)
from scorer.mapmasters.sheet import SHEET, played_game
from scorer.mapmasters.words.explain import told_steps
from scorer.mapmasters.words.messages import means_words
from scorer.mapmasters.words.reminders import MARKET_REPLACED_AFTER
from scorer.mapmasters.words.vocabulary import FINDS, VOCABULARY
from scorer.market import Ware
from scorer.payments import PaymentChoice, Way
from scorer.port.photo import Photo
from scorer.port.play import Play
from scorer.port.rules import Settings
from scorer.record import Record, path_backwards
from scorer.routes import ways_out
from scorer.sheet import Played, Row
from scorer.text import NO_WORDS, Text, listed, unchanged, written
from scorer.verdict import Choice, Discord, Fact, Reason, Report, RuledDoubt, ToldStep, Turn

_GAP = Text("The line that starts here does not join the one before it; is part of the path missing?")
#: A way out is near within so much (mm), and so many of them are told.
_NEAR_MM, _MOST_OTHERS = 60.0, 2
_RULE = Text(
    "As it was read, the path breaks a rule here; does the line really run like this, and are all tokens "
    "and spellbooks entered?"
)
_PART = Text("This path is short for so many cards and finds almost nothing; is all of it in the photo?")
_STOPS = Text("The path stops here although ways lead on, and nothing on it is marked; did it begin here?")
_STOPS_SHORT = Text("The path stops here, though ways lead on and out of the cards; does the line go on?")
_STOPS_ON_THE_WAY = Text("The path stops here although ways lead on; does the line really end here?")
_STOPPED = Text(
    "The path ends at what stops it here, and nothing on it is marked; was something held that is not "
    "entered?"
)
_MARKS = Text("Circles and strikes that disagree with the path (the path decides):")

_LABELS = {
    "primary": Text("Primary objective"),
    "secondary": Text("Secondary objective"),
    "coins": Text("Coins"),
    "escaped": Text("Escaped", context="label"),
    "legal": Text("Path"),
    "optimizers": Text("Optimizers"),
    "spent": Text("Spent"),
}
_YES, _NO = Text("yes"), Text("no")
_LEGAL, _BROKEN = Text("legal"), Text("breaks a rule")


@dataclass(frozen=True)
class DungeonPayments:
    """`scorer.payments.Payments`: an obstacle is paid for with an item, a token or a spellbook."""

    def choices(self, board: Dungeon, record: Record, terms: Terms) -> tuple[PaymentChoice, ...]:
        told = with_terms(record, terms)
        steps = {
            payment.at: number
            for number, step in enumerate(referee_dungeon(board, told, terms.settings).steps, start=1)
            for payment in step.paid
        }
        return tuple(
            _payment_choice(board, each, steps[each.payment.at])
            for each in choices.payment_choices(board, told, terms.settings)
        )

    def state(self, record: Record, at: str, means: str | None, source: str | None = None) -> Record:
        return state_payment(record, at, means, source)


def _payment_choice(board: Dungeon, choice: choices.PaymentChoice, step: int) -> PaymentChoice:
    ways = {way: _way(board, way, choice.tool) for way in choice.ways}
    # Only the wild token can be missed at another place.
    elsewhere = [way for way in choice.ways if way != choice.used and WILD in (way.means, choice.used.means)]
    return PaymentChoice(
        at=choice.payment.at,
        step=step,
        tool=choice.tool,
        used=ways[choice.used],
        ways=tuple(ways.values()),
        stated=choice.payment.stated,
        elsewhere=tuple(ways[way] for way in elsewhere),
    )


def _way(board: Dungeon, way: Held, tool: str) -> Way:
    words = means_words(board, way, with_id=False)
    if way.means == WILD:
        find = FINDS[tool]
        words = Text("{wild} as a {find} token", wild=WILD, find=find)
    return Way(way.means, way.source, words)


@dataclass(frozen=True)
class VersusMarket:
    """`scorer.market.Market`: tokens, spellbooks and cards for coins."""

    wares: tuple[Ware, ...] = (
        Ware("fairy", Text("Fairy token"), "fairy_tokens", TOOLS, dict.fromkeys(TOOLS, TOKEN_PRICE)),
        Ware(
            "spellbook",
            Text("Spellbook"),
            "spellbooks",
            SPELLBOOKS,
            dict.fromkeys(SPELLBOOKS, SPELLBOOK_PRICE),
        ),
        Ware(
            "card",
            Text("Dungeon card"),
            None,
            tuple(map(str, CARD_PRICES)),
            {str(price): price for price in CARD_PRICES},
        ),
    )
    anew_after: int | None = MARKET_REPLACED_AFTER

    def price(self, ware: str, what: str, terms: Terms) -> int:
        prices = {each.id: each.prices for each in self.wares}.get(ware, {})
        if ware == "card" and what.isascii() and what.isdecimal():
            return dungeon_card_price(int(what), terms.spellbooks)
        if what not in prices:
            raise WaymarkError(Code.NOT_SOLD, Text("{what!r} is not sold in the market.", what=what))
        return prices[what]

    def order(self, players: Sequence[Played], terms: Terms, first: int = 0) -> tuple[str, ...]:
        return order_of(played_game(players, terms), first)

    def coins(self, rows: Sequence[Row]) -> tuple[int, ...]:
        (player,) = played_game([Played("", tuple(rows))], NO_TERMS).players
        return coins_held(player.rounds)

    def not_bought(self, terms: Terms, bought: Mapping[str, int]) -> dict[str, int]:
        return tokens_not_bought(terms.fairy_tokens, bought, terms.spellbooks)


@dataclass(frozen=True)
class TableauNotation:
    """The text notation of tableaux (`scorer.game.Notation`), as defined in `scorer.notation`."""

    def write(self, record: Record) -> str:
        return notation.to_notation(record)

    def parse(self, text: str) -> Record:
        return notation.parse_notation(text)


class VersusRules:
    """The rules of the versus mode (`scorer.port.rules.Rules`)."""

    record_type: type[Record] = Record
    verdict_type: type[Ruling] = Ruling
    settings: Settings[Record, Terms] = Settings(TERMS, make_terms, term_values, terms_of, with_terms)

    def parse_record(self, data: bytes) -> Record:
        return notation.parse_record_or_notation(data)

    def board(self, catalogue: Catalogue, record: Record) -> Dungeon:
        return build_dungeon(catalogue, record.cards)

    def referee(self, board: Dungeon, record: Record, terms: Terms) -> Ruling:
        return referee_dungeon(board, with_terms(record, terms), terms.settings)

    def worth(self, verdict: Ruling) -> object:
        return direction.worth(verdict)

    def outcome(self, verdict: Ruling) -> object:
        return direction.outcome(verdict)

    def reach(self, verdict: Ruling) -> int:
        return len(verdict.steps)

    def backwards(self, record: Record) -> Record | None:
        if not record.path:
            return None
        return msgspec.structs.replace(record, path=path_backwards(record.path))

    def choose(self, verdicts: Sequence[Ruling]) -> Choice:
        return direction.choose(verdicts)

    def chosen(self, verdict: Ruling, choice: Choice, *, turned: bool = False) -> Ruling:
        return direction.with_choice(verdict, choice, turned=turned)

    def doubts(self, board: Dungeon, record: Record, verdict: Ruling) -> Iterator[RuledDoubt]:
        """Doubts that a ruling raises about the reading of the path. Unjoined lines are more likely misread
        (a lost stretch, a scratch taken for ink) than drawn that way, even beyond the path's end. Players
        seldom break rules; a misread line breaks one more often, and so does an unrecorded token."""
        parted = parted_strokes(board, record)
        if parted:
            yield RuledDoubt("gap", record.path[parted[0]][0], _GAP, strokes=parted, blocking=True)
        elif verdict.violations:
            yield RuledDoubt("broken-rule", verdict.violations[0].place, _RULE)
        elif record.path:
            end, marked = record.path[-1][-1], bool(record.marks.circled or record.marks.struck)
            told = bool(record.fairy_tokens or record.spellbooks)
            escaping = _escaping(board, record, verdict)
            if escaping:
                yield RuledDoubt("stops-short", end, _STOPS_SHORT, others=escaping)
            if not marked and _stops_inside(board, record, verdict):
                yield RuledDoubt("stops-inside", end, _STOPS)
            elif _stops_on_the_way(board, record, verdict):
                yield RuledDoubt("stops-inside", end, _STOPS_ON_THE_WAY)
            elif not marked and verdict.ended == "obstacle" and not told:
                yield RuledDoubt("stops-inside", end, _STOPPED)
            if _is_short(record, verdict):
                yield RuledDoubt("part-read", end, _PART)

    def discord(self, board: Dungeon, record: Record, verdict: Ruling) -> tuple[Discord, ...]:
        return discord(board, record.marks, verdict)


class VersusWords:
    """The words of the versus mode (`scorer.port.words.Words`)."""

    vocabulary = VOCABULARY

    def why(self, verdict: Ruling) -> Reason:
        told = verdict.why
        return Reason(
            told.rule, written(told.message, told.message_ja), written(told.section, told.section_ja)
        )

    def turn(self, record: Record, verdict: Ruling) -> Turn:
        """The step that broke a rule, the obstacle that stopped the path, or its last step."""
        why = self.why(verdict)
        names = [name for stroke in record.path for name in stroke]
        if verdict.violations:
            broken = verdict.violations[0]
            number = sum(len(stroke) for stroke in record.path[: broken.stroke]) + broken.step + 1
            return Turn(broken.place, number, why)
        reached = len(verdict.steps)
        if verdict.ended == "obstacle" and reached < len(names):
            return Turn(names[reached], reached + 1, why)
        return Turn(verdict.last_place, reached or None, why)

    def steps(self, board: Dungeon, verdict: Ruling, *, with_ids: bool = True) -> tuple[ToldStep, ...]:
        return told_steps(board, verdict, with_ids=with_ids)

    def without_ids(self, board: Dungeon, record: Record, verdict: Ruling) -> Ruling:
        settings = VersusSettings(**verdict.settings)
        said = referee_dungeon(board, record, settings, with_ids=False)
        return msgspec.structs.replace(said, direction=verdict.direction)

    def tallies(self, board: Dungeon, verdict: Ruling) -> tuple[Tally, ...]:
        return tallies(board, verdict)

    def report(self, verdict: Ruling) -> Report:
        counts = {find: count for find, count in verdict.discovered.items() if count}
        chosen = verdict.direction
        notes = [written(note.message, note.message_ja) for note in verdict.payments]
        if verdict.marks:
            notes += [
                _MARKS,
                *(
                    unchanged("- {note}").filled(note=written(note.message, note.message_ja))
                    for note in verdict.marks
                ),
            ]
        return Report(
            counts=tuple((find, counts[find]) for find in VP_EACH if find in counts),
            facts=tuple(_facts(verdict)),
            faults=tuple(written(fault.message, fault.message_ja) for fault in verdict.placement),
            chosen=NO_WORDS if chosen is None else written(chosen.message, chosen.message_ja),
            notes=tuple(notes),
            brief=_brief(verdict, counts),
        )


def _stops_inside(dungeon: Dungeon, record: Record, ruling: Ruling) -> bool:
    """Whether the path may have been drawn in the opposite direction, beginning illegally inside the tableau.
    Such a path stops without an obstacle, in no room, at no door and at no card's edge, or below a pit in
    which it may have begun.

    Of 1,200 drawings (evening samples) 6 began inside and could also be walked from the outer edge, all of
    them like this and without marks; the same holds for 2 legal ones. Of 431 others two ended this way at a
    find: one had begun there. Of 1,400 two were without marks and ended below a pit: one had begun in it."""
    last = dungeon.places[record.path[-1][-1]]
    walked = {frozenset(step) for stroke in record.path for step in pairwise(stroke)}
    leads_on = any(frozenset((link.a, link.b)) not in walked for link in dungeon.neighbours[last.id])
    come_to = {place for step in walked for place in step}
    below = any(link.kind == "fall" and link.b == last.id and link.a not in come_to for link in dungeon.links)
    stops = last.kind in ("junction", "stairs", "find") and leads_on
    return ruling.ended == "dead_end" and (stops or below)


def _stops_on_the_way(dungeon: Dungeon, record: Record, ruling: Ruling) -> bool:
    """Whether a path stops in a corridor or at a door without an obstacle, while ways lead on to unvisited
    places. Players who can go on do so, whatever their marks.

    Of 1,554 photos (`tuning-evening`) seven were read this way, not at a find and otherwise with certainty:
    two of these were misread."""
    last = dungeon.places[record.path[-1][-1]]
    come_to = {name for stroke in record.path for name in stroke}
    leads_on = any(link.b not in come_to for link in dungeon.neighbours[last.id])
    return ruling.ended == "dead_end" and last.kind in ("find", "junction", "stairs", "door") and leads_on


def _escaping(dungeon: Dungeon, record: Record, ruling: Ruling) -> tuple[Record, ...]:
    """Alternative records in which a path that stops without an obstacle continues to a nearby exit, since
    players who can leave do so.

    Of 1,543 legal drawings (evening samples) 13 stop this way. In most readings that do, the end of the line
    was not seen, or was taken for its beginning."""
    if ruling.ended != "dead_end":
        return ()
    settings = VersusSettings(**ruling.settings)
    *before, last = record.path
    longer = (
        msgspec.structs.replace(record, path=(*before, last + route[1:]))
        for route in ways_out(dungeon, record.path, _NEAR_MM)
    )
    legal = (each for each in longer if referee_dungeon(dungeon, each, settings).escaped)
    return tuple(islice(legal, _MOST_OTHERS))


def _is_short(record: Record, ruling: Ruling) -> bool:
    """Whether a path is shorter than players normally draw, since they lay cards to walk them and to find
    things.

    Of 964 drawn photos seven are no longer: the four that stop inside were read in part. The three that leave
    by another card than they entered by were read in full."""
    places = sum(len(stroke) for stroke in record.path)
    finds = sum(len(step.found) for step in ruling.steps)
    cards = {name.partition(".")[0] for name in (record.path[0][0], record.path[-1][-1])}
    whole = ruling.escaped and len(cards) > 1
    return len(record.cards) > 1 and places <= 2 * len(record.cards) and finds < 2 and not whole


def _facts(ruling: Ruling) -> Iterator[Fact]:
    for column, objective in (("primary", ruling.primary), ("secondary", ruling.secondary)):
        if objective is not None:
            yield Fact(_LABELS[column], _objective_words(objective))
    yield Fact(_LABELS["coins"], unchanged(ruling.coins))
    yield Fact(_LABELS["escaped"], _YES if ruling.escaped else _NO)
    yield Fact(_LABELS["legal"], _LEGAL if ruling.legal else _BROKEN)
    used = [(VOCABULARY.name(find), count) for find, count in ruling.optimizers.items() if count]
    if used:
        yield Fact(_LABELS["optimizers"], listed([_counted(name, count) for name, count in used]))
    spent = [(VOCABULARY.name(payment.means), payment.at) for payment in ruling.spent]
    if spent:
        words = [Text("{name} ({at})", name=name, at=at) for name, at in spent]
        yield Fact(_LABELS["spent"], listed(words), with_ids=True)


def _brief(ruling: Ruling, counts: Mapping[str, int]) -> Text:
    """The start of the path and its score, in a few words."""
    place = ruling.steps[0].place if ruling.steps else "-"
    found = [_counted(VOCABULARY.name(find), count) for find, count in counts.items()] or [
        Text("nothing found")
    ]
    scored = [_objective_words(each) for each in (ruling.primary, ruling.secondary) if each is not None]
    what = listed((listed(found), *scored))
    if ruling.escaped:
        return Text("starting at {place}: {what}, escaped", place=place, what=what)
    return Text("starting at {place}: {what}, not escaped", place=place, what=what)


def _objective_words(objective: ObjectiveScore) -> Text:
    name = VOCABULARY.name(objective.objective)
    return Text("{name} x {count} = {vp} VP", name=name, count=objective.count, vp=objective.vp)


def _counted(name: Text, count: int) -> Text:
    return Text("{name} {count}", name=name, count=count)


#: The open deck comes with `calibration`, not with the rules.
VERSUS: TypedGame[Record, Dungeon, Terms, Ruling] = TypedGame(
    id="mapmasters",
    mode="versus",
    name=Text("Map Masters"),
    rules=VersusRules(),
    words=VersusWords(),
    play=Play(what_ifs=WhatIfs(), market=VersusMarket(), payments=DungeonPayments()),
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
)
