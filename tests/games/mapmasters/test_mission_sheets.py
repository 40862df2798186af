"""Mission sheets and their figures: a page says what its mission says, in both languages; games are kept."""

import json
import shutil
from pathlib import Path

import msgspec
import pypdfium2
import pytest
from cli_runs import run_here
from PIL import Image

from calibration.missions.losses import (
    OWN,
    Below,
    Loss,
    OutOfOrder,
    Teleported,
    TooLate,
    TooLoud,
    happened,
    limits,
)
from calibration.missions.pieces import with_pieces
from calibration.missions.shares import (
    MissionShares,
    Played,
    Share,
    mark_of,
    play_on,
    read_played,
    shares_of,
    write_played,
)
from calibration.missions.sheet import mission_sheets
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import WaymarkError
from scorer.mapmasters.cooperative import referee
from scorer.mapmasters.cooperative.rules.mission import Mission, load_mission, mission_ids, plan_of
from scorer.mapmasters.cooperative.rules.record import Group, GroupPath, TableCard, TableRecord
from scorer.mapmasters.cooperative.words.goal_words import goal_where, place_words
from scorer.mapmasters.cooperative.words.messages import missing_words
from scorer.text import Language, written

IDS = sorted(path.stem for path in (bundled_catalogue() / "missions").glob("*.json"))


@pytest.fixture(scope="module")
def deck() -> Catalogue:
    return load_catalogue(bundled_catalogue())


def pages_of(file: Path) -> list[str]:
    with pypdfium2.PdfDocument(file) as document:
        return [page.get_textpage().get_text_range().replace("\r\n", "") for page in document]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_page_says_what_its_mission_says(deck: Catalogue, tmp_path: Path, language: Language) -> None:
    names = ["M02", "M10"]
    missions = [load_mission(deck, name) for name in names]
    assert mission_sheets(deck, missions, tmp_path / "sheets.pdf", language) == 2
    pages = pages_of(tmp_path / "sheets.pdf")
    assert len(pages) == 2
    for mission, page in zip(missions, pages, strict=True):
        squeezed = page.replace(" ", "")
        told = [mission.name[language], mission.rules[language]]
        told += [mission.lose.told[code][language] for code in mission.lose.declared]
        for words in told:
            assert words.replace(" ", "") in squeezed


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_mission_fits_on_one_page(deck: Catalogue, tmp_path: Path, language: Language) -> None:
    missions = [load_mission(deck, name) for name in mission_ids(deck)]
    mission_sheets(deck, missions, tmp_path / "sheets.pdf", language, paper="letter")
    with pypdfium2.PdfDocument(tmp_path / "sheets.pdf") as document:
        assert len(document) == len(missions)
        for page in document:
            text = page.get_textpage()
            lowest = min(text.get_charbox(at)[1] for at in range(text.count_chars()))
            assert lowest > 20, "nothing runs off the paper"


def test_no_missions_no_sheets(deck: Catalogue, tmp_path: Path) -> None:
    with pytest.raises(WaymarkError, match="no missions"):
        mission_sheets(deck, [], tmp_path / "sheets.pdf", "en")


def test_entrances_are_told_apart_by_side_and_height(deck: Catalogue) -> None:
    card = deck.card("B02")
    words = [place_words(card, place) for place in ("n1", "w1", "w2", "e1", "j1")]
    assert [each.en for each in words] == [
        "upper entrance",
        "upper left entrance",
        "lower left entrance",
        "right entrance",
        "inside",
    ]
    assert [each.ja for each in words] == ["上の入口", "左上の入口", "左下の入口", "右の入口", "カードの中"]


def test_a_goal_at_the_tables_edge_names_the_edge(deck: Catalogue) -> None:
    goals = plan_of(load_mission(deck, "M09"), deck, ["D21"]).goals
    assert goal_where(goals["miner"], deck).ja == "右端"


# --- figures ------------------------------------------------------------------------------------------------


def test_games_are_added_to_those_already_played(deck: Catalogue, tmp_path: Path) -> None:
    mission = load_mission(deck, "M02")
    played = play_on(deck, Played(), mission, ["normal"], 2)
    write_played(tmp_path, played)
    again = play_on(deck, read_played(tmp_path), mission, ["normal", "easy"], 3)
    at_once = play_on(deck, Played(), mission, ["easy", "normal"], 3)
    assert shares_of(again, mission) == shares_of(at_once, mission)
    share = shares_of(again, mission)["normal"]
    assert share.games == 3 == sum(share.reasons.values())


def test_figures_of_a_mission_that_was_changed_are_not_told(deck: Catalogue) -> None:
    mission = load_mission(deck, "M02")
    told = MissionShares(mark=mark_of(mission), shares={"easy": Share(games=5, won=4)})
    played = Played(missions={"M02": told})
    renamed = msgspec.structs.replace(mission, name={"en": "Another"}, rules={})
    poorer = msgspec.structs.replace(mission, market_coins=0)
    assert shares_of(played, renamed) == told.shares
    assert shares_of(played, poorer) == {}


def test_missions_are_numbered_by_how_often_they_are_won(deck: Catalogue) -> None:
    """The rulebook's first comes first; those of our own follow from the easiest to the hardest."""
    missions = [load_mission(deck, name) for name in mission_ids(deck)]
    assert [mission.number for mission in missions] == list(range(1, len(IDS) + 1))
    first, *ours = missions
    played = read_played(bundled_catalogue())
    won = [sum(share.won for share in shares_of(played, mission).values()) for mission in ours]
    assert first.id == "M01" and won == sorted(won, reverse=True)


