// Every verdict that Mocha knows, names that are hard to read, and output in between.
const assert = require('assert');

describe('sums', () => {
  it('passes', () => {
    console.log('printed by the test itself');
    process.stdout.write('half a line without an end\n');
  });
  it('fails', () => {
    assert.deepStrictEqual({ a: 1 }, { a: 2 });
  });
  it.skip('is skipped', () => {});
  it('is pending');
  it('is skipped within', function () {
    this.skip();
  });
  describe('below zero (deep)', () => {
    it('is deep', () => {});
    it('really takes time', (done) => setTimeout(done, 120));
    it('1) looks like a failure', () => {});
  });
  it('after the nested ones', () => {});
});

describe('set-up', () => {
  describe('of a hook', () => {
    before('prepare', () => {
      throw new Error('no set-up');
    });
    it('never runs', () => {});
  });
  describe('of each', () => {
    afterEach(() => {
      throw new Error('no tear-down');
    });
    it('runs once', () => {});
    it('never runs either', () => {});
  });
});

it('at the top', () => {});
it('twice', () => {});
it('twice', () => {
  throw new Error('the second time');
});

for (const name of ['a b', '[x]: y', 'tür › 日本', '✔ tick', '- dash', '(20ms) first']) {
  it(`named ${name}`, () => {});
}
it('one line\nand another', () => {});
