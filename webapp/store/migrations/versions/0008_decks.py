"""Games and tableaus know the box that their cards are of"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("game", "tableau"):
        with op.batch_alter_table(table) as batch_op:
            batch_op.add_column(sa.Column("deck", sa.String(), nullable=False, server_default=""))
        with op.batch_alter_table(table) as batch_op:
            batch_op.alter_column("deck", server_default=None)


def downgrade() -> None:
    for table in ("game", "tableau"):
        with op.batch_alter_table(table) as batch_op:
            batch_op.drop_column("deck")
