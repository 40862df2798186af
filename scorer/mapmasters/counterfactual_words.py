"""Sentences for assumptions about what was stated: the condition, what a player says, and the button."""

from __future__ import annotations

from scorer.counterfactual import Assumption
from scorer.dungeon import Dungeon
from scorer.mapmasters.counterfactual_keys import HeldMeans, HouseSetting, PaidWith, content_of, is_on
from scorer.mapmasters.means import FAIRY
from scorer.mapmasters.messages import means_words, place_words
from scorer.mapmasters.spellbooks import SPELLBOOKS as BOOKS
from scorer.mapmasters.terms import TERMS, Terms
from scorer.mapmasters.vocabulary import FINDS
from scorer.text import NO_WORDS, Text


def condition(board: Dungeon, terms: Terms, assumption: Assumption) -> Text:
    """The assumption as a condition: "With a rope token"."""
    content = content_of(assumption.key)
    if isinstance(content, HouseSetting):
        rule = _rule_name(content.setting)
        if is_on(terms, content.setting):
            return Text(
                f"If the table did not play by the house rule “{rule.en}”",
                f"ハウスルール「{rule.ja}」を使わないなら",
            )
        return Text(
            f"If the table played by the house rule “{rule.en}”", f"ハウスルール「{rule.ja}」を使うなら"
        )
    if isinstance(content, PaidWith):
        if content.at not in board.places:
            return Text("Another payment, at a place that is not there any more", "今はない場所で使ったもの")
        means, place = _paid_words(board, content)
        return Text(f"If {means.en} was used at {place.en}", f"{place.ja}で{means.ja}を使ったとすると")
    if not isinstance(content, HeldMeans):
        return Text("", "")
    if content.sign < 0:
        if (tool := _tool_of_several(terms, content)) is not None:
            return Text(f"With one {tool.en} token fewer", f"{tool.ja}のフェアリートークンが 1 個少なければ")
        means = _listed(terms, content)
        return Text(f"Without {means.en}", f"{means.ja}がなければ")
    if (counted := _one_kind(terms, content)) is None:
        means = _listed(terms, content)
        return Text(f"With {means.en}", f"{means.ja}があれば")
    tool, count, more = counted
    if more and count == 1:
        return Text(f"With one more {tool.en} token", f"{tool.ja}のフェアリートークンがもう 1 個あれば")
    if more:
        return Text(
            f"With {count} more {tool.en} tokens", f"{tool.ja}のフェアリートークンがもう {count} 個あれば"
        )
    return Text(f"With {count} {tool.en} tokens", f"{tool.ja}のフェアリートークンが {count} 個あれば")


def telling(terms: Terms, assumption: Assumption) -> Text:
    """The player's statement that the means were held: "I had a rope token"."""
    content = content_of(assumption.key)
    if not isinstance(content, HeldMeans) or content.sign < 0:
        return NO_WORDS
    means = _listed(terms, content, brief=True)
    return Text(f"I had {means.en}", f"{means.ja}を持っていた")


