"""Photos come in from a page: camera button, drop, paste, and after the server was away."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from live_server import PHOTOS, wait_until_read

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
    assert (shot["filename"], shot["state"], shot["width"], shot["height"]) == (
        "table-07.jpg",
        "done",
        1728,
        2304,
    )


@pytest.mark.parametrize("kind", ["drop", "paste"])
def test_a_photo_can_be_dropped_and_pasted(new_page: Any, kind: str) -> None:
    page = new_page(touch=False)
    page.goto("/capture")
    assert hand_over(page, kind, "table-07.jpg")
    assert len(kept_shots(page, tableau_of(page))) == 1


def test_without_javascript_the_button_is_a_form(new_page: Any) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/capture")
    page.locator("input[type=file]").first.set_input_files(PHOTO)
    page.get_by_role("button", name="Send the photo").click()
    assert len(kept_shots(page, tableau_of(page))) == 1


def test_a_photo_taken_while_the_server_is_away_is_sent_once_when_it_is_back(new_page: Any) -> None:
    page = new_page()
    page.goto("/capture")
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    # Under the service worker's care from the first byte.
    page.reload()
    page.context.set_offline(True)
    page.get_by_label("Take a photo").set_input_files(PHOTO)
    tray = page.get_by_role("region", name="Photos that wait")
    tray.get_by_text("1 photo waits to be sent").wait_for()
    page.reload()
    page.get_by_text("The server does not answer; this page is as it was.").wait_for()
    page.get_by_text("1 photo waits to be sent").wait_for()
    page.get_by_label("Take a photo").set_input_files(PHOTOS / "table-01.jpg")
    page.get_by_text("2 photos wait to be sent").wait_for()
    with page.expect_response("**/api/v1/photos") as first:
        page.context.set_offline(False)
    assert first.value.status == 202
    tray.wait_for(state="hidden")
    read = wait_until_read(page, first.value.json()["tableau_id"])
    assert [shot["filename"] for shot in read["shots"]] == ["table-07.jpg"]
