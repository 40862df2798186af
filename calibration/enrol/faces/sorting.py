"""Sorting of a photo's card views: each is a known card, a new card, a back, or an open question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.art import FaceArt
from calibration.enrol.faces.assignment import posteriors
from calibration.enrol.faces.cut_out import turned
from calibration.enrol.faces.identity import (
    ONE_DRAWING,
    SIBLING_CAST,
    SIBLING_HUE,
    SURE,
    LookedUp,
    Match,
    best_match,
    close_looks,
    is_symmetric,
    like_but_for_lines,
    quarters_of,
)
from calibration.enrol.faces.likeness import NO_DIFFERENCE
from calibration.enrol.faces.quality import Quality
from calibration.enrol.faces.references import numbered
from calibration.enrol.faces.store import Asked, Faces, KnownFace, View, keep_view, read_view, view_file
from scorer.text import Text
from vision.outlines.blank_cards import BlankCard

Array = NDArray[np.float64]
Size = tuple[float, float]
#: Default game of a new catalogue.
GAME = "mapmasters"
#: Greatest number of further cards that a question offers; a layout has up to five colours.
MOST_OPTIONS = 5
#: Tolerance in mm for equal sizes.
_SAME_SIZE_MM = 0.6
#: Views of a photo of a game are numbered from here on: the same photo may be enrolled as one of blank cards.
_FIRST_PLAYED = 1000
#: Posterior above which a view is joined to a card: the match alone is surer (`SURE`), but others compete.
_CERTAIN = 0.95


@dataclass(frozen=True, eq=False)
class EnrolledFace:
    """Result for one card of a photo. `card` is its id in the catalogue, the candidate's id while a
    `question` is open, or "". `corners` (4, 2) are photo pixels, as in a scan. `name` identifies the
    question for `answer`."""

    card: str
    new: bool
    corners: Array
    confidence: float
    question: Text | None = None
    name: str = ""
    advice: tuple[Text, ...] = ()


@dataclass(frozen=True, eq=False)
class SeenFace:
    """A usable card of the photo: outline, image corrected for illumination, and quality."""

    outline: BlankCard
    pixels: NDArray[np.uint8]
    px_per_mm: int
    quality: Quality


def same_size(one: Size, other: Size) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= _SAME_SIZE_MM


class Sorting:
    """Assignment of one photo's views to cards. `told` is the catalogue's JSON and `kept` the enrolment
    data; both are modified."""

    def __init__(self, folder: Path, told: dict[str, Any], kept: Faces, photo: str, size_mm: Size) -> None:
        self._folder, self._told, self._kept, self._photo, self._size = folder, told, kept, photo, size_mm
        self._quarters = quarters_of(size_mm)
        self._art = FaceArt(folder, told, kept, size_mm)

    def sort(self, seen: Sequence[SeenFace]) -> tuple[list[EnrolledFace], int]:
        """Classify every card of the photo. Returns the results and the number of backs."""
        self._art.make_anew()
        known = self._known()
        before_it = len(known)
        backs = [LookedUp.of_pixels(self._art.of_view(view), self._size) for view in self._kept.backs]
        own = [self._looked_up(one.pixels) for one in seen]
        looks = [close_looks(face, [each for _, each in known], self._quarters) for face in own]
        shares = _shares(looks)
        found: list[EnrolledFace] = []
        here: set[str] = set()
        back_count = 0
        for number, (one, face) in enumerate(zip(seen, own, strict=True)):
            match = best_match(face, backs, self._quarters)
            if match is not None and match.drawn_alike:
                back_count += 1
                continue
            waits = self._waiting(one, number)
            if waits is not None:
                found.append(self._asked_of(waits, one))
                continue
            before = self._kept_view(one, number, [art for art, _ in known])
            beside = close_looks(face, [each for _, each in known[before_it:]], self._quarters)
            looks[number] += [replace(each, known=each.known + before_it) for each in beside]
            likely = _likely(
                [each for each in looks[number] if not self._is_sibling(each, known, here)], shares[number]
            )
            match = before or next(iter(likely), None)
            if match is None or match.verdict != "same":
                if self._is_back(face, [*own[:number], *own[number + 1 :]]):
                    self._kept.backs.append(self._view(one, number))
                    backs.append(face)
                    back_count += 1
                    continue
                if is_symmetric(face):
                    found.append(self._ask("back", one, number, None, ""))
                    continue
            if match is None:
                # Lines make it another face: a person says whether it is the card that bore them.
                drawn_on = [
                    k
                    for k, (art, _) in enumerate(known)
                    if self.has(art) and self._entry(art).get("drawn_on")
                ]
                like = like_but_for_lines(face, [known[k][1] for k in drawn_on], self._quarters)
                if like is not None:
                    art = known[drawn_on[like.known]][0]
                    found.append(self._ask("same", one, number, like, art))
                    continue
                card = self.add(self._view(one, number))
                known.append((self._told["cards"][-1]["art"], face))
                here.add(card)
                found.append(_as_face(one, card, new=True, confidence=one.outline.support))
                continue
            art = known[match.known][0]
            # two cards in one photo are seldom one card twice: a person says so
            twice = before is None and self.has(art) and str(self._entry(art)["id"]) in here
            doubt = match.verdict == "doubt" or twice
            if doubt or not self.has(art):
                kind = "same" if doubt else "removed"
                options = _offered(known, looks[number], [match, *likely])
                found.append(self._ask(kind, one, number, match, art, options if doubt else ()))
                continue
            card = self.join(art, self._view(one, number, match.quarters))
            here.add(card)
            found.append(_as_face(one, card, new=False, confidence=match.confidence, quarters=match.quarters))
        self._art.share_drawings()
        return found, back_count

    def share_drawings(self) -> None:
        """Make the art of cards of one drawing from all their views, after an answer."""
        self._art.share_drawings()

    def _kept_view(self, one: SeenFace, number: int, arts: Sequence[str]) -> Match | None:
        """The match of a view already stored for a card, where the same photo is enrolled again."""
        for face in self._kept.faces:
            for view in face.views:
                if face.art in arts and view.file == view_file(self._photo, number):
                    kept = read_view(self._folder, view)
                    if kept is not None and np.array_equal(kept, one.pixels):
                        return Match(arts.index(face.art), view.quarters, "same", NO_DIFFERENCE)
        return None

    def _waiting(self, one: SeenFace, number: int) -> Asked | None:
        """The open question about a view, where the same photo is enrolled again."""
        for asked in self._kept.asked:
            if asked.kind != "reference" and asked.view.file == view_file(self._photo, number):
                kept = read_view(self._folder, asked.view)
                if kept is not None and np.array_equal(kept, one.pixels):
                    return asked
        return None

    def _is_sibling(self, match: Match, known: Sequence[tuple[str, LookedUp]], here: set[str]) -> bool:
        """Whether a card differs in colour from a card in the same photo, under the same light and camera.
        Cards of one layout in several colours are often photographed together; copies of one card seldom
        are."""
        art = known[match.known][0]
        lies_here = self.has(art) and str(self._entry(art)["id"]) in here
        coloured = match.difference.hue > SIBLING_HUE or match.difference.cast > SIBLING_CAST
        return match.verdict == "doubt" and lies_here and coloured

    def has(self, art: str) -> bool:
        """Whether the catalogue has a card with this art."""
        return any(entry["art"] == art for entry in self._told["cards"])

    def add_played(self, one: SeenFace) -> tuple[str, bool]:
        """Id of the card in a photo of a game, and whether the card is new."""
        known = self._known()
        face = self._looked_up(one.pixels)
        match = best_match(face, [each for _, each in known], self._quarters)
        if match is not None and match.verdict == "same" and self.has(known[match.known][0]):
            return str(self._entry(known[match.known][0])["id"]), False
        number = sum(view.photo == self._photo for face in self._kept.faces for view in face.views)
        view = self._view(one, _FIRST_PLAYED + number)
        view.drawn_on = True
        card = self.add(view)
        self._told["cards"][-1]["drawn_on"] = True
        return card, True

    def put_back(self, art: str) -> None:
        """Return the card with this art to the box, if a person removed it."""
        out = self._told.get("out", [])
        for entry in [each for each in out if each["art"] == art]:
            out.remove(entry)
            self._told["cards"].append({key: told for key, told in entry.items() if key != "at"})

    def add(self, view: View) -> str:
        """Add a new card with the face of a view, and return its id."""
        listed = [*self._told["cards"], *self._told.get("out", ())]
        used = {name for entry in listed for name in (entry["id"], *entry.get("former", ()))}
        arts = {entry["art"] for entry in self._told["cards"]} | {face.art for face in self._kept.faces}
        card = numbered(self._kept.next)
        while card in used or f"art/{card}.png" in arts or (self._folder / f"art/{card}.png").exists():
            self._kept.next += 1
            card = numbered(self._kept.next)
        self._kept.next += 1
        face = KnownFace(art=f"art/{card}.png", views=[view])
        self._art.make(face)
        self._kept.faces.append(face)
        kind = "dungeon" if self._told["game"] == GAME else "card"
        entry = {"id": card, "kind": kind, "copies": 1, "art": face.art, "traced": "no"}
        self._told["cards"].append({**entry, "nodes": [], "edges": [], "rooms": []})
        return card

    def add_unless_another(self, asked: Asked) -> str:
        """Add a new card that is not the candidate of a question. Returns "" where it may be yet another
        card, which becomes a new question. Two questions may concern the same new card."""
        others = [*asked.others, asked.art, *asked.options]
        known = [(art, face) for art, face in self._known() if art not in others and self.has(art)]
        pixels = read_view(self._folder, asked.view)
        if pixels is None:  # somebody tidied up
            return self.add(asked.view)
        face = self._looked_up(turned(pixels, asked.view.quarters))
        match = best_match(face, [each for _, each in known], self._quarters)
        if match is None or not match.drawn_alike:
            return self.add(asked.view)
        asked.view.quarters = (asked.view.quarters + match.quarters) % 4
        name = f"q{self._kept.next_question}"
        self._kept.next_question += 1
        self._kept.asked.append(Asked(name, "same", asked.view, known[match.known][0], others=others))
        return ""

    def turn_towards(self, asked: Asked) -> None:
        """Turn the view of a question as the card with the question's art lies."""
        known = LookedUp.of_file(self._folder, asked.art, self._size)
        pixels = read_view(self._folder, asked.view)
        if known is not None and pixels is not None:
            looks = close_looks(self._looked_up(pixels), [known], self._quarters)
            nearest = max(looks, key=lambda each: each.difference.alike, default=None)
            asked.view.quarters = nearest.quarters if nearest is not None else asked.view.quarters

    def join(self, art: str, view: View) -> str:
        """Add a view to the card with this art and return the card's id. The art is merged again unless a
        person supplied it. Two views in one photo count as two copies."""
        entry = self._entry(art)
        face = next((each for each in self._kept.faces if each.art == art), None)
        if face is not None and all(each.file != view.file for each in face.views):
            face.views.append(view)
            entry.pop("drawn_on", None)
            copies = sum(each.photo == view.photo for each in face.views)
            entry["copies"] = max(int(entry.get("copies", 1)), copies)
            if self._art.made_here(face):
                self._art.make(face)
        return str(entry["id"])

    def _entry(self, art: str) -> dict[str, Any]:
        entry: dict[str, Any] = next(entry for entry in self._told["cards"] if entry["art"] == art)
        return entry

    def _known(self) -> list[tuple[str, LookedUp]]:
        """Arts and faces of the cards in the catalogue, and of cards removed from it."""
        arts = [
            str(entry["art"])
            for entry in self._told["cards"]
            if same_size(tuple(entry.get("size_mm") or self._size), self._size)
        ]
        arts += [face.art for face in self._kept.faces if face.art not in arts]
        found = []
        photos = {face.art: {view.photo for view in face.views} for face in self._kept.faces}
        for art in arts:
            lights = [self._kept.photos[photo].tones for photo in sorted(photos.get(art, ()))]
            told = tuple(tones.paper for tones in lights if tones is not None)
            face = LookedUp.of_file(self._folder, art, self._size, told)
            if face is not None:
                found.append((art, face))
        return found

    def _is_back(self, face: LookedUp, others: Sequence[LookedUp]) -> bool:
        """Whether a face is symmetric under rotation by 180 degrees and occurs again in this photo or in
        open questions. All backs of a box are equal."""
        if not is_symmetric(face):
            return False
        asked = [each for each in self._kept.asked if each.kind == "back"]
        earlier = [LookedUp.of_pixels(self._art.of_view(each.view), self._size) for each in asked]
        match = best_match(face, [*others, *earlier], self._quarters)
        if match is None or not match.drawn_alike:
            return False
        if match.known >= len(others):
            self._kept.asked.remove(asked[match.known - len(others)])
        return True

    def _ask(
        self,
        kind: str,
        one: SeenFace,
        number: int,
        match: Match | None,
        art: str,
        options: Sequence[str] = (),
    ) -> EnrolledFace:
        """Store a view with an open question, until a person answers. `options`: arts of the other cards that
        it may show."""
        view = self._view(one, number, match.quarters if match is not None else 0)
        before = next((each for each in self._kept.asked if each.view.file == view.file), None)
        if before is not None:
            self._kept.asked.remove(before)
        name = before.name if before is not None else f"q{self._kept.next_question}"
        self._kept.next_question += before is None
        asked = Asked(
            name, kind, view, art, options=[each for each in options if self.has(each)][:MOST_OPTIONS]
        )
        self._kept.asked.append(asked)
        return self._asked_of(asked, one, match.confidence if match is not None else 0.5)

    def _asked_of(self, asked: Asked, one: SeenFace, confidence: float = 0.5) -> EnrolledFace:
        """The result for a face of this photo with an open question."""
        card = str(self._entry(asked.art)["id"]) if asked.art and self.has(asked.art) else ""
        question = {
            "same": Text("Is this the same card as {card}?", card=card),
            "back": Text("Is this the back of the cards?"),
            "removed": Text("This card was taken out of the catalogue; should it be added again?"),
        }[asked.kind]
        told = _as_face(one, card, new=False, confidence=confidence, quarters=asked.view.quarters)
        return replace(told, question=question, name=asked.name)

    def _looked_up(self, pixels: NDArray[np.uint8]) -> LookedUp:
        """The searchable form of a card in this photo, in the deck's light."""
        tones = self._kept.photos[self._photo].tones
        papers = (tones.paper,) if tones is not None else ()
        return LookedUp.of_pixels(self._art.lit(pixels, self._photo), self._size, papers)

    def _view(self, one: SeenFace, number: int, quarters: int = 0) -> View:
        file = keep_view(self._folder, self._photo, number, one.pixels)
        return View(file=file, photo=self._photo, px_per_mm=one.px_per_mm, quarters=quarters)


