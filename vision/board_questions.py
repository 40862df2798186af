"""Questions about a board: what its photo leaves open, each with its cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.text import Text
from vision.board_art import Cell

About = Literal[
    "tile", "rotation", "piece", "facing", "spare", "owner", "held", "board", "ground", "place", "token"
]

#: Why the photo leaves something open, by a word.
REASONS: dict[str, Text] = {
    "tile": Text("This tile could also be another one.", "このタイルは別のタイルかもしれません。"),
    "rotation": Text(
        "Which way this tile lies cannot be seen surely.", "このタイルの向きがはっきり見えません。"
    ),
    "piece": Text("This piece could also be another one.", "このコマは別のコマかもしれません。"),
    "cell": Text(
        "This piece stands near the edge of its cell, or is partly hidden: it may be in the next.",
        "このコマはマスの端にあるか一部が隠れていて、隣のマスかもしれません。",
    ),
    "facing": Text("Which way this figure looks is not clear.", "このコマの向きがはっきりしません。"),
    "disc": Text(
        "Something like a chip lies here that could not be read.",
        "ここにチップのような物がありますが、読み取れません。",
    ),
    "figure": Text(
        "Something may stand here that could not be told.",
        "ここに何か立っているようですが、はっきり分かりません。",
    ),
    "hidden": Text(
        "Glare or something over the board hides this cell; a piece may be there.",
        "光の反射か物に隠れて、このマスがよく見えません。コマがあるかもしれません。",
    ),
    "missing": Text(
        "This piece was not found on the board; please say where it stands.",
        "このコマが盤の上に見つかりません。どこにあるか教えてください。",
    ),
    "gap": Text(
        "It is not clear whether a tile lies here.", "ここにタイルがあるかどうか、はっきりしません。"
    ),
    "ground": Text(
        "How the board lies over the map cannot be seen: too little of the borders is in view.",
        "縁があまり写っていないため、地図に対する盤の向きが分かりません。",
    ),
    "place": Text(
        "It is not clear on which of the tile's corridors this figure stands.",
        "このコマがタイルのどちらの通路にいるか、はっきりしません。",
    ),
    "block": Text(
        "Whether a cube stands on this space of the track, or which, is not clear.",
        "トラックのこのマスにキューブがあるか、どの色か、はっきりしません。",
    ),
    "token": Text(
        "Which token lies at this track, or whether it is locked, is not clear.",
        "このトラックのトークンの種類か、固定されているかがはっきりしません。",
    ),
    "held": Text(
        "This piece beside the board could also be another one.",
        "盤の横にあるこのコマやカードは、別の物かもしれません。",
    ),
    "unseen": Text(
        "What lies before this player is not wholly in view, or nobody told whose it is.",
        "このプレイヤーの前に置かれた物が全部は写っていないか、誰の物か分かりません。",
    ),
    "looked-over": Text(
        "Photos of boards are not read surely enough yet; please look over all that was read.",
        "盤の写真の読み取りは、まだ確実とは言えません。読み取った内容をすべて見直してください。",
    ),
    "spare": Text(
        "The tile beside the board is not seen surely; please say which it is and where it lies.",
        "盤の外のタイルがはっきり見えません。どのタイルがどこにあるか教えてください。",
    ),
}


@dataclass(frozen=True)
class Doubt:
    """Something that the photo leaves open: `cell` is None for what is on none, `options` are what it may be,
    what was read first; `crop_px` a box in the photo in which a person sees it."""

    about: About
    reason: str
    cell: Cell | None
    options: tuple[str, ...]
    crop_px: tuple[int, int, int, int] | None = None

    @property
    def name(self) -> str:
        """The same whenever the photo is read the same."""
        at = "" if self.cell is None else f":{self.cell[0]},{self.cell[1]}"
        first = f":{self.options[0]}" if self.reason in ("missing", "disc") and self.options else ""
        return f"{self.about}:{self.reason}{at}{first}"
