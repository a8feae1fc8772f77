import pysubs2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.errors import InputError
from localeval.inputs.passages import Passage
from localeval.inputs.subtitles import read_srt, read_vtt

SRT = "1\n00:00:01,000 --> 00:00:02,500\nHello there.\n\n2\n00:00:03,000 --> 00:00:04,000\nGoodbye.\n"
VTT = "WEBVTT\n\n00:01.000 --> 00:02.500\nHello there.\n\n00:03.000 --> 01:00:04.000 align:start\nGoodbye.\n"


def test_srt_cues():
    """Times in seconds, numbers of cues not among the words."""
    assert read_srt(SRT, "a.srt") == [Passage("Hello there.", 1.0, 2.5), Passage("Goodbye.", 3.0, 4.0)]


def test_vtt_cues_with_and_without_hours_and_with_settings():
    """The hour is optional in WebVTT, and cue settings are not words."""
    assert read_vtt(VTT, "a.vtt") == [Passage("Hello there.", 1.0, 2.5), Passage("Goodbye.", 3.0, 3604.0)]


def test_words_that_look_like_markup_or_cue_numbers_are_kept():
    """A year at the end of a cue and "<" in speech are words (pysubs2 drops both)."""
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nif a < b then\n1984\n\n00:03.000 --> 00:04.000\nand c > d\n2001\n"
    assert [cue.text for cue in read_vtt(text, "a.vtt")] == ["if a < b then 1984", "and c > d 2001"]


def test_voices_become_speakers():
    """A voice tag names the speaker; a cue with two voices is two passages with the cue's times."""
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Hello &amp; welcome\nall\n\n"
        "00:03.000 --> 00:04.000\n<v.loud Bob Smith>Hi.</v> <v Anna>Yes.</v>\n\n00:05.000 --> 00:06.000\n(noise)\n"
    )
    assert read_vtt(text, "a.vtt") == [
        Passage("Hello & welcome all", 1.0, 2.0, "Anna"),
        Passage("Hi.", 3.0, 4.0, "Bob Smith"),
        Passage("Yes.", 3.0, 4.0, "Anna"),
        Passage("(noise)", 5.0, 6.0, None),
    ]


def test_names_at_the_start_of_cues_become_speakers():
    """Meeting tools write "Anna: …" into the cues; one cue with a colon is no dialogue."""
    cues = ["Anna: Hello.", "Bob Ray: Hi.", "and welcome", "Anna: So."]
    body = "\n\n".join(f"00:0{n}.000 --> 00:0{n + 1}.000\n{cue}" for n, cue in enumerate(cues))
    found = read_vtt(f"WEBVTT\n\n{body}", "a.vtt")
    assert [(cue.speaker, cue.text) for cue in found] == [
        ("Anna", "Hello."),
        ("Bob Ray", "Hi."),
        (None, "and welcome"),
        ("Anna", "So."),
    ]
    lone = "1\n00:01,0 --> 00:02,0\nNote: this.\n\n2\n00:02,0 --> 00:03,0\nand that\n\n3\n00:03,0 --> 00:04,0\nis all"
    assert [cue.speaker for cue in read_srt(lone, "a.srt")] == [None, None, None]


def test_tags_go_and_words_stay():
    """Markup of both formats is not spoken; brackets that are no markup are kept."""
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<c.yellow><i>Hello</i></c> <00:01.500>there <unclear> x<y\n"
        "<lang en>bye</lang> &lt;b&gt; AT&T R&amp;D&nbsp;"
    )
    assert [cue.text for cue in read_vtt(text, "a.vtt")] == ["Hello there <unclear> x<y bye <b> AT&T R&D"]
    text = '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<font color="#fff">Hi</font> <B>all</B> {laughs}'
    assert [cue.text for cue in read_srt(text, "a.srt")] == ["Hi all {laughs}"]


def test_a_line_wrapped_in_a_cue_is_joined():
    """By a space, but by nothing between Chinese characters."""
    text = "1\n00:01,0 --> 00:02,0\none\ntwo\n\n2\n00:02,0 --> 00:03,0\n预算\n三百万，\n同意 OK\n吗"
    assert [cue.text for cue in read_srt(text, "a.srt")] == ["one two", "预算三百万，同意 OK 吗"]


def test_what_is_not_spoken_in_vtt_is_left_out():
    """Header, notes, styles, regions, cue names and cues in a note."""
    text = (
        "WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\n00:00.000 --> 00:01.000\nhidden\n\n"
        "REGION\nid:a\n\nintro\n00:01.000 --> 00:02.000\nFirst.\n\nNOTE short\n\n7\n00:02.000 --> 00:03.000\nNOTED.\n"
    )
    assert [cue.text for cue in read_vtt(text, "a.vtt")] == ["First.", "NOTED."]


