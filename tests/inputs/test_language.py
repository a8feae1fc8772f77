import pytest

from localeval.inputs.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("We met on Monday and talked about the budget.", "en"),
        ("Мы встретились в понедельник и обсудили бюджет.", "ru"),
        ("我们周一开会讨论了预算。", "zh"),
        ("Мы обновили Kubernetes и Postgres, потом откатили релиз.", "ru"),
        ("我们把 Kubernetes 集群升级了，然后回滚 release。", "zh"),
        ("The word 预算 means budget.", "en"),
        ("12345 … !", "en"),
        ("", "en"),
    ],
)
def test_the_script_that_weighs_most_decides(text, language):
    """Foreign terms in a text do not outvote its own script; no letters at all is English."""
    assert detect_language(text) == language
