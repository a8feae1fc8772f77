"""What a whole source has of a phrase: exact, near or absent."""

import subprocess
import sys
import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from localeval.evidence.folding import tokens
from localeval.evidence.likeness import FOREIGN_THRESHOLD, NAME_THRESHOLD, ORDINARY_THRESHOLD
from localeval.evidence.lookup import Found, Match, SourceIndex
from localeval.evidence.names import names
from localeval.texts import Language, Segment, Source


def source(text: str, language: Language = "en") -> Source:
    """A source of the lines of a text, a segment each; what stands before the first ": " of a line is the speaker."""
    segments: list[Segment] = []
    said = ""
    for line in filter(str.strip, text.split("\n")):
        speaker, colon, words = line.partition(": ")
        words, who = (words, speaker) if colon else (line, None)
        segments.append(Segment(len(segments) + 1, len(said), len(said) + len(words), speaker=who))
        said += words + "\n"
    return Source("s", said, tuple(segments), language)


def named(index: SourceIndex, phrase: str) -> dict[str, tuple[Match, tuple[int, ...]]]:
    """The names of a phrase, each with its match and segments."""
    return {found.item.text: (found.match, found.segments) for found in index.find(phrase) if found.item.kind == "name"}


PUBLISHED = source(
    """
    Host: welcome back, today it is the comfac portable and a true nass box on the salt marsh network.
    Guest: with wire guard, and louis ignarro got the prize in nineteen ninety eight.
    Host: knight ritter bought the paper, that was said on the phone.
    Guest: the thrust was never given to us, mark my words.
    """.replace("    ", "")
)


@pytest.mark.parametrize(
    ("name", "match", "segments"),
    [
        ("Compaq", "near", (1,)),
        ("TrueNAS", "near", (1,)),
        ("WireGuard", "exact", (2,)),
        ("Louis Ignarro", "exact", (2,)),
        ("Knight Ridder", "near", (3,)),
        ("Knight Ritter", "exact", (3,)),
        ("Boeing", "absent", ()),
        ("Guest", "exact", (2, 4)),
    ],
)
def test_published_cases(name: str, match: Match, segments: tuple[int, ...]) -> None:
    """A completed name is near, never exact; a name that was only cleaned up in case and spaces is exact."""
    assert named(SourceIndex(PUBLISHED), f"They spoke of {name} there.") == {name: (match, segments)}


CASED = source(
    """
    Host: Samantha met Kim, and the World Health Organization paid. We mark it, as it was said by us.
    Guest: The GPT four and the b twelve are in grid computing. A.I. is good, an and or. The salt marsh is wet.
    Samantha: Anna F. Petrova of Acme, Inc. mailed jane dot doe at example dot com. Brae, Lee went.
    Guest: Müller's PhD, I. B. M. and the API, Bank of America; St. John. And Holm Pier. Bob. Lee came.
    """.replace("    ", "")
)
UNCASED = source("so mark and tina from the it team met kim at apple and in the salt marsh with an and")
RUSSIAN = source(
    """
    Вера: Анна Сергеевна Петрова приехала в Бишкек. был зум с Олегом Ивановым
    Олег: «Ромашка» закрылась, роза цвела, и Петров ушёл. В Ростове-на-Дону дождь, Артём со Львом Толстым ждут
    Вера: Айгуль Жумабекова и Нурлан уехали, МЧС не звонило, Семёнов тоже
    """.replace("    ", ""),
    "ru",
)
CHINESE = source("老周：张伟民博士说，王明华去北京大学医院。\n小林：用zoom开会，王明华不来，台积电的合同", "zh")


