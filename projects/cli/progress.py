"""Shows the progress of a run: a line for each step, and on a terminal a bar for the current."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from coterie.projects.cli.terminal import harmless, own_stream

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from coterie.projects.cli.session_runner import Work
    from coterie.projects.jobs.job import EngineJob
    from coterie.projects.jobs.trials import Trials, TrialTable

T = TypeVar("T", bound="TrialTable")


class StepLines:
    """A line for each step that is done with. Use it in a `with` statement."""

    def __init__(self, names: tuple[str, ...], console: Console | None = None) -> None:
        from rich.console import Console

        self._console = console or Console(highlight=False, file=own_stream())
        self._width = max((len(name) for name in names), default=0)
        self._bars: Progress | None = None
        self._task: Any = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bars = _bars(self._console)
            self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.clear()
        if self._bars is not None:
            self._bars.stop()

    def at_work(self, job: EngineJob) -> None:
        """Move the bar of the step at work."""
        if self._bars is None or not job.active:
            return
        if self._task is None:
            self._task = self._bars.add_task(harmless(job.title), total=1.0, message="")
        self._bars.update(
            self._task,
            description=harmless(f"{job.title:<{self._width}}"),
            completed=job.done,
            message=harmless(job.message),
        )

    def at_last(self, what: str) -> None:
        """Show that something without steps of its own is at work, such as writing a large file."""
        if self._bars is not None:
            self.clear()
            self._task = self._bars.add_task(harmless(what), total=None, message="")

    def clear(self) -> None:
        """Take the bar away: the step is done with."""
        if self._bars is not None and self._task is not None:
            self._bars.remove_task(self._task)
            self._bars.refresh()  # else the next line is printed above the old bar
            self._task = None

    def line(self, name: str, text: str, style: str = "") -> None:
        """Show what became of a step."""
        from rich.text import Text

        said = Text(harmless(f"{name:<{self._width}}  "), style="bold")
        said.append(harmless(text), style=f"not bold {style}".strip())
        self._console.print(said, soft_wrap=True)

    def note(self, text: str) -> None:
        """Add a remark below the last line."""
        self.line("", text, "dim")


def _bars(console: Console) -> Progress:
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[message]}", markup=False),
        console=console,
        transient=True,
    )


def finished_trials(work: Work, trials: Trials[T], title: str, count: int) -> T:
    """Finish trials that have been started, with a bar on a terminal; return their table."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(title, total=count)

        def on_table(table: TrialTable) -> None:
            bars.update(task, completed=table.done)

        trials.changed.connect(on_table)
        work.finish()
    assert trials.table is not None
    return trials.table
