"""Photos of one turn are read together"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("shot") as batch_op:
        batch_op.add_column(sa.Column("beside", sa.String(length=64), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("shot") as batch_op:
        batch_op.drop_column("beside")
