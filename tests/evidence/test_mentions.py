"""Where a text names a target, which names are like it, and where a copied phrase stands."""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.evidence.mentions import find_mentions, find_quote, is_mere_name, merge_names, suggest_names
from localeval.texts import Language

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES: list[Language] = ["en", "ru", "zh"]

Case = tuple[str, str, list[str]]

PERSONS_EN: list[Case] = [
    ("Angela Merkel met Merkel's critics.", "Angela Merkel", ["Angela Merkel", "Merkel"]),
    ("Chancellor Merkel and Mrs. Merkel; MERKEL too.", "Angela Merkel", ["Merkel", "Merkel", "MERKEL"]),
    ("Bob Merkel met Ulrike Merkel.", "Angela Merkel", []),
    ("A. Merkel met B. Merkel.", "Angela Merkel", ["A. Merkel"]),
    ("May said that she may resign in May. May I ask May?", "Theresa May", ["May", "May"]),
    ("On 5 May and May 7, 2016 he met May.", "Theresa May", ["May"]),
    ("Nobody may enter.", "May", []),
    ("theresa may said she may go", "Theresa May", ["theresa may"]),
    ("well trump said it", "Donald Trump", ["trump"]),
    ("The will of Will Smith. And will Smith come?", "Will Smith", ["Will Smith", "Smith"]),
    (
        "Donald J. Trump, Donald John Trump, D. Trump",
        "Donald Trump",
        ["Donald J. Trump", "Donald John Trump", "D. Trump"],
    ),
    ("Melania Trump waved. Trump Tower shone. The Trump administration.", "Donald Trump", ["Trump"]),
    ("Donald Trump Jr. spoke for Donald Trump.", "Donald Trump", ["Donald Trump"]),
    ("Donald Trump Jr. spoke for Donald Trump.", "Donald Trump Jr.", ["Donald Trump Jr"]),
    ("The Trump-backed, pro-Trump crowd; the Trump-Putin summit.", "Donald Trump", ["Trump", "Trump", "Trump"]),
    (
        "Alexandria Ocasio-Cortez or Ocasio Cortez",
        "Alexandria Ocasio-Cortez",
        ["Alexandria Ocasio-Cortez", "Ocasio Cortez"],
    ),
    ("Alexandria Ocasio-Cortez met Ana Cortez.", "Ana Cortez", ["Ana Cortez"]),
    ("Conan O’Brien laughed; O'Brien's show.", "Conan O'Brien", ["Conan O’Brien", "O'Brien"]),
    ("Conan O'Brien met Pat Brien.", "Pat Brien", ["Pat Brien"]),
    (
        "Ursula von der Leyen: von der Leyen, Leyen",
        "Ursula von der Leyen",
        ["Ursula von der Leyen", "von der Leyen", "Leyen"],
    ),
    ("President Bashar al-Assad said Assad's army", "Bashar al-Assad", ["Bashar al-Assad", "Assad"]),
    ("Texas Senator Ted Cruz beat Democrat Beto O’Rourke.", "Ted Cruz", ["Ted Cruz"]),
    ("“Mr. Priebus,” said Reince Priebus", "Mr. Priebus", ["Mr. Priebus", "Priebus"]),
    ("Trump, Donald and Donald Trump", "Trump, Donald", ["Trump, Donald", "Donald Trump"]),
    ("Emmanuel Macrón and EMMANUEL\nMACRON", "Emmanuel Macron", ["Emmanuel Macrón", "EMMANUEL\nMACRON"]),
    ("Jimmy Carter Says He Has Cancer in His Brain", "Jimmy Carter", ["Jimmy Carter"]),
    ("Jay-Z and Jay Z; JayZ", "Jay-Z", ["Jay-Z", "Jay Z", "JayZ"]),
    ("Michelle Obama smiled. Michelle too.", "Michelle", ["Michelle", "Michelle"]),
    ("Trumpism trumps", "Donald Trump", []),
    ("Elon Musk\nElon Musk: hi", "Elon Musk", ["Elon Musk", "Elon Musk"]),
    ("King said that Martin Luther King Jr. came.", "Martin Luther King Jr.", ["Martin Luther King Jr"]),
    ("THE MERKEL GOVERNMENT FELL AS MERKEL LEFT", "Angela Merkel", ["MERKEL", "MERKEL"]),
    ("Xi Jinping and Xi", "Xi Jinping", ["Xi Jinping"]),
]
THINGS_EN: list[Case] = [
    ("New York is not York.", "York", ["York"]),
    ("The New York Times is in New York.", "New York", ["New York"]),
    ("Russia and the Bank of Russia; Russia's army.", "Russia", ["Russia", "Russia"]),
    ("Let us ask the US, the U.S. and the U.S.'s ally.", "U.S.", ["US", "U.S", "U.S"]),
    ("It was IT that did it.", "IT", ["IT"]),
    ("Walmart or Wal-Mart", "Walmart", ["Walmart", "Wal-Mart"]),
    ("Apple sells; an apple falls.", "Apple Inc.", ["Apple"]),
    ("Google.com is Google's; Google CEO Sundar Pichai", "Google", ["Google", "Google"]),
    ("the beatles? The Beatles!", "The Beatles", ["beatles", "The Beatles"]),
    ("the white house near the White House", "White House", ["White House"]),
    ("Critics of Israel, and Israel.", "Israel", ["Israel", "Israel"]),
    ("I bought an iPhone and an iphone.", "iPhone", ["iPhone", "iphone"]),
    ("The vegans met a vegan.", "vegan", ["vegan"]),
    ("GPT-4 beats GPT.", "GPT", ["GPT"]),
    ("Prime Minister Scott Morrison of Australia; Bank of Australia", "Australia", ["Australia"]),
    ("US-China trade war: China won", "US", ["US"]),
    ("The Church of England is in England.", "England", ["England"]),
    ("the european union met", "European Union", ["european union"]),
    ("McDonald’s and mcdonald's", "McDonald's", ["McDonald’s", "mcdonald's"]),
]
PERSONS_RU: list[Case] = [
    ("Путина встретили с Путиным. Путин уехал.", "Путин", ["Путина", "Путиным", "Путин"]),
    ("Владимиру Путину и В. В. Путину, В.Путину", "Владимир Путин", ["Владимиру Путину", "В. В. Путину", "В.Путину"]),
    ("Владимир Владимирович Путин и Людмила Путина", "Владимир Путин", ["Владимир Владимирович Путин"]),
    ("Путину Владимиру сказал президент Путин", "Владимир Путин", ["Путину Владимиру", "Путин"]),
    ("Началась путина. О Путине молчат.", "Владимир Путин", ["Путине"]),
    ("Анну Петрову видел Петров.", "Анна Петрова", ["Анну Петрову"]),
    ("Салтыкова-Щедрина читали с Салтыковым-Щедриным", "Салтыков-Щедрин", ["Салтыкова-Щедрина", "Салтыковым-Щедриным"]),
    ("Меркель и канцлера Ангелы Меркель", "Ангела Меркель", ["Меркель", "Ангелы Меркель"]),
    ("сказал путин вчера", "Владимир Путин", ["путин"]),
    ("Фёдорову звонил Федоров", "Алексей Фёдоров", ["Фёдорову", "Федоров"]),
]
THINGS_RU: list[Case] = [
    ("Ставку Банка России обсудили в Банке России, а не в банке.", "Банк России", ["Банка России", "Банке России"]),
    ("Банк России и Россия", "Россия", ["Россия"]),
    ("В Ростове-на-Дону и под Ростовом-на-Дону", "Ростов-на-Дону", ["Ростове-на-Дону", "Ростовом-на-Дону"]),
    ("Из Объединённых Арабских Эмиратов", "Объединённые Арабские Эмираты", ["Объединённых Арабских Эмиратов"]),
    ("Страны Европейского союза; Европейскому Союзу", "Европейский союз", ["Европейского союза", "Европейскому Союзу"]),
    ("Акции «Газпрома» и Сбербанка", "Газпром", ["Газпрома"]),
    ("ЦБ и ЦБ РФ решили", "ЦБ РФ", ["ЦБ РФ"]),
    ("Купили на Apple и у Google", "Apple", ["Apple"]),
]
PERSONS_ZH: list[Case] = [
    ("习近平主席会见了特朗普总统。习近平说好。", "习近平", ["习近平", "习近平"]),
    ("习先生来了。", "习近平", []),
    ("安格拉·默克尔说，默克尔总理很忙。", "安格拉·默克尔", ["安格拉·默克尔", "默克尔"]),
    ("王明华来了，我见到王明华。", "王明", []),
    ("Trump访问中国", "Trump", ["Trump"]),
]
THINGS_ZH: list[Case] = [
    ("北京大学在北京。", "北京", ["北京"]),
    ("发展中国家和中国政府", "中国", ["中国"]),
    ("华为公司和华为手机", "华为", ["华为", "华为"]),
    ("欧盟委员会与欧盟", "欧盟", ["欧盟"]),
    ("苹果CEO", "苹果", ["苹果"]),
]
FOUND: list[tuple[Language, bool, Case]] = [
    *(("en", True, case) for case in PERSONS_EN),
    *(("en", False, case) for case in THINGS_EN),
    *(("ru", True, case) for case in PERSONS_RU),
    *(("ru", False, case) for case in THINGS_RU),
    *(("zh", True, case) for case in PERSONS_ZH),
    *(("zh", False, case) for case in THINGS_ZH),
]


