"""Settings that hold for every test."""

import pytest
from hypothesis import settings

# No deadline: two busy cores are slower than one idle. The same examples each time: a failure can be run again.
settings.register_profile("localeval", deadline=None, derandomize=True)
settings.load_profile("localeval")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of two test processes one runs all that loads an engine, so that each is loaded once; others go by file."""
    for item in items:
        group = "engine" if item.get_closest_marker("engine") else item.path.name
        item.add_marker(pytest.mark.xdist_group(group))
