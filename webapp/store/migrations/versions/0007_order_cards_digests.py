"""What came before what, whatever the clock says; the cards of a tableau by name; what games come to"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

IN_ORDER = ("purchase", "shot", "revision", "claim", "change")
#: Rows that are written at a time.
_BATCH = 1000


def upgrade() -> None:
    for table in IN_ORDER:
        with op.batch_alter_table(table) as batch_op:
            batch_op.add_column(sa.Column("sequence", sa.BigInteger(), nullable=False, server_default="0"))
        with op.batch_alter_table(table) as batch_op:
            batch_op.alter_column("sequence", server_default=None)
        _fill(table, "sequence", _in_order(table))
        op.create_index(f"ix_{table}_sequence", table, ["sequence"])
    with op.batch_alter_table("tableau") as batch_op:
        batch_op.add_column(sa.Column("cards", sa.String(), nullable=False, server_default=""))
    with op.batch_alter_table("tableau") as batch_op:
        batch_op.alter_column("cards", server_default=None)
    _fill("tableau", "cards", _cards())
    for table in ("game", "tableau"):
        op.create_index(f"ix_{table}_created_at", table, ["created_at"])
    op.create_table(
        "digest",
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("id", sa.String(length=64), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
    )


def downgrade() -> None:
    op.drop_table("digest")
    for table in ("game", "tableau"):
        op.drop_index(f"ix_{table}_created_at", table)
    with op.batch_alter_table("tableau") as batch_op:
        batch_op.drop_column("cards")
    for table in IN_ORDER:
        op.drop_index(f"ix_{table}_sequence", table)
        with op.batch_alter_table(table) as batch_op:
            batch_op.drop_column("sequence")


def _fill(table: str, column: str, values: Iterator[tuple[str, Any]]) -> None:
    rows = sa.table(table, sa.column("id"), sa.column(column))
    statement = sa.update(rows).where(rows.c.id == sa.bindparam("row")).values({column: sa.bindparam("new")})
    connection, batch = op.get_bind(), []
    for row_id, value in list(values):
        batch.append({"row": row_id, "new": value})
        if len(batch) >= _BATCH:
            connection.execute(statement, batch)
            batch = []
    if batch:
        connection.execute(statement, batch)


def _in_order(table: str) -> Iterator[tuple[str, int]]:
    """Rows by their time, each behind the one before; a time that is none counts as long ago."""
    found = op.get_bind().execute(sa.text(f"SELECT id, created_at FROM {table}")).all()
    last = 0
    for at, row_id in sorted((_microseconds(at), row_id) for row_id, at in found):
        last = max(at, last + 1)
        yield row_id, last


def _microseconds(at: object) -> int:
    """What the database has for a time: SQLite gives its text."""
    try:
        moment = datetime.fromisoformat(at) if isinstance(at, str) else at
        assert isinstance(moment, datetime)
    except (ValueError, AssertionError):
        return 0
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _cards() -> Iterator[tuple[str, str]]:
    """The cards of each record in small letters, between line breaks."""
    for row_id, record in op.get_bind().execute(sa.text("SELECT id, record FROM tableau")):
        try:
            read = msgspec.json.decode(record) if isinstance(record, (str, bytes)) else record
            names = dict.fromkeys(card["card"].lower() for card in read["cards"])
            cards = "\n" + "\n".join(names) + "\n" if names else ""
        except (ValueError, TypeError, LookupError, AttributeError):
            continue
        if cards:
            yield row_id, cards
