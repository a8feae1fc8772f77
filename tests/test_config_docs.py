"""docs/config.md names every setting, with its default."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from localeval.decision.schemas import SelectSettings
from localeval.inputs.specs import ChooseSettings
from localeval.methods.affect.schemas import AffectSettings, ElicitSettings, Target
from localeval.methods.generate.schemas import SystemSettings
from localeval.models.prices import Prices
from localeval.planting.settings import Bars, CheckSettings

DOCS = Path(__file__).resolve().parent.parent / "docs" / "config.md"


def rows(heading: str) -> dict[str, str]:
    """By key, the default that a section of the page gives."""
    section = DOCS.read_text(encoding="utf-8").split(f"{heading}\n", 1)[1].split("\n## ")[0].split("\n### ")[0]
    cells = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    return {row[0].removeprefix("| ").strip("`"): row[1] for row in cells}


@pytest.mark.parametrize(
    ("heading", "model"),
    [
        ("## choose", ChooseSettings),
        ("## systems", SystemSettings),
        ("## select", SelectSettings),
        ("## check", CheckSettings),
        ("### check.bars", Bars),
        ("## methods.affect", AffectSettings),
        ("### methods.affect.elicit", ElicitSettings),
    ],
)
def test_every_setting_has_a_row_with_its_default(heading: str, model: type[BaseModel]) -> None:
    """A lever that the page does not name is one that nobody finds; a wrong default is worse."""
    found = rows(heading)
    own = {key: default for key, default in found.items() if ": " not in key}
    assert set(own) == set(model.model_fields)
    for name, field in model.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if isinstance(default, bool | int | float | str):
            assert own[name] == str(default).lower(), name
        elif isinstance(default, tuple) and default:
            assert own[name] == f"[{', '.join(default)}]", name


def test_every_field_of_a_target_has_a_row() -> None:
    """Its name stands with `targets`, the others have rows of their own."""
    found = rows("## methods.affect")
    assert {key.removeprefix("targets: ") for key in found if key.startswith("targets: ")} == (
        set(Target.model_fields) - {"name"}
    )
    assert found["targets: kind"] == Target.model_fields["kind"].default


def test_every_price_has_a_row() -> None:
    """The currency with its default; the others have none: without a price money is not known."""
    found = rows("## prices")
    assert set(found) == set(Prices.model_fields)
    assert found["currency"] == Prices().currency
