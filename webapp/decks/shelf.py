"""Registry of all decks of this table. Each is a catalogue's folder (docs/FORMATS.md, section 1): the one
that the server was started with, and those in the data folder, created here or copied there by hand."""

from __future__ import annotations

import re
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from calibration.enrol.catalogue_folder import ENROL, changed_catalogue, new_catalogue, write_whole
from calibration.enrol.pieces.holding import asked_of
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import FILE_NAME, Catalogue, Point, load_catalogue
from scorer.errors import Code, WaymarkError
from scorer.game import Game as Rules
from scorer.games import game_named, game_of, game_together, known_games
from scorer.play_kinds import BOARD, play_kind
from scorer.text import Text, unchanged
from webapp.store.database import not_found

#: Name of the folder of decks, below the data folder.
DECKS = "boxes"
#: The id of the box that the server was started with.
MAIN = "open"
#: Bounds of a card's side in mm: from a fingernail to a large board.
LEAST_SIDE_MM, MOST_SIDE_MM = 15.0, 900.0
#: Prefix of the ids of bundled decks.
_OPEN = "open-"
#: Name of the marker file in the folder of a deck that was set aside.
_SET_ASIDE = "set-aside"
OPEN_DECK = Text("Waymark’s open deck")
_NO_NAME_SIGNS = re.compile(r"[^a-zA-Z0-9_]+")
_Stamp = tuple[int, int]


@dataclass(frozen=True)
class Deck:
    """One deck: its id in addresses and its folder. `own`: its cards may be changed here, unlike the open
    deck's. `set_aside`: it is hidden from new games, while existing games go on."""

    id: str
    folder: Path
    own: bool
    set_aside: bool = False


