"""Shared constants and fixtures."""

import pytest

import ninefold

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.fixture(scope="session")
def generated():
    """A thousand puzzles with their solutions."""
    return ninefold.generate(1000, seed=1)
