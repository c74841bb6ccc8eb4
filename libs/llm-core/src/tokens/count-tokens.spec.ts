import { countTokens, loadTokenCounter } from './count-tokens.js';

describe('countTokens', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
  ])('counts %j by o200k', async (text, tokens) => {
    await expect(countTokens(text)).resolves.toBe(tokens);
  });

  it('returns the same count again, cached or not', async () => {
    const count = await loadTokenCounter();
    const long = 'The quick brown fox. '.repeat(100);
    expect([count('tea time'), count(long)]).toEqual([count('tea time'), count(long)]);
    expect(count(long)).toBeGreaterThan(400);
  });

  it('loads the table once', async () => {
    expect(await loadTokenCounter()).toBe(await loadTokenCounter());
  });
});
