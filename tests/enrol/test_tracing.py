"""Tracing by hand: what a finger means, and that a card traced edit by edit is the card that was declared."""

from __future__ import annotations

from functools import reduce

import pytest
from shared_readings import open_deck
from traced_by_hand import differences, edits_of, place_at

from calibration.enrol.trace.canvas import edited
from calibration.enrol.trace.tracing import (
    Change,
    Confirm,
    Corridor,
    Door,
    Edit,
    Erase,
    EraseCorridor,
    Find,
    Lead,
    Move,
    NoEffect,
    Opening,
    OtherLevel,
    Outline,
    Stairs,
    StillInDoubt,
    Tracing,
    in_doubt,
    problems_of,
    tracing_of,
    way_between,
    with_tracing,
)
from scorer.catalogue import Card, Edge, Level, Node, Room, RoomFind

SIZE = (63.0, 88.0)
BLANK = Card(id="C01", kind="dungeon", art="art/C01.png")


def traced(*edits: Edit) -> Tracing:
    return reduce(lambda tracing, edit: edited(tracing, edit, SIZE), edits, Tracing())


def kinds(tracing: Tracing) -> list[str]:
    return sorted(node.find or node.kind for node in tracing.nodes)


def with_card(tracing: Tracing) -> Card:
    return with_tracing(BLANK, tracing, "yes")


def retraced(card: Card) -> Tracing:
    tracing, held = Tracing(), ""
    for edit in edits_of(card):
        if isinstance(edit, tuple):
            held = place_at(tracing, *edit)
            continue
        if isinstance(edit, Lead):
            edit = Lead(place=held, at=edit.at)
        tracing = edited(tracing, edit, SIZE)
    return tracing


@pytest.mark.parametrize("card_id", ["D39", "S1-red"])
def test_a_card_traced_by_hand_is_the_declared_one(card_id: str) -> None:
    card = open_deck().card(card_id)
    assert not differences(retraced(card), card)


@pytest.mark.long
def test_every_card_of_the_open_deck_can_be_traced_by_hand() -> None:
    wrong = {card.id: said for card in open_deck().cards if (said := differences(retraced(card), card))}
    assert not wrong


def test_a_corridor_from_edge_to_edge_has_its_openings() -> None:
    tracing = traced(Corridor(points=((1, 22), (30, 24), (62, 22))))
    assert kinds(tracing) == ["opening", "opening"]
    assert {(node.side, node.at) for node in tracing.nodes} == {("left", (0, 22)), ("right", (63, 22))}
    [edge] = tracing.edges
    assert edge.via == ((30, 24),)


def test_a_corridor_that_ends_on_another_forks_it() -> None:
    tracing = traced(Corridor(points=((0, 22), (63, 22))), Corridor(points=((30, 60), (30, 24))))
    assert kinds(tracing) == ["end", "junction", "opening", "opening"]
    assert len(tracing.edges) == 3


def test_corridors_of_one_level_that_cross_meet() -> None:
    across = Corridor(points=((0, 22), (63, 22))), Corridor(points=((30, 0), (30, 88)))
    assert kinds(traced(*across)) == ["junction", *["opening"] * 4]


def test_corridors_of_two_levels_cross_unjoined() -> None:
    tracing = traced(
        Corridor(points=((0, 22), (63, 22))), Corridor(points=((30, 0), (30, 88)), level="underground")
    )
    assert kinds(tracing) == ["opening"] * 4 and len(tracing.edges) == 2


def test_a_corridor_drawn_tap_by_tap_is_one() -> None:
    tracing = traced(
        Corridor(points=((0, 22), (20, 22))),
        Corridor(points=((20, 22), (20, 50))),
        Corridor(points=((20, 50), (63, 50))),
    )
    [edge] = tracing.edges
    assert kinds(tracing) == ["opening", "opening"] and edge.via == ((20, 22), (20, 50))


def test_a_corridor_into_a_room_ends_at_a_door() -> None:
    tracing = traced(
        Outline(corners=((20, 40), (44, 40), (44, 60), (20, 60))), Corridor(points=((32, 0), (32, 50)))
    )
    [door] = [node for node in tracing.nodes if node.kind == "door"]
    assert door.at == (32, 40) and door.room == "A" and not problems_of(with_card(tracing), SIZE)


def test_a_room_drawn_round_what_lies_there_takes_it_in() -> None:
    tracing = traced(
        Find(at=(30, 50), find="coin", value=2),
        Corridor(points=((32, 0), (32, 39))),
        Outline(corners=((20, 40), (44, 40), (44, 60), (20, 60))),
    )
    [room] = tracing.rooms
    assert [(find.find, find.value) for find in room.finds] == [("coin", 2)]
    assert kinds(tracing) == ["door", "opening"]


