import codecs
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.errors import InputError
from localeval.inputs.decoding import decode, is_blank, read_text

TEXTS = ["Hello.\nSecond line.\n", "Привет, мир.\n", "今天开会。\n", "mixed мир 世界 😀 é\n"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "encoded",
    [
        lambda text: text.encode(),
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
        lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    ],
    ids=["utf-8", "utf-8-bom", "utf-16-le", "utf-16-be"],
)
def test_every_supported_encoding_gives_the_same_text(tmp_path, text, encoded):
    """A byte order mark never reaches the text."""
    file = tmp_path / "a.txt"
    file.write_bytes(encoded(text))
    assert read_text(file) == text


@pytest.mark.parametrize("data", [b"a\r\nb\rc\n", codecs.BOM_UTF16_LE + "a\r\nb\rc\n".encode("utf-16-le")])
def test_line_ends_become_newlines(data):
    """Windows and old Mac line ends are the same text as Unix ones."""
    assert decode(data, "a.txt") == "a\nb\nc\n"


def test_invalid_utf8_names_line_bytes_and_offset():
    """A file in Windows-1251 is refused with the first byte that is not UTF-8."""
    data = b"first\r\nsecond\n" + "да".encode("cp1251")
    with pytest.raises(InputError, match=r"^a\.txt line 3: 0xE4 at byte 14 is not UTF-8; save it as UTF-8"):
        decode(data, "a.txt")


def test_the_byte_offset_counts_the_byte_order_mark():
    """The offset is the one that a hex editor shows."""
    with pytest.raises(InputError, match="0xFF at byte 4 is not UTF-8"):
        decode(codecs.BOM_UTF8 + b"a\xff", "a.txt")


def test_broken_utf16_is_named_as_utf16():
    """Half a surrogate pair in a UTF-16 file is refused."""
    with pytest.raises(InputError, match=r"a\.txt line 2: 0x3D 0xD8.* at byte 6 is not UTF-16"):
        decode(codecs.BOM_UTF16_LE + "a\n".encode("utf-16-le") + b"\x3d\xd8", "a.txt")


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"text with one NUL\0",
        "UTF-16 without a mark".encode("utf-16-le"),
        bytes(range(1, 9)) * 4 + b"abc",
        codecs.BOM_UTF16_LE + "a\0b".encode("utf-16-le"),
    ],
)
def test_a_binary_file_is_refused(data):
    """NUL bytes and many control characters are never taken for text."""
    with pytest.raises(InputError, match=r"^x\.txt: is a binary file \(.*\); save it as UTF-8 text or leave it out$"):
        decode(data, "x.txt")


def test_a_page_feed_and_a_stray_control_character_do_not_make_a_file_binary():
    """Text converted from PDF has page feeds, and speech-to-text has an odd control character."""
    text = "Page one.\x0cPage two.\x1b[0m" + "word " * 100 + "\x02"
    assert decode(text.encode(), "a.txt") == text


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", codecs.BOM_UTF8, "\u200b\ufeff \n".encode()])
def test_a_file_without_words_is_refused(data):
    """Empty, white space alone and invisible characters alone are all empty."""
    with pytest.raises(InputError, match=r"^a\.txt: is empty; "):
        decode(data, "a.txt")


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    """What the system says is in the line, without a traceback."""
    with pytest.raises(InputError, match=re.escape(f"{tmp_path.as_posix()}/no.txt: cannot be read (No such file")):
        read_text(tmp_path / "no.txt")
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path)


@given(st.binary(max_size=60), st.sampled_from([b"", *(codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)]))
def test_any_bytes_give_text_or_an_input_error(data, mark):
    """No bytes lead to another exception, and text that comes back can be stored and has words."""
    try:
        text = decode(mark + data, "a.txt")
    except InputError as error:
        text = str(error)
        assert len(text.splitlines()) == 1
    assert not is_blank(text)
    assert not {"\0", "\r"} & set(text)
    text.encode()
