"""A board game in the app: begun, acted on and photographed."""

from __future__ import annotations

from typing import Any

from flask import Flask

from scorer.board_record import board_from
from scorer.catalogue import Side
from scorer.ice_and_idols.rules.pieces import BORDERS
from scorer.layered import Foot, LayersSeen, Lying, OnPlace
from scorer.square_grid import SIDES
from vision.boards.seen import BoardPiece, BoardScan, BoardTile, LayeredScan, LooseScan, SpareTile
from webapp.http.services import KEY, Services
from webapp.store.boards import encode_board, take_board
from webapp.store.models import Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot

#: A cell in the photos of these tests, mm and px.
CELL = 50.0
SURE = 0.999


def begin(
    call: Any, deck: str = "open-labyrinth2", colours: tuple[str, ...] = ("red", "blue"), deal: bool = True
) -> tuple[Any, str]:
    """A game whose board was dealt, and the board's address."""
    players = [{"name": n, "colour": c} for n, c in zip(("Aya", "Ben", "Cem"), colours, strict=False)]
    game = call("POST", "/games", {"players": players, "deck": deck}, status=201)
    board = f"/tableaus/{game['rounds'][0]['entries'][0]['tableau_id']}/board"
    if deal:
        act(call, board, "deal")
    return game, board


def act(call: Any, board: str, what: str, status: int = 200, **body: Any) -> Any:
    return call("POST", f"{board}/{what}", {"version": call("GET", board)["version"], **body}, status=status)


def pushes(call: Any, board: str, legal: bool = True) -> dict[str, Any]:
    """A push after which who is to move may stay (or may not, for a treasure lies there)."""
    for at in ("top1", "top3", "left1", "left3", "right5", "bottom5"):
        for rotation in (0, 90):
            step = {"do": "push", "at": at, "rotation": rotation}
            if act(call, board, "try", steps=[step])["ruling"]["legal"] is legal:
                return step
    raise AssertionError("no such push")


def scan_of(record: dict[str, Any], *, doubted: tuple[int, int] | None = None) -> BoardScan:
    """What a perfect reader reads of a board; the tile of one cell may be doubted."""
    board = board_from(record)

    def corners(column: float, row: float) -> tuple[tuple[float, float], ...]:
        x, y = column * CELL, row * CELL
        return ((x, y), (x + CELL, y), (x + CELL, y + CELL), (x, y + CELL))

    tiles = tuple(
        BoardTile(
            tile=tile.tile or "",
            cell=tile.cell,
            rotation=tile.rotation or 0,
            corners=corners(tile.column, tile.row),
            tile_confidence=SURE,
            turn_confidence=0.6 if tile.cell == doubted else SURE,
            printed=(tile.tile or "").startswith("F"),
        )
        for tile in board.tiles or ()
    )
    pieces = tuple(
        BoardPiece(
            piece=piece.piece or "",
            cell=piece.cell,
            at_px=(piece.cell[0] * CELL + 25, piece.cell[1] * CELL + 25),
            confidence=SURE,
            facing=piece.facing,
        )
        for piece in board.pieces or ()
        if piece.cell is not None
    )
    (lying,) = board.spare or ()
    spare = SpareTile(
        tile=lying.tile or "", rotation=lying.rotation or 0, corners=corners(-1, 7), confidence=SURE
    )
    told: dict[str, Any] = {name: () for name in BoardScan.__dataclass_fields__}
    told |= {"width": 350, "height": 350, "to_photo": ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))}
    told |= {
        "grid_px": ((0, 0), (350, 0), (350, 350), (0, 350)),
        "tiles": tiles,
        "pieces": pieces,
        "spare": spare,
    }
    return BoardScan(**told | {"timings_ms": {}})


_PHOTOS = iter(range(1, 1_000_000))


