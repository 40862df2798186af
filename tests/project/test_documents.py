"""Documents: short READMEs, a generated page of commands, links that lead somewhere, commands that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tools import document_api, figures
from tools.document_commands import PAGE, all_commands, page
from waymark.bench.bounds import upper_bound
from waymark.cli.main import cli
from webapp.app import create_app  # noqa: F401  (declares the endpoints)
from webapp.http.api.openapi import document

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "samples", "tests", "scorer", "calibration", ".github")
DOCUMENTS = sorted(
    file
    for file in [*ROOT.glob("*.md"), *(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.md"))]
    if "sets" not in file.parts and file.name != "CHANGELOG.md"
)
COMMANDS = {name: command for name, command in all_commands(cli)}


@pytest.mark.parametrize("name", ["README.md", "README.ja.md"])
def test_the_readme_is_short(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert len(text.encode()) <= 8_000


def test_the_changelog_is_short() -> None:
    assert len((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()) <= 40


def test_the_page_of_commands_is_what_the_commands_declare() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tools.document_commands`"
    assert {"waymark serve", "waymark score", "waymark data backup", "waymark deck print"} <= COMMANDS.keys()


def test_the_page_of_the_api_is_what_the_docstrings_say() -> None:
    page = document_api.page()
    assert document_api.PAGE.read_text(encoding="utf-8") == page, "run `python -m tools.document_api`"
    assert {"read", "score", "referee", "draw", "Reading"} <= {*document_api.names()}
    assert "\n### Reading.answer\n" in page


def test_figures_in_documents_are_those_of_the_results() -> None:
    assert figures.stale() == [], "run `python -m tools.figures`"
    shown = [
        name for file in figures.documents() for _, name, _ in figures.BLOCK.findall(file.read_text("utf-8"))
    ]
    assert "test-evening-3100" in shown


def test_figures_that_differ_from_the_results_are_noticed() -> None:
    card = (ROOT / "docs" / "reader-card.md").read_text(encoding="utf-8")
    shown = figures.table(figures.results_of("test-evening-3100"))
    assert shown in card
    changed = card.replace(shown, shown.replace("%", "9%"))
    assert changed != card == figures.written(changed)


RESULTS = {file.stem: figures.results_of(file.stem) for file in figures.RESULTS.glob("*.json")}
RUNS = [(name, run) for name, results in sorted(RESULTS.items()) for run in results.get("runs", [results])]


@pytest.mark.parametrize(("name", "results"), RUNS, ids=[name for name, _ in RUNS])
def test_results_say_what_was_run(name: str, results: Any) -> None:
    run, photos, total = results["run"], results["photos"], results["total"]
    assert re.fullmatch(r"[0-9a-f]{40}", run["commit"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", run["date"])
    assert run["split"] and any(line.startswith("waymark bench ") for line in run["commands"])
    assert run["n"] == len(photos) == total["photos"] > 0


@pytest.mark.parametrize("name", sorted(name for name, each in RESULTS.items() if "runs" in each))
def test_results_of_boards_hang_together(name: str) -> None:
    assert (figures.RESULTS / f"{name}.json").stat().st_size < 100_000
    arts = [each["run"]["art"] for each in RESULTS[name]["runs"]]
    assert len(set(arts)) == len(arts) >= 2, "own art, and art that was held out"
    for each in RESULTS[name]["runs"]:
        photos, total = each["photos"], each["total"]
        for key in ("tiles", "board", "sure"):
            assert total[key] == [sum(row[key] for row in photos), len(photos)], key
        assert total["pieces"] == [sum(row["pieces"][k] for row in photos) for k in (0, 1)]
        assert total["wrong"][0] == sum(row["sure"] and not row["board"] for row in photos)
        assert total["wrong_bound"] == pytest.approx(upper_bound(*total["wrong"]))


@pytest.mark.parametrize("name", sorted(name for name, each in RESULTS.items() if "runs" not in each))
def test_results_hang_together(name: str) -> None:
    results = figures.results_of(name)
    photos, total = results["photos"], results["total"]
    assert (figures.RESULTS / f"{name}.json").stat().st_size < 100_000
    for key in ("every_card_right", "path_exact", "counts_exact", "sure"):
        assert total[key] == pytest.approx(sum(row[key] for row in photos) / len(photos)), key
    wrong = sum(row["sure"] and not row["outcome_exact"] for row in photos)
    assert total["sure_and_wrong_count"] == wrong
    assert total["wrong_among_sure_bound"] == pytest.approx(upper_bound(wrong, total["sure_count"]))
    for who, end in total["players"].items():
        ends = [row["players"][who] for row in photos]
        assert end["right"] == pytest.approx(sum(each["right"] for each in ends) / len(ends))
        assert end["sure_and_wrong_count"] == sum(each["sure_and_wrong"] for each in ends)
        assert end["questions"] == sum(each["questions"] for each in ends)


@pytest.mark.parametrize("heading", ["Map Masters, versus", "Map Masters, cooperative", "Boards"])
def test_figures_of_the_reader_name_command_set_and_number(heading: str) -> None:
    card = (ROOT / "docs" / "reader-card.md").read_text(encoding="utf-8")
    section = card[card.index(f"## {heading}\n") :].split("\n## ")[0]
    assert re.search(r"waymark bench\b", section)
    assert re.search(r"`(?:test|validation)-[\w-]+", section)
    assert re.search(r"\bn = \d+|\| n \|", section)


def test_constants_of_the_experiments_have_date_set_and_number() -> None:
    rows = re.findall(
        r"^\| `[\w.]+` \|.*$", (ROOT / "docs" / "experiments.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) >= 70
    assert [
        row for row in rows if not re.search(r"^\| `[\w.]+` \| \d{4}-\d\d-\d\d \|(?: [^|]+ \|){3}$", row)
    ] == []


#: Where modules are named: a path with its ending, or dotted names of a package.
PATHS = re.compile(r"(?<![\w./-])(?:[\w-]+/)+[\w.-]+\.(?:py|js|html|po|onnx|toml|txt|sh)\b")
DOTTED = re.compile(
    r"(?<![\w./-])(?:scorer|vision|calibration|waymark|webapp|samples|tools)(?:\.\w+)+(?![\w/])"
)
PACKAGES = ("scorer", "vision", "calibration", "waymark", "webapp")
#: Names that begin like a package and are none: a file of a data folder, an entry-point group.
NO_MODULES = {"waymark.sqlite3", "waymark.games"}
#: Where documents name files from: the project, their own folder, the game of adding-a-game.md.
FOLDERS_OF_PATHS = (ROOT, ROOT / "tests" / "support" / "fifth_game")


@cache
def names_in(module: Path) -> frozenset[str]:
    """All names that a module's source defines or imports, in classes too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name)
    return frozenset(found)


