"""Surfaces: the printed card with its ink, and the tables (procedural, but for the play mat's picture)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import bpy
import cv2
import numpy as np

from samples.cycles.nodes import Graph, linear, picture, plain
from samples.scene_schema import Finish, SceneCard, Table
from samples.tables import EVENING_CLOTHS, EVENING_WOODS, designs_of

Design = TypeVar("Design")

# Ink on card: a print reaches neither full white nor full black.
PAPER_WHITE, PRINT_BLACK = 0.87, 0.022
# Pitch of the linen embossing, and how deep it goes.
LINEN_PITCH_MM, LINEN_DEPTH_MM = 0.55, 0.006


def card_face(
    card: SceneCard,
    face_srgb: np.ndarray,
    ink_rgba: np.ndarray | None,
    finish: Finish,
    seed: int,
    *,
    mirrors: bool = False,
) -> bpy.types.Material:
    """Varnished print with a dry-erase film on it; `mirrors`: varnish so smooth that a stripe stays one.

    Parameters
    ----------
    face_srgb : (H, W, 3) float 0-1, the upright art.
    ink_rgba : (h, w, 4) float 0-1 in sRGB, or None.
    """
    rng = np.random.default_rng(seed)
    colour = to_linear(face_srgb) * (PAPER_WHITE - PRINT_BLACK) + PRINT_BLACK
    if ink_rgba is not None:
        height, width = ink_rgba.shape[:2]
        colour = cv2.resize(colour, (width, height), interpolation=cv2.INTER_CUBIC).clip(0, 1)
        cover = ink_rgba[:, :, 3:]
        film = to_linear(ink_rgba[:, :, :3])
        # A dry-erase film filters what is under it (multiply) and scatters a little of its own colour.
        filtered = film * (0.45 + 0.55 * colour / PAPER_WHITE)
        colour = colour * (1 - cover) + filtered * cover
    colour = _worn(colour, card, finish.wear, rng)
    graph = Graph(f"face {seed}")
    base = graph.image(picture(f"face {seed}", colour))
    where = graph.position_mm()
    smudge = graph.noise(where, 0.05, detail=5, roughness=0.6)
    roughness = graph.math("MULTIPLY_ADD", smudge, 0.22, 0.42 - 0.22 * finish.gloss)
    weave = graph.math(
        "MULTIPLY", _wave(graph, where, 0, LINEN_PITCH_MM), _wave(graph, where, 1, LINEN_PITCH_MM)
    )
    relief = graph.bump(weave, LINEN_DEPTH_MM, strength=finish.linen)
    waviness = graph.bump(graph.noise(where, 0.03, detail=1), 0.25, strength=0.35, normal=relief)
    coat: object = 0.25 + 0.75 * finish.gloss
    if ink_rgba is not None:
        film_mask = graph.image(picture(f"film {seed}", ink_rgba[:, :, 3], colour=False))
        waviness = graph.bump(film_mask, 0.02, strength=0.5, normal=waviness)
        roughness = graph.mix(film_mask, roughness, (0.33, 0.33, 0.33))
    coat_roughness: object = graph.math("MULTIPLY_ADD", smudge, 0.12, 0.27 - 0.2 * finish.gloss)
    if mirrors:
        coat, coat_roughness = 1.0, 0.05
    return graph.surface(
        Base_Color=base,
        Roughness=roughness,
        Coat_Weight=coat,
        Coat_Roughness=coat_roughness,
        Coat_IOR=1.45,
        Normal=waviness,
        Coat_Normal=waviness,
        Specular_IOR_Level=0.3,
    )


def sleeve_film(card: SceneCard, ink_rgba: np.ndarray | None, seed: int) -> bpy.types.Material:
    """A sleeve's film: clear or matte plastic that scatters a little light, with the ink on it.

    Parameters
    ----------
    ink_rgba : (h, w, 4) float 0-1 in sRGB over the whole sleeve, or None.
    """
    assert card.sleeve is not None
    clear = card.sleeve.film == "clear"
    border = 2 * card.sleeve.border_mm
    width, height = (round(6 * (side + border)) for side in card.size_mm)
    shape = (height, width) if ink_rgba is None else ink_rgba.shape[:2]
    per_mm = shape[1] / (card.size_mm[0] + border)
    x, y = np.meshgrid(np.arange(shape[1]) + 0.5, np.arange(shape[0]) + 0.5)
    rim = np.minimum(np.minimum(x, shape[1] - x), np.minimum(y, shape[0] - y)) / per_mm
    # what the film scatters, its welded rim, then the ink
    cover = (0.012 if clear else 0.06) + 0.10 * (np.abs(rim - 0.45) < 0.22)
    colour = np.full((*shape, 3), 0.85, np.float32)
    if ink_rgba is not None:
        alpha = ink_rgba[:, :, 3:]
        colour = colour * (1 - alpha) + to_linear(ink_rgba[:, :, :3]) * alpha
        cover = cover + (1 - cover) * alpha[:, :, 0]
    graph = Graph(f"sleeve {seed}")
    where = graph.position_mm()
    waves = graph.noise(where, 0.04, detail=2)
    normal = graph.bump(waves, 0.5, strength=0.5 * card.sleeve.waves)
    scattered = graph.add(
        "ShaderNodeBsdfDiffuse", {"Color": graph.image(picture(f"ink {seed}", colour)), "Normal": normal}
    ).outputs[0]
    through = graph.add("ShaderNodeBsdfTransparent").outputs[0]
    mask = graph.image(picture(f"cover {seed}", cover.astype(np.float32), colour=False))
    body = graph.add("ShaderNodeMixShader", {0: mask, 1: through, 2: scattered}).outputs[0]
    gloss = graph.add(
        "ShaderNodeBsdfGlossy", {"Roughness": 0.05 if clear else 0.38, "Normal": normal}
    ).outputs[0]
    fresnel = graph.add("ShaderNodeFresnel", {"IOR": 1.49, "Normal": normal}).outputs[0]
    # from below it is no boundary of glass: light that the card sends back leaves it unhindered
    below = graph.add("ShaderNodeNewGeometry").outputs["Backfacing"]
    mirrored = graph.math("MULTIPLY", fresnel, graph.math("SUBTRACT", 1.0, below))
    return graph.close(graph.add("ShaderNodeMixShader", {0: mirrored, 1: body, 2: gloss}).outputs[0])


def card_core() -> bpy.types.Material:
    """The cut edge and the underside: uncoated board."""
    return plain("core", (0.72, 0.70, 0.66), 0.8)


def _worn(colour: np.ndarray, card: SceneCard, wear: float, rng: np.random.Generator) -> np.ndarray:
    """Rub the print off along the edge, mostly at the corners."""
    height, width = colour.shape[:2]
    rough = cv2.resize(
        rng.random((height // 6, width // 6)).astype(np.float32),
        (width, height),
        interpolation=cv2.INTER_CUBIC,
    )
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    per_mm = width / card.size_mm[0]
    from_edge = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y)) / per_mm
    rubbed = np.clip(wear * 0.9 * rough - from_edge, 0, 0.25) * 3
    return np.asarray(colour * (1 - rubbed[:, :, None]) + 0.7 * rubbed[:, :, None])


def to_linear(srgb: np.ndarray) -> np.ndarray:
    """sRGB 0-1 as linear light."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def _wave(graph: Graph, where: object, axis: int, pitch_mm: float) -> object:
    """0-1 sine along one axis."""
    along = graph.add("ShaderNodeSeparateXYZ", {0: where}).outputs[axis]
    return graph.math(
        "MULTIPLY_ADD", graph.math("SINE", graph.math("MULTIPLY", along, 2 * np.pi / pitch_mm)), 0.5, 0.5
    )


