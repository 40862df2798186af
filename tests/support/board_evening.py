"""A game of Labyrinth 2 in photos made on the spot: the board as it began, then after each turn, all of one
table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from samples.board_photos import random_ground, take_photo
from samples.compositor import photograph
from samples.labyrinth2 import tables
from samples.labyrinth2.states import Lying, PlayedTurn, Player, State, random_turn
from samples.splits import FIRST_SEED
from scorer.catalogue import Catalogue
from scorer.labyrinth2.play import CORNERS, PLINTHS
from scorer.labyrinth2.rules.pieces import FIRST, pieces_of
from scorer.labyrinth2.rules.position import number_of

SPLIT = "tuning-labyrinth2"
QUALITY = 88
#: Enough for a board, and read quickly.
LONGEST_PX = 2016


def first_state(catalogue: Catalogue, names: Sequence[str], colours: Sequence[str], chance: int) -> State:
    """A board as the rulebook has it laid out."""
    pieces, rng = pieces_of(catalogue), np.random.default_rng(chance)
    loose = [name for name in sorted(pieces.loose) for _ in range(pieces.copies[name])]
    order = [loose[int(k)] for k in rng.permutation(len(loose))]
    free = [cell for cell in range(49) if cell not in pieces.printed]
    tiles = {cell: Lying(order.pop(), 90 * int(rng.integers(4))) for cell in free}
    chips = [name for name, value in sorted(pieces.treasures.items()) if value in FIRST for _ in range(2)]
    laid = [chips[int(k)] for k in rng.permutation(len(chips))]
    standing = {f"explorer-{colour}": number_of(CORNERS[colour]) for colour in colours}
    standing |= {f"gargoyle-{n + 1}": number_of(cell) for n, cell in enumerate(PLINTHS)}
    seats = ("top", "bottom", "left", "right")
    players = tuple(
        Player(name, f"explorer-{colour}", seats[n])  # type: ignore[arg-type]
        for n, (name, colour) in enumerate(zip(names, colours, strict=True))
    )
    return State(
        tiles=tiles,
        spare=Lying(order.pop(), 0),
        at=None,
        chips=tuple(zip(laid, sorted(pieces.chip_cells or ()), strict=True)),
        standing=standing,
        facing=0,
        players=players,
        to_move=names[0],
    )


def played(catalogue: Catalogue, begin: State, faults: Sequence[str], chance: int) -> list[PlayedTurn]:
    """Turns one after the other; one that breaks a rule is taken back before the next."""
    rng, state, turns = np.random.default_rng(chance), begin, []
    for fault in faults:
        turn = random_turn(state, catalogue, rng, fault)
        turns.append(turn)
        if not fault:
            state = turn.after
    return turns


def board_photo(catalogue: Catalogue, state: State, table: int, shot: int) -> bytes:
    """A JPEG of a state on the table of a number, from a hand of its own."""
    of_table = FIRST_SEED[SPLIT] + 4 * table
    lay = tables._lay(catalogue, of_table)
    rng = np.random.default_rng([of_table, 32])
    styles = replace(tables._Styles.random(catalogue, rng), pawns=False)
    laid = tables._laid(lay, catalogue, state, styles)
    ground = random_ground(of_table, rng)
    photo = take_photo(lay, laid, (), ground, SPLIT, of_table + shot, "easy")  # type: ignore[arg-type]
    images = tables._faces(catalogue, laid, ())
    pixels = photograph(photo.scene, images.__getitem__)[..., ::-1]
    smaller = LONGEST_PX / max(pixels.shape[:2])
    pixels = cv2.resize(pixels, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def write_evening(folder: Path, catalogue: Catalogue, states: Sequence[State], table: int) -> list[Path]:
    """Photos of states as files."""
    files = []
    for number, state in enumerate(states):
        file = folder / f"board-{number}.jpg"
        file.write_bytes(board_photo(catalogue, state, table, number))
        files.append(file)
    return files
