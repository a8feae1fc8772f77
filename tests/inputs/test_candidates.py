import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from localeval.errors import InputError
from localeval.inputs import CandidateSpec, read_candidates
from localeval.inputs.patterns import Named, PathPattern
from localeval.texts import Candidate, Source


def sources(*ids: str) -> list[Source]:
    return [Source(identity, "Text.", (), "en") for identity in ids]


def write(base: Path, *paths: str) -> None:
    """Files that each hold their own path."""
    for path in paths:
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text(path, encoding="utf-8")


def read(base: Path, ids: list[str], *specs: CandidateSpec) -> list[tuple[str, str, str]]:
    return [(c.source_id, c.system, c.path) for c in read_candidates(specs, base, sources(*ids))]


def message(base: Path, ids: list[str], *specs: CandidateSpec) -> str:
    """The one line with which reading fails, `base` written as BASE."""
    with pytest.raises(InputError) as caught:
        read_candidates(specs, base, sources(*ids))
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value).replace(base.as_posix(), "BASE")


def test_candidates_come_in_the_order_of_sources_and_then_of_systems(tmp_path):
    """Whatever the order of files and entries."""
    write(tmp_path, "s/b/y.md", "s/b/x.md", "s/a/y.md", "s/a/x.md", "s/README.md")
    found = read(tmp_path, ["b", "a"], CandidateSpec(path="s/{source}/{system}.md"))
    assert found == [("b", "x", "s/b/x.md"), ("b", "y", "s/b/y.md"), ("a", "x", "s/a/x.md"), ("a", "y", "s/a/y.md")]


def test_the_text_is_kept_whole(tmp_path):
    """Byte for byte but for line ends and the byte order mark."""
    text = "  Итог.\n\n" + "слово " * 30_000 + "последнее слово\n"
    (tmp_path / "a.x.txt").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    (candidate,) = read_candidates([CandidateSpec(path="{source}.{system}.txt")], tmp_path, sources("a"))
    assert candidate == Candidate("a", "x", text, "a.x.txt", candidate.segments)


def test_a_candidate_is_cut_into_sentences_that_hold_every_word(tmp_path):
    """Also where it looks like a dialogue: its text is never rebuilt."""
    text = "Anna: We agreed.\nBen: On what? On the date.\n\n- 5 May\n"
    (tmp_path / "a.x.txt").write_text(text)
    (candidate,) = read_candidates([CandidateSpec(path="{source}.{system}.txt")], tmp_path, sources("a"))
    assert candidate.text == text
    assert [segment.number for segment in candidate.segments] == list(range(1, len(candidate.segments) + 1))
    assert " ".join(map(candidate.words_of, candidate.segments)).split() == text.split()


@pytest.mark.parametrize(
    ("pattern", "path", "ids", "source", "system"),
    [
        ("o/{source}.{system}.txt", "o/a.b.gpt-4.1.txt", ["a", "a.b"], "a.b", "gpt-4.1"),
        ("o/{source}.{system}.txt", "o/a.b.gpt.txt", ["a"], "a", "b.gpt"),
        ("o/{system}.{source}.txt", "o/gpt.a.b.txt", ["b", "a.b"], "a.b", "gpt"),
        ("o/{system}-{source}.txt", "o/my-model-talk-1.txt", ["1", "talk-1"], "talk-1", "my-model"),
        ("{source}/{source}-{system}.md", "a/a-x.md", ["a"], "a", "x"),
        ("{system}/summary_{source}.md", "x/summary_a (1).md", ["a (1)", "a"], "a (1)", "x"),
        ("**/{source}/{system}.md", "p/q/a/x.md", ["a"], "a", "x"),
        ("**/{source}/{system}.md", "a/x.md", ["a"], "a", "x"),
        ("run-?/[ab]*/{source}.{system}.md", "run-1/best/a.x.md", ["a"], "a", "x"),
        ("run-[!0-9]/{source}.{system}.md", "run-x/a.x.md", ["a"], "a", "x"),
        ("./o/../o/{source}.{system}.md", "o/встреча.модель.md", ["встреча"], "встреча", "модель"),
    ],
)
def test_the_longest_known_source_is_found_in_a_path(tmp_path, pattern, path, ids, source, system):
    """Ids and systems may hold dots, dashes, brackets; globs may stand around the placeholders."""
    write(tmp_path, path)
    assert [found[:2] for found in read(tmp_path, ids, CandidateSpec(path=pattern))] == [(source, system)]


def test_names_in_decomposed_form_match(tmp_path):
    """A folder that macOS named fits the id that the user typed."""
    write(tmp_path, f"{unicodedata.normalize('NFD', 'Чай')}/x.md")
    assert read(tmp_path, ["Чай"], CandidateSpec(path="{source}/{system}.md"))[0][:2] == ("Чай", "x")


def test_one_placeholder_and_one_field(tmp_path):
    """What the path does not say, the field does; both fields name one file."""
    write(tmp_path, "a.md", "b.md", "x/out.md", "lone.txt")
    assert [f[:2] for f in read(tmp_path, ["a", "b"], CandidateSpec(path="{source}.md", system="m"))] == [
        ("a", "m"),
        ("b", "m"),
    ]
    assert read(tmp_path, ["a"], CandidateSpec(path="{system}/out.md", source="a")) == [("a", "x", "x/out.md")]
    assert read(tmp_path, ["a"], CandidateSpec(path="lone.txt", source="a", system="m")) == [("a", "m", "lone.txt")]


