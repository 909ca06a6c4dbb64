"""The floor menu on the glass: every text whole, large enough to touch, and never without the time."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.floorboxes import Parts, least, parts
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.layout_board import blinds_text
from appliance.display.layout_floor import floor_hit
from appliance.display.ops import Box, Op, Text
from appliance.display.theme import DARK
from appliance.display.view import Board, Call, FloorView, Status, TableView
from appliance.display.view_floor import MenuLine, MenuView, PairingView
from appliance.i18n import LANGUAGES, Translator
from tests.display.test_layout_fits import ink

SIZES = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920), (480, 800), (1024, 768))
CS = Translator("cs")
WELL = Status()
LONG = "Bartoloměj Příšerně-Žluťoučký"
SENTENCE = f"Vypadá ze hry: {LONG}. Ruka: 1 112. Žetony na začátku: 1 250 000. Vyřadil ho Maxmilián-Kryšpín Žabička."
TO_KNOW = "Telefon musí být v síti herny. Pak tady porovnáte čtyři číslice."
WHY = "Lidé u stolů jsou rozesazeni rovnoměrně: nikdo se nemusí stěhovat, dokud se to nezmění."


def listed(count: int, chosen: int = 0) -> tuple[MenuLine, ...]:
    """Lines as a list of players has them, every fourth refused."""
    return tuple(
        MenuLine(
            text=f"{LONG} {n}", item=n, selected=n == chosen, refused=n % 4 == 3, why_not=WHY if n % 4 == 3 else "",
            detail="Stůl 12, místo 10 · 1 250 000",
        )
        for n in range(count)
    )  # fmt: skip


BACK = MenuLine(text="Zpět", item=2, back=True)
PAGES = {
    "first": MenuView(title="Komisař", who="Jana D.", top=True, lines=listed(7), hint="Vyberte."),
    "long": MenuView(title="Vyřazení hráče", who="Jana D.", question="Hráč", lines=listed(90, 40), hint="Nebo průkaz"),
    "refused-line": MenuView(title="Stoly", lines=listed(4, 3), hint=WHY, warned=True),
    "number": MenuView(
        title="Zvýšit vklad", who="Jana D.", question=f"O kolik se zvyšuje vklad: {LONG}?", number="1 250 000 Kč",
        keypad=True, editing=True,
        lines=(
            MenuLine(text="OK: 1 250 000 Kč", item=0, place="accept"),
            MenuLine(text="Změnit číslo", item=1, place="edit"), BACK,
        ),
    ),
    "aloud": MenuView(
        title="Rádce pro spory", who="Jana D.", question="Zaznamenat toto rozhodnutí: druhý board.", aloud=True,
        lines=(
            MenuLine(text="Board se rozdá znovu"), MenuLine(text="1. Karty boardu se vrátí do zbytku balíčku."),
            MenuLine(text="2. Zbytek se zamíchá a sejme, spálené karty zůstanou stranou."),
            MenuLine(text="Zdroj: pravidla herny, I-7", small=True),
            MenuLine(text="Ano, provést", item=0, selected=True), MenuLine(text="Co se stalo?", item=1), BACK,
        ),
    ),
    "confirm": MenuView(
        title="Vyřazení hráče", who="Jana D.", question=SENTENCE,
        lines=(
            MenuLine(text="Stůl má o jednoho hráče víc."),
            MenuLine(text="Ano, provést", item=0, danger=True, selected=True),
            MenuLine(text="Hráč", detail=LONG, item=1), BACK,
        ),
    ),
    "waiting": MenuView(title="Vyřazení hráče", question="Čekám na řídicí jednotku…", busy=True, lines=listed(1)),
    "done": MenuView(title="Vyřazení hráče", question="Hotovo.", good=True, lines=listed(2)),
    "picture": MenuView(
        title="Přihlásit telefon", who="Jana D.", lines=(MenuLine(text=TO_KNOW, small=True), *listed(1)),
        question="Načtěte obrázek fotoaparátem telefonu. Platí pro jeden telefon a jednu minutu.",
        pairing=PairingView(picture="http://192.168.50.20:8090/#" + "a" * 60, address="192.168.50.20:8090", left=47),
    ),
    "digits": MenuView(
        title="Přihlásit telefon", who="Jana D.", lines=(MenuLine(text=TO_KNOW, small=True), *listed(2)),
        question="Telefon ukazuje 4711: je to ten váš?", pairing=PairingView(code="4711", left=60),
    ),
    "refused": MenuView(
        title="Vyřazení hráče", question="Neprovedeno.", good=False, lines=(MenuLine(text=WHY), *listed(3)),
    ),
}  # fmt: skip


@pytest.fixture
def board(evening: TableView) -> Board:
    return evening.board


def view_of(board: Board, page: str) -> FloorView:
    return FloorView(board=board, menu=PAGES[page])


def where(menu: MenuView, size: tuple[int, int], fonts: FontBook, status: Status = WELL) -> Parts:
    return parts(Canvas(size, CS, DARK, fonts), menu, status)


def texts(ops: tuple[Op, ...]) -> list[Text]:
    return [op for op in ops if isinstance(op, Text)]


def to_touch(found: Parts) -> list[Box]:
    return [found.back, *(box for _, box in (*found.lines, *found.keys)), *(turn.box for turn in found.turns)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", PAGES)
def test_whatever_is_touched_is_large_enough_and_apart(page: str, size: tuple[int, int], fonts: FontBook) -> None:
    found = where(PAGES[page], size, fonts, Status(director=False, reader=False))
    screen, boxes = Box(0, 0, *size), to_touch(found)
    for box in boxes:
        assert screen.holds(box) and box.h >= min(size) * 2 // 15 and box.w >= min(size) * 2 // 15, (page, box)
    for one, other in combinations([*boxes, found.strip], 2):
        assert not one.meets(other), (one, other)
    assert not found.lines or not any(found.words.meets(box) for _, box in found.lines) or not PAGES[page].question


def test_a_seven_inch_panel_has_keys_of_at_least_nine_millimetres(fonts: FontBook) -> None:
    assert least(Canvas((800, 480), CS, DARK, fonts)) == 64  # of 800 on 152 mm: 12 mm


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", PAGES)
def test_every_text_is_whole_on_the_screen_and_over_no_other(
    board: Board, page: str, size: tuple[int, int], fonts: FontBook
) -> None:
    screen = Box(0, 0, *size)
    for lang in LANGUAGES:
        for status in (Status(), Status(director=False, director_lost_at=board.now)):
            view = replace(view_of(board, page), board=replace(board, status=status))
            written = texts(draw_list(view, size, Translator(lang), fonts))
            for n, op in enumerate(written):
                assert screen.holds(ink(op, fonts)), op
                over = [one.text for one in written[:n] if ink(one, fonts).meets(ink(op, fonts))]
                assert not over, f"{op.text!r} over {over} at {size}"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", PAGES)
def test_the_time_and_the_blinds_are_always_there_and_the_time_is_largest(
    board: Board, page: str, size: tuple[int, int], fonts: FontBook
) -> None:
    written = texts(draw_list(view_of(board, page), size, CS, fonts))
    largest = max(op.size for op in written)
    assert "".join(op.text for op in written if op.size == largest).startswith("12:34")
    blinds = board.face.blinds if board.face else None
    assert blinds is not None and blinds_text(CS, blinds) in [op.text for op in written]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", PAGES)
def test_a_touch_means_what_is_drawn_there(board: Board, page: str, size: tuple[int, int], fonts: FontBook) -> None:
    view = view_of(board, page)
    found = where(view.menu, size, fonts)

    def keys(box: Box) -> tuple[str, ...]:
        return floor_hit(view, size, CS, fonts, box.cx, box.cy)

    assert keys(found.back) == ("back",) and keys(found.strip) == ()
    for n, box in found.lines:
        assert keys(box) == (f"item:{view.menu.items[n].item}",)
    accept, edit = view.menu.at("accept"), view.menu.at("edit")
    for key, box in found.keys:
        assert keys(box) == ((f"item:{accept.item}",) if key == "enter" and accept else (key,))
    if edit is not None and found.figure is not None:
        assert keys(found.figure) == (f"item:{edit.item}",)


@pytest.mark.parametrize("size", SIZES)
def test_every_line_of_a_long_list_is_reached_by_turning_pages(size: tuple[int, int], fonts: FontBook) -> None:
    menu, seen = replace(PAGES["long"], lines=listed(90)), list[int]()
    while True:
        found = where(menu, size, fonts)
        seen += [n for n, _ in found.lines]
        keys = found.turns[1].keys
        if not keys:
            break
        assert set(keys) == {"down"}
        menu = replace(menu, lines=listed(90, menu.chosen + len(keys)))
    assert seen == list(range(90))
    back = found.turns[0].keys
    assert set(back) == {"up"} and menu.chosen - len(back) in range(90 - 2 * found.pages * len(found.lines), 90)


def test_the_chosen_line_and_a_refused_one_can_be_told_without_colours(board: Board, fonts: FontBook) -> None:
    def shapes(chosen: bool, refused: bool) -> list[str]:
        line = MenuLine(text="A", item=0, selected=chosen, refused=refused)
        view = FloorView(board=board, menu=MenuView(title="T", lines=(line,)))
        return [type(op).__name__ for op in draw_list(view, (800, 480), CS, fonts)]

    kinds = {tuple(shapes(chosen, refused)) for chosen in (False, True) for refused in (False, True)}
    assert len(kinds) == 4


def test_a_refused_line_says_why_and_an_answer_what_it_was(board: Board, fonts: FontBook) -> None:
    said = " ".join(op.text for op in texts(draw_list(view_of(board, "refused-line"), (1920, 1080), CS, fonts)))
    assert WHY.split(":")[0] in said and "⚠" in said
    said = " ".join(op.text for op in texts(draw_list(view_of(board, "refused"), (1920, 1080), CS, fonts)))
    assert "Neprovedeno." in said and WHY.split(":")[0] in said


def test_the_sentence_to_confirm_is_said_in_full(board: Board, fonts: FontBook) -> None:
    for size in SIZES:
        said = " ".join(op.text for op in texts(draw_list(view_of(board, "confirm"), size, CS, fonts)))
        assert SENTENCE.replace("-", "") in said.replace("- ", "").replace("-", ""), size


@pytest.mark.parametrize("size", [(3840, 2160), (1920, 1080), (1366, 768), (1280, 720), (1024, 600), (800, 480)])
def test_a_wide_screen_has_eight_lines_on_a_page(size: tuple[int, int], fonts: FontBook) -> None:
    assert len(where(PAGES["long"], size, fonts).lines) == 8


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("detail", ["", "Stůl 12, místo 10"])
def test_all_lines_of_a_page_have_letters_of_one_size(
    board: Board, fonts: FontBook, size: tuple[int, int], detail: str
) -> None:
    said = ("First or second dealt card turned up", "A flop", "The turn dealt too soon", "More than one card")
    lines = tuple(MenuLine(text=text, item=n, detail=detail) for n, text in enumerate(said))
    view = FloorView(board=board, menu=MenuView(title="Rádce", lines=lines))
    written = texts(draw_list(view, size, CS, fonts))
    words, notes = {word for text in said for word in text.split()}, set(detail.split())
    assert len({op.size for op in written if set(op.text.split()) <= words}) == 1
    assert len({op.size for op in written if set(op.text.split()) <= notes}) == bool(detail)


@pytest.mark.parametrize("lines", [3, 20])
def test_digits_that_narrow_a_list_down_are_shown_with_its_question(board: Board, fonts: FontBook, lines: int) -> None:
    menu = MenuView(title="Vyřazení hráče", question="Hráč", number="0001", lines=listed(lines))
    said = [op.text for op in texts(draw_list(FloorView(board=board, menu=menu), (800, 480), CS, fonts))]
    assert "Hráč: 0001" in said


def test_a_number_has_one_key_that_takes_it_and_one_that_deletes(board: Board, fonts: FontBook) -> None:
    said = [op.text for op in texts(draw_list(view_of(board, "number"), (1280, 720), CS, fonts))]
    assert said.count("✓") == said.count("⌫") == 1
    assert not any(text.startswith(("OK", "Změnit")) for text in said)


@pytest.mark.parametrize("size", SIZES)
def test_I_13_what_is_read_out_is_the_largest_below_the_clock(
    board: Board, fonts: FontBook, size: tuple[int, int]
) -> None:
    found = where(PAGES["aloud"], size, fonts)
    below = [op for op in texts(draw_list(view_of(board, "aloud"), size, CS, fonts)) if found.words.holds(op.box)]
    read = [op.size for op in below if op.text.startswith(("Board", "1.", "2."))]
    assert len(read) == 3 and min(read) == max(op.size for op in below)


def test_lines_carry_their_digits_and_seats(board: Board, fonts: FontBook) -> None:
    lines = (MenuLine(text="A", item=0, digit="1", selected=True), MenuLine(text="B", item=1, seat=7))
    view = FloorView(board=board, menu=MenuView(title="T", lines=lines))
    said = {op.text: op.size for op in texts(draw_list(view, (1280, 720), CS, fonts))}
    assert "1" in said and said["7"] > said["B"]


@pytest.mark.parametrize("size", SIZES)
def test_CK_4_the_time_that_runs_stays_in_sight(board: Board, fonts: FontBook, size: tuple[int, int]) -> None:
    call = Call(who="Petr N.", phase="thinking", remaining_s=23, ends="fold")
    view = replace(view_of(board, "first"), call=call)
    said = [op.text.replace("\u00a0", " ") for op in texts(draw_list(view, size, CS, fonts))]
    assert "Čas: Petr N., 23 s" in said
