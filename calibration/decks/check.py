"""Validation of a catalogue: all faults at once, each with its card and place, as `waymark deck check`
prints them.

The form of the file is checked card by card, so an unreadable card hides no fault of another. Topology is
checked by `calibration.enrol.card_geometry`. This module checks the form, the art, and the visual
distances between faces.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError
from skimage.color import lab2rgb, rgb2lab

from calibration.decks.scan import DeckScan, scan_deck
from calibration.enrol.card_geometry import SENTENCES, Problem, contract_problems
from scorer.catalogue import FILE_NAME, Card, Catalogue, Point, art_file, load_catalogue, parse_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.cards.index import MAX_ART_MEGAPIXELS

#: docs/FORMATS.md, section 1: art has at least this resolution.
LEAST_ART_PX_PER_MM = 8.0
#: The art is cut at the card's edge: its sides' ratio is the card's, up to a pixel or two of rounding.
ART_ASPECT_TOLERANCE = 0.01
#: Faces nearer than this (CIE76, root mean square over the face) cannot be told apart by anyone.
LEAST_ART_DISTANCE = 1.0
#: Faces that differ by no more than the first (sRGB levels of 255, root mean square over the face) once one
#: is made as bright and as pale as the other, and by less than the second share of what they differ by as
#: they are, are one face in two lights. Of ten faces of the open deck printed 7% paler, saved as PNG and as
#: poor JPEG, 2.2 is left at most; of the nearest faces of other dungeons 41, and 32 on another deck.
MOST_LIT_DISTANCE, LIT_SHARE = 3.0, 0.5
#: Faces are compared at this resolution: a millimetre blurred away is what a phone across the table leaves.
COMPARE_PX_PER_MM = 1.0

_ART_SENTENCES: dict[str, Text] = {
    "bad-form": Text("the card's entry does not have the form of a card"),
    "art-outside": Text("the art lies outside the catalogue's folder"),
    "art-missing": Text("the art file is missing"),
    "art-unreadable": Text("the art file is not a PNG picture"),
    "art-wrong-shape": Text("the art does not have the card's shape"),
    "art-too-small": Text(
        "the art has fewer than {least} pixels per millimetre", least=f"{LEAST_ART_PX_PER_MM:g}"
    ),
    "taken-for-another": Text("a scan takes this face for the other card; give them art that differs more"),
    "not-told-apart": Text("a scan cannot tell this face from the other card's, and their dungeons differ"),
    "paler-copy": Text(
        "the art differs from another card's in brightness alone, as another light does, and their dungeons "
        "differ"
    ),
    "art-too-alike": Text("the art cannot be told from another card's"),
}


@dataclass(frozen=True)
class Finding:
    """A fault of the catalogue: `card` and `place` (an id, two ids, or a file), and `detail`, a measure or
    a name."""

    card: str
    place: str
    code: str
    detail: str = ""

    def sentence(self, language: str) -> str:
        """The fault as a sentence in `language`."""
        words = (_ART_SENTENCES | SENTENCES)[self.code].message(language)
        return f"{words}: {self.detail}" if self.detail else words


@dataclass(frozen=True)
class ArtDistance:
    """Visual distance of the two most similar faces: root mean square CIE76 colour difference, the lesser
    over both orientations."""

    cards: tuple[str, str]
    distance: float


@dataclass(frozen=True)
class DeckReport:
    """Result of a check. `nearest` is the least distance over all faces. `nearest_layouts` is the least
    over faces with different topology, since the five colours of a starter are meant to look alike. Both
    are None where there are fewer than two such faces."""

    name: str
    card_count: int
    findings: tuple[Finding, ...]
    nearest: ArtDistance | None
    nearest_layouts: ArtDistance | None


def check_deck(folder: Path) -> DeckReport:
    """Report of all faults of the catalogue in `folder`.

    Raises `WaymarkError` (no-catalogue, not-a-catalogue) when there is no catalogue to check.
    """
    catalogue, findings = _read_card_by_card(folder)
    faces: dict[str, NDArray[np.float32]] = {}
    for card_id, count in Counter(card.id for card in catalogue.cards).items():
        if count > 1:
            findings.append(Finding(card_id, card_id, "duplicate-id"))
    for card in catalogue.cards:
        findings += map(_as_finding, contract_problems(card, catalogue.size_of(card.id)))
        if not card.art:
            continue  # Known by its colour, or told by people.
        art = _check_art(folder, card, catalogue.size_of(card.id))
        if isinstance(art, Finding):
            findings.append(art)
        else:
            faces[card.id] = art
    by_shape: dict[tuple[int, ...], dict[str, NDArray[np.float32]]] = {}
    for name, face in faces.items():  # pieces of other sizes cannot be taken for each other
        by_shape.setdefault(face.shape, {})[name] = face
    distances = sorted(
        (pair for alike in by_shape.values() for pair in art_distances(alike)), key=lambda pair: pair.distance
    )
    findings += [
        Finding(pair.cards[0], pair.cards[1], "art-too-alike", f"{pair.distance:.2f}")
        for pair in distances
        if pair.distance < LEAST_ART_DISTANCE
    ]
    layouts = {card.id: (card.nodes, card.edges, card.rooms) for card in catalogue.cards}
    findings += [
        Finding(pair.cards[0], pair.cards[1], "paler-copy", f"{pair.distance:.1f}")
        for alike in by_shape.values()
        for pair in paler_copies(alike)
        if layouts[pair.cards[0]] != layouts[pair.cards[1]]
    ]
    return DeckReport(
        name=catalogue.name,
        card_count=len(catalogue.cards),
        findings=tuple(findings),
        nearest=next(iter(distances), None),
        nearest_layouts=next(
            (pair for pair in distances if layouts[pair.cards[0]] != layouts[pair.cards[1]]), None
        ),
    )


def scan_too(folder: Path, report: DeckReport) -> tuple[DeckReport, DeckScan]:
    """The report extended by confusions in a scan of the catalogue's own art, and that scan. Doubts
    between cards of one dungeon are no fault."""
    scanned = scan_deck(load_catalogue(folder))
    findings = [
        Finding(each.card, ", ".join(each.others), "taken-for-another" if each.taken else "not-told-apart")
        for each in scanned.confusions
        if each.taken or not each.harmless
    ]
    return replace(report, findings=(*report.findings, *findings)), scanned


def art_distances(faces: dict[str, NDArray[np.float32]]) -> Iterator[ArtDistance]:
    """Yield the distance of every pair of faces (height, width, 3) float32 CIE L*a*b*, all of one shape.

    A card may be laid either way up, so the distance is the lesser of upright and rotated by 180 degrees.
    """
    names = list(faces)
    if len(names) < 2:
        return
    upright = np.stack([faces[name].ravel() for name in names]).astype(np.float64)
    turned = np.stack([faces[name][::-1, ::-1].ravel() for name in names]).astype(np.float64)
    squares = np.square(upright).sum(axis=1)
    pixel_count = upright.shape[1] / 3
    squared = np.minimum(
        squares[:, None] + squares[None] - 2 * upright @ upright.T,
        squares[:, None] + squares[None] - 2 * upright @ turned.T,
    )
    rms = np.sqrt(np.maximum(squared, 0) / pixel_count)
    for i, j in combinations(range(len(names)), 2):
        yield ArtDistance((names[i], names[j]), float(rms[i, j]))


def paler_copies(faces: dict[str, NDArray[np.float32]]) -> Iterator[ArtDistance]:
    """Yield every pair of faces, as in `art_distances`, that differ only in brightness: by one factor and
    one offset for all colours, as from light, haze and pale print. The distance is the residual in sRGB
    levels."""
    names = list(faces)
    if len(names) < 2:
        return
    levels = [255 * lab2rgb(faces[name].astype(np.float64)) for name in names]
    upright = np.stack([face.ravel() for face in levels])
    turned = np.stack([face[::-1, ::-1].ravel() for face in levels])
    mean, spread = upright.mean(axis=1), np.maximum(upright.std(axis=1), 1e-6)
    even, even_turned = ((face - mean[:, None]) / spread[:, None] for face in (upright, turned))
    alike = np.maximum(even @ even.T, even @ even_turned.T) / upright.shape[1]
    for i, j in combinations(range(len(names)), 2):
        likeness = min(max(float(alike[i, j]), 0.0), 1.0)
        wider, narrower = max(spread[i], spread[j]), min(spread[i], spread[j])
        left = wider * math.sqrt(1 - likeness**2)
        whole = math.hypot(
            mean[i] - mean[j], math.sqrt(wider**2 + narrower**2 - 2 * likeness * wider * narrower)
        )
        if left < min(MOST_LIT_DISTANCE, LIT_SHARE * whole):
            yield ArtDistance((names[i], names[j]), left)


def _read_card_by_card(folder: Path) -> tuple[Catalogue, list[Finding]]:
    """The catalogue with the readable cards, and a finding for each unreadable one."""
    path = folder / FILE_NAME
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WaymarkError(
            Code.NO_CATALOGUE,
            Text(
                "There is no readable {file_name} in {folder!r}; name the folder of a catalogue.",
                file_name=FILE_NAME,
                folder=str(folder),
            ),
        ) from error
    try:
        document = json.loads(data)
        entries: Sequence[object] = list(document["cards"])
        whole = parse_catalogue(json.dumps({**document, "cards": []}).encode(), folder=folder)
    except (ValueError, KeyError, TypeError, RecursionError):
        # The loader words what is wrong with the file as a whole.
        return parse_catalogue(data, folder=folder), []
    cards: list[Card] = []
    findings: list[Finding] = []
    for number, entry in enumerate(entries):
        try:
            cards.append(msgspec.convert(entry, Card))
        except msgspec.ValidationError as error:
            name = str(entry.get("id", f"#{number + 1}")) if isinstance(entry, dict) else f"#{number + 1}"
            findings.append(Finding(name, FILE_NAME, "bad-form", str(error)))
    return msgspec.structs.replace(whole, cards=tuple(cards)), findings


def _as_finding(problem: Problem) -> Finding:
    return Finding(problem.card, problem.place, problem.code, problem.detail)


def _check_art(folder: Path, card: Card, size_mm: Point) -> Finding | NDArray[np.float32]:
    """The face at `COMPARE_PX_PER_MM` in CIE L*a*b*, or a finding about its file."""
    try:
        path = art_file(folder, card)
    except WaymarkError:
        return Finding(card.id, card.art, "art-outside")
    if not path.is_file():
        return Finding(card.id, card.art, "art-missing")
    try:
        with Image.open(path, formats=["PNG"]) as picture:
            if picture.width * picture.height > MAX_ART_MEGAPIXELS * 1_000_000:
                return Finding(card.id, card.art, "art-unreadable", f"over {MAX_ART_MEGAPIXELS} megapixels")
            pixels = np.asarray(picture.convert("RGB"))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return Finding(card.id, card.art, "art-unreadable")
    height_px, width_px = pixels.shape[:2]
    width_mm, height_mm = size_mm
    if abs(width_px * height_mm / (height_px * width_mm) - 1) > ART_ASPECT_TOLERANCE:
        return Finding(card.id, card.art, "art-wrong-shape", f"{width_px} x {height_px} px")
    if width_px < LEAST_ART_PX_PER_MM * width_mm - 0.5:
        return Finding(card.id, card.art, "art-too-small", f"{width_px / width_mm:.1f} px/mm")
    size = (round(width_mm * COMPARE_PX_PER_MM), round(height_mm * COMPARE_PX_PER_MM))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return np.asarray(rgb2lab(small), np.float32)
