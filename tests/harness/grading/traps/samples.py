"""Test files as people write them, with code that passes them."""

from __future__ import annotations

STOCK = '''\
"""What a shop has."""


class Unknown(LookupError):
    """No such article."""


class Stock:
    def __init__(self):
        self.counts = {}

    def add(self, name, count=1):
        if count < 1:
            raise ValueError(f"{name}: {count} is no count")
        self.counts[name] = self.counts.get(name, 0) + count
        return self.counts[name]

    def take(self, name):
        if name not in self.counts:
            raise Unknown(name)
        self.counts[name] -= 1

    def report(self):
        return "".join(f"{name}\\t{count}\\n" for name, count in sorted(self.counts.items()))

    def is_empty(self):
        return not any(self.counts.values())


def price(name, net, rate=0.19):
    return {"name": name, "gross": round(net * (1 + rate), 2), "reduced": rate < 0.19}
'''

PYTHON = '''\
"""The stock of a shop. Ünïcödé ahead: 日本語."""

import re
from unittest import mock

import pytest

from stock import Stock, Unknown, price

SEEN = []


@pytest.fixture
def stock():
    stock = Stock()
    stock.add("apples", 12)
    return stock


@pytest.fixture(params=[1, 2], ids=["one", "two"])
def count(request):
    return request.param


def test_counts_what_is_added(stock):
    """What was there stays: 12 apples."""
    assert stock.add("apples", 5) == 17, "12 and 5"
    assert stock.counts == {"apples": 17}


# Counts are positive.
# Zero is none, either.
def test_refuses_a_count_below_one(stock):
    with pytest.raises(ValueError, match=r"apples: -3 is no count"):
        stock.add("apples", -3)


def test_refuses_what_it_does_not_have(stock):
    with pytest.raises(Unknown):
        stock.take("pears")
    assert "pears" not in stock.counts


def test_reports_one_line_for_each_article(stock):
    stock.add("größe", 3)
    expected = (
        "apples\\t12\\n"
        "größe\\t3\\n"
    )
    assert stock.report() == expected
    name = "apples"
    assert stock.report().startswith(f"{name}\\t12")


RATES = [
    (100, 0.19, 119.0, False),
    (100, 0.07, 107.0, True),
]


@pytest.mark.parametrize(("net", "rate", "gross", "reduced"), RATES)
def test_adds_the_tax_of_a_table(net, rate, gross, reduced):
    result = price("tea", net, rate)
    assert result["gross"] == pytest.approx(gross, rel=1e-6)
    assert result["reduced"] is reduced
    assert result["name"] == "tea"


@pytest.mark.parametrize(
    "net, gross",
    [
        (10, 11.9),
        pytest.param(20, 23.8, id="twenty"),
        (
            30,  # three tens
            35.7,
        ),
    ],
)
def test_adds_the_usual_tax(net, gross):
    assert price("cake", net)["gross"] == gross


def test_counts_each_time(stock, count):
    for number in range(count):
        stock.take("apples")
    assert stock.counts["apples"] + count == 12


def test_remembers_its_own_name(request):
    SEEN.append(request.node.name)
    assert request.node.name.startswith("test_")
    assert "test_remembers_its_own_name"[:5] == "test_"
    assert len(SEEN[-1:]) == 1


def test_calls_back():
    call = mock.Mock()
    call("apples", 12)
    call.assert_called_once_with("apples", 12)


def test_several_at_once(stock):
    for name, expected in [("apples", 13), ("pears", 1)]:
        assert stock.add(name) == expected
    assert not stock.is_empty() and len(stock.counts) == 2


@pytest.mark.skip(reason="not yet 5")
def test_is_not_run():
    assert 1 == 2


@pytest.mark.xfail
def test_is_known_to_fail():
    assert 1 == 2


@pytest.mark.parametrize("name", ["apples", "pears"])
class TestNames:
    shelf = 4

    def test_a_new_name_counts_from_one(self, name):
        assert Stock().add(name) == 1

    def test_a_name_is_in_the_report(self, name):
        found = Stock()
        found.add(name, self.shelf)
        assert re.fullmatch(r"\\w+\\t4\\n", found.report())
        assert found.report() == f"{name}\\t4\\n"


def helper():
    assert 1 == 1


if __name__ == "__main__":
    raise SystemExit(pytest.main([__file__]))
'''