def is_there(dotted: str) -> bool:
    """Whether a dotted name is a package, a module, or what a module's source names."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        at = ROOT.joinpath(*parts[:count])
        module = at / "__init__.py" if at.is_dir() else at.with_suffix(".py")
        if at.is_dir() and count == len(parts):
            return True
        if module.is_file():
            return {*parts[count:]} <= names_in(module)
    return False


def code_spans(text: str) -> list[str]:
    """What stands between backticks, outside fenced blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_modules_that_documents_name_exist(file: Path) -> None:
    wrong = []
    for span in code_spans(file.read_text(encoding="utf-8")):
        paths = [
            path
            for path in PATHS.findall(span)
            if "sets/" not in path and not path.startswith(("out/", "DIR"))
        ]
        wrong += [
            path for path in paths if not any((at / path).exists() for at in (file.parent, *FOLDERS_OF_PATHS))
        ]
        wrong += [name for name in DOTTED.findall(span) if name not in NO_MODULES and not is_there(name)]
    assert wrong == []


def test_a_name_that_no_module_has_is_noticed() -> None:
    assert is_there("waymark.review.decision.decide")
    assert is_there("webapp.scans.leases.Leases.sweep")
    assert is_there("vision.cards")
    assert not is_there("waymark.review.decision.decided_by_nobody")
    assert not is_there("vision.cards.no_such_module")


def test_fields_of_the_api_that_formats_explain_exist() -> None:
    text = (ROOT / "docs" / "FORMATS.md").read_text(encoding="utf-8")
    section = text[text.index("## 13. ") : text.index("## Commands")]
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|", section, re.MULTILINE)
    schemas = document()["components"]["schemas"]
    explained = {(schema, field) for schema, fields in rows for field in re.findall(r"\w+", fields)}
    assert [each for each in explained if each[1] not in schemas[each[0]]["properties"]] == []
    assert {
        ("Review", "lead"),
        ("Shortcoming", "bears"),
        ("BoardAsked", "put"),
        ("NewGame", "lot"),
    } <= explained
    assert {("BoardView", "begins"), ("SeenBoard", "quarters"), ("GameView", "state")} <= explained
    said = {name: schemas[name].get("description", "") for name, _ in explained}
    # The ids of things need no words of their own.
    needed = {each for each in explained if not each[1].endswith("_id")}
    assert [each for each in needed if f"`{each[1]}`" not in said[each[0]]] == []


