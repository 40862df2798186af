"""Trains the network that sees card outlines (`vision.outlines.outline_net`) from examples of
`tools.outline_examples`.

Needs torch and onnx, in an environment of its own (docs/architecture/enrolment.md):

    out/torch/bin/python -m tools.train_outlines --examples out/outlines --out vision/outlines/outlines.onnx

Parts of the examples (`part*.npz`) that are written while it runs are taken in. `--resume FILE.pt` goes on
from weights. The file `kept.npz` is kept back; its figures are printed. Ends after `--minutes` of processor
time.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tools.round_weights import round_weights

#: Maps: inside of a card, side of a card, core of a card; and the weight of a pixel in them.
MAPS = 3
WEIGHTS = (1.0, 4.0, 2.0)
#: Bits of mantissa of the stored weights.
MANTISSA_BITS = 5
#: Optimizer steps after which new parts of the examples are looked for.
LOOK_AGAIN = 60


def _step(inside: int, outside: int, size: int = 3, stride: int = 1, spread: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, spread * (size // 2), spread, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Network(nn.Module):  # type: ignore[misc]
    """(N, 3, H, W) photo, 0 to 1, to log-odds (N, 3, H/2, W/2) of the maps. H and W are multiples of 16."""

    def __init__(self) -> None:
        super().__init__()
        self.near = _step(3, 16, 5, 2)
        self.middle = nn.Sequential(_step(16, 32, 3, 2), _step(32, 32))
        self.far = nn.Sequential(_step(32, 56, 3, 2), _step(56, 56))
        self.farthest = nn.Sequential(
            _step(56, 72, 3, 2), _step(72, 72, spread=2), _step(72, 72, spread=4), _step(72, 72)
        )
        self.back = nn.Sequential(_step(128, 56), _step(56, 56))
        self.nearer = nn.Sequential(_step(88, 40), _step(40, 40))
        self.head = nn.Conv2d(40, 4 * MAPS, 1)

    def forward(self, photo: torch.Tensor) -> torch.Tensor:
        middle = self.middle(self.near(photo - 0.5))
        far = self.far(middle)
        told = self.back(torch.cat([_larger(self.farthest(far)), far], 1))
        told = self.nearer(torch.cat([_larger(told), middle], 1))
        return functional.pixel_shuffle(self.head(told), 2)


def _larger(maps: torch.Tensor) -> torch.Tensor:
    return functional.interpolate(maps, scale_factor=2.0, mode="bilinear")


def varied(photos: torch.Tensor, maps: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Augmented examples: mirrored, turned, with colour channels permuted, mixed and inverted."""
    for axis in (2, 3):
        if torch.rand(()) < 0.5:
            photos, maps = photos.flip(axis), maps.flip(axis)
    if torch.rand(()) < 0.5:
        photos, maps = photos.transpose(2, 3), maps.transpose(2, 3)
    count = len(photos)
    order = torch.stack([torch.randperm(3) for _ in range(count)])
    photos = torch.gather(photos, 1, order[:, :, None, None].expand_as(photos))
    turned = (torch.rand(count, 1, 1, 1) < 0.1).float()
    photos = photos * (1 - turned) + (1 - photos) * turned
    gain, lift = torch.exp(0.15 * torch.randn(count, 3, 1, 1)), 0.06 * torch.randn(count, 1, 1, 1)
    return ((photos - 0.5) * gain + 0.5 + lift).clamp(0, 1), maps


def loss_of(odds: torch.Tensor, maps: torch.Tensor) -> torch.Tensor:
    weights = torch.tensor(WEIGHTS)[None, :, None, None]
    told = functional.binary_cross_entropy_with_logits(odds, maps, reduction="none")
    return (told * (1 + (weights - 1) * maps)).mean()


def figures(net: nn.Module, photos: torch.Tensor, maps: torch.Tensor) -> str:
    """Loss and F1 score of each map."""
    net.eval()
    with torch.no_grad():
        odds = torch.cat([net(part.float() / 255) for part in torch.split(photos, 8)])
    net.train()
    read, true = odds > 0, maps > 127
    both = (read & true).sum((0, 2, 3))
    scores = 2 * both / (read.sum((0, 2, 3)) + true.sum((0, 2, 3))).clamp(min=1)
    words = " ".join(f"{float(each):.3f}" for each in scores)
    return f"loss {loss_of(odds, maps.float() / 255).item():.4f}, F1 {words}"


def load(file: Path) -> tuple[torch.Tensor, torch.Tensor]:
    with np.load(file) as part:
        photos = torch.from_numpy(part["photos"]).permute(0, 3, 1, 2).contiguous()
        return photos, torch.from_numpy(part["maps"])


class Examples:
    """All parts of the examples written until now."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.seen = folder, set[Path]()
        self.photos, self.maps = torch.empty(0, dtype=torch.uint8), torch.empty(0, dtype=torch.uint8)
        self.look_again()

    def look_again(self) -> None:
        for file in sorted(self.folder.glob("part*.npz")):
            if file in self.seen or time.time() - file.stat().st_mtime < 5:
                continue
            self.seen.add(file)
            photos, maps = load(file)
            self.photos = torch.cat([self.photos, photos]) if len(self.photos) else photos
            self.maps = torch.cat([self.maps, maps]) if len(self.maps) else maps


def save(net: nn.Module, out: Path) -> None:
    """Write the weights, and the network for OpenCV with rounded weights."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 320, 320),),
        str(out),
        input_names=["photo"],
        output_names=["maps"],
        dynamic_axes={name: {2: "rows", 3: "columns"} for name in ("photo", "maps")},
        opset_version=13,
        dynamo=False,
    )
    round_weights(out, MANTISSA_BITS)
    net.train()


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the network that sees card outlines")
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=6)
    parser.add_argument("--resume", type=Path, help="weights (.pt) to go on from")
    options = parser.parse_args()
    if not (options.examples / "kept.npz").exists() or not [*options.examples.glob("part*.npz")]:
        parser.error(f"{options.examples} needs part*.npz and kept.npz; tools.outline_examples writes them")
    torch.manual_seed(1)
    torch.set_num_threads(1)
    kept_photos, kept_maps = load(options.examples / "kept.npz")
    examples = Examples(options.examples)
    net = Network().to(memory_format=torch.channels_last)
    if options.resume:
        net.load_state_dict(torch.load(options.resume))
    optimizer = torch.optim.AdamW(net.parameters(), options.rate, weight_decay=0.01)
    print(f"{sum(p.numel() for p in net.parameters())} weights", flush=True)
    start, told, number = time.process_time(), 0.0, 0
    while (spent := (time.process_time() - start) / (60 * options.minutes)) < 1:
        # slowly up, then down to nothing as the time runs out
        rate = options.rate * min(1.0, number / 100 + 0.02) * (0.5 + 0.5 * float(np.cos(np.pi * spent)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        if number % LOOK_AGAIN == 0:
            examples.look_again()
        chosen = torch.randint(len(examples.photos), (options.batch,))
        seen, wanted = varied(examples.photos[chosen].float() / 255, examples.maps[chosen].float() / 255)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            odds = net(seen.contiguous(memory_format=torch.channels_last))
        loss = loss_of(odds.float(), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        number += 1
        if spent - told > 0.05:
            told = spent
            kept = figures(net, kept_photos, kept_maps)
            print(
                f"{number}: {loss.item():.4f} of {len(examples.photos)}, kept {kept}, {spent:.0%}", flush=True
            )
            save(net, options.out)
    print(f"{number}: kept {figures(net, kept_photos, kept_maps)}", flush=True)
    save(net, options.out)


if __name__ == "__main__":
    main()
