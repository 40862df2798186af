"""Decks in styles: enough of them, some held out, each the same every time, with sound dungeons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.enrol.card_geometry import contract_problems
from calibration.open_deck import bundled_catalogue
from samples.styles.decks import BY_HAND, deck_of, draw, write_deck
from samples.styles.dungeons import dungeon, plan_of, relaid
from samples.styles.face import draw_face
from samples.styles.style import (
    FAMILIES,
    HELD_OUT_DOORS,
    HELD_OUT_FAMILIES,
    HELD_OUT_FLOORS,
    HELD_OUT_ICONS,
    HELD_OUT_STAIRS,
    SIZES_MM,
    held_out_names,
    random_style,
    style_of,
    training_names,
)
from samples.styles.textures import HELD_OUT_PATTERNS
from scorer.catalogue import read_catalogue


def test_there_are_sixty_styles_and_some_are_held_out() -> None:
    names = training_names() + held_out_names() + tuple(BY_HAND)
    assert len(set(names)) == len(names) >= 60
    assert len(held_out_names()) + len(BY_HAND) >= 8
    assert not set(FAMILIES) & set(HELD_OUT_FAMILIES)


def test_what_is_held_out_is_in_no_style_for_training() -> None:
    held_out = {*HELD_OUT_DOORS, *HELD_OUT_FLOORS, *HELD_OUT_ICONS, *HELD_OUT_STAIRS, *HELD_OUT_PATTERNS}
    seen: set[str] = set()
    for k in range(600):
        style = random_style(np.random.default_rng(k), FAMILIES[k % len(FAMILIES)])
        seen |= {style.door, style.floors, style.icons, style.stairs}
        seen |= {style.ground.pattern, style.floor.pattern, style.under.pattern, style.room.pattern}
    assert not seen & held_out
    others = {style_of(name) for name in held_out_names()}
    shown = {each for one in others for each in (one.door, one.floors, one.icons, one.stairs)}
    assert len((shown | {one.ground.pattern for one in others}) & held_out) >= 5


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(SIZES_MM), st.floats(3.0, 10.0))
def test_a_dungeon_of_any_plan_keeps_the_format(
    seed: int, size_mm: tuple[float, float], width: float
) -> None:
    rng = np.random.default_rng(seed)
    plan = plan_of(rng, size_mm, min(width, min(size_mm) / 5.5))
    try:
        card = dungeon(plan, rng, "X")
    except RuntimeError:
        return  # the plan has no room for one
    assert not contract_problems(card, size_mm)
    assert sum(node.kind == "opening" for node in card.nodes) >= 2


def test_plans_without_room_are_rare() -> None:
    failed = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        size = SIZES_MM[seed % len(SIZES_MM)]
        try:
            dungeon(plan_of(rng, size, min(size) / 9), rng, "X")
        except RuntimeError:
            failed += 1
    assert failed <= 3


def test_a_relaid_dungeon_keeps_its_links_and_its_openings_stay_on_the_edge() -> None:
    deck = read_catalogue(bundled_catalogue())
    for k, card in enumerate(deck.cards[:30]):
        made = relaid(card, deck.card_size_mm, (70.0, 60.0), np.random.default_rng(k))
        assert [(e.from_, e.to) for e in made.edges] == [(e.from_, e.to) for e in card.edges]
        codes = {problem.code for problem in contract_problems(made, (70.0, 60.0))}
        assert codes <= {"door-off-outline"}  # a slanted wall bends


@pytest.mark.parametrize("family", FAMILIES + HELD_OUT_FAMILIES)
def test_a_face_is_the_same_each_time_and_its_corridors_can_be_seen(family: str) -> None:
    name = f"{family}-1"
    style = style_of(name)
    rng = np.random.default_rng(3)
    card = dungeon(plan_of(rng, style.size_mm, style.corridor_mm), rng, "X")
    faces = [draw_face(card, style, 4.0, np.random.default_rng(1), "X") for _ in range(2)]
    assert np.array_equal(faces[0], faces[1])
    assert faces[0].shape[:2] == (round(4 * style.size_mm[1]), round(4 * style.size_mm[0]))
    bare = draw_face(card.__class__(id="X", kind="dungeon"), style, 4.0, np.random.default_rng(1), "X")
    assert np.abs(faces[0].astype(int) - bare).max(axis=2).mean() > 3


def test_a_deck_is_written_as_a_catalogue(tmp_path: Path) -> None:
    written = write_deck("flat-1", tmp_path)
    read = read_catalogue(tmp_path)
    assert read.cards == written.cards == deck_of("flat-1").cards
    assert len(read.cards) >= 24 and all(read.art_path(card).exists() for card in read.cards)
    starters = [card for card in read.cards if card.kind == "starter"]
    assert {card.colour for card in starters} == {"red", "blue", "green", "yellow", "purple"}
    first = [draw("flat-1", card).astype(int) for card in starters[:2]]
    assert 0 < np.abs(first[0] - first[1]).max(axis=2).astype(bool).mean() < 0.05


def test_an_unknown_family_is_refused() -> None:
    with pytest.raises(ValueError, match="no family"):
        deck_of("crayon-1")
