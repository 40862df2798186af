"""Disputes: the ruling and what would change it, claims, settling; the ruling to share, without where the
photo was taken."""

from __future__ import annotations

import io
import math
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from api_calls import json_of
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHONE, PHOTOS, TABLET, TABLET_WIDE, send_photo, wait_until_read
from page_looks import faults, keep_screenshot
from PIL import Image
from PIL.ExifTags import GPS, IFD
from touches import Fingers, Point, between

from scorer.games import game_named
from vision.scan import Scan
from waymark.picture.typeface import japanese_font_file
from webapp.disputes.drawn_paths import parting
from webapp.games.games import NewPlayer, create_game, tableau_of_entry
from webapp.http.services import KEY, Services
from webapp.store.models import Game, Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, take_reading

#: Its path goes on over a pitfall without a rope.
FALL = "table-09"
LATITUDE = (35.0, 39.0, 31.2)


def true_scan(name: str) -> Scan:
    """What a shipped photo shows, as its truth has it."""
    truth = msgspec.json.decode((PHOTOS / f"{name}.truth.json").read_bytes())
    return msgspec.convert(
        {key: value for key, value in truth.items() if key in Scan.__dataclass_fields__}, Scan
    )


def add_read_tableau(app: Flask, photo: bytes, *, game: bool = False) -> str:
    """A tableau with a photo that was read exactly; its id. With `game` it is a player's of round 1."""
    services: Services = app.extensions[KEY]
    stored = store_original(services.photos, photo)
    with services.database.transaction() as session:
        if game:
            players = [NewPlayer("Aki", "red"), NewPlayer("Bob", "blue")]
            entry = (
                create_game(session, game_named("mapmasters"), players, title="", location="")
                .rounds[0]
                .entries[0]
            )
            tableau = tableau_of_entry(session, entry)
        else:
            tableau = Tableau(title="Aki", terms={"primary": "coin", "secondary": "sword"})
            session.add(tableau)
        shot = add_shot(session, tableau, stored)
        session.flush()
        take_reading(session, services.catalogue, shot, true_scan(FALL))
        return tableau.id


@pytest.fixture
def disputed(app: Flask) -> str:
    return add_read_tableau(app, (PHOTOS / f"{FALL}.jpg").read_bytes())


def dispute_of(client: FlaskClient, tableau: str) -> dict[str, Any]:
    answer = client.get(f"/api/v1/tableaus/{tableau}/dispute")
    assert answer.status_code == 200, answer.text
    dispute: dict[str, Any] = json_of(answer)
    return dispute


def change(
    client: FlaskClient, method: str, path: str, body: Any = None, status: int = 200
) -> dict[str, Any]:
    answer = client.open(f"/api/v1/tableaus/{path}", method=method, json=body)
    assert answer.status_code == status, answer.text
    changed: dict[str, Any] = json_of(answer)
    return changed


# --- what is told -------------------------------------------------------------------------------------------


def test_a_dispute_tells_the_step_the_rule_and_what_would_change_it(
    client: FlaskClient, disputed: str
) -> None:
    dispute = dispute_of(client, disputed)
    turn, ruling = dispute["turn"], dispute["ruling"]
    assert (turn["rule"], turn["step"], turn["section"]) == ("fall-forced", 18, "D. Exploration, obstacles")
    assert turn["sentence"].startswith("Without a rope you fall at the pitfall")
    assert "[" not in turn["sentence"], "names of records are no words for people"
    assert not ruling["score"]["legal"] and not ruling["score"]["escaped"]
    first = dispute["what_ifs"][0]
    assert [each["key"] for each in first["assumptions"]] == [
        "held:fairy:rope*1",
        "held:SB-3*1",
        "held:SB-5*1",
    ]
    assert first["outlook"]["score"]["legal"] and first["outlook"]["score"]["escaped"]
    assert first["outlook"]["score"]["secondary_vp"] > ruling["score"]["secondary_vp"]
    now, back = dispute["directions"]
    assert now["stands"] and not back["stands"] and back["key"] == "backwards"
    japanese = json_of(client.get(f"/api/v1/tableaus/{disputed}/dispute", headers={"Accept-Language": "ja"}))
    assert japanese["turn"]["sentence"].startswith("ロープがなければ")
    assert [each["words"] for each in japanese["what_ifs"][0]["assumptions"][:2]] == [
        "ロープのフェアリートークンがあれば",
        "魔導書 SB-3 (落とし穴か溶岩の穴を 1 つ渡る)があれば",
    ]
    assert first["assumptions"][1]["words"] == "With the spellbook SB-3 (cross one pitfall or lava pit)"


