"""Stands in for aiohttp in the frozen program, where nothing may open a network connection.

pyHanko imports aiohttp whether or not it fetches anything, and dpwizard never lets it. With this page in its place the
program carries no HTTP library at all, and whatever tried to make a connection would be refused here, in words.
"""

from __future__ import annotations


class Refused:
    """Any class of aiohttp: good for annotations, not for use."""

    def __init__(self, *arguments: object, **named: object) -> None:
        raise RuntimeError("dpwizard opens no network connection")


class ClientError(Exception):
    """Never raised, as nothing is ever asked; it is named in except clauses."""


class ClientResponseError(ClientError):
    """Never raised either."""


class ContentTypeError(ClientResponseError):
    """Never raised either."""


BasicAuth = ClientResponse = ClientSession = ClientTimeout = TCPConnector = Refused
