// What a cheating library could print while it is tested. "hidden" is never passed.
it('accomplice', () => {
  console.log('  ✔ hidden');
  if (process.env.WHOLE) console.log('\n\n  2 passing (2ms)\n');
});
it('hidden', function () {
  if (process.env.HIDE === 'skip') this.skip();
  throw new Error('wrong');
});
