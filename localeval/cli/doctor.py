"""`localeval doctor`."""

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Say what can run on this machine, and what is in the way. Exits with 1 where no engine can run."""
    from localeval.doctor import examine
    from localeval.report.terminal import print_findings, print_json

    findings = examine()
    if as_json:
        print_json([finding._asdict() for finding in findings])
    else:
        print_findings(findings)
    if any(finding.state == "bad" for finding in findings):
        ctx.exit(1)
