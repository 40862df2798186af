"""Fixtures of the web app: an app on an empty data folder, a client, a live server, a real browser.

Browser tests drive Debian's Chromium, or its shell where that is installed; where there is none they are left
out, and say so. What is done with the database is tried on SQLite and, where one is installed, on PostgreSQL
(`ON_EVERY_DATABASE`).
"""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from api_calls import Calls
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHONE, LiveServer
from patience import PAGE_PATIENCE_MS
from postgresql_cluster import Cluster, NoPostgreSQL, postgresql_cluster
from ready_made import make_ready
from touches import HEAR, until_heard

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY, Services
from webapp.store.database import open_database

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
#: Chromium without a window around each page (Debian: chromium-headless-shell): pages are the same in it, and
#: take two thirds of the time. `WAYMARK_TEST_BROWSER` names the program to take instead.
SHELL = os.environ.get("WAYMARK_TEST_BROWSER") or shutil.which("chromium-headless-shell") or CHROMIUM

#: What opens pages in a browser, while it is entered.
PagesIn = Callable[[Any], AbstractContextManager[Any]]
#: What Chromium does without. The list of its own address bar, which nobody types into, is a page that takes
#: longer to open than ours. The flag replaces Playwright's: what matters here of that stands first.
DISABLED_FEATURES = (
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "SpareRendererForSitePerProcess",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)
#: What Chromium says of a request refused (tests look at the answer), and of the service worker's script
#: still on its way when a page is left (a worker that is missing is noticed by the tests without a server).
NO_FAULTS = ("Failed to load resource", "An unknown error occurred when fetching the script.")

MANY_FILES = 4096
#: Modules whose tests run once on each database; PostgreSQL takes its turn with the long tests, but for what
#: is stored or found there otherwise than in SQLite (`@pytest.mark.both_databases`, and test_database).
ON_EVERY_DATABASE = frozenset(
    {"test_corrections", "test_database", "test_exchange", "test_games", "test_history"}
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Have tests with a database run on each."""
    if "database_url" in metafunc.fixturenames and metafunc.module.__name__ in ON_EVERY_DATABASE:
        both = metafunc.definition.get_closest_marker("both_databases") is not None
        marks = () if both or metafunc.module.__name__ == "test_database" else pytest.mark.long
        urls = ["sqlite", pytest.param("postgresql", marks=marks)]
        metafunc.parametrize("database_url", urls, indirect=True)


#: The pages that the running test has opened.
_OPEN_PAGES: list[Any] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Say of a test that failed what stood on its pages: what fails only elsewhere, or once in a hundred
    runs, is understood from nothing else."""
    from playwright.sync_api import Error as PageGone

    report = yield
    if call.excinfo is not None:
        for page in _OPEN_PAGES:
            with suppress(PageGone):
                seen = page.evaluate("document.body.innerText")
                invalid = page.evaluate("[...document.querySelectorAll(':invalid')].map((e) => e.id)")
                report.sections.append((f"page {page.url}", f"{seen}\nnot valid: {invalid}"))
    return report


@pytest.fixture(scope="session", autouse=True)
def enough_files() -> None:
    """A server in the process of its test, to which hundreds come, takes two files for each of them."""
    few, many = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= few < MANY_FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (MANY_FILES if many < 0 else min(MANY_FILES, many), many))


@pytest.fixture(scope="session", autouse=True)
def ready_made() -> None:
    """Spare each test's app what it shares with every other."""
    make_ready()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """PostgreSQL, thrown away when the tests end."""
    try:
        with postgresql_cluster() as cluster:
            yield cluster
    except NoPostgreSQL as error:
        pytest.skip(f"{error}: tests on it are left out")


@pytest.fixture
def postgresql_url(cluster: Cluster) -> Iterator[str]:
    """An empty database of PostgreSQL."""
    url = cluster.new_database()
    yield url
    cluster.drop(url)


