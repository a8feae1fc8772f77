"""Every planted error of wording, order or owner changes what it says it changes, and nothing besides."""

from collections import Counter

import pytest

from localeval.evidence.lookup import SourceIndex
from localeval.planting.paraphrasing import paraphrases
from localeval.planting.schemas import Edit, Trusted
from localeval.planting.wording import plant_wording
from tests.planting.oracle_wording import plain, why_not_changed
from tests.planting.wording_material import demo_texts, own_texts

KINDS = {"negation", "antonym", "wrong owner", "swapped order", "invented sentence", "dropped sentence"}


@pytest.fixture(scope="module")
def planted() -> list[tuple[Trusted, Edit]]:
    """Every edit of ten trusted texts, by two seeds."""
    found = []
    for trusted in (*own_texts(), *demo_texts()):
        index = SourceIndex(trusted.source)
        found += [(trusted, edit) for seed in (1, 2) for edit in plant_wording(trusted, index, seed)]
    return found


def test_oracle_proves_each(planted: list[tuple[Trusted, Edit]]) -> None:
    """The oracle, with lists of its own, finds no edit that is not the error it claims to be."""
    refused = [
        (trusted.source.id, edit.kind, edit.before, edit.after, why)
        for trusted, edit in planted
        if (why := why_not_changed(edit, trusted))
    ]
    assert refused == []


def test_enough_of_each_kind_and_language(planted: list[tuple[Trusted, Edit]]) -> None:
    """More than a hundred errors of meaning, and each kind in each language."""
    counts = Counter((edit.kind, trusted.source.language) for trusted, edit in planted)
    within = sum(count for (kind, _), count in counts.items() if "sentence" not in kind) // 2
    assert within > 100
    assert {key for key, count in counts.items() if count >= 4} == {(k, v) for k in KINDS for v in ("en", "ru", "zh")}


def test_oracle_refuses_what_is_no_error(planted: list[tuple[Trusted, Edit]]) -> None:
    """The oracle accepts no edit under another kind's name, but an invented or dropped sentence that is just that."""
    kinds = sorted(KINDS)
    for trusted, edit in planted:
        for kind in kinds:
            named = Edit(kind, edit.sentence, edit.start, edit.end, edit.before, edit.after)  # type: ignore[arg-type]
            if kind != edit.kind and not why_not_changed(named, trusted):
                assert {kind, edit.kind} <= {"antonym", "swapped order"}, (kind, edit)


def test_oracle_sees_a_change_besides(planted: list[tuple[Trusted, Edit]]) -> None:
    """An edit that takes one more character along than it says is refused."""
    trusted, edit = next((one, two) for one, two in planted if two.kind == "antonym")
    longer = Edit("antonym", edit.sentence, edit.start, edit.end + 1, edit.before, edit.after)
    assert why_not_changed(longer, trusted) == "what is to be changed does not stand there"


def test_rewordings_say_the_same() -> None:
    """Every text reworded by rule is the trusted text again once the oracle has brought both to one form."""
    count = 0
    for trusted in (*own_texts(), *demo_texts()):
        text, language = trusted.candidate.text, trusted.source.language
        for seed in (1, 2):
            for written in paraphrases(trusted, seed):
                count += 1
                assert written != text
                assert plain(written, language) == plain(text, language)
    assert count >= 40


def test_plain_form_tells_errors_apart(planted: list[tuple[Trusted, Edit]]) -> None:
    """No planted error is the trusted text in the oracle's plain form: what proves rewordings would show an error."""
    for trusted, edit in planted:
        language = trusted.source.language
        assert plain(edit.applied_to(trusted.candidate.text), language) != plain(trusted.candidate.text, language)
