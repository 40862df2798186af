"""Card index: catalogue art -> SIFT descriptors, thumbnails and mean colours of all cards, cached on disk.

Descriptors are RootSIFT (Arandjelovic and Zisserman 2012). Their dimension is reduced by a principal
component analysis of the catalogue's own descriptors. One photo is then matched against the whole catalogue
by one matrix product. A catalogue may come from an untrusted source, so a picture file is checked before it
is decoded.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from platformdirs import user_cache_path

from scorer.catalogue import FILE_NAME, Card, Catalogue
from scorer.errors import Code, WaymarkError
from scorer.laying import Laying
from scorer.text import Text
from vision.cards.adjacency import Neighbours, Size, laying_of, neighbours_of, rotations_of
from vision.photo.numerics import spread
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import pixel_size

#: Enough for the largest piece, a board of 80 x 60 cm, at the least resolution of art, 8 px/mm.
MAX_ART_MEGAPIXELS = 40
MAX_ART_MB = 60
#: Usual paints (red, green, blue) by colour name, of wooden figures and cubes in published games.
PAINTS: dict[str, tuple[int, int, int]] = {
    "red": (198, 40, 44),
    "blue": (38, 84, 178),
    "yellow": (236, 190, 40),
    "green": (40, 130, 66),
    "purple": (112, 52, 140),
    "orange": (226, 110, 30),
    "black": (36, 34, 34),
    "white": (236, 234, 228),
}
_PLAIN_PX_PER_MM = 8.0


def read_art(path: Path, *, clear: bool = False) -> NDArray[np.uint8] | None:
    """Art of a face from its file: (H, W, 3) BGR uint8, or (H, W, 4) with an alpha channel if `clear`.

    None if the file is missing, is no picture, or is too large.
    """
    try:
        if path.stat().st_size > MAX_ART_MB * 1_000_000:
            return None
        with Image.open(path, formats=("PNG", "JPEG", "WEBP")) as header:
            if header.width * header.height > MAX_ART_MEGAPIXELS * 1_000_000:
                return None
        data = np.frombuffer(path.read_bytes(), np.uint8)
        if not clear:
            return cv2.imdecode(data, cv2.IMREAD_COLOR)
        return _with_alpha(cv2.imdecode(data, cv2.IMREAD_UNCHANGED))
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, cv2.error):
        return None


def picture_of(catalogue: Catalogue, card: Card) -> NDArray[np.uint8] | None:
    """Picture of a piece's face, (H, W, 3) BGR: its art, or else its plain colour; None if it has neither."""
    if card.art:
        return read_art(catalogue.art_path(card))
    paint = PAINTS.get(card.colour or "")
    if paint is None:
        return None
    width, height = (max(4, round(_PLAIN_PX_PER_MM * side)) for side in catalogue.size_of(card.id))
    return np.full((height, width, 3), paint[::-1], np.uint8)


def is_known_by_sight(card: Card) -> bool:
    """Whether a piece can be recognised in a photo, by its art or colour; other pieces are entered by
    hand."""
    return bool(card.art) or card.colour in PAINTS


def unreadable(card: Card) -> WaymarkError:
    """The error for a card whose art file is needed and cannot be read."""
    if not card.art:
        return WaymarkError(
            Code.ART_UNREADABLE,
            Text("Card {id!r} has no art, so that no photo can tell it; give it a picture.", id=card.id),
        )
    return WaymarkError(
        Code.ART_UNREADABLE,
        Text(
            "The art of card {id!r} ({art}) cannot be read; run `waymark deck check`.",
            id=card.id,
            art=card.art,
        ),
    )


def _with_alpha(picture: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
    if picture is None or picture.dtype != np.uint8:
        return None
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 4:
        return picture
    return np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])


#: Raise this whenever the numbers below or the meaning of an array change: old cache files are then ignored.
INDEX_VERSION = 8
# The numbers below were measured on the open deck's cards, 63 x 88 mm, in renders of tables.

