"""PCM section 11: the host that a URL, an effect or a claim names."""

import ipaddress
import re

UNTOLD, NOWHERE = object(), None
PRINTABLE = re.compile(r"[!-~]*")
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
BRACKETED = re.compile(r"\[([^\[\]]*)\](?::[0-9]*)?")
NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
QUAD = re.compile(r"(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}")
LABEL = re.compile(r"[a-z0-9_-]{1,63}")
CLAIM = re.compile(r"[a-z0-9._:-]+")
REACHING = ("http", "https", "ws", "wss", "ftp")
EMBEDDING = (ipaddress.IPv6Network("::ffff:0:0/96"), ipaddress.IPv6Network("64:ff9b::/96"))


def _ipv6(text):
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return UNTOLD
    if any(address in network for network in EMBEDDING):
        return str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address.compressed


def _name(text):
    """A dotted quad or a name, without brackets and port."""
    name = text.lower()
    labels = name.removesuffix(".").split(".")
    if NUMBER.fullmatch(labels[-1]):
        is_quad = QUAD.fullmatch(name) and all(int(label) <= 255 for label in labels)
        return name if is_quad else UNTOLD
    return ".".join(labels) if all(map(LABEL.fullmatch, labels)) else UNTOLD


def _of_authority(authority):
    host = authority.rpartition("@")[2]
    if "%" in host:
        return UNTOLD
    if "[" in host or "]" in host:
        found = BRACKETED.fullmatch(host)
        return _ipv6(found[1]) if found else UNTOLD
    return _name(host.partition(":")[0])


def of_url(url):
    """The host of a URL; UNTOLD when readers may differ, NOWHERE when it reaches none."""
    if PRINTABLE.fullmatch(url) is None:
        return UNTOLD
    scheme = SCHEME.match(url)
    if scheme is None and not url.startswith("//"):
        return UNTOLD
    if scheme and scheme[1].lower() in ("view-source", "blob"):
        return UNTOLD
    if scheme and scheme[1].lower() not in REACHING:
        return NOWHERE
    rest = url[scheme.end() :] if scheme else url
    authority = re.match(r"[^/?#]*", rest[2:])[0] if rest.startswith("//") else ""
    browser = re.match(r"[^/\\?#]*", rest.lstrip("/\\"))[0]
    user, _, place = authority.rpartition("@")
    if re.search(r"[\[\]]", user) or (re.search(r"[\[\]]", place) and BRACKETED.fullmatch(place) is None):
        return UNTOLD
    one, other = _of_authority(authority), _of_authority(browser)
    return one if one == other else UNTOLD


def is_claimable(host):
    return CLAIM.fullmatch(host) is not None


def of_plain(host):
    """The host of a claim or an effect, without scheme and path."""
    if PRINTABLE.fullmatch(host) is None or re.search(r"[/?#@\\%]", host):
        return UNTOLD
    if host.startswith("["):
        found = re.fullmatch(r"\[([^\[\]]*)\](?::[0-9]{1,5})?", host)
        return _ipv6(found[1]) if found else UNTOLD
    if host.count(":") > 1:
        return _ipv6(host)
    found = re.fullmatch(r"([^:\[\]]*)(?::[0-9]{1,5})?", host)
    return _name(found[1]) if found else UNTOLD