class Shelf:
    """The decks of a data folder; `main` is the catalogue that the server was started with. A catalogue is
    reloaded after a change of its file."""

    def __init__(self, data: Path, main: Catalogue, main_folder: Path) -> None:
        self._decks = data / DECKS
        self._main = Deck(MAIN, main_folder, own=main_folder != bundled_catalogue())
        self._known: dict[Path, tuple[_Stamp | None, Catalogue]] = {main_folder: (_stamp(main_folder), main)}
        self._making = threading.Lock()

    @property
    def main(self) -> Deck:
        return self._main

    def decks(self, *, set_aside: bool = False) -> list[Deck]:
        """All decks with this state of `set_aside`: the server's own first, the others by name."""
        listed = [self._main, *(self._deck(folder.name) for folder in self._folders())]
        return [deck for deck in listed if deck.set_aside == set_aside]

    def bundled(self) -> list[Deck]:
        """Decks that are part of Waymark's board games."""
        found = []
        for word in known_games():
            game = game_named(word)
            if play_kind(game) is BOARD and game.bundled not in (None, self._main.folder):
                assert game.bundled is not None
                found.append(Deck(f"{_OPEN}{word}", game.bundled, own=False))
        return found

    def set_aside(self, deck: Deck, aside: bool) -> Deck:
        """Hide a deck of the data folder from new games, or show it again. Raises `WaymarkError` (forbidden
        for the server's own deck; not-writable)."""
        if deck.id == MAIN:
            raise WaymarkError(Code.FORBIDDEN, Text("The server was started with this box, so it stays."))
        marker = deck.folder / ENROL / _SET_ASIDE
        if aside:
            write_whole(marker, b"")
        else:
            marker.unlink(missing_ok=True)
        return self._deck(deck.id)

    def title(self, deck: Deck) -> Text:
        """Name of a deck for people. Raises `WaymarkError` for a folder that is no catalogue."""
        if not deck.own:
            game = game_of(self.catalogue(deck))
            return game.name if play_kind(game) is BOARD else OPEN_DECK
        name = self.catalogue(deck).name
        return unchanged(name)

    def deck(self, deck_id: str) -> Deck:
        """The box of this id. Raises `WaymarkError` (not-found)."""
        if deck_id == MAIN:
            return self._main
        if any(folder.name == deck_id for folder in self._folders()):
            return self._deck(deck_id)
        for bundled in self.bundled():
            if bundled.id == deck_id:
                return bundled
        raise not_found()

    def named(self, deck_id: str) -> Deck:
        """The deck with the id stored in a game or tableau; "" is the server's own. Raises `WaymarkError`
        (no-catalogue) for an unknown deck."""
        if not deck_id:
            return self._main
        try:
            return self.deck(deck_id)
        except WaymarkError as error:
            raise WaymarkError(
                Code.NO_CATALOGUE,
                Text(
                    "The box {deck_id!r} is not on this table; put its folder into {decks!r}.",
                    deck_id=deck_id,
                    decks=str(self._decks),
                ),
            ) from error

    def catalogue_of(self, deck_id: str) -> Catalogue:
        """The catalogue with the deck id stored in a game or tableau. Raises `WaymarkError`."""
        return self.catalogue(self.named(deck_id))

    def playable(self, game: str = "") -> list[Deck]:
        """Decks with at least one card, optionally of one game: the server's and the data folder's first,
        then bundled ones."""
        made = []
        for deck in (*self.decks(), *self.bundled()):
            try:
                catalogue = self.catalogue(deck)
            except WaymarkError:
                continue
            if catalogue.cards and game in ("", catalogue.game):
                made.append(deck)
        return made

    def boards(self) -> list[Deck]:
        """Decks of board games from `playable`, with one deck of each game before any second one."""
        earlier: Counter[str] = Counter()
        ranked = []
        for box in self.playable():
            rules = game_of(self.catalogue(box))
            if rules.photo.scan_key == "board":
                ranked.append((earlier[rules.id], box))
                earlier[rules.id] += 1
        return [box for _, box in sorted(ranked, key=lambda each: each[0])]

    def chosen(self, deck_id: str, *, together: bool = False) -> tuple[str, Rules]:
        """The deck id and the rules for a new game; "" is the server's own deck. `together` selects the
        cooperative mode. Raises `WaymarkError` (unknown-game) for a game without that mode."""
        deck = self.deck(deck_id) if deck_id else self._main
        catalogue = self.catalogue(deck)
        rules = game_together(catalogue.game) if together else game_of(catalogue)
        return self.name_of(deck), rules or game_of(catalogue, "together")

    def name_of(self, deck: Deck) -> str:
        """The deck's id as stored in a game or tableau; "" for the server's own."""
        return "" if deck.id == MAIN else deck.id

    def catalogue(self, deck: Deck) -> Catalogue:
        """The deck's current catalogue. Raises `WaymarkError` for a folder that is no catalogue."""
        stamp = _stamp(deck.folder)
        known = self._known.get(deck.folder)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            catalogue = load_catalogue(deck.folder)
        except WaymarkError:
            if known is not None and deck.id == MAIN:
                # Another process is writing the file: the previous content is used until it is complete.
                return known[1]
            raise
        self._known[deck.folder] = (stamp, catalogue)
        return catalogue

    def new_deck(self, name: str, game: str, card_size_mm: Point) -> Deck:
        """Create a deck without cards. Raises `WaymarkError` (unknown-game, not-writable; not-valid for a
        board game's tiles that are not square)."""
        game_named(game)
        pieces = bool(asked_of(game))
        if pieces and card_size_mm[0] != card_size_mm[1]:
            raise WaymarkError(
                Code.NOT_VALID,
                Text("A tile of this game is as wide as it is high; measure one, and write that for both."),
            )
        # cardboard tiles have sharp corners
        made = new_catalogue(name.strip(), game, card_size_mm) | ({"corner_radius_mm": 0} if pieces else {})
        plain = _NO_NAME_SIGNS.sub("-", name.strip()).strip("-")[:40]
        if not re.search(r"[A-Za-z]", plain):
            plain = game  # URLs are also read aloud, so they have no escaped characters
        with self._making:
            taken = {folder.name for folder in self._folders()} | {
                MAIN,
                *(each.id for each in self.bundled()),
            }
            numbered = (plain if n == 1 else f"{plain}-{n}" for n in range(1, len(taken) + 2))
            deck_id = next(each for each in numbered if each not in taken)
            with changed_catalogue(self._decks / deck_id, made):
                pass
        return self._deck(deck_id)

    def _deck(self, name: str) -> Deck:
        folder = self._decks / name
        return Deck(name, folder, own=True, set_aside=(folder / ENROL / _SET_ASIDE).exists())

    def _folders(self) -> list[Path]:
        try:
            found = [
                each for each in self._decks.iterdir() if each.is_dir() and not each.name.startswith(".")
            ]
        except OSError:
            return []
        return sorted(found, key=lambda each: each.name)


def traced_counts(catalogue: Catalogue) -> Counter[str]:
    """Number of cards that are traced ("yes"), guessed ("proposed"), and neither ("no")."""
    return Counter(card.tracing for card in catalogue.cards)


def _stamp(folder: Path) -> _Stamp | None:
    try:
        told = (folder / FILE_NAME).stat()
    except OSError:
        return None
    return told.st_mtime_ns, told.st_size