def photograph(app: Flask, board: str, scan: BoardScan) -> None:
    """Give a board a photo that was read so."""
    import io

    from PIL import Image

    services: Services = app.extensions[KEY]
    buffer = io.BytesIO()
    Image.new("RGB", (700, 700), (next(_PHOTOS) % 256, 90, 90)).save(buffer, "PNG")
    stored = store_original(services.photos, buffer.getvalue())
    with services.database.transaction() as session:
        tableau = session.get_one(Tableau, board.split("/")[2])
        shot = add_shot(session, tableau, stored)
        session.flush()
        take_board(session, services.shelf.catalogue_of(tableau.deck), shot, encode_board(scan))


def after(call: Any, board: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """The board's record after a turn, which is taken back."""
    act(call, board, "turn", steps=steps)
    record: dict[str, Any] = call("GET", f"{board}/record")
    act(call, board, "undo")
    return record


#: Where a figure stands in its cell that came in from a side.
JUST_IN = {"top": (0.5, 0.85), "right": (0.15, 0.5), "bottom": (0.5, 0.15), "left": (0.85, 0.5)}


def layers_of_record(
    record: dict[str, Any], rotation: int, *, beside: bool = False, step: str | None = None
) -> LayeredScan:
    """What a photo shows of a temple that is turned so over its map, whose figures came in by a `step`; of
    the track and of what lies before players if `beside`."""
    board = board_from(record, anywhere=True)
    boards: dict[str, Side] = {}
    places: list[OnPlace] = []
    if beside:
        boards = {"research": "left"}
        for each in board.pieces or ():
            if each.on == "research" and each.cell is not None:
                places.append(OnPlace("research", f"{each.cell[0]},{each.cell[1]}", each.piece, SURE))
        for player in board.players:
            own = (player.piece or "").replace("figure", "player")
            boards[own] = "bottom"
            for piece, place in (("adrenaline-plus", "adrenaline"), ("adrenaline-minus", "adrenaline")):
                if (player.holds or {}).get(piece):
                    places.append(OnPlace(own, place, piece, SURE))
    figures = [
        BoardPiece(each.piece or "", each.cell, (10.0, 10.0), SURE)
        for each in board.pieces or ()
        if each.on is None and each.cell is not None
    ]
    return LayeredScan(
        width=350,
        height=350,
        warnings=(),
        to_photo=((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)),
        grid_px=((0, 0), (250, 0), (250, 250), (0, 250)),
        tiles=tuple(
            BoardTile(each.tile or "", each.cell, each.rotation or 0, ((0.0, 0.0),) * 4, SURE, SURE)
            for each in board.tiles or ()
        ),
        spare=None,
        pieces=tuple(figures),
        held=(),
        hidden=(),
        unread=(),
        layers=LayersSeen(
            ground=board.more["ground"]["tiles"][0]["tile"],
            rotation=rotation,  # type: ignore[arg-type]
            rims={side: f"border-{name}" for side, name in zip(SIDES, BORDERS, strict=True)},
            boards=boards,
            places=tuple(places),
            lying=tuple(
                Lying("first-player", (each.piece or "").replace("figure", "player"), SURE)
                for each in board.players
                if beside and (each.holds or {}).get("first-player")
            ),
            feet=tuple(Foot(each.piece, each.cell, JUST_IN[step]) for each in figures if step is not None),
        ),
        turn_confidence=1.0,
    )


def panels_of_record(record: dict[str, Any], pawns: dict[str, tuple[int, int]]) -> LooseScan:
    """What a photo shows of panels and pawns in their cells, and of nothing else."""
    board = board_from(record)
    corners = ((0.0, 0.0), (4 * CELL, 0.0), (4 * CELL, 4 * CELL), (0.0, 4 * CELL))
    return LooseScan(
        width=200,
        height=200,
        warnings=(),
        to_photo=((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)),
        grid_px=corners,
        tiles=tuple(
            BoardTile(
                "back" if each.face == "down" else each.tile or "",
                each.cell,
                each.rotation or 0,
                corners,
                SURE,
                SURE,
            )
            for each in board.tiles or ()
        ),
        spare=None,
        pieces=tuple(BoardPiece(name, cell, (10.0, 10.0), SURE) for name, cell in pawns.items()),
        held=(),
        hidden=(),
        unread=(),
    )
