"""Photos of the camera sheet by phones whose lens is known: what calibration is measured on.

`python -m samples.camera_sheets --seed N --count 8 --out DIR` writes photos and `lens.json`, the truth.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import ExifTags, Image

from calibration.camera_sheet import Paper, write_sheet
from samples.compositor import photograph
from samples.projection import focal_px
from samples.scene_schema import Camera, CardPose, Finish, Scene, SceneCard, Table
from samples.shooting import random_light, random_post
from samples.splits import Split

PAPER_MM: dict[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
_PX_PER_MM = 8.0


@dataclass(frozen=True)
class TrueLens:
    """A phone's lens: focal length in pixels of the photo, Brown's radial distortion in units of half the
    picture's diagonal, and the light lost in the corner."""

    width: int
    height: int
    focal_px: float
    k1: float
    k2: float
    vignetting: float


def sheet_picture(paper: Paper, folder: Path) -> NDArray[np.uint8]:
    """The printed sheet (H, W, 3) sRGB."""
    file = folder / f"sheet-{paper}.pdf"
    write_sheet(file, paper)
    page = pypdfium2.PdfDocument(file)[0]
    return np.asarray(page.render(scale=_PX_PER_MM * 25.4 / 72).to_numpy()[..., ::-1], np.uint8)


def photographed_sheets(
    lens_seed: int, count: int, folder: Path, paper: Paper = "a4", split: Split = "tuning"
) -> TrueLens:
    """Write `count` photos of the sheet, from all sides, by one phone. Its lens is drawn from the seed."""
    rng = np.random.default_rng([lens_seed, 77])
    focal_35 = float(rng.uniform(22, 52))
    # Wide lenses bend more.
    k1, k2 = float(rng.normal(-0.03, 0.03) * 26 / focal_35), float(rng.normal(0.004, 0.008))
    vignetting = float(rng.uniform(0.1, 0.45))
    width, height = ((2304, 1728), (2592, 1944), (3000, 2250))[int(rng.integers(3))]
    picture = sheet_picture(paper, folder)
    size = PAPER_MM[paper]
    model = f"known {lens_seed}"
    for number in range(count):
        shot = np.random.default_rng([lens_seed, number])
        card = SceneCard(
            card="sheet",
            x=0,
            y=0,
            rotation=0,
            face="sheet",
            pose=CardPose(centre_mm=(size[0] / 2, size[1] / 2), angle_deg=float(shot.uniform(-8, 8))),
            size_mm=size,
            corner_radius_mm=0.5,
        )
        camera = Camera(
            target_mm=(size[0] / 2 + float(shot.normal(0, 12)), size[1] / 2 + float(shot.normal(0, 12))),
            distance_mm=float(focal_35 * 10.5 * shot.uniform(0.85, 1.15)),
            width=width,
            height=height,
            tilt_deg=float(shot.uniform(0, 12) if number % 4 == 0 else shot.uniform(20, 40)),
            azimuth_deg=float(90 * (number % 4) + shot.normal(0, 12)),
            roll_deg=float(90 - 90 * (number % 4) + shot.normal(0, 12)),
            focal_mm_35=focal_35,
        )
        post = msgspec.structs.replace(
            random_post(shot, lens_seed * 100 + number),
            k1=k1,
            k2=k2,
            vignetting=vignetting,
            motion_blur_px=0.0,
        )
        scene = Scene(
            seed=lens_seed * 100 + number,
            cards=(card,),
            table=Table("wood", lens_seed + number),
            light=random_light(split, shot),
            camera=camera,
            finish=Finish(gloss=0.1, linen=0.0, wear=0.0),
            post=post,
        )
        photo = photograph(scene, {"sheet": picture}.__getitem__)
        write_known(photo, folder / f"sheet-{number:02d}.jpg", model, focal_35)
    lens = TrueLens(width, height, focal_px(camera), k1, k2, vignetting)
    (folder / "lens.json").write_bytes(msgspec.json.encode(asdict(lens)))
    return lens


def write_known(rgb: NDArray[np.uint8], file: Path, model: str, focal_mm: float) -> None:
    """A JPEG with the EXIF of a phone."""
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "Waymark"
    exif[ExifTags.Base.Model] = model
    more = exif.get_ifd(ExifTags.IFD.Exif)
    more[ExifTags.Base.LensModel] = "main camera"
    more[ExifTags.Base.FocalLength] = round(focal_mm, 1)
    Image.fromarray(rgb).save(file, quality=90, exif=exif)


def main() -> None:
    parser = argparse.ArgumentParser(description="Photos of the camera sheet with a known lens")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    print(photographed_sheets(options.seed, options.count, options.out))


if __name__ == "__main__":
    main()
