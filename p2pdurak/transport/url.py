"""The address of a broker as people type it.

It owns the reading and the writing of broker URLs and the presets; it opens no connection and looks no name up.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from p2pdurak.transport.base import TransportError

PORT_PLAIN: Final = 1883
PORT_TLS: Final = 8883
HOW: Final = "Write HOST:PORT, mqtt://USER:PASSWORD@HOST:PORT or mqtts://HOST."


class BadUrl(TransportError):
    """The text is no address of a broker; the sentence says why and how to write one."""


@dataclass(frozen=True, slots=True)
class BrokerUrl:
    """Where a broker is and how to log in. Neither `str` nor `repr` shows the password.

    Attributes:
        host: name or IP address, without brackets.
        port: TCP port, 1 to 65535.
        tls: whether the connection is encrypted and the broker's certificate checked.
        user: user name, or None for an anonymous client.
        password: password, or None.
        cafile: PEM file of the only CAs to trust; None means those of the system. Only with `tls`.
    """

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    cafile: str | None = None

    @classmethod
    def parse(cls, text: str) -> BrokerUrl:
        """Read `mqtt://`, `mqtts://` or a bare `HOST[:PORT]`; ports default to 1883 and 8883.

        User, password and `?cafile=PATH` may be percent-encoded. IPv6 addresses stand in brackets.

        Raises:
            BadUrl: with a sentence that does not repeat the text, for it may hold a password.
        """
        if any(ord(letter) <= 32 or ord(letter) == 127 for letter in text.strip()):
            raise BadUrl(f"A broker's address has no spaces in it. {HOW}")
        full = text.strip() if "://" in text else f"mqtt://{text.strip()}"
        try:
            parts = urlsplit(full)
            port = parts.port
        except ValueError:
            raise BadUrl(f"This is no address of a broker: check the port and the brackets. {HOW}") from None
        if parts.scheme not in ("mqtt", "mqtts"):
            raise BadUrl(f"{parts.scheme}:// is not spoken here. {HOW}")
        if parts.path not in ("", "/") or parts.fragment:
            raise BadUrl(f"Nothing but ?cafile=PATH may follow the port of a broker. {HOW}")
        if port == 0:
            raise BadUrl(f"A broker's port is a number from 1 to 65535. {HOW}")
        tls = parts.scheme == "mqtts"
        user, password = _login(parts.username, parts.password)
        return cls(
            host=_host(parts.hostname),
            port=port or (PORT_TLS if tls else PORT_PLAIN),
            tls=tls,
            user=user,
            password=password,
            cafile=_cafile(parts.query, tls=tls),
        )

    @property
    def address(self) -> str:
        """`host:port`, IPv6 in brackets, with `mqtts://` in front where it is needed; no user, no password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts://' if self.tls else ''}{host}:{self.port}"

    def with_password(self) -> str:
        """Return the whole URL, password included: for a settings file of mode 0600 only."""
        login = ""
        if self.user is not None:
            login = quote(self.user, safe="")
            if self.password is not None:
                login += ":" + quote(self.password, safe="")
            login += "@"
        scheme = "mqtts" if self.tls else "mqtt"
        tail = "" if self.cafile is None else "?cafile=" + quote(self.cafile, safe="/")
        return f"{scheme}://{login}{self.address.removeprefix('mqtts://')}{tail}"

    def __str__(self) -> str:
        return self.address


PRESETS: Final[Mapping[str, BrokerUrl]] = MappingProxyType(
    {
        "emqx": BrokerUrl("broker.emqx.io", 8883, tls=True),
        "hivemq": BrokerUrl("broker.hivemq.com", 8883, tls=True),
        "mosquitto": BrokerUrl("test.mosquitto.org", 8886, tls=True),
    }
)
"""Public brokers by name. They see who talks when, never what; nobody promises that they are up."""


def broker_url(text: str) -> BrokerUrl:
    """Read a preset's name or an address.

    Raises:
        BadUrl: it is neither.
    """
    return PRESETS.get(text.strip().lower()) or BrokerUrl.parse(text)


def _login(user: str | None, password: str | None) -> tuple[str | None, str | None]:
    if not user:
        if password:
            raise BadUrl(f"A password needs a user name before it. {HOW}")
        return None, None
    return unquote(user), None if password is None else unquote(password)


def _host(host: str | None) -> str:
    if not host:
        raise BadUrl(f"The name of the broker is missing. {HOW}")
    if ":" in host:
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            raise BadUrl(f"{host} is no IPv6 address. {HOW}") from None
        return host
    try:
        host.encode("idna")
    except UnicodeError:
        raise BadUrl(f"{host} is no name of a machine: look for doubled dots or a part over 63 letters.") from None
    return host


def _cafile(query: str, *, tls: bool) -> str | None:
    if not query:
        return None
    try:
        options = dict(parse_qsl(query, strict_parsing=True))
    except ValueError:
        options = {}
    if list(options) != ["cafile"]:
        raise BadUrl(f"After the question mark only cafile=PATH may follow. {HOW}")
    if not tls:
        raise BadUrl("A cafile makes sense only with mqtts://.")
    return options["cafile"]
