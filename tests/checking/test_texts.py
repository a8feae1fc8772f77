"""The texts of a check: how a planted copy is cut into sentences, and what is left of a source that is cut."""

from localeval.checking.texts import WHOLE, CheckText, beginning_of, edited
from localeval.inputs.segmenting import cut_sentences
from localeval.planting.schemas import Edit, Trusted
from localeval.texts import Candidate, Segment, Source

TEXT = "Anna pays 40 euros. Boris leaves on Monday. They meet again soon."
SOURCE = Source("s", TEXT, cut_sentences(TEXT, "en"), "en")
TRUSTED = Trusted(SOURCE, Candidate("s", "faithful", TEXT, segments=cut_sentences(TEXT, "en")), "faithful")


def edit(before: str, after: str, kind: str = "number", sentence: int = 1) -> Edit:
    """An edit of the first place where `before` stands."""
    start = TEXT.index(before)
    return Edit(kind, sentence, start, start + len(before), before, after)  # type: ignore[arg-type]


def words(candidate: Candidate) -> list[str]:
    """Its sentences."""
    return [candidate.words_of(each) for each in candidate.segments]


def text_of(planted: Edit) -> CheckText:
    """A planted text of a check."""
    candidate = edited(TRUSTED, planted, "t1")
    return CheckText("t1", "planted", WHOLE, "s", SOURCE, TRUSTED, candidate, planted, 0.1)


def test_a_changed_word_moves_the_sentences_behind_it() -> None:
    """Every other sentence stays as it was cut, wherever it now stands."""
    found = edited(TRUSTED, edit("40", "4,000"), "t1")
    assert words(found) == ["Anna pays 4,000 euros.", "Boris leaves on Monday.", "They meet again soon."]
    assert [each.number for each in found.segments] == [1, 2, 3]


def test_a_dropped_sentence_leaves_the_numbers_without_a_gap() -> None:
    """Nothing of the text is where the sentence was."""
    planted = edit(" Boris leaves on Monday.", "", "dropped sentence", 2)
    assert words(edited(TRUSTED, planted, "t1")) == ["Anna pays 40 euros.", "They meet again soon."]
    assert text_of(planted).edited_sentences == frozenset()


def test_a_sentence_put_in_is_a_sentence_of_its_own() -> None:
    """Between the two that it was put between, and the one that was edited."""
    place = TEXT.index("Boris")
    planted = Edit("invented sentence", 2, place, place, "", "Clara left the firm. ")
    assert words(edited(TRUSTED, planted, "t1"))[1] == "Clara left the firm."
    assert text_of(planted).edited_sentences == frozenset({2})


def test_two_sentences_that_changed_places_are_both_edited() -> None:
    """What spans a boundary is cut anew."""
    planted = edit(
        "Boris leaves on Monday. They meet again soon.",
        "They meet again soon. Boris leaves on Monday.",
        "swapped order",
        2,
    )
    assert words(edited(TRUSTED, planted, "t1"))[1:] == ["They meet again soon.", "Boris leaves on Monday."]
    assert text_of(planted).edited_sentences == frozenset({2, 3})


def test_a_source_is_cut_between_segments() -> None:
    """Whole segments alone, at least one, under a name that says it is not the whole."""
    part = beginning_of(SOURCE, 45, "first half")
    assert part.text == "Anna pays 40 euros. Boris leaves on Monday."
    assert part.id == "s (first half)"
    assert len(part.segments) == 2
    assert beginning_of(SOURCE, 3, "x").segments == (Segment(1, 0, 19),)


def test_what_was_taken_out_stood_in_a_sentence() -> None:
    """Even where that begins with it: 不 before the first verb."""
    planted = edit("Boris ", "", "negation", 2)
    assert words(edited(TRUSTED, planted, "t1"))[1] == "leaves on Monday."
    assert text_of(planted).edited_sentences == frozenset({2})
