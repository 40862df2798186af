"""A round with an hourglass in which nobody was first to finish"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("game_round") as batch_op:
        batch_op.add_column(
            sa.Column("nobody_first", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("game_round") as batch_op:
        batch_op.alter_column("nobody_first", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("game_round") as batch_op:
        batch_op.drop_column("nobody_first")
