"""Games that were given up"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("game") as batch_op:
        batch_op.add_column(sa.Column("given_up", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("game") as batch_op:
        batch_op.alter_column("given_up", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("game") as batch_op:
        batch_op.drop_column("given_up")
