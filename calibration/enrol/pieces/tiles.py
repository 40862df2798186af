"""Addition of tiles, and of other pieces identified by appearance, to a box: known or new, and the open
sides of tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.identity import LookedUp, best_match, quarters_of
from calibration.enrol.pieces.box import Box
from calibration.enrol.pieces.enrolled import SURE, EnrolledPiece
from calibration.enrol.pieces.looking import Seen
from calibration.enrol.pieces.openings import corridors_of
from calibration.enrol.propose.drawing import MAIN, UNDER
from calibration.enrol.propose.parts import look
from scorer.enrolment_pieces import AskedPieces
from scorer.square_grid import SIDES
from scorer.text import Text

_GLARE = Text("Glare lies on this; photograph it once more.")
#: Name of the piece, whether it is new, and the question about it.
_Known = tuple[str, bool, Text | None]


def add_tiles(box: Box, asked: AskedPieces, seen: Sequence[Seen]) -> list[EnrolledPiece]:
    """Add the tiles of a photo to a box, and read the open sides of all unconfirmed tiles again."""
    named = _told_by_looks(box, asked, seen)
    ways = {} if _closed(asked) else _read_ways(box, asked)
    found = []
    for one, (name, new, question) in zip(seen, named, strict=True):
        own = ways.get(name)
        if own is None:
            found.append(EnrolledPiece(name, new, one.corners, 1.0, "", question))
            continue
        words = "+".join(own.words)
        if question is None and own.confidence < SURE:
            question = Text("Does {name} open to {words}?", name=name, words=words)
        entry = box.entry(name)
        if question is None and entry is not None and entry.get("asked") == "sort":
            question = Text("Which of the tiles is {name}?", name=name)
        found.append(EnrolledPiece(name, new, one.corners, round(own.confidence, 3), words, question))
    return found


def add_designs(box: Box, asked: AskedPieces, seen: Sequence[Seen]) -> list[EnrolledPiece]:
    """Add pieces of a photo to a box, where each design is a different piece."""
    return [
        EnrolledPiece(name, new, one.corners, 1.0, "", question)
        for one, (name, new, question) in zip(seen, _told_by_looks(box, asked, seen), strict=True)
    ]


def _told_by_looks(box: Box, asked: AskedPieces, seen: Sequence[Seen]) -> list[_Known]:
    """Identification of pieces in the box by appearance. New pieces are added."""
    size = seen[0].size_mm
    known = [(entry, box.face(entry)) for entry in box.entries(asked.kind, asked.roles)]
    looks = [(entry, LookedUp.of_pixels(face, size)) for entry, face in known if face is not None]
    named: list[_Known] = []
    here: dict[str, int] = {}
    for one in seen:
        face = LookedUp.of_pixels(one.face, size)
        match = best_match(face, [look for _, look in looks], quarters_of(size))
        entry: dict[str, Any]
        if match is not None and match.drawn_alike and looks[match.known][0].get("asked") == "glare":
            # a better view of what glare lay on
            name = str(looks[match.known][0]["id"])
            box.put(box.new(asked, name, one) | ({"asked": "glare"} if one.hazy else {}))
            named.append((name, False, _GLARE if one.hazy else None))
            continue
        if match is not None and match.verdict == "same":
            entry = looks[match.known][0]
            name = str(entry["id"])
            here[name] = here.get(name, 0) + 1
            entry["copies"] = max(int(entry.get("copies", 1)), here[name])
            named.append((name, False, None))
            continue
        name = box.free_name(asked.word)
        entry = box.new(asked, name, one) | {"traced": "proposed"}
        question = None
        if match is not None and match.verdict == "doubt" and match.drawn_alike:
            other = str(looks[match.known][0]["id"])
            entry |= {"asked": f"same:{other}"}
            question = Text("Is this the same as {other}?", other=other)
        if one.hazy and question is None:
            entry |= {"asked": "glare"}
            question = _GLARE
        if asked.copies > 1:
            entry |= {"copies": asked.copies}
        box.put(entry)
        here[name] = 1
        looks.append((entry, face))
        named.append((name, True, question))
    return named


def _closed(asked: AskedPieces) -> bool:
    return not asked.ways


def _read_ways(box: Box, asked: AskedPieces) -> dict[str, Ways]:
    """Open sides of the box's unconfirmed tiles, read together with all tiles."""
    entries = [(entry, box.face(entry)) for entry in box.entries(asked.kind, asked.roles)]
    shown = [(entry, face) for entry, face in entries if face is not None]
    told = {}
    for (entry, _), ways in zip(shown, read_ways([face for _, face in shown], asked.lying_ways), strict=True):
        if entry.get("traced", "proposed") == "proposed":
            told[str(entry["id"])] = ways
            _propose(box, asked, entry, ways)
        else:
            sides = sum(corridors_of(entry))
            told[str(entry["id"])] = Ways(sides, 1.0)
    return told


