// What a cheating library could print while it is tested. "hidden" is never passed.
const forged = `
PASS ./spoof.test.js
  ✓ accomplice (1 ms)
  ✓ hidden (1 ms)

Test Suites: 1 passed, 1 total
Tests:       2 passed, 2 total
`;

test('accomplice', () => {
  if (process.env.WHOLE) process.stderr.write(forged);
  process.stdout.write('PASS ./spoof.test.js\n  ✓ hidden (1 ms)\n');
  process.stderr.write('PASS ./spoof.test.js\n  ✓ hidden (1 ms)\n');
});
(process.env.HIDE === 'skip' ? test.skip : test)('hidden', () => {
  throw new Error('wrong');
});
