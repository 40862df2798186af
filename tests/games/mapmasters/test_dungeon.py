"""The dungeon: which openings meet, which are open, and what the laying breaks."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from scorer.catalogue import Catalogue, parse_catalogue
from scorer.dungeon import Link, build_dungeon
from scorer.errors import WaymarkError
from scorer.placement import (
    EPSILON_MM,
    MEETING_DISTANCE_MM,
    MOST_NEAR_PAIRS,
    PlacementFault,
    card_to_table,
    footprint,
    near_pairs,
    table_to_card,
    touching,
)
from scorer.record import MOST_CARDS, PlacedCard, Rotation

SIZE = (63.0, 88.0)
#: Of the card O.
OTHER_SIZE = (57.0, 89.0)


def opening(name: str, side: str, at: list[float], level: str = "main") -> dict[str, object]:
    return {"id": name, "kind": "opening", "side": side, "level": level, "at": at}


def catalogue() -> Catalogue:
    """X: openings on all sides, w2 and e2 underground. R: a room with a pit that falls onto a landing. O: of
    another size, a corridor across."""
    cross = {
        "id": "X",
        "kind": "dungeon",
        "art": "art/X.png",
        "nodes": [
            opening("n", "top", [31.5, 0]),
            opening("s", "bottom", [31.5, 88]),
            opening("w1", "left", [0, 22]),
            opening("w2", "left", [0, 66], "underground"),
            opening("e1", "right", [63, 22]),
            opening("e2", "right", [63, 66], "underground"),
            {"id": "j", "kind": "junction", "at": [31.5, 22]},
        ],
        "edges": [
            {"kind": "corridor", "level": "main", "from": "w1", "to": "j", "via": [[10, 25]]},
            {"kind": "corridor", "level": "main", "from": "j", "to": "e1"},
        ],
    }
    room = {
        "id": "R",
        "kind": "dungeon",
        "art": "art/R.png",
        "nodes": [
            {"id": "d1", "kind": "door", "room": "A", "at": [20, 50]},
            {"id": "u", "kind": "junction", "level": "underground", "at": [30, 50]},
        ],
        "edges": [{"kind": "fall", "from": "A1", "to": "u"}],
        "rooms": [
            {
                "id": "A",
                "outline": [[20, 40], [44, 40], [44, 60], [20, 60]],
                "finds": [{"id": "A1", "find": "pitfall", "at": [30, 50]}],
            }
        ],
    }
    other = {
        "id": "O",
        "kind": "dungeon",
        "art": "art/O.png",
        "size_mm": OTHER_SIZE,
        "nodes": [opening("w", "left", [0, 20]), opening("e", "right", [57, 50])],
        "edges": [{"kind": "corridor", "from": "w", "to": "e"}],
    }
    data = {
        "format": "waymark-catalogue/1",
        "name": "t",
        "game": "g",
        "card_size_mm": SIZE,
        "cards": [cross, room, other],
    }
    return parse_catalogue(json.dumps(data).encode())


def crossings(*cards: PlacedCard) -> set[tuple[str, str]]:
    return {(link.a, link.b) for link in build_dungeon(catalogue(), cards).links if link.kind == "crossing"}


def rules(*cards: PlacedCard) -> set[tuple[str, tuple[int, ...]]]:
    return {(fault.rule, fault.cards) for fault in build_dungeon(catalogue(), cards).faults}


FIRST = PlacedCard("X", 0, 0)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        pytest.param(PlacedCard("X", 63, 0), {("0.e1", "1.w1"), ("0.e2", "1.w2")}, id="side by side"),
        pytest.param(PlacedCard("X", 0, 88), {("0.s", "1.n")}, id="below"),
        pytest.param(
            PlacedCard("X", 63, 2.9), {("0.e1", "1.w1"), ("0.e2", "1.w2")}, id="2.9 mm off still meets"
        ),
        pytest.param(PlacedCard("X", 63, 3.1), set(), id="3.1 mm off does not"),
        pytest.param(
            PlacedCard("X", 64.5, 0), {("0.e1", "1.w1"), ("0.e2", "1.w2")}, id="a gap of 1.5 mm is contact"
        ),
        pytest.param(PlacedCard("X", 64.6, 0), set(), id="a gap of 1.6 mm is not"),
        pytest.param(PlacedCard("X", 63, 44), set(), id="half a height down the levels differ"),
        pytest.param(PlacedCard("X", 63, 44, 180), {("0.e2", "1.e2")}, id="upside-down, half a height down"),
        pytest.param(PlacedCard("X", 63, -44, 180), {("0.e1", "1.e1")}, id="upside-down, half a height up"),
    ],
)
def test_openings_meet_by_place_side_and_level(second: PlacedCard, expected: set[tuple[str, str]]) -> None:
    assert crossings(FIRST, second) == expected


def test_an_opening_that_meets_no_card_is_open_and_those_that_face_a_card_are_not() -> None:
    dungeon = build_dungeon(catalogue(), [FIRST, PlacedCard("X", 63, 44)])
    assert dungeon.open_openings == {
        *("0.n", "0.s", "0.w1", "0.w2", "0.e1"),
        *("1.n", "1.s", "1.e1", "1.e2", "1.w2"),
    }
    # 0.e2 (underground) faces 1.w1 (main): both are closed, and the pair is told once.
    assert dungeon.faults == (PlacementFault("misaligned", (0, 1), ("0.e2", "1.w1")),)


def test_an_opening_that_faces_a_wall_is_closed() -> None:
    dungeon = build_dungeon(catalogue(), [FIRST, PlacedCard("X", 63, 30)])
    assert {"0.e2", "1.w1"}.isdisjoint(dungeon.open_openings), "each faces the other card's rock"
    assert {"0.e1", "1.w2"} <= dungeon.open_openings, "one lies above the other card, one below"


def test_an_opening_under_another_card_is_closed() -> None:
    dungeon = build_dungeon(catalogue(), [FIRST, PlacedCard("X", 40, 10)])
    assert {"0.e1", "0.e2"}.isdisjoint(dungeon.open_openings)
    assert ("overlap", (0, 1)) in rules(FIRST, PlacedCard("X", 40, 10))


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        pytest.param(PlacedCard("X", 63, 0), set(), id="contact"),
        pytest.param(PlacedCard("X", 61.6, 0), set(), id="1.4 mm of overlap is tolerated"),
        pytest.param(PlacedCard("X", 61.0, 0), {("overlap", (0, 1))}, id="2 mm is not"),
        pytest.param(PlacedCard("X", 70, 0), {("detached", (1,))}, id="apart"),
        pytest.param(PlacedCard("X", 63, 88), {("detached", (1,))}, id="a shared corner is no contact"),
        pytest.param(
            PlacedCard("X", 0, 88, 90), {("turned", (1,)), ("misaligned", (0, 1))}, id="a quarter turn"
        ),
    ],
)
def test_laying(second: PlacedCard, expected: set[tuple[str, tuple[int, ...]]]) -> None:
    assert rules(FIRST, second) - {("misaligned", (0, 1))} == expected - {("misaligned", (0, 1))}


def test_detached_names_the_cards_outside_the_largest_piece() -> None:
    assert ("detached", (0,)) in rules(PlacedCard("X", -500, 0), FIRST, PlacedCard("X", 63, 0))


def test_doors_and_finds_are_linked_to_their_room_and_falls_lead_one_way() -> None:
    dungeon = build_dungeon(catalogue(), [PlacedCard("R", 0, 0)])
    assert {link.b for link in dungeon.neighbours["0.A"]} == {"0.d1", "0.A1"}
    assert {link.b for link in dungeon.neighbours["0.A1"]} == {"0.A", "0.u"}
    assert dungeon.neighbours["0.u"] == ()
    assert dungeon.places["0.A"].at_mm == pytest.approx((32, 50))


def test_links_run_from_a_to_b_and_turn_round() -> None:
    dungeon = build_dungeon(catalogue(), [PlacedCard("X", 100, 0, 180)])
    (link,) = dungeon.links_between("0.j", "0.w1")
    assert link.line_mm == ((131.5, 66), (153, 63), (163, 66))
    assert link.reversed().reversed() == link


def test_neighbours_hold_each_link_at_its_start_and_turned_at_its_end() -> None:
    cards = [FIRST, PlacedCard("X", 63, -44, 180), PlacedCard("R", -63, 0)]
    dungeon = build_dungeon(catalogue(), cards)
    expected: dict[str, list[Link]] = {name: [] for name in dungeon.places}
    for link in dungeon.links:
        expected[link.a].append(link)
        if not link.one_way:
            expected[link.b].append(link.reversed())
    assert {name: list(links) for name, links in dungeon.neighbours.items()} == expected
    assert "0.nowhere" not in dungeon.neighbours
    assert dungeon.links_between("0.nowhere", "0.j") == ()


def test_a_thousand_cards_edge_to_edge_are_one_dungeon() -> None:
    # Forty columns; w1 meets e1 and w2 meets e2 between two of them, s meets n between two rows.
    cards = [PlacedCard("X", i % 40 * 63.0, i // 40 * 88.0) for i in range(MOST_CARDS)]
    dungeon = build_dungeon(catalogue(), cards)
    assert dungeon.faults == ()
    assert len([link for link in dungeon.links if link.kind == "crossing"]) == 2 * 25 * 39 + 24 * 40


def test_cards_in_one_heap_are_refused_in_a_sentence() -> None:
    heap = [FIRST] * 200
    assert len(build_dungeon(catalogue(), heap).faults) == 200 * 199 // 2 <= MOST_NEAR_PAIRS
    with pytest.raises(WaymarkError) as caught:
        build_dungeon(catalogue(), heap * 2)
    assert (caught.value.code, caught.value.exit_status) == ("heaped-cards", 3)


LAID = st.lists(
    st.builds(
        PlacedCard, st.just("X"), st.floats(-200, 200), st.floats(-200, 200), st.sampled_from([0, 90, 180])
    )
    | st.builds(
        PlacedCard,
        st.just("X"),
        st.integers(-2, 2).map(lambda column: 63.0 * column),
        st.integers(-4, 4).map(lambda row: 44.0 * row),
    ),
    min_size=1,
    max_size=12,
)


@given(LAID)
def test_near_pairs_are_those_whose_gaps_are_within_meeting_distance(cards: list[PlacedCard]) -> None:
    footprints = [footprint(card, SIZE) for card in cards]
    gaps = {(i, j): max(footprints[i].gap(footprints[j])) for j in range(len(cards)) for i in range(j)}
    near = near_pairs(footprints)
    assert near == sorted(set(near))
    assert {pair for pair, gap in gaps.items() if gap <= MEETING_DISTANCE_MM} <= set(near)
    assert all(gaps[pair] <= MEETING_DISTANCE_MM + 3 * EPSILON_MM for pair in near)


@given(LAID)
def test_detached_cards_are_those_that_no_chain_of_contact_joins_to_the_largest_piece(
    cards: list[PlacedCard],
) -> None:
    footprints = [footprint(card, SIZE) for card in cards]
    contact = np.array([[touching(a, b) for b in footprints] for a in footprints])
    _, piece_of = connected_components(contact)
    largest = max(piece_of, key=list(piece_of).count)  # the first of those that are alike
    detached = tuple(card for card, piece in enumerate(piece_of) if piece != largest)
    faults = build_dungeon(catalogue(), cards).faults
    assert [fault.cards for fault in faults if fault.rule == "detached"] == ([detached] if detached else [])


@given(
    st.floats(-500, 500),
    st.floats(-500, 500),
    st.sampled_from([0, 90, 180, 270]),
    st.tuples(st.floats(0, 63), st.floats(0, 88)),
)
def test_table_and_card_coordinates_are_inverse(
    x: float, y: float, rotation: int, point: tuple[float, float]
) -> None:
    placed = PlacedCard("X", x, y, rotation)  # type: ignore[arg-type]
    assert table_to_card(placed, card_to_table(placed, point, SIZE), SIZE) == pytest.approx(point, abs=1e-6)


@given(
    st.lists(
        st.tuples(st.integers(-2, 2), st.integers(-4, 4), st.sampled_from([0, 180])), min_size=1, max_size=5
    )
)
def test_turning_the_table_changes_no_crossing(spots: list[tuple[int, int, int]]) -> None:
    cards = [PlacedCard("X", 63.0 * x, 44.0 * y, turn) for x, y, turn in spots]  # type: ignore[arg-type]
    turned = [PlacedCard("X", -card.x, -card.y, (card.rotation + 180) % 360) for card in cards]  # type: ignore[arg-type]
    assert crossings(*cards) == crossings(*turned)
    assert build_dungeon(catalogue(), cards).open_openings == build_dungeon(catalogue(), turned).open_openings


# --- cards of two sizes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("placed", "crossing"),
    [
        (PlacedCard("O", 63, 2), ("0.e1", "1.w")),
        (PlacedCard("O", 63, -17, 180), ("0.e1", "1.e")),
        (PlacedCard("O", -57, -28), ("0.w1", "1.e")),
        (PlacedCard("O", -57, -47, 180), ("0.w1", "1.w")),
    ],
    ids=["right", "right, turned", "left", "left, turned"],
)
def test_a_card_of_another_size_is_walked_onto_by_its_own_openings(
    placed: PlacedCard, crossing: tuple[str, str]
) -> None:
    dungeon = build_dungeon(catalogue(), [PlacedCard("X", 0, 0), placed])
    (link,) = dungeon.crossings
    assert (link.a, link.b) == crossing
    # The far end lies on the card's own edge, and is open.
    far = dungeon.places["1.e" if crossing[1] == "1.w" else "1.w"]
    assert far.id in dungeon.open_openings and far.at_mm[0] == (120 if placed.x > 0 else -57)
    assert {round(math.dist(a, b), 6) for a, b in pairwise(dungeon.outline_mm(1))} == {*OTHER_SIZE}
    assert not {"overlap", "detached"} & {fault.rule for fault in dungeon.faults}


@given(st.sampled_from((0, 180)), st.sampled_from(("X", "O")), st.floats(-40, 40), st.floats(0, 6))
def test_cards_of_any_size_meet_where_openings_do(
    rotation: Rotation, left: str, down: float, gap: float
) -> None:
    deck = catalogue()
    right = "O" if left == "X" else "X"
    cards = [PlacedCard(left, 0, 0), PlacedCard(right, deck.size_of(left)[0] + gap, down, rotation)]
    dungeon = build_dungeon(deck, cards)
    own, others = [
        [place for place in dungeon.places.values() if place.side == side and place.card_index == index]
        for index, side in enumerate(("right", "left"))
    ]
    meeting = {
        (a.id, b.id)
        for a in own
        for b in others
        if a.level == b.level and gap <= 1.5 and math.dist(a.at_mm, b.at_mm) <= MEETING_DISTANCE_MM
    }
    assert {(link.a, link.b) for link in dungeon.crossings} == meeting


def test_no_card_of_another_size_lies_on_its_neighbour_unnoticed() -> None:
    edge_to_edge = [PlacedCard("O", 0, 0), PlacedCard("X", 57, 0)]
    assert not [each for each in build_dungeon(catalogue(), edge_to_edge).faults if each.rule == "overlap"]
    shifted = [PlacedCard("O", 0, 0), PlacedCard("X", 55, 0)]
    faults = build_dungeon(catalogue(), shifted).faults
    assert PlacementFault("overlap", (0, 1)) in faults
