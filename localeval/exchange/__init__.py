"""Calls out of a run, for others to answer, and their answers back into its store.

A run's own flows say which calls there are: they are driven from the store, and stop where it has no answer. So only
calls that are sure to be asked leave, and only answers to calls that the run asks come in.
"""

from localeval.exchange.exporting import Exported, dump_rows, export_calls
from localeval.exchange.importing import Imported, Refused, import_verdicts

__all__ = ["Exported", "Imported", "Refused", "dump_rows", "export_calls", "import_verdicts"]
