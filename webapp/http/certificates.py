"""A certificate for the home network: an authority of the table's own, and a server certificate signed by
it.

Browsers grant the live camera to https pages alone, and nobody certifies addresses of a home network.
Devices that install the authority trust the table; others show a warning once."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webapp.store.photos import write_whole

#: Apple's devices take server certificates of at most 825 days from an authority that a person installed.
SERVER_DAYS = 800
AUTHORITY_DAYS = 3650
#: A server certificate is made anew when less than this is left of it.
_RENEW_DAYS = 30


@dataclass(frozen=True)
class Certificates:
    """PEM files: the authority that devices may install, the server's certificate and its key."""

    authority: Path
    server: Path
    key: Path


def local_certificates(folder: Path, names: Sequence[str]) -> Certificates:
    """The table's certificates for these host names and addresses: made at the first need, kept in
    `folder`, and signed anew when a name is missing or the time is nearly over."""
    files = Certificates(folder / "waymark-authority.pem", folder / "server.pem", folder / "server-key.pem")
    authority_key_file = folder / "authority-key.pem"
    if not files.authority.exists() or not authority_key_file.exists():
        _make_authority(files.authority, authority_key_file)
    if not _is_good(files.server, names):
        _make_server(files, authority_key_file, names)
    return files


def _make_authority(file: Path, key_file: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Waymark table")])
    builder = _begun(name, name, key.public_key(), AUTHORITY_DAYS)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage(signs=True), critical=True)
    _write_key(key_file, key)
    write_whole(file, builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))


def _make_server(files: Certificates, authority_key_file: Path, names: Sequence[str]) -> None:
    authority = x509.load_pem_x509_certificate(files.authority.read_bytes())
    authority_key = serialization.load_pem_private_key(authority_key_file.read_bytes(), password=None)
    assert isinstance(authority_key, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Waymark")])
    builder = _begun(name, authority.subject, key.public_key(), SERVER_DAYS)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(x509.SubjectAlternativeName([_general(n) for n in names]), critical=False)
    builder = builder.add_extension(_usage(signs=False), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    _write_key(files.key, key)
    signed = builder.sign(authority_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    write_whole(files.server, signed)


def _is_good(file: Path, names: Sequence[str]) -> bool:
    """Whether a server certificate names all of these and will last."""
    if not file.exists():
        return False
    certificate = x509.load_pem_x509_certificate(file.read_bytes())
    has = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    lasts = certificate.not_valid_after_utc - datetime.now(UTC) > timedelta(days=_RENEW_DAYS)
    return lasts and {_general(name) for name in names} <= set(has)


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        # Clocks of phones and laptops differ.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days - 1))
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _write_key(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_whole(file, pem)
    file.chmod(0o600)