def found_in(text: str, names: Sequence[str], language: Language, is_person: bool) -> list[str]:
    """The words of each mention."""
    return [text[mention.start : mention.end] for mention in find_mentions(text, names, language, is_person)]


@pytest.mark.parametrize(("language", "is_person", "case"), FOUND, ids=lambda value: str(value)[:60])
def test_a_target_is_found_where_it_is_named(language: Language, is_person: bool, case: Case) -> None:
    """Every place where the name stands as itself, and no other."""
    text, name, expected = case
    assert found_in(text, [name], language, is_person) == expected


def test_a_surname_counts_for_persons_alone() -> None:
    """Merkel is Angela Merkel only where the target is a person."""
    assert found_in("Then Merkel spoke.", ["Angela Merkel"], "en", True) == ["Merkel"]
    assert found_in("Then Merkel spoke.", ["Angela Merkel"], "en", False) == []


def test_the_longest_name_counts_and_each_says_which_it_is() -> None:
    """Of overlapping names the longest is the mention; the index is that of the name given."""
    text = "New York Times, New York and York."
    mentions = find_mentions(text, ["York", "New York", "New York Times"], "en")
    assert [(text[m.start : m.end], m.name) for m in mentions] == [("New York Times", 2), ("New York", 1), ("York", 0)]
    text = "Bill Clinton, Hillary Clinton"
    mentions = find_mentions(text, ["Clinton", "Hillary Clinton", "Hillary Clinton"], "en", is_person=True)
    assert [(text[m.start : m.end], m.name) for m in mentions] == [("Clinton", 0), ("Hillary Clinton", 1)]