def test_a_dispute_tells_how_likely_the_score_is_and_what_could_make_it_wrong(
    client: FlaskClient, disputed: str
) -> None:
    dispute = dispute_of(client, disputed)
    causes = dispute["causes"]
    assert causes[0]["words"] == "The reading is wrong where Waymark has no doubt."
    chances = [cause["chance"] for cause in causes]
    assert chances == sorted(chances, reverse=True) and all(0 < chance < 1 for chance in chances)
    assert dispute["probability"] == pytest.approx(math.prod(1 - chance for chance in chances), abs=0.02)
    address = f"/api/v1/tableaus/{disputed}/dispute"
    japanese = json_of(client.get(address, headers={"Accept-Language": "ja"}))
    assert japanese["causes"][0]["words"] == "疑問のない所で読みまちがえている。"


def test_a_tableau_without_a_ruling_cannot_be_disputed(client: FlaskClient) -> None:
    tableau = json_of(client.post("/api/v1/tableaus", json={}))["id"]
    answer = client.get(f"/api/v1/tableaus/{tableau}/dispute")
    assert answer.status_code == 400 and json_of(answer)["error"]["code"] == "not-read"
    assert client.get(f"/r/{tableau}").status_code == 400
    assert client.get(f"/tableaus/{tableau}/ruling.png").status_code == 400
    assert client.get("/tableaus/nothing/dispute").status_code == 404


# --- claims -------------------------------------------------------------------------------------------------


def test_a_claim_sent_twice_is_made_once(client: FlaskClient, disputed: str) -> None:
    body = {"who": "Bob", "words": "No.", "client_key": "tap-1"}
    for _ in range(2):
        claims = change(client, "POST", f"{disputed}/claims", body, 201)["claims"]
        assert [claim["words"] for claim in claims] == ["No."]
    claims = change(client, "POST", f"{disputed}/claims", {**body, "client_key": "tap-2"}, 201)["claims"]
    assert len(claims) == 2


def test_claims_are_judged_taken_back_and_made_again(client: FlaskClient, disputed: str) -> None:
    rope = {"who": "<b>亜紀</b> 🎲", "words": "I had a rope!", "assumes": "held:fairy:rope*1"}
    change(client, "POST", f"{disputed}/claims", rope, 201)
    both = change(client, "POST", f"{disputed}/claims", {"who": "Bob", "words": "No."}, 201)["claims"]
    assert [claim["who"] for claim in both] == ["<b>亜紀</b> 🎲", "Bob"]
    assert both[0]["outlook"]["score"]["escaped"] and not both[0]["agrees"]
    assert both[1]["outlook"] is None
    gone = change(client, "DELETE", f"{disputed}/claims/{both[0]['id']}")["claims"]
    assert [claim["deleted"] for claim in gone] == [True, False]
    assert "亜紀" not in client.get(f"/r/{disputed}").text
    back = change(client, "POST", f"{disputed}/claims/{both[0]['id']}/restore")["claims"]
    assert not back[0]["deleted"]
    page = client.get(f"/r/{disputed}").text
    assert "&lt;b&gt;亜紀&lt;/b&gt;" in page and "<b>亜紀" not in page


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"who": "  ", "words": "x"}, "no-name"),
        ({"who": "Aki"}, "no-claim"),
        ({"who": "Aki", "assumes": "held:gold*1"}, "cannot-be"),
        ({"who": "Aki", "revision": 7}, "cannot-be"),
        ({"who": "Aki", "path": [["9.p9"]]}, "unknown-place"),
        ({"who": "Aki", "path": [[]]}, "not-valid"),
        ({"who": "Aki", "path": [["0.s1"]] * 201}, "not-valid"),
        ({"who": "Aki", "path": [], "assumes": "backwards"}, "several-claims"),
        ({"who": "A" * 301}, "not-valid"),
    ],
)
def test_what_is_no_claim(client: FlaskClient, disputed: str, body: dict[str, Any], code: str) -> None:
    assert change(client, "POST", f"{disputed}/claims", body, 400)["error"]["code"] == code


