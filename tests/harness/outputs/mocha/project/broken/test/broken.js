require('./no-such-module');
it('never runs', () => {});
