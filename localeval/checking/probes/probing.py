"""All probes of a check: their flows, and what these came to by judge."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from localeval.checking.probes import (
    injection,
    language,
    lineup_order,
    option_order,
    own_family,
    system_name,
    verbosity,
)
from localeval.checking.probes.context import Found, Json, Place, ProbeContext
from localeval.flow import Flow
from localeval.planting.settings import CheckedMethod, Probe


class _Probe(NamedTuple):
    """What a probe's module has."""

    methods: tuple[CheckedMethod, ...]
    flows: Callable[[ProbeContext], Iterator[tuple[Place, Flow[Any]]]]
    score: Callable[[ProbeContext, Found, CheckedMethod, str], Json]


_PROBES: Mapping[Probe, _Probe] = {
    "option order": _Probe(option_order.METHODS, option_order.flows, option_order.score),
    "line-up order": _Probe(lineup_order.METHODS, lineup_order.flows, lineup_order.score),
    "verbosity": _Probe(verbosity.METHODS, verbosity.flows, verbosity.score),
    "own family": _Probe(own_family.METHODS, own_family.flows, own_family.score),
    "system name": _Probe(system_name.METHODS, system_name.flows, system_name.score),
    "injection": _Probe(injection.METHODS, injection.flows, injection.score),
    "language": _Probe(language.METHODS, language.flows, language.score),
}


def probe_flows(context: ProbeContext) -> Iterator[tuple[Place, Flow[Any]]]:
    """(place, flow) of every probe in the settings, lazily, for the methods that are checked."""
    for name in context.settings.probes:
        yield from _PROBES[name].flows(context)


def score_probes(context: ProbeContext, found: Found) -> dict[tuple[CheckedMethod, str], dict[Probe, Json]]:
    """By method and judge, and then by probe, in the order of the settings; `found` holds the results by place.

    Each has `what`, `shift`, `unit`, `rows` and `note`; values are in the unit. One that could not be measured has a
    shift without a value, and `note` says why.
    """
    scored: dict[tuple[CheckedMethod, str], dict[Probe, Json]] = {}
    for name in context.settings.probes:
        for method in _PROBES[name].methods:
            for model in context.judges(method):
                scored.setdefault((method, model), {})[name] = _PROBES[name].score(context, found, method, model)
    return scored