def test_a_claim_may_bring_a_path_that_was_drawn(client: FlaskClient, disputed: str) -> None:
    version = dispute_of(client, disputed)["version"]
    erase = {"kind": "erase", "stroke": 0, "start": 16, "end": 22}
    drawn = change(client, "POST", f"{disputed}/corrections", {"version": version, "correction": erase})
    assert drawn["reading"]["score"]["legal"]
    change(client, "POST", f"{disputed}/undo", {"version": drawn["version"]})
    (path,) = dispute_of(client, disputed)["paths"]
    assert path["outlook"]["score"]["legal"]
    claimed = change(client, "POST", f"{disputed}/claims", {"who": "Bob", "revision": path["revision"]}, 201)
    (claim,) = claimed["claims"]
    assert claim["own_path"] and claim["outlook"]["score"]["legal"]
    settled = change(
        client, "POST", f"{disputed}/dispute/settle", {"version": claimed["version"], "claim": claim["id"]}
    )
    assert settled["ruling"]["score"]["legal"] and settled["claims"][0]["agrees"]


def test_a_path_is_claimed_as_it_is_drawn(client: FlaskClient, disputed: str) -> None:
    before = dispute_of(client, disputed)
    review = client.get(f"/api/v1/tableaus/{disputed}/review").json or {}
    read = review["reading"]["record"]["path"]
    # Bob draws: what lies behind the pitfall is no part of his path. Each tap is refereed, none is kept.
    erase = {"kind": "erase", "stroke": 0, "start": 16, "end": len(read[0]) - 1}
    drawn = change(client, "POST", f"{disputed}/dispute/path", {"path": read, "correction": erase})
    assert drawn["path"] == [read[0][:17]] == drawn["reading"]["record"]["path"]
    assert drawn["outlook"]["score"] == drawn["reading"]["score"]
    assert drawn["outlook"]["score"]["legal"] and not before["ruling"]["score"]["legal"]
    parts, turn = drawn["compared"]["parting"], drawn["compared"]["turn"]
    assert (parts["step"], parts["place"]) == (17, read[0][16])
    assert parts["sentence"] == (
        "Both paths are the same up to step 17, the pitfall at the right of D65. The claimed one ends "
        "there; the current one goes on to the sword at the right of D65."
    )
    assert (turn["step"], turn["rule"], turn["place"]) == (17, "dead-end", read[0][16])
    assert turn["section"].startswith("D. ")
    assert dispute_of(client, disputed) == before, "the tableau's own reading is not touched"

    claim = {"who": "Bob", "words": "I stopped before it.", "path": drawn["path"], "client_key": "once"}
    claimed = change(client, "POST", f"{disputed}/claims", claim, 201)
    (said,) = claimed["claims"]
    assert (said["who"], said["words"], said["own_path"]) == ("Bob", "I stopped before it.", True)
    assert (said["outlook"], said["compared"]) == (drawn["outlook"], drawn["compared"])
    assert claimed["ruling"] == before["ruling"] and not claimed["paths"]
    assert "Both paths are the same up to step 17" in client.get(f"/r/{disputed}").text

    what = {"version": claimed["version"], "claim": said["id"]}
    settled = change(client, "POST", f"{disputed}/dispute/settle", what)
    (accepted,) = settled["claims"]
    assert accepted["accepted_at"] and accepted["agrees"] and accepted["compared"]["parting"] is None
    assert settled["ruling"] == drawn["outlook"]
    undone = change(client, "POST", f"{disputed}/undo", {"version": settled["version"]})
    assert undone["reading"]["record"]["path"] == read
    (again,) = dispute_of(client, disputed)["claims"]
    assert again == {**said, "accepted_at": None}


def test_a_claimed_path_that_parts_says_how_its_lines_join(client: FlaskClient, disputed: str) -> None:
    read = (client.get(f"/api/v1/tableaus/{disputed}/review").json or {})["reading"]["record"]["path"]
    address = f"{disputed}/dispute/path"
    erase = {"kind": "erase", "stroke": 0, "start": 6, "end": 8}
    parted = change(client, "POST", address, {"path": read, "correction": erase})
    (question,) = [each for each in parted["reading"]["questions"] if each["joins"]]
    number = max(option["number"] for option in question["options"])
    join = {"question": question["number"], "option": number}
    joined = change(client, "POST", address, {"path": parted["path"], "answer": join})
    assert len(parted["path"]) == 2 and len(joined["path"]) == 1
    again = change(client, "POST", address, {"path": joined["path"], "answer": join}, 409)
    assert again["error"]["code"] == "conflict"


