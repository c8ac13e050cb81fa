"""Joins the commands into one program, and turns every error into one line and an exit code."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated

import typer

from coterie.core.engine.options import EngineOptions
from coterie.core.errors import Cancelled, CoterieError
from coterie.core.io.tracing import HOOKS
from coterie.core.io.tracing import VARIABLE as TRACE
from coterie.core.optional_parts import missing_part
from coterie.core.version import VERSION
from coterie.projects.cli.commands import ALIASES, COMMANDS
from coterie.projects.cli.commands.assess import assess
from coterie.projects.cli.commands.attach import attach
from coterie.projects.cli.commands.certify import certify
from coterie.projects.cli.commands.classify import classify
from coterie.projects.cli.commands.compare import compare
from coterie.projects.cli.commands.cross_validate import cross_validate
from coterie.projects.cli.commands.describe import describe
from coterie.projects.cli.commands.doctor import doctor
from coterie.projects.cli.commands.export import export
from coterie.projects.cli.commands.finish import finish
from coterie.projects.cli.commands.info import info
from coterie.projects.cli.commands.methods import methods
from coterie.projects.cli.commands.plugin import plugin
from coterie.projects.cli.commands.relink import relink
from coterie.projects.cli.commands.report import report
from coterie.projects.cli.commands.run import run
from coterie.projects.cli.commands.sample import sample
from coterie.projects.cli.commands.show import show
from coterie.projects.cli.commands.sweep import sweep
from coterie.projects.cli.commands.validate import validate
from coterie.projects.cli.terminal import LastingStream, guarded_streams, harmless

FAILED, WRONG_USAGE = 1, 2
INTERRUPTED = 130  # what shells expect after Ctrl-C

# typer carries a copy of click in some versions and imports it in others; this finds its class.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="coterie",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run)
app.command("compare")(compare)
app.command("certify")(certify)
app.command("sweep")(sweep)
app.command("cross-validate")(cross_validate)
app.command("info")(info)
app.command("show")(show)
app.command("export")(export)
app.command("classify")(classify)
app.command("finish")(finish)
app.command("assess")(assess)
app.command("report")(report)
app.command("methods")(methods)
app.command("describe")(describe)
app.command("sample")(sample)
app.command("validate")(validate)
app.command("relink")(relink)
app.command("attach")(attach)
app.command("doctor")(doctor)
app.add_typer(plugin)
# Names of 0.1, which scripts use.
app.command("embed", hidden=True)(attach)
app.command("repeat", hidden=True)(cross_validate)


def _say_version(asked: bool) -> None:
    if asked:
        typer.echo(f"coterie {VERSION}")
        raise typer.Exit


@app.callback()
def coterie(
    context: typer.Context,
    safe_mode: Annotated[
        bool, typer.Option("--safe-mode", help="Load built-in methods only.")
    ] = False,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_say_version, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Find the groups in a data set and what matters in each of them.

    Without a command the window opens: coterie, or coterie FILE with a project, a recipe or data.
    coterie --self-test tries whether this installation works.
    """
    context.obj = EngineOptions(safe_mode=safe_mode)


@cache
def _program() -> Callable[..., object]:
    """All commands, joined once: a script, or a test, may give many in one process."""
    return typer.main.get_command(app)


def carry_out(arguments: Sequence[str]) -> int:
    """Carry out a command and return the exit code.

    An error is one line on stderr; with --json also an object with its code on stdout.
    """
    with guarded_streams():
        return _carry_out(arguments)


def _carry_out(arguments: Sequence[str]) -> int:
    try:
        code = _program()(list(arguments), prog_name="coterie", standalone_mode=False)
        if isinstance(sys.stdout, LastingStream):
            sys.stdout.finish()
    except UsageError as error:
        complain(f"{_message(error)} See 'coterie {_help_for(error)}--help'.")
        return WRONG_USAGE
    except Cancelled as error:
        complain(str(error))
        return INTERRUPTED
    except CoterieError as error:
        complain(str(error))
        if "--json" in arguments:
            typer.echo(json.dumps({"error": {"code": error.code, "message": str(error)}}))
        return FAILED
    except OSError as error:
        complain(f"{_about_file(error)}. Check the path, its permissions and the free disk space.")
        return FAILED
    except Exception as error:
        if (said := missing_part(error)) is not None:
            complain(str(said))
            return FAILED
        reason = f"{type(error).__name__}: {error}".rstrip(".: ")
        complain(f"{reason}. This is a bug in Coterie; set {TRACE}=1 to see the traceback.")
        return FAILED
    return code if isinstance(code, int) else 0


def complain(text: str) -> None:
    """Say on one line of stderr what was wrong; COTERIE_TRACE adds the traceback."""
    if os.environ.get(TRACE) not in (None, "", HOOKS):
        traceback.print_exc()
    typer.echo(harmless(" ".join(text.split())), err=True)


def _message(error: Exception) -> str:
    format_message = getattr(error, "format_message", error.__str__)
    text = str(format_message())
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _help_for(error: Exception) -> str:
    """The command whose help to point to; empty when there was none."""
    context = getattr(error, "ctx", None)
    words = str(getattr(context, "command_path", "")).split()[1:]
    return f"{' '.join(words)} " if words and words[0] in (*COMMANDS, *ALIASES) else ""


def _about_file(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    return f"'{error.filename}': {reason}" if error.filename else reason
