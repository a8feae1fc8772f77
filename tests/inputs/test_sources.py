import codecs
import json
import os
import unicodedata
from pathlib import Path

import pytest
from pydantic import ValidationError

from localeval.errors import InputError
from localeval.inputs import SourceSpec, read_sources
from localeval.texts import Segment

VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Hello.\n"
SRT = "1\n00:00:01,000 --> 00:00:02,000\nПривет.\n"


def write(base: Path, **files: str) -> None:
    """Files by name; `__` in a name stands for a slash, and the last `_` for the dot."""
    for name, text in files.items():
        path = base / ".".join(name.replace("__", "/").rsplit("_", 1))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def ids(base: Path, *paths: str) -> list[str]:
    return [source.id for source in read_sources([SourceSpec(path=path) for path in paths], base)]


def message(base: Path, *specs: SourceSpec) -> str:
    """The one line with which reading fails, `base` written as BASE."""
    with pytest.raises(InputError) as caught:
        read_sources(specs, base)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value).replace(base.as_posix(), "BASE")


def test_every_kind_of_file_becomes_a_source(tmp_path):
    """Text, offsets, times, speakers, language and path, from each format."""
    segment = {"start": 0, "end": 2, "text": " 你好。", "speaker": "A"}
    rows = [{"id": "row", "text": "Hi. Bye.", "category": "own"}, {"id": "cues", "segments": [segment, segment]}]
    write(
        tmp_path,
        a_txt="Hi. Bye.",
        b_md="# Plan\n- one",
        c_srt=SRT,
        d_vtt=VTT,
        e_json=json.dumps({"segments": [segment]}),
        f_jsonl="\n".join(map(json.dumps, rows)),
    )
    sources = {s.id: s for s in read_sources([SourceSpec(path=".", category="talk")], tmp_path)}
    assert list(sources) == ["a", "b", "c", "d", "e", "row", "cues"]
    assert [s.language for s in sources.values()] == ["en", "en", "ru", "en", "zh", "en", "zh"]
    assert [s.category for s in sources.values()] == ["talk"] * 5 + ["own", "talk"]
    assert [s.path for s in sources.values()] == ["a.txt", "b.md", "c.srt", "d.vtt", "e.json", "f.jsonl", "f.jsonl"]
    assert sources["a"].segments == (Segment(1, 0, 3), Segment(2, 4, 8))
    assert sources["c"].segments == (Segment(1, 0, 7, 1.0, 2.0),)
    assert sources["d"].segments == (Segment(1, 0, 6, 1.0, 2.0, "Anna"),)
    assert sources["cues"].text == "你好。\n你好。"
    assert sources["cues"].segments == (Segment(1, 0, 3, 0.0, 2.0, "A"), Segment(2, 4, 7, 0.0, 2.0, "A"))
    assert sources["cues"].words_of(sources["cues"].segments[1]) == "你好。"


def test_a_file_a_folder_and_globs_are_found_in_order(tmp_path):
    """Entries in their order, paths sorted within one; hidden and unknown files are left out of folders and globs."""
    write(tmp_path, t__b_txt="x", t__a_txt="x", t__c_docx="x", t__in__d_md="x", t__in__deep__e_md="x", one_txt="x")
    (tmp_path / "t" / ".hidden.txt").write_text("x")
    assert ids(tmp_path, "one.txt", "t") == ["one", "a", "b"]
    assert ids(tmp_path, "t/*") == ["a", "b"]
    assert ids(tmp_path, "t/**/*.md") == ["d", "e"]
    assert ids(tmp_path, "t/**") == ["a", "b", "d", "e"]
    assert ids(tmp_path, "t/[ab].txt", "t/in/?.md") == ["a", "b", "d"]
    assert ids(Path("/nowhere"), str(tmp_path / "t")) == ["a", "b"]


def test_glob_characters_in_names_and_in_the_base_are_harmless(tmp_path):
    """A file that exists is that file; the folder of the config is never a pattern."""
    base = tmp_path / "run [1]*"
    write(base, **{"talk [a]_txt": "x", "talk a_txt": "x"})
    assert ids(base, "talk [a].txt") == ["talk [a]"]
    assert ids(base, "*.txt") == ["talk [a]", "talk a"]


