"""Which sets lie in a folder of the user's, and how much of each."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from localeval.errors import ConfigError, InputError
from localeval.public_sets import elitr, emobank, llmbar, newsmtsc, qmsum, squality, summedits, tofueval
from localeval.public_sets.published import SETS, SetName
from localeval.public_sets.table import SetContents

_USES: Mapping[SetName, str] = {
    "llmbar": "stored votes of five judges; a model chooses between two outputs",
    "elitr_bench": "stored scores of two judges and a crowd; a model scores answers from 1 to 10",
    "squality": "ratings by people: what agreement to expect",
    "emobank": "ratings by people; a model reads moods (affect, whole)",
    "summedits": "labels; a model audits summaries",
    "newsmtsc": "labels; a model reads how targets are spoken of (affect, target)",
    "tofueval": "labels; the transcripts are not in the set, so nobody can be asked",
    "qmsum": "questions with the turns that answer them; no verdicts",
}


def present_sets(data: Path, wanted: Sequence[SetName]) -> tuple[SetName, ...]:
    """The sets whose folders lie in `data`, or those of `wanted`, in the order of the table.

    Raises InputError where `data` is no folder or holds none of them, ConfigError where one that is wanted is not
    there.
    """
    if not data.is_dir():
        raise InputError(f"--data {data}: is no folder; name one that holds {', '.join(SETS)} or some of them")
    here = [name for name in SETS if (data / name).is_dir()]
    absent = [name for name in wanted if name not in here]
    if absent:
        raise ConfigError(f"--set {absent[0]}: there is no {data / absent[0]}; leave it out or put the set there")
    if not here:
        raise InputError(f"--data {data}: holds none of {', '.join(SETS)}; name the folder that they lie in")
    return tuple(name for name in here if not wanted or name in wanted)


def contents(data: Path, sets: Sequence[SetName]) -> list[SetContents]:
    """What each set holds here; raises InputError where one cannot be read."""
    told: Mapping[SetName, Callable[[Path], str]] = {
        "llmbar": _llmbar,
        "elitr_bench": _elitr,
        "squality": _squality,
        "emobank": _emobank,
        "summedits": _summedits,
        "newsmtsc": _newsmtsc,
        "tofueval": _tofueval,
        "qmsum": _qmsum,
    }
    return [SetContents(name, told[name](data), _USES[name]) for name in sets]


def _llmbar(data: Path) -> str:
    pairs = llmbar.read_pairs(data)
    return f"{len(pairs)} pairs, {sum(pair.is_natural for pair in pairs)} natural"


def _elitr(data: Path) -> str:
    answers = elitr.read_answers(data)
    return f"{len(answers)} answers about {len({each.meeting for each in answers})} meetings"


def _squality(data: Path) -> str:
    rated = squality.read_rated(data)
    whole = "all" if len(rated) == squality.WHOLE else f"of {squality.WHOLE}"
    return f"{len(rated)} texts ({whole}) about {len({each.story for each in rated})} stories"


def _emobank(data: Path) -> str:
    moods = emobank.read_moods(data)
    return f"{len(moods)} sentences of {len({each.document for each in moods})} documents"


def _summedits(data: Path) -> str:
    whole = summedits.read_summedits(data)
    return f"{len(whole.summaries)} summaries of {len(whole.documents)} documents"


def _newsmtsc(data: Path) -> str:
    sentences = newsmtsc.read_labelled(data)
    return f"{len(sentences)} sentences, {sum(len(each.mentions) for each in sentences)} targets"


def _tofueval(data: Path) -> str:
    sentences, points = tofueval.read_summary_sentences(data), tofueval.read_key_points(data)
    return f"{len(sentences)} sentences of {len({each.document for each in sentences})} documents, {len(points)} topics"


def _qmsum(data: Path) -> str:
    meetings, queries = qmsum.read_meetings(data), qmsum.read_queries(data)
    longest = max((meeting.characters for meeting in meetings), default=0)
    return f"{len(meetings)} meetings of up to {longest:,} characters, {len(queries)} questions"