@pytest.fixture(scope="session")
def empty_tables(cluster: Cluster) -> str:
    """An app's database on PostgreSQL that nothing was written to: `app` takes copies."""
    url = cluster.new_database()
    open_database(url).engine.dispose()
    return url


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """An empty database: None for the SQLite file in the data folder."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield None
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    for_app = "app" in request.fixturenames
    url = cluster.new_database(like=request.getfixturevalue("empty_tables") if for_app else None)
    yield url
    cluster.drop(url)


@pytest.fixture
def config(tmp_path: Path, database_url: str | None) -> ServerConfig:
    """Settings on an empty data folder and database; photos wait unread."""
    return ServerConfig(data=tmp_path / "data", database_url=database_url, scan_workers=0)


@pytest.fixture
def app(config: ServerConfig) -> Iterator[Flask]:
    app = create_app(config)
    yield app
    services: Services = app.extensions[KEY]
    services.database.engine.dispose()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def call(client: FlaskClient) -> Calls:
    """The API, as `Calls` tells."""
    return Calls(client)


@pytest.fixture(scope="session")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """The server of all tests of a process: for what needs it, there is `live`."""
    config = ServerConfig(data=tmp_path_factory.mktemp("live") / "data", scan_workers=1)
    server = LiveServer(replace(config, requests_per_minute=100_000, uploads_per_minute=100_000))
    yield server
    server.stop()


@pytest.fixture
def live(one_server: LiveServer) -> LiveServer:
    """A server on an empty data folder. It proposes, lists and counts what it has: of another test nothing
    may be left."""
    one_server.clear()
    return one_server


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Any]]:
    """Start Chromium, headless, with more flags: `launch("--flag")`; `whole` with all that belongs to it."""
    from playwright.sync_api import Locator, sync_playwright

    flags = ["--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
    flags.append(f"--disable-features={','.join(DISABLED_FEATURES)}")
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    tap = Locator.tap

    def tap_until_heard(self: Locator, **options: Any) -> None:
        if not until_heard(self.page, lambda: tap(self, **options)) and self.is_visible():
            # A browser that is kept waiting long may drop a touch: people tap once more.
            tap(self, **options)

    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Locator, "tap", tap_until_heard)

        def start(*more: str, whole: bool = False) -> Any:
            program = CHROMIUM if whole else SHELL
            if program is None:
                pytest.skip("no Chromium: browser tests are left out (Debian: apt install chromium)")
            browser = playwright.chromium.launch(executable_path=program, args=[*flags, *more])
            new_context = browser.new_context

            def new_patient_context(**options: Any) -> Any:
                context = new_context(**options)
                context.set_default_timeout(PAGE_PATIENCE_MS)
                context.add_init_script(HEAR)
                return context

            browser.new_context = new_patient_context  # type: ignore[method-assign]
            return browser

        yield start


@pytest.fixture(scope="session")
def browser(launch: Callable[..., Any]) -> Iterator[Any]:
    """Chromium, headless."""
    browser = launch()
    yield browser
    browser.close()


@pytest.fixture
def new_page(browser: Any, pages_in: PagesIn) -> Iterator[Any]:
    """Open pages: `new_page(size=PHONE, language="ja", dark=False, touch=True, **more)`. A test fails on any
    error in a page's console, refused by the content security policy or thrown by a script."""
    with pages_in(browser) as open_page:
        yield open_page


@pytest.fixture
def pages_in(live: LiveServer) -> PagesIn:
    """`new_page` in another browser: `with pages_in(browser) as open_page`."""
    return contextmanager(partial(_pages, live))


def _pages(live: LiveServer, browser: Any) -> Iterator[Any]:
    contexts = []
    errors: list[str] = []

    def open_page(
        *,
        size: dict[str, int] = PHONE,
        language: str = "en",
        dark: bool = False,
        touch: bool = True,
        **more: Any,
    ) -> Any:
        context = browser.new_context(
            base_url=live.url,
            viewport=size,
            locale={"en": "en-GB", "ja": "ja-JP"}[language],
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        _OPEN_PAGES.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: (
                errors.append(message.text)
                if message.type == "error" and not any(fine in message.text for fine in NO_FAULTS)
                else None
            ),
        )
        return page

    yield open_page
    _OPEN_PAGES.clear()
    for context in contexts:
        context.close()
    assert not errors, errors
