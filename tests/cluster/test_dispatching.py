"""`localeval.cluster.dispatching`: who is sent what, without Ray and without engines."""

from collections import defaultdict

from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.cluster.dispatching import MOST_LOSSES, Dispatcher
from localeval.values import Call, FreeText, Message, Reply, Sampling

SOURCE = "source {}: " + "long " * 400


def call(source: int, number: int, max_tokens: int = 8) -> Call:
    """Question `number` about a source of 2 kB."""
    parts = (SOURCE.format(source), f"question {number} of {source}")
    return Call("m", (Message("user", parts),), FreeText(), Sampling(max_tokens))


def key_of(source: int, number: int) -> str:
    return f"{source}/{number}"


def filled(n_sources: int, n_calls: int, replicas: int = 2, capacity: int = 4) -> Dispatcher:
    """A dispatcher with replicas r0, r1, ... and as many calls about each source."""
    dispatcher = Dispatcher()
    for number in range(replicas):
        dispatcher.join(f"r{number}", capacity, 0)
    for source in range(n_sources):
        for number in range(n_calls):
            dispatcher.add(key_of(source, number), call(source, number))
    return dispatcher


def finish(dispatcher: Dispatcher, rates: dict[str, int]) -> dict[str, list[str]]:
    """Lets each replica answer so many calls a turn, oldest first, until all are answered: the keys by replica."""
    inside: dict[str, list[str]] = defaultdict(list)
    answered: dict[str, list[str]] = defaultdict(list)
    while len(dispatcher):
        for name, batch in dispatcher.batches().items():
            inside[name] += batch
        for name, rate in rates.items():
            for key in inside[name][:rate]:
                assert dispatcher.answered(name, Reply(key))
                answered[name].append(key)
            del inside[name][:rate]
    return answered


def sources(keys: list[str]) -> set[str]:
    return {key.split("/")[0] for key in keys}


def test_a_source_stays_on_one_replica_and_sources_are_shared_out() -> None:
    """Replicas of one speed get as many of equal sources, and none is computed twice."""
    answered = finish(filled(8, 12), {"r0": 1, "r1": 1})
    assert len(answered["r0"]) == len(answered["r1"]) == 48
    assert not sources(answered["r0"]) & sources(answered["r1"])


def test_later_calls_go_where_their_source_is() -> None:
    """Also after all that was asked of the source is answered."""
    dispatcher = filled(2, 2)
    first = {key: name for name, keys in finish(dispatcher, {"r0": 1, "r1": 1}).items() for key in keys}
    for source in range(2):
        dispatcher.add(key_of(source, 9), call(source, 9))
    later = {key: name for name, batch in dispatcher.batches().items() for key in batch}
    assert {name: first[key_of(int(key[0]), 0)] for key, name in later.items()} == {
        name: name for name in later.values()
    }


def test_the_dearest_source_goes_first_and_evens_out() -> None:
    """One long source on one replica, three short ones on the other."""
    dispatcher = Dispatcher()
    dispatcher.join("r0", 100, 0)
    dispatcher.join("r1", 100, 0)
    for source, n_calls in enumerate((10, 10, 10, 60)):
        for number in range(n_calls):
            dispatcher.add(key_of(source, number), call(source, number, max_tokens=100))
    batches = dispatcher.batches()
    assert sorted(sorted(sources(list(batch))) for batch in batches.values()) == [["0", "1", "2"], ["3"]]


def test_a_long_source_is_dear_though_its_calls_are_as_many() -> None:
    """It is given out first, also where it comes last."""
    dispatcher = Dispatcher()
    dispatcher.join("r0", 100, 0)
    dispatcher.join("r1", 100, 0)
    for source, length in enumerate((1, 1, 1, 8)):
        for number in range(10):
            parts = (SOURCE.format(source) * length, f"question {number} of {source}")
            dispatcher.add(key_of(source, number), Call("m", (Message("user", parts),), FreeText(), Sampling(8)))
    batches = dispatcher.batches()
    assert sorted(sorted(sources(list(batch))) for batch in batches.values()) == [["0", "1", "2"], ["3"]]


def test_what_was_stolen_takes_no_room() -> None:
    """A replica that lost half of its calls to a thief, and has done the others, is given the next source at once."""
    dispatcher = filled(0, 0, capacity=1)
    for number in range(40, 0, -1):  # the longest go first, the last half is stolen: those would be the last to go
        dispatcher.add(key_of(0, number), call(0, number))
    (key,) = dispatcher.batches()["r0"]
    assert dispatcher.n_stolen
    dispatcher.add(key_of(1, 0), call(1, 0))
    while sources([key]) == {"0"}:
        assert dispatcher.answered("r0", Reply(key))
        (key,) = dispatcher.batches()["r0"]


def test_a_faster_replica_gets_more_sources() -> None:
    """Sources are given out when there is room for them, each to one replica."""
    dispatcher = filled(16, 4, capacity=8)
    answered = finish(dispatcher, {"r0": 1, "r1": 8})
    assert len(answered["r1"]) > 1.5 * len(answered["r0"])
    assert not sources(answered["r0"]) & sources(answered["r1"])
    assert not dispatcher.n_stolen


def test_one_source_alone_is_split_where_its_calls_are_more_work_than_its_prefix() -> None:
    """Else the second replica would stand idle; a few calls stay together."""
    many = filled(1, 200)
    answered = finish(many, {"r0": 1, "r1": 1})
    assert many.n_stolen
    assert min(len(answered["r0"]), len(answered["r1"])) > 60
    few = filled(1, 8)
    assert len(finish(few, {"r0": 1, "r1": 1})) == 1
    assert not few.n_stolen


