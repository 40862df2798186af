"""Lookup of a zip's files by the names that Waymark gave them, also after the zip was unpacked and packed
again."""

from __future__ import annotations

import zipfile
from unicodedata import normalize

#: Files that file managers add: folder settings, resource forks, previews.
_ADDED = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
_ADDED_FOLDER = "__MACOSX"
#: Flag of a zip entry with a UTF-8 name; without it `zipfile` decodes names as code page 437.
_UTF8 = 0x800


class PackedFiles:
    """The files of an open zip in the folder that has `manifest` in it, by their names from there: Safari
    unpacks a download, and Finder and Files pack a folder with its name in front of every file. Names are
    compared in NFC, since macOS writes NFD. There are no files without a manifest, and none with two
    manifests at the same depth."""

    def __init__(self, archive: zipfile.ZipFile, manifest: str) -> None:
        found = {
            name: info
            for info in archive.filelist
            if not info.is_dir() and not _is_added(name := _name_of(info))
        }
        folders = [name.removesuffix(manifest) for name in found if f"/{name}".endswith(f"/{manifest}")]
        folders.sort(key=lambda folder: folder.count("/"))
        twice = len(folders) > 1 and folders[0].count("/") == folders[1].count("/")
        self._archive = archive
        self._files: dict[str, zipfile.ZipInfo] = {}
        if folders and not twice:
            inside = {
                name.removeprefix(folders[0]): info
                for name, info in found.items()
                if name.startswith(folders[0])
            }
            self._files = {**{normalize("NFC", name): info for name, info in inside.items()}, **inside}
        self.names = frozenset(self._files)

    def __contains__(self, name: str) -> bool:
        return self._info(name) is not None

    def size_bytes(self, name: str) -> int | None:
        """A file's unpacked size in bytes; None for a missing file."""
        info = self._info(name)
        return info.file_size if info is not None else None

    def open(self, name: str) -> zipfile.ZipExtFile:
        """Open a file for reading; reading stops at the size given in the zip's directory. Raises
        `KeyError`."""
        info = self._info(name)
        if info is None:
            raise KeyError(name)
        return self._archive.open(info)  # type: ignore[return-value]  # typeshed: IO[bytes]

    def _info(self, name: str) -> zipfile.ZipInfo | None:
        return self._files.get(name) or self._files.get(normalize("NFC", name))


def _name_of(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & _UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode()
    except UnicodeError:
        return info.filename


def _is_added(name: str) -> bool:
    *folders, file = name.split("/")
    return _ADDED_FOLDER in folders or file in _ADDED or file.startswith("._")