@pytest.mark.parametrize(
    ("where", "name", "match"),
    [
        (CASED, "Kim", "exact"),
        (CASED, "Samantha Lee", "near"),  # a part of it
        (CASED, "Sam", "near"),
        (CASED, "Mark", "near"),  # "mark it", where names have capitals
        (CASED, "IT", "near"),
        (CASED, "US", "near"),
        (CASED, "WHO", "near"),  # its words stand there
        (CASED, "GPT-4", "exact"),
        (CASED, "B12", "exact"),
        (CASED, "GPT-5", "near"),
        (CASED, "B13", "absent"),
        (CASED, "Ingrid", "near"),  # "in grid"
        (CASED, "Anand", "near"),  # "an and"
        (CASED, "AI", "exact"),
        (CASED, "IBM", "exact"),
        (CASED, "PhDs", "exact"),
        (CASED, "APIs", "exact"),
        (CASED, "Saltmarsh", "near"),
        (CASED, "Anna Petrova", "exact"),
        (CASED, "Petrova", "exact"),
        (CASED, "Petrov", "near"),
        (CASED, "Petrova Anna", "near"),
        (CASED, "jane.doe@example.com", "exact"),
        (CASED, "john.doe@example.com", "near"),
        (CASED, "Brae Lee", "near"),  # two names with a comma between
        (CASED, "Bob Lee", "near"),  # two names with a full stop between
        (CASED, "St John", "exact"),
        (CASED, "Muller", "exact"),
        (CASED, "ＭÜＬＬＥＲ", "exact"),
        (CASED, "Bank of America", "exact"),
        (CASED, "Bank of England", "absent"),
        (CASED, "Holm", "exact"),
        (CASED, "Holmes", "near"),
        (CASED, "Dorothy", "absent"),
        (UNCASED, "Mark", "exact"),  # nothing there has a capital
        (UNCASED, "Apple", "exact"),
        (UNCASED, "Saltmarsh", "exact"),
        (UNCASED, "IT", "near"),  # a function word all the same
        (UNCASED, "Anand", "near"),
        (RUSSIAN, "Анне Петровой", "exact"),
        (RUSSIAN, "Петрову Анну", "exact"),
        (RUSSIAN, "Петровой", "exact"),
        (RUSSIAN, "Анной Ивановой", "near"),
        (RUSSIAN, "Бишкеке", "exact"),
        (RUSSIAN, "Ташкенте", "absent"),
        (RUSSIAN, "Ивановым Олегом", "exact"),
        (RUSSIAN, "Ромашке", "exact"),
        (RUSSIAN, "Роза", "near"),
        (RUSSIAN, "Ростов-на-Дону", "exact"),
        (RUSSIAN, "Zoom", "near"),
        (RUSSIAN, "Артему", "exact"),
        (RUSSIAN, "Льву Толстому", "exact"),
        (RUSSIAN, "Жумабековой", "exact"),
        (RUSSIAN, "Нурлана", "exact"),
        (RUSSIAN, "Нурланбек", "near"),
        (RUSSIAN, "МЧС", "exact"),
        (RUSSIAN, "МВД", "absent"),
        (RUSSIAN, "Семенову", "exact"),
        (RUSSIAN, "Вере", "exact"),  # who speaks
        (CHINESE, "张伟民", "exact"),
        (CHINESE, "章伟明", "near"),  # the same sounds
        (CHINESE, "王明", "near"),  # always of 王明华
        (CHINESE, "王明华", "exact"),
        (CHINESE, "北京大学", "exact"),
        (CHINESE, "Zoom", "exact"),
        (CHINESE, "李小龙", "absent"),
        (CHINESE, "台积电", "exact"),
    ],
)
def test_a_name_in_a_source(where: Source, name: str, match: Match) -> None:
    """A quoted name has this match, and 100 for exact, 0 for absent."""
    quoted = f"《{name}》"
    (found,) = [found for found in SourceIndex(where).find(quoted) if found.item.text == name]
    assert (found.match, found.words) == (match, found.words if match != "absent" else "")
    assert (found.similarity == 100.0) or match != "exact"
    assert (found.similarity == 0.0) == (match == "absent") == (found.segments == ())


def check(where: Source, found: Found) -> None:
    """Its segments are the source's, at most five, and hold the words, or their speakers do."""
    by_number = {segment.number: segment for segment in where.segments}
    assert len(found.segments) <= 5
    assert all(number in by_number for number in found.segments)
    assert found.item.kind in ("name", "number", "date", "time")
    if found.match == "absent":
        assert (found.segments, found.words, found.similarity) == ((), "", 0.0)
        return
    assert found.segments
    assert 0.0 < found.similarity <= 100.0
    speakers = {by_number[number].speaker for number in found.segments}
    joined = "".join(token.key for number in found.segments for token in tokens(where.words_of(by_number[number])))
    words = "".join(token.key for token in tokens(found.words))
    assert words in joined or any(words in "".join(token.key for token in tokens(who)) for who in speakers if who)


