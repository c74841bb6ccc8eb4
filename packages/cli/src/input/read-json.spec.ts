import type { Bytes, Input } from './input.js';
import { probe, splitLines } from './read-json.js';

async function* bytesOf(...texts: (string | Buffer)[]): Bytes {
  for (const text of texts) yield Buffer.from(text as string);
}

describe('how a file begins', () => {
  const inputOf = (...parts: string[]): Input => ({
    bytes: 0,
    fingerprint: '',
    async *parts() {
      for (const part of parts) yield bytesOf(part);
    },
  });

  it('is told by the first part that has an item', async () => {
    const claude = '[{"uuid":"a","chat_messages":[]}]';
    expect(await probe(inputOf('[]', ' [ \n ] ', claude))).toEqual({
      shape: 'list',
      beginning: claude,
      isEmpty: false,
    });
  });

  it('is empty when all parts are', async () => {
    expect(await probe(inputOf('\uFEFF[]', '[\n]\n'))).toMatchObject({ shape: 'list', isEmpty: true });
    expect(await probe(inputOf('[', '[1]'))).toMatchObject({ isEmpty: false });
  });

  it('has a shape', async () => {
    expect(await probe(inputOf('{"results":[]}\n'))).toMatchObject({ shape: 'object' });
    expect(await probe(inputOf('{"kind":"manifest"}\n{"kind":"end"}'))).toMatchObject({ shape: 'lines' });
    await expect(probe(inputOf('Hello.'))).rejects.toThrow('The file is no JSON');
    await expect(probe(inputOf(''))).rejects.toThrow('The file is no JSON');
  });
});

describe('lines', () => {
  async function linesOf(bytes: Bytes, maxLength?: number): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of splitLines(bytes, maxLength)) lines.push(line);
    return lines;
  }

  it('are the same wherever the bytes are divided', async () => {
    const text = 'ab\n\n€😀c\nlast';
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await linesOf(bytesOf(bytes.subarray(0, at), bytes.subarray(at)))).toEqual(text.split('\n'));
    }
    expect(await linesOf(bytesOf('a\n'))).toEqual(['a']);
    expect(await linesOf(bytesOf(''))).toEqual([]);
  });

  // The square of the length takes minutes here, and the length itself a fifth of a second.
  it('take as long as their length, however many pieces they come in', { timeout: 60_000 }, async () => {
    const piece = Buffer.alloc(1_024, 'a');
    const pieces = Array.from({ length: 16_384 }, () => piece);
    const lines = await linesOf(bytesOf(...pieces, '\n', ...pieces));
    expect(lines.map(({ length }) => length)).toEqual([16_777_216, 16_777_216]);
  });

  it('are refused when they are longer than those of any export', async () => {
    expect(await linesOf(bytesOf('abc', 'de\nfg', 'hij'), 5)).toEqual(['abcde', 'fghij']);
    await expect(linesOf(bytesOf('abc', 'def'), 5)).rejects.toThrow('A line is longer than any of an export');
    await expect(linesOf(bytesOf('abcdef\n'), 5)).rejects.toThrow('A line is longer than any of an export');
  });
});
