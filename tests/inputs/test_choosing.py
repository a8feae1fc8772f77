"""`localeval.inputs.choosing`: stratified by category, seeded, others with each rotation, and never silent."""

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.inputs.choosing import Chosen, choose_sources, choose_summary
from localeval.inputs.specs import ChooseSettings
from localeval.texts import Source


def pool(sizes: Mapping[str | None, int]) -> list[Source]:
    """So many sources of each category, the categories mixed."""
    made = [Source(f"{category or 'none'}-{n}", "Text.", (), "en", category) for category in sizes for n in range(99)]
    return sorted((s for s in made if int(s.id.split("-")[1]) < sizes[s.category]), key=lambda s: s.id[::-1])


def ids(chosen: Chosen) -> list[str]:
    return [source.id for source in chosen.sources]


def choose(sources: list[Source], n: int, rotation: int = 0, seed: int = 1, shares: str = "equal") -> Chosen:
    settings = ChooseSettings.model_validate({"sources": n, "rotation": rotation, "shares": shares})
    return choose_sources(sources, settings, seed)


def counts(chosen: Chosen) -> dict[str, int]:
    return {name: share.chosen for name, share in chosen.categories.items()}


def test_without_settings_or_with_enough_asked_for_all_are_taken() -> None:
    """In their order, with the counts of each category, and nothing left out."""
    sources = pool({"a": 2, "b": 1})
    for chosen in (choose_sources(sources, None, 1), choose(sources, 3), choose(sources, 50)):
        assert chosen.sources == tuple(sources)
        assert chosen.left_out == ()
        assert counts(chosen) == {"a": 2, "b": 1}
        assert chosen.note == ""


def test_equal_shares_fill_up_where_a_category_has_too_few() -> None:
    """Seven of 1, 9 and 9: the small one gives its only source, the others three each."""
    assert counts(choose(pool({"a": 1, "b": 9, "c": 9}), 7)) == {"a": 1, "b": 3, "c": 3}


def test_proportional_shares_follow_the_sizes_with_one_for_each() -> None:
    """Ten of 1, 30 and 60 sources; by size alone the first would have none."""
    assert counts(choose(pool({"a": 1, "b": 30, "c": 60}), 10, shares="proportional")) == {"a": 1, "b": 3, "c": 6}
    assert counts(choose(pool({"a": 40, "b": 20}), 6, shares="proportional")) == {"a": 4, "b": 2}


def test_the_seed_decides_and_the_order_of_files_does_not() -> None:
    """The same sources from a shuffled pool, in that pool's order; other ones with another seed."""
    sources = pool({"a": 20, "b": 20})
    first = choose(sources, 8)
    shuffled = list(sources)
    random.Random(3).shuffle(shuffled)
    again = choose(shuffled, 8)
    assert set(ids(again)) == set(ids(first))
    assert again.sources == tuple(source for source in shuffled if source.id in set(ids(first)))
    assert first.sources == tuple(source for source in sources if source.id in set(ids(first)))
    assert set(ids(choose(sources, 8, seed=2))) != set(ids(first))


SIZES = st.dictionaries(st.sampled_from(["a", "b", "c", "d", None]), st.integers(1, 7), min_size=1)
SHARES = st.sampled_from(["equal", "proportional"])


@given(SIZES, st.integers(1, 30), SHARES, st.integers(0, 3))
def test_no_source_comes_again_before_all_of_its_category_came(
    sizes: dict[str | None, int], n: int, shares: str, seed: int
) -> None:
    """At every rotation, within each category, no source was taken twice more often than another was."""
    sources = pool(sizes)
    taken: Counter[str] = Counter({source.id: 0 for source in sources})
    for rotation in range(12):
        chosen = choose(sources, n, rotation, seed, shares)
        assert len(chosen.sources) == min(n, len(sources))
        assert set(chosen.sources).isdisjoint(chosen.left_out)
        assert len(chosen.sources) + len(chosen.left_out) == len(sources)
        taken.update(ids(chosen))
        for category in sizes:
            times = [taken[source.id] for source in sources if source.category == category]
            assert max(times) - min(times) <= 1


@given(SIZES, st.integers(1, 30), SHARES)
def test_every_category_has_one_where_that_can_be(sizes: dict[str | None, int], n: int, shares: str) -> None:
    """With fewer sources than categories one each; equal shares differ by one at most where sizes allow."""
    chosen = choose(pool(sizes), n, shares=shares)
    found = counts(chosen)
    if n >= len(sizes):
        assert min(found.values()) >= 1
    else:
        assert max(found.values()) == 1
    for name, share in chosen.categories.items():
        if shares == "equal" and share.chosen < share.pool:
            assert all(other <= share.chosen + 1 for other in found.values()), name


def test_categories_that_are_left_out_are_named_and_change() -> None:
    """Two sources of four categories: the note says which two are absent, and two rotations see all four."""
    sources = pool({"a": 3, "b": 3, "c": 3, None: 3})
    first, second = choose(sources, 2), choose(sources, 2, rotation=1)
    there = [{name for name, n in counts(each).items() if n} for each in (first, second)]
    assert there[0] | there[1] == {"a", "b", "c", ""}
    for chosen, given_here in zip((first, second), there, strict=True):
        for name in {"a", "b", "c", ""} - given_here:
            assert (name or "those without a category") in chosen.note


def test_extra_sources_go_around_the_categories() -> None:
    """Four of three categories: each in its turn gives two, each as often."""
    sources = pool({"a": 9, "b": 9, "c": 9})
    for shares in ("equal", "proportional"):
        doubles = [
            max(found, key=found.__getitem__) for found in (counts(choose(sources, 4, r, 1, shares)) for r in range(6))
        ]
        assert Counter(doubles) == {"a": 2, "b": 2, "c": 2}


@pytest.mark.parametrize(
    ("sizes", "n", "note"),
    [
        ({"meeting": 3}, 2, "one category only: meeting"),
        ({"meeting": 3}, 9, "one category only: meeting"),
        ({None: 3}, 2, "no source has a category"),
        ({"a": 1, "b": 1}, 2, ""),
    ],
)
def test_one_category_is_said(sizes: dict[str | None, int], n: int, note: str) -> None:
    """Also where all sources are taken."""
    assert choose(pool(sizes), n).note == note


@pytest.mark.parametrize("rotation", [0, 1, 2])
def test_a_further_source_moves_one_at_most(rotation: int) -> None:
    """With the numbers of each category as before, in the first time around."""
    sources = pool({"a": 30, "b": 30})
    before = set(ids(choose(sources, 10, rotation)))
    for n in range(40):
        more = [*sources, Source(f"new-{n}", "Text.", (), "en", "a")]
        after = set(ids(choose(more, 10, rotation)))
        assert len(before - after) == len(after - before) <= 1


def test_a_distant_rotation_is_found_at_once() -> None:
    """A date can serve as the rotation; it takes as many as any other."""
    assert len(choose(pool({"a": 5, "b": 7, "c": 2}), 4, rotation=20_261_231).sources) == 4


def test_the_summary_lists_what_was_left_out() -> None:
    """As it stands in scores.json: with categories, "" for those that have none."""
    chosen = choose(pool({"a": 2, None: 2}), 2)
    found = choose_summary(chosen)
    assert found["chosen"] == ids(chosen)
    assert sorted(each["source"] for each in found["left_out"]) == sorted(s.id for s in chosen.left_out)
    assert {each["category"] for each in found["left_out"]} == {"a", None}
    assert found["categories"] == {"": {"chosen": 1, "pool": 2}, "a": {"chosen": 1, "pool": 2}}
    assert found["note"] == ""
