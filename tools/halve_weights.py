"""Keep a network's weights in half precision: half the file, the same answers to three digits.

    python3.11 -m venv out/torch && out/torch/bin/pip install -r tools/train_marks.txt
    out/torch/bin/python tools/halve_weights.py ch_PP-OCRv4_det_infer.onnx vision/text_places.onnx
    out/torch/bin/python tools/halve_weights.py ch_PP-OCRv4_rec_infer.onnx vision/text_net.onnx

Both networks are in the wheel of rapidocr-onnxruntime 1.4.4 (`pip download --no-deps`), below `models/`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

#: Smaller tensors are shapes, scales and biases.
LEAST_WEIGHTS = 256


def halve(source: Path, target: Path) -> None:
    """Write the network of `source` to `target`; each large tensor is stored in half precision and cast back
    as it is loaded."""
    network = onnx.load(source)
    graph = network.graph
    kept: list[Any] = []
    casts: list[Any] = []

    def store(name: str, weights: np.ndarray) -> None:
        kept.append(numpy_helper.from_array(weights.astype(np.float16), f"{name}_half"))
        casts.append(helper.make_node("Cast", [f"{name}_half"], [name], f"cast_{name}", to=TensorProto.FLOAT))

    for tensor in graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if weights.dtype == np.float32 and weights.size > LEAST_WEIGHTS:
            store(tensor.name, weights)
        else:
            kept.append(tensor)
    nodes = []
    for node in graph.node:
        values = (
            [each.t for each in node.attribute if each.name == "value"] if node.op_type == "Constant" else []
        )
        weights = numpy_helper.to_array(values[0]) if values else np.zeros(0)
        if weights.dtype == np.float32 and weights.size > LEAST_WEIGHTS:
            store(node.output[0], weights)
        else:
            nodes.append(node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend([*casts, *nodes])
    onnx.save(network, target)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    asked = parser.parse_args()
    halve(asked.source, asked.target)


if __name__ == "__main__":
    main()
