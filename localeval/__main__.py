"""`python -m localeval`."""

from localeval.cli import main

main(prog_name="localeval")
