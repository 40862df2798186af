"""The simulated person who traces a deck (`tools.trace_taps`)."""

from __future__ import annotations

import pytest

from calibration.enrol.trace.drafts import Draft
from calibration.enrol.trace.tracing import Change, Confirm, Edit, Erase, EraseCorridor, Tracing
from scorer.catalogue import Card, Edge, Node
from tools.trace_taps import CardTaps, next_answer

TRUE = Card(
    id="D1",
    kind="dungeon",
    art="art/D1.png",
    nodes=(
        Node(id="w1", kind="opening", side="left", level="main", at=(0, 20)),
        Node(id="f1", kind="find", find="sword", level="main", at=(30, 20)),
    ),
    edges=(Edge(kind="corridor", from_="w1", to="f1", level="main"),),
    rooms=(),
)
SWORD, OPENING = TRUE.nodes[1], TRUE.nodes[0]


def guess(*nodes: Node, edges: tuple[Edge, ...] = ()) -> Draft:
    return Draft(version=0, states=(Tracing(nodes=nodes, edges=edges),))


def test_a_card_proposed_right_is_one_tap() -> None:
    assert CardTaps("D1", answers=0, mends=0).taps == 1
    assert CardTaps("D1", answers=2, mends=1).taps == 2 + 2 + 1


@pytest.mark.parametrize(
    ("kind", "at", "answer"),
    [
        ("sword", (30.5, 20.0), Confirm(place="g")),
        ("key", (30.5, 20.0), Change(place="g", find="sword")),
        ("sword", (50.0, 70.0), Erase(place="g")),
    ],
)
def test_a_find_in_doubt_is_answered_by_the_true_card(
    kind: str, at: tuple[float, float], answer: Edit
) -> None:
    node = Node(id="g", kind="find", find=kind, level="main", at=at, confidence=0.3)  # type: ignore[arg-type]
    assert next_answer(guess(node), TRUE) == answer


def test_a_corridor_in_doubt_is_kept_only_where_there_is_one() -> None:
    far = Node(id="j1", kind="junction", level="main", at=(30, 70))
    edges = (
        Edge(kind="corridor", from_="w1", to="f1", level="main", via=((15, 20),), confidence=0.3),
        Edge(kind="corridor", from_="f1", to="j1", level="main", via=((30, 60),), confidence=0.3),
    )
    assert next_answer(guess(OPENING, SWORD, far, edges=edges[:1]), TRUE) == Confirm(edge=0)
    assert next_answer(guess(OPENING, SWORD, far, edges=edges[1:]), TRUE) == EraseCorridor(edge=0)


def test_what_is_sure_is_not_asked() -> None:
    assert next_answer(guess(OPENING, SWORD), TRUE) is None
