"""Which game is played; scores by the columns of its sheet, what is told by its terms"""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

#: The boxes of Map Masters' sheet, by the columns that they had.
SCORES = {
    "primary_vp": "primary",
    "secondary_vp": "secondary",
    "escaped": "escaped",
    "coins_received": "coins_received",
}
TERMS = {
    "game_round": ("primary", "secondary"),
    "entry": ("fairy_tokens", "spellbooks"),
    "tableau": ("fairy_tokens", "spellbooks", "primary", "secondary"),
}


def _old_column(name: str) -> sa.Column[Any]:
    """A column as it was."""
    usual = {"fairy_tokens": "{}", "spellbooks": "[]", "settings": "{}"}
    if name in usual:
        return sa.Column(name, sa.JSON(), nullable=False, server_default=usual[name])
    if name == "coins_received":
        return sa.Column(name, sa.Integer(), nullable=False, server_default="0")
    if name in ("primary_vp", "secondary_vp"):
        return sa.Column(name, sa.Integer(), nullable=True)
    return sa.Column(name, sa.Boolean() if name == "escaped" else sa.String(length=32), nullable=True)


#: In the journal a box of the sheet stands by itself.
BOX = "scores."


def upgrade() -> None:
    for table in ("game", "tableau"):
        with op.batch_alter_table(table) as batch_op:
            batch_op.add_column(
                sa.Column("game", sa.String(length=32), nullable=False, server_default="mapmasters")
            )
        with op.batch_alter_table(table) as batch_op:
            batch_op.alter_column("game", server_default=None)
    for table, columns in TERMS.items():
        new = ("scores", "terms") if table == "entry" else ("terms",)
        with op.batch_alter_table(table) as batch_op:
            for column in new:
                batch_op.add_column(sa.Column(column, sa.JSON(), nullable=False, server_default="{}"))
        gone = (
            *columns,
            *(SCORES if table == "entry" else ()),
            *(("settings",) if table == "tableau" else ()),
        )
        _each_row(table, (*gone, *new), _to_json)
        with op.batch_alter_table(table) as batch_op:
            for column in new:
                batch_op.alter_column(column, server_default=None)
            for column in gone:
                batch_op.drop_column(column)
    _each_row("change", ("noun", "before", "after"), _boxes_by_themselves)


def downgrade() -> None:
    for table, columns in TERMS.items():
        old = (
            *columns,
            *(SCORES if table == "entry" else ()),
            *(("settings",) if table == "tableau" else ()),
        )
        new = ("scores", "terms") if table == "entry" else ("terms",)
        with op.batch_alter_table(table) as batch_op:
            for column in old:
                batch_op.add_column(_old_column(column))
        _each_row(table, (*old, *new), _from_json)
        with op.batch_alter_table(table) as batch_op:
            for column in old:
                batch_op.alter_column(column, server_default=None)
            for column in new:
                batch_op.drop_column(column)
    _each_row("change", ("noun", "before", "after"), _columns_again)
    for table in ("game", "tableau"):
        with op.batch_alter_table(table) as batch_op:
            batch_op.drop_column("game")


def _each_row(
    table: str, columns: tuple[str, ...], change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """Have every row of a table say what `change` makes of it."""
    json_columns = {"fairy_tokens", "spellbooks", "settings", "scores", "terms", "before", "after"}
    typed = [
        sa.column(name, sa.JSON() if name in json_columns else sa.Boolean() if name == "escaped" else None)
        for name in columns
    ]
    rows = sa.table(table, sa.column("id"), *typed)
    connection = op.get_bind()
    for row in connection.execute(sa.select(rows)).mappings().all():
        before = {name: row[name] for name in columns}
        after = change(dict(before))
        changed = {name: value for name, value in after.items() if value != before[name]}
        if changed:
            connection.execute(sa.update(rows).where(rows.c.id == row["id"]).values(changed))


def _to_json(row: dict[str, Any]) -> dict[str, Any]:
    terms = {
        name: row[name] for name in ("fairy_tokens", "spellbooks", "primary", "secondary") if row.get(name)
    }
    told = {**row, "terms": {**terms, **(row.get("settings") or {})}}
    if "scores" in row:
        boxes = {box: row[column] for column, box in SCORES.items() if row[column] is not None}
        if not boxes["coins_received"]:
            del boxes["coins_received"]
        told["scores"] = boxes
    return told


def _from_json(row: dict[str, Any]) -> dict[str, Any]:
    terms = dict(row["terms"] or {})
    told = dict(row)
    for name, empty in (("fairy_tokens", {}), ("spellbooks", []), ("primary", None), ("secondary", None)):
        if name in row:
            told[name] = terms.pop(name, empty)
    if "settings" in row:
        told["settings"] = terms
    if "scores" in row:
        told.update({column: (row["scores"] or {}).get(box) for column, box in SCORES.items()})
        told["coins_received"] = told["coins_received"] or 0
    return told


def _renamed(values: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in values.items()}


def _boxes_by_themselves(row: dict[str, Any]) -> dict[str, Any]:
    if row["noun"] != "entry":
        return row
    names = {column: BOX + box for column, box in SCORES.items()}
    return {**row, "before": _renamed(row["before"], names), "after": _renamed(row["after"], names)}


def _columns_again(row: dict[str, Any]) -> dict[str, Any]:
    if row["noun"] != "entry":
        return row
    names = {BOX + box: column for column, box in SCORES.items()}
    return {**row, "before": _renamed(row["before"], names), "after": _renamed(row["after"], names)}
