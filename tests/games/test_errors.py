"""Error codes: what each stands for, and that docs/ERRORS.md tells so."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest

from scorer.errors import Code, WaymarkError
from scorer.text import written

ROOT = Path(__file__).parents[2]


def row(code: Code) -> str:
    """A code as the document lists it."""
    remedy = code.remedy
    return f"| `{code}` | {code.exit_status} | {code.http_status} | {remedy.en} | {remedy.ja} |"


def test_the_document_lists_every_code() -> None:
    """To mend the document, take over the rows that this test asks for."""
    document = (ROOT / "docs/ERRORS.md").read_text()
    assert re.findall(r"^\| `.*", document, re.MULTILINE) == [row(code) for code in Code]


def test_every_code_is_used() -> None:
    packages = ("scorer", "vision", "calibration", "waymark", "webapp")
    files = (file for package in packages for file in (ROOT / package).rglob("*.py"))
    used = set(re.findall(r"\bCode\.([A-Z_]+)", "\n".join(file.read_text() for file in files)))
    assert used == {code.name for code in Code}


@pytest.mark.parametrize("code", Code)
def test_a_remedy_is_one_short_sentence_in_both_languages(code: Code) -> None:
    assert code.name == code.upper().replace("-", "_")
    for words, stop, longest in ((code.remedy.en, ".", 90), (code.remedy.ja, "\u3002", 60)):
        assert words.endswith(stop) and len(words) <= longest, words


@pytest.mark.parametrize(
    ("code", "exit_status", "http_status"),
    [
        (Code.USAGE, 2, 400),
        (Code.NOT_A_RECORD, 3, 400),
        (Code.CUT_OFF, 3, 422),
        (Code.NO_CARD, 4, 422),
        (Code.TOO_SMALL, 4, 422),
        (Code.INTERNAL, 3, 500),
    ],
)
def test_a_code_knows_its_statuses(code: Code, exit_status: int, http_status: int) -> None:
    assert (code.exit_status, code.http_status) == (exit_status, http_status)
    assert WaymarkError(code, written("Mend it.", "直してください。")).exit_status == exit_status


def test_an_error_crosses_process_borders() -> None:
    error = WaymarkError(Code.NO_CARD, written("Look for cards.", "カードを探してください。"))
    there = pickle.loads(pickle.dumps(error))
    assert there.code is Code.NO_CARD and there.exit_status == 4
    assert (there.message("en"), there.message("ja")) == (error.en, error.ja)


def test_a_code_is_its_word_in_json() -> None:
    assert json.dumps({"code": Code.NO_CARD}) == '{"code": "no-card"}'
