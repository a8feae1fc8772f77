"""What work costs, where a model's own entry does not say."""

from collections.abc import Mapping
from typing import Any

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


def call_cost(
    options: Mapping[str, Any], prompt_tokens: float, cached_tokens: float, output_tokens: float
) -> float | None:
    """What so many tokens cost at the `price_in`, `price_cached_in` and `price_out` of a model's options.

    `prompt_tokens` count the cached ones, too. None where the options do not name both prices: not known, not 0.
    """
    price_in, price_out = options.get("price_in"), options.get("price_out")
    if price_in is None or price_out is None:
        return None
    price_cached = options.get("price_cached_in")
    fresh = (prompt_tokens - cached_tokens) * price_in
    cached = cached_tokens * (price_in if price_cached is None else price_cached)
    return float(fresh + cached + output_tokens * price_out) / 1e6