def test_jsonl_rows_and_what_stands_in_for_their_fields(tmp_path):
    """Rows name source and system themselves, or take them from the path or the entry."""
    full = {"source": "a", "system": "x", "text": "T"}
    (tmp_path / "all.jsonl").write_text(json.dumps(full) + "\n" + json.dumps(full | {"system": "w"}))
    (tmp_path / "by-y.jsonl").write_text(json.dumps({"source": "a", "text": "U"}))
    specs = [CandidateSpec(path="all.jsonl"), CandidateSpec(path="by-{system}.jsonl")]
    assert read(tmp_path, ["a"], *specs) == [
        ("a", "w", "all.jsonl"),
        ("a", "x", "all.jsonl"),
        ("a", "y", "by-y.jsonl"),
    ]


def test_an_unknown_source_is_named_with_close_ones(tmp_path):
    """In a path and in a row; with what may have been meant."""
    write(tmp_path, "budget-meating/x.md")
    ids = ["budget-meeting", "sales"]
    assert message(tmp_path, ids, CandidateSpec(path="{source}/{system}.md")) == (
        "BASE/budget-meating/x.md: there is no source 'budget-meating'; "
        "did you mean 'budget-meeting'? rename it, or add the source to `sources`"
    )
    (tmp_path / "c.jsonl").write_text('{"source": "zzz", "system": "x", "text": "T"}')
    assert message(tmp_path, ids, CandidateSpec(path="c.jsonl")) == (
        "BASE/c.jsonl line 1: there is no source 'zzz'; rename it, or add the source to `sources`"
    )


def test_two_candidates_of_one_system_for_one_source_are_named_both(tmp_path):
    """Across files, entries and rows."""
    write(tmp_path, "a/x.md", "a/x.txt")
    assert message(tmp_path, ["a"], CandidateSpec(path="{source}/{system}.*")) == (
        "BASE/a/x.txt: is a second candidate of system 'x' for source 'a', after BASE/a/x.md; "
        "remove one or name the systems apart"
    )
    (tmp_path / "c.jsonl").write_text('{"source": "a", "system": "x", "text": "T"}\n' * 2)
    assert message(tmp_path, ["a"], CandidateSpec(path="c.jsonl")).startswith(
        "BASE/c.jsonl line 2: is a second candidate of system 'x' for source 'a', after BASE/c.jsonl line 1; "
    )


@pytest.mark.parametrize(
    ("spec", "start"),
    [
        ({"path": "no/{source}/{system}.md"}, "BASE/no/{source}/{system}.md: no file matches; check the pattern"),
        ({"path": "{system}/{system}.md", "source": "a"}, "BASE/{system}/{system}.md: no file matches; "),
        ({"path": "no.jsonl"}, "BASE/no.jsonl: there is no file or folder 'no.jsonl'; "),
        (
            {"path": "a/x.md"},
            "BASE/a/x.md: has no source; write {source} where it stands in the path, or give `source:`",
        ),
        ({"path": "a/*.md", "source": "a"}, "BASE/a/x.md: has no system; write {system} where it stands in the path"),
        ({"path": "a/{system}.vtt", "source": "a"}, "BASE/a/y.vtt: has the suffix '.vtt'; a candidate is one of .txt"),
        ({"path": "a/{system}.txt", "source": "a"}, "BASE/a/empty.txt: is empty; "),
        ({"path": "a/x.md", "source": "b", "system": "x"}, "BASE/a/x.md: there is no source 'b'; "),
        ({"path": "a/{system}.jsonl", "source": "a"}, "BASE/a/z.jsonl line 1: text: is missing; "),
    ],
)
def test_what_cannot_be_a_candidate_is_refused(tmp_path, spec, start):
    """File, value and fix in one line."""
    write(tmp_path, "a/x.md", "a/y.vtt")
    (tmp_path / "a" / "empty.txt").write_text(" ")
    (tmp_path / "a" / "z.jsonl").write_text("{}")
    assert message(tmp_path, ["a"], CandidateSpec.model_validate(spec)).startswith(start)


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ({"path": "{model}.md"}, "path holds {model}; only {source} and {system} can stand there"),
        ({"path": "{}.md"}, "path holds {}; only"),
        ({"path": "{source}.md", "source": "a"}, "`source` is given twice"),
        ({"path": "{system}.md", "system": "a"}, "`system` is given twice"),
        ({"path": "a.md", "system": ""}, "at least 1 character"),
        ({"path": "a.md", "sytem": "x"}, "Extra inputs are not permitted"),
    ],
)
def test_a_spec_that_contradicts_itself_is_refused(spec, what):
    """Before any file is looked for."""
    with pytest.raises(ValidationError) as caught:
        CandidateSpec.model_validate(spec)
    assert what in str(caught.value)


def test_thousands_of_candidates_are_matched_quickly(tmp_path):
    """A known id is found without trying a regular expression for each source."""
    ids = [f"talk-{number:03}" for number in range(400)]
    pattern = PathPattern("o/{source}.{system}.md", tmp_path)
    files = [tmp_path / "o" / f"{identity}.m{number}.md" for identity in ids for number in range(3)]
    found = [pattern.named_by(file, reversed(ids)) for file in files]
    assert found == [Named(identity, f"m{number}") for identity in ids for number in range(3)]


_NAME = st.text(st.sampled_from("ab.-_ 1é国("), min_size=1, max_size=5).filter(lambda name: name.strip(" .") == name)


@settings(max_examples=80)
@given(
    st.sampled_from(
        ["{source}/{system}.md", "o/{source}.{system}.txt", "{system}__{source}.md", "x {source} y {system}"]
    ),
    _NAME,
    _NAME,
)
def test_a_path_built_from_known_names_is_read_back(pattern, source, system):
    """With the id known, the system that was put in comes out, whatever characters the two hold."""
    path = Path("base") / pattern.replace("{source}", source).replace("{system}", system)
    assert PathPattern(pattern, Path("base")).named_by(path, [source]) == Named(source, system)