#: Resolution of the art for feature detection: that of a card in a photo of a whole tableau.
FEATURE_PX_PER_MM = 4.5
#: Greatest number of features per card: 20 matches remain on a half covered card; more would cost time in
#: every photo.
FEATURES_PER_CARD = 200
#: Size of the cells from which features are taken evenly, so that one busy corner does not supply all.
FEATURE_CELL_MM = 17.0
#: Dimensions of the projected descriptors, which keep over 90 % of the variance.
DESCRIPTOR_SIZE = 48
#: Mean number of descriptors per word of the inverted file (Sivic and Zisserman 2003), so that a feature is
#: compared with the descriptors of a few words only; and the number of k-means rounds that compute the words.
DESCRIPTORS_PER_WORD = 250
WORD_ROUNDS = 4
#: Number of places at which the same face is searched, unless its game has more copies of it: people mix
#: several sets.
LEAST_COPIES = 3
#: Resolution of the small pictures with which a place in the photo is compared.
THUMB_PX_PER_MM = 2.0
#: Rows and columns of the cells in which the art's colours are stored: a frame or a seal is wider than one
#: cell.
TINT_CELLS = (24, 18)
#: Pixels across a cell when its median colour is computed.
TINT_PX = 4
#: Age after which unused cache files are deleted: a month; temporary files are deleted after an hour.
UNUSED_S = 30 * 24 * 3600.0
HALF_WRITTEN_S = 3600.0


