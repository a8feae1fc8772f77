"""From a plan's calls and tokens to seconds and money: by sizes, corrected by a pilot, set against what a run took."""

from localeval.estimating.calibrating import calibrate, estimated_plan
from localeval.estimating.plan_file import Compared, estimated_against_actual

__all__ = ["Compared", "calibrate", "estimated_against_actual", "estimated_plan"]
