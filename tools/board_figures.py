"""Tables of committed results about photos of boards (`waymark bench --json`): one game a file, a column for
each art: the open set's own, and a set that no part was tuned on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

FORMAT = "waymark-bench-boards/1"
#: What the art of the open set is called; its column is the first.
OWN = "own art"
#: Fields kept of each photo, and of all together.
OF_PHOTO = ("photo", "error", "tiles", "wrong_tiles", "pieces", "board", "held", "sure", "turn_right")
OF_TOTAL = ("photos", "tiles", "pieces", "board", "held", "sure", "wrong", "wrong_bound", "turns", "players")
MORE_OF_TOTAL = (
    "questions",
    "kinds",
    "final",
    "turns_sure_and_wrong",
    "turns_without_question",
    "cpu_seconds_median",
)

Told = Callable[[Mapping[str, Any]], str]


def kept_boards(report: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a report that tables need, together with the metadata `run`."""
    photos = [{name: row[name] for name in OF_PHOTO} for row in report["photos"]]
    total = {name: report["total"][name] for name in (*OF_TOTAL, *MORE_OF_TOTAL) if name in report["total"]}
    return {"run": {**run, "n": len(photos)}, "total": total, "photos": photos}


def with_run(results: Mapping[str, Any] | None, kept: Mapping[str, Any]) -> dict[str, Any]:
    """The results of a game with a run, in place of an earlier one with the same art."""
    runs = [] if results is None else results["runs"]
    others = [each for each in runs if each["run"]["art"] != kept["run"]["art"]]
    order = sorted([*others, kept], key=lambda each: (each["run"]["art"] != OWN, each["run"]["art"]))
    return {"format": FORMAT, "runs": order}


def board_table(results: Mapping[str, Any]) -> str:
    """A game's results as a Markdown table."""
    lines: list[str] = []
    for each in results["runs"]:
        run = each["run"]
        lines += [
            f"{run['art']}: {run['date']}, commit `{run['commit'][:8]}`, `{run['split']}`, n = {run['n']}:",
            "",
            "```",
            *run["commands"],
            "```",
            "",
        ]
    heads = [f"{each['run']['art']}, {each['run']['n']}" for each in results["runs"]]
    lines += ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for name, told in _rows():
        cells = [told(each) for each in results["runs"]]
        if any(cells):
            lines.append("| " + " | ".join([name, *cells]) + " |")
    return "\n".join([*lines, ""])


def _rows() -> list[tuple[str, Told]]:
    """The name of each table row, and the function that tells its value; empty where there is none."""
    rows: list[tuple[str, Told]] = [
        ("board found", lambda each: _found(each)),
        ("all tiles right, and the one beside the board", lambda each: _pair(each["total"]["tiles"])),
        ("pieces on the board", lambda each: _pair(each["total"]["pieces"])),
        ("the whole board", lambda each: _pair(each["total"]["board"])),
        ("what lies before the players, where it is in view", lambda each: _pair(each["total"]["held"])),
        ("nothing left in doubt before any answer; of these wrong", _settled),
        ("questions a photo", lambda each: f"{each['total']['questions'] / each['run']['n']:.1f}"),
        ("turns between two photos ruled rightly", lambda each: _pair(each["total"]["turns"])),
    ]
    for who, says in (("careful", "answers from the table"), ("hurried", "taps the first answer")):
        rows.append((f"a {who} player, who {says}, ends with the whole board", _ends(who, "right")))
        rows.append(("... and nothing in doubt, but something wrong", _ends(who, "sure_and_wrong", "sure")))
    rows.append(("the final score of the table, after at most three answers of a careful player", _final))
    return [*rows, ("processor time a photo, median", _seconds)]


def _found(each: Mapping[str, Any]) -> str:
    return _pair([sum(row["error"] is None for row in each["photos"]), len(each["photos"])])


def _pair(pair: Any) -> str:
    right, of = pair
    return f"{right} of {of} ({right / of:.0%})" if of else ""


def _settled(each: Mapping[str, Any]) -> str:
    total = each["total"]
    bound = total["wrong_bound"]
    return f"{total['sure'][0]}; {total['wrong'][0]}" + ("" if bound is None else f" (at most {bound:.0%})")


def _ends(who: str, key: str, of: str = "photos") -> Told:
    def told(each: Mapping[str, Any]) -> str:
        end = each["total"]["players"].get(who, {})
        return _pair([end[key], end[of]]) if end.get("photos") else ""

    return told


def _final(each: Mapping[str, Any]) -> str:
    final = each["total"].get("final")
    return _pair([final["right"], final["photos"]]) if final else ""


def _seconds(each: Mapping[str, Any]) -> str:
    seconds = each["total"]["cpu_seconds_median"]
    return "" if seconds is None else f"{seconds:.1f} s"
