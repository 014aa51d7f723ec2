"""SQL through the command: Arrow tables, and errors that say what to do."""

import os
import shutil
import sys

import pytest

import ninefold

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
COMMAND = os.environ.get("NINEFOLD")
needs_sql = pytest.mark.skipif("NINEFOLD_COMMAND" not in os.environ, reason="NINEFOLD_COMMAND names no command with SQL")


@needs_sql
def test_rows_are_an_arrow_table(tmp_path):
    x, y = ninefold.generate(3000, seed=1, clues=30)
    text = lambda rows: ["".join(map(str, row)) for row in rows]  # noqa: E731
    table = pyarrow.table({"id": range(3000), "puzzle": text(x), "solution": text(y)})
    parquet.write_table(table, tmp_path / "puzzles.parquet")
    query = f"select id, clues(puzzle) n, solve(puzzle) = solution same from '{tmp_path}/puzzles.parquet' order by id"
    rows = ninefold.sql(query, threads=1, memory="512MiB")
    assert isinstance(rows, pyarrow.Table) and rows.schema.names == ["id", "n", "same"]
    assert rows["id"].to_pylist() == list(range(3000))
    assert set(rows["n"].to_pylist()) == {30} and all(rows["same"].to_pylist())
    empty = ninefold.sql("select puzzle from generate(1, 5, '') where false")
    assert empty.num_rows == 0 and empty.schema.names == ["puzzle"]
    assert ninefold.sql("select 'ä\"' as \"ü\"")["ü"].to_pylist() == ['ä"']
    long = ", ".join(["'x'"] * 100_000)
    assert ninefold.sql(f"select count(*) n from generate(1, 5, '') where puzzle in ({long})")["n"].to_pylist() == [0]


@needs_sql
def test_errors_of_queries_have_their_hints():
    with pytest.raises(ninefold.NinefoldError, match="file not found: absent.csv; hint: relative names"):
        ninefold.sql("select * from 'absent.csv'")
    with pytest.raises(ninefold.NinefoldError, match="unknown scale 'see'"):
        ninefold.sql("select rate('see', 'x')")
    with pytest.raises(ninefold.NinefoldError, match="cannot connect to a scheduler"):
        ninefold.sql("select 1", cluster="127.0.0.1:1", partitions=4)


def test_a_missing_command_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setenv("NINEFOLD_COMMAND", str(tmp_path / "absent"))
    with pytest.raises(ninefold.NinefoldError, match="absent was not found. Build it .* --features sql,parquet"):
        ninefold.sql("select 1")
    with pytest.raises(TypeError, match="expected a query as a string, found int"):
        ninefold.sql(5)
    with pytest.raises(ninefold.NinefoldError, match="threads: expected"):
        ninefold.sql("select 1", threads=0, command=sys.executable)
    with pytest.raises(ninefold.NinefoldError, match="NINEFOLD_COMMAND|can't open file|No such file"):
        ninefold.sql("select 1", command=sys.executable)


@pytest.mark.skipif(COMMAND is None, reason="NINEFOLD names no command")
def test_a_command_without_sql_is_an_error():
    if shutil.which(COMMAND) is None or "NINEFOLD_COMMAND" in os.environ:
        pytest.skip("the command has SQL")
    with pytest.raises(ninefold.NinefoldError, match="has no SQL; build it with `cargo install"):
        ninefold.sql("select 1", command=COMMAND)
