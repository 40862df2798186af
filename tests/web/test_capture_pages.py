"""Photos come in from a page: camera button, drop, paste, and after the server was away."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from live_server import PHONE, PHOTOS, LiveServer, wait_until_read
from long_rest import long_but
from page_looks import box_of, faults, keep_screenshot
from PIL import Image

PHOTO = PHOTOS / "table-07.jpg"
#: Hands files to a page as a drop or a paste does: arguments are the event, files as [name, base64], and a
#: selector of what it falls on.
HAND_OVER = """([kind, files, selector]) => {
  const data = new DataTransfer();
  for (const [name, text] of files) {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    data.items.add(new File([bytes], name, { type: name.endsWith(".txt") ? "text/plain" : "image/jpeg" }));
  }
  const more = kind === "paste" ? { clipboardData: data } : { dataTransfer: data };
  const Kind = kind === "paste" ? ClipboardEvent : DragEvent;
  const target = document.querySelector(selector);
  return !target.dispatchEvent(new Kind(kind, { bubbles: true, cancelable: true, ...more }));
}"""


def hand_over(page: Any, kind: str, *names: str, selector: str = "main") -> bool:
    """Drop or paste shipped photos on a page; whether the page took them from the browser."""
    files = [[name, base64.b64encode((PHOTOS / name).read_bytes()).decode()] for name in names]
    taken: bool = page.evaluate(HAND_OVER, [kind, files, selector])
    return taken


def tableau_of(page: Any) -> str:
    """Wait until the page has gone on to a tableau; its id."""
    page.wait_for_url("**/tableaus/*")
    return str(page.url.rsplit("/", 1)[1])


def kept_shots(page: Any, tableau_id: str) -> list[dict[str, Any]]:
    shots: list[dict[str, Any]] = page.request.get(f"/api/v1/tableaus/{tableau_id}").json()["shots"]
    return shots


def test_the_camera_button_leads_to_the_reading(new_page: Any) -> None:
    page = new_page()
    page.goto("/capture")
    page.get_by_label("Take a photo").set_input_files(PHOTO)
    tableau_id = tableau_of(page)
    (shot,) = wait_until_read(page, tableau_id)["shots"]
    assert (shot["filename"], shot["state"]) == ("table-07.jpg", "done")
    assert (shot["width"], shot["height"]) == Image.open(PHOTO).size


@pytest.mark.parametrize("kind", long_but(["drop", "paste"], 0))
def test_a_photo_can_be_dropped_and_pasted(new_page: Any, kind: str) -> None:
    page = new_page(touch=False)
    page.goto("/capture")
    assert hand_over(page, kind, "table-07.jpg")
    assert len(kept_shots(page, tableau_of(page))) == 1


def begin_game(page: Any, *names: str) -> dict[str, str]:
    """A game of these players; their entries of round 1, by name. The page shows that round."""
    colours = ("red", "blue", "green", "yellow", "purple")
    players = [{"name": name, "colour": colour} for name, colour in zip(names, colours, strict=False)]
    game = page.request.post("/api/v1/games", data={"players": players}).json()["id"]
    page.goto(f"/games/{game}/rounds/1")
    forms = page.locator("form[data-capture]")
    return {
        form.get_attribute("data-name"): form.get_attribute("data-entry") for form in forms.element_handles()
    }


@pytest.mark.long
def test_a_dropped_photo_goes_to_the_player_beside_it_or_to_the_one_named(new_page: Any) -> None:
    page = new_page(touch=False)
    entries = begin_game(page, "さくら", "Ben")
    assert set(entries) == {"さくら", "Ben"}
    hand_over(page, "drop", "table-07.jpg", selector=f"form[data-entry='{entries['Ben']}']")
    assert tableau_of(page) == tableau_of_entry(page, entries["Ben"])
    page.go_back()
    hand_over(page, "paste", "table-01.jpg", selector="body")
    page.get_by_role("dialog").get_by_role("button", name="さくら").click()
    assert tableau_of(page) == tableau_of_entry(page, entries["さくら"])


def tableau_of_entry(page: Any, entry_id: str) -> str:
    return str(page.request.get(f"/api/v1/entries/{entry_id}").json()["tableau_id"])


def test_what_is_no_picture_is_left_alone(new_page: Any) -> None:
    page = new_page(touch=False)
    page.goto("/capture")
    assert not page.evaluate(HAND_OVER, ["paste", [["words.txt", ""]], "main"])
    # A dropped file never replaces the page.
    assert page.evaluate(HAND_OVER, ["drop", [["words.txt", ""]], "main"])
    page.get_by_text("This is not a picture").wait_for()
    assert page.url.endswith("/capture")


def test_without_javascript_the_button_is_a_form(new_page: Any) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/capture")
    page.locator("input[type=file]").first.set_input_files(PHOTO)
    with page.expect_navigation():
        page.get_by_role("button", name="Send the photo").click()
    assert len(kept_shots(page, tableau_of(page))) == 1


@pytest.mark.long
def test_a_photo_taken_while_the_server_is_away_is_sent_once_when_it_is_back(new_page: Any) -> None:
    page = new_page()
    page.goto("/capture")
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    # Under the service worker's care from the first byte.
    page.reload()
    page.context.set_offline(True)
    page.get_by_label("Take a photo").set_input_files(PHOTO)
    tray = page.get_by_role("region", name="Photos that wait")
    tray.get_by_text("1 photo is waiting to be sent").wait_for()
    page.reload()
    banner = page.get_by_text("The server does not answer, so this page may be out of date.")
    banner.wait_for()
    assert box_of(banner)["y"] == 0, "in sight, wherever the page had been scrolled to"
    assert not faults(page)
    keep_screenshot(page, "away-phone-en-light", whole=False)
    page.get_by_text("1 photo is waiting to be sent").wait_for()
    page.get_by_label("Take a photo").set_input_files(PHOTOS / "table-01.jpg")
    page.get_by_text("2 photos are waiting to be sent").wait_for()
    with page.expect_response("**/api/v1/photos") as first:
        page.context.set_offline(False)
    assert first.value.status == 202
    tray.wait_for(state="hidden")
    read = wait_until_read(page, first.value.json()["tableau_id"])
    assert [shot["filename"] for shot in read["shots"]] == ["table-07.jpg"]


@pytest.mark.long
def test_a_photo_that_another_tab_has_sent_ends_the_wait_in_this_one(new_page: Any) -> None:
    page = new_page()
    other = page.context.new_page()
    other.goto("/capture")
    page.goto("/capture")
    # This tab is stuck in its upload; the other one takes over.
    page.route("**/api/v1/photos", lambda route: None)
    with page.expect_request("**/api/v1/photos"):
        page.get_by_label("Take a photo").set_input_files(PHOTO)
    other.evaluate("import('/static/capture/queue.js').then((queue) => queue.sendWaiting())")
    assert len(kept_shots(page, tableau_of(page))) == 1


@pytest.mark.long
def test_the_service_worker_keeps_pages_and_files_but_no_photo_and_no_answer(new_page: Any) -> None:
    page = new_page(language="ja")
    page.goto("/capture")
    page.evaluate("caches.open('waymark-static-old')")
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.unregister())")
    page.reload()
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    page.reload()
    page.get_by_label("写真を撮る").set_input_files(PHOTO)
    tableau_id = tableau_of(page)
    wait_until_read(page, tableau_id)
    page.goto(f"/tableaus/{tableau_id}")
    page.evaluate("fetch('/api/v1/games')")
    page.goto("/capture")
    kept = page.evaluate(
        """async () => {
          const found = {};
          for (const name of await caches.keys()) {
            const keys = await (await caches.open(name)).keys();
            found[name] = keys.map((key) => new URL(key.url).pathname);
          }
          return found;
        }"""
    )
    assert "waymark-static-old" not in kept
    paths = [path for paths in kept.values() for path in paths]
    assert {"/static/app.js", "/messages/ja.js", "/offline/ja", "/capture"} <= set(paths)
    assert not [path for path in paths if path.startswith(("/api", "/photos", "/tableaus"))]
    page.context.set_offline(True)
    page.goto("/history")
    page.get_by_role("heading", name="サーバーにつながりません").wait_for()
    page.get_by_label("写真を撮る").set_input_files(PHOTO)
    page.get_by_text("写真 1 枚が送信待ちです").wait_for()


@pytest.mark.long
def test_a_browser_that_keeps_nothing_sends_all_the_same_and_says_so(new_page: Any) -> None:
    page = new_page()
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    page.goto("/capture")
    page.context.set_offline(True)
    page.get_by_label("Take a photo").set_input_files(PHOTO)
    page.get_by_text("1 photo is waiting to be sent").click()
    page.get_by_text("leave this page open").wait_for()
    page.context.set_offline(False)
    page.get_by_role("region", name="Photos that wait").wait_for(state="hidden")


@pytest.mark.long
@pytest.mark.parametrize(("language", "dark"), [("en", True), ("ja", False)])
def test_the_tray_is_fit_for_eyes_and_fingers(new_page: Any, language: str, dark: bool) -> None:
    page = new_page(language=language, dark=dark)
    page.context.route("**/api/v1/photos", lambda route: route.abort())
    page.goto("/capture")
    page.locator("input[type=file]").first.set_input_files(PHOTO)
    page.locator("summary").click()
    assert not faults(page)
    keep_screenshot(page, f"tray-phone-{language}-{'dark' if dark else 'light'}")


@pytest.mark.long
def test_a_server_that_stumbles_gets_the_photo_again_under_the_same_key(new_page: Any) -> None:
    page = new_page()
    keys = []

    def stumble(route: Any) -> None:
        body: bytes = route.request.post_data_buffer
        keys.append(body.split(b'name="client_key"\r\n\r\n', 1)[1].split(b"\r\n", 1)[0])
        if len(keys) == 1:
            # The photo was kept, the answer was lost.
            route.fetch()
            route.fulfill(status=503, json={"error": {"code": "busy", "message": "Later."}})
        else:
            route.continue_()

    page.context.route("**/api/v1/photos", stumble)
    page.goto("/capture")
    page.get_by_label("Take a photo").set_input_files(PHOTO)
    page.get_by_text("1 photo is waiting to be sent").wait_for()
    with page.expect_response("**/api/v1/photos") as second:
        page.wait_for_timeout(100)
    assert second.value.status == 202
    page.get_by_role("region", name="Photos that wait").wait_for(state="hidden")
    assert len(set(keys)) == 1 < len(keys)
    assert len(kept_shots(page, second.value.json()["tableau_id"])) == 1


def test_a_photo_that_is_refused_stays_until_someone_decides(new_page: Any) -> None:
    page = new_page(language="ja")
    page.goto("/capture?tableau_id=gone")
    page.get_by_label("写真を撮る").set_input_files(PHOTO)
    tray = page.get_by_role("region", name="送信待ちの写真")
    tray.get_by_text("写真 1 枚を受け取れませんでした").click()
    tray.get_by_text("見つかりません").wait_for()
    tray.get_by_role("button", name="消す").click()
    page.get_by_role("button", name="取り消す").click()
    # It is back, and will be after a reload.
    tray.get_by_text("写真 1 枚を受け取れませんでした").wait_for()
    page.reload()
    tray.get_by_text("写真 1 枚を受け取れませんでした").click()
    with page.expect_response("**/api/v1/photos") as sent:
        tray.get_by_role("button", name="ゲームに入れず、単発で採点する").click()
    assert sent.value.status == 202
    tray.wait_for(state="hidden")


@pytest.mark.long
def test_a_tray_that_changes_under_a_finger_is_opened_all_the_same(new_page: Any) -> None:
    page = new_page(touch=False)
    page.context.route("**/api/v1/photos", lambda route: route.abort())
    page.goto("/capture")
    page.get_by_label("Take a photo").set_input_files(PHOTO)
    tray = page.get_by_role("region", name="Photos that wait")
    summary = tray.locator("summary")
    summary.get_by_text("1 photo is waiting to be sent").wait_for()
    box = box_of(summary)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.evaluate(
        """async () => {
          const { keep } = await import("/static/capture/queue.js");
          const { draw } = await import("/static/capture/tray.js");
          await keep(new File(["another"], "another.jpg", { type: "image/jpeg" }), {});
          await draw();
        }"""
    )
    page.mouse.up()
    summary.get_by_text("2 photos are waiting to be sent").wait_for()
    assert tray.locator("details").get_attribute("open") is not None


@pytest.mark.long
def test_files_that_are_no_photo_promise_nothing_and_go_in_one_tap(new_page: Any) -> None:
    page = new_page(language="ja")
    words = [
        {"name": f"{name}.jpg", "mimeType": "image/jpeg", "buffer": name.encode() * 50} for name in ("a", "b")
    ]
    page.goto("/capture")
    page.get_by_label("写真を選ぶ").set_input_files(words)
    tray = page.get_by_role("region", name="送信待ちの写真")
    tray.get_by_text("写真 2 枚を受け取れませんでした").click()
    assert tray.locator(".error").count() == 2
    assert (
        tray.get_by_text("自動で送ります").count() == 0 == tray.get_by_role("button", name="今送る").count()
    )
    page.context.set_offline(True)
    page.get_by_label("写真を撮る").set_input_files(PHOTO)
    tray.get_by_text("写真 1 枚が送信待ちです。写真 2 枚を受け取れませんでした").wait_for()
    assert tray.get_by_text("自動で送ります").count() == 1
    assert not faults(page)
    keep_screenshot(page, "tray-refused-phone-ja", whole=False)
    page.context.route("**/api/v1/photos", lambda route: route.abort())
    page.context.set_offline(False)

    # Where no photos are taken it is a sign in the header, over nothing that can be tapped.
    page.goto("/history")
    sign = tray.locator("summary")
    sign.wait_for()
    header = box_of(page.locator(".site-header"))
    box = box_of(sign)
    assert box["y"] >= header["y"] and box["y"] + box["height"] <= header["y"] + header["height"]
    assert not faults(page)
    keep_screenshot(page, "tray-sign-phone-ja", whole=False)
    sign.click()
    keep_screenshot(page, "tray-sign-open-phone-ja", whole=False)
    tray.get_by_role("button", name="受け取れなかった写真をまとめて消す").click()
    tray.locator(".error").first.wait_for(state="detached")
    page.get_by_role("button", name="取り消す").click()
    tray.locator(".error").nth(1).wait_for()
    tray.get_by_role("button", name="撮り直す").first.click()
    page.wait_for_url("**/capture*")
    tray.get_by_text("写真 1 枚を受け取れませんでした").wait_for()


@pytest.mark.long
def test_several_quick_looks_are_several_tableaus(new_page: Any) -> None:
    page = new_page()
    page.goto("/capture")
    page.get_by_label("Choose photos").set_input_files([PHOTO, PHOTOS / "table-01.jpg"])
    first = page.get_by_role("link", name="Open table-07.jpg")
    second = page.get_by_role("link", name="Open table-01.jpg")
    assert first.get_attribute("href") != second.get_attribute("href")


def test_photos_of_one_tableau_stay_together_and_in_order(new_page: Any) -> None:
    page = new_page()
    tableau = page.request.post("/api/v1/tableaus", data={"title": "x"}).json()["id"]
    page.goto(f"/capture?tableau_id={tableau}")
    page.get_by_label("Choose photos").set_input_files([PHOTO, PHOTOS / "table-01.jpg"])
    assert tableau_of(page) == tableau
    assert [shot["filename"] for shot in kept_shots(page, tableau)] == ["table-07.jpg", "table-01.jpg"]


def test_the_originals_bytes_go_up(new_page: Any) -> None:
    page = new_page()
    page.goto("/capture")
    page.get_by_label("Take a photo").set_input_files(PHOTO)
    (shot,) = kept_shots(page, tableau_of(page))
    assert shot["photo_id"] == hashlib.sha256(PHOTO.read_bytes()).hexdigest()


@pytest.mark.long
def test_over_plain_http_all_but_the_viewfinder_works(launch: Callable[..., Any], live: LiveServer) -> None:
    # As the other devices of a table open it: by an address that browsers hold to be insecure.
    browser = launch("--host-resolver-rules=MAP table.home 127.0.0.1")
    context = browser.new_context(
        base_url=live.url.replace("127.0.0.1", "table.home"), viewport=PHONE, locale="ja-JP", has_touch=True
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto("/capture")
    assert not page.evaluate("isSecureContext")
    context.set_offline(True)
    page.get_by_label("写真を撮る").set_input_files(PHOTO)
    page.get_by_text("写真 1 枚が送信待ちです").wait_for()
    context.set_offline(False)
    page.get_by_role("region", name="送信待ちの写真").wait_for(state="hidden")
    page.get_by_role("link", name="ファインダー").click()
    assert "waymark serve --https" in page.get_by_role("alert").inner_text()
    page.get_by_label("写真を撮る").set_input_files(PHOTO)
    assert tableau_of(page)
    assert not errors
    browser.close()
