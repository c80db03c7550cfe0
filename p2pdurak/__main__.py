"""`python -m p2pdurak` and the `p2pdurak` command."""

INTERRUPTED = 130


def main() -> int:
    """Run the command line; Ctrl-C while the program is still being loaded ends it quietly too."""
    try:
        from p2pdurak.cli.main import run

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    raise SystemExit(main())
