# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: the RevueSDK authors

.PHONY: help demo test check sanitize docs soak fuzz bench format clean setup

help:
	@echo "make demo    a call between two processes over real toxcore, measured; results in demo-out/"
	@echo "make test    every gate and every test"
	@echo "make check   the gates alone: format, layers, purity, imports, words, unsafe, headers, links, guides, docs"
	@echo "make docs    guides and reference as a web site in .build/docs, with llms.txt"
	@echo "make sanitize  the tests under the address, leak and thread sanitizers"
	@echo "make soak    joins, leaves, publishes and unpublishes for long, and measures the heap"
	@echo "make fuzz    looks for bytes that trap, FUZZ_SECONDS (20) for each way in"
	@echo "make bench   a table of what encoding, decoding and packing cost here"
	@echo "make format  lays the sources out as the format gate wants them"
	@echo "make clean   removes what the other targets made"

setup:
	@Scripts/setup

demo: setup
	@swift build --configuration release --product revue
	@.build/release/revue demo --output demo-out

test:
	@Scripts/test

check: setup
	@Scripts/check

soak: setup
	@swift build --build-tests
	@REVUE_SOAK=1 swift test --skip-build --disable-xctest --filter SimulationTests.SoakTests

docs: setup
	@Scripts/docs

sanitize: setup
	@Scripts/sanitize

FUZZ_SECONDS ?= 20

fuzz: setup
	@Scripts/fuzz $(FUZZ_SECONDS)

bench: setup
	@swift build --configuration release --product revue
	@.build/release/revue bench

format:
	@swift format --in-place --recursive --parallel Sources Tests Fuzz Package.swift

clean:
	@rm -rf .build demo-out bench-out
