"""The shared table of the cooperative mode (`scorer.tables.SharedTable`): missions on offer, each group's
possessions and needs, closed ways, and edits by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec
from msgspec import UNSET

from scorer.catalogue import Catalogue, Side
from scorer.dungeon import Place
from scorer.errors import WaymarkError
from scorer.mapmasters.cooperative.play.edits import changed, with_choices
from scorer.mapmasters.cooperative.play.hint import hint
from scorer.mapmasters.cooperative.rules.mission import (
    NO_MISSION,
    Goal,
    Mission,
    Plan,
    load_mission,
    mission_ids,
    plan_of,
)
from scorer.mapmasters.cooperative.rules.record import Group, TableRecord, Turn
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling, GroupRuling
from scorer.mapmasters.cooperative.rules.table import Table, make_table
from scorer.mapmasters.cooperative.rules.terms import CoopTerms
from scorer.mapmasters.cooperative.sheet import CoopSheet, group_name
from scorer.mapmasters.cooperative.words.goal_words import (
    ALWAYS_LOST,
    declared_words,
    goal_asks,
    goal_where,
    losses,
)
from scorer.mapmasters.cooperative.words.messages import artifact_words, of_mission, told
from scorer.mapmasters.rules.means import TOOLS
from scorer.mapmasters.rules.spellbooks import SPELLBOOKS
from scorer.mapmasters.rules.terms import MAX_SPELLBOOKS, SPELLBOOK_PRICE, TOKEN_PRICE
from scorer.mapmasters.words.vocabulary import VOCABULARY
from scorer.placement import OUTWARD
from scorer.places import place_words
from scorer.record import FORMAT, Marks
from scorer.tables import (
    Cell,
    GoalTold,
    GroupTold,
    MarketTold,
    Need,
    Offer,
    PathTold,
    Share,
    ShownSlot,
    TableTold,
)
from scorer.text import Text, unchanged, written

#: What pens may be called: colours of whiteboard pens.
PENS: dict[str, Text] = {
    **CoopSheet.colours,
    "black": Text("Black"),
    "orange": Text("Orange"),
    "brown": Text("Brown"),
    "light blue": Text("Light blue"),
    "pink": Text("Pink"),
}
#: Cards in hand at the start; of somebody who plays alone.
HAND, HAND_ALONE = 3, 4

_LEGAL = Text("Legal so far.")
_NOTHING_LIES = Text("Lay the table as the mission says, then take a photo of all of it.")
_CLOSED = Text("{group}'s way {side} is closed.")
_SIDES: dict[Side, Text] = {
    "left": Text("to the left"),
    "right": Text("to the right"),
    "top": Text("upwards"),
    "bottom": Text("downwards"),
}
_NOT_BEGUN = Text("No path yet.")
_STANDS = Text("Stands at {place}.")
_SKETCHED = Text("Only sketched so far.")
_LEFT = {
    "slots": Text("slots to fill"),
    "steps": Text("step cards nobody has stopped on"),
    "hidden": Text("cards face down"),
}


class CoopTable:
    """The shared table of the cooperative mode (`scorer.tables.SharedTable`)."""

    def offers(self, catalogue: Catalogue) -> tuple[Offer, ...]:
        return tuple(_offers(catalogue))

    def shows_all(self, catalogue: Catalogue, cards: Collection[str]) -> bool:
        known = [catalogue.card(name) for name in cards]
        # Each player's own starters are of that player's colour; steps and bosses belong to missions.
        starters = {card.colour for card in known if card.kind == "starter"}
        return len(starters) > 1 or any(card.kind in ("step", "boss") for card in known)

    def pens(self) -> Mapping[str, Text]:
        return PENS

    def begun(
        self, catalogue: Catalogue, offer: str, pens: Mapping[str, str], players: Sequence[str]
    ) -> TableRecord:
        mission = load_mission(catalogue, offer)
        groups = mission.groups or tuple(pens)
        record = TableRecord(
            format=FORMAT,
            mode="cooperative",
            catalogue=catalogue.name,
            mission=offer,
            cards=(),
            groups=tuple(Group(group=name, colour=pens.get(name, name)) for name in groups),
        )
        make_table(catalogue, record)
        return self.next_turn(catalogue, record, players, 0)

    def next_turn(
        self, catalogue: Catalogue, record: TableRecord, players: Sequence[str], turns: int
    ) -> TableRecord:
        mission = _mission_of(catalogue, record)
        turn = Turn(player=players[turns % len(players)], hand=_hand(mission, len(players), turns))
        return msgspec.structs.replace(record, turn=turn)

    def told(self, catalogue: Catalogue, record: TableRecord, verdict: CoopRuling) -> TableTold:
        return _told(make_table(catalogue, record).as_it_lies(), record, verdict)

    def changed(
        self, catalogue: Catalogue, record: TableRecord, change: object, players: Sequence[str]
    ) -> TableRecord:
        then = changed(catalogue, record, change)
        make_table(catalogue, then)
        return then

    def told_only(self, record: TableRecord) -> TableRecord:
        groups = tuple(
            msgspec.structs.replace(
                group,
                start=None if isinstance(group.start, str) else group.start,
                optimizer_tokens={},
                marks=Marks(),
            )
            for group in record.groups
        )
        bare = msgspec.structs.replace(record, cards=(), paths=(), origin=(0.0, 0.0), groups=groups)
        return _without_terms(bare)

    def with_choices(self, record: TableRecord, before: TableRecord) -> TableRecord:
        return _without_terms(with_choices(record, before))

    def hints(
        self, catalogue: Catalogue, record: TableRecord, terms: CoopTerms
    ) -> tuple[tuple[Text, tuple[Text, ...]], ...]:
        told_hint = hint(catalogue, record, terms.difficulty, terms.settings, with_ids=False)
        outlook = written(told_hint.message, told_hint.message_ja)
        goals = [
            (unchanged(goal.goal), tuple(written(way.message, way.message_ja) for way in goal.ways))
            for goal in told_hint.goals
            if goal.met is None
        ]
        return ((outlook, ()), *goals)


def _without_terms(record: TableRecord) -> TableRecord:
    """The record without the values that the game's terms provide, since these may change."""
    return msgspec.structs.replace(record, difficulty=UNSET, house={})


