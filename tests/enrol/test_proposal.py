"""Dungeons proposed from faces: put together from parts that are seen, sound, measured, kept apart from what
people trace."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import get_args

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.enrol.card_geometry import contract_problems
from calibration.enrol.propose.comparison import Comparison, Judged, compare, judged
from calibration.enrol.propose.confidence import confident
from calibration.enrol.propose.draft import SeenFind, Spot, spots
from calibration.enrol.propose.drawing import (
    DOOR,
    FIND,
    FLOOR,
    FOOT,
    MAIN,
    ROOM,
    STAIRS,
    UNDER,
    drawing_of,
    drawn_parts,
)
from calibration.enrol.propose.folder import machine_proposal, propose_folder
from calibration.enrol.propose.icons import (
    NamedPrint,
    Print,
    guessed,
    looks_of,
    named_prints,
    naming,
    printed_at,
)
from calibration.enrol.propose.knowledge import Habits, Knowledge, KnownOpening, learn, learned
from calibration.enrol.propose.parts import Sight, gathered, size_px_of, spread
from calibration.enrol.propose.propose import assembled, propose, sound
from calibration.enrol.propose.stairs import told_by_prints
from calibration.enrol.trace.tracing import LEAST_SURE, in_doubt
from calibration.open_deck import bundled_catalogue
from samples.styles.decks import deck_of, draw
from scorer.catalogue import (
    Card,
    Catalogue,
    Edge,
    FindKind,
    Level,
    Node,
    Point,
    Room,
    RoomFind,
    Side,
    read_catalogue,
)
from tools.fit_confidence import Observation, fitted
from waymark.cli.main import cli

DECK = read_catalogue(bundled_catalogue())
SIZE = DECK.card_size_mm
OTHERS = [each for each in get_args(FindKind) if each not in ("coin", "monster")]


def parts_of(card: Card) -> NDArray[np.float32]:
    """The card's parts, as a network that errs in nothing would see them."""
    size_px = size_px_of(SIZE)
    return np.asarray(drawn_parts(drawing_of(card, SIZE, size_px), size_px) / 255, np.float32)


def put_together(card: Card, parts: NDArray[np.float32] | None = None, habits: Habits | None = None) -> Card:
    """The dungeon from its own parts, or from others."""
    size_px = size_px_of(SIZE)
    parts = parts_of(card) if parts is None else parts
    true = [(node.at, node.find, node.value) for node in card.nodes if node.find]
    true += [(find.at, find.find, find.value) for room in card.rooms for find in room.finds]
    finds = []
    for spot in spots(parts, FIND, np.array(size_px) / np.array(SIZE)):
        _, find, value = min(true, key=lambda each: float(np.hypot(*(np.array(each[0]) - spot.at))))
        finds.append(SeenFind(spot, find, value, 1.0, may_be_pit=find == "pitfall", known=True))
    return assembled(parts, SIZE, finds, habits or Habits(), (card.id, card.kind, card.art))


@pytest.mark.parametrize("card_id", ["D29", "S2-red", "B02"])
def test_a_dungeon_is_put_together_from_what_is_seen_of_it(card_id: str) -> None:
    declared = DECK.card(card_id)
    made = put_together(declared)
    assert not contract_problems(made, SIZE)
    told = compare(made, declared)
    assert told.exact.found == 1 and told.ways.recall == pytest.approx(1, abs=0.05)
    assert made.tracing == "proposed"
    told_of = [node.confidence for node in made.nodes] + [edge.confidence for edge in made.edges]
    assert None not in told_of + [room.confidence for room in made.rooms]


