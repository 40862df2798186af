"""A mission's requirements in English and Japanese: where goals are met, what they ask for, what
loses."""

from __future__ import annotations

from scorer.catalogue import Card, Catalogue, Side
from scorer.mapmasters.cooperative.messages import artifact_words
from scorer.mapmasters.cooperative.mission import Goal, Mission
from scorer.mapmasters.vocabulary import VOCABULARY
from scorer.text import Text

#: What loses any mission.
ALWAYS_LOST = (
    Text("A group is at a dead end.", "どれかのグループが行き止まりになる。"),
    Text("A goal is reached without what it asks for.", "条件を満たさずに目標の場所に着く。"),
    Text("A player cannot lay a card.", "カードを置けないプレイヤーが出る。"),
)
OWN_LOSS = Text("In this mission: ", "このミッションだけ: ")
_SIDES: dict[Side, Text] = {
    "left": Text("left", "左"),
    "right": Text("right", "右"),
    "top": Text("upper", "上"),
    "bottom": Text("lower", "下"),
}
_EDGES: dict[str, Text] = {
    "left": Text("left edge", "左端"),
    "right": Text("right edge", "右端"),
    "top": Text("top edge", "上端"),
    "bottom": Text("bottom edge", "下端"),
}


def joined(parts: list[Text], between: Text) -> Text:
    return Text(between.en.join(part.en for part in parts), between.ja.join(part.ja for part in parts))


def listed(parts: list[Text]) -> Text:
    return joined(parts, Text(", ", "、"))


def place_words(card: Card, place: str) -> Text:
    """Where on a card a path must end: an entrance by its side, anything else as inside."""
    node = next((node for node in card.nodes if node.id == place), None)
    if node is None or node.kind != "opening" or node.side is None:
        return Text("inside", "カードの中")
    side = _SIDES[node.side]
    beside = [other for other in card.nodes if other.kind == "opening" and other.side == node.side]
    if len(beside) == 1:
        return Text(f"{side.en} entrance", f"{side.ja}の入口")
    along = 1 if node.side in ("left", "right") else 0
    first = all(node.at[along] <= other.at[along] for other in beside)
    which = _SIDES[("left", "top")[along] if first else ("right", "bottom")[along]]
    if along:
        return Text(f"{which.en} {side.en} entrance", f"{side.ja}{which.ja}の入口")
    return Text(f"{side.en} {which.en} entrance", f"{which.ja}{side.ja}の入口")


def goal_where(goal: Goal, catalogue: Catalogue) -> Text:
    """The card and place of a goal, or the edges by which a group leaves."""
    if goal.card is None:
        if len(goal.sides) == len(_EDGES):
            return Text("any edge", "どこかの端")
        return joined([_EDGES[side] for side in _EDGES if side in goal.sides], Text(" or ", "か"))
    card = catalogue.card(goal.card)
    places = [place_words(card, place) for place in sorted(goal.places or ())]
    where = joined(places, Text(" or ", "か")) if places else Text("any entrance", "どこかの入口")
    return Text(f"{goal.card}, {where.en}", f"{goal.card} {where.ja}")


def goal_asks(goal: Goal, mission: Mission) -> Text:
    """What a goal asks for: "sword x2"."""
    parts = [artifact_words(mission, name) for name in goal.artifacts]
    for kind, wanted in goal.counts.items():
        name = VOCABULARY.name(kind)
        parts.append(Text(f"{name.en} ×{wanted}", f"{name.ja} ×{wanted}"))
    return listed(parts) if parts else Text("just get there", "着くだけでよい")


def goal_name(goal: Goal, mission: Mission, catalogue: Catalogue) -> Text:
    """The display name of a goal: what it asks for, or else where it is met."""
    return goal_asks(goal, mission) if goal.counts or goal.artifacts else goal_where(goal, catalogue)


def declared_words(mission: Mission, code: str) -> Text:
    """Words for a losing event that only people can observe."""
    words = mission.lose.told.get(code, {})
    return Text(words.get("en", code), words.get("ja", code))


def losses(mission: Mission) -> list[Text]:
    """The losing conditions: those of every mission, and those of this one."""
    own = []
    for code in mission.lose.declared:
        told = declared_words(mission, code)
        own.append(Text(OWN_LOSS.en + told.en, OWN_LOSS.ja + told.ja))
    return [*ALWAYS_LOST, *own]