def table_surface(table: Table) -> bpy.types.Material:
    """The table top's material, drawn from its seed (the play mat's picture is :func:`playmat`)."""
    rng = np.random.default_rng(table.seed)
    makers: dict[str, Callable[[Table, np.random.Generator], bpy.types.Material]] = {
        "wood": _wood,
        "cloth": _cloth,
        "playmat": _wood,
        "white_desk": _white_desk,
        "dark_desk": _dark_desk,
        "checked_cloth": _checked_cloth,
    }
    return makers[table.kind](table, rng)


def _choice(
    designs: Sequence[Design], evening: Sequence[Design], table: Table, rng: np.random.Generator
) -> Design:
    """A design that no other split has, as in ``samples.tables``."""
    own = designs_of(designs, evening, table.seed)
    return own[int(rng.integers(len(own)))]


WOODS = {  # linear dark grain, body, light grain
    "oak": ("#8a5f38", "#b98a58", "#d3ab78"),
    "pine": ("#b98347", "#dcb27a", "#ebcb9a"),
    "walnut": ("#3c2518", "#5c3b26", "#7a5438"),
    "beech": ("#b27a50", "#cf9e74", "#dfb692"),
    "cherry": ("#6d3420", "#964e31", "#b06a48"),
    "grey": ("#6e655b", "#91877b", "#aca294"),
}


