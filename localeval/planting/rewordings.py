"""What may be said in other words without saying anything else."""

from localeval.planting.changes import Change
from localeval.planting.chinese_rewordings import chinese_rewordings
from localeval.planting.english_rewordings import english_rewordings
from localeval.planting.russian_rewordings import russian_rewordings
from localeval.texts import Language


def rewordings(text: str, language: Language) -> list[Change]:
    """Every change of a text that leaves its meaning as it is; some may overlap."""
    return {"en": english_rewordings, "ru": russian_rewordings, "zh": chinese_rewordings}[language](text)
