"""Every finding in a few words, for tables; its own text says the rest."""

from grader.language import say

_NAMES = {
    "archive_format": say("archive that is not unpacked"),
    "broken_zip": say("broken zip"),
    "chosen": say("one of several players"),
    "copy_left_out": say("copy left out"),
    "ctypes": say("machine code"),
    "disqualified": say("disqualified"),
    "empty_submission": say("empty"),
    "encrypted_zip": say("zip with a password"),
    "eval": say("code made while it plays"),
    "fewer_games": say("fewer games"),
    "files": say("writes files"),
    "files_beside": say("files beside it"),
    "forbidden_import": say("forbidden module"),
    "id_taken": say("id taken"),
    "import_time": say("work on import"),
    "input": say("waits for input"),
    "late": say("late"),
    "late_moves": say("late moves"),
    "latest_attempt": say("several attempts"),
    "link": say("link"),
    "load_error": say("cannot be loaded"),
    "long_name": say("name too long"),
    "missing_import": say("missing module"),
    "missing_package": say("missing package"),
    "missing_play": say("no play"),
    "nested_zips": say("zips in zips"),
    "network": say("network"),
    "no_player": say("no player"),
    "prints": say("prints"),
    "processes": say("processes"),
    "same_name": say("same name twice"),
    "several_players": say("several players"),
    "special_file": say("special file"),
    "syntax_error": say("syntax error"),
    "too_deep": say("folders too deep"),
    "too_large": say("too large"),
    "too_many_files": say("too many files"),
    "unreadable": say("unreadable file"),
    "unreadable_folder": say("unreadable folder"),
    "zip_bomb": say("zip bomb"),
    "zip_slip": say("zip that leaves its folder"),
}


def finding_label(code: str) -> str:
    """A kind of finding in two or three words; its code, if an older grader knew it and this one does not."""
    return _NAMES.get(code, code)


def known_codes() -> frozenset[str]:
    """The codes that have a name."""
    return frozenset(_NAMES)