def settling(board: Dungeon, terms: Terms, assumption: Assumption) -> Text:
    """The label of the button that makes the assumption a fact; empty if it no longer can be one."""
    content = content_of(assumption.key)
    if isinstance(content, HouseSetting):
        rule = _rule_name(content.setting)
        if is_on(terms, content.setting):
            return Text(
                f"Rule again without the house rule “{rule.en}”",
                f"ハウスルール「{rule.ja}」なしで判定し直す",
            )
        return Text(
            f"Rule again with the house rule “{rule.en}”", f"ハウスルール「{rule.ja}」ありで判定し直す"
        )
    if isinstance(content, PaidWith):
        if content.at not in board.places:
            return Text("", "")
        means, place = _paid_words(board, content)
        return Text(
            f"Rule again: {means.en} was used at {place.en}",
            f"{place.ja}で{means.ja}を使ったことにして判定し直す",
        )
    if not isinstance(content, HeldMeans):
        return Text("", "")
    if content.sign < 0:
        if (tool := _tool_of_several(terms, content)) is not None:
            return Text(
                f"Rule again: one {tool.en} token fewer was held",
                f"{tool.ja}のフェアリートークンが 1 個少なかったことにして判定し直す",
            )
        means = _listed(terms, content, brief=True)
        return Text(f"Rule again without {means.en}", f"{means.ja}を持っていなかったことにして判定し直す")
    if (counted := _one_kind(terms, content)) is None:
        means = _listed(terms, content, brief=True)
        verb = "was" if len(content.means) == 1 else "were"
        return Text(f"Rule again: {means.en} {verb} held", f"{means.ja}を持っていたことにして判定し直す")
    tool, count, more = counted
    if more and count == 1:
        return Text(
            f"Rule again: one more {tool.en} token was held",
            f"{tool.ja}のフェアリートークンをもう 1 個持っていたことにして判定し直す",
        )
    if more:
        return Text(
            f"Rule again: {count} more {tool.en} tokens were held",
            f"{tool.ja}のフェアリートークンをもう {count} 個持っていたことにして判定し直す",
        )
    return Text(
        f"Rule again: {count} {tool.en} tokens were held",
        f"{tool.ja}のフェアリートークンを {count} 個持っていたことにして判定し直す",
    )


def _rule_name(setting: str) -> Text:
    return next(term.label for term in TERMS if term.id == setting)


def _paid_words(board: Dungeon, paid: PaidWith) -> tuple[Text, Text]:
    means = means_words(board, paid.way, with_id=False)
    return means, place_words(board, board.places[paid.at], with_id=False)


def _tool_of_several(terms: Terms, held: HeldMeans) -> Text | None:
    """The tool of which one token is missing, and of which others are left."""
    if len(held.means) != 1:
        return None
    name, count = held.means[0]
    tool = name.removeprefix(FAIRY)
    left = terms.fairy_tokens.get(tool, 0) - count
    return FINDS[tool] if tool != name and count == 1 and left > 0 else None


def _one_kind(terms: Terms, held: HeldMeans) -> tuple[Text, int, bool] | None:
    """Tokens of one kind alone, whose number is said in a sentence of its own: the tool, how many, and
    whether they come to others that are held. None where a list says it."""
    if len(held.means) != 1:
        return None
    name, count = held.means[0]
    tool = name.removeprefix(FAIRY)
    more = terms.fairy_tokens.get(tool, 0) > 0
    return (FINDS[tool], count, more) if tool != name and (more or count > 1) else None


def _listed(terms: Terms, held: HeldMeans, *, brief: bool = False) -> Text:
    words = [_amount(terms, name, count, more=held.sign > 0, brief=brief) for name, count in held.means]
    return Text(", ".join(each.en for each in words), "、".join(each.ja for each in words))


def _amount(terms: Terms, name: str, count: int, *, more: bool, brief: bool) -> Text:
    """ "a rope token", "2 more rope tokens", "the spellbook SB-3 (cross one pitfall)"."""
    if (book := BOOKS.get(name)) is not None:
        if brief:
            return Text(f"the spellbook {name}", f"魔導書 {name}")
        # Who does not know it by its number is told what it does.
        does = book.words.en[:1].lower() + book.words.en[1:]
        return Text(
            f"the spellbook {name} ({does.rstrip('.')})", f"魔導書 {name} ({book.words.ja.rstrip('。')})"
        )
    tool = name.removeprefix(FAIRY)
    what = FINDS[tool]
    if more and terms.fairy_tokens.get(tool):
        if count == 1:
            return Text(f"one more {what.en} token", f"{what.ja}のフェアリートークンもう 1 個")
        return Text(f"{count} more {what.en} tokens", f"{what.ja}のフェアリートークンもう {count} 個")
    if count == 1:
        return Text(f"a {what.en} token", f"{what.ja}のフェアリートークン")
    return Text(f"{count} {what.en} tokens", f"{what.ja}のフェアリートークン {count} 個")
