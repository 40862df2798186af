"""View of a board for pages and the API, computed from its state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import msgspec
import numpy as np
from flask_babel import gettext as _
from sqlalchemy.orm import Session

from scorer.board_record import Board, BoardPlayer, Cell
from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.possible_steps import tried
from scorer.sheet import Played
from scorer.text import Language, Text, written
from scorer.turn_forms import ENDED, Step, StepForm, thing_called
from vision.boards.seen import BoardScan
from vision.photo import geometry
from waymark.review.boards.certainty import doubtful_cells
from webapp.decks.shelf import MAIN
from webapp.store.boards import BoardStanding, Pending, board_standing, by_lot, is_over, rows_of, turns_of
from webapp.store.kinds import redoable, undoable
from webapp.store.models import Shot, Tableau
from webapp.tableaus.board_model import (
    BoardBeside,
    BoardFault,
    BoardPicture,
    BoardSaid,
    BoardTrace,
    BoardView,
    FormField,
    HeldThing,
    LyingTile,
    PendingPhoto,
    PieceChoice,
    PlayerOnBoard,
    Px,
    RuledTurn,
    SeenBoard,
    SeenPiece,
    StandingPiece,
    TakenTurn,
    ToldFact,
    TurnForm,
    TurnTrial,
)
from webapp.tableaus.board_questions import asked_in_photo, quarters_in_photo
from webapp.tableaus.boards import Steps, claims_of, ruled_turn, ruling_of_turn
from webapp.tableaus.photo_view import is_being_read, why_failed
from webapp.views import view, views

#: Largest number of turns that the page lists, the latest first.
TOLD_TURNS = 60
_DISCS = frozenset({"chip", "coin"})
_PICKED = frozenset({"tile", "chip", "coin", "pawn", "figure", "marker", "card"})


def view_of_board(
    session: Session, catalogue: Catalogue, tableau: Tableau, language: Language
) -> BoardView | None:
    """View of a board's current state; None where nothing was stated of it. Raises `WaymarkError`."""
    standing = board_standing(session, catalogue, tableau)
    return None if standing is None else _Shown(standing, tableau, language).board(session)


def trial_of(standing: BoardStanding, tableau: Tableau, steps: Steps, language: Language) -> TurnTrial:
    """Result of a turn as far as it was stated. Raises `WaymarkError`."""
    return _Shown(standing, tableau, language).trial(steps)