VOCABULARY = """
Anna Petrova Lee IT it us Mark mark WireGuard wire guard GPT-4 B12 U.S. «Ромашка» Олег Вере Анне Петровой вера 王明
王明华 李先生 北京大学 《红楼梦》 Zoom зум a.b@c.de , . : ( ) - “Moby Dick” don't I'm 3 March 18:40 five 五 пять ½ ﬁ
\u0301 O'Brien The OK İx ß Straße | — ... https://a.de/x,y World Health Organization WHO
"""
WORDS = st.sampled_from([*VOCABULARY.split(), "\n", ". "])
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)
LANGUAGES = st.sampled_from(["en", "ru", "zh"])


@given(TEXTS, TEXTS, LANGUAGES)
def test_any_phrase_in_any_source(said: str, phrase: str, language: Language) -> None:
    """It never raises; items stand in the phrase in order; segments are real and hold the words."""
    where = source(said, language)
    found = SourceIndex(where).find(phrase)
    assert all(one.item.start <= other.item.start for one, other in pairwise(found))
    for one in found:
        assert one.item.text == phrase[one.item.start : one.item.end]
        check(where, one)


@given(st.text(max_size=60), st.text(max_size=60), LANGUAGES)
def test_any_characters(said: str, phrase: str, language: Language) -> None:
    """No characters make a look-up raise, and segments are real."""
    where = Source("s", said, (Segment(1, 0, len(said)),) if said else (), language)
    index = SourceIndex(where)
    numbers = {segment.number for segment in where.segments}
    assert numbers.issuperset(index.find_phrase(phrase) + index.nearest(phrase))
    assert all(numbers.issuperset(found.segments) for found in index.find(phrase))


@given(st.lists(WORDS.filter(lambda word: not word.startswith("王")), min_size=1, max_size=14).map(" ".join), LANGUAGES)
@example("IT is Mark. (OK) U.S., https://a.de/x,y", "en")
def test_what_a_source_says_is_exact(said: str, language: Language) -> None:
    """Every name of the source itself, as it is written there, is exact, and found where it first stands."""
    where = Source("s", said, (Segment(1, 0, len(said)),), language)
    index = SourceIndex(where)
    for name in names(said, language):
        assert index._finder.locate(name.text).match == "exact", name  # what find() asks, without the quantities


def test_segments_of_a_name_across_cues() -> None:
    """A name that a cue cuts has both cues' numbers, and one that stands often the first five."""
    index = SourceIndex(source("A: so louis\nB: ignarro came\n" + "A: Kim, well\n" * 8))
    assert named(index, "We saw Louis Ignarro and Kim.") == {
        "Louis Ignarro": ("exact", (1, 2)),
        "Kim": ("exact", (3, 4, 5, 6, 7)),
    }


def test_quantities_are_looked_up_too() -> None:
    """Numbers, dates and times come with kind and segments; a number within a name, a month within a date do not."""
    index = SourceIndex(source("A: on the third of March GPT-4 cost\nB: twenty five dollars\nA: or thirty"))
    found = index.find("On 3 March GPT-4 cost $25, not 77.")
    assert [(one.item.kind, one.item.text, one.match, one.segments) for one in found] == [
        ("date", "3 March", "exact", (1,)),
        ("name", "GPT-4", "exact", (1,)),
        ("number", "$25", "exact", (2,)),
        ("number", "77", "absent", ()),
    ]


def test_a_phrase_in_a_source() -> None:
    """A phrase is found whatever its case, marks, spaces and hyphens, across cues, not within words or in labels."""
    index = SourceIndex(source("Ann: The well-known\nBob: Café, was open.\nAnn: The wellknown cafe\nBob: no", "en"))
    assert index.find_phrase("the well known café") == (1, 2, 3)
    assert index.find_phrase("CAFÉ was open") == (2,)
    assert index.find_phrase("the known") == ()
    assert index.find_phrase("ell known") == ()
    assert index.find_phrase("Bob") == ()
    assert index.find_phrase("...") == index.find_phrase("") == ()
    assert SourceIndex(source("甲：停车停到马路上去了", "zh")).find_phrase("停到马路") == (1,)


