"""A deck for validation alone, tuned on by nobody: dungeons in the large pixels of an old computer's screen.

Landscape cards of 88 x 63 mm with round corners of 5 mm and a frame: brick corridors on near black, rooms
with a chequered floor, the underground in teal, sprites for finds. A pixel is half a millimetre. Starters of
five colours differ in the frame's lamp and studs alone.

`python -m samples.styles --style pixels --out samples/sets/pixel-deck` writes the catalogue's folder.
"""

from __future__ import annotations

import math
import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.grid_dungeons import box_of
from samples.parchment_deck import centre_line
from scorer.catalogue import Card, Catalogue, Node, Point

SIZE_MM = (88.0, 63.0)
CORNER_RADIUS_MM = 5.0
#: Pixels of the drawing to a millimetre, and how many of the art's each becomes.
PER_MM, ENLARGED = 2, 5
FRAME_MM = 3.0
Rgb = tuple[int, int, int]
Pixels = NDArray[np.uint8]

NIGHT: Rgb = (16, 18, 34)
BRICK, MORTAR, WALL = (122, 112, 128), (92, 84, 102), (52, 46, 66)
DEEP, DEEP_DARK, DEEP_WALL = (44, 118, 120), (34, 92, 98), (18, 54, 62)
TILES: tuple[Rgb, Rgb] = ((150, 120, 92), (128, 100, 78))
FRAME: Rgb = (66, 70, 104)
STUD: Rgb = (108, 112, 150)
LAMPS: dict[str, Rgb] = {
    "red": (226, 64, 62),
    "blue": (80, 140, 250),
    "green": (90, 208, 96),
    "yellow": (248, 214, 80),
    "purple": (190, 104, 226),
}


def pixel_deck() -> Catalogue:
    """The catalogue, in memory."""
    return Catalogue(
        name="pixel",
        game="mapmasters",
        cards=tuple(box_of(("G", "K", "Z"), SIZE_MM, 47_000)),
        card_size_mm=SIZE_MM,
        corner_radius_mm=CORNER_RADIUS_MM,
    )


