// Every verdict that Jest knows, names that are hard to read, and output in between.

describe('sums', () => {
  test('passes', () => {
    console.log('    ✓ printed by the test itself (1 ms)');
    process.stdout.write('half a line without an end');
  });
  test('fails', () => {
    expect({ a: 1 }).toEqual({ a: 2 });
  });
  test.skip('is skipped', () => {});
  test.todo('is to be written');
  test.failing('is expected to fail', () => {
    throw new Error('known');
  });
  test.failing('passes unexpectedly', () => {});
  describe('below zero (deep)', () => {
    test('is deep', () => {});
    test('takes (500 ms) well', () => {});
    test('really takes time', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1100));
    });
  });
  test('after the nested ones', () => {});
});

describe('set-up', () => {
  beforeEach(() => {
    throw new Error('no set-up');
  });
  test('breaks', () => {});
});

test('at the top', () => {});
test('twice', () => {});
test('twice', () => {
  throw new Error('the second time');
});

test.each([
  ['a b', 1],
  ['[x]: y', 1],
  ['tür › 日本', 1],
  ['✓ PASS ./sums.test.js', 1],
  ['  spaces  ', 1],
  ['', 2],
])('named %s', (name, number) => {
  expect(number).toBe(1);
});

test('one line\nand another', () => {});
