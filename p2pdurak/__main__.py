"""`python -m p2pdurak` and the `p2pdurak` command."""


def main() -> int:
    """Run the command line."""
    from p2pdurak.cli.main import run

    return run()


if __name__ == "__main__":
    raise SystemExit(main())
