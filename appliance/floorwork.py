"""The floor menu at one kiosk: whose it is, when it leaves, what its keys ask of the director, what became of that.

For the engine thread. What the menu is and where keys lead is `appliance.floor`'s; what is needed of the kiosk is
`Floorman`. A menu is open only for a commissioner who has just shown their rights here, and while they are: without a
key, a turn, a touch or a card for `IDLE_S` it closes, as it does when the league withdraws them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from msgspec.structs import replace

from appliance import floorkeys
from appliance.cards.outcome import Refusal as CardRefusal
from appliance.cards.outcome import Refused, Verdict
from appliance.display.scene import OpenMenu
from appliance.floor import devices, phones, rightclock
from appliance.floor.forms import Here, Request
from appliance.floor.lines import Shown
from appliance.floor.menu import Menu, Step, answered, followed, lines_of, opened, press, seen_below
from appliance.floor.said import Said
from appliance.floorglance import By, Glance
from appliance.floorman import Floorman
from appliance.floorpage import page_of
from appliance.floorsent import LastSent, Sent
from appliance.floorsight import FloorSight
from appliance.game.history import steps, undone_steps
from appliance.game.refusal import Refusal
from appliance.hw.panel import Button, Signal
from appliance.i18n import N_
from appliance.link.envelope import Reply
from appliance.link.lan import NO_ANSWER
from appliance.post import why_not
from appliance.snapshot import Key
from appliance.timenotes import TimeConfirmed

IDLE_S = 30.0
"""How long an open menu waits for its commissioner."""

DONE_S = 3.0
"""How long a page stays that says that something was done."""

ALOUD_S = 300.0
"""How long a page waits that is being read out to a table."""

_NOT_DONE = N_("Not done – {what}: {why}")
_ASKS_A_PLAYER = frozenset({"field", "player"})
_TAKES_A_PLAYER = frozenset({"groups", "actions", "done", "refused"})


class FloorWork:
    """One kiosk's menu. ``idle_s``: how long it waits."""

    def __init__(self, kiosk: Floorman, idle_s: float = IDLE_S) -> None:
        self._kiosk = kiosk
        self.idle_s = idle_s
        self._menu: Menu | None = None
        self._page: Shown | None = None
        self._shown: OpenMenu | None = None
        self._who = self._card = ""
        self._round: str | None = None
        self._until = 0.0
        self._opened = 0
        self._sent = LastSent()
        self._sight = FloorSight(kiosk)
        self.glance = Glance()

    @property
    def is_open(self) -> bool:
        """Whether keys are the menu's."""
        return self._menu is not None

    @property
    def due(self) -> float | None:
        """When it leaves by itself (monotonic seconds)."""
        return self._until if self.is_open and not self._signs_in else None

    @property
    def _signs_in(self) -> bool:
        """Whether a phone is being signed in, which ends by itself (`appliance.phonebook`)."""
        return self._menu is not None and self._menu.page == "pairing"

    @property
    def has_just_left(self) -> bool:
        """Whether its keys are nobody's yet: the same ones begin hands and call the floor."""
        return not self.is_open and self.glance.has_just_left(_mono_s())

    def open(self, who: str, card: str) -> None:
        """This commissioner has shown their rights with the card of this UID, and nobody waits for them."""
        self._card = card
        self._who, self._round, self._opened = who, self._on_screen(), self._opened + 1
        self._go(opened(self._here()), "itself")

    def _on_screen(self) -> str | None:
        return next((round.id for round in self._sight.rounds()), None)

    def close(self) -> None:
        """Leave; what was asked of the director goes on."""
        if self.is_open:
            self._menu, self._page, self._shown, self._round = None, None, None, None
            self._who = self._card = ""
            self._kiosk.phonebook.withdraw()
            self.glance.left(_mono_s())
            self._kiosk.show_menu(None)

    def tick(self) -> None:
        """Leave when nobody has touched anything for too long."""
        if self.due is not None and _mono_s() >= self.due:
            self.close()

    def changed(self) -> None:
        """The own copy, the roster or the link has changed: show it, or leave, where person or card may no longer."""
        self._settle()
        if self._menu is None:
            return
        entry = self._kiosk.roster.by_uid(self._card)
        if entry is None or (entry.participant, entry.role, entry.state) != (self._who, "commissioner", "active"):
            self.close()
        else:
            self._refresh()

    # -- what people do ----------------------------------------------------------------------------------

    def press(self, key: Key) -> None:
        """A key of the keyboard, or those touched on the menu's own page; the dealer's keys are not there meanwhile."""
        if key.menu:
            self._press(key.name.split(), key.seen)
        elif key.keyboard and self._page is not None:
            name = floorkeys.of_keyboard(key.name, self._page)
            self._press([name] if name is not None else [], key.seen)

    def button(self, button: Button, held: bool) -> bool:
        """A button or the knob was pressed; False: that is none of the menu's."""
        key = floorkeys.of_button(button, held)
        if self._menu is None or key is None:
            return False
        self._press([key], self.glance.painted)
        return True

    def turned(self, steps: int) -> None:
        """The knob was turned."""
        if self._page is not None:
            self._press(floorkeys.of_turn(steps, self._page), self.glance.painted)

    def _press(self, keys: Iterable[str], seen: int | None) -> None:
        """Keys of the menu's own, one after another, until one leads to something other than a page; shown once.

        Those that choose are void where page ``seen``, which was on the glass, is not the one the menu is at.
        """
        self._until = _mono_s() + self._limit_s
        self._refresh()  # what time alone has changed is not chosen unseen either
        menu, here, step = self._menu, self._here(), None
        by: By = "key"
        for key in keys:
            chooses = menu is not None and floorkeys.chooses(key, menu, here)
            if menu is None or (chooses and not self.glance.means(seen, floorkeys.pushes(key), _mono_s())):
                break
            step, by = press(menu, key, here), "choice" if chooses else "key"
            if step[1:] != (None, None):
                break
            menu = step.menu
        if step is not None:
            self._follow(step, by)

    def takes(self, card: Verdict) -> bool:
        """A card was held to the reader: whether that was said to the menu. Else the menu is closed, if it was open."""
        if self._menu is None:
            return False
        if isinstance(card, Refused):
            if card.code is CardRefusal.UNREADABLE:
                return True  # the light says so: once more
        elif card.participant == self._who:
            self.close()
            return True
        elif card.role == "participant" and self._asks_player(self._menu):
            step = press(self._menu, f"card:{card.participant}", self._here())
            if step.menu != self._menu or step.command is not None:
                self._follow(step, "key")
                return True
        self.close()
        return False

    def _asks_player(self, menu: Menu) -> bool:
        """Whether a player's card is an answer: at a door others queue, who only want to know their seats."""
        return menu.page in _ASKS_A_PLAYER or (self._kiosk.table is not None and menu.page in _TAKES_A_PLAYER)

    # -- where it leads ----------------------------------------------------------------------------------

    def _follow(self, step: Step, by: By) -> None:
        if step.request == "call-ended":
            self._kiosk.floor_is_here()
            self.close()
            return
        if step.request == "refused-seen":
            self._kiosk.refused_seen(self._who)
            self.close()
            return
        menu = step.menu
        if step.request == "choose-round" and menu is not None:
            self._round = str(menu.answers.get("round"))
            self._go(Menu(), by)
            return
        if step.command is not None:
            self._send(step)
        if menu is not None and menu.page == "done" and self._is_seen_below(menu):
            self.close()
        else:
            self._go(menu, by)
        if step.request is not None and menu is not None:
            self._ask_here(step.request, menu)

    def _is_seen_below(self, menu: Menu) -> bool:
        return self._round == self._on_screen() and seen_below(menu, self._here())

    def _ask_here(self, request: Request, menu: Menu) -> None:
        """What is asked of the device, and answered later."""
        opened_as = self._opened
        match request:
            case "take-over":
                self._kiosk.direction.take_over(self._who, lambda refusal: self._told(refusal, opened_as))
            case "adopt-device":
                asked = devices.let_in(menu.answers)
                self._kiosk.admission.adopt(*asked, self._who, lambda refusal: self._told(refusal, opened_as))
            case "drop-device":
                name = str(menu.answers.get("device"))
                self._kiosk.admission.drop(name, self._who, lambda refusal: self._told(refusal, opened_as))
            case "confirm-time":
                here = self._here()
                right = rightclock.right_ms(here, menu.answers)
                note = TimeConfirmed(device=self._kiosk.device, by=self._who, shown=here.at_ms, right=right)
                self._kiosk.ask_venue(note, self._who, lambda refusal: self._told(refusal, opened_as))
            case "pair-phone":
                role, table = phones.asked_for(menu.answers)
                self._kiosk.phonebook.sign_in(role, table, self._who, lambda refusal: self._told(refusal, opened_as))
            case "confirm-phone" | "refuse-phone":
                yes = request == "confirm-phone"
                self._kiosk.phonebook.judge(yes, lambda refusal: self._told(refusal, opened_as))
            case "cut-off-phone":
                session = str(menu.answers.get("phone"))
                self._kiosk.phonebook.cut_off(session, self._who, lambda refusal: self._told(refusal, opened_as))
            case "settle-lone":
                entry, accept = str(menu.answers.get("entry")), menu.answers.get("what") == "accept"
                self._kiosk.lone.settle(entry, self._who, accept, lambda refusal: self._told(refusal, opened_as))

    def _go(self, menu: Menu | None, by: By) -> None:
        if menu is None:
            self.close()
            return
        self._menu = menu
        self._leave_phone()
        self._show(by)
        self._until = _mono_s() + self._limit_s

    def _leave_phone(self) -> None:
        """Nobody looks at the picture any more, or at the digits."""
        if self._menu is not None and self._menu.page not in ("pairing", "waiting"):
            self._kiosk.phonebook.withdraw()

    @property
    def _limit_s(self) -> float:
        """How long the page waits: what is read out takes its time, what is done is soon seen."""
        if self._page is not None and self._page.aloud:
            return max(ALOUD_S, self.idle_s)
        return DONE_S if self._menu is not None and self._menu.page == "done" else self.idle_s

    def _send(self, step: Step) -> None:
        """Ask the director; a command that was never answered goes again as the same one, so that it is done once."""
        if step.command is None or step.menu is None:
            return
        opened_as, what = self._opened, page_of(step.menu, self._here()).page.title
        sent = self._sent.send(self._who, step.command, what, self._kiosk.fresh_id)
        self._kiosk.command(sent.number, sent.command, self._who, lambda reply: self._answered(reply, sent, opened_as))

    def _answered(self, reply: Reply, sent: Sent, opened_as: int) -> None:
        refusal = why_not(reply)
        if refusal == Refusal(NO_ANSWER) and self._is_done(sent):
            refusal = None
        menu = self._menu if opened_as == self._opened else None
        if refusal is None or refusal.code != NO_ANSWER:
            self._sent.answered(sent)
        self._kiosk.signal(Signal.ACCEPTED if refusal is None else Signal.REFUSED)
        if menu is None:
            self._too_late(sent, refusal)
        elif menu.page == "waiting":
            self._follow(Step(answered(menu, refusal)), "itself")

    def _told(self, refusal: Refusal | None, opened_as: int) -> None:
        self._kiosk.signal(Signal.ACCEPTED if refusal is None else Signal.REFUSED)
        if self._menu is not None and self._menu.page == "waiting" and opened_as == self._opened:
            self._follow(Step(answered(self._menu, refusal)), "itself")
        elif refusal is not None:
            self._kiosk.refuse(refusal)

    def _too_late(self, sent: Sent, refusal: Refusal | None) -> None:
        """Say what became of a command whose page was left: on the screen, or that it was refused in the menu that
        hides the screen now."""
        if refusal is None:
            if self._menu is None:
                self._kiosk.done(sent.what)
            return
        if self._menu is None:
            self._kiosk.refuse(refusal)
            return
        self._menu = replace(self._menu, late=Said(_NOT_DONE, {"what": sent.what, "why": refusal}))
        self._refresh()

    def _settle(self) -> None:
        """The command without an answer is in the own copy: it was carried out, and given again it is another one."""
        sent = self._sent.unanswered
        if sent is None:
            return
        there = self._is_done(sent)
        if not there and all(
            step.cause != sent.number for step in undone_steps(self._kiosk.ledger(sent.command.round))
        ):
            return
        menu = self._menu
        self._sent.answered(sent)
        if menu is None or menu.unanswered is None:
            return
        self._menu = menu = replace(menu, unanswered=None)
        if there and menu.page == "refused":  # as if its answer had come only now
            self._follow(Step(answered(replace(menu, page="waiting", refusal=None), None)), "itself")

    def _is_done(self, sent: Sent) -> bool:
        return any(step.cause == sent.number for step in steps(self._kiosk.ledger(sent.command.round)))

    def _refresh(self) -> None:
        """Show the page as it is by now: the cursor stays with its line."""
        if self._menu is not None:
            signed_in = self._signs_in
            self._menu = followed(self._menu, self.glance.lines, self._here())
            if signed_in and not self._signs_in:
                self._leave_phone()
                self._until = _mono_s() + self._limit_s
            self._show("itself")

    def _show(self, by: By) -> None:
        if self._menu is None:
            return
        here = self._here()
        page = page_of(self._menu, here)
        self.glance.shows(lines_of(self._menu, here), page.page, by, _mono_s())
        page = replace(page, stamp=self.glance.stamp)
        if page != self._shown:
            self._shown, self._page = page, page.page
            self._kiosk.show_menu(page)

    def _here(self) -> Here:
        return self._sight.look(self._round, self._who)


def _mono_s() -> float:
    return time.monotonic()
