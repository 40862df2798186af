"""`waymark calibrate`: the sheet, the phone's lens, this pen under this light."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from scorer.errors import Code, WaymarkError
from waymark.cli.answers import Output, explain_option, with_output, with_progress, writable, wrong_usage
from waymark.cli.inputs import CatalogueChoice, catalogue_option, paper_option, read_input
from waymark.phrases import counted, say, sentence


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
        raise WaymarkError(Code.NOT_WRITABLE, sentence("file.not_writable", file=file))
    write_sheet(Path(file), paper)
    output.say("calibrate.sheet", file=file)
    output.answer({"file": file, "paper": paper})


@calibrate.command(name="camera", help=explain_option("help.calibrate.camera"))
@click.argument("photos", nargs=-1, metavar="PHOTO...")
@click.option("--forget", is_flag=True, help=explain_option("help.opt.forget_lens"))
@_data_option
@with_output
def calibrate_camera(output: Output, photos: tuple[str, ...], forget: bool, data: str | None) -> None:
    from calibration.lens import forget_lens, keep_lens, kept_lenses, measure
    from vision.photo.decode import CameraName, Photo, load_photo
    from vision.photo.lens import know_lenses_in, read_lens

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
            "photos": counted("photo", found.used),
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


@calibrate.command(name="ink", help=explain_option("help.calibrate.ink"))
@click.argument("photos", nargs=-1, metavar="PHOTO...")
@click.option("--at", metavar="X,Y", help=explain_option("help.opt.at"))
@click.option("--player", metavar="NAME", help=explain_option("help.opt.pen_player"))
@click.option("--undo", is_flag=True, help=explain_option("help.opt.undo_pen"))
@catalogue_option
@click.option("--data", metavar="DIR", help=explain_option("help.opt.pen_data"))
@with_output
def calibrate_ink(
    output: Output,
    photos: tuple[str, ...],
    at: str | None,
    player: str | None,
    undo: bool,
    catalogue: str | None,
    data: str | None,
) -> None:
    from calibration.kept_pens import FORMAT, NOBODY, keep_pen, kept_pen, pen_file, pen_folder, undo_pen
    from calibration.pen import learn_pen
    from vision.photo.decode import load_photo
    from waymark.pen_changes import change_on
    from waymark.review.pipeline import load_cards

    if not photos and not undo:
        raise wrong_usage("usage.calibrate_ink")
    at_px = _point(at)
    name, folder = player or NOBODY, pen_folder(Path(data) if data is not None else None)
    cards = CatalogueChoice(catalogue)
    # what cannot be read is told before anything is kept
    seen = [load_photo(read_input(photo)) for photo in photos]
    if undo:
        before, pen = undo_pen(name, folder)
        output.say("calibrate.pen_undone" if before is not None else "calibrate.no_pen", player=name)
    else:
        known = kept_pen(name, folder)
        before = None if known is None else known.pen
        pen = learn_pen(seen[0], cards.load(), load_cards(cards.load()), at_px)
        keep_pen(name, pen, folder)
        blue, green, red = (100 * part for part in pen.taken)
        output.say(
            "calibrate.pen",
            player=name,
            red=red,
            green=green,
            blue=blue,
            width=pen.width_mm,
            line=pen.line_mm,
        )
    changes = [
        change_on(photo, shown, cards.load(), before, pen)
        for photo, shown in zip(with_progress(output, photos), seen, strict=True)
    ]
    for change in changes:
        output.say(
            "calibrate.pen_changed" if change.changed else "calibrate.pen_same",
            photo=change.photo,
            before=change.before.places,
            after=change.after.places,
            was=_how_sure(change.before, output),
            now=_how_sure(change.after, output),
        )
    if not undo:
        output.say("calibrate.pen_kept", player=name)
    output.answer(
        {
            "format": FORMAT,
            "player": name,
            "pen": msgspec.to_builtins(pen),
            "before": msgspec.to_builtins(before),
            "file": str(pen_file(name, folder)),
            "photos": [{**msgspec.to_builtins(change), "changed": change.changed} for change in changes],
        }
    )


def _point(told: str | None) -> tuple[float, float] | None:
    """A photo point parsed from `812,604`; None without a value. Raises `WaymarkError` (usage)."""
    if told is None:
        return None
    try:
        x, y = (float(part) for part in told.split(","))
    except ValueError:
        raise wrong_usage("usage.option", option="--at", form="X,Y", value=told) from None
    return x, y


def _how_sure(seen: Any, output: Output) -> str:
    """The words "sure", or "not sure" with the number of questions."""
    if seen.sure:
        return say(output.language, "calibrate.pen_sure")
    return say(output.language, "calibrate.pen_unsure", questions=counted("question", seen.questions))


def _named(camera: Any, output: Output) -> str:
    words = [camera.make, camera.model, camera.lens]
    return " ".join(word for word in words if word) or say(output.language, "calibrate.unknown_camera")
