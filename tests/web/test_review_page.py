"""The review page: answered by touch, replayed by keys, the photo beside its tools."""

from __future__ import annotations

from typing import Any

import pytest
from at_the_table import read_tableau
from live_server import (
    PHONE,
    PHOTOS,
    TABLET,
    TABLET_WIDE,
    LiveServer,
    readers_kept,
    send_photo,
    wait_until_read,
)
from long_rest import long_but
from page_looks import box_of, faults, keep_screenshot, stop_the_clock
from shared_readings import reading_of
from two_tableaus import two_tableaus

from scorer.games import game_named
from webapp.games.games import NewPlayer, create_game, tableau_of_entry
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, take_reading

#: A photo that is sure, and one whose direction matters.
SURE, EITHER_WAY = "table-07.jpg", "table-09.jpg"
#: What the bars of a browser leave of a phone's height.
BETWEEN_BARS = 664


def begin(page: Any, title: str, photo: str, *, anew: bool = False) -> str:
    page.goto("/")
    tableau: dict[str, Any] = page.evaluate(
        """async (title) => {
            const { api } = await import("/static/app.js");
            return api("POST", "/tableaus", { title, primary: "monster", secondary: "coin" });
        }""",
        title,
    )
    send_photo(page, tableau["id"], PHOTOS / photo, anew=anew)
    return str(tableau["id"])


@pytest.mark.long
def test_questions_are_answered_by_touch_until_the_score_is_sure(new_page: Any) -> None:
    page = new_page(size=PHONE, language="ja")
    tableau = begin(page, "</script><script>alert(1)</script>卓", EITHER_WAY)
    page.goto(f"/tableaus/{tableau}")
    page.wait_for_selector("#viewer image")  # the photo is there before it has been read
    page.locator("#question h2").wait_for()
    assert "落とし穴を渡れるものを持っていましたか" in page.inner_text("#question h2")
    assert page.locator(".badge.not-sure").is_visible()
    answers = page.locator(".answer")
    # three means that would mend it, that it was misread, that it was so from here or from the other end
    assert answers.count() == 6
    for box in answers.all():
        assert box_of(box)["height"] >= 48
    token = page.locator(".answer", has_text="ロープのフェアリートークンを持っていた")
    assert "→" in token.inner_text()
    page.reload()
    page.locator("#question h2").wait_for()
    assert faults(page) == []
    keep_screenshot(page, "review-question-phone-ja")
    beside = new_page(size=TABLET, dark=True)
    beside.goto(f"/tableaus/{tableau}")
    beside.locator("#question h2").wait_for()
    assert faults(beside) == []
    # a forgotten token is one tap
    token.tap()
    page.locator(".badge.sure").wait_for()
    beside.locator(".badge.sure").wait_for()  # other devices follow
    # the last answer can be taken back, too, and the token with it
    notice = page.locator(".toast", has_text="これで確定しました")
    keep_screenshot(page, "review-settled-phone-ja", whole=False)
    notice.get_by_role("button", name="取り消す").tap()
    page.locator("#question", has_text="落とし穴を渡れるものを持っていましたか").wait_for()
    page.locator(".answer[data-option='0']").tap()
    page.locator(".badge.sure").wait_for()
    assert not page.locator("#question").is_visible()
    read = wait_until_read(page, tableau)
    assert read["sure"] and read["ruling"]["coins"] == 1


