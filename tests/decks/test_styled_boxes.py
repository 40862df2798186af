"""Boxes of board games in styles: the open set's facts with other art and sizes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest

from calibration.decks.check import check_deck
from calibration.decks.pieces import sides_of
from calibration.enrol.pieces.holding import asked_of, sort_of
from samples.blank_pieces import pieces_shots
from samples.pieces_bench import word_of
from samples.splits import Split
from samples.styles.boxes import SETS, box_of, draw_piece, write_box
from samples.styles.lettering import FONTS, HELD_OUT_FONTS
from samples.styles.standing import FIGURES, HELD_OUT_FIGURES
from samples.styles.style import FAMILIES, held_out_names, style_of, training_names
from samples.styles.tokens import HELD_OUT_RIMS, RIMS, tokens_of
from scorer.catalogue import Card, load_catalogue, read_catalogue
from scorer.enrolment_pieces import photographed_together
from scorer.games import game_named


def facts_of(card: Card) -> tuple[object, ...]:
    """What the rules know of a piece, without where it is printed."""
    places = ("altars", "hands", "adrenaline")
    more = {word: value for word, value in card.more.items() if word not in places}
    return card.kind, card.role, card.colour, card.value, card.cell, sorted(sides_of(card)), more


@pytest.mark.parametrize("game", SETS)
@pytest.mark.parametrize("name", ["inked-1", "neon-2", "flat-3", "woodcut-1"])
def test_a_styled_box_has_the_facts_of_the_open_set(game: str, name: str) -> None:
    box, open_set = box_of(name, game), SETS[game]()
    own = {card.id: card for card in box.cards}
    for card in open_set.cards:
        if card.id in own:
            assert facts_of(own[card.id]) == facts_of(card)
    assert sum(card.copies for card in box.cards) == sum(card.copies for card in open_set.cards)
    assert box.card_size_mm != open_set.card_size_mm


def test_fonts_rims_and_figures_that_are_held_out_are_in_no_style_for_tuning() -> None:
    assert not set(FONTS) & set(HELD_OUT_FONTS)
    assert not set(FIGURES) & set(HELD_OUT_FIGURES)
    tuning = [tokens_of(style_of(name)) for name in training_names()]
    assert not {each.rim for each in tuning} & set(HELD_OUT_RIMS)
    assert {each.rim for each in tuning} == set(RIMS)
    held_out = [tokens_of(style_of(name)) for name in held_out_names()]
    assert {each.font for each in held_out} <= set(HELD_OUT_FONTS)


@pytest.mark.parametrize("game", SETS)
def test_each_piece_is_drawn_at_its_size_and_the_same_each_time(game: str) -> None:
    name = f"{FAMILIES[1]}-4"
    box, style = box_of(name, game), style_of(name)
    sorts = {(card.kind, card.role): card for card in box.cards if card.kind not in ("board", "card")}
    for card in sorts.values():
        face = draw_piece(box, card, style)
        wide, high = box.size_of(card.id)
        assert face.shape[1] / face.shape[0] == pytest.approx(wide / high, rel=0.02)
        assert np.array_equal(face, draw_piece(box, card, style))
        assert float(face.std()) > 1 or card.kind == "marker"


@pytest.mark.long
@pytest.mark.parametrize("game", SETS)
@pytest.mark.parametrize("name", ["painted-2", "collage-3", "islands-1"])
def test_a_styled_box_is_written_as_a_catalogue_without_faults(game: str, name: str, tmp_path: Path) -> None:
    written = write_box(name, game, tmp_path)
    assert msgspec.to_builtins(read_catalogue(tmp_path).cards) == msgspec.to_builtins(written.cards)
    assert not check_deck(tmp_path).findings


@pytest.mark.parametrize(
    ("game", "split"), [("stone_dragon", "tuning-stone-dragon"), ("ice_and_idols", "tuning-ice-and-idols")]
)
def test_each_photo_of_pieces_shows_one_sort_and_tiles_with_all_copies(game: str, split: Split) -> None:
    folder = game_named(game).bundled
    assert folder is not None
    box, asked = load_catalogue(folder), asked_of(game)
    groups = [{each.word for each in group} for group in photographed_together(asked)]
    shown: Counter[str] = Counter()
    for shot in pieces_shots(box, split, 1):
        words = {word_of(box.card(card.card), asked) for card in shot.scene.cards}
        assert any(words <= group for group in groups)
        shown.update(card.card for card in shot.scene.cards)
    for card in box.cards:
        sort = sort_of({"kind": card.kind, "role": card.role}, asked)
        if sort is not None and not sort.plain:
            assert shown[card.id] == (card.copies if sort.ways else 1)
