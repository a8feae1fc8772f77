"""Every row of the table."""

from benchmarks.coverage import agreement, corrections, means, shares
from benchmarks.coverage.measuring import Row

ROWS: tuple[Row, ...] = (*shares.ROWS, *means.ROWS, *agreement.ROWS, *corrections.ROWS)
