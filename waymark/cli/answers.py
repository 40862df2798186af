"""Output of the commands: tables on standard output, JSON on request, one-sentence errors, and the exit
statuses of docs/FORMATS.md."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
import msgspec

from scorer.errors import Code, WaymarkError
from scorer.text import LANGUAGES, Language, Text
from waymark.phrases import environment_language, say, sentence

if TYPE_CHECKING:
    from rich.console import Console

STANDARD_STREAM = "-"
PIPE_COLUMNS = 120


class Output:
    """The targets of a command's answer: tables on standard output, and JSON in the file of `--json`."""

    def __init__(self, json_file: str | None, language: Language) -> None:
        self.json_file = json_file
        self.language = language

    @property
    def for_people(self) -> bool:
        """Whether standard output is free for tables, as JSON does not go there."""
        return self.json_file != STANDARD_STREAM

    @property
    def console(self) -> Console:
        from rich.console import Console

        # A file or a pipe has no width of its own; rich would take 80 columns.
        return Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_COLUMNS)

    def say(self, key: str, **values: object) -> None:
        """Print one sentence, if standard output is free for it."""
        if self.for_people:
            click.echo(say(self.language, key, **values))

    def complain(self, error: WaymarkError, about: str | None = None) -> None:
        """Print an error as one sentence on standard error; `about` names the input, where there are
        several."""
        where = f"{about}: " if about is not None else ""
        click.echo(f"waymark: {where}{error.message(self.language)}", err=True)

    def answer(self, value: object) -> None:
        """Write the JSON answer, if it was asked for."""
        if self.json_file is None:
            return
        text = msgspec.json.format(msgspec.json.encode(value), indent=1)
        if self.json_file == STANDARD_STREAM:
            sys.stdout.buffer.write(text + b"\n")
            return
        try:
            Path(self.json_file).write_bytes(text + b"\n")
        except (OSError, ValueError) as error:
            raise self._not_writable() from error

    def check_target(self) -> None:
        """Raises `WaymarkError` where the JSON file is not writable, before any work is done."""
        if self.json_file is not None and self.json_file != STANDARD_STREAM and not writable(self.json_file):
            raise self._not_writable()

    def _not_writable(self) -> WaymarkError:
        return wrong_usage("json.not_writable", file=self.json_file)

    def error_answer(self, error: WaymarkError) -> dict[str, dict[str, str]]:
        """An error as JSON-ready data (docs/FORMATS.md, "Commands")."""
        return {"error": {"code": error.code, "message": error.message(self.language)}}

    def fail(self, error: WaymarkError) -> NoReturn:
        """Print an error, write it as the JSON answer and exit with its status."""
        self.complain(error)
        with suppress(
            WaymarkError
        ):  # where the answer cannot be written, the first error is told all the same
            self.answer(self.error_answer(error))
        sys.exit(error.exit_status)


def writable(name: str) -> bool:
    """Whether a file of this name is probably writable; nothing is written to find out."""
    file = Path(name)
    try:
        return os.access(file if file.exists() else file.parent, os.W_OK) and not file.is_dir()
    except (OSError, ValueError):
        return False


def wrong_usage(key: str, **values: object) -> WaymarkError:
    """The usage error (exit status 2) with the message `key`."""
    return WaymarkError(Code.USAGE, sentence(key, **values))


def asked_output(arguments: Sequence[str]) -> Output:
    """The output targets and language of a command line, even if the line has errors elsewhere."""
    language = given_value(["--lang"], arguments)
    return Output(
        given_value(["--json"], arguments), language if language in LANGUAGES else environment_language()
    )


def asked_language() -> Language:
    """The language of this program's command line."""
    return asked_output(sys.argv[1:]).language


def given_value(names: Sequence[str], arguments: Sequence[str]) -> str | None:
    """Value of an option, from `--json FILE` or `--json=FILE`; the last one counts. None where the
    option is missing."""
    value = None
    for position, argument in enumerate(arguments):
        if argument == "--":
            break
        name, equals, attached = argument.partition("=")
        if name in names and equals:
            value = attached
        elif name in names and position + 1 < len(arguments):
            value = arguments[position + 1]
    return value


