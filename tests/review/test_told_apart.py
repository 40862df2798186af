"""Answers are told apart by their words, whatever is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.board_game import BoardGame
from scorer.catalogue import load_catalogue
from scorer.games import game_named
from scorer.told_apart import told_apart
from scorer.turn_forms import thing_called

BOARD_GAMES = ("labyrinth2", "ice_and_idols", "stone_dragon")


@given(st.lists(st.sampled_from(["here", "there", "here (1)", "1. here", "here (a)"]), max_size=6), st.data())
def test_no_two_answers_have_the_same_words(words: list[str], data: st.DataObject) -> None:
    apart = [data.draw(st.tuples(st.sampled_from("ab"), st.sampled_from("ab"))) for _ in words]
    for told in (told_apart(words), told_apart(words, apart)):
        assert len(set(told)) == len(words)
        assert len(set(words)) < len(words) or told == words, "what differs stays as it was said"


def test_the_same_words_have_what_differs_after_them() -> None:
    assert told_apart(["T1", "T1", "T2"], [("0°", ""), ("90°", ""), ("", "")]) == [
        "T1 (0°)",
        "T1 (90°)",
        "T2",
    ]
    assert told_apart(["runs", "runs"]) == ["runs (1)", "runs (2)"]


def board_game(word: str) -> BoardGame:
    game = game_named(word)
    assert isinstance(game, BoardGame)
    return game


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("word", BOARD_GAMES)
def test_no_two_pieces_of_a_game_have_the_same_name(word: str, language: str) -> None:
    game = board_game(word)
    assert game.bundled is not None
    catalogue = load_catalogue(game.bundled)
    words, colours = game.words.vocabulary.words, game.sheet.colours
    names = [thing_called(catalogue, words, colours, card.id).message(language) for card in catalogue.cards]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("word", BOARD_GAMES)
def test_no_two_options_of_what_is_asked_of_a_box_have_the_same_words(word: str, language: str) -> None:
    for fact in (fact for asked in board_game(word).enrol.asked for fact in asked.facts):
        told = [words.message(language) for _, words in fact.options]
        assert len(set(told)) == len(told), fact.word
