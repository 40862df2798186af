"""Sentences for assumptions about what was stated: the condition, what a player says, and the button."""

from __future__ import annotations

from scorer.counterfactual import Assumption
from scorer.dungeon import Dungeon
from scorer.mapmasters.play.counterfactual_keys import HeldMeans, HouseSetting, PaidWith, content_of, is_on
from scorer.mapmasters.rules.means import FAIRY
from scorer.mapmasters.rules.spellbooks import SPELLBOOKS as BOOKS
from scorer.mapmasters.rules.terms import TERMS, Terms
from scorer.mapmasters.words.messages import means_words, place_words
from scorer.mapmasters.words.vocabulary import FINDS
from scorer.text import NO_WORDS, Text, listed, unchanged, within


def condition(board: Dungeon, terms: Terms, assumption: Assumption) -> Text:
    """The assumption as a condition: "With a rope token"."""
    content = content_of(assumption.key)
    if isinstance(content, HouseSetting):
        rule = _rule_name(content.setting)
        if is_on(terms, content.setting):
            return Text("If the table did not play by the house rule “{rule}”", rule=rule)
        return Text("If the table played by the house rule “{rule}”", rule=rule)
    if isinstance(content, PaidWith):
        if content.at not in board.places:
            return Text("Another payment, at a place that is not there any more")
        means, place = _paid_words(board, content)
        return Text("If {means} was used at {place}", means=means, place=place)
    if not isinstance(content, HeldMeans):
        return unchanged("")
    if content.sign < 0:
        if (tool := _tool_of_several(terms, content)) is not None:
            return Text("With one {tool} token fewer", tool=tool)
        means = _listed(terms, content)
        return Text("Without {means}", means=means)
    if (counted := _one_kind(terms, content)) is None:
        means = _listed(terms, content)
        return Text("With {means}", means=means)
    tool, count, more = counted
    if more and count == 1:
        return Text("With one more {tool} token", tool=tool)
    if more:
        return Text("With {count} more {tool} tokens", count=count, tool=tool)
    return Text("With {count} {tool} tokens", count=count, tool=tool)


def telling(terms: Terms, assumption: Assumption) -> Text:
    """The player's statement that the means were held: "I had a rope token"."""
    content = content_of(assumption.key)
    if not isinstance(content, HeldMeans) or content.sign < 0:
        return NO_WORDS
    means = _listed(terms, content, brief=True)
    return Text("I had {means}", means=means)


#: The question whether something was held, by the rule that stopped the path.
_ASKING = {
    "monster": Text("Did you have something to defeat the monster?"),
    "room-guarded": Text("Did you have something to defeat the monster?"),
    "padlock": Text("Did you have something to open the padlock?"),
    "lava": Text("Did you have something to cross the lava pit?"),
    "fall-forced": Text("Did you have something to cross the pitfall?"),
    "circle-inactive": Text("Did you have something to activate the magic circle?"),
}


def asking(rule: str) -> Text:
    """The question whether something was held where a rule stopped the path."""
    return _ASKING.get(rule, Text("Did you have a spellbook for this?"))


def settling(board: Dungeon, terms: Terms, assumption: Assumption) -> Text:
    """The label of the button that makes the assumption a fact; empty if it no longer can be one."""
    content = content_of(assumption.key)
    if isinstance(content, HouseSetting):
        rule = _rule_name(content.setting)
        if is_on(terms, content.setting):
            return Text("Rule again without the house rule “{rule}”", rule=rule)
        return Text("Rule again with the house rule “{rule}”", rule=rule)
    if isinstance(content, PaidWith):
        if content.at not in board.places:
            return unchanged("")
        means, place = _paid_words(board, content)
        return Text("Rule again: {means} was used at {place}", means=means, place=place)
    if not isinstance(content, HeldMeans):
        return unchanged("")
    if content.sign < 0:
        if (tool := _tool_of_several(terms, content)) is not None:
            return Text("Rule again: one {tool} token fewer was held", tool=tool)
        means = _listed(terms, content, brief=True)
        return Text("Rule again without {means}", means=means)
    if (counted := _one_kind(terms, content)) is None:
        means = _listed(terms, content, brief=True)
        verb = "was" if len(content.means) == 1 else "were"
        return Text("Rule again: {means} {verb} held", means=means, verb=verb)
    tool, count, more = counted
    if more and count == 1:
        return Text("Rule again: one more {tool} token was held", tool=tool)
    if more:
        return Text("Rule again: {count} more {tool} tokens were held", count=count, tool=tool)
    return Text("Rule again: {count} {tool} tokens were held", count=count, tool=tool)


def _rule_name(setting: str) -> Text:
    return next(term.label for term in TERMS if term.id == setting)


def _paid_words(board: Dungeon, paid: PaidWith) -> tuple[Text, Text]:
    means = means_words(board, paid.way, with_id=False)
    return means, place_words(board, board.places[paid.at], with_id=False)


def _tool_of_several(terms: Terms, held: HeldMeans) -> Text | None:
    """The tool of which one token is missing while others remain; None in any other case."""
    if len(held.means) != 1:
        return None
    name, count = held.means[0]
    tool = name.removeprefix(FAIRY)
    left = terms.fairy_tokens.get(tool, 0) - count
    return FINDS[tool] if tool != name and count == 1 and left > 0 else None


def _one_kind(terms: Terms, held: HeldMeans) -> tuple[Text, int, bool] | None:
    """The tool, the number of tokens, and whether further tokens are held, for an assumption about tokens of
    a single kind. None for other assumptions, which are worded as a list."""
    if len(held.means) != 1:
        return None
    name, count = held.means[0]
    tool = name.removeprefix(FAIRY)
    more = terms.fairy_tokens.get(tool, 0) > 0
    return (FINDS[tool], count, more) if tool != name and (more or count > 1) else None


def _listed(terms: Terms, held: HeldMeans, *, brief: bool = False) -> Text:
    words = [_amount(terms, name, count, more=held.sign > 0, brief=brief) for name, count in held.means]
    return listed(words)


def _amount(terms: Terms, name: str, count: int, *, more: bool, brief: bool) -> Text:
    """ "a rope token", "2 more rope tokens", "the spellbook SB-3 (cross one pitfall)"."""
    if (book := BOOKS.get(name)) is not None:
        if brief:
            return Text("the spellbook {name}", name=name)
        # Who does not know it by its number is told what it does.
        return Text("the spellbook {name} ({does})", name=name, does=within(book.words))
    tool = name.removeprefix(FAIRY)
    what = FINDS[tool]
    if more and terms.fairy_tokens.get(tool):
        if count == 1:
            return Text("one more {what} token", what=what)
        return Text("{count} more {what} tokens", count=count, what=what)
    if count == 1:
        return Text("a {what} token", what=what)
    return Text("{count} {what} tokens", count=count, what=what)
