"""Every kind of question about a tableau, asked and answered over the API that its page talks to: each answer
settles or leaves it, and no two answers of a question have the same words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from flask import Flask
from live_server import PHOTOS
from photo_reviews import (
    DOUBTED,
    EITHER_WAY,
    ROOM_FOR_ONE,
    SURE,
    TERMS,
    box_of_card,
    get_review,
    give,
    reading,
    review_of,
)
from shared_readings import open_deck, reading_of_data

from scorer.dungeon import build_dungeon
from scorer.record import Marks, Record, make_record
from vision.questions import REASONS, About, Question, with_names
from vision.scan import Scan
from waymark.review.referee_cache import Table
from waymark.review.tableau import question_names
from waymark.review.tableau.assess import assess
from webapp.tableaus.model import Review
from webapp.tableaus.reading_model import ReviewQuestion

#: How far (nats) the other reading of a doubt is behind: the ink rather shows that one.
RATHER_OTHERWISE = -6.0
#: Kinds that follow from what people did before, and the test that answers them.
ELSEWHERE = {"cards-corrected": "test_corrections", "marks": "test_review", "unclear": "test_review_page"}
#: What reasons are about that are not about the path.
ABOUT: dict[str, About] = {
    "direction": "direction", "mark": "mark", "card": "card", "unlike-its-art": "card", "stranger": "card",
    "cut-off": "card", "gap": "card", "group": "card", "screen": "card",
}  # fmt: skip


#: Photos of kinds that another one than the usual asks; and kinds that are asked of a reading as it is, with
#: the question of its direction: the other way its path breaks a rule, which is asked first.
PHOTO_OF = {
    question_names.PART_READ: DOUBTED,
    "direction": EITHER_WAY,
    "covered": ROOM_FOR_ONE,
    "stranger": ROOM_FOR_ONE,
    "cut-off": ROOM_FOR_ONE,
    "gap": ROOM_FOR_ONE,
}
AS_READ = frozenset({"group", "stranger", "cut-off", "gap"})


def cut(scan: Scan, places: int) -> Scan:
    """The reading with less of its path, and with nothing asked."""
    path = (scan.tableau.path[0][:places],)
    return replace(
        scan,
        tableau=msgspec.structs.replace(scan.tableau, path=path),
        path_px=(scan.path_px[0][:places],),
        questions=(),
        sure=False,
    )


def parted(scan: Scan) -> Scan:
    stroke, line = scan.tableau.path[0], scan.path_px[0]
    return replace(
        scan,
        tableau=msgspec.structs.replace(scan.tableau, path=(stroke[:4], stroke[5:])),
        path_px=(line[:4], line[5:]),
        questions=(),
        sure=False,
    )


def covered(scan: Scan) -> Scan:
    """The reading whose path may stop before its last place, over which something lies."""
    short = cut(scan, len(scan.tableau.path[0]) - 1)
    place = scan.tableau.path[0][-1]
    question = Question("path", place, (), *REASONS["covered"].pair, None, (short.tableau,))
    return replace(scan, questions=with_names((question, *scan.questions)), sure=False)


def unseen(scan: Scan) -> Scan:
    """The reading beyond whose last place the photo does not show bare ground."""
    question = Question("path", scan.tableau.path[-1][-1], (), *REASONS["unseen"].pair)
    return replace(scan, questions=with_names((question,)), sure=False)


def by_rule(scan: Scan) -> Scan:
    """The reading with its path in the direction that the rules tell."""
    now = assess(scan, Table(open_deck()), TERMS)
    return replace(now.scan, questions=(), sure=False)


def off_the_path(tableau: Record) -> str:
    """The first find that the path does not come to."""
    walked = {name for stroke in tableau.path for name in stroke}
    places = build_dungeon(open_deck(), tableau.cards).places.values()
    return next(place.id for place in places if place.find and not {place.id, place.room} & walked)


def asking(reason: str) -> Scan:
    """A reading that asks for this reason, with another record where there is one."""
    photo = PHOTO_OF.get(reason, SURE)
    read = reading_of_data((PHOTOS / photo).read_bytes()) if reason in AS_READ else by_rule(reading(photo))
    tableau, about = read.tableau, ABOUT.get(reason, "path")
    stroke = tableau.path[0]
    other: tuple[Any, ...] = ()
    place = stroke[-2] if about == "path" else "0" if about == "card" else ""
    more: dict[str, Any] = {}
    match about, reason:
        case "path", "proposed" | "untraced" | "drawn-on":
            pass
        case "path", "too-much" | "beside":
            # beyond the end of what was read
            read, place = cut(read, len(stroke) - 1), stroke[-1]
        case "path", "off-path":
            place = off_the_path(tableau)
            marks = msgspec.structs.replace(tableau.marks, circled=(*tableau.marks.circled, place))
            read = replace(read, tableau=msgspec.structs.replace(tableau, marks=marks))
        case "path", _:
            other = (msgspec.structs.replace(tableau, path=(stroke[:-1],)),)
        case "mark", _:
            place = tableau.marks.circled[0]
            # a mark matters where it tells where the path began
            back = msgspec.structs.replace(tableau, path=(stroke[::-1],))
            other = (msgspec.structs.replace(back, marks=Marks(circled=tableau.marks.circled[1:])),)
        case "card", "card" | "unlike-its-art":
            # one that the path runs on, and would not as another
            card = msgspec.structs.replace(tableau.cards[-1], card="D61")
            rest = tuple(name for name in stroke if not name.startswith("4."))
            cards = (*tableau.cards[:-1], card)
            place, other = "4", (msgspec.structs.replace(tableau, cards=cards, path=(rest,), marks=Marks()),)
        case "card", "group":
            alone = make_record((tableau.cards[-1],), catalogue=tableau.catalogue)
            other = (alone,)
            instead = replace(
                read,
                tableau=alone,
                cards=read.cards[-1:],
                path_px=(),
                questions=(),
                sure=True,
                mark_confidence={},
            )
            more = {"instead": (instead,)}
        case _:
            pass
    crop = None
    if reason in ("stranger", "cut-off", "gap"):
        left, top, right, bottom = box_of_card(read, 0)
        crop = (2 * left - right, top, left, bottom)
    kept = read.questions if reason in AS_READ else ()
    question = Question(about, place, (), *REASONS[reason].pair, crop, other, behind=RATHER_OTHERWISE)
    return replace(read, questions=with_names((question, *kept)), sure=False, **more)


def scenes() -> dict[str, Any]:
    """How a photo is read that asks, by the kind of its question: a reason, or a name of the review's."""
    made: dict[str, Any] = {reason: lambda reason=reason: asking(reason) for reason in REASONS}
    no_path = Question("path", "", (), *REASONS["faint"].pair, name=question_names.NO_PATH)
    made[question_names.NO_PATH] = lambda: replace(reading(SURE), questions=(no_path,), sure=False)
    made[question_names.STOPS_INSIDE] = lambda: cut(reading(SURE), 3)
    made[question_names.STOPS_SHORT] = lambda: cut(reading(SURE), 6)
    made[question_names.BROKEN_RULE] = lambda: cut(reading(SURE), 13)
    made["joins"] = lambda: parted(reading(SURE))
    # the path may go on where it stops short of the edge
    made["covered"] = lambda: covered(reading(ROOM_FOR_ONE))
    made["unseen"] = lambda: unseen(reading(ROOM_FOR_ONE))
    made["direction"] = lambda: reading(EITHER_WAY)
    made[question_names.PART_READ] = lambda: cut(reading(DOUBTED), 10)
    return made


