"""Corrections: what people change stands at once, nothing that was read is lost, each step can be taken
back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from api_calls import json_of
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from live_server import PHOTOS
from shared_readings import open_deck, photo_file, reading_of

from scorer.games import game_named
from scorer.mapmasters.rules.terms import Terms
from scorer.record import Marks, Objectives, Record, StatedPayment
from vision.photo.decode import load_photo
from vision.questions import Question
from vision.reader import scan_pinned
from vision.scan import Scan
from waymark.review.pipeline import decode_reading, load_cards
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess
from waymark.review.tableau.edits import (
    AddCard,
    Correction,
    Draw,
    Erase,
    LeadThrough,
    RemoveCard,
    SetCard,
    SetMark,
    SetMeans,
    SetPayment,
    SetTerms,
    Swap,
)
from waymark.review.tableau.question_names import CARDS_CORRECTED
from webapp.games.games import NewPlayer, create_game
from webapp.http.services import KEY, Services
from webapp.scans.leases import fail
from webapp.scans.worker import worker_failed
from webapp.store.models import Entry, Revision, Shot, Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, rereading, take_reading
from webapp.tableaus.model import Review

# --- over the API -------------------------------------------------------------------------------------------

SURE = "table-07"


def tableau_of(app: Flask, photo: str = SURE, scan: Scan | None = None) -> str:
    """A tableau whose photo has been read (as `scan`)."""
    services: Services = app.extensions[KEY]
    file = photo_file(photo)
    with services.database.transaction() as session:
        tableau = Tableau(terms={"primary": "sword", "secondary": "pit"})
        session.add(tableau)
        stored = store_original(services.photos, file.read_bytes())
        shot = add_shot(session, tableau, stored, filename=file.name)
        session.flush()
        take_reading(session, services.catalogue, shot, scan or reading_of(photo))
        return tableau.id


def read_again(app: Flask, tableau_id: str) -> None:
    """What the queue does with ink that is to be read again, at once."""
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        shot = rereading(session, session.get_one(Tableau, tableau_id))
        assert shot is not None and shot.state == "waiting"
        from vision.reader import PinnedCard

        cards = msgspec.convert(shot.given, tuple[PinnedCard, ...])
        file = services.config.photos / shot.photo_id[:2] / shot.photo_id
        index = load_cards(services.catalogue)
        scan = scan_pinned(load_photo(file), cards, services.catalogue, index)
        take_reading(session, services.catalogue, shot, scan)


def review(client: FlaskClient, tableau_id: str) -> Review:
    answered = client.get(f"/api/v1/tableaus/{tableau_id}/review")
    assert answered.status_code == 200, answered.text
    return msgspec.json.decode(answered.data, type=Review)


def post(client: FlaskClient, tableau_id: str, action: str, **body: Any) -> Review:
    answered = client.post(f"/api/v1/tableaus/{tableau_id}/{action}", json=body)
    assert answered.status_code == 200, answered.text
    return msgspec.json.decode(answered.data, type=Review)


def correct(client: FlaskClient, now: Review, correction: Correction) -> Review:
    plain = msgspec.to_builtins(correction)
    return post(client, now.id, "corrections", version=now.version, correction=plain)


def record_of(now: Review) -> Record:
    assert now.reading is not None
    return msgspec.convert(now.reading.record, Record)


def revision(now: Review) -> int:
    assert now.reading is not None
    return now.reading.revision


def test_a_correction_is_refereed_at_once_and_the_reading_can_be_restored(
    app: Flask, client: FlaskClient
) -> None:
    tableau_id = tableau_of(app)
    read = review(client, tableau_id)
    assert read.reading is not None and not read.history.undo and not read.history.redo
    stroke = record_of(read).path[0]
    cut = correct(client, read, Erase(stroke=0, start=2, end=len(stroke) - 1))
    assert cut.reading is not None and cut.reading.corrected
    assert record_of(cut).path == (stroke[:3],) and cut.reading.score != read.reading.score
    assert cut.history.undo and cut.version > read.version
    original = post(client, tableau_id, "restore-reading", version=cut.version)
    assert original.reading is not None and not original.reading.corrected
    assert record_of(original) == record_of(read) and original.reading.score == read.reading.score
    # the restored reading is a step like any other
    back = post(client, tableau_id, "undo", version=original.version)
    assert record_of(back) == record_of(cut)


def test_a_stale_version_is_refused(app: Flask, client: FlaskClient) -> None:
    tableau_id = tableau_of(app)
    now = review(client, tableau_id)
    correct(client, now, Swap())
    for action, body in (
        ("corrections", {"correction": {"kind": "swap"}}),
        ("undo", {}),
        ("redo", {}),
        ("restore-reading", {}),
    ):
        answered = client.post(
            f"/api/v1/tableaus/{tableau_id}/{action}", json={"version": now.version, **body}
        )
        assert answered.status_code == 409, action
        assert "look at it again" in json_of(answered)["error"]["message"]


def test_a_direction_that_a_person_gives_stands_against_the_rules(app: Flask, client: FlaskClient) -> None:
    now = review(client, tableau_of(app))
    turned = correct(client, now, Swap())
    assert record_of(turned).path == tuple(line[::-1] for line in record_of(now).path[::-1])
    assert turned.reading is not None and now.reading is not None
    assert turned.reading.score != now.reading.score


def test_nothing_to_undo_or_redo_is_told(app: Flask, client: FlaskClient) -> None:
    tableau_id = tableau_of(app)
    for action in ("undo", "redo"):
        version = review(client, tableau_id).version
        answered = client.post(f"/api/v1/tableaus/{tableau_id}/{action}", json={"version": version})
        assert answered.status_code == 400 and json_of(answered)["error"]["code"] == "nothing-left"


def any_correction(data: st.DataObject, now: Review) -> Correction:
    """Something that a person may do to the tableau as it stands."""
    assert now.reading is not None
    record = record_of(now)
    finds = st.sampled_from([find.place for find in now.reading.finds])
    places = st.sampled_from([at.id for at in now.reading.places])
    stroke = st.integers(0, max(0, len(record.path) - 1))
    step = st.integers(0, max((len(line) - 1 for line in record.path), default=0))
    cards = st.integers(0, len(record.cards) - 1)
    names = st.sampled_from([card.id for card in open_deck().cards])
    kinds = st.one_of(
        st.builds(SetMark, place=finds, circled=st.booleans(), struck=st.booleans()),
        st.builds(Draw, places=st.tuples(places, places), join=st.booleans()),
        st.builds(Erase, stroke=stroke, start=step, end=step),
        st.builds(LeadThrough, stroke=stroke, step=step, place=places),
        st.builds(Swap, stroke=st.none() | stroke),
        st.builds(SetCard, index=cards, card=names, rotation=st.sampled_from([0, 180])),
        st.builds(RemoveCard, index=cards),
        st.builds(AddCard, card=names, x=st.integers(-200, 400), y=st.integers(-200, 400)),
    )
    made: Correction = data.draw(kinds)
    return made


@settings(
    max_examples=8,
    phases=[Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_undo_gives_what_was_there_before_and_redo_makes_it_again(app: Flask, data: st.DataObject) -> None:
    client = app.test_client()
    now = review(client, tableau_of(app))
    stood = [now]
    for _ in range(data.draw(st.integers(1, 4))):
        plain = msgspec.to_builtins(any_correction(data, now))
        answered = client.post(
            f"/api/v1/tableaus/{now.id}/corrections", json={"version": now.version, "correction": plain}
        )
        assert answered.status_code in (200, 400), answered.text
        if answered.status_code == 200:
            after = msgspec.json.decode(answered.data, type=Review)
            if revision(after) != revision(now):
                stood.append(after)
            now = after
    for before in stood[-2::-1]:
        now = post(client, now.id, "undo", version=now.version)
        assert now.reading is not None and before.reading is not None
        assert (record_of(now), now.reading.score) == (record_of(before), before.reading.score)
        assert now.reading.questions == before.reading.questions
    assert not now.history.undo
    for after in stood[1:]:
        now = post(client, now.id, "redo", version=now.version)
        assert record_of(now) == record_of(after)
    assert not now.history.redo


@pytest.mark.both_databases
def test_no_revision_is_ever_changed(app: Flask, client: FlaskClient) -> None:
    tableau_id = tableau_of(app)

    def revisions() -> dict[int, tuple[Any, ...]]:
        services: Services = app.extensions[KEY]
        with services.database.readers() as session:
            rows = session.query(Revision).filter_by(tableau_id=tableau_id)
            return {row.number: (row.kind, row.record, row.answered, row.before) for row in rows}

    now, kept = review(client, tableau_id), revisions()
    for action in ("corrections", "undo", "redo", "restore-reading", "undo"):
        body = {"correction": {"kind": "swap"}} if action == "corrections" else {}
        now = post(client, tableau_id, action, version=now.version, **body)
        after = revisions()
        assert {number: after[number] for number in kept} == kept and len(after) == len(kept) + 1
        kept = after


def test_means_are_corrected_and_taken_back(app: Flask, client: FlaskClient) -> None:
    now = review(client, tableau_of(app))
    held = post(
        client,
        now.id,
        "corrections",
        version=now.version,
        correction={"kind": "means", "fairy_tokens": {"rope": 2}, "spellbooks": ["SB-4"]},
    )
    assert (held.means.fairy_tokens, held.means.spellbooks) == ({"rope": 2}, ("SB-4",))
    back = post(client, now.id, "undo", version=held.version)
    assert (back.means.fairy_tokens, back.means.spellbooks) == ({}, ())
    again = post(client, now.id, "redo", version=back.version)
    assert again.means == held.means
    # They are told as a whole: what is left out is not held.
    books = correct(client, again, SetMeans(spellbooks=("SB-4",)))
    assert (books.means.fairy_tokens, books.means.spellbooks) == ({}, ("SB-4",))
    assert correct(client, books, SetMeans()).means == now.means


def test_outside_a_game_objectives_and_house_rules_are_chosen_and_taken_back(
    app: Flask, client: FlaskClient
) -> None:
    read = review(client, tableau_of(app))
    asked = correct(client, read, SetTerms(primary="monster", secondary=None))
    assert asked.reading is not None and asked.reading.primary and asked.reading.secondary is None
    assert (asked.reading.primary.objective, asked.reading.score.secondary_vp) == ("monster", None)
    terms = {**read.means.terms, "primary": "monster", "secondary": None}
    assert asked.means == msgspec.structs.replace(read.means, terms=terms, primary="monster", secondary=None)
    few = correct(client, asked, SetTerms(settings={"card_limit": 2}))
    assert few.reading is not None and few.reading.laying != asked.reading.laying
    assert (few.means.settings["card_limit"], few.means.primary) == (2, "monster")
    drawn = correct(client, few, Swap())
    assert drawn.means == few.means
    back = drawn
    for before in (few, asked, read):
        back = post(client, read.id, "undo", version=back.version)
        assert back.means == before.means and back.reading is not None and before.reading is not None
        assert (back.reading.score, back.reading.laying) == (before.reading.score, before.reading.laying)
    for again in (asked, few):
        back = post(client, read.id, "redo", version=back.version)
        assert back.means == again.means
    # What was read is all that the original reading brings back.
    assert post(client, read.id, "restore-reading", version=back.version).means == few.means


def test_a_game_has_its_own_objectives_and_house_rules(app: Flask, client: FlaskClient) -> None:
    services: Services = app.extensions[KEY]
    tableau_id = tableau_of(app)
    with services.database.transaction() as session:
        players = [NewPlayer("Aki", "red"), NewPlayer("Bob", "blue")]
        entry = create_game(session, game_named("mapmasters"), players).rounds[0].entries[0]
        session.get_one(Tableau, tableau_id).entry_id = entry.id
    now = review(client, tableau_id)
    for terms in ({"primary": "key"}, {"settings": {"card_limit": 6}}):
        body = {"version": now.version, "correction": {"kind": "terms", **terms}}
        answer = client.post(f"/api/v1/tableaus/{tableau_id}/corrections", json=body)
        assert answer.status_code == 400 and answer.json is not None
        assert answer.json["error"]["code"] == "in-game"
    assert review(client, tableau_id) == now


def test_what_a_payment_was_made_with_is_corrected_and_taken_back(app: Flask, client: FlaskClient) -> None:
    """table-07: a monster in a room, and a sword, said not to be struck through; so the referee takes the
    token that was held besides."""
    read = review(client, tableau_of(app))
    (struck,) = (name for name in record_of(read).marks.struck if name.endswith(".f1"))
    read = correct(client, read, SetMark(place=struck, circled=True, struck=False))
    held = correct(client, read, SetMeans(fairy_tokens={"sword": 1}, spellbooks=("SB-5",)))
    assert held.reading is not None
    (payment,) = held.reading.payments
    place, lair = payment.place, payment.place.removesuffix(".A2")
    assert (payment.name, payment.tool, payment.stated) == (
        "the monster in the middle of D37",
        "sword",
        False,
    )
    assert [(way.means, way.source, way.words, way.used, way.score) for way in payment.ways] == [
        ("fairy:sword", None, "a sword token", True, None),
        ("sword", f"{lair}.f1", "the sword at the left of D37", False, None),
        ("SB-5", None, "SB-5 as a sword token", False, None),
    ]
    said = correct(client, held, SetPayment(at=place, means="sword", source=f"{lair}.f1"))
    assert said.reading is not None and said.reading.score == held.reading.score
    (payment,) = said.reading.payments
    assert payment.stated and [way.used for way in payment.ways] == [False, True, False]
    assert record_of(said).stated == (StatedPayment(at=place, means="sword", source=f"{lair}.f1"),)
    assert any("the sword from step 3 as stated" in step.sentence for step in said.reading.steps)
    back = post(client, read.id, "undo", version=said.version)
    assert record_of(back) == record_of(held) and back.means == held.means
    again = post(client, read.id, "redo", version=back.version)
    assert record_of(again) == record_of(said)
    chosen = correct(client, again, SetPayment(at=place, means=None))
    assert record_of(chosen) == record_of(held)
    token = SetPayment(at=place, means="fairy:sword")
    # the token is taken away, not the statement: that is told, not dropped
    gone = correct(client, correct(client, chosen, token), SetMeans(fairy_tokens={}, spellbooks=()))
    assert gone.reading is not None and record_of(gone).stated == (
        StatedPayment(at=place, means="fairy:sword"),
    )
    (note,) = gone.reading.payment_notes
    assert (note.about, note.place, gone.reading.payments[0].stated) == ("not_held", place, False)
    original = post(client, read.id, "restore-reading", version=gone.version)
    assert not record_of(original).stated
    undone = post(client, read.id, "undo", version=original.version)
    assert record_of(undone).stated == record_of(gone).stated


def test_a_payment_nowhere_is_refused_in_a_sentence(app: Flask, client: FlaskClient) -> None:
    now = review(client, tableau_of(app))
    for correction, code in (
        ({"at": "0.nowhere", "means": "rope"}, "unknown-place"),
        ({"at": "0.A2", "means": "sword", "source": "9.f1"}, "unknown-place"),
        ({"at": "0.A2", "means": "ladder"}, "unknown-means"),
    ):
        refused = client.post(
            f"/api/v1/tableaus/{now.id}/corrections",
            json={"version": now.version, "correction": {"kind": "payment", **correction}},
        )
        assert refused.status_code == 400 and json_of(refused)["error"]["code"] == code
    assert review(client, now.id).version == now.version


@pytest.mark.long
def test_a_stated_payment_survives_reading_again(app: Flask, client: FlaskClient) -> None:
    tableau_id = tableau_of(app)
    token = SetPayment(at="0.A2", means="fairy:sword")
    said = correct(client, review(client, tableau_id), token)
    turned = record_of(said).cards[2].rotation
    correct(client, said, SetCard(index=2, rotation=(turned + 180) % 360))  # type: ignore[arg-type]
    read_again(app, tableau_id)
    after = review(client, tableau_id)
    assert record_of(after).stated == record_of(said).stated
    # on the card itself it cannot be kept, unless that is turned back at once; else it is asked about
    turned = record_of(after).cards[0].rotation
    other = SetCard(index=0, rotation=(turned + 180) % 360)  # type: ignore[arg-type]
    upside = correct(client, after, other)
    assert not record_of(upside).stated
    back = correct(client, upside, SetCard(index=0, rotation=turned))
    assert record_of(back).stated == record_of(said).stated
    correct(client, back, other)
    read_again(app, tableau_id)
    lost = review(client, tableau_id)
    assert lost.reading is not None and not record_of(lost).stated
    assert any("could not be kept" in question.reason for question in lost.reading.questions)


# --- ink read again -----------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_wrong_card_put_right_has_its_ink_read_again(app: Flask, client: FlaskClient) -> None:
    """Wrong on purpose first; then right again: path, marks and score are those of the photo."""
    tableau_id = tableau_of(app)
    read = review(client, tableau_id)
    assert read.reading is not None and read.reading.sure
    right = record_of(read).cards[1].card
    wrong = next(card.id for card in open_deck().cards if card.kind == "dungeon" and card.id != right)
    other = correct(client, read, SetCard(index=1, card=wrong))
    assert other.reading is not None and not other.reading.sure
    assert other.rereading is not None and other.rereading.state == "waiting"
    assert [question.name for question in other.reading.questions] == [CARDS_CORRECTED]
    read_again(app, tableau_id)
    misread = review(client, tableau_id)
    assert misread.rereading is None
    mended = correct(client, misread, SetCard(index=1, card=right))
    read_again(app, tableau_id)
    mended = review(client, tableau_id)
    assert mended.reading is not None and mended.reading.sure
    assert record_of(mended) == record_of(read) and mended.reading.score == read.reading.score
    # undoing takes each correction back with what followed from it
    first = post(client, tableau_id, "undo", version=mended.version)
    assert record_of(first) == record_of(misread)
    second = post(client, tableau_id, "undo", version=first.version)
    assert record_of(second) == record_of(read) and not second.history.undo


def test_a_card_that_an_answer_names_has_its_ink_read_again(app: Flask, client: FlaskClient) -> None:
    settled = assess(reading_of(SURE), Table(open_deck()), Terms(primary="sword")).record
    sure = replace(reading_of(SURE), tableau=msgspec.structs.replace(settled, objectives=Objectives()))
    (stroke,) = sure.tableau.path
    last = int(stroke[-1].partition(".")[0])
    cards = list(sure.tableau.cards)
    cards[last] = msgspec.structs.replace(cards[last], card="B01")
    shorter = tuple(name for name in stroke if not name.startswith(f"{last}."))
    other = msgspec.structs.replace(sure.tableau, cards=tuple(cards), path=(shorter,), marks=Marks())
    asked = Question("card", f"{last}", (sure.tableau.cards[last].card, "B01"), "?", "?", None, (other,))
    tableau_id = tableau_of(app, scan=replace(sure, questions=(asked,), sure=False))
    now = review(client, tableau_id)
    named = post(client, tableau_id, "answers", version=now.version, question=0, option=1)
    assert named.rereading is not None and record_of(named).cards[last].card == "B01"
    read_again(app, tableau_id)
    after = review(client, tableau_id)
    assert record_of(after).cards[last].card == "B01" and after.history.undo
    back = post(client, tableau_id, "undo", version=after.version)
    assert record_of(back) == record_of(now) and not back.history.undo


def test_a_card_left_out_and_added_again_at_its_place(app: Flask, client: FlaskClient) -> None:
    tableau_id = tableau_of(app)
    read = review(client, tableau_id)
    assert read.reading is not None
    gone = record_of(read).cards[-1]
    without = correct(client, read, RemoveCard(index=len(record_of(read).cards) - 1))
    read_again(app, tableau_id)
    without = review(client, tableau_id)
    free = json_of(client.get(f"/api/v1/tableaus/{tableau_id}/sites"))
    site = min(free, key=lambda each: abs(each["x"] - gone.x) + abs(each["y"] - gone.y))
    assert abs(site["x"] - gone.x) < 3 and abs(site["y"] - gone.y) < 3
    added = correct(
        client, without, AddCard(card=gone.card, rotation=gone.rotation, x=site["x"], y=site["y"])
    )
    read_again(app, tableau_id)
    added = review(client, tableau_id)
    assert added.reading is not None
    assert record_of(added).path == record_of(read).path
    assert added.reading.score == read.reading.score


@pytest.mark.long
def test_what_people_drew_on_other_cards_survives_reading_again(app: Flask, client: FlaskClient) -> None:
    tableau_id = tableau_of(app)
    read = review(client, tableau_id)
    assert read.reading is not None
    mark = next(find.place for find in read.reading.finds if find.place.startswith("0."))
    marked = correct(client, read, SetMark(place=mark, circled=False, struck=True))
    turned = record_of(read).cards[2].rotation
    upside = correct(client, marked, SetCard(index=2, rotation=(turned + 180) % 360))  # type: ignore[arg-type]
    back = correct(client, upside, SetCard(index=2, rotation=turned))
    services: Services = app.extensions[KEY]
    with services.database.readers() as session:
        waiting = session.query(Shot).filter_by(tableau_id=tableau_id, state="waiting", deleted_at=None)
        assert waiting.count() == 0, "the cards are again those that were read"
    upside = correct(client, back, SetCard(index=2, rotation=(turned + 180) % 360))  # type: ignore[arg-type]
    read_again(app, tableau_id)
    after = review(client, tableau_id)
    assert mark in record_of(after).marks.struck and mark not in record_of(after).marks.circled
    mended = correct(client, after, SetCard(index=2, rotation=turned))
    read_again(app, tableau_id)
    mended = review(client, tableau_id)
    assert record_of(mended).path == record_of(read).path
    assert mark in record_of(mended).marks.struck


@pytest.mark.long
def test_what_was_changed_on_a_card_that_is_another_one_is_asked_about(
    app: Flask, client: FlaskClient
) -> None:
    tableau_id = tableau_of(app)
    read = review(client, tableau_id)
    assert read.reading is not None
    # a card without ink, on which a person draws
    free = next(k for k in range(5) if not any(n.startswith(f"{k}.") for n in record_of(read).path[0]))
    ends = [place.id for place in read.reading.places if place.card == free and place.kind == "opening"]
    drawn = correct(client, read, Draw(places=(ends[0], ends[1]), join=False))
    wrong = next(card.id for card in open_deck().cards if card.kind == "boss")
    correct(client, drawn, SetCard(index=free, card=wrong))
    read_again(app, tableau_id)
    after = review(client, tableau_id)
    assert after.reading is not None and not after.reading.sure
    lost = [question for question in after.reading.questions if "could not be kept" in question.reason]
    assert [question.place for question in lost] == [f"{free}"]
    # whoever says that it is right has settled it
    settled = post(client, tableau_id, "answers", version=after.version, question=lost[0].number, option=0)
    assert settled.reading is not None
    assert not any("could not be kept" in question.reason for question in settled.reading.questions)


def test_a_reading_that_fails_is_told_and_gone_once_it_is_undone(app: Flask, client: FlaskClient) -> None:
    tableau_id = tableau_of(app)
    other = correct(client, review(client, tableau_id), SetCard(index=0, rotation=180))
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        shot = rereading(session, session.get_one(Tableau, tableau_id))
        assert shot is not None
        fail(shot, worker_failed("test"))
    failed = review(client, tableau_id)
    assert failed.rereading is not None and failed.rereading.state == "failed" and failed.rereading.error
    assert failed.reading is not None and not failed.reading.sure
    # the path can be drawn by hand, and said to be right
    settled = post(client, tableau_id, "answers", version=failed.version, question=CARDS_CORRECTED, option=0)
    assert settled.reading is not None and not settled.reading.questions and settled.rereading is None
    assert record_of(settled).cards == record_of(other).cards
    back = post(client, tableau_id, "undo", version=settled.version)
    back = post(client, tableau_id, "undo", version=back.version)
    assert back.rereading is None and back.reading is not None and back.reading.sure


def test_the_score_of_a_round_follows_a_correction(app: Flask, client: FlaskClient) -> None:
    from webapp.games.games import NewPlayer, create_game, set_objectives, tableau_of_entry

    services: Services = app.extensions[KEY]
    tableau_id = tableau_of(app)
    with services.database.transaction() as session:
        game = create_game(
            session, game_named("mapmasters"), [NewPlayer("Aya", "red"), NewPlayer("Ben", "blue")]
        )
        set_objectives(session, services.catalogue, game.rounds[0], {"primary": "sword"})
        entry = game.rounds[0].entries[0]
        tableau = tableau_of_entry(session, entry)
        stored = store_original(services.photos, (PHOTOS / f"{SURE}.jpg").read_bytes())
        shot = add_shot(session, tableau, stored)
        session.flush()
        take_reading(session, services.catalogue, shot, reading_of(SURE))
        tableau_id, entry_id = tableau.id, entry.id
    now = review(client, tableau_id)
    stroke = record_of(now).path[0]
    correct(client, now, Erase(stroke=0, start=1, end=len(stroke) - 1))
    with services.database.readers() as session:
        row = session.get_one(Entry, entry_id)
        assert (row.scores["primary"], row.scores["escaped"]) == (0, False)


def test_dragged_corners_are_laid_over_the_card(app: Flask, client: FlaskClient) -> None:
    tableau_id = tableau_of(app)
    read = review(client, tableau_id)
    assert read.reading is not None
    mm = read.reading.px_per_mm
    off = tuple((x + 2 * mm, y - 1.5 * mm) for x, y in read.reading.cards[0].corners)
    correct(client, read, SetCard(index=0, corners=off))  # type: ignore[arg-type]
    read_again(app, tableau_id)
    after = review(client, tableau_id)
    assert after.reading is not None
    for (x, y), (x0, y0) in zip(after.reading.cards[0].corners, read.reading.cards[0].corners, strict=True):
        assert abs(x - x0) < mm and abs(y - y0) < mm
    assert after.reading.score == read.reading.score
    crossed = (off[0], off[2], off[1], off[3])
    answered = client.post(
        f"/api/v1/tableaus/{tableau_id}/corrections",
        json={"version": after.version, "correction": {"kind": "card", "index": 0, "corners": crossed}},
    )
    assert answered.status_code == 400 and json_of(answered)["error"]["code"] == "bad-outline"


def test_a_card_is_not_laid_outside_the_photo(app: Flask, client: FlaskClient) -> None:
    now = review(client, tableau_of(app))
    for correction in (
        {"kind": "move-card", "index": 0, "x": 2000, "y": 2000},
        {"kind": "add-card", "card": "D05", "x": -3000, "y": 0},
        {"kind": "card", "index": 0, "corners": [[-900, 0], [-500, 0], [-500, 600], [-900, 600]]},
    ):
        body = {"version": now.version, "correction": correction}
        answered = client.post(f"/api/v1/tableaus/{now.id}/corrections", json=body)
        assert answered.status_code == 400, correction
        assert json_of(answered)["error"]["code"] == "bad-place"
    photo = now.reading.photo if now.reading is not None else None
    assert photo is not None
    for site in json_of(client.get(f"/api/v1/tableaus/{now.id}/sites")):
        middle = [sum(corner[k] for corner in site["corners"]) / 4 for k in (0, 1)]
        assert -photo.width / 4 < middle[0] < photo.width * 1.25


def test_the_first_reading_is_kept_beside_the_others(app: Flask, client: FlaskClient) -> None:
    tableau_id = tableau_of(app)
    now = review(client, tableau_id)
    correct(client, now, SetCard(index=0, rotation=180))
    read_again(app, tableau_id)
    services: Services = app.extensions[KEY]
    with services.database.readers() as session:
        tableau = session.get_one(Tableau, tableau_id)
        (first,) = tableau.shots
        assert decode_reading(first.reading or b"") == reading_of(SURE)
        assert tableau.shot_id != first.id
    assert review(client, tableau_id).shots[0].used


def test_cards_come_in_the_catalogues_order_without_a_worker(app: Flask, client: FlaskClient) -> None:
    choices = json_of(client.get(f"/api/v1/tableaus/{tableau_of(app)}/card-choices?index=0"))
    assert [choice["card"] for choice in choices] == [card.id for card in open_deck().cards]


def test_a_stretch_between_two_places_of_the_path_is_put_in_where_it_joins_them(app: Flask) -> None:
    client = app.test_client()
    now = review(client, tableau_of(app, "table-10"))
    run = record_of(now).path[1]
    assert len(record_of(now).path) == 2
    assert run[0] in record_of(now).path[0]
    # it was walked back, too: the line of its own closes, and is walked on the way of the other one
    drawn = correct(client, now, Draw(places=(run[-1], "0.d2", "0.d1", run[0])))
    path = record_of(drawn).path
    assert len(path) == 1
    assert "0.d1 0.A 0.d2 0.j7 0.d2 0.A 0.d1" in " ".join(path[0])
    assert drawn.reading is not None
    assert not [each for each in drawn.reading.questions if each.place in ("0.A1", "0.A2")]
