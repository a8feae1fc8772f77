"""The units that are known, one row each, and their names in English, Russian and Chinese.

A row: canonical name, dimension, how many of the dimension's base unit it is, names. A line that begins with spaces
goes on with the names. Russian nouns are written as `stem-m` (hard masculine: -, -а, -у ...), `stem-f` (hard
feminine: -а, -ы ...) or with `-soft`, which stand for all their cases.
"""

ROWS = """
second | time | 1 | second seconds sec secs секунд-f сек 秒 秒钟
minute | time | 60 | minute minutes min mins минут-f минутк-f минуток мин 分钟
hour | time | 3600 | hour hours hr hrs h час часа часу часом часе часы часов часам часами часах ч 小时 个小时
    钟头 个钟头
day | time | 86400 | day days день дня дню днем дне дни дней дням днями днях сутки суток суткам сутками сутках
    天 日
week | time | 604800 | week weeks недел-soft 周 星期 个星期 礼拜 个礼拜
month | calendar | 1 | month months месяц-m месяцев 个月
quarter | calendar | 3 | 个季度
year | calendar | 12 | year years yr yrs год года году годом годе годы годов годам годами годах лет 年 周年 岁
decade | calendar | 120 | decade decades десятилетие десятилетия десятилетий десятилетиями десятилетиях
century | calendar | 1200 | century centuries век века веку веком веке веков веками веках столетие столетия
    столетий 个世纪
millisecond | time | 1/1000 | millisecond milliseconds ms миллисекунд-f мс 毫秒
nm | length | 1/1000000000 | nm nanometer nanometers nanometre nanometres нанометр-m нм 纳米
micron | length | 1/1000000 | micron microns micrometer micrometers micrometre micrometres микрон-m микрометр-m
    мкм 微米
mm | length | 1/1000 | mm millimeter millimeters millimetre millimetres миллиметр-m мм 毫米
cm | length | 1/100 | cm centimeter centimeters centimetre centimetres сантиметр-m см 厘米 公分
m | length | 1 | m meter meters metre metres метр-m м 米
km | length | 1000 | km kms kilometer kilometers kilometre kilometres километр-m км 公里 千米
li | length | 500 | 华里
inch | length | 254/10000 | inch inches дюйм-m 英寸
foot | length | 3048/10000 | foot feet ft фут-m 英尺
yard | length | 9144/10000 | yard yards yd yds ярд-m 码
mile | length | 1609344/1000 | mile miles mi миля мили миле милю милей миль милям милями милях 英里
sq m | area | 1 | sqm m2 m² м2 м² кв_м sq_m square_meter square_meters square_metre square_metres
    квадратный_метр квадратных_метра квадратных_метров квадратными_метрами 平方米 平米
sq km | area | 1000000 | km2 km² км2 км² кв_км sq_km square_kilometer square_kilometers square_kilometre
    square_kilometres квадратный_километр квадратных_километра квадратных_километров 平方公里
sq foot | area | 9290304/100000000 | sq_ft sqft square_foot square_feet квадратных_футов 平方英尺
hectare | area | 10000 | hectare hectares ha гектар-m га 公顷
acre | area | 40468564224/10000000 | acre acres акр-m 英亩
mu | area | 2000/3 | 亩
are | area | 100 | сотка сотки соток сотках
liter | volume | 1 | liter liters litre litres l л литр-m 升 公升
ml | volume | 1/1000 | ml milliliter milliliters millilitre millilitres мл миллилитр-m 毫升
cubic m | volume | 1000 | m3 m³ м3 м³ куб_м cubic_meter cubic_meters cubic_metre cubic_metres кубический_метр
    кубических_метра кубических_метров куб-m 立方米
gallon | volume | 3785411784/1000000000 | gallon gallons галлон-m 加仑
pint | volume | 473176473/1000000000 | pint pints пинт-f 品脱
barrel | volume | 158987294928/1000000000 | barrel barrels баррел-soft-m баррель 桶
mg | mass | 1/1000000 | mg milligram milligrams миллиграмм-m мг 毫克
g | mass | 1/1000 | g gram grams gramme grammes грамм-m г гр 克
kg | mass | 1 | kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes килограмм-m килограмм кило кг 公斤
    千克
jin | mass | 1/2 | 斤 市斤
liang | mass | 1/20 | 市两
centner | mass | 100 | центнер-m ц
tonne | mass | 1000 | tonne tonnes ton tons metric_ton metric_tons тонн-f тн 吨
pound | mass | 45359237/100000000 | lb lbs pound pounds фунт-m 磅
ounce | mass | 28349523125/1000000000000 | oz ounce ounces унци-soft 盎司
degree | temperature | 1 | ° degree degrees deg градус-m 度
celsius | temperature | 1 | °c ℃ celsius c degrees_celsius degree_celsius degrees_c degrees_centigrade
    градус_цельсия градуса_цельсия градусов_цельсия °с 摄氏度
fahrenheit | temperature | 1 | °f ℉ fahrenheit degrees_fahrenheit degree_fahrenheit degrees_f
    градусов_фаренгейта 华氏度
kelvin | temperature | 1 | kelvin kelvins кельвин-m
percent | ratio | 1/100 | % percent percents per_cent pct percentage_point percentage_points процент-m проц п_п
    процентных_пункта процентных_пунктов процентный_пункт процентного_пункта 百分点 个百分点
permille | ratio | 1/1000 | ‰ per_mille per_mil промилле
basis point | ratio | 1/10000 | basis_point basis_points bps базисных_пунктов базисных_пункта 基点 个基点
bit | data | 1/8 | bit bits бит-m 比特
byte | data | 1 | byte bytes байт-m 字节
kb | data | 1000 | kb kib kilobyte kilobytes кб килобайт-m
mb | data | 1000000 | mb mib megabyte megabytes meg megs мб мегабайт-m 兆 兆字节
gb | data | 1000000000 | gb gib gigabyte gigabytes gig gigs гб гигабайт-m
tb | data | 1000000000000 | tb tib terabyte terabytes тб терабайт-m
pb | data | 1000000000000000 | pb petabyte petabytes пб петабайт-m
kbit/s | rate | 1000 | kbps kbit/s кбит/с
mbit/s | rate | 1000000 | mbps mbit/s megabit megabits мбит/с мегабит-m 兆比特
gbit/s | rate | 1000000000 | gbps gbit/s gigabit gigabits гбит/с гигабит-m
km/h | speed | 1/3600 | km/h kph kmh kmph kilometers_per_hour kilometres_per_hour километров_в_час
    километра_в_час км/ч 公里/小时
m/s | speed | 1/1000 | m/s meters_per_second metres_per_second метров_в_секунду метра_в_секунду м/с 米/秒
mph | speed | 1609344/3600000000 | mph mile_per_hour miles_per_hour миль_в_час 英里/小时
knot | speed | 1852/3600000 | knot knots kts 节
watt | power | 1 | watt watts w вт ватт-m 瓦 瓦特
kw | power | 1000 | kw kilowatt kilowatts квт киловатт-m 千瓦
mw | power | 1000000 | mw megawatt megawatts мвт мегаватт-m 兆瓦
gw | power | 1000000000 | gw gigawatt gigawatts гвт гигаватт-m 吉瓦
hp | power | 745699872/1000000 | hp horsepower horse_power bhp л_с лошадиных_сил лошадиные_силы
    лошадиными_силами 马力
kwh | energy | 1 | kwh kilowatt_hours kilowatt_hour квт_ч квтч киловатт_час киловатт_часа киловатт_часов 千瓦时
    度电
joule | energy | 1/3600000 | joule joules дж джоул-soft-m джоуль 焦耳
calorie | food energy | 1 | calorie calories калори-soft 卡路里
kcal | food energy | 1000 | kcal ккал килокалори-soft 千卡 大卡
volt | voltage | 1 | volt volts v вольт-m 伏 伏特
kv | voltage | 1000 | kv kilovolt kilovolts кв киловольт-m 千伏
ampere | current | 1 | amp amps ampere amperes ампер-m 安培
mah | charge | 1 | mah мач 毫安时 毫安
ohm | resistance | 1 | ohm ohms ом 欧姆
hz | frequency | 1 | hz hertz гц герц-m 赫兹 赫
khz | frequency | 1000 | khz kilohertz кгц килогерц-m 千赫
mhz | frequency | 1000000 | mhz megahertz мгц мегагерц-m 兆赫
ghz | frequency | 1000000000 | ghz gigahertz ггц гигагерц-m 吉赫
rpm | rotation | 1 | rpm revolutions_per_minute оборотов_в_минуту об/мин 转
decibel | sound | 1 | db decibel decibels дб децибел-m децибел 分贝
newton | force | 1 | newton newtons ньютон-m 牛顿
kn | force | 1000 | kn kilonewton kilonewtons кн килоньютон-m 千牛
pound force | force | 444822/100000 | lbf pounds_of_thrust pounds_force pound_force
pascal | pressure | 1 | pascal pascals па паскал-soft-m паскаль 帕
kpa | pressure | 1000 | kpa кпа килопаскаль 千帕
bar | pressure | 100000 | bar bars бар-m 巴
psi | pressure | 6894757/1000 | psi
usd | usd | 1 | $ us$ usd dollar dollars buck bucks us_dollar us_dollars american_dollars american_dollar
    доллар-m долл бакс-m 美元 美金
cent | usd | 1/100 | cent cents ¢ цент-m 美分
eur | eur | 1 | € eur euro euros евро 欧元
gbp | gbp | 1 | £ gbp quid pound_sterling pounds_sterling фунт_стерлингов фунта_стерлингов фунтов_стерлингов
    英镑
eurocent | eur | 1/100 | centime centimes eurocent eurocents евроцент-m 欧分
pence | gbp | 1/100 | pence penny пенс-m 便士
rub | rub | 1 | ₽ rub rur ruble rubles rouble roubles рубл-soft-m рубль руб р целковых 卢布
kopek | rub | 1/100 | kopek kopeks kopeck kopecks копейк-f копеек коп 戈比
cny | cny | 1 | ¥ cny rmb yuan renminbi юан-soft-m юань 元 块 元钱 块钱 人民币 元人民币
jiao | cny | 1/10 | 角 毛 毛钱 角钱
fen | cny | 1/100 | 分钱
jpy | jpy | 1 | jpy yen иен-f йен-f 日元 円
hkd | hkd | 1 | hkd hk$ hong_kong_dollars гонконгских_долларов 港元 港币
cad | cad | 1 | cad c$ canadian_dollars canadian_dollar канадских_долларов 加元
aud | aud | 1 | aud a$ australian_dollars australian_dollar австралийских_долларов 澳元
inr | inr | 1 | ₹ inr rupee rupees руп-soft рупий 卢比
krw | krw | 1 | ₩ krw корейских_вон вон 韩元
chf | chf | 1 | chf swiss_franc swiss_francs швейцарских_франков 瑞士法郎
uah | uah | 1 | ₴ uah hryvnia hryvnias гривна гривны гривне гривну гривен грн
kzt | kzt | 1 | ₸ kzt tenge тенге
try | try | 1 | ₺ lira liras лира лиры лир 里拉
"""

ADJECTIVES = """
second секундн | minute минутн | hour часов | day дневн суточн | week недельн | month месячн | year летн годичн годовал
percent процентн | m метров | km километров | cm сантиметров | mm миллиметров | kg килограммов килограммн | g граммов
tonne тонн | liter литров | rub рублев | usd долларов | degree градусн | watt ваттн | inch дюймов | century веков
"""
"""Stems of the Russian adjectives that a number is written together with: "двухчасовой", "5-процентный"."""