QUOTES = [
    ("He said “it’s   great” — truly.", "It's great - truly", "it’s   great” — truly"),
    ("It is well\nknown, isn't it?", '"... well-known, isn’t it..."', "well\nknown, isn't it"),
    ("One two three four. One four.", "one … four", "One four"),
    ("One two three four five", "two [...] five", "two three four five"),
    ("One two three", "three ... one", None),
    ("One two three", "one three", None),
    ("A particular art", "art", "art"),
    ("A particular", "art", None),
    ("up 5% now", "up 5 now", None),
    ("up 5%, now", "UP 5% NOW!", "up 5%, now"),
    ("Café au lait", "cafe au lait", "Café au lait"),
    ("…", "…", None),
    ("Anything", " -- ", None),
    ("Anything", "", None),
    ("", "word", None),
    ("Всё хорошо, сказал он.", "«все хорошо»", "Всё хорошо"),
    ("他说：“很好，很好。”大家都笑了。", "很好。很好……笑了", "很好，很好。”大家都笑了"),
    ("他说很好", "很坏", None),
    ("１２ cats", "12 cats", "１２ cats"),
    ("Everyone " + "spoke " * 40 + "up.", "everyone … up", "Everyone " + "spoke " * 40 + "up"),
    ("Everyone " + "spoke " * 41 + "up.", "everyone … up", None),
    ("One " * 3 + "far " * 60 + "One two.", "one … two", "One two"),
]


