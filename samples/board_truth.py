"""One photo of a board to be, and what is true of it, in the form of a scan (docs/FORMATS.md, section 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import MultiPoint, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from samples.boards import BoardLay
from samples.camera import file_size, in_file
from samples.figures import silhouette
from samples.nuisances import Nuisances
from samples.projection import card_corners_mm, card_to_photo, eye_mm, table_to_photo
from samples.props import shape_of
from samples.scene_schema import Figure, Scene, SceneCard
from scorer.board_record import Cell

Array = NDArray[np.float64]
#: Less of a piece hidden than this is not told.
SEEN_SHARE = 0.02


@dataclass(frozen=True)
class Seen:
    """A thing on or beside the board: its id, its place in the scene, its rotation, the cell that it is in
    and the player before whom it lies."""

    card: str
    thing: SceneCard | Figure
    rotation: int | None = None
    cell: Cell | None = None
    owner: str | None = None


@dataclass(frozen=True)
class BoardSample:
    """`board` is the board record; `seen` are its tiles, spare, pieces and holdings in this order; `printed`
    are the cells of the board itself; `told` is what else is true of this photo."""

    split: str
    seed: int
    scene: Scene
    images: dict[str, NDArray[np.uint8]]
    lay: BoardLay
    board: dict[str, Any]
    seen: tuple[Seen, ...]
    printed: tuple[Seen, ...]
    nuisances: Nuisances
    told: Mapping[str, Any] = field(default_factory=dict)


def in_photo(scene: Scene, points_px: Array) -> Array:
    """Points of the ideal picture as the stored photo has them."""
    return in_file(points_px, scene.camera, scene.post)


def corners_px(scene: Scene, piece: SceneCard) -> Array:
    """A flat piece's printed corners (4, 2) in the photo."""
    return in_photo(scene, card_to_photo(scene.camera, piece, card_corners_mm(piece)))


def middle_px(scene: Scene, thing: SceneCard | Figure) -> Array:
    """The middle of a flat piece, or of what a figure stands on, (2,) in the photo."""
    if isinstance(thing, Figure):
        at = table_to_photo(scene.camera, [[*thing.foot_mm, thing.on_mm]])
    else:
        at = card_to_photo(scene.camera, thing, [np.asarray(thing.size_mm) / 2])
    return np.asarray(in_photo(scene, at)[0])


def _seen_of(scene: Scene, thing: SceneCard | Figure) -> BaseGeometry:
    """What a thing covers of the ideal picture."""
    if isinstance(thing, Figure):
        return silhouette(scene.camera, thing)
    width, height = thing.size_mm
    if thing.corner_radius_mm >= min(width, height) / 2:
        turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        edge = width / 2 * (1 + np.column_stack([np.cos(turn), np.sin(turn)]))
    else:
        edge = card_corners_mm(thing)
    return Polygon(card_to_photo(scene.camera, thing, edge)).buffer(0)


def _hands(scene: Scene) -> BaseGeometry:
    """What hands hide of the ideal picture."""
    eye = eye_mm(scene.camera)
    faces = [
        table_to_photo(scene.camera, face.points_mm)
        for prop in scene.props
        if prop.kind == "hand"
        for face in shape_of(prop, eye).faces
    ]
    return unary_union([MultiPoint(face).convex_hull for face in faces if np.isfinite(face).all()])


def _depth(scene: Scene, figure: Figure) -> float:
    return float(np.linalg.norm(eye_mm(scene.camera)[:2] - figure.foot_mm))


def hidden_share(
    scene: Scene, thing: SceneCard | Figure, hands: BaseGeometry, outlines: Sequence[BaseGeometry]
) -> float:
    """How much of a thing lies behind hands and behind figures, whose `outlines` these are; behind the nearer
    ones only where it stands itself."""
    own = _seen_of(scene, thing)
    if own.is_empty:
        return 0.0
    over = [hands]
    for figure, outline in zip(scene.figures, outlines, strict=True):
        behind = isinstance(thing, Figure) and _depth(scene, figure) >= _depth(scene, thing)
        if figure is not thing and not behind and outline.intersects(own):
            over.append(outline)
    return float(own.intersection(unary_union(over)).area / own.area)


