"""What is wrong with the arguments is said in one line on standard error, and numbers are plain digits (CONTRACT)."""

import subprocess
import sys

import pytest

from appliance.cli import COMMANDS


def tableside(*arguments, **options):
    command = [sys.executable, "-m", "appliance", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def refused(*arguments):
    done = tableside(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("tableside"), done.stderr
    return done.stderr


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"league"}))
def test_an_argument_that_is_none_is_refused_in_one_line(name):
    told = refused(name, "--no-such-option")
    assert "--no-such-option" in told or "required" in told


def test_a_command_that_is_none_is_refused_in_one_line():
    assert "command" in refused().lower()
    assert "flop" in refused("flop")


@pytest.mark.parametrize("number", ["", "1e3", "2.5", "NaN", "inf", "1_0", "+5", " 5", "２０", "0x10", "9" * 5000])
@pytest.mark.parametrize("arguments", [("points", "--players"), ("prizes", "--shares", "100", "--pool")])
def test_a_number_is_whole_and_written_in_plain_digits(arguments, number):
    assert arguments[-1] in refused(*arguments, number)


@pytest.mark.parametrize("arguments", [("prizes", "--pool", "9", "--shares", "-5,105"), ("points", "--players", "-1")])
def test_what_is_less_than_nothing_is_refused_in_one_line(arguments):
    refused(*arguments)


def test_a_file_without_an_end_is_refused_after_as_much_as_any_can_have():
    for arguments in (("points", "--players", "9", "--key"), ("round",)):
        assert "/dev/zero" in refused(*arguments, "/dev/zero")
