"""SQL over files of puzzles, as Arrow tables."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING

from ._inputs import integer
from ._native import NinefoldError

if TYPE_CHECKING:
    import pyarrow

HOW_TO_INSTALL = "cargo install --path crates/cli --no-default-features --features sql,parquet"


def sql(
    query: str,
    *,
    cluster: str | None = None,
    partitions: int | None = None,
    threads: int | None = None,
    memory: str | None = None,
    command: str | os.PathLike[str] | None = None,
) -> pyarrow.Table:
    """Runs an SQL query over files of puzzles and returns its rows as a ``pyarrow.Table``, with columns for ``to_pandas`` and
    ``polars.from_arrow``. Names in single quotes are files: CSV, TSV, JSON, Parquet or lists.

    The query engine is a part of the command ``ninefold`` and not of this package, because it is larger than everything else.
    Install it with ``cargo install --path crates/cli --no-default-features --features sql,parquet``. The command is searched
    for in the environment variable ``NINEFOLD_COMMAND`` and in ``PATH``, or is ``command``.

    - ``cluster``: the scheduler of a cluster, such as "localhost:50050"; ``partitions``: at least this many there.
    - ``threads``: all cores by default.
    - ``memory``: the limit for sorting, grouping and joining, such as "4GiB".

    >>> table = sql("select puzzle, rate('se', puzzle) er from 'puzzles.csv'")   # doctest: +SKIP
    >>> table.schema.names                                                       # doctest: +SKIP
    ['puzzle', 'er']
    """
    try:
        import pyarrow
    except ImportError as error:
        raise NinefoldError("ninefold.sql requires pyarrow: pip install pyarrow") from error
    if not isinstance(query, str):
        raise TypeError(f"expected a query as a string, found {type(query).__name__}")
    arguments = [_command(command), "sql", "--quiet", "--format", "arrow"]
    for name, value in (("cluster", cluster), ("memory", memory)):
        if value is not None:
            arguments += [f"--{name}", value]
    for name, number in (("partitions", partitions), ("threads", threads)):
        if number is not None:
            arguments += [f"--{name}", str(integer(name, number, 1))]
    # The query comes from standard input, whose length is not limited. Errors go to a file, so that neither pipe can be full
    # while this process waits for the other.
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as given:
        given.write(query.encode())
        given.seek(0)
        process = subprocess.Popen([*arguments, "-"], stdin=given, stdout=subprocess.PIPE, stderr=errors)
        assert process.stdout is not None
        table, problem = None, None
        try:
            try:
                with pyarrow.ipc.open_stream(process.stdout) as reader:
                    table = reader.read_all()
            except (pyarrow.ArrowException, OSError) as error:
                problem = error
            process.stdout.close()
            status = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        if status == 0 and table is not None:
            return table
        errors.seek(0)
        raise NinefoldError(_message(errors.read().decode(errors="replace"), status)) from problem


def _command(given: str | os.PathLike[str] | None) -> str:
    """The path of the command."""
    name = os.fspath(given) if given is not None else os.environ.get("NINEFOLD_COMMAND") or "ninefold"
    found = shutil.which(name)
    if found is None:
        raise NinefoldError(
            f"ninefold.sql needs the command ninefold with SQL, and {name} was not found. Build it in a clone of Ninefold "
            f"with `{HOW_TO_INSTALL}`; NINEFOLD_COMMAND names a command that is not in PATH"
        )
    return found


def _message(text: str, status: int) -> str:
    """The error of the command, with its hint."""
    if "does not contain `sql`" in text or "unrecognized subcommand" in text:
        return f"this build of the command ninefold has no SQL; build it with `{HOW_TO_INSTALL}`"
    parts = [part.strip() for part in text.split("\n\n") if part.strip()]
    if not parts:
        return f"the command ninefold ended with status {status}"
    return "; ".join(part.removeprefix("error: ").replace("\n", " ") for part in parts)