@pytest.mark.parametrize("name", IDS)
def test_every_mission_was_won_at_every_difficulty(deck: Catalogue, name: str) -> None:
    shares = shares_of(read_played(bundled_catalogue()), load_mission(deck, name))
    assert {difficulty: share.won > 0 for difficulty, share in shares.items()} == dict.fromkeys(
        ("rookie", "easy", "normal", "hard"), True
    )


# --- losses of its own --------------------------------------------------------------------------------------


def test_the_player_looks_out_for_every_loss_that_missions_declare(deck: Catalogue) -> None:
    missions = [load_mission(deck, name) for name in mission_ids(deck)]
    declared = {mission.id: set(mission.lose.declared) for mission in missions if mission.lose.declared}
    assert {name: set(losses) for name, losses in OWN.items()} == declared
    for mission in missions:
        assert set(mission.lose.told) == set(mission.lose.declared)
        assert all(set(words) == {"en", "ja"} for words in mission.lose.told.values())


def table(*paths: list[list[str]]) -> TableRecord:
    """B04 alone, with its underground opening; a group walks on it."""
    return TableRecord(
        format="waymark-tableau/1",
        mode="cooperative",
        cards=(TableCard("B04", 0, 0),),
        mission=Mission(format="waymark-mission/1", artifacts={"cook": "B04"}),
        groups=(Group(group="green"),),
        paths=tuple(GroupPath(group="green", path=tuple(map(tuple, path))) for path in paths),
    )


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ([["0.w1", "0.j1"]], []),
        ([["0.w2", "0.v1", "0.t1", "0.j3", "0.j2", "0.e1"]], ["below", "cook_below"]),
        ([["0.w1", "0.j1"], ["0.j2"]], ["teleport"]),
    ],
)
def test_what_a_table_shows_of_losses(deck: Catalogue, path: list[list[str]], seen: list[str]) -> None:
    losses: dict[str, Loss] = {
        "below": Below(),
        "cook_below": Below("cook"),
        "boots_below": Below("boots"),
        "teleport": Teleported(),
        "loud": TooLoud(0),
        "late": TooLate(1),
        "order": OutOfOrder("first", "then"),
    }
    record = table(path)
    assert list(happened(losses, deck, record, referee(deck, record))) == seen


def test_what_a_way_must_keep_to() -> None:
    assert limits({"alarm": TooLoud(3)}, monsters=2).monsters == 1
    assert limits({}, monsters=2).monsters is None
    assert not limits({"magic": Teleported()}, 0).teleports
    assert limits({"dark": Below("cook")}, 0).dry == frozenset({"cook"})
    assert limits({"dark": Below("cook"), "flood": Below()}, 0).dry is None


def test_what_is_missing_is_called_as_people_call_it(deck: Catalogue) -> None:
    words = missing_words({"artifacts": ("cook",), "key": 2}, load_mission(deck, "M02"))
    assert words == written("the cook, 2 key", "料理人、鍵 あと 2")


# --- pieces -------------------------------------------------------------------------------------------------


def test_what_missions_name_is_printed_once_with_their_tokens(deck: Catalogue) -> None:
    added, needed = with_pieces(deck, [load_mission(deck, name) for name in ("M02", "M05")])
    assert [card.id for card in needed] == ["B01", "B03", "D17", "D40", "cook", "lantern"]
    assert all(added.art_path(card).is_file() for card in needed)
    assert added.size_of("cook") == (22, 22)
    assert [card.id for card in deck.cards] == [card.id for card in added.cards][: len(deck.cards)]


def test_tokens_of_an_installed_deck_are_packed_as_its_cards_are(deck: Catalogue, tmp_path: Path) -> None:
    assert deck.folder is not None
    shutil.copytree(deck.folder, tmp_path / "deck", ignore=shutil.ignore_patterns("art"))
    for file in (tmp_path / "deck" / "pieces").glob("*.png"):
        with Image.open(file) as picture:
            picture.save(file.with_suffix(".webp"))
        file.unlink()
    packed = load_catalogue(tmp_path / "deck")
    missions = [load_mission(deck, name) for name in IDS]
    tokens = [
        [card for card in with_pieces(each, missions)[1] if card.kind == "chip"] for each in (deck, packed)
    ]
    assert [card.id for card in tokens[0]] == [card.id for card in tokens[1]] != []
    assert all((tmp_path / "deck" / card.art).is_file() and card.art.endswith(".webp") for card in tokens[1])


# --- on the command line ------------------------------------------------------------------------------------


def test_sheets_of_chosen_missions(tmp_path: Path) -> None:
    file = tmp_path / "sheets.pdf"
    result = run_here("deck", "missions", file, "--missions", "M02, M04", "--lang", "ja", "--json", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"file": str(file), "missions": ["M02", "M04"], "pages": 2}
    assert "消えた料理人" in pages_of(file)[0]


def test_cards_and_tokens_of_a_mission_are_printed(tmp_path: Path) -> None:
    file = tmp_path / "pieces.pdf"
    result = run_here("deck", "print", file, "--missions", "M02", "--json", "-")
    assert json.loads(result.stdout) == {"file": str(file), "cards": 3, "pages": 2}


@pytest.mark.parametrize("command", ["missions", "print"])
def test_a_mission_that_does_not_exist_is_named(tmp_path: Path, command: str) -> None:
    result = run_here("deck", command, tmp_path / "sheets.pdf", "--missions", "M99")
    assert result.exit_code == 3
    assert "'M99'" in result.stderr
    assert not (tmp_path / "sheets.pdf").exists()
