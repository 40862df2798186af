"""Measurement of board photos with their truths: accuracy of the reading, share of sure boards, and
whether two photos of a table determine the turn between them.

A truth is a scan whose `board` is the true record. `sample.turn` holds the turn record of the photo
before; `sample.other_photo` and `pair` identify the two photos of a turn. Stated facts (players, seats,
whose move it is) are taken from the truth; everything a photo shows is read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace as replace_in

from scorer.board_record import Board, BoardPlayer, board_from
from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import WaymarkError
from scorer.games import game_named
from scorer.play_kinds import board_game
from scorer.square_grid import open_sides, turned
from scorer.turn_forms import ENDED
from vision.boards.seen import LayeredScan
from vision.photo.decode import load_photo
from waymark.bench.board_facts import turned_alike
from waymark.bench.board_players import Played, answer_all, play
from waymark.bench.bounds import upper_bound
from waymark.bench.layered import layered_kinds
from waymark.bench.players import PLAYERS
from waymark.bench.truth import find_photos
from waymark.review.boards.assess import BoardAssessment, assess_board, assess_turn, score_board
from waymark.review.boards.final_matter import final_matter
from waymark.review.boards.questions import to_be_looked_over

FORMAT = "waymark-bench-boards/1"


class _Truth(msgspec.Struct):
    """The part of a truth file that describes the board."""

    board: dict[str, Any] | None = None
    sample: dict[str, Any] = {}


#: Limit of questions that are answered for a final score.
MOST_FOR_SCORE = 3


@dataclass(frozen=True)
class Scored:
    """The final score after a careful player's answers to at most `MOST_FOR_SCORE` questions, if the game had
    ended with the photo: whether it is `right`, as `read` without an answer, and the counts of `Played`."""

    right: bool
    read: bool
    asked: int
    without_true_answer: int
    needless: int


@dataclass(frozen=True)
class BoardMeasured:
    """The measurements of one board photo: whether all tiles and the spare are right, the counts of
    right pieces and of `strangers` (pieces read that do not exist), and whether the whole board is
    exact. `held`: whether the possessions of the players in the truth are right.
    `turn_right`: whether the turn since the photo before is judged rightly; None without one. `error` is
    the code of a photo that was not read. `kinds`: pieces by kind, [right, of how many]. `players`: the
    result for each player. `sure` means here that nothing is left in doubt; a board is only reported as
    sure after a person has looked it over (`to_be_looked_over`)."""

    photo: str
    tier: str
    tiles: bool
    wrong_tiles: int
    spare: bool
    pieces: tuple[int, int]
    strangers: int
    board: bool
    held: bool | None
    sure: bool
    questions: tuple[str, ...]
    cpu_seconds: float
    turn_right: bool | None = None
    turn_sure: bool | None = None
    error: str | None = None
    nuisances: tuple[str, ...] = ()
    kinds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    players: Mapping[str, Played] = field(default_factory=dict)
    scored: Scored | None = None


def shows_boards(folder: Path) -> bool:
    """Whether the truth files in a folder describe boards; False for a folder without photos."""
    try:
        photos = find_photos(folder)
    except WaymarkError:
        return False
    return _read(photos[0][1]).board is not None


def bench_boards(
    folder: Path,
    catalogues: Sequence[Catalogue] = (),
    progress: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> dict[str, Any]:
    """The report on all photos in `folder` (and below) with a board as truth, as JSON-ready data; counts
    are [right, of how many]. Each photo is read with the one of `catalogues` that its truth names, else
    with its game's own. Raises `WaymarkError`."""
    files = {str(photo.relative_to(folder)): (photo, truth) for photo, truth in find_photos(folder)}
    rows: list[BoardMeasured] = []
    read: dict[str, BoardAssessment] = {}
    for name in progress(list(files)):
        photo, file = files[name]
        truth = _read(file)
        if truth.board is None:
            continue
        start = time.process_time()
        try:
            catalogue = _catalogue_of(truth.board, catalogues)
            now = score_board(load_photo(photo), catalogue, None, _told(truth))
        except WaymarkError as error:
            rows.append(_unread(name, truth, error))
            continue
        row = measure(name, truth.board, truth.sample, now, time.process_time() - start)
        row = replace(row, players=_played(truth, now), scored=_scored(truth, now))
        read[file.name] = now
        turn = truth.sample.get("turn")
        before = read.get(f"{Path(str(truth.sample.get('other_photo', ''))).stem}.truth.json")
        if turn is not None and before is not None and "after" in turn["record"]:
            row = _with_turn(row, before, now, turn)
        rows.append(row)
    return {"format": FORMAT, "photos": msgspec.to_builtins(rows), "total": total(rows)}


