// Every verdict that Node's own runner knows.
import { describe, it, test } from 'node:test';
import assert from 'node:assert';

test('passes', () => {
  console.log('ok 9 - printed by the test itself');
});
test('fails', () => {
  assert.strictEqual(1, 2);
});
test('is skipped', { skip: 'not today' }, () => {});
test('is to be written', { todo: true }, () => {
  throw new Error('known');
});
test('has a # in its name \\ and more', () => {});
describe('sums', () => {
  it('adds', () => {});
  describe('below zero', () => {
    it('is deep', () => {});
    it('is deep', () => {
      throw new Error('the second time');
    });
  });
});
