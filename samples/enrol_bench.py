"""How well photos of blank cards are enrolled, against their truth: `samples.blank_cards` writes both.

`python -m samples.enrol_bench --photos samples/sets/blank-open --deck DIR --box DIR [--more 2] [--art DIR]
[--json FILE]`

Every photo is enrolled into one catalogue; then each face that was found is laid on the card that is there
in truth. Its owner (`samples.enrol_owner`) answers what is asked, and takes at most `--more` further photos
of what is missing then, or in glare. Printed are: cards never enrolled, cards that are in the catalogue
twice, faces that are no card, two cards taken for one, questions, corner errors in shares of the card's
height, how far the art is from the deck's own (CIELAB, after light and colour are balanced over the face).
For each kind of photo (`kind_of`): the share of cards outlined, the share of enrolled faces that are cards,
and the median corner error. At last: the catalogue before and after the further photos, and how a tracing
of the true deck is laid on it. `--art` writes the true deck with the enrolled art, to read played photos
with both.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.enrolment import EnrolledPhoto, enrol_photo
from calibration.enrol.faces.merging import merged
from samples.blank_cards import FORMAT, Renderer
from samples.deck import card_face
from samples.enrol_owner import Owner, once_more, shared_figures
from samples.enrolled_art import write_with_enrolled_art
from scorer.catalogue import FILE_NAME, Card, Catalogue, load_catalogue
from scorer.errors import WaymarkError

Array = NDArray[np.float64]
#: An outline whose corners all lie within this share of the card's height of a card's is that card's.
_THE_CARD = 0.12
#: What the customer asks for.
GOOD_CORNER = 0.01


def photos_in(folder: Path) -> list[Path]:
    """The photos of a folder that have a truth, in order."""
    return sorted(
        photo
        for photo in folder.iterdir()
        if photo.suffix in (".jpg", ".png", ".webp") and _truth_file(photo).exists()
    )


def corner_error(found: Array, true: Array, quarters: tuple[int, ...]) -> tuple[float, int]:
    """The farthest corner's error as a share of the card's height (its left side), whichever end is up, and
    the turn at which it is least."""
    height = float(np.linalg.norm(true[3] - true[0]))
    errors = [
        (float(np.linalg.norm(np.roll(found, turn, axis=0) - true, axis=1).max()) / height, turn)
        for turn in quarters
    ]
    return min(errors)


def kind_of(truth: dict[str, Any]) -> str:
    """Kind of a photo: "hard" (checked cloth, sleeves, or bowed cards), "touching", or "apart"."""
    if truth["table"] == "checked_cloth" or truth["sleeve"] or truth.get("bowed"):
        return "hard"
    return "touching" if truth["layout"] == "touching" else "apart"


class Outlines:
    """How well the cards of one kind of photo were outlined."""

    def __init__(self) -> None:
        self.shown = self.false = 0
        self.errors: list[float] = []

    def report(self) -> dict[str, float]:
        errors, found = np.array(self.errors or [0.0]), len(self.errors)
        return {
            "cards_shown": self.shown,
            "found": round(found / max(self.shown, 1), 4),
            "precision": round(found / max(found + self.false, 1), 4),
            "corner_error": round(float(np.median(errors)), 4),
        }


class Tally:
    """What was counted over all photos."""

    def __init__(self) -> None:
        self.shown = self.found = self.false = self.questions = self.backs = self.backs_left_out = 0
        self.errors: list[float] = []
        self.names: dict[str, list[str]] = {}  # card of the catalogue: true cards that were taken for it
        self.seconds: list[float] = []
        self.unreadable: list[str] = []
        self.kinds: dict[str, Outlines] = {}

    def add(self, seen: EnrolledPhoto, truth: dict[str, Any]) -> list[str | None]:
        """Count a photo. Returns what each of its faces shows: a card, "" for a back, or None for no card."""
        wide, high = truth["card_size_mm"]
        quarters = (0, 1, 2, 3) if wide == high else (0, 2)
        cards = [(card["card"], np.array(card["corners"], float)) for card in truth["cards"]]
        self.shown += sum(bool(name) for name, _ in cards)
        self.backs += sum(not name for name, _ in cards)
        self.backs_left_out += seen.backs
        kind = self.kind(truth)
        free = set(range(len(cards)))
        shows: list[str | None] = []
        for face in seen.faces:
            errors = sorted((corner_error(face.corners, cards[k][1], quarters)[0], k) for k in free)
            if not errors or errors[0][0] > _THE_CARD:
                self.false += 1
                kind.false += face.question is None and bool(face.card)
                shows.append(None)
                continue
            error, k = errors[0]
            free.discard(k)
            name = cards[k][0]
            shows.append(name)
            if name and (face.question is not None or face.card):
                kind.errors.append(error)
            if face.question is not None:
                self.questions += 1
            elif not face.card:
                continue  # said to be of no use
            elif not name:
                self.false += 1
            else:
                self.found += 1
                self.errors.append(error)
                self.names.setdefault(face.card, []).append(name)
        return shows

    def kind(self, truth: dict[str, Any]) -> Outlines:
        """The figures of a photo's kind, with the cards that it shows counted."""
        kind = self.kinds.setdefault(kind_of(truth), Outlines())
        kind.shown += sum(bool(card["card"]) for card in truth["cards"])
        return kind

    def report(self, box: Catalogue | None, deck: Catalogue) -> dict[str, Any]:
        """All figures."""
        owners = {card: Counter(names).most_common(1)[0][0] for card, names in self.names.items()}
        seen = {name for names in self.names.values() for name in names}
        times = Counter(owners.values())
        errors = np.array(self.errors or [0.0])
        return {
            "photos": len(self.seconds),
            "unreadable": self.unreadable,
            "cards_shown": self.shown,
            "cards_found": self.found,
            "different_cards": len(deck.cards),
            "never_enrolled": sorted({card.id for card in deck.cards} - seen),
            "twice_in_the_catalogue": sorted(name for name, count in times.items() if count > 1),
            "taken_for_another": sorted(
                {name for card, names in self.names.items() for name in names if name != owners[card]}
            ),
            "false_faces": self.false,
            "questions": self.questions,
            "backs": [self.backs_left_out, self.backs],
            "corner_error": {
                "median": round(float(np.median(errors)), 4),
                "p95": round(float(np.quantile(errors, 0.95)), 4),
                "within_1_percent": round(float((errors <= GOOD_CORNER).mean()), 4),
            },
            "by_kind": {name: kind.report() for name, kind in sorted(self.kinds.items())},
            "art_difference": _art_differences(box, deck, owners) if box is not None else None,
            "seconds_a_photo": round(float(np.median(self.seconds or [0.0])), 1),
        }


