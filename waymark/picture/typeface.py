"""Fonts for text in any script: their files, the width of a line, and the characters that none of them has.

The first font is the page's own (`canvas.font`). Missing glyphs come from the fonts that Waymark ships
(FiraGO: Hebrew, Arabic, Thai, Devanagari, Georgian; Noto's symbols), then from this machine's fonts. Emoji
have to be installed (Debian, Ubuntu: fonts-noto-color-emoji)."""

from __future__ import annotations

import os
import re
import tempfile
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import pymupdf_fonts
from PIL import ImageFont

from vision.cards.index import cache_folder

Font = ImageFont.FreeTypeFont

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
#: Name patterns of fonts with Japanese, best first.
JAPANESE_FONTS = (
    "NotoSansCJK*-Regular.*",
    "NotoSansJP*Regular*",
    "NotoSans*JP*",
    "NotoSansCJK*",
    "SourceHanSans*",
    "ipaexg.ttf",
    "ipag*.ttf",
    "TakaoPGothic.ttf",
    "VL-PGothic*.ttf",
    "*ヒラギノ角ゴシック W4*",
    "Hiragino*Gothic*",
    "YuGoth*.tt?",
    "meiryo.ttc",
    "msgothic.ttc",
    "DroidSansFallback*.ttf",
    "wqy-*.ttc",
)
_COLOUR_FONTS = ("NotoColorEmoji.ttf", "Apple Color Emoji*", "seguiemj.ttf", "TwemojiMozilla.ttf")
#: Sizes (px) at which fonts are measured; colour bitmap fonts have only one.
_SIZES_PX = (64, 109, 160, 136, 128, 96)
#: In place of a file: the first font.
_OWN = Path()
_JOINER = "\u200d"
_EMOJI = re.compile("[\u203c-\u3299\U0001f000-\U0001faff]")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")
#: Scripts whose signs move or join: resvg shapes a part of a line by the script of its first letter.
_SHAPED = re.compile("[\u0900-\u109f\u1780-\u17ff]")
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


@lru_cache(maxsize=16)
def file_of_brought(word: str) -> Path:
    """A font of pymupdf-fonts as a file in the cache folder; where that cannot be written, in a folder that
    is gone with the process."""
    font = pymupdf_fonts.myfont(word)
    file = cache_folder() / "fonts" / f"{word}.ttf"
    try:
        if not (file.is_file() and file.stat().st_size == len(font)):
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_suffix(f".{os.getpid()}")
            beside.write_bytes(font)
            beside.replace(file)
    except OSError:
        file = Path(_own_folder().name) / file.name
        file.write_bytes(font)
    return file


@lru_cache(maxsize=1)
def _own_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="waymark-fonts-", ignore_cleanup_errors=True)


@lru_cache(maxsize=1)
def font_files() -> tuple[Path, ...]:
    """All files in the system's font folders."""
    folders = [folder for name in FONT_FOLDERS if (folder := Path(name).expanduser()).is_dir()]
    return tuple(sorted(file for folder in folders for file in folder.rglob("*.*") if file.is_file()))


def _named(patterns: Iterable[str]) -> tuple[Path, ...]:
    return tuple(file for pattern in patterns for file in font_files() if file.match(pattern))


@lru_cache(maxsize=1)
def japanese_font_file() -> Path | None:
    """File of a font with Japanese on this machine; None where none is installed."""
    return next(iter(_named(JAPANESE_FONTS)), None)


@lru_cache(maxsize=64)
def _candidates(script: str) -> tuple[Path, ...]:
    """The fonts for a script (a word such as "THAI"), best first."""
    japanese = japanese_font_file()
    named = [f"NotoSans{script.title()}-Regular.*", f"NotoSans{script.title()}*Regular*"] if script else []
    files = (*([] if japanese is None else [japanese]), *_named((*named, *_MANY_SCRIPTS)))
    return (*map(file_of_brought, _BROUGHT), *dict.fromkeys(files))


@lru_cache(maxsize=1)
def _colour_fonts() -> tuple[Path, ...]:
    return _named(_COLOUR_FONTS)


@lru_cache(maxsize=128)
def _opened(file: Path) -> Font | None:
    """A font in a size that it has; None where it cannot be read."""
    for size in _SIZES_PX:
        try:
            return ImageFont.truetype(file, size)
        except OSError:
            continue
    return None


def _has(face: Font | None, sign: str) -> bool:
    """Whether a font has glyphs for all visible characters of a cluster."""
    return face is not None and all(
        character.isspace()
        or unicodedata.category(character) == "Cf"
        or "\ufe00" <= character <= "\ufe0f"
        or (unicodedata.category(character) != "Cc" and _knows(face, character))
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
    return face.font_variant(layout_engine=ImageFont.Layout.BASIC)


def _file_for(sign: str, face: Font) -> Path | None:
    """The font for a cluster: `_OWN` where the first font `face` has it, None where no font has it."""
    own = _has(face, sign)
    emoji = _EMOJI.match(sign) is not None and (len(sign) > 1 or not own)
    if own and not emoji:
        return _OWN
    # Parts of a joined sign mean something else by themselves.
    whole = emoji and (_JOINER in sign or _SKIN.search(sign) is not None)
    script = unicodedata.name(sign[0], "").partition(" ")[0]
    files = (*(_colour_fonts() if emoji else ()), *(() if whole else _candidates(script)))
    last = _OWN if own and "\ufe0f" in sign and not whole else None
    return next((file for file in files if _has(_opened(file), sign)), last)


@lru_cache(maxsize=512)
def _runs(words: str, face: Font) -> tuple[tuple[Path | None, str], ...]:
    """The parts of a line by the file of their font (see `_file_for`) and by whether they are `_SHAPED`."""
    parts = groupby(clusters(words), lambda sign: (_file_for(sign, face), _SHAPED.match(sign) is not None))
    return tuple((file, "".join(signs)) for (file, _), signs in parts)


def _face_of(file: Path | None, face: Font) -> Font:
    opened = None if file is None or file == _OWN else _opened(file)
    return face if opened is None else opened


def runs(words: str, face: Font, *, name: bool = False) -> list[tuple[str, str]]:
    """The parts of a line from left to right, each with the name of its font: "" for `face`. A `name` begins
    on the right where its first letter runs from right to left."""
    faces = [(_face_of(file, face), part) for file, part in _runs(words, face)]
    parts = [("" if other is face else str(other.getname()[0]), part) for other, part in faces]
    kinds = (unicodedata.bidirectional(sign) for sign in words)
    if name and next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L":
        return [(family, f"\u2067{part}\u2069") for family, part in reversed(parts)]
    return parts


def files_for(texts: Iterable[str], face: Font) -> list[Path]:
    """Files of the fonts that draw the characters of these texts which `face` lacks."""
    files = {file for words in texts if not words.isascii() for file, _ in _runs(words, face)}
    return sorted(file for file in files if file is not None and file != _OWN)


def drawable(words: str, face: Font) -> str:
    """The text as one line without the characters that no installed font has; "" where nothing remains."""
    return " ".join("".join(part for file, part in _runs(words, face) if file is not None).split())


def missing_signs(words: str, face: Font) -> list[str]:
    """The characters of a text that no installed font has."""
    return [sign for file, part in _runs(words, face) if file is None for sign in clusters(part)]


def line_width(words: str, face: Font) -> float:
    """Width of a line of text in pixels."""
    if words.isascii():
        return face.getlength(words)
    faces = [(_face_of(file, face), part) for file, part in _runs(words, face)]
    return sum(other.getlength(part) * face.size / other.size for other, part in faces)
