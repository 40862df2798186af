"""Distinct labels for the answers of a question: no two have the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence


def told_apart(words: Sequence[str], apart: Sequence[Sequence[str]] = ()) -> list[str]:
    """Distinct labels for answers. Identical ones are extended by the first property in `apart` in which they
    all differ; with numbers where none does."""
    told = list(words)
    for same, count in Counter(words).items():
        if count > 1:
            group = [k for k, each in enumerate(words) if each == same]
            things = next(_that_differ([apart[k] for k in group if apart], count), None)
            for number, k in enumerate(group, 1):
                told[k] = f"{same} ({number if things is None else things[number - 1]})"
    # what was added may be what another one says already
    return told if len(set(told)) == len(told) else [f"{k}. {each}" for k, each in enumerate(words, 1)]


def _that_differ(apart: Sequence[Sequence[str]], count: int) -> Iterator[tuple[str, ...]]:
    """The properties in which all answers differ, each as one value per answer."""
    for things in zip(*apart, strict=True):
        if all(things) and len(set(things)) == count:
            yield things