def test_what_stands_beside_a_phrase() -> None:
    """For each place the words before and after it, over segments, never a speaker's name."""
    where = SourceIndex(source("Ann: We did not drop it.\nBob: Drop it, they said.\n"))
    assert where.beside("drop it", 2) == (
        frozenset({"did", "not", "drop", "it"}),
        frozenset({"drop", "it", "they", "said"}),
    )
    assert where.beside("Bob", 2) == ()


def test_the_items_of_any_text() -> None:
    """Names and quantities in their order, whether or not the source has them; and the words of its segments."""
    where = SourceIndex(source("Ann: We paid.\nBob: On 4 May.\n"))
    assert [(each.kind, each.text) for each in where.items("Bob paid 12 euros on 4 May to Orin.")] == [
        ("name", "Bob"),
        ("number", "12 euros"),
        ("date", "4 May"),
        ("name", "Orin"),
    ]
    assert where.words_of((1, 2)) == "We paid.\nOn 4 May."


def test_the_nearest_segments() -> None:
    """Segments that share rare words come first, each language by its words; none where nothing is shared."""
    english = SourceIndex(
        source("A: the pump was fixed\nB: the ferry sails late\nA: the pumps cost more, the ferry too")
    )
    assert english.nearest("Pumps are costly", limit=1) == (3,)
    assert english.nearest("ferry") == (2, 3)
    assert english.nearest("xyzzy") == english.nearest("the") == english.nearest("pump", limit=0) == ()
    russian = SourceIndex(source("А: насос привезут завтра\nБ: крышу чинят", "ru"))
    assert russian.nearest("Починка крыши") == (2,)
    chinese = SourceIndex(source("甲：水泵坏了五次\n乙：门票二十五", "zh"))
    assert chinese.nearest("更换水泵") == (1,)


@pytest.mark.parametrize("limit", [NAME_THRESHOLD, ORDINARY_THRESHOLD, FOREIGN_THRESHOLD])
def test_thresholds_are_shares_of_a_hundred(limit: float) -> None:
    """What is as like as the thresholds ask is less than the same."""
    assert 50.0 < limit < 100.0


def test_nothing_said_has_nothing() -> None:
    """In an empty source all is absent."""
    index = SourceIndex(Source("s", "", (), "en"))
    assert [found.match for found in index.find("Kim paid $5 on 3 March at 18:40")] == ["absent"] * 4
    assert index.find_phrase("Kim") == index.nearest("Kim") == ()


def test_importing_loads_no_dictionary() -> None:
    """Tables and dictionaries are loaded when a name is first looked up, not on import."""
    program = "import sys, localeval.evidence.lookup; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "localeval.evidence.names" in loaded
    assert not {"pymorphy3", "simplemma", "rjieba", "anyascii"}.intersection(loaded)


def test_a_long_source_is_fast() -> None:
    """Indexing 150,000 characters costs under a second of one core, and a look-up after the first under 50 ms."""
    line = "Host: So the ferry from Holm sails at ten past nine, and Marta told the {} railway about number {}.\n"
    text = "".join(line.format(f"word{number % 977}", number) for number in range(1600))
    began = time.process_time()
    index = SourceIndex(source(text))
    built = time.process_time()
    index.find("Compaq and Marta")
    warm = time.process_time()
    index.find("Compact, Holmes and Martha met Samantha Lee")
    assert built - began < 1.0
    assert time.process_time() - warm < 0.05


def test_a_number_that_stands_everywhere_is_found_at_once() -> None:
    """Only the segments that are shown are worked out, not those of thousands of places, for each of many claims."""
    where = SourceIndex(source("We bought forty lamps for forty rooms.\n" * 3000))
    assert where.find("They bought forty lamps.")[0].segments == (1, 2, 3, 4, 5)
    began = time.process_time()
    for _ in range(300):
        where.find("They bought forty lamps.")
    assert time.process_time() - began < 3.0
