"""Whether anything is lost when whatever Waymark runs is killed: servers, what takes in a log, what brings a
database to the newest schema, `waymark data backup|restore|mend`, workers and the processes that read.

    python -m tools.kill_test --kills 200

shares the kills out among all of these, on SQLite and (where PostgreSQL is on this machine) on PostgreSQL,
and prints by kind how often it was killed, what had been acknowledged, what of that was lost and what was
left over. `--only KIND ...` takes some kinds. Exit status 1 where anything was lost or left.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from killed import KINDS, OF_FOLDERS, Killing, Outcome
from postgresql_cluster import Cluster, NoPostgreSQL, postgresql_cluster

from tools.queue_test import Table, kill_workers

#: A kind's share of all kills, on SQLite and on PostgreSQL. Workers die within a second, servers start anew.
SHARES = {
    "worker": (30, 15),
    "server": (15, 8),
    "import": (7, 3),
    "upgrade": (6, 3),
    "backup": (5, 0),
    "restore": (5, 0),
    "mend": (3, 0),
}


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=SHARES, default=list(SHARES), metavar="KIND")
    asked = parser.parse_args()
    with ExitStack() as stack:
        try:
            cluster: Cluster | None = stack.enter_context(postgresql_cluster())
        except NoPostgreSQL as error:
            print(f"only SQLite: {error}")
            cluster = None
        readings = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ.setdefault("WAYMARK_TEST_READINGS", readings)
        print(f"{'':22}{'kills':>6}{'lost':>6}{'left':>6}{'seconds':>9}  acknowledged", flush=True)
        outcomes = list(killed(asked, cluster))
    for outcome in outcomes:
        for what in (*outcome.lost, *outcome.left):
            print(what)
    lost, left = (sum(len(getattr(each, name)) for each in outcomes) for name in ("lost", "left"))
    kills, acknowledged = sum(each.kills for each in outcomes), Counter[str]()
    for each in outcomes:
        acknowledged.update(each.acknowledged)
    print(f"{'all':22}{kills:6}{lost:6}{left:6}{'':11}{told(acknowledged)}")
    return 1 if lost or left else 0


def killed(asked: argparse.Namespace, cluster: Cluster | None) -> Iterator[Outcome]:
    """The outcome of each kind of kill on each database, printed as it arrives."""
    wanted = {
        (kind, database): SHARES[kind][number]
        for kind in asked.only
        for number, database in enumerate(("SQLite", "PostgreSQL"))
        if SHARES[kind][number] and (cluster is not None or database == "SQLite")
    }
    for (kind, database), kills in shared_out(asked.kills, wanted).items():
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            killing = Killing(Path(folder), kills, random.Random(asked.seed))
            if database == "PostgreSQL" and cluster is not None:
                killing = Killing(Path(folder), kills, random.Random(asked.seed), cluster.new_database)
            outcome = KINDS[kind](killing) if kind in KINDS else of_workers(killing)
        name = kind if kind in OF_FOLDERS else f"{kind}, {database}"
        numbers = f"{outcome.kills:6}{len(outcome.lost):6}{len(outcome.left):6}"
        print(f"{name:22}{numbers}{time.monotonic() - begun:9.0f}  {told(outcome.acknowledged)}", flush=True)
        yield outcome


def shared_out(kills: int, shares: dict[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    """Number of kills for each kind: proportional to its share, at least one, with the given total."""
    given = {each: max(1, kills * share // sum(shares.values())) for each, share in shares.items()}
    most = max(given, key=lambda each: given[each])
    given[most] = max(1, given[most] + kills - sum(given.values()))
    return given


def of_workers(killing: Killing) -> Outcome:
    """The outcome of killing workers and the processes that read for them (`tools.queue_test`)."""
    table = Table(killing.folder, killing.new_database())
    found = kill_workers(table, kills=killing.kills, chance=killing.chance)
    return Outcome(
        killing.kills,
        Counter({"photo": table.states().total()}),
        [f"{name}: {measured}" for name, measured, wanted in found.kept if measured != wanted],
        [f"{name}: {measured}" for name, measured, wanted in found.left if measured != wanted],
    )


def told(acknowledged: Counter[str]) -> str:
    """Counts as one line of text."""
    return ", ".join(f"{count:,} x {kind}" for kind, count in sorted(acknowledged.items()))


if __name__ == "__main__":
    sys.exit(main())
