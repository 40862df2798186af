"""Counterfactuals of a path's stated facts: other means held, other payments, other house rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from scorer.counterfactual import Assumption
from scorer.dungeon import Dungeon
from scorer.mapmasters.play.counterfactual_keys import (
    MOST_OF_A_KIND,
    MOST_TOGETHER,
    HeldMeans,
    HouseSetting,
    PaidWith,
    content_of,
    count_held,
    is_on,
)
from scorer.mapmasters.rules.choices import PaymentChoice, payment_choices
from scorer.mapmasters.rules.direction import outcome
from scorer.mapmasters.rules.means import (
    BOOK_FOR,
    CLIMB,
    CROSS_ITSELF,
    FAIRY,
    LEFT_RIGHT,
    PATH_SPELLBOOKS,
    SPELLBOOKS,
    TO_BARREL,
    TO_MONSTER,
    TOOLS,
    TOP_BOTTOM,
    WILD,
)
from scorer.mapmasters.rules.payments import WANTING, state_payment
from scorer.mapmasters.rules.ruling import Ruling
from scorer.mapmasters.rules.settings import VersusSettings
from scorer.mapmasters.rules.terms import Terms, with_terms
from scorer.mapmasters.words import counterfactual_words as words
from scorer.record import Record
from scorer.text import Text

Then = Callable[[Assumption], Ruling | None]

#: Spellbooks by the rule that they do away with.
_LIFTED_BY_BOOKS: dict[str, tuple[str, ...]] = {
    "climb": (CLIMB,),
    "path-crossed": (CROSS_ITSELF,),
    "no-way": (TO_MONSTER, TO_BARREL, TOP_BOTTOM, LEFT_RIGHT),
}


#: Prefix of the rules by which a path ends legally at an obstacle.
STOPPED_BY = "stopped-by-"


class WhatIfs:
    """The counterfactuals of paths that are walked with means (`scorer.counterfactual.WhatIfs`)."""

    def tried(
        self, board: Dungeon, record: Record, terms: Terms, verdict: Ruling, then: Then
    ) -> Iterator[Assumption]:
        """Assumptions that change the ruling: other payments, more of one means, the fewest means that make
        the path legal, one less of each used means, and each house rule switched."""
        changing = _Changing(verdict, then)
        for _, instead in self.free(board, record, terms):
            yield from changing(instead)
        yield from _more_means(terms, changing)
        yield from _all_it_takes(terms, verdict, then)
        yield from changing(each.assumption for each in _less_means(verdict))
        yield from changing(each.assumption for each in _house_rules())

    def lifting(
        self, board: Dungeon, record: Record, terms: Terms, verdict: Ruling, then: Then
    ) -> Iterator[Assumption]:
        """Assumptions under which a stopped path goes on, tokens before spellbooks. For a path that stops
        several times, the means for each stop are added one after the other."""
        for first in _lifts(verdict):
            so_far, now = HeldMeans(1, ()), verdict
            lift: str | None = first
            while lift is not None:
                before = len(now.steps)
                means = Counter(dict(so_far.means)) + Counter({lift: 1})
                so_far = HeldMeans(1, tuple(means.items()))
                tried = then(so_far.assumption) if means.total() <= MOST_TOGETHER else None
                if tried is None:
                    break
                if tried.legal and (not verdict.legal or _comes_farther(tried, verdict)):
                    yield so_far.assumption
                    break
                # Several monsters in a room ask for their swords at once.
                moved = len(tried.steps) > before or tried.why.rule == now.why.rule
                now, lift = tried, next(iter(_lifts(tried)), None) if moved else None

    def free(
        self, board: Dungeon, record: Record, terms: Terms
    ) -> Iterator[tuple[str, tuple[Assumption, ...]]]:
        """Each payment's place, with the alternative payments there."""
        for choice in payment_choices(board, with_terms(record, terms), terms.settings):
            yield choice.payment.at, tuple(each.assumption for each in _instead(choice))

    def parse(self, key: str) -> Assumption | None:
        """The assumption with this key; None if the key is not valid."""
        return Assumption(key) if content_of(key) is not None else None

    def suppose(
        self, board: Dungeon, record: Record, terms: Terms, assumption: Assumption
    ) -> tuple[Record, Terms] | None:
        """Record and terms under an assumption; None where it cannot be: a token that is not held cannot be
        missing, a spellbook that is held cannot come, a place may be gone."""
        content = content_of(assumption.key)
        if isinstance(content, PaidWith):
            if not board.places.keys() >= set(self.places(assumption)):
                return None
            return state_payment(record, content.at, *content.way), terms
        changed = _changed(terms, content) if content is not None else None
        return None if changed is None else (record, changed)

    def places(self, assumption: Assumption) -> tuple[str, ...]:
        """The places that an assumption names: where a payment was made, and where its item came from."""
        content = content_of(assumption.key)
        if not isinstance(content, PaidWith):
            return ()
        return (content.at, content.way.source) if content.way.source is not None else (content.at,)

    def before(self, terms: Terms, assumption: Assumption) -> dict[str, int]:
        """Counts of the means that an assumption names, as held now; for a house rule, 1 if it is on."""
        match content_of(assumption.key):
            case HouseSetting(setting=setting):
                return {setting: int(is_on(terms, setting))}
            case HeldMeans(means=means):
                return {name: count_held(terms, name) for name, _ in means}
        return {}

    def left(self, assumption: Assumption, before: Mapping[str, int], terms: Terms) -> Assumption | None:
        """The part of an earlier assumption that does not hold yet; None if all of it holds now. Only
        assumptions about means and house rules can come true."""
        content = content_of(assumption.key)
        if isinstance(content, HouseSetting):
            still = self.before(terms, assumption)
            return assumption if (before or still) == still else None
        if not isinstance(content, HeldMeans):
            return assumption
        left = []
        for name, count in content.means:
            held = count_held(terms, name)
            missing = count + content.sign * (before.get(name, held) - held)
            if missing > 0:
                left.append((name, missing))
        return replace(content, means=tuple(left)).assumption if left else None

    def condition(self, board: Dungeon, terms: Terms, assumption: Assumption) -> Text:
        """The assumption as a condition: "With a rope token"."""
        return words.condition(board, terms, assumption)

    def telling(self, terms: Terms, assumption: Assumption) -> Text:
        """The player's statement that the means were held: "I had a rope token"."""
        return words.telling(terms, assumption)

    def asking(self, verdict: Ruling) -> Text:
        """The question whether something was held where the path stopped: "Did you have something to open the
        padlock?"."""
        return words.asking(verdict.why.rule.removeprefix(STOPPED_BY))

    def settling(self, board: Dungeon, terms: Terms, assumption: Assumption) -> Text:
        """The label of the button that makes the assumption a fact; empty if it no longer can be one."""
        return words.settling(board, terms, assumption)


