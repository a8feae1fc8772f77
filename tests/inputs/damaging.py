"""Text files as they come out of a slip: pieces removed, put in, moved and doubled."""

import random

PUT = (
    *(
        "\t",
        "\n",
        "  ",
        ":",
        ": ",
        "- ",
        "{",
        "}",
        "[",
        "]",
        "'",
        '"',
        "#",
        "&a ",
        "*a",
        "|\n",
        ">",
        "!",
        "%",
        "@",
        "`",
    ),
    *("? ", "<<: ", "---\n", "...", "\0", "\x07", "\ufeff", "\u2028", "\x85", "\ud7ff", "。", "[[", "{a: b}", "NaN"),
    *(".nan", "-.inf", "0.25", "1e999", "2020-99-01", "12:30:45", "0x", "0o9", "1_000", "null", "true", "~", "9" * 400),
    *("!!python/object:os.system ", "!!set ", "!!binary x", "!!timestamp x", "!!int x", "!!float q", "!!omap [a: b]\n"),
    *("? {a: b}\n: c\n", "language: ru\n", "{target}", "{name}"),
)
"""What a reader of YAML or JSON may stumble over."""


def damaged(rng: random.Random, text: str) -> str:
    """`text` with one to four changes."""
    for _ in range(rng.randint(1, 4)):
        lines = text.split("\n")
        one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        at, length = rng.randrange(len(text) + 1), rng.choice([0, 0, 1, 2, 5, 12])
        how = rng.randrange(5)
        if how == 0:
            lines[one], lines[other] = lines[other], lines[one]
        elif how == 1:
            lines.insert(one, lines[other])
        else:
            put = ("", rng.choice(PUT), chr(rng.choice([rng.randrange(1, 128), rng.randrange(128, 0xD7FF)])))[how - 2]
            lines = (text[:at] + put + text[at + length :]).split("\n")
        text = "\n".join(lines)
    return text
