"""Proves what a planted error of wording, order or owner changes, and that a rewording changes nothing.

Plain string logic with lists of its own: nothing here comes from the planting code or from the evidence readers.
"""

import re
from collections import Counter
from itertools import pairwise

from localeval.planting.schemas import Edit, Trusted

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_DENIALS = {
    "en": re.compile(r"\bnot\b|\bcannot\b|n['’]t\b|\bno longer\b|\bnever\b|\bnobody\b|\bno\b(?! longer)", re.I),
    "ru": re.compile(r"\bне\b|\bни\b|\bнет\b|\bнельзя\b|\bникогда\b", re.I),
    "zh": re.compile(r"不|没|未|无"),
}
_SMALL = {
    "en": {"do", "does", "did", "not", "no", "longer", "still", "cannot", "can"},
    "ru": {"не", "больше", "по", "прежнему"},
    "zh": set("不没有未再了仍然已还尚"),
}
_OPPOSITES = {
    "en": """rais~lower rise~fall rose~fell grew~shrank increas~decreas accept~reject open~clos won~lost win~lose
    bought~sold buy~sell begin~end began~ended start~finish add~remov hir~dismiss support~oppos includ~exclud
    improv~worsen late~earl later~earlier worse~better worst~best morning~afternoon agreed_to~refused_to faster~slower
    larger~smaller bigger~smaller public~private expensive~cheap more_expensive~cheaper at_least~at_most safe~dangerous
    satisfied~dissatisfied weekday~weekend reject~accept longer~shorter higher~lower more_than~less_than
    strengthen~weaken easy~difficult first~last""",
    "ru": """повыс~пониз повыш~пониж хуже~лучше окончан~начал утром~вечером нов~стар дороже~дешевле закры~откры
    закро~откро закон~нач откро~закро отклон~приня платн~бесплатн куп~прод покуп~прода одобр~отклон высок~низк
    раньше_срока~позже_срока раньше~позже привез~увез привез~увез выс~низ раст~сниж увелич~уменьш
    снизи~повыси снижа~повыша""",
    "zh": """提高~降低 增加~减少 多~少 上午~下午 晚上~早上 开始~结束 同意~反对 批准~否决 提前~推迟 以上~以下 免费~收费
    便宜~昂贵 周末~平日 上升~下降""",
}
"""Beginnings of words that are opposites, by the oracle's own lists; "_" for a space."""
_TURNED = {
    "en": {("before", "after"), ("because", "so")},
    "ru": {("до", "после"), ("перед тем, как", "после того, как"), ("потому что", "поэтому"), ("так как", "поэтому")},
    "zh": {("之前", "之后"), ("以前", "以后"), ("因为", "所以")},
}
_THEN = {"en": {"then", "first"}, "ru": {"затем", "сначала", "потом"}, "zh": set()}
_ENDS = re.compile(r"[.!?](?=[\"”]?(?:\s|$))|[。！？]")


def why_not_changed(edit: Edit, trusted: Trusted) -> str:
    """Why an edit is not the error that it says it is; "" where it is proven."""
    text, language = trusted.candidate.text, trusted.source.language
    if text[edit.start : edit.end] != edit.before:
        return "what is to be changed does not stand there"
    new = edit.applied_to(text)
    head, tail = text[: edit.start], text[edit.end :]
    if new == text or not new.startswith(head) or not new.endswith(tail) or len(new) != len(head + edit.after + tail):
        return "the rest is not the same"
    if not 1 <= edit.sentence <= len(trusted.candidate.segments) + 1:
        return "there is no such sentence"
    if len(edit.others) not in (0, 3) or {edit.before, edit.after} & set(edit.others):
        return "the further values are not three others"
    prove = {
        "negation": _negation,
        "antonym": _antonym,
        "wrong owner": _owner,
        "swapped order": _order,
        "invented sentence": _invented,
        "dropped sentence": _dropped,
    }[edit.kind]
    return prove(edit, trusted, new, language)


