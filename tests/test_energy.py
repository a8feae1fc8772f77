"""`localeval.energy`: counters of this machine, or a folder that looks like them."""

from pathlib import Path

import pytest

from localeval.energy import find_meter, rapl_meter


def zone(folder: Path, place: str, name: str, used: int, most: int = 1_000_000_000) -> Path:
    path = folder / place
    path.mkdir(parents=True)
    for file, words in (("name", name), ("energy_uj", str(used)), ("max_energy_range_uj", str(most))):
        (path / file).write_text(f"{words}\n", encoding="ascii")
    return path


def test_packages_and_memory_are_counted_once(tmp_path: Path) -> None:
    """Cores and graphics are within a package, "psys" holds the packages: only packages and memory count."""
    one, two = (zone(tmp_path, f"intel-rapl:{n}", f"package-{n}", 5_000_000) for n in (0, 1))
    memory = zone(tmp_path, "intel-rapl:0:1", "dram", 0)
    within = zone(tmp_path, "intel-rapl:0:0", "core", 0)
    around = zone(tmp_path, "intel-rapl:2", "psys", 0)
    meter = rapl_meter(tmp_path)
    assert meter is not None
    assert meter.name == "processors and memory"
    assert meter.joules() == 0.0
    for path, used in ((one, 8_000_000), (two, 6_000_000), (memory, 500_000), (within, 9), (around, 9_000_000)):
        (path / "energy_uj").write_text(str(used), encoding="ascii")
    assert meter.joules() == 4.5


def test_a_counter_that_starts_again_goes_on(tmp_path: Path) -> None:
    """After its largest number a counter is at 0: what it counted until then stays."""
    package = zone(tmp_path, "intel-rapl:0", "package-0", 90_000_000, most=100_000_000)
    meter = rapl_meter(tmp_path)
    assert meter is not None
    assert meter.name == "processors"
    for used, joules in ((99_000_000, 9.0), (4_000_000, 14.0), (2_000_000, 112.0)):
        (package / "energy_uj").write_text(str(used), encoding="ascii")
        assert meter.joules() == joules


@pytest.mark.parametrize("damage", ["nothing there", "no package", "unreadable", "no number"])
def test_no_meter_where_a_package_cannot_be_read(tmp_path: Path, damage: str) -> None:
    """Nothing is better than a part: without every counter there is no meter."""
    if damage != "nothing there":
        zone(tmp_path, "intel-rapl:0", "dram" if damage == "no package" else "package-0", 5)
        second = zone(tmp_path, "intel-rapl:1", "dram" if damage == "no package" else "package-1", 5)
        if damage == "unreadable":
            (second / "energy_uj").unlink()
            (second / "energy_uj").mkdir()
        elif damage == "no number":
            (second / "energy_uj").write_text("n/a", encoding="ascii")
    assert rapl_meter(tmp_path) is None


def test_a_meter_that_can_no_longer_be_read_says_so(tmp_path: Path) -> None:
    """None, not the number of before."""
    package = zone(tmp_path, "intel-rapl:0", "package-0", 5)
    meter = rapl_meter(tmp_path)
    assert meter is not None
    (package / "energy_uj").unlink()
    assert meter.joules() is None


def test_the_meter_of_this_machine_counts_upwards(tmp_path: Path) -> None:
    """The GPUs' own where there are any, else the processors'; none where neither tells."""
    if find_meter(tmp_path) is None:
        zone(tmp_path, "intel-rapl:0", "package-0", 5)
    meter = find_meter(tmp_path)
    assert meter is not None
    first, second = meter.joules(), meter.joules()
    assert first is not None
    assert second is not None
    assert second >= first
