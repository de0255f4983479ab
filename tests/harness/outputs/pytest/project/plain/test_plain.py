import pytest


def test_one():
    pass


def test_two():
    pass


@pytest.mark.parametrize("n", [1, 2])
def test_skips(n):
    pytest.skip("twice")
