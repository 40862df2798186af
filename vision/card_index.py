"""The catalogue as a camera sees it: features and small pictures of all art, kept on disk between runs.

Descriptors are RootSIFT (Arandjelovic and Zisserman 2012) brought to fewer dimensions by a principal
component analysis of the catalogue's own descriptors, so that one photo is matched against the whole
catalogue by one matrix product.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from scorer.catalogue import FILE_NAME, Card, Catalogue
from scorer.errors import Code, WaymarkError

#: Raise whenever the numbers below or the meaning of an array change: old files are then not read any more.
INDEX_VERSION = 4
#: Art is looked at as large as a card stands in a photo that shows a whole tableau.
FEATURE_PX_PER_MM = 4.5
#: Enough for 20 matches on a card that is half covered; more cost time in every photo.
FEATURES_PER_CARD = 200
#: Features are taken evenly from this many cells (columns, rows) of a card: a busy corner must not take all.
FEATURE_CELLS = (4, 5)
#: Keeps over 90 % of the descriptors' variance.
DESCRIPTOR_SIZE = 48
#: Small pictures for comparing a place in the photo with the art.
THUMB_PX_PER_MM = 2.0
#: Files in the cache folder that no catalogue asked for in a month, or that a writer left an hour ago, go.
UNUSED_S = 30 * 24 * 3600.0
HALF_WRITTEN_S = 3600.0


@dataclass(frozen=True)
class CardIndex:
    """What identification needs to know of C cards with at most K features each.

    `ids`            the cards' ids, in the catalogue's order
    `card_size_mm`   width, height
    `mean`, `basis`  (128,), (128, D) float32: the projection of RootSIFT descriptors
    `descriptors`    (C, K, D) float32, unit length; zero where a card has fewer than K
    `keypoints`      (C, K, 4) float32: x and y in mm on the upright card, size in mm, angle in degrees
    `thumbs`         (C, h, w) uint8: the art in grey at `THUMB_PX_PER_MM`
    `neighbour_shifts_mm`  (S, 2): from a card's centre to those of neighbours whose openings meet its own
    """

    ids: tuple[str, ...]
    card_size_mm: tuple[float, float]
    mean: NDArray[np.float32]
    basis: NDArray[np.float32]
    descriptors: NDArray[np.float32]
    keypoints: NDArray[np.float32]
    thumbs: NDArray[np.uint8]
    neighbour_shifts_mm: NDArray[np.float64]

    def project(self, descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
        """(N, 128) SIFT descriptors as (N, D) unit vectors of this index."""
        return _unit((_root(descriptors) - self.mean) @ self.basis)


def load_index(catalogue: Catalogue, *, cache: Path | None = None) -> CardIndex:
    """The catalogue's index, from the cache where it is there and whole, else built and written there.

    `cache` is the folder to keep it in: by default `$WAYMARK_CACHE`, else the user's cache folder. A cache
    that cannot be written only costs time. Raises `WaymarkError` (art-unreadable, no-catalogue).
    """
    folder = cache or cache_folder()
    file = folder / f"index-{_place(catalogue)}-{_key(catalogue)}.npz"
    index = _read(file)
    if index is None:
        index = build_index(catalogue)
        _write(index, file)
        _prune(folder, file)
    return index


def cache_folder() -> Path:
    """Where indexes are kept: `$WAYMARK_CACHE`, else `waymark` in the user's cache folder."""
    named = os.environ.get("WAYMARK_CACHE")
    return Path(named) if named else user_cache_path("waymark", appauthor=False)


