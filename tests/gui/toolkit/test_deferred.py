"""What takes a while to work out."""

from coterie.gui.toolkit.deferred import Pending


def test_a_small_matter_is_done_at_once() -> None:
    pending = Pending(0)
    pending.renew(("one",), lambda: 1, at_once=True)
    assert (pending.value, pending.work) == (1, None)


def test_the_value_before_stays_until_the_work_is_done() -> None:
    pending = Pending(0)
    pending.renew(("one",), lambda: 1, at_once=False)
    work = pending.work
    assert work is not None
    assert pending.value == 0
    assert pending.take(work, work())
    assert (pending.value, pending.work) == (1, None)


def test_of_the_same_things_it_is_not_made_again() -> None:
    made_of = ([1], [2])
    pending = Pending(0)
    pending.renew(made_of, lambda: 1, at_once=True)
    pending.renew(made_of, lambda: 2, at_once=True)
    assert pending.value == 1
    pending.renew(([1], [2]), lambda: 3, at_once=True)  # equal, but others
    assert pending.value == 3


def test_what_is_out_of_date_is_not_taken() -> None:
    pending = Pending(0)
    pending.renew(("one",), lambda: 1, at_once=False)
    old = pending.work
    pending.renew(("two",), lambda: 2, at_once=False)
    assert not pending.take(old, 1)
    assert pending.value == 0
    pending.finish()
    assert pending.value == 2


def test_work_that_failed_leaves_the_value_before() -> None:
    pending = Pending(0)
    pending.renew(("one",), lambda: 1, at_once=False)
    work = pending.work
    pending.give_up(object())
    pending.finish()
    assert pending.value == 1
    pending.renew(("two",), lambda: 2, at_once=False)
    pending.give_up(work)  # long out of date
    pending.give_up(pending.work)
    pending.finish()
    assert pending.value == 1
