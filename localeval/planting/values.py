"""Every value of a trusted text that can be made false: numbers, dates, units, names, completions, precision."""

from localeval.evidence.lookup import SourceIndex
from localeval.keys import derive_seed
from localeval.planting.completing import completed_names
from localeval.planting.dates import wrong_dates
from localeval.planting.names import wrong_names
from localeval.planting.numbers import wrong_numbers
from localeval.planting.precision import false_precision
from localeval.planting.schemas import Edit, Trusted
from localeval.planting.spots import Material
from localeval.planting.units import wrong_units


def plant_values(trusted: Trusted, index: SourceIndex, seed: int) -> list[Edit]:
    """All edits of the kinds number, date, unit, name, name completion and false precision; raises nothing.

    At most one for each place and kind, in an order that the seed, the source and the text's origin decide; what is
    put in a place does not depend on what is put in another. `index` is the trusted text's source. A place is left
    out where no value is sure to be false, to be read as intended and to agree with the words around it.
    """
    material = Material(trusted, index, seed)
    found = [
        edit
        for plant in (wrong_numbers, wrong_dates, wrong_units, wrong_names, completed_names, false_precision)
        for edit in plant(material)
    ]
    return sorted(found, key=lambda one: derive_seed(seed, trusted.source.id, trusted.origin, one.kind, one.start))
