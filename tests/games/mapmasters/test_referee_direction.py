"""Paths that can be read both ways, beside the golden cases of them."""

from __future__ import annotations

from dungeons import card, catalogue, record, referee_either_way

from scorer.record import path_backwards


def test_otherwise_it_asks() -> None:
    face = card("A", "w1 monster1 j1 padlock1 coin1 e1")
    either = referee_either_way(catalogue(face), record([face], "w1 monster1 j1 padlock1 coin1 e1"))
    assert (either.choice.by, either.choice.asked) == ("asked", True)
    assert either.ruling.discovered["coin"] != either.other.discovered["coin"]


def test_backwards_turns_strokes_and_places() -> None:
    assert path_backwards((("0.a", "0.b"), ("0.c",))) == (("0.c",), ("0.b", "0.a"))
