"""Short conversations in three languages with right summaries, full of values: for planting and its oracle."""

from localeval.evidence.lookup import SourceIndex
from localeval.inputs.segmenting import cut_sentences, cut_text
from localeval.planting.schemas import Trusted
from localeval.planting.values import plant_values
from localeval.texts import Candidate, Language, Source

_BAKERY = """\
Nora: Good morning. So, the new oven. I spoke to Calder Engineering on Monday and they want eighteen thousand euros.
Felix: Eighteen thousand? Last year they said about fifteen.
Nora: I know. But it saves roughly 40 percent on gas, and it holds 120 loaves, not 75. They deliver on the 9th of May.
Felix: And the loan?
Nora: The bank in Lyon gives us twelve months, so a bit more than 1,500 euros a month. I signed on Tuesday at 10:30.
Mrs Okafor: The old one weighs 900 kilos, who carries it out?
Felix: My cousin, with several friends. It takes around three hours. The truck holds 3.5 tonnes.
Nora: Good. Then the school. They ordered 260 rolls for Thursday 22 May, most of them with seeds.
Mrs Okafor: I'll bake those. The council pays, within six weeks they say.
Felix: One more thing, the flour. It came from Denmark, 25 sacks, and nearly half of it was damp. I sent 11 back.
Nora: Did anyone call the mill?
Felix: I rang a few times, at noon, nobody picks up. The mill is 40 km away, I'll drive there on Saturday.
Nora: Fine. Next meeting in June, the second week, at 8 am.
"""
_BAKERY_SUMMARY = """\
Calder Engineering asks eighteen thousand euros for the new oven, after about fifteen thousand last year. It saves \
roughly 40% on gas, holds 120 loaves instead of 75 and comes on 9 May. The bank in Lyon gives a loan over twelve \
months, \
more than 1,500 euros a month; Nora signed on Tuesday at 10:30.

Felix takes out the old oven, which weighs 900 kilos, with several friends. That takes around three hours, and the \
truck \
holds 3.5 tonnes. The school ordered 260 rolls for Thursday 22 May, most of them with seeds. Mrs Okafor bakes them, \
and \
the council pays within six weeks.

Of 25 sacks of flour from Denmark nearly half were damp, and Felix sent 11 back. He rang the mill a few times around \
noon. It is 40 km away, and Felix drives there on Saturday. The next meeting is in June at 8 am.
"""
_SURVEY = """\
Hugh: Right, the seabird count. Sandra, you were on the island from the third to the seventeenth of June?
Sandra: Yes, two weeks. We had four boats and 23 volunteers. We counted 6,400 puffins, which is down from 7,100 in \
2019.
Hugh: Down by how much, about ten percent?
Sandra: Just about. But the terns went up, from 310 pairs to 480.
Dr Weir: The Farlow Institute wants the raw data before the end of July. Their server takes 500 GB and we have 320.
Hugh: And the drone?
Sandra: It flew for 45 minutes, at 80 metres, dozens of flights. It broke on the 12th. A new one is 2,300 pounds.
Dr Weir: I can pay half from my grant. Scotland gives us money in September, not before.
Hugh: Who writes the report?
Sandra: I do. Draft by Friday 27 June. Colin checks the numbers, he takes three days.
Dr Weir: The hut needs a stove. It was 6 degrees at night. Several people were ill, twelve percent of the volunteers.
Hugh: OK. We go again in 2027, for three weeks then.
"""
_SURVEY_SUMMARY = """\
Sandra was on the island from 3 to 17 June, with four boats and 23 volunteers. They counted 6,400 puffins, after \
7,100 in \
2019, but the terns rose from 310 pairs to 480. The drone made dozens of flights of 45 minutes at 80 metres and \
broke on \
12 June; a new one costs £2,300, of which Dr Weir can pay half.

The Farlow Institute wants the data before the end of July; its server takes 500 GB. Money from Scotland comes in \
September. Sandra writes the report by Friday 27 June, and Colin checks the numbers in three days. At night it was 6 \
degrees, and several people were ill, 12% of the volunteers. The next count is in 2027 and takes three weeks.
"""
_GARAGE = """\
Марина: Добрый день. Сегодня пятое марта, начнём с аренды. Хозяин хочет сорок пять тысяч рублей в месяц вместо \
тридцати восьми.
Степан: Это много. За гараж в двенадцать метров?
Марина: Договор на два года, до первого мая 2027 года. Я подписываю в четверг, в 15:30.
Степан: Подъёмник сломался во вторник. Ремонт три недели, мастер приедет из Тулы.
Игорь: Около двадцати машин стоят. Несколько клиентов уже уехали к соседям.
Марина: Позвони каждому. Скидку дадим десять процентов, почти половина согласится.
Игорь: Хорошо. Шины: привезли 64 штуки, а заказывали 80. Завод обещал остальное до 20 марта.
Степан: Ещё масло, 200 литров, по 350 рублей.
Марина: Институт просит починить автобус, он прошёл 180 тысяч километров. Срок две недели.
Степан: Сделаю. Денис поможет, он выходит в понедельник.
Марина: Сигнализация не раз срабатывала ночью. Игорь, поменяй датчик, он стоит 2 400 рублей.
Игорь: Поменяю в субботу. Собрание в следующий раз девятого апреля, в семь вечера.
"""
_GARAGE_SUMMARY = """\
Аренда вырастет с тридцати восьми до сорока пяти тысяч рублей в месяц. Договор на два года, до 1 мая 2027 года, \
Марина \
подписывает в четверг в 15:30. Подъёмник сломался во вторник, ремонт займёт три недели, мастер приедет из Тулы.

Стоят около 20 машин, несколько клиентов уже уехали к соседям. Игорь позвонит каждому и предложит скидку 10 %; почти \
половина клиентов согласится. Шин привезли 64 вместо 80, остальные завод обещал до 20 марта. Масла купят 200 литров \
по \
350 рублей.

Автобус, который прошёл 180 тысяч километров, институт просит починить за две недели. Степан сделает это с помощью \
Дениса, который выходит в понедельник. Сигнализация не раз срабатывала ночью: Игорь в субботу поменяет датчик за 2 \
400 \
рублей. Следующее собрание 9 апреля в семь вечера.
"""
_LIBRARY = """\
Галина: Начинаем. Сегодня двенадцатое ноября. Читателей стало больше: было 430, теперь 510.
Павел: Из них сто двадцать детей. Книг выдали около трёх тысяч.
Галина: Ремонт зала закончили 28 октября, он стоил 640 000 рублей.
Лариса: Площадь теперь девяносто квадратных метров. Стеллажей шестнадцать.
Павел: Писатель из Казани приезжает 6 декабря, в субботу, в 17:00. Встреча полтора часа.
Галина: Анна Ветрова ведёт встречу?
Лариса: Да, Ветрова. А я пеку пироги, примерно сорок штук.
Павел: Сервер старый, 500 гигабайт. Новый за 75 тысяч привезут через пять недель.
Галина: Школа возвращает 35 учебников до пятницы. Половина учебников порвана.
Павел: Я заклею. Каталог надо сдать к 1 февраля, мы делаем его с сентября.
Лариса: Отопление: ночью восемь градусов. Мастер приходил несколько раз.
Галина: Следующее собрание десятого декабря, в три часа дня.
"""
_LIBRARY_SUMMARY = """\
Читателей было 430, теперь их 510, из них сто двадцать детей. Выдали около 3000 книг. Ремонт зала закончили 28 \
октября, \
он стоил 640 000 рублей; площадь зала девяносто квадратных метров, стеллажей шестнадцать.

Писатель из Казани приезжает 6 декабря в 17:00, встреча продлится полтора часа, её ведёт Анна Ветрова. Лариса печёт \
пироги, примерно сорок штук. Новый сервер за 75 тысяч рублей привезут через пять недель.

Школа до пятницы возвращает 35 учебников; половина учебников порвана, их заклеит Павел. Каталог, который делают с \
сентября, сдают к 1 февраля. Ночью было восемь градусов, мастер приходил несколько раз. Следующее собрание 10 \
декабря в \
три часа дня.
"""
_TEA = """\
王经理：开会。今天是五月六号，星期三。先说春茶，一共采了三千二百斤，去年是两千八百斤。
小陈：价钱呢，一斤卖一百二十块，大概涨了百分之十五。
王经理：订单有多少？
小陈：杭州来了四十五家，上海来了几家，我在联系。
老吴：炒锅坏了两台，修一台要八百元。新的一台五千六百元，保修三年。
王经理：换新的。六月十号之前装好。
老吴：工人请了十八个人，每天两百四十元，干二十五天。
小陈：学校想来参观，五月二十号，大约六十人，下午两点到。
王经理：好，李老师带队。门票每人十五元，一半的学生免费。
老吴：仓库一百五十平方米，温度十二度，够用。
小陈：广告费去年花了一万两千元，今年九千。
王经理：老吴，你去银行贷款，二十万，分五年还。
老吴：我打了好几次电话，他们说星期五下午三点去签字。
王经理：下次开会六月三号，晚上八点。
"""
_TEA_SUMMARY = """\
今年春茶采了三千二百斤，去年是两千八百斤。每斤卖一百二十元，涨了大约百分之十五。杭州来了四十五家客户，上海来了几家，由小陈联系。

炒锅坏了两台，修一台要八百元，决定换五千六百元的新锅，保修三年，六月十号之前装好。工人请了十八个人，每天两百四十元，干二十五天。仓库一百五十平方米，温度十二度。

学校五月二十号下午两点来参观，大约六十人，由李老师带队。门票每人十五元，一半的学生免费。广告费从一万两千元减到九千元。老吴去银行贷款二十万元，分五年还；他打了好几次电话，约好星期五下午三点签字。下次会议是六月三号晚上八点，由王经理主持。
"""
_BUS = """\
主持人：今天谈公交线路。张志明，你先说。
张志明：十七路车一天有六百多名乘客，早上七点半最挤。车是2016年买的，一共九辆。
刘芳：我们问了三百五十名乘客，六成要加车。
张志明：加三辆，每辆八十万元，九月一号到货。
刘芳：司机要招十二名，工资每月六千五百元，培训四周。
主持人：路线改不改？
张志明：改，从长沙路绕到医院，多走四公里，多用十分钟。
刘芳：票价还是两元，老人免费。去年收入一百八十万元，亏了三十五万元。
主持人：补贴什么时候到？
刘芳：十一月二十号。多次申请了，市里批了五十万元。
张志明：旧车卖了两辆，一辆四万元。
主持人：那就星期四投票。
"""
_BUS_SUMMARY = """\
十七路车早上七点半最挤，九辆车都是2016年买的。问了三百五十名乘客，六成要求加车，因此加三辆，每辆八十万元，九月一号到货。要招十二名司机，每月工资六千五百元，培训四周。

路线改为绕到医院，多走四公里，多用十分钟，由张志明负责。票价仍是两元。去年收入一百八十万元，亏了三十五万元。刘芳多次申请补贴，市里批了五十万元，十一月二十号到账。旧车卖了两辆，一辆四万元。星期四投票。
"""