def scribbled(rng: np.random.Generator) -> NDArray[np.float32]:
    """Parts as of no card: lines of both levels anywhere, rooms, and doors, finds and stairs on them."""
    parts = np.zeros((8, 176, 128), np.float32)
    for part in (MAIN, UNDER):
        for _ in range(int(rng.integers(2, 9))):
            line = np.zeros(parts.shape[1:], np.float32)
            corners = rng.integers(-10, (138, 186), (int(rng.integers(2, 5)), 2)).astype(np.int32)
            cv2.polylines(line, [corners], False, float(rng.uniform(0.2, 1)), 4)
            parts[part] = np.maximum(parts[part], line)
    for _ in range(int(rng.integers(0, 4))):
        low = rng.integers(0, (128, 176))
        high = low + rng.integers(15, 50, 2)
        cv2.rectangle(parts[ROOM], low.tolist(), high.tolist(), float(rng.uniform(0.4, 1)), -1)
    for part in (DOOR, FIND, STAIRS, FOOT):
        for _ in range(int(rng.integers(0, 7))):
            on = np.argwhere(parts[int(rng.choice([MAIN, UNDER, ROOM]))] > 0.1)
            if len(on):
                row, column = on[int(rng.integers(len(on)))].tolist()
                cv2.circle(parts[part], (column, row), 3, float(rng.uniform(0.1, 1)), -1)
    soft = cv2.GaussianBlur(parts.transpose(1, 2, 0), (0, 0), 1.0)
    return np.ascontiguousarray(soft.transpose(2, 0, 1))


@pytest.mark.parametrize("seed", [92, 153, 228, 278, 384, 398, *range(12)])
@pytest.mark.parametrize("taught", [False, True])
def test_whatever_is_seen_makes_a_sound_dungeon_or_none(seed: int, taught: bool) -> None:
    parts = scribbled(np.random.default_rng(seed))
    finds = [
        SeenFind(spot, "coin" if k % 4 else "pitfall", 1, 1.0, may_be_pit=k % 4 == 0, known=k % 2 == 0)
        for k, spot in enumerate(spots(parts, FIND, np.full(2, 2.03)))
    ]
    sides: tuple[tuple[Side, float], ...] = (("top", 31.5), ("bottom", 31.5), ("left", 22.0), ("right", 22.0))
    openings = tuple(KnownOpening(side, place, 5) for side, place in sides)
    habits = Habits(openings=openings, dead_ends=frozenset(), stairs_at_ends=True) if taught else Habits()
    made = sound(assembled(parts, SIZE, finds, habits, ("T", "dungeon", "")), SIZE)
    assert not contract_problems(made, SIZE)


def hidden(parts: NDArray[np.float32], part: int, top: float, bottom: float) -> NDArray[np.float32]:
    """The parts with one of them unseen between two heights, in shares of the card's."""
    made = parts.copy()
    rows = parts.shape[1]
    made[part, int(top * rows) : int(bottom * rows)] *= 0.1
    return made


def straight_card(level: Level, *, length_mm: float = SIZE[1]) -> Card:
    """A corridor from the top straight down, to the bottom edge or to a dead end."""
    through = length_mm == SIZE[1]
    nodes = [Node(id="n1", kind="opening", side="top", at=(31.5, 0.0), level=level)]
    if through:
        nodes.append(Node(id="s1", kind="opening", side="bottom", at=(31.5, SIZE[1]), level=level))
    else:
        nodes.append(Node(id="x1", kind="end", at=(31.5, length_mm), level=level))
    edge = Edge(kind="corridor", level=level, from_="n1", to=nodes[1].id)
    return Card(id="T", kind="dungeon", art="", nodes=tuple(nodes), edges=(edge,))


TOP_AND_BOTTOM = Habits(
    openings=(KnownOpening("top", 31.5, 5), KnownOpening("bottom", 31.5, 5)), dead_ends=frozenset()
)


def test_a_line_that_other_floors_hide_leads_out_where_the_deck_opens() -> None:
    card = straight_card("underground")
    parts = hidden(parts_of(card), UNDER, 0.8, 1.0)
    parts[FLOOR, int(0.78 * parts.shape[1]) :] = 1.0
    told = compare(put_together(card, parts, TOP_AND_BOTTOM), card)
    assert told.exact.found == 1
    # what is not seen is a guess to look at
    made = confident(put_together(card, parts, TOP_AND_BOTTOM), traced=10)
    assert all(in_doubt(edge) for edge in made.edges)
    # nothing is known of the deck: it ends there
    assert compare(put_together(card, parts), card).exact.found == 0


