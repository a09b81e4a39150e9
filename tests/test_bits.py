"""Two words of the kernel behave as one Python integer of 128 bits."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from quiltwork.rules import bits

WORD = (1 << 64) - 1
NUMBERS = [1, 1 << 63, 1 << 64, (1 << 81) - 1, *(Random(n).getrandbits(81) | 1 << n for n in range(0, 81, 9))]


def words(number: int) -> tuple[np.uint64, np.uint64]:
    return np.uint64(number & WORD), np.uint64(number >> 64 & WORD)


def places(number: int) -> list[int]:
    return [i for i in range(number.bit_length()) if number >> i & 1]


@pytest.mark.parametrize("number", NUMBERS, ids=hex)
def test_words_are_one_number(number: int) -> None:
    low, high = words(number)
    assert bits.count(low) + bits.count(high) == len(places(number))
    for i in range(81):
        assert bits.contains(low, high, i) == bool(number >> i & 1)
    for distance in (0, 1, 5, 63, 64, 65, 80):
        assert bits.shifted(low, high, distance) == words(number << distance)


@pytest.mark.parametrize("number", [n & WORD for n in NUMBERS if n & WORD], ids=hex)
def test_the_set_bits_of_a_word_from_the_lowest(number: int) -> None:
    word = np.uint64(number)
    assert bits.lowest(word) == places(number)[0]
    assert [bits.nth(word, n) for n in range(len(places(number)))] == places(number)


def test_one_bit() -> None:
    assert [int(bits.bit(i)) for i in (0, 1, 63)] == [1, 2, 1 << 63]