def _code(rgb: Sequence[float] | np.ndarray) -> str:
    return "#" + "".join(f"{round(min(value, 255)):02x}" for value in rgb)


#: The evening splits' woods (dark grain, body, light grain) and cloths, as in ``samples.tables``.
EVENING_PLANKS = [
    (_code(np.multiply(dark, 0.8)), _code(np.add(light, dark) / 2), _code(light))
    for light, dark in EVENING_WOODS.values()
]
EVENING_CODES = [_code(rgb) for rgb in EVENING_CLOTHS.values()]


def _hex(code: str) -> tuple[float, ...]:
    return linear([int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def _wood(table: Table, rng: np.random.Generator) -> bpy.types.Material:
    """Planks with grain: noise stretched along the board, rings as a distorted wave, seams between boards."""
    dark, body, light = (_hex(c) for c in _choice(list(WOODS.values()), EVENING_PLANKS, table, rng))
    graph = Graph("wood")
    turn = float(rng.choice([0, 90])) + rng.normal(0, 4)
    where = graph.position_mm(turn_deg=turn, offset=tuple(rng.uniform(-900, 900, 3)))
    x, y, _ = graph.add("ShaderNodeSeparateXYZ", {0: where}).outputs
    plank_mm = float(rng.choice([70, 95, 130, 400]))
    plank = graph.math("FLOOR", graph.math("DIVIDE", y, plank_mm))
    random = graph.add("ShaderNodeTexWhiteNoise", {"W": plank}, noise_dimensions="1D").outputs[0]
    shifted = graph.math("MULTIPLY_ADD", random, 3000.0, x)

    def stretched(along: float, across: float) -> object:
        return graph.add(
            "ShaderNodeCombineXYZ",
            {
                0: graph.math("MULTIPLY", shifted, along),
                1: graph.math("MULTIPLY", y, across),
                2: graph.math("MULTIPLY", random, 50.0),
            },
        ).outputs[0]

    broad = graph.noise(stretched(0.004, 0.05), 1.0, detail=3, distortion=1.2)
    rings = graph.math("PINGPONG", graph.math("MULTIPLY", broad, float(rng.uniform(5, 10))), 1.0)
    fibre = graph.noise(stretched(0.03, 1.6), 1.0, detail=4, roughness=0.65)
    pores = graph.noise(stretched(0.12, 5.0), 1.0, detail=2, roughness=0.6)
    grain = graph.math("ADD", graph.math("MULTIPLY", rings, 0.35), graph.math("MULTIPLY", fibre, 0.75))
    colour = graph.ramp(grain, (0.22, dark), (0.5, body), (0.82, light))
    pore_mask = graph.ramp(pores, (0.34, 1.0), (0.44, 0.0))
    colour = graph.mix(graph.math("MULTIPLY", pore_mask, 0.45), colour, dark)
    tone = graph.math("MULTIPLY_ADD", random, 0.35, 0.8)
    colour = graph.mix(
        1.0, colour, graph.add("ShaderNodeCombineColor", {0: tone, 1: tone, 2: tone}).outputs[0], "MULTIPLY"
    )
    seam = graph.math("PINGPONG", y, plank_mm / 2)
    seam = graph.ramp(graph.math("DIVIDE", seam, 1.6), (0.15, 1.0), (0.6, 0.0))
    colour = graph.mix(graph.math("MULTIPLY", seam, 0.75), colour, (0.02, 0.012, 0.008))
    # Relief is looked up three times a hit: the seams and the pores must do.
    height = graph.math("MULTIPLY", graph.math("ADD", seam, graph.math("MULTIPLY", pore_mask, 0.2)), -1.0)
    varnish = float(rng.uniform(0.0, 0.7))
    roughness = graph.math("MULTIPLY_ADD", fibre, 0.2, float(rng.uniform(0.32, 0.55)))
    return graph.surface(
        Base_Color=colour,
        Roughness=roughness,
        Coat_Weight=varnish,
        Coat_Roughness=0.18,
        Normal=graph.bump(height, 0.15, 0.8),
    )


CLOTHS = ("#27402f", "#1e2f4d", "#6b1f25", "#cfc6b4", "#3a3a3e", "#b9a98c", "#e6e2d8", "#7d8790")


def _cloth(table: Table, rng: np.random.Generator) -> bpy.types.Material:
    """Plain weave, sometimes a checked or striped table cloth; the folds are in the mesh."""
    body = _hex(_choice(CLOTHS, EVENING_CODES, table, rng))
    graph = Graph("cloth")
    where = graph.position_mm(turn_deg=float(rng.uniform(-12, 12)))
    wobble = graph.add("ShaderNodeTexNoise", {"Vector": where, "Scale": 0.05}).outputs["Color"]
    where = graph.add("ShaderNodeVectorMath", {0: where, 1: wobble}, operation="ADD").outputs[0]
    pitch = float(rng.uniform(0.5, 1.1))
    weave = graph.math("ADD", _wave(graph, where, 0, pitch), _wave(graph, where, 1, pitch))
    threads = graph.noise(where, 1.2, detail=3)
    shade = graph.math(
        "ADD", graph.math("MULTIPLY", weave, 0.22), graph.math("MULTIPLY_ADD", threads, 0.6, 0.45)
    )
    colour = graph.mix(
        1.0, body, graph.add("ShaderNodeCombineColor", {0: shade, 1: shade, 2: shade}).outputs[0], "MULTIPLY"
    )
    if rng.random() < 0.35:
        pattern_mm = float(rng.uniform(30, 60))
        stripes = graph.math(
            "ADD",
            graph.math("GREATER_THAN", _wave(graph, where, 0, pattern_mm), 0.5),
            graph.math("GREATER_THAN", _wave(graph, where, 1, pattern_mm), 0.5),
        )
        second = tuple(0.25 + 0.6 * c for c in body)
        colour = graph.mix(graph.math("MULTIPLY", stripes, 0.3), colour, second)
    return graph.surface(
        Base_Color=colour,
        Roughness=0.9,
        Sheen_Weight=0.25,
        Specular_IOR_Level=0.15,
        Normal=graph.bump(weave, 0.12, 0.7),
    )


def _checked_cloth(table: Table, rng: np.random.Generator) -> bpy.types.Material:
    """Gingham: bands of full colour both ways, half where they cross white."""
    body = _hex(_choice(CLOTHS, EVENING_CODES, table, rng))
    dark = tuple(min(1.0, 0.12 / max(sum(body) / 3, 1e-3)) * c for c in body)
    graph = Graph("checked cloth")
    where = graph.position_mm(turn_deg=float(rng.uniform(-12, 12)))
    period = float(rng.uniform(14, 60))
    bands = graph.math(
        "ADD",
        graph.math("GREATER_THAN", _wave(graph, where, 0, period), 0.5),
        graph.math("GREATER_THAN", _wave(graph, where, 1, period), 0.5),
    )
    threads = graph.math("MULTIPLY_ADD", graph.noise(where, 1.2, detail=3), 0.5, 0.7)
    shade = graph.add("ShaderNodeCombineColor", {0: threads, 1: threads, 2: threads}).outputs[0]
    colour = graph.mix(graph.math("MULTIPLY", bands, 0.5), (0.78, 0.77, 0.74), dark)
    weave = graph.math("ADD", _wave(graph, where, 0, 0.8), _wave(graph, where, 1, 0.8))
    return graph.surface(
        Base_Color=graph.mix(1.0, colour, shade, "MULTIPLY"),
        Roughness=0.9,
        Sheen_Weight=0.2,
        Specular_IOR_Level=0.15,
        Normal=graph.bump(weave, 0.12, 0.7),
    )


def _white_desk(table: Table, rng: np.random.Generator) -> bpy.types.Material:
    """Melamine: nearly white, faintly grained, with smears and a few specks."""
    graph = Graph("white desk")
    where = graph.position_mm(offset=tuple(rng.uniform(-900, 900, 3)))
    tint = np.array([0.80, 0.79, 0.765]) * rng.uniform(0.85, 1.02)
    mottle = graph.math("MULTIPLY_ADD", graph.noise(where, 0.012, detail=4), 0.14, 0.92)
    colour = graph.mix(
        1.0,
        tuple(tint),
        graph.add("ShaderNodeCombineColor", {0: mottle, 1: mottle, 2: mottle}).outputs[0],
        "MULTIPLY",
    )
    specks = graph.ramp(graph.noise(where, 0.55, detail=2), (0.74, 0.0), (0.79, 1.0))
    colour = graph.mix(graph.math("MULTIPLY", specks, 0.35), colour, (0.25, 0.22, 0.18))
    smear = graph.noise(where, 0.02, detail=6, roughness=0.65, distortion=0.8)
    return graph.surface(
        Base_Color=colour,
        Roughness=graph.math("MULTIPLY_ADD", smear, 0.35, 0.2),
        Coat_Weight=0.15,
        Coat_Roughness=0.3,
        Normal=graph.bump(graph.noise(where, 2.0, detail=2), 0.01, 0.5),
    )


# Linear: black-brown, graphite, coffee, blue-black.
EVENING_DARK_BODIES = ((0.022, 0.02, 0.018), (0.026, 0.03, 0.034), (0.03, 0.024, 0.02))
DARK_BODIES = ((0.018, 0.016, 0.015), (0.03, 0.033, 0.038), (0.035, 0.022, 0.015), (0.016, 0.02, 0.03))


def _dark_desk(table: Table, rng: np.random.Generator) -> bpy.types.Material:
    """Black-brown or graphite with a satin reflection and dust."""
    graph = Graph("dark desk")
    where = graph.position_mm(offset=tuple(rng.uniform(-900, 900, 3)))
    body = np.array(_choice(DARK_BODIES, EVENING_DARK_BODIES, table, rng))
    along = graph.position_mm(scale=(0.02, 0.7, 1), turn_deg=float(rng.uniform(-3, 3)))
    fibre = graph.noise(along, 1.0, detail=6, roughness=0.6)
    colour = graph.ramp(fibre, (0.3, tuple(body * 0.6)), (0.7, tuple(body * 1.8)))
    dust = graph.ramp(graph.noise(where, 0.9, detail=1), (0.76, 0.0), (0.8, 1.0))
    colour = graph.mix(graph.math("MULTIPLY", dust, 0.3), colour, (0.4, 0.38, 0.35))
    smear = graph.noise(where, 0.015, detail=6, roughness=0.65, distortion=0.6)
    return graph.surface(
        Base_Color=colour,
        Roughness=graph.math("MULTIPLY_ADD", smear, 0.3, 0.16),
        Coat_Weight=float(rng.uniform(0, 0.6)),
        Coat_Roughness=0.1,
        Normal=graph.bump(fibre, 0.03, 0.6),
    )


def playmat(seed: int) -> bpy.types.Material:
    """A neoprene mat with a printed landscape: bands of colour, contour lines, a frame."""
    rng = np.random.default_rng(seed)
    height, width = 1400, 2400
    field = np.zeros((height, width), np.float32)
    for size, weight in ((4, 1.0), (9, 0.5), (20, 0.25), (60, 0.1)):
        coarse = rng.random((size, size * 2)).astype(np.float32)
        field += weight * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    field = (field - field.min()) / np.ptp(field)
    hue = rng.random()
    steps = np.linspace(0, 1, 6)
    wheel = np.stack(
        [0.5 + 0.5 * np.cos(2 * np.pi * (hue + shift + 0.3 * steps)) for shift in (0, 0.33, 0.67)], axis=-1
    )
    greyed = wheel.mean(axis=1, keepdims=True) + rng.uniform(0.2, 0.6) * (
        wheel - wheel.mean(axis=1, keepdims=True)
    )
    palette = greyed * np.linspace(0.35, 1.0, 6)[:, None] * rng.uniform(0.5, 0.9)
    print_ = np.stack([np.interp(field, steps, palette[:, c]) for c in range(3)], axis=-1)
    lines = np.abs((field * 14) % 1 - 0.5) > 0.47
    print_[lines] *= 0.6
    for inset, thick in ((60, 10), (84, 3)):
        cv2.rectangle(
            print_,
            (inset, inset),
            (width - inset, height - inset),
            tuple(float(c) for c in palette[-1]),
            thick,
        )
    graph = Graph("play mat")
    where = graph.position_mm()
    weave = graph.math("ADD", _wave(graph, where, 0, 0.4), _wave(graph, where, 1, 0.4))
    return graph.surface(
        Base_Color=graph.image(picture("mat", to_linear(print_.clip(0, 1)))),
        Roughness=0.85,
        Sheen_Weight=0.15,
        Specular_IOR_Level=0.2,
        Normal=graph.bump(weave, 0.04, 0.6),
    )
