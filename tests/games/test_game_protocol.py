"""What a game is: Map Masters versus and the tiny game keep it, and games are found by their words."""

from __future__ import annotations

from pathlib import Path

import pytest
import trails_table
from check_game import check_game
from cooperative_cases import coop_cases
from dungeons import card, catalogue, record
from same_boards import same_board

from scorer.errors import WaymarkError
from scorer.game import terms_from_words
from scorer.games import game_named, game_of, game_of_record, known_games, line_habits
from scorer.mapmasters.cooperative.game import COOPERATIVE
from scorer.mapmasters.game import VERSUS
from scorer.mapmasters.rules.terms import Terms

FACE = card("D29", "w1 sword1 monster1 rope1 pit1 j1 e1", "e2 coin1 x1")
PATHS = ("w1 sword1 monster1 rope1 pit1 j1 e1", "w1 e1", "e2 coin1", "")


def test_map_masters_versus_is_a_game() -> None:
    values = {"fairy_tokens": {"sword": 1}, "spellbooks": ("SB-5",), "primary": "rope", "card_limit": 6}
    check_game(VERSUS, catalogue(FACE), [record([FACE], path) for path in PATHS], values)


def test_map_masters_cooperative_is_a_game() -> None:
    cases = [case for case in coop_cases() if case.file.stem in ("goals", "meets") and case.expected]
    values = {"difficulty": "hard", "broken_rule": "open", "used_circles_count": False, "token_supply": 4}
    for case in cases[::7]:
        check_game(COOPERATIVE, case.catalogue, [case.record], values)


def test_the_tiny_game_is_a_game(tmp_path: Path) -> None:
    deck = trails_table.deck(tmp_path)
    records = [
        trails_table.board(owls=((0, 0),)),
        trails_table.board(fox=(2, 1)),
        trails_table.board(fox=None),
        trails_table.board("... ... l^..", fox=(0, 2)),
    ]
    check_game(trails_table.GAME, deck, records, {"lanterns": 2, "objective": "owls", "wrap": True})


def test_games_are_found_by_the_catalogues_word(tmp_path: Path) -> None:
    assert game_of(trails_table.deck(tmp_path)) is trails_table.GAME
    assert game_of(catalogue(FACE)) is VERSUS is game_named("mapmasters", "versus")
    assert known_games()[0] == "mapmasters" and "trails" in known_games()
    assert line_habits("trails").drawn is False and line_habits("chess").stops_at == frozenset()


@pytest.mark.parametrize(("word", "mode"), [("chess", ""), ("mapmasters", "solo"), ("trails", "versus")])
def test_a_game_that_nobody_knows_is_an_error_in_a_sentence(word: str, mode: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        game_named(word, mode)
    error = caught.value
    assert error.code == "unknown-game" and word in error.en and word in error.ja
    assert error.en.endswith(".") and error.ja.endswith("。")


def test_records_tell_their_game() -> None:
    assert game_of_record(b'{"game": "trails"}', "mapmasters") is trails_table.GAME
    assert game_of_record(b'{"mode": "versus"}', "mapmasters") is VERSUS
    assert game_of_record(b'{"mode": "cooperative"}', "mapmasters") is COOPERATIVE
    assert game_of_record(b'{"mode": "solo"}', "mapmasters") is VERSUS, "whose error says what it takes"
    assert game_of_record(b"D29^@0,0", "mapmasters") is VERSUS
    with pytest.raises(WaymarkError, match="chess"):
        game_of_record(b'{"game": "chess"}', "mapmasters")


def test_what_a_photo_shows_becomes_the_games_record(tmp_path: Path) -> None:
    deck, board = trails_table.deck(tmp_path), trails_table.board(owls=((2, 2), (0, 1)))
    assert same_board(trails_table.GAME.photo.from_photo(deck, trails_table.tableau(board)), board)
    seen = record([FACE], PATHS[0])
    assert VERSUS.photo.from_photo(catalogue(FACE), seen) is seen


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"fairy_tokens": {"lamp": 1}}, "unknown-token"),
        ({"spellbooks": ("SB-99",)}, "unknown-spellbook"),
        ({"primary": "gold"}, "unknown-objective"),
        ({"card_limit": 0}, "bad-setting"),
        ({"first_player": "eldest"}, "bad-setting"),
        ({"lanterns": 1}, "unknown-setting"),
    ],
)
def test_terms_are_checked_where_they_are_made(told: dict[str, object], code: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        VERSUS.rules.settings.make(told)
    assert caught.value.code == code


def test_terms_are_one_value_however_they_are_told() -> None:
    words = {"fairy_tokens": "key:2,sword:1", "spellbooks": "SB-4", "primary": "key", "card_limit": "6"}
    told = terms_from_words(VERSUS, words)
    assert told == Terms({"sword": 1, "key": 2}, ("sb4",), "key", settings=told.settings)
    assert told.settings.card_limit == 6
    assert terms_from_words(VERSUS, {"exploration_minutes": "none"}).settings.exploration_minutes is None
    for words in ({"fairy_tokens": "key:6"}, {"card_limit": "six"}, {"primary": "gold"}):
        with pytest.raises(WaymarkError) as caught:
            terms_from_words(VERSUS, words)
        assert caught.value.code == "bad-setting"
    with pytest.raises(WaymarkError, match="lanterns"):
        terms_from_words(VERSUS, {"lanterns": "1"})