def test_a_door_in_a_wall_at_the_cards_edge_is_an_opening() -> None:
    tracing = traced(Outline(corners=((0, 40), (24, 40), (24, 60), (0, 60))), Door(at=(1, 50)))
    assert kinds(tracing) == ["door", "opening"]
    assert not problems_of(with_card(tracing), SIZE)


def test_a_find_stands_on_its_corridor() -> None:
    tracing = traced(Corridor(points=((0, 22), (63, 22))), Find(at=(30, 24), find="sword"))
    [sword] = [node for node in tracing.nodes if node.find == "sword"]
    assert sword.at == (30, 22) and len(tracing.edges) == 2
    gone = edited(tracing, Erase(place=sword.id), SIZE)
    assert kinds(gone) == ["opening", "opening"] and len(gone.edges) == 1


def test_stairs_lead_to_the_other_level() -> None:
    tracing = traced(
        Corridor(points=((0, 22), (20, 22))),
        Corridor(points=((30, 30), (63, 30)), level="underground"),
        Stairs(at=(20, 22)),
    )
    assert [problem.code for problem, _ in problems_of(with_card(tracing), SIZE)] == ["stairs-alone"]
    stairs = place_at(tracing, "stairs", (20, 22))
    tracing = edited(tracing, Lead(place=stairs, at=(30, 30)), SIZE)
    assert [edge.kind for edge in tracing.edges].count("stairs") == 1
    assert not problems_of(with_card(tracing), SIZE)
    card = with_card(tracing)
    ends = [node.id for node in card.nodes if node.kind == "opening"]
    assert way_between(card, SIZE, *ends) is not None


@pytest.mark.parametrize("inside", [True, False])
def test_a_pit_has_its_landing(inside: bool) -> None:
    room: list[Edit] = (
        [Outline(corners=((20, 40), (44, 40), (44, 60), (20, 60))), Door(at=(20, 50))] if inside else []
    )
    tracing = traced(
        *room,
        Corridor(points=((0, 50), (20, 50) if inside else (40, 50))),
        Find(at=(30, 50), find="pitfall"),
        Corridor(points=((30, 52), (30, 88)), level="underground"),
    )
    codes = [problem.code for problem, _ in problems_of(with_card(tracing), SIZE)]
    assert codes == ["landing-missing"]
    tracing = edited(tracing, Lead(place=place_at(tracing, "pitfall", (30, 50)), at=(30, 52)), SIZE)
    assert not problems_of(with_card(tracing), SIZE)
    [fall] = [edge for edge in tracing.edges if edge.kind == "fall"]
    gone = edited(tracing, Change(place=fall.from_, find="rope"), SIZE)
    assert not [edge for edge in gone.edges if edge.kind == "fall"]


def test_what_is_wrong_is_told_at_its_place() -> None:
    tracing = traced(Find(at=(30, 50), find="rope"))
    [(problem, at)] = problems_of(with_card(tracing), SIZE)
    assert (problem.code, at) == ("find-out-of-reach", (30, 50))


def test_a_corridor_that_is_erased_leaves_no_fork() -> None:
    tracing = traced(Corridor(points=((0, 22), (63, 22))), Corridor(points=((30, 60), (30, 24))))
    number = next(k for k, edge in enumerate(tracing.edges) if "e" in (edge.from_ + edge.to))
    tracing = edited(tracing, EraseCorridor(edge=number), SIZE)
    assert kinds(tracing) == ["opening", "opening"] and len(tracing.edges) == 1


def test_a_room_moves_with_what_is_in_it() -> None:
    tracing = traced(
        Outline(corners=((20, 40), (44, 40), (44, 60), (20, 60))),
        Door(at=(20, 50)),
        Find(at=(30, 50), find="key"),
    )
    [room] = edited(tracing, Move(place="A", at=(34, 55)), SIZE).rooms
    assert room.outline[0] == (22, 45) and room.finds[0].at == (32, 55)


@pytest.mark.parametrize("level", ["underground", "main"])
def test_a_corridor_changes_its_level_with_all_that_hangs_on_it(level: Level) -> None:
    tracing = traced(Corridor(points=((0, 22), (63, 22))), Find(at=(30, 22), find="rope"))
    moved = edited(tracing, OtherLevel(place=tracing.nodes[0].id, level=level), SIZE)
    assert {node.level for node in moved.nodes} == {level} == {edge.level for edge in moved.edges}


