"""Reading files, tables of other libraries, and their errors."""

import gzip

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION

import ninefold

FOUR, FOUR_SOLUTION = "1..4..1..3..4..3", "1234341223414123"


def test_reads_every_format_that_the_package_writes(tmp_path, generated):
    x, y = generated.puzzles[:30], generated.solutions[:30]
    lines, solutions = (ninefold._native.write(rows, (3, 3)) for rows in (x, y))
    table = "puzzle,solution,rating,source\n" + "".join(f"{a},{b},hard,me\n" for a, b in zip(lines, solutions))
    texts = {
        "list.txt": "\n".join(lines) + "\n",
        "table.csv": table,
        "table.tsv": table.replace(",", "\t"),
        "kaggle.csv": table.replace("puzzle,solution", "quizzes,solutions").replace(".", "0"),
        "list.json": str([{"puzzle": a, "solution": b} for a, b in zip(lines, solutions)]).replace("'", '"'),
        "list.sdm": "\n".join(lines).replace(".", "0"),
    }
    for name, text in texts.items():
        for path in (tmp_path / name, tmp_path / f"{name}.gz"):
            path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
            found = ninefold.read(path)
            assert (found.puzzles == x).all() and found.boxes == (3, 3), name
            assert found.solutions is None if "list.txt" in name or "sdm" in name else (found.solutions == y).all(), name
    assert ninefold.read(tmp_path / "table.csv").ratings == ["hard"] * 30
    assert ninefold.read(tmp_path / "table.csv").sources == ["me"] * 30
    assert ninefold.read(tmp_path / "list.txt").sources is None
    assert (ninefold.read(tmp_path / "list.txt", limit=7).puzzles == x[:7]).all()
    assert ninefold.read(tmp_path / "list.txt", limit=0).puzzles.shape == (0, 81)


def test_reads_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"question": [FOUR, FOUR], "answer": [FOUR_SOLUTION, None]}), tmp_path / "four.parquet")
    found = ninefold.read(tmp_path / "four.parquet")
    assert found.puzzles.shape == (2, 16) and found.solutions.sum(axis=1).tolist() == [40, 0]


def test_files_of_mixed_sizes_and_rules_are_lists_of_puzzles(tmp_path):
    [killer] = ninefold.generate_variants(1, rules="killer", size=4, seed=1)
    (tmp_path / "mixed.txt").write_text(f"{PUZZLE}\n{FOUR}\n")
    (tmp_path / "killer.json").write_text(killer.to("json"))
    assert [one.side for one in ninefold.read_puzzles(tmp_path / "mixed.txt")] == [9, 4]
    assert ninefold.read_puzzles(tmp_path / "killer.json") == [killer]
    with pytest.raises(ninefold.NinefoldError, match="mixed.txt: puzzle 1 has the size 4×4.*read_puzzles"):
        ninefold.read(tmp_path / "mixed.txt")
    with pytest.raises(ninefold.NinefoldError, match="killer.json: puzzle 0 has rules of its own: killer cage"):
        ninefold.read(tmp_path / "killer.json")


def test_errors_name_the_file_and_the_line(tmp_path):
    (tmp_path / "list.txt").write_text(f"{PUZZLE}\n{PUZZLE.replace('5', 'q', 1)}\n")
    with pytest.raises(ninefold.NinefoldError, match='list.txt: line 2: row 1, column 1: expected a digit or .*, found "q"'):
        ninefold.read(tmp_path / "list.txt")
    with pytest.raises(FileNotFoundError, match="absent.csv"):
        ninefold.read(tmp_path / "absent.csv")
    (tmp_path / "cut.parquet").write_bytes(b"PAR1")
    with pytest.raises(ninefold.NinefoldError, match="cut.parquet"):
        ninefold.read(tmp_path / "cut.parquet")


