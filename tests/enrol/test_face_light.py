"""One light for all of a deck's photos: exposure, colour, and the veil of a lamp mirrored in a card."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from colour_siblings import BLUE, GREEN, RED, Picture, with_colour

from calibration.enrol.faces.art import veiled
from calibration.enrol.faces.light import (
    Tones,
    encoded,
    linear,
    tones_of_deck,
    tones_of_photo,
    unveiled,
    veil_over,
)
from calibration.enrol.faces.store import Faces, KnownFace, SeenPhoto, View, keep_view


def under(face: Picture, gain: float, sheen: tuple[float, float] = (0.0, 0.0)) -> Picture:
    """A view with a gain, under a sheen that changes from left to right, both in linear light."""
    veil = np.linspace(sheen[0], sheen[1], face.shape[1])[None, :, None]
    return encoded((gain * linear(face) + veil).astype(np.float32))


def cards() -> list[Picture]:
    return [with_colour("emblem", colour) for colour in (RED, GREEN, BLUE)]


def tones(faces: Sequence[Picture]) -> Tones:
    told = tones_of_photo(faces)
    assert told is not None
    return told


def away(one: Picture, other: Picture) -> float:
    """Mean difference in grey levels."""
    return float(np.abs(one.astype(float) - other).mean())


def test_photos_of_other_exposures_become_alike() -> None:
    photos = [[under(card, gain) for card in cards()] for gain in (0.5, 0.7, 0.9)]
    deck = tones_of_deck([tones(photo) for photo in photos])
    lit = [unveiled(photo[0], tones(photo), deck) for photo in photos]
    assert max(away(one, lit[1]) for one in lit) < 1.5
    assert away(photos[0][0], photos[2][0]) > 20


def test_a_veil_is_taken_away_where_it_lies() -> None:
    clear = [under(card, 0.7) for card in cards()]
    hazy = [under(card, 0.7, (0.05, 0.3)) for card in cards()]
    deck = tones_of_deck([tones(clear), tones(hazy)])
    lit = unveiled(hazy[0], tones(hazy), deck)
    assert away(hazy[0], clear[0]) > 25
    assert away(lit, clear[0]) < 0.3 * away(hazy[0], clear[0])


def test_a_deck_without_white_paper_is_not_made_pale() -> None:
    dark = [under(card, 0.25) for card in cards()]
    deck = tones_of_deck([tones(dark), tones(dark)])
    assert away(unveiled(dark[0], tones(dark), deck), dark[0]) < 2


def test_a_card_of_which_a_veil_leaves_little_is_not_used(tmp_path: Path) -> None:
    clear = [under(card, 0.7) for card in cards()]
    hazy = [under(cards()[0], 0.7), under(cards()[1], 0.3, (0.6, 0.6)), under(cards()[2], 0.7, (0.05, 0.05))]
    photos = {name: SeenPhoto(name, "", tones(seen)) for name, seen in (("a", clear), ("b", hazy))}
    kept = Faces(photos=photos)
    assert veiled(tmp_path, hazy, "b", kept) == [False, True, False]
    assert veiled(tmp_path, clear, "a", kept) == [False] * 3


def test_a_box_of_a_former_version_keeps_its_light(tmp_path: Path) -> None:
    """Its photos have no tones; its views have."""
    views = []
    for number, card in enumerate(cards()):
        file = keep_view(tmp_path, "a", number, under(card, 0.7))
        views.append(View(file=file, photo="a", px_per_mm=8.0))
    faces = [KnownFace(art=f"art/{k}.png", views=[view]) for k, view in enumerate(views)]
    kept = Faces(photos={"a": SeenPhoto("a", "")}, faces=faces)
    assert veiled(tmp_path, cards(), "a", kept) == [False] * 3
    assert kept.photos["a"].tones == tones([under(card, 0.7) for card in cards()])


def test_cards_with_less_ink_than_others_have_no_veil() -> None:
    seen = [under(card, 0.7) for card in cards()]
    photo = tones(seen)
    deck = tones_of_deck([photo, photo])
    plain = Tones((photo.ink[0] + 0.02,) * 3, photo.paper)
    veil, share = veil_over(plain, photo, deck)
    assert share < 0.1 and veil.max() < 0.05
