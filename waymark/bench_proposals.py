"""Accuracy of proposed dungeons: some cards of a deck with declared dungeons count as traced, and the
proposals for the others are compared with the declarations.

Faces are the deck's own art, or (`worn`) degraded as if enrolled from photos: softer, slightly
misaligned, uneven and noisy. Starters of several colours share one dungeon and count once."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.card_geometry import contract_problems
from calibration.enrol.propose.comparison import Comparison, Count, compare
from calibration.enrol.propose.icons import most_told_next
from calibration.enrol.propose.knowledge import Knowledge, learned
from calibration.enrol.propose.parts import Sight, look
from calibration.enrol.propose.propose import propose
from scorer.catalogue import Card, Catalogue, Point
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.cards.index import read_art

Face = NDArray[np.uint8]
#: Degradation of a face enrolled from a photo: corner error (share of its height), blur, noise, JPEG
#: quality.
_CORNER_SHARE, _BLUR_MM, _GRAIN, _QUALITY = 0.005, 0.25, 4.0, 80


@dataclass(frozen=True)
class PartFigures:
    """Detection counts and rates: of `true` declared parts, `found` were proposed, among `proposed` in
    all. Recall and precision are in percent."""

    true: int
    found: int
    proposed: int
    recall: float | None
    precision: float | None


@dataclass(frozen=True)
class ProposalFigures:
    """Statistics of the proposals for `cards` cards with `traced` others known: recall and precision of
    parts and of kinds of finds. In percent: ways between exits and finds with equal length
    (`equal_ways`), exact cards, and cards with exact links whatever the kinds of finds.
    Of the `sure_guesses`, which nobody is asked to check, `sure_wrong` are wrong. `unwarned_cards` are
    not exact although nothing on them is to be checked. `doubts` is the mean number of things to check
    on a card. `unsound` counts faults; `seconds` is the processor time for a card."""

    traced: int
    cards: int
    parts: dict[str, PartFigures]
    finds: dict[str, PartFigures]
    equal_ways: float
    exact_cards: float
    exact_links: float
    sure_guesses: int
    sure_wrong: int
    unwarned_cards: int
    doubts: float
    unsound: int
    seconds: float


@dataclass(frozen=True)
class ProposalReport:
    deck: str
    faces: str
    order: str
    figures: tuple[ProposalFigures, ...]


def bench_proposals(
    catalogue: Catalogue,
    traced: Sequence[int] = (0, 10),
    *,
    worn: bool = False,
    as_told: bool = False,
    most: int | None = None,
    seed: int = 1,
    done: Callable[[int, int], None] | None = None,
) -> ProposalReport:
    """The comparison of proposed and declared dungeons, for each number of cards that are `traced`.

    The traced cards are drawn at random, or (`as_told`) those that the program asks for first. The
    measured cards are the same for each number: all that are never traced, or the first `most` of them.
    Raises `WaymarkError` (broken-catalogue) where the catalogue declares too few dungeons."""
    cards = declared_cards(catalogue)
    if len(cards) <= max(traced):
        raise WaymarkError(
            Code.BROKEN_CATALOGUE,
            Text(
                "The catalogue {catalogue!r} declares {count} dungeons; name one with more.",
                catalogue=catalogue.name,
                count=len(cards),
            ),
        )
    rng = np.random.default_rng(seed)
    cards = [cards[k] for k in rng.permutation(len(cards))]
    faces = {card.id: face_of(catalogue, card, worn) for card in cards}
    sights: dict[str, Sight] = {}
    for number, card in enumerate(cards):
        sights[card.id] = look(faces[card.id], catalogue.size_of(card.id))
        if done is not None:
            done(number + 1, len(cards))

    def proposed(card: Card, knowledge: Knowledge) -> Card:
        face, size_mm = faces[card.id], catalogue.size_of(card.id)
        return propose(face, size_mm, knowledge, like=card, sight=sights[card.id])

    if as_told:
        guesses = [proposed(card, Knowledge()) for card in cards]
        told = most_told_next([(each, faces[each.id], catalogue.size_of(each.id)) for each in guesses], ())
        cards.sort(key=lambda card: told.index(card.id) if card.id in told else len(told))
    rest = cards[max(traced) :][:most]
    figures = []
    for count in traced:
        known = [(card, faces[card.id], catalogue.size_of(card.id)) for card in cards[:count]]
        knowledge = learned(known, lambda card, face: sights[card.id])
        start, total, unsound = time.process_time(), Comparison(), 0
        for card in rest:
            made = proposed(card, knowledge)
            total += compare(made, card)
            unsound += len(contract_problems(made, catalogue.size_of(card.id)))
        seconds = (time.process_time() - start) / len(rest)
        figures.append(_figures(count, len(rest), total, unsound, seconds))
    return ProposalReport(
        catalogue.name, "worn" if worn else "art", "as told" if as_told else "by chance", tuple(figures)
    )


def declared_cards(catalogue: Catalogue) -> list[Card]:
    """The catalogue's cards with a dungeon, one for each distinct dungeon."""
    seen: set[bytes] = set()
    cards = []
    for card in catalogue.cards:
        dungeon = msgspec.json.encode((card.nodes, card.edges, card.rooms))
        if card.nodes and dungeon not in seen:
            seen.add(dungeon)
            cards.append(card)
    return cards


