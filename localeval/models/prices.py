"""What work costs, where a model's own entry does not say."""

from pydantic import BaseModel, ConfigDict, Field


class Prices(BaseModel):
    """`prices` in a config."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    currency: str = Field(default="USD", min_length=1, max_length=12)
    """A label: nothing is converted."""
    device_hour: float | None = Field(default=None, ge=0)
    """Price of an hour of this machine's device or devices, for each model that an engine loads here."""
    budget: float | None = Field(default=None, gt=0)
    """What the models behind servers may cost in all; a run stops cleanly before it would cost more."""
