"""Tokens of the missions, and the drawing of the table at the start of a mission."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import msgspec
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from scorer.catalogue import Card, Catalogue, Point, Side
from scorer.mapmasters.cooperative.rules.mission import (
    Mission,
    Plan,
    Slot,
    StartRule,
    load_mission,
    mission_ids,
    slots_of,
)
from vision.cards.index import read_art

FOLDER = "pieces"
TOKEN_MM = 22.0


def piece_art(catalogue: Catalogue, artifact: str) -> Path | None:
    """The picture of an artifact's token, if the catalogue's folder has one."""
    if catalogue.folder is None:
        return None
    files = (catalogue.folder / FOLDER / f"{artifact}{ending}" for ending in (".png", ".webp"))
    return next((file for file in files if file.is_file()), None)


def missions_named(catalogue: Catalogue, names: Iterable[str] | None) -> list[Mission]:
    """The missions with these ids; all of the catalogue's where None. Raises `WaymarkError`."""
    chosen = mission_ids(catalogue) if names is None else names
    return [load_mission(catalogue, name) for name in chosen]


def with_pieces(catalogue: Catalogue, missions: Iterable[Mission]) -> tuple[Catalogue, list[Card]]:
    """The catalogue extended by the missions' tokens, and the cards to print: all named cards once (boss
    and step cards first), then the tokens."""
    cards: dict[str, Card] = {}
    tokens: dict[str, Card] = {}
    for mission in missions:
        for slot in slots_of(mission).values():
            if slot.card is not None:
                cards[slot.card] = catalogue.card(slot.card)
        for name in mission.artifacts:
            art = piece_art(catalogue, name)
            if art is not None:
                tokens[name] = _token(name, art)
    added = msgspec.structs.replace(catalogue, cards=(*catalogue.cards, *tokens.values()))
    added.__dict__["_folder"] = catalogue.folder
    chosen = sorted(cards.values(), key=lambda card: (card.kind not in ("boss", "step"), card.id))
    return added, [*chosen, *tokens.values()]


def _token(name: str, art: Path) -> Card:
    return Card(id=name, kind="chip", art=f"{FOLDER}/{art.name}", shape="disc", size_mm=(TOKEN_MM, TOKEN_MM))


Cell = tuple[int, int]
#: (left, bottom, width, height) on the page, points.
Box = tuple[float, float, float, float]

#: Round the slots, as a share of a slot's width: so much is left for what points in and out.
MARGIN = 0.5
_ART_PX = 220
_STEP: dict[Side, Cell] = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}
_PAPER, _LINE, _PALE = 0.93, 0.25, 0.55


