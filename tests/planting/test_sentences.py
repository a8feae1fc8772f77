"""Sentences put in and left out, and all edits of a text together."""

import pytest

from localeval.evidence.lookup import SourceIndex
from localeval.inputs.segmenting import cut_sentences
from localeval.planting.excerpts import excerpts
from localeval.planting.inventing import unheard_matters
from localeval.planting.schemas import Edit, Trusted
from localeval.planting.sentences import left_out, put_in
from localeval.planting.wording import plant_wording
from localeval.texts import Candidate, Source
from tests.planting.oracle_wording import why_not_changed
from tests.planting.wording_material import own_texts

TEXTS = own_texts()


def trust(text: str, said: str = "Nothing was said.") -> Trusted:
    """A trusted text about a source that says little."""
    source = Source("s", said, cut_sentences(said, "en"), "en")
    return Trusted(source, Candidate("s", "t", text, "", cut_sentences(text, "en")), "t")


def dropped(text: str) -> list[str]:
    """The text with each sentence left out that may be."""
    trusted = trust(text)
    return [edit.applied_to(text) for edit in left_out(trusted, SourceIndex(trusted.source))]


def test_leaves_paragraphs_whole() -> None:
    """White space goes with a sentence, a break between paragraphs stays once."""
    text = "Anna Weber sold 12 cars.\n\nThe team met in June. Boris Klein paid £40 for it."
    assert dropped(text) == [
        "The team met in June. Boris Klein paid £40 for it.",
        "Anna Weber sold 12 cars.\n\nBoris Klein paid £40 for it.",
        "Anna Weber sold 12 cars.\n\nThe team met in June.",
    ]


def test_keeps_what_the_next_sentence_leans_on() -> None:
    """A sentence before one that begins with a pronoun, one without content, and the only one are not left out."""
    assert dropped("Anna Weber sold 12 cars. She was glad about that.") == []
    assert dropped("Anna Weber sold 12 cars.") == []


def test_puts_no_sentence_in_front_of_a_list_item() -> None:
    """An invented sentence stands within a paragraph, with a gap of its own."""
    text = "Anna sold cars. Boris bought some.\n- Carla slept.\n"
    (edit,) = put_in(trust(text), ("Anna",), 1)
    assert edit.applied_to(text).startswith("Anna sold cars. Anna ")
    assert edit.applied_to(text).endswith(". Boris bought some.\n- Carla slept.\n")
    assert edit.sentence == 2


def test_invents_only_what_was_never_said() -> None:
    """A matter whose word the source has in any form is not invented."""
    everything = unheard_matters(trust("x").source)
    without = unheard_matters(trust("x", "The photographers and the new carpets were praised.").source)
    assert set(everything) - set(without) == {one for one in everything if "photographer" in one or "carpet" in one}


@pytest.mark.parametrize("trusted", TEXTS, ids=[one.source.id for one in TEXTS])
def test_what_is_put_into_excerpts_looks_like_one(trusted: Trusted) -> None:
    """Among excerpts an invented sentence stands as one more line under the name of somebody who speaks."""
    made = excerpts(trusted.source, 5, 1)
    assert made is not None
    speakers = {segment.speaker for segment in trusted.source.segments}
    for edit in put_in(made, sorted(filter(None, speakers)), 1):
        lines = edit.applied_to(made.candidate.text).split("\n\n")
        assert len(lines) == len(made.candidate.segments) + 1
        assert lines[edit.sentence - 1] == edit.after.strip()
        assert edit.after.replace("：", ":").split(":")[0] in speakers
    edits = plant_wording(made, SourceIndex(trusted.source), 1)
    assert {why_not_changed(edit, made) for edit in edits if edit.kind != "dropped sentence"} <= {""}


def test_nobody_is_made_up() -> None:
    """Where a source has no people the invented sentence names nobody."""
    (edit,) = put_in(trust("It is late. It is dark."), (), 1)
    assert edit.after.startswith(("In addition, ", "Besides, "))


def test_a_source_with_every_matter_gets_none() -> None:
    """Where every matter was spoken of nothing is invented."""
    said = " ".join(unheard_matters(trust("x").source)) + " museum lawsuit intern"
    trusted = trust("It is late. It is dark.", said)
    assert [*put_in(trusted, (), 1)] == []


@pytest.mark.parametrize("trusted", TEXTS, ids=[one.source.id for one in TEXTS])
def test_same_seed_same_edits_in_the_same_order(trusted: Trusted) -> None:
    """The seed decides order and values; places and kinds are the same for every seed, one edit of a kind a place."""
    index = SourceIndex(trusted.source)
    first, other = plant_wording(trusted, index, 1), plant_wording(trusted, index, 2)
    assert plant_wording(trusted, SourceIndex(trusted.source), 1) == first
    assert first != other
    assert sorted(map(_place, first)) == sorted(map(_place, other))
    assert len(set(map(_place, first))) == len(first)


def _place(edit: Edit) -> tuple[str, int]:
    return edit.kind, edit.start