def _shares(looks: Sequence[Sequence[Match]]) -> list[dict[int, float]]:
    """Posterior probability of each known card for each of a photo's views."""
    odds: list[dict[int, float]] = []
    for found in looks:
        best: dict[int, float] = {}
        for match in found:
            best[match.known] = max(best.get(match.known, 0.0), match.odds)
        odds.append(best)
    return posteriors(odds)


def _likely(found: Sequence[Match], shares: Mapping[int, float]) -> list[Match]:
    """The matches of a view that are possible, likeliest first, one for each card. The first one's verdict is
    "same" where it is certain against all others. A card that came with this photo has no share yet."""
    ranked = sorted(found, key=lambda match: -shares.get(match.known, match.odds / (1 + match.odds)))
    first: dict[int, Match] = {}
    for match in ranked:
        if shares.get(match.known, match.odds / (1 + match.odds)) >= 1 - SURE:
            first.setdefault(match.known, match)
    likely = list(first.values())
    if likely and shares.get(likely[0].known, 0.0) < _CERTAIN:
        likely[0] = replace(likely[0], verdict="doubt")
    return likely


def _offered(
    known: Sequence[tuple[str, LookedUp]], found: Sequence[Match], likely: Sequence[Match]
) -> list[str]:
    """Arts that a question offers beside its first card: the likely ones, then all of the same drawing. An
    unlikely colour may be an effect of a bad view, and an answer "another card" must be true."""
    drawn = [match for match in found if match.difference.alike >= ONE_DRAWING]
    ranked = [*likely, *sorted(drawn, key=lambda match: -match.odds)]
    return list(dict.fromkeys(known[match.known][0] for match in ranked))[1:]


def _as_face(one: SeenFace, card: str, *, new: bool, confidence: float, quarters: int = 0) -> EnrolledFace:
    corners = np.roll(one.outline.corners_px, quarters, axis=0)
    return EnrolledFace(card, new, corners, round(confidence, 3), advice=one.quality.advice)
