"""Photos of Labyrinth 2 tables: the board with its loose tiles, the spare, treasures, explorers, gargoyles
and the dragon, and what lies before the players.

Of every four photos of a split two show a table each; the third and the fourth show one table before and
after a turn, from two hands, for who has to settle what was played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from samples.board_photos import Laid, random_ground, take_photo
from samples.board_truth import BoardSample, Seen
from samples.boards import (
    BoardLay,
    Zone,
    laid_board,
    laid_disc,
    laid_flat,
    laid_tile,
    printed_cell,
    random_lay,
    surface_mm,
    tile_at_end,
    zone_of,
)
from samples.clutter import ground_of
from samples.deck import read_face
from samples.figures import ground_of as foot_of
from samples.labyrinth2.states import (
    FAULTS,
    PlayedTurn,
    Player,
    State,
    random_state,
    random_turn,
    record_of,
    turn_record_of,
)
from samples.layouts import NoScene
from samples.nuisances import TIERS
from samples.scene_schema import CardPose, Figure, SceneCard
from samples.splits import FIRST_SEED, Split
from scorer.board_record import board_told
from scorer.catalogue import Catalogue, load_catalogue
from scorer.labyrinth2.game import BUNDLED
from scorer.labyrinth2.rules.pieces import MIDDLE, SIDE, Pieces, pieces_of
from scorer.labyrinth2.rules.position import cell_of
from scorer.square_grid import SIDES

Array = NDArray[np.float64]
#: Which photos of four show one table before and after a turn.
BEFORE, AFTER = 2, 3
#: How often such a turn breaks a rule.
AGAINST_RULES = 0.4
#: How often explorers are turned pawns in their colour, as most boxes have them.
PAWNS = 0.4
PAWN_MM = (14.0, 27.0)
PAWN_RGB = {"red": (198, 40, 44), "blue": (38, 84, 178), "yellow": (236, 190, 40), "green": (40, 130, 66)}
DIE_MM = 16.0
#: How near two things on a tile may come to each other.
APART_MM = 1.0


@cache
def open_tiles() -> Catalogue:
    """The bundled set."""
    return load_catalogue(BUNDLED)


def labyrinth2_table(catalogue: Catalogue, split: Split, seed: int) -> BoardSample:
    """The photo of one seed. Raises `NoScene` where chance makes none."""
    number = seed % 4
    of_table = seed - 1 if number == AFTER else seed
    turn = None
    if number in (BEFORE, AFTER):
        turn = _turn(catalogue, of_table)
        state = turn.before if number == BEFORE else turn.after
    else:
        state = random_state(catalogue, np.random.default_rng([of_table, 31]))
    lay = _lay(catalogue, of_table)
    rng = np.random.default_rng([of_table, 32])
    styles = _Styles.random(catalogue, rng)
    laid = _laid(lay, catalogue, state, styles)
    ground = random_ground(of_table, rng)
    # what belongs to nobody lies where it lies before and after a turn
    states = [state] if turn is None else [turn.before, turn.after]
    covered = [card for each in states for card in _laid(lay, catalogue, each, styles).cards]
    others = _beside(lay, catalogue, covered, rng)
    tier = TIERS[(seed // 4 * 3 + min(number, BEFORE)) % len(TIERS)]
    photo = take_photo(lay, laid, others, ground, split, seed, tier)
    board = record_of(state, catalogue, in_view=photo.in_view)
    return BoardSample(
        split=split,
        seed=seed,
        scene=photo.scene,
        images=_faces(catalogue, laid, others),
        lay=lay,
        board=board_told(board),
        seen=(*laid.tiles, *laid.pieces, *(each for each in laid.holdings if each.owner in photo.in_view)),
        printed=_printed(lay, catalogue),
        nuisances=photo.nuisances,
        told=_told(split, seed, catalogue, state, styles, photo.in_view, turn),
    )


def _turn(catalogue: Catalogue, seed: int) -> PlayedTurn:
    """The turn between the two photos of a table."""
    rng = np.random.default_rng([seed, 31])
    wanted = str(rng.choice(FAULTS)) if rng.random() < AGAINST_RULES else ""
    for _ in range(12):
        try:
            return random_turn(random_state(catalogue, rng), catalogue, rng, wanted)
        except NoScene:
            continue
    return random_turn(random_state(catalogue, rng), catalogue, rng)


def _lay(catalogue: Catalogue, seed: int) -> BoardLay:
    board = next(card for card in catalogue.cards if card.kind == "board")
    return random_lay(seed, SIDE, SIDE, catalogue.card_size_mm[0], catalogue.size_of(board.id))


# --- what lies and stands -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Styles:
    """What the pieces of a table are like: explorers that are turned pawns, in their colours."""

    pawns: bool
    rgb: dict[str, tuple[float, float, float]]
    pawn_mm: tuple[float, float]

    @staticmethod
    def random(catalogue: Catalogue, rng: np.random.Generator) -> _Styles:
        rgb = {}
        for card in catalogue.cards:
            if card.role == "explorer" and card.colour in PAWN_RGB:
                dyed = np.clip(np.asarray(PAWN_RGB[card.colour]) / 255 + rng.normal(0, 0.03, 3), 0.01, 0.98)
                rgb[card.id] = (float(dyed[0]), float(dyed[1]), float(dyed[2]))
        size = float(rng.uniform(0.85, 1.15))
        return _Styles(bool(rng.random() < PAWNS), rgb, (PAWN_MM[0] * size, PAWN_MM[1] * size))


def _laid(lay: BoardLay, catalogue: Catalogue, state: State, styles: _Styles) -> Laid:
    pieces = pieces_of(catalogue)
    board = next(card for card in catalogue.cards if card.kind == "board")
    tiles = []
    for cell, lying in sorted(state.tiles.items()):
        place = cell_of(cell)
        tile = laid_tile(lay, lying.tile, place, lying.rotation)
        tiles.append(Seen(lying.tile, tile, lying.rotation, place))
    spare = Seen(state.spare.tile, _spare(lay, state), state.spare.rotation)
    discs = []
    for name, cell in state.chips:
        discs.append(Seen(name, _chip(lay, catalogue, pieces, name, cell), cell=cell_of(cell)))
    figures = _figures(lay, catalogue, pieces, state, styles, discs)
    holdings, zones = _holdings(lay, catalogue, state)
    things = [each.thing for each in (*tiles, spare, *discs, *holdings)]
    flat = [thing for thing in things if isinstance(thing, SceneCard)]
    return Laid(
        cards=(laid_board(lay, board), *flat),
        figures=tuple(each.thing for each in figures if isinstance(each.thing, Figure)),
        tiles=(*tiles, spare),
        pieces=(*discs, *figures),
        holdings=tuple(holdings),
        zones=zones,
    )


def _spare(lay: BoardLay, state: State) -> SceneCard:
    """The spare at its arrow, on the frame or taken off it; or beside a corner of the board."""
    name, rotation = state.spare.tile, state.spare.rotation
    rng = lay.chance("spare", name, state.at)
    if state.at is not None:
        side, line = state.at[:-1], int(state.at[-1])
        return tile_at_end(lay, name, side, line, rotation, out=bool(rng.random() < 0.4))  # type: ignore[arg-type]
    corner = np.asarray(rng.choice([0, 1], 2), float)
    outward = 2 * corner - 1
    reach = lay.tile_mm / 2 * rng.uniform(1.05, 1.5, 2) + rng.uniform(2, 14)
    # beside one of the corner's two sides, or off the corner itself
    inside = rng.integers(3)
    at = corner * np.asarray(lay.size_mm) + outward * reach
    if inside < 2:
        at[inside] -= outward[inside] * rng.uniform(30, 60)
    place = lay.on_table(at)[0]
    turn = float(rng.normal(0, 12)) + rotation
    return SceneCard(
        card=name,
        x=0.0,
        y=0.0,
        rotation=rotation,
        face=f"face-{name}.png",
        pose=CardPose((float(place[0]), float(place[1])), lay.angle_deg + turn),
        size_mm=(lay.tile_mm, lay.tile_mm),
        corner_radius_mm=0.6,
        thickness_mm=lay.tile_thickness_mm,
    )


def _height(lay: BoardLay, pieces: Pieces, cell: int) -> float:
    return surface_mm(lay, printed=cell in pieces.printed)


def _chip(lay: BoardLay, catalogue: Catalogue, pieces: Pieces, name: str, cell: int) -> SceneCard:
    rng = lay.chance("chip", name, cell)
    at = lay.cell_middle(cell_of(cell)) + np.clip(rng.normal(0, 1.6, 2), -5, 5)
    return laid_disc(lay, catalogue, name, at, _height(lay, pieces, cell), float(rng.uniform(0, 360)))


def _figures(
    lay: BoardLay, catalogue: Catalogue, pieces: Pieces, state: State, styles: _Styles, discs: Sequence[Seen]
) -> list[Seen]:
    """Explorers and gargoyles about their corridors, beside a chip where there is room; the dragon over the
    middle, along the way it looks."""
    found: list[Seen] = []
    taken: dict[int, list[BaseGeometry]] = {}
    for (_, cell), disc in zip(state.chips, discs, strict=True):
        assert isinstance(disc.thing, SceneCard)
        taken.setdefault(cell, []).append(Point(disc.thing.pose.centre_mm).buffer(disc.thing.size_mm[0] / 2))
    for name in state.dragons:
        rng = lay.chance("dragon", state.facing)
        turn = {"left": 0.0, "top": 90.0, "right": 180.0, "bottom": 270.0}[SIDES[state.facing]]
        at = lay.cell_middle(cell_of(MIDDLE)) + np.clip(rng.normal(0, 1.5, 2), -4, 4)
        turn += float(rng.normal(0, 4))
        dragon = _figure(lay, catalogue, name, at, turn, _height(lay, pieces, MIDDLE))
        taken.setdefault(MIDDLE, []).append(foot_of(dragon))
        found.append(Seen(name, dragon, cell=cell_of(MIDDLE)))
    standing: list[Seen] = []
    for name, cell in state.standing.items():
        rng = lay.chance("figure", name, cell)
        there = taken.setdefault(cell, [])
        figure, best = None, -1.0
        for number in range(30):
            at = lay.cell_middle(cell_of(cell)) + np.clip(rng.normal(0, 4.0 + 0.5 * number, 2), -17, 17)
            turn = float(90.0 * rng.integers(4) + rng.normal(0, 12))
            turn = float(rng.uniform(0, 360)) if rng.random() < 0.4 else turn
            made = _figure(lay, catalogue, name, at, turn, _height(lay, pieces, cell))
            if styles.pawns and name in styles.rgb:
                made = msgspec.structs.replace(
                    made, build="pawn", face="", colour=styles.rgb[name], size_mm=styles.pawn_mm
                )
            room = min((foot_of(made).distance(other) for other in there), default=99.0)
            if room > best:
                figure, best = made, room
            if room >= APART_MM:
                break
        assert figure is not None
        if best <= 0 and any(cell == chip for _, chip in state.chips):  # it stands on the chip then
            figure = msgspec.structs.replace(figure, on_mm=figure.on_mm + lay.disc_thickness_mm)
        there.append(foot_of(figure))
        standing.append(Seen(name, figure, cell=cell_of(cell)))
    return [*standing, *found]


def _figure(
    lay: BoardLay, catalogue: Catalogue, name: str, at_mm: Array, turn: float, on_mm: float
) -> Figure:
    at = lay.on_table(at_mm)[0]
    own = lay.chance("folded", name)
    width, height = catalogue.size_of(name)
    return Figure(
        piece=name,
        build="folded",
        foot_mm=(float(at[0]), float(at[1])),
        on_mm=on_mm,
        size_mm=(width, height),
        angle_deg=lay.angle_deg + turn,
        face=f"face-{name}.png",
        spread_mm=float(own.uniform(0.6, 0.22 * height)),
        lean_deg=float(np.clip(own.normal(0, 2.0), -5, 5)),
    )


def _holdings(lay: BoardLay, catalogue: Catalogue, state: State) -> tuple[list[Seen], dict[str, Array]]:
    """What lies before the players, and the ground (4, 2) table mm that each one's things take."""
    found: list[Seen] = []
    zones: dict[str, Array] = {}
    for player in state.players:
        zone, cards = _zone(lay, player)
        counts: dict[str, int] = {}
        laid = []
        for number, name in enumerate(player.holds):
            rng = lay.chance("held", player.name, number, name)
            at = zone.place(number) + np.clip(rng.normal(0, 0.7, 2), -1.3, 1.3)
            counts[name] = counts.get(name, 0) + 1
            disc = laid_disc(lay, catalogue, name, at, 0.0, float(rng.normal(0, 40)))
            laid.append(Seen(name, disc, owner=player.name))
        # in the order of the record: by id, as first laid down
        laid.sort(key=lambda seen: list(counts).index(seen.card))
        found += laid
        ground = [zone.area(len(player.holds))]
        for number, name in enumerate(player.hand or ()):
            rng = lay.chance("open", player.name, number, name)
            at = cards.place(number) + rng.normal(0, 1.0, 2)
            facing = {"top": 180.0, "right": 270.0, "bottom": 0.0, "left": 90.0}[player.seat]
            turn = facing + float(rng.normal(0, 4))
            found.append(Seen(name, laid_flat(lay, catalogue, name, at, turn), owner=player.name))
            ground.append(cards.place(number) + np.array([[-38.0, -38], [38, -38], [38, 38], [-38, 38]]))
        zones[player.name] = lay.on_table(np.vstack(ground))
    return found, zones


