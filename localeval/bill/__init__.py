"""What a run cost: every reply counted once, priced, and summed by model, stage and system.

tally.py      the observer that counts replies
amounts.py    numbers that may not be known, and their sums
pricing.py    device seconds, energy and money of a tally
writing.py    ledger.json
"""

from localeval.bill.pricing import spent_on_hosted
from localeval.bill.tally import Bill
from localeval.bill.writing import LEDGER_SCHEMA, ledger_of, load_ledger

__all__ = ["LEDGER_SCHEMA", "Bill", "ledger_of", "load_ledger", "spent_on_hosted"]
