"""Container, compose and workflow files parse, and every path, command, option and service in them exists.
Nothing is built or started here."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from waymark.cli.main import cli

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
#: As `docker compose -f` is given them in docs/operations.md.
COMPOSED = (
    ["compose.yaml"],
    ["compose.yaml", "compose.scale.yaml"],
    ["compose.yaml", "compose.internet.yaml"],
)
YAML_FILES = sorted(
    [*ROOT.glob("*.yaml"), *ROOT.glob(".*.yaml"), *(ROOT / ".github").rglob("*.yml")],
    key=lambda file: file.name,
)


class Loader(yaml.SafeLoader):  # type: ignore[misc]
    """YAML with the tag by which compose takes away what an earlier file has."""


Loader.add_constructor("!reset", lambda *_: None)


def loaded(name: str) -> Any:
    return yaml.load((ROOT / name).read_text(encoding="utf-8"), Loader)


@pytest.mark.parametrize("file", YAML_FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_yaml_parses_and_names_nothing_twice(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert isinstance(yaml.load(text, Loader), dict)

    def repeated(node: yaml.Node) -> list[str]:
        if isinstance(node, yaml.SequenceNode):
            return [name for each in node.value for name in repeated(each)]
        if not isinstance(node, yaml.MappingNode):
            return []
        keys = [key.value for key, _ in node.value]
        return [key for key in keys if keys.count(key) > 1] + [n for _, v in node.value for n in repeated(v)]

    assert repeated(yaml.compose(text, Loader)) == []


def check_waymark_call(words: list[str]) -> None:
    """The words after `waymark` name a command, and options that it has."""
    command: click.Command | None = cli
    rest = list(words)
    while isinstance(command, click.Group) and rest:
        name = rest.pop(0)
        command = command.get_command(click.Context(command), name)
        assert command is not None, f"waymark has no command {name}"
    assert command is not None
    options = {option for parameter in command.params for option in parameter.opts}
    told = {word.partition("=")[0] for word in rest if word.startswith("-")}
    assert told <= options, words


def docker_instructions(name: str) -> list[str]:
    joined = DOCKERFILE.replace("\\\n", " ")
    return [line.partition(" ")[2] for line in joined.splitlines() if line.startswith(f"{name} ")]


def copied() -> set[str]:
    """What the Dockerfile copies from the repository."""
    calls = [shlex.split(line) for line in docker_instructions("COPY") if not line.startswith("--from=")]
    return {source for call in calls for source in call[:-1]}


def test_the_image_copies_what_the_wheel_is_built_from() -> None:
    packages = {
        name.removesuffix("*") for name in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    }
    about = {PROJECT["project"]["readme"], *PROJECT["project"]["license-files"]}
    assert copied() >= {"pyproject.toml", "setup.py", *packages, *about}
    assert all((ROOT / source).exists() for source in copied())
    # What is copied is sent to the builder.
    ignored = set((ROOT / ".dockerignore").read_text(encoding="utf-8").split())
    assert not copied() & ignored
    # What setup.py imports beyond setuptools is installed before it runs: there is no isolated build.
    assert "PIL" in (ROOT / "setup.py").read_text(encoding="utf-8") and "pillow==" in locked()


def locked() -> str:
    """The lock files that the image installs, one after the other."""
    installed = re.findall(r"-r (\S+\.lock)", DOCKERFILE)
    assert set(installed) <= copied()
    return "".join((ROOT / name).read_text(encoding="utf-8") for name in installed)


@pytest.mark.parametrize("extra", ["build", "web", "postgresql", "s3"])
def test_the_image_holds_what_its_commands_need(extra: str) -> None:
    names = {re.split(r"[\[=><]", each)[0] for each in PROJECT["project"]["optional-dependencies"][extra]}
    assert {name for name in names if f"\n{name}==" not in f"\n{locked()}"} == set()


def test_the_image_starts_the_table_and_tells_its_health() -> None:
    (entry,), (command,) = docker_instructions("ENTRYPOINT"), docker_instructions("CMD")
    assert yaml.safe_load(entry) == ["/venv/bin/waymark"]
    words = yaml.safe_load(command)
    assert words[0] == "serve"
    check_waymark_call(words)
    address = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", docker_instructions("HEALTHCHECK")[0])
    assert address
    serve = cli.get_command(click.Context(cli), "serve")
    assert serve is not None
    (port,) = (each for each in serve.params if each.name == "port")
    assert docker_instructions("EXPOSE") == [address[1]] == [str(port.default)]
    pages = (ROOT / "webapp" / "http" / "pages" / "access.py").read_text(encoding="utf-8")
    assert f'@pages.get("{address[2]}")' in pages
    # Not as root, with a folder that it may write to.
    assert docker_instructions("USER") == ["waymark"]
    assert "chown waymark /data" in DOCKERFILE and words[words.index("--data") + 1] == "/data"


def merged(names: list[str]) -> dict[str, Any]:
    """Services, volumes and networks of several compose files, as compose lays them over each other."""
    services: dict[str, dict[str, Any]] = {}
    places: dict[str, set[str]] = {"volumes": set(), "networks": set()}
    for name in names:
        read = loaded(name)
        for service, told in read["services"].items():
            services[service] = services.get(service, {}) | told
        for kind in places:
            places[kind] |= set(read.get(kind) or ())
    return {"services": services, **places}


@pytest.mark.parametrize("names", COMPOSED, ids=lambda names: "+".join(names))
def test_services_are_whole_and_find_each_other(names: list[str]) -> None:
    made = merged(names)
    services = made["services"]
    for name, told in services.items():
        assert ("build" in told) != ("image" in told), name
        assert told.get("build", ".") == "."
        if "build" in told and "command" in told:
            check_waymark_call(told["command"])
        for volume in told.get("volumes", ()):
            assert volume.partition(":")[0] in made["volumes"], volume
        assert set(told.get("networks", ())) <= made["networks"]
        waits = told.get("depends_on", {})
        for other in waits:
            assert other in services, f"{name} waits for {other}"
            if isinstance(waits, dict) and waits[other]["condition"] == "service_healthy":
                own = services[other].get("healthcheck", {})
                assert own.get("test") or ("build" in services[other] and not own.get("disable")), other


@pytest.mark.parametrize("names", COMPOSED, ids=lambda names: "+".join(names))
def test_addresses_in_commands_are_those_of_services(names: list[str]) -> None:
    services = merged(names)["services"]
    for told in services.values():
        words = " ".join(map(str, [*told.get("command", ()), *told.get("entrypoint", ())]))
        hosts = re.findall(r"(?:@|http://|--to )([a-z]+)[:/]", words) if "command" in told else []
        assert set(hosts) <= services.keys()


def test_many_tables_and_workers_share_database_and_photos() -> None:
    services = merged(["compose.yaml", "compose.scale.yaml"])["services"]

    def places(service: str) -> dict[str, str]:
        parts = (word.partition("=") for word in services[service]["command"][1:])
        # A variable's sentence for when it is missing is told once.
        return {name: re.sub(r"(\$\{\w+):\?[^}]*", r"\1", value) for name, _, value in parts}

    assert places("table") == places("worker")
    assert places("table").keys() >= {"--database", "--photos"}
    assert services["worker"]["deploy"]["replicas"] == 2
    bucket = re.match(r"s3://(\w+)/", places("table")["--photos"])
    assert bucket and f"mc mb --ignore-existing s/{bucket[1]}" in services["bucket"]["entrypoint"][-1]


def test_a_table_on_the_internet_has_a_pin_and_no_open_port() -> None:
    read = loaded("compose.internet.yaml")
    table, proxy = read["services"]["table"], read["services"]["proxy"]
    assert table["ports"] is None and "443:443" in proxy["ports"]
    assert table["environment"]["WAYMARK_PIN"].startswith("${WAYMARK_PIN:?")
    (trusted,) = (word for word in table["command"] if word.startswith("--trusted-proxy="))
    (network,) = read["networks"].values()
    assert trusted.partition("=")[2] == network["ipam"]["config"][0]["subnet"]
    used = set(re.findall(r"WAYMARK_[A-Z]+", (ROOT / "webapp" / "cli.py").read_text(encoding="utf-8")))
    assert set(table["environment"]) <= used


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def test_the_workflow_runs_what_is_here() -> None:
    jobs = loaded(".github/workflows/ci.yml")["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]) for step in steps if "uses" in step)
    runs = "\n".join(step["run"] for step in steps if "run" in step)
    named = re.findall(r"(?<![\w/])(?:\.ci|tools|samples|tests)/[\w./-]+|requirements[\w-]*\.lock", runs)
    assert {".ci/run", "requirements-dev.lock"} <= set(named)
    assert [name for name in named if not (ROOT / name).exists()] == []
    for line in re.findall(r"-m waymark (.+)$", runs, re.MULTILINE):
        check_waymark_call(shlex.split(line))
    versions = [step["with"]["python-version"] for step in steps if "python-version" in step.get("with", {})]
    least = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert versions and all(
        tuple(map(int, v.split("."))) >= tuple(map(int, least.split("."))) for v in versions
    )
    # The same on Linux, in one script.
    made = re.findall(r"^make ([\w-]+)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert made and set(made) <= make_targets()


def test_hooks_run_what_make_check_runs() -> None:
    (local,) = loaded(".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local"
    for hook in local["hooks"]:
        assert hook["language"] == "system"
        program, *arguments = shlex.split(hook["entry"])
        assert program in MAKEFILE, program
        assert not program.startswith("tools/") or os.access(ROOT / program, os.X_OK)
        assert all((ROOT / each).exists() for each in arguments if each.endswith(".toml"))