def test_a_landing_lies_as_far_from_its_pit_as_the_decks_do() -> None:
    lines = straight_card("main"), straight_card("underground", length_mm=60.0)
    pit = Node(id="p1", kind="find", find="pitfall", at=(31.5, 40.0), level="main")
    left = [msgspec.structs.replace(node, at=(15.0, node.at[1])) for node in lines[1].nodes]
    nodes = (*lines[0].nodes, pit, *(msgspec.structs.replace(n, id="u" + n.id) for n in left))
    edges = (
        Edge(kind="corridor", level="main", from_="n1", to="p1"),
        Edge(kind="corridor", level="main", from_="p1", to="s1"),
        Edge(kind="corridor", level="underground", from_="un1", to="ux1"),
        Edge(kind="fall", from_="p1", to="ux1"),
    )
    nodes = tuple(msgspec.structs.replace(n, kind="junction") if n.id == "ux1" else n for n in nodes)
    card = Card(id="T", kind="dungeon", art="", nodes=nodes, edges=edges)
    habits = learned([(card, np.full((880, 630, 3), 90, np.uint8), SIZE)]).habits
    assert habits.landings_mm == pytest.approx((25.9, 25.9), abs=0.1)
    assert compare(put_together(card, habits=habits), card).exact.found == 1
    # where landings lie at their pits, that one is none
    assert not compare(put_together(card), card).exact.found


@pytest.mark.parametrize(("known", "stairs"), [(False, 2), (True, 0)])
def test_stairs_are_no_find_unless_its_icon_is_known(known: bool, stairs: int) -> None:
    level, under = straight_card("main", length_mm=40.0), straight_card("underground", length_mm=50.0)
    top = Node(id="t1", kind="stairs", at=(31.5, 40.0), level="main")
    foot = Node(id="v1", kind="stairs", at=(20.0, 50.0), level="underground")
    nodes = (level.nodes[0], top, msgspec.structs.replace(under.nodes[0], id="n2", at=(20.0, 0.0)), foot)
    edges = (
        Edge(kind="corridor", level="main", from_="n1", to="t1"),
        Edge(kind="corridor", level="underground", from_="n2", to="v1"),
        Edge(kind="stairs", from_="t1", to="v1"),
    )
    parts = parts_of(Card(id="T", kind="dungeon", art="", nodes=nodes, edges=edges))
    parts[STAIRS] *= 0.8
    like_find = SeenFind(Spot(np.array(top.at), 0.9), "coin", 1, 0.5, known=known)
    made = assembled(parts, SIZE, [like_find], Habits(), ("T", "dungeon", ""))
    assert sum(node.kind == "stairs" for node in made.nodes) == stairs


def test_a_plain_dead_end_stays_where_the_deck_seldom_has_one_and_is_doubted() -> None:
    card = straight_card("main", length_mm=12.0)
    made = confident(put_together(card, habits=TOP_AND_BOTTOM), traced=10)
    assert in_doubt(next(node for node in made.nodes if node.kind == "end"))
    assert not put_together(card, parts_of(card) * np.float32(0.6), TOP_AND_BOTTOM).edges


def coin_card(at: Point) -> tuple[Card, NDArray[np.uint8]]:
    """A level corridor through a pale face with a striped icon on it; what is seen of it says 2.4 mm off."""
    nodes = (
        Node(id="w1", kind="opening", side="left", at=(0.0, at[1]), level="main"),
        Node(id="f1", kind="find", find="key", at=at, level="main"),
        Node(id="e1", kind="opening", side="right", at=(SIZE[0], at[1]), level="main"),
    )
    edges = tuple(
        Edge(kind="corridor", level="main", from_=one.id, to=other.id)
        for one, other in itertools.pairwise(nodes)
    )
    face = np.full((880, 630, 3), 200, np.uint8)
    middle = np.round(np.array(at) * 10).astype(int)
    cv2.circle(face, middle.tolist(), 32, (40, 40, 160), -1)
    cv2.line(face, (middle - [20, -14]).tolist(), (middle - [-16, 20]).tolist(), (60, 220, 240), 9)
    cv2.circle(face, (middle + 12).tolist(), 8, (250, 120, 30), -1)
    return Card(id="T", kind="dungeon", art="", nodes=nodes, edges=edges), face


def sight_of(card: Card, off_mm: float = 0.0, chance: float = 1.0) -> Sight:
    """What a network sees of a card whose finds it takes to lie elsewhere, and as so likely."""
    parts = parts_of(card)
    step = round(off_mm * parts.shape[2] / SIZE[0])
    parts[FIND] = np.roll(parts[FIND], step, axis=1) * chance
    seen = np.clip(gathered(parts), 0.001, 0.999)
    return Sight(
        np.asarray(np.log(seen / (1 - seen)), np.float32), np.zeros((0, *seen.shape[1:]), np.float32)
    )