@pytest.mark.parametrize(("text", "phrase", "expected"), QUOTES)
def test_a_copied_phrase_is_found(text: str, phrase: str, expected: str | None) -> None:
    """Case, spaces and punctuation aside, every word in order; an ellipsis stands for up to 40 words."""
    place = find_quote(text, phrase)
    assert (text[slice(*place)] if place else None) == expected


MERE: list[tuple[Language, str, bool]] = [
    ("en", "Trump", True),
    ("en", "the President, Mr. Donald J. Trump's", True),
    ("en", "he", True),
    ("en", "to the", True),
    ("en", "", True),
    ("en", "…", True),
    ("en", "corrupt Trump", False),
    ("en", "Thanks, Trump", False),
    ("en", "trump card", False),
    ("en", "Trump, not him", False),
    ("ru", "Путина", True),
    ("ru", "президенту Владимиру Путину", True),
    ("ru", "он и его", True),
    ("ru", "великий Путин", False),
    ("ru", "хорошо", False),
    ("zh", "习近平主席", True),
    ("zh", "他的", True),
    ("zh", "伟大的习近平", False),
]
TARGET = ["Donald Trump", "Владимир Путин", "习近平"]


@pytest.mark.parametrize(("language", "phrase", "expected"), MERE)
def test_a_name_alone_is_no_evidence(language: Language, phrase: str, expected: bool) -> None:
    """A name, titles and function words say nothing of a target; any other word does."""
    assert is_mere_name(phrase, TARGET, language) is expected


SUGGESTED: list[tuple[Language, str, str, list[str]]] = [
    ("en", "Yesterday Angela Merkel met Barack Obama in Berlin.", "Angela Merkle", ["Angela Merkel"]),
    ("en", "Yesterday Merkel met Obama.", "Merkle", ["Merkel"]),
    ("en", "Yesterday Merkel met Obama.", "Меркель", ["Merkel"]),
    ("en", "Yesterday Merkel met Obama.", "Zhou", []),
    ("en", "Emmanuel Macron met Marine Le Pen.", "Lepen", ["Marine Le Pen"]),
    ("en", "The meeting was long. We talked about budgets and roads.", "Merkel", []),
    ("en", "He works at IBM.", "International Business Machines", ["IBM"]),
    ("en", "so merkel met obama", "Angela Merkel", ["merkel"]),
    ("en", "Angela Merkel flew to Los Angeles.", "Angela Merkle", ["Angela Merkel"]),
    ("en", "He lives in New York.", "York", ["New York"]),
    ("ru", "Вчера Путина видели с Путиным и Меркель.", "Putin", ["Путина"]),
    ("ru", "Вчера канцлер Меркель молчала.", "Merkel", ["Меркель"]),
    ("ru", "О Байдене и Зеленском молчат.", "Zelensky", ["Зеленском"]),
    ("zh", "昨天奥巴马来了。", "Obama", ["奥巴马"]),
]


