"""Turns and corrections of a board keep what was told with them"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("revision") as batch_op:
        batch_op.add_column(sa.Column("told", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("revision") as batch_op:
        batch_op.drop_column("told")