# --- what is tried ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Changing:
    """A filter for the assumptions that change a ruling."""

    ruling: Ruling
    then: Then

    def __call__(self, assumptions: Iterable[Assumption]) -> Iterator[Assumption]:
        for assumption in assumptions:
            then = self.then(assumption)
            if then is not None and outcome(then) != outcome(self.ruling):
                yield assumption


def _instead(choice: PaymentChoice) -> Iterator[PaidWith]:
    """The alternatives to the way in which a payment was made."""
    for way in choice.ways:
        if way != choice.used:
            yield PaidWith(choice.payment.at, way)


def _more_means(terms: Terms, changing: _Changing) -> Iterator[Assumption]:
    """Assumptions of one more kind of means: the smallest number of tokens with an effect, or any spellbook
    for paths."""
    for tool in TOOLS:
        counts = range(1, MOST_OF_A_KIND + 1)
        tried = (HeldMeans(1, ((FAIRY + tool, count),)).assumption for count in counts)
        found = next(changing(tried), None)
        if found is not None:
            yield found
    yield from changing(HeldMeans(1, ((book, 1),)).assumption for book in _books_not_held(terms))


def _books_not_held(terms: Terms) -> list[str]:
    return [book for book in SPELLBOOKS if book in PATH_SPELLBOOKS and book not in terms.spellbooks]


