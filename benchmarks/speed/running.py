"""The bench itself: contestants by turns, never two at once, and everything that is found written down at once."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.speed.child import Kind, Request
from benchmarks.speed.contest import CannotDo, Part, Peer, Run
from benchmarks.speed.material import SHAPES, Work, write_work
from benchmarks.speed.processes import run_child
from benchmarks.speed.results import LOCALEVAL, NAIVE, RAW, Contest
from benchmarks.speed.tasks import settings_of, task_of
from localeval.reading import read_evaluation


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run. `share` and `peer_share` are parts of the whole work, in texts."""

    parts: Sequence[Part]
    own: Sequence[str]
    """raw and naive, as far as they take part; localeval always does, since its calls are what these make."""
    peers: Sequence[Peer]
    runs: int
    share: float
    peer_share: float
    naive_calls: int
    seed: int
    model: Mapping[str, object]
    """What the configs say of the model."""
    sources: Path | None


@dataclass(slots=True)
class Arena:
    """A contest with its files; `runs` is the folder of its runs, the last of localeval's in `finished`."""

    contest: Contest
    work: Work
    names: Sequence[str]
    folder: Path
    finished: Path = Path()
    peers: dict[str, Peer] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    """Who is out of it, after a failure."""


def arenas(plan: Plan, folder: Path) -> list[Arena]:
    """The contests of a plan, their material written into `folder`, which is emptied first.

    Peers take a smaller share than the others, against localeval on that same share.
    """
    folder = folder.absolute()  # peers' processes have working folders of their own
    shutil.rmtree(folder, ignore_errors=True)
    found: list[Arena] = []
    for part in plan.parts:
        if plan.own or not plan.peers:  # with peers alone, localeval is run on their share and nothing else
            found.append(_arena(plan, part, plan.share, folder / part, (LOCALEVAL, *plan.own), {}))
        if plan.peers:
            able = {peer.name: peer for peer in plan.peers if part in peer.parts}
            names = (LOCALEVAL, *able) if able else ()
            found.append(_arena(plan, part, plan.peer_share, folder / f"{part}-peers", names, able))
            for peer in plan.peers:
                if part not in peer.parts:
                    found[-1].contest.note(peer.name, peer.why_not(part))
    return found


def run_arenas(plan: Plan, places: Sequence[Arena], saved: Callable[[], None], say: Callable[[str], None]) -> None:
    """Runs every contest, `plan.runs` turns of each; calls `saved` after each run, and tells `say` what is done."""
    for arena in places:
        for name, peer in arena.peers.items():
            _prepare(arena, name, peer, say)
        for turn in range(plan.runs):
            for name in arena.names:
                if name not in arena.out:
                    _one(plan, arena, name, turn, say)
                    saved()


def _arena(plan: Plan, part: Part, share: float, folder: Path, names: Sequence[str], peers: dict[str, Peer]) -> Arena:
    shape = SHAPES[part].shared(share)
    work = write_work(part, shape, folder / "work", plan.seed, dict(plan.model), plan.sources)
    sizes = {
        "sources": shape.sources,
        "candidates": shape.candidates,
        "source_tokens": shape.source_tokens,
        "candidate_tokens": shape.candidate_tokens,
        "questions": shape.questions,
        "criteria": shape.criteria,
        "generated": plan.sources is None,
    }
    return Arena(Contest(part, work.share, sizes), work, names, folder, peers=peers)


def _prepare(arena: Arena, name: str, peer: Peer, say: Callable[[str], None]) -> None:
    say(f"{name}: installing, once")
    try:
        peer.prepare()
    except CannotDo as reason:
        arena.contest.note(name, str(reason))
        arena.out.add(name)


def _one(plan: Plan, arena: Arena, name: str, turn: int, say: Callable[[str], None]) -> None:
    """One run of one contestant; a failure is noted and takes it out of the contest."""
    scratch = arena.folder / f"{turn + 1}-{name}"
    scratch.mkdir(parents=True)
    try:
        if name in arena.peers:
            run, parameters = _of_peer(arena, name, scratch)
        else:
            run, parameters = _of_own(plan, arena, name, turn, scratch)
    except CannotDo as reason:
        arena.contest.note(name, str(reason))
        arena.out.add(name)
        say(f"({arena.contest.part}) {name}: {reason}")
        return
    arena.contest.take(name, run, parameters)
    say(
        f"({arena.contest.part}) turn {turn + 1} of {plan.runs}, {name}: {run.calls} calls in {run.wall_s:.1f} s "
        f"after {run.start_s:.1f} s of start-up"
    )


def _of_own(plan: Plan, arena: Arena, name: str, turn: int, scratch: Path) -> tuple[Run, dict[str, str]]:
    kinds: dict[str, Kind] = {LOCALEVAL: "localeval", RAW: "raw", NAIVE: "naive"}
    run = scratch / "run" if name == LOCALEVAL else arena.finished
    if name != LOCALEVAL and not arena.contest.runs(LOCALEVAL):
        raise CannotDo("localeval did not finish, and its calls are what this one makes")
    request = Request(kinds[name], str(arena.work.config), str(run), arena.work.share, plan.naive_calls, turn)
    told = run_child(request, scratch)
    if name == LOCALEVAL:
        arena.finished = run
    return told


def _of_peer(arena: Arena, name: str, scratch: Path) -> tuple[Run, dict[str, str]]:
    if LOCALEVAL not in arena.contest.results or not arena.contest.runs(LOCALEVAL):
        raise CannotDo("localeval did not finish, and its engine's settings are what this one is given")
    peer = arena.peers[name]
    (model,) = read_evaluation(arena.work.config)[1].values()
    settings = settings_of(model, arena.contest.results[LOCALEVAL].parameters)
    run = peer.run(task_of(arena.work, settings), scratch)
    return replace(run, share=run.share * arena.work.share), peer.parameters
