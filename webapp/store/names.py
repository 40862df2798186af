"""Comparison of people's names by their appearance: the same name can be typed in several ways."""

from __future__ import annotations

import re
from unicodedata import normalize

#: Invisible characters (Unicode's default ignorable ones), except tags, which are parts of flags.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e001f\U000e0080-\U000e0fff]"
)
#: A joiner between emoji that makes one visible picture of two.
_JOINED = re.compile(
    "(?<=[\u2600-\u27bf\U0001f000-\U0001faff])\ufe0f?\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)
#: Temporary replacement of such a joiner; it occurs in no text.
_JOINER = "\ufdd0"


def name_key(name: str) -> str:
    """A name's form for comparing: NFKC (composed, no full width), without characters that are not seen, each
    space a single one. Names are kept as they were typed. Empty where nothing of a name is seen."""
    seen = _UNSEEN.sub("", _JOINED.sub(_JOINER, name))
    # NFKC turns other characters into spaces, and a removed character may have separated two that compose.
    return " ".join(normalize("NFKC", seen).split())