def test_a_find_lies_where_its_icon_does() -> None:
    (first, face), (second, other) = coin_card((20.0, 60.0)), coin_card((40.0, 22.0))
    prints = tuple(named_prints(first, face, SIZE))
    made = propose(other, SIZE, Knowledge(cards=3, prints=prints), sight=sight_of(second, off_mm=2.4))
    find = next(node for node in made.nodes if node.find)
    assert find.find == "key" and np.hypot(*(np.array(find.at) - (40.0, 22.0))) < 0.5


@pytest.mark.parametrize(("chance", "finds"), [(0.5, 0), (0.9, 1)])
def test_what_looks_like_no_named_icon_is_a_find_only_where_it_is_plain(chance: float, finds: int) -> None:
    card, face = coin_card((40.0, 22.0))
    other = DECK.card("D29")
    art = np.asarray(cv2.imread(str(DECK.art_path(other))), np.uint8)
    knowledge = Knowledge(cards=3, prints=tuple(named_prints(other, art, SIZE)))
    made = propose(face, SIZE, knowledge, sight=sight_of(card, chance=chance))
    guesses = [node for node in made.nodes if node.find]
    assert len(guesses) == finds
    assert all(in_doubt(node) for node in guesses)


def square(*colours: tuple[int, int, int]) -> Print:
    """A print in stripes of these colours (BGR)."""
    stripes = np.zeros((46, 46, 3), np.float32)
    for row in range(46):
        stripes[row] = colours[row // 5 % len(colours)]
    return Print(np.asarray(cv2.cvtColor(stripes / 255, cv2.COLOR_BGR2LAB), np.float32))


def test_an_unnamed_icon_may_be_another_of_its_colours_or_another_look_of_a_kind_that_has_many() -> None:
    gold, red, green, blue = (40, 180, 220), (40, 40, 200), (60, 170, 60), (200, 90, 40)
    coin = NamedPrint(square(gold, gold, (30, 60, 90)), "coin")
    bats = [NamedPrint(square(each, (250, 250, 250)), "monster") for each in (red, green)]
    known = [NamedPrint(square((20 * k, 30, 30), (20, 12 * k, 90)), find) for k, find in enumerate(OTHERS)]
    looks = looks_of([coin, *bats, *known], "coin")
    assert guessed(square((30, 60, 90), gold, gold), looks) == ("coin", 1)
    assert guessed(square(blue, (250, 250, 250), (120, 0, 120)), looks) == ("monster", 1)
    # of icons in one ink colours tell nothing
    one_ink = [NamedPrint(square((250, 250, 250), (90, 40, 20)), find) for find in ("coin", "key")]
    assert guessed(square((90, 40, 20), (250, 250, 250)), looks_of(one_ink, "coin")) is None


def test_what_is_not_like_the_decks_stairs_is_none() -> None:
    stairs = [NamedPrint(square((0, 0, 0), (200, 200, 200)), None, place="stairs")]
    face = np.full((880, 630, 3), 128, np.uint8)
    for row in range(9):
        face[400 + 8 * row : 408 + 8 * row, 110:190] = (0, 200)[row % 2]
    cv2.circle(face, (450, 436), 30, (20, 160, 220), -1)
    parts = np.zeros((8, 176, 128), np.float32)
    for x in (15.0, 45.0):
        column, row = int(x / SIZE[0] * 128), int(43.6 / SIZE[1] * 176)
        parts[STAIRS, row - 1 : row + 2, column - 1 : column + 2] = 0.3
    told = told_by_prints(parts, face, SIZE, stairs, usual=0.7)[STAIRS]
    assert 0.5 > told[:, :64].max() > 0.4 > 0.1 > told[:, 64:].max()
    # nothing is told where a deck's stairs are no two alike
    assert (told_by_prints(parts, face, SIZE, stairs, usual=0.3) == parts).all()


def test_what_is_less_alike_than_the_decks_repeats_is_not_named_surely() -> None:
    card = DECK.card("D29")
    face = np.asarray(cv2.imread(str(DECK.art_path(card))), np.uint8)
    known = named_prints(card, face, SIZE)
    print_ = next(each for each in known if each.find)
    softer = Print(np.asarray(cv2.GaussianBlur(print_.print.pixels, (0, 0), 3.0), np.float32))
    usual, strict = naming(softer, known, 0.5), naming(softer, known, 1.0)
    assert usual is not None and strict is not None and usual.find == strict.find == print_.find
    assert strict.confidence < 0.5 < usual.confidence


def test_wrong_guesses_that_nobody_looks_at_are_counted() -> None:
    card = DECK.card("D29")
    told = compare(card, card)
    assert told.sure.true == told.sure.found == told.sure.proposed and not told.unwarned.found
    find = next(node for node in card.nodes if node.find)

    def renamed(confidence: float) -> Comparison:
        other = msgspec.structs.replace(
            find, find="key" if find.find != "key" else "rope", confidence=confidence
        )
        nodes = tuple(other if node is find else node for node in card.nodes)
        return compare(msgspec.structs.replace(card, nodes=nodes), card)

    wrong = renamed(LEAST_SURE)
    assert wrong.sure.true - wrong.sure.found == 1 and wrong.unwarned.found == 1
    doubted = renamed(0.2)
    at_it = sum(find.id in (edge.from_, edge.to) for edge in card.edges)
    assert doubted.sure.true == doubted.sure.found == told.sure.true - 1 - at_it
    assert doubted.sure.proposed == told.sure.proposed - at_it and not doubted.unwarned.found


def test_a_link_at_a_place_in_doubt_is_looked_at_with_it() -> None:
    card = DECK.card("D29")
    opening = next(node for node in card.nodes if node.kind == "opening")
    doubted = msgspec.structs.replace(opening, confidence=0.2)
    nodes = tuple(doubted if node is opening else node for node in card.nodes)
    made = msgspec.structs.replace(card, nodes=nodes)
    [of_it] = [each for each in judged(made, card) if each.end]
    assert of_it.kind == "corridor" and of_it.right and not of_it.lost
    told, before = compare(made, card).sure, compare(card, card).sure
    # the opening and its corridor are not taken over unseen, and one question is asked
    assert told.true == before.true - 2 and told.proposed == before.proposed - 1


def test_the_truth_compared_with_itself_is_whole() -> None:
    total = Comparison()
    for card in DECK.cards[:40]:
        total += compare(card, card)
    assert total.exact.found == 40 and total.ways.found == total.ways.true
    for count in (*total.parts.values(), *total.finds.values()):
        assert count.true == count.found == count.proposed


def test_what_is_wrong_is_counted() -> None:
    card = DECK.card("D29")
    corridor = next(edge for edge in card.edges if edge.kind == "corridor")
    less = msgspec.structs.replace(card, edges=tuple(edge for edge in card.edges if edge is not corridor))
    told = compare(less, card)
    assert told.exact.found == 0 and told.ways.found < told.ways.true
    assert told.parts["corridors"].found < told.parts["corridors"].true
    find = next(node for node in card.nodes if node.find)
    other = msgspec.structs.replace(find, find="key" if find.find != "key" else "rope")
    renamed = msgspec.structs.replace(
        card, nodes=tuple(other if node is find else node for node in card.nodes)
    )
    told = compare(renamed, card)
    assert told.parts["finds"].found == told.parts["finds"].true - 1
    assert told.parts["places of finds"].found == told.parts["places of finds"].true
    assert told.links.found == 1 and told.exact.found == 0
    moved = msgspec.structs.replace(find, at=(find.at[0] + 2.5, find.at[1]))
    off = msgspec.structs.replace(card, nodes=tuple(moved if node is find else node for node in card.nodes))
    assert compare(off, card).parts["places of finds"].found == told.parts["places of finds"].true - 1


def test_four_neighbours_of_each_part_are_the_part() -> None:
    parts = np.random.default_rng(1).random((8, 32, 48)).astype(np.float32)
    assert (spread(gathered(parts)) == parts).all()


def test_a_named_icon_names_its_repeats_however_they_are_turned() -> None:
    card = DECK.card("D29")
    face = np.asarray(cv2.imread(str(DECK.art_path(card))), np.uint8)
    known = named_prints(card, face, SIZE)
    turned = np.ascontiguousarray(face[::-1, ::-1])
    for each, (at, _) in zip(known, [(n.at, n) for n in card.nodes if n.find], strict=False):
        told = naming(printed_at(turned, SIZE, (SIZE[0] - at[0] + 0.5, SIZE[1] - at[1])), known)
        assert told is not None and (told.find, told.value) == (each.find, each.value)
        assert told.confidence > 0.5


@pytest.mark.parametrize("traced", [0, 10])
def test_a_find_that_nobody_named_is_asked_about_and_plain_corridors_are_not(traced: int) -> None:
    card = DECK.card("D29")
    face = np.asarray(cv2.imread(str(DECK.art_path(card))), np.uint8)
    parts = np.clip(gathered(parts_of(card)), 0.001, 0.999)
    sight = Sight(
        np.asarray(np.log(parts / (1 - parts)), np.float32), np.zeros((0, *parts.shape[1:]), np.float32)
    )
    made = propose(face, SIZE, Knowledge(cards=traced), sight=sight)
    assert made.nodes and made.rooms and any(not in_doubt(edge) for edge in made.edges)
    finds: list[Node | RoomFind] = [node for node in made.nodes if node.find]
    finds += [find for room in made.rooms for find in room.finds]
    assert finds and all(map(in_doubt, finds))


@given(st.integers(0, 30), st.floats(0.05, 0.9), st.floats(0.01, 0.09))
def test_the_better_a_part_is_seen_the_surer_it_is(traced: int, chance: float, more: float) -> None:
    card = DECK.card("D29")

    def seen(chance: float) -> Card:
        rooms = (
            msgspec.structs.replace(
                room,
                confidence=chance,
                finds=tuple(msgspec.structs.replace(find, confidence=chance) for find in room.finds),
            )
            for room in card.rooms
        )
        nodes = (msgspec.structs.replace(node, confidence=chance) for node in card.nodes)
        edges = (msgspec.structs.replace(edge, confidence=chance) for edge in card.edges)
        told = msgspec.structs.replace(card, nodes=tuple(nodes), edges=tuple(edges), rooms=tuple(rooms))
        return confident(told, traced)

    fainter, plainer = (list(with_parts(seen(each))) for each in (chance, chance + more))
    assert all(
        (one.confidence or 0) <= (two.confidence or 0) for one, two in zip(fainter, plainer, strict=True)
    )


def with_parts(card: Card) -> list[Node | Edge | Room | RoomFind]:
    """All parts of a card that have a confidence."""
    return [*card.nodes, *card.edges, *card.rooms, *(find for room in card.rooms for find in room.finds)]


def test_the_confidence_is_how_often_such_guesses_were_right() -> None:
    rng = np.random.default_rng(3)
    seen = [
        Observation("deck", 10, Judged("opening", chance, chance, bool(rng.random() < chance**2)))
        for chance in rng.uniform(0.2, 0.98, 4000)
    ]
    weights = fitted(seen)
    for chance in (0.5, 0.7, 0.9):
        lone = msgspec.structs.replace(
            DECK.card("D29"), nodes=(Node(id="n1", kind="opening", at=(0, 9), confidence=chance),)
        )
        lone = msgspec.structs.replace(lone, edges=(), rooms=())
        edge = Edge(kind="corridor", from_="n1", to="n1", confidence=chance)
        told = confident(
            msgspec.structs.replace(lone, edges=(edge,)), 10, {**weights, "corridor": (0, 1, 0, 0)}
        )
        assert told.nodes[0].confidence == pytest.approx(chance**2, abs=0.06)


def test_a_face_without_a_dungeon_gets_none() -> None:
    blank = np.full((704, 504, 3), 128, np.uint8)
    made = propose(blank, SIZE, Knowledge())
    assert not made.nodes and not made.edges and not made.rooms and made.tracing == "no"


def box_of(folder: Path, *ids: str, traced: tuple[str, ...] = ()) -> Catalogue:
    """A folder with some of the deck's faces; only those `traced` have their dungeon."""
    told = json.loads((bundled_catalogue() / "catalogue.json").read_bytes())
    told["cards"] = [card for card in told["cards"] if card["id"] in ids]
    (folder / "art").mkdir(parents=True)
    for card in told["cards"]:
        shutil.copy(bundled_catalogue() / card["art"], folder / card["art"])
        if card["id"] not in traced:
            card.update(nodes=[], edges=[], rooms=[], traced="no")
    (folder / "catalogue.json").write_text(json.dumps(told), "utf-8")
    return read_catalogue(folder)


@pytest.mark.long
def test_what_is_traced_teaches_and_what_is_proposed_is_pencil(tmp_path: Path) -> None:
    box_of(tmp_path, "D01", "D02", "D03", traced=("D01",))
    before = read_catalogue(tmp_path).card("D01")
    made = propose_folder(tmp_path)
    assert [each.card for each in made.cards] == ["D02", "D03"] and made.left == ("D01",)
    assert made.learned_from == 1
    after = read_catalogue(tmp_path)
    assert after.card("D01") == before
    for card in after.cards[1:]:
        assert card.traced == "proposed" and card.nodes
        assert not contract_problems(card, SIZE)
        kept = machine_proposal(tmp_path, card.id)
        assert kept is not None and len(kept["nodes"]) == len(card.nodes)


@pytest.mark.long
def test_a_proposal_that_a_person_has_altered_stays(tmp_path: Path) -> None:
    box_of(tmp_path, "D01", "D02", "D04")
    propose_folder(tmp_path)
    file = tmp_path / "catalogue.json"
    told = json.loads(file.read_bytes())
    told["cards"][0]["nodes"][0]["at"][1] += 0.5
    told["cards"][1]["traced"] = "yes"
    file.write_text(json.dumps(told), "utf-8")
    made = propose_folder(tmp_path)
    assert [each.card for each in made.cards] == ["D04"] and set(made.left) == {"D01", "D02"}
    again = json.loads(file.read_bytes())
    assert again["cards"][0] == told["cards"][0] and again["cards"][1] == told["cards"][1]
    # the machine's own stays as it was
    kept = machine_proposal(tmp_path, "D01")
    assert kept is not None and kept["nodes"][0]["at"] != told["cards"][0]["nodes"][0]["at"]


@pytest.mark.long
def test_the_benchmark_measures_what_is_never_traced(tmp_path: Path) -> None:
    box_of(tmp_path, "D01", "D02", "D03", "D04", traced=("D01", "D02", "D03", "D04"))
    told = CliRunner().invoke(
        cli,
        [
            "bench-proposals",
            "--catalogue",
            str(tmp_path),
            "--traced",
            "0",
            "--traced",
            "2",
            "--worn",
            "--json",
            "-",
        ],
    )
    assert told.exit_code == 0, told.output
    report = json.loads(told.stdout)
    assert [each["traced"] for each in report["figures"]] == [0, 2]
    for each in report["figures"]:
        assert each["cards"] == 2 and each["unsound"] == 0
        assert each["parts"]["openings"]["recall"] > 60


@pytest.mark.long
@pytest.mark.parametrize("style", ["collage-2", "neon-1", "parchment"])
def test_a_deck_in_a_style_that_nothing_was_trained_on_is_proposed_from_nothing(style: str) -> None:
    deck = deck_of(style)
    total = Comparison()
    for card in [card for card in deck.cards if card.kind == "dungeon"][:6]:
        made = propose(draw(style, card), deck.card_size_mm, Knowledge(), like=card)
        assert not contract_problems(made, deck.card_size_mm)
        total += compare(made, card)
    assert (total.parts["openings"].recall or 0) >= 0.75
    assert (total.parts["corridors"].recall or 0) >= 0.6


def test_what_is_learned_of_nothing_is_nothing(tmp_path: Path) -> None:
    assert learn(box_of(tmp_path, "D01")) == Knowledge()


@pytest.mark.long
def test_a_folder_is_proposed_for_from_the_command_line(tmp_path: Path) -> None:
    box_of(tmp_path, "D01", "D02", traced=("D01",))
    told = CliRunner().invoke(cli, ["enrol", str(tmp_path), "--propose", "--json", "-"])
    assert told.exit_code == 0, told.output
    answer = json.loads(told.stdout)
    assert (answer["format"], answer["cards"], answer["left"]) == ("waymark-enrol/1", 2, ["D01"])
    assert [each["card"] for each in answer["proposed"]] == ["D02"]


def test_photos_and_proposals_are_two_calls(tmp_path: Path) -> None:
    for words in ([], ["a.jpg", "--propose"]):
        told = CliRunner().invoke(cli, ["enrol", str(tmp_path), *words])
        assert told.exit_code == 2 and "Traceback" not in told.output
