"""The packages that a submission requires, in every form that students write them."""

import codecs

import pytest

from grader.inspection.entry import find_entry
from tests.intake.folders import PLAYER, make


def missing(tmp_path, files):
    _, findings = find_entry(make(tmp_path, {"solution.py": PLAYER, **files}))
    return [(finding.file, finding.line, finding.text.split()[3].strip(",")) for finding in findings]


def test_requirements_in_a_subfolder_are_read_and_each_missing_package_reported(tmp_path):
    files = {"docs/requirements.txt": "numpy>=1.0\nno-such-bitset==3.0\n\nnever.heard.of\n"}

    found = missing(tmp_path, files)

    assert found == [
        ("docs/requirements.txt", 2, "no-such-bitset"),
        ("docs/requirements.txt", 4, "never.heard.of"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "no-such-bitset",
        "  no-such-bitset   # para los conjuntos",
        "no-such-bitset[fast,extra]>=2 ; python_version >= '3.8'",
        "no-such-bitset ~= 1.0, != 1.2",
        "no-such-bitset @ https://example.org/x.zip",
        'no-such-bitset; sys_platform == "linux" or extra == "x"',
        "no-such-bitset==1.0 --hash=sha256:abc \\",
    ],
)
def test_every_way_to_write_a_requirement_is_understood(tmp_path, line):
    assert missing(tmp_path, {"requirements.txt": line}) == [("requirements.txt", 1, "no-such-bitset")]


@pytest.mark.parametrize(
    "line",
    [
        "# no-such-bitset",
        "",
        "NumPy",
        "click[dev]>=1",
        "random",
        "--index-url https://example.org",
        "-e .",
        "git+https://example.org/x.git",
        "./wheels/x.whl",
        'no-such-bitset; sys_platform == "no-such-platform"',
        "no-such-bitset; python_version < '3.0'",
        "-r gone.txt",
        "-r ../../../../etc/passwd",
        "¡hola! ¿qué?",
    ],
)
def test_installed_packages_and_other_lines_are_not_reported(tmp_path, line):
    assert missing(tmp_path, {"requirements.txt": line}) == []


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(codecs.BOM_UTF8 + b"no-such-bitset\r\nnumpy\r\n", id="BOM and CRLF"),
        pytest.param("no-such-bitset\r\nnumpy\r\n".encode("utf-16"), id="UTF-16 little"),
        pytest.param(codecs.BOM_UTF16_BE + "no-such-bitset\n".encode("utf-16-be"), id="UTF-16 big"),
        pytest.param(b"no-such-bitset\n# \xf1\xff\n", id="latin-1"),
    ],
)
def test_requirements_are_read_in_any_encoding(tmp_path, data):
    assert missing(tmp_path, {"requirements.txt": data}) == [("requirements.txt", 1, "no-such-bitset")]


def test_an_included_file_is_read_and_each_package_reported_once(tmp_path):
    files = {
        "requirements.txt": "-r deps/extra.in\nno-such-a\n-r requirements.txt\n",
        "deps/extra.in": "no-such-b\nNo-Such-A\n",
    }

    assert missing(tmp_path, files) == [("requirements.txt", 2, "no-such-a"), ("deps/extra.in", 1, "no-such-b")]


def test_requirements_of_a_virtual_environment_or_huge_files_are_not_read(tmp_path):
    files = {"venv/requirements.txt": "no-such-a", "requirements-data.txt": "no-such-b\n" * 20_000}

    assert missing(tmp_path, files) == []
