"""The first schema"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

#: The columns of each table before `id`, `created_at` and `deleted_at`: a text with its length, another type,
#: a reference with its table. A "?" marks a column that may be NULL, a "*" one with an index.
_TABLES = {
    "change": "noun:32* noun_id:64* before:json after:json",
    "game": "title:text location:text notes:text settings:json version:integer finished_at:time?",
    "person": "name:text",
    "photo": "media_type:32 width:integer height:integer size_bytes:integer",
    "game_round": ("game_id:game* number:integer primary:32? secondary:32? hourglass:boolean checklist:json"),
    "seat": "game_id:game* person_id:person* position:integer name:text colour:16",
    "entry": (
        "round_id:game_round* seat_id:seat* primary_vp:integer? secondary_vp:integer? time_bonus:boolean "
        "escaped:boolean? coins_received:integer typed:boolean fairy_tokens:json spellbooks:json "
        "optimizers_used:json"
    ),
    "purchase": "entry_id:entry* kind:16 what:text coins:integer",
    "tableau": (
        "entry_id:entry? title:text notes:text fairy_tokens:json spellbooks:json primary:32? secondary:32? "
        "shot_id:64? record:json? answered:json ruling:json? sure:boolean version:integer"
    ),
    "claim": (
        "tableau_id:tableau* who:text words:text record:json? assumes:text? basis:json? accepted_at:time? "
        "accepted_revision:text?"
    ),
    "revision": (
        "tableau_id:tableau* number:integer kind:16 shot_id:64? record:json answered:json before:integer? "
        "repeats:integer?"
    ),
    "shot": (
        "tableau_id:tableau* photo_id:photo* client_key:64? filename:text state:16* stage:16 "
        "attempts:integer error:json? reading:bytes? reread_of:64? given:json?"
    ),
}
_UNIQUE: dict[str, list[tuple[str, ...]]] = {
    "game_round": [("game_id", "number")],
    "seat": [("game_id", "position")],
    "entry": [("round_id", "seat_id")],
    "tableau": [("entry_id",)],
    "revision": [("tableau_id", "number")],
    "shot": [("client_key",)],
}
_TYPES = {
    "text": sa.String(),
    "integer": sa.Integer(),
    "boolean": sa.Boolean(),
    "json": sa.JSON(),
    "time": sa.DateTime(timezone=True),
    "bytes": sa.LargeBinary(),
}


def upgrade() -> None:
    for table, listed in _TABLES.items():
        columns = dict(each.split(":") for each in f"{listed} id:64 created_at:time deleted_at:time?".split())
        kinds = {name: kind.rstrip("?*") for name, kind in columns.items()}
        references = {name: kind for name, kind in kinds.items() if kind in _TABLES}
        op.create_table(
            table,
            *(sa.Column(name, _type(kind), nullable="?" in columns[name]) for name, kind in kinds.items()),
            *(sa.ForeignKeyConstraint([name], [f"{other}.id"]) for name, other in sorted(references.items())),
            sa.PrimaryKeyConstraint("id"),
            *(sa.UniqueConstraint(*names) for names in _UNIQUE.get(table, ())),
        )
        for name in columns:
            if "*" in columns[name]:
                op.create_index(f"ix_{table}_{name}", table, [name])


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)


def _type(kind: str) -> Any:
    return _TYPES[kind] if kind in _TYPES else sa.String(int(kind) if kind.isdigit() else 64)
