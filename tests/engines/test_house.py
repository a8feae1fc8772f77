"""`localeval.engines.house`: the engines of a run by the names of its models, and none at all."""

from pathlib import Path

import pytest

from localeval.engines.child import ChildEngine
from localeval.engines.house import LocalEngines, StoredOnly
from localeval.engines.scripted import ScriptedEngine
from localeval.engines.served import ServedEngine
from localeval.errors import CallMissing, EngineError
from localeval.values import Missing, Reply
from tests.engines.fake_server import served_model
from tests.helpers import scripted_model

LONG = Reply("k", missing=Missing("too long", needed=100, limit=50))


def test_each_model_has_its_kind_of_engine(tmp_path: Path) -> None:
    """Scripted models are served in this process, others in one of their own, which opening does not start."""
    scripted = scripted_model(tmp_path, [{"reply": "A"}])
    served = scripted.model_copy(update={"name": "n", "engine": "transformers"})
    engines = LocalEngines({"m": scripted, "n": served})
    assert isinstance(engines.open("m"), ScriptedEngine)
    assert isinstance(engines.open("n"), ChildEngine)
    elsewhere = LocalEngines({"o": served_model("http://127.0.0.1:1/v1", "o")})
    assert isinstance(elsewhere.open("o"), ServedEngine)
    assert engines.identity("m") == scripted.identity != engines.identity("n")


def test_a_stored_reply_stands_by_the_model_s_context(tmp_path: Path) -> None:
    """Too long stands as long as the context is too small; a failure never does."""
    contexts = {"small": 50, "large": 100, "unlimited": 0}
    models = {name: scripted_model(tmp_path, [{"reply": "A"}], name, context=n) for name, n in contexts.items()}
    engines = LocalEngines(models)
    assert [engines.stands(name, LONG) for name in contexts] == [True, False, False]
    assert engines.stands("small", Reply("k", "A"))
    assert engines.stands("small", Reply("k", missing=Missing("refused")))
    assert not engines.stands("small", Reply("k", missing=Missing("engine error")))


def test_without_engines_everything_stored_stands_and_the_rest_is_missing() -> None:
    """Scoring takes what the run came to, and says which model owes a reply and how to get it."""
    stored = StoredOnly({"m": "id"}, "runs/x")
    assert stored.identity("m") == "id"
    assert stored.stands("m", LONG)
    assert stored.stands("m", Reply("k", missing=Missing("engine error")))
    with pytest.raises(CallMissing, match=r"^runs/x: a reply of model 'm' is not in the store.*localeval run"):
        stored.open("m")
    with pytest.raises(EngineError, match=r"^runs/x: run\.json knows no model 'n'; run the config again"):
        stored.identity("n")
