"""One line of text in mixed scripts: a font for each run, laid out in visual order.

The first font is the page's own (`canvas.font`). Missing glyphs come from the fonts that Waymark ships
(FiraGO: Hebrew, Arabic, Thai, Devanagari, Georgian; Noto's symbols), then from this machine's fonts.
Characters without any font are left out: emoji have to be installed (Debian, Ubuntu:
fonts-noto-color-emoji)."""

from __future__ import annotations

import io
import re
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import pymupdf_fonts
from PIL import Image, ImageDraw, ImageFont, features

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
Colour: TypeAlias = tuple[int, int, int]

#: Font folders of the supported systems.
FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
#: FiraGO: the font of text in Latin letters.
LATIN = "figo"
#: Names of the fonts used from the package pymupdf-fonts.
_BROUGHT = (LATIN, "symbol2", "symbol1")
#: System fonts with many scripts, best first; fonts named after the script come before them.
_MANY_SCRIPTS = (
    "DejaVuSans.ttf",
    "FreeSans.ttf",
    "Arial Unicode*",
    "segoeui.ttf",
    "seguisym.ttf",
    "Tahoma.ttf",
    "Apple Symbols*",
    "Symbola*",
    "unifont*.otf",
    "unifont*.ttf",
)
_COLOUR_FONTS = ("NotoColorEmoji.ttf", "Apple Color Emoji*", "seguiemj.ttf", "TwemojiMozilla.ttf")
#: Sizes (px) of colour bitmap fonts, which have no others.
_PICTURE_SIZES_PX = (109, 160, 136, 128, 96)
_JOINER = "\u200d"
_EMOJI = re.compile("[\u203c-\u3299\U0001f000-\U0001faff]")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")


def clusters(words: str) -> list[str]:
    """The grapheme clusters of a text: each character with its accents, vowel signs, skin tone and
    joined characters."""
    found: list[str] = []
    for sign in words:
        last = found[-1] if found else ""
        joined = last.endswith(_JOINER) or sign == _JOINER
        mark = unicodedata.category(sign).startswith("M") or _SKIN.match(sign) is not None
        pair = _FLAG.match(sign) is not None and len(last) == 1 and _FLAG.match(last) is not None
        if last and not last.isspace() and (joined or mark or pair):
            found[-1] += sign
        else:
            found.append(sign)
    return found


# --- fonts --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Source:
    """Origin of a font: a file, or the name of a font from pymupdf-fonts."""

    file: Path | None = None
    word: str = ""
    colour: bool = False


@lru_cache(maxsize=16)
def brought_font(word: str) -> bytes:
    """The bytes of a font of pymupdf-fonts."""
    return bytes(pymupdf_fonts.myfont(word))


@lru_cache(maxsize=16)
def file_of_brought(word: str) -> Path:
    """A font of pymupdf-fonts as a file, for readers that take no bytes; gone with the process."""
    file = Path(_own_folder().name) / f"{word}.ttf"
    file.write_bytes(brought_font(word))
    return file


@lru_cache(maxsize=1)
def _own_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="waymark-fonts-")


@lru_cache(maxsize=128)
def _opened(source: _Source, size_px: int) -> tuple[Font, float] | None:
    """A font and the scale factor for its glyphs; None where the font cannot be read."""
    if source.file is None:
        return ImageFont.truetype(io.BytesIO(brought_font(source.word)), size_px), 1.0
    for size in (size_px, *_PICTURE_SIZES_PX) if source.colour else (size_px,):
        try:
            return ImageFont.truetype(source.file, size), size_px / size
        except OSError:
            continue
    return None


@lru_cache(maxsize=1)
def font_files() -> tuple[Path, ...]:
    """All files in the system's font folders."""
    folders = [folder for name in FONT_FOLDERS if (folder := Path(name).expanduser()).is_dir()]
    return tuple(sorted(file for folder in folders for file in folder.rglob("*.*") if file.is_file()))


