"""Which names a text is found to hold."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.evidence.names import names
from localeval.texts import Language

ENGLISH = [
    ("Samantha Lee called ComFAC about the Knight Ritter deal.", ["Samantha Lee", "ComFAC", "Knight Ritter"]),
    ("Dr. Jane O'Brien's note praised GPT-4o and B12.", ["Jane O'Brien", "GPT-4o", "B12"]),
    ("Participants discussed the budget. Additionally, they met.", []),
    ("Participants discussed Zoom. Mark agreed.", ["Zoom", "Mark"]),
    ("Yesterday Dorothy moved WireGuard to TrueNAS.", ["Dorothy", "WireGuard", "TrueNAS"]),
    ("Dorothy bought a car.", ["Dorothy"]),
    ("Don't ask. It's fine. I'm late. OK then. We're done.", []),
    ("She joined the University of Leeds and the Bank of America.", ["University of Leeds", "Bank of America"]),
    ("The CEO of Acme Inc. left.", ["Acme"]),
    ("President Smith and Ms. Ng met Councilmember Price.", ["Smith", "Ng", "Price"]),
    (
        "Write to jane.doe@example.com, see https://example.org/x?y=1.",
        ["jane.doe@example.com", "https://example.org/x?y=1"],
    ),
    ("We moved to example.org. then on.the way met.", ["example.org"]),
    ("On 19 February Tom puts in a new one.", ["February", "Tom"]),
    ("The U.S. Senate read IBM's COVID-19 plan.", ["U.S. Senate", "IBM", "COVID-19"]),
    ("THE WHOLE MEETING WAS ABOUT ACMEX AND MONEY", ["ACMEX"]),
    ('He said "we will go" and read "Moby Dick".', ["Moby Dick"]),
    ("- Anna leads\n- Budget approved by Kevin", ["Anna", "Kevin"]),
    ("Early Bird Bundle sells. Ludwig van Beethoven too.", ["Early Bird Bundle", "Ludwig van Beethoven"]),
    ("the ipad was sold on eBay for 5kg of iPhones in the 80s", ["eBay", "iPhones"]),
    ("We saw Müller, Łukasz and Đorđe.", ["Müller", "Łukasz", "Đorđe"]),
]
RUSSIAN = [
    ("Анне Петровой сообщили, что в Бишкеке закрылась компания «Ромашка».", ["Анне Петровой", "Бишкеке", "Ромашка"]),
    ("Крышу ремонтируют. Недостающие деньги просят. Концерт переносится. Котёл ломался.", []),
    ("Вера просит сельсовет. Зоя печатает афиши. Тимур поставит насос.", ["Вера", "Зоя", "Тимур"]),
    ("Сам Тимур сказал, что Вы правы.", ["Тимур"]),
    ("Вчера Олег Вере сказал про Zoom.", ["Олег", "Вере", "Zoom"]),
    ("Сегодня Айгуль Жумабекова уехала в США.", ["Айгуль Жумабекова", "США"]),
    ("Были в Ростове-на-Дону и в ООО «Альфа-Строй».", ["Ростове-на-Дону", "ООО", "Альфа-Строй"]),
    ("Доктор Лебедев и г-н Ким пришли.", ["Лебедев", "Ким"]),
]
CHINESE = [
    ("小林在八月二十号之前与平台签合同，大刘周末更换。", ["小林", "大刘"]),
    ("王总说用Zoom和wireguard，李先生不同意。", ["王总", "Zoom", "wireguard", "李先生"]),
    ("张伟民博士在复旦大学附属中山医院工作。", ["张伟民", "复旦大学附属中山医院"]),
    ("陈晓红女士代表绿源科技有限公司签字，保险公司和上市公司没有来。", ["陈晓红", "绿源科技有限公司"]),
    ("他读了《红楼梦》，用的是“鲜果平台”。", ["红楼梦", "鲜果平台"]),
    ("预约的页面谁来做？电费从维修费里出，七月份三千九。", []),
]
LANGUAGES: list[Language] = ["en", "ru", "zh"]
CASES: list[tuple[Language, str, list[str]]] = [
    *(("en", text, found) for text, found in ENGLISH),
    *(("ru", text, found) for text, found in RUSSIAN),
    *(("zh", text, found) for text, found in CHINESE),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_names_of_a_text(language: Language, text: str, expected: list[str]) -> None:
    """The names are these, in this order, and no others."""
    assert [name.text for name in names(text, language)] == expected


MIXED = st.text(
    st.sampled_from("AaBb zZ.,'’-«»“”\"()@/0123 \n\tЁёЖжПп王李公司大学说《》\u0301ﬁⅣ²İßﷺ👍\x00"), max_size=60
)


@pytest.mark.parametrize("piece", ["a-", "a.", "a@", "«", "A ", "A-", "I.", "of A ", "王明"])
def test_names_of_a_long_text_take_linear_time(piece: str) -> None:
    """Ten thousand of one piece take seconds of one core, in any language, not minutes."""
    began = time.process_time()
    for language in LANGUAGES:
        names(piece * 10_000, language)
    assert time.process_time() - began < 10


@given(st.one_of(st.text(max_size=80), MIXED), st.sampled_from(LANGUAGES))
def test_names_of_any_text(text: str, language: Language) -> None:
    """No text makes it raise; names are what stands at their offsets, in order, none over another, never blank."""
    reached = 0
    for name in names(text, language):
        assert name.start >= reached
        assert name.text == text[name.start : name.end]
        assert name.text.strip()
        reached = name.end
