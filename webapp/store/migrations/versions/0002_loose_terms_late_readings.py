"""House rules of a tableau outside a game; readings that came when a game was finished"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tableau") as batch_op:
        batch_op.add_column(sa.Column("settings", sa.JSON(), nullable=False, server_default="{}"))
        batch_op.add_column(sa.Column("late_shot_id", sa.String(length=64), nullable=True))
    with op.batch_alter_table("tableau") as batch_op:
        batch_op.alter_column("settings", server_default=None)
    with op.batch_alter_table("revision") as batch_op:
        batch_op.add_column(sa.Column("settings", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("revision") as batch_op:
        batch_op.drop_column("settings")
    with op.batch_alter_table("tableau") as batch_op:
        batch_op.drop_column("late_shot_id")
        batch_op.drop_column("settings")
