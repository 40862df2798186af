"""Paths that can be read both ways, beside the golden cases of them."""

from __future__ import annotations

from dungeons import card, catalogue, record

from scorer.mapmasters.direction import path_backwards, referee_either_way


def test_otherwise_it_asks() -> None:
    face = card("A", "w1 monster1 j1 padlock1 coin1 e1")
    either = referee_either_way(catalogue(face), record([face], "w1 monster1 j1 padlock1 coin1 e1"))
    assert (either.direction.by, either.settled) == ("asked", False)
    assert either.ruling.discovered["coin"] != either.other.discovered["coin"]


def test_backwards_turns_strokes_and_places() -> None:
    assert path_backwards((("0.a", "0.b"), ("0.c",))) == (("0.c",), ("0.b", "0.a"))