# --- missions on offer --------------------------------------------------------------------------------------


def _offers(catalogue: Catalogue) -> Iterator[Offer]:
    for name in mission_ids(catalogue):
        try:
            mission = load_mission(catalogue, name)
            plan = plan_of(mission, catalogue, _cards_of(mission, catalogue))
            yield _offer(name, mission, plan, catalogue)
        except WaymarkError:
            continue  # somebody is at the file, or it is of other cards: it cannot be played now


def _cards_of(mission: Mission, catalogue: Catalogue) -> list[str]:
    bare = TableRecord(format=FORMAT, mode="cooperative", cards=(), mission=mission)
    slots = make_table(catalogue, bare).plan.slots.values()
    return [slot.card for slot in slots if slot.card is not None]


def _offer(name: str, mission: Mission, plan: Plan, catalogue: Catalogue) -> Offer:
    with_artifact = set(mission.artifacts.values())
    exits = {side for goal in map(plan.goals.__getitem__, plan.needed) for side in goal.sides}
    columns, rows = zip(*plan.slots, strict=True) if plan.slots else ((0,), (0,))
    outer = tuple(_outer(plan))
    return Offer(
        id=name,
        name=of_mission(mission.name, name),
        words=of_mission(mission.rules, ""),
        columns=max(columns) + 1,
        rows=max(rows) + 1,
        slots=tuple(
            ShownSlot(cell, slot.kind, slot.card, slot.rotation, slot.card in with_artifact)
            for cell, slot in plan.slots.items()
            if slot.kind != "none"
        ),
        starts=tuple((cell, side) for cell, side in outer if _may_start(plan, cell, side)),
        exits=tuple((cell, side) for cell, side in outer if side in exits),
        groups=mission.groups or (),
        coins=mission.market_coins,
        goals=tuple(_goal_told(plan.goals[each], mission, catalogue) for each in plan.needed),
        losses=tuple(loss for loss in losses(mission) if loss not in ALWAYS_LOST),
    )


def _outer(plan: Plan) -> Iterator[tuple[Cell, Side]]:
    for cell in plan.slots:
        for side, (dx, dy) in OUTWARD.items():
            if (cell[0] + round(dx), cell[1] + round(dy)) not in plan.slots:
                yield cell, side


def _may_start(plan: Plan, cell: Cell, side: Side) -> bool:
    return plan.starts is None or any(rule.side == side and rule.cell in (None, cell) for rule in plan.starts)


def _goal_told(goal: Goal, mission: Mission, catalogue: Catalogue) -> GoalTold:
    return GoalTold(goal.id, goal_where(goal, catalogue), goal_asks(goal, mission), dict(goal.counts))