SCENES = scenes()


def is_of(question: ReviewQuestion, kind: str) -> bool:
    if kind == "joins":
        return question.name == question_names.GAP
    if kind in REASONS:
        return question.reason == REASONS[kind].en
    return question.name == kind


def asked_of(review: Review, kind: str) -> ReviewQuestion:
    assert review.reading is not None
    found = [each for each in review.reading.questions if is_of(each, kind)]
    assert found, [each.name for each in review.reading.questions]
    return found[0]


def test_each_kind_of_question_has_a_photo_that_asks_it() -> None:
    names = {
        value
        for name, value in vars(question_names).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, str) and ":" not in value
    }
    names = {"joins" if name == question_names.GAP else name for name in names}
    assert names | set(REASONS) == set(SCENES) | set(ELSEWHERE)


@pytest.mark.parametrize("kind", SCENES)
def test_every_answer_works_and_says_something_of_its_own(app: Flask, kind: str) -> None:
    scan = SCENES[kind]()
    review = review_of(app, scan, PHOTO_OF.get(kind, SURE))
    client = app.test_client()
    question = asked_of(review, kind)
    japanese = get_review(client, review.id, "ja")
    assert japanese.reading is not None
    for told in (question, *(each for each in japanese.reading.questions if each.name == question.name)):
        labels = [option.label for option in told.options]
        assert len(labels) >= 2 and len({*labels}) == len(labels) and all(labels) and told.prompt
    for option in question.options:
        given = give(client, get_review(client, review.id), question.name, option.number)
        assert given.status_code == 200, (option, given.text)
        now = msgspec.json.decode(given.data, type=Review)
        assert (
            now.reading is None
            or [each for each in now.reading.questions if each.name == question.name and not each.left] == []
        ), option
        undone = client.post(f"/api/v1/tableaus/{review.id}/undo", json={"version": now.version})
        assert undone.status_code == 200, undone.text