@pytest.mark.parametrize(
    "path", ["/tableaus/{tableau_id}/bring", "/export/games.json", "/export/plays.xml", "/games", "/photos"]
)
def test_addresses_that_formats_name_exist(path: str) -> None:
    assert path in document()["paths"]
    assert path.rpartition("/")[2] in (ROOT / "docs" / "FORMATS.md").read_text(encoding="utf-8")


ARCHITECTURE = sorted((ROOT / "docs" / "architecture").glob("*.md"))


@pytest.mark.parametrize("file", ARCHITECTURE, ids=lambda file: file.name)
def test_pages_of_the_architecture_are_easy_to_read(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 120] == []
    assert len(lines) <= 150
    text = re.sub(r"^```.*?^```", "", "\n".join(lines), flags=re.DOTALL | re.MULTILINE)
    blocks = [
        block for block in re.split(r"\n\s*\n", text) if not block.lstrip().startswith(("|", "-", "1.", "#"))
    ]
    assert [block for block in blocks if len(block.split()) > 120] == []


@pytest.mark.parametrize("file", ARCHITECTURE, ids=lambda file: file.name)
def test_modules_in_diagrams_exist(file: Path) -> None:
    modules = {each.name for package in PACKAGES for each in (ROOT / package).rglob("*.py")}
    text = file.read_text(encoding="utf-8")
    diagrams = "".join(re.findall(r"^```mermaid\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    assert {*re.findall(r"\b\w+\.py\b", diagrams)} - modules == set()
    folders = re.findall(r"\b((?:vision|waymark|webapp|calibration)/[a-z_]+)\b(?!\.)", diagrams)
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("Where is glare handled?", "vision.ink.occlusion.washed_out"),
        ("Where does a question get its answers?", "waymark.review.tableau.options.options_of"),
        ("Who decides whether a score is sure?", "waymark.review.decision.decide"),
        ("Where is an upload refused?", "webapp.http.body_limits.body_limit"),
        ("Where are means paid?", "scorer.mapmasters.rules.means.Purse.pay"),
        ("Where does a ruling become points?", "scorer.mapmasters.rules.objectives.objective_score"),
        ("How is a tile board's plane found?", "vision.boards.plane.find_plane"),
        ("Where are a deck's icons learned?", "calibration.enrol.propose.icons.named_prints"),
        ("What does a worker do when it dies?", "webapp.scans.leases.Leases.sweep"),
        ("Where are a page's words?", "webapp/translations/ja/"),
    ],
)
def test_a_newcomer_finds_it_in_two_hops(question: str, place: str) -> None:
    """The first page names the place; the page that it links explains it."""
    first = ROOT / "docs" / "architecture" / "README.md"
    items = [item for item in first.read_text("utf-8").split("\n- ") if item.startswith(f"**{question}**")]
    assert len(items) == 1
    assert f"`{place}`" in items[0]
    assert re.search(r"\]\([\w./#-]+\)\.\s*(?:\n\n|$)", items[0])


def test_every_page_of_the_architecture_is_reached_from_its_first() -> None:
    first = (ROOT / "docs" / "architecture" / "README.md").read_text(encoding="utf-8")
    assert {file.name for file in ARCHITECTURE} - {"README.md"} == {
        target for target in re.findall(r"\]\(([\w-]+\.md)\)", first)
    }


def anchors(text: str) -> set[str]:
    """The anchors that a Markdown page's headings get."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_somewhere(file: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", file.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        there = (file.parent / path).resolve() if path else file
        if not there.exists() or (anchor and anchor not in anchors(there.read_text(encoding="utf-8"))):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_commands_exist(file: Path) -> None:
    """`waymark ...` in a code span or block names a command and options that it has."""
    wrong = []
    text = file.read_text(encoding="utf-8")
    for words in re.findall(r"(?:^|`)(?:\.venv/bin/)?(waymark [a-z][^`\n]*)", text, re.MULTILINE):
        words = words.replace("scan|score", "score")
        fits = [name for name in COMMANDS if f"{words} ".startswith(f"{name} ")]
        if not fits:
            wrong += [words] * (not any(name.startswith(f"{words} ") for name in COMMANDS))
            continue
        options = {option for parameter in COMMANDS[max(fits, key=len)].params for option in parameter.opts}
        told = re.findall(r"(?<=\s)--[a-z][a-z-]*", words)
        wrong += [words for option in told if option not in options | {"--help"}]
    assert wrong == []