@pytest.mark.parametrize(("language", "text", "name", "expected"), SUGGESTED)
def test_names_of_the_text_are_suggested(language: Language, text: str, name: str, expected: list[str]) -> None:
    """What stands in the text and is most like a name that it lacks; nothing where nothing is."""
    assert list(suggest_names(text, name, language)) == expected


def test_suggestions_end_at_the_limit() -> None:
    """The best first, and no more than asked for."""
    text = "Then Merkel, Markel and Mirkel met."
    assert suggest_names(text, "Merkell", "en", limit=1) == ("Merkel",)
    assert len(suggest_names(text, "Merkell", "en", limit=2)) == 2
    assert suggest_names(text, "Merkell", "en", limit=0) == ()


MERGED: list[tuple[Language, list[str], list[list[int]]]] = [
    ("en", ["Donald Trump", "Trump", "Mr. Trump", "Donald J. Trump", "Melania"], [[0, 1, 2, 3], [4]]),
    ("en", ["Trump", "Donald Trump", "Melania Trump"], [[0], [1], [2]]),
    ("en", ["Clinton", "Hillary Clinton"], [[0, 1]]),
    ("en", ["Mr. Clinton", "Mrs. Clinton"], [[0], [1]]),
    ("en", ["George Bush", "George W. Bush"], [[0, 1]]),
    ("en", ["George Bush", "George W. Bush", "George H. W. Bush"], [[0], [1], [2]]),
    ("en", ["Donald Trump", "Donald Trump Jr.", "Trump"], [[0, 2], [1]]),
    ("en", ["York", "New York", "South Korea", "Korea", "North Korea"], [[0], [1], [2], [3], [4]]),
    ("en", ["Bank of America", "America", "the Bank of America"], [[0, 2], [1]]),
    ("en", ["U.S.", "US", "United States", "the United States"], [[0, 1, 2, 3]]),
    ("en", ["Mike Pence", "MP"], [[0], [1]]),
    ("en", ["Apple", "Apple Inc.", "Google"], [[0, 1], [2]]),
    ("en", ["John Smith", "John Smyth"], [[0], [1]]),
    ("en", ["J. Smith", "John Smith", "Jane Smith"], [[0], [1], [2]]),
    ("en", ["J. Smith", "John Smith"], [[0, 1]]),
    ("en", ["General Motors", "Motors"], [[0], [1]]),
    ("en", ["Ursula von der Leyen", "von der Leyen", "Marine Le Pen", "Le Pen"], [[0, 1], [2, 3]]),
    ("en", ["San Francisco", "Francisco"], [[0], [1]]),
    ("en", ["Ben Carson", "Johnny Carson"], [[0], [1]]),
    ("en", ["", "…", "Trump"], [[0], [1], [2]]),
    ("en", [], []),
    ("ru", ["Банк России", "Банка России", "Россия"], [[0, 1], [2]]),
    (
        "ru",
        ["Путин", "Владимир Путин", "Владимира Путина", "Путиным", "В. В. Путин", "Путин В.В."],
        [[0, 1, 2, 3, 4, 5]],
    ),
    ("ru", ["Петров", "Петрова"], [[0], [1]]),
    ("ru", ["Александр Петров", "Александра Петрова"], [[0], [1]]),
    ("ru", ["ООН", "Организация Объединённых Наций"], [[0, 1]]),
    ("zh", ["习近平", "习近平主席", "安格拉·默克尔", "默克尔", "王明", "王明华"], [[0, 1], [2, 3], [4], [5]]),
]


@pytest.mark.parametrize(("language", "names", "expected"), MERGED)
def test_names_of_one_target_go_together(language: Language, names: list[str], expected: list[list[int]]) -> None:
    """Titles, initials, surnames, cases and company forms make no other target; doubt keeps names apart."""
    assert merge_names(names, language) == expected


PIECES = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="MayTrump-'’.…“”«» \n\t·ёПутина中国王明·@_'śßİǅ½²\ud800\x00", max_size=60),
    st.lists(
        st.sampled_from(["Donald", "Trump", "Jr.", "New", "York", "U.S.", "Путина", "О’Brien", "习近平"]), max_size=8
    ).map(" ".join),
)


