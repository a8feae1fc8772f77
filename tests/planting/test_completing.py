"""Names completed with what nobody said."""

from tests.planting.material import edits_of


def test_forename_gets_a_surname() -> None:
    """Where the source has no surname for it."""
    found = edits_of("name completion", "Anna signs on Friday.", said="Anna: I sign.\nTom: Good.\n")
    assert all(each.startswith("Anna ") for each in found["Anna"])


def test_surname_gets_a_forename_of_the_right_gender() -> None:
    """After a title, and as the pronoun says."""
    found = edits_of("name completion", "Dr Osei said that she agrees.", said="Dr Osei: I agree.\nTom: Good.\n")
    assert found["Osei"][0].split()[0] in {
        "Beatrice", "Harriet", "Imogen", "Josephine", "Matilda", "Philippa", "Rosalind", "Sylvia",
    }  # fmt: skip


def test_not_where_the_source_has_the_longer_name() -> None:
    """The whole name is known, from the source or from the text itself, in Russian in any case."""
    assert edits_of("name completion", "Anna signs.", said="Tom: Anna Lee signs it.\n") == {}
    assert edits_of("name completion", "Anna Lee came. Then Anna signs.", said="Tom: somebody signs it.\n") == {}
    assert edits_of("name completion", "Вера подпишет.", "ru", "Олег: попросим Веру Соколову.\n") == {}
    assert edits_of("name completion", "由王经理主持。", "zh", "老周：王建国经理来了。\n小林：好。\n") == {}


def test_bodies_get_a_name() -> None:
    """A council, school or hospital without a name gets one, in Russian one that needs no case."""
    assert "council" in edits_of("name completion", "It was the council that paid.", said="Tom: they paid.\n")
    assert all(
        "школе имени " in each
        for each in edits_of("name completion", "Доски дали школе.", "ru", "Олег: да.\n")["школе"]
    )
    assert all(
        each.endswith("医院") for each in edits_of("name completion", "他去医院了。", "zh", "老周：好。\n")["医院"]
    )


def test_named_bodies_stay() -> None:
    """The source names the body, or the text does."""
    assert edits_of("name completion", "It was the council that paid.", said="Tom: Leeds Council paid.\n") == {}
    assert edits_of("name completion", "The University of Leeds paid.", said="Tom: they paid.\n") == {}


def test_chinese_title_stays() -> None:
    """王经理 becomes 王 with a given name and the title."""
    found = edits_of("name completion", "会议由王经理主持。", "zh", "王经理：行。\n老周：好。\n")
    assert all(each.startswith("王") and each.endswith("经理") and len(each) == 5 for each in found["王经理"])
