"""The open set of Ice and Idols: what is in the box, and that it can be played."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from PIL import Image

from calibration.decks.check import check_deck
from calibration.decks.ice_and_idols.temple_set import MAPS, SPACES, TILE_MM, build_catalogue
from calibration.decks.pieces import PX_PER_MM, catalogue_json
from scorer.catalogue import FILE_NAME, structure_faults
from scorer.ice_and_idols.game import BUNDLED
from scorer.ice_and_idols.rules.pieces import IDOLS, pieces_of
from scorer.square_grid import SIDES

CATALOGUE = build_catalogue()
PIECES = pieces_of(CATALOGUE)


def test_the_box_holds_what_the_rulebook_says() -> None:
    counted: Counter[str] = Counter()
    for card in CATALOGUE.cards:
        counted[card.role or ""] += card.copies
    assert sum(PIECES.copies[name] for name in PIECES.tiles) == 26 and PIECES.copies["roundabout"] == 2
    assert counted["character"] == 4 and counted["cube"] == 40 and counted["idol"] == 40
    assert counted["vp"] == 5 and counted["key"] == 10 and counted["event"] == 30
    assert PIECES.research is not None and len(PIECES.research.tracks) == len(IDOLS)
    assert not list(structure_faults(CATALOGUE))


def test_the_event_deck_grows_with_the_players() -> None:
    """Two play with the fewest, four with all thirty."""
    sizes = [
        sum(PIECES.copies[name] for name, event in PIECES.events.items() if (event.players or 0) <= players)
        for players in (2, 3, 4)
    ]
    assert sizes[0] < sizes[1] < sizes[2] == 30


@pytest.mark.parametrize("face", sorted(MAPS))
def test_every_idol_and_altar_is_on_each_face_of_the_map(face: str) -> None:
    spots = MAPS[face].values()
    for kind in IDOLS:
        assert sum(kind in idols for idols, _ in spots) >= 2
        assert sum(kind in altars for _, altars in spots) >= 2
    assert not any(kind in altars for idols, altars in spots for kind in idols), "nothing is fetched nowhere"


def test_tiles_open_as_the_rulebook_draws_them() -> None:
    def sides(name: str) -> set[frozenset[str]]:
        return {
            frozenset(side for number, side in enumerate(SIDES) if corridor >> number & 1)
            for corridor in PIECES.tiles[name].corridors
        }

    assert sides("double_corner") == {frozenset({"top", "right"}), frozenset({"bottom", "left"})}
    assert sides("archway") == {frozenset({"top", "bottom"}), frozenset({"left", "right"})}
    assert sides("roundabout") == {frozenset(SIDES)}
    assert sides("y_junction") == {frozenset({"left", "top", "right"})}
    assert sides("single_corner") == {frozenset({"top", "right"})}


def test_tracks_take_cubes_of_nobodys_where_fewer_play() -> None:
    assert [(2 in start, 3 in start) for start, _, _ in SPACES[:3]] == [
        (True, True),
        (True, False),
        (False, False),
    ]


# --- what is drawn ------------------------------------------------------------------------------------------


def test_the_shipped_catalogue_is_what_the_set_says() -> None:
    assert (BUNDLED / FILE_NAME).read_bytes() == catalogue_json(CATALOGUE)


def test_every_face_differs_enough_and_is_fine_enough() -> None:
    report = check_deck(BUNDLED)
    assert report.findings == ()
    assert report.nearest is not None and report.nearest.distance > 5


@pytest.mark.parametrize("name", [card.id for card in CATALOGUE.cards if card.kind == "tile"])
def test_a_tile_is_clear_but_for_its_corridors(name: str) -> None:
    """The map shows through everywhere else, and never through a corridor."""
    card = CATALOGUE.card(name)
    with Image.open(BUNDLED / card.art) as picture:
        alpha = np.asarray(picture)[..., 3].astype(float) / 255
    clear = alpha < 0.2
    assert 0.25 < clear.mean() < 0.85
    side = alpha.shape[0]
    for node in card.nodes:
        column, row = (min(side - 1, int(side * at / TILE_MM)) for at in node.at)
        assert alpha[row, column] > 0.95, node


def test_no_idol_and_no_altar_lies_under_the_middle_of_a_tile() -> None:
    """Of a map without tiles each sign is seen off its cell's middle, where most corridors run."""
    for name in ("map-gear", "map-plain"):
        with Image.open(BUNDLED / CATALOGUE.card(name).art) as picture:
            face = np.asarray(picture.convert("RGB")).astype(float)
        px = face.shape[0] / (5 * TILE_MM)
        for told in CATALOGUE.card(name).more["cells"]:
            if told.get("start"):
                continue
            column, row = told["cell"]
            x, y = (round(px * TILE_MM * (at + 0.5)) for at in (column, row))
            reach = round(3 * px)
            middle = face[y - reach : y + reach, x - reach : x + reach]
            assert np.ptp(middle.mean(axis=(0, 1))) < 60, (name, told)


@pytest.mark.parametrize("name", ["archway", "event-15", "vp-6"])
def test_the_art_is_what_the_code_draws(name: str) -> None:
    pytest.importorskip("skia", exc_type=ImportError, reason="drawing the set needs the extra `deck`")
    from calibration.decks.ice_and_idols.art import draw_piece

    card = CATALOGUE.card(name)
    drawn = np.asarray(draw_piece(card, PX_PER_MM).convert("RGBA"))
    with Image.open(BUNDLED / card.art) as picture:
        assert np.array_equal(drawn, np.asarray(picture.convert("RGBA")))
