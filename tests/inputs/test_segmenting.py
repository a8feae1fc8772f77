import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.inputs.passages import Passage
from localeval.inputs.segmenting import LONGEST, Cut, cut_passages, cut_text


def words_of(cut: Cut) -> list[str]:
    return [cut.text[segment.start : segment.end] for segment in cut.segments]


def check(cut: Cut) -> None:
    """Every character but white space in exactly one segment; numbers without gaps; short, trimmed segments."""
    assert [segment.number for segment in cut.segments] == list(range(1, len(cut.segments) + 1))
    position = 0
    for segment in cut.segments:
        assert not cut.text[position : segment.start].strip()
        words = cut.text[segment.start : segment.end]
        assert words == words.strip()
        assert 0 < len(words) <= LONGEST
        position = segment.end
    assert not cut.text[position:].strip()


def test_english_sentences():
    """Abbreviations and times do not end a sentence."""
    cut = cut_text("Mr. Smith met Dr. Lee at 5 p.m. on Monday. They talked!  Did it help?\nYes.", "en")
    assert words_of(cut) == ["Mr. Smith met Dr. Lee at 5 p.m. on Monday.", "They talked!", "Did it help?", "Yes."]
    check(cut)


def test_russian_sentences():
    """Common Russian abbreviations and initials do not end a sentence."""
    cut = cut_text("Встреча была в г. Москве на ул. Ленина. Иванов И. И. назвал 5 тыс. руб. в мес. Потом ушёл.", "ru")
    assert words_of(cut) == [
        "Встреча была в г. Москве на ул. Ленина.",
        "Иванов И. И. назвал 5 тыс. руб. в мес.",
        "Потом ушёл.",
    ]


def test_chinese_sentences():
    """Chinese sentences end without a space after them."""
    cut = cut_text("今天开会。预算是三百万元；我们同意了吗？对！", "zh")
    assert words_of(cut) == ["今天开会。", "预算是三百万元；我们同意了吗？", "对！"]


def test_a_wrapped_sentence_is_one_segment_and_the_text_stays_as_it_is():
    """Offsets point into the file's own text."""
    text = "\n\nA sentence that is\nwrapped twice\nhere.\n\nNext paragraph\n\n"
    cut = cut_text(text, "en")
    assert cut.text == text
    assert words_of(cut) == ["A sentence that is\nwrapped twice\nhere.", "Next paragraph"]


def test_markdown_is_kept_as_text_and_its_blocks_are_cut_apart():
    """Headings, list items, table rows and quotations are segments of their own."""
    text = "# Plan\nWe start\nnow.\n- first item\n- second item\n1. third\n> said\n| a | b |\n## End\nbye"
    assert words_of(cut_text(text, "en")) == [
        "# Plan",
        "We start\nnow.",
        "- first item",
        "- second item",
        "1. third",
        "> said",
        "| a | b |",
        "## End",
        "bye",
    ]


def test_a_dialogue_is_cut_into_turns():
    """Speakers and clock times live in the segments, words alone in the text."""
    cut = cut_text("[00:01] Anna: Hello. How are you?\n[00:04] Bob: Fine.\n[00:05] Anna: Good.", "en")
    assert cut.text == "Hello. How are you?\nFine.\nGood."
    assert [(s.speaker, s.begin_s, s.end_s) for s in cut.segments] == [
        ("Anna", 1.0, None),
        ("Bob", 4.0, None),
        ("Anna", 5.0, None),
    ]
    check(cut)


def test_a_long_turn_is_cut_at_sentence_ends_and_keeps_speaker_and_times():
    """No piece is over the limit, each ends a sentence, and none is needlessly short."""
    sentence = "This sentence has forty characters or so. "
    cut = cut_passages([Passage(sentence * 40, 1.0, 90.0, "Anna"), Passage("Yes.", 91.0, 92.0, "Bob")], "en")
    check(cut)
    *pieces, last = cut.segments
    assert len(pieces) == 3
    assert all((s.speaker, s.begin_s, s.end_s) == ("Anna", 1.0, 90.0) for s in pieces)
    assert all(words.endswith("so.") for words in words_of(cut)[:-1])
    assert (last.speaker, cut.text[last.start :]) == ("Bob", "Yes.")


@pytest.mark.parametrize(
    ("piece", "language", "end"),
    [
        ("so we went on and on, ", "en", ","),
        ("и мы пошли дальше, ", "ru", ","),
        ("然后我们继续讨论，", "zh", "，"),
        ("word ", "en", "word"),
        ("一行没有标点\n", "zh", "点"),
    ],
)
def test_speech_without_full_stops_is_cut_at_clauses_lines_or_words(piece, language, end):
    """An hour of speech-to-text without punctuation still gives segments that can be cited."""
    cut = cut_text(piece * 300, language)
    check(cut)
    assert all(words.endswith(end) for words in words_of(cut)[:-1])
    assert min(len(words) for words in words_of(cut)[:-1]) >= 200


def test_unbroken_characters_are_cut_but_not_between_a_letter_and_its_accent():
    """Text without a single space or mark is cut at the limit, whole characters only."""
    cut = cut_text("e" + "e\u0301" * 1000, "en")
    check(cut)
    assert all(words[0] == "e" for words in words_of(cut))


def test_a_line_separator_beside_an_initial_is_harmless():
    """sentencex 1.0.32 panics on U+2028 after an initial; the text must come through whole."""
    cut = cut_text("Seen by A.A\u2028. Then we left.\u3000And B.\u2029\u2029 came.", "en")
    check(cut)


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("We talked about the budget for item {}. ", "en"),
        ("Мы обсудили бюджет по пункту {}. ", "ru"),
        ("我们讨论了第{}项预算。", "zh"),
        ("and then we went to number {} and ", "en"),
        ("Anna: We talked about {}.\nBob: Yes.\n", "en"),
    ],
)
def test_a_long_transcript_is_kept_whole(sentence, language):
    """150,000 characters, one paragraph or thousands of turns: nothing is cut off, and it takes no quadratic time."""
    text = ""
    number = 0
    parts = []
    while len(text) < 150_000:
        parts = [sentence.format(number + step) for step in range(1000)]
        number += 1000
        text += "".join(parts)
    cut = cut_text(text, language)
    check(cut)
    assert "".join(words_of(cut)).count(str(number - 1)) == 1
    if "Anna" not in sentence:
        assert cut.text == text


_MESSY = st.text(
    st.one_of(
        st.sampled_from(
            list("aAbB .!?。！？\n\n\t\x0c\u2028\u3000\xa0\"'“”()（）《》é\u0301ЯА国01:：.-#*>|…\x85\u200b,，")
        ),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=120,
)


@settings(max_examples=100)
@given(_MESSY, st.sampled_from(["en", "ru", "zh"]), st.integers(1, 40))
def test_every_character_belongs_to_exactly_one_segment(text, language, times):
    """For any text in any language, read as plain text."""
    check(cut_text(text, language))
    check(cut_text(text * times, language))


@settings(max_examples=60)
@given(st.lists(st.builds(Passage, _MESSY, st.just(1.0), st.just(2.0), st.sampled_from([None, "Anna"])), max_size=6))
def test_every_character_of_a_passage_belongs_to_exactly_one_segment(passages):
    """For any passages, read as cues; the text is the passages joined by line breaks."""
    cut = cut_passages(passages, "en")
    check(cut)
    assert cut.text == "\n".join(passage.text.strip() for passage in passages if passage.text.strip())
