"""What is asked about a table of several groups, and what answers make of it, from a kept reading of its
photos."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from dungeons import card, catalogue

from scorer.mapmasters.cooperative.game import COOPERATIVE
from scorer.record import Marks, PlacedCard, make_record
from vision.cards.pose import CardPose
from vision.groups.pens import Owner
from vision.groups.scan import GroupScan, SeenLine
from vision.questions import REASONS, Question, with_names
from vision.scan import SeenPhoto
from waymark.review.groups import SKETCH, GroupAssessment, OpenBefore, assess_groups, leads, open_of

CARDS = catalogue(
    card("S", "w1 j1 key1 e1") | {"kind": "starter"},
    card("Z", "w1 j1 rope1 e1") | {"kind": "starter"},
    card("B", "w1 j1 e1") | {"kind": "boss"},
)
MISSION = {
    "format": "waymark-mission/1",
    "layout": [["S", "Z", "B"], ["Z", "S", "."]],
    "groups": ["green", "blue"],
    "bosses": ["B"],
    "goals": [{"id": "key", "card": "B", "at": ["w1"], "requires": {"key": 1}}],
}
#: Groups leave at either side, and to which they go counts.
LEAVING: dict[str, Any] = MISSION | {
    "layout": [["S", "Z", "B"], ["Z", "S", "-"]],
    "goals": [{"id": side, "at": [f"edge:{side}"], "requires": {}} for side in ("left", "right")],
}
PLACED = tuple(
    PlacedCard(name, 63.0 * column, 88.0 * row, 0)
    for row, names in enumerate((("S", "Z", "B"), ("Z", "S")))
    for column, name in enumerate(names)
)
WITH_KEY = ("0.w1", "0.j1", "0.key1", "0.e1", "1.w1", "1.j1", "1.rope1", "1.e1", "2.w1")
#: It ends before an empty slot, where the next card will lie.
BELOW = ("3.w1", "3.j1", "3.rope1", "3.e1", "4.w1", "4.j1", "4.key1", "4.e1")


def line(
    *strokes: tuple[str, ...],
    group: int = 0,
    others: tuple[int, ...] = (),
    pen: int | None = None,
    either_way: bool = False,
    standing: tuple[str, ...] = (),
    off_deg: tuple[float, ...] = (),
    instead: tuple[tuple[str, ...], ...] = (),
) -> SeenLine:
    path = tuple(strokes)
    turned = (tuple(stroke[::-1] for stroke in path),) if either_way else ()
    questions: tuple[Question, ...] = ()
    if instead:
        other = make_record(PLACED, instead, catalogue="tests")
        questions = with_names(
            [
                Question(
                    "path",
                    strokes[0][0],
                    ("-", "-"),
                    *REASONS["faint"].pair,
                    alternatives=(other,),
                    behind=1.0,
                )
            ]
        )
    return SeenLine(
        pen=group if pen is None else pen,
        rgb=(0, 0, 0),
        owner=Owner(group, others),
        paths=(path, *turned),
        path_px=(((10.0, 10.0), (90.0, 40.0)),) * len(path),
        marks=Marks(),
        questions=questions,
        off_deg=off_deg,
        standing=standing,
    )


def assessed(
    *lines: SeenLine,
    mission: dict[str, Any] = MISSION,
    table: dict[str, Any] | None = None,
    after: GroupAssessment | None = None,
    shows: int = len(PLACED),
    **answers: str,
) -> GroupAssessment:
    """A photo of these lines that shows so many of the cards, taken when the table stood as `after`."""
    corners = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
    cards = tuple(CardPose(each.card, 0, corners, 1.0) for each in PLACED[:shows])
    scan = GroupScan(SeenPhoto(400, 300), PLACED[:shows], cards, lines, (), {})
    kept = msgspec.json.decode(msgspec.json.encode(scan), type=GroupScan)
    given = {name.replace("__", ":").replace("_d_", "."): key for name, key in answers.items()}
    told = {"mission": json.dumps(mission).encode()}
    if table is not None:
        told["table"] = json.dumps(table).encode()
    left: tuple[OpenBefore, ...] = ()
    if after is not None:
        told["before"] = msgspec.json.encode(after.record)
        left = open_of(after, after, after.record)
    terms = COOPERATIVE.rules.settings.make({})
    return assess_groups(kept, CARDS, COOPERATIVE, told, terms, given, open_before=left)


def names(now: GroupAssessment) -> list[str]:
    return [question.name for question in now.questions]


def groups(now: GroupAssessment) -> list[str]:
    return [path.group for path in now.record.paths]


def test_a_line_to_its_goal_leaves_nothing_to_ask() -> None:
    now = assessed(line(WITH_KEY))
    assert (now.sure, names(now), now.ruling.mission.result) == (True, [], "won")


def test_whose_a_line_is_is_asked_where_inks_are_alike_and_its_answer_stands() -> None:
    asked = assessed(line(WITH_KEY, others=(1,)))
    assert not asked.sure
    assert names(asked) == ["owner:0"]
    assert [option.key for option in asked.offered["owner:0"]] == ["green", "blue"]
    answered = assessed(line(WITH_KEY, others=(1,)), owner__0="blue")
    assert (groups(answered), answered.sure) == (["blue"], True)


def test_two_groups_that_may_have_each_others_pens_exchange_their_lines() -> None:
    both = line(WITH_KEY, others=(1,)), line(BELOW, group=1, others=(0,))
    answered = assessed(*both, owner__0="blue")
    assert {path.group: path.path[0][0] for path in answered.record.paths} == {
        "blue": "0.w1",
        "green": "3.w1",
    }
    assert not any(name.startswith("owner:") for name in names(answered))


def test_a_line_is_the_groups_that_may_have_drawn_it_by_the_rules() -> None:
    """Only blue has the second key that the goal asks for."""
    mission = MISSION | {"goals": [{"id": "key", "card": "B", "at": ["w1"], "requires": {"key": 2}}]}
    groups_told = [{"group": "green"}, {"group": "blue", "fairy_tokens": {"key": 1}}]
    now = assessed(line(WITH_KEY, others=(1,)), mission=mission, table={"groups": groups_told})
    assert (groups(now), now.ruling.mission.result) == (["blue"], "won")
    answered = assessed(
        line(WITH_KEY, others=(1,)), mission=mission, table={"groups": groups_told}, owner__0="green"
    )
    assert groups(answered) == ["green"]


def test_a_line_of_two_that_may_be_either_groups_is_the_ones_whose_colour_is_much_nearer() -> None:
    assert groups(assessed(line(WITH_KEY, others=(1,), off_deg=(20.0, 2.0)))) == ["blue"]


def test_every_line_that_breaks_a_rule_is_doubted() -> None:
    now = assessed(line(WITH_KEY[1:4]), line(BELOW[1:4], group=1))
    assert {"broken-rule:0.j1", "broken-rule:3.j1"} <= set(names(now))


def test_strokes_of_one_ink_go_to_the_groups_whose_colours_they_are() -> None:
    strokes = (
        line(WITH_KEY, pen=0, others=(1,), off_deg=(12.0, 2.0)),
        line(BELOW, pen=0, others=(1,), off_deg=(1.0, 14.0)),
    )
    now = assessed(*strokes)
    assert {path.group: path.path[0][0] for path in now.record.paths} == {"blue": "0.w1", "green": "3.w1"}
    assert not any(name.startswith("owner:") for name in names(now))


def test_strokes_of_one_ink_are_one_groups_where_people_say_so() -> None:
    strokes = line(WITH_KEY, pen=0, others=(1,)), line(BELOW, pen=0, others=(1,))
    assert {"owner:0", "owner:1"} <= set(names(assessed(*strokes)))
    now = assessed(*strokes, owner__0="green", owner__1="green")
    assert set(groups(now)) == {"green"}


def test_strokes_of_two_alike_inks_may_be_each_others_and_are_asked_about() -> None:
    """That one group drew both breaks a rule; that they are exchanged breaks none, and changes who won."""
    strokes = line(WITH_KEY, pen=0, others=(1,)), line(BELOW, pen=0, others=(1,))
    now = assessed(*strokes)
    assert not now.sure
    stands, other = now.offered["owner:0"]
    assert {stands.ruling.mission.goals["key"], other.ruling.mission.goals["key"]} == {"green", "blue"}
    assert set(path.group for path in other.record.paths) == {"green", "blue"}


def test_a_line_that_breaks_off_and_goes_on_elsewhere_is_rather_anothers() -> None:
    """A group that has drawn nothing yet may have drawn it, though it stops where nobody stops."""
    far = ("3.w1", "3.j1", "3.rope1")
    strokes = line(WITH_KEY, pen=0), line(far, pen=0, others=(1,))
    assert {path.group: path.path[0][0] for path in assessed(*strokes).record.paths} == {
        "green": "0.w1",
        "blue": "3.w1",
    }


def test_what_stands_comes_first_only_where_it_is_far_likelier() -> None:
    alike = assessed(line(WITH_KEY, others=(1,)))
    assert not leads(alike.offered["owner:0"])
    nearer = assessed(line(WITH_KEY, others=(1,), off_deg=(1.0, 9.5)))
    assert leads(nearer.offered["owner:0"])


def test_which_way_a_line_went_is_asked_where_that_changes_the_ruling() -> None:
    either_way = line(BELOW, either_way=True)
    now = assessed(either_way, mission=LEAVING)
    assert names(now) == ["order"]
    first, other = now.offered["order"]
    assert first.words.en == "green"
    assert other.words.en == "green (green from the other end)"
    assert [each.ruling.mission.goals["left"] for each in (first, other)] == [None, "green"]
    turned = assessed(either_way, mission=LEAVING, order=other.key)
    assert turned.record.paths[0].path == (BELOW[::-1],)
    assert turned.sure


def test_another_reading_of_a_line_may_be_walked_either_way_as_well() -> None:
    """One place short of the edge a line does not begin where groups do; led on it does, from its far end."""
    backwards = WITH_KEY[::-1]
    short = line(backwards[:-1], either_way=True, instead=(backwards,))
    now = assessed(short)
    assert now.record.paths[0].path == (WITH_KEY,)
    assert now.ruling.mission.result == "won"


def test_a_line_ends_where_something_stands_on_it() -> None:
    now = assessed(line(BELOW, either_way=True, standing=("3.w1",)), mission=LEAVING)
    assert now.record.paths[0].path == (BELOW[::-1],)
    assert now.sure


def test_the_order_is_not_asked_where_no_order_changes_the_ruling() -> None:
    now = assessed(line(WITH_KEY), line(BELOW[:4], group=1))
    assert "order" not in names(now)


def test_an_order_that_people_gave_and_nothing_has_any_more_is_asked_again() -> None:
    now = assessed(line(BELOW, either_way=True), mission=LEAVING, order="blue@9.w1")
    assert names(now) == ["order"]


def test_a_line_that_stops_midway_is_asked_about_and_may_be_a_sketch() -> None:
    now = assessed(line(WITH_KEY[:3]))
    assert names(now) == ["stops:0.key1"]
    sketched = assessed(line(WITH_KEY[:3]), stops__0_d_key1=SKETCH)
    assert sketched.sure
    assert sketched.record.paths[0].sketch


def test_what_people_say_of_a_line_stands_before_what_the_rules_make_likelier() -> None:
    """The rules prefer a line that comes to its goal to one that stops midway."""
    doubtful = line(WITH_KEY[:6], instead=(WITH_KEY,))
    assert assessed(doubtful).record.paths[0].path == (WITH_KEY,)
    (name,) = (each for each in names(assessed(doubtful)) if each.startswith("path:"))
    scan_name = name.replace(":", "__").replace(".", "_d_")
    given: dict[str, Any] = {scan_name: "0"}
    assert assessed(doubtful, **given).record.paths[0].path == (WITH_KEY[:6],)


def test_an_answer_that_no_question_has_settles_nothing() -> None:
    answers: dict[str, Any] = {"owner__0": "nobody", "stops__0_d_key1": "maybe"}
    assert names(assessed(line(WITH_KEY[:3], others=(1,)), **answers)) == ["owner:0", "stops:0.key1"]


# --- what was open before a photo


def test_whose_a_line_is_stays_open_until_a_photo_shows_it() -> None:
    """Agreed is what nobody doubted: that a newer photo shows the same line in doubt makes it no surer."""
    in_doubt, clear, part = line(WITH_KEY, others=(1,)), line(WITH_KEY), line(WITH_KEY[:8])
    asked, left = assessed(in_doubt), "open:before:owner:0"
    assert names(asked) == ["owner:0"]
    hidden = assessed(part, after=asked, shows=2)
    assert (names(hidden), hidden.sure) == ([left], False)
    again = assessed(part, after=hidden, shows=2)
    assert names(again) == [left], "nor does a third photo show its end"
    assert left in names(assessed(in_doubt, after=asked))
    assert assessed(clear, after=asked).sure and assessed(clear, after=again).sure
    assert assessed(part, after=asked, shows=2, open__before__owner__0="as-read").sure


def test_in_which_order_lines_were_drawn_no_newer_photo_tells() -> None:
    drawn = line(BELOW, either_way=True)
    asked = assessed(drawn, mission=LEAVING)
    assert names(asked) == ["order"]
    later = assessed(drawn, after=asked, mission=LEAVING)
    assert names(later) == ["open:before:order"]
    assert [option.words.en for option in later.offered["open:before:order"]] == ["green"]
    assert assessed(drawn, after=asked, mission=LEAVING, open__before__order="as-read").sure
