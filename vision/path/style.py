"""Drawing style of a deck: widths of corridors and icons (mm), and drawing habits at the finds of a game."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import FILE_NAME, Card, Catalogue
from scorer.dungeon import Dungeon
from scorer.games import line_habits
from scorer.laying import LineHabits
from vision.cards.index import cache_folder, read_art
from vision.path import parameters


def habits_of(dungeon: Dungeon) -> LineHabits:
    """Drawing habits of the dungeon's game."""
    return line_habits(dungeon.catalogue.game)


Array = NDArray[np.float64]

#: Version of the measurement; raise it whenever that changes, so that cached styles are measured again.
_VERSION = 1
#: Scale at which art is measured; profiles are sampled at `_STEP_MM`.
_PX_PER_MM = 6.0
_STEP_MM = 0.1
#: Number of cards, spread over the catalogue, from which the style is measured.
_CARDS = 16
#: Largest width of a corridor or an icon, as a share of its card's shorter side.
_MOST_SHARE = 0.4
_ANGLES = 2 * np.pi * np.arange(48) / 48


@dataclass(frozen=True)
class DrawingStyle:
    """Width of a corridor's floor and extent of a find's icon, mm."""

    corridor_mm: float
    icon_mm: float

    @property
    def reach_mm(self) -> float:
        """Largest distance (mm) of a drawn line's middle from its corridor's centre line."""
        return max(self.corridor_mm / 2 - parameters.STYLE.wall_mm, self.corridor_mm / 4)


def style_of(catalogue: Catalogue) -> DrawingStyle:
    """Drawing style of a catalogue: as stated there, or else measured on its art.

    It is cached beside the card index and with the catalogue.
    """
    style: DrawingStyle | None = catalogue.__dict__.get("_drawing_style")
    if style is None:
        style = DrawingStyle(catalogue.corridor_width_mm or 0.0, catalogue.icon_mm or 0.0)
        if not (style.corridor_mm > 0 and style.icon_mm > 0):
            measured = _kept(catalogue)
            style = DrawingStyle(style.corridor_mm or measured.corridor_mm, style.icon_mm or measured.icon_mm)
        catalogue.__dict__["_drawing_style"] = style
    return style


def measure_style(catalogue: Catalogue) -> DrawingStyle:
    """Drawing style measured on the catalogue's art.

    Without art or corridors, default shares of the card's size are used.
    """
    side = min(catalogue.card_size_mm)
    across, round_finds = [], []
    cards = [card for card in catalogue.cards if card.edges or card.rooms]
    step = max(1.0, len(cards) / _CARDS)
    for card in (cards[int(k * step)] for k in range(min(_CARDS, len(cards)))):
        art = None if catalogue.folder is None else read_art(catalogue.art_path(card))
        if art is None:
            continue
        size_mm = catalogue.size_of(card.id)
        pixels = [max(1, round(length * _PX_PER_MM)) for length in size_mm]
        small = cv2.resize(art, pixels, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        colours = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB))
        reach = np.arange(0.0, _MOST_SHARE * min(size_mm) + _STEP_MM / 2, _STEP_MM)
        across += list(_across_corridors(card, colours, reach))
        round_finds += list(_round_finds(card, colours, reach))
    return DrawingStyle(
        _half_way_out(across) or parameters.STYLE.usual_corridor_share * side,
        _half_way_in(round_finds) or parameters.STYLE.usual_icon_share * side,
    )


def _looked_up(colours: NDArray[np.float32], at_mm: Array) -> NDArray[np.float32]:
    """Colours (..., 3) in Lab of the art at points (..., 2) mm."""
    at = (at_mm * _PX_PER_MM - 0.5).astype(np.float32)
    flat = at.reshape(-1, at.shape[-2], 2)
    found = cv2.remap(colours, flat, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found).reshape(*at.shape[:-1], 3)


def _corridors(card: Card) -> Iterator[tuple[str, str, Array]]:
    """Corridors of a card: the places at their ends, and points (N, 2) mm every half millimetre.

    If the card has corridors on its upper level, only those are used, because nothing is drawn over them.
    """
    nodes = {node.id: node for node in card.nodes}
    edges = [edge for edge in card.edges if edge.kind == "corridor"]
    upper = [edge for edge in edges if (edge.level or nodes[edge.from_].level) == "main"]
    for edge in upper or edges:
        line = np.array([nodes[edge.from_].at, *edge.via, nodes[edge.to].at], float)
        arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
        if arc[-1] < 2.0:
            continue
        at = np.linspace(0, arc[-1], max(5, round(arc[-1] / 0.5) + 1))
        yield edge.from_, edge.to, np.column_stack([np.interp(at, arc, line[:, k]) for k in (0, 1)])


