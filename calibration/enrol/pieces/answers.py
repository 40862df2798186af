"""Answers of a person about enrolled pieces: confirmation, open sides or type of a tile, printed facts,
identity of a piece, number of copies, rotation, or removal. Each answer is one change and can be undone as
one (`undoing`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from calibration.enrol.catalogue_folder import turned_art, write_whole
from calibration.enrol.faces.store import one_enrolment, png
from calibration.enrol.pieces.holding import asked_of, open_question, sort_of
from calibration.enrol.pieces.openings import opening_nodes
from calibration.enrol.pieces.undoing import changed_box, seen_version
from scorer.enrolment_facts import checked_facts, read_fact, untold
from scorer.enrolment_pieces import AskedPieces
from scorer.errors import Code, WaymarkError
from scorer.square_grid import SIDES
from scorer.text import Text
from vision.cards.index import read_art

#: What is said of all pieces, or of one, that is as it was read; of a figure that lies on its head; of a
#: piece that is none.
EVERY, RIGHT, TURNED, OUT = "all", "right", "turned", "out"
_COPIES = re.compile(r"x(\d{1,3})")
_SORT = re.compile(r"([a-z_-]+)(?:@(0|90|180|270))?")


def answer_piece(folder: Path, piece: str, said: str) -> None:
    """Apply an answer about one piece of the catalogue in `folder`, or (`all`) about every piece without
    an open question.

    Answers: `right`, sides of a tile (`left+top`, `room+left`), type of tile with rotation (`archway@90`),
    `x10` for the number of copies, `turned`, `out`, the name of the piece it equals, or facts
    (`attack:2,life:1`). Raises `WaymarkError` (unknown-card, usage, not-valid, busy, not-writable,
    no-catalogue).
    """
    with one_enrolment(folder), changed_box(folder) as told:
        answers = _Answers(folder, told)
        if piece == EVERY:
            if said != RIGHT:
                raise _not_understood(piece, said)
            for entry in told["cards"]:
                if not open_question(entry, answers.sort(entry)):
                    answers.confirm(entry)
            return
        entry = answers.entry(piece)
        if ":" in said:
            answers.tell(entry, _typed(answers.sort(entry), said))
        else:
            answers.take(entry, said)


def answer_seen(folder: Path, seen: Mapping[str, str], said: str, facts: Mapping[str, Any]) -> None:
    """Apply an answer and `facts` to several pieces, each in the version that was `seen`. Raises the
    errors of `answer_piece`, and `WaymarkError` (conflict) where a piece was changed meanwhile."""
    with one_enrolment(folder), changed_box(folder) as told:
        answers = _Answers(folder, told)
        for piece, version in seen.items():
            entry = answers.entry(piece)
            if seen_version(entry) != version:
                raise WaymarkError(
                    Code.CONFLICT,
                    Text(
                        "A photo or another device has changed this piece meanwhile; check it as it is now, "
                        "and answer again."
                    ),
                )
        for piece in seen:
            entry = answers.entry(piece)
            if facts:
                answers.tell(entry, facts)
            if said:
                answers.take(entry, said)


class _Answers:
    """Application of answers to the JSON of a catalogue, which is modified."""

    def __init__(self, folder: Path, told: dict[str, Any]) -> None:
        self.folder, self.told = folder, told
        self.asked = asked_of(str(told["game"]))

    def entry(self, name: str) -> dict[str, Any]:
        """The entry of a piece by its name. Raises `WaymarkError` (unknown-card)."""
        entry = self._known(name)
        if entry is None:
            raise WaymarkError(
                Code.UNKNOWN_CARD,
                Text(
                    "There is no piece {name!r} in {folder!r}; check its name.",
                    name=name,
                    folder=str(self.folder),
                ),
            )
        return entry

    def sort(self, entry: Mapping[str, Any]) -> AskedPieces | None:
        return sort_of(entry, self.asked)

    def take(self, entry: dict[str, Any], said: str) -> None:
        copies = _COPIES.fullmatch(said)
        sides = said.split("+")
        sort = _SORT.fullmatch(said)
        if said == RIGHT:
            self.confirm(entry)
        elif copies is not None and int(copies[1]) > 0:
            entry["copies"] = int(copies[1])
        elif said == TURNED:
            self._turn(entry)
        elif said == OUT:
            self.told["cards"].remove(entry)
        elif entry["kind"] in ("tile", "fixed") and all(side in SIDES for side in sides):
            self._open_to(entry, sum(1 << SIDES.index(side) for side in set(sides)))
        elif sort is not None and self._is_sort(entry, sort[1]):
            self._of_sort(entry, sort[1], sort[2])
        elif self._is_sort(entry, sides[0]) and all(side in SIDES for side in sides[1:]):
            self._of_sort(entry, sides[0], None)
            self._open_to(entry, sum(1 << SIDES.index(side) for side in set(sides[1:])))
        else:
            self._rename(entry, said)

    def tell(self, entry: dict[str, Any], facts: Mapping[str, Any]) -> None:
        """Store facts printed on a piece. Raises `WaymarkError` (not-valid)."""
        sort = self.sort(entry)
        if sort is None or not sort.facts:
            raise _not_understood(str(entry["id"]), ", ".join(facts))
        known = {"role": entry.get("role")}
        told = checked_facts(sort.facts, dict(entry.get("told", {})) | dict(facts), known)
        for word in entry.pop("told_as", []):
            entry.pop(word, None)
        made = {} if untold(sort.facts, known | told) else dict(sort.told(told))
        entry |= made | {"told": told, "told_as": list(made)}
        if not open_question(entry, sort):
            self.confirm(entry)

    def confirm(self, entry: dict[str, Any]) -> None:
        """Mark a piece's data as confirmed. A tile without a type gets a question about its type instead."""
        entry.pop("asked", None)
        sort = self.sort(entry)
        if sort is not None and sort.sorts and entry.get("role") is None:
            # which of the tiles it is has to be told
            entry["asked"] = "sort"
            return
        if entry.get("traced") == "proposed":
            entry["traced"] = "yes"
        for node in entry["nodes"]:
            node.pop("confidence", None)

    def _known(self, name: str) -> dict[str, Any] | None:
        return next((entry for entry in self.told["cards"] if entry["id"] == name), None)

    def _open_to(self, entry: dict[str, Any], sides: int) -> None:
        sort = self.sort(entry)
        if sort is not None and sort.sorts:
            role = sort.sort(entry.get("role"))
            if role is None or role.corridors:
                raise _not_understood(str(entry["id"]), "+".join(SIDES))
        self._drawn(entry, (sides,))

    def _drawn(self, entry: dict[str, Any], corridors: tuple[int, ...]) -> None:
        nodes, edges = opening_nodes(corridors, float(self.told["card_size_mm"][0]))
        entry |= {"nodes": nodes, "edges": edges}
        self.confirm(entry)

    def _is_sort(self, entry: Mapping[str, Any], word: str) -> bool:
        sort = self.sort(entry)
        return sort is not None and sort.sort(word) is not None

    def _of_sort(self, entry: dict[str, Any], word: str, rotation: str | None) -> None:
        """Set the type of a tile, in its current rotation, or with the corridors of that type."""
        asked = self.sort(entry)
        sort = asked.sort(word) if asked is not None else None
        assert sort is not None
        others = [each for each in self.told["cards"] if each is not entry and each.get("role") == word]
        if sum(int(each.get("copies", 1)) for each in others) + int(entry.get("copies", 1)) > sort.most:
            raise WaymarkError(
                Code.NOT_VALID,
                Text(
                    "A box has {most} {sort} only, and another piece is already that one; correct it.",
                    most=sort.most,
                    sort=sort.name,
                ),
            )
        entry["role"] = word
        if entry.get("asked") == "sort":
            del entry["asked"]
        if sort.corridors:
            self._drawn(entry, sort.lying(int(rotation or 0)))

    def _turn(self, entry: dict[str, Any]) -> None:
        art = read_art(self.folder / entry["art"])
        if art is not None:
            entry["art"] = turned_art(entry["art"])
            write_whole(self.folder / entry["art"], png(np.ascontiguousarray(np.rot90(art, 2))))

    def _rename(self, entry: dict[str, Any], name: str) -> None:
        """Set the identity of a piece by name. A tile or design that already exists gets one more copy.
        Where another piece has the number or colour, this piece takes it over, and the other becomes an
        open question."""
        other = self._known(name)
        if other is entry or (other is not None and other.get("shape") != entry.get("shape")):
            raise _not_understood(str(entry["id"]), name)
        if other is None:
            value = name.rpartition("-")[2]
            known: dict[str, Any] = {"value": int(value)} if "value" in entry and value.isdigit() else {}
            known |= {"colour": value} if "colour" in entry and not value.isdigit() else {}
            if not known:
                raise _not_understood(str(entry["id"]), name)
            entry |= known | {"id": name}
            self.confirm(entry)
        elif "value" not in entry and "colour" not in entry:
            other["copies"] = int(other.get("copies", 1)) + int(entry.get("copies", 1))
            self.told["cards"].remove(entry)
        else:
            entry["art"], other["art"] = other["art"], entry["art"]
            # The name stands with its new picture; nobody has said that the other's is right.
            self.confirm(other)
            entry |= {"traced": "proposed", "asked": "name"}


def _typed(sort: AskedPieces | None, said: str) -> dict[str, Any]:
    """Facts parsed from a command-line text such as `attack:2,life:1`."""
    facts = {fact.word: fact for fact in sort.facts} if sort is not None else {}
    told: dict[str, Any] = {}
    for part in said.split(","):
        word, _, value = part.strip().partition(":")
        told[word] = read_fact(facts[word], value) if word in facts else value
    return told


def _not_understood(piece: str, said: str) -> WaymarkError:
    return WaymarkError(
        Code.USAGE,
        Text(
            "{said!r} says nothing of {piece!r}; say right, its open sides (left+top), x2 for two of it, "
            "turned, out, or which piece it is.",
            said=said,
            piece=piece,
        ),
    )
