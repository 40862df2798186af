"""A cooperative table from a photo: the orientation of its layout, the paths of each group's line, and
in which orders they may have been drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise, permutations

import msgspec

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon
from scorer.groups import DrawnLine
from scorer.json_faults import read_json
from scorer.mapmasters.cooperative.rules.layout import Cell, cell_at
from scorer.mapmasters.cooperative.rules.mission import NO_MISSION, Mission, Slot, load_mission, slots_of
from scorer.mapmasters.cooperative.rules.record import Group, GroupPath, TableCard, TableRecord, parse_table
from scorer.mapmasters.cooperative.rules.referee import referee_table
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling, GroupRuling
from scorer.mapmasters.cooperative.rules.table import Table, make_table
from scorer.mapmasters.cooperative.rules.terms import CoopTerms, with_terms
from scorer.record import FORMAT, Marks, PlacedCard, Rotation, not_a_record
from scorer.text import Text, listed

#: The maximum number of path orders that are tried.
MOST_ORDERS = 24
#: What speaks for one way of laying the mission's layout over the cards: a named card in its slot, the right
#: way up, a starter in a starter's slot; and against it: another card in a named card's slot, a card in none.
_NAMED, _UPRIGHT, _STARTER, _WRONG, _OUTSIDE = 6.0, 3.0, 1.0, -6.0, -4.0
_PLAIN_KINDS = frozenset({"junction", "find", "stairs", "end"})

Path = tuple[tuple[str, ...], ...]


def table_told(
    catalogue: Catalogue, *, mission: Mission | str | None = None, table: bytes | None = None
) -> TableRecord:
    """The stated facts of a table as a record without cards and paths: `table` is one, whatever it has of
    these. Groups that are not told are the mission's, each with a pen of the colour that it is called by.
    Raises `WaymarkError` (not-a-record, unknown-mission, not-a-mission, and as records do)."""
    told = TableRecord(format=FORMAT, mode="cooperative", catalogue=catalogue.name, cards=(), mission=mission)
    if table is not None:
        fields = read_json(table, dict[str, msgspec.Raw], not_a_record)
        bare = {"format": FORMAT, "mode": "cooperative"} | fields | {"cards": (), "paths": ()}
        told = parse_table(msgspec.json.encode(bare))
        if mission is not None:
            told = msgspec.structs.replace(told, mission=mission)
    whole = _mission_of(catalogue, told)
    known = {group.group: group for group in told.groups}
    names = dict.fromkeys([*(whole.groups or ()), *known])
    groups = [known.get(name, Group(group=name)) for name in names]
    # places of another record's cards mean nothing here
    groups = [
        msgspec.structs.replace(
            group,
            colour=group.group if group.colour is None else group.colour,
            start=None if isinstance(group.start, str) else group.start,
            optimizer_tokens={},
            marks=Marks(),
        )
        for group in groups
    ]
    return msgspec.structs.replace(told, groups=tuple(groups), catalogue=catalogue.name)


def _mission_of(catalogue: Catalogue, told: TableRecord) -> Mission:
    mission = told.mission
    return load_mission(catalogue, mission) if isinstance(mission, str) else mission or NO_MISSION


@dataclass(frozen=True)
class Laid:
    """The table as given by the cards in a photo. `bare` is its record without paths and marks. `ways` caches
    the paths that make up a line, because every comparison of readings needs them again."""

    bare: TableRecord
    table: Table
    ways: dict[tuple[DrawnLine, tuple[Marks, ...], CoopTerms], list[tuple[GroupPath, ...]]] = field(
        default_factory=dict, repr=False, compare=False
    )


def lay_out(catalogue: Catalogue, told: TableRecord, cards: Sequence[PlacedCard]) -> Laid:
    """The table of the recognised cards, oriented by the mission's named cards. Raises `WaymarkError` (as
    `make_table`)."""
    bare = _laid(catalogue, told, cards)
    return Laid(bare, make_table(catalogue, bare))


def readings_of(laid: Laid, lines: Sequence[DrawnLine], terms: CoopTerms) -> tuple[TableRecord, ...]:
    """Candidate records for a photo's lines, the likeliest first. The others have lines in the opposite
    direction, and paths in another order, where the ruling leaves this open."""
    bare = _with_marks(laid.bare, lines)
    table = laid.table
    marks = tuple(group.marks for group in bare.groups)

    def ways_of(line: DrawnLine) -> list[tuple[GroupPath, ...]]:
        if (line, marks, terms) not in laid.ways:
            laid.ways[line, marks, terms] = _ways(table, bare, line, terms)
        return laid.ways[line, marks, terms]

    ways = [ways_of(line) for line in lines]
    chosen = [each[0] for each in ways]
    first = _ordered(bare, chosen)
    found = [first, *_orders(table, first, terms)]
    for k, others in enumerate(ways):
        found += [_ordered(bare, [*chosen[:k], other, *chosen[k + 1 :]]) for other in others[1:]]
    return tuple(with_terms(record, terms) for record in {each.paths: each for each in found[::-1]}.values())[
        ::-1
    ]


def sketched(record: TableRecord, place: str) -> TableRecord:
    """The record with the path that ends at a place marked as a sketch."""
    paths = tuple(
        msgspec.structs.replace(path, sketch=True) if path.path and path.path[-1][-1] == place else path
        for path in record.paths
    )
    return msgspec.structs.replace(record, paths=paths)


def order_told(record: TableRecord, first: TableRecord) -> Text:
    """The drawing order of a record's paths, which of them are walked the other way than in the
    `first` reading, and which stop elsewhere on their way."""
    names = [group for group, _ in groupby(path.group for path in record.paths)]
    told = listed(names, Text(", then "))
    begun = {path.group: path.path[0][:1] for path in reversed(first.paths) if path.path}
    turned = dict.fromkeys(
        path.group
        for path in {path.group: path for path in reversed(record.paths)}.values()
        if path.path and path.path[0][:1] != begun.get(path.group)
    )
    if turned:
        told = Text("{order} ({groups} from the other end)", order=told, groups=listed(turned))
    for group, stops in _stops_of(record).items():
        others = [stop for stop in stops if stop not in _stops_of(first).get(group, [])]
        if others and group not in turned:
            told = Text(
                "{order} ({group} stopped at {places})", order=told, group=group, places=listed(others)
            )
    for group, stops in _stops_of(first).items():
        if not _stops_of(record).get(group) and group not in turned:
            told = Text(
                "{order} ({group} did not stop at {places})", order=told, group=group, places=listed(stops)
            )
    return told


def _stops_of(record: TableRecord) -> dict[str, list[str]]:
    """The intermediate stops of each group: the card, and the place on it."""
    stops: dict[str, list[str]] = {}
    for path, later in pairwise(sorted(record.paths, key=lambda path: path.group)):
        if path.group == later.group and path.path:
            place = path.path[-1][-1]
            card = record.cards[int(place.partition(".")[0])].card
            stops.setdefault(path.group, []).append(f"{card} [{place}]")
    return stops


# --- how the layout lies ------------------------------------------------------------------------------------


def _laid(catalogue: Catalogue, told: TableRecord, cards: Sequence[PlacedCard]) -> TableRecord:
    """The record without paths: turned as the mission's named cards lie, face-down cards where the mission
    has them and nothing else was seen."""
    slots = slots_of(_mission_of(catalogue, told))
    width, height = catalogue.card_size_mm
    laid, origin = tuple(cards), (0.0, 0.0)
    if slots and cards:
        fits = []
        for lying in (tuple(cards), _turned(catalogue, cards)):
            cells = [cell_at((card.x, card.y), (lying[0].x, lying[0].y), (width, height)) for card in lying]
            for column, row in _shifts(catalogue, slots, lying, cells):
                at = [(x + column, y + row) for x, y in cells]
                fits.append((_fit(catalogue, slots, lying, at), -column, -row, lying))
        _, column, row, laid = max(fits, key=lambda fit: fit[:3])
        origin = (laid[0].x + column * width, laid[0].y + row * height)
    lying_there = [TableCard(card.card, card.x, card.y, card.rotation) for card in laid]
    taken = {cell_at((card.x, card.y), origin, (width, height)) for card in laid}
    for cell, slot in slots.items():
        if slot.kind == "face_down" and cell not in taken:
            corner = origin[0] + cell[0] * width, origin[1] + cell[1] * height
            lying_there.append(TableCard(None, corner[0], corner[1], 0, face_down=True))
    return msgspec.structs.replace(told, cards=tuple(lying_there), origin=origin)


def _with_marks(bare: TableRecord, lines: Sequence[DrawnLine]) -> TableRecord:
    marks = {line.group: line.marks for line in lines}
    groups = tuple(
        msgspec.structs.replace(group, marks=marks.get(group.group, group.marks)) for group in bare.groups
    )
    return msgspec.structs.replace(bare, groups=groups)


def _shifts(
    catalogue: Catalogue, slots: Mapping[Cell, Slot], cards: Sequence[PlacedCard], cells: Sequence[Cell]
) -> set[Cell]:
    """Candidate shifts in columns and rows that bring the cards into their slots. One named card must come to
    its own slot or, if none was seen, any card to any slot."""

    def bringing(kinds: Callable[[PlacedCard, Slot], bool]) -> set[Cell]:
        return {
            (slot_x - x, slot_y - y)
            for card, (x, y) in zip(cards, cells, strict=True)
            for (slot_x, slot_y), slot in slots.items()
            if kinds(card, slot)
        }

    return bringing(lambda card, slot: slot.card == card.card) or bringing(lambda card, slot: True)


def _turned(catalogue: Catalogue, cards: Sequence[PlacedCard]) -> tuple[PlacedCard, ...]:
    """The cards after a rotation of the table by 180 degrees."""
    return tuple(
        PlacedCard(
            card.card,
            -card.x - catalogue.size_of(card.card)[0],
            -card.y - catalogue.size_of(card.card)[1],
            _half_turn(card.rotation),
        )
        for card in cards
    )


def _half_turn(rotation: Rotation) -> Rotation:
    turned: dict[Rotation, Rotation] = {0: 180, 90: 270, 180: 0, 270: 90}
    return turned[rotation]


def _fit(
    catalogue: Catalogue, slots: Mapping[Cell, Slot], cards: Sequence[PlacedCard], cells: Sequence[Cell]
) -> float:
    total = 0.0
    for card, cell in zip(cards, cells, strict=True):
        slot = slots.get(cell)
        if slot is None:
            total += _OUTSIDE
        elif slot.kind == "card":
            same = slot.card == card.card
            total += (_NAMED + _UPRIGHT * (card.rotation == slot.rotation)) if same else _WRONG
        elif slot.kind == "starter":
            total += _STARTER if catalogue.card(card.card).kind == "starter" else -_STARTER
        elif slot.kind == "face_down" and slot.card == card.card:
            total += _NAMED
    return total


# --- which paths a line is made of --------------------------------------------------------------------------


def _ways(table: Table, bare: TableRecord, line: DrawnLine, terms: CoopTerms) -> list[tuple[GroupPath, ...]]:
    """The paths of a line, for each likely walking direction, that end at the place where the group's
    miniature appears to be. The first is preferred. Of several possible intermediate stops, the earliest
    is used."""
    tried = []
    for number, path in enumerate(dict.fromkeys(line.paths)):
        # what stands at both ends tells nothing
        stands = path[-1][-1] in line.standing and path[0][0] not in line.standing
        plain, at_goals, uncut = (
            *(_cut_at_steps(table, line.group, path, at_goals=at_goals) for at_goals in (False, True)),
            (GroupPath(group=line.group, path=_joined(table.dungeon, table.plan.steps, path)),),
        )
        first = _ruled(table, bare, plain, terms)
        ways = {plain: first}
        if at_goals != plain:
            ruling = _ruled(table, bare, at_goals, terms)
            # nobody stops at a goal that he cannot meet where he may stop elsewhere on that card
            if all(each.ended != "unmet" for each in ruling.paths[:-1]):
                ways[at_goals] = ruling
        if uncut != plain and first.paths[-1].ended == "stopped":
            # who only passed by claims nothing with a line that ends midway
            ways[uncut] = _ruled(table, bare, uncut, terms)
        reached = len(_of(first, line.group).reached)
        for paths, ruling in ways.items():
            begun = all(broken.rule != "bad-start" for broken in ruling.violations)
            lengths = [sum(map(len, each.path)) for each in paths]
            tried.append(((begun, ruling.legal, stands), (-reached, number, lengths), paths))
    best = max(key for key, _, _ in tried)
    likely = sorted((each for each in tried if each[0] == best), key=lambda each: each[1])
    return [paths for _, _, paths in likely]


def _ruled(table: Table, bare: TableRecord, paths: Sequence[GroupPath], terms: CoopTerms) -> CoopRuling:
    record = msgspec.structs.replace(bare, paths=tuple(paths))
    return referee_table(table, record, terms.difficulty, terms.settings)


def _of(ruling: CoopRuling, group: str) -> GroupRuling:
    return next(each for each in ruling.groups if each.group == group)


def _cut_at_steps(table: Table, group: str, path: Path, *, at_goals: bool) -> tuple[GroupPath, ...]:
    """The paths of a line, cut once on every step card that it leaves again. The cut is at a needed goal on
    the card, else at a plain place. With `at_goals` it may be at any earlier goal, since ink does not show
    where a miniature was."""
    dungeon, plan = table.dungeon, table.plan
    needed = {
        (goal.card, place)
        for name in plan.needed
        if (goal := plan.goals[name]).card is not None
        for place in goal.places or ()
    }
    other = {
        (goal.card, place) for goal in plan.goals.values() if goal.card for place in goal.places or ()
    } - needed
    paths: list[GroupPath] = []
    strokes: list[tuple[str, ...]] = []
    visited: set[int] = set()
    for stroke in _joined(dungeon, plan.steps, path):
        rest = stroke
        start = 0
        while start < len(rest):
            card = dungeon.places[rest[start]].card_index if rest[start] in dungeon.places else -1
            end = start
            while (
                end < len(rest)
                and rest[end] in dungeon.places
                and dungeon.places[rest[end]].card_index == card
            ):
                end += 1
            end = max(end, start + 1)
            name = dungeon.cards[card].card if card >= 0 else ""
            inner = range(max(start, 1), min(end, len(rest) - 1))
            if name in plan.steps and card not in visited and len(inner):
                at = _stop(dungeon, name, rest, inner, needed, other, at_goals=at_goals)
                if at is not None:
                    visited.add(card)
                    paths.append(GroupPath(group=group, path=(*strokes, rest[: at + 1])))
                    strokes, rest, start = [], rest[at:], end - at
                    continue
            start = end
        strokes.append(rest)
    paths.append(GroupPath(group=group, path=tuple(strokes)))
    return tuple(paths)


def _stop(
    dungeon: Dungeon,
    card: str,
    stroke: Sequence[str],
    inner: range,
    needed: set[tuple[str, str]],
    other: set[tuple[str, str]],
    *,
    at_goals: bool,
) -> int | None:
    """The index in a stroke of the likely stop on a step card."""
    local = {k: (card, dungeon.places[stroke[k]].local_id) for k in inner}
    goals = [k for k in inner if local[k] in needed]
    plain = [k for k in inner if dungeon.places[stroke[k]].kind in _PLAIN_KINDS and local[k] not in other]
    if at_goals:
        goals += [k for k in inner if local[k] in other]
    return next(iter([*goals, *plain]), None)


def _joined(dungeon: Dungeon, steps: frozenset[str], path: Path) -> tuple[tuple[str, ...], ...]:
    """The strokes, those made one that part on a step card: one path ends there, and the next begins."""
    joined: list[tuple[str, ...]] = []
    for stroke in path:
        last = dungeon.places.get(joined[-1][-1]) if joined else None
        first = dungeon.places.get(stroke[0])
        if last is not None and first is not None and last.card_index == first.card_index:
            on_step = dungeon.cards[last.card_index].card in steps
            if on_step and last.id == first.id:
                joined[-1] = (*joined[-1], *stroke[1:])
                continue
            if on_step and dungeon.links_between(last.id, first.id):
                joined[-1] = (*joined[-1], *stroke)
                continue
        joined.append(stroke)
    return tuple(joined)


# --- in which order -----------------------------------------------------------------------------------------


def _ordered(bare: TableRecord, groups: Sequence[tuple[GroupPath, ...]]) -> TableRecord:
    """The record with each group's paths, one group after the other."""
    return msgspec.structs.replace(bare, paths=tuple(path for paths in groups for path in paths))


