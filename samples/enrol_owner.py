"""The owner of a deck in `samples.enrol_bench`: answers questions about faces by the truth, and photographs
once more what is missing or in glare."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from calibration.enrol.faces.enrolment import EnrolledPhoto, answer, confirmed_faces
from calibration.enrol.faces.quality import GLARE
from calibration.enrol.faces.store import Asked
from calibration.enrol.share.sharing import known_faces, read_shared, write_shared
from samples.blank_cards import Renderer, blank_shot, write_shot
from scorer.catalogue import Catalogue, load_catalogue
from vision.cards.index import read_art

#: An owner gives up after so many questions about one photo.
MOST_QUESTIONS = 80
#: Shots that the owner takes once more are numbered from here.
_ONCE_MORE = 900_900


class Owner:
    """What an owner knows: which card of the deck each view shows ("" is a back, None is no card)."""

    def __init__(self, box: Path) -> None:
        self._box = box
        self._views: dict[str, str | None] = {}
        self._shown: dict[str, bool] = {}
        self.answers = 0

    def saw(self, seen: EnrolledPhoto, shows: list[str | None]) -> None:
        """Remember what the faces of a photo show, one name a face, and answer what is asked about them."""
        kept, arts = confirmed_faces(self._box), self._arts()
        photo = list(kept.photos)[-1]
        views = {face.art: view.file for face in kept.faces for view in face.views if view.photo == photo}
        waiting = {asked.name: asked.view.file for asked in kept.asked}
        for face, name in zip(seen.faces, shows, strict=True):
            if name:
                self._shown[name] = self._shown.get(name, False) or GLARE not in face.advice
            file = waiting.get(face.name) or views.get(arts.get(face.card, ""))
            if file is not None:
                self._views[file] = name
        for _ in range(MOST_QUESTIONS):
            asked = next(iter(confirmed_faces(self._box).asked), None)
            if asked is None:
                break
            self._answer(asked)

    def in_glare(self) -> list[str]:
        """The cards that every photo of them shows in glare: the program asks for one more photo of them."""
        return sorted(name for name, clear in self._shown.items() if not clear)

    def names(self) -> dict[str, str | None]:
        """The true name of each card of the catalogue, by the card's id: that of most of its views."""
        return {card: self._name_of(art) for card, art in self._arts().items()}

    def _arts(self) -> dict[str, str]:
        return {card.id: card.art for card in load_catalogue(self._box).cards}

    def _name_of(self, art: str) -> str | None:
        faces = confirmed_faces(self._box).faces
        names = [self._views.get(view.file) for face in faces if face.art == art for view in face.views]
        return Counter(names).most_common(1)[0][0] if names else None

    def _answer(self, asked: Asked) -> None:
        self.answers += 1
        name = self._views.get(asked.view.file)
        if asked.kind == "reference":
            answer(self._box, asked.name, "same" if self._name_of(asked.art) == asked.text else "new")
        elif name is None:
            answer(self._box, asked.name, "leave")
        elif name == "":
            answer(self._box, asked.name, "back")
        elif asked.kind == "back":
            answer(self._box, asked.name, "new")
        else:
            same = [art for art in (asked.art, *asked.options) if self._name_of(art) == name]
            cards = {art: card for card, art in self._arts().items()}
            chosen = cards.get(same[0], "") if same and asked.kind == "same" else ""
            answer(self._box, asked.name, "same" if same else "new", chosen)


def once_more(deck: Catalogue, cards: list[str], number: int, folder: Path, renderer: Renderer) -> Path:
    """One more photo, of these cards apart from each other and without sleeves; gives its file."""
    shot = blank_shot(deck, "validation", _ONCE_MORE + number, cards, sleeves=False, kind="apart")
    return write_shot(shot, folder, renderer)


def shared_figures(deck: Catalogue, box: Path, names: dict[str, str | None], file: Path) -> dict[str, int]:
    """How a tracing shared from `deck` is laid on the catalogue in `box`, whose cards have the true `names`.

    `right` and `wrong` dungeons are taken without a question, `asked` ones with the true card among the
    answers, `asked_without` without it, `unknown` ones not at all. `file` is where the tracing is written.
    """
    assert deck.folder is not None
    write_shared(deck.folder, file)
    shared, catalogue = read_shared(file), load_catalogue(box)
    faces: dict[str, Any] = {}
    for card in catalogue.cards:
        art = read_art(catalogue.art_path(card))
        if art is not None and names.get(card.id):
            faces[card.id] = np.asarray(art, np.uint8)
    known = known_faces(faces, catalogue, shared)
    told = dict.fromkeys(("right", "wrong", "asked", "asked_without", "unknown"), 0)
    dungeons = {card.id: (card.nodes, card.edges, card.rooms) for card in shared.catalogue.cards}
    for name in faces:
        true, found = names[name], known.get(name)
        if found is None:
            told["unknown"] += 1
        elif found.question is None or found.dungeon:
            same = dungeons.get(found.card) == dungeons.get(str(true))
            told["right" if same else "wrong"] += 1
        else:
            told["asked" if true in found.options else "asked_without"] += 1
    return told