def _across_corridors(card: Card, colours: NDArray[np.float32], reach: Array) -> Iterator[Array]:
    """Colour distance profiles from the floor's colour, at distances `reach` (mm) to either side of
    corridors."""
    for _, _, line in _corridors(card):
        tangent = np.gradient(line, axis=0)
        tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
        normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
        middle = slice(len(line) // 4, max(len(line) // 4 + 1, len(line) - len(line) // 4))
        sides = np.stack([side * reach[None, :, None] * normal[middle, None] for side in (-1, 1)])
        seen = _looked_up(colours, line[middle][None, :, None] + sides)
        floor = np.median(seen[:, :, reach < 0.6], axis=(0, 1, 2))
        yield from np.linalg.norm(seen - floor, axis=-1).reshape(-1, len(reach)).astype(float)


def _round_finds(card: Card, colours: NDArray[np.float32], reach: Array) -> Iterator[Array]:
    """Colour distance profiles from the floor's colour, at distances `reach` (mm) around finds; NaN off the
    floor."""
    lines = list(_corridors(card))
    for node in card.nodes:
        ways = [line if a == node.id else line[::-1] for a, b, line in lines if node.id in (a, b)]
        for line in ways if node.kind == "find" else []:
            arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
            at = np.column_stack([np.interp(reach, arc, line[:, k]) for k in (0, 1)])
            seen = _looked_up(colours, at)
            half = arc[-1] / 2
            if (floor := (reach > 0.6 * half) & (reach < half)).any():
                away = np.linalg.norm(seen - np.median(seen[floor], axis=0), axis=-1)
                yield np.where(reach < half, away, np.nan)
    ray = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=-1)
    for room in card.rooms:
        mask = np.zeros(colours.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.round(np.array(room.outline) * _PX_PER_MM).astype(np.int32)], 1)
        # without the walls
        mask = cv2.erode(mask, np.ones((round(2 * _PX_PER_MM) | 1,) * 2, np.uint8))
        if not mask.any():
            continue
        floor = np.median(colours[mask > 0], axis=0)
        for find in room.finds:
            at = np.array(find.at) + reach[:, None, None] * ray
            away = np.linalg.norm(_looked_up(colours, at) - floor, axis=-1)
            pixels = (at * _PX_PER_MM - 0.5).astype(np.float32)
            free = cv2.remap(mask, pixels, None, cv2.INTER_NEAREST) > 0
            for other in room.finds:
                if other is not find:
                    apart = float(np.hypot(other.at[0] - find.at[0], other.at[1] - find.at[1]))
                    free &= np.linalg.norm(at - np.array(other.at), axis=-1) > apart / 2
            share = free.mean(axis=1)
            total = np.where(free, away, 0).sum(axis=1) / np.maximum(free.sum(axis=1), 1)
            yield np.where(share > 0.25, total, np.nan)


def _half_way_out(profiles: Sequence[Array]) -> float | None:
    """Width (mm) of a corridor: twice the distance at which the profiles rise half-way from the floor's
    level.

    None if they never rise.
    """
    profile = _average(profiles)
    if profile is None:
        return None
    floor, beyond = float(profile[: round(0.6 / _STEP_MM)].mean()), float(np.nanmax(profile))
    return _width(profile > (floor + beyond) / 2) if beyond > floor else None


def _half_way_in(profiles: Sequence[Array]) -> float | None:
    """Width (mm) of an icon: twice the distance at which the profiles fall half-way to the floor's level."""
    profile = _average(profiles)
    if profile is None:
        return None
    lowest = int(np.nanargmin(profile))
    icon, floor = float(profile[: lowest + 1].max()), float(profile[lowest])
    outside = np.zeros(len(profile), bool)
    # from the floor inwards, as icons have parts in the floor's colour
    outside[1 + np.flatnonzero(profile[: lowest + 1] > (icon + floor) / 2).max(initial=-1) :] = True
    return _width(outside) if icon > floor else None


def _average(profiles: Sequence[Array]) -> Array | None:
    """Smoothed median of the profiles, cut to the shortest; None if there are none."""
    if not profiles:
        return None
    length = min(len(profile) for profile in profiles)
    stacked = np.stack([profile[:length] for profile in profiles])
    told = np.isfinite(stacked).sum(axis=0) >= min(len(profiles), max(2, len(profiles) // 8))
    last = int(np.argmin(told)) if not told.all() else length
    if last < 3:
        return None
    profile = np.nanmedian(stacked[:, :last], axis=0)
    return np.convolve(np.pad(profile, 1, mode="edge"), np.ones(3) / 3, mode="valid")


def _width(outside: NDArray[np.bool_]) -> float | None:
    first = int(np.argmax(outside))
    return round(2 * (first - 0.5) * _STEP_MM, 1) if outside.any() and first > 0 else None


class _Kept(msgspec.Struct, frozen=True):
    key: str
    style: DrawingStyle


def _kept(catalogue: Catalogue) -> DrawingStyle:
    """The measured style from the cache if the art is unchanged; otherwise measured and cached."""
    if catalogue.folder is None:
        return measure_style(catalogue)
    digest = hashlib.sha256(f"{_VERSION} {cv2.__version__}".encode())
    for name in (FILE_NAME, *(card.art for card in catalogue.cards)):
        with contextlib.suppress(OSError):
            stat = (catalogue.folder / name).stat()
            digest.update(f"{name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    place = hashlib.sha256(os.fsencode(catalogue.folder.resolve())).hexdigest()[:12]
    file = cache_folder() / f"style-{place}-{catalogue_word(catalogue)}.json"
    key = digest.hexdigest()
    with contextlib.suppress(OSError, msgspec.DecodeError):
        kept = msgspec.json.decode(file.read_bytes(), type=_Kept)
        if kept.key == key:
            return kept.style
    style = measure_style(catalogue)
    _replace(file, lambda beside: beside.write_bytes(msgspec.json.encode(_Kept(key, style))))
    return style


def catalogue_word(catalogue: Catalogue) -> str:
    """Part of a cache file's name that distinguishes catalogues that share one folder of art."""
    return hashlib.sha256(catalogue.name.encode(errors="surrogateescape")).hexdigest()[:8]


def _replace(file: Path, write: Callable[[Path], object]) -> None:
    """Writes a file atomically, by renaming a temporary one; failures are ignored, because a cache only saves
    time."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=file.parent, prefix="style-", suffix=".tmp")
        os.close(handle)
        try:
            write(Path(beside))
            os.replace(beside, file)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
