"""Commits are told as `area: effect` in under 72 characters. Only where there is a history."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: The rule holds for what came after this one.
LAST_BEFORE = "34912a70efab3dbe1d27c892a5f1937767f74904"
SUBJECT = re.compile(r"[a-z][\w./ -]*: \S")


def subjects() -> list[str]:
    """One line a commit: its hash and its subject. Merges have no effect of their own."""
    log = ["git", "-C", str(ROOT), "log", "--no-merges", "--format=%h %s", f"{LAST_BEFORE}..HEAD"]
    try:
        told = subprocess.run(log, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no history is here, or it begins later")
    return told.stdout.splitlines()


def fault_of(subject: str) -> str | None:
    if len(subject) >= 72:
        return f"{len(subject)} characters are too many"
    return None if SUBJECT.match(subject) else "it is not `area: effect`"


@pytest.mark.parametrize(
    ("subject", "fine"),
    [
        ("tests: golden cases of the rules as text", True),
        ("vision/ink: a stroke is not cut at a cap", True),
        ("More tests", False),
        ("Tests: more of them", False),
        ("tests:", False),
        ("tests: " + "x" * 70, False),
    ],
)
def test_what_a_subject_looks_like(subject: str, fine: bool) -> None:
    assert (fault_of(subject) is None) is fine


def test_every_commit_is_told_in_a_line() -> None:
    told = (line.partition(" ") for line in subjects())
    assert [f"{commit} {fault}" for commit, _, subject in told if (fault := fault_of(subject))] == []
