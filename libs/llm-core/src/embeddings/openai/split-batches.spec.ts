import { MAX_INPUTS, MAX_INPUT_TOKENS, MAX_REQUEST_TOKENS, splitBatches } from './split-batches.js';

describe('splitBatches', () => {
  it('returns one batch if the texts fit one request', async () => {
    await expect(splitBatches(['one', 'two'])).resolves.toEqual([['one', 'two']]);
  });

  it('starts a new batch at the maximum number of inputs', async () => {
    const texts = Array.from({ length: MAX_INPUTS + 1 }, (_, index) => `${index}`);
    expect((await splitBatches(texts)).map((batch) => batch.length)).toEqual([MAX_INPUTS, 1]);
  });

  it('starts a new batch at the maximum number of tokens, in order', async () => {
    // One token per repetition: 40 such texts are 320,000 tokens.
    const text = ' tea'.repeat(8_000);
    const batches = await splitBatches(Array.from({ length: 40 }, () => text));
    expect(batches.map((batch) => batch.length)).toEqual([Math.floor(MAX_REQUEST_TOKENS / 8_000), 3]);
  });

  it('accepts a long text within the token limit, and rejects one over it', async () => {
    await expect(splitBatches([' tea'.repeat(MAX_INPUT_TOKENS)])).resolves.toHaveLength(1);
    await expect(splitBatches([' tea'.repeat(MAX_INPUT_TOKENS + 1)])).rejects.toMatchObject({
      type: 'invalid_request',
      // Nothing is charged for it.
      sent: false,
    });
  });
});
