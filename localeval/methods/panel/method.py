"""The panel as a method: one flow a source and judge."""

from collections.abc import Iterable, Iterator, Mapping

from localeval.flow import Flow
from localeval.methods.material import Material
from localeval.methods.panel.flow import judge
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import PanelSettings, Sheet, SourcePanel

Sheets = Mapping[str, Sheet]
"""One judge's sheets on the candidates of a source, by system."""


def panel_flows(
    material: Material, settings: PanelSettings, rubrics: Mapping[str, Rubric]
) -> Iterator[tuple[tuple[str, str], Flow[Sheets]]]:
    """((source id, judge), its flow), lazily, source by source. `rubrics` is by source id."""
    for source in material.sources:
        candidates = material.by_source.get(source.id, ())
        for model in settings.judges:
            flow = judge(source, candidates, model, rubrics[source.id], settings, material.prompts, material.seed)
            yield (source.id, model), flow


def gather_panels(
    material: Material,
    settings: PanelSettings,
    rubrics: Mapping[str, Rubric],
    found: Iterable[tuple[tuple[str, str], Sheets]],
) -> dict[str, SourcePanel]:
    """The results of `panel_flows` put together by source id, in order of sources, systems and judges."""
    by_judge = dict(found)
    panels: dict[str, SourcePanel] = {}
    for source in material.sources:
        candidates = material.by_source.get(source.id, ())
        sheets = {
            each.system: {model: by_judge[source.id, model][each.system] for model in settings.judges}
            for each in candidates
        }
        panels[source.id] = SourcePanel(source.id, rubrics[source.id], sheets)
    return panels
