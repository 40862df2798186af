"""A certificate for the home network: the table's own authority, and a server certificate signed by it.

Browsers allow the live camera on https pages only, and no public authority certifies addresses of a home
network. Devices that install the table's authority trust the table; others show a warning once. A stolen key
cannot be used for other sites: the authority is constrained to names of home networks and those given to the
table.

They are created with `cryptography`. trustme, which is meant for tests, names an authority "Testing CA" in a
phone's settings, and cannot sign with an authority that lacks a key identifier, as those of older tables do.
"""

from __future__ import annotations

import inspect
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webapp.http.host_names import LOCAL_ENDINGS, is_address
from webapp.store.photos import write_whole

#: Browsers and phones accept server certificates for at most 398 days.
SERVER_DAYS = 397
AUTHORITY_DAYS = 3650
#: A server certificate is renewed when it is valid for fewer days than this.
_RENEW_DAYS = 30
#: Key usages of the authority and of the server.
_SIGNS = frozenset({"key_cert_sign", "crl_sign"})
_SERVES = frozenset({"digital_signature"})


#: Networks that are not routed on the internet (RFC 1918, 3927, 4193, 4291, 5735, 6598).
_HOME_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        (
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "169.254.0.0/16",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "fc00::/7",
            "fe80::/10",
            "::1/128",
        ),
    )
)


@dataclass(frozen=True)
class Certificates:
    """Paths of PEM files: the authority for devices to install, the server's certificate, and its key."""

    authority: Path
    server: Path
    key: Path


def local_certificates(folder: Path, names: Sequence[str]) -> Certificates:
    """The table's certificates for these host names and addresses: made at the first need, kept in
    `folder`, and signed anew when a name is missing or the time is nearly over."""
    files = Certificates(folder / "waymark-authority.pem", folder / "server.pem", folder / "server-key.pem")
    authority_key_file = folder / "authority-key.pem"
    if not (files.authority.exists() and authority_key_file.exists() and _may_sign(files.authority, names)):
        _make_authority(files.authority, authority_key_file, names)
        files.server.unlink(missing_ok=True)
    if not _is_good(files.server, names):
        _make_server(files, authority_key_file, names)
    return files


def _make_authority(file: Path, key_file: Path, names: Sequence[str]) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("Waymark table")
    builder = _builder(name, key.public_key(), name, key.public_key(), AUTHORITY_DAYS, _SIGNS).add_extension(
        x509.NameConstraints(_permitted(names), None), critical=True
    )
    _write_key(key_file, key)
    write_whole(file, builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))


def _permitted(names: Sequence[str]) -> list[x509.GeneralName]:
    """Name constraints of an authority: names and addresses of home networks, and these names."""
    own = [name for name in names if not _is_of_home(name)]
    at_home = [x509.DNSName(ending.removeprefix(".")) for ending in LOCAL_ENDINGS]
    return [*at_home, *map(x509.IPAddress, _HOME_NETWORKS), *map(_subtree, own)]


def _is_of_home(name: str) -> bool:
    if is_address(name):
        return any(ipaddress.ip_address(name) in network for network in _HOME_NETWORKS)
    return f".{name}".endswith(LOCAL_ENDINGS)


def _may_sign(file: Path, names: Sequence[str]) -> bool:
    """Whether the name constraints of an authority permit all names. Authorities of older tables have no
    constraints and remain in use, since devices already trust them."""
    authority = x509.load_pem_x509_certificate(file.read_bytes())
    try:
        limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    except x509.ExtensionNotFound:
        return True
    permitted = limits.permitted_subtrees or ()
    return all(any(_covers(subtree, name) for subtree in permitted) for name in names)


def _covers(subtree: x509.GeneralName, name: str) -> bool:
    """Whether one name constraint permits a name or address."""
    if isinstance(subtree, x509.DNSName):
        return f".{name}".endswith(f".{subtree.value}")
    return is_address(name) and ipaddress.ip_address(name) in subtree.value


def _make_server(files: Certificates, authority_key_file: Path, names: Sequence[str]) -> None:
    authority = x509.load_pem_x509_certificate(files.authority.read_bytes())
    authority_key = serialization.load_pem_private_key(authority_key_file.read_bytes(), password=None)
    assert isinstance(authority_key, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = (authority.subject, authority_key.public_key())
    builder = (
        _builder(_name("Waymark"), key.public_key(), *issuer, SERVER_DAYS, _SERVES)
        .add_extension(x509.SubjectAlternativeName([_general(n) for n in names]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    )
    _write_key(files.key, key)
    signed = builder.sign(authority_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    write_whole(files.server, signed)


def _is_good(file: Path, names: Sequence[str]) -> bool:
    """Whether a server certificate contains all names and remains valid for long enough."""
    if not file.exists():
        return False
    certificate = x509.load_pem_x509_certificate(file.read_bytes())
    has = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    lasts = certificate.not_valid_after_utc - datetime.now(UTC) > timedelta(days=_RENEW_DAYS)
    return lasts and {_general(name) for name in names} <= set(has)


def _builder(
    subject: x509.Name,
    key: ec.EllipticCurvePublicKey,
    issuer: x509.Name,
    issuer_key: ec.EllipticCurvePublicKey,
    days: int,
    uses: frozenset[str],
) -> x509.CertificateBuilder:
    """Builder of a certificate for a public key, valid for a number of days, ready for the issuer's
    signature."""
    now = datetime.now(UTC)
    authority = uses == _SIGNS
    every_use = list(inspect.signature(x509.KeyUsage).parameters)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        # The clocks of phones and laptops differ.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days - 1))
        .add_extension(x509.BasicConstraints(authority, path_length=0 if authority else None), critical=True)
        .add_extension(x509.KeyUsage(**{use: use in uses for use in every_use}), critical=True)
        # Strict clients, such as Python 3.13, require both.
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key), critical=False)
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _subtree(name: str) -> x509.GeneralName:
    """The name constraint that permits a name or address."""
    return x509.IPAddress(ipaddress.ip_network(name)) if is_address(name) else x509.DNSName(name)


def _write_key(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_whole(file, pem)
    file.chmod(0o600)