def test_which_of_two_tableaus_is_scored_is_asked_with_both_pictures(new_page: Any) -> None:
    pair = two_tableaus("table-04", "table-05", "below")
    page = new_page(size=PHONE | {"height": BETWEEN_BARS})
    page.goto("/")
    tableau: dict[str, Any] = page.evaluate(
        """async () => (await import("/static/app.js")).api("POST", "/tableaus", { title: "two" })"""
    )
    send_photo(page, tableau["id"], PHOTOS / SURE, data=pair.jpeg())
    page.goto(f"/tableaus/{tableau['id']}")
    page.locator("#question h2", has_text="Which one should be scored?").wait_for()
    assert page.locator(".badge.not-sure").is_visible()
    answers = page.locator(".answer")
    # what a finger finds first settles nothing
    assert "Take a photo of one tableau alone" in answers.nth(0).inner_text()
    these, those = answers.nth(1), answers.nth(2)
    boxes = [svg.locator("image").count() for svg in (these.locator("svg"), those.locator("svg"))]
    assert boxes == [1, 1]
    views = [answer.locator("svg").first.get_attribute("viewBox") for answer in (these, those)]
    assert views[0] != views[1]
    # one's score is no change of the other's
    assert page.locator(".answer-score").count() == 0
    # both can be seen at once, and what tells them in the photo
    shown = [box_of(answer.locator("svg").first) for answer in (these, those)]
    assert shown[0]["y"] == shown[1]["y"] and shown[0]["width"] > 100
    assert page.locator(".letter-on-photo").all_text_contents() == ["A", "B"]
    assert faults(page) == []
    keep_screenshot(page, "review-two-tableaus", whole=False)
    page.locator(".magnify").nth(1).tap()
    large = page.locator("dialog.enlarged")
    large.locator("image").first.wait_for()
    keep_screenshot(page, "review-two-tableaus-enlarged", whole=False)
    large.get_by_label("Close").tap()
    before = cards_scored(page, tableau["id"])
    those.tap()
    page.locator(".badge.sure").wait_for()
    after = cards_scored(page, tableau["id"])
    true = [sorted(card.card for card in truth.cards) for truth in pair.truths]
    assert sorted([before, after]) == sorted(true)
    # ... and taken back
    page.locator(".toast").get_by_text("Undo").tap()
    page.locator("#question h2", has_text="Which one should be scored?").wait_for()
    assert cards_scored(page, tableau["id"]) == before
    assert not wait_until_read(page, tableau["id"])["sure"]


def cards_scored(page: Any, tableau: str) -> list[str]:
    reading = page.request.get(f"/api/v1/tableaus/{tableau}/review").json()["reading"]
    return sorted(card["card"] for card in reading["cards"])


@pytest.mark.long
def test_the_path_is_replayed_by_arrow_keys_and_the_photo_zoomed(new_page: Any) -> None:
    page = new_page(size=TABLET_WIDE, touch=False)
    tableau = begin(page, "replay", SURE)
    wait_until_read(page, tableau)
    page.goto(f"/tableaus/{tableau}")
    page.locator(".badge.sure").wait_for()
    primary = page.locator("[data-tally=primary]")
    assert primary.inner_text() == "3"
    page.keyboard.press("Home")
    assert primary.inner_text() == "0"
    assert page.inner_text("#step-sentence").startswith("1. Started at")
    while page.inner_text("#replay output") != "7/17":
        page.keyboard.press("ArrowRight")
    assert "Entered the room" in page.inner_text("#step-sentence")
    assert primary.inner_text() == "3"
    assert page.locator(".path-line.later").count() > 0
    page.keyboard.press("End")
    assert page.locator(".path-line.later").count() == 0
    assert faults(page) == []
    keep_screenshot(page, "review-sure-tablet-wide-en")

    viewer = page.locator("#viewer")
    zoom = "() => document.querySelector('.viewer-svg').viewBox.baseVal.width"
    whole = page.evaluate(zoom)
    viewer.hover()
    page.mouse.wheel(0, -400)
    assert page.evaluate(zoom) < whole
    viewer.focus()
    page.keyboard.press("0")
    page.keyboard.press("+")
    assert page.evaluate(zoom) < whole


@pytest.mark.long
@pytest.mark.parametrize("photo", long_but([SURE, EITHER_WAY], 0))
def test_nothing_jumps_when_the_reading_ends_while_a_phone_watches(
    new_page: Any, live: LiveServer, photo: str
) -> None:
    page = new_page(size=PHONE, is_mobile=True)
    with readers_kept(live.services):
        tableau = begin(page, "watched", photo, anew=True)
        page.goto(f"/tableaus/{tableau}")
        page.locator("#progress progress").wait_for()
    page.locator(".badge.sure" if photo == SURE else "#question h2").wait_for()
    assert faults(page) == []


