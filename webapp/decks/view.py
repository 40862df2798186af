"""Views of decks and of unfinished tracings, for pages and the API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

import msgspec

from calibration.enrol.card_geometry import SENTENCES
from calibration.enrol.pieces.holding import asked_of
from calibration.enrol.share.same_dungeon import like_faces
from calibration.enrol.trace.drafts import Draft, draft_of, effort_of, median_taps
from calibration.enrol.trace.tracing import Tracing, in_doubt, problems_of, settled, tracing_of, with_tracing
from scorer.catalogue import Card, Catalogue, FindKind, Level, NodeKind, Point, Side, Traced
from scorer.errors import WaymarkError
from scorer.game import Game as Rules
from scorer.games import game_of
from scorer.text import Language
from webapp.decks.enrolling import trace_next
from webapp.decks.shelf import Deck, Shelf, traced_counts
from webapp.views import view, views

#: Function from a card's id to the URL of its small picture.
PictureOf = Callable[[str], str]
#: Largest number of cards with the same layout that are offered.
MOST_ALIKE = 2


class DeckView(msgspec.Struct, frozen=True, kw_only=True):
    """A deck: numbers of cards, of cards traced by a person (`traced`), guessed by the program (`pencil`),
    and untouched (`blank`). `wrong`: the reason why it cannot be used. `own`: its cards may be changed here;
    `set_aside`: it is hidden from new games. `median_taps`: median number of taps per traced card. `pieces`:
    it holds a board game's pieces, which are not traced."""

    id: str
    name: str
    game: str
    game_name: str
    card_size_mm: Point
    cards: int
    traced: int
    pencil: int
    blank: int
    own: bool
    set_aside: bool = False
    median_taps: float | None = None
    wrong: str | None = None
    pieces: bool = False


class DeckCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card of a deck: whether it is traced, its number of guesses, and the effort spent on it. `begun`:
    tracing has begun but is not confirmed. `settled`: a person has confirmed its dungeon, or that it has
    none. `drawn_on`: its picture shows a drawn line, and a photo of the blank card is wanted."""

    id: str
    tracing: Traced
    settled: bool
    begun: bool
    taps: int
    seconds: float
    picture: str
    drawn_on: bool = False


class TracedNode(msgspec.Struct, frozen=True, kw_only=True):
    """A place of a tracing, as a catalogue has it; `confidence` is a guess's, 0 to 1, None where a person
    drew it."""

    id: str
    kind: NodeKind
    at: Point
    level: Level
    side: Side | None
    room: str | None
    find: FindKind | None
    value: int
    confidence: float | None


class TracedEdge(msgspec.Struct, frozen=True, kw_only=True):
    """A corridor, stairs or a fall, by its number from 0, with the line from place `a` to place `b`."""

    number: int
    kind: str
    a: str
    b: str
    level: Level | None
    line: tuple[Point, ...]
    confidence: float | None


class TracedFind(msgspec.Struct, frozen=True, kw_only=True):
    """A traced find in a room."""

    id: str
    find: FindKind
    at: Point
    value: int
    confidence: float | None


class TracedRoom(msgspec.Struct, frozen=True, kw_only=True):
    """A traced room with its contents."""

    id: str
    level: Level
    outline: tuple[Point, ...]
    finds: tuple[TracedFind, ...]
    confidence: float | None


class TracingProblem(msgspec.Struct, frozen=True, kw_only=True):
    """An inconsistency of a tracing, in one sentence, with its position (mm on the card; None: no single
    position)."""

    code: str
    place: str
    message: str
    at: Point | None


class AlikeCard(msgspec.Struct, frozen=True, kw_only=True):
    """A traced card that looks like this one but for its colours; `upside_down`: held the other way."""

    id: str
    picture: str
    upside_down: bool


class DungeonSketch(msgspec.Struct, frozen=True, kw_only=True):
    """A card's dungeon as lines, mm on the card as it is held: rooms, corridors (those underground apart),
    openings, and finds, each with its icon."""

    card: str
    size_mm: Point
    rooms: tuple[tuple[Point, ...], ...]
    corridors: tuple[tuple[Point, ...], ...]
    underground: tuple[tuple[Point, ...], ...]
    openings: tuple[Point, ...]
    finds: tuple[tuple[str, Point], ...]


class TracingView(msgspec.Struct, frozen=True, kw_only=True):
    """A card's current tracing, lengths in mm on the upright card. `version` grows with every change;
    `pencilled` is the number of guesses. `doubts` are guesses to be checked before the card is done, from top
    to bottom: the id of a place, find or room, or "edge N". `proposed`: tracing began from the program's
    guess; `next_card` is the card to trace next."""

    deck: str
    card: str
    version: int
    size_mm: Point
    nodes: tuple[TracedNode, ...]
    edges: tuple[TracedEdge, ...]
    rooms: tuple[TracedRoom, ...]
    pencilled: int
    doubts: tuple[str, ...]
    proposed: bool
    done: bool
    undo: bool
    redo: bool
    copied: str | None
    problems: tuple[TracingProblem, ...]
    alike: tuple[AlikeCard, ...]
    next_card: str | None
    traced: int
    cards: int
    taps: int
    seconds: float


def deck_view(shelf: Shelf, deck: Deck, language: Language) -> DeckView:
    """View of a deck for the list, also for an invalid folder."""
    try:
        catalogue = shelf.catalogue(deck)
    except WaymarkError as error:
        return DeckView(
            id=deck.id,
            name=deck.id,
            game="",
            game_name="",
            card_size_mm=(0.0, 0.0),
            cards=0,
            traced=0,
            pencil=0,
            blank=0,
            own=False,
            set_aside=deck.set_aside,
            wrong=error.message(language),
        )
    counts = traced_counts(catalogue)
    return DeckView(
        id=deck.id,
        name=shelf.title(deck).message(language),
        game=catalogue.game,
        game_name=game_of(catalogue).name.message(language),
        card_size_mm=catalogue.card_size_mm,
        cards=len(catalogue.cards),
        traced=counts["yes"],
        pencil=counts["proposed"],
        blank=counts["no"],
        own=deck.own,
        pieces=bool(asked_of(catalogue.game)),
        set_aside=deck.set_aside,
        median_taps=median_taps(deck.folder, [card.id for card in catalogue.cards]) if deck.own else None,
    )


def deck_cards(
    deck: Deck, catalogue: Catalogue, cards: Sequence[Card], picture_of: PictureOf
) -> list[DeckCard]:
    """Views of the given cards of a deck."""
    made = []
    for card in cards:
        kept = effort_of(deck.folder, card.id) if deck.own else None
        made.append(
            view(
                DeckCard,
                card,
                settled=settled(card),
                begun=kept is not None and not draft_of(deck.folder, card, catalogue.size_of(card.id)).done,
                taps=kept.taps if kept is not None else 0,
                seconds=kept.seconds if kept is not None else 0.0,
                picture=picture_of(card.id),
            )
        )
    return made


def tracing_view(
    deck: Deck, catalogue: Catalogue, card: Card, draft: Draft, language: Language, picture_of: PictureOf
) -> TracingView:
    """View of a card's tracing with everything that its page shows."""
    tracing, size_mm = draft.tracing, catalogue.size_of(card.id)
    drawn = with_tracing(card, tracing, "proposed")
    counts = traced_counts(catalogue)
    # Another card's dungeon is no longer offered once drawing has begun.
    alike = like_faces(catalogue, card, MOST_ALIKE) if tracing.empty or tracing.pencilled else ()
    return view(
        TracingView,
        draft,
        deck=deck.id,
        card=card.id,
        size_mm=size_mm,
        nodes=views(TracedNode, tracing.nodes),
        edges=_edges(tracing),
        rooms=tuple(view(TracedRoom, room, finds=views(TracedFind, room.finds)) for room in tracing.rooms),
        pencilled=tracing.pencilled,
        doubts=_doubts(tracing),
        proposed=draft.machine is not None,
        undo=draft.at > 0,
        redo=draft.at < len(draft.states) - 1,
        problems=tuple(
            view(TracingProblem, problem, message=SENTENCES[problem.code].message(language), at=at)
            for problem, at in problems_of(drawn, size_mm)
        ),
        alike=tuple(
            AlikeCard(id=each.card, picture=picture_of(each.card), upside_down=each.upside_down)
            for each in alike
        ),
        next_card=next_to_trace(catalogue, card.id, trace_next(deck.folder)),
        traced=counts["yes"],
        cards=len(catalogue.cards),
    )


