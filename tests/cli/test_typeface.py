"""Lines of text in any script: a font for each run, in the order in which it is read."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from waymark.picture import typeface
from waymark.picture.canvas import font
from waymark.picture.typeface import clusters, draw_line, drawable, line_width, missing_signs

HEBREW, ARABIC, THAI = "אבי", "محمد", "น้ำ"
ASTRONAUT = "👩🏽\u200d🚀"


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without any font."""
    monkeypatch.setattr(typeface, "font_files", lambda: ())
    for cached in (typeface._sources, typeface._colour_sources, typeface._runs):
        cached.cache_clear()


@pytest.fixture(autouse=True)
def _forget() -> None:
    for cached in (typeface._sources, typeface._colour_sources, typeface._runs):
        cached.cache_clear()


def ink(words: str, language: str = "en", size: int = 60) -> np.ndarray:
    """Where a line has ink."""
    picture = Image.new("RGB", (900, 120), "white")
    face = font("ja" if language == "ja" else "en", size)
    draw_line(picture, (20, 60), words, (0, 0, 0), face, "lm")
    return np.asarray(picture.convert("L")) < 128


def order(words: str) -> list[tuple[str, bool]]:
    """The runs from left to right, and which of them are from right to left."""
    return [(run.words, run.right_to_left) for run in typeface._runs(words, font("en", 38), name=True)[0]]


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("words", [HEBREW, ARABIC, THAI, "क्षमा", "ქეთი", "Ελένη", "Жанна", "🏆"])
def test_names_of_these_scripts_are_drawn_where_no_font_is_installed(words: str) -> None:
    face = font("en", 60)
    assert missing_signs(words, face) == [] and drawable(words, face) == words
    # The box that stands for what a font lacks would be the same for every letter.
    columns = ink(words)
    assert columns.any()
    assert not np.array_equal(columns, ink("\U0010fffd" * len(clusters(words))))
    assert 20 < line_width(words, face) < 600


@pytest.mark.usefixtures("bare")
def test_a_sign_that_no_font_has_is_left_out_and_named() -> None:
    face = font("en", 38)
    assert drawable(f"{ASTRONAUT} Zoë", face) == "Zoë"
    assert missing_signs(f"{ASTRONAUT} Zoë 🐉", face) == [ASTRONAUT, "🐉"]
    assert drawable("🐉", face) == ""
    # Parts of a joined sign mean something else.
    assert drawable("❤\ufe0f\u200d🔥", face) == ""


def test_a_name_is_drawn_the_same_beside_another_script() -> None:
    alone, beside = ink(HEBREW), ink(f"Ken {HEBREW}")
    columns = np.nonzero(alone)[1]
    width = columns.max() - columns.min() + 1
    right = np.nonzero(beside)[1].max()
    part = beside[:, right - width + 1 : right + 1]
    assert np.array_equal(part, alone[:, columns.min() : columns.max() + 1])


@pytest.mark.parametrize(
    ("words", "runs"),
    [
        ("אבי 12", [("12", False), ("אבי ", True)]),
        ("Ken (אבי)", [("Ken (", False), ("אבי", True), (")", False)]),
        ("Ken (אבי) 3", [("Ken (", False), ("אבי", True), (") ", False), ("3", False)]),
        ("אבי (2) Ken", [("Ken", False), (") ", True), ("2", False), ("אבי (", True)]),
        ("محمد 12:30", [("12:30", False), ("محمد ", True)]),
        ("Ken 12", [("Ken 12", False)]),
        ("אבי Ken Mo", [("Ken Mo", False), ("אבי ", True)]),
    ],
)
def test_runs_stand_in_the_order_in_which_they_are_read(words: str, runs: list[tuple[str, bool]]) -> None:
    assert order(words) == runs


def test_a_sentence_that_begins_with_a_name_runs_as_its_page_does() -> None:
    runs = typeface._runs("אבי 12 wins with 25 VP.", font("en", 38))[0]
    assert [run.words for run in runs] == ["12", "אבי ", " wins with 25 VP."]


def test_hebrew_runs_from_right_to_left_and_arabic_letters_are_joined() -> None:
    # Alef is the first letter and stands on the right.
    alef, word = ink("א"), ink(HEBREW)
    last = np.nonzero(word)[1].max()
    columns = np.nonzero(alef)[1]
    width = columns.max() - columns.min() + 1
    assert np.array_equal(word[:, last - width + 1 : last + 1], alef[:, columns.min() : columns.max() + 1])
    assert cv2.connectedComponents(ink(ARABIC).astype(np.uint8))[0] - 1 == 1
    assert [cv2.connectedComponents(ink(letter).astype(np.uint8))[0] - 1 for letter in ARABIC] == [1] * 4


@pytest.mark.usefixtures("bare")
def test_without_a_shaping_library_letters_still_stand_in_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(typeface, "_SHAPES", False)
    words = "Ken " + HEBREW + " 12"
    pieces = list(typeface._pieces(words, font("en", 38)))
    assert "".join(piece.words for piece in pieces) == "Ken 12 " + HEBREW[::-1]
    assert ink(words).any()


def test_text_that_one_font_has_is_drawn_as_pillow_draws_it() -> None:
    for words in ("Aya wins with 20 VP.", "O'Neill & Ken"):
        expected = Image.new("RGB", (900, 120), "white")
        ImageDraw.Draw(expected).text((20, 60), words, (0, 0, 0), font("en", 60), "lm")
        assert np.array_equal(ink(words), np.asarray(expected.convert("L")) < 128)


@pytest.mark.parametrize(
    ("words", "signs"),
    [
        ("Ke\u0301n", ["K", "e\u0301", "n"]),
        (f"{ASTRONAUT}a", [ASTRONAUT, "a"]),
        ("🇯🇵🇫🇷", ["🇯🇵", "🇫🇷"]),
        ("น้ำ", ["น้", "ำ"]),
        ("❤\ufe0f\u200d🔥!", ["❤\ufe0f\u200d🔥", "!"]),
    ],
)
def test_signs_are_what_people_see_as_one(words: str, signs: list[str]) -> None:
    assert clusters(words) == signs


def test_colour_pictures_are_scaled_to_the_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Fonts of emoji have pictures of one size: here one of ours stands for it, which has only that size."""
    opened = ImageFont.truetype
    file = tmp_path / "NotoColorEmoji.ttf"
    file.write_bytes(typeface.brought_font("symbol2"))

    def one_size(source: object, size: float = 10, **more: object) -> ImageFont.FreeTypeFont:
        if source == file and size != 109:
            raise OSError("invalid pixel size")
        return opened(source, size, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(typeface, "font_files", lambda: (file,))
    monkeypatch.setattr(ImageFont, "truetype", one_size)
    typeface._opened.cache_clear()
    face = font("en", 40)
    (run,) = typeface._runs("🏆", face)[0]
    assert run.source is not None and run.source.colour
    rows, columns = np.nonzero(ink("🏆", size=40))
    assert 20 < rows.max() - rows.min() < 48 and 20 < columns.max() - columns.min() < 60
    assert line_width("Ken 🏆", face) - line_width("Ken ", face) < 60
    typeface._opened.cache_clear()
