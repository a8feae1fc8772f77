"""Names that nobody in particular has, for people, places and bodies that a source does not know."""

from typing import Literal

from localeval.evidence.wordlists import in_order, listed

Gender = Literal["masc", "femn", "neut", ""]

ENGLISH_FORENAMES: dict[Gender, list[str]] = {
    "femn": in_order("""
        Anna Alice Amy Angela Barbara Beth Carol Caroline Catherine Charlotte Claire Diana Diane Donna Dorothy
        Eleanor Elizabeth Ellen Emily Emma Eva Fiona Frances Grace Hannah Heather Helen Ingrid Irene Jane Janet
        Jennifer Jessica Joan Judith Julia Julie Karen Kate Katherine Kathy Laura Lena Linda Lisa Lucy Margaret
        Maria Marie Marta Martha Mary Melissa Michelle Monica Nancy Natalie Nicole Nina Nora Olivia Pamela Patricia
        Priya Rachel Rebecca Rosa Ruth Samantha Sandra Sara Sarah Sharon Sheila Sophie Stephanie Susan Teresa
        Theresa Valerie Victoria Wendy
        """),
    "masc": in_order("""
        Adam Alan Albert Alexander Andrew Anthony Arthur Benjamin Brian Bruce Carl Charles Christopher Daniel David
        Dennis Derek Donald Douglas Edward Eric Ethan Frank Frederick Gary Geoffrey George Gerald Gordon Graham
        Gregory Harold Harry Henry Howard Ian Jack Jacob James Jason Jeffrey Jeremy Joel John Jonathan Joseph Joshua
        Keith Kenneth Kevin Larry Lawrence Leonard Lewis Louis Luke Marcus Martin Matthew Michael Neil Nicholas
        Oliver Oscar Patrick Paul Peter Philip Ralph Raymond Richard Robert Roger Ronald Roy Samuel Scott Sean Simon
        Stephen Steven Stuart Thomas Tim Timothy Tom Colin Felix Hugh Victor Walter William
        """),
}
"""Forenames by which a name is known to be a person's; some are put in."""

NEW_FORENAMES: dict[Gender, list[str]] = {
    "femn": in_order("Beatrice Harriet Imogen Josephine Matilda Philippa Rosalind Sylvia"),
    "masc": in_order("Barnaby Clement Edmund Hugo Jasper Leopold Rupert Tobias"),
}
NEW_SURNAMES = in_order("""
    Ashworth Bradshaw Castellan Dunmore Fairweather Haldane Kowalski Lindholm Merriweather Northcott Pemberton Thackeray
    Whitlock Yardley
    """)
ENGLISH_PLACES = listed("""
    London Paris Berlin Madrid Rome Vienna Dublin Edinburgh Glasgow Cardiff Manchester Birmingham Liverpool Leeds
    Bristol Oxford Cambridge York Brussels Amsterdam Lisbon Athens Prague Warsaw Budapest Stockholm Oslo Copenhagen
    Helsinki Moscow Beijing Shanghai Tokyo Seoul Delhi Mumbai Sydney Melbourne Toronto Montreal Ottawa Vancouver Boston
    Chicago Seattle Denver Dallas Houston Miami Atlanta Philadelphia Washington California Texas Florida Ohio Oregon
    England Scotland Wales Ireland Britain France Germany Spain Italy Portugal Austria Switzerland Belgium Netherlands
    Poland Sweden Norway Denmark Finland Russia China Japan Korea India Australia Canada America Europe Asia Africa
    Mexico Brazil Argentina Chile Egypt Kenya Nigeria Israel Turkey Greece Mars Venus Jupiter Saturn Earth
    """) | {
    "New York", "San Francisco", "Los Angeles", "Hong Kong", "New Zealand", "South Africa", "North Korea",
    "South Korea", "United States", "United Kingdom", "Northern Ireland", "Saudi Arabia",
}  # fmt: skip
NEW_PLACES = in_order("Bristol Cardiff Dundee Exeter Norwich Plymouth Swansea Carlisle")
ENGLISH_BODIES = listed("""
    telecom university institute bank council committee company corporation association foundation hospital school
    college department ministry agency group society trust club library museum church union laboratory laboratories
    airlines railways systems industries motors software pharmaceuticals
    """)
"""Words with which the names of bodies end, folded."""
NEW_BODIES = in_order("Kestrel Northgate Ashdown Meridian Larkfield Pennine Solway")
NEW_ROLES = ["Finance Director", "Quality Engineer", "Legal Adviser", "Sales Manager", "Press Officer"]
RANKS = listed("""
    captain lieutenant colonel major general sergeant corporal private admiral commander inspector detective constable
    """)
"""Words besides the titles that stand before a surname, folded."""

NEW_RUSSIAN: dict[tuple[str, Gender], list[str]] = {
    ("Name", "femn"): in_order("галина людмила тамара нина раиса оксана"),
    ("Name", "masc"): in_order("михаил геннадий степан николай фёдор эдуард"),
    ("Surn", "femn"): in_order("соколов кузнецов воробьёв данилов морозов громов"),
    ("Surn", "masc"): in_order("соколов кузнецов воробьёв данилов морозов громов"),
    ("Geox", "masc"): in_order("саратов омск воронеж краснодар иркутск мурманск"),
    ("Geox", "femn"): in_order("самара вологда калуга москва пенза рязань"),
}
"""Dictionary forms of Russian forenames, surnames (the man's) and places."""

CHINESE_SURNAMES = in_order("周 吴 郑 冯 陈 褚 蒋 沈 韩 杨 朱 秦 许 何 吕")
CHINESE_GIVEN = in_order("建国 志强 雅琴 文博 秀英 海峰 晓燕 立新")
CHINESE_FAMILIAR = in_order("小郑 老冯 小沈 老秦 小许 老吕 阿珍 大韩")
CHINESE_PLACES = in_order("南京 杭州 武汉 西安 青岛 长沙 昆明 沈阳")
