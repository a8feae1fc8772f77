"""`localeval.models.prices`: what tokens cost."""

import pytest
from pydantic import ValidationError

from localeval.models.prices import Prices, call_cost


def test_tokens_at_their_prices() -> None:
    """A million of each: fresh prompt tokens, cached ones where they have a price of their own, written ones."""
    million = 1_000_000
    prices = {"price_in": 3.0, "price_out": 15.0}
    assert call_cost(prices, million, 0, 0) == 3.0
    assert call_cost(prices, million, million, 0) == 3.0  # no price of their own
    assert call_cost(prices | {"price_cached_in": 0.3}, million, million, 0) == 0.3
    assert call_cost(prices | {"price_cached_in": 0.0}, million, 400_000, 100_000) == pytest.approx(1.8 + 1.5)
    assert call_cost({"price_in": 0.0, "price_out": 0.0}, million, 0, million) == 0.0


@pytest.mark.parametrize("prices", [{}, {"price_in": 3.0}, {"price_out": 3.0}, {"price_in": 1.0, "price_out": None}])
def test_half_a_price_is_none(prices: dict[str, float | None]) -> None:
    """Without both prices the cost is not known, which is not 0."""
    assert call_cost(prices, 1000, 0, 1000) is None


@pytest.mark.parametrize(
    "given", [{"device_hour": -1}, {"budget": 0}, {"currency": ""}, {"euros": 3}, {"device_hour": float("inf")}]
)
def test_prices_that_are_none_are_refused(given: dict[str, object]) -> None:
    """Negative, empty, endless or unknown ones; a budget of nothing would stop every run."""
    with pytest.raises(ValidationError):
        Prices.model_validate(given)
