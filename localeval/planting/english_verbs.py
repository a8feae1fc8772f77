"""The forms of English verbs that say what somebody did, does or will do."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

_REGULAR = """
accept add adopt agree allow announce answer appoint approve arrange arrive ask attend book call cancel change charge
check choose claim clean close collect complain complete confirm consider contact cover create criticise deal decide
decline decrease defend delay delete deliver demand deny describe design develop discuss dismiss double drop earn
employ end enter escape exclude expand expect explain extend fail fill finish fix follow forbid handle help hire
improve include increase inform insist install introduce invite involve join kill launch leave like limit list
lower manage measure mention miss move need note notice obtain offer open order organise oppose outline own pack pass
pay plan postpone prefer prepare present prevent produce promise propose protect provide publish purchase question
raise reach receive recommend reduce refuse reject release remain remove renew repair repeat replace reply report
request require rescue reserve resign resolve respond restore return reveal review save schedule serve share sign
solve stay stop store suffer suggest supply support test thank train transfer travel try turn update use visit vote
want warn watch weaken welcome work worsen
"""
_IRREGULAR = """
be/is/was/been become/becomes/became/become begin/begins/began/begun bring/brings/brought/brought
build/builds/built/built buy/buys/bought/bought choose/chooses/chose/chosen come/comes/came/come cut/cuts/cut/cut
do/does/did/done draw/draws/drew/drawn drive/drives/drove/driven fall/falls/fell/fallen find/finds/found/found
forget/forgets/forgot/forgotten fly/flies/flew/flown get/gets/got/got give/gives/gave/given go/goes/went/gone
grow/grows/grew/grown have/has/had/had hear/hears/heard/heard hold/holds/held/held keep/keeps/kept/kept
know/knows/knew/known lead/leads/led/led leave/leaves/left/left lend/lends/lent/lent lose/loses/lost/lost
make/makes/made/made meet/meets/met/met pay/pays/paid/paid put/puts/put/put read/reads/read/read
ring/rings/rang/rung rise/rises/rose/risen run/runs/ran/run say/says/said/said see/sees/saw/seen
sell/sells/sold/sold send/sends/sent/sent set/sets/set/set show/shows/showed/shown speak/speaks/spoke/spoken
spend/spends/spent/spent stand/stands/stood/stood take/takes/took/taken teach/teaches/taught/taught
tell/tells/told/told think/thinks/thought/thought throw/throws/threw/thrown understand/understands/understood/understood
win/wins/won/won withdraw/withdraws/withdrew/withdrawn write/writes/wrote/written
forbid/forbids/forbade/forbidden oversee/oversees/oversaw/overseen undertake/undertakes/undertook/undertaken
"""
_DOUBLED = frozenset({"plan", "stop", "drop", "transfer", "prefer", "cancel", "travel"})


class Verb(NamedTuple):
    """A verb's base, third person, past and past participle."""

    base: str
    third: str
    past: str
    participle: str


def regular(base: str) -> Verb:
    """The forms of a regular verb."""
    if base.endswith("e"):
        past = base + "d"
    elif base.endswith("y") and base[-2] not in "aeiou":
        past = base[:-1] + "ied"
    else:
        past = base + (base[-1] if base in _DOUBLED else "") + "ed"
    if base.endswith(("s", "sh", "ch", "x", "z")):
        third = base + "es"
    elif base.endswith("y") and base[-2] not in "aeiou":
        third = base[:-1] + "ies"
    else:
        third = base + "s"
    return Verb(base, third, past, past)


@lru_cache(maxsize=1)
def verbs() -> Mapping[str, Verb]:
    """Every verb that is known, by its base."""
    irregular = [Verb(*forms.split("/")) for forms in _IRREGULAR.split()]
    known = {base: regular(base) for base in _REGULAR.split()}
    return known | {verb.base: verb for verb in irregular}


@lru_cache(maxsize=1)
def finite() -> Mapping[str, tuple[Verb, bool]]:
    """Each third person and each past form with its verb, and whether it is past; what is both base and past is out."""
    found: dict[str, tuple[Verb, bool]] = {}
    for verb in verbs().values():
        if verb.base not in {"be", "have", "do"}:
            found[verb.third] = (verb, False)
            if verb.past != verb.base:
                found[verb.past] = (verb, True)
    return found


def participles() -> frozenset[str]:
    """Every past participle that is known."""
    return frozenset(verb.participle for verb in verbs().values())