@dataclass(frozen=True)
class CardIndex:
    """Recognition data of C cards with at most K features each.

    `ids`            the cards' ids, in the catalogue's order
    `sizes_mm`       width and height of each
    `rotations`      allowed rotations of each, degrees clockwise
    `copies`         greatest number of places of each
    `owners`         colour of the player who owns each; "" where it has no owner
    `mean`, `basis`  (128,), (128, D) float32: the projection of RootSIFT descriptors
    `filed`          (C * K, D) float32: unit-length descriptors, sorted by word (`filing`); zero where a card
                     has fewer than K. No other order is stored: descriptors of 1,250 cards take 48 MB
    `keypoints`      (C, K, 4) float32: x and y in mm on the upright card, size in mm, angle in degrees
    `words`          (W, D) float32: visual words, the directions under which similar descriptors are filed
    `word`           (C, K) int32: visual word of each descriptor, -1 where there is none
    `thumbs`         (C, h, w) uint8: grey art at `THUMB_PX_PER_MM`, padded to the largest card
    `tints`          (C, rows, columns, 3) uint8: median colour (BGR) of each cell of the art
    `neighbours`     allowed offsets between adjacent cards
    """

    ids: tuple[str, ...]
    sizes_mm: tuple[Size, ...]
    rotations: tuple[frozenset[int], ...]
    copies: tuple[int, ...]
    owners: tuple[str, ...]
    mean: NDArray[np.float32]
    basis: NDArray[np.float32]
    filed: NDArray[np.float32]
    keypoints: NDArray[np.float32]
    words: NDArray[np.float32]
    word: NDArray[np.int32]
    thumbs: NDArray[np.uint8]
    tints: NDArray[np.uint8]
    neighbours: Neighbours

    def project(self, descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Descriptors (N, 128) of SIFT projected to unit vectors (N, D) of this index."""
        return _unit((_root(descriptors) - self.mean) @ self.basis)

    def of(self, kept: Sequence[int]) -> CardIndex:
        """Sub-index of some of the cards, by their indices."""
        cards = list(kept)
        word = self.word[cards]
        return replace(
            self,
            ids=tuple(self.ids[card] for card in cards),
            sizes_mm=tuple(self.sizes_mm[card] for card in cards),
            rotations=tuple(self.rotations[card] for card in cards),
            copies=tuple(self.copies[card] for card in cards),
            owners=tuple(self.owners[card] for card in cards),
            filed=_by_word(self.descriptors[cards], word),
            keypoints=self.keypoints[cards],
            word=word,
            thumbs=self.thumbs[cards],
            tints=self.tints[cards],
        )

    def thumb(self, card: int) -> NDArray[np.uint8]:
        """Grey art (h, w) of one card at `THUMB_PX_PER_MM`."""
        width, height = pixel_size(self.sizes_mm[card], THUMB_PX_PER_MM)
        return self.thumbs[card, :height, :width]

    def turns(self, card: int) -> tuple[int, ...]:
        """Quarter turns that map one allowed rotation of a card to another, 0 first."""
        ways = self.rotations[card] or {0}
        return tuple(sorted({(one - other) // 90 % 4 for one in ways for other in ways}))

    @property
    def descriptors(self) -> NDArray[np.float32]:
        """Descriptors (C, K, D) in the order of the cards, as a copy."""
        made = np.empty_like(self.filed)
        made[self.filing[0]] = self.filed
        return made.reshape(*self.word.shape, self.filed.shape[1])

    @cached_property
    def filing(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Inverted index: descriptor numbers (card times K plus its own) sorted by word, and the words'
        offsets (W + 1,)."""
        order = _filing(self.word)
        return order, np.searchsorted(self.word.ravel()[order], np.arange(len(self.words) + 1))

    @cached_property
    def footprints(self) -> dict[Size, tuple[int, ...]]:
        """Card sizes (mm), each with the quarter turns by which two cards of that size may differ."""
        turns: dict[Size, set[int]] = {}
        for card, size in enumerate(self.sizes_mm):
            turns.setdefault(size, set()).update(self.turns(card))
        return {size: tuple(sorted(quarters)) for size, quarters in turns.items()}

    def flips(self, size_mm: Size) -> tuple[int, ...]:
        """Quarter turns that keep the footprint of a size, starting with 0."""
        square = size_mm[0] == size_mm[1]
        return tuple(quarters for quarters in self.footprints[size_mm] if square or quarters % 2 == 0)


def load_index(catalogue: Catalogue, *, cache: Path | None = None, laying: Laying | None = None) -> CardIndex:
    """The index of a catalogue: loaded from the cache if it is there and intact, otherwise computed and
    cached.

    `cache` is the folder for it: by default `$WAYMARK_CACHE`, or else the user's cache folder. A cache that
    cannot be written only costs time. `laying` are the rules for placing pieces, by default those of the
    catalogue's game. Raises `WaymarkError` (art-unreadable, no-catalogue).
    """
    folder = cache or cache_folder()
    file = folder / f"index-{cache_name(catalogue, INDEX_VERSION)}.npz"
    seen = _read(file, len(catalogue.cards))
    if seen is None:
        seen = _look_at_all(catalogue)
        write_arrays(seen, file)
        prune(file)
    return _index(catalogue, seen, laying)


def cache_folder() -> Path:
    """Folder of cached indexes: `$WAYMARK_CACHE`, or else `waymark` in the user's cache folder."""
    named = os.environ.get("WAYMARK_CACHE")
    return Path(named) if named else user_cache_path("waymark", appauthor=False)


#: Stored form of an index: the arrays of `CardIndex` by their names.
_Arrays = dict[str, NDArray[Any]]
_ARRAYS = ("mean", "basis", "descriptors", "keypoints", "words", "word", "thumbs", "tints")


def _index(catalogue: Catalogue, seen: _Arrays, laying: Laying | None) -> CardIndex:
    laying = laying or laying_of(catalogue)
    seen = dict(seen)
    filed = _by_word(seen.pop("descriptors"), seen["word"])
    return CardIndex(
        ids=tuple(card.id for card in catalogue.cards),
        sizes_mm=tuple(catalogue.size_of(card.id) for card in catalogue.cards),
        rotations=tuple(rotations_of(card, laying) for card in catalogue.cards),
        copies=tuple(max(LEAST_COPIES, card.copies) for card in catalogue.cards),
        owners=tuple((card.colour or "") if laying.by_owner else "" for card in catalogue.cards),
        neighbours=neighbours_of(catalogue, laying),
        filed=filed,
        **seen,
    )


def _filing(word: NDArray[np.int32]) -> NDArray[np.intp]:
    """Order (indices) that sorts descriptors by their visual words (C, K)."""
    return np.argsort(word.ravel(), kind="stable")


def _by_word(descriptors: NDArray[np.float32], word: NDArray[np.int32]) -> NDArray[np.float32]:
    """Descriptors (C, K, D) sorted by their visual words, (C * K, D)."""
    return np.asarray(descriptors.reshape(-1, descriptors.shape[2])[_filing(word)])


@single_threaded_blas()
def _look_at_all(catalogue: Catalogue) -> _Arrays:
    with ThreadPoolExecutor(max_workers=2) as pool:
        seen = list(pool.map(lambda card: _look_at(catalogue, card), catalogue.cards))
    raw = np.zeros((len(seen), FEATURES_PER_CARD, 128), np.float32)
    keypoints = np.zeros((len(seen), FEATURES_PER_CARD, 4), np.float32)
    used = np.zeros((len(seen), FEATURES_PER_CARD), bool)
    largest = np.max([thumb.shape for _, _, thumb, _ in seen], axis=0)
    thumbs = np.zeros((len(seen), *largest), np.uint8)
    for row, (points, descriptors, thumb, _) in enumerate(seen):
        keypoints[row, : len(points)] = points
        raw[row, : len(points)] = _root(descriptors)
        used[row, : len(points)] = True
        thumbs[row, : thumb.shape[0], : thumb.shape[1]] = thumb
    mean, basis = _principal_axes(raw[used])
    projected = _unit((raw - mean) @ basis) * used[..., None]
    words = _words(projected[used])
    word = np.full(used.shape, -1, np.int32)
    word[used] = _nearest(projected[used], words)
    tints = np.stack([each[3] for each in seen])
    parts = (mean, basis, projected.astype(np.float32), keypoints, words, word, thumbs, tints)
    return dict(zip(_ARRAYS, parts, strict=True))


def _look_at(
    catalogue: Catalogue, card: Card
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint8], NDArray[np.uint8]]:
    """Keypoints (k, 4), SIFT descriptors (k, 128), thumbnail and cell colours of one card's art."""
    path = catalogue.art_path(card)
    art = read_art(path)
    if art is None:
        raise unreadable(card)
    size_mm = catalogue.size_of(card.id)
    grey = cv2.cvtColor(_resized(art, size_mm, FEATURE_PX_PER_MM), cv2.COLOR_BGR2GRAY)
    found, descriptors = cv2.SIFT.create().detectAndCompute(grey, None)
    thumb = np.asarray(cv2.cvtColor(_resized(art, size_mm, THUMB_PX_PER_MM), cv2.COLOR_BGR2GRAY), np.uint8)
    rows, columns = TINT_CELLS
    small = cv2.resize(art, (columns * TINT_PX, rows * TINT_PX), interpolation=cv2.INTER_AREA)
    tints = middling(np.asarray(small, np.uint8), TINT_CELLS)
    if not found:
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32), thumb, tints
    to_mm = np.array(size_mm) / grey.shape[::-1]
    # OpenCV's keypoints are relative to the centre of the first pixel, millimetres to its corner.
    at_mm = (np.array([point.pt for point in found]) + 0.5) * to_mm
    rest = np.array([[point.size * to_mm[0], point.angle, point.response] for point in found])
    kept = spread(at_mm, rest[:, 2], size_mm, FEATURE_CELL_MM, FEATURES_PER_CARD)
    points = np.column_stack([at_mm, rest[:, :2]])[kept]
    return points.astype(np.float32), np.asarray(descriptors[kept], np.float32), thumb, tints


