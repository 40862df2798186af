"""Trains the network that proposes dungeons (`calibration.enrol.propose.parts`) from examples that
`tools.proposal_examples` wrote.

Needs torch and onnx, as tools/train_marks.py does, in the same environment of its own:

    out/torch/bin/python -m tools.train_proposal --examples out/proposal --state out/proposal.pt --minutes 60
    out/torch/bin/python -m tools.train_proposal --state out/proposal.pt --export
    calibration/enrol/propose/parts.onnx

The first command can be stopped and given again: it goes on from the state file, which is written every two
minutes. The learning rate falls over `--minutes` of processor time, counted over all runs. The last file of
examples is kept back; its figures are printed as it goes. A night on two cores is more than enough.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tools.round_weights import round_weights

PARTS, SCALE = 8, 2
#: Faint parts count more than the ground between them; rooms and floors are wide as they are.
WEIGHTS = (4.0, 6.0, 1.5, 8.0, 8.0, 10.0, 10.0, 1.0)
#: Doors, finds and stairs cover few pixels: at first they count this many times more, at last no more.
SPOTS, SPOTS_AT_FIRST = (3, 4, 5, 6), 4.0
#: Bits of mantissa of the stored weights.
MANTISSA_BITS = 4
#: The state is saved after so many seconds of processor time.
SAVED_EVERY_S = 120.0


def _conv(inside: int, outside: int, size: int = 3, stride: int = 1, spread: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, spread * (size // 2), spread, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):  # type: ignore[misc]
    """Two convolutions whose result is added to what they see."""

    def __init__(self, width: int, spread: int = 1) -> None:
        super().__init__()
        self.first = _conv(width, width, spread=spread)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, spread, spread, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return functional.relu(seen + self.second(self.first(seen)))


def _twice(maps: torch.Tensor) -> torch.Tensor:
    return functional.interpolate(maps, scale_factor=2.0, mode="bilinear")


class Network(nn.Module):  # type: ignore[misc]
    """U-Net (Ronneberger and others 2015): (N, 3, 2H, 2W) card to log-odds (N, 4 * 8, H/2, W/2), four
    neighbours of each of eight parts, and the features they are told from: (N, 48, H/2, W/2)."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(_conv(3, 12, 5, 2), _conv(12, 12))
        self.halved = nn.Sequential(_conv(12, 32, 3, 2), Residual(32))
        self.quartered = nn.Sequential(_conv(32, 64, 3, 2), Residual(64), Residual(64))
        self.eighthed = nn.Sequential(_conv(64, 80, 3, 2), Residual(80), Residual(80, 2))
        self.whole = nn.Sequential(_conv(80, 96, 3, 2), Residual(96, 2), Residual(96, 4))
        self.up_eighth = _conv(96 + 80, 80)
        self.up_quarter = nn.Sequential(_conv(80 + 64, 64), Residual(64))
        self.up_half = _conv(64 + 32, 48)
        self.features = _conv(48 + 4 * 12, 48)
        self.head = nn.Conv2d(48, 4 * PARTS, 1)

    def forward(self, card: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        near = self.near(card)
        half = self.halved(near)
        quarter = self.quartered(half)
        eighth = self.eighthed(quarter)
        up = self.up_eighth(torch.cat([_twice(self.whole(eighth)), eighth], 1))
        up = self.up_quarter(torch.cat([_twice(up), quarter], 1))
        up = self.up_half(torch.cat([_twice(up), half], 1))
        # four neighbours of the finest features, in the layout of the output
        fine = torch.cat([near[:, :, i::2, j::2] for i in (0, 1) for j in (0, 1)], 1)
        features = self.features(torch.cat([up, fine], 1))
        return self.head(features), features


def varied(cards: torch.Tensor, parts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Augmented examples: mirrored, with colour channels permuted, mixed and inverted, with holes."""
    for axis in (2, 3):
        if torch.rand(()) < 0.5:
            cards, parts = cards.flip(axis), parts.flip(axis)
    count = len(cards)
    order = torch.stack([torch.randperm(3) for _ in range(count)])
    cards = torch.gather(cards, 1, order[:, :, None, None].expand_as(cards))
    turned = (torch.rand(count, 1, 1, 1) < 0.2).float()
    cards = cards * (1 - turned) + (1 - cards) * turned
    gain, lift = torch.exp(0.25 * torch.randn(count, 3, 1, 1)), 0.12 * torch.randn(count, 3, 1, 1)
    cards = (cards - 0.5) * gain + 0.5 + lift
    return cards + 0.02 * torch.randn_like(cards), parts


def loss_of(odds: torch.Tensor, parts: torch.Tensor, spent: float = 1.0) -> torch.Tensor:
    """Weighted cross entropy; `spent` is the share of the training that is done."""
    wanted = functional.pixel_unshuffle(parts, SCALE)
    weights = torch.tensor(WEIGHTS)
    weights[list(SPOTS)] *= SPOTS_AT_FIRST ** (1 - spent)
    weights = weights.repeat_interleave(4)[None, :, None, None]
    told = functional.binary_cross_entropy_with_logits(odds, wanted, reduction="none")
    return (told * (1 + (weights - 1) * wanted)).mean()


def figures(net: nn.Module, file: Path) -> str:
    """Loss and the F1 of each part on a file of examples."""
    cards, parts = loaded(file)
    net.eval()
    with torch.no_grad():
        odds = torch.cat([net(part.float() / 255)[0] for part in torch.split(cards, 10)])
    net.train()
    read = torch.sigmoid(functional.pixel_shuffle(odds, SCALE)) > 0.5
    true = parts > 127
    both, either = (read & true).sum((0, 2, 3)), read.sum((0, 2, 3)) + true.sum((0, 2, 3))
    words = [f"{2 * b / e.clamp(min=1):.3f}" for b, e in zip(both, either, strict=True)]
    return f"loss {loss_of(odds, parts.float() / 255).item():.4f}, F1 " + " ".join(words)


def loaded(file: Path) -> tuple[torch.Tensor, torch.Tensor]:
    """Cards (N, 3, 2H, 2W) and parts (N, 8, H, W) uint8 of a file."""
    kept = np.load(file)
    return torch.from_numpy(kept["cards"]).permute(0, 3, 1, 2).contiguous(), torch.from_numpy(kept["parts"])


def train(options: argparse.Namespace, net: nn.Module, state: dict[str, Any]) -> None:
    """Go on until the processor time is spent; the state is saved as it goes."""
    optimizer = torch.optim.AdamW(net.parameters(), options.rate, weight_decay=0.01)
    if "optimizer" in state:
        optimizer.load_state_dict(state["optimizer"])
    before, number = state.get("seconds", 0.0), state.get("number", 0)
    start, saved = time.process_time(), time.process_time()
    cache: dict[Path, tuple[torch.Tensor, torch.Tensor]] = {}
    running: list[float] = []
    while (spent := (time.process_time() - start + before) / (60 * options.minutes)) < 1:
        # files that are still being drawn are taken in as they come
        files = sorted(path for path in options.examples.glob("*.npz") if ".tmp" not in path.name)
        chosen = files[int(torch.randint(max(1, len(files) - 1), ()))]
        if chosen not in cache:
            cache[chosen] = loaded(chosen)
        cards, parts = cache[chosen]
        for picked in torch.split(torch.randperm(len(cards))[: 8 * options.batch], options.batch):
            # slowly up, then down to nothing as the time runs out
            for group in optimizer.param_groups:
                group["lr"] = (
                    options.rate * min(1.0, number / 200 + 0.02) * (0.5 + 0.5 * float(np.cos(np.pi * spent)))
                )
            seen, wanted = varied(cards[picked].float() / 255, parts[picked].float() / 255)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                odds, _ = net(seen.contiguous(memory_format=torch.channels_last))
            loss = loss_of(odds.float(), wanted, spent)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            number += 1
            running.append(loss.item())
        if time.process_time() - saved > SAVED_EVERY_S:
            saved = time.process_time()
            kept = {
                "net": net.state_dict(),
                "optimizer": optimizer.state_dict(),
                "seconds": saved - start + before,
                "number": number,
            }
            torch.save(kept, options.state.with_suffix(".tmp"))
            options.state.with_suffix(".tmp").replace(options.state)
            told = f"{number}: {np.mean(running):.4f}, kept {figures(net, files[-1])}, {spent:.0%}"
            print(f"{told}, {len(files)} files", flush=True)
            running = []
    kept = {"net": net.state_dict(), "seconds": 60 * options.minutes, "number": number}
    torch.save({**kept, "optimizer": optimizer.state_dict()}, options.state)


def exported(net: nn.Module, file: Path) -> None:
    """Write the network as ONNX, for cards of any size."""
    net.eval()
    axes = {name: {2: "rows", 3: "columns"} for name in ("card", "parts", "features")}
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 352, 256),),
        str(file),
        input_names=["card"],
        output_names=["parts", "features"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )
    round_weights(file, MANTISSA_BITS)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the network that proposes dungeons")
    parser.add_argument("--examples", type=Path)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--export", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(options.threads)
    net = Network().to(memory_format=torch.channels_last)
    state = torch.load(options.state) if options.state.exists() else {}
    if "net" in state:
        net.load_state_dict(state["net"])
    if options.export:
        exported(net, options.export)
        return
    print(f"{sum(p.numel() for p in net.parameters())} weights", flush=True)
    train(options, net, state)


if __name__ == "__main__":
    main()
