"""Units and currencies that one may be taken for, each form beside the same form of the others."""

from functools import lru_cache
from typing import NamedTuple

_ROWS = """
# singular, as in "a six-minute walk"
second minute hour day week month year decade
millimetre centimetre metre kilometre mile
millimeter centimeter meter kilometer mile
inch foot yard mile | metre
gram kilogram tonne ounce pound
gram kilo ton ounce pound
millilitre litre gallon pint barrel
milliliter liter gallon pint barrel
rupee yen dollar euro rouble
watt kilowatt megawatt gigawatt horsepower
kilobyte megabyte gigabyte terabyte petabyte
hectare acre square_metre square_kilometre square_foot
# plural
seconds minutes hours days weeks months years decades
millimetres centimetres metres kilometres miles
millimeters centimeters meters kilometers miles
inches feet yards miles | metres
grams kilograms tonnes ounces pounds
grams kilos tons ounces pounds
millilitres litres gallons pints barrels
milliliters liters gallons pints barrels
rupees yen dollars euros roubles
watts kilowatts megawatts gigawatts horsepower
kilobytes megabytes gigabytes terabytes petabytes
hectares acres square_metres square_kilometres square_feet
# signs
mm cm m km mi
mg g kg lb oz
ml l | gallons pints barrels
w kw mw gw hp
kb mb gb tb pb | bytes
km/h mph knots m/s kph
secs mins hrs | days weeks months
sec min hr | days weeks months
₹ ¥ $ € £
jpy usd eur gbp chf
# Russian, masculine: nominative, genitive, dative, instrumental, prepositional; then the plural
час день месяц год век
часа дня месяца года века
часу дню месяцу году веку
часом днём месяцем годом веком
часе дне месяце годе веке
часов дней месяцев лет веков
часам дням месяцам годам векам
часами днями месяцами годами веками
часах днях месяцах годах веках
миллиметр сантиметр метр километр
миллиметра сантиметра метра километра
миллиметру сантиметру метру километру
миллиметром сантиметром метром километром
миллиметре сантиметре метре километре
миллиметров сантиметров метров километров
миллиметрам сантиметрам метрам километрам
миллиметрами сантиметрами метрами километрами
миллиметрах сантиметрах метрах километрах
грамм килограмм центнер фунт миллиграмм
грамма килограмма центнера фунта миллиграмма
граммов килограммов центнеров фунтов миллиграммов
граммам килограммам центнерам фунтам миллиграммам
граммами килограммами центнерами фунтами миллиграммами
рубль доллар евро юань тенге
рубля доллара евро юаня тенге
рублю доллару евро юаню тенге
рублём долларом евро юанем тенге
рублей долларов евро юаней тенге
рублям долларам евро юаням тенге
рублями долларами евро юанями тенге
рублях долларах евро юанях тенге
квадратных_метра квадратных_километра гектара акра | соток
квадратных_метров квадратных_километров гектаров акров | соток
килобайт мегабайт гигабайт терабайт петабайт
килобайта мегабайта гигабайта терабайта петабайта
# Russian, of mixed gender: in the plural, and after digits
секунд минут часов дней недель месяцев лет
секунды минуты часа дня недели месяца года
секундам минутам часам дням неделям месяцам годам
секундами минутами часами днями неделями месяцами годами
секундах минутах часах днях неделях месяцах годах
литров миллилитров галлонов баррелей | пинт
литра миллилитра галлона барреля | пинты
тонн килограммов граммов центнеров фунтов
тонны килограмма грамма центнера фунта
миль километров метров сантиметров миллиметров
мили километра метра сантиметра миллиметра
# Russian, feminine
секунда минута неделя
секунду минуту неделю
секунды минуты недели
# Russian signs
мм см м км | миль
г кг т ц | фунтов
л мл | галлонов баррелей пинт
руб долл евро юаней тенге
₽ $ € ¥ £
сек мин ч | дней недель месяцев
кб мб гб тб пб
# Chinese
秒 分钟 小时 天 周 个月 年
秒钟 分钟 小时 天 个星期 个月 年
秒 分钟 个小时 天 个星期 个月 年
厘米 米 公里 英里
公分 米 公里 英里
毫米 厘米 米 千米
克 斤 公斤 吨 磅
毫升 升 加仑 立方米 桶
元 美元 欧元 日元 英镑
块 美元 欧元 日元 英镑
块钱 美元 欧元 日元 英镑
平方米 亩 公顷 平方公里 英亩
瓦 千瓦 兆瓦 吉瓦 马力
"""
"""What stands after a bar may be another answer, but is not put into the text."""


class Row(NamedTuple):
    """Units in the same form: those that may stand for each other, and further ones."""

    units: tuple[str, ...]
    further: tuple[str, ...]


@lru_cache(maxsize=1)
def _rows() -> tuple[Row, ...]:
    lines = [line.partition("|") for line in _ROWS.strip().splitlines() if not line.startswith("#")]
    return tuple(Row(_units(units), _units(further)) for units, _, further in lines)


def _units(line: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in line.split())


@lru_cache(maxsize=1)
def written_units() -> tuple[str, ...]:
    """All ways to write a unit that is known here, in small letters, the longest first."""
    return tuple(sorted({word for row in _rows() for word in row.units}, key=len, reverse=True))


def unit_forms(word: str) -> tuple[str, ...]:
    """The units that may stand in one's place in the same form, the nearest first; for a word in small letters."""
    found: dict[str, int] = {}
    for row in _rows():
        if word in row.units:
            own = row.units.index(word)
            for place, other in enumerate(row.units):
                found.setdefault(other, abs(place - own))
    found.pop(word, None)
    return tuple(sorted(found, key=lambda other: found[other]))


def further_forms(word: str) -> tuple[str, ...]:
    """Units that are another answer, but would not be put in one's place."""
    return tuple(dict.fromkeys(other for row in _rows() if word in row.units for other in row.further))


def is_feminine(word: str) -> bool:
    """Whether a Russian unit is a feminine noun."""
    return word.startswith(("секунд", "минут", "недел", "тонн", "мил")) and not word.startswith("милли")
