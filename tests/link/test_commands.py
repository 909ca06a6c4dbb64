from __future__ import annotations

from msgspec import Raw

from appliance.link.commands import NO_ANSWER, Commands
from appliance.link.envelope import CommandMessage, Refusal, Reply


def command(id_: str, ttl_ms: int = 10_000) -> CommandMessage:
    return CommandMessage(id_, "k1", "000101", "R1", ttl_ms, Raw(b"{}"))


def sent(commands: Commands, now: float) -> list[str]:
    return [message.id for message in commands.poll(now, None)]


def test_a_command_goes_at_once_and_then_ever_more_seldom() -> None:
    commands = Commands()
    commands.add(command("a"), 0.0)
    times = [n / 10 for n in range(100) if sent(commands, n / 10)]
    assert times == [0.0, 0.5, 1.5, 3.5, 5.5, 7.5, 9.5]


def test_commands_go_in_the_order_they_were_given() -> None:
    commands = Commands()
    for id_ in "abc":
        commands.add(command(id_), 0.0)
    assert sent(commands, 0.0) == ["a", "b", "c"]
    commands.answer(Reply("b", True), 0.0)
    commands.send_again()
    assert sent(commands, 0.1) == ["a", "c"]


def test_each_copy_carries_what_is_left_of_its_life() -> None:
    commands = Commands()
    commands.add(command("a", 3000), 100.0)
    (first,) = commands.poll(100.0, None)
    (second,) = commands.poll(101.0, 50_000.0)
    assert (first.ttl_ms, first.expires_ms) == (3000, None)
    assert (second.ttl_ms, second.expires_ms) == (2000, 153_000)


def test_the_end_of_a_life_is_told_once() -> None:
    commands = Commands()
    commands.add(command("a", 3000), 0.0)
    assert commands.deadline == 3.0
    assert commands.expire(2.9) == []
    (reply,) = commands.expire(3.0)
    assert (reply.id, reply.ok) == ("a", False)
    assert isinstance(reply.refusal, Refusal)
    assert reply.refusal.code == NO_ANSWER
    assert commands.expire(4.0) == []
    assert commands.due is None


def test_an_answer_is_given_out_once_and_only_when_held() -> None:
    commands = Commands()
    commands.add(command("a"), 0.0)
    commands.add(command("b"), 0.0)
    accepted, refused = Reply("a", True, "round/R1", "1-00c0ffee00c0ffee", 5), Reply("b", False)
    for reply in (accepted, refused, accepted):
        commands.answer(reply, 0.0)
    assert list(commands.answered(lambda reply: False)) == [refused]
    assert commands.expire(99.0) == [], "answered in time, only not shown yet"
    assert list(commands.answered(lambda reply: True)) == [accepted]
    commands.answer(accepted, 0.0)
    assert list(commands.answered(lambda reply: True)) == []


def test_an_answer_on_one_disk_only_is_told_so_after_a_second() -> None:
    commands = Commands()
    commands.add(command("a"), 0.0)
    accepted = Reply("a", True, "round/R1", "1-00c0ffee00c0ffee", 5)
    commands.answer(accepted, 0.3)
    assert commands.overdue(1.2) == []
    assert commands.due == commands.deadline == 1.3
    assert commands.overdue(1.3) == [accepted]
    assert list(commands.answered(lambda reply: True)) == []
    assert commands.due is None