def middling(picture: NDArray[np.uint8], cells: tuple[int, int]) -> NDArray[np.uint8]:
    """Median colour (rows, columns, 3) of each cell of a picture whose sides are multiples of the cells.

    Ink and icons cover less than half of most cells.
    """
    rows, columns = cells
    height, width = picture.shape[0] // rows, picture.shape[1] // columns
    parts = picture.reshape(rows, height, columns, width, 3).transpose(0, 2, 1, 3, 4)
    return np.asarray(np.median(parts.reshape(rows, columns, -1, 3), axis=2), np.uint8)


def _resized(art: NDArray[np.uint8], size_mm: Size, px_per_mm: float) -> NDArray[np.uint8]:
    made: NDArray[np.uint8] = cv2.resize(art, pixel_size(size_mm, px_per_mm), interpolation=cv2.INTER_AREA)
    return made


def _root(descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
    """RootSIFT descriptors: the square root of each descriptor after L1 normalisation."""
    total = np.maximum(descriptors.sum(axis=-1, keepdims=True), 1e-6)
    made: NDArray[np.float32] = np.sqrt(descriptors / total).astype(np.float32)
    return made


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    length = np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)
    made: NDArray[np.float32] = (vectors / length).astype(np.float32)
    return made


def _principal_axes(samples: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Principal component analysis of samples (n, 128): mean (128,) and main axes (128, D)."""
    if len(samples) < 2:
        return np.zeros(128, np.float32), np.eye(128, DESCRIPTOR_SIZE, dtype=np.float32)
    mean = samples.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov(samples - mean, rowvar=False))
    return mean.astype(np.float32), np.ascontiguousarray(axes[:, ::-1][:, :DESCRIPTOR_SIZE], np.float32)


def _words(descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Visual words (W, D): cluster means of descriptors (n, D), as unit vectors (k-means)."""
    count = max(1, len(descriptors) // DESCRIPTORS_PER_WORD)
    words = np.asarray(descriptors[np.linspace(0, max(len(descriptors) - 1, 0), count).astype(int)])
    if not len(descriptors):
        return np.zeros((1, descriptors.shape[1]), np.float32)
    for _ in range(WORD_ROUNDS):
        own = _nearest(descriptors, words)
        order = np.argsort(own, kind="stable")
        taken, starts = np.unique(own[order], return_index=True)
        words = words.copy()
        words[taken] = _unit(np.add.reduceat(descriptors[order], starts, axis=0))
    return words


def _nearest(descriptors: NDArray[np.float32], words: NDArray[np.float32]) -> NDArray[np.intp]:
    """Index (n,) of the nearest visual word of each descriptor."""
    parts = np.array_split(descriptors, len(descriptors) // 4096 + 1)
    return np.concatenate([(part @ words.T).argmax(axis=1) for part in parts])


def cache_name(catalogue: Catalogue, version: int) -> str:
    """File name of a cache entry for a catalogue's art; the part before the last hyphen stays when the
    catalogue changes."""
    return f"{_place(catalogue)}-{_key(catalogue, version)}"


def _place(catalogue: Catalogue) -> str:
    """Stable part of a cache file's name, from the catalogue's name and its folder's; unchanged by edits."""
    assert catalogue.folder is not None
    text = f"{catalogue.name} {catalogue.folder.resolve()}"
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:12]


def _key(catalogue: Catalogue, version: int) -> str:
    """Hash for a cache file's name that changes with the catalogue's text, its art files and the index code's
    version."""
    assert catalogue.folder is not None
    digest = hashlib.sha256(f"{version} {cv2.__version__}".encode())
    # A catalogue in memory with a folder of art is identified by its art files alone.
    with contextlib.suppress(OSError):
        digest.update((catalogue.folder / FILE_NAME).read_bytes())
    for card in catalogue.cards:
        try:
            stat = catalogue.art_path(card).stat()
            size = catalogue.size_of(card.id)
            digest.update(f"{card.id} {card.art} {size} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        except OSError:
            digest.update(f"{card.id} {card.art} missing\n".encode())
    return digest.hexdigest()[:24]


def read_arrays(file: Path) -> dict[str, NDArray[Any]] | None:
    """Arrays of a cache file; None where it is missing or damaged."""
    try:
        # Opened here, because numpy does not close a damaged file.
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as stored:
            seen = {name: stored[name] for name in stored.files}
    except Exception:
        # Any fault of a cache file (cut off, other format, unreadable) is repaired by making it again.
        return None
    with contextlib.suppress(OSError):
        os.utime(file)  # The time of its last use, for `prune`.
    return seen


def _read(file: Path, cards: int) -> _Arrays | None:
    """Arrays of an index of `cards` cards, read from `file`; None where they are not there as they should."""
    seen = read_arrays(file)
    if seen is None or not set(_ARRAYS) <= seen.keys():
        return None
    counts = {len(seen[name]) for name in ("descriptors", "keypoints", "thumbs")}
    return seen if counts == {cards} else None


def write_arrays(seen: Mapping[str, NDArray[Any]], file: Path) -> None:
    """Write arrays atomically (to a temporary file, then renamed): no reader ever sees half a file."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            dir=file.parent, prefix="index-", suffix=".tmp", delete=False
        ) as beside:
            try:
                np.savez(beside, **seen)  # type: ignore[arg-type]
                beside.close()
                os.replace(beside.name, file)
            except BaseException:
                beside.close()
                Path(beside.name).unlink(missing_ok=True)
                raise
    except OSError:
        pass  # A read-only or full disk costs a few seconds in every run and nothing else.


def prune(current: Path) -> None:
    """Delete cache files of earlier states of this catalogue, and files unused for long.

    A process that is reading such a file keeps it open, or builds its index anew.
    """
    earlier = current.name.rsplit("-", 1)[0]
    now = time.time()
    with contextlib.suppress(OSError):
        for file in current.parent.iterdir():
            if file == current or not file.name.startswith("index-"):
                continue
            # Windows refuses to remove an open file; the next writer tries again.
            with contextlib.suppress(OSError):
                unused = now - file.stat().st_mtime
                half_written = file.suffix == ".tmp" and unused > HALF_WRITTEN_S
                outdated = file.suffix == ".npz" and file.name.startswith(f"{earlier}-")
                if half_written or outdated or unused > UNUSED_S:
                    file.unlink()
