"""The report of a run as an HTML page on disk: statistics, groups, the reliability diagram, changes
since an earlier run, and the worst photos as read and as in the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from scorer.errors import Code, WaymarkError
from scorer.text import Language, Text
from waymark.bench import told
from waymark.bench.diagram import draw_reliability
from waymark.bench.groups import NONE
from waymark.bench.table_report import tables_told
from waymark.bench.worst import picture_files
from waymark.phrases import say

PAGE, DIAGRAM = "index.html", "reliability.png"

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #14161a; background: #fff; margin: 0 auto;
  max-width: 1500px; padding: 1rem 1.5rem 4rem; }
h1, h2, h3 { line-height: 1.2; overflow-wrap: anywhere; } h2 { margin-top: 2.5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #dfe2e7; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
@media (max-width: 50rem) { th[scope="row"] { white-space: normal; } }
thead th { border-bottom: 2px solid #14161a; white-space: normal; vertical-align: bottom; }
td.bad, .bad { color: #a33c00; font-weight: 700; }
.lead { font-size: 1.1rem; max-width: 60rem; }
.photos { overflow-wrap: anywhere; max-width: 60rem; }
article { border-top: 1px solid #dfe2e7; margin-top: 2rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); gap: 1rem; }
figure { margin: 0; } img { max-width: 100%; height: auto; display: block; }
figcaption { color: #555b66; }
"""


