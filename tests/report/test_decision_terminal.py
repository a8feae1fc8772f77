"""`localeval.report.decision_terminal`: the table within 80 columns, every sentence and every warning."""

from localeval.decision.recommend import decide
from localeval.decision.schemas import SelectSettings
from localeval.report.decision_terminal import print_decision
from tests.decision.made_scores import made_audit, made_ledger, made_panel, made_scores, wrote
from tests.report.printing import TRICKS, printed, squeezed

NAMES = ("qwen3-8b-long-prompt", "gemma-3-12b-it", "phi-4-mini")
RULES = ("fabrications <= 0", "disagreement <= 5", "cost_per_1000 <= 12.5")


def decided(names: tuple[str, ...] = NAMES) -> dict[str, object]:
    """A decision among three, of which one fails and one has no price."""
    first, second, third = names
    scores = made_scores(
        made_panel({first: [80, 71, 66], second: [79, 72, 63], third: [85, 88, 82]}),
        made_audit({first: [0, 0, 0], second: [0, 0, 0], third: [2, 0, 1]}),
        generate={first: wrote(generic=True), second: wrote(), third: wrote()},
        incumbent=second,
    )
    ledger = made_ledger({first: 7.15, second: None, third: 11234.5}, {first: 9.1, second: 4.0, third: 12.0})
    return decide(scores, ledger, SelectSettings(require=RULES))


def test_the_table_fits_80_columns_with_a_row_a_system() -> None:
    """Whether it fulfils the rules, each number, whether it is on the front, and who is deployed and recommended."""
    out = printed(lambda: print_decision(decided()))
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "…" not in out
    table = squeezed(out.split("Recommended:")[0])
    for row in ("qwen3-8b-long-promptyes72.3407.159.1yes", "gemma-3-12b-itunknown71.340-4", "phi-4-minino8541"):
        assert row in table
    for mark in ("recommended", "incumbent", "genericprompt", "11234"):
        assert mark in table


def test_every_sentence_and_warning_is_printed() -> None:
    """The recommendation first, what to know last."""
    decision = decided()
    out = squeezed(printed(lambda: print_decision(decision)))
    sentences, warnings = decision["text"], decision["warnings"]
    assert isinstance(sentences, list)
    assert isinstance(warnings, list)
    places = [out.index(squeezed(each)) for each in [*sentences, *(f"note:{line}" for line in warnings)]]
    assert places == sorted(places)
    assert len(warnings) >= 2


def test_names_are_printed_as_they_are() -> None:
    """Markup in a system's name is part of the name, in the table and in sentences."""
    for first in range(0, len(TRICKS) - 2, 2):
        names = TRICKS[first], TRICKS[first + 1], TRICKS[first + 2]
        out = squeezed(printed(lambda names=names: print_decision(decided(names))))  # type: ignore[misc]
        for name in names:
            assert squeezed(name) in out.split("Recommended:")[1], name
            assert squeezed(name)[:12] in out.split("Recommended:")[0], name


def test_nothing_is_printed_of_a_run_without_systems() -> None:
    """Affect alone compares nobody."""
    scores = {"leaderboard": {"rank_by": [], "systems": {}}, "methods": {}}
    assert printed(lambda: print_decision(decide(scores, None, SelectSettings()))) == ""
