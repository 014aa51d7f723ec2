"""Runs all cells of the notebooks."""

import importlib.util
import json
import os
import pathlib

import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[3] / "docs/notebooks").glob("*.ipynb"))
NEEDS = {"train_a_network": "torch"}
SEVENTEEN_CLUES = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def require(package):
    """Skips the test if the package is missing; with NINEFOLD_REQUIRE=torch, a missing torch is a failure."""
    if importlib.util.find_spec(package) is None:
        missing = pytest.fail if package in os.environ.get("NINEFOLD_REQUIRE", "").split(",") else pytest.skip
        missing(f"{package} is not installed")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch, tmp_path):
    if path.stem in NEEDS:
        require(NEEDS[path.stem])
    collection = tmp_path / "17_clue.txt"
    collection.write_text(SEVENTEEN_CLUES + "\n")
    monkeypatch.setenv("NINEFOLD_17_CLUE", str(collection))
    monkeypatch.setenv("NOTEBOOK_STEPS", "20")
    monkeypatch.delenv("NOTEBOOK_WEIGHTS", raising=False)
    names = {"__name__": "__main__"}
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert cells
    for number, cell in enumerate(cells, 1):
        code = compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec")
        exec(code, names)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_committed_with_their_outputs(path):
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert sum(bool(cell["outputs"]) for cell in cells) > len(cells) // 2
    assert not any(output["output_type"] == "error" for cell in cells for output in cell["outputs"])