def _sentence(edit: Edit, trusted: Trusted, new: str) -> tuple[str, str]:
    """The sentence that was changed, before and after."""
    segment = trusted.candidate.segments[edit.sentence - 1]
    start = min(segment.start, edit.start)
    shift = len(edit.after) - len(edit.before)
    return trusted.candidate.text[start : segment.end], new[start : segment.end + shift]


def _negation(edit: Edit, trusted: Trusted, new: str, language: str) -> str:
    """The count of denials in the sentence differs by one, and but for verb forms its words are the same."""
    old_sentence, new_sentence = _sentence(edit, trusted, new)
    counts = [len(_DENIALS[language].findall(one)) for one in (old_sentence, new_sentence)]
    if abs(counts[0] - counts[1]) != 1:
        return f"denials before and after: {counts}"
    if language == "zh":
        left, right = (Counter(_HAN.findall(one)) for one in (old_sentence, new_sentence))
        other = {char for char in left.keys() | right.keys() if left[char] != right[char]}
        return "" if other <= _SMALL["zh"] else f"other characters too: {other}"
    left, right = (
        [word[:2] for word in _words(one) if word not in _SMALL[language] and not word.endswith("n't")]
        for one in (old_sentence, new_sentence)
    )
    same = [one for one, other in zip(left, right, strict=False) if one[0] == other[0]]
    return "" if len(left) == len(right) == len(same) else "other words too"


def _antonym(edit: Edit, trusted: Trusted, new: str, language: str) -> str:
    """One word, or one phrase, became its opposite by the oracle's own list."""
    before, after = (re.sub(r"^an? ", "", one.lower()).replace(" ", "_").replace("ё", "е") for one in _both(edit))
    for pair in _OPPOSITES[language].split():
        one, other = pair.replace("ё", "е").split("~")
        for left, right in ((one, other), (other, one)):
            if before.startswith(left) and after.startswith(right):
                return ""
    return f"no opposites that are known: {before}, {after}"


def _both(edit: Edit) -> tuple[str, str]:
    return edit.before, edit.after


def _owner(edit: Edit, trusted: Trusted, new: str, language: str) -> str:
    """One speaker of the source stands in another's place, who is not in the sentence."""
    speakers = {segment.speaker for segment in trusted.source.segments}
    old_sentence, _ = _sentence(edit, trusted, new)
    if not {edit.before, edit.after} <= speakers or edit.before == edit.after:
        return "not two people of the source"
    return "the other is in the sentence already" if edit.after in old_sentence else ""


def _order(edit: Edit, trusted: Trusted, new: str, language: str) -> str:
    """A connective that sets an order became the one that turns it around, or two parts changed places."""
    before, after = (one.strip(" ,，").lower() for one in _both(edit))
    for one, other in _TURNED[language]:
        if {before, after} == {one, other}:
            return ""
    parts = [_HAN.findall(one) if language == "zh" else _words(one) for one in (before, after)]
    left, right = ([word for word in part if word not in _THEN[language]] for part in parts)
    return "" if _changed_places(left, right) else "neither a connective turned around nor two parts in other places"


def _changed_places(left: list[str], right: list[str]) -> bool:
    """Whether a beginning and an end changed places: one, middle, two became two, middle, one."""
    return left != right and any(
        right == left[end:] + left[start:end] + left[:start]
        for start in range(1, len(left))
        for end in range(start, len(left))
    )


def _invented(edit: Edit, trusted: Trusted, new: str, language: str) -> str:
    """Exactly one sentence more; of its content words no segment of the source has half."""
    if edit.before or not edit.after:
        return "something was taken out"
    if _count(new) != _count(trusted.candidate.text) + 1:
        return "not one sentence more"
    source = trusted.source
    speakers = " ".join({segment.speaker or "" for segment in source.segments}).lower()
    if language == "zh":
        content = {left + right for left, right in pairwise(_HAN.findall(edit.after)) if left + right not in speakers}
    else:
        content = {word[:5] for word in _words(edit.after) if len(word) > 4 and word not in speakers}
    together = max(sum(part in source.words_of(one).lower() for part in content) for one in source.segments)
    return "" if together * 2 < len(content) else "the source has it"