def test_names_of_files_are_not_puzzles(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list").write_text(PUZZLE)
    for name in ("puzzles.csv", "no/such/list.txt", "list"):
        with pytest.raises(ninefold.NinefoldError, match=r"found the name of a file: '.*'; ninefold.read\('.*'\) reads it"):
            ninefold.solve(name)
    with pytest.raises(ninefold.NinefoldError, match="found the name of a file"):
        ninefold.solve(tmp_path / "list")


def test_data_frames_use_their_column_of_puzzles():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"quizzes": [PUZZLE.replace(".", "0"), "11" + "." * 79], "solutions": [SOLUTION, SOLUTION]}, index=[5, 6])
    solved = ninefold.solve(frame)
    assert isinstance(solved.solutions, pandas.Series) and list(solved.solutions.index) == [5, 6]
    assert solved.solutions[5] == SOLUTION and solved.solutions.isna().tolist() == [False, True]
    assert solved.counts.tolist() == [1, 0] and solved.counts.name == "count"
    frame["solution"] = ninefold.solve(frame["quizzes"]).solutions
    assert frame["solution"][5] == SOLUTION
    assert ninefold.rate(frame["quizzes"][:1], "se").tolist() == [1.2]
    with pytest.raises(ninefold.NinefoldError, match="expected a column puzzle or puzzles or quizzes, found a, b"):
        ninefold.solve(pandas.DataFrame({"a": [PUZZLE], "b": [SOLUTION]}))
    for missing in (None, float("nan")):
        with pytest.raises(ninefold.NinefoldError, match="puzzle 1: expected a string, found (None|nan)"):
            ninefold.solve(pandas.Series([PUZZLE, missing], dtype=object))


def test_polars_and_arrow_columns_keep_their_library():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    frame = polars.DataFrame({"id": [1, 2], "puzzle": [PUZZLE, "11" + "." * 79]})
    solved = ninefold.solve(frame)
    assert isinstance(solved.solutions, polars.Series) and solved.solutions.to_list() == [SOLUTION, None]
    assert frame.with_columns(ninefold.solve(frame["puzzle"]).solutions).columns == ["id", "puzzle", "solution"]
    table = pyarrow.table({"question": [PUZZLE]})
    assert ninefold.solve(table).solutions.to_pylist() == [SOLUTION]
    assert ninefold.solve(table["question"]).counts.to_pylist() == [1]


def test_text_arrays_of_other_shapes():
    characters = np.array([list(PUZZLE), list(SOLUTION)])
    assert characters.shape == (2, 81)
    assert ninefold.solve(characters).solutions == [SOLUTION, SOLUTION]
    assert ninefold.solve(characters.astype("S")).solutions == [SOLUTION, SOLUTION]
    assert ninefold.solve(characters[0]).solutions == SOLUTION
    assert ninefold.solve(list(PUZZLE)).solutions == SOLUTION
    assert ninefold.solve(characters[0].reshape(9, 9)).solutions == SOLUTION
    columns = np.array([[PUZZLE, SOLUTION]] * 3)
    with pytest.raises(ninefold.NinefoldError, match=r"expected one column of puzzles, found an array of shape \(3, 2\)"):
        ninefold.solve(columns)
    assert len(ninefold.solve(columns[:, 0]).solutions) == 3


def test_errors_name_the_row_and_the_value():
    with pytest.raises(ninefold.NinefoldError, match="puzzle 1: expected a string, found 5"):
        ninefold.solve([PUZZLE, 5])
    with pytest.raises(ninefold.NinefoldError, match="puzzle 0: expected a string, found None"):
        ninefold.solve([None, PUZZLE])
    with pytest.raises(ninefold.NinefoldError, match='puzzle 2: row 1, column 1: expected a digit or .*, found "q"'):
        ninefold.solve([PUZZLE, PUZZLE, "q" + PUZZLE[1:]])
    numbers = np.zeros((3, 81))
    numbers[2, 7] = np.nan
    with pytest.raises(TypeError, match=r"found float64; the value at \[2, 7\] is .*nan"):
        ninefold.solve(numbers)
    rows = [[0] * 81, [0] * 80 + [None]]
    with pytest.raises(TypeError, match=r"found object; the value at \[1, 80\] is None"):
        ninefold.solve(rows)