def make_folder(name: str) -> Path:
    """The folder of a page, created before any other work. Raises `WaymarkError` (not-writable)."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PAGE).touch()
    except OSError as error:
        raise WaymarkError(
            Code.NOT_WRITABLE,
            Text(
                "The page cannot be written to {name!r}; name a folder that can be made and written.",
                name=name,
            ),
        ) from error
    return folder


def write_page(folder: Path, report: Mapping[str, Any], photos: str, language: Language) -> None:
    """Write the page on a run over the folder `photos`; the pictures of the worst photos lie in `folder`
    already (`waymark.bench.worst`)."""
    draw_reliability(report["reliability"], language).save(folder / DIAGRAM)
    title = escape(say(language, "bench.title", folder=photos))
    body = "\n".join(_body(folder, report, language))
    (folder / PAGE).write_text(
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{body}\n</main>\n</body>\n</html>\n",
        encoding="utf-8",
    )


def _body(folder: Path, report: Mapping[str, Any], language: Language) -> Iterator[str]:
    def heading(key: str) -> str:
        return f"<h2>{escape(say(language, key))}</h2>"

    if "tables" in report:
        yield _table(*tables_told(report["tables"], language))
    if not report["photos"]:
        return
    yield f'<p class="lead">{escape(told.sure_and_wrong_sentence(report["total"], language))}</p>'
    if "comparison" in report:
        yield heading("bench.compared")
        yield from _comparison(report, language)
    yield heading("bench.summary")
    names = [say(language, "bench.total", count=report["total"]["photos"]), *list(told.columns(report))[1:]]
    yield _table(["", *names], told.summary(report, language))
    yield heading("bench.groups")
    yield _table(*told.groups(report, language))
    yield heading("bench.reliability")
    yield f'<p class="lead">{escape(say(language, "bench.reliability.how"))}</p>'
    yield f'<img src="{DIAGRAM}" alt="{escape(say(language, "bench.reliability"))}">'
    yield heading("bench.worst")
    rows = {row["photo"]: row for row in report["photos"]}
    if not report["worst"]:
        yield f"<p>{escape(say(language, 'bench.worst.none'))}</p>"
    for number, photo in enumerate(report["worst"], 1):
        yield from _photo(folder, number, rows[photo], language)


def _table(names: Sequence[str], lines: Iterable[told.Told]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    rows = "\n".join(
        f'<tr><th scope="row">{escape(line.name)}</th>'
        + "".join(
            f'<td class="bad">{escape(value)}</td>' if bad else f"<td>{escape(value)}</td>"
            for value, bad in zip(line.values, line.bad, strict=True)
        )
        + "</tr>"
        for line in lines
    )
    head = f"<thead><tr>{head}</tr></thead>"
    return f'<div class="scroll"><table>\n{head}\n<tbody>\n{rows}\n</tbody></table></div>'


def _comparison(report: Mapping[str, Any], language: Language) -> Iterator[str]:
    yield f'<p class="lead">{escape(told.glance(report, language))}</p>'
    yield _table(told.change_columns(language), told.changes(report, language))
    for each in told.changed_photos(report, language):
        photos = escape(say(language, "list.comma").join(each.values))
        yield f'<p class="photos"><b{_bad(any(each.bad))}>{escape(each.name)}</b> {photos}</p>'


def _bad(bad: bool) -> str:
    return ' class="bad"' if bad else ""


def _photo(folder: Path, number: int, row: Mapping[str, Any], language: Language) -> Iterator[str]:
    """HTML of one of the worst photos: its faults, its groups and its two pictures."""
    yield f"<article>\n<h3>{number}. {escape(row['photo'])}</h3>"
    yield f"<p>{escape(say(language, 'list.comma').join(_faults(row, language)))}</p>"
    made_of = [
        name if value == "true" else f"{name}: {value}"
        for name, value in row["groups"].items()
        if value not in NONE
    ]
    if made_of:
        yield f"<p>{escape(say(language, 'list.comma').join(made_of))}</p>"
    for name, end in row["players"].items():
        yield f"<p{_bad(end['sure_and_wrong'])}>{escape(_end(name, end, language))}</p>"
    yield '<div class="pair">'
    for key, file in zip(("read", "true"), picture_files(number), strict=True):
        if (folder / file).exists():
            words = escape(say(language, f"bench.worst.{key}"))
            yield (
                f'<figure><a href="{file}"><img src="{file}" alt="{words}" loading="lazy"></a>'
                f"<figcaption>{words}</figcaption></figure>"
            )
    yield "</div>\n</article>"


def _faults(row: Mapping[str, Any], language: Language) -> Iterator[str]:
    """The faults of a reading, one word for each."""
    if row["error"]:
        yield next(words for _, words in told.unread({"photos": [row]}, language))
        return
    if row["sure"] and not row["outcome_exact"]:
        yield say(language, "bench.ended_sure_and_wrong")
    elif not row["sure"]:
        yield say(language, "bench.reliability.not_sure")
    if not row["every_card_right"]:
        yield say(
            language,
            "bench.worst.cards",
            right=row["cards_right"],
            count=row["card_count"],
            extra=row["cards_extra"],
        )
    wrong = [key for key in ("tableau_exact", "path_exact", "counts_exact", "escape_right") if not row[key]]
    if wrong:
        names = say(language, "list.comma").join(say(language, f"bench.worst.{key}") for key in wrong)
        yield say(language, "bench.worst.wrong", what=names)
    for marks in ("circled", "struck"):
        missed, extra = row[marks]["only_truth"], row[marks]["only_read"]
        if missed or extra:
            yield say(language, f"bench.worst.{marks}", missed=missed, extra=extra)


def _end(player: str, end: Mapping[str, Any], language: Language) -> str:
    """How a photo ended for a player, and what he answered."""
    ended = "right" if end["right"] else "wrong"
    asked = say(language, "list.comma").join(
        f"{each['name']} → {each['option'] + 1 if each['settles'] else '?'}/{each['answers']}"
        for each in end["asked"]
    )
    return say(
        language,
        "bench.worst.end",
        player=say(language, f"bench.player.{player}"),
        ended=say(language, f"bench.worst.ended_{ended}"),
        sure=say(language, f"bench.reliability.{'sure' if end['sure'] else 'not_sure'}"),
        asked=asked or say(language, "bench.worst.nothing_asked"),
    )
