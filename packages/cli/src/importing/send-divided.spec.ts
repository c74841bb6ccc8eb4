import { InvalidRequestError, type ImportedMemory, type ImportedRecord } from '@annals/sdk';
import { sendDivided } from './send-divided.js';

const memory = (id: string, count: number): ImportedMemory => ({
  id,
  content: 'The user likes tea.',
  category: 'preferences',
  valid_from: '2024-01-01T10:00:00Z',
  recorded_at: '2024-01-01T10:00:00Z',
  sources: Array.from({ length: count }, (_, index) => ({ message_id: `${index}`, quote: 'tea' })),
});
const malformed = (path: string, message: string) =>
  new InvalidRequestError(
    {
      status: 400,
      code: 'validation_failed',
      detail: message,
      errors: [{ path, message }],
    } as never,
    undefined,
  );

describe('memories with many sources', () => {
  async function send(
    memories: readonly ImportedMemory[],
    answer: (memory: ImportedMemory, place: number, request: number) => Partial<ImportedRecord>,
  ) {
    const requests: string[][] = [];
    const sent = await sendDivided(memories, async (part) => {
      requests.push(part.map(({ id, sources }) => `${id}: ${sources!.length}`));
      await Promise.resolve();
      return part.map((each, place) => ({
        outcome: 'taken',
        id: each.id,
        ...answer(each, place, requests.length - 1),
      }));
    });
    return { requests, sent: sent.map(({ id, record, refusedParts }) => [id, record.outcome, ...refusedParts]) };
  }

  it('are one request with others, and further ones with the rest alone', async () => {
    const { requests, sent } = await send(
      [memory('a', 1), memory('b', 250), memory('c', 101)],
      (_memory, _place, request) => (request === 0 ? {} : { outcome: 'already_there' }),
    );
    expect(requests).toEqual([['a: 1', 'b: 100', 'c: 100'], ['b: 100', 'c: 1'], ['b: 50']]);
    expect(sent).toEqual([
      ['a', 'taken'],
      ['b', 'taken'],
      ['c', 'taken'],
    ]);
  });

  it('are taken when any of their parts is, and refused when none is', async () => {
    const refused = { outcome: 'refused', id: null, code: 'not_grounded' } as const;
    const { sent } = await send([memory('a', 150), memory('b', 150)], ({ id }, _place, request) =>
      id === 'a' && request === 1 ? {} : refused,
    );
    expect(sent).toEqual([
      ['a', 'taken'],
      ['b', 'refused'],
    ]);
  });

  it('are not sent further when they are malformed', async () => {
    const { requests, sent } = await send([memory('a', 250), memory('b', 250)], ({ id }, place, request) => {
      if (request === 0 && id === 'b') throw malformed(`body.memories[${place}].content`, 'Write a sentence.');
      if (request === 2) throw malformed('body.memories[0].sources[7].quote', 'Send a text.');
      return {};
    });
    expect(requests).toEqual([['a: 100', 'b: 100'], ['a: 100'], ['a: 100']]);
    expect(sent).toEqual([
      ['a', 'taken', 'Send a text.'],
      ['b', 'refused'],
    ]);
  });
});
