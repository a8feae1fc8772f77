"""`localeval.decision.front`: nobody on the front is dominated, everybody else is, and what is unknown helps nobody."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from localeval.decision.front import axes_of, front, pareto
from localeval.decision.measures import KINDS, MeasureName, System, Value

Points = dict[str, list[float | None]]


def systems(**values: Mapping[str, float | None]) -> dict[str, System]:
    return {
        name: System(name, 1, False, False, {each: Value(given.get(each)) for each in KINDS})
        for name, given in values.items()
    }


@st.composite
def drawn_points(draw: st.DrawFn) -> Points:
    """Up to eight points on coarse axes, so that ties are common, some of them unknown."""
    n_axes = draw(st.integers(1, 4))
    number = st.none() | st.sampled_from([0.0, 1.0, 2.0, 3.0])
    points = draw(st.lists(st.lists(number, min_size=n_axes, max_size=n_axes), min_size=1, max_size=8))
    return {f"s{place}": point for place, point in enumerate(points)}


@given(drawn_points())
def test_who_is_dominated_is_so_by_somebody_on_the_front(points: Points) -> None:
    """Also where values are unknown: there is no circle, and the front is never empty."""
    found = pareto(points)
    ahead = {name for name, by in found.items() if not by}
    assert ahead
    for name, by in found.items():
        assert name in ahead or ahead & set(by)


@given(drawn_points())
def test_domination_is_better_in_something_known_and_worse_in_nothing(points: Points) -> None:
    """Stated a second time: on every axis that the dominated one knows, and strictly on one."""
    for name, by in pareto(points).items():
        for other, theirs in points.items():
            pairs = [(a, b) for a, b in zip(theirs, points[name], strict=True) if b is not None]
            is_no_worse = all(a is not None and a >= b for a, b in pairs)
            is_better = any(a is not None and a > b for a, b in pairs)
            assert (other in by) == (other != name and is_no_worse and is_better)


@given(drawn_points(), st.integers(0, 7), st.integers(0, 3))
def test_hiding_a_number_never_helps(points: Points, which: int, axis: int) -> None:
    """Who hides a number dominates nobody anew, and still falls to whoever is better in something that is left."""
    name = list(points)[which % len(points)]
    place = axis % len(points[name])
    hidden = {**points, name: [None if n == place else value for n, value in enumerate(points[name])]}
    before, after = pareto(points), pareto(hidden)
    others = [each for each in points if each != name]
    assert {each for each in others if name in after[each]} <= {each for each in others if name in before[each]}
    known = {n: value for n, value in enumerate(points[name]) if n != place and value is not None}
    for other in before[name]:
        if any((points[other][n] or 0.0) > value for n, value in known.items()):
            assert other in after[name]


def test_an_unknown_cost_neither_protects_nor_wins() -> None:
    """The worse one falls whatever it costs; the better one lets the cheap one stand. Who lacks what is listed."""
    found, by = front(
        systems(
            good={"consensus": 0.8, "cost_per_1000": 5.0},
            worse={"consensus": 0.7, "cost_per_1000": None},
            best={"consensus": 0.9, "cost_per_1000": None},
            cheap={"consensus": 0.6, "cost_per_1000": 1.0},
        ),
        "consensus",
    )
    assert found["systems"] == ["good", "best", "cheap"]
    assert by["worse"] == ("good", "best")
    assert found["unknown"] == {"cost_per_1000": ["worse", "best"]}


def test_equal_systems_do_not_dominate_each_other() -> None:
    """Both stand on the front."""
    found, by = front(systems(a={"consensus": 0.5}, b={"consensus": 0.5}), "consensus")
    assert found["systems"] == ["a", "b"]
    assert by == {"a": (), "b": ()}


def test_fewer_fabrications_and_lower_cost_are_better() -> None:
    """Each axis says which end is."""
    found, by = front(
        systems(
            a={"consensus": 0.5, "fabrications": 0.0, "cost_per_1000": 1.0, "seconds": 2.0},
            b={"consensus": 0.5, "fabrications": 1.0, "cost_per_1000": 1.0, "seconds": 2.0},
        ),
        "consensus",
    )
    assert by == {"a": (), "b": ("a",)}
    assert [(axis["measure"], axis["better"]) for axis in found["axes"]] == [
        ("consensus", "high"),
        ("fabrications", "low"),
        ("cost_per_1000", "low"),
        ("seconds", "low"),
    ]


def test_the_axis_of_quality_is_what_is_looked_for() -> None:
    """`best`, or the first that is known where that is fabrications; without quality nothing is weighed."""
    both = systems(a={"consensus": 0.5, "cap_f1": 0.4, "fabrications": 1.0})
    assert axes_of(both, "cap_f1") == ("cap_f1", "fabrications")
    assert axes_of(both, "fabrications") == ("consensus", "fabrications")
    quiz = systems(a={"cap_f1": 0.4, "fabrications": 1.0})
    assert axes_of(quiz, "fabrications") == ("cap_f1", "fabrications")
    fast: dict[MeasureName, float | None] = {"seconds": 2.0}
    assert front(systems(a=fast), None)[0] == {"axes": [], "systems": [], "unknown": {}}


def test_who_has_no_number_of_quality_is_not_weighed() -> None:
    """Being fast is no merit of a system of whose texts nothing is known."""
    found, by = front(systems(a={"consensus": 0.5, "seconds": 9.0}, b={"seconds": 1.0}), "consensus")
    assert found["systems"] == ["a"]
    assert "b" not in by
    assert found["unknown"] == {"consensus": ["b"]}
