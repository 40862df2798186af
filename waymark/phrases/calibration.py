"""Measured cameras and pens."""

from __future__ import annotations

from scorer.text import Text

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, Text] = {
    "calibrate.sheet": Text("Sheet written to {file}; print at 100% and lay it flat."),
    "calibrate.camera": Text(
        "{camera}: focal length {focal:.0f} px, {photos} of {shown} used, the sheet fits to {misfit:.2f} px; "
        "{lost:.0f}% of the light is lost in the corners."
    ),
    "calibrate.straight": Text(
        "On these photos the lens moved lines by up to {moved:.1f} px; {left:.1f} px are left."
    ),
    "calibrate.kept": Text(
        "Photos of this phone are straightened from now on; `waymark calibrate camera --forget` undoes it."
    ),
    "calibrate.unnamed": Text(
        "These photos do not say which phone took them, so nothing was kept; use the original files."
    ),
    "calibrate.forgotten": Text("{camera}: forgotten; its photos are read as they are."),
    "calibrate.nothing_kept": Text("Nothing was kept."),
    "calibrate.unknown_camera": Text("Unknown phone"),
    "calibrate.pen": Text(
        "{player}'s pen takes {red:.0f}% of the red, {green:.0f}% of the green and {blue:.0f}% of the blue "
        "light of these cards, in lines {width:.1f} mm wide ({line:.0f} mm of line looked at)."
    ),
    "calibrate.pen_changed": Text(
        "{photo}: the path came to {before} places, {was}; it comes to {after} now, {now}."
    ),
    "calibrate.pen_same": Text("{photo}: read as before, {after} places, {now}."),
    "calibrate.pen_sure": Text("sure"),
    "calibrate.pen_unsure": Text("not sure, {questions}"),
    "calibrate.pen_kept": Text(
        "`waymark score PHOTO --pen {player}` reads with it from now on; "
        "`waymark calibrate ink --undo --player {player}` undoes it."
    ),
    "calibrate.pen_undone": Text("{player}'s pen is again as it was before."),
    "calibrate.no_pen": Text("No pen was kept for {player}."),
}