def draw(card: Card) -> Pixels:
    """A card's face (H, W, 3) sRGB, upright, cut at its edge."""
    rng = np.random.default_rng(zlib.crc32(card.id.split("-")[0].encode()))
    width, height = (round(side * PER_MM) for side in SIZE_MM)
    screen = np.full((height, width, 3), NIGHT, np.uint8)
    _crystals(screen, rng)
    _frame(screen, card)
    nodes = {node.id: node for node in card.nodes}
    for level, wide, floor, dark, wall in (
        ("underground", 9, DEEP, DEEP_DARK, DEEP_WALL),
        ("main", 11, BRICK, MORTAR, WALL),
    ):
        mask = np.zeros((height, width), np.uint8)
        for edge in card.edges:
            if edge.kind == "corridor" and (edge.level or "main") == level:
                line = np.round(centre_line(edge, nodes) * PER_MM - 0.5).astype(np.int32)
                cv2.polylines(mask, [line], False, 255, wide)
        _floor(screen, mask, floor, dark, wall)
    for room in card.rooms:
        _room(screen, np.round(np.array(room.outline) * PER_MM - 0.5).astype(np.int32))
    for edge in card.edges:
        if edge.kind == "stairs":
            _ladder(screen, nodes[edge.from_], nodes[edge.to])
        elif edge.kind == "fall":
            _dust(screen, nodes[edge.to].at)
    _draw_nodes_and_finds(screen, card)
    _name(screen, card)
    size = (width * ENLARGED, height * ENLARGED)
    return np.asarray(cv2.resize(screen, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _crystals(screen: Pixels, rng: np.random.Generator) -> None:
    """Crystals and moss in the rock."""
    height, width = screen.shape[:2]
    for _ in range(int(rng.integers(70, 110))):
        x, y = rng.integers(2, width - 4), rng.integers(2, height - 4)
        shade = int(rng.integers(-6, 14))
        form = int(rng.integers(3))
        colour = (NIGHT[0] + 8 + shade, NIGHT[1] + 12 + shade, NIGHT[2] + 20 + shade)
        if form == 0:
            screen[y, x : x + 3] = colour
        elif form == 1:
            screen[y : y + 2, x : x + 2] = colour
        else:
            screen[y : y + 3, x] = colour


def _draw_nodes_and_finds(screen: Pixels, card: Card) -> None:
    """Doors, ends and finds of a card, those in rooms last."""
    for node in card.nodes:
        if node.kind == "door":
            outline = np.array(next(room.outline for room in card.rooms if room.id == node.room))
            _door(screen, node, outline)
        elif node.kind == "end":
            _sprite(screen, END, node.at)
        elif node.kind == "find" and node.find:
            _sprite(screen, SPRITES[node.find], node.at)
    for room in card.rooms:
        for find in room.finds:
            _sprite(screen, SPRITES[find.find], find.at)


def _frame(screen: Pixels, card: Card) -> None:
    rim = round(FRAME_MM * PER_MM)
    height, width = screen.shape[:2]
    for inset in range(rim):
        shade = 22 if inset == 0 else -26 if inset == rim - 1 else 0
        colour = tuple(max(0, value + shade) for value in FRAME)
        cv2.rectangle(screen, (inset, inset), (width - 1 - inset, height - 1 - inset), colour, 1)
    stud = LAMPS[card.colour] if card.colour else STUD
    for x in range(12, width - 8, 16):
        for y in (2, height - 4):
            screen[y : y + 2, x : x + 2] = stud
    for y in range(12, height - 8, 16):
        for x in (2, width - 4):
            screen[y : y + 2, x : x + 2] = stud


def _floor(screen: Pixels, mask: Pixels, floor: Rgb, dark: Rgb, wall: Rgb) -> None:
    """Bricks in courses, with a wall of two pixels round them."""
    around = cv2.dilate(mask, np.ones((5, 5), np.uint8))
    screen[(around > 0) & (mask == 0)] = wall
    y, x = np.nonzero(mask)
    joint = (y % 4 == 0) | ((x + 4 * (y // 4 % 2)) % 8 == 0)
    screen[y, x] = np.where(joint[:, None], np.array(dark), np.array(floor))


def _room(screen: Pixels, outline: NDArray[np.int32]) -> None:
    mask = np.zeros(screen.shape[:2], np.uint8)
    cv2.fillPoly(mask, [outline], 255)
    y, x = np.nonzero(mask)
    tile = (x // 5 + y // 5) % 2 == 0
    screen[y, x] = np.where(tile[:, None], np.array(TILES[0]), np.array(TILES[1]))
    cv2.polylines(screen, [outline], True, (214, 206, 196), 2)
    cv2.polylines(screen, [outline], True, (240, 236, 228), 1)


def _door(screen: Pixels, node: Node, outline: NDArray[np.float64]) -> None:
    upright = min(abs(node.at[0] - outline[:, 0].min()), abs(node.at[0] - outline[:, 0].max())) < 0.3
    x, y = (round(value * PER_MM - 0.5) for value in node.at)
    long, short = 4, 1
    dx, dy = (short, long) if upright else (long, short)
    cv2.rectangle(screen, (x - dx, y - dy), (x + dx, y + dy), (206, 124, 44), -1)
    cv2.rectangle(screen, (x - dx, y - dy), (x + dx, y + dy), (96, 50, 20), 1)
    screen[y, x] = (250, 230, 120)


def _ladder(screen: Pixels, one: Node, other: Node) -> None:
    """Rungs from the upper place to the lower, in steps of light."""
    top, foot = sorted((one, other), key=lambda node: node.level != "main")
    run = np.subtract(foot.at, top.at)
    length = float(np.hypot(*run))
    along = run / max(length, 1e-6)
    across = np.array([-along[1], along[0]])
    count = max(4, round(length / 1.5))
    for k, t in enumerate(np.linspace(-1.2, length + 0.8, count)):
        at = np.asarray(top.at) + along * t
        ends = [tuple(int(v) for v in np.round((at + s * across * 2.2) * PER_MM - 0.5)) for s in (-1, 1)]
        level = 230 - 90 * k // count
        cv2.line(screen, ends[0], ends[1], (level, level, level - 30), 2)


def _dust(screen: Pixels, at: Point) -> None:
    x, y = (round(value * PER_MM - 0.5) for value in at)
    for dx, dy in ((0, 0), (-3, 1), (3, 1), (-2, -2), (2, -2), (0, 3), (-4, 3), (4, 3)):
        screen[y + dy, x + dx : x + dx + 2] = (214, 214, 190)


def _name(screen: Pixels, card: Card) -> None:
    """The id in the frame's lower left, the cost as pips in its lower right; a starter's lamp."""
    height, width = screen.shape[:2]
    words = card.id.split("-")[0]
    plate = 6 * len(words) + 3
    cv2.rectangle(screen, (8, height - 11), (8 + plate, height - 2), (30, 32, 54), -1)
    for k, letter in enumerate(words):
        for row, bits in enumerate(LETTERS[letter]):
            for column in range(5):
                if bits >> (4 - column) & 1:
                    screen[height - 10 + row, 10 + 6 * k + column] = (236, 236, 220)
    if card.colour:
        cv2.circle(screen, (width - 12, height - 7), 4, LAMPS[card.colour], -1)
        cv2.circle(screen, (width - 12, height - 7), 4, (240, 240, 240), 1)
    for k in range(card.cost or 0):
        screen[height - 8 : height - 5, width - 12 - 5 * k : width - 9 - 5 * k] = (250, 200, 80)


def _sprite(screen: Pixels, rows: tuple[str, ...], at: Point) -> None:
    """A sprite of 12 x 12 pixels with its middle at a place."""
    x0, y0 = (math.floor(value * PER_MM) - 6 for value in at)
    for dy, row in enumerate(rows):
        for dx, letter in enumerate(row):
            if letter != ".":
                screen[y0 + dy, x0 + dx] = INKS[letter]


INKS: dict[str, Rgb] = {
    "k": (12, 10, 20),
    "w": (246, 246, 240),
    "y": (250, 206, 60),
    "o": (198, 120, 30),
    "b": (140, 86, 46),
    "n": (96, 56, 30),
    "g": (172, 178, 190),
    "r": (222, 52, 48),
    "m": (94, 190, 84),
    "p": (176, 96, 230),
    "t": (232, 210, 160),
    "c": (90, 200, 230),
}
SPRITES: dict[str, tuple[str, ...]] = {
    "coin": (
        "....kkkk....",
        "..kkyyyykk..",
        ".kyywyyyyok.",
        ".kywyyooyok.",
        "kyywyoyyyyok",
        "kyyyyoyyyyok",
        "kyyyyoyyyyok",
        "kyyyyoyyyyok",
        ".kyyyyooyok.",
        ".kyyyyyyook.",
        "..kkooookk..",
        "....kkkk....",
    ),
    "barrel": (
        "...kkkkkk...",
        "..kbbbbbbk..",
        ".kggggggggk.",
        ".kbnbbnbbnk.",
        "kbbnbbnbbnbk",
        "kbbnbbnbbnbk",
        "kbbnbbnbbnbk",
        "kbbnbbnbbnbk",
        ".kbnbbnbbnk.",
        ".kggggggggk.",
        "..kbbbbbbk..",
        "...kkkkkk...",
    ),
    "sword": (
        "..........kk",
        ".........kwk",
        "........kwgk",
        ".......kwgk.",
        "......kwgk..",
        ".kk..kwgk...",
        ".kykkwgk....",
        "..kykgk.....",
        "...kyk......",
        "..kbkyk.....",
        ".kbk.kkk....",
        "kkk.........",
    ),
    "key": (
        "............",
        "..kkkk......",
        ".kyyyyk.....",
        "kyykkyyk....",
        "kyk..kykkkkk",
        "kyk..kyyyyyk",
        "kyk..kykkyky",
        "kyykkyykkyky",
        ".kyyyyk.kk.k",
        "..kkkk......",
        "............",
        "............",
    ),
    "rope": (
        "...kkkkkk...",
        "..kttttttk..",
        ".kttkkkkttk.",
        "kttk....kttk",
        "ktk.kkkk.ktk",
        "ktkkttttkktk",
        "ktkktkktkktk",
        "kttkkkktkttk",
        ".kttttttttk.",
        "..kkkkkkttk.",
        "........kttk",
        ".........kk.",
    ),
    "scroll": (
        ".kkkkkkkkk..",
        "kttttttttwk.",
        "ktkkkkkkktk.",
        ".kwwwwwwwk..",
        ".kwkkkkkwk..",
        ".kwwwwwwwk..",
        ".kwkkkkwwk..",
        ".kwwwwwwwk..",
        ".kwkkkkkwk..",
        "ktttttttttk.",
        "kwtttttttk..",
        ".kkkkkkkkk..",
    ),
    "monster": (
        "k..........k",
        "kmk......kmk",
        "kmmkkkkkkmmk",
        ".kmmmmmmmmk.",
        ".kmwwmmwwmk.",
        "kmmwrmmrwmmk",
        "kmmmmmmmmmmk",
        "kmkkkkkkkkmk",
        "kmkwkwkwkkmk",
        ".kmkkkkkkmk.",
        "..kmmmmmmk..",
        "...kkkkkk...",
    ),
    "padlock": (
        "...kkkkkk...",
        "..kggggggk..",
        ".kggkkkkggk.",
        ".kgk....kgk.",
        ".kgk....kgk.",
        "kkkkkkkkkkkk",
        "koooooooooyk",
        "koookkkkooyk",
        "koookkkkooyk",
        "kooookkoooyk",
        "koooooooooyk",
        "kkkkkkkkkkkk",
    ),
    "pitfall": (
        "kkkkkkkkkkkk",
        "kggggggggggk",
        "kgkkkkkkkkgk",
        "kgkkkkkkkkgk",
        "kgkkkwwkkkgk",
        "kgkkkwwkkkgk",
        "kgkwwwwwwkgk",
        "kgkkwwwwkkgk",
        "kgkkkwwkkkgk",
        "kgkkkkkkkkgk",
        "kggggggggggk",
        "kkkkkkkkkkkk",
    ),
    "lava_pit": (
        ".....k......",
        "....kr..k...",
        "...krrk.rk..",
        "..krrrkkrrk.",
        "..kryrrrrrk.",
        ".kryyrryyrrk",
        ".kryyyyyyrrk",
        "kryywyyyyyrk",
        "kryywwyyyyrk",
        "krryyyyyyrrk",
        ".krrrrrrrrk.",
        "..kkkkkkkk..",
    ),
    "magic_circle": (
        "...pppppp...",
        ".pp...k..pp.",
        ".p...ppp..p.",
        "p....p.p...p",
        "p.ppppppppkp",
        "pkkp.p.p.p.p",
        "p..pp...pp.p",
        "p..pkp.p.p.p",
        "p.p..ppp..pp",
        ".pp..ppp.pp.",
        ".pp......pp.",
        "...pppppp...",
    ),
    "recycle": (
        ".....kkk....",
        "....kcck....",
        "..kkccccck..",
        ".kccckcck...",
        "kcck..kk.kk.",
        "kck.....kcck",
        "kcck....kck.",
        ".kk.kk..kck.",
        "...kcckkcck.",
        "..kcccccck..",
        "...kcckkk...",
        "....kkk.....",
    ),
    "scissors": (
        "kk........kk",
        "kgk......kgk",
        ".kgk....kgk.",
        ".kwgk..kgwk.",
        "..kwgkkgwk..",
        "...kwggwk...",
        "....kkkk....",
        "..kkrkkrkk..",
        ".krrrkkrrrk.",
        ".kr.rkkr.rk.",
        ".krrrkkrrrk.",
        "..kkk..kkk..",
    ),
}
END = (
    "............",
    "..gg....gg..",
    ".gggg..gggg.",
    ".gggggggggg.",
    "..gkgkkgkg..",
    "...gggggg...",
    "...gkgkgg...",
    "..ggggkgggg.",
    ".gggggggggg.",
    ".ggg.gg.ggg.",
    "............",
    "............",
)
LETTERS: dict[str, tuple[int, ...]] = {
    "0": (14, 17, 19, 21, 25, 17, 14),
    "1": (4, 12, 4, 4, 4, 4, 14),
    "2": (14, 17, 1, 6, 8, 16, 31),
    "3": (30, 1, 1, 14, 1, 1, 30),
    "4": (2, 6, 10, 18, 31, 2, 2),
    "5": (31, 16, 30, 1, 1, 17, 14),
    "6": (14, 16, 16, 30, 17, 17, 14),
    "7": (31, 1, 2, 4, 8, 8, 8),
    "8": (14, 17, 17, 14, 17, 17, 14),
    "9": (14, 17, 17, 15, 1, 1, 14),
    "G": (14, 17, 16, 23, 17, 17, 14),
    "K": (17, 18, 20, 24, 20, 18, 17),
    "Z": (31, 1, 2, 4, 8, 16, 31),
}
