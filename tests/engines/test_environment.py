"""The environment of an engine's process."""

import os
from pathlib import Path

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
