"""Tasks and statements given to another person of the source."""

import pytest

from localeval.evidence.lookup import SourceIndex
from localeval.inputs.segmenting import cut_text
from localeval.planting.owners import Cast, wrong_owners
from localeval.planting.persons import gender_of, persons_of
from localeval.texts import Language, Source

TALKS: dict[Language, str] = {
    "en": "Anna: I will send the report on Friday.\nBoris: Good, I count the chairs.\nCarla: I paint the fence.\n",
    "ru": "Анна: я отправлю отчёт в пятницу.\nБорис: хорошо, я считаю стулья.\nКлара: а я крашу забор.\n",
    "zh": "王敏：我星期五交报告。\n赵刚：好，我数椅子。\n李雪：我刷围栏，也买油漆。\n",
}


def cast_of(language: Language) -> Cast:
    """The people of a short talk."""
    cut = cut_text(TALKS[language], language)
    source = Source("talk", cut.text, cut.segments, language)
    return Cast(source, SourceIndex(source), persons_of(source))


def written(sentence: str, language: Language) -> list[str]:
    """The sentence with each change made alone."""
    changes = wrong_owners(sentence, cast_of(language), 1)
    return [sentence[: one.start] + one.after + sentence[one.end :] for one in changes]


@pytest.mark.parametrize(
    ("language", "sentence", "allowed"),
    [
        ("en", "Anna will send the report.", {"Boris will send the report.", "Carla will send the report."}),
        ("en", "On Friday Anna sends it.", {"On Friday Boris sends it.", "On Friday Carla sends it."}),
        (
            "en",
            'Anna: "I will send the report."',
            {f'{name}: "I will send the report."' for name in ("Boris", "Carla")},
        ),
        ("ru", "Анна отправит отчёт.", {"Борис отправит отчёт.", "Клара отправит отчёт."}),
        ("ru", "Анна отправила отчёт.", {"Клара отправила отчёт."}),
        ("ru", "Отчёт отправит Анна.", {"Отчёт отправит Борис.", "Отчёт отправит Клара."}),
        ("zh", "王敏星期五交报告。", {"赵刚星期五交报告。", "李雪星期五交报告。"}),
        ("zh", "报告由王敏负责。", {"报告由赵刚负责。", "报告由李雪负责。"}),
    ],
)
def test_gives_the_task_to_another(language: Language, sentence: str, allowed: set[str]) -> None:
    """The subject of a verb is exchanged for another person, in Russian one whose gender fits the past."""
    assert len(written(sentence, language)) == 1
    assert set(written(sentence, language)) <= allowed


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The report is sent to Anna."),
        ("en", "Anna's report will be long."),
        ("en", "Anna, Boris and Carla will send it."),
        ("ru", "Отчёт отправят Анне."),
        ("zh", "王敏的报告很长。"),
        ("zh", "报告交给王敏。"),
    ],
)
def test_leaves_alone_who_does_nothing(language: Language, sentence: str) -> None:
    """Objects, owners of things and sentences that name everybody are left as they are."""
    assert written(sentence, language) == []


def test_none_where_one_speaks() -> None:
    """A source with one person has nobody to give a task to."""
    source = Source("one", "I will go.", cut_text("I will go.", "en").segments, "en")
    assert [*wrong_owners("Anna will go.", Cast(source, SourceIndex(source), ("Anna",)), 1)] == []


def test_further_names_are_not_in_the_source() -> None:
    """The three others are names, or roles where the person is a role, that the source does not have."""
    (change,) = wrong_owners("Anna will send the report.", cast_of("en"), 1)
    assert len(set(change.others)) == 3
    assert not any(name in TALKS["en"] for name in change.others)
    text = "Project Manager: I send it.\nMarketing: Good. Fine.\nUser Interface: I count the chairs.\n"
    cut = cut_text(text, "en")
    source = Source("roles", cut.text, cut.segments, "en")
    cast = Cast(source, SourceIndex(source), persons_of(source))
    (change,) = wrong_owners("Project Manager will send it.", cast, 1)
    assert change.after in {"Marketing", "User Interface"}
    assert "Rosalind" not in change.others
    assert len(change.others) == 3


def test_persons_without_speakers_are_those_who_say_something() -> None:
    """In a story who twice stands before a verb of saying is a person; a name that is only mentioned is none."""
    text = "Farquar said no. Opperly asked why. Farquar nodded. Opperly replied. They flew to Dynamopolis."
    source = Source("story", text, cut_text(text, "en").segments, "en")
    assert persons_of(source) == ("Farquar", "Opperly")


def test_unknown_voices_are_nobody() -> None:
    """Numbered speakers are not persons."""
    cut = cut_text("Speaker 1: I will go.\nSpeaker 2: Me too.\nSpeaker 1: Good.\n", "en")
    assert persons_of(Source("voices", cut.text, cut.segments, "en")) == ()


def test_gender_of_russian_names() -> None:
    """A Russian forename tells the gender; another language's and an unknown name do not."""
    assert [gender_of(name, "ru") for name in ("Анна", "Борис Петров", "Ъыъ")] == ["femn", "masc", ""]
    assert gender_of("Anna", "en") == ""
