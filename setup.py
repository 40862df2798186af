"""What is made while a wheel is built: the open sets' art packed as WebP (a quarter of the size of the
repository's PNG), and the compiled translations."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from PIL import Image
from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))
from scorer.translations import compiled_catalogue, translated_languages

#: Of WebP's 0 to 100. Below, scans with packed art differ from those with PNG (docs/experiments.md).
QUALITY = 80


def packed(file: Path) -> bytes:
    """A picture as WebP: lossy, or lossless where that is smaller, as it is for flat drawings."""
    with Image.open(file) as picture:
        flat = picture.mode == "P"
        upright = picture.convert("RGBA" if "A" in picture.mode or "transparency" in picture.info else "RGB")
    made = []
    for options in ({"quality": QUALITY}, {"lossless": True}) if flat else ({"quality": QUALITY},):
        out = io.BytesIO()
        upright.save(out, "WEBP", method=6, **options)
        made.append(out.getvalue())
    return min(made, key=len)


class BuildPackages(build_py):
    """Copies the packages; in what was copied, the art of every shipped catalogue becomes WebP and the
    translations are compiled."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for language in translated_languages():
            compiled = Path(self.build_lib) / "scorer/translations" / f"{language}.mo"
            compiled.parent.mkdir(parents=True, exist_ok=True)
            compiled.write_bytes(compiled_catalogue(language))
        for catalogue in Path(self.build_lib).rglob("catalogue/catalogue.json"):
            pictures = (catalogue.parent / folder for folder in ("art", "pieces"))
            for file in sorted(each for folder in pictures for each in folder.glob("*.png")):
                file.with_suffix(".webp").write_bytes(packed(file))
                file.unlink()
            text = catalogue.read_text(encoding="utf-8")
            catalogue.write_text(re.sub(r'"(art/[^"]+)\.png"', r'"\1.webp"', text), encoding="utf-8")


setup(cmdclass={"build_py": BuildPackages})
