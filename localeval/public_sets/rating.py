"""What a judge is asked about a pair of LLMBar or an answer of ELITR: one constrained answer each."""

from functools import partial

from localeval.flow import Flow
from localeval.keys import derive_seed
from localeval.methods.asking import ask
from localeval.outputs import read_choice
from localeval.prompts import Prompts, fenced
from localeval.public_sets.elitr import Answer
from localeval.public_sets.llmbar import Pair
from localeval.values import Call, Choice, Message, Missing, Reply, Sampling

LETTERS = Choice(("A", "B"))
RATINGS = Choice(tuple(str(n) for n in range(1, 11)))
RETRIES = 2

PairVerdicts = tuple[int | Missing, int | Missing]
"""1 or 2, the output as the file has them, in the given and in the swapped order of showing them."""


def compare(pair: Pair, judge: str, prompts: Prompts, seed: int) -> Flow[PairVerdicts]:
    """Which output of a pair is better, asked in both orders."""
    calls = [_comparison(pair, judge, prompts, seed, order) for order in ((1, 2), (2, 1))]
    readers = [partial(_winner, order=order) for order in ((1, 2), (2, 1))]
    first, second = yield from ask(calls, readers, lambda verdict: verdict, RETRIES)
    return first, second


def rate(answer: Answer, judge: str, prompts: Prompts, seed: int) -> Flow[int | Missing]:
    """The score of an answer, 1 to 10, given the question and the right answer."""
    question = prompts.render(
        "bench/answer",
        "en",
        question=fenced("question", answer.question),
        gold=fenced("answer", answer.gold),
        response=fenced("response", answer.text),
    )
    # two tokens: there are tokenizers that have none for 10
    sampling = Sampling(max_tokens=2, seed=derive_seed(seed, "bench/answer", answer.id))
    call = Call(judge, _messages(prompts, (question,)), RATINGS, sampling, "bench/answer", answer.id)
    (rating,) = yield from ask([call], [partial(read_choice, choice=RATINGS)], lambda verdict: verdict, RETRIES)
    return rating if isinstance(rating, Missing) else int(rating)


def _comparison(pair: Pair, judge: str, prompts: Prompts, seed: int, order: tuple[int, int]) -> Call:
    first, second = (fenced("output", pair.outputs[place - 1]) for place in order)
    parts = (fenced("instruction", pair.instruction), prompts.render("bench/pair", "en", first=first, second=second))
    sampling = Sampling(max_tokens=1, seed=derive_seed(seed, "bench/pair", pair.id, *order), logprobs=4)
    return Call(judge, _messages(prompts, parts), LETTERS, sampling, "bench/pair", pair.id, "".join(map(str, order)))


def _winner(reply: Reply, order: tuple[int, int]) -> int | Missing:
    letter = read_choice(reply, LETTERS)
    return letter if isinstance(letter, Missing) else order[LETTERS.options.index(letter)]


def _messages(prompts: Prompts, parts: tuple[str, ...]) -> tuple[Message, ...]:
    return (Message("system", (prompts.render("shared/system", "en"),)), Message("user", parts))