def _art_differences(box: Catalogue, deck: Catalogue, owners: dict[str, str]) -> dict[str, float]:
    """Median and 95th percentile over faces of the mean difference (CIELAB) from the deck's own art."""
    found = []
    for card in box.cards:
        if card.id not in owners:
            continue
        size_mm = deck.size_of(owners[card.id])
        true = cv2.cvtColor(card_face(deck, deck.card(owners[card.id])), cv2.COLOR_RGB2BGR)
        own = cv2.cvtColor(card_face(box, card), cv2.COLOR_RGB2BGR)
        ways = [
            _difference(np.asarray(np.rot90(own, turn), np.uint8), np.asarray(true, np.uint8), size_mm)
            for turn in (0, 2)
        ]
        found.append(min(ways))
    if not found:
        return {}
    return {"median": round(float(np.median(found)), 2), "p95": round(float(np.quantile(found, 0.95)), 2)}


def _difference(own: NDArray[np.uint8], true: NDArray[np.uint8], size_mm: tuple[float, float]) -> float:
    pictures = [merged([np.ascontiguousarray(each)], size_mm, 4.0) for each in (own, true)]
    lab = [cv2.cvtColor(each.astype(np.float32) / 255, cv2.COLOR_BGR2Lab) for each in pictures]
    away = lab[0] - lab[1]
    away -= np.median(away, axis=(0, 1))
    inner = away[8:-8, 8:-8]
    return float(np.linalg.norm(inner, axis=2).mean())


def _truth_file(photo: Path) -> Path:
    return photo.with_name(photo.stem + ".truth.json")


