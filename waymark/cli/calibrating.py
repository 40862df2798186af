"""`waymark calibrate`: the sheet, the phone's lens, this pen under this light."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from scorer.errors import Code, WaymarkError
from waymark.cli.answers import Output, explain_option, with_output, with_progress, writable, wrong_usage
from waymark.cli.inputs import paper_option
from waymark.phrases import counted, say


@click.group(name="calibrate", help=explain_option("help.calibrate"))
def calibrate() -> None:
    """The group of the commands that measure camera, pen and light."""


_data_option = click.option("--data", metavar="DIR", help=explain_option("help.opt.lens_data"))


@calibrate.command(name="sheet", help=explain_option("help.calibrate.sheet"))
@click.argument("file", metavar="FILE.pdf")
@paper_option
@with_output
def calibrate_sheet(output: Output, file: str, paper: Any) -> None:
    from calibration.camera_sheet import write_sheet

    if Path(file).suffix.lower() != ".pdf":
        raise wrong_usage("usage.pdf", file=file)
    if not writable(file):
        raise WaymarkError(
            Code.NOT_WRITABLE,
            say("en", "file.not_writable", file=file),
            say("ja", "file.not_writable", file=file),
        )
    write_sheet(Path(file), paper)
    output.say("calibrate.sheet", file=file)
    output.answer({"file": file, "paper": paper})


@calibrate.command(name="camera", help=explain_option("help.calibrate.camera"))
@click.argument("photos", nargs=-1, metavar="PHOTO...")
@click.option("--forget", is_flag=True, help=explain_option("help.opt.forget_lens"))
@_data_option
@with_output
def calibrate_camera(output: Output, photos: tuple[str, ...], forget: bool, data: str | None) -> None:
    from calibration.lens_calibration import forget_lens, keep_lens, kept_lenses, measure
    from vision.known_lens import know_lenses_in, read_lens
    from vision.photo import CameraName, Photo, load_photo

    if data is not None:
        know_lenses_in(Path(data))
    if not photos and not forget:
        raise wrong_usage("usage.calibrate_photos")
    by_camera: dict[CameraName, list[str]] = {}
    for photo in with_progress(output, photos):
        seen = load_photo(Path(photo), longest_px=200)
        by_camera.setdefault(seen.camera or CameraName(), []).append(photo)
    if forget:
        named = [camera for camera in by_camera if camera.model] if photos else None
        cameras = named if named is not None else [lens.camera for lens in kept_lenses()]
        forgotten = [camera for camera in cameras if forget_lens(camera)]
        for camera in forgotten:
            output.say("calibrate.forgotten", camera=_named(camera, output))
        if not forgotten:
            output.say("calibrate.nothing_kept")
        output.answer({"forgotten": [msgspec.to_builtins(camera) for camera in forgotten]})
        return
    told = []
    for camera, files in by_camera.items():

        def decoded(name: str) -> Photo:
            return load_photo(Path(name), whole=True)

        found = measure(map(decoded, files), camera)
        before = read_lens(camera) if camera.model else None
        if camera.model:
            keep_lens(found.lens)
        lens = found.lens
        words = {
            "camera": _named(camera, output),
            "photos": counted(output.language, "photo", found.used),
            "shown": found.shown,
            "focal": lens.focal_px,
            "misfit": lens.reprojection_px,
            "moved": found.moved_px,
            "left": found.left_px,
            "lost": 100 * lens.vignetting[1],
        }
        output.say("calibrate.camera", **words)
        output.say("calibrate.straight", **words)
        output.say("calibrate.kept" if camera.model else "calibrate.unnamed", **words)
        told.append(
            {
                **msgspec.to_builtins(lens),
                "shown": found.shown,
                "moved_px": found.moved_px,
                "left_px": found.left_px,
                "kept": bool(camera.model),
                "before": None if before is None else msgspec.to_builtins(before),
            }
        )
    output.answer({"format": "waymark-camera/1", "cameras": told})


def _named(camera: Any, output: Output) -> str:
    words = [camera.make, camera.model, camera.lens]
    return " ".join(word for word in words if word) or say(output.language, "calibrate.unknown_camera")