@pytest.mark.parametrize(
    ("paths", "stands", "claimed"),
    [
        ((("a", "b", "c"),), (), ()),
        ((("a", "b", "d"),), ("c",), ("d",)),
        ((("a", "b"),), ("c",), ()),
        ((("a", "b", "c", "d"),), (), ("d",)),
        ((("c", "b", "a"),), ("a", "b", "c"), ("c", "b", "a")),
        ((("a", "b"), ("c",)), ("c",), ("c",)),
        ((), ("a", "b", "c"), ()),
    ],
    ids=["same", "turns off", "ends sooner", "goes on", "backwards", "lifts the pen", "nothing drawn"],
)
def test_where_two_paths_part(
    paths: tuple[tuple[str, ...], ...], stands: tuple[str, ...], claimed: tuple[str, ...]
) -> None:
    parts = parting((("a", "b", "c"),), paths)
    assert (parts and (parts.stands, parts.claimed)) == ((stands, claimed) if stands or claimed else None)


# --- settling -----------------------------------------------------------------------------------------------


def test_settling_by_means_goes_to_the_players_round_and_can_be_undone(
    app: Flask, client: FlaskClient
) -> None:
    tableau = add_read_tableau(app, (PHOTOS / f"{FALL}.jpg").read_bytes(), game=True)
    before = dispute_of(client, tableau)
    assert before["players"] == ["Aki", "Bob"]
    settle = {"version": before["version"], "assumes": "held:fairy:rope*1"}
    after = change(client, "POST", f"{tableau}/dispute/settle", settle)
    assert after["ruling"]["score"]["escaped"] and after["turn"]["rule"] == "exit"
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        entry = session.get_one(Tableau, tableau).entry
        assert entry is not None and entry.terms["fairy_tokens"] == {"rope": 1} and entry.scores["escaped"]
    without = [each for each in after["what_ifs"] if each["assumptions"][0]["key"].startswith("not_held")]
    assert [each["outlook"]["end"]["rule"] for each in without] == ["fall-forced"]
    change(client, "POST", f"{tableau}/undo", {"version": after["version"]})
    assert not dispute_of(client, tableau)["ruling"]["score"]["escaped"]


def test_settling_what_has_changed_meanwhile_is_refused(client: FlaskClient, disputed: str) -> None:
    version = dispute_of(client, disputed)["version"]
    change(client, "POST", f"{disputed}/dispute/settle", {"version": version, "assumes": "backwards"})
    again = {"version": version, "assumes": "held:fairy:rope*1"}
    assert change(client, "POST", f"{disputed}/dispute/settle", again, 409)["error"]["code"] == "conflict"


def test_settling_the_direction_turns_the_path(client: FlaskClient, disputed: str) -> None:
    before = dispute_of(client, disputed)
    settle = {"version": before["version"], "assumes": "backwards"}
    after = change(client, "POST", f"{disputed}/dispute/settle", settle)
    assert after["ruling"]["pieces"][0]["a"] == before["ruling"]["pieces"][-1]["b"]
    assert after["ruling"]["score"] == before["directions"][1]["outlook"]["score"]


def test_a_house_rule_is_settled_for_the_whole_game_and_outside_one_for_these_cards(
    app: Flask, client: FlaskClient, disputed: str
) -> None:
    rule = "house:room_lava_needs_rope"
    made = change(client, "POST", f"{disputed}/claims", {"who": "Aki", "assumes": rule}, 201)
    assert made["claims"][0]["assumption"]["changes"] == (
        "Changes the ruling, and the house rule for these cards. It can be undone."
    )
    alone = {"version": made["version"], "claim": made["claims"][0]["id"]}
    settled = change(client, "POST", f"{disputed}/dispute/settle", alone)
    assert settled["claims"][0]["accepted_at"]
    looked = client.get(f"/api/v1/tableaus/{disputed}/review").json
    assert looked is not None and not looked["means"]["settings"]["room_lava_needs_rope"]
    back = change(client, "POST", f"{disputed}/undo", {"version": settled["version"]})
    assert back["means"]["settings"]["room_lava_needs_rope"]
    assert not dispute_of(client, disputed)["claims"][0]["accepted_at"]
    tableau = add_read_tableau(app, (PHOTOS / f"{FALL}.jpg").read_bytes(), game=True)
    version = dispute_of(client, tableau)["version"]
    change(client, "POST", f"{tableau}/dispute/settle", {"version": version, "assumes": rule})
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        (game,) = session.query(Game)
        assert game.settings == {"room_lava_needs_rope": False}


