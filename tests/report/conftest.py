"""A finished evaluation by all methods, run once for all tests of the report."""

from pathlib import Path

import pytest

from localeval.evaluation import load_run
from localeval.measuring import Evaluation, Results
from tests.report.judged import judge


@pytest.fixture(scope="session")
def judged_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the run."""
    return judge(tmp_path_factory.mktemp("judged"))


@pytest.fixture(scope="session")
def judged(judged_run: Path) -> tuple[Evaluation, Results]:
    """The same run, read from its folder."""
    return load_run(judged_run)
