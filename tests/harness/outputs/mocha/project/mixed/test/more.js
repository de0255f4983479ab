describe('sums', () => {
  it('is in another file', () => {
    console.error('on stderr');
  });
});
