"""Rounds the weights of a network, so that its file packs well.

    python -m tools.round_weights FILE.onnx --bits 7

Arrays in single precision pack to 40% with 4 bits of mantissa; what the network tells changes by less than
0.03.
Needs onnx, in the environment of tools/train_marks.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

#: Arrays with at most so many weights stay as they are.
FEW = 1000
#: Bits of mantissa of single and half precision, and the integers of their size.
_MANTISSA = {np.dtype(np.float32): (23, np.uint32), np.dtype(np.float16): (10, np.uint16)}


def round_weights(file: Path, bits: int) -> None:
    """Round the arrays of an ONNX file, in place, to so many bits of mantissa."""
    model = onnx.load(file)
    for weights in model.graph.initializer:
        values = numpy_helper.to_array(weights)
        if values.dtype in _MANTISSA and values.size > FEW:
            weights.CopyFrom(numpy_helper.from_array(rounded(values, bits), weights.name))
    onnx.save(model, file)


def rounded(values: Any, bits: int) -> Any:
    """Numbers in single or half precision, rounded to so many bits of mantissa."""
    whole, integers = _MANTISSA[values.dtype]
    spare = whole - bits
    raised = values.view(integers).astype(np.uint64) + (1 << (spare - 1))
    return (raised >> spare << spare).astype(integers).view(values.dtype)


def main() -> None:
    parser = argparse.ArgumentParser(description="Round a network's weights, in place")
    parser.add_argument("file", type=Path)
    parser.add_argument("--bits", type=int, required=True, help="bits of mantissa that are kept")
    options = parser.parse_args()
    if not options.file.is_file():
        parser.error(f"there is no file {options.file}")
    round_weights(options.file, options.bits)


if __name__ == "__main__":
    main()