@lru_cache(maxsize=64)
def _sources(script: str) -> tuple[_Source, ...]:
    """The candidate fonts for a script (a word such as "THAI"), best first."""
    named = [f"NotoSans{script.title()}-Regular.*", f"NotoSans{script.title()}*Regular*"] if script else []
    patterns = (*named, *_MANY_SCRIPTS)
    files = [file for pattern in patterns for file in font_files() if file.match(pattern)]
    return (*(_Source(word=word) for word in _BROUGHT), *map(_Source, dict.fromkeys(files)))


@lru_cache(maxsize=1)
def _colour_sources() -> tuple[_Source, ...]:
    files = [file for pattern in _COLOUR_FONTS for file in font_files() if file.match(pattern)]
    return tuple(_Source(file=file, colour=True) for file in files)


@lru_cache(maxsize=4096)
def _has(source: _Source, sign: str) -> bool:
    """Whether a font has glyphs for all visible characters of a cluster."""
    opened = _opened(source, 32)
    return opened is not None and has_sign(opened[0], sign)


def has_sign(face: Font, sign: str) -> bool:
    """Whether a font has glyphs for all visible characters of a cluster."""
    return all(
        character.isspace()
        or unicodedata.category(character) == "Cf"
        or "\ufe00" <= character <= "\ufe0f"
        or _knows(face, character)
        for character in sign
    )


@lru_cache(maxsize=8192)
def _knows(face: Font, character: str) -> bool:
    """Whether a font has a glyph for a character, by comparison with the glyph of an unassigned
    character."""
    plain = _unshaped(face)
    return bytes(plain.getmask(character)) != bytes(plain.getmask("\U0010ffff"))


@lru_cache(maxsize=128)
def _unshaped(face: Font) -> Font:
    """The font without text shaping, which would split characters."""
    if isinstance(face, ImageFont.FreeTypeFont):
        return face.font_variant(layout_engine=ImageFont.Layout.BASIC)
    return face


def _source_for(sign: str, face: Font) -> _Source | None:
    """The font for a cluster; None where the first font `face` has it. Raises `LookupError` where no
    font has it."""
    emoji = _EMOJI.match(sign) is not None and (len(sign) > 1 or not has_sign(face, sign))
    if not emoji and has_sign(face, sign):
        return None
    script = unicodedata.name(sign[0], "").partition(" ")[0]
    pictures = _colour_sources() if emoji else ()
    # Parts of a joined sign mean something else by themselves.
    plain = () if emoji and (_JOINER in sign or _SKIN.search(sign)) else _sources(script)
    for source in (*pictures, *plain):
        if _has(source, sign):
            return source
    if emoji and "\ufe0f" in sign and has_sign(face, sign):
        return None
    raise LookupError(sign)


# --- runs ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Run:
    """A part of a line in one font and one direction."""

    words: str
    source: _Source | None
    right_to_left: bool


def _levels(signs: Sequence[str], *, name: bool) -> list[int]:
    """The embedding level of each cluster; odd levels run right to left (Unicode Bidirectional Algorithm
    without explicit embeddings). A name takes the direction of its first letter, a sentence that of the
    page."""
    kinds = [unicodedata.bidirectional(sign[0]) for sign in signs]
    first = next((kind for kind in kinds if kind in _STRONG), "L")
    base = "R" if name and first != "L" else "L"
    sides: list[str | None] = []
    numbers: set[int] = set()
    last = base
    for place, kind in enumerate(kinds):
        if kind in _STRONG:
            last = "L" if kind == "L" else "R"
            sides.append(last)
        elif kind in ("EN", "AN"):
            # A number runs from left to right, within a text that may not.
            sides.append(last if kind == "EN" else "R")
            numbers.add(place)
        else:
            within = kind in ("CS", "ES") and 0 < place < len(kinds) - 1
            within = within and kinds[place - 1] == kinds[place + 1] == "EN"
            sides.append(last if within else None)
            numbers |= {place} if within else set()
    _settle_brackets(signs, sides, base)
    levels = []
    for place, side in enumerate(_with_neutrals(sides, base)):
        if side == "L":
            levels.append(0 if base == "L" else 2)
        else:
            levels.append(2 if place in numbers else 1)
    return levels


