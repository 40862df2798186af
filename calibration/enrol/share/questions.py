"""A shared tracing imported into a box, with its open questions. Both are stored in the box's folder. The
questions are updated when more cards are enrolled.

```
DIR/enrol/shared/tracing.json   the imported file, unchanged
DIR/enrol/shared/asked.json     questions about cards with their candidates, and the rejected ones
```
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from calibration.enrol.catalogue_folder import ENROL, write_whole
from calibration.enrol.share.sharing import (
    Known,
    SharedDeck,
    parse_shared,
    read_shared,
    take_answer,
    take_known,
)
from scorer.catalogue import read_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text

FOLDER, TRACING, ASKED = "shared", "tracing.json", "asked.json"


class AskedCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card of the box that may be one of the `options` of the shared tracing, the likeliest first.
    `turn`: its clockwise quarter turns relative to the first. `dungeon`: all options share one dungeon,
    which the card has already; only its name is open. `left`: a person answered that it is none of them."""

    card: str
    options: tuple[str, ...]
    turn: int
    question: Text
    dungeon: bool = False
    left: bool = False


def keep_shared(folder: Path, data: bytes) -> SharedDeck:
    """Store a shared tracing in a box, replacing an earlier one. Raises `WaymarkError` (not-a-shared-deck,
    not-writable)."""
    shared = parse_shared(data)
    write_whole(_file(folder, ASKED), b"[]")
    write_whole(_file(folder, TRACING), data)
    return shared


def kept_shared(folder: Path) -> SharedDeck | None:
    """The shared tracing stored in a box, or None. Raises `WaymarkError` (not-a-shared-deck)."""
    file = _file(folder, TRACING)
    return read_shared(file) if file.is_file() else None


def take_kept(folder: Path) -> dict[str, Known]:
    """Apply the certain matches of the stored tracing, and store questions about the others. Returns the
    applied matches by the cards' previous names. Raises `WaymarkError` as `take_known` does."""
    shared = kept_shared(folder)
    if shared is None:
        return {}
    known = take_known(folder, shared)
    # Those whose dungeon was taken over are not looked at again.
    asked = {each.card: each for each in _asked(folder) if each.left or each.dungeon}
    for card, one in known.items():
        if one.question is not None and card not in asked:
            asked[card] = AskedCard(
                card=card, options=one.options, turn=one.turn, question=one.question, dungeon=one.dungeon
            )
    write_whole(_file(folder, ASKED), msgspec.json.encode(list(asked.values())))
    return {card: one for card, one in known.items() if one.question is None or one.dungeon}


def open_shared_questions(folder: Path) -> list[AskedCard]:
    """The open questions, limited to cards that still exist and are not traced."""
    asked = [each for each in _asked(folder) if not each.left]
    if not asked:
        return []
    cards = {card.id: card for card in read_catalogue(folder).cards}
    return [
        each for each in asked if each.card in cards and (each.dungeon or cards[each.card].tracing != "yes")
    ]


def answer_shared(folder: Path, card: str, chosen: str) -> None:
    """Apply the answer which card of the shared tracing a card is: it takes that name and dungeon. "":
    none of them. Raises `WaymarkError` (no-such-question, and as `take_answer` does)."""
    asked = _asked(folder)
    question = next((each for each in asked if each.card == card and not each.left), None)
    shared = kept_shared(folder)
    if question is None or shared is None or chosen not in (*question.options, ""):
        raise WaymarkError(
            Code.NO_SUCH_QUESTION, Text("This question was answered already, maybe on another device.")
        )
    if chosen:
        take_answer(folder, shared, card, chosen)
    rest = [each for each in asked if each is not question]
    if not chosen:
        rest.append(msgspec.structs.replace(question, left=True))
    write_whole(_file(folder, ASKED), msgspec.json.encode(rest))


def _asked(folder: Path) -> list[AskedCard]:
    try:
        return msgspec.json.decode(_file(folder, ASKED).read_bytes(), type=list[AskedCard])
    except (OSError, msgspec.DecodeError):
        return []


def _file(folder: Path, name: str) -> Path:
    return folder / ENROL / FOLDER / name
