"""`localeval.models.elsewhere`: models behind servers and programs, and no key in a config."""

from pathlib import Path

import pytest

from localeval.errors import ConfigError
from localeval.models import resolve

SERVED = {"engine": "openai", "base_url": "http://127.0.0.1:8000/v1", "served": "tiny"}
SECRET = "sk-live-0123456789"


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"key_env": SECRET}, "key_env: is no name of an environment variable"),
        ({"base_url": f"https://host/v1?key={SECRET}"}, "base_url: holds more than an address"),
        ({"base_url": f"https://{SECRET}@host/v1"}, "base_url: holds a user name or a password"),
        ({"extra": {"api_key": SECRET}}, "extra: 'api_key' looks like a key"),
        ({"extra": {"headers": {"Authorization": f"Bearer {SECRET}"}}}, "extra: 'Authorization' looks like a key"),
    ],
)
def test_a_key_in_the_config_is_refused_and_not_repeated(given: dict[str, object], place: str, tmp_path: Path) -> None:
    """A run keeps its config: the key goes into an environment variable, and the message says so."""
    with pytest.raises(ConfigError, match=rf"^models\.m\.{place}.*its name in key_env$") as caught:
        resolve("m", SERVED | given, tmp_path)
    assert SECRET not in str(caught.value)


def test_what_is_no_key_may_stand_there(tmp_path: Path) -> None:
    """Numbers and switches of a server, whatever they are called after."""
    extra = {"max_completion_tokens": 5, "chat_template_kwargs": {"enable_thinking": False}, "user": "lab"}
    model = resolve("m", SERVED | {"key_env": "LAB_KEY", "extra": extra}, tmp_path)
    assert (model.options["extra"], model.options["key_env"]) == (extra, "LAB_KEY")


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:99999/v1",
        "http://h:0/v1",
        "http://h:x/v1",
        "http://[::1/v1",
        "ftp://h",
        "h:8000",
        "http://a b/v1",
        "http://h/v1 ",
        "http://h/\x01",
    ],
)
def test_what_is_no_address_is_told(address: str, tmp_path: Path) -> None:
    """Before anything is sent: a port out of range or a blank would only show when it is connected to."""
    with pytest.raises(ConfigError, match=r"^models\.m\.base_url: .* is not an http address; write it like http"):
        resolve("m", SERVED | {"base_url": address}, tmp_path)
