"""A few words for writing Blender shader graphs as expressions."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np


class Graph:
    """The node tree of one material: every method adds a node and returns its output socket."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()

    def add(self, kind: str, inputs: dict[str | int, Any] | None = None, **settings: Any) -> bpy.types.Node:
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for key, value in (inputs or {}).items():
            self.feed(node.inputs[key], value)
        return node

    def feed(self, socket: bpy.types.NodeSocket, value: Any) -> None:
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        elif socket.type == "RGBA" and len(value) == 3:
            socket.default_value = (*value, 1.0)
        else:
            socket.default_value = value

    def math(self, operation: str, *values: Any) -> Any:
        return self.add("ShaderNodeMath", dict(enumerate(values)), operation=operation).outputs[0]

    def mix(self, factor: Any, first: Any, second: Any, blend: str = "MIX") -> Any:
        node = self.add("ShaderNodeMix", data_type="RGBA", blend_type=blend)
        for socket, value in zip(
            (node.inputs[0], node.inputs[6], node.inputs[7]), (factor, first, second), strict=True
        ):
            self.feed(socket, value)
        return node.outputs[2]

    def ramp(self, factor: Any, *stops: tuple[float, Any]) -> Any:
        node = self.add("ShaderNodeValToRGB", {0: factor})
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops, strict=True):
            grey = isinstance(colour, (int, float))
            element.position, element.color = position, (colour,) * 3 + (1,) if grey else (*colour, 1)
        return node.outputs[0]

    def position_mm(
        self,
        scale: tuple[float, float, float] = (1, 1, 1),
        offset: tuple[float, float, float] = (0, 0, 0),
        turn_deg: float = 0.0,
    ) -> Any:
        """Object coordinates in millimetres, turned, scaled and shifted."""
        where = self.add("ShaderNodeTexCoord").outputs["Object"]
        mapped = self.add(
            "ShaderNodeMapping",
            {
                "Vector": where,
                "Rotation": (0, 0, np.radians(turn_deg)),
                "Scale": tuple(100 * s for s in scale),
                "Location": offset,
            },
        )
        return mapped.outputs[0]

    def noise(
        self, vector: Any, scale: float, detail: float = 4.0, roughness: float = 0.5, distortion: float = 0.0
    ) -> Any:
        node = self.add(
            "ShaderNodeTexNoise",
            {
                "Vector": vector,
                "Scale": scale,
                "Detail": detail,
                "Roughness": roughness,
                "Distortion": distortion,
            },
        )
        return node.outputs[0]

    def image(self, picture: bpy.types.Image, vector: Any = None) -> Any:
        inputs: dict[str | int, Any] = {} if vector is None else {"Vector": vector}
        return self.add(
            "ShaderNodeTexImage", inputs, image=picture, interpolation="Cubic", extension="EXTEND"
        ).outputs[0]

    def bump(self, height: Any, distance_mm: float, strength: float = 1.0, normal: Any = None) -> Any:
        inputs: dict[str | int, Any] = {"Height": height, "Distance": distance_mm / 100, "Strength": strength}
        if normal is not None:
            inputs["Normal"] = normal
        return self.add("ShaderNodeBump", inputs).outputs[0]

    def surface(self, **inputs: Any) -> bpy.types.Material:
        """Close the graph with a Principled BSDF; names with underscores for spaces."""
        shader = self.add(
            "ShaderNodeBsdfPrincipled", {name.replace("_", " "): value for name, value in inputs.items()}
        )
        return self.close(shader.outputs[0])

    def close(self, shader: Any) -> bpy.types.Material:
        self.add("ShaderNodeOutputMaterial", {"Surface": shader})
        return self.material


def plain(name: str, colour: Any, roughness: float = 0.5, **inputs: Any) -> bpy.types.Material:
    """One colour (linear RGB)."""
    return Graph(name).surface(Base_Color=tuple(colour), Roughness=roughness, **inputs)


def linear(colour: Any) -> tuple[float, ...]:
    """sRGB 0-1 -> linear RGB."""
    values = np.asarray(colour, dtype=float)
    return tuple(np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4).tolist())


def picture(name: str, pixels: np.ndarray, *, colour: bool = True) -> bpy.types.Image:
    """A Blender image from (H, W) or (H, W, 3) float: linear RGB when ``colour``, else plain data."""
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[:, :, None], 3, axis=2)
    height, width = pixels.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=True, is_data=not colour)
    if colour:
        image.colorspace_settings.name = "Linear Rec.709"
    full = np.ones((height, width, 4), dtype=np.float32)
    full[:, :, :3] = pixels[::-1]
    image.pixels.foreach_set(full.ravel())
    image.update()
    return image
