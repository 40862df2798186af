"""Paying in the players' favour: the cooperative referee against every way of paying, tried one by one.

`OneWay` is a purse that pays in one way, as a script says; all scripts are run. The referee, which keeps
every way at once, must come as far as the best of them, path by path.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pytest
from dungeons import card, catalogue

from scorer.mapmasters.cooperative import CoopRuling, TableRecord, make_table, referee_table
from scorer.mapmasters.cooperative.rules.purse import Settled
from scorer.mapmasters.cooperative.rules.record import Group, GroupPath, TableCard
from scorer.mapmasters.cooperative.rules.settings import DIFFICULTIES, Difficulty
from scorer.mapmasters.cooperative.rules.table import Table
from scorer.mapmasters.rules.ruling import Payment
from scorer.record import FORMAT

#: The package calls its function by the same name.
PLAY = import_module("scorer.mapmasters.cooperative.rules.simulation")
TOOLS = ("sword", "key", "rope", "scroll")
BOOKS = {"sword": "SB-1", "rope": "SB-3", "key": "SB-6", "scroll": "SB-9"}
MOST_SCRIPTS = 1_000


@dataclass
class Script:
    """The n-th choice takes the option of that number, the first where nothing is told; `number[n]` is how
    many options there were."""

    told: tuple[int, ...]
    number: list[int] = field(default_factory=list)

    def choose(self, options: Sequence[Any]) -> Any:
        chosen = self.told[len(self.number)] if len(self.number) < len(self.told) else 0
        self.number.append(len(options))
        return options[chosen]


class OneWay:
    """A purse that is in one state at a time."""

    def __init__(
        self,
        script: Script,
        tokens: Collection[str],
        spellbooks: Collection[str],
        difficulty: Difficulty,
        taken: Mapping[str, str],
        struck: Collection[str],
        due: Mapping[str, int] | None,
    ) -> None:
        self.script, self.difficulty = script, difficulty
        self.items: list[str] = []
        self.collected: list[str] = []
        self.tokens, self.books = set(tokens), set(spellbooks)
        self.spent: list[Payment] = []
        self.logged = 0
        self._convert()

    def collect(self, tool: str, place: str) -> None:
        self.items.append(tool)
        self.collected.append(tool)
        self._convert()

    def has_book(self, book: str) -> bool:
        return book in self.books

    def can_pay(self, tool: str, count: int = 1) -> bool:
        return self.could([tool] * count)

    def could(self, tools: Sequence[str]) -> bool:
        before = self.save()
        try:
            for number, tool in enumerate(tools):
                options = self._options(tool)
                for option in options:
                    here = self.save()
                    self._use(option, tool)
                    if self.could(tools[number + 1 :]):
                        return True
                    self.restore(here)
                return False
            return True
        finally:
            self.restore(before)

    def stated_first(self, places: Sequence[str]) -> Sequence[str]:
        return places

    def pay(self, tool: str, at: str) -> None:
        self._use(self.script.choose(self._options(tool)), tool)

    def use_book(self, book: str, at: str) -> None:
        self.books.discard(book)
        self.spent.append(Payment(at=at, means=book))

    def held(self) -> dict[str, int]:
        return {}

    def optimizer(self, at: str) -> None:
        if self.difficulty == "rookie":
            kind = self.script.choose([*(tool for tool in TOOLS if tool not in self.tokens), None])
            self.tokens |= {kind} - {None}
            self._convert()

    def missing(self, asked: Mapping[str, int], found: Mapping[str, int]) -> dict[str, int]:
        return min(
            (self._wanting(asked, found, more) for more in self._conversions()),
            key=lambda wanting: sum(map(abs, wanting.values())),
        )

    def meet(self, asked: Mapping[str, int], found: Mapping[str, int], at: str) -> None:
        more = self.script.choose([m for m in self._conversions() if not self._wanting(asked, found, m)])
        if more is not None:
            self.tokens.add(more)
            self.books.discard("SB-5")

    def save(self) -> Any:
        return list(self.items), list(self.collected), set(self.tokens), set(self.books), list(self.spent)

    def restore(self, saved: Any) -> None:
        items, collected, tokens, books, spent = saved
        self.items, self.collected = list(items), list(collected)
        self.tokens, self.books, self.spent = set(tokens), set(books), list(spent)

    def settled(self) -> Settled:
        counts = {tool: self._count(tool) for tool in TOOLS} | {"SB-5": int("SB-5" in self.books)}
        return Settled(((),), ({}, {}), dict.fromkeys(self.tokens, 1), counts)

    def _convert(self) -> None:
        """SB-5 may be made a token before anybody asks for it."""
        kind = self.script.choose(self._conversions())
        if kind is not None:
            self.tokens.add(kind)
            self.books.discard("SB-5")

    def _conversions(self) -> list[str | None]:
        return [None, *(t for t in TOOLS if t not in self.tokens and "SB-5" in self.books)]

    def _options(self, tool: str) -> list[str]:
        options = [tool] if tool in self.items else []
        options += ["token"] if tool in self.tokens else ["SB-5"] if "SB-5" in self.books else []
        return options + ([BOOKS[tool]] if BOOKS[tool] in self.books else [])

    def _use(self, option: str, tool: str) -> None:
        if option == "token":
            self.tokens.discard(tool)
        elif option == tool:
            self.items.remove(tool)
        else:
            self.books.discard(option)

    def _count(self, tool: str) -> int:
        items = self.collected if self.difficulty in ("rookie", "easy") else self.items
        return items.count(tool) + (tool in self.tokens)

    def _wanting(
        self, asked: Mapping[str, int], found: Mapping[str, int], more: str | None
    ) -> dict[str, int]:
        wanting = {}
        for kind, count in asked.items():
            there = self._count(kind) + (kind == more) if kind in TOOLS else found[kind]
            if there < count or (there > count and self.difficulty == "hard"):
                wanting[kind] = count - there
        return wanting


@contextmanager
def paying(monkeypatch: pytest.MonkeyPatch, script: Script) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(PLAY, "OpenPurse", lambda *told: OneWay(script, *told))
        yield


def every_way(
    monkeypatch: pytest.MonkeyPatch, table: Table, record: TableRecord, difficulty: Difficulty
) -> list[CoopRuling] | None:
    """The ruling for every way of paying; None where there are too many."""
    rulings: list[CoopRuling] = []
    due: deque[tuple[int, ...]] = deque([()])
    while due:
        # In breadth: that there are too many shows long before so many were ruled on.
        if len(rulings) + len(due) > MOST_SCRIPTS:
            return None
        script = Script(due.popleft())
        with paying(monkeypatch, script):
            rulings.append(referee_table(table, record, difficulty))
        for index in range(len(script.told), len(script.number)):
            untold = (0,) * (index - len(script.told))
            due.extend((*script.told, *untold, other) for other in range(1, script.number[index]))
    return rulings


def favour(record: TableRecord, ruling: CoopRuling) -> tuple[Any, ...]:
    """How well a ruling goes for the players, path by path: the larger the better."""
    told = []
    for path in ruling.paths:
        drawn = [name for stroke in record.paths[path.path].path for name in stroke]
        reached = len(drawn)
        if path.violations:
            reached = path.violations[0].step  # paths of one stroke
        elif path.ended == "obstacle":
            reached -= 1
        end = {"unmet": -1, "dead_end": -1, "goal": 1}.get(path.ended, 0)
        told.append((not path.violations, reached, end))
    return tuple(told)


def wanting(ruling: CoopRuling, path: int) -> int:
    """How much a path lacks for its goal."""
    return sum(abs(each) for each in ruling.paths[path].missing.values() if isinstance(each, int))


# --- random tables ------------------------------------------------------------------------------------------

_ITEMS = ("key", "rope", "sword", "scroll")
_DEMANDS = ("padlock", "lava", "monster")


def _corridor(
    rng: random.Random, west: str, east: str, room: str, start: int
) -> tuple[list[str], dict[str, str]]:
    """A corridor from one opening to another, over finds and sometimes through a room."""
    finds = [
        rng.choice(_ITEMS) if rng.random() < 0.5 else rng.choice(_DEMANDS) for _ in range(rng.randint(1, 4))
    ]
    if rng.random() < 0.3:
        finds.append(rng.choice(("recycle", "scissors")))
    rng.shuffle(finds)
    names = [f"{find}{start + number}" for number, find in enumerate(finds)]
    if rng.random() < 0.3:
        lying = " ".join(["monster"] * rng.randint(1, 2) + [rng.choice(_ITEMS)])
        middle = len(names) // 2
        before, after = [west, *names[:middle], f"{room}dw"], [f"{room}de", *names[middle:], east]
        return [" ".join(before), " ".join(after)], {room: lying}
    return [" ".join([west, *names, east])], {}


def _through(corridors: Sequence[str], index: int, room: str) -> list[str]:
    words = corridors[0].split() + ([room, *corridors[1].split()] if len(corridors) > 1 else [])
    return [f"{index}.{word}" for word in words]


def _requires(rng: random.Random) -> dict[str, int]:
    kinds = rng.sample(("key", "rope", "sword", "scroll", "padlock", "monster"), rng.randint(1, 2))
    return {kind: rng.randint(0, 2) for kind in kinds}


def random_table(rng: random.Random) -> tuple[Any, TableRecord, Difficulty]:
    """Two groups side by side, each over a corridor to a step card, and on over another one to a boss
    card."""
    faces, ways = [], []
    for number in (0, 2):
        upper, rooms = _corridor(rng, "w1", "e1", "A", 1)
        lower, more = _corridor(rng, "w2", "e2", "C", 11)
        faces.append(card(f"K{number}", *upper, *lower, rooms=rooms | more))
        ways.append((_through(upper, number, "A"), _through(lower, number, "C")))
    step = card("D", "w1 j1 e1", "w2 j2 e2") | {"kind": "step"}
    boss = card("B", "w1 j1 e1", "w2 j2 e2") | {"kind": "boss"}
    for face in (step, boss):
        places = [place for place in ("w1", "w2") if rng.random() < 0.7]
        face["goals"] = [{"id": place, "at": [place], "requires": _requires(rng)} for place in places]
    paths = []
    for name, row in (("red", 0), ("blue", 1)):
        west, middle, east = f"w{row + 1}", f"j{row + 1}", f"e{row + 1}"
        first = (*ways[0][row], f"1.{west}")
        second = (f"1.{west}", f"1.{middle}", f"1.{east}", *ways[1][row], f"3.{west}")
        paths += [GroupPath(group=name, path=(first,)), GroupPath(group=name, path=(second,))]
    if rng.random() < 0.5:
        paths = [paths[0], paths[2], paths[1], paths[3]]
    groups = tuple(
        Group(
            group=name,
            fairy_tokens={tool: 1 for tool in TOOLS if rng.random() < 0.2},
            spellbooks=tuple(rng.sample((*BOOKS.values(), "SB-5", "SB-5"), rng.randint(0, 2))),
        )
        for name in ("red", "blue")
    )
    cards = tuple(TableCard(name, 63.0 * number, 0.0) for number, name in enumerate(("K0", "D", "K2", "B")))
    record = TableRecord(format=FORMAT, mode="cooperative", cards=cards, groups=groups, paths=tuple(paths))
    return catalogue(*faces, step, boss), record, rng.choice(DIFFICULTIES)


def compare(monkeypatch: pytest.MonkeyPatch, seed: int) -> bool:
    """Whether a random table could be compared; raises `AssertionError` where the referee is not the best."""
    cards, record, difficulty = random_table(random.Random(seed))
    table = make_table(cards, record)
    ruled = referee_table(table, record, difficulty)
    rulings = every_way(monkeypatch, table, record, difficulty)
    if rulings is None:
        return False
    alike = rulings
    for path, ought in enumerate(favour(record, ruled)):
        best = max(favour(record, each)[path] for each in alike)
        assert ought == best, (seed, path)
        so_far = [each for each in alike if favour(record, each)[path] == best]
        assert wanting(ruled, path) == min(wanting(each, path) for each in so_far), (seed, path)
        # What a sketch would take, and what is wanting for a goal, binds nobody later on.
        if ruled.paths[path].ended != "stopped":
            alike = so_far
    results = {(each.mission.result, each.mission.reason) for each in alike}
    assert (ruled.mission.result, ruled.mission.reason) in results
    if not any(path.ended == "stopped" for path in ruled.paths):
        # SB-5 kept is worth as much as the token that it may still become.
        kept = sum(
            "SB-5" in told.spellbooks and "SB-5" not in [paid.means for paid in group.spent]
            for group, told in zip(ruled.groups, record.groups, strict=True)
        )
        most = max(sum(sum(group.counts.values()) for group in each.groups) for each in alike)
        assert sum(sum(group.counts.values()) for group in ruled.groups) + kept == most, (seed, difficulty)
    _told_payments_hold(record, ruled)
    return True


def _told_payments_hold(record: TableRecord, ruled: CoopRuling) -> None:
    """What is told as spent was there to be spent, once."""
    for group, told in zip(ruled.groups, record.groups, strict=True):
        used = [paid.means for paid in group.spent]
        sources = [paid.source for paid in group.spent if paid.source is not None]
        assert len(sources) == len(set(sources))
        for book in set(told.spellbooks):
            assert used.count(book) <= 1
        if ruled.difficulty != "rookie":
            made = [paid.stands_for for paid in group.spent]
            there = {tool: told.fairy_tokens.get(tool, 0) + made.count(tool) for tool in TOOLS}
            assert all(used.count(f"fairy:{tool}") <= there[tool] for tool in TOOLS)


def test_no_way_of_paying_is_better_than_the_referees(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(compare(monkeypatch, seed) for seed in range(20)) > 15


@pytest.mark.long
def test_nor_on_2000_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(compare(monkeypatch, seed) for seed in range(1_000, 3_000)) > 1_500


def test_the_tables_meet_goals_and_miss_them_at_every_difficulty() -> None:
    seen = set()
    for seed in range(150):
        cards, record, difficulty = random_table(random.Random(seed))
        ruled = referee_table(make_table(cards, record), record, difficulty)
        seen |= {(difficulty, path.ended) for path in ruled.paths}
    for difficulty in DIFFICULTIES:
        assert {(difficulty, ended) for ended in ("goal", "unmet", "violation", "step")} <= seen
