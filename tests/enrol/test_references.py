"""What is printed on cards names them: read in its place, either way up, and asked where it is not sure."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from calibration.enrol.catalogue_folder import changed_catalogue, new_catalogue
from calibration.enrol.faces import references
from calibration.enrol.faces.enrolment import answer
from calibration.enrol.faces.references import name_by_reference
from calibration.enrol.faces.store import Faces, KnownFace, PrintedReference, View, read_faces, write_faces
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import read_catalogue
from vision.cards.index import read_art
from vision.outlines.text import Pixels, read_box, read_line, text_places

ART = bundled_catalogue() / "art"


def face(name: str) -> Pixels:
    picture = read_art(ART / f"{name}.png")
    assert picture is not None
    return picture


def turned(picture: Pixels) -> Pixels:
    return np.ascontiguousarray(picture[::-1, ::-1])


def box_of(folder: Path, names: Sequence[str], upside_down: Sequence[str] = ()) -> Faces:
    """Cards that were enrolled from photos: numbered, those of `upside_down` lying the wrong way."""
    (folder / "art").mkdir(parents=True)
    kept = Faces(next=len(names) + 1)
    with changed_catalogue(folder, new_catalogue("box", "mapmasters", (63.0, 88.0))) as told:
        for number, name in enumerate(names, 1):
            card = f"card-{number:02d}"
            picture = face(name)
            if name in upside_down:
                picture = turned(picture)
            cv2.imwrite(str(folder / f"art/{card}.png"), picture)
            told["cards"].append({"id": card, "kind": "dungeon", "art": f"art/{card}.png", "traced": "no"})
            kept.faces.append(KnownFace(f"art/{card}.png", [View(f"views/p-{number}.png", "p", 8.0)]))
    return kept


def numbered(folder: Path) -> set[str]:
    return {card.id for card in read_catalogue(folder).cards}


def test_a_text_is_read_either_way_up() -> None:
    picture = face("D17")
    for upside_down in (False, True):
        shown = turned(picture) if upside_down else picture
        read = [each for box in text_places(shown) for each in read_box(shown, box)]
        [seen] = [each for each in read if each.text == "D17"]
        assert seen.upside_down == upside_down and seen.confidence > 0.85


def test_nothing_is_read_where_nothing_is_printed() -> None:
    blank = np.full((64, 160, 3), 200, np.uint8)
    assert text_places(blank) == [] and read_line(blank)[0] == ""


def test_cards_take_their_printed_names_and_lie_the_right_way_up(tmp_path: Path) -> None:
    folder, names = tmp_path / "box", ["D17", "D05", "D34", "D42", "D72"]
    kept = box_of(folder, names, upside_down=["D34"])
    named = name_by_reference(folder, kept, numbered(folder))
    assert [(each.before, each.now) for each in named] == [
        (f"card-{k + 1:02d}", n) for k, n in enumerate(names)
    ]
    catalogue = read_catalogue(folder)
    assert (catalogue.cards[0].id, catalogue.cards[0].former) == ("D17", ("card-01",))
    lies = cv2.imread(str(catalogue.art_path(catalogue.card("D34"))))
    assert lies is not None and np.array_equal(lies, face("D34"))
    # The next photo's card is read in that place alone.
    with changed_catalogue(folder) as told:
        shutil.copy(ART / "D55.png", folder / "art/card-06.png")
        told["cards"].append({"id": "card-06", "kind": "dungeon", "art": "art/card-06.png", "traced": "no"})
    name_by_reference(folder, kept, numbered(folder))
    assert [each.text for each in kept.printed["art/card-06.png"]] == ["D55"]


def test_a_printed_number_is_no_number_of_enrolment(tmp_path: Path) -> None:
    """Of a deck that counts its own cards with a C no card is called as another one is printed, in whatever
    order they come: neither the ones that are read nor one that nobody can read."""
    folder, said = tmp_path / "box", ["C05", "C03", "C01", "C02", "C14"]
    kept = box_of(folder, ["D17", "D05", "D34", "D42", "D55", "D60"])
    kept.printed = {f"art/card-0{k}.png": printed(text, 0.99) for k, text in enumerate(said, 1)}
    kept.printed["art/card-06.png"] = []
    name_by_reference(folder, kept, numbered(folder))
    assert [card.id for card in read_catalogue(folder).cards] == [*said, "card-06"]


def printed(text: str, confidence: float, *, x: float = 10.0) -> list[PrintedReference]:
    return [PrintedReference(text, confidence, (x, 84.0), (6.0, 3.0))]


def test_what_is_not_sure_is_asked_and_asked_once(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    kept = box_of(folder, ["D17", "D05", "D34", "D42", "D55", "D60", "D07"])
    kept.printed = {f"art/card-0{k}.png": printed(f"D{k}", 0.99) for k in (1, 2, 3, 4)}
    kept.printed |= {"art/card-05.png": printed("D5", 0.7), "art/card-06.png": printed("D6", 0.6)}
    # A D is easily read as a 0: what has not the deck's form is not asked about.
    kept.printed |= {"art/card-07.png": printed("07", 0.99)}
    named = name_by_reference(folder, kept, numbered(folder))
    assert [each.now for each in named] == ["D1", "D2", "D3", "D4"]
    assert [(each.kind, each.art, each.text) for each in kept.asked] == [
        ("reference", "art/card-05.png", "D5"),
        ("reference", "art/card-06.png", "D6"),
    ]
    write_faces(folder, kept)
    assert answer(folder, kept.asked[0].name, "same") == "D5"
    assert answer(folder, read_faces(folder).asked[0].name, "leave") == "card-06"
    again = read_faces(folder)
    assert name_by_reference(folder, again, numbered(folder)) == [] and again.asked == []


@pytest.mark.parametrize(
    "why, said",
    [
        ("all say the same: a price", [("3", 0.99)] * 4),
        ("two say the same", [("D1", 0.99), ("D2", 0.99), ("D2", 0.99), ("D2", 0.99)]),
        ("too few say anything", [("D1", 0.99), ("D2", 0.99)]),
    ],
)
def test_what_is_no_reference_names_nothing(tmp_path: Path, why: str, said: list[tuple[str, float]]) -> None:
    folder = tmp_path / "box"
    kept = box_of(folder, ["D17", "D05", "D34", "D42"])
    kept.printed = {f"art/card-0{k}.png": printed(*each) for k, each in enumerate(said, 1)}
    kept.printed |= {card.art: [] for card in read_catalogue(folder).cards if card.art not in kept.printed}
    assert name_by_reference(folder, kept, numbered(folder)) == [] and kept.asked == [], why


def test_colours_of_one_reference_keep_their_numbers(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    kept = box_of(folder, ["D17", "D05", "D34", "D42", "D55", "D60"])
    texts = ["D1", "D2", "D3", "D4", "S3", "S3"]
    kept.printed = {f"art/card-0{k}.png": printed(text, 0.99) for k, text in enumerate(texts, 1)}
    assert [each.now for each in name_by_reference(folder, kept, numbered(folder))] == [
        "D1",
        "D2",
        "D3",
        "D4",
    ]
    assert [card.id for card in read_catalogue(folder).cards][4:] == ["card-05", "card-06"]


def test_names_that_people_gave_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "box"
    kept = box_of(folder, ["D17", "D05", "D34"])
    with changed_catalogue(folder) as told:
        for entry, name in zip(told["cards"], ("Gate", "Hall", "Pit"), strict=True):
            entry |= {"id": name}
    assert name_by_reference(folder, kept, set()) == []
    monkeypatch.setattr(references, "text_places", lambda face: pytest.fail("nothing is to be read"))
    assert name_by_reference(folder, kept, numbered(folder)) == []
    assert msgspec.to_builtins(kept.printed) == {}