def sketch_of(card: Card, size_mm: Point, game: Rules) -> DungeonSketch:
    """Line drawing of a card's dungeon, for use without its picture."""
    tracing = tracing_of(card)
    found = [(node.find, node.at) for node in card.nodes if node.find is not None]
    found += [(find.find, find.at) for room in card.rooms for find in room.finds]
    walked = [edge for edge in _edges(tracing) if edge.kind == "corridor"]
    return DungeonSketch(
        card=card.id,
        size_mm=size_mm,
        rooms=tuple(room.outline for room in card.rooms),
        corridors=tuple(edge.line for edge in walked if edge.level != "underground"),
        underground=tuple(edge.line for edge in walked if edge.level == "underground"),
        openings=tuple(node.at for node in card.nodes if node.kind == "opening"),
        finds=tuple((game.words.vocabulary.icon(find), at) for find, at in found),
    )


def next_to_trace(catalogue: Catalogue, after: str, pays: Sequence[str] = ()) -> str | None:
    """Id of the next card to trace: the first untraced card of `pays` (the most useful ones), otherwise the
    next untraced one in the deck, cyclically. None where all are traced."""
    here = {card.id: card for card in catalogue.cards}
    open_ = [card for card in pays if card in here and not settled(here[card])]
    if first := next((card for card in open_ if card != after), None):
        return first
    ids = [card.id for card in catalogue.cards]
    at = ids.index(after) + 1 if after in ids else 0
    round_ = [*catalogue.cards[at:], *catalogue.cards[: at - 1]]
    return next((card.id for card in round_ if not settled(card)), None)


def find_kinds(catalogue: Catalogue) -> list[str]:
    """Kinds of finds in this game's dungeons, in its vocabulary; empty for a game without paths."""
    rules = game_of(catalogue)
    if not rules.photo.habits.drawn:
        return []
    return [kind for kind in get_args(FindKind) if kind in rules.words.vocabulary.words]


def _doubts(tracing: Tracing) -> tuple[str, ...]:
    found: list[tuple[Point, str]] = [(node.at, node.id) for node in tracing.nodes if in_doubt(node)]
    for room in tracing.rooms:
        found += [(min(room.outline, key=lambda at: at[1]), room.id)] if in_doubt(room) else []
        found += [(find.at, find.id) for find in room.finds if in_doubt(find)]
    for edge in _edges(tracing):
        if in_doubt(tracing.edges[edge.number]):
            found.append((edge.line[len(edge.line) // 2], f"edge {edge.number}"))
    return tuple(name for at, name in sorted(found, key=lambda each: (each[0][1], each[0][0])))


def _edges(tracing: Tracing) -> tuple[TracedEdge, ...]:
    at = {node.id: node.at for node in tracing.nodes}
    at |= {find.id: find.at for room in tracing.rooms for find in room.finds}
    level = {node.id: node.level for node in tracing.nodes}
    return tuple(
        TracedEdge(
            number=number,
            kind=edge.kind,
            a=edge.from_,
            b=edge.to,
            level=(edge.level or level.get(edge.from_)) if edge.kind == "corridor" else None,
            line=(at[edge.from_], *edge.via, at[edge.to]),
            confidence=edge.confidence,
        )
        for number, edge in enumerate(tracing.edges)
        if edge.from_ in at and edge.to in at
    )
