"""Figures of documents from committed results (`waymark bench --json`, kept small).

`python -m tools.figures keep REPORT NAME --split SPLIT --commit HASH --command LINE ...` keeps a report in
`docs/results/NAME.json`; a report on boards joins those of the same game in it, one for each `--art`. Without
arguments the tables between `<!-- figures: NAME -->` and
`<!-- end of figures -->` are written anew in every document."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.board_figures import FORMAT as BOARDS
from tools.board_figures import OWN, board_table, kept_boards, with_run
from waymark.bench.groups import HARD_AND_WILD

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
BLOCK = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
COLUMNS = ("easy", "typical", HARD_AND_WILD)
#: Fields kept of each photo, and of each simulated player.
OF_PHOTO = (
    "photo",
    "every_card_right",
    "path_exact",
    "counts_exact",
    "outcome_exact",
    "sure",
    "marks_f1",
    "cpu_seconds",
    "error",
)
OF_PLAYER = ("questions", "right", "sure", "sure_and_wrong")


def documents() -> list[Path]:
    """The documents that may contain tables of figures."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def kept(report: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a report that tables need, together with the metadata `run`."""
    photos = [
        {name: row[name] for name in OF_PHOTO}
        | {"tier": row["groups"].get("tier", ""), "deck": row["groups"]["deck"]}
        | {"players": {who: {key: end[key] for key in OF_PLAYER} for who, end in row["players"].items()}}
        for row in report["photos"]
    ]
    groups = {name: report["groups"][name] for name in ("tier", "deck") if name in report["groups"]}
    return {
        "format": report["format"],
        "run": {**run, "n": len(photos), "jobs": report["jobs"]},
        "total": _plain(report["total"]),
        "groups": {name: {key: _plain(each) for key, each in of.items()} for name, of in groups.items()},
        "photos": photos,
    }


def _plain(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Figures without the counts by kind of question, which no table shows."""
    players = figures["players"]
    few = {who: {key: value for key, value in end.items() if key != "kinds"} for who, end in players.items()}
    return {**figures, "players": few}


def table(results: Mapping[str, Any]) -> str:
    """A results file as a Markdown table: the run, then one column for each tier (of boards: each art)."""
    if results["format"] == BOARDS:
        return board_table(results)
    run, tiers, total = results["run"], results["groups"]["tier"], results["total"]
    columns = [tiers[name] for name in COLUMNS if name in tiers] + [total]
    heads = [f"{name}, {tiers[name]['photos']}" for name in COLUMNS if name in tiers]
    lines = [
        f"{run['date']}, commit `{run['commit'][:8]}`, split `{run['split']}`, n = {run['n']}"
        f" ({_decks(results)}):",
        "",
        "```",
        *run["commands"],
        "```",
        "",
        "| | " + " | ".join([*heads, f"all, {total['photos']}"]) + " |",
        "|---|" + "---|" * len(columns),
    ]
    for name, told in _rows(total["players"]):
        lines.append("| " + " | ".join([name, *map(told, columns)]) + " |")
    lines += ["", f"Processor time a photo: median {total['cpu_seconds_median']:.2f} s, one at a time."]
    return "\n".join([*lines, ""])


def _decks(results: Mapping[str, Any]) -> str:
    decks = results["groups"]["deck"].items()
    return ", ".join(f"{figures['photos']} of deck *{deck}*" for deck, figures in decks)


def _rows(players: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The name of each table row, and the function that formats its value."""
    rows = [
        (
            "every card right (identity, rotation, corners within 4% of its height)",
            _share("every_card_right"),
        ),
        ("path exact, place by place", _share("path_exact")),
        ("counts of finds exact", _share("counts_exact")),
        ("circles and strikes, F1", lambda figures: f"{figures['marks_f1']:.2f}"),
        ("sure before any answer", _share("sure")),
        (
            "sure, and the score is wrong",
            lambda figures: _wrong(figures, figures["sure_count"], "among_sure"),
        ),
    ]
    says = {
        "careful": "a careful player, who answers from the table,",
        "hurried": "a hurried player, who taps the first answer,",
    }
    for who in players:
        rows += [
            (f"{says.get(who, who)} ends right", _of(who, _share("right"))),
            ("... with at most one question", _of(who, _share("at_most_one_question"))),
            ("... with at most two questions", _of(who, _share("at_most_two_questions"))),
            ("... and ends sure and wrong", _of(who, lambda end: _wrong(end, end["photos"], "of_all"))),
        ]
    return rows


def _share(key: str) -> Any:
    return lambda figures: f"{figures[key]:.1%}"


def _of(who: str, told: Any) -> Any:
    return lambda figures: told(figures["players"][who])


def _wrong(figures: Mapping[str, Any], of: int, what: str) -> str:
    """The number of sure and wrong photos, the number of photos, and the 95% bound."""
    bound = figures["wrong_among_sure_bound" if what == "among_sure" else "sure_and_wrong_bound"]
    return f"{figures['sure_and_wrong_count']} of {of}" + ("" if bound is None else f" ({bound:.1%})")


def results_of(name: str) -> dict[str, Any]:
    """The content of the results file with this name."""
    results: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return results


def written(text: str) -> str:
    """A document's text with all its tables recomputed from the results."""
    return BLOCK.sub(lambda block: block[1] + table(results_of(block[2])) + block[3], text)


def stale() -> list[Path]:
    """The documents with tables that differ from their results."""
    return [file for file in documents() if written(text := file.read_text(encoding="utf-8")) != text]


def _keep(arguments: argparse.Namespace) -> None:
    report = json.loads(Path(arguments.report).read_bytes())
    run = {
        "date": arguments.date,
        "commit": arguments.commit,
        "split": arguments.split,
        "commands": arguments.command,
    }
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{arguments.name}.json"
    if report["format"] == BOARDS:
        earlier = results_of(arguments.name) if file.exists() else None
        made = with_run(earlier, kept_boards(report, {"art": arguments.art, **run}))
    else:
        made = kept(report, run)
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    # A photo a line: what changed between two runs can be read.
    text = text.replace('{"photo":', '\n{"photo":')
    file.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Store a report, or rewrite the tables."""
    parser = argparse.ArgumentParser(prog="tools.figures", description=__doc__)
    keep = parser.add_subparsers(dest="action").add_parser("keep")
    keep.add_argument("report")
    keep.add_argument("name")
    keep.add_argument("--split", required=True)
    keep.add_argument("--commit", required=True)
    keep.add_argument("--command", action="append", required=True)
    keep.add_argument("--art", default=OWN, help="of a board game: whose art the photos show")
    keep.add_argument("--date", default=f"{datetime.now(UTC):%Y-%m-%d}")
    arguments = parser.parse_args()
    if arguments.action == "keep":
        try:
            _keep(arguments)
        except (OSError, ValueError, KeyError):
            parser.error(f"{arguments.report} is no report; make one with `waymark bench DIR --json FILE`")
        return
    for file in stale():
        file.write_text(written(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