@pytest.mark.parametrize("by_claim", [True, False])
def test_an_accepted_claim_keeps_its_words(client: FlaskClient, disputed: str, by_claim: bool) -> None:
    rope = {"who": "Aki", "words": "I bought it.", "assumes": "held:fairy:rope*1"}
    made = change(client, "POST", f"{disputed}/claims", rope, 201)
    (claim,) = made["claims"]
    assert claim["assumes"] == "With a rope token" and claim["accepted_at"] is None
    assert claim["assumption"]["settle"] == "Rule again: a rope token was held"
    what = {"claim": claim["id"]} if by_claim else {"assumes": rope["assumes"]}
    settled = change(client, "POST", f"{disputed}/dispute/settle", {"version": made["version"], **what})
    (claim,) = settled["claims"]
    assert claim["assumes"] == "With a rope token" and claim["accepted_at"] and claim["agrees"]
    assert claim["assumption"] is None, "the token is held: there is nothing left to assume"
    page = client.get(f"/r/{disputed}").text
    assert "With a rope token" in page and "Accepted at" in page
    japanese = client.get(f"/r/{disputed}", headers={"Accept-Language": "ja"}).text
    assert "ロープのフェアリートークンがあれば" in japanese and "認められた主張" in japanese
    again = (
        change(
            client,
            "POST",
            f"{disputed}/dispute/settle",
            {"version": settled["version"], "claim": claim["id"]},
            400,
        )
        if by_claim
        else None
    )
    assert again is None or again["error"]["code"] == "cannot-be"
    undone = client.post(f"/api/v1/tableaus/{disputed}/undo", json={"version": settled["version"]})
    assert undone.status_code == 200
    (claim,) = dispute_of(client, disputed)["claims"]
    assert claim["accepted_at"] is None and claim["assumption"]["key"] == "held:fairy:rope*1"
    assert not claim["agrees"]


def test_a_claimed_house_rule_is_accepted_and_unmade(app: Flask, client: FlaskClient) -> None:
    tableau = add_read_tableau(app, (PHOTOS / f"{FALL}.jpg").read_bytes(), game=True)
    rule = {"who": "Bob", "assumes": "house:room_lava_needs_rope"}
    made = change(client, "POST", f"{tableau}/claims", rule, 201)
    said, settle = made["claims"][0]["assumes"], f"{tableau}/dispute/settle"
    what = {"claim": made["claims"][0]["id"]}
    settled = change(client, "POST", settle, {"version": made["version"], **what})
    assert settled["claims"][0]["accepted_at"] and settled["claims"][0]["assumes"] == said
    back = change(client, "POST", settle, {"version": settled["version"], "assumes": rule["assumes"]})
    assert not back["claims"][0]["accepted_at"] and back["claims"][0]["assumes"] == said


def test_what_is_settled_about_a_path_stays_accepted(client: FlaskClient, disputed: str) -> None:
    body = {"who": "Bob", "assumes": "backwards"}
    made = change(client, "POST", f"{disputed}/claims", body, 201)
    what = {"version": made["version"], "claim": made["claims"][0]["id"]}
    settled = change(client, "POST", f"{disputed}/dispute/settle", what)
    (claim,) = settled["claims"]
    assert claim["accepted_at"] and claim["agrees"], "not once more the other way round"


# --- the link that is shared --------------------------------------------------------------------------------