def build_index(catalogue: Catalogue) -> CardIndex:
    """Compute the index from the art files. Raises `WaymarkError` (art-unreadable)."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        seen = list(pool.map(lambda card: _look_at(catalogue, card), catalogue.cards))
    raw = np.zeros((len(seen), FEATURES_PER_CARD, 128), np.float32)
    keypoints = np.zeros((len(seen), FEATURES_PER_CARD, 4), np.float32)
    used = np.zeros((len(seen), FEATURES_PER_CARD), bool)
    for row, (points, descriptors, _) in enumerate(seen):
        keypoints[row, : len(points)] = points
        raw[row, : len(points)] = _root(descriptors)
        used[row, : len(points)] = True
    mean, basis = _principal_axes(raw[used])
    projected = _unit((raw - mean) @ basis) * used[..., None]
    width, height = catalogue.card_size_mm
    return CardIndex(
        ids=tuple(card.id for card in catalogue.cards),
        card_size_mm=(float(width), float(height)),
        mean=mean,
        basis=basis,
        descriptors=projected.astype(np.float32),
        keypoints=keypoints,
        thumbs=np.stack([thumb for _, _, thumb in seen]),
        neighbour_shifts_mm=neighbour_shifts(catalogue),
    )


def neighbour_shifts(catalogue: Catalogue) -> NDArray[np.float64]:
    """(S, 2) shifts in mm between the centres of upright or turned neighbours: edge to edge, openings
    meeting.

    A catalogue without openings gets whole and half shifts, as most games of this kind have.
    """
    width, height = catalogue.card_size_mm
    along: dict[bool, set[float]] = {False: {0.0, height / 2, -height / 2}, True: {0.0}}
    for upright in (False, True):
        length = width if upright else height
        sides = ("top", "bottom") if upright else ("left", "right")
        places = {
            # About the middle of the edge, and mirrored: a turned card's openings lie the other way round.
            sign * round(node.at[0 if upright else 1] - length / 2, 1)
            for card in catalogue.cards
            for node in card.nodes
            if node.kind == "opening" and node.side in sides
            for sign in (1, -1)
        }
        if places:
            shifts = {round(one - other, 1) for one in places for other in places}
            along[upright] = {shift for shift in shifts if abs(shift) < 0.9 * length}
    beside = [(side * width, shift) for side in (-1, 1) for shift in sorted(along[False])]
    above = [(shift, side * height) for side in (-1, 1) for shift in sorted(along[True])]
    return np.array(beside + above, float)


def _look_at(
    catalogue: Catalogue, card: Card
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint8]]:
    """Keypoints (k, 4), SIFT descriptors (k, 128) and the small picture of one card's art."""
    path = catalogue.art_path(card)
    art = _read_art(path)
    if art is None:
        raise WaymarkError(
            Code.ART_UNREADABLE,
            f"The art of card {card.id!r} ({card.art}) cannot be read; run `waymark deck check`.",
            f"カード {card.id!r} の絵({card.art})を読めません。`waymark deck check` で調べてください。",
        )
    width_mm, height_mm = catalogue.card_size_mm
    grey = cv2.cvtColor(_resized(art, width_mm, height_mm, FEATURE_PX_PER_MM), cv2.COLOR_BGR2GRAY)
    found, descriptors = cv2.SIFT.create().detectAndCompute(grey, None)
    thumb = np.asarray(
        cv2.cvtColor(_resized(art, width_mm, height_mm, THUMB_PX_PER_MM), cv2.COLOR_BGR2GRAY), np.uint8
    )
    if not found:
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32), thumb
    to_mm = np.array([width_mm / grey.shape[1], height_mm / grey.shape[0]])
    # OpenCV's keypoints count from the middle of the first pixel, millimetres from its corner.
    at_mm = (np.array([point.pt for point in found]) + 0.5) * to_mm
    rest = np.array([[point.size * to_mm[0], point.angle, point.response] for point in found])
    kept = _spread(at_mm, rest[:, 2], (width_mm, height_mm))
    points = np.column_stack([at_mm, rest[:, :2]])[kept]
    return points.astype(np.float32), np.asarray(descriptors[kept], np.float32), thumb


def _read_art(path: Path) -> NDArray[np.uint8] | None:
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        return cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None  # type: ignore[return-value]
    except (OSError, cv2.error):
        return None


