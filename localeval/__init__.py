"""localeval: an offline evaluator that runs open-weight judges and answerers on a local engine.

Importing the package does no work: no folder, no environment variable, no heavy import.
"""

__version__ = "0.1.0"