_STRONG = ("L", "R", "AL")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "（": "）", "「": "」", "『": "』", "【": "】"}


def _settle_brackets(signs: Sequence[str], sides: list[str | None], base: str) -> None:
    """Set the direction of bracket pairs (rule N0): the line's direction if it occurs inside, else that
    of the content if the preceding text has it."""
    opened: list[int] = []
    for place, sign in enumerate(signs):
        if sign in _BRACKETS:
            opened.append(place)
        elif opened and sign == _BRACKETS[signs[opened[-1]]]:
            start = opened.pop()
            inside = {side for side in sides[start + 1 : place] if side is not None}
            before = next((side for side in reversed(sides[:start]) if side is not None), base)
            if inside:
                sides[start] = sides[place] = base if base in inside or before == base else before


def _with_neutrals(sides: Sequence[str | None], base: str) -> list[str]:
    """The directions with neutral characters resolved: that of both neighbours where they agree, else
    the line's."""
    found = []
    for place, side in enumerate(sides):
        if side is None:
            before = next((each for each in reversed(sides[:place]) if each is not None), base)
            after = next((each for each in sides[place:] if each is not None), base)
            side = before if before == after else base
        found.append(side)
    return found


def _in_order(runs: Sequence[_Run], levels: Sequence[int]) -> list[_Run]:
    """Runs in visual order, left to right (rule L2): stretches are reversed from the highest level down."""
    order = list(range(len(runs)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = reversed(order[start:end])
            start = end + 1
    return [runs[place] for place in order]


def _sources_of_word(signs: Sequence[str], face: Font) -> Iterator[tuple[str, _Source | LookupError | None]]:
    """The font of each cluster of a word; letters of one word share a font where one has them all."""
    found: dict[str, _Source | LookupError | None] = {}
    for sign in signs:
        try:
            found[sign] = _source_for(sign, face)
        except LookupError as error:
            found[sign] = error
    letters = [sign for sign in found if sign[0].isalpha()]
    for source in {found[sign] for sign in letters if isinstance(found[sign], _Source)}:
        if isinstance(source, _Source) and all(_has(source, sign) for sign in letters):
            found |= dict.fromkeys(letters, source)
            break
    for sign in signs:
        yield sign, found[sign]


@lru_cache(maxsize=512)
def _runs(words: str, face: Font, *, name: bool = False) -> tuple[tuple[_Run, ...], str]:
    """The runs of a line from left to right, and the characters without a font."""
    signs: list[tuple[str, _Source | None]] = []
    missing = ""
    for word in re.findall(r"\s+|\S+", words):
        for sign, source in _sources_of_word(clusters(word), face):
            if isinstance(source, LookupError):
                missing += sign
            else:
                signs.append((sign, source))
    levels = _levels([sign for sign, _ in signs], name=name)
    runs: list[_Run] = []
    run_levels: list[int] = []
    for (sign, source), level in zip(signs, levels, strict=True):
        # A font of pictures has spaces as wide as those.
        goes_on = runs and (runs[-1].source == source or (sign.isspace() and not _is_colour(runs[-1].source)))
        if goes_on and run_levels[-1] == level:
            runs[-1] = _Run(runs[-1].words + sign, runs[-1].source, level % 2 == 1)
        else:
            runs.append(_Run(sign, source, level % 2 == 1))
            run_levels.append(level)
    return tuple(_in_order(runs, run_levels)), missing


def _is_colour(source: _Source | None) -> bool:
    return source is not None and source.colour


def files_for(texts: Iterable[str], face: Font) -> list[Path]:
    """Files of the fonts that draw the characters of these texts which `face` lacks."""
    sources = {run.source for words in texts if not words.isascii() for run in _runs(words, face)[0]}
    known = [source for source in sources if source is not None]
    return sorted({source.file or file_of_brought(source.word) for source in known})


def drawable(words: str, face: Font) -> str:
    """The text as one line without the characters that no installed font has; "" where nothing remains."""
    lost = []
    for sign in clusters(words):
        try:
            _source_for(sign, face)
        except LookupError:
            lost.append(sign)
    kept = words
    for sign in sorted(lost, key=len, reverse=True):
        kept = kept.replace(sign, "")
    return " ".join(kept.split())


def missing_signs(words: str, face: Font) -> list[str]:
    """The characters of a text that no installed font has."""
    return clusters(_runs(words, face)[1])


# --- drawing ------------------------------------------------------------------------------------------------

_SHAPES = features.check("raqm")


@dataclass(frozen=True)
class _Piece:
    """A run prepared for drawing: its characters in the order that its font expects."""

    words: str
    face: Font
    scale: float
    direction: str | None
    colour: bool

    @property
    def width_px(self) -> float:
        return self.face.getlength(self.words, direction=self.direction) * self.scale


def _pieces(words: str, face: Font, *, name: bool = False) -> Iterator[_Piece]:
    size_px = round(getattr(face, "size", 10))
    for run in _runs(words, face, name=name)[0]:
        opened = (face, 1.0) if run.source is None else _opened(run.source, size_px)
        if opened is None:
            continue
        colour = _is_colour(run.source)
        if _SHAPES and getattr(opened[0], "layout_engine", None) == ImageFont.Layout.RAQM:
            yield _Piece(run.words, *opened, "rtl" if run.right_to_left else "ltr", colour)
        else:
            # Without shaping (no fribidi, or a font without it) signs are drawn as they stand: at least in
            # their order.
            turned = "".join(reversed(clusters(run.words))) if run.right_to_left else run.words
            yield _Piece(turned, *opened, None, colour)


def _is_plain(words: str) -> bool:
    """Whether a single font draws the text in one direction, as for ASCII text."""
    return words.isascii()


def line_width(words: str, face: Font) -> float:
    """Width of a line of text in pixels."""
    if _is_plain(words):
        return face.getlength(words)
    return sum(piece.width_px for piece in _pieces(words, face))


def draw_line(
    picture: Image.Image,
    at: tuple[float, float],
    words: str,
    colour: Colour,
    face: Font,
    anchor: str,
    *,
    name: bool = False,
) -> None:
    """Draw one line of text; the anchor is one of Pillow's, from `lmr` and `ams`. A `name` runs from right to
    left where its first letter does, other words from left to right, as a page in English or Japanese."""
    pen = ImageDraw.Draw(picture)
    pieces = [] if _is_plain(words) else list(_pieces(words, face, name=name))
    if len(pieces) <= 1 and all(piece.face is face and piece.direction != "rtl" for piece in pieces):
        pen.text(at, "".join(piece.words for piece in pieces) if pieces else words, colour, face, anchor)
        return
    ascent, descent = face.getmetrics() if isinstance(face, ImageFont.FreeTypeFont) else (0, 0)
    width = sum(piece.width_px for piece in pieces)
    x = at[0] - {"l": 0.0, "m": width / 2, "r": width}[anchor[0]]
    base = at[1] + {"a": ascent, "m": (ascent - descent) / 2, "s": 0}[anchor[1]]
    for piece in pieces:
        if piece.colour:
            _paste(picture, (x, base), piece, colour)
        else:
            pen.text((x, base), piece.words, colour, piece.face, "ls", direction=piece.direction)
        x += piece.width_px


def _paste(picture: Image.Image, at: tuple[float, float], piece: _Piece, colour: Colour) -> None:
    """Draw a run of colour glyphs, scaled to the height of the text; glyphs without colours take the
    text's colour."""
    left, top, right, bottom = piece.face.getbbox(piece.words, anchor="ls", direction=piece.direction)
    size = (max(1, round(right - left)), max(1, round(bottom - top)))
    drawn = Image.new("RGBA", size, (*colour, 0))
    pen, way = ImageDraw.Draw(drawn), piece.direction
    pen.text((-left, -top), piece.words, colour, piece.face, "ls", embedded_color=True, direction=way)
    small = drawn.resize((max(1, round(size[0] * piece.scale)), max(1, round(size[1] * piece.scale))))
    corner = (round(at[0] + left * piece.scale), round(at[1] + top * piece.scale))
    picture.paste(small.convert("RGB"), corner, small.getchannel("A"))
