test('never parsed', () => {;
