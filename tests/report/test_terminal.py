"""`localeval.report.terminal`: what people see, within 80 columns and to the letter."""

import json
from pathlib import Path

import pytest

from localeval.doctor import Finding
from localeval.evaluation import Outcome, run
from localeval.ledger import Account, Ledger
from localeval.report.rows import Proof
from localeval.report.terminal import cost_line, print_findings, print_json, print_run
from tests.projects import make_project
from tests.report.printing import printed, squeezed


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """A finished run of three systems."""
    folder = tmp_path_factory.mktemp("terminal")
    return run(make_project(folder), folder / "run")


def test_a_run_says_what_it_cost_and_where_it_is(outcome: Outcome) -> None:
    """Calls, tokens, the cached share, and the next command."""
    out = squeezed(printed(lambda: print_run(outcome)))
    account = outcome.ledger.accounts["m"]
    assert squeezed(f"m: {account.sent} calls sent, 0 from the store; {account.prompt_tokens} prompt tokens") in out
    assert squeezed(f"localeval show {outcome.folder} SYSTEM") in out


def test_cost_lines() -> None:
    """Computed tokens are those that were not cached; a model that was not asked says no more than that."""
    account = Account(sent=2, stored=1, prompt_tokens=100, cached_tokens=75, output_tokens=4, engine="vllm 0.32.0")
    assert cost_line("m", account) == (
        "m: 2 calls sent, 1 from the store; 100 prompt tokens, 75% of them cached, 25 computed; "
        "4 tokens written; vllm 0.32.0"
    )
    assert cost_line("m", Account(stored=3)) == "m: 0 calls sent, 3 from the store"
    assert cost_line("m", Account(sent=1, missing=1)).startswith("m: 1 call sent, 0 from the store, 1 reply without an")
    assert cost_line("m", Account(sent=2, missing=2)).startswith("m: 2 calls sent, 0 from the store, 2 replies without")


def test_findings_are_one_line_each() -> None:
    """Mark, name, what was found, and its fix; long ones are not wrapped, so that they can be copied."""
    findings = [Finding("disk", "good", "9 GiB"), Finding("weights here", "note", "none [/]", "fetch " + "x" * 90)]
    assert printed(lambda: print_findings(findings)).splitlines() == [
        "ok disk          9 GiB",
        f"-- weights here  none [/]; fetch {'x' * 90}",
    ]
    assert printed(lambda: print_findings([Finding("engine", "bad", "none")])).startswith("!! engine")


def test_json_is_whole_and_readable() -> None:
    """Not cut to any width, letters as they are, values as objects; what is no JSON is a fault, not a string."""
    row = Proof(1, "", "Анна", "x" * 300)
    assert json.loads(printed(lambda: print_json([row]))) == [
        {"segment": 1, "time": "", "speaker": "Анна", "words": "x" * 300}
    ]
    assert "Анна" in printed(lambda: print_json(row))
    with pytest.raises(TypeError, match="Ledger is not JSON"):
        printed(lambda: print_json(Ledger()))


def test_colours_are_for_terminals_alone(outcome: Outcome, tmp_path: Path) -> None:
    """Into a file or a pipe goes plain text without a control sequence."""
    assert "\x1b" not in printed(lambda: print_run(outcome))