def _resized(
    art: NDArray[np.uint8], width_mm: float, height_mm: float, px_per_mm: float
) -> NDArray[np.uint8]:
    size = (round(width_mm * px_per_mm), round(height_mm * px_per_mm))
    return cv2.resize(art, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def _spread(
    at_mm: NDArray[np.float64], response: NDArray[np.float64], size_mm: Sequence[float]
) -> NDArray[np.intp]:
    """Indices of the strongest features, taken in turns from the cells of a grid."""
    columns, rows = FEATURE_CELLS
    cell = (at_mm[:, 0] / size_mm[0] * columns).astype(int).clip(0, columns - 1) * rows
    cell += (at_mm[:, 1] / size_mm[1] * rows).astype(int).clip(0, rows - 1)
    order = np.argsort(-response, kind="stable")
    turn = np.empty(len(order), int)
    for number in range(columns * rows):
        mine = order[cell[order] == number]
        turn[mine] = np.arange(len(mine))
    return np.lexsort((-response, turn))[:FEATURES_PER_CARD]


def _root(descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
    """RootSIFT: the square root of each descriptor's shares."""
    total = np.maximum(descriptors.sum(axis=-1, keepdims=True), 1e-6)
    return np.sqrt(descriptors / total).astype(np.float32)


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    length = np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)
    return (vectors / length).astype(np.float32)


def _principal_axes(samples: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean (128,) and the main axes (128, D) of (n, 128) samples."""
    if len(samples) < 2:
        return np.zeros(128, np.float32), np.eye(128, DESCRIPTOR_SIZE, dtype=np.float32)
    mean = samples.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov(samples - mean, rowvar=False))
    return mean.astype(np.float32), np.ascontiguousarray(axes[:, ::-1][:, :DESCRIPTOR_SIZE], np.float32)


def _place(catalogue: Catalogue) -> str:
    """A name that stays when the catalogue changes: its own and its folder's."""
    assert catalogue.folder is not None
    text = f"{catalogue.name} {catalogue.folder.resolve()}"
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:12]


def _key(catalogue: Catalogue) -> str:
    """A name that changes with the catalogue's text, its art files and the code that looks at them."""
    assert catalogue.folder is not None
    digest = hashlib.sha256(f"{INDEX_VERSION} {cv2.__version__}".encode())
    # A catalogue made in memory over a folder of art is named by the art files alone.
    with contextlib.suppress(OSError):
        digest.update((catalogue.folder / FILE_NAME).read_bytes())
    for card in catalogue.cards:
        try:
            stat = catalogue.art_path(card).stat()
            digest.update(f"{card.id} {card.art} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        except OSError:
            digest.update(f"{card.id} {card.art} missing\n".encode())
    return digest.hexdigest()[:24]


def _read(file: Path) -> CardIndex | None:
    """The index in `file`, or None where there is none or it is damaged."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            parts = {name: stored[name] for name in stored.files}
        index = CardIndex(
            ids=tuple(str(name) for name in parts.pop("ids")),
            card_size_mm=tuple(parts.pop("card_size_mm").tolist()),
            **parts,
        )
    except Exception:
        # Whatever is wrong with a cache file (cut off, other format, unreadable), building anew mends it.
        return None
    with contextlib.suppress(OSError):
        os.utime(file)  # The time of its last use, for `_prune`.
    whole = len(index.ids) == len(index.descriptors) == len(index.keypoints) == len(index.thumbs)
    return index if whole else None


def _write(index: CardIndex, file: Path) -> None:
    """Write beside and rename, so that a reader or another writer never sees half a file."""
    parts = {field.name: np.asarray(getattr(index, field.name)) for field in fields(index)}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            dir=file.parent, prefix="index-", suffix=".tmp", delete=False
        ) as beside:
            try:
                np.savez(beside, **parts)  # type: ignore[arg-type]
                beside.close()
                os.replace(beside.name, file)
            except BaseException:
                beside.close()
                Path(beside.name).unlink(missing_ok=True)
                raise
    except OSError:
        pass  # A read-only or full disk costs a few seconds in every run and nothing else.


def _prune(folder: Path, current: Path) -> None:
    """Remove what earlier states of this catalogue left behind, and what nobody has used for long.

    A process that is reading such a file keeps what it has opened, or builds its index anew.
    """
    earlier = current.name.rsplit("-", 1)[0]
    now = time.time()
    with contextlib.suppress(OSError):
        for file in folder.iterdir():
            if file == current or not file.name.startswith("index-"):
                continue
            # Windows refuses to remove an open file; the next writer tries again.
            with contextlib.suppress(OSError):
                unused = now - file.stat().st_mtime
                half_written = file.suffix == ".tmp" and unused > HALF_WRITTEN_S
                outdated = file.suffix == ".npz" and file.name.startswith(f"{earlier}-")
                if half_written or outdated or unused > UNUSED_S:
                    file.unlink()
