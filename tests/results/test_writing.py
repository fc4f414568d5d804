"""Reports are written completely or not at all, and no temporary files remain."""

import pytest

from grader.results.write_files import write_whole


def test_a_failed_write_keeps_the_old_file_and_leaves_no_other(tmp_path):
    file = tmp_path / "results.json"
    write_whole(file, "old")

    with pytest.raises(TypeError):
        write_whole(file, 3)  # type: ignore[arg-type]  # fails in the middle, after the new file was opened

    assert file.read_text() == "old" and list(tmp_path.iterdir()) == [file]


def test_a_temporary_file_left_by_a_killed_process_is_replaced(tmp_path):
    file, leftover = tmp_path / "results.json", tmp_path / ".results.json.new"
    leftover.symlink_to(tmp_path / "elsewhere")

    write_whole(file, "new")

    assert file.read_text() == "new" and list(tmp_path.iterdir()) == [file]


def test_a_link_or_folder_with_the_name_of_a_report_is_replaced(tmp_path):
    (tmp_path / "report.html").mkdir()
    (tmp_path / "grades.csv").symlink_to(tmp_path / "elsewhere")

    for name in ("report.html", "grades.csv"):
        write_whole(tmp_path / name, "new")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["grades.csv", "report.html"]
    assert not (tmp_path / "grades.csv").is_symlink()
