"""The open deck: what a buyer of the box could count and check, and that the cards can be played."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely
from deck_walks import figures, layouts_of, play
from drawing_geometry import drawing_problems
from ruling_cases import pins_rules

from calibration.decks.mapmasters.declaration import COLOURS, OPENING_SPOTS_MM, load_declarations, parse
from calibration.decks.mapmasters.geometry import build_catalogue, lay_out
from calibration.decks.mapmasters.playability import Table, deal_hand
from calibration.decks.pieces import catalogue_json
from calibration.enrol.card_geometry import contract_problems, corridors, outline_polygon
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import FILE_NAME, Card, Catalogue, load_catalogue
from scorer.dungeon import build_dungeon

# What a find is worth to its player, about its victory points.
WORTH = {
    "coin": 1.0, "barrel": 1.0, "sword": 1.0, "scroll": 1.0, "key": 2.0, "rope": 3.0, "magic_circle": 2.0,
    "pitfall": 2.5, "lava_pit": 2.5, "padlock": 2.5, "monster": 2.5, "recycle": 1.0, "scissors": 1.0,
}  # fmt: skip
FIND_KINDS = set(WORTH)
ALIKE = 0.62  # share of painted floor in common above which two cards look alike


@pytest.fixture(scope="module")
def deck() -> Catalogue:
    return load_catalogue(bundled_catalogue())


@pytest.fixture(scope="module")
def faces(deck: Catalogue) -> list[Card]:
    """One card of each layout."""
    return [card for card in deck.cards if card.colour in (None, "red")]


def finds_of(card: Card) -> list[tuple[str, int]]:
    lying: list[tuple[str, int]] = [(node.find, node.value) for node in card.nodes if node.find]
    return lying + [(find.find, find.value) for room in card.rooms for find in room.finds]


def dungeon_cards(deck: Catalogue, cost: int) -> list[Card]:
    return [card for card in deck.cards if card.kind == "dungeon" and card.cost == cost]


def test_the_box_holds_nine_starters_in_five_colours_72_dungeon_cards_and_8_boss_and_step_cards(
    deck: Catalogue,
) -> None:
    starters = {f"S{n}-{colour}" for n in range(1, 10) for colour in COLOURS}
    dungeon = {f"D{n:02d}" for n in range(1, 73)}
    goals = {f"B{n:02d}" for n in range(1, 9)}
    assert {card.id for card in deck.cards if card.kind == "starter"} == starters
    assert {card.id for card in deck.cards if card.kind == "dungeon"} == dungeon
    assert {card.id for card in deck.cards if card.kind in ("boss", "step")} == goals
    assert {card.kind for card in deck.cards if card.id in goals} == {"boss", "step"}
    assert len(deck.cards) == 125
    assert deck.card_size_mm == (63, 88)


def test_eighteen_dungeon_cards_at_each_cost_and_starters_are_free(deck: Catalogue) -> None:
    assert Counter(card.cost for card in deck.cards if card.kind == "dungeon") == {3: 18, 4: 18, 5: 18, 6: 18}
    assert all(card.cost is None for card in deck.cards if card.kind != "dungeon")


@pins_rules("X9")
def test_starters_have_no_pits_ropes_or_circles(deck: Catalogue) -> None:
    for card in deck.cards:
        if card.kind == "starter":
            kinds = {find for find, _ in finds_of(card)}
            assert not kinds & {"pitfall", "lava_pit", "rope", "magic_circle"}, card.id
            assert 2 <= len(finds_of(card)) <= 3, card.id


def test_the_five_colours_of_a_starter_share_its_layout(deck: Catalogue) -> None:
    red, blue = deck.card("S4-red"), deck.card("S4-blue")
    assert (red.nodes, red.edges, red.rooms) == (blue.nodes, blue.edges, blue.rooms)
    assert (red.colour, blue.colour) == ("red", "blue")
    assert red.art != blue.art


def test_dearer_cards_hold_more_and_better_finds(deck: Catalogue) -> None:
    by_cost = [dungeon_cards(deck, cost) for cost in (3, 4, 5, 6)]
    counts = [sum(len(finds_of(card)) for card in cards) / 18 for cards in by_cost]
    worth = [
        sum(WORTH[find] * value for card in cards for find, value in finds_of(card)) / 18 for cards in by_cost
    ]
    ropes_and_keys = [
        sum(find in ("rope", "key") for card in cards for find, _ in finds_of(card)) for cards in by_cost
    ]
    for rising in (counts, worth, ropes_and_keys):
        assert all(a < b for a, b in pairwise(rising)), rising


def test_coins_of_value_two_and_three_lie_on_costly_cards_only(deck: Catalogue) -> None:
    rich = {card.id: (card.cost, value) for card in deck.cards for find, value in finds_of(card) if value > 1}
    assert {value for _, value in rich.values()} == {2, 3}
    assert all((cost or 0) >= 4 for cost, _ in rich.values())


def test_every_kind_of_find_is_common_enough_to_be_an_objective(faces: list[Card]) -> None:
    count = Counter(find for card in faces for find, _ in finds_of(card))
    assert set(count) == FIND_KINDS
    assert min(count.values()) >= 8, count


def test_rooms_have_one_to_four_doors_and_different_shapes(faces: list[Card]) -> None:
    doors = Counter(sum(node.room == room.id for node in card.nodes) for card in faces for room in card.rooms)
    corners = {len(room.outline) for card in faces for room in card.rooms}
    assert set(doors) == {1, 2, 3, 4}
    assert min(doors.values()) >= 4
    assert {4, 5, 6, 8} <= corners


def test_openings_lie_where_shifted_and_turned_neighbours_meet_them(faces: list[Card]) -> None:
    spots = {(name.split("-")[0], at) for name, at in OPENING_SPOTS_MM.items()}
    openings = {card.id: [node for node in card.nodes if node.kind == "opening"] for card in faces}
    assert all((node.side, node.at) in spots for nodes in openings.values() for node in nodes)
    five = sum(len(nodes) == 5 for nodes in openings.values())
    assert five > len(faces) / 2
    assert all(len(nodes) >= 4 for nodes in openings.values())
    levels = Counter(node.level for nodes in openings.values() for node in nodes)
    assert 20 <= levels["underground"] < levels["main"] / 3


def test_the_deck_has_every_way_of_moving(faces: list[Card]) -> None:
    corridor_ends = Counter(
        (card.id, end)
        for card in faces
        for e in card.edges
        if e.kind == "corridor"
        for end in (e.from_, e.to)
    )
    junctions = Counter(
        corridor_ends[card.id, node.id] for card in faces for node in card.nodes if node.kind == "junction"
    )
    assert junctions[3] > 100
    assert junctions[4] > 30
    kinds = Counter(edge.kind for card in faces for edge in card.edges)
    assert kinds["stairs"] > 50
    assert kinds["fall"] > 15
    in_room = {
        find.id for card in faces for room in card.rooms for find in room.finds if find.find == "pitfall"
    }
    assert sum(e.kind == "fall" and e.from_ in in_room for card in faces for e in card.edges) >= 5
    assert sum(node.kind == "end" for card in faces for node in card.nodes) >= 8
    at_edge = [
        door.id
        for card in faces
        for door in card.nodes
        if door.kind == "door" and any(node.kind == "opening" and node.at == door.at for node in card.nodes)
    ]
    assert len(at_edge) >= 3


def test_every_landing_leads_somewhere(faces: list[Card]) -> None:
    for card in faces:
        for fall in card.edges:
            if fall.kind == "fall":
                assert any(e.kind == "corridor" and fall.to in (e.from_, e.to) for e in card.edges), card.id


def test_no_card_breaks_the_format_or_the_drawing_rules(faces: list[Card]) -> None:
    for card in faces:
        assert contract_problems(card, (63, 88)) == []
        assert drawing_problems(card, (63, 88)) == []


def floor_mask(card: Card) -> np.ndarray:
    """Mask (44, 32) bool of the main level's floor, at 2 mm a pixel."""
    shapes = [line.buffer(3.5) for edge, line in corridors(card) if edge.level == "main"]
    shapes += [outline_polygon(room.outline) for room in card.rooms]
    floor = shapely.union_all(shapes)
    x, y = np.meshgrid(np.arange(1, 64, 2.0), np.arange(1, 89, 2.0))
    return np.asarray(shapely.contains_xy(floor, x, y))


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    """Greatest intersection over union of two floor masks, over upright, rotated and mirrored versions."""
    turns = (b, b[::-1, ::-1], b[:, ::-1], b[::-1])
    return max(float((a & t).sum() / (a | t).sum()) for t in turns)


