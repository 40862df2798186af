"""The review: everything lies where it is in the photo, and answers combine."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from api_calls import json_of
from flask import Flask
from flask.testing import FlaskClient
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
from scorer.mapmasters.rules.referee import referee
from scorer.mapmasters.rules.terms import with_terms
from scorer.record import Marks, PlacedCard, Record, make_record, path_backwards
from vision.photo.decode import load_photo
from vision.questions import REASONS, Question, with_names
from waymark.review.referee_cache import Table
from waymark.review.tableau.answers import answer
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.merge import merge_paths, merge_records
from waymark.review.tableau.option import RETAKE
from waymark.review.tableau.options import MOST_JOINS
from waymark.review.tableau.question_names import BROKEN_RULE, GAP, PART_READ
from webapp.http.services import KEY, Services
from webapp.store.models import Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, take_reading
from webapp.tableaus.model import Review

#: The answer to how the lines of DOUBTED join that is true.
THROUGH_THE_ROOM = 2
ASKED = (DOUBTED, EITHER_WAY, "table-01.jpg")


def assessment(photo: str) -> Assessment:
    return assess(reading(photo), Table(open_deck()), TERMS)


def review_of_photo(app: Flask, photo: str) -> tuple[str, Review]:
    """A tableau with a photo that has been read, and its review over the API."""
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        tableau = Tableau(terms={"primary": TERMS.primary, "secondary": TERMS.secondary})
        session.add(tableau)
        stored = store_original(services.photos, (PHOTOS / photo).read_bytes())
        shot = add_shot(session, tableau, stored, filename=photo)
        session.flush()
        take_reading(session, services.catalogue, shot, reading(photo))
        tableau_id = tableau.id
    return tableau_id, get_review(app.test_client(), tableau_id)


# --- what answers say ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("photo", ["table-01.jpg", DOUBTED])
def test_answers_of_a_question_about_the_path_say_different_things(
    app: Flask, photo: str, language: str
) -> None:
    tableau, _ = review_of_photo(app, photo)
    read = get_review(app.test_client(), tableau, language).reading
    assert read is not None
    asked = [question for question in read.questions if question.about == "path"]
    assert asked
    for question in asked:
        labels = [option.label for option in question.options]
        assert len(set(labels)) == len(labels)


def test_answers_show_their_own_stretch_the_common_path_and_what_they_lack(app: Flask) -> None:
    _, review = review_of_photo(app, DOUBTED)
    assert review.reading is not None
    told = [[each for each in question.options if each.lines] for question in review.reading.questions]
    ways = next(options for options in told if len(options) > 1)
    for option in ways:
        assert option.rest
        # large enough to be seen in a small picture
        lengths = [np.linalg.norm(np.diff(line, axis=0), axis=1).sum() for line in option.lines]
        assert min(lengths) > 8 * review.reading.px_per_mm
    assert any(option.lacks for option in ways)


@pytest.mark.parametrize(
    ("language", "prompt", "answers"),
    [
        (
            "en",
            "Does the line run here?",
            ["I cannot tell", "The line runs here", "The line does not run here"],
        ),
        ("ja", "線はここを通っていますか?", ["分からない", "ここを通っている", "ここを通っていない"]),
    ],
)
def test_whether_a_line_runs_somewhere_is_asked_and_answered_in_few_words(
    app: Flask, language: str, prompt: str, answers: list[str]
) -> None:
    tableau, _ = review_of_photo(app, "table-01.jpg")
    read = get_review(app.test_client(), tableau, language).reading
    assert read is not None
    question = next(each for each in read.questions if each.name.startswith("path:faint"))
    assert question.prompt == prompt
    shown = {option.label: option for option in question.options}
    assert question.options[0].label == answers[0] and set(shown) == set(answers)
    # where it runs, or what it would be without
    assert shown[answers[1]].detail and shown[answers[2]].lacks


def test_a_find_that_the_path_misses_may_be_where_the_line_goes(app: Flask) -> None:
    # The reading of table-10 lost the run through the room from its door d1 to d2, which also parts its line.
    tableau, review = review_of_photo(app, "table-10.webp")
    assert review.reading is not None and not review.reading.sure
    question = review.reading.questions[0]
    assert question.name == GAP and "I cannot tell" in [option.label for option in question.options]
    led = next(option for option in question.options if option.number == THROUGH_THE_ROOM)
    assert led.kind == "led" and led.lines and question.matters
    assert give(app.test_client(), review, question.name, led.number).status_code == 200
    now = get_review(app.test_client(), tableau)
    assert now.reading is not None
    path = now.reading.record["path"]
    assert len(path) == 1 and "0.d1 0.A 0.d2 0.j7 0.d2 0.A 0.d1" in " ".join(path[0])
    # Both finds of the room are come to as well: nothing is asked about their circles any more.
    assert not [each for each in now.reading.questions if each.place in ("0.A1", "0.A2")]


def test_what_changes_the_score_most_is_asked_first(app: Flask) -> None:
    _, review = review_of_photo(app, EITHER_WAY)
    assert review.reading is not None
    now = review.reading.score
    changes = [
        max(abs((option.score.secondary_vp or 0) - (now.secondary_vp or 0)) for option in question.options)
        for question in review.reading.questions
        if question.matters
    ]
    assert changes[0] > 0 and changes[0] == max(changes)


# --- what is where ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("photo", [SURE, DOUBTED])
def test_places_lie_within_their_card_in_the_photo(app: Flask, photo: str) -> None:
    _, review = review_of_photo(app, photo)
    assert review.reading is not None
    for place in review.reading.places:
        outline = np.array(review.reading.cards[place.card].corners, np.float32)
        # openings lie on the edge
        assert cv2.pointPolygonTest(outline, place.at, True) > -1.5 * review.reading.px_per_mm


def test_the_path_is_drawn_from_place_to_place(app: Flask) -> None:
    _, review = review_of_photo(app, SURE)
    read = review.reading
    assert read is not None
    at = {place.id: place.at for place in read.places}
    names = [name for stroke in read.record["path"] for name in stroke]
    assert [(piece.a, piece.b) for piece in read.pieces] == list(pairwise(names))
    rooms = {place.id for place in read.places if place.kind == "room"}
    for piece in read.pieces:
        # through a room the line is a curve from door to door
        assert piece.a in rooms or piece.line[0] == pytest.approx(at[piece.a], abs=0.2)
        assert piece.b in rooms or piece.line[-1] == pytest.approx(at[piece.b], abs=0.2)
    for piece, after in pairwise(read.pieces):
        assert piece.line[-1] == pytest.approx(after.line[0], abs=0.2)
    assert [step.place for step in read.steps[1:]] == [
        piece.b for piece in read.pieces if piece.number is not None
    ]


@pytest.mark.parametrize("photo", [SURE, *ASKED])
def test_the_tally_of_the_last_step_is_the_rulings(app: Flask, photo: str) -> None:
    _, review = review_of_photo(app, photo)
    read = review.reading
    assert read is not None and read.primary is not None and read.secondary is not None
    tallies = [step.tally for step in read.steps if step.tally]
    tally = tallies[-1]
    assert len(tallies) == len(read.steps) and read.primary and read.secondary
    assert tally.primary is not None and tally.secondary is not None
    assert tally.discovered == read.discovered
    assert (tally.coins, tally.primary.vp, tally.secondary.vp) == (
        read.score.coins,
        read.primary.vp,
        read.secondary.vp,
    )
    counts = [sum(each.discovered.values()) for each in tallies]
    assert counts == sorted(counts)


def test_finds_tell_what_became_of_them(app: Flask) -> None:
    _, review = review_of_photo(app, SURE)
    read = review.reading
    assert read is not None
    found = {name for step in read.steps for name in step.found}
    for find in read.finds:
        assert (find.state == "missed") == (find.place not in found)
    # the first sword was used on the monster
    assert {find.find for find in read.finds if find.state == "used"} >= {"sword", "monster"}


def test_a_review_speaks_the_readers_language(app: Flask, client: FlaskClient) -> None:
    tableau_id, english = review_of_photo(app, SURE)
    japanese = get_review(client, tableau_id, "ja")
    assert english.reading is not None and japanese.reading is not None
    assert "You left the dungeon" in english.reading.end.sentence
    assert "ダンジョンを出ました" in japanese.reading.end.sentence
    assert "[" not in english.reading.end.sentence + japanese.reading.end.sentence


# --- questions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("photo", ASKED)
def test_an_option_shows_the_score_of_refereeing_its_record(app: Flask, photo: str) -> None:
    _, review = review_of_photo(app, photo)
    assert review.reading is not None and review.reading.questions
    now = assessment(photo)
    for question in review.reading.questions:
        for option in question.options:
            then = answer(now, question.name, option.number)
            assert then is not None
            ruling = referee(open_deck(), with_terms(then.record, then.terms))
            assert ruling.primary is not None and ruling.secondary is not None
            assert (option.score.primary_vp, option.score.secondary_vp) == (
                ruling.primary.vp,
                ruling.secondary.vp,
            )
            assert (option.score.coins, option.score.escaped) == (ruling.coins, ruling.escaped)


@pytest.mark.parametrize(
    ("reason", "prompt", "answers"),
    [
        ("stranger", "What is here?", ["There is no card of this tableau here", "D61"]),
        ("cut-off", "What is here?", ["There is no card of this tableau here"]),
        ("gap", "Is a card missing here?", ["No card is missing"]),
    ],
)
def test_what_seems_to_be_missing_is_asked_with_retaking_first(
    app: Flask, reason: str, prompt: str, answers: list[str]
) -> None:
    # There is room for one more, to the left, where the line comes to the edge.
    read = reading_of_data((PHOTOS / ROOM_FOR_ONE).read_bytes())
    left, top, right, bottom = box_of_card(read, 0)
    wide = right - left
    place = (left - wide, top, left, bottom)
    question = Question("card", "0", (read.cards[0].card,), *REASONS[reason].pair, place)
    if reason == "stranger":
        more = PlacedCard("D61", read.tableau.cards[0].x - 63, read.tableau.cards[0].y)
        both = msgspec.structs.replace(read.tableau, cards=(*read.tableau.cards, more))
        question = replace(question, options=(read.cards[0].card, "D61"), alternatives=(both,))
    scan = replace(read, questions=with_names((question, *read.questions)), sure=False)
    shown = review_of(app, scan, ROOM_FOR_ONE).reading
    assert shown is not None and not shown.sure
    told = shown.questions[0]
    assert told.prompt == prompt and told.matters
    first, *others = told.options
    assert (first.kind, first.number, first.label) == (
        "retake",
        RETAKE,
        "A card is missing: take the photo again",
    )
    assert [each.label for each in others] == [*answers, "I cannot tell"]
    # the place is shown, and not the card that it is filed under
    assert told.crop[0] < place[0] + 1 and told.crop[2] < (left + right) / 2
    # a name is told with its picture, and what it would score
    assert [each.picture is not None for each in others[1:-1]] == [True] * len(others[1:-1])


@pytest.mark.parametrize(
    ("reason", "language", "prompt", "retake", "stands"),
    [
        (
            "unseen",
            "en",
            "Does the path begin or end here?",
            "It goes on: take the photo again with all cards in it",
            "There is nothing there: this is the end of the path",
        ),
        (
            "unseen",
            "ja",
            "ここが経路の端ですか?",
            "先へ続いている。全部のカードを入れて撮り直す",
            "この先には何もない。ここが経路の端で正しい",
        ),
        (
            "cut",
            "en",
            "Is the whole path in the photo, as it was read?",
            "Not all of it: take the photo again with all cards in it",
            "The whole path is in the photo, and it is right",
        ),
        (
            "cut",
            "ja",
            "経路はすべて写っていて、読み取りのとおりですか?",
            "写っていない所がある。全部のカードを入れて撮り直す",
            "経路はすべて写っていて、読み取りのとおりで正しい",
        ),
    ],
)
def test_what_no_photo_shows_of_the_path_is_asked_with_retaking_first(
    app: Flask, reason: str, language: str, prompt: str, retake: str, stands: str
) -> None:
    read = reading_of_data((PHOTOS / ROOM_FOR_ONE).read_bytes())
    question = Question("path", read.tableau.path[-1][-1], (), *REASONS[reason].pair)
    scan = replace(read, questions=with_names((question, *read.questions)), sure=False)
    review = review_of(app, scan, ROOM_FOR_ONE)
    client = app.test_client()
    shown = get_review(client, review.id, language)
    assert shown.reading is not None and not shown.reading.sure
    told = next(each for each in shown.reading.questions if each.name.startswith(f"path:{reason}:"))
    assert (told.prompt, told.reason) == (prompt, REASONS[reason].message(language))
    assert (told.options[0].kind, told.options[0].label) == ("retake", retake)
    assert next(each.label for each in told.options if each.kind == "stands") == stands
    assert told.options[-1].kind == "unknown"
    # who taps the first answer is told no sure score; who looked and says that it is so is
    for option, sure in ((RETAKE, False), (0, True)):
        given = give(client, shown, told.name, option)
        assert given.status_code == 200, given.text
        shown = msgspec.json.decode(given.data, type=Review)
        assert shown.reading is not None and shown.reading.sure == sure


def test_which_group_is_meant_is_asked_with_the_cards_of_each(app: Flask) -> None:
    read = reading_of_data((PHOTOS / SURE).read_bytes())
    other = make_record((read.tableau.cards[-1],), catalogue=read.tableau.catalogue)
    instead = replace(
        read, tableau=other, cards=read.cards[-1:], path_px=(), questions=(), sure=True, mark_confidence={}
    )
    question = Question("card", "0", ("a", "b"), *REASONS["group"].pair, None, (other,))
    scan = replace(read, questions=with_names((question, *read.questions)), sure=False, instead=(instead,))
    review = review_of(app, scan, SURE)
    assert review.reading is not None
    (told,) = review.reading.questions
    assert told.prompt == "Which one should be scored?"
    # what a finger finds first settles nothing; then come the two, each with its part of the photo
    assert [each.kind for each in told.options] == ["retake", "stands", "other", "unknown"]
    assert told.options[0].label == "Take a photo of one tableau alone"
    these, those = told.options[1:3]
    assert these.label.endswith(f": {', '.join(card.card for card in read.cards)}")
    assert those.label.endswith(f": {read.cards[-1].card}")
    for option, cards in ((these, read.cards), (those, read.cards[-1:])):
        corners = np.array([corner for card in cards for corner in card.corners])
        assert option.crop is not None
        box = np.array(option.crop).reshape(2, 2)
        assert (box[0] <= corners.min(axis=0)).all() and (corners.max(axis=0) <= box[1]).all()
        assert np.abs(box - [corners.min(axis=0), corners.max(axis=0)]).max() < 200
    # whoever means the others has their reading at once
    given = give(app.test_client(), review, told.name, 1)
    assert given.status_code == 200, given.text
    now = msgspec.json.decode(given.data, type=Review)
    assert now.reading is not None and now.rereading is None
    assert [card.card for card in now.reading.cards] == [read.cards[-1].card]


@pytest.mark.parametrize("photo", ASKED)
def test_a_question_that_cannot_be_told_apart_matters(app: Flask, photo: str) -> None:
    _, review = review_of_photo(app, photo)
    assert review.reading is not None
    assert any(question.matters for question in review.reading.questions)
    for question in review.reading.questions:
        numbers = [option.number for option in question.options]
        assert 0 in numbers and len(set(numbers)) == len(numbers)
        # two real answers at least, and that nobody can tell comes first or last
        assert len(numbers) > 2 and "unknown" in (question.options[0].kind, question.options[-1].kind)


@pytest.mark.parametrize("photo", ASKED)
@pytest.mark.parametrize("choice", ["as_read", "other"])
def test_after_every_answer_the_tableau_is_sure_or_tells_which_lines_part(
    app: Flask, client: FlaskClient, photo: str, choice: str
) -> None:
    _, review = review_of_photo(app, photo)
    for _ in range(20):
        assert review.reading is not None
        question = next((question for question in review.reading.questions if question.matters), None)
        if question is None:
            break
        settling = sorted(
            (each for each in question.options if each.number >= 0), key=lambda each: each.number
        )
        option = settling[0 if choice == "as_read" else -1]
        given = give(client, review, question.name, option.number)
        assert given.status_code == 200, given.text
        review = msgspec.json.decode(given.data, type=Review)
        assert review.reading is not None
        assert review.reading.score == option.score
    assert review.reading is not None and review.reading.questions == ()
    assert review.reading.sure and review.reading.as_said == bool(review.reading.doubts)


def test_a_gap_that_people_say_was_drawn_so_is_sure_as_they_say(app: Flask, client: FlaskClient) -> None:
    _, review = review_of_photo(app, "table-10.webp")
    while review.reading is not None and review.reading.questions:
        question = review.reading.questions[0]
        review = msgspec.json.decode(give(client, review, question.name, 0).data, type=Review)
    # the path ended before it came to the second line; that does not join it to the first
    assert review.reading is not None and len(review.reading.record["path"]) == 2
    assert review.reading.sure and review.reading.as_said
    assert "does not join" in review.reading.doubts[0].message
    shown = json_of(client.get(f"/api/v1/tableaus/{review.id}/review", headers={"Accept-Language": "ja"}))
    assert "つながっていません" in shown["reading"]["doubts"][0]["message"]


def test_nobody_is_told_to_have_broken_a_rule_before_it_was_confirmed(
    app: Flask, client: FlaskClient
) -> None:
    tableau, review = review_of_photo(app, EITHER_WAY)
    assert review.reading is not None and not review.reading.sure and not review.reading.score.legal
    question = review.reading.questions[0]
    assert question.name == BROKEN_RULE and question.prompt == "Did you have something to cross the pitfall?"
    # the sentence says which rule and where; each answer, by which means
    assert "Without a rope you fall" in question.reason
    told = [(option.number, option.label) for option in question.options]
    assert told == [
        (-2, "The line was read wrongly"),
        (0, "The rule was broken"),
        (1, "I had a rope token"),
        (2, "I had the spellbook SB-3"),
        (3, "I had the spellbook SB-5"),
        (4, told[5][1]),
        (-1, "I cannot tell"),
    ]
    assert told[5][1].startswith("The path was drawn from the other end and breaks a rule")
    read = get_review(client, tableau, "ja").reading
    assert read is not None and read.questions[0].options[2].label == "ロープのフェアリートークンを持っていた"
    review = msgspec.json.decode(give(client, review, BROKEN_RULE, 0).data, type=Review)
    # which end it was is told with it: nothing else is asked
    assert review.reading is not None and review.reading.sure and not review.reading.score.legal
    # who draws a line that breaks another rule is asked about that one
    erased = {"kind": "erase", "stroke": 0, "start": 0, "end": 1}
    body = {"version": review.version, "correction": erased}
    answer = client.post(f"/api/v1/tableaus/{review.id}/corrections", json=body)
    assert answer.status_code == 200, answer.json
    review = get_review(client, review.id)
    assert review.reading is not None and not review.reading.score.legal
    assert [each.name for each in review.reading.questions] == [BROKEN_RULE]


def test_a_forgotten_token_is_one_tap_and_can_be_taken_back(app: Flask, client: FlaskClient) -> None:
    _, review = review_of_photo(app, EITHER_WAY)
    held = msgspec.json.decode(give(client, review, BROKEN_RULE, 1).data, type=Review)
    assert held.reading is not None and held.reading.score.legal
    assert held.reading.record["fairy_tokens"] == {"rope": 1}
    shown = json_of(client.get(f"/api/v1/tableaus/{review.id}/review"))
    assert shown["reading"]["record"]["fairy_tokens"] == {"rope": 1}
    undone = client.post(f"/api/v1/tableaus/{review.id}/undo", json={"version": held.version})
    before = msgspec.json.decode(undone.data, type=Review)
    assert before.reading is not None and not before.reading.score.legal
    assert not before.reading.record.get("fairy_tokens")
    assert before.reading.questions[0].name == BROKEN_RULE


def test_who_cannot_tell_is_not_asked_again_and_nothing_is_sure(app: Flask, client: FlaskClient) -> None:
    _, review = review_of_photo(app, "table-01.jpg")
    while review.reading is not None:
        asked = [each for each in review.reading.questions if each.matters and not each.left]
        if not asked:
            break
        review = msgspec.json.decode(give(client, review, asked[0].name, -1).data, type=Review)
    assert review.reading is not None and not review.reading.sure
    left = [each for each in review.reading.questions if each.left]
    doubts = [doubt for doubt in review.reading.doubts if doubt.question is not None]
    assert left and {doubt.question for doubt in doubts} >= {each.name for each in left if each.matters}
    assert "could not tell" in doubts[0].message
    # who remembers answers it after all
    while review.reading is not None and review.reading.questions:
        name = review.reading.questions[0].name
        review = msgspec.json.decode(give(client, review, name, 0).data, type=Review)
    assert review.reading is not None and review.reading.sure and not review.reading.doubts


def test_where_a_line_that_parts_joins_is_asked_with_pictures(app: Flask, client: FlaskClient) -> None:
    _, review = review_of_photo(app, "table-10.webp")
    assert review.reading is not None
    question = next(each for each in review.reading.questions if each.name == GAP)
    assert question.number == 1000  # programs of before questions had names send this
    joins = [option for option in question.options if option.number > 0]
    apart = next(option for option in question.options if option.number == 0)
    assert apart.label == "The lines are not joined" and apart.lacks and 1 < len(joins) <= 2 * MOST_JOINS
    assert all(join.lines for join in joins) and question.prompt == "How are these lines joined?"
    assert len({option.label for option in question.options}) == len(question.options)
    joined = give(client, review, question.number, THROUGH_THE_ROOM).data
    review = msgspec.json.decode(joined, type=Review)
    assert review.reading is not None and len(review.reading.record["path"]) == 1
    # what was circled off the path lies on it now, so that nothing more is asked about it; a joined line may
    # break a rule, and that is asked; what else was unclear of the line is looked over once
    left = [each for each in review.reading.questions if each.matters and each.about != "direction"]
    legal = review.reading.score.legal
    asked = [each.name for each in left if each.name not in (PART_READ, "path:too-much:0.d2")]
    assert asked == ([] if legal else [BROKEN_RULE])


def test_an_answer_undoes_no_other() -> None:
    now = assessment(DOUBTED)
    question = next(each for each in now.open_questions if each.alternatives)
    for second in now.open_questions:
        if second == question or not second.alternatives:
            continue
        first = answer(now, question.name, 1)
        assert first is not None
        then = answer(first, second.name, 1)
        if then is None:
            # both are about the same stretch: who looked there is not asked again
            assert first.question(second.name) is None
            continue
        drawn = steps_of(then.record.path)
        for changed in (question, second):
            new = steps_of(changed.alternatives[0].path) - steps_of(now.record.path)
            assert new <= drawn


def steps_of(path: tuple[tuple[str, ...], ...]) -> set[frozenset[str]]:
    return {frozenset(step) for stroke in path for step in pairwise(stroke)}


def test_a_settled_direction_is_kept_by_the_answers_after_it() -> None:
    now = assessment(EITHER_WAY)
    turned = answer(now, "direction", 1)
    assert turned is not None
    then = answer(turned, BROKEN_RULE, 1)
    assert then is not None and then.ruling.legal
    assert then.record.path == path_backwards(now.record.path) or "direction" in then.answered


def test_doubts_that_change_the_score_only_together_are_asked() -> None:
    read = reading(SURE)
    (whole,) = assess(read, Table(open_deck()), TERMS).record.path
    cut, again = whole.index("4.j4") + 1, whole.index("4.w1") + 1
    begun, middle, rest = whole[:cut], whole[cut:again], whole[again:]
    parted = msgspec.structs.replace(read.tableau, path=(begun, middle, rest))
    joins = [(begun + middle, rest), (begun, middle + rest)]
    questions = tuple(
        Question("path", begun[-1], ("no", "yes"), "why", "理由", None, (_with_path(parted, path),))
        for path in joins
    )
    doubted = replace(read, tableau=parted, path_px=((), (), ()), questions=questions, sure=False)
    for alone in questions:
        left = assess(replace(doubted, questions=(alone,)), Table(open_deck()), TERMS, answered={GAP})
        assert not left.open_questions
    now = assess(doubted, Table(open_deck()), TERMS, answered={GAP})
    assert not now.sure and len(now.open_questions) == 2
    first, second = (question.name for question in now.open_questions)
    then = answer(now, first, 1)
    assert then is not None
    then = answer(then, second, 1)
    assert then is not None and then.sure
    assert then.record.path == (whole,) and then.ruling.escaped


def _with_path(record: Record, path: tuple[tuple[str, ...], ...]) -> Record:
    return msgspec.structs.replace(record, path=path)


def test_an_answer_to_something_older_is_refused(app: Flask, client: FlaskClient) -> None:
    _, review = review_of_photo(app, EITHER_WAY)
    assert review.reading is not None
    question = review.reading.questions[0]
    late = give(client, review, question.number, 1, version=review.version - 1)
    assert late.status_code == 409
    assert "in the meantime" in late.json["error"]["message"]
    assert give(client, review, question.number, 9).status_code == 409
    assert give(client, review, 1007, 0).status_code == 409
    assert get_review(client, review.id).version == review.version


# --- combining ----------------------------------------------------------------------------------------------

BASE = (("a", "b", "c", "d", "e", "f"), ("g", "h"))


@pytest.mark.parametrize(
    ("other", "ours", "merged"),
    [
        pytest.param(
            (("a", "b", "x", "d", "e", "f"), ("g", "h")),
            (("a", "b", "c", "d", "e", "y"), ("g", "h")),
            (("a", "b", "x", "d", "e", "y"), ("g", "h")),
            id="two-places",
        ),
        pytest.param(
            (("a", "b", "x", "d", "e", "f"), ("g", "h")),
            (("h", "g"), ("y", "e", "d", "c", "b", "a")),
            (("h", "g"), ("y", "e", "d", "x", "b", "a")),
            id="turned",
        ),
        pytest.param(
            (("a", "b", "x", "d", "e", "f"), ("g", "h")),
            (("g", "h"), ("a", "b", "c", "d", "e", "f")),
            (("g", "h"), ("a", "b", "x", "d", "e", "f")),
            id="strokes-in-another-order",
        ),
        pytest.param(
            (("a", "b", "c"), ("d", "e", "f"), ("g", "h")),
            (("a", "b", "c", "d", "e", "f"), ("g", "h", "i")),
            (("a", "b", "c"), ("d", "e", "f"), ("g", "h", "i")),
            id="a-gap",
        ),
        pytest.param(
            (("a", "b", "x", "d", "e", "f"), ("g", "h")),
            (("a", "b", "y", "d", "e", "f"), ("g", "h")),
            None,
            id="the-same-stretch",
        ),
        pytest.param(
            (("a", "b", "x", "d", "e", "f"), ("g", "h")),
            (("a", "b", "c", "y", "e", "f"), ("g", "h")),
            None,
            id="stretches-that-touch",
        ),
    ],
)
def test_paths_are_combined_by_what_differs(other: Any, ours: Any, merged: Any) -> None:
    assert merge_paths(BASE, other, ours) == merged


CARDS = (PlacedCard("D01", 0, 0), PlacedCard("D04", 63, 0))


def test_marks_are_combined_by_place() -> None:
    places = build_dungeon(open_deck(), CARDS).places.values()
    first, second, *_ = [place.id for place in places if place.find is not None]
    base = make_record(CARDS, (), marks=Marks(circled=(first,)))
    unmarked = msgspec.structs.replace(base, marks=Marks())
    struck = msgspec.structs.replace(base, marks=Marks(circled=(first,), struck=(second,)))
    both = merge_records(base, unmarked, struck, Table(open_deck()))
    assert both is not None and both.marks == Marks(struck=(second,))


def test_cards_are_combined_by_index() -> None:
    base = make_record(CARDS, ())
    other = msgspec.structs.replace(base, cards=(CARDS[0], PlacedCard("D05", 63, 0)))
    ours = msgspec.structs.replace(base, cards=(PlacedCard("D02", 0, 0), CARDS[1]))
    merged = merge_records(base, other, ours, Table(open_deck()))
    assert merged is not None and [card.card for card in merged.cards] == ["D02", "D05"]
    clash = msgspec.structs.replace(base, cards=(CARDS[0], PlacedCard("D06", 63, 0)))
    assert merge_records(base, other, clash, Table(open_deck())) is None


# --- photos -------------------------------------------------------------------------------------------------


def test_photos_and_cards_are_shown_small_and_for_ever(app: Flask, client: FlaskClient) -> None:
    _, review = review_of_photo(app, SURE)
    assert review.reading is not None
    size = review.reading.photo.sizes[0]
    answered = client.get(size.url)
    assert answered.status_code == 200
    assert "immutable" in answered.headers["Cache-Control"]
    shown = load_photo(answered.data)
    assert max(shown.width, shown.height) == size.longest
    card = client.get(review.reading.cards[0].picture)
    assert card.status_code == 200 and card.mimetype == "image/jpeg"
    assert client.get("/cards/none.jpg").status_code == 404
    assert client.get(size.url.replace(str(size.longest), "9999")).status_code == 404
    assert client.get(f"/photos/{'0' * 64}/480.jpg").status_code == 404


def test_a_photo_whose_file_is_lost_is_told(app: Flask, client: FlaskClient) -> None:
    _, review = review_of_photo(app, SURE)
    assert review.reading is not None
    services: Services = app.extensions[KEY]
    photo = review.reading.photo
    Path(services.config.photos / photo.id[:2] / photo.id).unlink()
    gone = client.get(f"/photos/{photo.id}/480.jpg", headers={"Accept-Language": "ja"})
    assert gone.status_code == 410
    assert "撮り直す" in gone.text


def test_a_deleted_photo_comes_back_as_it_was(app: Flask, client: FlaskClient) -> None:
    _, review = review_of_photo(app, EITHER_WAY)
    assert review.reading is not None
    review = msgspec.json.decode(give(client, review, BROKEN_RULE, 0).data, type=Review)
    assert review.reading is not None
    (shot,) = review.shots
    base = f"/api/v1/tableaus/{review.id}/shots/{shot.id}"
    gone = msgspec.json.decode(client.delete(base).data, type=Review)
    assert gone.reading is None and gone.state == "empty" and gone.shots[0].deleted
    back = msgspec.json.decode(client.post(f"{base}/restore", json={"use": True}).data, type=Review)
    assert back.reading is not None
    assert back.reading.record == review.reading.record
    assert back.reading.answered == review.reading.answered and back.reading.sure


def test_another_photo_can_be_used_and_the_first_one_again(app: Flask, client: FlaskClient) -> None:
    tableau_id, review = review_of_photo(app, SURE)
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        stored = store_original(services.photos, (PHOTOS / EITHER_WAY).read_bytes())
        shot = add_shot(session, session.get_one(Tableau, tableau_id), stored)
        session.flush()
        take_reading(session, services.catalogue, shot, reading(EITHER_WAY))
        other = shot.id
    shown = get_review(client, tableau_id).reading
    assert shown is not None and review.reading is not None and shown.photo == review.reading.photo
    first = review.shots[0].id
    for used in (other, first):
        client.post(f"/api/v1/tableaus/{tableau_id}/shots/{used}/use")
        now = get_review(client, tableau_id)
        assert [each.id for each in now.shots if each.used] == [used]
    assert now.reading is not None and now.reading.sure
