"""Explanations, hints and ratings, also compared with the command line."""

import json
import math
import os
import pickle
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION

import ninefold

COMMAND = os.environ.get("NINEFOLD")
needs_command = pytest.mark.skipif(not COMMAND, reason="NINEFOLD does not name the native command")


def test_explanations_lead_to_the_solution(generated):
    explanation = ninefold.explain(PUZZLE)
    assert explanation.end == "solved" and explanation.solution == explanation.reached == SOLUTION
    assert len(explanation) == len(list(explanation)) == explanation[-1].number
    grid = list(PUZZLE)
    for step, before in zip(explanation, explanation.grids()):
        assert "".join(grid) == before
        for place in step.places:
            assert grid[place.index] == "." and SOLUTION[place.index] == str(place.digit)
            grid[place.index] = str(place.digit)
    assert "".join(grid) == SOLUTION
    many = ninefold.explain(generated.puzzles[:20])
    assert all(one.end == "solved" for one in many)
    assert many[3] == ninefold.explain(generated.puzzles[3])


def test_notebooks_display_pictures_as_svg():
    explanation = ninefold.explain(PUZZLE)
    for svg in (explanation.svg(), explanation[0].svg, explanation[0]._repr_svg_(), ninefold.picture(PUZZLE)):
        assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert explanation.svg(1) != explanation.svg(2)
    assert "<svg" in explanation[0]._repr_html_() and "<svg" in explanation._repr_html_()
    assert explanation.page().lstrip().lower().startswith("<!doctype html")
    with pytest.raises(ninefold.NinefoldError):
        explanation.svg(999)


def test_explanations_can_be_pickled():
    explanation = ninefold.explain(PUZZLE, language="de")
    copy = pickle.loads(pickle.dumps(explanation))
    assert copy == explanation and copy[0].text == explanation[0].text and copy.svg(1) == explanation.svg(1)
    step = pickle.loads(pickle.dumps(explanation[2]))
    assert step == explanation[2] and step.svg == explanation[2].svg
    assert pickle.loads(pickle.dumps(ninefold.hint(PUZZLE))) == ninefold.hint(PUZZLE)


def test_explain_respects_techniques_and_limits():
    singles = ninefold.explain(PUZZLE, techniques=["naked-single"])
    assert {step.slug for step in singles} <= {"naked-single"}
    assert len(ninefold.explain(PUZZLE, steps=3)) == 3
    hardest = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    assert ninefold.explain(hardest, seconds=0).end == "time"
    assert "xx" not in ninefold.techniques(all=True) and len(ninefold.techniques()) > 20
    for wrong in ({"techniques": ["xx"]}, {"language": "xx"}, {"seconds": -1}, {"steps": -1}):
        with pytest.raises(ninefold.NinefoldError):
            ninefold.explain(PUZZLE, **wrong)
    with pytest.raises(ninefold.NinefoldError, match="5"):
        ninefold.explain("55" + "." * 79)


def test_hint_uses_entries_and_marks():
    hint = ninefold.hint(PUZZLE)
    assert hint.answer == "step" and len(hint.stages) == 3 and str(hint) == hint.stages[2]
    wrong = PUZZLE[:2] + "1" + PUZZLE[3:]
    assert ninefold.hint(PUZZLE, wrong).answer == "mistake"
    marks = [[] for _ in range(81)]
    marks[2] = [1, 2]
    assert ninefold.hint(PUZZLE, marks=marks).answer == "mistake"
    assert ninefold.hint(SOLUTION).answer == "solved"
    with pytest.raises(ninefold.NinefoldError, match="contradicts the clue"):
        ninefold.hint(PUZZLE, "1" + PUZZLE[1:])
    with pytest.raises(ninefold.NinefoldError):
        ninefold.hint(PUZZLE, marks=[[1]])


def test_step_labels_match_the_solution(generated):
    x = generated.puzzles[:30]
    labels = ninefold.step_labels(x)
    assert len({len(column) for column in labels.values()}) == 1
    placed = labels["placed"]
    right = generated.solutions[labels["puzzle"][placed], labels["cell"][placed]] == labels["digit"][placed]
    assert right.all() and placed.sum() == (x == 0).sum()
    removed = generated.solutions[labels["puzzle"][~placed], labels["cell"][~placed]] != labels["digit"][~placed]
    assert removed.all()
    explanation = ninefold.explain(x[0])
    mine = labels["puzzle"] == 0
    assert labels["technique"][mine][0] == explanation[0].slug
    assert labels["step"][mine].max() == len(explanation) - 1


def test_step_labels_convert_to_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(ninefold.step_labels(PUZZLE))
    assert table.num_rows == 51 and "technique" in table.column_names


@pytest.mark.parametrize("scale", ninefold.SCALES)
def test_every_scale_returns_ratings(scale):
    x = ninefold.generate(5, seed=1, clues=(30, 34)).puzzles
    values = ninefold.rate(x, scale)
    assert values.shape == (5,) and not np.isnan(values).any()
    assert ninefold.rate(x[0], scale) == values[0]
    assert isinstance(ninefold.rate(x[0], scale, details=True), dict)
    # High levels of consistency are slow on an empty grid.
    unrated = ninefold.rate("." * 81, scale, details=True, seconds=1)
    assert unrated["reason"] and math.isnan(ninefold.rate("." * 81, scale, seconds=1))
    with pytest.raises(ninefold.NinefoldError, match="unknown scale"):
        ninefold.rate(x, "weight")


@needs_command
def test_command_returns_the_same_explanations(generated):
    for language in ("en", "de"):
        line = "".join(map(str, generated.puzzles[7]))
        command = [COMMAND, "explain", "--json", "--language", language, line]
        output = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        explanation = ninefold.explain(generated.puzzles[7], language=language)
        assert [step["text"] for step in output["steps"]] == [step.text for step in explanation]


@needs_command
def test_command_returns_the_same_ratings(generated):
    lines = ["".join(map(str, row)) for row in generated.puzzles[:10]]
    command = [COMMAND, "rate", "--scale", "se,hodoku,dupree", "--csv", *lines]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    head = table[0].split(",")
    columns = {name: [float(row.split(",")[place]) for row in table[1:]] for place, name in enumerate(head) if name in
               ("se_er", "hodoku_score", "dupree_score")}
    assert columns["se_er"] == ninefold.rate(generated.puzzles[:10], "se").tolist()
    assert columns["hodoku_score"] == ninefold.rate(generated.puzzles[:10], "hodoku").tolist()
    assert columns["dupree_score"] == ninefold.rate(generated.puzzles[:10], "dupree").tolist()
