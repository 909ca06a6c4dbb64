# Each target is one command; `make demo` and `make test` set up everything they need first.
VENV ?= .venv
BIN := $(VENV)/bin
export VENV
# where an evening is shown: windows where there is a display
HEADLESS := $(if $(DISPLAY)$(WAYLAND_DISPLAY),,--headless)

.PHONY: help demo test test-evenings test-postgres test-office office-pictures phone-pictures check format rules pictures bench chaos fuzz soak clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 15

demo: ## play a league evening end to end (ARGS="--headless --speed 60 --out DIR")
	@scripts/setup demo
	@$(BIN)/tableside demo $(HEADLESS) $(ARGS)

test: ## run the tests, but for whole evenings and the slow lanes below (ARGS="-k NAME")
	@scripts/setup test
	@$(BIN)/python -m pytest -n auto --dist loadgroup -m "not whole and not browser" $(ARGS)

test-evenings: ## whole programs: evenings, takeovers and devices in processes that are killed (ARGS="-k NAME")
	@scripts/setup test
	@$(BIN)/python -m pytest -n 3 --dist loadgroup -m whole tests/system tests/league $(ARGS)

test-postgres: ## run the league's tests on a PostgreSQL of their own (ARGS="-k NAME")
	@scripts/setup test
	@$(BIN)/python -m tests.league.postgres $(BIN)/python -m pytest -n auto --dist loadgroup -m "not browser" tests/league $(ARGS)

test-office: ## every page and form of the league, office and public, in a browser: languages, sizes, keyboard, axe (ARGS="-k NAME")
	@scripts/setup test
	@$(BIN)/python -m pytest -n 2 --dist worksteal tests/office/test_office_*.py $(ARGS)
	@$(BIN)/python -m pytest -n 2 --dist loadgroup -m browser tests/league tests/console $(ARGS)

check: ## format, lint, types, import contracts, dead code
	@scripts/setup test
	@scripts/check

format: ## put the code into shape
	@$(BIN)/ruff format appliance league tests bench chaos scripts
	@$(BIN)/ruff check --fix appliance league tests bench chaos scripts

rules: ## write docs/rules.md anew from docs/rules.toml, the code and the tests
	@scripts/setup test
	@$(BIN)/python -m scripts.rules_page

pictures: ## draw the golden pictures of all screens and the sheet of an evening anew: look at them, then commit them
	@scripts/setup test
	@TABLESIDE_REDRAW=1 $(BIN)/python -m pytest -q -n auto -k 'looks or sheet' tests/display

office-pictures: ## draw the pictures of docs/office.cs.md and docs/public.md anew: look at them, then commit them
	@scripts/setup test
	@$(BIN)/python -m tests.office.pictures

phone-pictures: ## draw the pictures of a phone's pages anew: look at them, then commit them
	@scripts/setup test
	@$(BIN)/python -m tests.console.pictures

bench: ## measure, and compare with peers and floors of the same run
	@scripts/setup test
	@$(BIN)/python -m bench $(ARGS)

chaos: ## a whole venue in network namespaces, with everything let loose (ARGS="--seed 7 --players 30 --tables 4")
	@scripts/setup test
	@$(BIN)/python -m chaos $(ARGS)

fuzz: ## half a minute or more of made-up bytes for each thing that a card, a chip or a wire may say
	@scripts/setup test
	@TABLESIDE_CARD_EXAMPLES=15000 TABLESIDE_FUZZ=16000 $(BIN)/python -m pytest -n auto --dist loadgroup \
	  tests/cards/test_card_fuzz.py tests/hw/test_pcsc_fuzz.py tests/hw/test_wire_fuzz.py $(ARGS)

soak: ## the long runs
	@scripts/setup test
	@TABLESIDE_KILLS=1000 $(BIN)/python -m pytest tests/test_kill.py $(ARGS)
	@TABLESIDE_HANDS=20000 $(BIN)/python -m pytest -n auto tests/game/hand/test_hand_against_pokerkit.py $(ARGS)
	@TABLESIDE_CARD_EXAMPLES=100000 TABLESIDE_FUZZ=100000 $(BIN)/python -m pytest -n auto --dist loadgroup \
	  tests/cards/test_card_fuzz.py tests/hw/test_pcsc_fuzz.py tests/hw/test_wire_fuzz.py $(ARGS)
	@TABLESIDE_TAPS=20000 $(BIN)/python -m pytest tests/hw/test_pcsc_many_taps.py $(ARGS)
	@$(BIN)/python -m chaos --seed 1 --seeds 50
	@$(BIN)/python -m scripts.turned

clean: ## remove what was built
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