class TablePicture:
    """Drawing of one mission plan on a canvas. Lengths are in points."""

    def __init__(self, canvas: Canvas, catalogue: Catalogue, plan: Plan) -> None:
        self._canvas, self._catalogue, self._plan = canvas, catalogue, plan
        columns = [cell[0] for cell in plan.slots]
        rows = [cell[1] for cell in plan.slots]
        self.columns, self.rows = max(columns, default=0) + 1, max(rows, default=0) + 1
        goals = [plan.goals[name] for name in plan.needed]
        self._exits = {side for goal in goals if goal.card is None for side in goal.sides}
        self._ratio = catalogue.card_size_mm[1] / catalogue.card_size_mm[0]

    def slot_width(self, room: Point) -> float:
        """The largest slot width that fits an area (width, height), in points."""
        return min(room[0] / (self.columns + 2 * MARGIN), room[1] / (self.rows * self._ratio + 2 * MARGIN))

    def size(self, slot: float) -> Point:
        return (self.columns + 2 * MARGIN) * slot, (self.rows * self._ratio + 2 * MARGIN) * slot

    def draw(self, left: float, top: float, slot: float) -> None:
        """Draw the picture with its upper left corner at (left, top)."""
        for cell, what in self._plan.slots.items():
            self._slot(what.kind, self._box(cell, left, top, slot), what)
        for name, card in self._plan.mission.artifacts.items():
            lying = next(cell for cell, what in self._plan.slots.items() if what.card == card)
            x, y, width, height = self._box(lying, left, top, slot)
            across = width * 0.5
            art = piece_art(self._catalogue, name)
            if art is not None:
                self._disc(art, x + width - across * 0.9, y + height * 0.28, across)
        for cell, side in self.outer():
            if self._starts(cell, side):
                self._arrow(self._box(cell, left, top, slot), side, inward=True)
            if side in self._exits:
                self._arrow(self._box(cell, left, top, slot), side, inward=False)

    def outer(self) -> Iterable[tuple[Cell, Side]]:
        """The outer sides of slots, where no slot is adjacent."""
        for cell in self._plan.slots:
            for side, (dx, dy) in _STEP.items():
                if (cell[0] + dx, cell[1] + dy) not in self._plan.slots:
                    yield cell, side

    def sign(self, name: str, x: float, y: float, size: float) -> None:
        """Draw a small legend symbol: `starter`, `empty`, `start` or `exit`."""
        if name == "start":
            self._triangle(x + size / 2, y + size / 2, 0.4 * size, (1, 0), gray=0.0)
        elif name == "exit":
            for dx in (0.3, 0.9):
                self._triangle(x + dx * size, y + size / 2, 0.35 * size, (1, 0), gray=None)
        else:
            self._slot(name, (x, y, size, size))

    def _starts(self, cell: Cell, side: Side) -> bool:
        rules: tuple[StartRule, ...] | None = self._plan.starts
        return rules is None or any(r.side == side and r.cell in (None, cell) for r in rules)

    def _box(self, cell: Cell, left: float, top: float, slot: float) -> Box:
        height = slot * self._ratio
        x = left + (MARGIN + cell[0]) * slot
        return x, top - MARGIN * slot - (cell[1] + 1) * height, slot, height

    def _slot(self, kind: str, box: Box, what: Slot | None = None) -> None:
        x, y, width, height = box
        canvas, gap = self._canvas, 0.03 * width
        inner = (x + gap, y + gap, width - 2 * gap, height - 2 * gap)
        canvas.saveState()
        canvas.setLineWidth(0.6)
        canvas.setStrokeGray(_LINE)
        if kind == "empty":
            canvas.setDash(2, 2)
            canvas.setStrokeGray(_PALE)
            canvas.roundRect(*inner, 0.06 * width)
        elif kind == "starter":
            canvas.setFillGray(_PAPER)
            canvas.roundRect(*inner, 0.06 * width, fill=1)
            self._triangle(x + width / 2, y + height / 2, 0.16 * width, (1, 0), gray=_PALE)
        elif what is not None and kind == "face_down":
            self._face_down(what, inner)
        elif what is not None:
            self._card(what, inner)
        canvas.restoreState()

    def _card(self, what: Slot, inner: Box) -> None:
        card = self._catalogue.card(what.card or "")
        art = _small(self._catalogue.art_path(card))
        if art is not None:
            self._canvas.drawImage(_reader(art.rotate(what.rotation)), *inner)
        self._canvas.roundRect(*inner, 0.06 * inner[2])
        self._label((what.card or "") + (" 180°" if what.rotation else ""), inner)

    def _face_down(self, what: Slot, inner: Box) -> None:
        x, y, width, height = inner
        canvas = self._canvas
        canvas.setFillGray(0.72)
        canvas.roundRect(*inner, 0.06 * width, fill=1)
        canvas.setFillGray(1)
        canvas.setFont("Helvetica-Bold", 0.62 * width)
        canvas.drawCentredString(x + width / 2, y + height / 2 - 0.1 * width, "?")
        if what.card is not None:
            self._label(what.card, inner)

    def _label(self, words: str, inner: Box) -> None:
        x, y, width, _ = inner
        canvas = self._canvas
        size = 0.2 * width
        across = canvas.stringWidth(words, "Helvetica-Bold", size) + 0.12 * width
        canvas.setFillGray(1)
        canvas.setLineWidth(0.4)
        canvas.roundRect(x + (width - across) / 2, y + 0.05 * width, across, 1.35 * size, 0.3 * size, fill=1)
        canvas.setFillGray(0)
        canvas.setFont("Helvetica-Bold", size)
        canvas.drawCentredString(x + width / 2, y + 0.05 * width + 0.33 * size, words)

    def _disc(self, art: Path, x: float, y: float, across: float) -> None:
        canvas = self._canvas
        small = _small(art)
        if small is None:
            return
        canvas.saveState()
        circle = canvas.beginPath()
        circle.circle(x + across / 2, y + across / 2, across / 2)
        canvas.clipPath(circle, stroke=0)
        canvas.drawImage(_reader(small), x, y, across, across)
        canvas.restoreState()
        canvas.saveState()
        canvas.setLineWidth(0.8)
        canvas.setStrokeGray(0)
        canvas.circle(x + across / 2, y + across / 2, across / 2)
        canvas.restoreState()

    def _arrow(self, box: Box, side: Side, *, inward: bool) -> None:
        """Draw arrows beside a slot: one filled triangle inward, or two hollow triangles outward."""
        x, y, width, height = box
        out = _STEP[side][0], -_STEP[side][1]
        at = x + width / 2 + out[0] * width / 2, y + height / 2 + out[1] * height / 2
        if inward:
            spot = at[0] + 0.1 * width * out[0], at[1] + 0.1 * width * out[1]
            self._triangle(*spot, 0.075 * width, (-out[0], -out[1]), gray=0.0)
            return
        for far in (0.3, 0.38):
            spot = at[0] + far * width * out[0], at[1] + far * width * out[1]
            self._triangle(*spot, 0.07 * width, out, gray=None)

    def _triangle(self, x: float, y: float, size: float, ahead: Cell, gray: float | None) -> None:
        """Draw a triangle centred at (x, y), filled with a grey, or hollow (None)."""
        canvas = self._canvas
        dx, dy = ahead
        path = canvas.beginPath()
        path.moveTo(x + dx * size, y + dy * size)
        path.lineTo(x - dx * size - dy * size * 1.15, y - dy * size + dx * size * 1.15)
        path.lineTo(x - dx * size + dy * size * 1.15, y - dy * size - dx * size * 1.15)
        path.close()
        canvas.saveState()
        canvas.setLineWidth(0.7)
        canvas.setStrokeGray(0)
        if gray is None:
            canvas.setFillGray(1)
            canvas.drawPath(path, fill=1, stroke=1)
        else:
            canvas.setFillGray(gray)
            canvas.drawPath(path, fill=1, stroke=0)
        canvas.restoreState()


def _small(file: Path) -> Image.Image | None:
    art = read_art(file)
    if art is None:
        return None
    picture = Image.fromarray(art[..., ::-1])
    picture.thumbnail((_ART_PX, _ART_PX * 2))
    return picture


def _reader(picture: Image.Image) -> ImageReader:
    packed = io.BytesIO()
    picture.save(packed, "JPEG", quality=88)
    packed.seek(0)
    return ImageReader(packed)
