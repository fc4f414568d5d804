"""Zip files whose bytes depend only on their content."""

import io
import zipfile
from collections.abc import Mapping

SAME_ALWAYS = (1980, 1, 1, 0, 0, 0)
"""The date of every file that we pack."""


def pack_zip(content: Mapping[str, bytes], executable: tuple[str, ...] = ()) -> bytes:
    """A zip of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in content.items():
            entry = zipfile.ZipInfo(name, SAME_ALWAYS)
            entry.create_system = 3  # as on Unix, wherever we are: only so does it keep who may run what
            entry.external_attr = (0o100755 if name in executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()
