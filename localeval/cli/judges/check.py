"""`localeval judges check`."""

from pathlib import Path

import click

from localeval.cli.guard import BELOW_BARS, SOME_MISSING


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the check. Default: runs/NAME.check.")
@click.option(
    "--reuse", type=click.Path(path_type=Path), multiple=True, help="Earlier check to read replies from. Repeatable."
)
@click.option("--plan", is_flag=True, help="Say what it would ask and how long that would take, and ask nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print check.json (or the plan as JSON) instead of the tables.")
@click.pass_context
def check(
    ctx: click.Context, config: Path, out: Path | None, reuse: tuple[Path, ...], plan: bool, as_json: bool
) -> None:
    """Check the judges of CONFIG on its own sources, or go on with the check where it stopped.

    Errors are planted by rule into texts that are known to be right; every method's judges are asked about them and
    about controls in which nothing is wrong. The result is kept under each judge's key: `localeval run` refuses a judge
    that is below the bars. A second check sends no call.
    """
    from localeval.checking.checking import check_judges
    from localeval.checking.planning import plan_check
    from localeval.cli.progress import shown
    from localeval.report.check_page import write_check_page
    from localeval.report.check_terminal import print_check
    from localeval.report.plan_terminal import print_plan
    from localeval.report.terminal import print_json
    from localeval.store.files import CHECK_PAGE

    if plan:
        (print_json if as_json else print_plan)(plan_check(config, out))
        return
    with shown(ctx) as progress:
        outcome = check_judges(config, out, reuse, progress)
    write_check_page(outcome.check, outcome.folder / CHECK_PAGE)
    if as_json:
        print_json(outcome.check)
    else:
        print_check(outcome.check, outcome.folder)
    if not outcome.all_passed:
        ctx.exit(BELOW_BARS)
    if outcome.n_missing:
        ctx.exit(SOME_MISSING)