def test_a_shared_link_tells_that_the_ruling_was_corrected_since(client: FlaskClient, disputed: str) -> None:
    shared = dispute_of(client, disputed)
    page = client.get(shared["share"]).text
    assert "Unchanged since it was shared" in page and "Corrected since" not in page
    settle = {"version": shared["version"], "assumes": "held:fairy:rope*1"}
    settled = change(client, "POST", f"{disputed}/dispute/settle", settle)
    page = " ".join(client.get(shared["share"]).text.split())
    assert "Corrected since it was shared" in page and "Unchanged" not in page
    before, after = shared["ruling"]["score"], settled["ruling"]["score"]
    assert not before["escaped"] and after["escaped"]
    escape = re.search(r'<th scope="row">Escape</th>(.*?)</tr>', page)
    assert escape is not None and re.findall(r"[\w ]*scaped", escape[1]) == ["Not escaped", "Escaped"]
    assert f'href="{settled["share"]}"' in page
    assert "Unchanged since it was shared" in client.get(settled["share"]).text
    japanese = client.get(shared["share"], headers={"Accept-Language": "ja"}).text
    assert "共有後に判定が訂正されています" in japanese
    change(client, "POST", f"{disputed}/undo", {"version": settled["version"]})
    assert "Unchanged since it was shared" in client.get(shared["share"]).text


def test_a_correction_that_leaves_the_score_is_told_too(client: FlaskClient, disputed: str) -> None:
    shared = dispute_of(client, disputed)["share"]
    now = client.get(f"/api/v1/tableaus/{disputed}/review").json
    assert now is not None
    record = now["reading"]["record"]
    place = next(find["place"] for find in now["reading"]["finds"] if find["place"] not in str(record))
    mark = {"kind": "mark", "place": place, "circled": False, "struck": True}
    change(client, "POST", f"{disputed}/corrections", {"version": now["version"], "correction": mark})
    page = client.get(shared).text
    assert "Corrected since it was shared" in page and "The score is the same as then." in page


def test_no_link_says_what_never_was(app: Flask, client: FlaskClient, disputed: str) -> None:
    other = add_read_tableau(app, (PHOTOS / "table-07.jpg").read_bytes())
    path, _, stamp = dispute_of(client, disputed)["share"].partition("?shared=")
    forged = "x" + stamp[1:]
    for address in (path, f"{path}?shared=", f"{path}?shared={forged}", f"/r/{other}?shared={stamp}"):
        page = client.get(address)
        assert page.status_code == 200
        assert "since it was shared" not in page.text and "As of " in page.text


# --- the picture --------------------------------------------------------------------------------------------


def photo_with_position() -> bytes:
    """A shipped photo as a phone takes it, with where it was taken."""
    packed = io.BytesIO()
    with Image.open(PHOTOS / f"{FALL}.jpg") as photo:
        exif = photo.getexif()
        exif[0x0110] = "Phone of Aki"
        exif.get_ifd(IFD.GPSInfo).update({GPS.GPSLatitudeRef: "N", GPS.GPSLatitude: LATITUDE})
        photo.save(packed, "JPEG", quality=95, exif=exif)
    return packed.getvalue()


def test_no_picture_tells_where_the_photo_was_taken(app: Flask, client: FlaskClient) -> None:
    original = photo_with_position()
    with Image.open(io.BytesIO(original)) as photo:
        assert photo.getexif().get_ifd(IFD.GPSInfo)[GPS.GPSLatitude] == LATITUDE
    tableau = add_read_tableau(app, original)
    review = json_of(client.get(f"/api/v1/tableaus/{tableau}/review"))
    shown = [size["url"] for size in review["reading"]["photo"]["sizes"]]
    pictures = ("ruling.png", "ruling.png?score=no", "ruling.webp", "ruling.jpg")
    for address in [*(f"/tableaus/{tableau}/{name}" for name in pictures), *shown]:
        answer = client.get(address)
        assert answer.status_code == 200
        assert len(answer.data) <= 400_000 or not address.endswith((".webp", "ruling.jpg"))
        assert b"Phone of Aki" not in answer.data and b"Exif" not in answer.data
        with Image.open(io.BytesIO(answer.data)) as picture:
            assert not picture.getexif() and not getattr(picture, "text", None)


@pytest.mark.long
def test_the_picture_is_drawn_once_for_what_it_shows(app: Flask, client: FlaskClient, disputed: str) -> None:
    address = f"/tableaus/{disputed}/ruling.png?lang="
    english, japanese = client.get(address + "en"), client.get(address + "ja")
    assert english.mimetype == "image/png"
    # Where no font can draw Japanese, the picture is in English.
    assert (english.data != japanese.data) == (japanese_font_file() is not None)
    again = client.get(address + "en", headers={"If-None-Match": english.headers["ETag"]})
    assert again.status_code == 304
    version = dispute_of(client, disputed)["version"]
    settle = {"version": version, "assumes": "held:fairy:rope*1"}
    change(client, "POST", f"{disputed}/dispute/settle", settle)
    assert client.get(address + "en").data != english.data
    services: Services = app.extensions[KEY]
    kept = list((services.config.data / "rulings").glob("*/*.png"))
    assert len(kept) == 2, "older pictures of the same kind go"


