"""Generation as a method: one flow a source and system."""

from collections.abc import Iterable, Iterator, Mapping

from localeval.flow import Flow
from localeval.methods.generate.flow import write
from localeval.methods.generate.pipeline import Pipeline
from localeval.methods.generate.schemas import GeneratedText
from localeval.texts import Source


def generate_flows(
    sources: Iterable[Source], pipelines: Mapping[str, Pipeline], seed: int
) -> Iterator[tuple[tuple[str, str], Flow[GeneratedText]]]:
    """((source id, system), its flow), lazily, source by source."""
    for source in sources:
        for name, pipeline in pipelines.items():
            yield (source.id, name), write(source, pipeline, seed)