def _met_at(table: Table, goal: Goal) -> Iterator[str]:
    """The places of a goal that are listed individually, where its card lies face up."""
    wanted = goal.places or ()
    for place in table.dungeon.places.values():
        if table.dungeon.cards[place.card_index].card == goal.card and place.local_id in wanted:
            yield place.id


def _mission_of(catalogue: Catalogue, record: TableRecord) -> Mission:
    mission = record.mission
    return load_mission(catalogue, mission) if isinstance(mission, str) else mission or NO_MISSION


def _hand(mission: Mission, players: int, number: int) -> int:
    """The hand size of the player of turn `number` (from 0). Each player lays one card and draws one while
    any are left."""
    each = HAND_ALONE if players == 1 else HAND
    drawn = max(0, sum(count for count in mission.deck.values() if isinstance(count, int)) - each * players)
    hands = [each] * players
    for turn in range(number):
        hands[turn % players] -= 1
        if drawn:
            hands[turn % players] += 1
            drawn -= 1
    return max(0, hands[number % players])


# --- the table as it stands ---------------------------------------------------------------------------------


def _told(table: Table, record: TableRecord, verdict: CoopRuling) -> TableTold:
    plan, mission, catalogue = table.plan, table.plan.mission, table.dungeon.catalogue
    goals = [plan.goals[name] for name in plan.needed]
    known = {group.group: group for group in record.groups}
    ways = {ruled.group: tuple(_closed(table, record, ruled)) for ruled in verdict.groups}
    groups = tuple(
        _group(table, known.get(ruled.group, Group(group=ruled.group)), ruled, goals, ways[ruled.group])
        for ruled in verdict.groups
    )
    told_mission = verdict.mission
    says = [written(told_mission.message, told_mission.message_ja)]
    if told_mission.result == "open":
        broken = [written(each.message, each.message_ja) for each in verdict.violations]
        says = [_NOTHING_LIES] if not record.cards else broken or [_LEGAL]
        says += [way for closed in ways.values() for way in closed]
    deciding = verdict.paths[told_mission.path] if told_mission.path is not None else None
    violation = next(iter(deciding.violations), None) if deciding is not None else None
    place = violation.place if violation is not None else deciding.last_place if deciding else None
    stood = {table.dungeon.places[p.last_place].card_index for p in verdict.paths if p.last_place}
    steps = [
        number
        for number, card in enumerate(record.cards)
        if card.card in plan.steps and not card.face_down and number not in stood
    ]
    losing = {code: declared_words(mission, code) for code in mission.lose.declared}
    return TableTold(
        result=told_mission.result,
        legal=verdict.legal,
        says=tuple(says),
        place=place,
        goals=tuple(
            (
                replace(_goal_told(goal, mission, catalogue), places=tuple(_met_at(table, goal))),
                told_mission.goals.get(goal.id),
            )
            for goal in goals
        ),
        groups=groups,
        paths=tuple(
            PathTold(
                path.path,
                path.group,
                written(path.why.message, path.why.message_ja),
                path.ended,
                record.paths[path.path].sketch,
                path.choices or _chosen_between(record, path.path, path.goal),
                path.goal,
            )
            for path in verdict.paths
        ),
        market=_market(mission, record),
        left=tuple(
            (_LEFT[what], count)
            for what, count in (
                ("slots", sum(plan.slots[cell].kind == "empty" for cell in table.layout.empty)),
                ("steps", len(steps)),
                ("hidden", sum(card.face_down for card in record.cards)),
            )
            if count or what == "slots"
        ),
        faults=(
            *(written(each.message, each.message_ja) for each in verdict.placement if record.cards),
            *(written(each.message, each.message_ja) for each in verdict.setup),
        ),
        declared=(
            *((code, words, code in record.declared, True) for code, words in losing.items()),
            *((code, unchanged(code), code in record.declared, False) for code in mission.win.declared),
        ),
        player=record.turn.player if record.turn is not None else None,
        hand=record.turn.hand if record.turn is not None else None,
        laid=bool(record.cards),
        title=of_mission(mission.name, plan.id or ""),
    )


def _chosen_between(record: TableRecord, number: int, met: str | None) -> tuple[str, ...]:
    """The goal that people chose at the end of a path, if it was the one met, so that the choice can be
    undone."""
    goal = record.paths[number].goal
    return (goal,) if goal is not None and goal == met else ()