def _dropped(edit: Edit, trusted: Trusted, new: str, language: str) -> str:
    """Exactly one sentence less, which had something to say, and which was not the only one."""
    if edit.after or not new.strip():
        return "something was put in, or nothing is left"
    if trusted.candidate.words_of(trusted.candidate.segments[edit.sentence - 1]) != edit.before.strip():
        return "not one whole sentence"
    if _count(new) != _count(trusted.candidate.text) - 1:
        return "not one sentence less"
    return "" if "  " not in new and len(_content(edit.before)) >= 2 else "it had nothing to say"


def _content(text: str) -> list[str]:
    return _HAN.findall(text) or [word for word in _words(text) if len(word) > 3]


def _words(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def _count(text: str) -> int:
    """Sentences by their full stops, those of numbers and initials aside."""
    return len(_ENDS.findall(text))


_ALIKE = {
    "en": """rather than=instead of|so as to=in order to|because of=due to|owing to=due to|about=approximately
thus=therefore|nevertheless=however|even though=although|besides=in addition|began=started|begins=starts|till=until
entire=whole|per year=a year|per month=a month|per week=a week|per day=a day|two times=twice|at once=immediately
often=frequently|talked about=discussed|in spite of=despite|for instance=for example|almost=nearly|color=colour
center=centre|canceled=cancelled|favorite=favourite|attempting to=trying to|thought that=believed that|large=big
per cent=%|it's=it is|she's=she is|he's=he is|they're=they are|cannot=can not|can't=can not|won't=will not|n't=_not""",
    "ru": """так как=потому что|по этой причине=поэтому|тем не менее=однако|потом=затем|нужно=надо|необходимо=надо
вначале=сначала|тыс. рублей=тысяч рублей|руб.=рублей|кв. метров=квадратных метров|нередко=часто""",
    "zh": """由于=因为|但是=但|不过=但|因此=所以|厘米=公分|大约=约|大概=约|每日=每天|每一次=每次|小孩=儿童|现在=目前
马上=立即|已经=已|日=号""",
}
"""What is the same, each put in the other's place before two texts are compared; the oracle's own list."""
_NUMBER_WORDS = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "ru": "два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    "zh": "",
}


def plain(text: str, language: str) -> str:
    """A text with everything that is the same brought to one form; two texts that say the same give one string."""
    text = text.lower().replace("’", "'").replace("ё", "е")
    for one in re.split(r"[|\n]", _ALIKE[language]):
        written, kept = one.split("=")
        text = text.replace(written, kept.replace("_", " "))
    text = text.replace(" %", "%")
    for number, word in enumerate(_NUMBER_WORDS[language].split(), 2):
        text = re.sub(rf"\b{word}\b", str(number), text)
    text = re.sub(r"\bдве\b", "2", text).replace("сорок", "40")
    text = re.sub(r"£([\d,]*\d)", r"\1 pounds", text)
    text = re.sub(r"\b([a-z]{3,9}) (\d{1,2})\b(?!:|\d)", _day_first, text)
    return re.sub(r"[零一二三四五六七八九十]+(?=[月号])", _digits, text) if language == "zh" else text


def _day_first(found: re.Match[str]) -> str:
    months = "january february march april may june july august september october november december"
    return f"{found[2]} {found[1]}" if found[1] in months.split() else found[0]


def _digits(found: re.Match[str]) -> str:
    """A Chinese number of a date in digits."""
    ones = "零一二三四五六七八九"
    tens, ten, rest = found[0].partition("十")
    if not ten:
        return str(ones.index(found[0]))
    return str((ones.index(tens) if tens else 1) * 10 + (ones.index(rest) if rest else 0))