def _all_it_takes(terms: Terms, ruling: Ruling, then: Then) -> Iterator[Assumption]:
    """Combinations of means that make a path legal where no single kind does. At each stop, the means that
    lead it farthest are added (greedy search)."""
    if ruling.legal:
        return
    so_far, now = HeldMeans(1, ()), ruling
    for _ in range(MOST_TOGETHER):
        best: tuple[HeldMeans, Ruling] | None = None
        reached = len(now.steps)
        for more in _one_more(terms, so_far):
            tried = then(more.assumption)
            if tried is not None and (tried.legal or len(tried.steps) > reached):
                best, reached = (more, tried), len(tried.steps)
                if tried.legal:
                    break
        if best is None:
            return
        so_far, now = best
        if now.legal:
            if len(so_far.means) > 1:
                yield so_far.assumption
            return


def _one_more(terms: Terms, so_far: HeldMeans) -> Iterator[HeldMeans]:
    for name in [*(FAIRY + tool for tool in TOOLS), *_books_not_held(terms)]:
        counts = Counter(dict(so_far.means))
        most = MOST_OF_A_KIND if name.startswith(FAIRY) else 1
        for more in range(1, most + 1 - counts[name]):
            yield HeldMeans(1, tuple((counts + Counter({name: more})).items()))


def _less_means(ruling: Ruling) -> list[HeldMeans]:
    """For each kind of stated means that was used, the assumption of one fewer."""
    told = [payment.means for payment in ruling.spent if payment.source is None]
    return [HeldMeans(-1, ((name, 1),)) for name in dict.fromkeys(told)]


def _house_rules() -> list[HouseSetting]:
    """Every house rule that can be on or off."""
    return [HouseSetting(each.name) for each in fields(VersusSettings) if isinstance(each.default, bool)]


def _comes_farther(tried: Ruling, verdict: Ruling) -> bool:
    """Whether the path gets farther than before, or is no longer stopped in the room where it ends."""
    return len(tried.steps) > len(verdict.steps) or verdict.ended == "obstacle" != tried.ended


def _lifts(ruling: Ruling) -> tuple[str, ...]:
    """Means that would let a path go on where the ruling stopped it, named as in `Payment.means`."""
    rule = ruling.why.rule.removeprefix(STOPPED_BY)
    tool = WANTING.get(rule)
    if tool is not None:
        return FAIRY + tool, BOOK_FOR[tool], WILD
    return _LIFTED_BY_BOOKS.get(rule, ())


# --- what they change ---------------------------------------------------------------------------------------


def _changed(terms: Terms, content: HeldMeans | HouseSetting) -> Terms | None:
    """Terms under an assumption about them; None where it cannot be."""
    if isinstance(content, HouseSetting):
        now = getattr(terms.settings, content.setting)
        if not isinstance(now, bool):
            return None
        other: dict[str, Any] = {content.setting: not now}
        return replace(terms, settings=replace(terms.settings, **other))
    tokens, books = Counter(terms.fairy_tokens), list(terms.spellbooks)
    for name, count in content.means:
        if name.startswith(FAIRY):
            tokens[name.removeprefix(FAIRY)] += content.sign * count
        elif content.sign > 0 and name not in books:
            books.append(name)
        elif content.sign < 0 and name in books:
            books.remove(name)
        else:
            return None
    if any(count < 0 for count in tokens.values()):
        return None
    held = {tool: count for tool, count in tokens.items() if count}
    return replace(terms, fairy_tokens=held, spellbooks=tuple(books))