def test_relative_paths_work_from_a_relative_base(tmp_path):
    """The config file may be named by a relative path."""
    write(tmp_path, sub__a_txt="x")
    base = Path(os.path.relpath(tmp_path)) / "sub"
    assert not base.is_absolute()
    (source,) = read_sources([SourceSpec(path="*.txt")], base)
    assert (source.id, source.path) == ("a", "a.txt")


def test_the_config_overrides_language_and_id(tmp_path):
    """What the user writes goes before what the text looks like."""
    write(
        tmp_path,
        a_txt="Hello.",
        b_json=json.dumps({"language": "ru", "segments": [{"start": 0, "end": 1, "text": "x"}]}),
    )
    sources = read_sources([SourceSpec(path="a.txt", id="my id", language="zh"), SourceSpec(path="b.json")], tmp_path)
    assert [(s.id, s.language) for s in sources] == [("my id", "zh"), ("b", "ru")]


def test_a_row_goes_before_the_config(tmp_path):
    """Language in a JSONL row is nearer to the text than the entry in the config."""
    write(tmp_path, a_jsonl='{"id": "a", "text": "x", "language": "ru"}\n{"id": "b", "text": "y"}')
    assert [s.language for s in read_sources([SourceSpec(path="a.jsonl", language="zh")], tmp_path)] == ["ru", "zh"]


def test_encodings_give_equal_sources(tmp_path):
    """Byte order mark, UTF-16 and Windows line ends leave no trace in the source."""
    text = "Привет. Пока.\nДа."
    for name, data in {
        "a": text.encode(),
        "b": codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode(),
        "c": codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
        "d": codecs.BOM_UTF16_BE + text.replace("\n", "\r\n").encode("utf-16-be"),
    }.items():
        (tmp_path / f"{name}.txt").write_bytes(data)
    sources = read_sources([SourceSpec(path="*.txt")], tmp_path)
    assert len(sources) == 4
    assert len({(s.text, s.segments, s.language) for s in sources}) == 1


def test_a_file_name_in_decomposed_form_gives_a_composed_id(tmp_path):
    """macOS writes "й" as two characters; the id is the one that people type."""
    (tmp_path / f"{unicodedata.normalize('NFD', 'Чай')}.txt").write_text("x")
    assert ids(tmp_path, "*.txt") == ["Чай"]


def test_a_long_transcript_is_kept_whole(tmp_path):
    """150,000 characters come through in every format, to the last word."""
    cues = [f"cue number {number} says something about the plan" for number in range(3300)] + ["the very last words"]
    clock = [f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}" for s in range(len(cues) + 1)]
    vtt = [f"{clock[n]}.000 --> {clock[n + 1]}.000\n{cue}" for n, cue in enumerate(cues)]
    rows = [{"start": n, "end": n + 1, "text": cue} for n, cue in enumerate(cues)]
    write(
        tmp_path,
        txt_txt="\n".join(cues),
        vtt_vtt="WEBVTT\n\n" + "\n\n".join(vtt),
        srt_srt="\n\n".join(f"{n}\n{cue}" for n, cue in enumerate(vtt, 1)),
        json_json=json.dumps(rows),
        jsonl_jsonl=json.dumps({"id": "jsonl", "segments": rows}),
    )
    sources = read_sources([SourceSpec(path=".")], tmp_path)
    assert len(sources) == 5
    assert {source.text for source in sources} == {"\n".join(cues)}
    assert len(sources[0].text) > 150_000
    for source in sources:
        assert source.words_of(source.segments[-1]).endswith("the very last words")
    assert [len(s.segments) for s in sources if s.id != "txt"] == [len(cues)] * 4