JAVASCRIPT = """\
'use strict';
const { test, it, describe, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const { add, Stack, shout } = require('./sums');

// The simplest sum.
test('adds two numbers', () => {
  assert.equal(add(12, 30), 42);
});

test("doesn't add words", () => {
  assert.throws(() => add('a', 1), TypeError);
  assert.throws(() => add('a', 1), /not a number/);
  assert.throws(() => add('a', 1), { message: 'not a number: a' });
});

const CASES = [1, 2];
test(`keeps ${'quiet'}`, () => {
  assert.ok(true);
});

test('shouts in unicode: größer', { timeout: 5000 }, async () => {
  const expected = 'GRÖSSER ÜBER 10!';
  assert.strictEqual(await shout('größer über 10'), expected);
  assert.deepStrictEqual([...'ab'].map((x) => x + '1'), ['a1', 'b1']);
});

test('waits for a callback', (t, done) => {
  setTimeout(() => {
    assert.deepEqual({ a: [1, -2.5], b: true }, { a: [1, -2.5], b: true });
    done();
  }, 5);
});

test.skip('is not run', () => {
  assert.equal(1, 2);
});

describe('Stack', () => {
  let stack;
  beforeEach(() => {
    stack = new Stack();
  });

  it('is empty at first', () => {
    assert.equal(stack.size, 0);
    assert(stack.isEmpty());
  });

  it('gives back what was pushed', () => {
    stack.push('one');
    stack.push('two');
    assert.equal(stack.pop(), 'two', 'the last comes first');
    assert.equal(`${stack.size} left`, `${1} left`);
  });

  describe('when full', () => {
    it('refuses more', () => {
      for (const [size, message] of [[1, 'full: 1'], [2, 'full: 2']]) {
        const small = new Stack(size);
        for (let i = 0; i < size; i++) small.push(i);
        assert.throws(() => small.push(0), { message });
      }
      assert.ok(stack.size === 0 && !stack.isFull());
    });
  });

  describe('nothing here', () => {});
});
"""

TYPESCRIPT = """\
import { describe, expect, it, test } from 'vitest';
import { Basket, type Item, total } from './basket';

const row = (name: string): Item => ({ name, price: 3 });

describe('Basket', () => {
  const basket = new Basket<Item>();

  it('adds up prices', () => {
    expect(total([row('tea'), row('milk')])).toBe(6);
    expect(basket.size).not.toBe(7);
  });

  it('keeps names as they are', async () => {
    const expected: string[] = ['tea', 'milk'];
    await expect(basket.names()).resolves.toEqual(expected);
    expect(basket.label()).toMatch(/^2 items/);
  });

  it('refuses nothing', () => {
    expect(() => basket.add(null as unknown as Item)).toThrow(RangeError);
  });

  describe.each([[1], [2]])('with %i items', (count) => {
    it('is not empty', () => {
      expect(basket.isEmpty()).toBeFalsy();
    });
  });
});

test.each([
  [1, 'one', true],
  [12, 'twelve', false],
])('spells %i as %s', (number, word, short) => {
  expect(spell(number)).toBe(word);
});

test.each([{ given: 2, expected: 4 }, { given: 3, expected: 9 }])('squares $given', ({ given, expected }) => {
  expect(given ** 2).toEqual(expected);
});

it.skip('is not run', () => {
  expect(1).toBe(2);
});
"""

JUNIT_4 = """\
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.assertArrayEquals;
import static org.hamcrest.CoreMatchers.is;
import static org.junit.Assert.assertThat;

import java.util.Arrays;
import org.junit.Before;
import org.junit.Ignore;
import org.junit.Test;

/** Sums of numbers. */
public class FourTest {
    private int start;

    @Before
    public void setUp() {
        start = 12;
    }

    // The simplest.
    @Test
    public void addsTwoNumbers() {
        assertEquals(42, Sums.add(start, 30));
        assertEquals("a message", -18, Sums.add(start, -30));
        assertEquals(0.3, 0.1 + 0.2, 0.001);
    }

    @Test(timeout = 5000)
    public void shoutsInUnicode() {
        String expected = "GRÖSSER ÜBER 10!";
        assertEquals(expected, Sums.shout("größer über 10"));
        assertThat(Sums.shout("a"), is("A!"));
    }

    /**
     * Splits.
     */
    @Test
    public void splitsAtCommas() {
        assertEquals(Arrays.asList("one", "two"), Sums.split("one,two"));
        assertArrayEquals(new int[] {1, 2}, new int[] {1, Sums.add(1, 1)});
        assertTrue(Sums.split("x").size() == 1);
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesNothing() {
        Sums.shout(null);
    }

    @Test
    public void isTrue() {
        assertTrue(Sums.split("three,four").contains("four"));
    }

    @Ignore
    @Test
    public void isNotRun() {
        assertEquals(1, 2);
    }
}
"""

JUNIT_5 = """\
import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FiveTest {
    @Test
    void addsTwoNumbers() {
        assertEquals(42, Sums.add(12, 30), "the sum");
        assertEquals("A!", Sums.shout("a"), () -> "why");
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 3", "10, -20, -10"})
    void addsColumns(int one, int other, int sum) {
        assertEquals(sum, Sums.add(one, other));
    }

    @ParameterizedTest(name = "{0} is text")
    @ValueSource(strings = {"a", "b"})
    void shoutsWords(String word) {
        assertEquals(2, Sums.shout(word).length());
    }

    @Test
    void refusesNothing() {
        assertThrows(IllegalArgumentException.class, () -> Sums.shout(null));
    }

    @Test
    void explainsWhy() {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> Sums.shout(null));
        assertEquals("no text: 7", error.getMessage());
    }

    @Test
    void refusesMore() {
        assertFalse(Sums.split("a").isEmpty());
        assertNull(null);
    }

    @Nested
    class Splitting {
        @Test
        void splitsAtCommas() {
            assertEquals(List.of("one", "two"), Sums.split("one,two"));
        }

        @Disabled
        @Test
        void isNotRun() {
            fail();
        }
    }
}
"""