def test_no_two_layouts_look_alike_even_turned_or_mirrored(faces: list[Card]) -> None:
    masks = [floor_mask(card) for card in faces]
    worst = max(likeness(a, b) for i, a in enumerate(masks) for b in masks[:i])
    assert worst < ALIKE


def test_the_shipped_catalogue_is_what_the_declarations_say() -> None:
    assert (bundled_catalogue() / FILE_NAME).read_bytes() == catalogue_json(build_catalogue())


def test_another_seed_draws_the_same_topology_elsewhere() -> None:
    declared = next(card for card in load_declarations() if card.id == "D05")
    one, other = lay_out(declared), lay_out(replace(declared, seed=declared.seed + 1))
    assert [node.id for node in one.nodes] == [node.id for node in other.nodes]
    assert [node.at for node in one.nodes] != [node.at for node in other.nodes]


def test_a_line_that_is_no_declaration_is_named() -> None:
    with pytest.raises(ValueError, match="line 2: 'corridr main w1 j1'"):
        parse("[D01] dungeon cost=3 seed=1\ncorridr main w1 j1\n")


def test_a_random_hand_offers_several_layouts_and_paths_of_ten_to_forty_places(deck: Catalogue) -> None:
    measured = figures(play(deck, hands=6, seed=5))
    assert measured["median layouts found per hand"] >= 10
    assert measured["share of hands with 3 or more layouts that give a path of 10 places or more"] >= 0.8
    assert 10 <= measured["median of the longest legal path, places"] <= 40


def test_layouts_are_laid_without_an_opening_that_faces_a_wall(deck: Catalogue) -> None:
    rng = np.random.default_rng(3)
    for layout in layouts_of(Table(deck), deal_hand(deck, rng), rng, tries=5):
        assert build_dungeon(deck, layout).faults == ()
