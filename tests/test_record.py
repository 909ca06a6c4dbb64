"""Records: encoded once, chained, signed."""

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from appliance import record as rec

EPOCH = "1-00112233445566aa"


def made(seq=1, prev=None, type_=rec.EPOCH_OPENED, data=None, stream="round/R1"):
    opened = rec.to_raw(rec.EpochOpened(None, "director", "begin"))
    return rec.encode(
        rec.Record(
            stream=stream,
            epoch=EPOCH,
            seq=seq,
            id=rec.uuid7(1, bytes(10)),
            at=1,
            type=type_,
            data=data or opened,
            prev=prev,
        )
    )


def test_a_decoded_record_is_the_one_encoded():
    raw = made()
    assert rec.encode(rec.decode(raw)) == raw


@given(st.binary(max_size=300))
def test_any_bytes_are_a_record_or_a_record_error(raw):
    try:
        rec.decode(raw)
    except rec.RecordError as error:
        assert error.code.startswith(("bad-", "record-too-large"))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"stream": "../etc/passwd"}, "bad-stream"),
        ({"stream": "round/" + "x" * 1_000_000}, "record-too-large"),
        ({"epoch": "0-00112233445566aa"}, "bad-epoch"),
        ({"seq": 0}, "bad-seq"),
        ({"seq": "1"}, "bad-record"),
        ({"prev": "zz"}, "bad-prev"),
        ({"at": None}, "bad-record"),
    ],
)
def test_a_malformed_record_is_named(change, code):
    fields = msgspec.json.decode(made()) | change
    with pytest.raises(rec.RecordError) as caught:
        rec.decode(msgspec.json.encode(fields))
    assert caught.value.code == code


def test_deep_nesting_is_an_error_and_not_a_crash():
    raw = made().replace(b'"begin"', b"[" * 20_000 + b"]" * 20_000)
    with pytest.raises(rec.RecordError):
        rec.follow(None, raw)


def test_a_record_follows_only_its_predecessor():
    first, head = rec.follow(None, made())
    _, second = rec.follow(head, made(2, head.hash, "opened/1"))
    assert (first.seq, second.seq) == (1, 2)
    for wrong in (
        made(3, head.hash, "x/1"),
        made(2, "0" * 64, "x/1"),
        made(2, head.hash, "x/1", stream="round/R2"),
    ):
        with pytest.raises(rec.RecordError, match="broken-chain"):
            rec.follow(head, wrong)


def one_by_one(before, raws):
    records = []
    for raw in raws:
        record, before = rec.follow(before, raw)
        records.append(record)
    return records, before


def chain(length):
    raws = [made()]
    while len(raws) < length:
        raws.append(made(len(raws) + 1, rec.digest(raws[-1]), "counted/1", rec.to_raw({"n": len(raws)})))
    return raws


SPOILED = {
    "sound": lambda raws, at: None,
    "missing": lambda raws, at: raws.pop(at),
    "twice": lambda raws, at: raws.insert(at, raws[at]),
    "cut": lambda raws, at: raws.__setitem__(at, raws[at][:-1]),
    "changed": lambda raws, at: raws.__setitem__(at, raws[at].replace(b'"at":1', b'"at":2')),
    "of another stream": lambda raws, at: raws.__setitem__(at, raws[at].replace(b"round/R1", b"round/R2")),
    "of another epoch": lambda raws, at: raws.__setitem__(at, raws[at].replace(EPOCH.encode(), b"2-00112233445566aa")),
    "too large": lambda raws, at: raws.__setitem__(at, raws[at] + b" " * rec.MAX_RECORD_BYTES),
    "no record": lambda raws, at: raws.__setitem__(at, b"[1"),
}


@pytest.mark.parametrize("spoil", SPOILED)
@pytest.mark.parametrize("at", range(6))
@pytest.mark.parametrize("first", [0, 2])
def test_many_records_in_a_row_are_checked_as_each_of_them_is(spoil, at, first):
    raws = chain(6)
    _, before = one_by_one(None, raws[:first])
    SPOILED[spoil](raws, at)
    try:
        expected = one_by_one(before, raws[first:])
    except rec.RecordError as error:
        with pytest.raises(rec.RecordError) as caught:
            rec.follow_all(before, raws[first:])
        assert (caught.value.code, caught.value.detail) == (error.code, error.detail)
    else:
        assert rec.follow_all(before, raws[first:]) == expected


def test_no_records_leave_the_head_where_it_was():
    head = rec.Head("round/R1", EPOCH, 3, "0" * 64)
    assert rec.follow_all(head, []) == ([], head)


def test_an_epoch_must_open_with_its_link():
    with pytest.raises(rec.RecordError, match="broken-chain"):
        rec.follow(None, made(type_="opened/1"))
    backwards = rec.to_raw(rec.EpochOpened(rec.Link("2-00112233445566aa", 3, "a" * 64), "d", "w"))
    with pytest.raises(rec.RecordError, match="later epoch"):
        rec.follow(None, made(prev="a" * 64, data=backwards))


def test_a_signature_holds_for_its_head_alone():
    key = Ed25519PrivateKey.generate()
    _, head = rec.follow(None, made())
    signature = rec.sign(key, head)
    assert rec.verify(key.public_key(), head, signature)
    assert not rec.verify(key.public_key(), head._replace(seq=2), signature)
    assert not rec.verify(key.public_key(), head, b"short")


@given(st.integers(0, (1 << 48) - 1), st.binary(min_size=10, max_size=10))
def test_uuid7_is_valid_and_sorts_by_time(at, random):
    from uuid import RFC_4122, UUID

    value = UUID(rec.uuid7(at, random))
    assert (value.version, value.variant, value.int >> 80) == (7, RFC_4122, at)


def test_epochs_sort_by_number_then_journal():
    low, high = rec.Epoch.parse("9-ffffffffffffffff"), rec.Epoch.parse("10-0000000000000000")
    assert low < high < rec.Epoch.parse("10-0000000000000001")


def test_a_tables_epochs_go_by_the_time_and_leap_only_to_where_the_numbers_end():
    tonight, ended = rec.Epoch.parse("180003600-0000000000000000"), rec.Epoch.parse("999999999-0000000000000000")
    for before in (None, "1-0000000000000000"):
        assert not tonight.leaps(before, dated=True) and tonight.leaps(before) and ended.leaps(before, dated=True)


def test_no_epoch_leaps_to_where_the_numbers_end():
    first, ended = rec.Epoch.parse("1-0000000000000000"), rec.Epoch.parse("999999999-0000000000000000")
    assert not first.leaps(None) and ended.leaps(None) and ended.leaps(str(first))
    assert not rec.Epoch.parse("1001-0000000000000000").leaps(str(first))
    assert rec.Epoch.parse("1002-0000000000000000").leaps(str(first)) and not first.leaps(str(ended))
