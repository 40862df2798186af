"""Which doubts about two boards can change the ruling of the turn between them: those with an answer that
the other photo does not speak against, and with which the turn is ruled differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from scorer.board_record import Board, Cell, Piece
from scorer.catalogue import Catalogue
from waymark.review.boards.contradictions import speaks_against
from waymark.review.boards.echo import Echo, figure_cell, with_figure
from waymark.review.boards.pairing import is_chip
from waymark.review.boards.question import BROKEN_RULE, BoardQuestion, merged
from waymark.review.boards.surety import Surety, nats
from waymark.review.boards.turns import SETTLED, Together

#: Evidence (nats) of both photos together from which a rotation on which they agree is the same in both.
AGREED = 1.5


@dataclass(frozen=True)
class TurnDoubts:
    """A turn's joint reading, to test doubts against. `read` are both boards as their own
    photos show them, `sure` their confidences; `rule` gives the ruling of two boards; `mover` is the
    figure that may have walked."""

    read: tuple[Board, Board]
    joint: Together
    sure: tuple[Surety, Surety]
    cards: Catalogue
    mover: str
    rule: Callable[[Board, Board], Any]
    lost: tuple[str, ...] = ()

    def change(self, question: BoardQuestion, *, first: bool) -> bool:
        """Whether an answer to a doubt about a board changes the turn's ruling. `first`: the board is the
        earlier one."""
        if question.kind == BROKEN_RULE:
            return self._stops_play(question)
        if question.put is not None:
            return not self._is_placed(question.put, first=first)
        if question.open_ended and question.about != "spare":
            return True
        if self._is_agreed(question, first=first):
            return False
        own, _ = self._boards(first=first)
        likely = self._against(own, first=first) + SETTLED
        for board in self._answers(question, first=first):
            if self._against(board, first=first) > likely:
                continue
            if any(essence(each) != essence(self.ruling) for each in self._rulings(question, board, first)):
                return True
        return not question.options

    def _boards(self, *, first: bool) -> tuple[Board, Board]:
        pair = self.joint.before, self.joint.after
        return pair if first else (pair[1], pair[0])

    def _rulings(self, question: BoardQuestion, board: Board, first: bool) -> Iterator[Any]:
        """The turn's rulings with an answer. What the other photo does not show itself is taken to be there
        as well."""
        own, other = self._boards(first=first)
        echo = Echo(
            self.joint.way,
            self.cards,
            self.mover,
            seen=self.read[1 if first else 0],
            dark=self.sure[1 if first else 0].dark,
            first=first,
        )
        others = list(echo.others(own, board, other))
        if (
            question.about == "rotation"
            and question.cell is not None
            and self._turns_alike(question.cell, first)
        ):
            others = [echo.turned(board, other, question.cell)]
        for each in others:
            yield self.rule(board, each) if first else self.rule(each, board)

    def _against(self, board: Board, *, first: bool) -> float:
        _, other = self._boards(first=first)
        sure = self.sure[1 if first else 0]
        return speaks_against(board, other, sure, self.joint.way, self.cards, self.mover, first=first)

    def _stops_play(self, question: BoardQuestion) -> bool:
        rules = {each.rule for each in self.ruling.problems}
        return self.ruling.legal is None and question.name.split(":")[1] in rules

    def _there(self, cell: Cell, first: bool) -> Cell:
        """The cell of the other board to which the contents of a cell belong."""
        way = self.joint.way
        return way.carried(cell) if first else way.came_from(cell)

    def _turns_alike(self, cell: Cell, first: bool) -> bool:
        own, other = self._boards(first=first)
        there = self._there(cell, first)
        one, two = own.at(cell), other.at(there)
        if one is None or two is None or (one.tile, one.rotation) != (two.tile, two.rotation):
            return False
        sure = self.sure if first else (self.sure[1], self.sure[0])
        return nats(sure[0].tile(cell)[1]) + nats(sure[1].tile(there)[1]) >= AGREED

    def _is_agreed(self, question: BoardQuestion, *, first: bool) -> bool:
        """Whether a question is about a figure, other than the mover's, that both photos show on the same
        tile. Of 16 such figures, all of them doubted in both photos, all were right."""
        name = question.pieces[0] if question.kind in ("piece", "cell") and question.pieces else self.mover
        return name != self.mover and self._agree(name, first=first)

    def _agree(self, name: str, *, first: bool) -> bool:
        own, other = (figure_cell(each, name) for each in self._boards(first=first))
        if own is None or other is None or self._there(own, first) != other:
            return False
        sure = self.sure if first else (self.sure[1], self.sure[0])
        return (name, own) in sure[0].glimpses and (name, other) in sure[1].glimpses

    def _is_placed(self, name: str, *, first: bool) -> bool:
        """Whether it does not matter, or the other photo settles, where a figure stands that was not found.
        Only its own photo tells where the mover stands."""
        if name == self.mover:
            return False
        if name in self.lost:
            return self._stand_in is not None
        if self._agree(name, first=first):
            return True
        own = figure_cell(self._boards(first=first)[0], name)
        there = next((each for each in self._boards(first=first)[1].pieces or () if each.piece == name), None)
        sure = self.sure[1 if first else 0]
        return own is not None and there is not None and nats(sure.piece(there)) > SETTLED

    @cached_property
    def ruling(self) -> Any:
        """The turn's ruling. Figures that neither photo shows do not stop it where it is the same wherever
        they stand; they remain among its problems."""
        plain = self.rule(self.joint.before, self.joint.after)
        stand_in = self._stand_in
        return plain if stand_in is None else msgspec.structs.replace(stand_in, problems=plain.problems)

    @cached_property
    def _stand_in(self) -> Any:
        """The turn's ruling with the lost figures on any tile; None where it depends on the tile."""
        rulings = []
        for tile in self.joint.before.tiles if self.lost and self.joint.before.tiles else ():
            before, after = self.joint.before, self.joint.after
            for name in self.lost:
                before = with_figure(before, name, tile.cell)
                after = with_figure(after, name, self.joint.way.carried(tile.cell))
            rulings.append(self.rule(before, after))
            if essence(rulings[-1]) != essence(rulings[0]):
                return None
        return rulings[0] if rulings else None

    def _answers(self, question: BoardQuestion, *, first: bool) -> Iterator[Board]:
        """The joint board with each answer of a question. Answers that put two tiles into a cell contradict
        the other photo and are left out; where a figure stands is a question of its own."""
        own, read = self._boards(first=first)[0], self.read[0 if first else 1]
        for option in question.options:
            named = option.piece
            figure = question.kind == "hidden" and named is not None and self.cards.card(named).kind != "chip"
            if option.leaves_open or figure:
                continue
            board = merged(own, read, option.board)
            cells = [each.cell for each in board.tiles or ()]
            if len(cells) == len(set(cells)):
                yield self._with_figures(board, read, option.board)

    def _with_figures(self, board: Board, read: Board, answer: Board) -> Board:
        """The board with each figure that the answer moves, adds or removes where the answer has it."""
        was, then = (
            Counter(each for each in of.pieces or () if not is_chip(each, self.cards))
            for of in (read, answer)
        )
        changed = {each.piece for each in ((was - then) + (then - was))}
        if not changed:
            return board
        kept: list[Piece] = [each for each in board.pieces or () if each.piece not in changed]
        moved = [each for each in answer.pieces or () if each.piece in changed]
        return msgspec.structs.replace(board, pieces=(*kept, *moved))


def essence(ruling: Any) -> tuple[Any, ...]:
    """The parts of a turn's ruling that players care about, for comparison."""
    rules = tuple(sorted(each.rule for each in ruling.violations))
    problems = tuple(each.rule for each in ruling.problems) if ruling.legal is None else ()
    # set by games whose turn follows from the two boards alone
    push = msgspec.json.encode(getattr(ruling, "push", None))
    to, taken = getattr(ruling, "to", None), getattr(ruling, "taken", None)
    return ruling.legal, rules, problems, push, tuple(to or ()), taken
