"""`python -m localeval`: the `localeval` command."""

from localeval.cli import main

if __name__ == "__main__":
    main()
