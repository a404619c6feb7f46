"""FORMAT section 6: Ed25519 of the cofactorless equation, in RFC 8032 point arithmetic and by OpenSSL."""

import base64
import binascii
import functools
import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def decode(data):
    """The point of 32 bytes in their one canonical encoding; None otherwise (RFC 8032 section 5.1.3)."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * SQRT_M1 % P
    if (v * x * x - u) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def encode(point):
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


@functools.lru_cache
def key_fault(data):
    """Why the bytes are no public key of a trust store; None when they are one."""
    if len(data) != 32:
        return "not 32 bytes"
    point = decode(data)
    if point is None:
        return "no canonical point"
    if encode(multiply(8, point)) == encode(IDENTITY):
        return "of small order"
    if encode(multiply(L, point)) != encode(IDENTITY):
        return "not torsion-free"
    return None


def equation_holds(public_key, message, signature):
    """encode([S]B - [k]A) = R, S < L; the key must be a canonical point."""
    point = decode(public_key) if len(public_key) == 32 else None
    if point is None or len(signature) != 64:
        return False
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(r + public_key + message).digest(), "little") % L
    return encode(add(multiply(s, BASE), multiply(L * 8 - k, point))) == r


def openssl_accepts(public_key, message, signature):
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def from_base64(text):
    """RFC 4648 section 4, padded and canonical; None otherwise."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None
