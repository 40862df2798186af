"""Validation of the set-up: each group's purchases, and which of them count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.mapmasters.cooperative.rules.codes import SETUP_RULES
from scorer.mapmasters.cooperative.rules.mission import Mission
from scorer.mapmasters.cooperative.rules.record import Group
from scorer.mapmasters.cooperative.rules.ruling import SetupFault
from scorer.mapmasters.cooperative.rules.settings import CoopSettings
from scorer.mapmasters.cooperative.sheet import group_words
from scorer.mapmasters.cooperative.words.messages import told
from scorer.mapmasters.rules.means import TOOLS, checked_spellbooks
from scorer.mapmasters.rules.spellbooks import SPELLBOOKS
from scorer.mapmasters.rules.terms import MAX_SPELLBOOKS, SPELLBOOK_PRICE, TOKEN_PRICE
from scorer.mapmasters.words.vocabulary import VOCABULARY


def honoured_tokens(group: Group) -> frozenset[str]:
    """The kinds of tokens of which the group has at least one."""
    return frozenset(tool for tool in TOOLS if group.fairy_tokens.get(tool))


def honoured_books(group: Group) -> tuple[str, ...]:
    """The first two cooperative spellbooks of the group."""
    books = checked_spellbooks(group.spellbooks)
    return tuple(book for book in books if SPELLBOOKS[book].cooperative)[:MAX_SPELLBOOKS]


def setup_faults(groups: Sequence[Group], mission: Mission, settings: CoopSettings) -> tuple[SetupFault, ...]:
    """All violations of the market's rules; they do not lose the mission."""
    return tuple(_faults(groups, mission, settings))


def _faults(groups: Sequence[Group], mission: Mission, settings: CoopSettings) -> Iterator[SetupFault]:
    spent = sum(TOKEN_PRICE * sum(group.fairy_tokens.values()) for group in groups)
    spent += sum(SPELLBOOK_PRICE * len(checked_spellbooks(group.spellbooks)) for group in groups)
    if mission.market_coins is not None and spent > mission.market_coins:
        yield _fault("over-budget", None, spent=spent, granted=mission.market_coins)
    for group in groups:
        books = checked_spellbooks(group.spellbooks)
        if any(count > 1 for count in group.fairy_tokens.values()):
            yield _fault("token-limit", group.group)
        if len(books) > MAX_SPELLBOOKS:
            yield _fault("book-limit", group.group)
        if settings.means_limit == "either" and books and any(group.fairy_tokens.values()):
            yield _fault("tokens-and-books", group.group)
        foreign = [book for book in books if not SPELLBOOKS[book].cooperative]
        if foreign:
            yield _fault("not-cooperative", group.group, what=", ".join(foreign))
    for tool in TOOLS:
        count = sum(group.fairy_tokens.get(tool, 0) for group in groups)
        if count > settings.token_supply:
            name = VOCABULARY.name(tool)
            yield _fault("token-supply", None, count=count, supply=settings.token_supply, what=name)


def _fault(code: str, group: str | None, **named: object) -> SetupFault:
    rule = SETUP_RULES[code]
    words = told(rule.words, group=group_words(group or ""), **named)
    return SetupFault(
        rule=code,
        group=group,
        message=words.en,
        message_ja=words.ja,
        section=rule.section.en,
        section_ja=rule.section.ja,
    )
