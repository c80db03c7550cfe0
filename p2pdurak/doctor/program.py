"""Python, this program, and its libraries by their versions.

It owns the comparison of what is installed with what is needed; it loads none of the libraries, for one may be missing.
"""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import metadata
from typing import Final

from p2pdurak import __version__
from p2pdurak.doctor.finding import Figure, Finding, Outcome

APP: Final = "p2pdurak"
PYTHON_MIN: Final = (3, 11)
EXTRA: Final = "amqtt"
DEMAND: Final = re.compile(r"([A-Za-z0-9_.-]+)[^;]*?>=\s*([0-9.]+)[^;]*(;.*extra.*)?")
"""A line such as `pynacl>=1.6.2` or `amqtt<0.13,>=0.12.1; extra == "broker"`."""


def check_program(versions: Callable[[str], str] = metadata.version) -> Iterator[Finding]:
    """Python, this program, and the libraries with what they must at least be.

    Args:
        versions: gives the version of an installed package.
    """
    found = platform.python_version()
    figures: dict[str, Figure] = {"python": found, "p2pdurak": __version__, "system": platform.system()}
    text = f"p2pdurak {__version__} on {platform.python_implementation()} {found}, {platform.system()}."
    if sys.version_info[:2] < PYTHON_MIN:
        yield Finding("python", Outcome.FAILED, text, "Python 3.11 or newer is needed.", figures=figures)
    else:
        yield Finding("python", Outcome.OK, text, figures=figures)
    demanded = _demanded()
    yield _libraries({name: least for name, (least, extra) in demanded.items() if not extra}, versions)
    yield _embedded(demanded.get(EXTRA, ("", True))[0], versions)


def _libraries(demanded: Mapping[str, str], versions: Callable[[str], str]) -> Finding:
    have: dict[str, Figure] = {}
    wrong = []
    for name, least in demanded.items():
        try:
            have[name] = version = versions(name)
        except metadata.PackageNotFoundError:
            have[name] = None
            wrong.append(f"{name} is missing")
            continue
        if _numbers(version) < _numbers(least):
            wrong.append(f"{name} {version} is older than {least}")
    if wrong:
        advice = "Install this program afresh, or bring them up to date with pip."
        return Finding("libraries", Outcome.FAILED, f"Of the libraries, {', '.join(wrong)}.", advice, figures=have)
    if not have:
        text = "The program runs from a folder and was never installed, so its libraries' versions are not compared."
        return Finding("libraries", Outcome.WARNING, text, "Install it with pip, or start it by scripts/p2pdurak.")
    text = ", ".join(f"{name} {version}" for name, version in have.items())
    return Finding("libraries", Outcome.OK, f"All there: {text}.", figures=have)


def _embedded(least: str, versions: Callable[[str], str]) -> Finding:
    check = "broker extra"
    try:
        version = versions(EXTRA)
    except metadata.PackageNotFoundError:
        text = "The embedded broker is not installed: you can join, and host over a broker with --broker."
        advice = 'To host without one: pip install "p2pdurak[broker]"'
        return Finding(check, Outcome.WARNING, text, advice, figures={EXTRA: None})
    text = f"The embedded broker is installed ({EXTRA} {version})."
    if _numbers(version) < _numbers(least):
        advice = 'Bring it up to date: pip install --upgrade "p2pdurak[broker]"'
        return Finding(check, Outcome.WARNING, f"{text} It is older than {least}.", advice, figures={EXTRA: version})
    return Finding(check, Outcome.OK, text, figures={EXTRA: version})


def _demanded() -> dict[str, tuple[str, bool]]:
    """Each library with its least version, and whether it belongs to an extra; empty where nothing was installed."""
    try:
        lines = metadata.requires(APP) or []
    except metadata.PackageNotFoundError:
        return {}
    found = (DEMAND.match(line) for line in lines)
    wanted = [one for one in found if one is not None and (one[3] is None or one[1] == EXTRA)]
    return {one[1]: (one[2], one[3] is not None) for one in wanted}


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version, enough to compare releases."""
    return tuple(int(part) for part in re.match(r"[0-9]*(?:\.[0-9]+)*", version)[0].split(".") if part)  # type: ignore[index]
