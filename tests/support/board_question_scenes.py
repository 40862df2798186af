"""Photos of boards that each ask a question of one kind, as readings made from a board's own record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.layered import Foot, Lying, OnPlace
from scorer.text import written
from vision.boards.seen import BoardPiece, BoardScan, HiddenCell, LaidPiece, LayeredScan, OpenCell

LABYRINTH, TEMPLE, DRAGON = "open-labyrinth2", "open-ice_and_idols", "open-stone_dragon"
#: Far below what is told without asking.
DOUBTED = 0.2

Spoil = Callable[[Any], BoardScan]


@dataclass(frozen=True)
class AskingPhoto:
    """A photo of a game that asks a question of a kind: `spoil` makes its reading of a perfect one."""

    deck: str
    kind: str
    spoil: Spoil

    @property
    def name(self) -> str:
        return f"{self.deck.removeprefix('open-')}-{self.kind}"


def _with(scan: Any, name: str, **more: Any) -> Any:
    """The reading with one piece seen otherwise."""
    return replace(
        scan, pieces=tuple(replace(each, **more) if each.piece == name else each for each in scan.pieces)
    )


def _without(scan: Any, *names: str) -> Any:
    return replace(scan, pieces=tuple(each for each in scan.pieces if each.piece not in names))


def _with_tile(scan: Any, number: int, **more: Any) -> Any:
    tiles = list(scan.tiles)
    tiles[number] = replace(tiles[number], **more)
    return replace(scan, tiles=tuple(tiles))


def _loose_tile(scan: Any, letter: str = "") -> int:
    return next(k for k, tile in enumerate(scan.tiles) if not tile.printed and tile.tile.startswith(letter))


def _another_tile(scan: Any) -> Any:
    """A bend may be a straight tile, either way up."""
    name = scan.tiles[_loose_tile(scan, "I")].tile
    options = ((name, 0), (name, 90))
    return _with_tile(scan, _loose_tile(scan, "L"), tile_confidence=DOUBTED, options=options)


def _chip(scan: Any) -> str:
    """The lowest treasure, which is sought now: on where it lies the ruling hangs."""
    chips = [str(each.piece) for each in scan.pieces if each.piece.startswith("chip")]
    return min(chips, key=lambda name: int(name.removeprefix("chip-")))


def _stray(scan: Any, *, disc: bool) -> Any:
    name = "chip-1" if disc else "gargoyle-1"
    stray = BoardPiece(name, (1, 1), (75.0, 75.0), DOUBTED, options=("chip-2",) if disc else (), disc=disc)
    return replace(scan if disc else _with(scan, name, confidence=1.0), unread=(stray,))


def _labyrinth() -> Iterator[tuple[str, Spoil]]:
    yield "tile", _another_tile
    yield "rotation", lambda scan: _with_tile(scan, _loose_tile(scan), turn_confidence=DOUBTED)
    yield (
        "piece",
        lambda scan: _with(scan, _chip(scan), confidence=DOUBTED, options=("chip-12", "chip-10"), disc=True),
    )
    yield "cell", lambda scan: _with(scan, "gargoyle-1", confidence=0.85, next_cell=(5, 2))
    yield "facing", lambda scan: _with(scan, "dragon", facing_confidence=DOUBTED)
    yield "disc", lambda scan: _stray(scan, disc=True)
    yield "figure", lambda scan: _stray(scan, disc=False)
    yield (
        "hidden",
        lambda scan: replace(_without(scan, "gargoyle-2"), hidden=(HiddenCell((5, 5), 0.9, False),)),
    )
    for kind in ("chips", "chip-place"):
        yield (
            kind,
            lambda scan: replace(
                _without(scan, _chip(scan)),
                hidden=tuple(HiddenCell(cell, 0.9, False) for cell in ((5, 5), (1, 5), (3, 1))),
            ),
        )
    yield (
        "missing",
        lambda scan: replace(
            _without(scan, "explorer-red"),
            hidden=(HiddenCell((5, 5), 0.9, True), HiddenCell((1, 5), 0.9, True)),
        ),
    )
    yield "whose", other_players
    yield "spare", lambda scan: replace(scan, spare=None)
    yield "looked-over", lambda scan: replace(scan, warnings=(written("Blurred.", "ぶれています。"),))
    yield "broken-rule", lambda scan: replace(scan, pieces=(*scan.pieces, replace(scan.pieces[0])))


def other_players(scan: Any) -> Any:
    """Red and blue play, yellow and green stand on the board."""
    for own, other in (("red", "yellow"), ("blue", "green")):
        scan = _with(scan, f"explorer-{own}", piece=f"explorer-{other}")
    return scan


def _layers(scan: LayeredScan, **more: Any) -> LayeredScan:
    assert scan.layers is not None
    return replace(scan, layers=replace(scan.layers, **more))


def _places(scan: LayeredScan, *places: OnPlace) -> LayeredScan:
    """The reading with these places as they were read."""
    assert scan.layers is not None
    told = {(each.board, each.place) for each in places}
    kept = tuple(each for each in scan.layers.places if (each.board, each.place) not in told)
    at = {f"{each.board}/{each.place}": (20.0, 20.0) for each in places}
    return replace(_layers(scan, places=(*kept, *places)), places_px=at)


def _on_track(scan: LayeredScan, word: str) -> OnPlace:
    assert scan.layers is not None
    return next(each for each in scan.layers.places if each.piece is not None and word in each.piece)


def _between_corridors(scan: LayeredScan) -> LayeredScan:
    figure = scan.pieces[0]
    tile = next(k for k, each in enumerate(scan.tiles) if each.cell == figure.cell)
    made = _with_tile(scan, tile, tile="double_corner")
    return _layers(made, feet=(Foot(figure.piece, figure.cell, (0.5, 0.5)),))


def _no_first_player(scan: LayeredScan) -> LayeredScan:
    return _layers(scan, lying=())


def _lying_key(scan: LayeredScan) -> LayeredScan:
    assert scan.layers is not None
    own = next(name for name in scan.layers.boards if name.startswith("player"))
    return _layers(scan, lying=(*scan.layers.lying, Lying("key-01", own, DOUBTED)))


def _temple() -> Iterator[tuple[str, Spoil]]:
    yield (
        "tile",
        lambda scan: _with_tile(
            scan, 0, tile_confidence=DOUBTED, options=(("archway", 0), ("archway", 90), ("", 0))
        ),
    )
    yield "rotation", lambda scan: _with_tile(scan, 0, turn_confidence=DOUBTED)
    yield (
        "gap",
        lambda scan: replace(
            scan,
            tiles=scan.tiles[1:],
            gaps=(OpenCell(scan.tiles[0].cell, DOUBTED, (("archway", 0), ("archway", 90))),),
        ),
    )
    yield "ground", lambda scan: _layers(scan, rotation=None, rims=None)
    yield "ground", lambda scan: replace(scan, turn_confidence=DOUBTED)
    yield "place", _between_corridors
    yield (
        "block",
        lambda scan: _places(
            scan, replace(_on_track(scan, "cube"), confidence=DOUBTED, others=(None, "cube-red"))
        ),
    )
    yield "token", lambda scan: _places(scan, OnPlace("research", "0,0", "vp-3", DOUBTED, ("vp-4", None)))
    yield (
        "held",
        lambda scan: _places(
            scan, replace(_on_track(scan, "adrenaline"), confidence=DOUBTED, others=("adrenaline-minus",))
        ),
    )
    yield "held", _lying_key
    yield "unseen", lambda scan: _layers(scan, boards={"research": "left"})
    yield "first", _no_first_player
    yield "missing", lambda scan: _without(scan, scan.pieces[0].piece)
    yield "whose", lambda scan: _with(scan, "figure-green", piece="figure-red")


def _doubted_coin(scan: Any) -> BoardScan:
    """A coin beside a character's card, whoever plays it: what lies before players whose card is not in view
    is told by nobody, and asked of nobody."""

    def lying(name: str, confidence: float) -> LaidPiece:
        return LaidPiece(name, "bottom", (60.0, 160.0), confidence, 8.0, (60.0, 215.0), 0.0)

    characters = (lying(name, 1.0) for name in ("knight", "merchant", "tamer", "heiress"))
    held = (*characters, lying("coin-1", DOUBTED))
    made: BoardScan = replace(scan, held=held, seats_in_view=("bottom",))
    return made


def _dragon() -> Iterator[tuple[str, Spoil]]:
    yield "tile", lambda scan: _with_tile(scan, 1, tile_confidence=DOUBTED, options=(("T1", 0), ("T1", 90)))
    yield "held", _doubted_coin
    yield "unseen", lambda scan: scan
    yield "missing", lambda scan: _without(scan, "pawn-red")
    yield "whose", lambda scan: _with(scan, "pawn-red", piece="pawn-yellow")


def asking_photos() -> list[AskingPhoto]:
    games: Mapping[str, Iterator[tuple[str, Spoil]]] = {
        LABYRINTH: _labyrinth(),
        TEMPLE: _temple(),
        DRAGON: _dragon(),
    }
    return [AskingPhoto(deck, kind, spoil) for deck, made in games.items() for kind, spoil in made]
