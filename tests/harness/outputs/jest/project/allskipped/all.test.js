describe.skip('all', () => {
  test('one', () => {});
  test('two', () => {});
});
