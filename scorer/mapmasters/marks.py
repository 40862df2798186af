"""The player's circles and strikes as evidence: where they disagree with the path. The path decides, not the
marks.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.dungeon import Dungeon
from scorer.mapmasters.messages import capitalised, place_words
from scorer.mapmasters.ruling import MarkDoubt, MarkNote, Payment
from scorer.mapmasters.walk import Walk
from scorer.record import Marks
from scorer.text import Text

#: Finds that are struck through as soon as they are discovered, for they are discovered by overcoming them.
_OVERCOME = frozenset({"monster", "padlock", "lava_pit"})

_SENTENCES: dict[MarkDoubt, Text] = {
    "passed_not_circled": Text(
        "The path takes {place}, but it is not circled.",
        "経路は{place}を通っていますが、丸で囲まれていません。",
    ),
    "circled_not_reached": Text(
        "{place} is circled, but the path does not discover it.",
        "{place}は丸で囲まれていますが、経路では発見していません。",
    ),
    "used_not_struck": Text(
        "{place} was used or overcome on the path, but it is not struck through.",
        "{place}は経路で使ったか乗り越えていますが、取り消し線がありません。",
    ),
    "struck_not_used": Text(
        "{place} is struck through, but the path neither uses nor overcomes it.",
        "{place}に取り消し線がありますが、経路では使っても乗り越えてもいません。",
    ),
}


def mark_notes(
    dungeon: Dungeon, marks: Marks, walked: Walk, spent: Sequence[Payment], *, with_ids: bool = True
) -> tuple[MarkNote, ...]:
    """Where `marks` and the path disagree. A record without any marks gives no notes: they were not read.

    What is struck through passes for circled as well, and a pitfall that the path fell into may be struck
    through or not: the rules do not say.
    """
    if not (marks.circled or marks.struck):
        return ()
    circled, struck = set(marks.circled), set(marks.struck)
    discovered = [name for step in walked.steps for name in step.found]
    used = {payment.source for payment in spent if payment.source is not None} | walked.used
    used |= {name for name in discovered if dungeon.places[name].find in _OVERCOME}
    marked, reached, spent_or_fallen = circled | struck, set(discovered), used | walked.fallen
    doubts: list[tuple[MarkDoubt, str]] = []
    doubts += [("passed_not_circled", name) for name in discovered if name not in marked]
    doubts += [("circled_not_reached", name) for name in marks.circled if name not in reached]
    doubts += [("used_not_struck", name) for name in sorted(used) if name not in struck]
    doubts += [("struck_not_used", name) for name in marks.struck if name not in spent_or_fallen]
    return tuple(_note(dungeon, about, name, with_ids) for about, name in doubts)


def _note(dungeon: Dungeon, about: MarkDoubt, name: str, with_ids: bool) -> MarkNote:
    words, place = _SENTENCES[about], place_words(dungeon, dungeon.places[name], with_id=with_ids)
    return MarkNote(
        about=about,
        place=name,
        message=capitalised(words.en.format(place=place.en)),
        message_ja=words.ja.format(place=place.ja),
    )
