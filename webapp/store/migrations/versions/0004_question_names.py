"""Questions that people have settled are known by name, not by number"""

from collections.abc import Callable
from functools import cache
from typing import Any

import sqlalchemy as sa
from alembic import op

from vision.questions import Question
from waymark.review.tableau.question_names import (
    assumption_by_name,
    assumption_by_number,
    kept_questions,
    names_of,
    numbers_of,
)

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_SHOT = sa.table("shot", sa.column("id", sa.String), sa.column("reading", sa.LargeBinary))
_TABLEAU = sa.table(
    "tableau", sa.column("id", sa.String), sa.column("shot_id", sa.String), sa.column("answered", sa.JSON)
)
_REVISION = sa.table(
    "revision", sa.column("id", sa.String), sa.column("shot_id", sa.String), sa.column("answered", sa.JSON)
)
_CLAIM = sa.table(
    "claim", sa.column("id", sa.String), sa.column("tableau_id", sa.String), sa.column("assumes", sa.String)
)

_Renamed = Callable[[Any, tuple[Question, ...]], Any]


def upgrade() -> None:
    _rename(names_of, assumption_by_name)


def downgrade() -> None:
    _rename(numbers_of, assumption_by_number)


def _rename(answered: _Renamed, assumption: _Renamed) -> None:
    connection = op.get_bind()

    @cache
    def questions(shot_id: str | None) -> tuple[Question, ...]:
        """The questions of a photo's reading, those that the numbers counted."""
        return kept_questions(
            connection.scalar(sa.select(_SHOT.c.reading).where(_SHOT.c.id == shot_id)) or b""
        )

    for table in (_TABLEAU, _REVISION):
        for row in connection.execute(sa.select(table.c.id, table.c.shot_id, table.c.answered)).all():
            if row.answered:
                renamed = answered(row.answered, questions(row.shot_id))
                connection.execute(sa.update(table).where(table.c.id == row.id).values(answered=renamed))
    said = (
        sa.select(_CLAIM.c.id, _CLAIM.c.assumes, _TABLEAU.c.shot_id)
        .join_from(_CLAIM, _TABLEAU, _CLAIM.c.tableau_id == _TABLEAU.c.id)
        .where(_CLAIM.c.assumes.is_not(None))
    )
    for row in connection.execute(said).all():
        renamed = assumption(row.assumes, questions(row.shot_id))
        if renamed != row.assumes:
            connection.execute(sa.update(_CLAIM).where(_CLAIM.c.id == row.id).values(assumes=renamed))