def _is_blank(photo: Path) -> bool:
    """Whether a photo's truth is that of blank cards."""
    return bool(json.loads(_truth_file(photo).read_bytes()).get("format") == FORMAT)


def bench(
    photos: list[Path],
    deck: Catalogue,
    box: Path,
    more: int = 0,
    art: Path | None = None,
    renderer: Renderer = "compositor",
) -> dict[str, Any]:
    """Enrol photos into a folder, with their owner's answers and at most `more` further photos (drawn by
    `renderer`), and tell how it went. The deck with the enrolled art is written to the folder `art`."""
    tally, owner = Tally(), Owner(box)
    for photo in photos:
        _enrol(photo, box, tally, owner)
    report = tally.report(load_catalogue(box) if (box / FILE_NAME).exists() else None, deck)
    first = _catalogue_figures(owner, deck)
    taken = 0
    while taken < more and (
        asked := sorted({*_catalogue_figures(owner, deck)["missing"], *owner.in_glare()})
    ):
        photo = once_more(deck, asked, taken, box.with_name(f"{box.name}-once-more"), renderer)
        _enrol(photo, box, Tally(), owner)
        taken += 1
    if art is not None:
        write_with_enrolled_art(deck, box, owner.names(), art)
    file = box.with_name(f"{box.name}-shared.json")
    shared = shared_figures(deck, box, owner.names(), file) if any(map(_declared, deck.cards)) else None
    return report | {
        "catalogue": first,
        "photos_once_more": taken,
        "catalogue_then": _catalogue_figures(owner, deck),
        "answers": owner.answers,
        "shared_tracing": shared,
    }


def _enrol(photo: Path, box: Path, tally: Tally, owner: Owner) -> None:
    """Enrol a photo, count it, and let the owner answer."""
    truth = json.loads(_truth_file(photo).read_bytes())
    start = time.process_time()
    try:
        seen = enrol_photo(box, photo, card_size_mm=tuple(truth["card_size_mm"]))
    except WaymarkError as error:
        tally.unreadable.append(f"{photo.name}: {error.en}")
        tally.shown += sum(bool(card["card"]) for card in truth["cards"])
        tally.kind(truth)
        seen = None
    tally.seconds.append(time.process_time() - start)
    if seen is not None:
        owner.saw(seen, tally.add(seen, truth))
    print(f"{photo.name}: {tally.found} of {tally.shown}, {tally.seconds[-1]:.1f} s", flush=True)


def _catalogue_figures(owner: Owner, deck: Catalogue) -> dict[str, list[str]]:
    """The cards that the catalogue misses, has more than once, and those of it that are no card of the
    deck."""
    names = owner.names()
    times = Counter(name for name in names.values() if name)
    return {
        "missing": [card.id for card in deck.cards if card.id not in times],
        "doubled": sorted(name for name, count in times.items() if count > 1),
        "false": sorted(card for card, name in names.items() if not name),
    }


def _declared(card: Card) -> bool:
    return bool(card.nodes or card.rooms)


def main() -> None:
    """Enrol a folder of photos with truth and print the figures."""
    parser = argparse.ArgumentParser(description="Enrolment against its truth")
    parser.add_argument("--photos", type=Path, required=True, action="append")
    parser.add_argument("--deck", type=Path, required=True, help="the catalogue whose cards the photos show")
    parser.add_argument("--box", type=Path, required=True, help="the folder that is enrolled into")
    parser.add_argument("--more", type=int, default=0, help="further photos of what is missing, at most")
    parser.add_argument("--art", type=Path, help="a folder for the true deck with the enrolled art")
    parser.add_argument(
        "--renderer", choices=get_args(Renderer), default="compositor", help="draws the further photos"
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for folder in options.photos:
        if not folder.is_dir() or not any(map(_is_blank, photos_in(folder))):
            parser.error(f"{folder} holds no photos of samples.blank_cards with their truth; draw them first")
    photos = [photo for folder in options.photos for photo in photos_in(folder) if _is_blank(photo)]
    try:
        deck = load_catalogue(options.deck)
    except WaymarkError as error:
        parser.error(error.en)
    report = bench(photos, deck, options.box, options.more, options.art, options.renderer)
    text = msgspec.json.format(msgspec.json.encode(report), indent=1).decode()
    print(text)
    if options.json is not None:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