def _orders(table: Table, record: TableRecord, terms: CoopTerms) -> Iterator[TableRecord]:
    """The record with its paths in other orders, for groups whose lines may block each other. A photo does
    not show which was drawn first."""
    names = list(dict.fromkeys(path.group for path in record.paths))
    grounds = {name: _ground(table, record, name) for name in names}
    bound = [
        name for name in names if any(grounds[name] & grounds[other] for other in names if other != name)
    ]
    if not bound and _decided_by_one(table, record, terms):
        bound = names
    free = [name for name in names if name not in bound]
    for number, order in enumerate(permutations(bound)):
        if number >= MOST_ORDERS:
            return
        if number:
            blocks = [*free, *order]
            yield msgspec.structs.replace(
                record, paths=tuple(path for name in blocks for path in record.paths if path.group == name)
            )
    if len(bound) > 1 and any(sum(p.group == name for p in record.paths) > 1 for name in bound):
        yield msgspec.structs.replace(record, paths=_by_turns(record.paths))


def _ground(table: Table, record: TableRecord, group: str) -> frozenset[str]:
    """The places on a group's lines that other groups may need, and the cards there with items to be
    collected."""
    own = {name for path in record.paths if path.group == group for stroke in path.path for name in stroke}
    cards = {table.dungeon.places[name].card_index for name in own if name in table.dungeon.places}
    lying = set(table.plan.mission.artifacts.values())
    return frozenset(own | {f"card {k}" for k in cards if table.dungeon.cards[k].card in lying})


def _decided_by_one(table: Table, record: TableRecord, terms: CoopTerms) -> bool:
    """Whether one path loses a mission that would be won without it, so that the order of paths decides."""
    ruling = referee_table(table, record, terms.difficulty, terms.settings)
    lost = ruling.mission.path
    if ruling.mission.result != "lost" or lost is None:
        return False
    without = tuple(path for number, path in enumerate(record.paths) if number != lost)
    return _ruled(table, record, without, terms).mission.result == "won"


def _by_turns(paths: Sequence[GroupPath]) -> tuple[GroupPath, ...]:
    """The paths in rounds: every group's first path, then every second one, and so on."""
    counts: dict[str, int] = {}
    keyed = []
    for number, path in enumerate(paths):
        counts[path.group] = counts.get(path.group, 0) + 1
        keyed.append((counts[path.group], number, path))
    return tuple(path for _, _, path in sorted(keyed, key=lambda each: each[:2]))
