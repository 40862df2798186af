"""A record as people hand it in: its JSON, its text notation, or what `waymark scan` or `waymark score`
answered, with the record inside."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from scorer.json_faults import json_fault
from scorer.notation import parse_record_or_notation
from scorer.record import Record, not_a_record, parse_record
from scorer.text import Text


@dataclass(frozen=True)
class RecordFile:
    """A record, and whether it was read from a photo with a doubt that can change the score."""

    record: Record
    doubted: bool = False


_ABSENT = msgspec.Raw()


class _Scan(msgspec.Struct):
    tableau: msgspec.Raw = _ABSENT
    sure: bool = True


class _Answer(_Scan):
    """What tells a score, a scan and an error from a record."""

    scan: _Scan | None = None
    error: msgspec.Raw = _ABSENT


def read_record(data: bytes) -> RecordFile:
    """The record in a file's content. Raises `WaymarkError` (not-a-record, not-a-notation)."""
    try:
        text = data.decode("utf-8-sig").lstrip()
    except UnicodeDecodeError as error:
        raise not_a_record(json_fault(error, data)) from error
    if text[:1] == "[":
        raise not_a_record(
            Text("it is a list; give one entry of it", "一覧になっています。その中の一つを指定します")
        )
    if text[:1] != "{":
        return RecordFile(parse_record_or_notation(text))
    try:
        answer = msgspec.json.decode(text, type=_Answer)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return RecordFile(parse_record(text))  # whose error says what was expected
    scan = answer.scan or answer
    if bytes(scan.tableau):
        return RecordFile(parse_record(bytes(scan.tableau)), doubted=not scan.sure)
    if bytes(answer.error):
        raise not_a_record(Text("it is the answer to an error", "エラーの答えです"))
    return RecordFile(parse_record(text))
