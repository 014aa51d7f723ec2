"""The notebooks run from top to bottom."""

import json
import pathlib

import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[3] / "docs/notebooks").glob("*.ipynb"))
NEEDS = {"train_a_network": "torch"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch, capsys):
    if path.stem in NEEDS:
        pytest.importorskip(NEEDS[path.stem], reason=f"{path.stem} needs {NEEDS[path.stem]}, which is not installed")
    monkeypatch.setenv("NOTEBOOK_STEPS", "20")
    names = {"__name__": "__main__"}
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert cells
    for number, cell in enumerate(cells, 1):
        code = compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec")
        exec(code, names)