@given(PIECES, st.lists(PIECES, max_size=4), st.sampled_from(LANGUAGES), st.booleans())
@settings(deadline=None, max_examples=300)
def test_no_text_breaks_the_search(text: str, names: list[str], language: Language, is_person: bool) -> None:
    """Mentions lie in the text, hold something, and do not overlap, whatever is asked."""
    mentions = find_mentions(text, names, language, is_person)
    ends = [0, *(mention.end for mention in mentions)]
    for mention, before in zip(mentions, ends, strict=False):
        assert before <= mention.start < mention.end <= len(text)
        assert 0 <= mention.name < len(names)


@given(PIECES, PIECES, st.lists(PIECES, max_size=6), st.sampled_from(LANGUAGES))
@settings(deadline=None, max_examples=300)
def test_no_text_breaks_the_rest(text: str, phrase: str, names: list[str], language: Language) -> None:
    """Quotes lie in the text, suggestions keep the limit, groups hold every name once."""
    place = find_quote(text, phrase)
    assert place is None or 0 <= place[0] < place[1] <= len(text)
    assert len(suggest_names(text, phrase, language, 2)) <= 2
    assert is_mere_name(phrase, names, language) in (True, False)
    groups = merge_names(names, language)
    assert sorted(index for group in groups for index in group) == list(range(len(names)))
    assert [group[0] for group in groups] == sorted(group[0] for group in groups)


@given(st.text(min_size=1, max_size=80), st.data())
@settings(deadline=None)
def test_every_stretch_of_words_is_found(text: str, data: st.DataObject) -> None:
    """What is cut out of a text between spaces is found again if it holds a letter or digit."""
    words = text.split()
    if not words:
        return
    first = data.draw(st.integers(0, len(words) - 1))
    phrase = " ".join(words[first : data.draw(st.integers(first + 1, len(words)))])
    if find_quote(phrase, phrase) is not None:
        assert find_quote(text, phrase) is not None


def test_the_time_grows_with_the_text_alone() -> None:
    """Ten times the text takes about ten times as long with twenty targets: nothing is searched again and again."""
    part = "Yesterday Angela Merkel met Mr. Trump in New York, and the U.S. said that May may go to Bank of Russia. "
    targets = [
        f"{first} {last}"
        for first in ("Angela", "Donald", "Theresa", "Bob")
        for last in ["Merkel", "Trump", "May", "Bush", "Ng"]
    ]
    find_mentions(part, targets, "en", is_person=True)

    def seconds(n_parts: int) -> float:
        """Of processor time, the best of three texts that were not seen before."""
        found = []
        for number in range(3):
            text = f"{part * n_parts}{n_parts} {number}"
            began = time.process_time()
            assert len(find_mentions(text, targets, "en", is_person=True)) >= 2 * n_parts
            found.append(time.process_time() - began)
        return min(found)

    assert seconds(600) < 30 * seconds(60)


def test_labelled_mentions_are_found() -> None:
    """The text of each labelled mention of NewsMTSC is found in its sentence at its offsets, 99 % of them at least."""
    named = os.environ.get("LOCALEVAL_DATA")
    path = (Path(named) if named else ROOT.parent / "shared" / "data") / "newsmtsc" / "sentences.jsonl"
    if not path.is_file():
        pytest.skip(f"no {path}; LOCALEVAL_DATA names the folder of the data sets")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    hits = [
        any(
            target["start"] <= mention.start and mention.end <= target["end"]
            for mention in find_mentions(row["sentence"], [target["mention"]], "en", is_person=True)
        )
        for row in rows
        for target in row["targets"]
    ]
    rate = sum(hits) / len(hits)
    print(f"{sum(hits)} of {len(hits)} labelled mentions found: {rate:.4f}")
    assert rate >= 0.99
