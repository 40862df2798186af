"""`waymark scan` and `score` of photos of a board, and of a turn between two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scorer.board_record import Board
from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from waymark.cli.answers import Output, answer_each, wrong_usage
from waymark.cli.inputs import CatalogueChoice, FirstPhotoEarly, TableTold, TermsTold, read_input
from waymark.cli.refereeing import Refereed

#: Reading a board takes about a third of a gigabyte.
PHOTOS_AT_ONCE = 2


def is_board(choice: CatalogueChoice) -> bool:
    """Whether the pieces in use are of a game on a printed board. A catalogue that cannot be read is each
    photo's error."""
    from vision.boards.art import shows_a_board

    try:
        from scorer.games import game_named

        return game_named(choice.game).scan_key == "board" and shows_a_board(choice.load())
    except WaymarkError:
        return False


def refuse(options: Mapping[str, object]) -> None:
    """Raises `WaymarkError` (usage) for options that say nothing of a board."""
    for option, value in options.items():
        if value:
            raise wrong_usage("usage.with_board", option=option)


def score_boards(
    output: Output,
    photos: Sequence[str],
    choice: CatalogueChoice,
    table: TableTold,
    told: TermsTold,
    overlays: Sequence[Path | None],
    *,
    scan_alone: bool = False,
) -> None:
    """Answer each photo: the scan and its ruling, or the scan alone."""
    told.check(choice)
    inputs = FirstPhotoEarly(photos, read_input)
    from scorer.games import game_of
    from waymark.review.boards.answers import board_answer, board_scan_json
    from waymark.review.boards.assess import score_board

    pictures = dict(zip(photos, overlays, strict=True))

    def work(name: str) -> Any:
        cards = choice.load()
        photo = inputs.load(name)
        now = score_board(photo, cards, told.of(game_of(cards)), _told_board(table, cards))
        if picture := pictures[name]:
            from waymark.picture.board_overlay import write_board

            write_board(picture, photo, now, output.language)
        return board_scan_json(now, output.language) if scan_alone else board_answer(now, output.language)

    def show(name: str, answer: Any) -> None:
        from waymark.cli import tables
        from waymark.cli.batches import print_scored

        if scan_alone:
            tables.print_scan(output.console, answer, name, output.language)
        else:
            game = game_of(choice.load())
            print_scored(output, game, told.of(game), answer, name)
        if picture := pictures[name]:
            output.say("overlay.written", file=picture)

    answer_each(output, photos, work, show, at_once=PHOTOS_AT_ONCE)


def score_turn(
    output: Output,
    photos: Sequence[str],
    choice: CatalogueChoice,
    table: TableTold,
    told: TermsTold,
    overlay: Path | None,
    player: str,
) -> None:
    """Answer two photos, before and after a turn of `player`: what was done, and whether it was legal.
    Raises `WaymarkError`."""
    if len(photos) != 2:
        raise wrong_usage("usage.turn_photos")
    told.check(choice)
    inputs = FirstPhotoEarly(photos, read_input)
    from scorer.games import game_of
    from waymark.review.boards.answers import turn_answer
    from waymark.review.boards.assess import assess_turn, score_board

    cards = choice.load()
    terms = told.of(game_of(cards))
    pictures = [inputs.load(name) for name in photos]
    boards = [score_board(photo, cards, terms, _told_board(table, cards)) for photo in pictures]
    names = [each.name for each in boards[0].board.players]
    if player not in names:
        raise wrong_usage("usage.turn_player", player=player, players=", ".join(names))
    before, after = _with_the_same_players(boards[0], boards[1])
    turn = assess_turn(before, after, player)
    if overlay is not None:
        from waymark.picture.board_overlay import write_turn

        write_turn(overlay, pictures[1], turn, output.language)
    if output.for_people:
        from waymark.cli import tables

        game = game_of(cards)
        assert game.turns is not None
        steps = tuple(game.turns.steps(turn.ruling))
        refereed = Refereed(game, terms, turn.ruling, steps=steps, is_turn=True)
        tables.print_walk(output.console, refereed, photos[1], output.language)
        tables.print_ruling(output.console, refereed, photos[1], output.language)
        if turn.untold is not None:
            output.console.print(turn.untold.message(output.language))
        output.say("scan.sure" if turn.sure else "scan.unsure")
        if overlay is not None:
            output.say("overlay.written", file=overlay)
    output.answer(turn_answer(turn, output.language))


def _with_the_same_players(before: Any, after: Any) -> tuple[Any, Any]:
    """Both boards with the players of the first: who stands where neither sees him still plays."""
    from dataclasses import replace

    import msgspec

    there = {player.name: player for player in after.board.players}
    players = tuple(
        there.get(player.name, msgspec.structs.replace(player, holds=None)) for player in before.board.players
    )
    return before, replace(after, board=msgspec.structs.replace(after.board, players=players))


def _told_board(table: TableTold, cards: Catalogue) -> Board | None:
    """What is told of the players, by a record of the board (`--table`). Raises `WaymarkError`."""
    from scorer.games import game_of

    if table.table is None:
        return None
    told: Board = game_of(cards).parse_record(read_input(table.table))
    return told
