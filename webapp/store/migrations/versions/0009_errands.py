"""What people asked of a tableau, and reading processes do"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "errand",
        sa.Column("tableau_id", sa.String(length=64), nullable=False),
        sa.Column("whose", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.JSON(), nullable=True),
        sa.Column("outcome", sa.JSON(), nullable=True),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["tableau_id"], ["tableau.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("errand") as batch_op:
        for column in ("state", "tableau_id", "whose"):
            batch_op.create_index(batch_op.f(f"ix_errand_{column}"), [column], unique=False)


def downgrade() -> None:
    op.drop_table("errand")
