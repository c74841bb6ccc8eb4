describe('estimateTokens', () => {
  // The table stays loaded in a process, so each test has a module of its own.
  const importFresh = () => {
    vi.resetModules();
    return import('./count-tokens.js');
  };

  it.each([
    ['', 0],
    ['tea', 1],
    ['teas', 1],
    ['green', 2],
    ['The quick brown fox. '.repeat(100), 525],
    ['\u6771\u4eac\u90fd\u5185', 1],
  ])('counts four characters of %j as one token, rounded up, while no table is loaded', async (text, tokens) => {
    const { estimateTokens } = await importFresh();
    expect(estimateTokens(text)).toBe(tokens);
  });

  it('is the count of the table from its loading on', async () => {
    const { estimateTokens, loadTokenCounter } = await importFresh();
    const text = 'a b c d e f g h';
    expect(estimateTokens(text)).toBe(4);
    await loadTokenCounter();
    expect(estimateTokens(text)).toBe(8);
  });
});
