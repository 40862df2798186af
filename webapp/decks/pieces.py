"""Views of a deck of a board game's pieces: the pieces that the game needs, the pieces that are enrolled, and
the progress of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from calibration.enrol.pieces.holding import (
    State,
    asked_of,
    facts_told,
    missing_of,
    open_question,
    sort_of,
    sorts_held,
    state_of,
)
from calibration.enrol.pieces.openings import corridors_of
from calibration.enrol.pieces.undoing import changes_of, seen_version
from scorer.board_problems import told_cell
from scorer.catalogue import FILE_NAME, Catalogue
from scorer.enrolment_facts import Fact, FactSort
from scorer.enrolment_pieces import AskedPieces, TileSort, photographed_together
from scorer.games import game_of
from scorer.text import Language, Text
from webapp.decks.shelf import Deck
from webapp.views import view


class NamedChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A possible answer: the word to send, and its name for people."""

    word: str
    name: str


class AskedFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact to be stated about a piece, as in `scorer.enrolment_facts.Fact`."""

    word: str
    name: str
    sort: FactSort
    options: list[NamedChoice]
    least: int
    grid: tuple[int, int]
    when: list[tuple[str, list[str]]]
    usual: int | str | None


class TileAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A tile in one orientation: its answer word, its name, and the open sides of its corridors (bits: top 1,
    right 2, bottom 4, left 8)."""

    answer: str
    name: str
    corridors: list[int]


class AskedSort(msgspec.Struct, frozen=True, kw_only=True):
    """A sort of pieces that the game needs: numbers in the deck, missing, and required (`wanted`; 0: any
    number). `held` gives the number by role where people state it, `amiss` whether some must be missing.
    `size_mm` is the size of the deck's pieces, or the usual size (`measured`: a person stated it). Tiles may
    have `roles`; `lying` lists all orientations of drawn tiles. `names` are the possible names of pieces with
    a number or colour."""

    word: str
    name: str
    kind: str
    shape: str
    have: int
    missing: int
    wanted: int
    held: list[str]
    amiss: bool
    size_mm: tuple[float, float]
    measured: bool
    roles: list[NamedChoice]
    lying: list[TileAnswer]
    names: list[NamedChoice]
    facts: list[AskedFact]


class AskedTogether(msgspec.Struct, frozen=True, kw_only=True):
    """Sorts of pieces that are photographed together, and their layout for the photo."""

    sorts: list[AskedSort]
    hint: str


class BoxPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of the deck: `name` is its name, `label` its name among others of its sort. `version` is sent
    with an answer to detect changes by other devices. `about` is the open question about it (`ways`, `sort`,
    `name`, `same`, `glare`, `facts`; "": none), `other` the piece that it may be equal to. `corridors` are as
    in `TileAnswer`; `told` are its facts; `size_mm` is its width and height."""

    id: str
    name: str
    label: str
    word: str
    version: str
    state: State
    about: str
    other: str
    picture: str
    copies: int
    role: str
    corridors: list[int]
    told: dict[str, Any]
    size_mm: tuple[float, float]


def groups_of(catalogue: Catalogue, language: Language) -> list[AskedTogether]:
    """Groups of pieces that a deck's game needs, in the order of photographing."""
    missing = {asked.word: count for asked, count in missing_of(catalogue)}
    groups = []
    for together in photographed_together(asked_of(catalogue.game)):
        hint = together[0].laid_out.message(language)
        sorts = [_sort(asked, catalogue, missing.get(asked.word, 0), language) for asked in together]
        groups.append(AskedTogether(sorts=sorts, hint=hint))
    return groups


