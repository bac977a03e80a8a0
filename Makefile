# The work is done in tools/*.sh; nothing here needs more than a shell.

.PHONY: demo test test-quick test-all test-torch test-lm test-packages test-numpy1 build docs check format clean

demo: ## train a net on handwritten digits, building the library first where needed
	@tools/demo.sh

test: ## build, C++ tests, Python tests
	@tools/test.sh test

test-quick: ## the same without tests marked slow
	@tools/test.sh quick

test-all: ## everything: full sweeps, every instruction set, sanitizers
	@tools/test.sh all

test-torch: ## layers, losses and optimizers against torch, which it installs below build/
	@tools/test.sh torch

test-lm: ## mlx-lm's models, commands and server, which it installs below build/
	@tools/test.sh lm

test-packages: ## users of MLX from PyPI, unmodified, which it installs below build/
	@tools/test.sh packages

test-numpy1: ## the quick Python tests with NumPy 1.26, which it installs below build/
	@tools/test.sh numpy1

build: ## .venv with the library installed
	@tools/setup.sh

docs: ## the site in out/docs, from docs/ and the docstrings
	@tools/docs.sh

check: ## layers, style, lint
	@tools/check.sh

format: ## rewrite Python and C++ files in the house's layout
	@tools/check.sh --fix

clean: ## remove what was built; .venv stays
	rm -rf build build-asan build-scheduler build-tsan dist out