@pytest.mark.long
@pytest.mark.parametrize("photo", long_but(["table-12", "table-04", "table-08"], 1))
def test_no_card_lies_under_the_tools_of_the_photo(new_page: Any, live: LiveServer, photo: str) -> None:
    page = new_page(size=PHONE, is_mobile=True)
    page.goto(f"/tableaus/{read_tableau(live.services, photo)}")
    page.locator(".viewer-tools").wait_for()
    page.locator("[data-zoom=fit]").tap()
    keep_screenshot(page, f"review-tools-{photo}", whole=False)
    assert covered_cards(page) == []


def covered_cards(page: Any) -> list[str]:
    """Cards of which a corner is under the zoom tools or outside the frame."""
    names: list[str] = page.evaluate(
        """() => {
          const boxOf = (each) => document.querySelector(each).getBoundingClientRect();
          const [frame, tools] = [boxOf("#viewer"), boxOf(".viewer-tools")];
          const meet = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
          const outside = (box) => box.left < frame.left || box.right > frame.right
            || box.top < frame.top || box.bottom > frame.bottom;
          const hidden = (box) => meet(box, tools) || outside(box);
          return [...document.querySelectorAll(".card-line")]
            .filter((card) => hidden(card.getBoundingClientRect()))
            .map((card) => card.dataset.card);
        }"""
    )
    return names


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "language"), long_but([(PHONE, "en"), (TABLET, "ja")], 0), ids=["phone", "tablet"]
)
def test_a_gap_that_was_drawn_so_stays_told_beside_the_score(
    new_page: Any, live: LiveServer, size: dict[str, int], language: str
) -> None:
    page = new_page(size=size, is_mobile=True, language=language, dark=language == "ja")
    page.goto(f"/tableaus/{read_tableau(live.services, 'table-10')}")
    question = page.locator("#question h2")
    question.wait_for()
    while page.locator("#question").is_visible():
        before = page.inner_text("#question")
        with page.expect_response("**/answers"):
            page.locator(".answer[data-option='0']").tap()
        page.wait_for_function(
            "before => { const box = document.getElementById('question'); "
            "return box.hidden || (box.innerText !== before && box.querySelector('.answer:enabled')); }",
            arg=before,
        )
    doubt = page.locator(".doubt").first
    doubt.wait_for()
    sure = {"en": "Sure, as you say", "ja": "確実(お答えのとおり)"}[language]
    assert page.locator(".badge.sure").inner_text() == sure
    assert {"en": "does not join", "ja": "つながっていません"}[language] in doubt.inner_text()
    assert faults(page) == []
    doubt.scroll_into_view_if_needed()
    keep_screenshot(page, f"review-gap-{language}", whole=False)
    doubt.locator("button").nth(1).tap()
    page.locator("#editor").wait_for()


@pytest.mark.long
def test_a_mistake_of_the_page_is_not_told_as_a_server_that_is_away(browser: Any, live: LiveServer) -> None:
    context = browser.new_context(base_url=live.url, viewport=PHONE, locale="en-GB")
    page = context.new_page()
    page.goto(f"/tableaus/{read_tableau(live.services, 'table-07')}")
    page.locator(".badge.sure").wait_for()
    # an answer that the page cannot show, then no answer at all
    page.route("**/progress", lambda route: route.fulfill(json={"version": 10**6, "shots": []}))
    page.route("**/review", lambda route: route.fulfill(json={"version": 10**6, "reading": 7, "shots": []}))
    with page.expect_event("pageerror"):
        pass
    assert page.locator(".toast").count() == 0
    page.route("**/progress", lambda route: route.abort())
    page.locator(".toast", has_text="cannot be reached").wait_for()
    context.close()


