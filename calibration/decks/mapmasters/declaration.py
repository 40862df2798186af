"""The open deck's declarations: each card as topology plus a seed, a few lines of text a card.

    [D07] dungeon cost=4 seed=120
    grid 10 24.5 38 53 | 10 22 37 51 66 78
    main  w1 opening left-22        a place: id, kind, spot; of the level that the line begins with
    main  f1 find sword b2
    main  d1 door A b3              a door stands where its corridor leaves room A, coming from spot b3
    under u1 find pitfall b2+
    room  A chamfer b3 c3 b4 c4 : A1 barrel, A2 coin*2
    corridor main w1 f1 : a2        from, to, and the spots passed on the way
    stairs s1 u2
    fall p1 u4
    goal coins w1 : coin=5          id, and where a path must end; what is asked for there
    goal boots n1 : artifacts=winged_boots

Spots: column letter and row number of the card's grid (`b3`); with `+`, the middle between it and the next
column and row (`b3+`), where the underground runs, so that the levels cross in mid-corridor. Openings have
names of their own (`left-22 left-66 right-22 right-66 top bottom`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

OPENING_SPOTS_MM: dict[str, tuple[float, float]] = {
    "left-22": (0.0, 22.0),
    "left-66": (0.0, 66.0),
    "right-22": (63.0, 22.0),
    "right-66": (63.0, 66.0),
    "top": (31.5, 0.0),
    "bottom": (31.5, 88.0),
}
COLOURS = ("red", "blue", "green", "yellow", "purple")
LEVELS = {"main": "main", "under": "underground"}


@dataclass(frozen=True)
class PlaceDeclaration:
    id: str
    level: str
    kind: str
    spot: str
    find: str | None = None
    value: int = 1
    room: str | None = None


@dataclass(frozen=True)
class CorridorDeclaration:
    level: str
    from_: str
    to: str
    through: tuple[str, ...] = ()


@dataclass(frozen=True)
class RoomDeclaration:
    """Declaration of a room. `shape`: rect, chamfer, irregular, or ell; `edges`: card sides that the room
    touches."""

    id: str
    shape: str
    sites: tuple[str, ...]
    finds: tuple[tuple[str, str, int], ...] = ()
    edges: tuple[str, ...] = ()


@dataclass(frozen=True)
class GoalDeclaration:
    """Declaration of a goal. `at`: places where a path must end (none: any opening). `asks`: required
    counts of finds or deeds, or `artifacts` with their names."""

    id: str
    at: tuple[str, ...] = ()
    asks: tuple[tuple[str, int | tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class CardDeclaration:
    id: str
    kind: str
    seed: int
    cost: int | None
    columns: tuple[float, ...]
    rows: tuple[float, ...]
    places: tuple[PlaceDeclaration, ...] = ()
    corridors: tuple[CorridorDeclaration, ...] = ()
    rooms: tuple[RoomDeclaration, ...] = ()
    stairs: tuple[tuple[str, str], ...] = ()
    falls: tuple[tuple[str, str], ...] = ()
    goals: tuple[GoalDeclaration, ...] = ()

    def place(self, id_: str) -> PlaceDeclaration:
        return next(place for place in self.places if place.id == id_)


@dataclass
class _Draft:
    head: dict[str, str]
    columns: tuple[float, ...] = ()
    rows: tuple[float, ...] = ()
    places: list[PlaceDeclaration] = field(default_factory=list)
    corridors: list[CorridorDeclaration] = field(default_factory=list)
    rooms: list[RoomDeclaration] = field(default_factory=list)
    stairs: list[tuple[str, str]] = field(default_factory=list)
    falls: list[tuple[str, str]] = field(default_factory=list)
    goals: list[GoalDeclaration] = field(default_factory=list)

    def finish(self) -> CardDeclaration:
        cost = self.head.get("cost")
        return CardDeclaration(
            self.head["id"], self.head["kind"], int(self.head["seed"]), int(cost) if cost else None,
            self.columns, self.rows, tuple(self.places), tuple(self.corridors), tuple(self.rooms),
            tuple(self.stairs), tuple(self.falls), tuple(self.goals),
        )  # fmt: skip


def _find_and_value(text: str) -> tuple[str, int]:
    find, _, value = text.partition("*")
    return find, int(value or 1)


def _place(level: str, words: list[str]) -> PlaceDeclaration:
    id_, kind, *rest = words
    spot = rest[-1]
    if kind == "find":
        find, value = _find_and_value(rest[0])
        return PlaceDeclaration(id_, level, kind, spot, find=find, value=value)
    return PlaceDeclaration(id_, level, kind, spot, room=rest[0] if kind == "door" else None)


def parse(text: str) -> list[CardDeclaration]:
    """All cards declared in `text`. Raises `ValueError` with the line that cannot be parsed."""
    drafts: list[_Draft] = []
    for number, line in enumerate(text.splitlines(), start=1):
        body = line.partition("#")[0].strip()
        if not body:
            continue
        try:
            if body.startswith("["):
                name, _, rest = body[1:].partition("]")
                kind, *options = rest.split()
                drafts.append(_Draft({"id": name, "kind": kind, **dict(o.split("=") for o in options)}))
            else:
                _parse_line(drafts[-1], body)
        except (ValueError, IndexError, KeyError) as error:
            raise ValueError(f"line {number}: {line!r} is no declaration") from error
    return [draft.finish() for draft in drafts]


def _parse_line(draft: _Draft, body: str) -> None:
    word, _, rest = body.partition(" ")
    left, _, right = (part.strip() for part in rest.partition(":"))
    if word == "grid":
        columns, _, rows = rest.partition("|")
        draft.columns, draft.rows = tuple(map(float, columns.split())), tuple(map(float, rows.split()))
    elif word in LEVELS:
        draft.places.append(_place(LEVELS[word], rest.split()))
    elif word == "room":
        id_, shape, *sites = left.split()
        finds = (entry.split() for entry in right.split(",") if entry.strip())
        draft.rooms.append(
            RoomDeclaration(
                id_, shape, tuple(s for s in sites if not s.startswith("@")),
                tuple((f_id, *_find_and_value(find)) for f_id, find in finds),
                tuple(s[1:] for s in sites if s.startswith("@")),
            )
        )  # fmt: skip
    elif word == "corridor":
        level, from_, to = left.split()
        draft.corridors.append(CorridorDeclaration(LEVELS[level], from_, to, tuple(right.split())))
    elif word in ("stairs", "fall"):
        from_, to = rest.split()
        (draft.stairs if word == "stairs" else draft.falls).append((from_, to))
    elif word == "goal":
        id_, *at = left.split()
        draft.goals.append(GoalDeclaration(id_, tuple(at), tuple(map(_asked, right.split()))))
    else:
        raise ValueError(word)


def _asked(word: str) -> tuple[str, int | tuple[str, ...]]:
    kind, _, wanted = word.partition("=")
    return kind, tuple(wanted.split("+")) if kind == "artifacts" else int(wanted)


DECLARATIONS_FILE = Path(__file__).with_name("declarations.txt")


def load_declarations() -> list[CardDeclaration]:
    """The open deck's frozen declarations: S1-S9, D01-D72, B01-B08."""
    return parse(DECLARATIONS_FILE.read_text("utf-8"))
