"""Usage errors as one sentence, and help texts in both languages; click's own are English and several
lines long.

A faulty command line ends as any other error does, with a `WaymarkError` (code `usage`, exit status 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from scorer.errors import WaymarkError
from waymark.cli.answers import asked_language, asked_output, explain_option, given_value, wrong_usage
from waymark.phrases import say

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_ARGUMENTS = "waymark.arguments"
#: click's name for a number that has a range.
_RANGE = re.compile(r"(?<=<=)x\b|\bx(?=[<>]=)")
#: By package above `waymark`: a package that its commands need, and what to install where it is missing.
EXTRAS = {"webapp": ("flask", "waymark[web]")}
#: The group of entry points by which packages above `waymark` add commands to it.
COMMANDS = "waymark.commands"
#: Exit status of a program that was stopped by an interrupt.
STOPPED = 130


class _Explained(click.Command):
    """A command with its help in both languages."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = explain_option("help.opt.help")
        return option

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        language = asked_language()
        words = {
            self.options_metavar: say(language, "help.usage.options"),
            getattr(self, "subcommand_metavar", None): say(language, "help.usage.command"),
        }
        pieces = " ".join(words.get(piece, piece) for piece in self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=say(language, "help.usage"))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        records = [record for option in options if (record := option.get_help_record(ctx)) is not None]
        default = say(asked_language(), "help.default")

        def told(text: str) -> str:
            # A range of numbers: the placeholder is N.
            return _RANGE.sub("N", text.replace("[default:", f"[{default}"))

        with formatter.section(say(asked_language(), "help.options")):
            formatter.write_dl([(names, told(text)) for names, text in records])


class Command(_Explained):
    """A command that raises `WaymarkError` for wrong usage."""

    allow_extra_args = True  # so that `parse_args` can name them

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            raise _in_one_sentence(error, ctx, given) from error
        if rest and not ctx.resilient_parsing:
            raise wrong_usage("usage.extra", extra=" ".join(rest), command=ctx.command_path)
        return rest


class Commands(_Explained, click.Group):
    """A group of commands that raises `WaymarkError` for wrong usage. The top-level group prints the
    error and exits. It also includes commands that higher packages register.

    `modules`: module and name of the commands that are imported only when they are called, by their words."""

    command_class = Command
    group_class = type

    def __init__(
        self, *arguments: Any, modules: Mapping[str, str] = MappingProxyType({}), **more: Any
    ) -> None:
        super().__init__(*arguments, **more)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._modules, *self.commands, *(_commands_above() if ctx.parent is None else ())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._modules:
            module, _, name = self._modules[cmd_name].partition(":")
            known: click.Command = getattr(import_module(module), name)
            return known
        command = super().get_command(ctx, cmd_name)
        if command is None and ctx.parent is None and cmd_name in (above := _commands_above()):
            command = _loaded(above[cmd_name], cmd_name)
        return command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        given = list(args)
        try:
            ctx = super().make_context(info_name, args, parent, **extra)
        except WaymarkError as error:
            if parent is not None:
                raise
            asked_output(given).fail(error)
        ctx.meta.setdefault(_ARGUMENTS, given)
        return ctx

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except WaymarkError as error:
            if ctx.parent is not None:
                raise
            asked_output(ctx.meta[_ARGUMENTS]).fail(error)
        except KeyboardInterrupt:
            if ctx.parent is not None:
                raise
            click.echo("\n" + say(asked_output(ctx.meta[_ARGUMENTS]).language, "stopped"), err=True)
            ctx.exit(STOPPED)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.exceptions.NoArgsIsHelpError:
            raise  # the help tells more than a sentence
        except click.UsageError as error:
            raise _in_one_sentence(error, ctx, given) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise _in_one_sentence(error, ctx, args) from error

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(say(asked_language(), "help.commands")):
            commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
            formatter.write_dl(
                [(name, command.get_short_help_str(200)) for name, command in commands.items() if command]
            )


def _loaded(entry: EntryPoint, name: str) -> click.Command:
    """The command of an entry point; where its packages are not installed, a command that reports this."""
    needed, extra = EXTRAS.get(entry.module.partition(".")[0], ("", ""))
    if not needed or find_spec(needed) is not None:
        command: click.Command = entry.load()
        return command

    def refuse(**_: object) -> None:
        raise wrong_usage("usage.not_installed", name=name, extra=extra)

    return Command(
        name,
        params=[click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)],
        callback=refuse,
        help=say(asked_language(), "help.not_installed", extra=extra),
        context_settings={"ignore_unknown_options": True},
    )


def _commands_above() -> dict[str, EntryPoint]:
    """Entry points of commands that other packages register, by command name."""
    from importlib.metadata import entry_points  # takes 15 ms; most calls are of the commands in `modules`

    return {entry.name: entry for entry in entry_points(group=COMMANDS)}


# --- sentences ----------------------------------------------------------------------------------------------


def _in_one_sentence(error: click.UsageError, ctx: click.Context, arguments: Sequence[str]) -> WaymarkError:
    """A click usage error as a one-sentence `WaymarkError`; `arguments` belong to the command of `ctx`."""
    command = ctx.command_path
    if isinstance(error, click.NoSuchOption):
        return wrong_usage("usage.no_option", option=error.option_name, command=command)
    if isinstance(error, click.exceptions.NoSuchCommand):
        return wrong_usage("usage.no_command", name=error.command_name, command=command)
    if isinstance(error, click.BadOptionUsage):
        option = _option(ctx, error.option_name)
        if option is not None and not option.is_flag:
            form = option.make_metavar(ctx)
            return wrong_usage("usage.needs_value", option=error.option_name, form=form, command=command)
        return wrong_usage("usage.no_value", option=error.option_name, command=command)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return wrong_usage("usage.missing", what=_shown(error.param, ctx), command=command)
    if isinstance(error, click.BadParameter) and error.param is not None:
        value = given_value(error.param.opts, arguments)
        values = {"option": _shown(error.param, ctx), "value": value or "", "command": command}
        if isinstance(error.param.type, click.Choice):
            return wrong_usage("usage.choice", choices=", ".join(error.param.type.choices), **values)
        return wrong_usage("usage.value", **values)
    return wrong_usage("usage.other", command=command)


def _option(ctx: click.Context, name: str) -> click.Option | None:
    for parameter in ctx.command.params:
        if isinstance(parameter, click.Option) and name in parameter.opts:
            return parameter
    return None


def _shown(parameter: click.Parameter, ctx: click.Context) -> str:
    """A parameter's display name: `--paper`, or `PHOTO...` for an argument."""
    return parameter.opts[-1] if isinstance(parameter, click.Option) else parameter.make_metavar(ctx)
