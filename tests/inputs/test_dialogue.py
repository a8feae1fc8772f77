import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.inputs.dialogue import Label, label_of, read_turns
from localeval.inputs.passages import Passage


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Anna: hi", Label("Anna", None, "hi")),
        ("  Anna Smith (PM): hi: there", Label("Anna Smith (PM)", None, "hi: there")),
        ("[00:01:02] Anna: hi", Label("Anna", 62.0, "hi")),
        ("(1:02) - Anna: hi", Label("Anna", 62.0, "hi")),
        ("00:01:02.500 Anna: hi", Label("Anna", 62.5, "hi")),
        ("Anna [01:02]: hi", Label("Anna", 62.0, "hi")),
        ("Anna Smith  1:02", Label("Anna Smith", 62.0, "")),
        ("**Anna:** hi", Label("Anna", None, "hi")),
        ("**Anna**: hi", Label("Anna", None, "hi")),
        ("[01:02] **Anna:** *hi*", Label("Anna", 62.0, "*hi*")),
        ("SPEAKER_00: hi", Label("SPEAKER_00", None, "hi")),
        ("Dr. J. R. Lee: hi", Label("Dr. J. R. Lee", None, "hi")),
        ("Иванов И. И.: да", Label("Иванов И. И.", None, "да")),
        ("张三：你好", Label("张三", None, "你好")),
        ("主持人（北京）： 你好", Label("主持人（北京）", None, "你好")),
        ("Anna:", Label("Anna", None, "")),
        ("[00:01:02] no name here", Label(None, 62.0, "no name here")),
        ("(1:02)", Label(None, 62.0, "")),
        ("[00:01.000 --> 00:04.500]  Hi.", Label(None, 1.0, "Hi.", 4.5)),
        ("[0:01 – 0:04] Anna: Hi.", Label("Anna", 1.0, "Hi.", 4.0)),
    ],
)
def test_labels_are_read(line, label):
    """Name, clock time in seconds, and what is left of the line."""
    assert label_of(line) == label


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello there",
        "https://example.org/a: see",
        "We met at 10:30 and left",
        "10:30: start",
        "I said this. Then: no",
        "Well, Anna: no",
        "This is a rather long sentence with a colon: here",
        "会议讨论的主要议题以及结论如下：预算",
        "**Important: do this** now",
        "[00:09 --> 00:01] Anna: backwards",
        "[12] a footnote",
        ": hi",
        "Ratio 3:4 holds",
    ],
)
def test_what_is_no_label_is_left_alone(line):
    """Colons in prose, addresses and clock times are not speakers."""
    assert label_of(line) is None


def test_turns_keep_speaker_time_and_following_lines():
    """A line without a label belongs to the turn above it, over blank lines too."""
    text = "[00:05] Anna: Hello.\nHow are you?\n\nStill me.\n\n[00:09] Bob: Fine."
    assert read_turns(text) == [
        Passage("Hello.\nHow are you?\nStill me.", 5.0, None, "Anna"),
        Passage("Fine.", 9.0, None, "Bob"),
    ]


def test_a_header_and_headings_have_no_speaker():
    """ "Date: …" above the talk is not somebody who speaks, nor is a Markdown heading in it."""
    text = "# Weekly\nDate: 3 May\nPlace: room 2\n\nAnna: Hi.\nBob: Hi.\n## Part two\nAnna: Go.\n---\nBob: Bye."
    turns = read_turns(text)
    assert turns is not None
    assert [(turn.speaker, turn.text) for turn in turns] == [
        (None, "# Weekly"),
        (None, "Date: 3 May\nPlace: room 2"),
        ("Anna", "Hi."),
        ("Bob", "Hi."),
        (None, "## Part two"),
        ("Anna", "Go."),
        (None, "---"),
        ("Bob", "Bye."),
    ]


def test_a_label_without_words_stays_as_text():
    """No word of the file is lost, not even a name that says nothing."""
    turns = read_turns("Anna: Hi.\nBreak:\nBob: Back.\nAnna: Yes.")
    assert turns is not None
    assert turns[1] == Passage("Break:")


def test_a_name_alone_on_its_line_speaks_the_next_lines():
    """Exports that put name and clock time on a line of their own are dialogues."""
    assert read_turns("Anna Smith  0:12\nHello all.\n\nBob Ray  0:15\nHello.\nLet us start.") == [
        Passage("Hello all.", 12.0, None, "Anna Smith"),
        Passage("Hello.\nLet us start.", 15.0, None, "Bob Ray"),
    ]


def test_lines_with_times_and_nobody_s_name_are_passages():
    """Times go into the passages; a colon in such a line is not taken for a name."""
    text = "Call\n\n[00:01] okay so hello\n[00:04 --> 00:08] and then I said: go\n[00:09]\nfine\nthen"
    assert read_turns(text) == [
        Passage("Call"),
        Passage("okay so hello", 1.0),
        Passage("and then I said: go", 4.0, 8.0),
        Passage("fine\nthen", 9.0),
    ]


def test_hard_wrapped_turns_are_a_dialogue():
    """Labels begin few lines of a wrapped transcript, but the speakers come back."""
    turn = "\n".join(["and a line of speech that goes on"] * 6)
    text = "\n".join(f"{name}: so\n{turn}" for name in ("Anna", "Bob") * 4)
    turns = read_turns(text)
    assert turns is not None
    assert [turn.speaker for turn in turns] == ["Anna", "Bob"] * 4


@pytest.mark.parametrize(
    "text",
    [
        "Some prose.\nNote: a lone remark.\nMore prose.",
        "Note: alone",
        "\n".join(["A line of an article about something."] * 20 + ["Note: one.", "Warning: two.", "Note: three."]),
        "First line.\nSecond line.\nSecond paragraph.\nAnna: a quote.\nBob: another.",
    ],
)
def test_prose_with_a_few_labels_is_not_a_dialogue(text):
    """Turns are read only where the file as a whole is made of them."""
    assert read_turns(text) is None


_WORDS = st.text(st.sampled_from("abc .,!?ж今天"), min_size=1, max_size=30).filter(str.strip)
_NAMES = st.sampled_from(["Anna", "Bob Ray", "Иван", "张三"])


@given(st.lists(st.tuples(_NAMES, _WORDS), min_size=2, max_size=8))
def test_written_turns_are_read_back(turns):
    """Names and words come back exactly, in order."""
    text = "\n".join(f"{name}: {words}" for name, words in turns)
    assert read_turns(text) == [Passage(words.strip(), None, None, name) for name, words in turns]


_LINES = [
    "Anna: x",
    "Bob: y z",
    "[0:01] Anna: q",
    "words",
    "[0:03] q: w",
    "[0:04]",
    "",
    "# H",
    "---",
    "Cy:",
    "**Di:** w",
]


@given(st.lists(st.sampled_from(_LINES), max_size=12))
def test_no_word_of_a_dialogue_is_lost(lines):
    """Whatever the mix of labels, lines and headings, all letters stand in a turn's words or name."""
    turns = read_turns("\n".join(lines))
    if turns is not None:
        kept = "".join(f"{turn.speaker or ''}{turn.text}" for turn in turns)
        assert sorted(filter(str.isalpha, kept)) == sorted(filter(str.isalpha, "".join(lines)))