def test_two_files_with_one_name_are_named_both(tmp_path):
    """Across suffixes, folders and JSONL rows; with the way out."""
    write(tmp_path, a_txt="x", a_vtt=VTT, b__a_txt="x", c_jsonl='\n{"id": "a", "text": "x"}')
    fix = "give one of them another id: `id:` beside its path, or another file name"
    assert message(tmp_path, SourceSpec(path="a.*")) == f"BASE/a.vtt: has the same id 'a' as BASE/a.txt; {fix}"
    assert message(tmp_path, SourceSpec(path="a.txt"), SourceSpec(path="c.jsonl")).startswith(
        "BASE/c.jsonl line 2: has the same id 'a' as BASE/a.txt; "
    )
    assert len(read_sources([SourceSpec(path="a.txt"), SourceSpec(path="b/a.txt", id="a2")], tmp_path)) == 2


def test_a_file_named_twice_is_said_to_be(tmp_path):
    """Overlapping entries are not a clash of two files."""
    write(tmp_path, a_txt="x")
    assert message(tmp_path, SourceSpec(path="a.txt"), SourceSpec(path="*.txt")) == (
        "BASE/a.txt: is named by two entries of `sources`; name each file once"
    )


@pytest.mark.parametrize(
    ("path", "start"),
    [
        ("no.txt", "BASE/no.txt: there is no file or folder 'no.txt'; check the path"),
        ("no/*.txt", "BASE/no/*.txt: no file matches; check the pattern"),
        ("empty", "BASE/empty: the folder has no files to read; put .txt, .md, .srt, .vtt, .json, .jsonl files in it"),
        ("odd", "BASE/odd: no file can be read (skipped: a.docx, b.docx, c.docx and 1 more); files read are .txt"),
        ("odd/a.docx", "BASE/odd/a.docx: has the suffix '.docx'; a source is one of .txt"),
        ("x" * 300, "BASE/" + "x" * 300 + ": there is no file or folder"),
    ],
)
def test_a_path_that_names_nothing_readable_is_refused(tmp_path, path, start):
    """The path, what was skipped, and the fix."""
    write(tmp_path, odd__a_docx="x", odd__b_docx="x", odd__c_docx="x", odd__d_docx="x")
    (tmp_path / "empty").mkdir()
    assert message(tmp_path, SourceSpec(path=path)).startswith(start)


def test_an_id_goes_with_one_file_alone(tmp_path):
    """Not with a glob, a folder or rows that have their own."""
    write(tmp_path, t__a_txt="x", t__c_jsonl='{"id": "a", "text": "x"}')
    for path in ("t", "t/*.txt", "t/c.jsonl"):
        assert "cannot take the id 'i'; `id` goes with the path of one file" in message(
            tmp_path, SourceSpec(path=path, id="i")
        )


def test_ids_that_cannot_be_printed_or_typed_are_refused(tmp_path):
    """A name that is not UTF-8, or padded with spaces, would break the store or a later lookup."""
    (tmp_path / "a .txt").write_text("x")
    assert "the source id 'a ' is empty or begins or ends with white space; rename the file" in message(
        tmp_path, SourceSpec(path="*.txt")
    )
    (tmp_path / "a .txt").unlink()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).write_text("x")
    assert r"\udcff' holds characters that cannot be printed" in message(tmp_path, SourceSpec(path="*.txt"))


def test_errors_inside_files_name_the_file(tmp_path):
    """The first bad file in path order is reported, by its path."""
    write(tmp_path, a_txt="fine", b_vtt="WEBVTT\n\n00:05.000 --> 00:01.000\nx", c_txt="")
    assert message(tmp_path, SourceSpec(path=".")).startswith("BASE/b.vtt line 3: the cue ends at 1 s, before")
    assert message(tmp_path, SourceSpec(path="c.txt")) == (
        "BASE/c.txt: is empty; put the text in it or leave the file out"
    )


@pytest.mark.parametrize(
    "fields", [{}, {"path": ""}, {"path": "a\0"}, {"path": "a", "lang": "en"}, {"path": "a", "language": "de"}]
)
def test_a_spec_with_unknown_or_unfit_fields_is_refused(fields):
    """Misspelt keys and languages without prompts do not pass."""
    with pytest.raises(ValidationError):
        SourceSpec.model_validate(fields)