def test_a_guess_is_pencil_until_a_person_says_ink() -> None:
    guess = Tracing(
        nodes=(
            Node(id="o1", kind="opening", side="left", at=(0, 22), confidence=0.9),
            Node(id="o2", kind="opening", side="right", at=(63, 22), confidence=0.95),
        ),
        edges=(Edge(kind="corridor", from_="o1", to="o2", level="main", confidence=0.95),),
    )
    assert guess.pencilled == 3
    assert edited(guess, Confirm(place="o1"), SIZE).pencilled == 2
    assert edited(guess, Confirm(), SIZE).pencilled == 0
    # Who mends one thing has said nothing of the others.
    assert edited(guess, Opening(at=(30, 0)), SIZE).pencilled == 3


#: Two finds that nobody can name yet, one on a corridor and one in a room, and a corridor that may be none.
UNSURE = Tracing(
    nodes=(
        Node(id="o1", kind="opening", side="left", at=(0, 22), confidence=0.9),
        Node(id="f1", kind="find", find="coin", at=(30, 22), confidence=0.06),
        Node(id="d1", kind="door", room="A", at=(20, 50), confidence=0.9),
        Node(id="e1", kind="end", at=(10, 50), confidence=0.9),
    ),
    edges=(
        Edge(kind="corridor", from_="o1", to="f1", level="main", confidence=0.9),
        Edge(kind="corridor", from_="e1", to="d1", level="main", confidence=0.4),
    ),
    rooms=(
        Room(
            id="A",
            outline=((20, 40), (44, 40), (44, 60), (20, 60)),
            finds=(RoomFind(id="A1", find="coin", at=(30, 50), confidence=0.06),),
            confidence=0.9,
        ),
    ),
)


def doubts(tracing: Tracing) -> list[str]:
    return sorted(
        part.from_ if isinstance(part, Edge) else part.id for part in tracing.parts() if in_doubt(part)
    )


def test_what_a_machine_cannot_tell_is_not_confirmed_with_the_rest() -> None:
    assert doubts(UNSURE) == ["A1", "e1", "f1"]
    with pytest.raises(StillInDoubt):
        edited(UNSURE, Confirm(), SIZE)
    one = edited(UNSURE, Change(place="f1", find="coin", value=2), SIZE)
    # Who has named one icon has named no other.
    assert doubts(one) == ["A1", "e1"]
    two = edited(one, Erase(place="A1"), SIZE)
    three = edited(two, Confirm(edge=1), SIZE)
    assert not doubts(three) and edited(three, Confirm(), SIZE).pencilled == 0


def test_several_guesses_are_confirmed_at_once() -> None:
    both = edited(UNSURE, Confirm(places=("o1", "e1"), edges=(0, 1)), SIZE)
    assert doubts(both) == ["A1", "f1"] and both.pencilled == UNSURE.pencilled - 4
    with pytest.raises(NoEffect):
        edited(UNSURE, Confirm(edges=(0, 2)), SIZE)


@pytest.mark.parametrize(
    "edit",
    [
        Move(place="f1", at=(32, 23)),
        Move(place="A1", at=(33, 51)),
        Move(place="A", at=(34, 52)),
        OtherLevel(place="o1", level="underground"),
        OtherLevel(place="e1", level="underground"),
        Corridor(points=((30, 22), (63, 22))),
        Corridor(points=((10, 50), (10, 88))),
    ],
)
def test_what_is_done_about_it_does_not_tell_what_a_find_is(edit: Edit) -> None:
    assert doubts(edited(UNSURE, edit, SIZE)) in (["A1", "e1", "f1"], ["A1", "d1", "f1"])


def test_a_room_drawn_round_an_unclear_find_leaves_it_unclear() -> None:
    lone = Tracing(nodes=(Node(id="f1", kind="find", find="coin", at=(30, 50), confidence=0.06),))
    drawn = edited(lone, Outline(corners=((20, 40), (44, 40), (44, 60), (20, 60))), SIZE)
    assert not drawn.nodes and doubts(drawn) == ["A1"]


@pytest.mark.parametrize(
    "edit",
    [
        Corridor(points=((10, 10), (10, 10))),
        Outline(corners=((10, 10), (20, 10))),
        Door(at=(30, 40)),
        Erase(place="nothing"),
        EraseCorridor(edge=7),
    ],
)
def test_what_means_nothing_is_told(edit: Edit) -> None:
    with pytest.raises(NoEffect):
        traced(edit)


def test_a_tracing_of_a_card_is_what_it_has() -> None:
    card = open_deck().card("D39")
    assert with_tracing(card, tracing_of(card), "yes").nodes == card.nodes
