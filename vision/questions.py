"""Question types: what a scan leaves open, with the records that the possible answers would give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from scorer.record import Record

#: A reading this much less likely (nats) than the best is no doubt any more.
DOUBT = 5.0

About = Literal["card", "path", "direction", "mark"]

#: Why the photo leaves something open, by a word: the sentence in English and in Japanese.
REASONS: dict[str, tuple[str, str]] = {
    "direction": (
        "The ink does not show in which direction or order the path was drawn.",
        "インクだけでは、経路をどちら向きに、どの順に描いたか分かりません。",
    ),
    "faint": (
        "The line here is too faint or broken to tell whether the path runs on.",
        "ここの線は薄いか途切れていて、経路が続いているか分かりません。",
    ),
    "ghost": (
        "The line here is thin; it may be what is left of a path from an earlier round.",
        "ここの線は薄く、前のラウンドの消し残りかもしれません。",
    ),
    "other-pen": (
        "The line here is not in the colour of this player's pen; it may be somebody else's, or from an "
        "earlier round.",
        "ここの線はこのプレイヤーのペンの色ではありません。ほかの人の線か、前のラウンドの線かもしれません。",
    ),
    "hidden": (
        "Glare or something on the card hides whether the path runs here.",
        "光の反射か物に隠れて、ここに経路があるか見えません。",
    ),
    "standing": (
        "Something stands on this end of the line, so it is not clear where exactly it ends.",
        "線のこの端に物が立っていて、どこで終わっているか見えません。",
    ),
    "stray": (
        "What looks like a line here may be a shadow, or run along another group's line.",
        "ここの線に見えるものは、物の影か、ほかのグループの線かもしれません。",
    ),
    "covered": (
        "Something covers this end of the path, or its line goes on; there may be another card.",
        "経路の端に物がかぶさっているか、線がその先へ続いています。もう 1 枚カードがあるかもしれません。",
    ),
    "unseen": (
        "The photo does not show that nothing follows this end of the path: the picture ends there, or "
        "something covers it. There may be another card.",
        "経路のこの端の先に何もないことが、写真では確かめられません。写真がそこで切れているか、何かが"
        "かぶさっています。もう 1 枚カードがあるかもしれません。",
    ),
    "cut": (
        "The path runs over this card, but part of the card is outside the picture, or covered.",
        "経路が通っているこのカードの一部が、写真からはみ出しているか、何かに隠れています。",
    ),
    "crossing": (
        "Lines meet here, and which one goes on where is not clear.",
        "ここで線が重なり、どの線がどこへ続くかはっきりしません。",
    ),
    "beside": (
        "There is ink here that is not part of the path as read.",
        "ここに、読み取った経路に含まれないインクがあります。",
    ),
    "too-much": (
        "The ink here could be read in more ways than Waymark has tried.",
        "ここのインクは何通りにも読めるため、すべては調べきれていません。",
    ),
    "off-path": (
        "This find is circled, but the path as read does not come to it.",
        "この発見物には丸が付いていますが、読み取った経路はここを通っていません。",
    ),
    "card": (
        "This card could also be another one.",
        "このカードは別のカードかもしれません。",
    ),
    "unlike-its-art": (
        "This looks most like the card named here, but not exactly: it may be another one, or one that is "
        "not in this catalogue.",
        "ここのカードは答えに挙げたものにいちばん似ていますが、ぴったりとは合いません。別のカードか、"
        "このカタログにないカードかもしれません。",
    ),
    "stranger": (
        "There seems to be a card here that could not be read: it may be hidden, or not in this catalogue.",
        "ここに読めないカードがあるようです。隠れているか、このカタログにないカードかもしれません。",
    ),
    "cut-off": (
        "A card of this tableau seems to be cut off here by the edge of the picture.",
        "このタブローのカードが、ここで写真からはみ出しているようです。",
    ),
    "gap": (
        "A card may be missing beside this one: there is another one in line beyond a gap.",
        "このカードの隣が 1 枚分空いていて、その先に別のカードがあります。"
        "間のカードが見えていないのかもしれません。",
    ),
    "group": (
        "There are two groups of cards in this photo; this could be the tableau to score.",
        "写真にはカードのまとまりが二つあります。読み取るべきタブローはこちらかもしれません。",
    ),
    "proposed": (
        "The corridors of this card are only a draft that nobody has confirmed; check the path on it, and "
        "trace the card.",
        "このカードの通路は自動の下書きで、まだ誰も確かめていません。ここの経路を見直し、"
        "カードの通路も確かめてください。",
    ),
    "untraced": (
        "Nobody has traced this card yet, so no path can be read on it; trace it, or draw the path by hand.",
        "このカードはまだ通路をなぞっていないので、上の経路を読めません。"
        "カードをなぞるか、経路を手で直してください。",
    ),
    "drawn-on": (
        "The picture of this card in the box was taken with a line on it, so the line is hard to see; "
        "check the path here, or photograph the blank card for the box.",
        "箱にあるこのカードの写真には線が写っているため、上の線を確実には読めません。"
        "ここの経路を見直すか、線を消したカードを撮って箱に加えてください。",
    ),
    "screen": (
        "There is a fine grid over cards and table, as on a screen; only a photo of the cards themselves "
        "counts.",
        "カードにもテーブルにも画面のような細かい格子が写っています。採点できるのは実物のカードだけです。",
    ),
    "mark": (
        "Whether this find is circled is not clear.",
        "この発見物に丸が付いているかはっきりしません。",
    ),
}
_WORD_OF = {english: word for word, (english, _) in REASONS.items()}


@dataclass(frozen=True)
class Question:
    """One doubt. The first of `options` is what was read; `alternatives` are whole records for the others,
    in order.

    `place` is a place of the record, a card's index where the card is in doubt, or "" when the doubt is
    about no single one.
    `crop_px` is a box in photo pixels (left, top, right, bottom) in which a person sees what the question is
    about, or None.
    `behind` is by how much the ink makes the others less likely (nats) than what was read, 0 where it does
    not tell.
    `reason` is the English sentence, the one that docs/FORMATS.md section 4 names.
    `name` tells it from the others of its scan, the same whenever the photo is read the same (`with_names`);
    "" before it belongs to a scan.
    """

    about: About
    place: str
    options: tuple[str, ...]
    reason_en: str
    reason_ja: str
    crop_px: tuple[int, int, int, int] | None = None
    alternatives: tuple[Record, ...] = ()
    behind: float = 0.0
    name: str = ""
    reason: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", self.reason_en)


def with_names(questions: Iterable[Question]) -> tuple[Question, ...]:
    """The questions of one scan, each with its name: those that have one keep it.

    A name says what a question is about, why and where ("path:faint:1.w2", "card:3", "mark:0.A1",
    "direction"); of twins, the later ones are numbered (":2"). Scans that were kept before questions had
    names get the same ones.
    """
    questions = tuple(questions)
    taken = {question.name for question in questions if question.name}
    named = []
    for question in questions:
        if not question.name:
            name = first = _name(question)
            twin = 1
            while name in taken:
                twin += 1
                name = f"{first}:{twin}"
            taken.add(name)
            question = replace(question, name=name)
        named.append(question)
    return tuple(named)


def _name(question: Question) -> str:
    if question.about == "direction":
        return "direction"
    word = _WORD_OF.get(question.reason_en, "")
    return ":".join(
        part for part in (question.about, word * (word != question.about), question.place) if part
    )
