import { isDeepStrictEqual } from 'node:util';
import { SeededRng } from '@annals/domain';
import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import { LLMError } from '../provider/llm-error.js';
import { parseAnswer } from '../parsing/parse-answer.js';
import { MAX_STREAM_LENGTH, StreamAssembler } from './stream-assembler.js';
import { generateResponses } from './responses.fixture.js';

interface Outcome {
  text?: string;
  complete?: boolean;
  truncated?: boolean;
  problem?: string;
  answer?: unknown;
}

function assemble(chunks: readonly string[]): Outcome {
  const assembler = new StreamAssembler();
  assembler.start();
  try {
    for (const chunk of chunks) assembler.push(chunk);
  } catch (error) {
    if (error instanceof LLMError) return { problem: error.message };
    throw error;
  }
  const { chunkCount: _, ...outcome } = assembler.stop();
  return outcome;
}

function read({ text, truncated }: Outcome): unknown {
  if (text === undefined) return undefined;
  try {
    return parseAnswer(text, { truncated: truncated === true });
  } catch (error) {
    return error instanceof LLMError ? error.message : error;
  }
}

/** Decodes chunks of bytes as an SSE reader does. */
function decodeBytes(pieces: readonly Uint8Array[]): string[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return [...pieces.map((piece) => decoder.decode(piece, { stream: true })), decoder.decode()];
}

function splitAt<T extends { slice(start: number, end?: number): T; length: number }>(
  whole: T,
  positions: number[],
): T[] {
  const edges = [0, ...positions.toSorted((a, b) => a - b), whole.length];
  return edges.slice(1).map((end, index) => whole.slice(edges[index]!, end));
}

function listPositions({ length }: { length: number }): number[] {
  return Array.from({ length: length + 1 }, (_, position) => position);
}

describe('StreamAssembler', () => {
  const responses = generateResponses();

  it('is tested with 100 responses: complete, wrapped, malformed, truncated, followed by text', () => {
    expect(new Set(responses).size).toBe(100);
    const outcomes = responses.map((response) => assemble([response]));
    for (const kind of ['complete', 'truncated', 'problem'] as const) {
      expect(outcomes.filter((outcome) => outcome[kind]).length).toBeGreaterThanOrEqual(10);
    }
  });

  it('returns the same result for every split into two chunks, even inside a character', () => {
    for (const response of responses) {
      const unsplit = assemble([response]);
      const bytes = new TextEncoder().encode(response);
      const differs = (chunks: string[]) => !isDeepStrictEqual(assemble(chunks), unsplit);
      const differing = [
        ...listPositions(response).filter((at) => differs(splitAt(response, [at]))),
        ...listPositions(bytes).filter((at) => differs(decodeBytes(splitAt(bytes, [at])))),
      ];
      expect([response, differing]).toEqual([response, []]);
    }
  });

  it('returns the same result for random splits into many chunks', () => {
    const rng = new SeededRng(7);
    for (const response of responses) {
      const unsplit = assemble([response]);
      const answer = read(unsplit);
      const bytes = new TextEncoder().encode(response);
      for (let run = 0; run < 10; run += 1) {
        const positions = (length: number) =>
          Array.from({ length: 1 + run * 5 }, () => Math.floor(rng.nextFloat() * length));
        for (const chunks of [
          splitAt(response, positions(response.length)),
          decodeBytes(splitAt(bytes, positions(bytes.length))),
        ]) {
          const outcome = assemble(chunks);
          expect(outcome).toEqual(unsplit);
          expect(read(outcome)).toEqual(answer);
        }
      }
      expect(assemble(Array.from({ length: response.length }, (_, at) => response.charAt(at)))).toEqual(unsplit);
    }
  });

  it('passes through its states in order', () => {
    const assembler = new StreamAssembler();
    const states = [assembler.metrics().state];
    const step = (act: () => void) => {
      act();
      states.push(assembler.metrics().state);
    };
    step(() => assembler.start());
    step(() => assembler.push('{"memories":'));
    step(() => assembler.push('[]}'));
    step(() => assembler.push('\n```\n'));
    step(() => assembler.stop());
    expect(states).toEqual(['awaiting_start', 'in_chunk', 'in_chunk', 'awaiting_close', 'awaiting_close', 'complete']);
  });

  it.each([
    ['text before the start', (assembler: StreamAssembler) => assembler.push('{'), 'text in state awaiting_start'],
    ['an end before the start', (assembler: StreamAssembler) => assembler.stop(), 'end in state awaiting_start'],
    ['a second start', start((assembler) => assembler.start()), 'start in state in_chunk'],
    ['text after the end', start((assembler) => (assembler.stop(), assembler.push('{'))), 'text in state complete'],
    ['an end after a failure', start((assembler) => (assembler.fail(), assembler.stop())), 'end in state error'],
    ['text after the answer', start((assembler) => assembler.push('{} and more')), 'text after the end of the answer'],
    ['a second object', start((assembler) => (assembler.push('{}'), assembler.push('{}'))), 'text after the end'],
    [
      'text over the length limit',
      start((assembler) => assembler.push(' '.repeat(MAX_STREAM_LENGTH + 1))),
      'longer than 100000',
    ],
  ])('rejects %s and names the problem', (_, act, message) => {
    const assembler = new StreamAssembler();
    expect(() => act(assembler)).toThrow(message);
    expect(assembler.metrics().state).toBe('error');
  });

  it('accepts a stream of the maximum length, and keeps the text received before a failure', () => {
    const assembler = new StreamAssembler();
    assembler.start();
    assembler.push(`{${' '.repeat(MAX_STREAM_LENGTH - 2)}`);
    assembler.push('}');
    assembler.fail();
    expect(assembler.text).toHaveLength(MAX_STREAM_LENGTH);
    expect(assembler.metrics()).toMatchObject({ state: 'error', bufferSize: MAX_STREAM_LENGTH, chunkCount: 2 });
  });

  it('reports depth and string state in its metrics, without text', () => {
    const assembler = new StreamAssembler();
    assembler.start();
    assembler.push('Here: {"memories": [{"content": "secret } \\" ');
    expect(assembler.metrics()).toEqual({
      state: 'in_chunk',
      bufferSize: 45,
      chunkCount: 1,
      structuralDepth: { brace: 2, bracket: 1 },
      inString: true,
    });
  });

  it.each([
    ['prose before the answer', 'Here are [two] of them:\n{}'],
    ['a <think> block before the answer', '<think>maybe {"a": [} </think>{}'],
    ['a fence', '```json\n[{}]\n```'],
    ['prose around a fence', 'Here:\n```json\n{}\n```\nAnything {else}?'],
    ['blanks and a byte order mark', '\ufeff {} \n\u200b'],
  ])('ignores %s', (_, text) => {
    expect(assemble([text])).toMatchObject({ complete: true, truncated: false });
  });

  it('marks a stream without an end as truncated, so that parsing it counts as a repair', () => {
    expect(assemble(['{"memories":[{"content":"test"'])).toMatchObject({ complete: false, truncated: true });
    expect(assemble([])).toMatchObject({ text: '', truncated: true });
  });

  it('takes time linear in the length of the answer', () => {
    const receive = (length: number) => {
      const assembler = new StreamAssembler();
      assembler.start();
      assembler.push('{"a":"');
      for (let i = 0; i < length; i += 1) assembler.push('x');
    };
    expect(measureCpuGrowth(receive, 90_000)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});

function start(act: (assembler: StreamAssembler) => void): (assembler: StreamAssembler) => void {
  return (assembler) => {
    assembler.start();
    act(assembler);
  };
}
