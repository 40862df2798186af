"""What a person does next about a tracing that is wrong (`tools.mend_tracing`)."""

from __future__ import annotations

import msgspec

from calibration.enrol.propose.comparison import compare
from calibration.enrol.trace.canvas import edited
from calibration.enrol.trace.tracing import (
    Change,
    Corridor,
    Edit,
    Erase,
    EraseCorridor,
    tracing_of,
    with_tracing,
)
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Card, Edge, Node, read_catalogue
from tools.mend_tracing import next_mend

DECK = read_catalogue(bundled_catalogue())
TRUE = DECK.card("D29")


def mended(card: Card) -> tuple[Card, list[Edit]]:
    """The card after all edits, and the edits."""
    done: list[Edit] = []
    while (edit := next_mend(card, TRUE, done)) is not None:
        done.append(edit)
        card = with_tracing(card, edited(tracing_of(card), edit, DECK.card_size_mm), "proposed")
    return card, done


def test_the_true_dungeon_needs_nothing() -> None:
    assert mended(TRUE) == (TRUE, [])


def test_a_find_of_another_kind_is_changed() -> None:
    find = next(node for node in TRUE.nodes if node.find)
    other = "key" if find.find != "key" else "rope"
    nodes = tuple(msgspec.structs.replace(n, find=other) if n is find else n for n in TRUE.nodes)
    made, done = mended(msgspec.structs.replace(TRUE, nodes=nodes))
    assert done == [Change(place=find.id, find=find.find, value=find.value)]  # type: ignore[arg-type]
    assert compare(made, TRUE).exact.found


def test_a_find_that_is_none_is_erased() -> None:
    room = TRUE.rooms[0]
    x, y = (sum(axis) / len(room.outline) for axis in zip(*room.outline, strict=True))
    find = msgspec.structs.replace(room.finds[0], id="A9", at=(x, y), find="barrel")
    more = msgspec.structs.replace(room, finds=(*room.finds, find))
    made, done = mended(msgspec.structs.replace(TRUE, rooms=(more, *TRUE.rooms[1:])))
    assert done == [Erase(place="A9")] and compare(made, TRUE).exact.found


def test_a_corridor_that_is_not_there_is_drawn_and_one_too_many_erased() -> None:
    lone = next(
        edge
        for edge in TRUE.edges
        if edge.kind == "corridor" and any(n.id == edge.from_ and n.kind == "opening" for n in TRUE.nodes)
    )
    _, done = mended(msgspec.structs.replace(TRUE, edges=tuple(e for e in TRUE.edges if e is not lone)))
    assert any(isinstance(edit, Corridor) for edit in done)
    corner = Node(id="x9", kind="end", at=(1.0, 1.0))
    edge = Edge(kind="corridor", from_=lone.from_, to="x9", level=lone.level)
    too_many = msgspec.structs.replace(TRUE, nodes=(*TRUE.nodes, corner), edges=(*TRUE.edges, edge))
    made, done = mended(too_many)
    assert EraseCorridor(edge=len(TRUE.edges)) in done
    assert compare(made, TRUE).parts["corridors"].proposed == compare(TRUE, TRUE).parts["corridors"].true