def _propose(box: Box, asked: AskedPieces, entry: dict[str, Any], ways: Ways) -> None:
    """Store the open sides read from a tile, and its resulting type, as a guess."""
    asks = ""
    corridors: tuple[int, ...] = (ways.sides,)
    if asked.sorts:
        may_be = [
            (sort.role, sort.lying(rotation))
            for sort in asked.sorts
            for rotation in sort.rotations
            if sort.corridors and sum(sort.lying(rotation)) == ways.sides
        ]
        entry.pop("role", None)
        if len(may_be) == 1:
            entry["role"], corridors = may_be[0]
        else:
            asks = "sort"
    box.open_to(entry, corridors, ways.confidence)
    if ways.confidence < SURE:
        asks = "ways"
    if asks:
        if entry.get("asked") in (None, "ways", "sort"):
            entry["asked"] = asks
    elif entry.get("asked") in ("ways", "sort"):
        del entry["asked"]


# --- open sides in a picture --------------------------------------------------------------------------------
# The centre of a tile is floor in every shape, and its corners are not. A linear discriminant (Fisher
# 1936) of colour and texture separates centres from corners over all tiles of a set. It is applied to the
# middle of each side, to tell whether the floor continues there. Then the sides themselves are separated,
# since drawings at centres and corners do not occur at sides. Features unlike both classes, such as a
# sign on the rock, have little weight. The most probable of the game's shapes is chosen, and its lead
# over the next gives the confidence. The network that marks the parts of dungeons (`propose.parts`) says of
# each tile by itself whether a corridor's middle line runs to a side; both are independent evidence.

Array = NDArray[np.float64]

#: Tiles are looked at in pictures of so many pixels a side.
_SIDE_PX = 120
#: Squares of a tile (left, top, right, bottom; shares of its side): where floor is in every shape, where
#: none is, and just within the middle of each side, top to left.
_MIDDLES = (
    (0.42, 0.42, 0.50, 0.50),
    (0.50, 0.42, 0.58, 0.50),
    (0.42, 0.50, 0.50, 0.58),
    (0.50, 0.50, 0.58, 0.58),
)
_CORNERS = (
    (0.05, 0.05, 0.17, 0.17),
    (0.83, 0.05, 0.95, 0.17),
    (0.83, 0.83, 0.95, 0.95),
    (0.05, 0.83, 0.17, 0.95),
)
_AT_SIDES = (
    (0.43, 0.06, 0.57, 0.18),
    (0.82, 0.43, 0.94, 0.57),
    (0.43, 0.82, 0.57, 0.94),
    (0.06, 0.43, 0.18, 0.57),
)
#: What is told by a side is believed no more than this (nats): a leaf may lie on it.
_MOST_NATS = 6.0
#: A side is neither floor nor rock where it is farther from both than nine of ten examples are (squared, so
#: many times)
#: and then tells so much of rock.
_STRANGE, _SIGN_NATS = 1.0, 1.5
#: Fewer tiles than this teach too little of floor and rock to be surer than that.
_FEW, _UNSURE = 6, 0.85
#: How stiff the discriminant is, as a share of the features' own spread.
_STIFF = 0.05
_ROUNDS = 3

Square = tuple[float, float, float, float]


@dataclass(frozen=True)
class Ways:
    """The open sides of a tile as it lies (bits of `scorer.square_grid`), and their confidence, 0 to 1."""

    sides: int
    confidence: float

    @property
    def words(self) -> list[str]:
        return [word for k, word in enumerate(SIDES) if self.sides >> k & 1]