def test_sloppy_srt_is_read_whole():
    """No blank line between cues, a blank line in a cue, empty cues, a dot before the milliseconds, a blank line
    after a number."""
    text = (
        "1\n\n00:00:01.000 --> 00:00:02.000\none\n2\n00:00:02,000 --> 00:00:03,000\ntwo\n\nstill two\n\n3\n"
        "00:00:03,000 --> 00:00:04,000\n\n4\n0:0:4 --> 0:0:5,5\nfour\n42\n5\n00:00:06,000 --> 00:00:07,000\n5"
    )
    assert read_srt(text, "a.srt") == [
        Passage("one", 1.0, 2.0),
        Passage("two still two", 2.0, 3.0),
        Passage("four 42", 4.0, 5.5),
        Passage("5", 6.0, 7.0),
    ]


def test_rolling_captions_are_left_as_they_are():
    """Whether a line was said twice cannot be known, so nothing is thrown away."""
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nso today\n\n00:02.000 --> 00:03.000\nso today\nwe talk\n"
    assert [cue.text for cue in read_vtt(text, "a.vtt")] == ["so today", "so today we talk"]


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (
            "00:00:0x,000 --> 00:00:04,000",
            "a.srt line 6: begin time '00:00:0x,000' cannot be read; write `HH:MM:SS,mmm",
        ),
        ("00:00:03,000 --> ", "a.srt line 6: end time '' cannot be read; write"),
        ("00:00:03,000 --> 00:75:04,000", "a.srt line 6: end time '00:75:04,000' cannot be read; write"),
        ("-00:00:03,000 --> 00:00:04,000", "a.srt line 6: begin time '-00:00:03,000' cannot be read; write"),
        ("00:00:09,000 --> 00:00:04,500", "a.srt line 6: the cue ends at 4.5 s, before it begins at 9 s; correct"),
    ],
)
def test_bad_times_are_named_with_their_line(times, message):
    """pysubs2 takes such a cue for spoken words; here it is refused."""
    with pytest.raises(InputError) as caught:
        read_srt(SRT.replace("00:00:03,000 --> 00:00:04,000", times), "a.srt")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_vtt, "WEBVTT\n\nJust text.\n", "a: has no cues (no line with `-->`); "),
        (read_srt, "1\n00:01,0 --> 00:02,0\n<i> </i>\n", "a: has cues without words alone; "),
        (read_srt, "Spoken words.\n\n" + SRT, "a line 1: 'Spoken words.' stands before the first cue; "),
    ],
)
def test_a_file_without_cues_is_refused(read, text, message):
    """Plain text under a subtitle's name is not silently empty."""
    with pytest.raises(InputError) as caught:
        read(text, "a")
    assert str(caught.value).startswith(message)


_CUES = st.lists(
    st.tuples(st.integers(0, 5_000_000), st.integers(0, 9_000), st.text(st.sampled_from("ab cж今天.?!"), min_size=1)),
    min_size=1,
    max_size=5,
).map(lambda cues: [(begin, length, words.strip()) for begin, length, words in cues if words.strip()])


@settings(max_examples=50)
@given(_CUES.filter(bool), st.sampled_from(["srt", "vtt"]))
def test_well_formed_files_are_read_as_pysubs2_reads_them(cues, kind):
    """Times and words agree with the independent reader, on files that it writes."""
    subtitles = pysubs2.SSAFile()
    # pysubs2 sorts a WebVTT file by time when it writes it
    for begin, length, words in sorted(cues, key=lambda cue: cue[0]):
        subtitles.append(pysubs2.SSAEvent(start=begin, end=begin + length, text=words))
    text = subtitles.to_string(kind)
    read = read_srt if kind == "srt" else read_vtt
    theirs = [(e.start / 1000, e.end / 1000, e.plaintext) for e in pysubs2.SSAFile.from_string(text, format_=kind)]
    assert [(cue.begin_s, cue.end_s, cue.text) for cue in read(text, "a")] == theirs


_LINES = st.lists(
    st.sampled_from(
        [*SRT.split("\n"), *VTT.split("\n"), "-->", "1", "NOTE", "<v Anna>x", "Anna: x", "&#0;", "99999999"]
    )
)


@given(_LINES, st.sampled_from([read_srt, read_vtt]))
def test_any_lines_give_cues_or_an_input_error(lines, read):
    """Lines of real files in any order lead to no other exception; words and times of what comes back are sound."""
    try:
        cues = read("\n".join(lines), "a")
    except InputError as error:
        cues = []
        lines = [str(error)]
    for cue in cues:
        assert cue.text.strip()
        assert cue.begin_s is not None
        assert cue.end_s is not None
        assert 0 <= cue.begin_s <= cue.end_s
    assert "\n" not in "".join(lines)


def test_long_white_space_takes_no_time():
    """A cue with a column of spaces, half or full width, is read at once."""
    for gap in (" " * 200_000, "\u3000" * 200_000):
        (cue,) = read_srt(f"1\n00:00:01,000 --> 00:00:02,500\n你{gap}好\n再见\n", "a.srt")
        assert cue.text == f"你{gap}好再见"
