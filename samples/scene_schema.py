"""A scene description: everything that a sample photograph shows, before any pixel exists.

A *scene folder* holds ``scene.json`` (one :class:`Scene`) and the PNGs that it names. ``samples.scenes``
writes it, ``samples.cycles`` renders it and ``samples.compositor`` approximates it; the truth is computed
from it alone.

Frame: millimetres on the table plane, x right, y down as seen from above, heights upwards from the table top.
Angles are degrees; an object's ``angle_deg`` turns it clockwise as seen from above (from +x towards +y).
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

TableKind = Literal["wood", "cloth", "playmat", "white_desk", "dark_desk", "checked_cloth"]
LightKind = Literal["window", "lamp", "flash", "overcast", "mixed"]
PropKind = Literal[
    "pen",
    "die",
    "coin",
    "mug",
    "scoreboard",
    "token",
    "miniature",
    "phone",
    "glass",
    "pencil",
    "paper",
    "cable",
    "hand_shadow",
    "hand",
]

CARD_THICKNESS_MM = 0.35


class CardPose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a card truly lies, against the nominal tableau pose.

    ``angle_deg`` is the whole turn, a rotation of 180 included. ``lift_mm`` is the air under the card's
    lowest point. ``tilt_deg`` is the slope along the card's own x and y (positive: right edge, bottom edge
    higher). ``bow_mm`` is the sag of a cylindrical bend: positive raises the middle over the bent edges,
    negative raises those edges; the bend runs along the card's long side, or along the short one with
    ``bow_axis`` "short".
    """

    centre_mm: tuple[float, float]
    angle_deg: float
    lift_mm: float = 0.0
    tilt_deg: tuple[float, float] = (0.0, 0.0)
    bow_mm: float = 0.0
    bow_axis: Literal["long", "short"] = "long"


class Sleeve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plastic sleeve: how far it reaches beyond the card on each side, and its film. ``waves`` is how
    uneven it lies (0 to 1)."""

    film: Literal["clear", "matte"]
    border_mm: float = 1.5
    waves: float = 0.5


class SceneCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One card. ``x, y, rotation`` are the nominal tableau pose of docs/FORMATS.md, section 2;
    renderers only look at ``pose``.

    ``face`` is a PNG of the visible side, upright; ``ink`` an RGBA PNG of the same extent (12 px/mm) with
    the marker's film in the upright card's frame: RGB its colour on white, A its cover. On a sleeved card it
    lies on the sleeve and has the sleeve's extent.

    A board, a tile or a chip is such a card of its own ``thickness_mm`` (a disc's corner radius is half its
    width); ``on_mm`` is how high the surface is that it lies on, ``side_rgb`` (linear) the colour of its cut
    edge, grey unless told. A face with an alpha is print on clear film: what lies below shows through.
    """

    card: str
    x: float
    y: float
    rotation: int
    face: str
    pose: CardPose
    ink: str | None = None
    size_mm: tuple[float, float] = (63.0, 88.0)
    corner_radius_mm: float = 3.0
    sleeve: Sleeve | None = None
    thickness_mm: float = CARD_THICKNESS_MM
    on_mm: float = 0.0
    side_rgb: tuple[float, float, float] | None = None


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A standing piece: ``folded`` from a printed strip (two sides that show the same picture, and two flaps
    on the ground that show its lowest part once more), or a turned ``pawn``.

    ``angle_deg`` is where the right of its picture points. ``foot_mm`` is the middle of what it stands on,
    ``on_mm`` high. A folded figure's sides are ``spread_mm`` apart at the foot and lean by ``lean_deg``
    towards who sees the picture the right way round; its flaps reach over ``flap_share`` of its height.
    ``colour`` is a pawn's, sRGB 0-1.
    """

    piece: str
    build: Literal["folded", "pawn"]
    foot_mm: tuple[float, float]
    on_mm: float
    size_mm: tuple[float, float]
    angle_deg: float = 0.0
    face: str = ""
    colour: tuple[float, float, float] = (0.5, 0.5, 0.5)
    spread_mm: float = 2.0
    lean_deg: float = 0.0
    flap_share: float = 0.2


class Finish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The deck's surface: ``gloss`` 0 (matt) to 1 (fresh varnish), ``linen`` 0 to 1 (embossed weave),
    ``wear`` 0 to 1."""

    gloss: float = 0.5
    linen: float = 0.3
    wear: float = 0.2