@pytest.mark.long
def test_each_answer_shows_its_own_stretch_with_an_arrow_and_crosses_out_what_it_lacks(
    new_page: Any, live: LiveServer
) -> None:
    page = new_page(size=PHONE)
    means = {"primary": "monster", "secondary": "coin"}
    page.goto(f"/tableaus/{read_tableau(live.services, 'table-01', **means, every_doubt=True)}")
    first, second = page.locator(".answer").nth(0), page.locator(".answer").nth(1)
    second.wait_for()
    count = page.inner_text(".question-count")
    # the photo is bare: no reading is drawn on it before people have looked at the ink
    assert page.locator("#review.bare").count() == 1
    # both answers can be seen on one screen of a phone
    shown = [box_of(answer.locator("svg").first) for answer in (first, second)]
    assert max(box["y"] + box["height"] for box in shown) < PHONE["height"]
    # the likelier one comes first: that nothing runs there, where all is asked about
    assert first.locator(".answer-cross").count() == 1 and first.locator(".answer-line").count() == 0
    assert second.locator(".answer-line").count() == 1 and second.locator(".path-arrow").count() >= 1
    assert first.locator(".answer-label").inner_text() != second.locator(".answer-label").inner_text()
    # a closer look answers nothing
    keep_screenshot(page, "review-answers", whole=False)
    page.locator(".magnify").nth(0).tap()
    large = page.locator("dialog.enlarged")
    large.locator(".answer-cross").wait_for()
    keep_screenshot(page, "review-enlarged", whole=False)
    assert faults(page) == []
    large.get_by_label("Close").tap()
    large.wait_for(state="detached")
    assert page.inner_text(".question-count") == count
    # what was answered is said, and taken back from there
    stop_the_clock(page)
    said = first.locator(".answer-label").inner_text()
    first.tap()
    notice = page.locator(".toast")
    notice.wait_for()
    assert said in notice.inner_text()
    # ... and what comes next, a question or the score, can be read beside it
    asked, over = box_of(page.locator("#question h2, .badge").locator("visible=true").first), box_of(notice)
    assert asked["y"] >= over["y"] + over["height"] or asked["y"] + asked["height"] <= over["y"]
    keep_screenshot(page, "review-answered", whole=False)
    assert faults(page) == []
    notice.get_by_text("Undo").tap()
    page.locator(".question-count", has_text=count).wait_for()
    assert first.locator(".answer-label").inner_text() == said and notice.count() == 0


@pytest.mark.long
def test_a_photo_of_the_wrong_player_is_given_to_the_right_one_by_touch(
    new_page: Any, live: LiveServer
) -> None:
    players = [NewPlayer("あや", "red"), NewPlayer("Ben", "blue"), NewPlayer("ちえ", "green")]
    with live.services.database.transaction() as session:
        game = create_game(session, game_named("mapmasters"), players)
        session.refresh(game)
        game.rounds[0].terms = {"primary": "monster", "secondary": "coin"}
        entry = game.rounds[0].entries[0]
        tableau = tableau_of_entry(session, entry)
        stored = store_original(live.services.photos, (PHOTOS / SURE).read_bytes())
        shot = add_shot(session, tableau, stored)
        session.flush()
        take_reading(session, live.services.catalogue, shot, reading_of("table-07"))
        tableau_id, entry_id = tableau.id, entry.id
    page = new_page(size=PHONE, is_mobile=True, language="ja")
    page.goto(f"/tableaus/{tableau_id}")
    assert page.inner_text(".who-name") == "あや"
    page.locator(".move-to summary").tap()
    page.locator("[data-move]", has_text="Ben").scroll_into_view_if_needed()
    keep_screenshot(page, "review-move-ja", whole=False)
    assert faults(page) == []
    page.locator("[data-move]", has_text="Ben").tap()
    page.locator(".who-name", has_text="Ben").wait_for()
    keep_screenshot(page, "review-moved-ja", whole=False)
    page.get_by_text("ちえのカードを撮る").wait_for()  # whose photo comes next follows
    page.locator(".toast").get_by_text("取り消す").tap()
    page.locator(".who-name", has_text="あや").wait_for()
    # A second photo that is as sure and scores otherwise: which one counts is asked.
    read_tableau(live.services, "table-08", entry_id=entry_id)
    page.locator("#other-photo", has_text="写真 2 では判定が異なります").wait_for()
    assert page.locator(".badge.not-sure").is_visible()
    keep_screenshot(page, "review-other-photo-ja", whole=False)
    assert faults(page) == []
    page.get_by_role("button", name="その写真を使う").tap()
    page.locator(".badge.sure").wait_for()
    assert page.inner_text(".shot.used .shot-file") == "table-08.jpg"
    page.locator(".toast", has_text="その写真の判定に変えました").get_by_text("取り消す").tap()
    page.locator("#other-photo").get_by_text("変更しない").tap()
    page.locator(".badge.sure").wait_for()
    assert page.inner_text(".shot.used .shot-name").startswith("写真 1")


