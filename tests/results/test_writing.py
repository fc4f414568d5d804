"""Reports are written whole or not at all, and leave nothing beside them."""

import pytest

from grader.results.write_files import write_whole


def test_what_cannot_be_written_leaves_the_old_file_and_nothing_else(tmp_path):
    file = tmp_path / "results.json"
    write_whole(file, "old")

    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "new \ud800")

    assert file.read_text() == "old" and list(tmp_path.iterdir()) == [file]


def test_what_somebody_left_who_was_killed_is_in_nobodys_way(tmp_path):
    file, left = tmp_path / "results.json", tmp_path / ".results.json.new"
    left.symlink_to(tmp_path / "elsewhere")

    write_whole(file, "new")

    assert file.read_text() == "new" and list(tmp_path.iterdir()) == [file]


def test_a_link_or_a_folder_in_the_place_of_a_report_is_replaced(tmp_path):
    (tmp_path / "report.html").mkdir()
    (tmp_path / "grades.csv").symlink_to(tmp_path / "elsewhere")

    for name in ("report.html", "grades.csv"):
        write_whole(tmp_path / name, "new")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["grades.csv", "report.html"]
    assert not (tmp_path / "grades.csv").is_symlink()
