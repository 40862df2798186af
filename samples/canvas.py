"""The picture while it is being painted: polygons of the table, as the scene's camera sees them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.projection import focal_px, photo_to_table, table_to_photo
from samples.scene_schema import Scene
from samples.smooth import coarse_grid, enlarge

Array = NDArray[np.float64]
Field = NDArray[np.float32]
# Edges are softer than a pixel's own cover, or a thin gap between cards would look like a string of beads.
EDGE_BLUR_PX = 0.5
SUBPIXEL_BITS = 4  # of OpenCV's polygon filling


class Canvas:
    """The picture while it is being painted, in the pixels of the scene's camera: albedo (3, H, W),
    visibility of the main light and of the room, gloss of the table, glare of the cards (H, W)."""

    def __init__(self, scene: Scene) -> None:
        self.camera = scene.camera
        self.shape = (scene.camera.height, scene.camera.width)
        self.albedo = np.zeros((3, *self.shape), np.float32)
        self.visible = np.ones(self.shape, np.float32)
        self.open = np.ones(self.shape, np.float32)
        self.gloss = np.zeros(self.shape, np.float32)
        self.glare = np.zeros(self.shape, np.float32)
        self.px_per_mm = focal_px(scene.camera) / scene.camera.distance_mm
        x, y = coarse_grid(self.shape)
        # the coarse grid in table millimetres
        self.grid_mm = photo_to_table(self.camera, np.column_stack([x.ravel(), y.ravel()])).reshape(
            *x.shape, 2
        )

    def enlarged(self, coarse: NDArray[np.floating]) -> Field:
        """A field on the coarse grid at full size."""
        return enlarge(coarse, self.shape)

    def polygon(self, points_mm: Array, blur_px: float = 0.0) -> tuple[tuple[slice, slice], Field] | None:
        """The cover 0..1 of a polygon (N, 3) and the window that it lies in; None when out of sight."""
        points = table_to_photo(self.camera, points_mm)
        return self.photo_polygon(points, blur_px)

    def photo_polygon(self, points: Array, blur_px: float) -> tuple[tuple[slice, slice], Field] | None:
        if not np.isfinite(points).all():
            return None
        height, width = self.shape
        margin = 3 * blur_px + 2
        low = np.maximum(np.floor(points.min(axis=0) - margin), 0).astype(int)
        high = np.minimum(np.ceil(points.max(axis=0) + margin) + 1, [width, height]).astype(int)
        if np.any(high - low < 1):
            return None
        shrink = max(1, int(blur_px / 3))
        size = -(-(high - low) // shrink)
        mask = np.zeros((size[1], size[0]), np.uint8)
        placed = np.round(((points - low + 0.5) / shrink - 0.5) * (1 << SUBPIXEL_BITS)).astype(np.int32)
        cv2.fillPoly(mask, [placed], 255, cv2.LINE_AA, SUBPIXEL_BITS)
        cover: Field = mask.astype(np.float32) / np.float32(255)
        if blur_px < EDGE_BLUR_PX:
            cover = np.asarray(cv2.GaussianBlur(cover, (3, 3), EDGE_BLUR_PX), np.float32)
        else:
            cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), blur_px / shrink), np.float32)
        if shrink > 1:
            cover = np.asarray(
                cv2.resize(
                    cover, (int(high[0] - low[0]), int(high[1] - low[1])), interpolation=cv2.INTER_LINEAR
                ),
                np.float32,
            )
        return (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))), cover

    def darken(self, field: Field, points_mm: Array, blur_mm: float, amount: float) -> None:
        """Multiply a field by the shade of a polygon on the table."""
        found = self.polygon(points_mm, blur_mm * self.px_per_mm)
        if found is not None:
            window, cover = found
            field[window] *= 1 - amount * cover

    def hide_glare(self, points_mm: Array, alpha: float) -> None:
        """What lies over a card hides its gloss."""
        found = self.polygon(points_mm)
        if found is not None:
            window, cover = found
            self.glare[window] *= 1 - cover * np.float32(alpha)

    def paint(
        self, points_mm: Array, colour: tuple[float, float, float], alpha: float, gloss: float = 0.0
    ) -> None:
        self.paint_seen(table_to_photo(self.camera, points_mm), colour, alpha, gloss)

    def paint_seen(
        self,
        points_px: Array,
        colour: tuple[float, float, float],
        alpha: float,
        gloss: float = 0.0,
        *,
        visible: float | None = None,
        opened: float | None = None,
    ) -> None:
        """Paint a polygon of the picture (N, 2). `visible` and `opened`: how much of the main light and of
        the room's falls on it, a level surface's all unless told."""
        found = self.photo_polygon(points_px, 0.0)
        if found is None:
            return
        window, cover = found
        cover = cover * np.float32(alpha)
        keep = 1 - cover
        for plane, value in zip(self.albedo, colour, strict=True):
            plane[window] *= keep
            plane[window] += np.float32(value) * cover
        self.gloss[window] = self.gloss[window] * keep + gloss * cover
        for field, level in ((self.visible, visible), (self.open, opened)):
            if level is None:
                field[window] = np.maximum(field[window], cover)
            else:
                field[window] = field[window] * keep + np.float32(level) * cover

    def print_on(self, corners_mm: Array, picture: Field, *, visible: float, opened: float) -> None:
        """Print a picture (H, W, 3), linear, on a quadrilateral in space whose corners (4, 3) are those of
        the picture, top-left first, clockwise. It hides the gloss of what lies behind."""
        corners = table_to_photo(self.camera, corners_mm)
        found = self.photo_polygon(corners, 0.0)
        if found is None:
            return
        window, cover = found
        height, width = picture.shape[:2]
        edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
        offset = np.array([window[1].start, window[0].start])
        matrix = cv2.getPerspectiveTransform(edge, (corners - offset).astype(np.float32))
        warped = cv2.warpPerspective(
            picture, matrix, cover.shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        keep = 1 - cover
        for plane, colour in zip(self.albedo, cv2.split(warped), strict=True):
            plane[window] *= keep
            plane[window] += colour * cover
        self.gloss[window] *= keep
        self.glare[window] *= keep
        for field, level in ((self.visible, visible), (self.open, opened)):
            field[window] = field[window] * keep + np.float32(level) * cover
