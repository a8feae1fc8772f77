"""How an excerpt says who says it."""

import re

from localeval.texts import Language

ORIGIN = "excerpts"
"""The origin, and the system, of texts that are put together from a source's own words."""
BETWEEN = "\n\n"
REPORT = re.compile(r"(?P<name>[^:：\n\"“]{1,60})[:：]\s?[\"“](?P<words>.+)[\"”]", re.S)


def report(name: str, words: str, language: Language) -> str:
    """One sentence as somebody says it: `Anna Weber: "..."`."""
    return f"{name}：“{words}”" if language == "zh" else f'{name}: "{words}"'
