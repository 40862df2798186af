"""Cards whose dungeon no person has confirmed, or whose art bears a line itself: what is read on them is
pencil. A path over them is asked about, and no score that rests on them is sure."""

from __future__ import annotations

from scorer.catalogue import Catalogue, Traced
from scorer.games import line_habits
from scorer.record import Record
from vision.questions import REASONS, Question

#: Pieces that carry a dungeon; others are laid, turned or counted.
_CARRIERS = frozenset({"starter", "dungeon", "step", "boss"})
_WORDS: dict[Traced, str] = {"proposed": "proposed", "no": "untraced"}


def in_pencil(record: Record, catalogue: Catalogue) -> dict[int, Traced]:
    """The tableau's cards, by their index, whose dungeon is proposed, or that have none in a game in which
    lines are drawn over cards."""
    drawn = line_habits(catalogue.game).drawn
    known = ((index, catalogue.by_id.get(placed.card)) for index, placed in enumerate(record.cards))
    return {
        index: card.tracing
        for index, card in known
        if card is not None
        and (card.tracing == "proposed" or (card.tracing == "no" and drawn and card.kind in _CARRIERS))
    }


def pencil_questions(record: Record, catalogue: Catalogue) -> tuple[Question, ...]:
    """One question for each card in pencil: where the path enters one that is proposed, and about the whole
    path for one that has no dungeon, which no path can be read on, or whose art bears a line."""
    words = {index: _WORDS[tracing] for index, tracing in in_pencil(record, catalogue).items()}
    for index, placed in enumerate(record.cards):
        card = catalogue.by_id.get(placed.card)
        if card is not None and card.drawn_on:
            words.setdefault(index, "drawn-on")
    asked = []
    for index, word in sorted(words.items()):
        on_it = (place for stroke in record.path for place in stroke if place.startswith(f"{index}."))
        place = next(on_it, "")
        if place or word != "proposed":
            asked.append(Question("path", place, (), *REASONS[word], name=f"path:{word}:{index}"))
    return tuple(asked)
