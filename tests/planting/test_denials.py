"""Statements denied and denials taken back, in three languages; and where neither is done."""

import pytest

from localeval.planting.denials import denials
from localeval.texts import Language


def written(sentence: str, language: Language) -> list[str]:
    """The sentence with each change made alone."""
    return [sentence[: one.start] + one.after + sentence[one.end :] for one in denials(sentence, language)]


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("en", "The plan was approved.", "The plan was not approved."),
        ("en", "Anna will send the report.", "Anna will not send the report."),
        ("en", "The board approved the plan.", "The board did not approve the plan."),
        ("en", "Anna wrote the letter.", "Anna did not write the letter."),
        ("en", "On Friday Anna signs the lease.", "On Friday Anna does not sign the lease."),
        ("en", "The board did not approve the plan.", "The board approved the plan."),
        ("en", "She does not want to go.", "She wants to go."),
        ("en", "They don't sell the house.", "They sell the house."),
        ("en", "The car wasn't repaired.", "The car was repaired."),
        ("en", "Anna won't come.", "Anna will come."),
        ("en", "He cannot sign it.", "He can sign it."),
        ("en", "The shop no longer opens on Sundays.", "The shop still opens on Sundays."),
        ("en", "The team can repair the arm.", "The team cannot repair the arm."),
        ("ru", "Комитет одобрил план.", "Комитет не одобрил план."),
        ("ru", "Насос оплачен.", "Насос не оплачен."),
        ("ru", "Договор был подписан.", "Договор не был подписан."),
        ("ru", "Ремонт не закончен.", "Ремонт закончен."),
        ("ru", "Магазин больше не работает по субботам.", "Магазин по-прежнему работает по субботам."),
        ("ru", "Не работает лифт.", "Работает лифт."),
        ("ru", "Работает лифт.", "Не работает лифт."),
        ("zh", "合同通过了。", "合同没有通过。"),
        ("zh", "李雪负责签字。", "李雪不负责签字。"),
        ("zh", "合同没有通过。", "合同通过了。"),
        ("zh", "晚上不再营业。", "晚上仍然营业。"),
        ("zh", "学校不提供午饭。", "学校提供午饭。"),
        ("zh", "合同未签署。", "合同已签署。"),
        ("zh", "地点是湖边公园。", "地点不是湖边公园。"),
    ],
)
def test_turns_a_statement_around(language: Language, sentence: str, expected: str) -> None:
    """Each sentence becomes its denial, or the statement that it denied, in right grammar."""
    assert expected in written(sentence, language)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Was the plan approved?"),
        ("en", "If the plan was approved, Anna will leave."),
        ("en", "Nobody was invited."),
        ("en", "The plan was hardly discussed."),
        ("en", "All members were present."),
        ("en", "There is a plan."),
        ("en", "The plan approved by the board."),
        ("en", "They did not see any problem."),
        ("en", "It was not red but blue."),
        ("en", "The solution designed to help the team."),
        ("en", "She takes the bus because of the snow."),
        ("en", "Not only was the plan approved, it was praised."),
        ("ru", "Одобрил ли комитет план?"),
        ("ru", "Если комитет одобрил план, Анна уедет."),
        ("ru", "Никто не пришёл."),
        ("ru", "Все пришли."),
        ("ru", "Он не имеет доступа."),
        ("ru", "Он не только пришёл, но и помог."),
        ("zh", "合同通过了吗？"),
        ("zh", "如果合同通过了，就开工。"),
        ("zh", "大家都同意这个方案。"),
        ("zh", "他不仅参加会议。"),
        ("zh", "他不是老师，而是学生。"),
    ],
)
def test_leaves_alone_what_a_denial_would_not_turn(language: Language, sentence: str) -> None:
    """Questions, conditions, quantifiers, denials that would be doubled and participles are left as they are."""
    assert written(sentence, language) == []
