"""A report as text, the same in the terminal and on the page: which statistics are shown, their names and
their number formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.text import Language
from waymark.bench.groups import HARD_AND_WILD, NONE
from waymark.phrases import say

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Told:
    """One row of text: the name of a statistic, its value in each column, and whether each value is `bad`."""

    name: str
    values: tuple[str, ...]
    bad: tuple[bool, ...]


def percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def counted_wrong(figures: Figures) -> str:
    """The number of sure and wrong photos, the number of all photos, and the upper bound on their share."""
    bound = percent(figures["sure_and_wrong_bound"])
    return f"{figures['sure_and_wrong_count']} / {figures['photos']} ≤{bound}"


def sure_and_wrong_sentence(figures: Figures, language: Language) -> str:
    """A sentence with the count of sure and wrong photos, and the upper bounds among sure and among all
    photos."""
    return say(
        language,
        "bench.sure_and_wrong",
        wrong=figures["sure_and_wrong_count"],
        sure=figures["sure_count"],
        of_sure=percent(figures["wrong_among_sure_bound"]),
        count=figures["photos"],
        of_all=percent(figures["sure_and_wrong_bound"]),
    )


def unread(report: Mapping[str, Any], language: Language) -> Iterator[tuple[str, str]]:
    """The photos that could not be read, each with its error message."""
    for row in report["photos"]:
        if row["error"] and not row["refused"]:
            message = row["error_ja" if language == "ja" else "error"]
            yield row["photo"], say(language, "bench.failed", message=message)


def columns(report: Mapping[str, Any]) -> dict[str, Figures]:
    """The columns of the report: all photos, then each tier that occurs, from easy to wild."""
    tiers = report["groups"].get("tier", {})
    told = [name for name in ("easy", "typical", HARD_AND_WILD) if name in tiers]
    return {"all": report["total"], **{name: tiers[name] for name in told}}


def summary(report: Mapping[str, Any], language: Language) -> list[Told]:
    """One row for each statistic of the reading and of each player, with a column for all photos and one
    for each tier."""
    sets = list(columns(report).values())
    return [*_told(READING, sets, "", language), *_players(sets, language)]


def _players(sets: Sequence[Figures], language: Language) -> Iterator[Told]:
    for player in sets[0]["players"]:
        name = say(language, f"bench.player.{player}") + say(language, "bench.colon")
        # Who taps the first answer does not ask whether one is true.
        written = {key: write for key, write in END.items() if player == "careful" or key not in CAREFUL}
        yield from _told(written, [each["players"][player] for each in sets], name, language)


def _told(
    written: Mapping[str, Callable[[Figures], str]], sets: Sequence[Figures], name: str, language: Language
) -> Iterator[Told]:
    for key, write in written.items():
        yield Told(
            name + say(language, f"bench.{key}"),
            tuple(write(each) for each in sets),
            tuple(key in _WRONG and _wrong(each) for each in sets),
        )


def _share(key: str) -> Callable[[Figures], str]:
    return lambda figures: percent(figures[key])


def _number(key: str, form: str = "") -> Callable[[Figures], str]:
    return lambda figures: format(figures[key], form)


def _of_questions(key: str) -> Callable[[Figures], str]:
    return lambda figures: f"{figures[key]} / {figures['questions']}"


#: Statistics of the reading in the report, with their formats.
READING: Mapping[str, Callable[[Figures], str]] = {
    "photos": _number("photos"),
    "every_card_right": _share("every_card_right"),
    "tableau_exact": _share("tableau_exact"),
    "path_exact": _share("path_exact"),
    "counts_exact": _share("counts_exact"),
    "marks_f1": _number("marks_f1", ".3f"),
    "sure": _share("sure"),
    "sure_untold": _share("sure_untold"),
    "sure_and_wrong_count": counted_wrong,
}
#: Statistics of each player's results, with their formats; those after the shares count questions.
END: Mapping[str, Callable[[Figures], str]] = {
    "right": _share("right"),
    "ended_sure": _share("sure"),
    "sure_and_wrong_count": counted_wrong,
    "questions_mean": _number("questions_mean", ".2f"),
    "at_most_one_question": _share("at_most_one_question"),
    "at_most_two_questions": _share("at_most_two_questions"),
    "without_true_answer": _of_questions("without_true_answer"),
    "changed_nothing": _number("changed_nothing"),
    "few_answers": _of_questions("few_answers"),
    "same_answers": _of_questions("same_answers"),
    "without_ink": _of_questions("without_ink"),
    "asked_again": _number("asked_again"),
    "left_open": _number("left_open"),
}
#: Statistics that only exist for the careful player.
CAREFUL = ("without_true_answer",)


def groups(
    report: Mapping[str, Any], language: Language, *, ended_right: bool = True
) -> tuple[list[str], list[Told]]:
    """The column headings and one row for each group of photos. Photos without a nuisance form no group.
    `ended_right`: whether to include the share of photos that each player ended right."""
    right = {"right": _share("right")} if ended_right else {}
    ends = right | {"ended_sure_and_wrong": _few_wrong}
    reading = {key: write for key, write in READING.items() if key not in ("tableau_exact", "sure_untold")}
    reading |= {"sure_and_wrong_count": _few_wrong}
    names = [say(language, f"bench.{key}") for key in ("group", *reading)]
    for player in report["total"]["players"]:
        words = say(language, f"bench.player.{player}") + say(language, "bench.colon")
        names += [words + say(language, f"bench.{key}") for key in ends]
    lines = []
    for name, values in report["groups"].items():
        for value, figures in values.items():
            if value in NONE:
                continue
            written = [(write(figures), key in _WRONG and _wrong(figures)) for key, write in reading.items()]
            for end in figures["players"].values():
                written += [(write(end), key in _WRONG and _wrong(end)) for key, write in ends.items()]
            words = name if value == "true" else f"{name}: {value}"
            lines.append(Told(words, *map(tuple, zip(*written, strict=True))))
    return names, lines


#: Statistics that should be zero.
_WRONG = ("sure_and_wrong_count", "ended_sure_and_wrong")


def _wrong(figures: Figures) -> bool:
    return bool(figures["sure_and_wrong_count"])


def _few_wrong(figures: Figures) -> str:
    """The count of sure and wrong photos with its bound, without the number of photos, which another column
    shows."""
    return f"{figures['sure_and_wrong_count']} ≤{percent(figures['sure_and_wrong_bound'])}"


#: Significance level: a smaller p-value is reported as a change.
CHANCE = 0.05


def change_columns(language: Language) -> list[str]:
    """The column headings of a comparison of two runs."""
    names = ("figure", "before", "now", "better", "worse", "chance", "verdict")
    return [say(language, f"bench.{name}") for name in names]


def changes(report: Mapping[str, Any], language: Language) -> Iterator[Told]:
    """One row for each statistic of a comparison: both means, photos that are better and worse, p-value and
    verdict. The verdict is empty where chance explains the change."""
    for figure, each in report["comparison"]["figures"].items():
        name = figure.rpartition(".")[2]
        write = (lambda mean: f"{mean:.2f}") if name in ("questions", "marks_f1") else percent
        verdict = ""
        if each["chance"] < CHANCE:
            verdict = say(language, f"bench.{_way(each)}")
        counts = (str(len(each["better"])), str(len(each["worse"])), f"{each['chance']:.2g}", verdict)
        yield Told(
            _figure(figure, language),
            (write(each["before"]), write(each["now"]), *counts),
            (False, False, False, bool(each["worse"]), False, False),
        )


def changed_photos(report: Mapping[str, Any], language: Language) -> Iterator[Told]:
    """The photos that became worse, then those that became better, for each statistic; worse ones are
    `bad`."""
    for way in ("worse", "better"):
        for figure, each in report["comparison"]["figures"].items():
            if each[way]:
                words = (
                    _figure(figure, language) + say(language, "bench.colon") + say(language, f"bench.{way}")
                )
                yield Told(words, tuple(each[way]), (way == "worse",) * len(each[way]))


def _way(told: Mapping[str, Any]) -> str:
    return "better" if len(told["better"]) > len(told["worse"]) else "worse"


def _figure(figure: str, language: Language) -> str:
    """The display name of a compared statistic, such as `path_exact` or `hurried.right`."""
    player, _, name = figure.rpartition(".")
    key = {"questions": "questions_mean", "sure_and_wrong": "ended_sure_and_wrong"}.get(name, name)
    words = say(language, f"bench.{'ended_sure' if player and name == 'sure' else key}")
    return say(language, f"bench.player.{player}") + say(language, "bench.colon") + words if player else words


def glance(report: Mapping[str, Any], language: Language) -> str:
    """A summary of a comparison in one sentence."""
    told = report["comparison"]
    every = told["figures"].values()
    return say(
        language,
        "bench.glance",
        photos=told["photos"],
        better=len({photo for each in every for photo in each["better"]}),
        worse=len({photo for each in every for photo in each["worse"]}),
        apart=len(told["only_before"]) + len(told["only_now"]),
    )
