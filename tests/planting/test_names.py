"""Wrong names: of the source where it has one of the same make, else invented; never another way to write the name."""

from tests.planting.material import edits_of

SAID = (
    "Lena: I ring them all.\nMarcus: I sign on Friday.\nPriya: Heron Telecom then, and Dr Osei, and Dr Lindqvist too.\n"
)


def test_name_of_the_source_first() -> None:
    """A person who speaks takes another's place, of the same gender where that is known."""
    assert edits_of("name", "Lena rings the patients.", said=SAID)["Lena"][0] == "Priya"


def test_sort_and_make_are_kept() -> None:
    """After a title stands a surname; a body keeps what it is; the answers are all different."""
    found = edits_of("name", "Dr Osei chose Heron Telecom.", said=SAID)
    assert found["Osei"][0] == "Lindqvist"
    assert all(each.endswith(" Telecom") for each in found["Heron Telecom"])


def test_name_of_the_same_sentence_is_not_taken() -> None:
    """Nobody stands twice in a sentence, not by a part of a name either."""
    found = edits_of("name", "Lena trains Priya for two weeks.", said=SAID)
    assert {"Lena", "Priya"}.isdisjoint({each for after in found.values() for each in after})


def test_names_without_a_sort_stay() -> None:
    """A ship or a product is not known to be like any other name."""
    assert edits_of("name", "Until then the Kittiwake runs alone.", said=SAID) == {}


def test_russian_case() -> None:
    """A Russian name comes in the case of the first and of the same gender."""
    said = "Вера: начинаем.\nОлег: я займусь.\nЗоя: афиши мои.\nТимур: приду.\n"
    assert edits_of("name", "Письмо пришло от Олега.", "ru", said)["Олега"][0] == "Тимура"
    assert edits_of("name", "Письмо отправили Зое.", "ru", said)["Зое"][0] == "Вере"
    assert edits_of("name", "Анна Петрова ведёт встречу.", "ru", said)["Анна Петрова"][0].endswith("а")


def test_chinese_make() -> None:
    """小林 gives way to a name of its make, 王经理 to another who has a title."""
    said = "小林：我去签。\n老周：好。\n王经理：行。\n李老师：我带队。\n"
    assert edits_of("name", "合同由小林去签。", "zh", said)["小林"][0] == "老周"
    assert edits_of("name", "会议由王经理主持。", "zh", said)["王经理"][0] == "李老师"
