"""Cards whose dungeon no person has confirmed, or whose art bears a line itself: what is read on them is
pencil. A path over them is asked about, and no score that rests on them is sure."""

from __future__ import annotations

from scorer.catalogue import Catalogue
from scorer.games import line_habits
from scorer.record import Record
from vision.questions import REASONS, Question

#: Pieces that carry a dungeon; others are laid, turned or counted.
_CARRIERS = frozenset({"starter", "dungeon", "step", "boss"})


def in_pencil(record: Record, catalogue: Catalogue) -> dict[int, str]:
    """The tableau's cards, by their index, that are in pencil, and why, by a word of
    `vision.questions.REASONS`: their dungeon is proposed, or they have none in a game in which lines are
    drawn over cards, or their art bears a line itself."""
    drawn = line_habits(catalogue.game).drawn
    why = {}
    for index, placed in enumerate(record.cards):
        card = catalogue.by_id.get(placed.card)
        if card is None:
            continue
        if card.tracing == "proposed":
            why[index] = "proposed"
        elif card.tracing == "no" and drawn and card.kind in _CARRIERS:
            why[index] = "untraced"
        elif card.drawn_on:
            why[index] = "drawn-on"
    return why


def pencil_questions(record: Record, catalogue: Catalogue) -> tuple[Question, ...]:
    """One question for each card in pencil: where the path enters one that is proposed, and about the whole
    path for one that has no dungeon, which no path can be read on, or whose art bears a line."""
    asked = []
    for index, word in in_pencil(record, catalogue).items():
        on_it = (place for stroke in record.path for place in stroke if place.startswith(f"{index}."))
        place = next(on_it, "")
        if place or word != "proposed":
            asked.append(Question("path", place, (), *REASONS[word], name=f"path:{word}:{index}"))
    return tuple(asked)