_TEXTS: tuple[tuple[str, Language, str, str], ...] = (
    ("bakery", "en", _BAKERY, _BAKERY_SUMMARY),
    ("survey", "en", _SURVEY, _SURVEY_SUMMARY),
    ("garage", "ru", _GARAGE, _GARAGE_SUMMARY),
    ("library", "ru", _LIBRARY, _LIBRARY_SUMMARY),
    ("tea", "zh", _TEA, _TEA_SUMMARY),
    ("bus", "zh", _BUS, _BUS_SUMMARY),
)


def trusted_of(name: str, language: Language, said: str, summary: str) -> Trusted:
    """A trusted text out of a source and a summary as plain text, cut as a user's files are."""
    cut = cut_text(said, language)
    source = Source(name, cut.text, cut.segments, language)
    candidate = Candidate(name, "hand", summary, segments=cut_sentences(summary, language))
    return Trusted(source, candidate, "hand")


def written_texts() -> tuple[Trusted, ...]:
    """Two conversations in each language with a right summary each."""
    return tuple(trusted_of(*each) for each in _TEXTS)


def edits_of(kind: str, summary: str, language: Language = "en", said: str = "", seed: int = 1) -> dict[str, list[str]]:
    """For each place of a summary that can be made wrong, by what stands there: what comes there, and the others."""
    trusted = trusted_of("small", language, said or "x", summary)
    found = plant_values(trusted, SourceIndex(trusted.source), seed)
    return {edit.before: [edit.after, *edit.others] for edit in found if edit.kind == kind}
