"""A mission's requirements in English and Japanese: the places of goals, their demands, and the conditions of
a loss."""

from __future__ import annotations

from scorer.catalogue import Card, Catalogue, Side
from scorer.mapmasters.cooperative.rules.mission import Goal, Mission
from scorer.mapmasters.cooperative.words.messages import artifact_words, of_mission
from scorer.mapmasters.words.vocabulary import VOCABULARY
from scorer.text import Text, listed

#: The losing conditions of every mission.
ALWAYS_LOST = (
    Text("A group is at a dead end."),
    Text("A goal is reached without what it asks for."),
    Text("A player cannot lay a card."),
)
OWN_LOSS = Text("In this mission: {what}")
#: Between places, of which one is enough.
_OR = Text(" or ", context="places")
_SIDES: dict[Side, Text] = {
    "left": Text("left"),
    "right": Text("right"),
    "top": Text("upper"),
    "bottom": Text("lower"),
}
_EDGES: dict[str, Text] = {
    "left": Text("left edge"),
    "right": Text("right edge"),
    "top": Text("top edge"),
    "bottom": Text("bottom edge"),
}


def place_words(card: Card, place: str) -> Text:
    """The place on a card where a path must end: the side of an entrance, or "inside"."""
    node = next((node for node in card.nodes if node.id == place), None)
    if node is None or node.kind != "opening" or node.side is None:
        return Text("inside")
    side = _SIDES[node.side]
    beside = [other for other in card.nodes if other.kind == "opening" and other.side == node.side]
    if len(beside) == 1:
        return Text("{side} entrance", side=side)
    along = 1 if node.side in ("left", "right") else 0
    first = all(node.at[along] <= other.at[along] for other in beside)
    which = _SIDES[("left", "top")[along] if first else ("right", "bottom")[along]]
    if along:
        return Text("{which} {side} entrance", which=which, side=side)
    return Text("{side} {which} entrance", side=side, which=which)


def goal_where(goal: Goal, catalogue: Catalogue) -> Text:
    """The card and place of a goal, or the edges by which a group leaves."""
    if goal.card is None:
        if len(goal.sides) == len(_EDGES):
            return Text("any edge")
        return listed((_EDGES[side] for side in _EDGES if side in goal.sides), _OR)
    card = catalogue.card(goal.card)
    places = [place_words(card, place) for place in sorted(goal.places or ())]
    where = listed(places, _OR) if places else Text("any entrance")
    return Text("{card}, {where}", card=goal.card, where=where)


def goal_asks(goal: Goal, mission: Mission) -> Text:
    """The demands of a goal in words, such as "sword x2"."""
    parts = [artifact_words(mission, name) for name in goal.artifacts]
    for kind, wanted in goal.counts.items():
        name = VOCABULARY.name(kind)
        parts.append(Text("{name} ×{wanted}", name=name, wanted=wanted))
    return listed(parts) if parts else Text("just get there")


def goal_name(goal: Goal, mission: Mission, catalogue: Catalogue) -> Text:
    """The display name of a goal: its demands or, without any, its place."""
    return goal_asks(goal, mission) if goal.counts or goal.artifacts else goal_where(goal, catalogue)


def declared_words(mission: Mission, code: str) -> Text:
    """Words for a losing event that only people can observe."""
    return of_mission(mission.lose.told.get(code, {}), code)


def losses(mission: Mission) -> list[Text]:
    """The losing conditions: those of every mission, and those of this one."""
    own = []
    for code in mission.lose.declared:
        told = declared_words(mission, code)
        own.append(OWN_LOSS.filled(what=told))
    return [*ALWAYS_LOST, *own]
