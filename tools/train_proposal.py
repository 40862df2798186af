"""Trains the network that proposes dungeons (`calibration.enrol.propose.parts`) from examples that
`tools.proposal_examples` wrote.

Needs torch and onnx, as tools/train_marks.py does, in the same environment of its own:

    out/torch/bin/python tools/train_proposal.py --examples out/proposal --out
    calibration/enrol/propose/parts.onnx

The last hundred examples are kept back; their figures are printed as it goes. Ends after `--minutes` of
processor time: a quarter of an hour on one core is enough.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

PARTS, SCALE = 8, 2
#: Faint parts count more than the ground between them; rooms and floors are wide as they are.
WEIGHTS = (4.0, 6.0, 1.5, 8.0, 8.0, 10.0, 10.0, 1.0)
HELD_BACK = 100


def _step(inside: int, outside: int, size: int = 3, stride: int = 1, spread: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, spread * (size // 2), spread, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Network(nn.Module):  # type: ignore[misc]
    """(N, 3, H, W) card to log-odds (N, 4 * 8, H/2, W/2), four neighbours of each of eight parts, and what
    they are told from: (N, 32, H/2, W/2)."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(_step(3, 32, 5, 2), _step(32, 32))
        self.middle = nn.Sequential(_step(32, 48, 3, 2), _step(48, 48))
        self.far = nn.Sequential(
            _step(48, 48, 3, 2),
            _step(48, 48),
            _step(48, 48, spread=2),
            _step(48, 48, spread=4),
            _step(48, 48),
        )
        self.back = nn.Sequential(_step(96, 48), _step(48, 48))
        self.out = nn.Sequential(_step(80, 32), _step(32, 32))
        self.head = nn.Conv2d(32, 4 * PARTS, 1)

    def forward(self, card: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        near = self.near(card)
        middle = self.middle(near)
        far = functional.interpolate(self.far(middle), scale_factor=2.0, mode="bilinear")
        back = functional.interpolate(
            self.back(torch.cat([far, middle], 1)), scale_factor=2.0, mode="bilinear"
        )
        told = self.out(torch.cat([back, near], 1))
        return self.head(told), told


def varied(cards: torch.Tensor, parts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Augmented examples: mirrored, with colour channels permuted, mixed and inverted."""
    if torch.rand(()) < 0.5:
        cards, parts = cards.flip(3), parts.flip(3)
    if torch.rand(()) < 0.5:
        cards, parts = cards.flip(2), parts.flip(2)
    count = len(cards)
    order = torch.stack([torch.randperm(3) for _ in range(count)])
    cards = torch.gather(cards, 1, order[:, :, None, None].expand_as(cards))
    turned = (torch.rand(count, 1, 1, 1) < 0.2).float()
    cards = cards * (1 - turned) + (1 - cards) * turned
    gain, lift = torch.exp(0.25 * torch.randn(count, 3, 1, 1)), 0.12 * torch.randn(count, 3, 1, 1)
    cards = (cards - 0.5) * gain + 0.5 + lift
    return cards + 0.02 * torch.randn_like(cards), parts


def loss_of(odds: torch.Tensor, parts: torch.Tensor) -> torch.Tensor:
    wanted = functional.pixel_unshuffle(parts, SCALE)
    weights = torch.tensor(WEIGHTS).repeat_interleave(4)[None, :, None, None]
    told = functional.binary_cross_entropy_with_logits(odds, wanted, reduction="none")
    return (told * (1 + (weights - 1) * wanted)).mean()


def figures(net: nn.Module, cards: torch.Tensor, parts: torch.Tensor) -> str:
    """Recall and precision of each part."""
    net.eval()
    with torch.no_grad():
        odds = torch.cat([net(part.float() / 255)[0] for part in torch.split(cards, 20)])
    read = torch.sigmoid(functional.pixel_shuffle(odds, SCALE)) > 0.5
    true = parts > 127
    both = (read & true).sum((0, 2, 3))
    words = [
        f"{2 * b / (r + t).clamp(min=1):.3f}"
        for b, r, t in zip(both, read.sum((0, 2, 3)), true.sum((0, 2, 3)), strict=True)
    ]
    net.train()
    return f"loss {loss_of(odds, parts.float() / 255).item():.4f}, F1 " + " ".join(words)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the network that proposes dungeons")
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--resume", type=Path, help="weights (.pt) to go on from")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    files = sorted(options.examples.glob("*.npz"))
    cards = (
        torch.from_numpy(np.concatenate([np.load(file)["cards"] for file in files]))
        .permute(0, 3, 1, 2)
        .contiguous()
    )
    parts = torch.from_numpy(np.concatenate([np.load(file)["parts"] for file in files]))
    kept_cards, kept_parts = cards[-HELD_BACK:], parts[-HELD_BACK:]
    cards, parts = cards[:-HELD_BACK], parts[:-HELD_BACK]
    net = Network().to(memory_format=torch.channels_last)
    if options.resume:
        net.load_state_dict(torch.load(options.resume))
    optimizer = torch.optim.AdamW(net.parameters(), options.rate, weight_decay=0.01)
    print(f"{len(cards)} examples, {sum(p.numel() for p in net.parameters())} weights", flush=True)
    start, told, number = time.process_time(), 0.0, 0
    order = torch.randperm(len(cards))
    while (spent := (time.process_time() - start) / (60 * options.minutes)) < 1:
        # slowly up, then down to nothing as the time runs out
        for group in optimizer.param_groups:
            group["lr"] = (
                options.rate * min(1.0, number / 100 + 0.02) * (0.5 + 0.5 * float(np.cos(np.pi * spent)))
            )
        at = (number * options.batch) % (len(cards) - options.batch)
        if at < options.batch:
            order = torch.randperm(len(cards))
        chosen = order[at : at + options.batch]
        seen, wanted = varied(cards[chosen].float() / 255, parts[chosen].float() / 255)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            odds, _ = net(seen.contiguous(memory_format=torch.channels_last))
        loss = loss_of(odds.float(), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        number += 1
        if spent - told > 0.1:
            told = spent
            print(
                f"{number}: {loss.item():.4f}, kept {figures(net, kept_cards, kept_parts)}, {spent:.0%}",
                flush=True,
            )
            torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    print(f"{number}: kept {figures(net, kept_cards, kept_parts)}", flush=True)
    torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 176, 128),),
        str(options.out),
        input_names=["card"],
        output_names=["parts", "features"],
        dynamic_axes={name: {2: "rows", 3: "columns"} for name in ("card", "parts", "features")},
        opset_version=13,
        dynamo=False,
    )


if __name__ == "__main__":
    main()
