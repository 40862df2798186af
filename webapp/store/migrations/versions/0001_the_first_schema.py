"""The first schema"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "change",
        sa.Column("noun", sa.String(length=32), nullable=False),
        sa.Column("noun_id", sa.String(length=64), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("change", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_change_noun"), ["noun"], unique=False)
        batch_op.create_index(batch_op.f("ix_change_noun_id"), ["noun_id"], unique=False)

    op.create_table(
        "game",
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("location", sa.String(), nullable=False),
        sa.Column("notes", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "person",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "photo",
        sa.Column("media_type", sa.String(length=32), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "game_round",
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("primary", sa.String(length=32), nullable=True),
        sa.Column("secondary", sa.String(length=32), nullable=True),
        sa.Column("hourglass", sa.Boolean(), nullable=False),
        sa.Column("checklist", sa.JSON(), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "number"),
    )
    with op.batch_alter_table("game_round", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_game_round_game_id"), ["game_id"], unique=False)

    op.create_table(
        "seat",
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("colour", sa.String(length=16), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "position"),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_person_id"), ["person_id"], unique=False)

    op.create_table(
        "entry",
        sa.Column("round_id", sa.String(length=64), nullable=False),
        sa.Column("seat_id", sa.String(length=64), nullable=False),
        sa.Column("primary_vp", sa.Integer(), nullable=True),
        sa.Column("secondary_vp", sa.Integer(), nullable=True),
        sa.Column("time_bonus", sa.Boolean(), nullable=False),
        sa.Column("escaped", sa.Boolean(), nullable=True),
        sa.Column("coins_received", sa.Integer(), nullable=False),
        sa.Column("typed", sa.Boolean(), nullable=False),
        sa.Column("fairy_tokens", sa.JSON(), nullable=False),
        sa.Column("spellbooks", sa.JSON(), nullable=False),
        sa.Column("optimizers_used", sa.JSON(), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["round_id"], ["game_round.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("round_id", "seat_id"),
    )
    with op.batch_alter_table("entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entry_round_id"), ["round_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_entry_seat_id"), ["seat_id"], unique=False)

    op.create_table(
        "purchase",
        sa.Column("entry_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("coins", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["entry_id"], ["entry.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("purchase", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_purchase_entry_id"), ["entry_id"], unique=False)

    op.create_table(
        "tableau",
        sa.Column("entry_id", sa.String(length=64), nullable=True),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("notes", sa.String(), nullable=False),
        sa.Column("fairy_tokens", sa.JSON(), nullable=False),
        sa.Column("spellbooks", sa.JSON(), nullable=False),
        sa.Column("primary", sa.String(length=32), nullable=True),
        sa.Column("secondary", sa.String(length=32), nullable=True),
        sa.Column("shot_id", sa.String(length=64), nullable=True),
        sa.Column("record", sa.JSON(), nullable=True),
        sa.Column("answered", sa.JSON(), nullable=False),
        sa.Column("ruling", sa.JSON(), nullable=True),
        sa.Column("sure", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["entry_id"], ["entry.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("entry_id"),
    )
    op.create_table(
        "claim",
        sa.Column("tableau_id", sa.String(length=64), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=True),
        sa.Column("assumes", sa.String(), nullable=True),
        sa.Column("basis", sa.JSON(), nullable=True),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("accepted_revision", sa.String(), nullable=True),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["tableau_id"], ["tableau.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("claim", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_claim_tableau_id"), ["tableau_id"], unique=False)

    op.create_table(
        "revision",
        sa.Column("tableau_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("shot_id", sa.String(length=64), nullable=True),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("answered", sa.JSON(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=True),
        sa.Column("repeats", sa.Integer(), nullable=True),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["tableau_id"], ["tableau.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("tableau_id", "number"),
    )
    with op.batch_alter_table("revision", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_revision_tableau_id"), ["tableau_id"], unique=False)

    op.create_table(
        "shot",
        sa.Column("tableau_id", sa.String(length=64), nullable=False),
        sa.Column("photo_id", sa.String(length=64), nullable=False),
        sa.Column("client_key", sa.String(length=64), nullable=True),
        sa.Column("filename", sa.String(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("stage", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.JSON(), nullable=True),
        sa.Column("reading", sa.LargeBinary(), nullable=True),
        sa.Column("reread_of", sa.String(length=64), nullable=True),
        sa.Column("given", sa.JSON(), nullable=True),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["photo_id"], ["photo.id"]),
        sa.ForeignKeyConstraint(["tableau_id"], ["tableau.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("client_key"),
    )
    with op.batch_alter_table("shot", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_shot_photo_id"), ["photo_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_shot_state"), ["state"], unique=False)
        batch_op.create_index(batch_op.f("ix_shot_tableau_id"), ["tableau_id"], unique=False)


def downgrade() -> None:

    with op.batch_alter_table("shot", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_shot_tableau_id"))
        batch_op.drop_index(batch_op.f("ix_shot_state"))
        batch_op.drop_index(batch_op.f("ix_shot_photo_id"))

    op.drop_table("shot")
    with op.batch_alter_table("revision", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_revision_tableau_id"))

    op.drop_table("revision")
    with op.batch_alter_table("claim", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_claim_tableau_id"))

    op.drop_table("claim")
    op.drop_table("tableau")
    with op.batch_alter_table("purchase", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_purchase_entry_id"))

    op.drop_table("purchase")
    with op.batch_alter_table("entry", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_entry_seat_id"))
        batch_op.drop_index(batch_op.f("ix_entry_round_id"))

    op.drop_table("entry")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_person_id"))
        batch_op.drop_index(batch_op.f("ix_seat_game_id"))

    op.drop_table("seat")
    with op.batch_alter_table("game_round", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_game_round_game_id"))

    op.drop_table("game_round")
    op.drop_table("photo")
    op.drop_table("person")
    op.drop_table("game")
    with op.batch_alter_table("change", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_change_noun_id"))
        batch_op.drop_index(batch_op.f("ix_change_noun"))

    op.drop_table("change")
