"""Photos of Ice and Idols tables: clear passage tiles over the map, the borders round them, figures on
corridors, the research track with cubes and tokens beside the temple, and before each player a board with
idols on its altars and in hand, the adrenaline token, and a key card.

The lay's frame is the temple's, borders and all; the map lies under it turned by quarters, and players sit at
the map's sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.decks.ice_and_idols.temple_set import ADRENALINE_MM, ALTARS_MM, CUBE_MM, HANDS_MM
from calibration.decks.ice_and_idols.temple_set import BORDER_MM as BORDER_SIZE_MM
from samples.board_photos import Laid, random_ground, take_photo
from samples.board_truth import BoardSample, Seen
from samples.boards import OUTWARD, BoardLay, laid_disc, laid_flat, laid_tile, random_lay
from samples.ice_and_idols.states import State, random_state, record_of
from samples.light import to_linear
from samples.nuisances import TIERS
from samples.scene_schema import CardPose, Figure, SceneCard
from samples.splits import Split
from scorer.board_record import board_told
from scorer.catalogue import Catalogue, Side, load_catalogue
from scorer.ice_and_idols.game import BUNDLED
from scorer.ice_and_idols.rules.pieces import FIRST, IDOLS, MINUS, PLUS, pieces_of
from scorer.ice_and_idols.rules.position import Stand, Traveller
from scorer.ice_and_idols.rules.temple_frame import SIDE, cell_of
from scorer.ice_and_idols.rules.validation import RESEARCH
from scorer.square_grid import SIDES, STEPS

Array = NDArray[np.float64]
BORDER_MM = BORDER_SIZE_MM[0]
#: Where a space's cube is put, from the space's middle.
CUBE_AT_MM = (-4.2, 0.0)
#: How often figures are turned ones in their colours, and what those are like.
PAWNS, PAWN_MM = 0.4, (13.0, 25.0)
PAWN_RGB = {"red": (198, 40, 44), "blue": (38, 84, 178), "yellow": (236, 190, 40), "green": (40, 130, 66)}
CUBE_RGB = {"red": (196, 46, 44), "blue": (44, 92, 186), "yellow": (232, 188, 44), "green": (48, 138, 64)}
#: The turn of what is upright for who sits at a side of the table.
FACING: dict[Side, float] = {"top": 180.0, "right": 270.0, "bottom": 0.0, "left": 90.0}
#: How thick clear tiles are.
CLEAR_MM = 0.25


@cache
def open_temple() -> Catalogue:
    """The bundled set."""
    return load_catalogue(BUNDLED)


def ice_and_idols_table(catalogue: Catalogue, split: Split, seed: int) -> BoardSample:
    """The photo of one seed. Raises `NoScene` where chance makes none."""
    state = random_state(catalogue, np.random.default_rng([seed, 31]))
    rng = np.random.default_rng([seed, 32])
    lay = _lay(catalogue, seed)
    table = _Table(lay, catalogue, state, rng)
    laid = table.laid()
    photo = take_photo(
        lay, laid, tuple(table.others), random_ground(seed, rng), split, seed, TIERS[seed % len(TIERS)]
    )
    held = tuple(each for each in laid.holdings if each.owner in photo.in_view)
    pieces = tuple(each for each in laid.pieces if each.owner is None or each.owner in photo.in_view)
    return BoardSample(
        split=split,
        seed=seed,
        scene=photo.scene,
        images=_faces(catalogue, laid, table.others),
        lay=lay,
        board=board_told(record_of(state, catalogue, in_view=photo.in_view)),
        seen=(*laid.tiles, *pieces, *held),
        printed=(),
        nuisances=photo.nuisances,
        told={
            "pawns": "pawn" if table.turned else "folded",
            "holdings_in_view": list(photo.in_view),
            "whole_board": board_told(record_of(state, catalogue)),
        },
    )


def _lay(catalogue: Catalogue, seed: int) -> BoardLay:
    cell = catalogue.card_size_mm[0]
    edge = SIDE * cell + 2 * BORDER_MM
    return replace(random_lay(seed, SIDE, SIDE, cell, (edge, edge)), tile_thickness_mm=CLEAR_MM)


def _side_on(side: Side, quarters: int) -> Side:
    return SIDES[(SIDES.index(side) + quarters) % 4]


class _Table:
    """A table being laid. `others` belong to nobody; `turned`: figures are turned ones."""

    def __init__(self, lay: BoardLay, catalogue: Catalogue, state: State, rng: np.random.Generator) -> None:
        self.lay, self.catalogue, self.state, self.rng = lay, catalogue, state, rng
        self.pieces = pieces_of(catalogue)
        self.others: list[SceneCard] = []
        self.turned = bool(rng.random() < PAWNS)
        sides = [_side_on(each.seat, state.position.quarters) for each in state.position.players.values()]
        free = [side for side in SIDES if side not in sides] or list(SIDES)
        self.track_side: Side = free[int(rng.integers(len(free)))]

    def laid(self) -> Laid:
        tiles = self._tiles()
        flat = [self._map(), *self._borders()]
        research, on_track = self._research()
        figures = self._figures()
        holdings: list[Seen] = []
        zones = {RESEARCH: self._ground([research])}
        bare: list[SceneCard] = [*flat, research]
        for name, player in self.state.position.players.items():
            board, held = self._before(name, player)
            bare.append(board)
            holdings += held
            zones[name] = self._ground([board, *(each.thing for each in held)])
        self._aside()
        cards = [each.thing for each in (*tiles, *on_track, *holdings) if isinstance(each.thing, SceneCard)]
        return Laid(
            cards=(*bare, *cards),
            figures=tuple(each.thing for each in figures if isinstance(each.thing, Figure)),
            tiles=tuple(tiles),
            pieces=(*figures, *on_track),
            holdings=tuple(holdings),
            zones=zones,
            shown=zones[RESEARCH] if self.rng.random() < 0.85 else None,
        )

    def _ground(self, things: Sequence[object]) -> Array:
        found = []
        for thing in things:
            assert isinstance(thing, SceneCard)
            half = float(np.hypot(*thing.size_mm)) / 2 if thing.size_mm[0] < 30 else 0.0
            if half:
                found.append(np.asarray(thing.pose.centre_mm)[None] + [[-half, -half], [half, half]])
                continue
            angle = np.radians(thing.pose.angle_deg)
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.asarray(thing.size_mm) / 2
            found.append(corners @ turn.T + thing.pose.centre_mm)
        return np.vstack(found)

    # --- the temple ---

    def _tiles(self) -> list[Seen]:
        found = []
        for number, laid in enumerate(self.state.position.tiles):
            if laid is None:
                continue
            name, rotation = laid
            made = laid_tile(self.lay, name, cell_of(number), rotation)
            pose = msgspec.structs.replace(made.pose, lift_mm=0.0, tilt_deg=(0.0, 0.0))
            made = msgspec.structs.replace(made, thickness_mm=CLEAR_MM, pose=pose, corner_radius_mm=1.6)
            found.append(Seen(name, made, rotation, cell_of(number)))
        return found

    def _map(self) -> SceneCard:
        lay, chance = self.lay, self.lay.chance("map")
        middle = np.asarray(lay.size_mm) / 2 + np.clip(chance.normal(0, 0.4, 2), -0.8, 0.8)
        turn = 90.0 * self.state.position.quarters + float(chance.normal(0, 0.12))
        made = laid_flat(lay, self.catalogue, self.state.face, middle, turn)
        return msgspec.structs.replace(made, corner_radius_mm=1.0, thickness_mm=lay.board_thickness_mm)

    def _borders(self) -> list[SceneCard]:
        lay, found = self.lay, []
        for number, name in enumerate(self.state.position.borders):
            chance = lay.chance("border", name)
            out = np.asarray(OUTWARD[SIDES[number]], float)
            away = lay.size_mm[0] / 2 - BORDER_MM / 2 + 0.4 + abs(chance.normal(0, 0.4))
            at = np.asarray(lay.size_mm) / 2 + out * away + chance.normal(0, 0.3, 2)
            turn = 90.0 * (number - 1) + float(chance.normal(0, 0.15))
            made = laid_flat(lay, self.catalogue, f"border-{name}", at, turn)
            found.append(
                msgspec.structs.replace(made, corner_radius_mm=0.8, thickness_mm=lay.board_thickness_mm + 0.2)
            )
        return found

    def _figures(self) -> list[Seen]:
        """Figures on their corridors, apart from those that stand there already."""
        lay, found = self.lay, []
        size = float(self.rng.uniform(0.85, 1.15))
        taken: list[Array] = []
        for figure, stand in self.state.position.stands.items():
            chance = lay.chance("figure", figure, stand.cell)
            spots = self._spots(stand)
            best = max(
                (
                    lay.cell_middle(cell_of(stand.cell))
                    + spots[int(chance.integers(len(spots)))]
                    + np.clip(chance.normal(0, 1.2, 2), -2.4, 2.4)
                    for _ in range(24)
                ),
                key=lambda at: min((float(np.hypot(*(at - other))) for other in taken), default=0.0),
            )
            taken.append(best)
            made = self._figure(figure, best, float(chance.uniform(0, 360)), size)
            found.append(Seen(figure, made, cell=cell_of(stand.cell)))
        return found

    def _spots(self, stand: Stand) -> list[Array]:
        """Where on its corridor a figure may stand (mm from the cell's middle)."""
        laid = self.state.position.tiles[stand.cell]
        assert laid is not None
        half = self.lay.cell_mm / 2
        sides = [np.asarray(STEPS[k], float) for k in range(4) if self.state.position.sides(stand) >> k & 1]
        corridors = self.pieces.tiles[laid[0]].corridors
        if len(sides) == 2 and abs(float(sides[0] @ sides[1])) < 0.5:  # a bend about the cell's corner
            corner = (sides[0] + sides[1]) * half
            return [corner - half * (np.cos(a) * sides[0] + np.sin(a) * sides[1]) for a in (0.5, 0.8, 1.1)]
        if len(corridors) > 1:  # beside the crossing
            return [0.62 * half * side for side in sides]
        if len(sides) == 3:
            odd = next(each for each in sides if all(float(each @ other) > -0.5 for other in sides))
            return [
                0.5 * half * odd,
                *(np.asarray(0.3 * half * odd + 0.34 * half * each) for each in sides if each is not odd),
            ]
        if len(sides) == 4:
            return [
                0.48 * half * (np.cos(a) * sides[0] + np.sin(a) * sides[1]) for a in np.arange(0, 6.2, 0.5)
            ]
        return [0.5 * half * side for side in sides]

    def _figure(self, name: str, at_mm: Array, turn: float, size: float) -> Figure:
        lay, catalogue = self.lay, self.catalogue
        at = lay.on_table(at_mm)[0]
        own = lay.chance("folded", name)
        width, height = catalogue.size_of(name)
        made = Figure(
            piece=name,
            build="folded",
            foot_mm=(float(at[0]), float(at[1])),
            on_mm=lay.board_thickness_mm + CLEAR_MM,
            size_mm=(width, height),
            angle_deg=lay.angle_deg + turn,
            face=f"face-{name}.png",
            spread_mm=float(own.uniform(0.6, 0.22 * height)),
            lean_deg=float(np.clip(own.normal(0, 2.0), -5, 5)),
        )
        colour = catalogue.card(name).colour or ""
        if not self.turned or colour not in PAWN_RGB:
            return made
        dyed = np.clip(np.asarray(PAWN_RGB[colour]) / 255 + own.normal(0, 0.03, 3), 0.01, 0.98)
        return msgspec.structs.replace(
            made,
            build="pawn",
            face="",
            colour=(float(dyed[0]), float(dyed[1]), float(dyed[2])),
            size_mm=(PAWN_MM[0] * size, PAWN_MM[1] * size),
        )

    # --- beside it ---

    def _beside(self, side: Side, away_mm: float, along_mm: float) -> Array:
        """A place before a side of the temple: so far from the borders, so far along to the right as seen by
        who sits there (the lay's frame)."""
        out = np.asarray(OUTWARD[side], float)
        along = np.array([out[1], -out[0]])
        return np.asarray(np.asarray(self.lay.size_mm) / 2 * (1 + out) + out * away_mm + along * along_mm)

    def _on(
        self, board: SceneCard, name: str, at_mm: tuple[float, float], turn: float, off: float
    ) -> SceneCard:
        """A piece on a board that lies, at a place from its top-left corner."""
        chance = self.lay.chance("on", board.card, name, at_mm)
        width, height = board.size_mm
        local = (
            np.asarray(at_mm)
            - (width / 2, height / 2)
            + np.clip(chance.normal(0, off, 2), -2.2 * off, 2.2 * off)
        )
        angle = np.radians(board.pose.angle_deg)
        spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        at = spin @ local + board.pose.centre_mm
        made = laid_disc(self.lay, self.catalogue, name, np.zeros(2), board.thickness_mm, 0.0)
        disc = self.catalogue.card(name).shape == "disc"
        return msgspec.structs.replace(
            made,
            pose=CardPose((float(at[0]), float(at[1])), board.pose.angle_deg + turn),
            corner_radius_mm=made.corner_radius_mm if disc else 0.8,
        )

    def _research(self) -> tuple[SceneCard, list[Seen]]:
        lay, rng, position = self.lay, self.rng, self.state.position
        research = self.pieces.research
        assert research is not None
        card = next(each for each in self.catalogue.cards if each.role == RESEARCH)
        width, height = self.catalogue.size_of(card.id)
        across = bool(rng.random() < 0.25)
        turn = FACING[self.track_side] + 90.0 * (
            int(rng.choice([1, 3])) if not across else int(rng.choice([0, 2]))
        )
        deep = height if across else width
        at = self._beside(self.track_side, deep / 2 + float(rng.uniform(8, 26)), float(rng.normal(0, 22)))
        made = laid_flat(lay, self.catalogue, card.id, at, turn + float(rng.normal(0, 2.5)))
        board = msgspec.structs.replace(made, corner_radius_mm=1.0, thickness_mm=lay.board_thickness_mm)
        wide, high = width / research.columns, height / research.rows
        found = []
        assert position.cubes is not None and position.tokens is not None
        for (column, row), colour in position.cubes.items():
            name = self.pieces.cube(colour) or ""
            place = wide * (column + 0.5) + CUBE_AT_MM[0], high * (row + 0.5) + CUBE_AT_MM[1]
            cube = self._on(board, name, place, float(lay.chance("cube", column, row).normal(0, 14)), 1.0)
            found.append(Seen(name, self._as_cube(cube, colour), cell=(column, row), owner=RESEARCH))
        for track in research.tracks:
            name, locked = position.tokens[track.column]
            row = track.top if locked else track.below
            place = wide * (track.column + 0.5), high * (row + 0.5)
            spun = float(lay.chance("token", name).normal(0, 25))
            token = self._on(board, name, place, spun, 0.8)
            found.append(Seen(name, token, cell=(track.column, row), owner=RESEARCH))
        return board, found

    def _as_cube(self, card: SceneCard, colour: str) -> SceneCard:
        rgb = to_linear(np.asarray([[CUBE_RGB.get(colour, (128, 128, 128))]], np.uint8))[0, 0]
        return msgspec.structs.replace(
            card,
            thickness_mm=CUBE_MM,
            corner_radius_mm=0.6,
            side_rgb=(float(rgb[0]) * 0.85, float(rgb[1]) * 0.85, float(rgb[2]) * 0.85),
        )

    def _before(self, name: str, player: Traveller) -> tuple[SceneCard, list[Seen]]:
        """A player's board, and what lies on and beside it."""
        lay, catalogue, state = self.lay, self.catalogue, self.state
        rng = lay.chance("before", name)
        side = _side_on(player.seat, state.position.quarters)
        card = next(each for each in catalogue.cards if each.role == "player-board" and each.colour == name)
        width, height = catalogue.size_of(card.id)
        away = float(rng.uniform(14, 40)) + (155.0 if side == self.track_side else 0.0)
        if side == self.track_side:
            away += 60.0
        at = self._beside(side, away + height / 2, float(rng.normal(0, 18)))
        turn = FACING[side] + float(rng.normal(0, 4))
        made = laid_flat(lay, catalogue, card.id, at, turn)
        board = msgspec.structs.replace(made, corner_radius_mm=2.0, thickness_mm=lay.board_thickness_mm)
        found: list[Seen] = []

        def put(piece: str, place: tuple[float, float], spread: float) -> None:
            spun = float(lay.chance("spun", name, piece, place).normal(0, spread))
            found.append(Seen(piece, self._on(board, piece, place, spun, 1.0), owner=name))

        for number, kind in enumerate(IDOLS):
            if kind in player.powers:
                put(self.pieces.idol(kind), ALTARS_MM[number], 9.0)
        held = [piece for piece, count in player.idols.items() for _ in range(count)]
        for piece, place in zip(held, HANDS_MM, strict=False):
            put(piece, place, 14.0)
        put(MINUS if player.minus else PLUS, ADRENALINE_MM, 40.0)
        right = 1 if rng.random() < 0.5 else -1
        key = player.key if state.keys_up and player.key else "key-back"
        place = width / 2 + right * (width / 2 + 30), 40.0
        beside = self._on(board, key, place, float(rng.normal(0, 4)), 2.0)
        beside = msgspec.structs.replace(beside, on_mm=0.0, thickness_mm=0.35, corner_radius_mm=2.5)
        if key == "key-back":  # tells nothing
            self.others.append(beside)
        else:
            found.append(Seen(key, beside, owner=name))
        if name == state.first:
            place = width / 2 - right * (width / 2 + 20), 30.0
            token = self._on(board, FIRST, place, float(rng.normal(0, 60)), 3.0)
            found.append(Seen(FIRST, msgspec.structs.replace(token, on_mm=0.0), owner=name))
        return board, found

    def _aside(self) -> None:
        """Fallen tiles off a corner of the temple, and the pile of events."""
        lay, rng = self.lay, self.rng
        corner = int(rng.integers(4))
        sign = np.array([1.0 if corner in (1, 2) else -1.0, 1.0 if corner in (2, 3) else -1.0])
        start = np.asarray(lay.size_mm) / 2 * (1 + sign) + sign * 38
        for number, name in enumerate(self.state.position.discard or ()):
            at = start + sign * 9 * number + rng.normal(0, 5, 2)
            tile = laid_flat(lay, self.catalogue, name, at, float(rng.uniform(0, 360)))
            self.others.append(
                msgspec.structs.replace(
                    tile, thickness_mm=CLEAR_MM, on_mm=CLEAR_MM * number, corner_radius_mm=1.6
                )
            )
        start = np.asarray(lay.size_mm) / 2 * (1 - sign) - sign * 42
        pile = laid_flat(lay, self.catalogue, "event-back", start, float(rng.uniform(0, 360)))
        self.others.append(msgspec.structs.replace(pile, thickness_mm=float(rng.uniform(1.5, 9.0))))


def _faces(catalogue: Catalogue, laid: Laid, others: Sequence[SceneCard]) -> dict[str, NDArray[np.uint8]]:
    names = {card.card for card in (*laid.cards, *others)} | {f.piece for f in laid.figures if f.face}
    return {f"face-{name}.png": _art(catalogue.art_path(catalogue.card(name))) for name in sorted(names)}


@lru_cache(128)
def _art(path: Path) -> NDArray[np.uint8]:
    """A piece's picture (H, W, 3 or 4) sRGB, with its alpha where it is on clear film."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(path)
    order = cv2.COLOR_BGRA2RGBA if picture.shape[2] == 4 else cv2.COLOR_BGR2RGB
    return np.asarray(cv2.cvtColor(picture, order), np.uint8)