def test_an_assumption_and_a_claim_are_drawn_on_the_photo(client: FlaskClient, disputed: str) -> None:
    def lost(of: str) -> int:
        return (
            client.get(f"/tableaus/{disputed}/dispute/drawing?of={of}").get_data(as_text=True).count("lost")
        )

    body = {"who": "Aya", "words": "I had a rope.", "assumes": "held:fairy:rope*1"}
    (claim,) = change(client, "POST", f"{disputed}/claims", body, 201)["claims"]
    assert lost("") == lost("no such") > 0
    assert lost("held:fairy:rope*1") == lost(f"claim:{claim['id']}") == 0


# --- in a browser -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_dispute_between_two_players_until_it_is_settled(new_page: Any, tmp_path: Path) -> None:
    aki, bob = new_page(size=PHONE, language="ja"), new_page(size=TABLET, language="en", dark=True)
    body = {"title": "亜紀", "primary": "coin", "secondary": "sword"}
    tableau = aki.request.post("/api/v1/tableaus", data=body).json()["id"]
    send_photo(aki, tableau, PHOTOS / f"{FALL}.jpg")
    wait_until_read(aki, tableau)
    aki.goto(f"/tableaus/{tableau}/dispute")
    aki.get_by_text("ロープがなければD65の右の落とし穴で地下に落ちます").first.wait_for()
    assert aki.locator("#causes meter").count() > 0
    assert re.search(r"100 件のうち約 \d+ 件", aki.locator("#probability").inner_text())
    assert not faults(aki)
    keep_screenshot(aki, "dispute-phone-ja-light")

    # What would be with a rope, looked at on the photo.
    with_rope = aki.locator(".what-if", has_text="ロープのフェアリートークンがあれば")
    with_rope.get_by_role("button", name="写真で見る").click()
    assert "ロープのフェアリートークンがあれば" in aki.locator("#shown").inner_text()
    aki.locator("[data-layer=path]:not(:has(.lost))").wait_for(state="attached")
    aki.get_by_role("button", name="今の判定に戻す").click()
    assert aki.locator("[data-layer=path] .lost").count() > 0

    # Both say what they think, each on a device of their own.
    aki.get_by_text("主張を書く").click()
    said = aki.locator("#claim-form")
    said.get_by_label("誰の主張か").fill("亜紀 <script>")
    said.get_by_label("言い分").fill("市場でロープを買った。")
    said.get_by_label("何が違えば正しいか").select_option(label="ロープのフェアリートークンがあれば")
    said.get_by_role("button", name="主張を保存").click()
    aki.locator(".claim", has_text="亜紀 <script>").wait_for()
    bob.goto(f"/tableaus/{tableau}/dispute")
    bob.locator(".claim", has_text="With a rope token").wait_for()
    draw_and_claim_a_path(bob, tableau)
    assert not faults(bob)
    keep_screenshot(bob, "dispute-tablet-en-dark")
    aki.locator(".claim", has_text="Bob").wait_for()

    # A claim that is taken back comes again by undo.
    bob.get_by_role("button", name="Take this claim back: Bob").click()
    bob.locator(".claim", has_text="Bob").wait_for(state="detached")
    bob.get_by_role("button", name="Undo").click()
    bob.locator(".claim", has_text="Bob").wait_for()

    # Others open the link that is shared.
    link = aki.locator("#share").get_attribute("data-address")
    path = link[link.index(f"/r/{tableau}?shared=") :]
    guest = new_page(size=TABLET_WIDE, language="en")
    guest.goto(path)
    guest.get_by_text("Unchanged since it was shared").wait_for()
    assert guest.locator(".claim").count() == 2
    guest.wait_for_function("() => document.querySelector('.ruling-picture img').naturalWidth > 1000")
    assert not faults(guest)
    keep_screenshot(guest, "ruling-tablet-wide-en-light")
    guest.get_by_role("button", name="Copy the link").click()
    guest.get_by_text("The link is copied.").wait_for()
    paper = guest.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    guest.emulate_media(media="print")
    assert guest.get_by_role("button", name="Print").is_hidden()
    keep_screenshot(guest, "ruling-print-en")

    # They agree that the rope was there.
    aki.reload()  # what Bob took back and brought again is a change, too, and settles nothing unseen
    claim = aki.locator(".claim", has_text="亜紀")
    claim.get_by_text("手持ちが変わります").wait_for()
    claim.get_by_role("button", name="ロープのフェアリートークンを持っていたことにして判定し直す").click()
    aki.locator(".turn-sentence.exit").wait_for()
    claim.get_by_text("認められた主張").wait_for()
    keep_screenshot(aki, "dispute-settled-phone-ja-light")
    bob.locator(".turn-sentence.exit", has_text="You left the dungeon").wait_for()
    told = bob.locator(".claim", has_text="亜紀").inner_text()
    assert "With a rope token" in told and "Accepted at" in told and "more" not in told
    aki.locator(".toast").get_by_role("button", name="取り消す").click()
    claim.get_by_text("認められた主張").wait_for(state="detached")
    assert "ロープのフェアリートークンがあれば" in claim.inner_text()

    # No: they agree on Bob's path, and that can be undone, too.
    drawn = aki.locator(".claim", has_text="Bob")
    drawn.get_by_role("button", name="この経路で判定し直す").tap()
    drawn.get_by_text("認められた主張").wait_for()
    aki.locator(".toast").get_by_role("button", name="取り消す").tap()
    drawn.get_by_text("認められた主張").wait_for(state="detached")