def _market(mission: Mission, record: TableRecord) -> MarketTold:
    spent = sum(
        TOKEN_PRICE * sum(group.fairy_tokens.values()) + SPELLBOOK_PRICE * len(group.spellbooks)
        for group in record.groups
    )
    books = tuple((book.id, book.words) for book in SPELLBOOKS.values() if book.cooperative)
    return MarketTold(mission.market_coins, spent, TOOLS, TOKEN_PRICE, books, SPELLBOOK_PRICE, MAX_SPELLBOOKS)


def _group(
    table: Table, group: Group, ruled: GroupRuling, goals: Sequence[Goal], closed: tuple[Text, ...]
) -> GroupTold:
    mission = table.plan.mission
    counted = {kind for goal in goals for kind in goal.counts}
    counts = {
        **{kind: count for kind, count in ruled.discovered.items() if count},
        **{kind: count for kind, count in ruled.counts.items() if count or kind in counted},
    }
    needs = tuple(
        _need(goal, ruled, mission) for goal in goals if goal.id in ruled.wanting and goal.asks != _NOTHING
    )
    return GroupTold(
        group=group.group,
        name=group_name(group.group),
        colour=group.colour or group.group,
        stands=_stands(table, ruled),
        counts=tuple(counts.items()),
        tokens=tuple((kind, count) for kind, count in ruled.tokens.items() if count),
        books=group.spellbooks,
        carries=tuple(artifact_words(mission, name) for name in ruled.artifacts),
        reached=ruled.reached,
        needs=needs,
        closed=closed,
    )


_NOTHING: tuple[frozenset[tuple[str, int]], frozenset[str]] = (frozenset(), frozenset())


def _need(goal: Goal, ruled: GroupRuling, mission: Mission) -> Need:
    missing = ruled.wanting[goal.id]
    shares, lacks = [], []
    for kind, wanted in goal.counts.items():
        off = missing.get(kind, 0)
        shares.append(Share(kind, wanted - (off if isinstance(off, int) else 0), wanted))
    for name in goal.artifacts:
        wanting = missing.get("artifacts", ())
        if isinstance(wanting, tuple) and name in wanting:
            lacks.append(artifact_words(mission, name))
    return Need(goal.id, tuple(shares), tuple(lacks))


def _stands(table: Table, ruled: GroupRuling) -> Text:
    if ruled.ended == "start":
        return _NOT_BEGUN
    if ruled.stands is None or ruled.stands not in table.dungeon.places:
        return _SKETCHED
    place = table.dungeon.places[ruled.stands]
    return told(_STANDS, place=place_words(VOCABULARY, table.dungeon, place, with_id=False))


# --- ways that are closed -----------------------------------------------------------------------------------


def _closed(table: Table, record: TableRecord, ruled: GroupRuling) -> Iterator[Text]:
    """The sides of the card that a group stands on to which no corridor is left: over places that no line
    went through, to an opening that leads on to a card or to a slot where one will lie."""
    place = table.dungeon.places.get(ruled.stands or "")
    if place is None or table.dungeon.cards[place.card_index].card not in table.plan.steps:
        return
    used = {name for path in record.paths if not path.sketch for stroke in path.path for name in stroke} - {
        place.id
    }
    reached = _on_the_card(table, place, used)
    leaves = {side for goal in table.plan.goals.values() for side in goal.sides}
    mine = [each for each in table.dungeon.places.values() if each.card_index == place.card_index]
    for side, words in _SIDES.items():
        openings = [each.id for each in mine if each.kind == "opening" and each.side == side]
        if openings and not any(
            name in reached and _leads_on(table, name, used, side in leaves) for name in openings
        ):
            yield _CLOSED.filled(group=group_name(ruled.group), side=words)


def _on_the_card(table: Table, place: Place, used: set[str]) -> set[str]:
    reached, todo = {place.id}, [place.id]
    while todo:
        for link in table.dungeon.neighbours[todo.pop()]:
            beyond = table.dungeon.places[link.b]
            if beyond.card_index == place.card_index and link.b not in reached | used:
                reached.add(link.b)
                todo.append(link.b)
    return reached


def _leads_on(table: Table, opening: str, used: set[str], leaves: bool) -> bool:
    if opening in table.waiting:
        return True
    across = [link.b for link in table.dungeon.neighbours[opening] if link.kind == "crossing"]
    return any(name not in used for name in across) or (leaves and opening in table.dungeon.open_openings)