class Prop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A thing beside the cards. ``colour`` is sRGB 0-1; ``size`` scales the real thing; ``variant`` picks a
    design.

    ``hand_shadow`` is seen only by its shadow: an object ``height_mm`` over the table. A ``hand`` reaches
    along ``angle_deg`` and points at ``at_mm``; ``colour`` is its skin's. A pen lies ``height_mm`` high.
    """

    kind: PropKind
    at_mm: tuple[float, float]
    angle_deg: float = 0.0
    colour: tuple[float, float, float] = (0.1, 0.1, 0.1)
    size: float = 1.0
    variant: int = 0
    height_mm: float = 0.0


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table top. With ``reach_mm`` its design is drawn so far round the origin whatever the camera sees of
    it, so that it is the same in all photos of one table; else as far as it is seen."""

    kind: TableKind
    seed: int = 0
    reach_mm: float = 0.0


class Reflection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bright thing that the cards mirror: a tube or a window's edge as a ``stripe`` along ``angle_deg``, or
    a ``haze``. ``strength`` is what it adds, in units of a white surface under the main light."""

    kind: Literal["stripe", "haze"]
    at_mm: tuple[float, float]
    angle_deg: float
    width_mm: float
    length_mm: float
    strength: float


class Light(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The main light. ``azimuth_deg`` is where it comes from (0 = from +x, 90 = from +y, the bottom of the
    table).

    ``strength`` compares it with the room's own light (1 = normal contrast; 2 = hard; 0.5 = flat); the
    exposure is automatic. ``softness`` scales the source's size, ``shadow_of`` names what else blocks it.
    """

    kind: LightKind
    azimuth_deg: float = 40.0
    elevation_deg: float = 50.0
    kelvin: float = 5500.0
    strength: float = 1.0
    softness: float = 1.0
    shadow_of: Literal["", "photographer", "window_bars", "plant"] = ""
    reflections: tuple[Reflection, ...] = ()


class Camera(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pinhole with a thin lens; see ``samples.projection`` for the exact geometry.

    ``distance_mm`` runs from the target on the table to the lens. ``focal_mm_35`` is equivalent by the
    diagonal. ``focus_mm`` is the distance in focus along the optical axis (0 = at the target); ``fstop``
    and ``sensor_diagonal_mm`` are the phone's real ones and give the blur.
    """

    target_mm: tuple[float, float]
    distance_mm: float
    width: int
    height: int
    tilt_deg: float = 0.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    focal_mm_35: float = 26.0
    focus_mm: float = 0.0
    fstop: float = 1.8
    sensor_diagonal_mm: float = 9.5


class Copy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a messenger makes of a photo: smaller, its longer side ``long_side_px``, and compressed again."""

    long_side_px: int
    jpeg_quality: int = 60


class Post(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lens, sensor and phone do to the ideal picture; applied by ``samples.camera``.

    Radial distortion as in Brown's model about the picture's centre, radii in units of half the diagonal.
    """

    k1: float = 0.0
    k2: float = 0.0
    vignetting: float = 0.15
    noise: float = 0.01
    chroma_noise: float = 0.01
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure_ev: float = 0.0
    contrast: float = 1.0
    saturation: float = 1.0
    sharpening: float = 0.5
    motion_blur_px: float = 0.0
    motion_blur_deg: float = 0.0
    jpeg_quality: int = 90
    format: Literal["jpeg", "heic", "png", "webp"] = "jpeg"
    exif_orientation: int = 1
    seed: int = 0
    copy: Copy | None = None


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One photograph. ``cards`` is the tableau, ``others`` all cards that do not touch it."""

    seed: int
    cards: tuple[SceneCard, ...]
    table: Table
    light: Light
    camera: Camera
    others: tuple[SceneCard, ...] = ()
    props: tuple[Prop, ...] = ()
    figures: tuple[Figure, ...] = ()
    finish: Finish = Finish()
    post: Post = Post()


def load_scene(folder: Path) -> Scene:
    """Read ``folder/scene.json``.

    Raises
    ------
    msgspec.ValidationError
        With the JSON path of the first field that does not fit.
    """
    return msgspec.json.decode((folder / "scene.json").read_bytes(), type=Scene)


def save_scene(scene: Scene, folder: Path) -> None:
    """Write ``folder/scene.json``; the folder is made when missing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scene.json").write_bytes(msgspec.json.format(msgspec.json.encode(scene), indent=1))
