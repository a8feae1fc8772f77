"""localeval models: which models there are, whether they fit, and getting their weights."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Literal

import click

from localeval.models.cards import Card, load_card
from localeval.models.check import Listing, Verification, Wish, check, listing, listings, verify
from localeval.models.fit import GIB, Demand, Device, Fit
from localeval.models.places import describe, fetch
from localeval.models.resolve import card_of_folder

_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def models() -> None:
    """Model cards and their weights."""


@models.command("list")
@_as_json
def list_(as_json: bool) -> None:
    """List the cards, and which of them have their weights on this machine."""
    found = listings()
    if as_json:
        click.echo(json.dumps([_record(each) for each in found], indent=2, ensure_ascii=False))
        return
    width = max(len(each.card.name) for each in found)
    click.echo(f"{'name':{width}}  {'size':>7}  {'context':>8}  {'family':9}  {'here':4}  roles")
    for each in found:
        card = each.card
        size = f"{card.parameters_b:g}B" if card.parameters_b else "?"
        here = "yes" if each.weights else "no"
        roles = ", ".join(card.roles)
        click.echo(f"{card.name:{width}}  {size:>7}  {card.context or '?':>8}  {card.family:9}  {here:4}  {roles}")


@models.command()
@click.argument("card")
@_as_json
def show(card: str, as_json: bool) -> None:
    """Show a card: its facts, where the weights come from, what could not be verified."""
    found = listing(_card(card))
    click.echo(json.dumps(_record(found), indent=2, ensure_ascii=False) if as_json else _page(found))


@models.command("fetch")
@click.argument("cards", nargs=-1, required=True)
def fetch_(cards: tuple[str, ...]) -> None:
    """Get the weights of CARDS, from the first of each card's places that has them.

    The one command that uses the network; HF_HUB_OFFLINE=1 keeps it from asking the hub.
    """
    for card in cards:
        click.echo(str(fetch(card, lambda line: click.echo(line, err=True))))


@models.command("check")
@click.argument("card")
@click.option("--memory", required=True, type=click.FloatRange(min=0, min_open=True), help="GiB of one device.")
@click.option("--tokens", required=True, type=click.IntRange(min=1), help="Longest prompt and answer.")
@click.option("--tp", default=1, show_default=True, type=click.IntRange(min=1), help="Devices to share the model.")
@click.option("--concurrency", default=1, show_default=True, type=click.IntRange(min=1), help="Such calls at once.")
@click.option("--share", default=0.9, show_default=True, type=click.FloatRange(0, 1, min_open=True), help="Of memory.")
@click.option("--quantization", help="fp8, awq, gptq, ... instead of what the card says.")
@click.option("--kv-dtype", default="auto", show_default=True, type=click.Choice(["auto", "bfloat16", "fp8"]))
@click.option("--config", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A config.json.")
@_as_json
def check_(
    card: str,
    memory: float,
    tokens: int,
    tp: int,
    concurrency: int,
    share: float,
    quantization: str | None,
    kv_dtype: Literal["auto", "bfloat16", "fp8"],
    config: Path | None,
    as_json: bool,
) -> None:
    """Tell whether CARD (a card, or a folder of weights) with TOKENS of prompt and answer fits a device.

    Asks no network and loads no model. Exit code 0: fits; 3: does not.
    """
    found = _card(card)
    device = Device(memory, tp, share)
    result = check(found, device, Demand(tokens, concurrency), Wish(quantization, kv_dtype), config)
    click.echo(json.dumps(asdict(result), indent=2) if as_json else _verdict(found, device, tokens, result))
    if not result.fits:
        raise SystemExit(3)


@models.command("verify")
@click.argument("card")
@_as_json
def verify_(card: str, as_json: bool) -> None:
    """Read every byte of a card's weights and compare with what was fetched. Exit code 3: something changed."""
    result = verify(_card(card))
    if as_json:
        files = [asdict(file) for file in result.files]
        record = {"folder": str(result.weights.folder), "revision": result.weights.revision, "files": files}
        click.echo(json.dumps({**record, "is_whole": result.is_whole}, indent=2))
    else:
        click.echo(_files(result))
    if not result.is_whole:
        raise SystemExit(3)


def _card(name: str) -> Card:
    return card_of_folder(Path(name).resolve()) if Path(name).is_dir() else load_card(name)


def _record(found: Listing) -> dict[str, object]:
    weights = {"folder": str(found.weights.folder), "revision": found.weights.revision} if found.weights else None
    return {**found.card.model_dump(mode="json"), "weights": weights}


def _page(found: Listing) -> str:
    card = found.card
    facts = {
        "family": card.family,
        "size": f"{card.parameters_b:g} billion parameters" if card.parameters_b else "unknown",
        "context": f"{card.context:,} tokens" if card.context else "unknown",
        "dtype": card.dtype + (f", {card.quantization}" if card.quantization else ""),
        "licence": card.licence,
        "languages": ", ".join(card.languages),
        "roles": ", ".join(card.roles),
        "chat": " ".join(f"{key}={value}" for key, value in card.chat_options.items()),
        "notes": " ".join(card.notes.split()),
        "source": card.source,
        "unverified": ", ".join(card.unverified),
    }
    lines = [card.name, *(f"  {key:11} {value}" for key, value in facts.items() if value)]
    lines += [f"  {'place':11} {describe(place)}" for place in card.places]
    here = f"{found.weights.folder} ({found.weights.revision})" if found.weights else "no"
    return "\n".join([*lines, f"  {'here':11} {here}"])


def _verdict(card: Card, device: Device, tokens: int, result: Fit) -> str:
    per = " a device" if device.count > 1 else ""
    lines = [
        f"{card.name} on {device.count} x {device.memory_gib:g} GiB, {device.share:.0%} of it used",
        f"  weights   {result.weights_per_device / GIB:8.2f} GiB{per}",
        f"  reserve   {result.reserve / GIB:8.2f} GiB{per} (activations, graphs; an estimate)",
        f"  cache     {result.cache / GIB:8.2f} GiB{per}, at most {result.cache_per_token:,} bytes a token",
        f"  {tokens:,} tokens need {result.needed / GIB:.2f} GiB of cache: {'fits' if result.fits else 'does not fit'}",
        f"  longest prompt and answer: {result.longest:,} tokens, limited by {result.limited_by}",
        *(f"  ({note})" for note in result.notes),
    ]
    return "\n".join(lines)


def _files(result: Verification) -> str:
    rows = [f"{file.state:10} {file.size:>14,}  {file.name}" for file in result.files]
    words = "whole" if result.is_whole else "not whole: delete the folder and fetch it again"
    return "\n".join([*rows, f"{result.weights.folder}: {words}"])
