"""Published yardsticks on the public sets, as data.

"paper": what the authors of the set report. "whole set": computed from the stored labels and verdicts of the whole set,
which a folder may hold a part of; docs/judges.md says which parts give other numbers, and why.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

SetName = Literal["llmbar", "elitr_bench", "squality", "emobank", "summedits", "newsmtsc", "tofueval", "qmsum"]
SETS: tuple[SetName, ...] = get_args(SetName)
"""As the folders of the sets are called, in the order of the table."""

Origin = Literal["paper", "whole set"]

RIGHT, SAME, LONGER, FIRST = "right", "same after swap", "picks the longer", "picks the first"
R_EXPERTS, BIAS, ERROR = "r with experts", "bias", "mean error"
ALPHA, ALPHA_MODELS, ALPHA_Z = "alpha", "alpha, models' texts", "alpha, z-scored"
RELIABILITY, CEILING, R_WRITERS, R_READERS = "reliability of mean", "ceiling of r", "r with writers", "r with readers"
R_FAR = "r with |valence - 3|"
BALANCED, WITH_ERROR, WRONG = "balanced accuracy", "with an error", "wrong"
MIXED, MACRO_F1 = "labels differ", "macro-F1"

PANEL, PANEL_OF_THREE, WEIGHED = "panel of 5", "panel of 3", "weighed 5"


@dataclass(frozen=True, slots=True)
class Yardstick:
    """One published figure."""

    set: SetName
    part: str
    judge: str
    measure: str
    value: float
    origin: Origin = "whole set"

    @property
    def place(self) -> tuple[SetName, str, str, str]:
        """What a row must say to be held against it."""
        return self.set, self.part, self.judge, self.measure

    def as_json(self) -> dict[str, object]:
        """For --json."""
        return {
            "set": self.set,
            "part": self.part,
            "judge": self.judge,
            "measure": self.measure,
            "value": self.value,
            "origin": self.origin,
        }


_LLMBAR: Mapping[str, tuple[float, float]] = {
    "GPT-4": (0.955, 0.810),
    "PaLM2": (0.847, 0.661),
    "LLaMA2": (0.805, 0.328),
    "ChatGPT": (0.815, 0.270),
    "Falcon": (0.740, 0.509),
    PANEL: (0.940, 0.538),
    PANEL_OF_THREE: (0.885, 0.361),
}
"""Share right: natural, adversarial."""
_SAME: Mapping[str, tuple[float, float]] = {"GPT-4": (0.95, 0.92), "Falcon": (0.52, 0.38)}
_ELITR: Mapping[str, Mapping[str, float]] = {
    "GPT-4": {R_EXPERTS: 0.82, BIAS: 0.64, ERROR: 1.16},
    "Prometheus-13B": {R_EXPERTS: 0.24, BIAS: -1.24},
    "crowd": {R_EXPERTS: 0.89},
}
_GPT4_BIAS = {"GPT-4": 0.40, "LongAlpaca-7B": 1.02, "Vicuna-13B-v1.5": 0.49}
_SQUALITY: Mapping[str, tuple[float, float]] = {
    "correctness": (0.46, -0.05),
    "coverage": (0.78, 0.27),
    "overall": (0.80, 0.28),
}
"""Alpha: all texts, models' texts alone."""
_EMOBANK: Mapping[str, tuple[float, float, float, float]] = {
    "valence": (0.34, 0.73, 0.66, 0.25),
    "arousal": (0.25, 0.61, 0.26, 0.19),
    "dominance": (0.22, 0.60, 0.24, 0.16),
}
"""Of readers: alpha and reliability of the mean of five; r with writers; mean error of a constant guess."""
_SUMMEDITS: Mapping[str, float] = {
    "people": 0.907,
    "GPT-4": 0.796,
    "GPT-3.5": 0.692,
    "QAFactEval": 0.624,
    "Mistral-7b": 0.559,
    "Llama2-7b": 0.507,
}


def _yardsticks() -> Iterator[Yardstick]:
    for judge, shares in _LLMBAR.items():
        for part, share in zip(("natural", "adversarial"), shares, strict=True):
            yield Yardstick("llmbar", part, judge, RIGHT, share)
    yield Yardstick("llmbar", "adversarial", WEIGHED, RIGHT, 0.864)
    for judge, shares in _SAME.items():
        for part, share in zip(("natural", "adversarial"), shares, strict=True):
            yield Yardstick("llmbar", part, judge, SAME, share)
    yield Yardstick("llmbar", "all", "ChatGPT", LONGER, 0.66)
    yield Yardstick("llmbar", "all", "the right one", LONGER, 0.27)
    yield Yardstick("llmbar", "all", "Falcon", FIRST, 0.78)
    for judge, figures in _ELITR.items():
        yield from (Yardstick("elitr_bench", "", judge, measure, value) for measure, value in figures.items())
    for answerer, bias in _GPT4_BIAS.items():
        yield Yardstick("elitr_bench", f"answers of {answerer}", "GPT-4", BIAS, bias)
    for aspect, (whole, models) in _SQUALITY.items():
        yield Yardstick("squality", aspect, "raters", ALPHA, whole)
        yield Yardstick("squality", aspect, "raters", ALPHA_MODELS, models)
    yield Yardstick("squality", "correctness", "raters", ALPHA_Z, 0.58)
    for axis, (alpha, reliability, writers, error) in _EMOBANK.items():
        yield Yardstick("emobank", axis, "readers as listed", ALPHA, alpha)
        yield Yardstick("emobank", axis, "readers as listed", RELIABILITY, reliability)
        yield Yardstick("emobank", axis, "readers", R_WRITERS, writers)
        yield Yardstick("emobank", axis, "constant guess", ERROR, error)
    yield Yardstick("emobank", "arousal", "people", R_FAR, 0.48)
    for judge, accuracy in _SUMMEDITS.items():
        yield Yardstick("summedits", "qmsumm", judge, BALANCED, accuracy, "paper")
    yield Yardstick("newsmtsc", "several targets", "labels", MIXED, 0.41)
    yield Yardstick("newsmtsc", "", "trained classifier", MACRO_F1, 0.831, "paper")
    yield Yardstick("tofueval", "", "models' sentences", WRONG, 0.183)


YARDSTICKS = tuple(_yardsticks())