@pytest.mark.parametrize(("size", "language"), long_but([(PHONE, "ja"), (PHONE, "en")], 0), ids=["ja", "en"])
def test_undo_and_done_stay_in_reach_and_nothing_comes_to_lie_under_the_photo(
    new_page: Any, live: LiveServer, size: dict[str, int], language: str
) -> None:
    page = new_page(size=size, is_mobile=True, language=language)
    page.goto(f"/tableaus/{read_tableau(live.services, 'table-07')}")
    page.locator(".badge.sure").wait_for()
    top = "(each) => document.querySelector(each).getBoundingClientRect().top"
    page.set_viewport_size({"width": 390, "height": BETWEEN_BARS})
    assert page.evaluate(top, ".column .big") < BETWEEN_BARS - 24, "the score is in sight without scrolling"
    page.set_viewport_size(size)
    photo_bottom = "() => document.querySelector('.stage').getBoundingClientRect().bottom"
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    page.locator("[data-correct]").focus()
    assert page.evaluate(top, "[data-correct]") >= page.evaluate(photo_bottom)
    page.locator("[data-correct]").tap()
    page.locator(".edit-steps summary").tap()
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    keep_screenshot(page, f"review-editing-{language}", whole=False)
    for button in ("[data-undo]", "[data-done]"):
        assert page.evaluate(photo_bottom) <= page.evaluate(top, button) < size["height"] - 44
    page.locator(".edit-step button").first.focus()
    assert page.evaluate(top, ".edit-step button") > page.evaluate(top, "[data-done]") + 40
    page.locator("[data-done]").tap()
    page.locator("#editor").wait_for(state="hidden")


def test_dark_cards_are_brightened_however_bright_the_cloth_beside_them(new_page: Any) -> None:
    page = new_page()
    page.goto("/")
    told = page.evaluate(
        """async () => {
          const { brighten } = await import("/static/review/brightness.js");
          const canvas = document.createElement("canvas");
          canvas.width = canvas.height = 96;
          const context = canvas.getContext("2d");
          context.fillStyle = "white";
          context.fillRect(0, 0, 96, 96);
          context.fillStyle = "rgb(51, 51, 51)";
          context.fillRect(0, 0, 48, 48);
          const url = URL.createObjectURL(await new Promise((done) => canvas.toBlob(done)));
          const photo = { width: 960, height: 960, sizes: [{ url }] };
          const corners = [[0, 0], [480, 0], [480, 480], [0, 480]];
          const factor = async (cards) => {
            await brighten(document.body, { photo, cards }, [0, 0, 960, 960]);
            return Number(document.body.style.getPropertyValue("--brighten"));
          };
          return [await factor([{ corners }]), await factor([])];
        }"""
    )
    # a fifth of the light is made as much of it as people need; without a card the whole picture is bright
    assert told == [2.1, 1]
