"""Create zip files whose bytes depend only on their content."""

import io
import zipfile
from collections.abc import Mapping

_DATE = (1980, 1, 1, 0, 0, 0)
"""The date given to every packed file."""


def pack_zip(content: Mapping[str, bytes], executable: tuple[str, ...] = ()) -> bytes:
    """A zip of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in content.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3  # Unix, on every system: needed to store file permissions
            entry.external_attr = (0o100755 if name in executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()
