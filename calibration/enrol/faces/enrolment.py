"""Enrolment: a photo of blank cards in, faces in the catalogue's folder out.

Every card in the photo is found, cut out and evened for light; it is a card that is known (and its art gets
better),
a new one, the back, or a question. Nothing is guessed: what is in doubt is kept as it was seen until somebody
answers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.catalogue_folder import (
    ENROL,
    changed_catalogue,
    has_catalogue,
    new_catalogue,
    turned_art,
    write_whole,
)
from calibration.enrol.faces.colours import balanced, common_paper, paper_of
from calibration.enrol.faces.corners import corners_filled
from calibration.enrol.faces.cut_out import art_px_per_mm, cut_out, native_px_per_mm, turned
from calibration.enrol.faces.identity import (
    OTHER_CAST,
    SAME_HUE,
    LookedUp,
    Match,
    best_match,
    clearly_nearest,
    close_looks,
    is_symmetric,
    like_but_for_lines,
    nearest_of,
    quarters_of,
)
from calibration.enrol.faces.light import evened, light_over
from calibration.enrol.faces.likeness import NO_DIFFERENCE
from calibration.enrol.faces.merging import merged
from calibration.enrol.faces.quality import GLARE, UNCLEAR, Quality, quality_of, too_small, washed_out
from calibration.enrol.faces.references import answer_reference, name_by_reference, numbered, question_of
from calibration.enrol.faces.store import (
    Asked,
    Faces,
    KnownFace,
    SeenPhoto,
    View,
    keep_photo,
    keep_view,
    one_enrolment,
    png,
    read_faces,
    read_view,
    view_file,
    write_faces,
)
from scorer.catalogue import read_catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_named
from scorer.text import Text
from vision.outlines.blank_cards import BlankCard, BlankTable, find_blank_cards, outline_near
from vision.photo.decode import Photo, load_photo
from vision.photo.lens import AnyLens, Lens, lens_of

Array = NDArray[np.float64]
Size = tuple[float, float]
Choice = Literal["same", "new", "back", "leave"]

#: What a catalogue has where nothing else is told.
GAME, CARD_SIZE_MM, CORNER_RADIUS_MM = "mapmasters", (63.0, 88.0), 3.0
#: Sizes that are the same one.
_SAME_SIZE_MM = 0.6
#: Below this many pixels a millimetre a photo is said to be taken from too far.
_FAR_PX_PER_MM = 5.0
#: Views of a photo of a game are numbered from here on: the same photo may be enrolled as one of blank cards.
_FIRST_PLAYED = 1000
#: Paper that moved by more than this share since a face's art was made makes it anew.
_MOVED = 0.03


@dataclass(frozen=True, eq=False)
class EnrolledFace:
    """A card in a photo. `card` is its id in the catalogue, of the card it may be where there is a
    `question`, or
    "" where it is none; `corners` (4, 2) photo pixels as in a scan; `name` is what `answer` takes for the
    question."""

    card: str
    new: bool
    corners: Array
    confidence: float
    question: Text | None = None
    name: str = ""
    advice: tuple[Text, ...] = ()


@dataclass(frozen=True, eq=False)
class EnrolledPhoto:
    """What was seen in a photo: the faces in it, how many backs, and what to do better; `cards` is how many
    the catalogue has now."""

    photo: str
    faces: tuple[EnrolledFace, ...]
    cards: int
    backs: int = 0
    advice: tuple[Text, ...] = ()


@dataclass(frozen=True, eq=False)
class _Seen:
    """A usable card of the photo: where it lies, its picture evened for light, how good that is."""

    outline: BlankCard
    pixels: NDArray[np.uint8]
    px_per_mm: int
    quality: Quality


def enrol_photo(
    folder: Path,
    photo: bytes | Path | str,
    name: str = "",
    *,
    game: str | None = None,
    card_size_mm: Size | None = None,
    lens: AnyLens | None = None,
) -> EnrolledPhoto:
    """Add the faces that a photo (its bytes or file) shows to the catalogue in `folder`, which is made when
    absent; its `game` and `card_size_mm` stand from then on. `lens` is the phone's where it is not the one
    that its photos tell (`vision.photo.lens`).

    Raises `WaymarkError`: what a photo or a catalogue that cannot be read raises, no-card, usage (another
    size or game than the catalogue's), busy, not-writable.
    """
    data = photo if isinstance(photo, bytes) else read_photo(Path(photo))
    if not name and not isinstance(photo, bytes):
        name = Path(photo).name
    new = _begun(folder, game, card_size_mm)
    size_mm = _size_of(folder, new)
    picture = load_photo(data, whole=True)
    table = find_blank_cards(picture, size_mm, lens or lens_of(picture))
    if not table.cards:
        raise _no_card(size_mm)
    seen, faults = _looked_at(picture, table, size_mm)
    with one_enrolment(folder):
        key, file = keep_photo(folder, data)
        kept = confirmed_faces(folder)
        paper = paper_of([each.pixels for each in seen])
        kept.photos[key] = SeenPhoto(name=name, file=file, paper=paper)
        with changed_catalogue(folder, new) as told:
            found, backs = Sorting(folder, told, kept, key, size_mm).sort(seen)
            count = len(told["cards"])
            kept.pending = key
            write_faces(folder, kept)
        kept.pending = ""
        write_faces(folder, kept)
        found = _with_references(folder, kept, found)
    advice = (too_small(table.px_per_mm),) if table.px_per_mm < _FAR_PX_PER_MM else ()
    return EnrolledPhoto(name, (*found, *faults), count, backs, advice)


def _with_references(folder: Path, kept: Faces, found: list[EnrolledFace]) -> list[EnrolledFace]:
    """Name new cards by what is printed on them; what was found, under its new names."""
    waiting = {each.name for each in kept.asked}
    new = {face.card for face in found if face.new}
    named = {each.before: each for each in name_by_reference(folder, kept, new)}
    write_faces(folder, kept)
    cards = {card.art: card.id for card in read_catalogue(folder).cards}
    asked = {cards.get(each.art): each for each in kept.asked if each.name not in waiting}
    told = []
    for face in found:
        question = asked.get(face.card) if face.question is None else None
        if question is not None:
            # The card is enrolled all the same, whatever it is called.
            face = replace(face, advice=(*face.advice, question_of(question.text)))
        now = named.get(face.card)
        if now is not None:
            corners = np.roll(face.corners, 2, axis=0) if now.turned else face.corners
            face = replace(face, card=now.now, corners=corners)
        told.append(face)
    return told


def enrol_played(folder: Path, photo: Path, corners_px: Sequence[Sequence[float]]) -> tuple[str, bool]:
    """Add the card that lies about where four corners are (photo pixels, from the top left, clockwise) in a
    photo of a game; its id, and whether it is new to the catalogue. Its art bears the lines that were drawn
    on it until a photo of the blank card comes (`Card.drawn_on`).

    Raises `WaymarkError`: what a photo or a catalogue that cannot be read raises, no-card (too blurred, cut
    off by the picture's rim, no clear edges), busy, not-writable."""
    data = read_photo(photo)
    picture = load_photo(data, whole=True)
    size_mm = read_catalogue(folder).card_size_mm
    lens = lens_of(picture) or Lens(picture.width, picture.height)
    outline = outline_near(picture, lens, np.array(corners_px, float), size_mm)
    if outline is None:
        raise WaymarkError(Code.NO_CARD, UNCLEAR.en, UNCLEAR.ja)
    corners = outline.corners_px
    px_per_mm = native_px_per_mm(corners, size_mm)
    seen, faults = _looked_at(picture, BlankTable((outline,), lens, px_per_mm), size_mm)
    if not seen:
        advice = faults[0].advice[0] if faults[0].advice else UNCLEAR
        raise WaymarkError(Code.NO_CARD, advice.en, advice.ja)
    with one_enrolment(folder):
        key, file = keep_photo(folder, data)
        kept = confirmed_faces(folder)
        paper = paper_of([each.pixels for each in seen])
        kept.photos.setdefault(key, SeenPhoto(name="", file=file, paper=paper))
        with changed_catalogue(folder) as told:
            card, new = Sorting(folder, told, kept, key, size_mm).add_played(seen[0])
            kept.pending = key
            write_faces(folder, kept)
        kept.pending = ""
        write_faces(folder, kept)
    return card, new


def answer(folder: Path, question: str, choice: Choice) -> str:
    """Answer a question of an enrolment by its name: it is the "same" card, a "new" one, the "back", or to be
    left out ("leave"). Gives the card's id ("" where it is none, and where a "new" one may be another that
    came since: that is a new question).

    Raises `WaymarkError` (no-such-question)."""
    with one_enrolment(folder):
        kept = confirmed_faces(folder)
        asked = next((each for each in kept.asked if each.name == question), None)
        if asked is None:
            raise WaymarkError(
                Code.NO_SUCH_QUESTION,
                f"There is no open question {question!r} about this deck's cards; enrol its photos first.",
                f"この山札のカードについての質問 {question!r} はありません。先に写真を登録してください。",
            )
        kept.asked.remove(asked)
        if asked.kind == "reference":
            card = answer_reference(folder, kept, asked, choice == "same")
            write_faces(folder, kept)
            return card
        with changed_catalogue(folder) as told:
            size_mm = (float(told["card_size_mm"][0]), float(told["card_size_mm"][1]))
            sorting = Sorting(folder, told, kept, asked.view.photo, size_mm)
            card = ""
            if choice == "same":
                sorting.put_back(asked.art)
            if choice == "back":
                kept.backs.append(asked.view)
            elif choice == "new":
                card = sorting.add_unless_another(asked)
            elif choice == "same" and not sorting.has(asked.art):
                card = sorting.add(asked.view)
            elif choice == "same":
                card = sorting.join(asked.art, asked.view)
            kept.pending = asked.view.photo
            write_faces(folder, kept)
        kept.pending = ""
        write_faces(folder, kept)
    return card


def read_photo(file: Path) -> bytes:
    """Raises `WaymarkError` (no-photo)."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise WaymarkError(
            Code.NO_PHOTO,
            f"{str(file)!r} cannot be read; check that the photo exists and may be opened.",
            f"{str(file)!r} を読めません。写真があり、開けることを確かめてください。",
        ) from error


def _begun(folder: Path, game: str | None, card_size_mm: Size | None) -> dict[str, Any]:
    """The JSON of a catalogue without cards; raises `WaymarkError` where what is told does not fit the one
    that is there."""
    new = new_catalogue(folder.resolve().name, game_named(game or GAME).id, card_size_mm or CARD_SIZE_MM)
    if has_catalogue(folder):
        there = read_catalogue(folder)
        if game is not None and there.game != game:
            raise WaymarkError(
                Code.USAGE,
                f"The catalogue in {str(folder)!r} is of the game {there.game!r}; "
                f"name another folder for {game!r}.",
                f"{str(folder)!r} のカタログは {there.game!r} のものです。"
                f"{game!r} には別のフォルダーを使ってください。",
            )
        if card_size_mm is not None and not _same_size(there.card_size_mm, card_size_mm):
            wide, high = there.card_size_mm
            raise WaymarkError(
                Code.USAGE,
                f"The cards in {str(folder)!r} measure {wide:g} x {high:g} mm; "
                "name another folder for another size.",
                f"{str(folder)!r} のカードは {wide:g} x {high:g} mm です。"
                "別の大きさには別のフォルダーを使ってください。",
            )
    return new


def _same_size(one: Size, other: Size) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= _SAME_SIZE_MM


def _size_of(folder: Path, new: dict[str, Any]) -> Size:
    wide, high = read_catalogue(folder).card_size_mm if has_catalogue(folder) else new["card_size_mm"]
    return float(wide), float(high)


def _no_card(size_mm: Size) -> WaymarkError:
    wide, high = size_mm
    return WaymarkError(
        Code.NO_CARD,
        f"No card of {wide:g} x {high:g} mm is found in the photo; lay the cards flat and apart on a plain "
        "table, or give their size with --card-size.",
        f"{wide:g} x {high:g} mm のカードが写真に見つかりません。無地の机に平らに離して並べるか、"
        "--card-size で大きさを指定してください。",
    )


def _looked_at(picture: Photo, table: BlankTable, size_mm: Size) -> tuple[list[_Seen], list[EnrolledFace]]:
    """The usable cards of a photo, and what is said of the others."""
    outlines = [card.corners_px for card in table.cards]
    light = light_over(picture, table.lens, outlines, size_mm)
    looked = []
    for card in table.cards:
        px_per_mm = art_px_per_mm(card.corners_px, size_mm)
        face = cut_out(picture, table.lens, card.corners_px, size_mm, px_per_mm)
        native = native_px_per_mm(card.corners_px, size_mm)
        looked.append((card, face, px_per_mm, quality_of(face, px_per_mm, native, card.inside)))
    washed = washed_out([face for _, face, _, _ in looked])
    seen, faults = [], []
    for (card, face, px_per_mm, quality), hazy in zip(looked, washed, strict=True):
        if quality.usable and card.clear and not hazy:
            seen.append(_Seen(card, evened(face, card.corners_px, light), px_per_mm, quality))
        else:
            told = [*quality.advice, *([GLARE] if hazy else []), *([] if card.clear else [UNCLEAR])]
            advice = tuple(dict.fromkeys(told))
            faults.append(EnrolledFace("", False, card.corners_px, 0.0, advice=advice))
    return seen, faults


def confirmed_faces(folder: Path) -> Faces:
    """What is kept, without what a failing power left behind that is in no catalogue; cards that a person has
    turned since lie as they do now."""
    kept = read_faces(folder)
    arts: set[str] = set()
    if has_catalogue(folder):
        there = read_catalogue(folder)
        arts = {card.art for card in (*there.cards, *there.out)}
        _turn_with(folder, kept, arts)
    if kept.pending:
        kept.faces = [
            face
            for face in kept.faces
            if face.art in arts or any(view.photo != kept.pending for view in face.views)
        ]
        kept.pending = ""
    return kept


def _turn_with(folder: Path, kept: Faces, arts: set[str]) -> None:
    for face in kept.faces:
        art = turned_art(face.art)
        if face.art in arts or art not in arts:
            continue
        with suppress(OSError):
            if _digest((folder / face.art).read_bytes()) == face.made:
                face.made = _digest((folder / art).read_bytes())
        asked = [each.view for each in kept.asked if each.art == face.art]
        for view in (*face.views, *asked):
            view.quarters = (view.quarters + 2) % 4
        for each in kept.asked:
            each.art = art if each.art == face.art else each.art
            each.others = [art if other == face.art else other for other in each.others]
        face.art = art


class Sorting:
    """The views of one photo on their way to cards: `told` is the catalogue's JSON, `kept` what enrolment
    knows; both are altered."""

    def __init__(self, folder: Path, told: dict[str, Any], kept: Faces, photo: str, size_mm: Size) -> None:
        self._folder, self._told, self._kept, self._photo, self._size = folder, told, kept, photo, size_mm
        self._quarters = quarters_of(size_mm)
        self._target = common_paper(seen.paper for seen in kept.photos.values() if seen.paper is not None)

    def sort(self, seen: Sequence[_Seen]) -> tuple[list[EnrolledFace], int]:
        """Say of every card of the photo what it is; how many are backs."""
        self._balance_anew()
        known = self._known()
        before_it = len(known)
        backs = [LookedUp.of_pixels(self._as_art(view), self._size) for view in self._kept.backs]
        own = [self._looked_up(one.pixels) for one in seen]
        looks = [close_looks(face, [each for _, each in known], self._quarters) for face in own]
        shared = _claimed_twice(looks)
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
            match = before or nearest_of(
                [each for each in looks[number] if not self._is_sibling(each, known, here)]
            )
            if before is None and match is not None and match.verdict == "same" and number in shared:
                match = replace(match, verdict="doubt")
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
                drawn_on = [k for k, (art, _) in enumerate(known) if self._bears_lines(art)]
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
                found.append(self._ask(kind, one, number, match, art))
                continue
            card = self.join(art, self._view(one, number, match.quarters))
            here.add(card)
            found.append(_as_face(one, card, new=False, confidence=match.confidence, quarters=match.quarters))
        return found, back_count

    def _kept_view(self, one: _Seen, number: int, arts: Sequence[str]) -> Match | None:
        """The card whose view this very one is: the photo is enrolled again."""
        for face in self._kept.faces:
            for view in face.views:
                if face.art in arts and view.file == view_file(self._photo, number):
                    kept = read_view(self._folder, view)
                    if kept is not None and np.array_equal(kept, one.pixels):
                        return Match(arts.index(face.art), view.quarters, "same", NO_DIFFERENCE)
        return None

    def _waiting(self, one: _Seen, number: int) -> Asked | None:
        """The open question about this very view: the photo is enrolled again."""
        for asked in self._kept.asked:
            if asked.kind != "reference" and asked.view.file == view_file(self._photo, number):
                kept = read_view(self._folder, asked.view)
                if kept is not None and np.array_equal(kept, one.pixels):
                    return asked
        return None

    def _is_sibling(self, match: Match, known: Sequence[tuple[str, LookedUp]], here: set[str]) -> bool:
        """Whether a card differs in colour from one of the same photo, whose light and camera are the same:
        colours of one layout lie beside each other, copies of one card seldom."""
        art = known[match.known][0]
        lies_here = self.has(art) and str(self._entry(art)["id"]) in here
        coloured = match.difference.hue > SAME_HUE or match.difference.cast > OTHER_CAST
        return match.verdict == "doubt" and lies_here and coloured

    def _bears_lines(self, art: str) -> bool:
        return self.has(art) and bool(self._entry(art).get("drawn_on"))

    def has(self, art: str) -> bool:
        """Whether the catalogue has a card with this art."""
        return any(entry["art"] == art for entry in self._told["cards"])

    def add_played(self, one: _Seen) -> tuple[str, bool]:
        """The card that a photo of a game shows: its id, and whether it is new."""
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
        """Into the box again the card with this art, if a person took it out."""
        out = self._told.get("out", [])
        for entry in [each for each in out if each["art"] == art]:
            out.remove(entry)
            self._told["cards"].append({key: told for key, told in entry.items() if key != "at"})

    def add(self, view: View) -> str:
        """A new card with a view's face; gives its id."""
        listed = [*self._told["cards"], *self._told.get("out", ())]
        used = {name for entry in listed for name in (entry["id"], *entry.get("former", ()))}
        arts = {entry["art"] for entry in self._told["cards"]} | {face.art for face in self._kept.faces}
        card = numbered(self._kept.next)
        while card in used or f"art/{card}.png" in arts or (self._folder / f"art/{card}.png").exists():
            self._kept.next += 1
            card = numbered(self._kept.next)
        self._kept.next += 1
        face = KnownFace(art=f"art/{card}.png", views=[view])
        self._make_art(face)
        self._kept.faces.append(face)
        kind = "dungeon" if self._told["game"] == GAME else "card"
        entry = {"id": card, "kind": kind, "copies": 1, "art": face.art, "traced": "no"}
        self._told["cards"].append({**entry, "nodes": [], "edges": [], "rooms": []})
        return card

    def add_unless_another(self, asked: Asked) -> str:
        """A new card, which is not the one that was asked about; "" where it may be yet another: that is
        asked then, for the same new card may have been asked about twice."""
        others = [*asked.others, asked.art]
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

    def join(self, art: str, view: View) -> str:
        """One more view of the card with this art, which gets better by it unless a person made it; gives the
        card's id. Two views in one photo are two copies."""
        entry = self._entry(art)
        face = next((each for each in self._kept.faces if each.art == art), None)
        if face is not None and all(each.file != view.file for each in face.views):
            face.views.append(view)
            entry.pop("drawn_on", None)
            copies = sum(each.photo == view.photo for each in face.views)
            entry["copies"] = max(int(entry.get("copies", 1)), copies)
            if self._made_here(face):
                self._make_art(face)
        return str(entry["id"])

    def _entry(self, art: str) -> dict[str, Any]:
        entry: dict[str, Any] = next(entry for entry in self._told["cards"] if entry["art"] == art)
        return entry

    def _known(self) -> list[tuple[str, LookedUp]]:
        """Arts of the catalogue, and of cards that were taken out of it, with their faces."""
        arts = [
            str(entry["art"])
            for entry in self._told["cards"]
            if _same_size(tuple(entry.get("size_mm") or self._size), self._size)
        ]
        arts += [face.art for face in self._kept.faces if face.art not in arts]
        found = []
        photos = {face.art: {view.photo for view in face.views} for face in self._kept.faces}
        for art in arts:
            papers = [self._kept.photos[photo].paper for photo in sorted(photos.get(art, ()))]
            told = tuple(paper for paper in papers if paper is not None)
            face = LookedUp.of_file(self._folder, art, self._size, told)
            if face is not None:
                found.append((art, face))
        return found

    def _is_back(self, face: LookedUp, others: Sequence[LookedUp]) -> bool:
        """Whether a face is the same both ways up, and there are more of it: in this photo, or among those
        that were asked about. A box's backs are all alike."""
        if not is_symmetric(face):
            return False
        asked = [each for each in self._kept.asked if each.kind == "back"]
        earlier = [LookedUp.of_pixels(self._as_art(each.view), self._size) for each in asked]
        match = best_match(face, [*others, *earlier], self._quarters)
        if match is None or not match.drawn_alike:
            return False
        if match.known >= len(others):
            self._kept.asked.remove(asked[match.known - len(others)])
        return True

    def _ask(self, kind: str, one: _Seen, number: int, match: Match | None, art: str) -> EnrolledFace:
        """Keep a view until somebody says what it is."""
        view = self._view(one, number, match.quarters if match is not None else 0)
        before = next((each for each in self._kept.asked if each.view.file == view.file), None)
        if before is not None:
            self._kept.asked.remove(before)
        name = before.name if before is not None else f"q{self._kept.next_question}"
        self._kept.next_question += before is None
        asked = Asked(name, kind, view, art)
        self._kept.asked.append(asked)
        return self._asked_of(asked, one, match.confidence if match is not None else 0.5)

    def _asked_of(self, asked: Asked, one: _Seen, confidence: float = 0.5) -> EnrolledFace:
        """A face of this photo that waits for an answer."""
        card = str(self._entry(asked.art)["id"]) if asked.art and self.has(asked.art) else ""
        question = {
            "same": Text(f"Is this the same card as {card}?", f"これは {card} と同じカードですか?"),
            "back": Text("Is this the back of the cards?", "これはカードの裏面ですか?"),
            "removed": Text(
                "This card was taken out of the catalogue; should it be added again?",
                "このカードはカタログから除かれています。もう一度加えますか?",
            ),
        }[asked.kind]
        told = _as_face(one, card, new=False, confidence=confidence, quarters=asked.view.quarters)
        return replace(told, question=question, name=asked.name)

    def _view(self, one: _Seen, number: int, quarters: int = 0) -> View:
        file = keep_view(self._folder, self._photo, number, one.pixels)
        return View(file=file, photo=self._photo, px_per_mm=one.px_per_mm, quarters=quarters)

    def _balanced(self, pixels: NDArray[np.uint8], photo: str = "") -> NDArray[np.uint8]:
        paper = self._kept.photos[photo or self._photo].paper
        return balanced(pixels, paper, self._target)

    def _looked_up(self, pixels: NDArray[np.uint8]) -> LookedUp:
        """A card of this photo."""
        paper = self._kept.photos[self._photo].paper
        return LookedUp.of_pixels(self._balanced(pixels), self._size, (paper,) if paper is not None else ())

    def _as_art(self, view: View) -> NDArray[np.uint8]:
        """A view as it lies in the art, balanced."""
        pixels = read_view(self._folder, view)
        if pixels is None:  # somebody tidied up
            return np.zeros((8, 8, 3), np.uint8)
        return turned(self._balanced(pixels, view.photo), view.quarters)

    def _make_art(self, face: KnownFace) -> None:
        views = [view for view in face.views if (self._folder / ENROL / view.file).is_file()]
        # Lines that were drawn on it are no part of a card's face.
        views = [view for view in views if not view.drawn_on] or views
        if not views:
            return
        made = merged(
            [self._as_art(view) for view in views], self._size, max(view.px_per_mm for view in views)
        )
        radius = float(self._told.get("corner_radius_mm", CORNER_RADIUS_MM))
        data = png(corners_filled(made, self._size, radius))
        write_whole(self._folder / face.art, data)
        face.made, face.paper = _digest(data), self._target

    def _made_here(self, face: KnownFace) -> bool:
        """Whether the art is the one that was made here, and not a person's."""
        try:
            return _digest((self._folder / face.art).read_bytes()) == face.made
        except OSError:
            return True

    def _balance_anew(self) -> None:
        """Make those faces anew whose deck's paper turned out to be of another colour."""
        for face in self._kept.faces:
            moved = np.abs(np.log(np.array(face.paper or (1e-3,) * 3) / np.array(self._target))).max()
            if moved > _MOVED and self.has(face.art) and self._made_here(face):
                self._make_art(face)


def _claimed_twice(looks: Sequence[Sequence[Match]]) -> set[int]:
    """The numbers of a photo's cards that are like a known one which another of its cards is about as like:
    they may be siblings of it, or copies."""
    claims: dict[int, list[tuple[Match, int]]] = {}
    for number, found in enumerate(looks):
        for match in found:
            if match.drawn_alike:
                claims.setdefault(match.known, []).append((match, number))
    shared: set[int] = set()
    for claim in claims.values():
        claim.sort(key=lambda each: each[0].apart)
        if not clearly_nearest([match for match, _ in claim]):
            shared |= {number for _, number in claim}
        else:
            shared |= {number for _, number in claim[1:]}
    return shared


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _as_face(one: _Seen, card: str, *, new: bool, confidence: float, quarters: int = 0) -> EnrolledFace:
    corners = np.roll(one.outline.corners_px, quarters, axis=0)
    return EnrolledFace(card, new, corners, round(confidence, 3), advice=one.quality.advice)
