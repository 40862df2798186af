"""Golden cases of the rules: text files that say what is ruled on a drawn dungeon, and the check of one.

tests/golden/README.md tells how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import dungeons
from shared_readings import open_deck

from scorer.catalogue import Catalogue, structure_faults
from scorer.errors import WaymarkError
from scorer.game import terms_from_words
from scorer.mapmasters import Ruling, VersusSettings, referee
from scorer.mapmasters.game import VERSUS
from scorer.notation import parse_notation
from scorer.record import Record

GOLDEN = Path(__file__).parents[1] / "golden"


class MalformedCase(Exception):
    """Where a golden file cannot be understood: a sentence."""


@dataclass(frozen=True)
class GoldenCase:
    """What stands in a file at `line`: a tableau with its path and what is held, the rules that it pins, and
    what the ruling is to say, by the words before the colons.
    """

    file: Path
    line: int
    title: str
    pins: tuple[str, ...]
    record: Record
    catalogue: Catalogue
    settings: VersusSettings
    expected: dict[str, str]

    def __str__(self) -> str:
        return f"{self.file.stem}: {' '.join(self.pins)}: {self.title}"


@cache
def golden_cases() -> tuple[GoldenCase, ...]:
    """Every case of every file. Raises `MalformedCase`."""
    return tuple(case for file in sorted(GOLDEN.glob("*.txt")) for case in read_cases(file))


def read_cases(file: Path) -> list[GoldenCase]:
    """The cases of a file. Raises `MalformedCase`."""
    drawn: dict[str, dict[str, Any]] = {}
    cases: list[GoldenCase] = []
    for paragraph in paragraphs(file):
        if paragraph.word == "card":
            name, face = drawn_card(paragraph)
            if name in drawn:
                raise paragraph.fault(f"a card {name!r} is drawn above; call this one otherwise")
            drawn[name] = face
        else:
            case = _case(file, paragraph, drawn)
            if any(case.title == other.title for other in cases):
                raise paragraph.fault(f"another case is called {case.title!r}; call this one otherwise")
            cases.append(case)
    if not cases:
        raise MalformedCase(f"{_shown(file)}: there is no case in this file.")
    return cases


# --- reading ------------------------------------------------------------------------------------------------


@dataclass
class Paragraph:
    """`card NAME: ...` or `case RULES: TITLE` with the indented lines below it."""

    file: Path
    line: int
    word: str
    head: str
    rest: str
    below: list[tuple[int, str]] = field(default_factory=list)

    def fault(self, what: str, line: int | None = None) -> MalformedCase:
        return MalformedCase(f"{_shown(self.file)}:{line or self.line}: {what}.")


def _shown(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def paragraphs(file: Path, words: str = "card|case") -> Iterator[Paragraph]:
    """The cards and cases of a file. Raises `MalformedCase`."""
    paragraph: Paragraph | None = None
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0].isspace():
            if paragraph is None:
                raise MalformedCase(
                    f"{_shown(file)}:{number}: an indented line belongs to a card or case above it."
                )
            paragraph.below.append((number, line.strip()))
            continue
        if paragraph is not None:
            yield paragraph
        match = re.fullmatch(rf"({words})\b([^:]*):(.*)", line)
        if match is None:
            raise MalformedCase(
                f"{_shown(file)}:{number}: a line begins with `card NAME:` or `case RULES: TITLE`, "
                f"or is indented; found {line[:60]!r}."
            )
        paragraph = Paragraph(file, number, match[1], match[2].strip(), match[3].strip())
    if paragraph is not None:
        yield paragraph


_PLACE = re.compile(
    r"[ns]|[we][12]|(?:[jx]|st|" + "|".join(dungeons.FINDS) + r")\d+|u\d+|[A-Z](?:d[nesw]|\d+)?"
)
_ROOM = re.compile(r"room ([A-D])(?::\s*(.*))?")


def drawn_card(paragraph: Paragraph) -> tuple[str, dict[str, Any]]:
    """The card that a paragraph draws. Raises `MalformedCase`."""
    text = " ".join([paragraph.rest, *(line for _, line in paragraph.below)])
    return paragraph.head, card_drawn(paragraph, paragraph.head, text)


def card_drawn(paragraph: Paragraph, name: str, text: str) -> dict[str, Any]:
    """A card from its parts, with commas between them. Raises `MalformedCase`."""
    if re.fullmatch(r"\w+", name) is None:
        raise paragraph.fault("a card is called by letters and figures, as in `card P: w1 j1 e1`")
    corridors: list[str] = []
    rooms: dict[str, str] = {}
    pairs: dict[str, list[str]] = {"stairs": [], "fall": []}
    values: dict[str, int] = {}
    for clause in filter(None, (part.strip() for part in text.split(","))):
        word, _, rest = clause.partition(" ")
        if room := _ROOM.fullmatch(clause):
            rooms[room[1]] = room[2] or ""
            if wrong := [find for find in rooms[room[1]].split() if find.split("=")[0] not in dungeons.FINDS]:
                raise paragraph.fault(f"{wrong[0]!r} is nothing that lies in a room")
        elif word in pairs and len(rest.split()) == 2:
            pairs[word].append(rest)
        elif value := re.fullmatch(r"(coin\d+) ?= ?(\d+)", clause):
            values[value[1]] = int(value[2])
        else:
            corridors.append(clause)
    named = [place for part in (*corridors, *pairs["stairs"], *pairs["fall"]) for place in part.split()]
    if wrong := [place for place in named if _PLACE.fullmatch(place.removesuffix("u") or place) is None]:
        raise paragraph.fault(f"{wrong[0]!r} is no place that can be drawn")
    return dungeons.card(
        name, *corridors, rooms=rooms, stairs=pairs["stairs"], falls=pairs["fall"], values=values
    )


def _case(file: Path, paragraph: Paragraph, drawn: dict[str, dict[str, Any]]) -> GoldenCase:
    if not paragraph.rest:
        raise paragraph.fault("a case needs a title, as in `case P1: a path begins at an opening`")
    notation: list[str] = []
    told: dict[str, str] = {}
    for number, line in paragraph.below:
        match = re.match(r"([a-z ]+):\s*(.*)", line)
        if match is None and told:
            raise paragraph.fault("the tableau comes before what is expected of it", number)
        if match is None:
            notation.append(line)
        elif match[1] not in ("house", "refused", *TOLD):
            known = ", ".join(("house", "refused", *TOLD))
            raise paragraph.fault(f"{match[1]!r} is none of: {known}", number)
        elif match[1] in told:
            raise paragraph.fault(f"{match[1]!r} is told twice", number)
        else:
            told[match[1]] = " ".join(match[2].split())
    house = told.pop("house", "")
    if ("ends" in told) == ("refused" in told) or ("refused" in told and len(told) > 1):
        raise paragraph.fault("a case says how the path `ends:`, or by which code the record is `refused:`")
    if ("breaks" in told) != told.get("ends", "").startswith("violation"):
        raise paragraph.fault("a violation says which rule the path `breaks:`, and nothing else does")
    try:
        record = parse_notation(" ".join(notation))
        words = dict(_setting(word) for word in house.split(",") if word.strip())
        settings = terms_from_words(VERSUS, words).settings
    except WaymarkError as error:
        raise paragraph.fault(error.en.rstrip(".")) from None
    except ValueError:
        raise paragraph.fault("house rules are written like `house: card_limit=6`") from None
    catalogue = _catalogue_of(paragraph, record, drawn)
    return GoldenCase(
        file, paragraph.line, paragraph.rest, tuple(paragraph.head.split()), record, catalogue, settings, told
    )


def _setting(word: str) -> tuple[str, str]:
    name, value = word.split("=")
    return name.strip(), value.strip()


def _catalogue_of(paragraph: Paragraph, record: Record, drawn: dict[str, dict[str, Any]]) -> Catalogue:
    """Of the cards that are drawn in the file, or the open deck where none of them is."""
    names = list(dict.fromkeys(card.card for card in record.cards))
    unknown = [name for name in names if name not in drawn]
    if not unknown:
        catalogue = dungeons.catalogue(*(drawn[name] for name in names))
        for card, place, what in structure_faults(catalogue):
            raise paragraph.fault(f"card {card}, {place}: {what}")
        return catalogue
    there = {card.id for card in open_deck().cards}
    if len(unknown) == len(names) and there >= set(names):
        return open_deck()
    raise paragraph.fault(f"card {unknown[0]!r} is not drawn above it")


# --- what a ruling says, in the words of the files ----------------------------------------------------------


def _at(name: str) -> str:
    return name.replace(".", ":", 1)


def _ends(ruling: Ruling) -> str:
    end = ruling.ended.replace("_", " ")
    return end if ruling.last_place is None else f"{end} at {_at(ruling.last_place)}"


def _spent(ruling: Ruling) -> str:
    return ", ".join(
        f"{paid.means} from {_at(paid.source)}" if paid.source else paid.means for paid in ruling.spent
    )


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count)


def _laying(ruling: Ruling) -> str:
    return ", ".join(
        f"{fault.rule} {' '.join(map(str, fault.cards))}"
        + (f" at {' '.join(map(_at, fault.places))}" if fault.places else "")
        for fault in ruling.placement
    )


def _direction(ruling: Ruling) -> str:
    direction = ruling.direction
    assert direction is not None
    return direction.by.replace("_", " ") + (", turned" if direction.turned else "")


#: By word: what a ruling says of it. The first ones are held for every case, nothing where a file is silent;
#: the others where a file says something, "nothing" included.
TOLD: dict[str, Callable[[Ruling], str]] = {
    "ends": _ends,
    "breaks": lambda ruling: ", ".join(f"{each.rule} at {_at(each.place)}" for each in ruling.violations),
    "found": lambda ruling: _counted(ruling.discovered),
    "spent": _spent,
    "payments": lambda ruling: ", ".join(f"{note.about} at {_at(note.at)}" for note in ruling.payments),
    "coins": lambda ruling: str(ruling.coins),
    "optimizers": lambda ruling: _counted(ruling.optimizers),
    "primary": lambda ruling: _scored(ruling.primary),
    "secondary": lambda ruling: _scored(ruling.secondary),
    "laying": _laying,
    "marks": lambda ruling: ", ".join(f"{note.about} at {_at(note.place)}" for note in ruling.marks),
    "why": lambda ruling: ruling.why.rule,
    "direction": _direction,
}
ALWAYS = ("ends", "breaks", "found", "spent", "payments")


def _scored(score: Any) -> str:
    return "" if score is None else f"{score.objective} {score.count} for {score.vp} VP"


def check(case: GoldenCase) -> None:
    """Raises `AssertionError`, with file, line, title, and what was expected and is, where the ruling is
    another one.
    """
    wrong = differences(case)
    assert not wrong, "\n  ".join([f"{_shown(case.file)}:{case.line}: {case.title}", *wrong])


def differences(case: GoldenCase) -> list[str]:
    """What the ruling says otherwise than the case, each in a line."""
    try:
        if "direction" in case.expected:
            either = dungeons.referee_either_way(case.catalogue, case.record)
            ruling = either.ruling
            if either.choice.asked != (ruling.direction.by == "asked"):
                return ["direction: it is asked about and settled at once, or neither"]
        else:
            ruling = referee(case.catalogue, case.record, case.settings)
    except WaymarkError as error:
        told = f"refused: {error.code}"
        wanted = f"refused: {case.expected['refused']}" if "refused" in case.expected else "a ruling"
        if not (error.exit_status == 3 and error.en and error.ja):
            return [f"{told} is not told in both languages, with exit status 3"]
        return [] if told == wanted else [f"expected {wanted}, but it is {told} ({error.en})"]
    if code := case.expected.get("refused"):
        return [f"expected refused: {code}, but it is ruled on: {_ends(ruling)}"]
    wrong = []
    for word in dict.fromkeys([*ALWAYS, *case.expected]):
        expected, actual = case.expected.get(word, ""), TOLD[word](ruling)
        if not _same(word, expected, actual):
            wrong.append(f"{word}: expected {expected or 'nothing'}, but it is {actual or 'nothing'}")
    return wrong + _at_odds(case.record, ruling)


def _same(word: str, expected: str, actual: str) -> bool:
    ought, told = (
        [part.strip() for part in text.split(",") if part.strip() not in ("", "nothing")]
        for text in (expected, actual)
    )
    if word == "spent":  # where an item came from may be left open
        told = [
            paid if " from " in other else paid.split(" from ")[0]
            for paid, other in zip(told, ought, strict=False)
        ] + told[len(ought) :]
    return sorted(ought) == sorted(told) if word in ("found", "optimizers") else ought == told


def _at_odds(record: Record, ruling: Ruling) -> list[str]:
    """What a ruling says against itself, or against the record's path."""
    found = []
    if ruling.legal != (not ruling.violations):
        found.append("it is told as legal and as a violation")
    if ruling.escaped != (ruling.ended == "exit"):
        found.append("it is an escape by one word and none by another")
    turned = ruling.direction is not None and ruling.direction.turned
    for violation in () if turned else ruling.violations:
        if record.path[violation.stroke][violation.step] != violation.place:
            found.append("the violation is told at another step than it is at")
    broken = {note.at for note in ruling.payments if note.about != "ends_the_path"}
    notes: list[Any] = [ruling.why, *ruling.violations, *ruling.placement, *ruling.marks, *ruling.payments]
    notes += [] if ruling.direction is None else [ruling.direction]
    if not all(note.message and note.message_ja for note in notes):
        found.append("something is not told in both languages")
    if {paid.at for paid in ruling.spent if paid.stated} != {paid.at for paid in record.stated} - broken:
        found.append("a stated payment is neither followed nor told")
    return found
