import { observeAnswer } from './observe-answer.js';
import { withholdUsage } from './withhold-usage.js';

const STREAM = 'text/event-stream; charset=utf-8';
const bytes = (text: string) => new TextEncoder().encode(text);
const event = (data: object | string) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const delta = (content: string, index = 0) => event({ choices: [{ index, delta: { content } }] });
const USAGE = {
  prompt_tokens: 9,
  completion_tokens: 4,
  prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 1 },
};
const READ_USAGE = { inputTokens: 9, outputTokens: 4, cacheReadTokens: 5, cacheWriteTokens: 1 };

const observeAll = (text: string, contentType: string, size: number, status = 200) => {
  const observer = observeAnswer(status, contentType);
  const all = bytes(text);
  for (let start = 0; start < all.length; start += size) observer.observe(all.subarray(start, start + size));
  return observer.outcome();
};

describe('observeAnswer', () => {
  const stream = [
    delta('Grüß '),
    delta('Gott 🐕'),
    delta('B', 1),
    event({ choices: [], usage: USAGE }),
    event('[DONE]'),
  ].join('');

  it.each([1, 3, 7, 10_000])('reads a stream that comes in pieces of %d bytes', (size) => {
    expect(observeAll(stream, STREAM, size)).toEqual({
      texts: ['Grüß Gott 🐕', 'B'],
      usage: READ_USAGE,
      isComplete: true,
    });
  });

  it('knows that a stream broke off', () => {
    expect(observeAll(delta('Half'), STREAM, 5)).toEqual({ texts: ['Half'], usage: undefined, isComplete: false });
  });

  it.each([
    'data: {"choices":[{"index":-7,"delta":{"content":"x"}}]}\n\n',
    'data: nonsense\n\n',
    ': ping\n\n',
    event({ choices: 7 }),
  ])('is not confused by %j', (text) => {
    expect(observeAll(`${delta('A')}${text}${event('[DONE]')}`, STREAM, 4).isComplete).toBe(true);
  });

  it('reads a document', () => {
    const completion = { choices: [{ message: { content: 'Hi' } }, { message: { content: null } }], usage: USAGE };
    expect(observeAll(JSON.stringify(completion), 'application/json', 9)).toEqual({
      texts: ['Hi', ''],
      usage: READ_USAGE,
      isComplete: true,
    });
    expect(observeAll('<html>', 'text/html', 9)).toEqual({ texts: [], usage: undefined, isComplete: false });
  });

  it('reads nothing of an error', () => {
    const completion = JSON.stringify({ choices: [{ message: { content: 'Hi' } }] });
    expect(observeAll(completion, 'application/json', 9, 500).texts).toEqual([]);
  });
});

describe('withholdUsage', () => {
  const collect = async (text: string, size: number) => {
    const all = bytes(text);
    async function* pieces() {
      for (let start = 0; start < all.length; start += size) yield all.subarray(start, start + size);
    }
    let passed = '';
    for await (const piece of withholdUsage(pieces())) passed += piece;
    return passed;
  };
  const rest = `${delta('Gott 🐕')}${event('[DONE]')}`;

  it.each([1, 5, 10_000])('leaves out the chunk with usage alone, in pieces of %d bytes', async (size) => {
    const usage = event({ choices: [], usage: USAGE });
    expect(await collect(`${delta('Gott 🐕')}${usage}${event('[DONE]')}`, size)).toBe(rest);
  });

  it('passes everything else', async () => {
    const both = `${event({ choices: [{ index: 0, delta: {} }], usage: USAGE })}${event({ choices: [], usage: null })}data: "usage`;
    expect(await collect(both, 11)).toBe(both);
  });
});
