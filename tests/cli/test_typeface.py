"""Lines of text in any script: drawn with fonts that have it, in the order in which it is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ImageFont

from scorer.text import Language
from waymark.picture import typeface
from waymark.picture.canvas import WHITE, Canvas, font
from waymark.picture.typeface import clusters, drawable, line_width, missing_signs, runs

HEBREW, ARABIC, THAI = "אבי", "محمد", "น้ำ"
ASTRONAUT = "👩🏽\u200d🚀"


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    for cached in (
        typeface._candidates,
        typeface._colour_fonts,
        typeface._opened,
        typeface._runs,
        typeface.japanese_font_file,
    ):
        cached.cache_clear()


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without any font."""
    _only(monkeypatch)


def _only(monkeypatch: pytest.MonkeyPatch, *files: Path) -> None:
    monkeypatch.setattr(typeface, "font_files", lambda: files)
    for cached in (typeface._candidates, typeface._colour_fonts, typeface._runs, typeface.japanese_font_file):
        cached.cache_clear()


def ink(words: str, language: Language = "en", *, name: bool = False) -> np.ndarray:
    """Where a line has ink."""
    canvas = Canvas((900, 120), language, ground=WHITE)
    canvas.text((20, 60), words, 60, (0, 0, 0), "lm", name=name)
    return np.asarray(canvas.finished().convert("L")) < 128


def width_of(drawn: np.ndarray) -> int:
    columns = np.nonzero(drawn)[1]
    return int(columns.max() - columns.min() + 1)


def at_end(drawn: np.ndarray, width_px: int) -> np.ndarray:
    """The last columns with ink."""
    last = np.nonzero(drawn)[1].max()
    return drawn[:, last - width_px + 1 : last + 1]


def alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two drawings are the same but for the parts of a pixel by which one may be moved."""
    return bool((one != other).sum() < 0.15 * one.sum())


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


@pytest.mark.parametrize("name", [HEBREW, "क्षमा"])
def test_a_name_is_drawn_the_same_beside_another_script(name: str) -> None:
    alone = ink(name)
    width = width_of(alone)
    assert alike(at_end(ink(f"Ken {name}"), width), at_end(alone, width))


def test_a_name_runs_as_its_first_letter_does() -> None:
    width = width_of(ink("Ken"))
    assert alike(at_end(ink(f"{HEBREW} Ken"), width), at_end(ink("Ken"), width))
    hebrew = width_of(ink(HEBREW))
    turned = ink(f"{HEBREW} Ken", name=True)
    assert alike(at_end(turned, hebrew), at_end(ink(HEBREW), hebrew))
    assert np.array_equal(ink("Ken (אבי)", name=True), ink("Ken (אבי)"))
    face = font("en", 60)
    assert [part.strip("\u2067\u2069 ") for _, part in runs(f"{HEBREW} 🏆", face, name=True)] == [
        "🏆",
        HEBREW,
    ]


@pytest.mark.parametrize("name", [HEBREW, ARABIC, THAI, "क्षमा", "ქეთი", "🏆"])
def test_a_japanese_sentence_holds_a_name_of_any_script(name: str) -> None:
    """Every letter outside the Japanese font is drawn as it is by itself, without a box."""
    alone = ink(name, "ja")
    before = ink("高い", "ja")
    columns = np.nonzero(before)[1]
    sentence = ink(f"高い{name}の勝ち", "ja")
    start = round(20 + line_width("高い", font("ja", 60)))
    part = sentence[:, start : start + width_of(alone) + 4]
    assert columns.max() < start + 4 and alike(at_end(part, width_of(alone)), at_end(alone, width_of(alone)))


def test_hebrew_runs_from_right_to_left_and_arabic_letters_are_joined() -> None:
    # Alef is the first letter and stands on the right.
    alef = ink("א")
    width = width_of(alef)
    assert alike(at_end(ink(HEBREW), width), at_end(alef, width))
    assert cv2.connectedComponents(ink(ARABIC).astype(np.uint8))[0] - 1 == 1
    assert [cv2.connectedComponents(ink(letter).astype(np.uint8))[0] - 1 for letter in ARABIC] == [1] * 4


@pytest.mark.parametrize("words", ["Ken 寿限無", "高い क्षमा", "Ken 🏆", "Ελένη น้ำ", "Aya wins with 20 VP."])
def test_a_line_is_as_wide_as_it_is_drawn(words: str) -> None:
    moved = np.nonzero(ink(f"{words}H"))[1].max() - np.nonzero(ink("H"))[1].max()
    assert line_width(words, font("en", 60)) == pytest.approx(moved, abs=4)


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


def test_colour_pictures_are_measured_at_the_size_of_the_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Fonts of emoji have pictures of one size: here one of ours stands for it, which has only that size."""
    opened = ImageFont.truetype
    file = tmp_path / "NotoColorEmoji.ttf"
    file.write_bytes(typeface.file_of_brought("symbol2").read_bytes())

    def one_size(source: object, size: float = 10, **more: object) -> ImageFont.FreeTypeFont:
        if source == file and size != 109:
            raise OSError("invalid pixel size")
        return opened(source, size, **more)  # type: ignore[arg-type]

    _only(monkeypatch, file)
    monkeypatch.setattr(ImageFont, "truetype", one_size)
    face = font("en", 40)
    assert typeface.files_for(["🏆"], face) == [file]
    assert 20 < line_width("Ken 🏆", face) - line_width("Ken ", face) < 60


def test_a_font_that_is_brought_is_written_once_and_beside_where_the_cache_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYMARK_CACHE", str(tmp_path))
    brought = typeface.file_of_brought.__wrapped__
    first = brought("figo")
    assert first == tmp_path / "fonts" / "figo.ttf"
    written = first.stat().st_mtime_ns
    assert brought("figo") == first and first.stat().st_mtime_ns == written
    assert [file.name for file in first.parent.iterdir()] == ["figo.ttf"]
    (tmp_path / "file").touch()
    monkeypatch.setenv("WAYMARK_CACHE", str(tmp_path / "file"))
    assert brought("figo").read_bytes() == first.read_bytes()