def _zone(lay: BoardLay, player: Player) -> tuple[Zone, Zone]:
    """Where a player lays treasures and coins: two to a row between the places of the spare, or rows beyond
    it; and where open cards."""
    rng = lay.chance("zone", player.name)
    near = bool(rng.random() < 0.5) and not player.hand
    line = float(rng.choice([2, 4])) if near else float(rng.uniform(2.0, 4.0))
    away = float(rng.uniform(8, 22)) if near else float(rng.uniform(68, 80))
    # between two places of the spare there is room for two in a row, and beyond them for more
    zone = zone_of(lay, player.seat, line=line, away_mm=away, wide=6, pitch_mm=24.0, narrow=3 if near else 0)
    beyond = away + zone.rows(len(player.holds)) * 24.0 + 4
    cards = zone_of(lay, player.seat, line=line, away_mm=beyond, wide=6, pitch_mm=72.0)
    return zone, cards


def _beside(
    lay: BoardLay, catalogue: Catalogue, covered: Sequence[SceneCard], rng: np.random.Generator
) -> tuple[SceneCard, ...]:
    """What belongs to nobody: the coins to be won, treasure cards that were used, dice. They keep away from
    what is `covered`."""
    taken = [ground_of(card).buffer(14) for card in covered]
    found: list[SceneCard] = []

    def free(at: Array, reach: float) -> bool:
        return not any(shape.intersects(Point(lay.on_table(at)[0]).buffer(reach)) for shape in taken)

    def somewhere(reach: float) -> Array | None:
        for _ in range(20):
            at = np.asarray(lay.size_mm) / 2 + rng.uniform(-1, 1, 2) * (np.asarray(lay.size_mm) / 2 + 130)
            if free(at, reach):
                taken.append(Point(lay.on_table(at)[0]).buffer(reach + 14))
                return np.asarray(at)
        return None

    coins = sorted(card.id for card in catalogue.cards if card.role == "coin")
    if coins and rng.random() < 0.35:
        at = somewhere(36)
        if at is not None:
            found += _coin_heap(lay, catalogue, coins[0], at, rng)
    used = [card.id for card in catalogue.cards if card.role == "treasure-card"]
    if used and rng.random() < 0.3:
        at = somewhere(44)
        if at is not None:
            for number in range(int(rng.integers(1, 4))):
                name = str(rng.choice(used))
                place = at + rng.normal(0, 2, 2)
                found.append(laid_flat(lay, catalogue, name, place, float(rng.normal(0, 12)), 0.4 * number))
    dice = [card.id for card in catalogue.cards if card.kind == "die"]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.6, 0.2, 0.2])) if dice else 0):
        at = somewhere(14)
        if at is not None:
            name = str(rng.choice(dice))
            die = laid_flat(lay, catalogue, name, at, float(rng.uniform(0, 360)))
            found.append(msgspec.structs.replace(die, thickness_mm=DIE_MM, corner_radius_mm=1.6))
    return tuple(found)


