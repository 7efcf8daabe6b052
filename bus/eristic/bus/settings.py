"""How to reach a NATS server and as whom: plain data that may travel to other processes."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit, urlunsplit

import msgspec

from eristic.debate.errors import SpecRefused

__all__ = ["BusSettings", "clean_url"]

_NO_URL = "the NATS address is not a URL; write it as nats://host:4222"
_SCHEMES = ("nats", "tls", "ws", "wss")


class BusSettings(msgspec.Struct, frozen=True, kw_only=True):
    """One user of one server. Printing it shows no secret."""

    url: str
    """Server, or several with commas between; never with user or password inside."""
    user: str = ""
    password: str = ""
    """With an empty user this is a token."""
    name: str = "eristic"
    """Shown in the server's list of connections."""
    inbox: str = "_INBOX"
    """Prefix under which this user may receive replies."""
    store: str = ""
    """Folder of the embedded server's store, for the user who makes streams there."""

    def __repr__(self) -> str:
        secret = ", password=***" if self.password else ""
        return f"BusSettings(url={self.url!r}, user={self.user!r}{secret}, name={self.name!r})"

    @classmethod
    def from_url(cls, url: str, *, name: str = "eristic") -> BusSettings:
        """Settings for a server that somebody else runs; user and password may be in the URL.

        Raises SpecRefused for a URL that is none. The message never holds user or password.
        """
        servers: list[str] = []
        user = password = ""
        for part in url.split(","):
            server, its_user, its_password = _split_url(part.strip())
            servers.append(server)
            user, password = its_user or user, its_password or password
        if user and not password:
            user, password = "", user
        return cls(url=",".join(servers), user=user, password=password, name=name)


def clean_url(url: str) -> str:
    """The URL without user and password, for messages."""
    return ",".join(_split_url(part.strip())[0] for part in url.split(","))


def _split_url(url: str) -> tuple[str, str, str]:
    if "://" not in url:
        url = f"nats://{url}"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise SpecRefused(_NO_URL) from None  # its text would show the whole URL
    if not host or parts.scheme not in _SCHEMES:
        raise SpecRefused(_NO_URL)
    shown = f"[{host}]" if ":" in host else host
    server = urlunsplit((parts.scheme, f"{shown}:{port or 4222}", parts.path, "", ""))
    return server, unquote(parts.username or ""), unquote(parts.password or "")
