"""Pinhole projection between the table and an ideal (undistorted) picture.

World frame: right-handed millimetres ``(x, -y, height)``, so that a camera over the table's origin with no
tilt, azimuth or roll sees table x to the right and table y downwards. The camera's axes are the columns of
``Rz(azimuth) Rx(tilt) Rz(roll)`` (right, up, back); the lens lies ``distance_mm`` behind the target along
*back*. So the tilt leans the camera towards +y (the bottom of the table), and the azimuth carries it
anticlockwise from there.

Pixels follow OpenCV: (0, 0) is the centre of the top-left pixel. Hartley & Zisserman, *Multiple View
Geometry*, ch. 6.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from samples.scene_schema import Camera, SceneCard

# Diagonal of the 36 x 24 mm frame that "35 mm equivalent" refers to.
FULL_FRAME_DIAGONAL_MM = 43.267

Array = NDArray[np.float64]


def focal_px(camera: Camera) -> float:
    """Focal length in pixels; equivalence by the picture's diagonal, as phones state it."""
    return camera.focal_mm_35 / FULL_FRAME_DIAGONAL_MM * float(np.hypot(camera.width, camera.height))


def camera_axes(camera: Camera) -> Array:
    """(3, 3) float, columns *right*, *up*, *back* of the camera in the world frame."""
    tilt, azimuth, roll = np.radians([camera.tilt_deg, camera.azimuth_deg, camera.roll_deg])
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    return np.asarray(_about_z(azimuth) @ about_x @ _about_z(roll), dtype=np.float64)


def camera_position(camera: Camera) -> Array:
    """(3,) float, the lens' centre in the world frame."""
    target = np.array([camera.target_mm[0], -camera.target_mm[1], 0.0])
    return np.asarray(target + camera.distance_mm * camera_axes(camera)[:, 2], dtype=np.float64)


def table_to_photo(camera: Camera, points_mm: ArrayLike) -> Array:
    """Project table points to the ideal picture.

    Parameters
    ----------
    points_mm : (N, 2) or (N, 3) float, table millimetres x right, y down and height (0 when absent).

    Returns
    -------
    (N, 2) float, photo pixels, x right, y down; NaN for points behind the lens.
    """
    points = np.atleast_2d(np.asarray(points_mm, dtype=np.float64))
    heights = points[:, 2] if points.shape[1] == 3 else np.zeros(len(points))
    world = np.column_stack([points[:, 0], -points[:, 1], heights])
    seen = (world - camera_position(camera)) @ camera_axes(camera)
    depth = np.where(seen[:, 2] < 0, -seen[:, 2], np.nan)
    scale = focal_px(camera) / depth
    centre = _principal_point(camera)
    return np.column_stack([centre[0] + seen[:, 0] * scale, centre[1] - seen[:, 1] * scale])


def photo_to_table(camera: Camera, points_px: ArrayLike, height_mm: float = 0.0) -> Array:
    """Cast ideal-picture pixels (N, 2) onto the horizontal plane at ``height_mm``; (N, 2) float, table
    millimetres."""
    points = np.atleast_2d(np.asarray(points_px, dtype=np.float64))
    centre = _principal_point(camera)
    offsets = (points - centre) * (1, -1)
    rays = np.column_stack([offsets, np.full(len(points), -focal_px(camera))])
    directions = rays @ camera_axes(camera).T
    eye = camera_position(camera)
    steps = np.where(directions[:, 2] < 0, (height_mm - eye[2]) / directions[:, 2], np.nan)
    hits = eye + directions * steps[:, None]
    return np.column_stack([hits[:, 0], -hits[:, 1]])


def card_to_table(card: SceneCard, points_mm: ArrayLike) -> Array:
    """Lift points of the upright card onto its true surface.

    Parameters
    ----------
    points_mm : (N, 2) float, upright card millimetres from its printed top-left corner.

    Returns
    -------
    (N, 3) float, table millimetres and height of the card's upper face, bow, tilt and lift included. Slopes
    are small, so the foreshortening of the card's own length is left out; renders are built from this same
    function.
    """
    pose = card.pose
    size = np.array(card.size_mm)
    offsets = np.atleast_2d(np.asarray(points_mm, dtype=np.float64)) - size / 2
    angle = np.radians(pose.angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    on_table = offsets @ turn.T + np.array(pose.centre_mm)
    slopes = np.tan(np.radians(pose.tilt_deg))
    axis = 1 if (size[1] >= size[0]) == (pose.bow_axis == "long") else 0
    along = np.clip(2 * offsets[:, axis] / size[axis], -1.2, 1.2)
    bow = pose.bow_mm * (1 - along**2) if pose.bow_mm >= 0 else -pose.bow_mm * along**2
    lowest = -np.abs(slopes) @ (size / 2)
    heights = card.on_mm + card.thickness_mm + pose.lift_mm + offsets @ slopes - lowest + bow
    return np.column_stack([on_table, heights])


def card_to_photo(camera: Camera, card: SceneCard, points_mm: ArrayLike) -> Array:
    """Project upright card millimetres (N, 2) to the ideal picture; (N, 2) float, photo pixels."""
    return table_to_photo(camera, card_to_table(card, points_mm))


def card_corners_mm(card: SceneCard) -> Array:
    """(4, 2) float, the upright card's square corners: top-left, top-right, bottom-right, bottom-left."""
    width, height = card.size_mm
    return np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])


def sleeve_of(card: SceneCard) -> SceneCard:
    """A sleeved card's sleeve as a card of its own: the same pose, larger, square-cornered."""
    if card.sleeve is None:
        raise ValueError(f"{card.card} has no sleeve")
    border = 2 * card.sleeve.border_mm
    return msgspec.structs.replace(
        card, size_mm=(card.size_mm[0] + border, card.size_mm[1] + border), corner_radius_mm=1.0
    )


def _principal_point(camera: Camera) -> tuple[float, float]:
    return (camera.width - 1) / 2, (camera.height - 1) / 2


def _about_z(angle: float) -> Array:
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])


def eye_mm(camera: Camera) -> Array:
    """Where the lens is: table x, table y, height, mm."""
    position = camera_position(camera)
    return np.array([position[0], -position[1], position[2]])