def _coin_heap(
    lay: BoardLay, catalogue: Catalogue, coin: str, at: Array, rng: np.random.Generator
) -> list[SceneCard]:
    """Coins in a heap, some on others."""
    found: list[SceneCard] = []
    heights: list[tuple[Array, float]] = []
    for _ in range(int(rng.integers(4, 12))):
        place = at + np.clip(rng.normal(0, 14, 2), -26, 26)
        below = [top for where, top in heights if np.linalg.norm(where - place) < 19]
        on = max(below, default=0.0)
        heights.append((place, on + lay.disc_thickness_mm))
        found.append(laid_disc(lay, catalogue, coin, place, on, float(rng.uniform(0, 360))))
    return found


def _printed(lay: BoardLay, catalogue: Catalogue) -> tuple[Seen, ...]:
    return tuple(
        Seen(card.id, printed_cell(lay, card), card.rotation or 0, card.cell)
        for card in catalogue.cards
        if card.kind == "fixed" and card.cell is not None
    )


def _faces(catalogue: Catalogue, laid: Laid, others: Sequence[SceneCard]) -> dict[str, NDArray[np.uint8]]:
    names = {card.card for card in (*laid.cards, *others)} | {f.piece for f in laid.figures if f.face}
    return {f"face-{name}.png": _art(catalogue.art_path(catalogue.card(name))) for name in sorted(names)}


@lru_cache(128)
def _art(path: Path) -> NDArray[np.uint8]:
    """A piece's picture, read once for all photos of a set."""
    return read_face(path)


def _told(
    split: Split,
    seed: int,
    catalogue: Catalogue,
    state: State,
    styles: _Styles,
    in_view: Sequence[str],
    turn: PlayedTurn | None,
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "explorers": "pawn" if styles.pawns else "folded",
        "holdings_in_view": list(in_view),
        "whole_board": board_told(record_of(state, catalogue)) | {"to_move": state.to_move},
    }
    if turn is None:
        return told
    after = seed % 4 == AFTER
    other = seed - 1 if after else seed + 1
    told["pair"] = "after" if after else "before"
    told["other_photo"] = f"{split}-{other - FIRST_SEED[split]:04d}"
    told["turn"] = {
        "record": turn_record_of(turn, catalogue),
        "push": turn.push,
        "to": list(turn.to),
        "took": list(turn.took),
        "fault": turn.fault,
        "legal": turn.ruling.legal,
        "rules": [each.rule for each in turn.ruling.violations],
    }
    return told