def draw_and_claim_a_path(page: Any, tableau: str) -> None:
    """Bob's finger rubs out what was read behind the pitfall: he stopped there."""
    reading = page.request.get(f"/api/v1/tableaus/{tableau}/review").json()["reading"]
    (stroke,) = reading["record"]["path"]
    at = {place["id"]: tuple(place["at"]) for place in reading["places"]}
    page.locator(".other-path").first.tap()
    page.get_by_text("This is the current path").wait_for()
    page.get_by_role("button", name="Erase").tap()
    behind = between(at[stroke[16]], at[stroke[17]], 0.6)
    Fingers(page).drag(*(on_screen(page, spot) for spot in (behind, *(at[name] for name in stroke[17:]))))
    compared = page.locator("[data-compared]")
    compared.get_by_text("The claimed one ends there; the current one goes on").wait_for()
    stands, claimed = (each.inner_text() for each in compared.locator(".side").all())
    assert stands.startswith("The ruling") and "Breaks a rule" in stands and "Without a rope" in stands
    assert claimed.startswith("As claimed") and "Legal path" in claimed and "D. Exploration" in claimed
    assert page.locator("[data-layer=left-out] .left-out").count() == len(stroke) - 17
    # What was drawn is kept, also where the page is left before it is written down.
    page.locator("#path-claim-form").get_by_label("In their own words").fill("I stopped there.")
    page.reload()
    page.locator(".other-path").first.tap()
    compared.get_by_text("The claimed one ends there; the current one goes on").wait_for()
    undo = page.locator("#editor").get_by_role("button", name="Undo")
    undo.tap()
    page.get_by_text("This is the current path").wait_for()
    page.locator("#editor").get_by_role("button", name="Redo").tap()
    compared.locator(".side").first.wait_for()
    assert not faults(page)
    keep_screenshot(page, "dispute-path-drawn-tablet-en-dark")
    page.locator("#path-claim-form").get_by_label("Who says so").fill("Bob")
    page.get_by_role("button", name="Save the claim").tap()
    claim = page.locator(".claim", has_text="Bob")
    claim.get_by_text("As Bob claims").wait_for()
    assert "I stopped there." in claim.inner_text()
    now = page.request.get(f"/api/v1/tableaus/{tableau}/review").json()["reading"]
    assert now["record"] == reading["record"], "what was read is not touched"


def on_screen(page: Any, at: Point) -> Point:
    """Where a photo point is, in CSS pixels of the window."""
    x, y = page.evaluate(
        """async ([x, y]) => {
          const { page } = await import(document.querySelector('script[src*="disputes/dispute.js"]').src);
          const at = page.viewer.toClient(x, y);
          return [at.x, at.y];
        }""",
        [*at],
    )
    return x, y
