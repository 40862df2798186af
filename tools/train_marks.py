"""Trains the network that tells marks (`vision.marks`) from examples that `tools.mark_examples` wrote.

Needs torch and onnx, which nothing else here does; so it has an environment of its own:

    python3.11 -m venv out/torch && out/torch/bin/pip install -r tools/train_marks.txt
    out/torch/bin/python tools/train_marks.py --examples out/marks --out vision/mark_net.onnx

Every tenth table is kept back; its figures are printed after each round.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

#: As in `vision.marks`, which is not imported: it asks for what the project's environment has.
SIDE, CHANNELS, WIDE_SIDE = 40, 7, 56
HELD_BACK = 10
#: Examples are seen turned a little (degrees), larger or smaller, and moved (shares of the crop); so many as
#: if light ink lay on dark print.
TURN_DEG, GROWTH, SHIFT, LIGHT_PENS = 12.0, 0.16, 0.035, 0.12


def network() -> nn.Sequential:
    """(N, 7, 40, 40) to (N, 2): log-odds that the find is circled, and that it is struck through."""

    def step(inside: int, outside: int, size: int, stride: int) -> list[nn.Module]:
        return [
            nn.Conv2d(inside, outside, size, stride, size // 2, bias=False),
            nn.BatchNorm2d(outside),
            nn.ReLU(inplace=True),
        ]

    return nn.Sequential(
        *step(CHANNELS, 24, 5, 2),
        *step(24, 32, 3, 2),
        *step(32, 48, 3, 1),
        *step(48, 64, 3, 2),
        *step(64, 64, 3, 1),
        *step(64, 24, 1, 1),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(24 * 5 * 5, 48),
        nn.ReLU(inplace=True),
        nn.Linear(48, 2),
    )


def looked_at(wide: torch.Tensor, *, varied: bool) -> torch.Tensor:
    """Central crops (N, 7, 40, 40) of wider crops. `varied`: with random augmentation of photo, pen and
    deck."""
    count = len(wide)
    share = SIDE / WIDE_SIDE
    if not varied:
        edge = (WIDE_SIDE - SIDE) // 2
        return wide[:, :, edge:-edge, edge:-edge]
    turn = torch.randn(count) * math.radians(TURN_DEG) + torch.randint(4, (count,)) * (math.pi / 2)
    scale = share * torch.exp(torch.randn(count) * GROWTH).clamp(0.7, 1.38)
    flip = torch.where(torch.rand(count) < 0.5, -1.0, 1.0)
    cos, sin = torch.cos(turn) * scale, torch.sin(turn) * scale
    shift = torch.randn(count, 2) * SHIFT
    rows = [torch.stack([cos * flip, -sin, shift[:, 0]], 1), torch.stack([sin * flip, cos, shift[:, 1]], 1)]
    grid = functional.affine_grid(torch.stack(rows, 1), [count, CHANNELS, SIDE, SIDE], align_corners=False)
    seen = functional.grid_sample(wide, grid, align_corners=False)
    # any pen: the colours change places
    order = torch.stack([torch.randperm(3) for _ in range(count)])
    colours = torch.gather(seen[:, :3], 1, order[:, :, None, None].expand(-1, -1, SIDE, SIDE))
    # a light pen on dark print
    ground, light = seen[:, 3:4], torch.where(torch.rand(count, 1, 1, 1) < LIGHT_PENS, -1.0, 1.0)
    colours, ground = colours * light, torch.where(seen[:, 6:7] > 0, ground * light, ground)
    colours = colours * torch.exp(0.15 * torch.randn(count, 1, 1, 1))
    colours = colours + 0.06 * torch.rand(count, 1, 1, 1) * torch.randn_like(colours)
    rest = torch.cat([ground, seen[:, 4:]], 1) * torch.exp(0.1 * torch.randn(count, CHANNELS - 3, 1, 1))
    return torch.cat([colours, rest], 1)


def load(folder: Path) -> tuple[torch.Tensor, torch.Tensor, np.ndarray[Any, Any]]:
    """Crops (N, 7, 56, 56) int8, labels (N, 2) and table indices (N,) of a folder of examples."""
    parts = [np.load(file) for file in sorted(folder.glob("*.npz"))]
    crops = torch.from_numpy(np.concatenate([part["crops"] for part in parts]))
    told = torch.from_numpy(np.concatenate([part["told"] for part in parts]).astype(np.float32))
    return crops, told, np.concatenate([part["index"] for part in parts])


def figures(net: nn.Module, crops: torch.Tensor, told: torch.Tensor) -> str:
    """F1 scores of circles and of strikes, and the loss."""
    net.eval()
    with torch.no_grad():
        answers = torch.cat(
            [net(looked_at(part.float() / 100, varied=False)) for part in torch.split(crops, 1024)]
        )
    loss = float(functional.binary_cross_entropy_with_logits(answers, told))
    words = [f"loss {loss:.4f}"]
    for k, name in enumerate(("circled", "struck")):
        read, true = answers[:, k] > 0, told[:, k] > 0.5
        both, missed, false = (int(x.sum()) for x in (read & true, ~read & true, read & ~true))
        words.append(f"{name} F1 {2 * both / max(2 * both + missed + false, 1):.4f} (-{missed} +{false})")
    return ", ".join(words)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the network that tells marks")
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=14)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--resume", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(options.threads)
    crops, told, index = load(options.examples)
    kept = torch.from_numpy(index % HELD_BACK == 0)
    some = torch.nonzero(~kept)[:, 0]
    net = network()
    if options.resume:
        net.load_state_dict(torch.load(options.resume))
    batches = len(some) // 128
    optimizer = torch.optim.AdamW(net.parameters(), options.rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, options.rate, total_steps=options.rounds * batches, pct_start=0.15
    )
    print(f"{len(some)} examples, {sum(p.numel() for p in net.parameters())} weights", flush=True)
    for number in range(options.rounds):
        start = time.process_time()
        net.train()
        order = some[torch.randperm(len(some))]
        for k in range(batches):
            chosen = order[128 * k : 128 * (k + 1)]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                answers = net(looked_at(crops[chosen].float() / 100, varied=True))
            loss = functional.binary_cross_entropy_with_logits(answers.float(), 0.99 * told[chosen] + 0.005)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        took = time.process_time() - start
        print(f"{number + 1}: {figures(net, crops[kept], told[kept])}, {took:.0f} s", flush=True)
        torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, CHANNELS, SIDE, SIDE),),
        str(options.out),
        input_names=["crops"],
        output_names=["marks"],
        dynamic_axes={"crops": {0: "count"}, "marks": {0: "count"}},
        opset_version=13,
        dynamo=False,
    )


if __name__ == "__main__":
    main()
