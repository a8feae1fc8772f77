"""Order in time, cause and effect turned around."""

import pytest

from localeval.inputs.segmenting import cut_sentences
from localeval.planting.ordering import swapped, swapped_sentences
from localeval.planting.schemas import Trusted
from localeval.texts import Candidate, Language, Source


def written(sentence: str, language: Language) -> list[str]:
    """The sentence with each change made alone."""
    return [sentence[: one.start] + one.after + sentence[one.end :] for one in swapped(sentence, language)]


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("en", "Anna signs before the meeting.", "Anna signs after the meeting."),
        ("en", "After he left, she sang.", "Before he left, she sang."),
        ("en", "The pump failed because it got wet.", "The pump failed, so it got wet."),
        ("en", "It rained, so the match ended.", "It rained because the match ended."),
        ("en", "They first paint the door, then sell the house.", "They first sell the house, then paint the door."),
        ("en", "It moves from Monday to 3 June.", "It moves from 3 June to Monday."),
        ("ru", "Анна подпишет после собрания.", "Анна подпишет до собрания."),
        ("ru", "Он уедет перед тем, как она придёт.", "Он уедет после того, как она придёт."),
        ("ru", "Насос сломался, потому что намок.", "Насос сломался, поэтому намок."),
        ("ru", "Шёл дождь, поэтому игру отменили.", "Шёл дождь, потому что игру отменили."),
        ("ru", "Концерт перенесли с 11 на 25 мая.", "Концерт перенесли с 25 на 11 мая."),
        ("ru", "Сначала чинят крышу, потом пол.", "Сначала пол, потом чинят крышу."),
        ("zh", "小林在八月之前签字。", "小林在八月之后签字。"),
        ("zh", "水泵坏了，因为进水。", "水泵坏了，所以进水。"),
        ("zh", "下雨了，所以取消。", "下雨了，因为取消。"),
        ("zh", "他先修车，再卖车。", "他先卖车，再修车。"),
        ("zh", "会议从周一改到周五。", "会议从周五改到周一。"),
    ],
)
def test_turns_the_order_around(language: Language, sentence: str, expected: str) -> None:
    """What came first comes later, and the cause is the effect."""
    assert written(sentence, language) == [expected]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "She looks after the children."),
        ("en", "He spoke before the committee."),
        ("en", "It is partly because of him."),
        ("en", "He did not go because he was tired."),
        ("en", "Did he leave before lunch?"),
        ("en", "She is named after the queen."),
        ("ru", "Цены выросли до ста рублей."),
        ("zh", "之前他来过。"),
    ],
)
def test_leaves_alone_what_has_no_order(language: Language, sentence: str) -> None:
    """Fixed phrases, places, questions and denied reasons are left as they are."""
    assert written(sentence, language) == []


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "en",
            "Yes. Anna sold the car. Then Boris bought a bicycle.",
            "Yes. Boris bought a bicycle. Then Anna sold the car.",
        ),
        (
            "en",
            "First, the roof is mended. After that, Anna paints the door.",
            "Anna paints the door. After that, the roof is mended.",
        ),
        ("ru", "Крышу починили. Затем покрасили дверь.", "Покрасили дверь. Затем крышу починили."),
        ("zh", "大家修好屋顶。然后阿芳刷门。", "阿芳刷门。然后大家修好屋顶。"),
    ],
)
def test_two_sentences_change_places(language: Language, text: str, expected: str) -> None:
    """The sentence that says that it came later comes first; capitals are right and names keep theirs."""
    source = Source("s", "x", (), language)
    trusted = Trusted(source, Candidate("s", "t", text, "", cut_sentences(text, language)), "t")
    (edit,) = swapped_sentences(trusted)
    assert edit.applied_to(text) == expected
    assert edit.kind == "swapped order"


def test_no_places_change_over_a_paragraph_or_a_pronoun() -> None:
    """Sentences of two paragraphs, and one that points back, stay where they are."""
    for text in ("Anna sold the car.\n\nThen Boris bought one.", "Anna sold the car. Then she bought it."):
        trusted = Trusted(Source("s", "x", (), "en"), Candidate("s", "t", text, "", cut_sentences(text, "en")), "t")
        assert [*swapped_sentences(trusted)] == []
