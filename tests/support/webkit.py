"""Pages in WebKit, the engine of every browser on an iPhone: WebKitGTK's own browser, driven by the W3C's
WebDriver protocol (Debian: webkit2gtk-driver), on a screen that nobody sees (xvfb)."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import requests
from patience import PAGE_PATIENCE_MS, PATIENCE_SECONDS

PROGRAMS = ("WebKitWebDriver", "Xvfb")
#: The narrowest window that it makes is a little wider than a phone.
WINDOW = {"width": 412, "height": 900}
#: By the protocol, the key under which an element's reference stands.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PASSING = (
    "stale element reference",
    "javascript error",
    "element not interactable",
    "element click intercepted",
)


class NoWebKit(Exception):
    """A program that is needed is not installed."""


class WebKitPage:
    """A window, at a driver's session; whatever is asked for is waited for."""

    def __init__(self, session: str, base_url: str) -> None:
        self._session, self._base_url = session, base_url

    def goto(self, path: str) -> None:
        """Open a page of the app."""
        self._call("url", url=self._base_url + path)

    def path(self) -> str:
        """The path of the page that is shown."""
        return str(self.run("return location.pathname"))

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script's function body returns in the page."""
        return self._call("execute/sync", script=script, args=list(arguments))

    def tap(self, selector: str) -> None:
        """Click the first visible element that a CSS selector finds."""

        def click() -> str:
            self._call(f"element/{self._found(selector)}/click")
            return selector

        self.until(click, selector)

    def write(self, selector: str, words: str) -> None:
        """Type into a field; into one for files, a file's path."""
        self._call(f"element/{self._found(selector, seen=False)}/value", text=words)

    def wait_for(self, selector: str, words: str = "") -> str:
        """The text of the first visible element that a CSS selector finds, once it has these words."""
        script = "const at = arguments[0]; return at.getClientRects().length ? at.textContent : ''"

        def read() -> str | None:
            text = self.run(script, {ELEMENT: self._found(selector)})
            return text if words in text else None

        return self.until(read, f"{words!r} in {selector}")

    def until(self, look: Callable[[], str | None], what: str) -> str:
        """What `look` gives, once it gives something. An element that was drawn anew meanwhile is looked for
        again."""
        deadline = time.monotonic() + PAGE_PATIENCE_MS / 1000
        while time.monotonic() < deadline:
            try:
                if (found := look()) is not None:
                    return found
            except NotYet:
                pass
            time.sleep(0.1)
        raise AssertionError(
            f"{what} never came at {self.path()}: {self.run('return document.body.innerText')}"
        )

    def _found(self, selector: str, *, seen: bool = True) -> str:
        script = """return [...document.querySelectorAll(arguments[0])]
            .find((each) => !arguments[1] || each.getClientRects().length) ?? null"""

        def look() -> str | None:
            found = self.run(script, selector, seen)
            return None if found is None else str(found[ELEMENT])

        return self.until(look, selector)

    def _call(self, command: str, **body: Any) -> Any:
        answer = requests.post(f"{self._session}/{command}", json=body, timeout=PATIENCE_SECONDS)
        value = answer.json()["value"]
        if not answer.ok and value["error"] in PASSING:
            raise NotYet(value["error"])
        assert answer.ok, value
        return value


class NotYet(Exception):
    """The page is being drawn: the element has gone, or cannot be reached yet."""


@contextmanager
def webkit_page(base_url: str, folder: Path) -> Iterator[WebKitPage]:
    """A window in WebKit, closed at the end. Raises `NoWebKit`."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        raise NoWebKit(f"no {' and no '.join(missing)} (Debian: webkit2gtk-driver, xvfb)")
    with ExitStack() as stack:

        def start(*command: str, **more: Any) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **more)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            return process

        screen = start("Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", stdout=subprocess.PIPE)
        assert screen.stdout is not None
        stack.callback(screen.stdout.close)
        display = screen.stdout.readline().decode().strip()
        own = {"DISPLAY": f":{display}", "HOME": str(folder), "GDK_BACKEND": "x11"}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        start("WebKitWebDriver", f"--port={port}", env=os.environ | own)
        driver = f"http://127.0.0.1:{port}"
        _until_listening(port)
        asked: dict[str, Any] = {"capabilities": {"alwaysMatch": {}}}
        made = requests.post(f"{driver}/session", json=asked, timeout=PATIENCE_SECONDS).json()["value"]
        session = f"{driver}/session/{made['sessionId']}"
        stack.callback(requests.delete, session, timeout=PATIENCE_SECONDS)
        requests.post(f"{session}/window/rect", json=WINDOW, timeout=PATIENCE_SECONDS)
        yield WebKitPage(session, base_url)


def _until_listening(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the driver does not listen")