def pieces_of(
    deck: Deck, catalogue: Catalogue, picture_of: Callable[[str], str], language: Language
) -> list[BoxPiece]:
    """The pieces of a deck in order, except those that need no photo."""
    asked = asked_of(catalogue.game)
    colours = game_of(catalogue).sheet.colours
    board = next((each for each in asked if each.printed), None)
    found = []
    for entry in _entries(deck):
        sort = sort_of(entry, asked) if entry["kind"] != "fixed" else board
        if sort is not None and sort.plain:
            continue
        about, _, other = open_question(entry, sort).partition(":")
        label = _label(entry, sort, colours, language)
        name = label
        if sort is not None:
            name = " · ".join(each for each in (sort.name.message(language), label) if each)
        found.append(
            BoxPiece(
                id=entry["id"],
                name=name,
                label=label if sort is not None and (sort.counted or entry["kind"] == "fixed") else name,
                word=sort.word if sort is not None else "",
                version=seen_version(entry),
                state=state_of(entry, sort),
                about=about,
                other=other,
                picture=picture_of(entry["id"]),
                copies=int(entry.get("copies", 1)),
                role=entry.get("role") or "",
                corridors=list(corridors_of(entry)),
                told=facts_told(entry),
                size_mm=catalogue.size_of(entry["id"]),
            )
        )
    return found


def _label(
    entry: Mapping[str, Any], sort: AskedPieces | None, colours: Mapping[str, Text], language: Language
) -> str:
    """Words that distinguish a piece from others of its sort."""
    if entry.get("colour") in colours:
        return colours[entry["colour"]].message(language)
    if entry.get("cell") is not None:
        column, row = entry["cell"]
        return told_cell((int(column), int(row))).message(language)
    name = str(entry["id"])
    if sort is not None:
        name = name.removeprefix(sort.word).removeprefix("-")
    return str(int(name)) if name.isascii() and name.isdigit() else name


def last_change(deck: Deck) -> int | None:
    """Number of the latest change, which undo takes back."""
    changes = changes_of(deck.folder)
    return changes[-1].number if changes else None


def _entries(deck: Deck) -> list[dict[str, Any]]:
    told: dict[str, Any] = msgspec.json.decode((deck.folder / FILE_NAME).read_bytes())
    cards: list[dict[str, Any]] = told["cards"]
    return cards


def _sort(asked: AskedPieces, catalogue: Catalogue, missing: int, language: Language) -> AskedSort:
    colours: Mapping[Any, Text] = game_of(catalogue).sheet.colours
    own = [card for card in catalogue.cards if card.kind == asked.kind and card.role in asked.roles]
    size = next((card.size_mm for card in own if card.size_mm is not None), None)
    if asked.kind == "tile":
        size = catalogue.card_size_mm
    held = sorts_held(catalogue, asked)
    have = sum(card.copies for card in own)
    return view(
        AskedSort,
        asked,
        language,
        have=have,
        missing=missing,
        wanted=asked.count or (len(own) + missing if asked.values or asked.colours else 0),
        held=[f"{sort.name.message(language)} {number}" for sort, number in held if own],
        amiss=any(not sort.least <= number <= sort.most for sort, number in held),
        size_mm=size or asked.usual_mm,
        measured=size is not None,
        roles=[_choice(sort.role, sort.name, language) for sort in asked.sorts],
        lying=[each for sort in asked.sorts for each in _lying(sort, language)],
        names=[
            NamedChoice(
                word=f"{asked.word}-{mark}",
                name=colours[mark].message(language) if mark in colours else str(mark),
            )
            for mark in (asked.values or asked.colours)
        ],
        facts=[_fact(fact, language) for fact in asked.facts],
    )


def _lying(sort: TileSort, language: Language) -> list[TileAnswer]:
    return [
        TileAnswer(
            answer=f"{sort.role}@{rotation}",
            name=sort.name.message(language),
            corridors=list(sort.lying(rotation)),
        )
        for rotation in sort.rotations
        if sort.corridors
    ]


def _fact(fact: Fact, language: Language) -> AskedFact:
    options = [_choice(word, name, language) for word, name in fact.options]
    return view(AskedFact, fact, language, options=options)


def _choice(word: str, name: Text, language: Language) -> NamedChoice:
    return NamedChoice(word=word, name=name.message(language))
