test('sound', () => {});