def measure(
    name: str, board: Mapping[str, Any], sample: Mapping[str, Any], now: BoardAssessment, cpu_seconds: float
) -> BoardMeasured:
    """The measurements of one photo: the board as read, compared with the board of its truth."""
    truth, seen, cards = board_from(board, anywhere=True), now.board, now.catalogue
    if isinstance(now.scan, LayeredScan):
        return _measure_layers(name, truth, sample, now, cpu_seconds)
    truth = turned_alike(truth, seen, cards)

    def lying(tile: Any) -> tuple[str | None, int]:
        if tile.tile is None or tile.face == "down":
            return tile.tile, -1 if tile.face == "down" else 0
        return tile.tile, turned(open_sides(cards.card(tile.tile)), tile.rotation or 0)

    loose = {each.cell: lying(each) for each in truth.tiles or ()}
    ours = {each.cell: lying(each) for each in seen.tiles or ()}
    wrong = sum(ours.get(cell) != tile for cell, tile in loose.items())
    spare = [(each.tile, each.at) for each in truth.spare or ()] == [
        (each.tile, each.at) for each in seen.spare or ()
    ]

    def standing(board: Board) -> Counter[Any]:
        return Counter((each.piece, each.cell, each.facing) for each in board.pieces or ())

    there, found = standing(truth), standing(seen)
    right = sum((there & found).values())
    strangers = sum((found - there).values())
    kinds: dict[str, list[int]] = {}
    for piece, count in there.items():
        counts = kinds.setdefault(cards.card(piece[0]).kind, [0, 0])
        counts[0] += min(count, found[piece])
        counts[1] += count
    told = {player.name: _before(player) for player in truth.players if player.holds is not None}
    held = {player.name: _before(player) for player in seen.players}
    exact = wrong == 0 and spare and right == sum(there.values()) and not strangers
    return _measured(
        name,
        sample,
        now,
        cpu_seconds,
        tiles=wrong == 0 and spare,
        wrong_tiles=wrong,
        spare=spare,
        pieces=(right, sum(there.values())),
        strangers=strangers,
        board=exact,
        held=all(held.get(player) == holds for player, holds in told.items()) if told else None,
        kinds={kind: (right, of) for kind, (right, of) in kinds.items()},
    )


def _measure_layers(
    name: str, truth: Board, sample: Mapping[str, Any], now: BoardAssessment, cpu_seconds: float
) -> BoardMeasured:
    kinds = layered_kinds(truth, now)
    tiles, figures = kinds["tile"], kinds["figure"]
    standing = {each.piece for each in truth.pieces or () if each.on is None}
    strangers = sum(each.on is None and each.piece not in standing for each in now.board.pieces or ())
    exact = all(right == of for kind, (right, of) in kinds.items() if kind != "holds") and not strangers
    held = kinds.get("holds")
    return _measured(
        name,
        sample,
        now,
        cpu_seconds,
        tiles=tiles[0] == tiles[1],
        wrong_tiles=tiles[1] - tiles[0],
        spare=True,
        pieces=figures,
        strangers=strangers,
        board=exact,
        held=None if held is None else held[0] == held[1],
        kinds=kinds,
    )


def _measured(
    name: str, sample: Mapping[str, Any], now: BoardAssessment, cpu_seconds: float, **told: Any
) -> BoardMeasured:
    """What is the same for every board, with what was `told` by comparing it."""
    return BoardMeasured(
        photo=name,
        tier=str(sample.get("tier", "")),
        sure=now.settled,
        questions=tuple(question.name for question in now.questions),
        cpu_seconds=round(cpu_seconds, 3),
        nuisances=tuple(
            each if sample[each] is True else str(sample[each]) for each in NUISANCES if sample.get(each)
        ),
        **told,
    )


def _before(player: BoardPlayer) -> tuple[Any, ...]:
    """The possessions of a player in a comparable form: pieces with counts, hand size and other things,
    without order."""
    more = {
        name: sorted(msgspec.json.encode(each) for each in value) if isinstance(value, list) else value
        for name, value in player.more.items()
    }
    return {name: count for name, count in (player.holds or {}).items() if count}, player.hand_size, more


#: Fields of a truth's `sample` that make a photo hard; some name the kind.
NUISANCES = ("glare", "over", "low_light", "messenger", "steep", "checked")


def _played(truth: _Truth, now: BoardAssessment) -> dict[str, Played]:
    assert truth.board is not None
    told = _told(truth)
    there = turned_alike(board_from(truth.board, anywhere=True), now.board, now.catalogue)

    def answered(answers: Mapping[str, int]) -> BoardAssessment:
        return assess_board(now.scan, now.catalogue, now.terms, told, answers)

    return {player: play(player, now, there, answered) for player in PLAYERS}