def explain_option(key: str) -> str:
    """The help text `key` in the language of this program's command line."""
    return say(asked_language(), key)


def with_output(command: Callable[..., None]) -> Callable[..., None]:
    """Decorator: adds `--json` and `--lang` to a command as one `Output`, and turns a `WaymarkError`
    into a one-sentence exit."""

    @click.option("--json", "json_file", metavar="FILE", help=explain_option("help.opt.json"))
    @click.option("--lang", type=click.Choice(LANGUAGES), help=explain_option("help.opt.lang"))
    @wraps(command)
    def wrapper(json_file: str | None, lang: Language | None, **arguments: Any) -> None:
        output = Output(json_file, lang or environment_language())
        try:
            output.check_target()
            command(output=output, **arguments)
        except WaymarkError as error:
            output.fail(error)

    return wrapper


def answer_each(
    output: Output,
    inputs: Sequence[str],
    work: Callable[[str], object],
    show: Callable[[str, Any], None],
    *,
    answer: Callable[[Any], object] = lambda value: value,
    at_once: int = 1,
) -> None:
    """Write the answer for a single input, or a list of answers in order for several. Failed inputs have
    an error in their place.

    `work` computes the value of one input; `at_once` of them run in threads, with a progress bar where
    that is more than one. `show` prints a value for people, `answer` gives its JSON form. Ends the
    command with the exit status of docs/FORMATS.md."""
    # Everything is said after the bar has gone: while it moves, rich takes both output streams for its own.
    if at_once > 1 and len(inputs) > 1:
        results = _in_threads(output, work, inputs, at_once)
    else:
        results = [_attempt(work, name, _debugging()) for name in inputs]
    answers: list[object] = []
    errors: list[WaymarkError] = []
    for name, result in zip(inputs, results, strict=True):
        if isinstance(result, WaymarkError):
            errors.append(result)
            answers.append(output.error_answer(result))
            output.complain(result, name if len(inputs) > 1 else None)
        else:
            answers.append(answer(result))
            if output.for_people:
                show(name, result)
    output.answer(answers[0] if len(inputs) == 1 else answers)
    if len(errors) == len(inputs):
        sys.exit(errors[0].exit_status)


def _in_threads(
    output: Output, work: Callable[[str], object], inputs: Sequence[str], at_once: int
) -> list[object]:
    """The values of all inputs in order, computed by a pool of threads."""
    pool = ThreadPoolExecutor(at_once)
    try:
        # Whether to print tracebacks is known to this thread only.
        begun = [pool.submit(_attempt, work, name, _debugging()) for name in inputs]
        return [each.result() for each, _ in zip(begun, with_progress(output, inputs), strict=True)]
    finally:
        # An interrupt does not wait for photos that nobody has begun.
        pool.shutdown(cancel_futures=True)


def _debugging() -> bool:
    return bool(click.get_current_context().find_root().params.get("debug"))


def _attempt(work: Callable[[str], object], name: str, debugging: bool) -> object:
    """The value of one input, or the error that it raised."""
    try:
        return work(name)
    except WaymarkError as error:
        return error
    except Exception as bug:  # One photo that trips over a mistake of ours must not lose the others.
        if debugging:
            traceback.print_exc()
        return _internal_error(name, bug)


def _internal_error(name: str, bug: Exception) -> WaymarkError:
    what = f"{type(bug).__name__}: {bug}".splitlines()[0]
    return WaymarkError(
        Code.INTERNAL,
        Text(
            "{name!r} could not be processed because of a mistake in Waymark ({what}); please report it with "
            "the file.",
            name=name,
            what=what,
        ),
    )


def with_progress(output: Output, inputs: Sequence[str]) -> Iterator[str]:
    """Yield the inputs behind a progress bar on standard error."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(
        inputs,
        description=say(output.language, "progress"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