class _Shown:
    """A board with all that is needed to describe it in the reader's language."""

    def __init__(self, standing: BoardStanding, tableau: Tableau, language: Language) -> None:
        self.standing, self.tableau, self.language = standing, tableau, language
        self.rules, self.catalogue = standing.rules, standing.catalogue

    def say(self, words: Text) -> str:
        return words.message(self.language)

    def called(self, name: str) -> str:
        words, colours = self.rules.words.vocabulary.words, self.rules.sheet.colours
        return self.say(thing_called(self.catalogue, words, colours, name))

    def colour(self, player: BoardPlayer) -> str:
        """Colour of a player's figure; the player's chosen colour where there is no figure."""
        card = self.catalogue.by_id.get(player.piece or "")
        own = card.colour if card is not None else None
        return own or self.colours.get(player.name, "")

    @cached_property
    def colours(self) -> dict[str, str]:
        entry = self.tableau.entry
        seats = entry.round.game.seats if entry is not None else []
        return {seat.name: seat.colour for seat in seats}

    # --- whole page

    def board(self, session: Session) -> BoardView:
        standing, tableau = self.standing, self.tableau
        board, pending = standing.board, standing.pending
        ruling = self.rules.play.forms.without_advice(standing.ruling)
        report = self.rules.words.report(ruling)
        shots = [shot for shot in tableau.shots if shot.deleted_at is None]
        before = standing.counts
        counted = report
        if pending is not None:
            as_counts = self.rules.rules.referee(
                self.rules.rules.board(self.catalogue, before), before, standing.terms
            )
            counted = self.rules.words.report(self.rules.play.forms.without_advice(as_counts))
        table, ended = self.rules.play.forms, bool(before.more.get(ENDED, False))
        why = self.say(self.rules.words.why(ruling).words)
        may_deal = pending is None and table.may_deal(self.catalogue, board)
        forms = () if pending is not None else table.forms(self.catalogue, board, (), standing.terms)
        return BoardView(
            id=tableau.id,
            game_id=tableau.entry.round.game_id if tableau.entry is not None else None,
            version=tableau.version,
            title=self.say(self.rules.name),
            art=f"/decks/{tableau.deck or MAIN}/cards/",
            picture=self.picture(board),
            to_move=before.to_move,
            players=tuple(self._players(before)),
            says=_("The game is over; the score sheet shows the result.") if ended else why,
            legal=not ruling.problems,
            faults=tuple(
                BoardFault(
                    words=self.say(written(each.message, each.message_ja)),
                    cells=tuple((int(cell[0]), int(cell[1])) for cell in each.cells),
                )
                for each in ruling.problems
            ),
            facts=views(ToldFact, counted.facts, self.language),
            may_deal=may_deal,
            may_tell=bool(forms) and not may_deal,
            over=is_over(standing),
            ended=ended,
            pending=None if pending is None else self._pending(pending),
            turns=tuple(self._turns(session)),
            claims=tuple(self._claims()),
            pieces=tuple(self._choices()),
            photos=len(shots),
            reading=is_being_read(shots),
            failed=why_failed(shots, self.language),
            begins=self._begins(before),
            undo=undoable(tableau) is not None,
            redo=redoable(tableau) is not None,
        )

    def _begins(self, board: Board) -> str:
        """Words for the first player and the reason, until the first turn was taken."""
        lot, first = by_lot(self.tableau), next((each.name for each in board.players), None)
        if lot is None or first is None or first != board.to_move or any(turns_of(self.tableau)):
            return ""
        if lot:
            return _("%(name)s begins, drawn by lot.", name=first)
        return _("%(name)s begins: first in the list of players.", name=first)

    # --- drawing

    def picture(self, board: Board) -> BoardPicture:
        grid = board.grid or self.rules.rules.grid
        ground = board.more.get("ground") or {}
        under = next((each.get("tile") for each in ground.get("tiles", ())), None)
        return BoardPicture(
            columns=grid.columns,
            rows=grid.rows,
            tiles=tuple(
                LyingTile(art=tile.tile, cell=tile.cell, rotation=tile.rotation or 0, up=tile.face == "up")
                for tile in board.tiles or ()
            ),
            spare=tuple(
                LyingTile(
                    art=tile.tile, cell=None, rotation=tile.rotation or 0, up=tile.face == "up", at=tile.at
                )
                for tile in board.spare or ()
            ),
            pieces=tuple(self._standing(board, None)),
            ground=under,
            ground_rotation=int(ground.get("rotation") or 0),
            arrows=self.rules.play.forms.arrows,
            beside=tuple(
                BoardBeside(
                    art=name,
                    name=self.called(name),
                    columns=size["columns"],
                    rows=size["rows"],
                    pieces=tuple(self._standing(board, name)),
                )
                for name, size in (board.more.get("boards") or {}).items()
                if name in self.catalogue.by_id and not size.get("rotation")
            ),
        )

    def _standing(self, board: Board, on: str | None) -> Iterable[StandingPiece]:
        """Pieces that stand on a board beside the tiles, or on the tiles (None)."""
        for piece in board.pieces or ():
            if piece.cell is not None and piece.on == on:
                kind = "disc" if self._kind(piece.piece) in _DISCS else "figure"
                yield view(StandingPiece, piece, art=piece.piece, kind=kind)

    def _kind(self, name: str | None) -> str:
        card = self.catalogue.by_id.get(name or "")
        return card.kind if card is not None and card.kind is not None else ""

    def _choices(self) -> Iterable[PieceChoice]:
        for card in self.catalogue.cards:
            if card.kind in _PICKED:
                standing = card.kind in ("pawn", "figure")
                yield view(PieceChoice, card, name=self.called(card.id), standing=standing)

    # --- players

    def _players(self, board: Board) -> Iterable[PlayerOnBoard]:
        rows = rows_of(self.standing)
        final = None
        if rows and all(player.name in rows for player in board.players):
            played = [Played(player.name, (rows[player.name],)) for player in board.players]
            sheet, terms = self.rules.sheet, self.standing.terms
            file = sheet.game_file(played, terms)
            final = {row.name: row for row in sheet.final(sheet.final_answer(file, terms)).players}
        labels = {column.id: column.label for column in self.rules.sheet.final_columns}
        for player in board.players:
            row = None if final is None else final.get(player.name)
            hand = player.hand_size if player.hand is None else len(player.hand)
            yield PlayerOnBoard(
                name=player.name,
                colour=self.colour(player),
                piece=player.piece,
                holds=tuple(
                    HeldThing(what=what, name=self.called(what), count=count)
                    for what, count in sorted(
                        (player.holds or {}).items(), key=lambda each: self._order(each[0])
                    )
                ),
                hand=hand,
                told=tuple(self._told(player.more)),
                columns=tuple(
                    ToldFact(about=self.say(labels[name]), words=str(value))
                    for name, value in (row.columns if row is not None else {}).items()
                ),
                total=None if row is None else row.total,
                rank=None if row is None else row.rank,
            )

    def _order(self, name: str) -> int:
        ids = [card.id for card in self.catalogue.cards]
        return ids.index(name) if name in ids else len(ids)

    def _told(self, more: Mapping[str, Any]) -> Iterable[ToldFact]:
        """Facts in the record about a player that have no common field, in the words of the game."""
        for name, value in more.items():
            values = value if isinstance(value, list | tuple) else (value,)
            said = ", ".join(self._word(each) for each in values)
            art = tuple(each for each in values if isinstance(each, str) and each in self.catalogue.by_id)
            if said:
                words = self.rules.words.vocabulary.words.get(name)
                about = name if words is None else self.say(words)
                yield ToldFact(about=about, words=said, art=art if len(art) == len(values) else ())

    def _word(self, value: Any) -> str:
        if isinstance(value, Mapping):
            return " ".join(self._word(each) for each in value.values() if each is not None)
        return "" if value is None else self.called(value) if isinstance(value, str) else str(value)

    def _claims(self) -> Iterable[BoardSaid]:
        for claim in self.tableau.claims:
            if claim.deleted_at is None:
                yield view(
                    BoardSaid,
                    claim,
                    wants=claim.assumes or ("record" if claim.record is not None else "words"),
                    accepted=claim.accepted_at is not None,
                )

    # --- turns

    def trial(self, steps: Steps) -> TurnTrial:
        standing, table = self.standing, self.rules.play.forms
        before = standing.counts
        claims = claims_of(self.tableau, steps)
        ruling = ruled_turn(standing, claims) if steps or standing.pending is not None else None
        seen = () if standing.pending is None else table.seen_steps(ruling)
        forms = table.forms(self.catalogue, before, (*seen, *steps), standing.terms)
        if not table.arrows:
            grid = before.grid or self.rules.rules.grid
            # No step may follow one that breaks a rule: it has to be undone first.
            broken = bool(steps) and self._broken(claims)
            cells = _cells(grid.columns, grid.rows)
            forms = () if broken else tried(forms, cells, partial(self._breaks, steps))
        shown = table.shown(self.catalogue, before, claims, standing.terms) if ruling is not None else before
        after = None
        if ruling is not None and ruling.legal is True and standing.pending is None:
            after = table.after(self.catalogue, before, ruling, claims, None)
        if after is not None and not self.rules.play.forms.arrows:
            shown = after
        return TurnTrial(
            ruling=None if ruling is None else self._ruled(ruling, before, shown, None),
            picture=self.picture(shown),
            forms=tuple(self._form(form) for form in forms),
            done=after is not None,
        )

    def _breaks(self, steps: Steps, step: Step) -> bool:
        """Whether a step breaks a rule after the steps before it; false while the step is incomplete."""
        try:
            return self._broken(claims_of(self.tableau, (*steps, step)))
        except WaymarkError:
            return False

    def _broken(self, claims: dict[str, Any]) -> bool:
        """Whether the stated steps break a rule, whatever a photo shows. Raises `WaymarkError`."""
        return bool(ruled_turn(self.standing, claims, photo=False).legal is False)

    def _form(self, form: StepForm) -> TurnForm:
        return view(
            TurnForm,
            form,
            label=self.say(form.label) or form.id,
            fields=tuple(
                view(
                    FormField,
                    each,
                    self.language,
                    words={
                        name: self.say(each.words[name]) if name in each.words else self.called(name)
                        for name in each.choices
                    },
                )
                for each in form.fields
            ),
        )

    def _ruled(
        self, ruling: Any, before: Board, after: Board, scan: BoardScan | None, untold: Text | None = None
    ) -> RuledTurn:
        """The ruling of a turn in words; `untold` explains a missing ruling."""
        report = self.rules.play.turns.report(ruling)
        why = untold or self.rules.play.turns.why(ruling).words
        faults = [fault for fault in report.faults if fault != why]
        return msgspec.structs.replace(
            self._ruled_in_words(ruling),
            why=self.say(why),
            notes=tuple(self.say(words) for words in (*faults, *report.notes)),
            traces=tuple(self._traces(ruling, before, after, scan)),
        )

    def _traces(
        self, ruling: Any, before: Board, after: Board, scan: BoardScan | None
    ) -> Iterable[BoardTrace]:
        for trace in self.rules.play.forms.traces(before, after, self.catalogue, ruling):
            label = self.called(trace.label) if trace.label else ""
            px = () if scan is None else _in_photo(scan, self._columns, trace.points)
            yield BoardTrace(kind=trace.kind, points=trace.points, label=label, px=px)

    @property
    def _columns(self) -> int:
        return self.rules.rules.grid.columns

    def _turns(self, session: Session) -> Iterable[TakenTurn]:
        taken = list(turns_of(self.tableau))
        for number, turn in zip(range(len(taken), 0, -1), taken[:TOLD_TURNS], strict=False):
            try:
                ruling = ruling_of_turn(self.catalogue, self.tableau, turn, self.standing.terms)
            except WaymarkError:
                continue  # pieces that are no longer in the deck
            by_photo = (turn.told or {}).get("photo") and turn.shot_id is not None
            shot = session.get(Shot, turn.shot_id) if by_photo else None
            yield TakenTurn(
                number=number,
                ruling=self._ruled_in_words(ruling),
                photo_id=shot.photo_id if shot is not None else None,
                at=turn.created_at,
            )

    def _ruled_in_words(self, ruling: Any) -> RuledTurn:
        turns = self.rules.play.turns
        return RuledTurn(
            player=ruling.player,
            legal=ruling.legal,
            why=self.say(turns.why(ruling).words),
            says=tuple(self.say(step.what) for step in turns.steps(ruling) if step.what.en),
            notes=(),
            traces=(),
        )

    # --- photos

    def _pending(self, pending: Pending) -> PendingPhoto:
        scan, now = pending.now.scan, pending.now
        turn = None
        if pending.turn is not None:
            turn = self._ruled(pending.turn.ruling, pending.before, now.board, scan, pending.turn.untold)
        seen = None if pending.turn is None else pending.turn.seen
        told = {(each.piece, each.cell) for each in now.board.pieces or ()}
        return PendingPhoto(
            shot_id=pending.shot.id,
            seen=view(
                SeenBoard,
                scan,
                photo_id=pending.shot.photo_id,
                cells=tuple(_cells_px(scan, self.rules.rules.grid.columns, self.rules.rules.grid.rows)),
                pieces=tuple(
                    SeenPiece(art=each.piece, at=_rounded(each.at_px), counts=(each.piece, each.cell) in told)
                    for each in scan.pieces
                ),
                warnings=tuple(self.say(warning) for warning in scan.warnings),
                quarters=quarters_in_photo(scan),
                doubtful=doubtful_cells(now),
            ),
            questions=asked_in_photo(
                now.questions, scan, self.catalogue, self.called, self.language, _needed(pending)
            ),
            turn=turn,
            sure=pending.turn.sure if pending.turn is not None else now.sure,
            steps=() if seen is None else tuple(dict(step) for step in seen.steps),
        )


def _needed(pending: Pending) -> set[str] | None:
    """Names of the questions on which the turn's ruling hangs; None where there is no turn."""
    return None if pending.turn is None else {each.name for each in pending.turn.asked[1]}


def _cells(columns: int, rows: int) -> list[Cell]:
    return [(column, row) for row in range(rows) for column in range(columns)]


def _in_photo(scan: BoardScan, columns: int, points: Sequence[tuple[float, float]]) -> tuple[Px, ...]:
    to_photo = np.array(scan.to_photo)
    end = geometry.apply(np.linalg.inv(to_photo), np.array(scan.grid_px)[2])
    cell_mm = float(end[0]) / columns
    placed = geometry.apply(to_photo, np.array(points, np.float64).reshape(-1, 2) * cell_mm)
    return tuple(_rounded(each) for each in placed)


def _cells_px(scan: BoardScan, columns: int, rows: int) -> Iterable[tuple[Px, ...]]:
    for row in range(rows):
        for column in range(columns):
            corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            yield _in_photo(scan, columns, [(float(x), float(y)) for x, y in corners])


def _rounded(point: Any) -> Px:
    return round(float(point[0]), 1), round(float(point[1]), 1)
