"""Rubrics as values: what every rubric has, and what is refused, with the place in it."""

import pytest
from pydantic import ValidationError

from localeval.methods.panel.rubrics import FAITHFULNESS, LEVELS, Criterion, Rubric

LEVEL_TEXTS = {0: "Not there.", 1: "In part.", 2: "Whole."}


def criterion(name: str = FAITHFULNESS, *, allows_na: bool = False, levels: dict[int, str] = LEVEL_TEXTS) -> Criterion:
    return Criterion(id=name, statement="It is so.", levels=levels, allows_na=allows_na)


def rubric(*criteria: Criterion) -> Rubric:
    return Rubric(category="talk", language="en", criteria=criteria)


def refused(error: ValidationError) -> list[tuple[tuple[int | str, ...], str]]:
    return [(fault["loc"], fault["msg"].removeprefix("Value error, ")) for fault in error.errors()]


def test_a_rubric_holds_its_criteria_in_order() -> None:
    """Criteria are found by id, ids keep the order of the file, and nothing can be changed."""
    one = rubric(criterion("decisions", allows_na=True), criterion())
    assert one.criterion_ids == ("decisions", FAITHFULNESS)
    assert one.criterion("decisions").allows_na
    assert not one.criterion(FAITHFULNESS).allows_na
    with pytest.raises(KeyError):
        one.criterion("figures")
    with pytest.raises(ValidationError, match="frozen"):
        one.category = "other"


def test_faithfulness_is_always_judged() -> None:
    """A rubric without the criterion is refused, and so is the criterion where it may be NA."""
    with pytest.raises(ValidationError) as caught:
        rubric(criterion("decisions"))
    assert refused(caught.value) == [
        (("criteria",), "lacks 'faithfulness'; add a criterion with `id: faithfulness`"),
    ]
    with pytest.raises(ValidationError) as caught:
        criterion(allows_na=True)
    assert refused(caught.value) == [
        (("allows_na",), "must be false for 'faithfulness', which applies to every text"),
    ]


def test_a_second_criterion_of_an_id_is_named() -> None:
    """The place of the repeated id is that of the later criterion."""
    with pytest.raises(ValidationError) as caught:
        rubric(criterion(), criterion("a"), criterion("a"))
    assert refused(caught.value) == [(("criteria", 2, "id"), "must be another, since a criterion before has it")]


@pytest.mark.parametrize("name", ["", "Names", "1st", "two words", "a-b", "имена", "a\n", "_a"])
def test_ids_are_plain(name: str) -> None:
    """An id can be a key anywhere: in JSON, in a table, in a file name."""
    with pytest.raises(ValidationError, match="must be lower-case letters a-z, digits and _, a letter first"):
        criterion(name)


@pytest.mark.parametrize(
    ("levels", "place", "message"),
    [
        ({0: "a", 2: "c"}, ("levels",), "lacks 1; describe 0, 1 and 2"),
        ({}, ("levels",), "lacks 0 and 1 and 2; describe 0, 1 and 2"),
        ({**LEVEL_TEXTS, 3: "d"}, ("levels", 3), "must be 0, 1 or 2"),
        ({**LEVEL_TEXTS, "1": "d"}, ("levels", "1"), "must be 0, 1 or 2"),
        ({0: "a", True: "b", 2: "c"}, ("levels", True), "must be 0, 1 or 2"),
        ({**LEVEL_TEXTS, None: "d"}, ("levels", "None"), "must be 0, 1 or 2"),
        ({**LEVEL_TEXTS, 1: " "}, ("levels", 1), "must say something"),
        ({**LEVEL_TEXTS, 1: "a\nb"}, ("levels", 1), "must be one line (in YAML, `>` joins lines)"),
        ({**LEVEL_TEXTS, 1: "a\u2028b"}, ("levels", 1), "must be one line (in YAML, `>` joins lines)"),
    ],
)
def test_the_levels_are_0_1_and_2(levels: dict[int, str], place: tuple[int | str, ...], message: str) -> None:
    """No level is absent, empty, longer than a line or another number."""
    with pytest.raises(ValidationError) as caught:
        criterion(levels=levels)
    assert refused(caught.value) == [(place, message)]


def test_equal_content_has_equal_hash() -> None:
    """The order in which levels were written is no content; whatever a judge reads, and where, is."""
    turned = criterion(levels={level: LEVEL_TEXTS[level] for level in reversed(LEVELS)})
    assert rubric(turned) == rubric(criterion())
    base = rubric(criterion(), criterion("a"))
    others = [
        rubric(criterion("a"), criterion()),
        rubric(criterion(), criterion("b")),
        rubric(criterion(), criterion("a", allows_na=True)),
        rubric(criterion(), criterion("a", levels={**LEVEL_TEXTS, 2: "All."})),
        base.model_copy(update={"language": "ru"}),
        base.model_copy(update={"category": "other"}),
    ]
    assert rubric(criterion(), criterion("a")).hash == base.hash
    assert len({base.hash, *(other.hash for other in others)}) == 1 + len(others)


def test_a_rubric_comes_back_from_json() -> None:
    """What a run freezes of a rubric is the rubric again."""
    one = rubric(criterion(), criterion("figures", allows_na=True))
    assert Rubric.model_validate_json(one.model_dump_json()) == one