def face_of(catalogue: Catalogue, card: Card, worn: bool) -> Face:
    """The art of a card (H, W, 3) BGR, or (`worn`) as if enrolled from a photo. Raises `WaymarkError`
    (art-unreadable)."""
    art = read_art(catalogue.art_path(card))
    if art is None:
        raise WaymarkError(
            Code.ART_UNREADABLE,
            Text("The art of card {id!r} ({art}) cannot be read.", id=card.id, art=card.art),
        )
    face = np.asarray(art, np.uint8)
    return worn_face(face, catalogue.size_of(card.id), zlib.crc32(card.id.encode())) if worn else face


def worn_face(face: Face, size_mm: Point, seed: int) -> Face:
    """A card face (H, W, 3) degraded like one enrolled from a photo: perspective error, blur, uneven
    colour, noise."""
    rng = np.random.default_rng(seed)
    height, width = face.shape[:2]
    rim = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = rim + rng.uniform(-1, 1, (4, 2)).astype(np.float32) * np.float32(_CORNER_SHARE * height)
    turn = cv2.getPerspectiveTransform(rim, moved)
    face = np.asarray(cv2.warpPerspective(face, turn, (width, height), borderMode=cv2.BORDER_REPLICATE))
    face = np.asarray(cv2.GaussianBlur(face, (0, 0), _BLUR_MM * width / size_mm[0]))
    values = face * rng.uniform(0.85, 1.1, 3) + rng.normal(0, _GRAIN, face.shape)
    seen = np.clip(values, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _figures(traced: int, cards: int, total: Comparison, unsound: int, seconds: float) -> ProposalFigures:
    return ProposalFigures(
        traced=traced,
        cards=cards,
        parts={name: _shares(count) for name, count in total.parts.items()},
        finds={name: _shares(count) for name, count in total.finds.items()},
        equal_ways=_percent(total.ways.recall) or 0.0,
        exact_cards=_percent(total.exact.recall) or 0.0,
        exact_links=_percent(total.links.recall) or 0.0,
        sure_guesses=total.sure.true,
        sure_wrong=total.sure.true - total.sure.found,
        unwarned_cards=total.unwarned.found,
        doubts=round((total.sure.proposed - total.sure.true) / cards, 1),
        unsound=unsound,
        seconds=round(seconds, 3),
    )


def _shares(count: Count) -> PartFigures:
    return PartFigures(
        count.true, count.found, count.proposed, _percent(count.recall), _percent(count.precision)
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
