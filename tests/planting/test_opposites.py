"""Words exchanged for their opposites, in the same form, and fixed phrases left alone."""

import pytest

from localeval.planting.opposites import antonyms
from localeval.texts import Language


def written(sentence: str, language: Language, said: str = "") -> list[str]:
    """The sentence with each change made alone."""
    return [sentence[: one.start] + one.after + sentence[one.end :] for one in antonyms(sentence, language, said, 1)]


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("en", "The price increased in May.", "The price decreased in May."),
        ("en", "An increase was seen.", "A decrease was seen."),
        ("en", "The proposal was rejected.", "The proposal was accepted."),
        ("en", "It takes more than an hour.", "It takes less than an hour."),
        ("en", "She agreed to pay.", "She refused to pay."),
        ("en", "It was cheaper.", "It was more expensive."),
        ("en", "Earlier trains are full.", "Later trains are full."),
        ("ru", "Цены повысили в мае.", "Цены понизили в мае."),
        ("ru", "Новую крышу закроют.", "Старую крышу закроют."),
        ("ru", "Магазин открыт утром.", "Магазин открыт вечером."),
        ("ru", "Заявку отклонили.", "Заявку приняли."),
        ("ru", "Пришло не менее десяти человек.", "Пришло не более десяти человек."),
        ("zh", "销售额增加。", "销售额减少。"),
        ("zh", "比六月多八百元。", "比六月少八百元。"),
        ("zh", "直径七公分以上。", "直径七公分以下。"),
        ("zh", "小孩免费。", "小孩收费。"),
    ],
)
def test_exchanges_for_the_opposite(language: Language, sentence: str, expected: str) -> None:
    """The opposite stands in the word's own form, with the article that it needs."""
    assert expected in written(sentence, language)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The story begins to make sense."),
        ("en", "She had better go."),
        ("en", "It is more or less done."),
        ("en", "Prices rose in May and fell in June."),
        ("en", "The cost rose from 165 to 212."),
        ("en", "The Increase Foundation met."),
        ("ru", "В первую очередь чинят крышу."),
        ("ru", "Смета выросла с 210 до 265 тысяч."),
        ("ru", "Цены повысили, потом понизили."),
        ("zh", "有的增加有的减少。"),
    ],
)
def test_leaves_names_phrases_and_pairs_alone(language: Language, sentence: str) -> None:
    """No word is exchanged in a name, a fixed phrase, beside its opposite, or before "from ... to"."""
    assert written(sentence, language) == []


def test_further_values_are_not_in_the_source() -> None:
    """The three others are of the same form, neither of the two, and none that the source has."""
    (change,) = antonyms("The price increased in May.", "en", "it closed, it opened, it improved, it ended", 1)
    assert len(set(change.others)) == 3
    assert not set(change.others) & {"increased", "decreased", "closed", "opened", "improved", "ended"}
