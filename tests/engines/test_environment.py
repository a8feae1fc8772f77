"""The environment of an engine's process."""

import os
import tempfile
from pathlib import Path

import pytest

import localeval
from localeval.engines.environment import child_environment


def test_nothing_reports_home_whatever_the_user_has_set() -> None:
    """Telemetry is off and the hub is offline, and the given environment is not changed."""
    base = {"HF_HUB_OFFLINE": "0", "VLLM_NO_USAGE_STATS": "0", "PATH": "/bin"}
    for device in ("cpu", "cuda"):
        made = child_environment(base, device)
        for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "VLLM_NO_USAGE_STATS", "DO_NOT_TRACK"):
            assert made[name] == "1"
        assert made["PATH"] == "/bin"
    assert base == {"HF_HUB_OFFLINE": "0", "VLLM_NO_USAGE_STATS": "0", "PATH": "/bin"}


def test_settings_of_place_and_speed_stay_the_users() -> None:
    """Threads that wait passively are the default and may be set otherwise; compiling is off on a CPU alone."""
    assert child_environment({}, "cpu")["OMP_WAIT_POLICY"] == "PASSIVE"
    assert child_environment({"OMP_WAIT_POLICY": "ACTIVE"}, "cpu")["OMP_WAIT_POLICY"] == "ACTIVE"
    assert child_environment({"VLLM_HOST_IP": "10.0.0.1"}, "cuda")["VLLM_HOST_IP"] == "10.0.0.1"
    assert child_environment({}, "cpu")["TORCH_COMPILE_DISABLE"] == "1"
    assert "TORCH_COMPILE_DISABLE" not in child_environment({}, "cuda")


def test_the_option_decides_how_many_threads_compute() -> None:
    """`threads` wins over what the user's environment says; without it that stays."""
    assert child_environment({"OMP_NUM_THREADS": "8"}, "cpu", threads=2)["OMP_NUM_THREADS"] == "2"
    assert child_environment({"OMP_NUM_THREADS": "8"}, "cpu")["OMP_NUM_THREADS"] == "8"
    assert "OMP_NUM_THREADS" not in child_environment({}, "cpu")


def test_the_option_decides_the_size_of_the_cache() -> None:
    """vLLM's own variable for it would win over `cache_gib`, and is not handed on."""
    assert "VLLM_CPU_KVCACHE_SPACE" not in child_environment({"VLLM_CPU_KVCACHE_SPACE": "40"}, "cpu")


def test_the_child_finds_this_package() -> None:
    """The package's parent folder comes after what the user's own path names."""
    here = str(Path(localeval.__file__).parent.parent)
    assert child_environment({}, "cpu")["PYTHONPATH"] == here
    assert child_environment({"PYTHONPATH": "/mine"}, "cpu")["PYTHONPATH"] == f"/mine{os.pathsep}{here}"


def test_what_is_hidden_is_not_handed_on() -> None:
    """Keys of a run's other models; what localeval itself sets stays, and the given environment is not changed."""
    base = {"LAB_KEY": "sk-1", "PATH": "/bin", "DO_NOT_TRACK": "0"}
    made = child_environment(base, "cpu", {"LAB_KEY", "DO_NOT_TRACK", "ABSENT"})
    assert "LAB_KEY" not in made
    assert made["PATH"] == "/bin"
    assert made["DO_NOT_TRACK"] == "1"
    assert base["LAB_KEY"] == "sk-1"


def test_caches_are_kept_where_the_home_cannot_hold_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of this user's alone under the temporary one, the same each time; a choice of the user's stands."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    (tmp_path / "file").touch()
    nowhere = {"HOME": str(tmp_path / "file")}
    spare = Path(child_environment(nowhere, "cpu")["VLLM_CACHE_ROOT"])
    assert spare.parent == tmp_path / "tmp"
    assert spare.stat().st_mode & 0o777 == 0o700
    assert child_environment(nowhere, "cpu")["VLLM_CACHE_ROOT"] == str(spare)
    assert child_environment({**nowhere, "VLLM_CACHE_ROOT": "/mine"}, "cpu")["VLLM_CACHE_ROOT"] == "/mine"
    for usual in ({"HOME": str(tmp_path)}, {**nowhere, "XDG_CACHE_HOME": str(tmp_path / "cache")}):
        assert "VLLM_CACHE_ROOT" not in child_environment(usual, "cpu")
    assert not (tmp_path / "cache").exists()


def test_a_cache_that_others_may_write_to_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in it is code that an engine runs; a link could lead anywhere."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "file").touch()
    nowhere = {"HOME": str(tmp_path / "file")}
    spare = Path(child_environment(nowhere, "cpu")["VLLM_CACHE_ROOT"])
    spare.chmod(0o777)
    assert "VLLM_CACHE_ROOT" not in child_environment(nowhere, "cpu")
    spare.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    spare.symlink_to(tmp_path / "elsewhere")
    assert "VLLM_CACHE_ROOT" not in child_environment(nowhere, "cpu")