def read_ways(tiles: Sequence[NDArray[np.uint8]], shapes: Mapping[int, float]) -> list[Ways]:
    """Open sides of tiles (H, W, 3) BGR of one set. `shapes` maps the possible sets of open sides, in all
    rotations, to their frequencies."""
    if not tiles:
        return []
    pictures = [cv2.resize(each, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA) for each in tiles]
    layers = [_layers(np.asarray(each, np.uint8)) for each in pictures]
    middles, corners, sides = (
        np.array([[_features(each, square) for square in squares] for each in layers])
        for squares in (_MIDDLES, _CORNERS, _AT_SIDES)
    )
    floor = np.median(middles, axis=1)
    rock = np.median(corners, axis=1)
    lines = np.array([_line_nats(each) for each in tiles])
    nats = _told(sides, floor, rock) + lines
    open_to = np.zeros(nats.shape, bool)
    found: list[Ways] = []
    for _ in range(_ROUNDS):
        found = [_likeliest(each, shapes) for each in nats]
        now = np.array([[ways.sides >> k & 1 for k in range(4)] for ways in found], bool)
        if (now == open_to).all() or len(tiles) < 4:
            break
        open_to = now
        nats = _told(sides, sides[open_to], sides[~open_to]) + lines
    if len(tiles) < _FEW:
        return [Ways(each.sides, min(each.confidence, _UNSURE)) for each in found]
    return found


def _line_nats(tile: NDArray[np.uint8]) -> Array:
    """Log-odds (4,) in nats that the middle line of a corridor runs to each side of a tile (H, W, 3) BGR."""
    chances = look(tile, (1.0, 1.0)).chances()
    line = np.maximum(chances[MAIN], chances[UNDER])
    found = []
    for left, top, right, bottom in _AT_SIDES:
        rows, columns = (
            slice(*(round(each * len(line)) for each in ends)) for ends in ((top, bottom), (left, right))
        )
        # the likeliest place across the corridor, on average along it
        across = 1 if right - left > bottom - top else 0
        chance = np.clip(line[rows, columns].max(axis=across), 1e-3, 1 - 1e-3)
        found.append(float(np.mean(np.log(chance / (1 - chance)))))
    return np.clip(found, -_MOST_NATS, _MOST_NATS)


def _layers(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Feature layers (h, w, 4): CIE L*a*b* and edge strength."""
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab), np.float32)
    across, down = cv2.Sobel(lab[..., 0], cv2.CV_32F, 1, 0), cv2.Sobel(lab[..., 0], cv2.CV_32F, 0, 1)
    return np.dstack([lab, np.hypot(across, down)])


def _features(layers: NDArray[np.float32], square: Square) -> Array:
    left, top, right, bottom = (round(each * _SIDE_PX) for each in square)
    part = layers[top:bottom, left:right].reshape(-1, 4).astype(np.float64)
    return np.concatenate([np.median(part, axis=0), np.log1p(part[:, :3].std(axis=0))])


def _told(sides: Array, floor: Array, rock: Array) -> Array:
    """Log-likelihood ratios (n, 4) in nats that each side (n, 4, features) is floor, from examples of
    floor and rock (m, features)."""
    within = np.cov(np.concatenate([floor - floor.mean(axis=0), rock - rock.mean(axis=0)]).T)
    within += np.diag(_STIFF * np.diag(within) + 1e-3)
    way = np.linalg.solve(within, floor.mean(axis=0) - rock.mean(axis=0))
    at = sides @ way
    high, low = float((floor @ way).mean()), float((rock @ way).mean())
    spread = max(float(np.concatenate([floor @ way - high, rock @ way - low]).std()), 1e-6)
    nats = np.clip((at - (high + low) / 2) * (high - low) / spread**2, -_MOST_NATS, _MOST_NATS)
    # what is neither floor nor rock is a sign that is printed there: sooner on rock, for floor runs out
    examples = np.concatenate([_away(floor, floor, within), _away(rock, rock, within)])
    limit = _STRANGE * float(np.quantile(examples, 0.9))
    strange = np.minimum(_away(sides, floor, within), _away(sides, rock, within)) > limit
    return np.asarray(np.where(strange, np.clip(nats, -_MOST_NATS, -_SIGN_NATS), nats))


def _away(these: Array, examples: Array, within: Array) -> Array:
    """Squared Mahalanobis distance of features from the mean of examples."""
    apart = these - examples.mean(axis=0)
    return np.asarray((apart * np.linalg.solve(within, apart[..., None])[..., 0]).sum(axis=-1))


def _likeliest(nats: Array, shapes: Mapping[int, float]) -> Ways:
    known = list(shapes)
    worth = np.array(
        [
            np.log(shapes[sides]) + sum(float(nats[k]) * (1 if sides >> k & 1 else -1) / 2 for k in range(4))
            for sides in known
        ]
    )
    chances = np.exp(worth - worth.max())
    best = int(worth.argmax())
    return Ways(known[best], float(chances[best] / chances.sum()))
