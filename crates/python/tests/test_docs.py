"""Runs the examples in the documentation."""

import doctest
import importlib
import inspect
import pathlib

import pytest

import ninefold

MODULES = ["ninefold", "ninefold.solving", "ninefold.make", "ninefold.data", "ninefold.steps", "ninefold.rating",
           "ninefold.networks", "ninefold.files", "ninefold.photos", "ninefold.variants"]
PAGES = pathlib.Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0 and result.failed == 0


def test_examples_in_the_manual_run():
    page = PAGES / "python.md"
    if not page.exists():
        pytest.skip("docs/python.md is in the repository, not in the package")
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 20 and result.failed == 0


def test_every_function_has_a_description_and_an_example():
    for name in ninefold.__all__:
        item = getattr(ninefold, name)
        if inspect.isfunction(item):
            assert item.__doc__ and ">>>" in item.__doc__, name


def test_the_package_is_typed():
    folder = pathlib.Path(ninefold.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_native.pyi").exists()
    stub = (folder / "_native.pyi").read_text()
    for name in dir(ninefold._native):
        if not name.startswith("_"):
            assert any(f"{start}{name}" in stub for start in ("def ", "class ", "\n")), f"{name} has no stub"
