"""Answers that nobody can confuse: no two of a question are told by the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def told_apart(words: Sequence[str], apart: Sequence[Sequence[str]]) -> list[str]:
    """The answers' words, those that are the same with the first of the things that tell them `apart` in
    which all of these differ; with their numbers where none does."""
    told = list(words)
    for same, count in Counter(words).items():
        if count < 2:
            continue
        group = [k for k, each in enumerate(words) if each == same]
        for things in zip(*(apart[k] for k in group), strict=True):
            if len(set(things)) == count and all(things):
                more: Sequence[str] = things
                break
        else:
            more = [str(k + 1) for k in range(count)]
        for k, each in zip(group, more, strict=True):
            told[k] = f"{words[k]} ({each})"
    return told
