"""Real files with bytes removed, put in and moved: what cannot be read gives one line, and nothing else does."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.errors import InputError
from localeval.inputs import CandidateSpec, SourceSpec, read_candidates, read_sources
from localeval.texts import Source

ROWS = [{"start": 0, "end": 1.5, "text": " Hello.", "speaker": "Anna"}, {"start": 2, "end": 3, "text": "Пока, 再见。"}]
FILES = {
    "txt": "Date: 3 May\n\n[00:01] Anna: Hello. How?\n[00:03] Bob: Fine.\n\n张三：你好\nAnna: Так.\n",
    "md": "# Plan\n- one\n- two\n\n**Anna:** Hi. So.\n**Bob:** Да.\n**Anna:** 好。\n",
    "srt": "1\n00:00:01,000 --> 00:00:02,000\n<i>Hello</i>\n\n2\n00:00:02,000 --> 00:00:04,000\n再见\n",
    "vtt": "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000\n<v Anna>Hi &amp;\n\n2\n00:02.000 --> 00:03.000\n<v Bob>Да\n",
    "json": json.dumps({"language": "en", "segments": ROWS}, ensure_ascii=False),
    "jsonl": '{"id": "a", "text": "Hello. Да."}\n' + json.dumps({"id": "b", "segments": ROWS}),
}
PUT = [
    b"\0",
    b"\xff",
    b"\n",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"-->",
    b'"',
    b"}",
    b"-",
    b"9" * 400,
    "。".encode(),
]

damage = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 6), st.sampled_from(PUT) | st.binary(max_size=3)), min_size=1, max_size=4
)


def damaged(data: bytes, changes: list[tuple[float, int, bytes]]) -> bytes:
    for where, length, put in changes:
        at = int(where * len(data))
        data = data[:at] + put + data[at + length :]
    return data


def check(source: Source) -> None:
    """A source that came through is whole and sound, and can be stored."""
    source.text.encode()
    assert source.id == source.id.strip() != ""
    position = 0
    for number, segment in enumerate(source.segments, 1):
        assert segment.number == number
        assert source.words_of(segment).strip() != ""
        assert source.text[position : segment.start].strip() == ""
        position = segment.end
    assert position > 0
    assert source.text[position:].strip() == ""


@pytest.mark.parametrize("suffix", FILES)
def test_the_undamaged_file_is_read(suffix, tmp_path):
    """Else the damaged ones below would prove nothing."""
    (tmp_path / f"a.{suffix}").write_text(FILES[suffix], encoding="utf-8")
    sources = read_sources([SourceSpec(path=f"a.{suffix}")], tmp_path)
    assert len(sources) == (2 if suffix == "jsonl" else 1)
    for source in sources:
        check(source)
        assert len(source.segments) >= 2


@pytest.mark.parametrize("suffix", FILES)
@settings(max_examples=50)
@given(changes=damage)
def test_a_damaged_source_is_refused_in_one_line_or_sound(suffix, changes):
    """Nothing but InputError is raised, and it names the file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"a.{suffix}"
        file.write_bytes(damaged(FILES[suffix].encode(), changes))
        try:
            sources = read_sources([SourceSpec(path=file.name)], Path(folder))
        except InputError as error:
            message = str(error)
            assert message.startswith(file.as_posix())
            assert message.isprintable()
            sources = ()
        for source in sources:
            check(source)


@settings(max_examples=50)
@given(changes=damage)
def test_damaged_candidate_rows_are_refused_in_one_line_or_sound(changes):
    """The same for a JSONL file of candidates."""
    rows = [{"source": "a", "system": system, "text": "Итог: hello."} for system in ("x", "y")]
    data = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "c.jsonl"
        file.write_bytes(damaged(data, changes))
        try:
            found = read_candidates([CandidateSpec(path="c.jsonl")], Path(folder), [Source("a", "T", (), "en")])
        except InputError as error:
            message = str(error)
            assert message.startswith(file.as_posix())
            assert message.isprintable()
            found = ()
        assert all(candidate.source_id == "a" and candidate.system and candidate.text for candidate in found)