def box_px(scene: Scene, figure: Figure) -> list[float]:
    """The box round a figure in the photo: left, top, right, bottom."""
    outline = silhouette(scene.camera, figure)
    if outline.is_empty:
        return []
    parts = outline.geoms if hasattr(outline, "geoms") else [outline]
    points = in_photo(scene, np.vstack([np.asarray(part.exterior.coords) for part in parts]))
    return [*np.round(points.min(axis=0), 1).tolist(), *np.round(points.max(axis=0), 1).tolist()]


def _entry(scene: Scene, seen: Seen, hands: BaseGeometry, outlines: Sequence[BaseGeometry]) -> dict[str, Any]:
    thing = seen.thing
    told: dict[str, Any] = {"card": seen.card, "confidence": 1.0}
    if isinstance(thing, SceneCard) and thing.corner_radius_mm < min(thing.size_mm) / 2:
        told["corners"] = np.round(corners_px(scene, thing), 2).tolist()
    else:
        told["at_px"] = np.round(middle_px(scene, thing), 2).tolist()
    if isinstance(thing, Figure):
        told |= {"box": box_px(scene, thing), "build": thing.build}
    told |= {"rotation": seen.rotation} if seen.rotation is not None else {}
    told |= {"cell": list(seen.cell)} if seen.cell is not None else {}
    told |= {"owner": seen.owner} if seen.owner is not None else {}
    hidden = hidden_share(scene, thing, hands, outlines)
    return told | ({"hidden": round(hidden, 2)} if hidden > SEEN_SHARE else {})


def board_truth_of(sample: BoardSample, *, renderer: str) -> dict[str, Any]:
    """The truth as JSON-ready data: a sure scan, and what the scene was made of."""
    scene, lay = sample.scene, sample.lay
    width, height = file_size(scene.camera, scene.post)
    hands = _hands(scene)
    outlines = [silhouette(scene.camera, figure) for figure in scene.figures]

    def frame(corners_mm: Array) -> list[list[float]]:
        at = np.column_stack([lay.on_table(corners_mm), np.full(len(corners_mm), lay.board_thickness_mm)])
        seen: list[list[float]] = np.round(in_photo(scene, table_to_photo(scene.camera, at)), 2).tolist()
        return seen

    edge = np.asarray(lay.size_mm)
    entries = [_entry(scene, seen, hands, outlines) for seen in sample.seen]
    printed = [_entry(scene, seen, hands, outlines) for seen in sample.printed]
    hidden = sorted(
        (entry["cell"], entry["hidden"])
        for entry in (*entries, *printed)
        if "corners" in entry and "cell" in entry and "hidden" in entry
    )
    named = sample.nuisances
    return {
        "format": "waymark-scan/1",
        "photo": {
            "width": width,
            "height": height,
            "warnings": [],
            "others": [card.card for card in scene.others if card.card],
        },
        "board": sample.board,
        "cards": entries,
        "questions": [],
        "sure": True,
        "timings_ms": {},
        "sample": {
            "seed": sample.seed,
            "split": sample.split,
            "renderer": renderer,
            "deck": sample.board["catalogue"],
            "tier": named.tier,
            "glare": named.glare,
            "over": named.over,
            "low_light": named.low_light,
            "messenger": named.messenger,
            "steep": scene.camera.tilt_deg > 40,
            "checked": named.checked,
            "board_px": frame(np.array([[0, 0], [edge[0], 0], edge, [0, edge[1]]])),
            "grid_px": frame(lay.grid_corners()),
            "printed": printed,
            "hidden_cells": [{"cell": cell, "hidden": share} for cell, share in hidden],
            **sample.told,
            "light": msgspec.to_builtins(scene.light),
            "table": scene.table.kind,
            "camera": msgspec.to_builtins(scene.camera),
            "post": msgspec.to_builtins(scene.post),
        },
    }


def write_board_truth(sample: BoardSample, photo: Path, *, renderer: str) -> Path:
    """Write `<stem>.truth.json` beside a photo."""
    path = photo.with_name(photo.stem + ".truth.json")
    path.write_bytes(msgspec.json.encode(board_truth_of(sample, renderer=renderer)) + b"\n")
    return path