def _scored(truth: _Truth, now: BoardAssessment) -> Scored | None:
    """The final score of a photo that shows what a player has; None for other photos."""
    assert truth.board is not None
    seen = board_from(truth.board, anywhere=True)
    whole = board_from(truth.sample.get("whole_board") or truth.board, anywhere=True)
    if all(player.holds is None for player in seen.players):
        return None
    told, game = _before_the_end(whole, seen), board_game(now.game)
    true = game.play.forms.rows(now.catalogue, whole, now.terms)

    def answered(answers: Mapping[str, int]) -> BoardAssessment:
        return assess_board(now.scan, now.catalogue, now.terms, told, answers)

    def is_right(board: Board) -> bool:
        matter = final_matter(game, now.catalogue, told, board, now.terms)
        return matter is not None and matter.own == true

    start = answered({})
    there = turned_alike(whole, start.board, now.catalogue)
    end = answer_all("careful", start, there, answered, MOST_FOR_SCORE)
    asked = sum(each.name != to_be_looked_over().name for each in start.questions)
    return Scored(is_right(end.board), is_right(start.board), asked, end.without_true_answer, end.needless)


def _before_the_end(whole: Board, seen: Board) -> Board:
    """The table as known before a photo of the ended game: what the photo is to show is missing."""
    shown = {player.name for player in seen.players if player.holds is not None}
    players = tuple(
        replace_in(each, holds=None, hand=None, hand_size=None, more=_only_character(each))
        if each.name in shown
        else each
        for each in whole.players
    )
    boards = seen.more.get("boards", {})
    pieces = tuple(each for each in whole.pieces or () if each.on is not None and each.on not in boards)
    more = {name: value for name, value in whole.more.items() if name not in ("ground", "borders", "dragon")}
    return replace_in(
        whole, tiles=(), pieces=pieces, players=players, more=more | _only_dragon(whole) | {ENDED: True}
    )


def _only_character(player: BoardPlayer) -> dict[str, Any]:
    return {name: value for name, value in player.more.items() if name == "character"}


def total(rows: Sequence[BoardMeasured]) -> dict[str, Any]:
    """The totals of a run as [right, of how many]. `wrong_bound` is the 95% upper bound on the share of
    boards that are sure and wrong."""
    sure = [row for row in rows if row.sure]
    wrong = sum(not row.board for row in sure)
    held = [row for row in rows if row.held is not None]
    turns = [row for row in rows if row.turn_right is not None]
    seconds = sorted(row.cpu_seconds for row in rows if row.error is None)
    return {
        "photos": len(rows),
        "tiles": [sum(row.tiles for row in rows), len(rows)],
        "pieces": [sum(row.pieces[0] for row in rows), sum(row.pieces[1] for row in rows)],
        "strangers": sum(row.strangers for row in rows),
        "board": [sum(row.board for row in rows), len(rows)],
        "held": [sum(row.held is True for row in held), len(held)],
        "turns": [sum(row.turn_right is True for row in turns), len(turns)],
        "sure": [len(sure), len(rows)],
        "wrong": [wrong, len(sure)],
        "wrong_bound": upper_bound(wrong, len(sure)),
        "turns_sure_and_wrong": sum(row.turn_sure is True and row.turn_right is False for row in turns),
        "sure_and_wrong": [row.photo for row in sure if not row.board],
        "kinds": _by_kind(rows),
        "nuisances": {
            name: _in_short([row for row in rows if name in row.nuisances])
            for name in sorted({name for row in rows for name in row.nuisances})
        },
        "tiers": {
            tier: _in_short([row for row in rows if row.tier == tier])
            for tier in sorted({row.tier for row in rows})
        },
        "questions": sum(len(row.questions) for row in rows),
        "asked": dict(Counter(":".join(name.split(":")[:2]) for row in rows for name in row.questions)),
        "players": {player: _ended(player, rows) for player in PLAYERS},
        "final": _scored_total(rows),
        "cpu_seconds_median": seconds[len(seconds) // 2] if seconds else None,
        "cpu_seconds_worst": seconds[-1] if seconds else None,
    }


def _scored_total(rows: Sequence[BoardMeasured]) -> dict[str, Any]:
    """The counts of final scores after a careful player's answers."""
    ends = [row.scored for row in rows if row.scored is not None]
    return {
        "photos": len(ends),
        "right": sum(end.right for end in ends),
        "right_as_read": sum(end.read for end in ends),
        "questions": sum(end.asked for end in ends),
        "more_than_asked": sum(end.asked > MOST_FOR_SCORE for end in ends),
        "without_true_answer": sum(end.without_true_answer for end in ends),
        "needless": sum(end.needless for end in ends),
    }


def _by_kind(rows: Sequence[BoardMeasured]) -> dict[str, list[int]]:
    """The number of pieces read correctly, for each kind of piece: [right, of how many]."""
    told: dict[str, list[int]] = {}
    for row in rows:
        for kind, counts in row.kinds.items():
            told[kind] = [a + b for a, b in zip(told.get(kind, [0, 0]), counts, strict=True)]
    return told


def _in_short(rows: Sequence[BoardMeasured]) -> dict[str, int]:
    return {
        "photos": len(rows),
        "board": sum(row.board for row in rows),
        "sure": sum(row.sure for row in rows),
        "wrong": sum(row.sure and not row.board for row in rows),
    }


def _ended(player: str, rows: Sequence[BoardMeasured]) -> dict[str, int]:
    """The counts of how the photos ended for one simulated player."""
    ends = [row.players[player] for row in rows if player in row.players]
    return {
        "photos": len(ends),
        "right": sum(end.right for end in ends),
        "sure": sum(end.sure for end in ends),
        "sure_and_wrong": sum(end.sure_and_wrong for end in ends),
        "answered": sum(end.answered for end in ends),
        "without_true_answer": sum(end.without_true_answer for end in ends),
        "needless": sum(end.needless for end in ends),
        "by_hand": sum(end.by_hand for end in ends),
        "held": sum(end.held is True for end in ends),
        "held_of": sum(end.held is not None for end in ends),
    }


def _read(file: Path) -> _Truth:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Truth)
    except (OSError, msgspec.DecodeError):
        return _Truth()