def test_no_replica_is_sent_more_than_it_takes() -> None:
    """The rest waits here, where it can be stolen."""
    dispatcher = filled(4, 10, capacity=3)
    assert {name: len(batch) for name, batch in dispatcher.batches().items()} == {"r0": 3, "r1": 3}
    assert not dispatcher.batches()


def test_the_calls_of_a_lost_replica_are_asked_again_elsewhere() -> None:
    """Those that it had and those that waited; a reply that comes too late is not wanted."""
    dispatcher = filled(6, 5)
    had = dispatcher.batches()["r0"]
    assert not dispatcher.lose("r0", "died")
    assert dispatcher.n_requeued == len(had)
    assert not dispatcher.answered("r0", Reply(next(iter(had))))
    assert dispatcher.replicas == ["r1"]
    everything = [key_of(source, number) for source in range(6) for number in range(5)]
    sent_before = [key for key in everything if dispatcher.answered("r1", Reply(key))]
    assert sorted(sent_before + finish(dispatcher, {"r1": 30})["r1"]) == sorted(everything)


def test_a_call_that_takes_its_replicas_with_it_is_given_up() -> None:
    """After so many losses it is an engine error, and so are the calls that were lost as often beside it."""
    dispatcher = filled(1, 2, replicas=MOST_LOSSES + 1, capacity=2)
    given_up: list[Reply] = []
    for _ in range(MOST_LOSSES):
        (name,) = dispatcher.batches()
        assert not given_up
        given_up += dispatcher.lose(name, "its node is gone")
    assert len(given_up) == 2
    assert all(reply.missing and reply.missing.reason == "engine error" for reply in given_up)
    assert all(reply.missing and "its node is gone" in reply.missing.detail for reply in given_up)
    assert not len(dispatcher)
    assert len(dispatcher.replicas) == 1


def test_with_the_last_replica_gone_the_calls_are_still_known() -> None:
    """So that an error can tell how many; a replica that joins gets them."""
    dispatcher = filled(2, 2, replicas=1)
    dispatcher.batches()
    dispatcher.lose("r0", "died")
    assert not dispatcher.batches()
    assert len(dispatcher) == 4
    dispatcher.join("r9", 8, 0)
    assert len(dispatcher.batches()["r9"]) == 4


def test_a_call_is_taken_once() -> None:
    """As long as it has no reply."""
    dispatcher = filled(1, 1)
    dispatcher.add(key_of(0, 0), call(0, 0))
    assert len(dispatcher) == 1


def test_a_small_cache_holds_calls_back() -> None:
    """No more sources run on a replica than its cache holds; one that it has not begun goes whole to a dry replica."""
    dispatcher = Dispatcher()
    dispatcher.join("r0", 64, 2500)  # a source is about 600 tokens
    for source in range(20):
        dispatcher.add(key_of(source, 0), call(source, 0))
    first = dispatcher.batches()["r0"]
    assert 1 < len(first) < 8
    dispatcher.join("r1", 64, 100_000)
    assert dispatcher.batches()["r1"]
    assert dispatcher.n_stolen


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 5), st.integers(0, 400)),
        st.tuples(st.just("answer"), st.integers(0, 3), st.integers(1, 6)),
        st.tuples(st.just("lose"), st.integers(0, 3), st.just(0)),
        st.tuples(st.just("join"), st.integers(0, 3), st.integers(1, 9)),
    ),
    max_size=60,
)


@settings(max_examples=150)
@given(steps=STEPS, cache=st.sampled_from((0, 900, 5000)))
def test_every_call_is_answered_once_whatever_happens(steps: list[tuple[str, int, int]], cache: int) -> None:
    """Through any order of arrivals, replies, losses and newcomers: nothing is lost, asked twice at once, or left."""
    dispatcher = Dispatcher()
    inside: dict[str, list[str]] = {}
    asked: set[str] = set()
    done: list[str] = []
    n_joined = 0

    def send() -> None:
        for name, batch in dispatcher.batches().items():
            held = {key for keys in inside.values() for key in keys}
            assert not held & set(batch)
            inside[name] += batch

    def answer(name: str, count: int) -> None:
        for key in inside[name][:count]:
            assert dispatcher.answered(name, Reply(key, prompt_tokens=500, output_tokens=2))
            done.append(key)
        del inside[name][:count]

    for what, which, how_many in steps:
        names = list(inside)
        if what == "add":
            for number in range(how_many % 7 + 1):
                key = key_of(which, how_many + number)
                if key not in asked:
                    asked.add(key)
                    dispatcher.add(key, call(which, how_many + number))
        elif what == "join":
            name = f"r{n_joined}"
            n_joined += 1
            inside[name] = []
            dispatcher.join(name, how_many, cache)
        elif names and what == "answer":
            answer(names[which % len(names)], how_many)
        elif names and what == "lose":
            name = names[which % len(names)]
            del inside[name]
            done += [reply.key for reply in dispatcher.lose(name, "died")]
        send()
    inside["last"] = []
    dispatcher.join("last", 5, cache)
    while len(dispatcher):
        send()
        before = len(dispatcher)
        for name in list(inside):
            answer(name, 3)
        assert len(dispatcher) < before
    assert sorted(done) == sorted(asked)
