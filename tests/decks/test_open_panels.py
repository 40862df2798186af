"""The open set of Stone Dragon: what is in the box, and that it can be played."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from PIL import Image

from calibration.decks.check import check_deck
from calibration.decks.pieces import PX_PER_MM, catalogue_json
from calibration.decks.stone_dragon.panel_set import COLOURS, build_catalogue
from scorer.catalogue import FILE_NAME, structure_faults
from scorer.stone_dragon.game import BUNDLED
from scorer.stone_dragon.rules.board_ruling import rule_board
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.pieces import pieces_of
from scorer.stone_dragon.rules.validation import board_told

CATALOGUE = build_catalogue()
PIECES = pieces_of(CATALOGUE)


def test_the_box_holds_what_the_rulebook_says() -> None:
    counted: Counter[str] = Counter()
    for card in CATALOGUE.cards:
        counted[card.role or ""] += card.copies
    assert counted["room"] + counted["corridor"] + counted["entrance"] == 16
    assert counted["monster"] + counted["item"] + counted["curse"] == 39
    assert counted["victory"] == 24 and counted["character"] == 4 and counted["dragon-card"] == 1
    assert counted["sword"] + counted["shield"] + counted["potion"] == 24
    assert counted["coin"] == counted["life"] == 24 and counted["pawn"] == len(COLOURS)
    assert counted["back"] + counted["entrance-back"] == 16
    assert not list(structure_faults(CATALOGUE))


def test_a_table_is_laid_out_with_it() -> None:
    backs = [
        {"tile": "back", "column": column, "row": row, "face": "down"}
        for row in range(4)
        for column in range(4)
        if (column, row) != (0, 0)
    ]
    players = [
        {
            "name": name,
            "piece": f"pawn-{colour}",
            "character": name,
            "life": PIECES.characters[name].life,
            "coins": PIECES.characters[name].coins,
            "hand_size": 1,
        }
        for name, colour in zip(("knight", "tamer", "merchant"), COLOURS, strict=False)
    ]
    pieces = [{"piece": each["piece"], "column": 0, "row": 0} for each in players]
    pieces.append({"piece": "pawn-black", "column": 3, "row": 3})
    board = {
        "format": "waymark-board/1",
        "game": "stone_dragon",
        "phase": "setup",
        "tiles": [{"tile": "entrance", "column": 0, "row": 0, "rotation": 0}, *backs],
        "pieces": pieces,
        "players": players,
        "dragon": {"piece": "pawn-black", "life": PIECES.dragon.life},
    }
    ruling = rule_board(board_told(board, PIECES), PIECES, House())
    assert ruling.legal and ruling.options is not None


# --- what is drawn ------------------------------------------------------------------------------------------


def test_the_shipped_catalogue_is_what_the_set_says() -> None:
    assert (BUNDLED / FILE_NAME).read_bytes() == catalogue_json(CATALOGUE)


def test_every_face_differs_enough_and_is_fine_enough() -> None:
    report = check_deck(BUNDLED)
    assert report.findings == ()
    assert report.nearest is not None and report.nearest.distance > 5


def test_hidden_cards_have_a_back_each() -> None:
    copies = {card.role: card.copies for card in CATALOGUE.cards if card.role and card.role.endswith("-back")}
    assert (copies["dungeon-back"], copies["victory-back"]) == (39, 24)


@pytest.mark.parametrize("name", ["T2", "orc", "hoarder", "life-5"])
def test_the_art_is_what_the_code_draws(name: str) -> None:
    pytest.importorskip("skia", exc_type=ImportError, reason="drawing the set needs the extra `deck`")
    from calibration.decks.stone_dragon.art import draw_piece

    card = CATALOGUE.card(name)
    drawn = np.asarray(draw_piece(card, PX_PER_MM).convert("RGB"))
    with Image.open(BUNDLED / card.art) as picture:
        assert np.array_equal(drawn, np.asarray(picture.convert("RGB")))
