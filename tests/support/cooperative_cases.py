"""Golden cases of the cooperative rules: text files that say what is ruled on a drawn table, and the check of
one. tests/golden/cooperative/README.md tells how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import dungeons
import msgspec
from golden_cases import GOLDEN, MalformedCase, Paragraph, card_drawn, paragraphs
from shared_readings import open_deck

from scorer.catalogue import Catalogue, structure_faults
from scorer.errors import WaymarkError
from scorer.mapmasters.cooperative import CoopRuling
from scorer.mapmasters.cooperative.game import COOPERATIVE
from scorer.mapmasters.cooperative.play.hint import hint
from scorer.mapmasters.cooperative.play.hint_record import Hint
from scorer.mapmasters.cooperative.rules.mission import Mission
from scorer.mapmasters.cooperative.rules.record import TableRecord, parse_table
from scorer.mapmasters.cooperative.rules.ruling import GroupRuling, PathRuling
from scorer.mapmasters.cooperative.rules.terms import CoopTerms
from scorer.text import Text

FOLDER = GOLDEN / "cooperative"
_KINDS = ("starter", "dungeon", "step", "boss")


@dataclass(frozen=True)
class CoopCase:
    """What stands in a file at `line`: a table, the sentences of the rules that it pins, and what the ruling
    is to say, by the words before the colons."""

    file: Path
    line: int
    title: str
    pins: tuple[str, ...]
    record: TableRecord
    catalogue: Catalogue
    expected: dict[str, str]

    def __str__(self) -> str:
        return f"{self.file.stem}: {' '.join(self.pins)}: {self.title}"


@cache
def coop_cases() -> tuple[CoopCase, ...]:
    """Every case of every file. Raises `MalformedCase`."""
    return tuple(case for file in sorted(FOLDER.glob("*.txt")) for case in _read(file))


def _read(file: Path) -> Iterator[CoopCase]:
    read = list(paragraphs(file, "card|mission|case"))
    drawn = dict(_card(each) for each in read if each.word == "card")
    missions = {each.head: _mission(each) for each in read if each.word == "mission"}
    titles: set[str] = set()
    for paragraph in read:
        if paragraph.word == "case":
            if paragraph.rest in titles:
                raise paragraph.fault(f"another case is called {paragraph.rest!r}")
            titles.add(paragraph.rest)
            yield _case(file, paragraph, drawn, missions)


def _card(paragraph: Paragraph) -> tuple[str, dict[str, Any]]:
    """`card NAME KIND: ...`; the kind is `dungeon` where none is told."""
    name, kind, *_ = [*paragraph.head.split(), "dungeon"]
    if kind not in _KINDS:
        raise paragraph.fault(f"a card is one of {', '.join(_KINDS)}, not {kind!r}")
    text = " ".join([paragraph.rest, *(line for _, line in paragraph.below)])
    clauses = [clause.strip() for clause in text.split(",")]
    goals = [_goal(paragraph, clause[5:]) for clause in clauses if clause.startswith("goal ")]
    drawing = ", ".join(clause for clause in clauses if not clause.startswith("goal "))
    face = card_drawn(paragraph, name, drawing) | {"kind": kind}
    return name, face | {"goals": goals} if goals else face


def _goal(paragraph: Paragraph, words: str) -> dict[str, Any]:
    """`coins at w1 e1 needs coin=5 boots`."""
    match = re.fullmatch(r"(\S+?)(?: on (\S+))?(?: at ([^=]*?))?(?: needs (.*))?", words.strip())
    if match is None:
        raise paragraph.fault(f"a goal is written like `coins at w1 needs coin=5`, not {words!r}")
    requires: dict[str, Any] = {}
    for word in (match[4] or "").split():
        kind, equals, count = word.partition("=")
        if equals:
            requires[kind] = int(count)
        else:
            requires["artifacts"] = [*requires.get("artifacts", ()), kind]
    goal: dict[str, Any] = {"id": match[1], "at": (match[3] or "").split(), "requires": requires}
    return goal | {"card": match[2]} if match[2] else goal


def _mission(paragraph: Paragraph) -> Mission:
    told: dict[str, Any] = {"format": "waymark-mission/1", "id": paragraph.head}
    for number, line in paragraph.below:
        word, colon, rest = line.partition(":")
        rest = rest.strip()
        if line.startswith("goal "):
            told.setdefault("goals", []).append(_goal(paragraph, line[5:]))
        elif not colon:
            raise paragraph.fault("a line of a mission is written like `starts: left`", number)
        elif word == "layout":
            told["layout"] = [row.split() for row in rest.split(" / ")]
        elif word in ("starts", "groups", "steps", "bosses"):
            told[word] = rest.split()
        elif word == "coins":
            told["market_coins"] = int(rest)
        elif word == "artifacts":
            told["artifacts"] = dict(each.split("=") for each in rest.split())
        elif word in ("win goals", "win declared"):
            told.setdefault("win", {})[word.split()[1]] = rest.split()
        elif word == "lose":
            told["lose"] = {"declared": rest.split()}
        else:
            raise paragraph.fault(f"{word!r} is nothing that a mission says", number)
    return msgspec.convert(told, Mission)


def _case(
    file: Path, paragraph: Paragraph, drawn: Mapping[str, dict[str, Any]], missions: Mapping[str, Mission]
) -> CoopCase:
    notation: list[str] = []
    told: dict[str, str] = {}
    for number, line in paragraph.below:
        match = re.match(r"([a-z][a-z ]*):\s+(.*)", line)
        if match is None and told:
            raise paragraph.fault("the table comes before what is expected of it", number)
        if match is None:
            notation.append(line)
        elif match[1] in told:
            raise paragraph.fault(f"{match[1]!r} is told twice", number)
        else:
            told[match[1]] = " ".join(match[2].split())
    if ("result" in told) == ("refused" in told):
        raise paragraph.fault("a case says the `result:`, or by which code the record is `refused:`")
    try:
        record = COOPERATIVE.rules.parse_record(" ".join(notation).encode())
    except WaymarkError as error:
        if told.get("refused") != error.code:
            raise paragraph.fault(error.en.rstrip(".")) from None
        record = TableRecord(format="waymark-tableau/1", mode="cooperative", cards=())
        told = {}
    if isinstance(record.mission, str) and record.mission in missions:
        record = msgspec.structs.replace(record, mission=missions[record.mission])
    names = [card.card for card in record.cards if card.card is not None and card.card in drawn]
    if names or not record.cards:
        catalogue = dungeons.catalogue(*drawn.values())
        for card, place, what in structure_faults(catalogue):
            raise paragraph.fault(f"card {card}, {place}: {what}")
    else:
        catalogue = open_deck()
    return CoopCase(
        file, paragraph.line, paragraph.rest, tuple(paragraph.head.split()), record, catalogue, told
    )


# --- what a ruling says, in the words of the files ----------------------------------------------------------


def _at(name: str) -> str:
    return name.replace(".", ":", 1)


def _result(ruling: CoopRuling) -> str:
    mission = ruling.mission
    by = "" if mission.path is None else f" by path {mission.path} of {mission.group}"
    return f"{mission.result} {mission.reason}{by}"


def _path(path: PathRuling) -> str:
    what = path.goal or "/".join(path.choices)
    end = " ".join(filter(None, [path.ended.replace("_", " "), what]))
    return end if path.last_place is None else f"{end} at {_at(path.last_place)}"


def _breaks(paths: Iterable[PathRuling]) -> str:
    return ", ".join(
        f"{each.rule} at {_at(each.place)} in path {path.path}" for path in paths for each in path.violations
    )


def _missing(missing: Mapping[str, Any]) -> str:
    return " ".join(
        " ".join(wanted) if isinstance(wanted, tuple) else f"{kind} {wanted}"
        for kind, wanted in missing.items()
    )


def _all_missing(ruling: CoopRuling) -> str:
    return ", ".join(f"{_missing(path.missing)} in path {path.path}" for path in ruling.paths if path.missing)


def _placement(ruling: CoopRuling) -> str:
    return ", ".join(
        " ".join(
            [
                fault.rule,
                *map(str, fault.cards),
                *([] if fault.slot is None else ["at {}/{}".format(*fault.slot)]),
            ]
        )
        for fault in ruling.placement
    )


def _setup(ruling: CoopRuling) -> str:
    return ", ".join(f"{each.rule} {each.group}" if each.group else each.rule for each in ruling.setup)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count)


def _spent(group: GroupRuling) -> str:
    return ", ".join(f"{paid.means} at {_at(paid.at)}" for paid in group.spent)


#: By word: what a ruling says of it. The first ones are held for every case, nothing where a file is silent.
TOLD: dict[str, Callable[[CoopRuling], str]] = {
    "result": _result,
    "paths": lambda ruling: ", ".join(map(_path, ruling.paths)),
    "breaks": lambda ruling: _breaks(ruling.paths),
    "missing": _all_missing,
    "laying": _placement,
    "setup": _setup,
    "needed": lambda ruling: " ".join(ruling.mission.needed),
    "goals": lambda ruling: ", ".join(
        f"{goal} {group or '-'}" for goal, group in ruling.mission.goals.items()
    ),
}
ALWAYS = ("result", "paths", "breaks", "missing", "laying", "setup")
#: The same of one group, whose name comes first.
OF_GROUP: dict[str, Callable[[GroupRuling], str]] = {
    "ended": lambda group: group.ended.replace("_", " "),
    "stands": lambda group: _at(group.stands or ""),
    "reached": lambda group: " ".join(group.reached),
    "artifacts": lambda group: " ".join(group.artifacts),
    "found": lambda group: _counted(group.discovered),
    "coins": lambda group: str(group.coins),
    "optimizers": lambda group: _counted(group.optimizers),
    "counts": lambda group: _counted(group.counts),
    "tokens": lambda group: _counted(group.tokens),
    "spent": _spent,
    "missing": lambda group: _missing(group.missing),
    "needs": lambda group: ", ".join(f"{goal} {_missing(m) or '-'}" for goal, m in group.wanting.items()),
    "breaks": lambda group: ", ".join(f"{each.rule} at {_at(each.place)}" for each in group.violations),
}


def check(case: CoopCase) -> None:
    """Raises `AssertionError`, with file, line, title, and what was expected and is, where the ruling is
    another one."""
    wrong = differences(case)
    head = f"{case.file.name}:{case.line}: {case.title}"
    assert not wrong, "\n  ".join([head, *wrong])


def differences(case: CoopCase) -> list[str]:
    """What the ruling says otherwise than the case, each in a line."""
    if not case.expected:
        return []  # The record was refused when it was read, as expected.
    record = case.record
    terms = COOPERATIVE.rules.settings.of(record, CoopTerms())
    try:
        board = COOPERATIVE.rules.board(case.catalogue, record)
        ruling = COOPERATIVE.rules.referee(board, record, terms)
    except WaymarkError as error:
        wanted = case.expected.get("refused", "a ruling")
        bad = not (error.exit_status == 3 and error.en and error.ja)
        return (
            [f"expected {wanted}, but it is {error.code} ({error.en})"] if bad or error.code != wanted else []
        )
    if code := case.expected.get("refused"):
        return [f"expected refused: {code}, but it is ruled on: {_result(ruling)}"]
    groups = {group.group: group for group in ruling.groups}
    wrong = []
    hinted = hint(case.catalogue, record, terms.difficulty, terms.settings) if _asks_hint(case) else None
    for word in dict.fromkeys([*ALWAYS, *case.expected]):
        told = _hint(hinted, word) if hinted is not None and _is_hint(word) else _told(ruling, groups, word)
        if told is None:
            wrong.append(f"{word!r} is nothing that a ruling says")
        elif not _same(case.expected.get(word, ""), told):
            wrong.append(
                f"{word}: expected {case.expected.get(word, 'nothing')}, but it is {told or 'nothing'}"
            )
    return wrong + _at_odds(record, ruling, COOPERATIVE.words.steps(board, ruling))


def _told(ruling: CoopRuling, groups: Mapping[str, GroupRuling], word: str) -> str | None:
    if word in TOLD:
        return TOLD[word](ruling)
    name, _, what = word.partition(" ")
    if name in groups and what in OF_GROUP:
        return OF_GROUP[what](groups[name])
    return None


def _is_hint(word: str) -> bool:
    return word == "winnable" or word.startswith("hint ")


def _asks_hint(case: CoopCase) -> bool:
    return any(map(_is_hint, case.expected))


def _hint(hinted: Hint, word: str) -> str | None:
    """How each group stands to a goal: "green way by 0:e1, blue closed cut by green at 0:j1"."""
    if word == "winnable":
        return "yes" if hinted.winnable else "no"
    goals = {goal.goal: goal for goal in hinted.goals}
    goal = goals.get(word.removeprefix("hint "))
    if goal is None:
        return None
    if goal.met is not None:
        return f"met by {goal.met}"
    told = []
    for way in goal.ways:
        gates = [
            "{}/{}".format(*gate.slot) if gate.slot is not None else _at(gate.place or "")
            for gate in way.gates
        ]
        words = [way.group, way.state, way.why or "", *(["by", *gates] if gates else [])]
        words += [f"by {line.group} at {_at(line.place)}" for line in way.lines]
        told.append(" ".join(filter(None, words)))
    return ", ".join(told)


def _same(expected: str, actual: str) -> bool:
    ought, told = (
        [part.strip() for part in text.split(",") if part.strip() not in ("", "nothing")]
        for text in (expected, actual)
    )
    return ought == told


def _at_odds(record: TableRecord, ruling: CoopRuling, steps: Iterable[Any]) -> list[str]:
    """What a ruling says against itself or its record, or not in both languages; a record that its JSON or
    its notation does not give back."""
    found = []
    if ruling.legal != (not any(path.violations for path in ruling.paths)):
        found.append("it is told as legal and as a violation")
    first = next((path.violations[0] for path in ruling.paths if path.violations), None)
    if ruling.violations != (() if first is None else (first,)):
        found.append("the violation at the top is not that of the first path that has one")
    for path in ruling.paths:
        for violation in path.violations:
            if record.paths[path.path].path[violation.stroke][violation.step] != violation.place:
                found.append("the violation is told at another step than it is at")
    notes: list[Any] = [ruling.mission, *ruling.placement, *ruling.setup]
    notes += [each for path in ruling.paths for each in (path.why, *path.violations)]
    notes += [step.what for step in steps]
    if not all(_both(note) for note in notes):
        found.append("something is not told in both languages")
    written = msgspec.json.encode(record)
    if parse_table(written) != record:
        found.append("the record is not what its JSON says")
    if COOPERATIVE.notation is not None:
        told = COOPERATIVE.notation.write(record)
        if COOPERATIVE.rules.parse_record(told.encode()) != record:
            found.append("the record is not what its notation says")
    return found


def _both(note: Any) -> bool:
    en, ja = (note.en, note.ja) if isinstance(note, Text) else (note.message, note.message_ja)
    return bool(en and ja) and "{" not in en + ja


__all__ = ["FOLDER", "CoopCase", "MalformedCase", "check", "coop_cases", "differences"]
