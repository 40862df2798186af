"""User actions on a shared table: state facts, answer, correct, take a turn; choose among its photos.

All functions work inside the caller's transaction. They raise `WaymarkError`: conflict where the table has
changed since the person looked, and whatever the change itself raises."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.record import make_record
from scorer.text import Text
from waymark.review.tableau.edits import PathCorrection, corrected_path
from webapp.games.games import check_tableau_open
from webapp.store.models import Shot, Tableau
from webapp.store.revisions import current_revision, revision_numbered
from webapp.store.rounds import touch
from webapp.store.tableaus import delete, restore, used_shot
from webapp.store.tables import (
    BY_PHOTO,
    TOLD,
    TURN,
    Standing,
    answers_of,
    leave_photo,
    of_turn,
    part_from_turn,
    players_of,
    revise_table,
    stand_again,
    standing_of,
    turns_taken,
    use_table,
)
from webapp.tableaus.answers import nothing_left, settled_meanwhile
from webapp.tableaus.model import Answer

#: Prefix of the name of a question that a person left open.
LEFT = "left:"
#: Changes that replace what was read by another record, by kind of revision.
_BY_HAND = {
    "card": "card",
    "remove-card": "card",
    "move-card": "card",
    "owner": "path",
    "order": "path",
    "remove-path": "path",
    "line": "path",
    "record": "record",
}


def change_table(
    session: Session, catalogue: Catalogue, tableau: Tableau, change: dict[str, Any], version: int
) -> None:
    """Apply one manual change to a table; `change` is in the game's own form (docs/FORMATS.md)."""
    standing = looked_at(session, catalogue, tableau, version)
    record = standing.groups.changed(catalogue, standing.record, change, players_of(tableau))
    if record == standing.record:
        return
    kind = _BY_HAND.get(str(change.get("kind")), TOLD)
    revise_table(session, catalogue, tableau, record, kind=kind)


def correct_line(
    session: Session,
    catalogue: Catalogue,
    tableau: Tableau,
    path: int | None,
    group: str,
    correction: PathCorrection,
    version: int,
) -> None:
    """Correct one path of a table (by number; None: a new path of the group), as a tableau's own path."""
    standing = looked_at(session, catalogue, tableau, version)
    paths = standing.record.paths
    strokes = paths[path].path if path is not None and path < len(paths) else ()
    dungeon = standing.rules.rules.board(catalogue, standing.record).dungeon
    line = make_record((), strokes, catalogue=catalogue.name)
    # A drawn line is joined to the path where possible: separate strokes are joined by teleports at most.
    made = corrected_path(line, dungeon, lambda drawn: range(1, len(drawn)), correction)
    change = {"kind": "line", "path": path, "group": group, "strokes": made.path}
    change_table(session, catalogue, tableau, change, version)


def next_turn(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> None:
    """Record that a card was laid, so that the next player's turn begins."""
    standing = looked_at(session, catalogue, tableau, version)
    turns = turns_taken(tableau) + 1
    record = standing.groups.next_turn(catalogue, standing.record, players_of(tableau), turns)
    revise_table(session, catalogue, tableau, record, kind=TURN)


def answer_table(session: Session, catalogue: Catalogue, tableau: Tableau, given: Answer) -> None:
    """Answer a question about a table's photo, by the option's number in the review. A number below 0 leaves
    the question open, and it is not asked again on its own."""
    standing, question = looked_at(session, catalogue, tableau, given.version), str(given.question)
    if given.option < 0:
        answers = {**answers_of(tableau.answered), LEFT + question: "?"}
        revise_table(session, catalogue, tableau, standing.record, kind="answer", answered=answers)
        return
    offered = standing.asked.offered.get(question, ()) if standing.asked is not None else ()
    if given.option >= len(offered):
        raise settled_meanwhile()
    option = offered[given.option]
    answers = {**answers_of(tableau.answered), question: option.key}
    record = option.record if standing.corrected else standing.record
    # An answer about a path that a person entered is a change of that path.
    kind = "path" if record != standing.record else "answer"
    revise_table(session, catalogue, tableau, record, kind=kind, answered=answers)


def restore_table(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> None:
    """Restore the photo's original reading; undo brings the corrections back."""
    looked_at(session, catalogue, tableau, version)
    stands = read = current_revision(tableau)
    while read is not None and read.kind not in BY_PHOTO:
        read = revision_numbered(tableau, read.before)
    if read is None:
        raise nothing_left()
    if read is not stands:
        stand_again(session, catalogue, tableau, read)


def use_table_shot(session: Session, catalogue: Catalogue, shot: Shot) -> None:
    """Add a photo's reading to the table's current state."""
    if shot.tableau.shot_id != shot.id:
        use_table(session, catalogue, shot)
        touch(shot.tableau)


def delete_table_shot(session: Session, catalogue: Catalogue, shot: Shot) -> None:
    """Delete a photo of a table, with the changes that the photo in use made. Changes of earlier turns
    stay."""
    tableau = shot.tableau
    used = used_shot(session, tableau)
    delete(shot)
    counts = used is not None and shot in of_turn(tableau, used)
    is_earlier = used is not None and shot.sequence < used.sequence and not counts
    if not is_earlier:
        part_from_turn(tableau, shot)
    if counts:
        check_tableau_open(tableau)
        leave_photo(session, catalogue, tableau)
    touch(tableau)


def restore_table_shot(session: Session, catalogue: Catalogue, shot: Shot, use: bool) -> None:
    """Restore a deleted photo; with `use` its reading is added to the table again."""
    restore(shot)
    if shot.state == "done" and use:
        check_tableau_open(shot.tableau)
        use_table_shot(session, catalogue, shot)
    touch(shot.tableau)


def looked_at(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> Standing:
    """Current state of a table. Raises `WaymarkError` (conflict) where it has changed since the given
    version."""
    standing = standing_of(session, catalogue, tableau)
    if standing is None or tableau.version != version:
        raise WaymarkError(
            Code.CONFLICT,
            Text("Somebody else has changed this table in the meantime; look at it again, then repeat it."),
        )
    return standing


def table_record(standing: Standing) -> dict[str, Any]:
    """The record in the form for other programs, with difficulty and house rules."""
    record = standing.rules.rules.settings.into(standing.record, standing.terms)
    told: dict[str, Any] = msgspec.to_builtins(record)
    return told
