"""Every page answers, in both languages, with the headers that keep it safe."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from webapp.http.security import CONTENT_SECURITY_POLICY


@pytest.mark.parametrize(("browser_language", "word"), [("ja", "ホーム"), ("en", "Start"), ("fr", "Start")])
def test_a_page_speaks_the_browsers_language(client: FlaskClient, browser_language: str, word: str) -> None:
    page = client.get("/", headers={"Accept-Language": browser_language}).get_data(as_text=True)
    assert word in page


def test_no_page_may_run_foreign_or_inline_script(client: FlaskClient) -> None:
    answer = client.get("/")
    assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert "unsafe-inline" not in CONTENT_SECURITY_POLICY


def test_an_unknown_address_is_told_in_one_sentence(client: FlaskClient) -> None:
    answer = client.get("/nowhere", headers={"Accept-Language": "ja"})
    assert answer.status_code == 404
    assert "見つかりません" in answer.get_data(as_text=True)


def test_scripts_get_the_sentences_of_the_pages_language_once(client: FlaskClient) -> None:
    page = client.get("/", headers={"Accept-Language": "ja"}).get_data(as_text=True)
    (address,) = re.findall(r'<script defer src="(/messages/ja\.js\?v=\w+)">', page)
    assert page.index(address) < page.index('type="module"'), "before what says them"
    answer = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.cache_control.immutable
    of_another_day = client.get("/messages/ja.js?v=0123456789abcdef")
    assert of_another_day.cache_control.no_cache
    assert not of_another_day.cache_control.immutable
    assert "取り消す" in of_another_day.get_data(as_text=True)


def test_scripts_have_their_english(client: FlaskClient) -> None:
    assert "/messages/" not in client.get("/", headers={"Accept-Language": "en"}).get_data(as_text=True)
