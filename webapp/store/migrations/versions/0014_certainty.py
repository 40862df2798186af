"""How sure a score of a game has to be"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_CHECK = "ck_game_certainty"


def upgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    kind: Any = sa.REAL() if sqlite else sa.Double()
    with op.batch_alter_table("game", **_recreated(sqlite)) as batch_op:
        batch_op.add_column(sa.Column("certainty", kind, nullable=True))
        batch_op.create_check_constraint(_CHECK, '"certainty" > 0 AND "certainty" < 1')


def downgrade() -> None:
    with op.batch_alter_table("game", **_recreated(op.get_bind().dialect.name == "sqlite")) as batch_op:
        batch_op.drop_constraint(_CHECK, type_="check")
        batch_op.drop_column("certainty")


def _recreated(sqlite: bool) -> dict[str, Any]:
    return {"recreate": "always", "table_kwargs": {"sqlite_strict": True}} if sqlite else {}