def _catalogue_of(board: Mapping[str, Any], catalogues: Sequence[Catalogue]) -> Catalogue:
    """The catalogue with the pieces of a truth: of the name that it gives, else the first of its game."""
    folder = game_named(board["game"]).bundled
    known = [*catalogues, *([_bundled(folder)] if folder is not None else [])]
    named = [each for each in known if each.name == board.get("catalogue")]
    of_game = [each for each in known if each.game == board["game"]]
    return (named or of_game or known)[0]


_loaded: dict[Path, Catalogue] = {}


def _bundled(folder: Path) -> Catalogue:
    if folder not in _loaded:
        _loaded[folder] = load_catalogue(folder)
    return _loaded[folder]


def _told(truth: _Truth) -> Board:
    """The part of a truth that people state rather than the photo shows: players, their figures, characters
    and seats, whose move it is, and which pawn is the dragon's."""
    whole = board_from(truth.sample.get("whole_board") or truth.board or {}, anywhere=True)
    players = tuple(
        BoardPlayer(name=each.name, piece=each.piece, seat=each.seat, more=_only_character(each))
        for each in whole.players
    )
    return Board(
        game=whole.game, grid=whole.grid, players=players, to_move=whole.to_move, more=_only_dragon(whole)
    )


def _only_dragon(board: Board) -> dict[str, Any]:
    dragon = board.more.get("dragon")
    return {} if dragon is None else {"dragon": {"piece": dragon["piece"]}}


def _unread(name: str, truth: _Truth, error: WaymarkError) -> BoardMeasured:
    assert truth.board is not None
    pieces = len(truth.board.get("pieces", ()))
    tier = str(truth.sample.get("tier", ""))
    return BoardMeasured(
        name, tier, False, 0, False, (0, pieces), 0, False, None, False, (), 0.0, error=str(error.code)
    )


def _with_turn(
    row: BoardMeasured, before: BoardAssessment, after: BoardAssessment, turn: Mapping[str, Any]
) -> BoardMeasured:
    """The measurements of a photo, completed by whether the turn was judged correctly.
    Push, walk, taken piece and broken rules are compared with the referee's ruling on the true boards."""
    record = turn["record"]
    assert before.game.play.turns is not None
    true = before.game.play.turns.referee(before.catalogue, record, before.terms)
    try:
        told = assess_turn(before, after, record["player"], record.get("claims"))
    except WaymarkError:
        return replace(row, turn_right=False, turn_sure=False)
    return replace(row, turn_right=_essence(told.ruling) == _essence(true), turn_sure=told.settled)


def _essence(ruling: Any) -> tuple[Any, ...]:
    push = None if ruling.push is None else ruling.push.at
    rules = sorted({each.rule for each in ruling.violations})
    return ruling.legal, rules, push, tuple(ruling.to or ()), ruling.taken
