"""Measured cameras and pens."""

from __future__ import annotations

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, tuple[str, str]] = {
    "calibrate.sheet": (
        "Sheet written to {file}; print at 100% and lay it flat.",
        "シートを {file} に書き出しました。倍率 100% で印刷し、平らに置いてください。",
    ),
    "calibrate.camera": (
        "{camera}: focal length {focal:.0f} px, {photos} of {shown} used, the sheet fits to {misfit:.2f} px; "
        "{lost:.0f}% of the light is lost in the corners.",
        "{camera}: 焦点距離 {focal:.0f} px、{shown} 枚中 {photos} 枚を使い、誤差 {misfit:.2f} px。"
        "隅では光が {lost:.0f}% 減ります。",
    ),
    "calibrate.straight": (
        "On these photos the lens moved lines by up to {moved:.1f} px; {left:.1f} px are left.",
        "この写真では線が最大 {moved:.1f} px ずれていました。補正後は {left:.1f} px です。",
    ),
    "calibrate.kept": (
        "Photos of this phone are straightened from now on; `waymark calibrate camera --forget` undoes it.",
        "以後この機種の写真を補正します。`waymark calibrate camera --forget` で元に戻せます。",
    ),
    "calibrate.unnamed": (
        "These photos do not say which phone took them, so nothing was kept; use the original files.",
        "写真に機種の情報がないため保存していません。元のファイルを使ってください。",
    ),
    "calibrate.forgotten": (
        "{camera}: forgotten; its photos are read as they are.",
        "{camera}: 補正をやめました。写真をそのまま読みます。",
    ),
    "calibrate.nothing_kept": ("Nothing was kept.", "保存した補正はありません。"),
    "calibrate.unknown_camera": ("Unknown phone", "不明な機種"),
    "calibrate.pen": (
        "{player}'s pen takes {red:.0f}% of the red, {green:.0f}% of the green and {blue:.0f}% of the blue "
        "light of these cards, in lines {width:.1f} mm wide ({line:.0f} mm of line looked at).",
        "{player} のペンは、このカードの光のうち赤 {red:.0f}%、緑 {green:.0f}%、青 {blue:.0f}% をさえぎり、"
        "線の幅は {width:.1f} mm です(線 {line:.0f} mm で測りました)。",
    ),
    "calibrate.pen_changed": (
        "{photo}: the path came to {before} places, {was}; it comes to {after} now, {now}.",
        "{photo}: 経路は {before} か所({was})でしたが、{after} か所({now})になりました。",
    ),
    "calibrate.pen_same": (
        "{photo}: read as before, {after} places, {now}.",
        "{photo}: 読み取りは変わりません({after} か所、{now})。",
    ),
    "calibrate.pen_sure": ("sure", "確実"),
    "calibrate.pen_unsure": ("not sure, {questions}", "不確実、質問 {questions} 件"),
    "calibrate.pen_kept": (
        "`waymark score PHOTO --pen {player}` reads with it from now on; "
        "`waymark calibrate ink --undo --player {player}` undoes it.",
        "以後 `waymark score PHOTO --pen {player}` でこのペンを使えます。"
        "`waymark calibrate ink --undo --player {player}` で元に戻せます。",
    ),
    "calibrate.pen_undone": (
        "{player}'s pen is again as it was before.",
        "{player} のペンを一つ前に戻しました。",
    ),
    "calibrate.no_pen": ("No pen was kept for {player}.", "{player} のペンは保存されていません。"),
}
