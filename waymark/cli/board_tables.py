"""`waymark scan` and `score` for photos of a board, and for the turn between two of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scorer.board_record import Board
from scorer.catalogue import Catalogue
from waymark.cli.answers import wrong_usage
from waymark.cli.asked_photos import Asked, answer_photos, refuse
from waymark.cli.inputs import FirstPhotoEarly, TableTold, read_input
from waymark.cli.refereeing import Refereed


def answer_boards(asked: Asked) -> None:
    """Answer each photo with its scan and ruling, or with the scan alone; or two photos with the turn
    between them."""
    refuse(asked.own, "usage.with_board")
    if asked.turn is not None:
        _answer_turn(asked, asked.turn)
        return
    choice, output, pictures = asked.choice, asked.output, asked.pictures(asked.photos)
    asked.told.check(choice)
    inputs = FirstPhotoEarly(asked.photos, read_input)
    from scorer.games import game_of
    from waymark.review.boards.answers import board_answer, board_scan_json
    from waymark.review.boards.assess import score_board

    def work(name: str) -> Any:
        cards = choice.load()
        photo = inputs.load(name)
        now = score_board(photo, cards, asked.told.of(game_of(cards)), _told_board(asked.table, cards))
        if picture := pictures[name]:
            from waymark.picture.board_overlay import write_board

            write_board(picture, photo, now, output.language)
        return (board_scan_json if asked.scan_alone else board_answer)(now, output.language)

    answer_photos(asked, asked.photos, work, lambda: game_of(choice.load()), pictures)


def _answer_turn(asked: Asked, player: str) -> None:
    """Answer two photos, before and after a turn of `player`, with the turn and its ruling. Raises
    `WaymarkError`."""
    output, photos, choice, told = asked.output, asked.photos, asked.choice, asked.told
    overlay = None if asked.overlay is None else Path(asked.overlay)
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
    boards = [score_board(photo, cards, terms, _told_board(asked.table, cards)) for photo in pictures]
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
        assert game.play.turns is not None
        steps = tuple(game.play.turns.steps(turn.ruling))
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
    """Both boards with the players of the first; a player missing on the second stays in play, with
    unknown possessions."""
    from dataclasses import replace

    import msgspec

    there = {player.name: player for player in after.board.players}
    players = tuple(
        there.get(player.name, msgspec.structs.replace(player, holds=None)) for player in before.board.players
    )
    return before, replace(after, board=msgspec.structs.replace(after.board, players=players))


def _told_board(table: TableTold, cards: Catalogue) -> Board | None:
    """The record of the board given by `--table`, with its players; None without one. Raises
    `WaymarkError`."""
    from scorer.games import game_of

    if table.table is None:
        return None
    told: Board = game_of(cards).rules.parse_record(read_input(table.table))
    return told
